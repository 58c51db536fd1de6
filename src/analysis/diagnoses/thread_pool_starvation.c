/* Work blocks threads of the pool, so that other work waits for one. */
#include "analysis/diagnoses/exam.h"

#define ADJUSTED	3u		/* times that the pool added a thread for blocked ones */
#define BLOCKED		1.0		/* threads, on average */
#define BLOCKED_ALONE	4.0		/* by processor, where nothing tells of adjustments */
#define SHARE		0.5		/* of the time of threads that have work */
#define QUEUE		4.0		/* work items that wait, by processor */
#define QUEUE_LENGTH	"threadpool-queue-length"

struct pool_signs {
	uint64_t	starved;
	double		queue;		/* work items that wait, on average */
	double		first, most;	/* worker threads */
	bool		any;
};

static void
read_pool(const struct exam *e, struct pool_signs *p)
{
	struct table	*t = exam_rows(e, "threadpool", "adjustment");

	*p = (struct pool_signs){ .any = t != NULL && t->nrows > 0 };
	for (size_t i = 0; t != NULL && i < t->nrows; i++) {
		struct span	reason = exam_text(t, i, "reason");
		double		workers = exam_number(t, i, "workers");

		p->starved += spans_equal(reason, span_of("Starvation")) ||
		    spans_equal(reason, span_of("CooperativeBlocking"));
		if (i == 0)
			p->first = workers;
		if (workers > p->most)
			p->most = workers;
	}
	table_free(t);
}

/* Do its adjustments or its queue show that work waits? */
static bool
work_waits(const struct exam *e, const struct pool_signs *p, double blocked)
{
	if (p->starved >= ADJUSTED || p->queue >= QUEUE * e->processors)
		return true;
	return !p->any && blocked >= BLOCKED_ALONE * e->processors;
}

bool
examine_thread_pool_starvation(const struct exam *e, struct diagnosis *d)
{
	double		blocked = wall_threads(&e->wall, DOING_BLOCKED);
	double		of_work = e->wall.workers > 0 ?
			    e->wall.doing[DOING_BLOCKED] / e->wall.workers : 0;
	double		samples;
	struct site	site;
	struct pool_signs	pool;

	read_pool(e, &pool);
	samples = exam_counter(e, QUEUE_LENGTH, "samples");
	pool.queue = samples > 0 ? exam_counter(e, QUEUE_LENGTH, "sum") / samples : 0;
	if (e->wall.rounds == 0) {
		if (pool.starved < ADJUSTED)
			return false;
	} else if (blocked < BLOCKED || of_work < SHARE || !work_waits(e, &pool, blocked)) {
		return false;
	}
	d->share = e->wall.rounds > 0 ? of_work : 0.5;
	d->value = blocked;
	d->certainty = e->wall.rounds > 0 && pool.starved >= ADJUSTED ? CERTAIN : LIKELY;
	if (pool.most > pool.first) {
		buf_printf(&d->text, "The pool grew from %.0f to %.0f threads. ", pool.first,
		    pool.most);
	}
	if (pool.queue >= 1)
		say(d, "{number} work items waited for a thread (mean). ", pool.queue);
	if (!wall_top(&e->wall, DOING_BLOCKED, &site)) {
		say(d, "No stacks were recorded that would tell where they wait.");
		buf_puts(&d->cause, "unknown");
		return true;
	}
	wall_cause(&e->wall, &site, &d->cause);
	say(d, "{number} of its threads were blocked at a time (mean), {share} of that time in "
	    "{cause}.", blocked, site.samples / e->wall.doing[DOING_BLOCKED]);
	evidence_site(d, e, &site);
	return true;
}
