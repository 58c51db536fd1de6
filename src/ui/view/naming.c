/*
 * Names in the background.
 *
 *	index complete -> thread: symbols_new() -> done -> user's thread: symbols_lend()
 *	the trace has grown by a quarter -> again; names of before stay, others may be reading them
 *
 * Invariant: the trace's namer is set by the user's thread only, and lives until naming_free().
 */
#include "ui/view/naming.h"

#include <stdatomic.h>

#include "tnav/analysis/symbols.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"

#define AT_ONCE		4096u	/* rows that are read in a moment, without a thread */

struct naming {
	struct trace	*t;
	struct job	*job;
	bool		 running;
	atomic_bool	 stop, done;
	struct symbols	*made;		/* by the job */
	struct symbols	**all;		/* the last one is lent */
	size_t		 n, cap;
	uint64_t	 rows;		/* of the trace when they were looked for last */
};

struct naming *
naming_new(struct trace *t)
{
	struct naming	*n = mem_zalloc(1, sizeof *n);

	n->t = t;
	return n;
}

static bool
naming_tick(void *arg, uint64_t done, uint64_t all)
{
	(void)done;
	(void)all;
	return atomic_load(&((struct naming *)arg)->stop);
}

static void
naming_read(struct naming *n)
{
	const struct symbols_options	o = { .tick = naming_tick, .arg = n };

	n->made = symbols_new(n->t, &o);
	atomic_store(&n->done, true);
}

static void
naming_job(void *arg)
{
	job_give_way();
	naming_read(arg);
}

static void
naming_begin(struct naming *n)
{
	n->running = true;
	atomic_store(&n->done, false);
	if (n->rows > AT_ONCE)
		n->job = job_start(naming_job, n);
	if (n->job == NULL)
		naming_read(n);
}

/* All kinds of events are looked at for that: not again before the trace has grown. */
static bool
is_due(struct naming *n, bool complete)
{
	uint64_t	rows = trace_rows(n->t);

	if (!complete || rows <= n->rows || rows - n->rows <= n->rows / 4)
		return false;
	n->rows = rows;
	return trace_has(n->t, HAS_STACKS) && symbols_told(n->t);
}

bool
naming_step(struct naming *n, bool complete)
{
	if (!n->running && is_due(n, complete))
		naming_begin(n);
	if (!n->running || !atomic_load(&n->done))
		return false;
	job_join(n->job);
	n->job = NULL;
	n->running = false;
	if (n->made == NULL)
		return false;
	n->all = mem_grow(n->all, &n->cap, n->n + 1, sizeof *n->all);
	n->all[n->n++] = n->made;
	symbols_lend(n->made);
	n->made = NULL;
	return true;
}

bool
naming_busy(const struct naming *n)
{
	return n->running;
}

void
naming_free(struct naming *n)
{
	if (n == NULL)
		return;
	atomic_store(&n->stop, true);
	job_join(n->job);
	trace_set_namer(n->t, NULL);
	symbols_free(n->made);
	for (size_t i = 0; i < n->n; i++)
		symbols_free(n->all[i]);
	mem_free(n->all);
	mem_free(n);
}
