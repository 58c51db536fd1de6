/*
 * Spans of a window and a filter, chosen by whoever waits for them or by a thread of its own.
 *
 *	records -> in the window? -> does the filter hold of the event? -> the longest, or sums
 *
 * Invariant: it reads spans, which nobody changes any more.
 */
#include "analysis/spans/choice.h"

#include "tnav/base/mem.h"

struct span_choice {
	struct sums		*sums;
	struct span_rows	 rows;
};

struct span_choice *
span_choice_new(struct spans *s, const struct spans_table_of *of, const atomic_bool *stop)
{
	struct span_choice	*x = mem_zalloc(1, sizeof *x);
	struct span_range	 range = span_range_of(s, of);

	range.stop = stop;
	if (of->filter != NULL)
		range.eval = filter_eval_new(of->filter, s->t);
	if (of->list)
		span_rows_longest(&x->rows, &range, of);
	else
		x->sums = sums_of(&range);
	filter_eval_free(range.eval);
	return x;
}

void
span_choice_free(struct span_choice *x)
{
	if (x == NULL)
		return;
	span_rows_release(&x->rows);
	sums_free(x->sums);
	mem_free(x);
}

const struct sums *
span_choice_sums(const struct span_choice *x)
{
	return x->sums;
}

const struct span_rows *
span_choice_rows(const struct span_choice *x)
{
	return &x->rows;
}
