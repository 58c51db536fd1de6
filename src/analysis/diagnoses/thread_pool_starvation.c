/* Work blocks threads of the pool, so that other work waits for one. */
#include "analysis/diagnoses/exam.h"

#define ADJUSTED	3u		/* times that the pool added a thread for blocked ones */
#define BLOCKED		1.0		/* threads, on average */
#define BLOCKED_ALONE	4.0		/* by processor, where nothing tells of adjustments */
#define SHARE		0.5		/* of the time of threads that have work */
#define ALL		0.9		/* of its threads and their time, if nothing tells of its
					   queue */
#define QUEUE		4.0		/* work items that wait, by processor */
#define LONG_S		0.5		/* a wait of theirs, where no stacks tell why */
#define BUSY		50.0		/* per cent of the processors: work waits for these */
#define QUEUE_LENGTH	"threadpool-queue-length"
#define CPU_USAGE	"cpu-usage"

struct pool_signs {
	uint64_t	starved;
	uint64_t	blocked;	/* adjustments because its threads wait for tasks */
	double		queue;		/* work items that wait, on average; less than 0: unknown */
	double		lasting;	/* ... without the greatest value of the counter */
	double		wait;		/* seconds that one waits, on average; 0: unknown */
	double		busy;		/* per cent of the processors; less than 0: unknown */
	double		first, most;	/* worker threads */
	bool		any;
};

/* The mean of a counter's values; none: there are none. */
static double
counter_mean(const struct exam *e, const char *counter, double none)
{
	double	samples = exam_counter(e, counter, "samples");

	return samples > 0 ? exam_counter(e, counter, "sum") / samples : none;
}

/* The same without the greatest of its values: one burst of work is usual. 0: there is no other. */
static double
counter_lasting(const struct exam *e, const char *counter)
{
	double	samples = exam_counter(e, counter, "samples");

	return samples > 1 ? (exam_counter(e, counter, "sum") -
	    exam_counter(e, counter, "max")) / (samples - 1) : 0;
}

/* By the events of single items: what waits is what comes times how long it waits. An item that was
   never taken does not count: another thread may have run it, which has no event. */
static void
read_items(const struct exam *e, struct pool_signs *p)
{
	struct table	*t = exam_rows(e, "threadpool", "summary");

	if (exam_number(t, 0, "paired") > 0) {
		p->queue = p->lasting = exam_number(t, 0, "total") / 1e9 / e->seconds;
		p->wait = exam_number(t, 0, "mean") / 1e9;
	}
	table_free(t);
}

static void
read_adjustments(const struct exam *e, struct pool_signs *p)
{
	struct table	*t = exam_rows(e, "threadpool", "adjustment");

	p->any = t != NULL && t->nrows > 0;
	for (size_t i = 0; t != NULL && i < t->nrows; i++) {
		struct span	reason = exam_text(t, i, "reason");
		double		workers = exam_number(t, i, "workers");

		p->blocked += spans_equal(reason, span_of("CooperativeBlocking"));
		p->starved += spans_equal(reason, span_of("Starvation"));
		if (i == 0)
			p->first = workers;
		if (workers > p->most)
			p->most = workers;
	}
	p->starved += p->blocked;
	table_free(t);
}

static void
read_pool(const struct exam *e, struct pool_signs *p)
{
	*p = (struct pool_signs){ .queue = counter_mean(e, QUEUE_LENGTH, -1),
	    .lasting = counter_lasting(e, QUEUE_LENGTH), .busy = counter_mean(e, CPU_USAGE, -1) };
	read_adjustments(e, p);
	if (p->queue < 0)
		read_items(e, p);
}

/* Without stacks: work may wait for processors, or for a moment. */
static bool
work_waits_unseen(const struct exam *e, const struct pool_signs *p)
{
	if (p->starved >= ADJUSTED)
		return true;
	return p->lasting >= QUEUE * e->processors && p->busy < BUSY &&
	    (p->busy >= 0 || p->wait >= LONG_S);
}

/* All its threads waited for tasks all the time, and it could add no more. */
static bool
is_stuck(const struct pool_signs *p, double blocked, double of_work)
{
	return p->queue < 0 && p->blocked > 0 && of_work >= ALL && blocked >= ALL * p->most;
}

/* Do its adjustments or its queue show that work waits? */
static bool
work_waits(const struct exam *e, const struct pool_signs *p, double blocked)
{
	if (p->starved >= ADJUSTED || p->queue >= QUEUE * e->processors)
		return true;
	return !p->any && blocked >= BLOCKED_ALONE * e->processors;
}

static enum certainty
how_certain(const struct exam *e, const struct pool_signs *p)
{
	if (p->starved < ADJUSTED && p->any && p->queue < 0)
		return POSSIBLE;		/* is_stuck() */
	if (e->wall.rounds > 0)
		return p->starved >= ADJUSTED ? CERTAIN : LIKELY;
	return p->starved >= ADJUSTED || p->busy >= 0 ? LIKELY : POSSIBLE;
}

static bool
is_starved(const struct exam *e, const struct pool_signs *p, double blocked, double of_work)
{
	if (e->wall.rounds == 0)
		return work_waits_unseen(e, p);
	return blocked >= BLOCKED && of_work >= SHARE &&
	    (work_waits(e, p, blocked) || is_stuck(p, blocked, of_work));
}

static void
say_pool(const struct exam *e, const struct pool_signs *p, struct diagnosis *d)
{
	if (p->most > p->first)
		buf_printf(&d->text, "The pool grew from %.0f to %.0f threads. ", p->first,
		    p->most);
	if (p->queue >= 1)
		say(d, "{number} work items waited for a thread (mean). ", p->queue);
	if (e->wall.rounds == 0 && p->starved < ADJUSTED && p->busy >= 0)
		say(d, "The processors were busy for {share} of the time. ", p->busy / 100);
}

bool
examine_thread_pool_starvation(const struct exam *e, struct diagnosis *d)
{
	double		blocked = wall_threads(&e->wall, DOING_BLOCKED);
	double		of_work = e->wall.workers > 0 ?
			    e->wall.doing[DOING_BLOCKED] / e->wall.workers : 0;
	struct site	site;
	struct pool_signs	pool;

	read_pool(e, &pool);
	if (!is_starved(e, &pool, blocked, of_work))
		return false;
	d->share = e->wall.rounds > 0 ? of_work : 0.5;
	d->value = blocked;
	d->certainty = how_certain(e, &pool);
	say_pool(e, &pool, d);
	if (e->wall.rounds == 0 && !pool.any && pool.busy >= 0)
		evidence_report(d, "counters", NULL);
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
