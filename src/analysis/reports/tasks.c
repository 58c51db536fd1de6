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
 * Invariant: memory depends on what is open at one time; finished tasks are in a scratch file.
 */
#include <string.h>

#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "analysis/reports/texts.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/io/scratch.h"

#define TASK_EVENTS	"System.Threading.Tasks.TplEventSource"
#define SYNCHRONOUS	1u		/* a wait's behaviour: the thread is blocked */
#define EXECUTION	2u		/* a kind of synchronous work: the body of a task */

enum {
	TA_KIND, TA_SCHEDULED, TA_WAITED, TA_START, TA_DUR, TA_CONTINUATIONS, TA_TID, TA_RUN_TID,
	TA_TASK, TA_CREATOR, TA_BEHAVIOR, TA_NAME, TA_STATUS, TA_EXCEPTIONAL, TA_STATE, TA_ACTIVITY,
	TA_ROW, TA_GAP, TA_COUNT, TA_SHARE, TA_TOTAL, TA_MEAN, TA_P50, TA_P90, TA_P99, TA_MAX,
	TA_WAITED_TOTAL, TA_BLOCKED, TA_BLOCKED_TOTAL, TA_TASKS, TA_WAITS, TA_OPERATIONS, TA_CROSS,
	TA_FAILED, TA_NEVER_STARTED, TA_NEVER_ENDED, TA_LOST, TA_GAPS, TA_COLUMNS
};

static const struct table_column	columns[TA_COLUMNS] = {
	[TA_KIND] = { .name = "kind", .kind = CELL_TEXT },
	[TA_SCHEDULED] = { .name = "scheduled", .kind = CELL_TIME, .tone = TONE_TIME,
	    .flags = COLUMN_FIRST_UP },
	[TA_WAITED] = { .name = "waited", .kind = CELL_DUR },
	[TA_START] = { .name = "start", .kind = CELL_TIME, .tone = TONE_TIME, .rank = 4,
	    .flags = COLUMN_FIRST_UP },
	[TA_DUR] = { .name = "dur", .kind = CELL_DUR },
	[TA_CONTINUATIONS] = { .name = "continuations", .title = "continued",
	    .printed = "continued", .kind = CELL_DUR, .rank = 3 },
	[TA_TID] = { .name = "tid", .title = "thread", .kind = CELL_U64, .tone = TONE_THREAD,
	    .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[TA_RUN_TID] = { .name = "runTid", .title = "ran on", .kind = CELL_U64,
	    .tone = TONE_THREAD, .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[TA_TASK] = { .name = "task", .kind = CELL_I64, .tone = TONE_KEY,
	    .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[TA_CREATOR] = { .name = "creator", .kind = CELL_I64, .rank = 5, .flags = COLUMN_ID },
	[TA_BEHAVIOR] = { .name = "behavior", .kind = CELL_TEXT,
	    .tone = TONE_KEY },
	[TA_NAME] = { .name = "name", .kind = CELL_TEXT, .tone = TONE_EVENT, .width = 24,
	    .most = 60 },
	[TA_STATUS] = { .name = "status", .kind = CELL_TEXT, .rank = 3 },
	[TA_EXCEPTIONAL] = { .name = "exceptional", .title = "threw", .kind = CELL_BOOL,
	    .tone = TONE_WARN, .rank = 3 },
	[TA_STATE] = { .name = "state", .kind = CELL_TEXT, .rank = 2 },
	[TA_ACTIVITY] = { .name = "activity", .kind = CELL_GUID, .rank = 6 },
	[TA_ROW] = { .name = "row", .kind = CELL_U64, .flags = COLUMN_ASKED | COLUMN_FIRST_UP },
	[TA_GAP] = { .name = "gap", .kind = CELL_RAW, .tone = TONE_LOSS,
	    .flags = COLUMN_ASKED | COLUMN_NO_SORT },
	[TA_COUNT] = { .name = "count", .kind = CELL_U64 },
	[TA_SHARE] = { .name = "share", .kind = CELL_SHARE, .rank = 3 },
	[TA_TOTAL] = { .name = "total", .kind = CELL_DUR },
	[TA_MEAN] = { .name = "mean", .kind = CELL_DUR, .rank = 2 },
	[TA_P50] = { .name = "p50", .kind = CELL_DUR, .rank = 3 },
	[TA_P90] = { .name = "p90", .kind = CELL_DUR, .rank = 4 },
	[TA_P99] = { .name = "p99", .kind = CELL_DUR, .rank = 2 },
	[TA_MAX] = { .name = "max", .kind = CELL_DUR },
	[TA_WAITED_TOTAL] = { .name = "waitedTotal", .title = "waited", .kind = CELL_DUR,
	    .rank = 1 },
	[TA_BLOCKED] = { .name = "blocked", .kind = CELL_U64, .tone = TONE_WARN },
	[TA_BLOCKED_TOTAL] = { .name = "blockedTotal", .title = "blocked for", .kind = CELL_DUR,
	    .tone = TONE_WARN },
	[TA_TASKS] = { .name = "tasks", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[TA_WAITS] = { .name = "waits", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[TA_OPERATIONS] = { .name = "operations", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[TA_CROSS] = { .name = "crossThread", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[TA_FAILED] = { .name = "failed", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[TA_NEVER_STARTED] = { .name = "neverStarted", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[TA_NEVER_ENDED] = { .name = "neverEnded", .kind = CELL_U64, .flags = COLUMN_ASKED },
	REPORT_LOSS_COLUMNS(TA),
};

static const struct figure_columns	figures = {
	.total = TA_TOTAL, .mean = TA_MEAN, .p50 = TA_P50, .p90 = TA_P90, .p99 = TA_P99,
	.max = TA_MAX,
};

static const unsigned	task_columns[] = {
	TA_SCHEDULED, TA_WAITED, TA_DUR, TA_CONTINUATIONS, TA_TID, TA_RUN_TID, TA_TASK,
	TA_EXCEPTIONAL, TA_STATE,
	TA_CREATOR, TA_ACTIVITY, REPORT_END,
};
static const unsigned	wait_columns[] = {
	TA_START, TA_DUR, TA_BEHAVIOR, TA_TASK, TA_TID, TA_RUN_TID, TA_STATE, TA_ACTIVITY,
	REPORT_END,
};
static const unsigned	operation_columns[] = {
	TA_NAME, TA_COUNT, TA_TOTAL, TA_SHARE, TA_MEAN, TA_P50, TA_P90, TA_P99, TA_MAX, TA_FAILED,
	REPORT_END,
};
static const unsigned	thread_columns[] = {
	TA_TID, TA_COUNT, TA_TOTAL, TA_SHARE, TA_MEAN, TA_P99, TA_MAX, TA_WAITED_TOTAL, TA_BLOCKED,
	TA_BLOCKED_TOTAL, REPORT_END,
};
static const struct report_part	parts[] = {
	{ "task", "Tasks", task_columns, TA_DUR },
	{ "byTid", "Threads", thread_columns, TA_TOTAL },
	{ "wait", "Waits for tasks", wait_columns, TA_DUR },
	{ "operation", "Operations", operation_columns, TA_TOTAL },
	{ .kind = NULL },
};

enum {
	FACT_SCHEDULED, FACT_STARTED, FACT_COMPLETED, FACT_WAIT_BEGIN, FACT_WAIT_END,
	FACT_OPERATION, FACT_OPERATION_END, FACT_WORK_BEGIN, FACT_WORK_END
};
enum { F_TASK, F_CREATOR, F_EXCEPTIONAL = 1, F_BEHAVIOR = 1, F_NAME = 1, F_STATUS = 1, F_WORK = 1 };

static const struct fact_def	facts[] = {
	{ FACT_SCHEDULED, TASK_EVENTS, 7, "TaskScheduled", { "TaskID", "CreatingTaskID" },
	    FACT_ACTIVITY },
	{ FACT_STARTED, TASK_EVENTS, 8, "TaskStarted", { "TaskID" }, FACT_ACTIVITY },
	{ FACT_COMPLETED, TASK_EVENTS, 9, "TaskCompleted", { "TaskID", "IsExceptional" },
	    FACT_ACTIVITY },
	{ FACT_WAIT_BEGIN, TASK_EVENTS, 10, "TaskWaitBegin", { "TaskID", "Behavior" },
	    FACT_ACTIVITY },
	{ FACT_WAIT_END, TASK_EVENTS, 11, "TaskWaitEnd", { "TaskID" }, FACT_ACTIVITY },
	{ FACT_OPERATION, TASK_EVENTS, 14, "TraceOperationBegin", { "TaskID", "OperationName" },
	    0 },
	{ FACT_OPERATION_END, TASK_EVENTS, 15, "TraceOperationEnd", { "TaskID", "Status" }, 0 },
	{ FACT_WORK_BEGIN, TASK_EVENTS, 17, "TraceSynchronousWorkBegin", { "TaskID", "Work" }, 0 },
	{ FACT_WORK_END, TASK_EVENTS, 18, "TraceSynchronousWorkEnd", { "Work" }, 0 },
	{ .provider = NULL },
};

static const struct report_need	need[] = {
	{ .provider = TASK_EVENTS, .keywords = "0xcb", .level = 5,
	    .events = "tasks, waits, operations and activity ids" },
	{ .provider = NULL },
};

enum what { TASK, WAIT, OPERATION };

#define HAS_SCHEDULED	0x01u
#define HAS_START	0x02u
#define HAS_STOP	0x04u
#define HAS_ACTIVITY	0x08u
#define HAS_CREATOR	0x10u
#define IS_EXCEPTIONAL	0x20u
#define IS_CHOSEN	0x40u
#define HAS_BODY	0x80u		/* the end of its body is known */

/* A task, a wait or an operation. */
struct task {
	int64_t		scheduled, start, stop, ts;	/* ns; ts: ticks of the first event */
	int64_t		body;				/* ns; end of the body */
	uint64_t	row, off, same;			/* same: next one open under the same
							   key, + 1 */
	uint64_t	outer;				/* the task that its thread ran when it
							   started, + 1 */
	int64_t		task, creator;
	uint32_t	from, on;		/* from: scheduled, began; on: ran, ended it */
	uint32_t	nested;			/* works of others that run within its body */
	uint32_t	name, detail;		/* detail: behaviour of a wait, status of an end */
	uint8_t		what, has;
	uint8_t		activity[16];
};

struct tasks {
	const struct report_run	*run;
	struct texts		*texts;
	struct scratch		*v;
	/* Numbers of open ones, + 1: by task; waits that block by task and thread. */
	struct groups		*task, *wait, *blocked, *operation;
	struct groups		*running;	/* number of the innermost task, + 1, by thread */
	uint64_t		 dropped;
	bool			 ran, waited;	/* the trace has starts or ends of tasks, ends of
						   waits: they need keyword Tasks */
};

static void *
tasks_begin(const struct report_run *run)
{
	struct tasks	*t = mem_zalloc(1, sizeof *t);

	t->run = run;
	t->texts = texts_new();
	t->v = scratch_new(sizeof(struct task));
	t->task = groups_new(sizeof(uint64_t), LIMIT_SPANS_OPEN);
	t->wait = groups_new(sizeof(uint64_t), LIMIT_SPANS_OPEN);
	t->blocked = groups_new(sizeof(uint64_t), LIMIT_SPANS_OPEN);
	t->operation = groups_new(sizeof(uint64_t), LIMIT_SPANS_OPEN);
	t->running = groups_new(sizeof(uint64_t), LIMIT_SPANS_OPEN);
	return t;
}

static void
tasks_free(void *self)
{
	struct tasks	*t = self;

	texts_free(t->texts);
	scratch_free(t->v);
	groups_free(t->task);
	groups_free(t->wait);
	groups_free(t->blocked);
	groups_free(t->operation);
	groups_free(t->running);
	mem_free(t);
}

/* ---- pairing */

static bool
is_open(const void *entry)
{
	return *(const uint64_t *)entry != 0;
}

static int64_t
number_of(const struct fact *f, unsigned i)
{
	return (int64_t)fact_bits(f, i);
}

static struct task *
task_new(struct tasks *t, const struct fact *f, enum what what)
{
	struct task	*x = scratch_add(t->v);

	if (x == NULL) {
		t->dropped++;
		return NULL;
	}
	*x = (struct task){ .what = (uint8_t)what, .ts = f->ev->ts, .row = f->row,
	    .off = f->ev->off, .task = number_of(f, F_TASK), .from = EVENT_NONE,
	    .on = EVENT_NONE, .name = TEXT_NONE, .has = f->chosen ? IS_CHOSEN : 0 };
	if (f->activity != NULL) {
		memcpy(x->activity, f->activity, sizeof x->activity);
		x->has |= HAS_ACTIVITY;
	}
	return x;
}

/* Enter it as the latest open one under the key. */
static void
task_open(struct tasks *t, struct groups *g, struct task *x, uint64_t a, uint64_t b)
{
	uint64_t	*open = groups_get_live(g, a, b, is_open);

	if (open == NULL)
		return;
	x->same = *open;
	*open = scratch_n(t->v);
}

/* The latest open one under the key, or NULL. take: close it. */
static struct task *
task_latest(struct tasks *t, struct groups *g, uint64_t a, uint64_t b, bool take)
{
	uint64_t	*open = groups_find(g, a, b);
	struct task	*x = open != NULL && *open > 0 ? scratch_at(t->v, *open - 1) : NULL;

	if (x != NULL && take)
		*open = x->same;
	return x;
}

static void
add_scheduled(struct tasks *t, const struct fact *f)
{
	struct task	*x = task_new(t, f, TASK);

	if (x == NULL)
		return;
	x->scheduled = f->ns;
	x->from = f->ev->thread;
	x->creator = number_of(f, F_CREATOR);
	x->has |= (uint8_t)(HAS_SCHEDULED | (x->creator != 0 ? HAS_CREATOR : 0u));
	task_open(t, t->task, x, (uint64_t)x->task, 0);
}

/* A task that was scheduled before the trace begins with its start. */
static void
add_started(struct tasks *t, const struct fact *f)
{
	uint64_t	 id = (uint64_t)number_of(f, F_TASK), number, *running;
	struct task	*x = task_latest(t, t->task, id, 0, false);

	if (x == NULL || (x->has & HAS_START) != 0) {
		x = task_new(t, f, TASK);
		if (x == NULL)
			return;
		task_open(t, t->task, x, id, 0);
	}
	x->start = f->ns;
	x->on = f->ev->thread;
	x->has |= HAS_START;
	running = groups_get(t->running, f->ev->thread, 0);
	number = *(uint64_t *)groups_find(t->task, id, 0);
	if (running == NULL)
		return;
	x->outer = *running;
	*running = number;
}

/* The first event that ends the body counts. */
static void
body_end(struct task *x, const struct fact *f)
{
	if (x == NULL || (x->has & (HAS_START | HAS_BODY)) != HAS_START ||
	    x->on != f->ev->thread)
		return;
	x->body = f->ns;
	x->has |= HAS_BODY;
}

/* The innermost task that the thread runs, or NULL. take: another one is the innermost now. */
static struct task *
innermost(struct tasks *t, uint32_t thread, bool take)
{
	uint64_t	*running = groups_find(t->running, thread, 0);
	struct task	*x = running != NULL && *running > 0 ?
			    scratch_at(t->v, *running - 1) : NULL;

	if (x != NULL && take)
		*running = x->outer;
	return x;
}

/* A body may run that of another, as an async method that goes on when the body sets its result. */
static void
add_work(struct tasks *t, const struct fact *f, bool end)
{
	struct task	*x = innermost(t, f->ev->thread, false);

	if (x == NULL || fact_u64(f, end ? 0 : F_WORK) != EXECUTION)
		return;
	if (!end)
		x->nested += number_of(f, F_TASK) != x->task;
	else if (x->nested > 0)
		x->nested--;
	else
		body_end(x, f);
}

static void
add_completed(struct tasks *t, const struct fact *f)
{
	struct task	*x = task_latest(t, t->task, (uint64_t)number_of(f, F_TASK), 0, true);

	if (x == NULL)
		x = task_new(t, f, TASK);
	if (x == NULL)
		return;
	x->stop = f->ns;
	if (x->on == EVENT_NONE)
		x->on = f->ev->thread;
	if (innermost(t, f->ev->thread, false) == x)
		(void)innermost(t, f->ev->thread, true);
	x->has |= (uint8_t)(HAS_STOP | (fact_u64(f, F_EXCEPTIONAL) != 0 ? IS_EXCEPTIONAL : 0u));
}

static void
add_wait_begin(struct tasks *t, const struct fact *f)
{
	struct task	*x = task_new(t, f, WAIT);

	if (x == NULL)
		return;
	x->start = f->ns;
	x->from = f->ev->thread;
	x->detail = (uint32_t)fact_u64(f, F_BEHAVIOR);
	x->has |= HAS_START;
	if (x->detail == SYNCHRONOUS)
		task_open(t, t->blocked, x, (uint64_t)x->task, f->ev->thread);
	else
		task_open(t, t->wait, x, (uint64_t)x->task, 0);
}

/* The end event has no behaviour: a wait that blocks is found by its thread. */
static void
add_wait_end(struct tasks *t, const struct fact *f)
{
	uint64_t	 id = (uint64_t)number_of(f, F_TASK);
	struct task	*x = task_latest(t, t->blocked, id, f->ev->thread, true);

	if (x == NULL)
		x = task_latest(t, t->wait, id, 0, true);
	if (x == NULL)
		x = task_new(t, f, WAIT);
	if (x == NULL)
		return;
	x->stop = f->ns;
	x->on = f->ev->thread;
	x->has |= HAS_STOP;
}

static void
add_operation(struct tasks *t, const struct fact *f, bool end)
{
	uint64_t	 id = (uint64_t)number_of(f, F_TASK);
	struct task	*x = end ? task_latest(t, t->operation, id, 0, true) : NULL;

	if (end)
		body_end(task_latest(t, t->task, id, 0, false), f);
	if (x == NULL)
		x = task_new(t, f, OPERATION);
	if (x == NULL)
		return;
	if (end) {
		x->stop = f->ns;
		x->on = f->ev->thread;
		x->detail = (uint32_t)fact_u64(f, F_STATUS);
		x->has |= HAS_STOP;
		return;
	}
	x->start = f->ns;
	x->from = f->ev->thread;
	x->name = texts_add(t->texts, fact_text(f, F_NAME));
	x->has |= HAS_START;
	task_open(t, t->operation, x, id, 0);
}

static void
tasks_add(void *self, const struct fact *f)
{
	struct tasks	*t = self;

	switch (f->kind) {
	case FACT_SCHEDULED:
		add_scheduled(t, f);
		break;
	case FACT_STARTED:
		t->ran = true;
		add_started(t, f);
		break;
	case FACT_COMPLETED:
		t->ran = true;
		add_completed(t, f);
		break;
	case FACT_WAIT_BEGIN:
		add_wait_begin(t, f);
		break;
	case FACT_WAIT_END:
		t->waited = true;
		add_wait_end(t, f);
		break;
	case FACT_WORK_BEGIN:
	case FACT_WORK_END:
		add_work(t, f, f->kind == FACT_WORK_END);
		break;
	default:
		add_operation(t, f, f->kind == FACT_OPERATION_END);
		break;
	}
}

/* ---- one task */

static bool
has_all(const struct task *x, unsigned bits)
{
	return (x->has & bits) == bits;
}

static bool
is_paired(const struct task *x)
{
	return has_all(x, HAS_START | HAS_STOP);
}

static int64_t
dur_of(const struct task *x)
{
	return sub_i64((x->has & HAS_BODY) != 0 ? x->body : x->stop, x->start);
}

/* Which part the trace has. "queued": no start, "running": no end. */
static const char *
state_of(const struct task *x)
{
	if (is_paired(x))
		return x->what == TASK && (x->has & HAS_SCHEDULED) == 0 ? "noSchedule" : "paired";
	if (x->what == TASK && (x->has & (HAS_START | HAS_STOP)) == 0)
		return "queued";
	if ((x->has & HAS_STOP) == 0)
		return x->what == TASK ? "running" : "open";
	return "orphan";
}

/* ---- sums */

struct task_sum {
	uint64_t	count, blocked, failed;
	int64_t		total, waited, blocked_total;
	struct dist	dur;
	struct best	longest;
};

struct task_sums {
	struct groups	*thread, *operation;
	struct task_sum	 task, wait, operations;
	struct dist	 waited;
	uint64_t	 cross, never_started, never_ended;
};

static void
sum_dur(struct task_sum *s, const struct task *x)
{
	int64_t	dur = is_paired(x) ? dur_of(x) : -1;

	if (s == NULL)
		return;
	s->count++;
	best_offer(&s->longest, dur, x->ts, x->off);
	if (!is_paired(x))
		return;
	s->total = add_i64(s->total, dur);
	dist_add(&s->dur, dur);
}

static void
sums_add_task(struct task_sums *s, const struct task *x)
{
	struct task_sum	*thread = NULL;
	int64_t		 waited = sub_i64(x->start, x->scheduled);

	if (x->on != EVENT_NONE)
		thread = groups_get(s->thread, x->on, 0);
	sum_dur(&s->task, x);
	sum_dur(thread, x);
	s->task.failed += (x->has & IS_EXCEPTIONAL) != 0;
	s->never_started += has_all(x, HAS_SCHEDULED) && (x->has & (HAS_START | HAS_STOP)) == 0;
	s->never_ended += has_all(x, HAS_START) && (x->has & HAS_STOP) == 0;
	if (!has_all(x, HAS_SCHEDULED | HAS_START))
		return;
	s->cross += x->from != x->on;
	dist_add(&s->waited, waited);
	if (thread != NULL)
		thread->waited = add_i64(thread->waited, waited);
}

static void
sums_add_wait(struct task_sums *s, const struct task *x)
{
	struct task_sum	*thread;

	sum_dur(&s->wait, x);
	if (x->detail != SYNCHRONOUS)
		return;
	s->wait.blocked++;
	if (is_paired(x))
		s->wait.blocked_total = add_i64(s->wait.blocked_total, sub_i64(x->stop, x->start));
	thread = groups_get(s->thread, x->from, 0);
	if (thread == NULL)
		return;
	thread->blocked++;
	if (is_paired(x))
		thread->blocked_total = add_i64(thread->blocked_total, sub_i64(x->stop, x->start));
}

static void
sums_add(struct task_sums *s, const struct task *x)
{
	struct task_sum	*o;

	switch ((enum what)x->what) {
	case TASK:
		sums_add_task(s, x);
		break;
	case WAIT:
		sums_add_wait(s, x);
		break;
	case OPERATION:
		o = groups_get(s->operation, x->name, 0);
		sum_dur(&s->operations, x);
		sum_dur(o, x);
		if (o != NULL)
			o->failed += has_all(x, HAS_STOP) && x->detail > 1;
		break;
	}
}

static void
sums_begin(const struct tasks *t, struct task_sums *s)
{
	*s = (struct task_sums){
		.thread = groups_new(sizeof(struct task_sum), LIMIT_REPORT_GROUPS),
		.operation = groups_new(sizeof(struct task_sum), LIMIT_REPORT_GROUPS),
	};
	for (uint64_t i = 0; i < scratch_n(t->v); i++) {
		const struct task	*x = scratch_at(t->v, i);

		if ((x->has & IS_CHOSEN) != 0)
			sums_add(s, x);
	}
}

static void
sums_free_groups(struct groups *g)
{
	for (size_t i = 0; i < groups_n(g); i++)
		dist_release(&((struct task_sum *)groups_at(g, i))->dur);
	groups_free(g);
}

static void
sums_release(struct task_sums *s)
{
	sums_free_groups(s->thread);
	sums_free_groups(s->operation);
	dist_release(&s->task.dur);
	dist_release(&s->wait.dur);
	dist_release(&s->operations.dur);
	dist_release(&s->waited);
}

static int
by_total(const void *a, const void *b)
{
	const struct task_sum	*x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->count > y->count ? -1 : x->count < y->count;
}

/* ---- rows */

static void
put_sum(struct rows *r, struct task_sum *x, int64_t all)
{
	row_put(r, TA_COUNT, cell_u64(x->count));
	row_dist(r, TA_DUR, &figures, &x->dur);
	row_share(r, TA_SHARE, (double)x->total, (double)all);
}

static void
put_threads(const struct tasks *t, struct rows *r, const struct task_sums *s)
{
	uint32_t	*order = groups_order(s->thread, by_total);

	for (size_t i = 0; i < groups_n(s->thread); i++) {
		struct task_sum	*x = groups_at(s->thread, order[i]);
		uint32_t	 thread = (uint32_t)groups_key(s->thread, order[i]).a;

		row_begin(r, "byTid");
		row_put(r, TA_TID, report_tid(t->run, thread));
		put_sum(r, x, s->task.total);
		row_dur(r, TA_WAITED_TOTAL, true, x->waited);
		row_put(r, TA_BLOCKED, cell_u64(x->blocked));
		row_dur(r, TA_BLOCKED_TOTAL, t->waited || x->blocked == 0, x->blocked_total);
		row_best(r, &x->longest);
	}
	mem_free(order);
}

static void
put_operations(const struct tasks *t, struct rows *r, const struct task_sums *s)
{
	uint32_t	*order = groups_order(s->operation, by_total);

	for (size_t i = 0; i < groups_n(s->operation); i++) {
		struct task_sum	*x = groups_at(s->operation, order[i]);

		row_begin(r, "operation");
		row_word(r, TA_NAME, t->texts, (uint32_t)groups_key(s->operation, order[i]).a);
		put_sum(r, x, s->operations.total);
		row_put(r, TA_FAILED, cell_u64(x->failed));
		row_best(r, &x->longest);
	}
	mem_free(order);
}

/* Losses on any thread may explain what is missing. */
static void
put_gap(const struct tasks *t, struct rows *r, const struct task *x)
{
	bool			before = (x->has & (HAS_SCHEDULED | HAS_START)) == 0;
	struct loss_asked	a = { .thread = EVENT_NONE, .has_from = !before, .last = before,
				    .from = (x->has & HAS_START) != 0 ? x->start : x->scheduled,
				    .has_to = before, .to = x->stop };

	if (!is_paired(x))
		(void)report_gap(t->run, r, TA_GAP, &a);
}

static void
put_task(const struct tasks *t, struct rows *r, const struct task *x)
{
	row_begin(r, x->what == TASK ? "task" : "wait");
	if (x->what == TASK) {
		row_time(r, TA_SCHEDULED, has_all(x, HAS_SCHEDULED), x->scheduled);
		row_dur(r, TA_WAITED, has_all(x, HAS_SCHEDULED | HAS_START),
		    sub_i64(x->start, x->scheduled));
		if (has_all(x, HAS_STOP))
			row_put(r, TA_EXCEPTIONAL, cell_bool((x->has & IS_EXCEPTIONAL) != 0));
		row_put(r, TA_CREATOR, has_all(x, HAS_CREATOR) ? cell_i64(x->creator) :
		    (struct cell){ .kind = CELL_NULL });
	} else if (has_all(x, HAS_START)) {
		row_map(r, TA_BEHAVIOR, "TaskWaitBehavior", x->detail);
	}
	row_time(r, TA_START, has_all(x, HAS_START), x->start);
	row_dur(r, TA_DUR, is_paired(x), dur_of(x));
	if (x->what == TASK)
		row_dur(r, TA_CONTINUATIONS, has_all(x, HAS_BODY | HAS_STOP),
		    sub_i64(x->stop, x->body));
	row_put(r, TA_TID, report_tid(t->run, x->from));
	row_put(r, TA_RUN_TID, report_tid(t->run, x->on));
	row_put(r, TA_TASK, cell_i64(x->task));
	row_str(r, TA_STATE, state_of(x));
	row_guid(r, TA_ACTIVITY, has_all(x, HAS_ACTIVITY) ? x->activity : NULL);
	row_put(r, TA_ROW, cell_u64(x->row));
	put_gap(t, r, x);
	row_event(r, x->ts, x->off);
}

static void
put_summary(const struct tasks *t, struct rows *r, struct task_sums *s)
{
	row_begin(r, "summary");
	row_put(r, TA_TASKS, cell_u64(s->task.count));
	row_put(r, TA_COUNT, cell_u64(s->task.count));
	row_dist(r, TA_DUR, &figures, &s->task.dur);
	dist_json(&s->waited, row_json(r, TA_WAITED));
	row_put(r, TA_CROSS, cell_u64(s->cross));
	row_put(r, TA_FAILED, cell_u64(s->task.failed));
	row_number(r, TA_NEVER_STARTED, t->ran || s->task.count == 0, s->never_started);
	row_number(r, TA_NEVER_ENDED, t->ran || s->task.count == 0, s->never_ended);
	row_put(r, TA_WAITS, cell_u64(s->wait.count));
	row_put(r, TA_BLOCKED, cell_u64(s->wait.blocked));
	row_dur(r, TA_BLOCKED_TOTAL, t->waited || s->wait.blocked == 0, s->wait.blocked_total);
	row_put(r, TA_OPERATIONS, cell_u64(s->operations.count));
}

static void
tasks_rows(void *self, struct rows *r)
{
	struct tasks		*t = self;
	struct task_sums	 s;

	sums_begin(t, &s);
	put_threads(t, r, &s);
	put_operations(t, r, &s);
	for (uint64_t i = 0; i < scratch_n(t->v); i++) {
		const struct task	*x = scratch_at(t->v, i);

		if ((x->has & IS_CHOSEN) != 0 && x->what != OPERATION)
			put_task(t, r, x);
	}
	if (s.task.count + s.wait.count + s.operations.count > 0)
		put_summary(t, r, &s);
	rows_remark(r, t->dropped, EVENTS_DROPPED);
	rows_remark(r, groups_beyond(s.operation), "operations beyond the limit are counted "
	    "together");
	sums_release(&s);
}

/* "49 tasks, 3 of them never ended; waited 12 us (p50) for a thread; 12 waits blocked for 3 s" */
static void
tasks_totals(void *self, struct buf *out)
{
	const struct tasks	*t = self;
	struct task_sums	 s;
	struct dist_figures	 f;

	sums_begin(t, &s);
	put_count(out, s.task.count, "task", "tasks");
	dist_figures(&s.waited, &f);
	if (f.n > 0) {
		buf_puts(out, "; waited for a thread ");
		put_dur(out, f.p50);
		buf_puts(out, " (p50), at most ");
		put_dur(out, f.max);
	}
	if (s.task.count > 0 && !t->ran) {
		buf_puts(out, "; the trace has no starts and ends of them (" TASK_EVENTS
		    ":0x2)");
	} else if (s.never_started + s.never_ended > 0) {
		buf_puts(out, "; not started: ");
		buf_grouped(out, s.never_started);
		buf_puts(out, ", not ended: ");
		buf_grouped(out, s.never_ended);
	}
	if (s.task.count == 0) {
		buf_puts(out, "; ");
		put_count(out, s.operations.count, "operation and ", "operations and ");
		put_count(out, s.wait.count, "wait (--by operation or wait)",
		    "waits (--by operation or wait)");
	}
	buf_putc(out, '\n');
	if (s.wait.blocked > 0) {
		put_count(out, s.wait.blocked, "wait", "waits");
		buf_puts(out, " blocked a thread");
		if (t->waited) {
			buf_puts(out, ", for ");
			put_dur(out, s.wait.blocked_total);
		}
		buf_putc(out, '\n');
	}
	sums_release(&s);
}

const struct report	report_tasks = {
	.name = "tasks",
	.title = "Tasks",
	.text = "A task waits for a thread from TaskScheduled to TaskStarted (waited) and runs its "
	    "body (dur) until TraceOperationEnd of the task or TraceSynchronousWorkEnd of its "
	    "thread. The runtime runs continuations that need no other thread before "
	    "TaskCompleted: continued is their time. Without those events dur ends at "
	    "TaskCompleted and includes it. Events are paired by task id. tid scheduled it, runTid "
	    "ran it. state is paired; noSchedule, if it was scheduled before the trace or in "
	    "another way; queued, if it never started; running, if it never ended; or orphan, an "
	    "end alone. A wait lasts from TaskWaitBegin to TaskWaitEnd. A Synchronous wait blocks "
	    "its thread (blocked); an Asynchronous one is an await and needs no thread. An "
	    "operation is an async method, or another operation named by the library, from "
	    "TraceOperationBegin to TraceOperationEnd; failed counts those that were cancelled or "
	    "ended in an error. After an await a task resumes without an event of its own, so the "
	    "time of async methods is in operations, not in tasks. activity is that of the first "
	    "event.",
	.need = need, .fact = facts, .column = columns, .ncolumns = TA_COLUMNS, .part = parts,
	.pairs = true,
	.begin = tasks_begin, .add = tasks_add, .rows = tasks_rows, .totals = tasks_totals,
	.free = tasks_free,
};
