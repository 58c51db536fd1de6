/*
 * Signs, from facts.
 *
 *	stack of a fact, innermost frame first -> first own method -> its name, as a text
 *
 * Names of addresses are cached: most stacks have the same few innermost frames.
 *
 * Invariant: each fact costs at most FRAMES_MOST names.
 */
#include "analysis/diagnoses/signs.h"

#include "analysis/reports/common.h"
#include "tnav/base/limits.h"

#define LARGE		1u		/* AllocationKind */

enum sign { SIGNS_KINDS };
enum { SIGNS_FIELDS };

void
signs_init(struct signs *s, const struct report_run *run)
{
	*s = (struct signs){ .run = run };
	s->texts = texts_new();
	s->ticks = groups_new(sizeof(struct sign_sum), LIMIT_REPORT_GROUPS);
	s->large = groups_new(sizeof(struct sign_sum), LIMIT_REPORT_GROUPS);
	s->pinned = groups_new(sizeof(struct sign_sum), LIMIT_REPORT_GROUPS);
}

void
signs_release(struct signs *s)
{
	groups_free(s->ticks);
	groups_free(s->large);
	groups_free(s->pinned);
	texts_free(s->texts);
}

static void
add_to(struct groups *g, const struct fact *f, uint32_t a, uint32_t b, double bytes)
{
	struct sign_sum	*sum = groups_get(g, a, b);

	if (sum == NULL)
		return;
	if (sum->events == 0)
		sum->first = f->ns;
	sum->last = f->ns;
	sum->events++;
	sum->bytes += bytes;
}

static void
add_tick(struct signs *s, const struct fact *f)
{
	double		bytes = (double)fact_u64(f, TICK_AMOUNT);
	bool		large = fact_u64(f, TICK_KIND) == LARGE;
	uint32_t	type = texts_add(s->texts, fact_text(f, TICK_TYPE));
	uint32_t	own = fact_own_method(s->run, s->texts, f).words;

	s->ticks_n++;
	s->bytes += bytes;
	add_to(s->ticks, f, type, own, bytes);
	if (!large)
		return;
	s->large_bytes += bytes;
	add_to(s->large, f, type, own, bytes);
}

/* Who requests a stop during another one waits for its end first. */
static void
stop_end(struct signs *s, const struct fact *f)
{
	int64_t	since = s->stopping.since > s->stopping.restarted ? s->stopping.since :
		    s->stopping.restarted;
	int64_t	took = f->ns - since;

	if (!s->stopping.open || took < 0)
		return;
	s->stopping.open = false;
	s->stopping.n++;
	s->stopping.total += took;
	if (took > s->stopping.longest)
		s->stopping.longest = took;
}

static void
finalizers_stop(struct signs *s, const struct fact *f)
{
	if (s->finalizers.open && f->ns > s->finalizers.since)
		s->finalizers.busy += f->ns - s->finalizers.since;
	s->finalizers.open = false;
	s->finalizers.ended++;
}

void
signs_add(void *signs, const struct fact *f)
{
	struct signs	*s = signs;

	if (!f->chosen)
		return;
	switch ((enum sign)f->kind) {
	case TICK:
		add_tick(s, f);
		break;
	case STOP_BEGIN:
		if (!s->stopping.open && s->stopping.n == 0)
			s->stopping.first = f->ns;
		s->stopping.open = true;
		s->stopping.since = f->ns;
		break;
	case STOP_END:
		stop_end(s, f);
		break;
	case RESTARTED:
		s->stopping.restarted = f->ns;
		break;
	case PINNED:
		add_to(s->pinned, f, texts_add(s->texts, fact_text(f, PINNED_TYPE)), TEXT_NONE, 0);
		break;
	case FINALIZERS_START:
		s->finalizers.open = true;
		s->finalizers.since = f->ns;
		break;
	case FINALIZERS_STOP:
		finalizers_stop(s, f);
		break;
	case FINALIZED:
		s->finalizers.objects++;
		break;
	}
}

const struct fact_def	signs_facts[] = { SIGNS_FACTS };

static double
weight(const struct sign_sum *s)
{
	return s->bytes > 0 ? s->bytes : (double)s->events;
}

bool
signs_top(const struct groups *g, struct sign_top *out)
{
	*out = (struct sign_top){ .total = 0 };
	for (size_t i = 0; i < groups_n(g); i++) {
		const struct sign_sum	*s = groups_at(g, i);

		out->total += weight(s);
		if (out->sum.events > 0 && weight(s) <= weight(&out->sum))
			continue;
		out->sum = *s;
		out->key = groups_key(g, i);
	}
	return out->sum.events > 0;
}

bool
signs_top_type(const struct groups *g, struct sign_top *out)
{
	struct groups	*by_type = groups_new(sizeof(struct sign_sum), LIMIT_REPORT_GROUPS);
	struct sign_top	 part = { .total = 0 };

	for (size_t i = 0; i < groups_n(g); i++) {
		const struct sign_sum	*s = groups_at(g, i);
		struct sign_sum		*sum = groups_get(by_type, groups_key(g, i).a, 0);

		if (sum == NULL)
			continue;
		sum->first = sum->events == 0 || s->first < sum->first ? s->first : sum->first;
		sum->last = s->last > sum->last ? s->last : sum->last;
		sum->bytes += s->bytes;
		sum->events += s->events;
	}
	(void)signs_top(by_type, out);
	groups_free(by_type);
	for (size_t i = 0; i < groups_n(g); i++) {
		const struct sign_sum	*s = groups_at(g, i);

		if (groups_key(g, i).a != out->key.a ||
		    (part.sum.events > 0 && weight(s) <= weight(&part.sum)))
			continue;
		part.sum = *s;
		out->key = groups_key(g, i);
	}
	return out->sum.events > 0;
}

void
signs_cause(const struct signs *s, struct group_key key, const char *verb, struct buf *out)
{
	if (key.a != TEXT_NONE)
		buf_span(out, texts_at(s->texts, (uint32_t)key.a));
	if (key.a != TEXT_NONE && key.b != TEXT_NONE)
		buf_printf(out, ", %s ", verb);
	if (key.b != TEXT_NONE)
		buf_span(out, texts_at(s->texts, (uint32_t)key.b));
}
