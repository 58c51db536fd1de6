/*
 * Activities of a trace: one pass in any order, whose states are merged, then the tree. A second
 * pass, in the order of time, pairs the spans whose ends the first one does not tell.
 *
 * A trace may have as many activities in each piece as in all, so states stay with many pieces.
 * Where there are more ids than are kept, which ones are depends on the order; so that trace is
 * read again, piece by piece.
 */
#include "analysis/activities/private.h"

#include "tnav/base/err.h"
#include "tnav/base/mem.h"

/* ---- the pass */

static void *
piece_begin(void *arg)
{
	struct activities	*a = arg;
	struct found		*f = mem_zalloc(1, sizeof *f);

	found_init(f, a->t, a->own);
	return f;
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	found_add(state, b);
}

static void
piece_clear(void *state)
{
	found_clear(state);
}

static void
piece_free(void *state)
{
	found_release(state);
	mem_free(state);
}

static int
piece_merge(void *arg, void *state)
{
	found_merge(&((struct activities *)arg)->all, state);
	return 0;
}

static const struct pass_ops	found_ops = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .free = piece_free,
	.stays = true,
};

static const struct pass_ops	found_in_order_ops = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .clear = piece_clear,
	.free = piece_free,
};

static int
find_all(struct activities *a, const struct pass_options *p, struct pass_result *result)
{
	int	err = pass_run(a->t, p, &found_ops, a, result);

	found_end(&a->all);
	if (err != ERR_OK || !a->all.full)
		return err;
	found_clear(&a->all);
	err = pass_run(a->t, p, &found_in_order_ops, a, result);
	found_end(&a->all);
	return err;
}

int
activities_new(struct activities **out, struct trace *t, const struct pass_options *o,
    struct pass_result *result)
{
	struct activities	*a = mem_zalloc(1, sizeof *a);
	struct pass_options	 p = *o;
	int			 err = ERR_OK;

	a->t = t;
	p.order = PASS_ANY;
	a->own = spans_new(t);
	found_init(&a->all, t, a->own);
	*result = (struct pass_result){ .lost = false };
	if (trace_has(t, HAS_ACTIVITIES) || trace_has(t, HAS_LABELS))
		err = find_all(a, &p, result);
	a->has_all = o->filter == NULL && !pass_is_bounded(o) && !result->lost && !a->all.full &&
	    trace_ordered(t);
	if (err != ERR_OK) {
		activities_free(a);
		a = NULL;
	}
	*out = a;
	return err;
}

void
activities_join(struct activities *a, struct spans *spans)
{
	parents_find(a, spans);
}

/* The first start of each activity begins the span that is its time. Those that must be paired;
   NULL: there are none. */
static struct span_starts *
first_starts(struct activities *a)
{
	struct span_starts	*s = NULL;

	for (size_t i = 0; i < a->all.n; i++) {
		struct activity	*v = &a->all.v[i];

		if (v->creator == ACTIVITY_NONE || (a->has_all && ends_decide(a, v)))
			continue;
		if (s == NULL)
			s = span_starts_new(a->all.n - i);
		span_starts_add(s, v->at.off);
	}
	return s;
}

int
activities_complete(struct activities *a, const struct pass_options *o, const char **remark)
{
	struct span_starts	*needed;
	struct spans_options	 so = { .pass = *o };
	struct pass_result	 result = { .lost = false };
	int			 err;

	*remark = NULL;
	needed = first_starts(a);
	if (needed == NULL) {
		activities_join(a, NULL);
		return ERR_OK;
	}
	so.needed = needed;
	so.pass.filter = NULL;
	so.pass.has_from = so.pass.has_to = false;
	err = spans_build(a->own, &so, &result);
	span_starts_free(needed);
	if (err != ERR_OK)
		return err;
	*remark = spans_remark(a->own);
	activities_join(a, a->own);
	return ERR_OK;
}

void
activities_free(struct activities *a)
{
	if (a == NULL)
		return;
	spans_free(a->own);
	found_release(&a->all);
	mem_free(a->thread);
	mem_free(a->order);
	mem_free(a->at);
	mem_free(a->end);
	mem_free(a->path);
	buf_release(&a->remark);
	mem_free(a);
}

size_t
activities_bytes(const struct activities *a)
{
	return sizeof *a + a->all.cap * sizeof *a->all.v +
	    a->all.n * (sizeof *a->order + sizeof *a->at + sizeof *a->end + sizeof *a->path);
}

/* ---- what there is */

uint32_t
activities_count(const struct activities *a)
{
	return (uint32_t)a->all.n;
}

const struct activity *
activities_at(const struct activities *a, uint32_t i)
{
	return &a->all.v[a->order[i]];
}

uint32_t
activities_find(const struct activities *a, uint32_t source, const uint8_t guid[16])
{
	return found_activity(&a->all, source, guid);
}

const struct activity *
activities_entry(const struct activities *a, uint32_t entry)
{
	return &a->all.v[entry];
}

const char *
activities_remark(struct activities *a)
{
	buf_clear(&a->remark);
	if (!trace_has(a->t, HAS_ACTIVITIES) && !trace_has(a->t, HAS_LABELS))
		buf_puts(&a->remark, "the format has no activity ids");
	else if (a->all.n == 0)
		buf_printf(&a->remark, "%s also collect System.Threading.Tasks.TplEventSource with "
		    "keyword 0x80 (TasksFlowActivityIds)", trace_has(a->t, HAS_LABELS) ?
		    "no event has an activity id or a TraceId label: of .NET programs," :
		    "no event has an activity id:");
	else if (a->all.beyond > 0) {
		buf_counts(&a->remark, "# references to activities beyond the limit are not "
		    "counted", a->all.beyond);
	}
	return a->remark.len > 0 ? buf_str(&a->remark) : NULL;
}
