/*
 * Spans of a trace: one pass in the order of time, pairing as its pieces are merged, then one walk
 * over the records for what lies in what, and the sums.
 *
 *	pieces	| marks | marks | marks |	any thread
 *	merge	  pairing ->			one thread: records, ended by stops
 *	records	[0][1][2][3] ...		64 bytes each, in the order of first known events
 *	stops	[1][0][3] ...			spans in the order of the events that end them
 *
 * Invariant: records are sorted by the row of their first known event, stops by that of their stop.
 */
#include "analysis/spans/private.h"

#include "analysis/spans/balance.h"
#include "analysis/spans/marks.h"
#include "analysis/spans/nesting.h"
#include "analysis/spans/pairing.h"
#include "analysis/spans/stream.h"
#include "analysis/spans/sums.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/joined.h"

struct spans *
spans_new(struct trace *t)
{
	struct spans	*s = mem_zalloc(1, sizeof *s);

	s->t = t;
	s->native = trace_has(t, HAS_DURATIONS);
	s->freq = trace_info(t)->freq;
	s->lock = lock_new(LOCK_WORK);
	s->names = names_new();
	s->classes = classes_new(t, s->names, s->native);
	s->losses = mem_zalloc(trace_sources(t), sizeof *s->losses);
	for (uint32_t i = 0; i < trace_sources(t); i++)
		s->losses[i] = losses_new(t, i);
	s->record = scratch_new(sizeof(struct span_record));
	s->stop = scratch_new(sizeof(struct span_stop));
	return s;
}

void
spans_free(struct spans *s)
{
	if (s == NULL)
		return;
	pairing_free(s->pairing);
	filter_free(s->filter);
	classes_free(s->classes);
	names_free(s->names);
	sums_free(s->sums);
	stream_free(s->stream);
	for (uint32_t i = 0; i < trace_sources(s->t); i++)
		losses_free(s->losses[i]);
	mem_free(s->losses);
	scratch_free(s->record);
	scratch_free(s->stop);
	mem_free(s->role);
	mem_free(s->reach);
	lock_free(s->lock);
	buf_release(&s->remark);
	mem_free(s);
}

/* ---- the pass */

struct span_piece {
	struct marker		*marker;
	struct balance		*balance;
	struct mark_list	 m;
};

static void *
piece_begin(void *arg)
{
	struct spans		*s = arg;
	struct span_piece	*p = mem_zalloc(1, sizeof *p);

	p->marker = marker_new(s);
	p->balance = balance_new(s->opt.needed);
	return p;
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct span_piece	*p = state;
	size_t			 n = p->m.n;

	for (uint32_t i = 0; i < b->n; i++)
		marker_add(p->marker, &p->m, batch_event(b, i), pass_row(b, i));
	balance_add(p->balance, &p->m, n);
}

static void
piece_clear(void *state)
{
	struct span_piece	*p = state;

	span_marks_clear(&p->m);
	balance_clear(p->balance);
}

static void
piece_free(void *state)
{
	struct span_piece	*p = state;

	marker_free(p->marker);
	balance_free(p->balance);
	span_marks_release(&p->m);
	mem_free(p);
}

static int
piece_merge(void *arg, void *state)
{
	struct spans		*s = arg;
	struct mark_list	*m = &((struct span_piece *)state)->m;

	if (s->stream != NULL)
		stream_add(s->stream, m->whole, m->nwhole);
	else
		s->dropped += m->nwhole - scratch_append(s->record, m->whole, m->nwhole);
	pairing_add(s->pairing, m);
	if (s->stream != NULL)
		stream_records(s->stream, false);
	return 0;
}

static const struct pass_ops	span_ops = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .clear = piece_clear,
	.free = piece_free,
};

/* What is let through may be part of a span: the pass passes over the rest of the trace. */
static void
filter_make(struct spans *s)
{
	struct buf	text = { 0 };

	if (s->native)
		return;
	classes_filter(&text);
	s->filter = filter_own(buf_str(&text));
	buf_release(&text);
}

/* What follows of all spans. */
static void
all_found(struct spans *s)
{
	pairing_end(s->pairing);
	pairing_leave(s->pairing);
	if (s->stream != NULL) {
		stream_records(s->stream, true);
		s->sums = stream_end(s->stream, &s->count);
		return;
	}
	if (s->opt.needed != NULL)
		return;
	nesting_make(s);
	reach_make(s);
	s->count = scratch_n(s->record);
	s->sums = sums_of(&(struct span_range){ .s = s, .from = INT64_MIN, .to = INT64_MAX });
}

int
spans_build(struct spans *s, const struct spans_options *o, struct pass_result *result)
{
	struct pass_options	p = o->pass;
	int			err;

	s->opt = *o;
	filter_make(s);
	p.order = PASS_TIME;
	p.filter = s->filter;
	p.has_from = p.has_to = false;
	s->pairing = pairing_new(s);
	if (o->sums_only)
		s->stream = stream_new(s);
	err = pass_run(s->t, &p, &span_ops, s, result);
	if (err == ERR_OK)
		all_found(s);
	pairing_free(s->pairing);
	s->pairing = NULL;
	return err;
}

const struct span_sum *
spans_sum(const struct spans *s, uint32_t i)
{
	return sums_at(s->sums, i);
}

/* ---- what is missing */

const char *
spans_remark(struct spans *s)
{
	const char	*error = scratch_error(s->record);

	buf_clear(&s->remark);
	if (s->dropped > 0) {
		buf_grouped(&s->remark, s->dropped);
		buf_printf(&s->remark, " more spans are left out: %s", error != NULL ? error :
		    "too many begin at one event");
	} else if (s->beyond > 0) {
		buf_counts(&s->remark, "# starts beyond the limit of open spans were not paired: "
		    "they count as open, their stops as orphans", s->beyond);
	} else if (s->sums != NULL && sums_error(s->sums) != NULL) {
		buf_puts(&s->remark, sums_error(s->sums));
	}
	return s->remark.len > 0 ? buf_str(&s->remark) : NULL;
}
