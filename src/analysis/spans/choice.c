/*
 * Spans of a window and a filter, chosen by a thread of its own: who shows them goes on meanwhile.
 *
 *	records -> in the window? -> does the filter hold of the event? -> the longest, or sums
 *
 * Invariant: the thread reads spans, which nobody changes any more, and ends before it is freed.
 */
#include "analysis/spans/choice.h"

#include "tnav/base/mem.h"

struct span_choice {
	struct spans_table_of	 of;
	struct span_range	 range;
	struct lock		*lock;		/* wakes who waits for done */
	struct job		*job;
	atomic_bool		 stop, done;
	struct sums		*sums;
	struct span_rows	 rows;
};

static void
choice_job(void *arg)
{
	struct span_choice	*x = arg;

	if (x->of.filter != NULL)
		x->range.eval = filter_eval_new(x->of.filter, x->range.s->t);
	if (x->of.list)
		span_rows_longest(&x->rows, &x->range, &x->of);
	else
		x->sums = sums_of(&x->range);
	filter_eval_free(x->range.eval);
	lock_take(x->lock);
	atomic_store(&x->done, true);
	lock_wake(x->lock);
	lock_drop(x->lock);
}

struct span_choice *
span_choice_new(struct spans *s, const struct spans_table_of *of)
{
	struct span_choice	*x = mem_zalloc(1, sizeof *x);

	x->of = *of;
	x->range = span_range_of(s, of);
	x->range.stop = &x->stop;
	x->lock = lock_new();
	x->job = job_start(choice_job, x);
	if (x->job == NULL)
		choice_job(x);
	return x;
}

void
span_choice_free(struct span_choice *x)
{
	if (x == NULL)
		return;
	atomic_store(&x->stop, true);
	job_join(x->job);
	span_rows_release(&x->rows);
	sums_free(x->sums);
	lock_free(x->lock);
	mem_free(x);
}

bool
span_choice_wait(struct span_choice *x, int64_t budget_ns)
{
	int64_t	until = job_now_ns() + budget_ns;

	lock_take(x->lock);
	while (!atomic_load(&x->done) && lock_wait_until(x->lock, until))
		;
	lock_drop(x->lock);
	return atomic_load(&x->done);
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
