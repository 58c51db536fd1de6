/*
 * Context switches by process and thread.
 *
 *	thread 7	--- on ---|      off      |-- on --|  off  |- on
 *			     sched_switch         |    the switch from thread 7 to another one
 *			     7 to 9	sched_	 sched_switch
 *					wakeup	 3 to 7
 *			          | waiting | ready |
 *						  cswitch of 7, Value: ticks off the CPU
 *
 * A cswitch describes an interval that has ended: the thread returns to the CPU at the event's
 * time, Value ticks after it left. Of the kernel's own events, one sched_switch begins the interval
 * and a later one ends it. The time from each return to the next leave is time on the CPU.
 *
 * The kernel's id of a thread is not its id in the trace if they are in different namespaces. The
 * thread of a sched_switch is the one that leaves: there the kernel's id becomes known.
 *
 * Invariant: both sources give an interval to add_absence() when it ends, so they make the same
 * rows. If a trace has both, the rows are those of cswitch.
 */
#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"
#include "tnav/engine/naming.h"

#define KERNEL_FIRST	0xffff800000000000u

enum { SW_KINDS };

enum waker { WAKER_UNKNOWN, WAKER_THREAD, WAKER_INTERRUPT };

/* A time off the CPU. */
struct absence {
	int64_t		left, back;	/* ns */
	int64_t		waiting;	/* ns of it until the thread was runnable */
	uint64_t	row;
	struct event	at;		/* its stack is that of the thread when it left */
	enum waker	waker;
	uint32_t	waker_thread;
};

/* The sums of a thread of the trace. */
struct thread_switches {
	uint64_t	switches;
	int64_t		on, off, waiting, longest_off;
	int64_t		last_back;	/* ns: last return to the CPU */
	struct absence	longest;
};

/* What a thread with this id of the kernel does now. */
struct kernel_thread {
	struct absence	away;
	uint32_t	thread;		/* in the trace */
	bool		known, is_away, runnable, chosen;
};

/* thread_switches by thread, of each source; kernel_thread by the kernel's id. */
enum { BY_CSWITCH, BY_SCHED, KERNEL };

struct switches {
	uint64_t		 unseen;	/* leaves and returns without their event */
};

static void
add_absence(struct groups *threads, uint32_t thread, const struct absence *a)
{
	struct thread_switches	*t = groups_get(threads, thread, 0);
	int64_t			 off = a->back > a->left ? sub_i64(a->back, a->left) : 0;

	if (t == NULL)
		return;
	if (t->switches > 0 && a->left > t->last_back)
		t->on = add_i64(t->on, sub_i64(a->left, t->last_back));
	t->last_back = a->back;
	t->off = add_i64(t->off, off);
	t->waiting = add_i64(t->waiting, a->waiting);
	if (t->switches++ == 0 || off > t->longest_off) {
		t->longest_off = off;
		t->longest = *a;
	}
}

/* When the thread left the CPU, in ns: Value ticks earlier, but not before the trace began. */
static int64_t
left_at(const struct report_state *s, const struct fact *f)
{
	uint64_t	value = fact_u64(f, 0);
	int64_t		left;

	if (value > INT64_MAX || __builtin_sub_overflow(f->ev->ts, (int64_t)value, &left))
		return f->ns;
	return trace_ns(s->run->t, left);
}

static void
add_cswitch(struct report_state *s, const struct fact *f)
{
	if (f->chosen)
		add_absence(s->keyed[BY_CSWITCH], f->ev->thread, &(struct absence){ .row = f->row,
		    .left = left_at(s, f), .back = f->ns, .at = *f->ev });
}

/* NULL: it is the idle thread of a CPU, which has the id 0, or there are too many. */
static struct kernel_thread *
kernel_thread(struct report_state *s, uint32_t id)
{
	return id != 0 ? groups_get(s->keyed[KERNEL], id, 0) : NULL;
}

/* A filter chooses by the event of the leave. */
static bool
is_chosen(const struct report_state *s, const struct kernel_thread *k, const struct fact *f)
{
	return s->run->filtered ? k->chosen : f->chosen;
}

/* It leaves although it is away, or returns although it isn't: the event between is not in the
   trace. The time since the event before is neither on nor off the CPU. */
static void
miss_event(struct report_state *s, const struct kernel_thread *k, const struct fact *f)
{
	struct switches		*w = s->own;
	struct thread_switches	*t = groups_find(s->keyed[BY_SCHED], k->thread, 0);

	if (!k->known || !is_chosen(s, k, f))
		return;
	w->unseen++;
	if (t == NULL)
		return;
	if (k->is_away && k->away.left > t->last_back)
		t->on = add_i64(t->on, sub_i64(k->away.left, t->last_back));
	t->last_back = f->ns;
}

/* One thread leaves the CPU, and another returns. */
static void
add_switch(struct report_state *s, const struct fact *f)
{
	struct builtin_switch	 b;
	struct kernel_thread	*k;

	if (!builtin_switch(trace_type(s->run->t, f->ev->type),
	    trace_payload(s->run->t, f->ev), &b))
		return;
	k = kernel_thread(s, b.prev_pid);
	if (k != NULL && k->is_away)
		miss_event(s, k, f);
	if (k != NULL)
		*k = (struct kernel_thread){ .thread = f->ev->thread, .known = true,
		    .is_away = true, .runnable = b.prev_runnable, .chosen = f->chosen,
		    .away = { .row = f->row, .left = f->ns, .at = *f->ev } };
	k = kernel_thread(s, b.next_pid);
	if (k != NULL && !k->is_away)
		miss_event(s, k, f);
	if (k == NULL || !k->is_away)
		return;
	k->is_away = false;
	k->away.back = f->ns;
	if (!k->runnable)
		k->away.waiting = sub_i64(f->ns, k->away.left);
	if (is_chosen(s, k, f))
		add_absence(s->keyed[BY_SCHED], k->thread, &k->away);
}

static void
add_wakeup(struct report_state *s, const struct fact *f)
{
	struct builtin_wakeup	 b;
	struct kernel_thread	*k;

	if (!builtin_wakeup(trace_type(s->run->t, f->ev->type),
	    trace_payload(s->run->t, f->ev), &b))
		return;
	k = kernel_thread(s, b.pid);
	if (k == NULL || !k->is_away || k->runnable)
		return;
	k->runnable = true;
	k->away.waiting = sub_i64(f->ns, k->away.left);
	k->away.waker_thread = f->ev->thread;
	k->away.waker = b.in_interrupt ? WAKER_INTERRUPT : WAKER_THREAD;
}

/* ---- rows */

SORT_ORDER(by_off, struct thread_switches, FALLING(off))

/* Threads that the recorder could not see have the id 0. */
static bool
is_named(const struct field_who *who)
{
	return who != NULL && who->has_tid && who->tid != 0;
}

/* The function in which it left the CPU: the innermost frame outside of the kernel, whose own
   frames are its scheduler's; if there is none, the innermost frame. */
static void
put_by(const struct report_state *s, struct rows *r, const struct event *left)
{
	uint64_t		ips[LIMIT_STACK_FRAMES];
	size_t			n = trace_stack(s->run->t, left, ips, LIMIT_STACK_FRAMES), i = 0;
	struct frame_name	f;

	if (n == 0) {
		row_null(r, SW_BY);
		return;
	}
	while (i < n && ips[i] >= KERNEL_FIRST)
		i++;
	i = i < n ? i : 0;
	(void)trace_name_frame(s->run->t, left, ips[i], 0, true, &f);
	row_frame_name(r, SW_BY, &f, ips[i]);
}

/* "python3 12", "interrupt" */
static void
put_woken(struct report_state *s, struct rows *r, const struct absence *a)
{
	const struct field_who	*who = report_who(s, a->waker_thread);
	struct buf		 b = { 0 };

	if (a->waker != WAKER_THREAD || !is_named(who)) {
		row_str(r, SW_WOKEN, a->waker == WAKER_INTERRUPT ? "interrupt" : NULL);
		return;
	}
	if (who->name != NULL || who->process != NULL)
		buf_printf(&b, "%s ", who->name != NULL ? who->name : who->process);
	buf_u64(&b, who->tid);
	row_text(r, SW_WOKEN, span_of_buf(&b));
	buf_release(&b);
}

/* Only the kernel's own events tell when it was runnable. */
static void
put_thread(struct report_state *s, struct rows *r, uint32_t thread,
    const struct thread_switches *t, bool states)
{
	row_begin(r, "thread");
	row_who(r, s, thread, &(struct who_columns){ SW_PROCESS, SW_PID, SW_THREAD });
	row_put(r, SW_TID, report_tid(s->run, thread));
	row_put(r, SW_SWITCHES, cell_u64(t->switches));
	row_put(r, SW_ON, cell_dur(t->on));
	row_put(r, SW_OFF, cell_dur(t->off));
	row_share(r, SW_ON_SHARE, (double)t->on, (double)t->on + (double)t->off);
	row_known(r, SW_WAITING, states, cell_dur(t->waiting));
	row_known(r, SW_READY, states, cell_dur(sub_i64(t->off, t->waiting)));
	row_put(r, SW_LONGEST, cell_dur(t->longest_off));
	row_put(r, SW_ROW, cell_u64(t->longest.row));
	put_by(s, r, &t->longest.at);
	put_woken(s, r, &t->longest);
	row_event(r, t->longest.at.ts, t->longest.at.off);
}

static void
switches_rows(struct report_state *s, struct rows *r)
{
	const struct switches	*w = s->own;
	bool			 sched = groups_n(s->keyed[BY_CSWITCH]) == 0;
	const struct groups	*threads = s->keyed[sched ? BY_SCHED : BY_CSWITCH];
	uint32_t		*order = groups_order(threads, by_off);
	uint64_t		 unnamed = 0;

	for (size_t i = 0; i < groups_n(threads); i++) {
		const struct thread_switches *t = groups_at(threads, order[i]);
		uint32_t		 thread = (uint32_t)groups_key(threads, order[i]).a;

		if (sched && !is_named(report_who(s, thread)))
			unnamed += t->switches;
		else
			put_thread(s, r, thread, t, sched);
	}
	mem_free(order);
	rows_remark(r, sched ? w->unseen : 0, "# switch{|es} {is|are} not in the trace; the time "
	    "from the one before to the one after is neither on nor off the CPU");
	rows_remark(r, unnamed, "# switch{|es} of threads without an id in the trace {is|are} left "
	    "out");
}

const struct report	report_switches = {
	.title = "Context switches",
	TABLES_OF(switches, SW),
	.needs = NEEDS_SYMBOLS | NEEDS_WHO, .pairs = true,
	.own = sizeof(struct switches),
	.keyed = { { sizeof(struct thread_switches), LIMIT_REPORT_GROUPS },
	    { sizeof(struct thread_switches), LIMIT_REPORT_GROUPS },
	    { sizeof(struct kernel_thread), LIMIT_REPORT_GROUPS } },
	.rows = switches_rows,
};
