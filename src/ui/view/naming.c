/*
 * Names in the background: of stack addresses, threads and processes.
 *
 *	no more data -> thread: roles_new(), symbols_new() -> done -> user's thread: lend
 *	-> thread: again with the kernel's names of threads, which takes longer -> done -> lend
 *	more events with names -> again; earlier names stay, since others may be reading them
 *
 * A growing trace describes new code all the time. Names are read again when there are a quarter
 * more events about code, at the end, and, while earlier names are few, as soon as no data arrives.
 *
 * Invariant: only the user's thread lends names to the trace. They live until naming_free().
 */
#include "ui/view/naming.h"

#include <stdatomic.h>
#include <string.h>

#include "tnav/analysis/roles.h"
#include "tnav/analysis/symbols.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/task.h"

#define AT_ONCE		4096u	/* rows that are read quickly, without a thread */
#define SPARE_BYTES	(64u << 20)	/* limit of memory for replaced names */

/* The result of one reading. */
struct found {
	struct symbols	*symbols;	/* or NULL */
	struct roles	*roles;
};

struct naming {
	struct trace	*t;
	struct job	*job;
	bool		 running;
	bool		 comms;		/* including the kernel's names */
	atomic_bool	 stop, done;
	struct found	 made;		/* set by the job */
	struct found	*all;		/* the last ones are lent */
	size_t		 n, cap;
	uint64_t	 rows;		/* of the trace when names were last read */
	struct pace	 pace;		/* by the number of events with names */
	uint64_t	 spare;		/* bytes of replaced names */
	struct symbols_files	files;
	struct trace	*earlier, *loads;	/* added to files at the next reading */
	bool		 anew;		/* ... which is soon, since they are new */
	struct buf	 why;		/* problems with them; the job's while busy */
	bool		 told_why;
};

struct naming *
naming_new(struct trace *t)
{
	struct naming	*n = mem_zalloc(1, sizeof *n);

	n->t = t;
	buf_init(&n->why);
	return n;
}

void
naming_set_files(struct naming *n, const struct symbols_files *f)
{
	n->files = f != NULL ? *f : (struct symbols_files){ .perf_map = NULL };
}

void
naming_set_other(struct naming *n, bool meanwhile, struct trace *t)
{
	if (meanwhile)
		n->loads = t;
	else
		n->earlier = t;
	n->anew = true;
}

const char *
naming_why(struct naming *n)
{
	char	*end;

	if (naming_busy(n) || n->told_why || n->why.len == 0)
		return NULL;
	n->told_why = true;
	end = strchr(buf_str(&n->why), '\n');
	if (end != NULL)
		*end = '\0';
	return n->why.p;
}

static void
found_free(struct found *f)
{
	symbols_free(f->symbols);
	roles_free(f->roles);
	*f = (struct found){ .symbols = NULL };
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
	const struct symbols_options	so = { .tick = naming_tick, .arg = n,
					    .files = n->files, .why = &n->why };
	const struct roles_options	ro = { .tick = naming_tick, .arg = n,
					    .comms = n->comms };

	n->made.roles = roles_new(n->t, &ro);
	if (!n->comms && trace_has(n->t, HAS_STACKS) && (symbols_events(n->t) > 0 ||
	    n->files.perf_map != NULL || n->files.nfolders > 0 || n->files.earlier != NULL ||
	    n->files.loads != NULL))
		n->made.symbols = symbols_new(n->t, &so);
	atomic_store(&n->done, true);
}

static void
naming_job(void *arg)
{
	job_give_way();
	naming_read(arg);
}

static void
naming_run(struct naming *n)
{
	n->running = true;
	atomic_store(&n->done, false);
	if (n->rows > AT_ONCE)
		n->job = job_start(naming_job, n);
	if (n->job == NULL)
		naming_read(n);
}

static void
naming_begin(struct naming *n)
{
	n->comms = false;
	n->files.earlier = n->earlier;
	n->files.loads = n->loads;
	n->anew = false;
	buf_clear(&n->why);
	naming_run(n);
}

/* Is it time to read names again, given this number of events about them? */
static bool
is_worth(const struct naming *n, uint64_t told, bool complete)
{
	if (complete || pace_grown(&n->pace, told))
		return true;
	return n->spare < SPARE_BYTES && pace_rested(&n->pace, job_now_ns());
}

/* Rows of all traces that are read. */
static uint64_t
rows_of(const struct naming *n)
{
	return trace_rows(n->t) + (n->loads != NULL ? trace_rows(n->loads) : 0);
}

static bool
is_due(struct naming *n, bool rests, bool complete)
{
	uint64_t	rows = rows_of(n), told;

	if (!(rests || complete) || (rows <= n->rows && !n->anew))
		return false;
	told = symbols_events(n->t) + roles_events(n->t);
	if (n->loads != NULL)
		told += symbols_events(n->loads);
	if (n->anew) {
		n->rows = rows;
		pace_begin(&n->pace, told, job_now_ns());
		return true;
	}
	if (n->n > 0 && told > n->pace.n && !is_worth(n, told, complete))
		return false;
	n->rows = rows;
	if (n->n > 0 && told <= n->pace.n)
		return false;
	pace_begin(&n->pace, told, job_now_ns());
	return true;
}

static uint64_t
bytes_of(const struct found *f)
{
	struct symbols_counts	c = { .bytes = 0 };

	if (f->symbols != NULL)
		symbols_counts(f->symbols, &c);
	return c.bytes + roles_bytes(f->roles);
}

bool
naming_step(struct naming *n, bool rests, bool complete)
{
	if (!n->running && is_due(n, rests, complete))
		naming_begin(n);
	if (!n->running || !atomic_load(&n->done))
		return false;
	job_join(n->job);
	n->job = NULL;
	n->running = false;
	pace_end(&n->pace, job_now_ns());
	if (n->made.roles == NULL) {
		found_free(&n->made);
		return false;
	}
	if (n->comms) {			/* symbols stay the lent ones */
		n->made.symbols = n->all[n->n - 1].symbols;
		n->all[n->n - 1].symbols = NULL;
	}
	if (n->n > 0)
		n->spare += bytes_of(&n->all[n->n - 1]);
	n->all = mem_grow(n->all, &n->cap, n->n + 1, sizeof *n->all);
	n->all[n->n++] = n->made;
	roles_lend(n->made.roles);
	if (n->made.symbols != NULL)
		symbols_lend(n->made.symbols);
	n->made = (struct found){ .symbols = NULL };
	if (!n->comms && roles_have_comms(n->t)) {
		n->comms = true;
		naming_run(n);
	}
	return true;
}

bool
naming_busy(const struct naming *n)
{
	return n->running && !n->comms;
}

void
naming_free(struct naming *n)
{
	if (n == NULL)
		return;
	atomic_store(&n->stop, true);
	job_join(n->job);
	trace_lend(n->t, DERIVED_SYMBOLS, NULL);
	trace_lend(n->t, DERIVED_WHO, NULL);
	found_free(&n->made);
	for (size_t i = 0; i < n->n; i++)
		found_free(&n->all[i]);
	mem_free(n->all);
	buf_release(&n->why);
	mem_free(n);
}
