/* Tiny work items in millions. */
#include "analysis/diagnoses/exam.h"

#define A_SECOND	40e3		/* work items, by processor */
#define COMPLETED	"threadpool-completed-items-count"

/* Completed work items a second, by the counter; else by the events of the pool. */
static double
item_rate(const struct exam *e)
{
	double		 items = exam_counter(e, COMPLETED, "sum");
	struct table	*t;

	if (items <= 0) {
		t = exam_rows(e, "threadpool", "summary");
		items = exam_number(t, 0, "dequeued");
		table_free(t);
	}
	return items / e->seconds;
}

bool
examine_work_item_flood(const struct exam *e, struct diagnosis *d)
{
	double	rate = item_rate(e);

	if (rate < A_SECOND * e->processors)
		return false;
	d->value = rate;
	d->share = e->wall.rounds > 0 ? e->wall.workers / e->wall.rounds / e->processors : 0.5;
	say(d, "{number} work items a second were run; each took {seconds} of a processor at "
	    "most.", rate, e->processors / rate);
	buf_puts(&d->cause, "Task");
	if (e->wall.queuer != LABEL_NONE) {
		buf_clear(&d->cause);
		wall_name(&e->wall, e->wall.queuer, false, &d->cause);
		say(d, " Most are queued by {cause}.");
	}
	return true;
}
