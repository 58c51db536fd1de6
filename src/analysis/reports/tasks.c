/*
 * Tasks: how long each waited for a thread, how long it ran, who waited for it.
 *
 *	TaskScheduled ------- TaskStarted ------- TaskCompleted		by the task's number
 *	[ waited              [ body     | continuations      ]
 *					 TraceOperationEnd of the task, or
 *					 TraceSynchronousWorkEnd of its thread
 *
 *	TaskWaitBegin -------------- TaskWaitEnd	blocking: by task and thread; else by task
 *	TraceOperationBegin ---- TraceOperationEnd	an async method or operation, by its task
 *
 * The tasks that a thread runs are a nest, since one may run another.
 */
#include <string.h>

#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"
#include "tnav/base/num.h"

#define SYNCHRONOUS	1u		/* a wait's behaviour: the thread is blocked */
#define EXECUTION	2u		/* a kind of synchronous work: the body of a task */

enum { TA_KINDS, TA_FIELDS };

enum task_kind { TASK, WAIT, OPERATION };

#define HAS_SCHEDULED	0x01u
#define HAS_ACTIVITY	0x02u
#define IS_EXCEPTIONAL	0x04u
#define HAS_BODY	0x08u		/* the end of its body is known */

/* A task, a wait or an operation. The stop_thread of a task is known when it starts. */
struct timed_task {
	struct pair	p;
	int64_t		scheduled, body;	/* ns; end of the body */
	int64_t		task, creator;		/* creator: 0: none */
	uint32_t	works;			/* of others that run within its body */
	struct method_text method;		/* of the program, that scheduled it */
	uint32_t	name, detail;		/* detail: behaviour of a wait, status of an end */
	uint8_t		what, has;
	uint8_t		activity[16];
};

/* Spaces: by task; waits that block by task and thread; the tasks that a thread runs. */
enum { TASKS, WAITS, BLOCKED, OPERATIONS, NEST, SPACES };

/* ---- pairing */

static int64_t
number_of(const struct fact *f, unsigned i)
{
	return (int64_t)fact_bits(f, i);
}

static struct group_key
task_key(const struct fact *f)
{
	return pair_key(fact_bits(f, F_TASK), 0);
}

static struct group_key
blocked_key(const struct fact *f)
{
	return pair_key(fact_bits(f, F_TASK), f->ev->thread);
}

/* What its first event says of it. */
static struct timed_task *
task_init(struct timed_task *x, const struct fact *f, enum task_kind what)
{
	x->what = (uint8_t)what;
	x->task = number_of(f, F_TASK);
	x->name = TEXT_NONE;
	x->method = NO_METHOD;
	if (f->activity != NULL) {
		memcpy(x->activity, f->activity, sizeof x->activity);
		x->has |= HAS_ACTIVITY;
	}
	return x;
}

/* End it, or an orphan where it is NULL. */
static struct timed_task *
task_stop(struct report_state *s, const struct fact *f, enum task_kind what, struct timed_task *x)
{
	if (x != NULL)
		return pairs_stop(s->pairs, f, x);
	return task_init(pairs_stop(s->pairs, f, NULL), f, what);
}

/* Methods between the program's and the event. */
static const char *const	scheduling[] = {
	"System.Diagnostics.Tracing.", "System.Threading.Tasks.",
	"System.Runtime.CompilerServices.", NULL,
};

static void
add_scheduled(struct report_state *s, const struct fact *f)
{
	struct timed_task	*x = task_init(pairs_add(s->pairs, f), f, TASK);

	x->scheduled = f->ns;
	x->creator = number_of(f, F_CREATOR);
	x->method = fact_source(s, f, scheduling);
	x->has |= HAS_SCHEDULED;
	pairs_enter(s->pairs, TASKS, task_key(f), x, true);
}

/* A task that was scheduled before the trace begins with its start. */
static void
add_started(struct report_state *s, const struct fact *f)
{
	struct timed_task	*x = pairs_latest(s->pairs, TASKS, task_key(f));

	if (x == NULL || x->p.has_start) {
		x = task_init(pairs_add(s->pairs, f), f, TASK);
		pairs_enter(s->pairs, TASKS, task_key(f), x, true);
	}
	x->p.start = f->ns;
	x->p.has_start = true;
	x->p.stop_thread = f->ev->thread;
	pairs_nest(s->pairs, NEST, f->ev->thread, x);
}

/* The first event that ends the body counts. */
static void
body_end(struct timed_task *x, const struct fact *f)
{
	if (x == NULL || !x->p.has_start || (x->has & HAS_BODY) != 0 ||
	    x->p.stop_thread != f->ev->thread)
		return;
	x->body = f->ns;
	x->has |= HAS_BODY;
}

/* A body may run that of another, as an async method that goes on when the body sets its result. */
static void
add_work(struct report_state *s, const struct fact *f)
{
	struct timed_task	*x = pairs_top(s->pairs, NEST, f->ev->thread);
	bool			 end = f->kind == FACT_WORK_END;

	if (x == NULL || fact_u64(f, end ? 0 : F_WORK) != EXECUTION)
		return;
	if (!end)
		x->works += number_of(f, F_TASK) != x->task;
	else if (x->works > 0)
		x->works--;
	else
		body_end(x, f);
}

static void
add_completed(struct report_state *s, const struct fact *f)
{
	struct timed_task	*x = pairs_take(s->pairs, TASKS, task_key(f));
	uint32_t		 ran_on = x != NULL ? x->p.stop_thread : EVENT_NONE;

	x = task_stop(s, f, TASK, x);
	if (ran_on != EVENT_NONE)
		x->p.stop_thread = ran_on;
	if (pairs_top(s->pairs, NEST, f->ev->thread) == x)
		pairs_unnest(s->pairs, NEST, f->ev->thread, x, ABOVE_STAYS);
	x->has |= fact_u64(f, F_EXCEPTIONAL) != 0 ? IS_EXCEPTIONAL : 0u;
}

static void
add_wait_begin(struct report_state *s, const struct fact *f)
{
	struct timed_task	*x = task_init(pairs_start(s->pairs, f), f, WAIT);

	x->detail = (uint32_t)fact_u64(f, F_BEHAVIOR);
	if (x->detail == SYNCHRONOUS)
		pairs_enter(s->pairs, BLOCKED, blocked_key(f), x, true);
	else
		pairs_enter(s->pairs, WAITS, task_key(f), x, true);
}

/* The end event has no behaviour: a wait that blocks is found by its thread. */
static void
add_wait_end(struct report_state *s, const struct fact *f)
{
	struct timed_task	*x = pairs_take(s->pairs, BLOCKED, blocked_key(f));

	if (x == NULL)
		x = pairs_take(s->pairs, WAITS, task_key(f));
	(void)task_stop(s, f, WAIT, x);
}

static void
add_operation(struct report_state *s, const struct fact *f)
{
	struct timed_task	*x = task_init(pairs_start(s->pairs, f), f, OPERATION);

	x->name = texts_add(s->texts, fact_text(f, F_NAME));
	pairs_enter(s->pairs, OPERATIONS, task_key(f), x, true);
}

static void
add_operation_end(struct report_state *s, const struct fact *f)
{
	struct timed_task	*x;

	body_end(pairs_latest(s->pairs, TASKS, task_key(f)), f);
	x = task_stop(s, f, OPERATION, pairs_take(s->pairs, OPERATIONS, task_key(f)));
	x->detail = (uint32_t)fact_u64(f, F_STATUS);
}

/* ---- rows */

static int64_t
dur_of(const struct timed_task *x)
{
	return sub_i64((x->has & HAS_BODY) != 0 ? x->body : x->p.stop, x->p.start);
}

/* Which part the trace has. "queued": no start, "running": no end. */
static const char *
state_of(const struct timed_task *x)
{
	bool	task = x->what == TASK;

	if (pair_is_paired(&x->p))
		return task && (x->has & HAS_SCHEDULED) == 0 ? "noSchedule" : "paired";
	if (x->p.has_stop)
		return "orphan";
	if (task)
		return x->p.has_start ? "running" : "queued";
	return "open";
}

/* Losses on any thread may explain what is missing. */
static void
put_gap(const struct report_state *s, struct rows *r, const struct timed_task *x)
{
	bool			before = (x->has & HAS_SCHEDULED) == 0 && !x->p.has_start;
	struct loss_query	a = { .thread = EVENT_NONE, .has_from = !before, .last = before,
				    .from = x->p.has_start ? x->p.start : x->scheduled,
				    .has_to = before, .to = x->p.stop };

	if (!pair_is_paired(&x->p))
		report_gap(s->run, r, TA_GAP, &a);
}

static void
put_task_only(struct rows *r, const struct timed_task *x)
{
	bool	scheduled = (x->has & HAS_SCHEDULED) != 0, ran = scheduled && x->p.has_start;

	row_known(r, TA_SCHEDULED, scheduled, cell_time(x->scheduled));
	row_known(r, TA_WAITED, ran, cell_dur(sub_i64(x->p.start, x->scheduled)));
	row_put(r, TA_CROSSES, cell_bool(ran && x->p.thread != x->p.stop_thread));
	if (x->p.has_stop)
		row_put(r, TA_EXCEPTIONAL, cell_bool((x->has & IS_EXCEPTIONAL) != 0));
	row_known(r, TA_CREATOR, x->creator != 0, cell_i64(x->creator));
	row_known(r, TA_CONTINUATIONS, (x->has & HAS_BODY) != 0 && x->p.has_stop,
	    cell_dur(sub_i64(x->p.stop, x->body)));
	row_known(r, TA_TASK_DUR, pair_is_paired(&x->p), cell_dur(dur_of(x)));
	row_known(r, TA_THREAD_KEY, x->p.stop_thread != EVENT_NONE, cell_u64(x->p.stop_thread));
}

static void
put_wait_only(struct rows *r, const struct timed_task *x)
{
	if (x->p.has_start)
		row_map(r, TA_BEHAVIOR, true, "TaskWaitBehavior", x->detail);
	if (x->detail != SYNCHRONOUS)
		return;
	row_put(r, TA_BLOCKS, cell_bool(true));
	row_known(r, TA_BLOCKED_SUM, pair_is_paired(&x->p), cell_dur(dur_of(x)));
	row_put(r, TA_THREAD_KEY, cell_u64(x->p.thread));
}

/* An operation is only in groups. */
static void
put_operation(const struct report_state *s, struct rows *r, const struct timed_task *x)
{
	row_begin(r, "operation");
	row_hide(r);
	row_put(r, TA_IS_OPERATION, cell_bool(true));
	row_word(r, TA_NAME, s->texts, x->name);
	row_put(r, TA_NAME_KEY, cell_u64(x->name));
	row_known(r, TA_DUR, pair_is_paired(&x->p), cell_dur(dur_of(x)));
	row_put(r, TA_FAILED, cell_bool(x->p.has_stop && x->detail > 1));
	row_event(r, x->p.ts, x->p.off);
}

static void
put_task(struct report_state *s, struct rows *r, const void *record)
{
	const struct timed_task	*x = record;
	bool			 task = x->what == TASK;
	bool			 known = task ? (x->has & HAS_SCHEDULED) != 0 : x->p.has_start;

	if (x->what == OPERATION) {
		put_operation(s, r, x);
		return;
	}
	row_begin(r, task ? "task" : "wait");
	row_put(r, task ? TA_IS_TASK : TA_IS_WAIT, cell_bool(true));
	if (task)
		put_task_only(r, x);
	else
		put_wait_only(r, x);
	row_known(r, TA_START, x->p.has_start, cell_time(x->p.start));
	row_known(r, TA_DUR, pair_is_paired(&x->p), cell_dur(dur_of(x)));
	row_put(r, TA_TID, report_tid(s->run, known ? x->p.thread : EVENT_NONE));
	row_put(r, TA_RUN_TID, report_tid(s->run, x->p.stop_thread));
	row_put(r, TA_TASK, cell_i64(x->task));
	if (x->method.raw != TEXT_NONE)
		row_words(r, TA_METHOD, s->texts, x->method);
	row_str(r, TA_STATE, state_of(x));
	row_known(r, TA_ACTIVITY, (x->has & HAS_ACTIVITY) != 0, cell_guid(x->activity));
	row_put(r, TA_ROW, cell_u64(x->p.row));
	put_gap(s, r, x);
	row_event(r, x->p.ts, x->p.off);
}

static void
put_blocked(struct report_state *s, struct rows *r)
{
	struct cell	blocked = row_get(r, TA_BLOCKED);

	if (blocked.kind != CELL_NONE)
		row_known(r, TA_BLOCKED_TOTAL, s->n[FACT_WAIT_END] > 0 || blocked.u == 0,
		    cell_dur(row_get(r, TA_BLOCKED_SUM).i));
}

static void
put_thread(struct report_state *s, struct rows *r)
{
	struct cell	thread = row_get(r, TA_THREAD_KEY);

	put_blocked(s, r);
	if (thread.kind != CELL_NONE)
		row_put(r, TA_TID, report_tid(s->run, (uint32_t)thread.u));
}

/* Without the events that need keyword Tasks, these are not known. */
static void
put_summary(struct report_state *s, struct rows *r)
{
	bool	known = s->n[FACT_STARTED] + s->n[FACT_COMPLETED] > 0 ||
		    row_get(r, TA_TASKS).u == 0;

	put_blocked(s, r);
	row_known(r, TA_NEVER_STARTED, known, cell_u64(row_get(r, TA_QUEUED).u));
	row_known(r, TA_NEVER_ENDED, known, cell_u64(row_get(r, TA_RUNNING).u));
}

const struct report	report_tasks = {
	.title = "Tasks",
	TABLES_OF(tasks, TA),
	.needs = NEEDS_SYMBOLS, .pairs = true,
	.records = { { sizeof(struct timed_task), SPACES, put_task } },
	.figures = FIGURES(TA), .grouped = put_thread, .summed = put_summary,
};
