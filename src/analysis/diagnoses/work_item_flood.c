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

static bool
examine(const struct exam *e, struct diagnosis *d)
{
	double	rate = item_rate(e);

	if (rate < A_SECOND * e->processors)
		return false;
	d->value = rate;
	d->unit = "items/s";
	d->share = e->wall.rounds > 0 ? e->wall.workers / e->wall.rounds / e->processors : 0.5;
	say(d, "{number} work items a second were run; each took {seconds} of a processor at "
	    "most.", rate, e->processors / rate);
	buf_puts(&d->cause, "Task");
	if (e->wall.queuer != LABEL_NONE) {
		buf_clear(&d->cause);
		wall_name(&e->wall, e->wall.queuer, false, &d->cause);
		say(d, " Most are queued by {cause}.");
	}
	evidence_report(d, "threadpool", NULL);
	return true;
}

const struct diagnosis_def	diagnosis_work_item_flood = {
	.id = "work-item-flood",
	.title = "The pool runs a flood of tiny work items.",
	.why = "Queueing an item and waking a thread for it costs more than such items do. Give "
	    "each item more to do, for example with Parallel.For or a loop.",
	.examine = examine,
	.explains = DIAGNOSIS_BIT(allocation_rate) | DIAGNOSIS_BIT(cpu_bound),
};
