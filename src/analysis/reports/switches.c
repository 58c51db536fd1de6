/*
 * Context switches by process and thread.
 *
 *	thread 7	--- on ---|      off      |-- on --|  off  |- on
 *					  cswitch, Value: ticks off the CPU
 *
 * An event describes an interval that has ended: the thread returns to the CPU at the event's time,
 * Value ticks after it left. The time from each return to the next leave is time on the CPU.
 */
#include "analysis/reports/calls.h"
#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/engine/naming.h"

#define KERNEL_FIRST	0xffff800000000000u

enum {
	SW_KIND, SW_PROCESS, SW_PID, SW_TID, SW_THREAD, SW_SWITCHES, SW_ON, SW_OFF, SW_ON_SHARE,
	SW_LONGEST, SW_BY, SW_ROW, SW_THREADS, SW_LOST, SW_GAPS, SW_COLUMNS
};

static const struct table_column	columns[SW_COLUMNS] = {
	[SW_KIND] = { .name = "kind", .kind = CELL_TEXT },
	[SW_PROCESS] = { .name = "process", .kind = CELL_TEXT, .tone = TONE_KEY },
	[SW_PID] = { .name = "pid", .kind = CELL_U64, .rank = 4,
	    .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[SW_TID] = { .name = "tid", .title = "thread", .kind = CELL_U64, .tone = TONE_THREAD,
	    .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[SW_THREAD] = { .name = "threadName", .title = "name", .kind = CELL_TEXT, .rank = 3 },
	[SW_SWITCHES] = { .name = "switches", .kind = CELL_U64 },
	[SW_ON] = { .name = "onCpu", .title = "on CPU", .kind = CELL_DUR },
	[SW_OFF] = { .name = "offCpu", .title = "off CPU", .kind = CELL_DUR },
	[SW_ON_SHARE] = { .name = "onShare", .title = "on %", .kind = CELL_SHARE, .rank = 2 },
	[SW_LONGEST] = { .name = "longestOff", .title = "longest off", .kind = CELL_DUR },
	[SW_BY] = { .name = "by", .title = "function", .kind = CELL_TEXT, .tone = TONE_EVENT,
	    .width = 16, .most = -1 },
	[SW_ROW] = { .name = "row", .kind = CELL_U64, .flags = COLUMN_ASKED | COLUMN_FIRST_UP },
	[SW_THREADS] = { .name = "threads", .kind = CELL_U64 },
	REPORT_LOSS_COLUMNS(SW),
};

static const unsigned	thread_columns[] = {
	SW_PROCESS, SW_PID, SW_TID, SW_THREAD, SW_SWITCHES, SW_ON, SW_OFF, SW_ON_SHARE,
	SW_LONGEST, SW_BY, REPORT_END,
};
static const struct report_part	parts[] = {
	{ "thread", "Threads", thread_columns, SW_OFF },
	{ .kind = NULL },
};

static const struct fact_def	facts[] = {
	{ 0, "Universal.Events", FACT_BY_NAME, "cswitch", { "Value" }, FACT_STACK },
	{ .provider = NULL },
};

static const struct report_need	need[] = {
	{ .provider = "Universal.Events", .level = 4, .events = "the kernel's cswitch",
	    .command = "dotnet-trace collect-linux --profile thread-time" },
	{ .provider = NULL },
};

struct of_thread {
	uint64_t	switches, row, ip;
	int64_t		on, off, longest;
	int64_t		back;		/* ns: last return to the CPU; INT64_MIN: not yet */
	struct event	at;		/* of the longest time off the CPU */
	bool		has_ip, begun;
};

struct switches {
	const struct report_run	*run;
	struct groups		*threads;
	struct field_reader	*reader;
	uint64_t		 count;
	int64_t			 on, off;
};

static void *
switches_begin(const struct report_run *run)
{
	struct switches	*s = mem_zalloc(1, sizeof *s);

	s->run = run;
	s->threads = groups_new(sizeof(struct of_thread), LIMIT_REPORT_GROUPS);
	s->reader = field_reader_new(run->t, &(struct field_options){ .words = WORDS_BARE });
	return s;
}

static void
switches_free(void *self)
{
	struct switches	*s = self;

	groups_free(s->threads);
	field_reader_free(s->reader);
	mem_free(s);
}

/* When the thread left the CPU, in ns: Value ticks earlier, but not before the trace began. */
static int64_t
left_at(const struct switches *s, const struct fact *f)
{
	uint64_t	value = fact_u64(f, 0);
	int64_t		left;

	if (value > INT64_MAX || __builtin_sub_overflow(f->ev->ts, (int64_t)value, &left))
		return f->ns;
	return trace_ns(s->run->t, left);
}

/* The innermost frame outside of the kernel, whose own frames are its scheduler's; if there is
   none, the innermost frame. */
static uint64_t
caller_of_kernel(const struct fact *f)
{
	for (size_t i = 0; i < f->nips; i++)
		if (f->ips[i] < KERNEL_FIRST)
			return f->ips[i];
	return f->ips[0];
}

static void
switches_add(void *self, const struct fact *f)
{
	struct switches		*s = self;
	struct of_thread	*t = groups_get(s->threads, f->ev->thread, 0);
	int64_t			 left = left_at(s, f), off = 0;

	s->count++;
	if (t == NULL)
		return;
	if (__builtin_sub_overflow(f->ns, left, &off) || off < 0)
		off = 0;
	t->switches++;
	t->off = add_i64(t->off, off);
	s->off = add_i64(s->off, off);
	if (t->begun && left > t->back) {
		t->on = add_i64(t->on, sub_i64(left, t->back));
		s->on = add_i64(s->on, sub_i64(left, t->back));
	}
	t->back = f->ns;
	if (t->begun && off <= t->longest)
		return;
	t->begun = true;
	t->longest = off;
	t->row = f->row;
	t->at = *f->ev;
	t->has_ip = f->nips > 0;
	t->ip = t->has_ip ? caller_of_kernel(f) : 0;
}

/* ---- rows */

static int
by_off(const void *a, const void *b)
{
	const struct of_thread	*x = a, *y = b;

	return x->off > y->off ? -1 : x->off < y->off;
}

/* The function in which it left the CPU. */
static void
put_by(struct switches *s, struct rows *r, const struct of_thread *t)
{
	struct frame_name	f;

	if (!t->has_ip) {
		row_null(r, SW_BY);
		return;
	}
	(void)trace_name_frame(s->run->t, &t->at, t->ip, 0, true, &f);
	row_frame_name(r, SW_BY, &f, t->ip);
}

static void
switches_rows(void *self, struct rows *r)
{
	struct switches	*s = self;
	uint32_t	*order = groups_order(s->threads, by_off);

	for (size_t i = 0; i < groups_n(s->threads); i++) {
		const struct of_thread	*t = groups_at(s->threads, order[i]);
		uint32_t		 thread = (uint32_t)groups_key(s->threads, order[i]).a;

		row_begin(r, "thread");
		row_who(r, s->reader, thread,
		    &(struct who_columns){ SW_PROCESS, SW_PID, SW_THREAD });
		row_put(r, SW_TID, report_tid(s->run, thread));
		row_put(r, SW_SWITCHES, cell_u64(t->switches));
		row_put(r, SW_ON, cell_dur(t->on));
		row_put(r, SW_OFF, cell_dur(t->off));
		row_share(r, SW_ON_SHARE, (double)t->on, (double)t->on + (double)t->off);
		row_put(r, SW_LONGEST, cell_dur(t->longest));
		row_put(r, SW_ROW, cell_u64(t->row));
		put_by(s, r, t);
		row_event(r, t->at.ts, t->at.off);
	}
	mem_free(order);
	if (s->count == 0)
		return;
	row_begin(r, "summary");
	row_put(r, SW_SWITCHES, cell_u64(s->count));
	row_put(r, SW_THREADS, cell_u64(groups_n(s->threads)));
	row_put(r, SW_ON, cell_dur(s->on));
	row_put(r, SW_OFF, cell_dur(s->off));
}

/* "15,255 switches of 60 threads: 3.210 s on the CPU, 19.210 s off it" */
static void
switches_totals(void *self, struct buf *out)
{
	struct switches	*s = self;

	put_count(out, s->count, "switch of ", "switches of ");
	put_count(out, groups_n(s->threads), "thread: ", "threads: ");
	put_dur(out, s->on);
	buf_puts(out, " on the CPU, ");
	put_dur(out, s->off);
	buf_puts(out, " off it\n");
}

const struct report	report_switches = {
	.name = "switches",
	.title = "Context switches",
	.text = "A cswitch event is written when a thread returns to a CPU; its Value is the "
	    "number of ticks since the thread left. off CPU is the sum of these times. on CPU is "
	    "the time from each return to the next leave. The time before a thread's first event "
	    "and after its last one is unknown and not counted. by is the innermost frame outside "
	    "the kernel in the stack of the longest time off CPU: the function in which the thread "
	    "gave up the CPU or was preempted. A time off CPU that begins before the window counts "
	    "in full.",
	.need = need, .fact = facts, .column = columns, .ncolumns = SW_COLUMNS, .part = parts,
	.flags = REPORT_SYMBOLS | REPORT_WHO, .begin = switches_begin, .add = switches_add,
	.rows = switches_rows, .totals = switches_totals, .free = switches_free,
};
