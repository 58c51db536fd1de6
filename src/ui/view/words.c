/* Texts for times, threads, gaps and blocks, and the message on the bottom line. */
#include "ui/view/words.h"

#include <stdarg.h>
#include <string.h>

#include "tnav/base/units.h"
#include "ui/view/view.h"

void
view_hush(struct view *v)
{
	if (!v->noted)
		messages_add(&v->messages, buf_str(&v->message));
	v->noted = false;
	buf_clear(&v->message);
}

void
view_say(struct view *v, const char *fmt, ...)
{
	va_list	ap;

	view_hush(v);
	va_start(ap, fmt);
	buf_vprintf(&v->message, fmt, ap);
	va_end(ap);
}

bool
view_refuse(struct view *v, const char *fmt, ...)
{
	va_list	ap;

	view_hush(v);
	va_start(ap, fmt);
	buf_vprintf(&v->message, fmt, ap);
	va_end(ap);
	v->refused = true;
	return false;
}

void
view_gap_text(const struct view *v, const struct gap *g, struct buf *out)
{
	buf_counts(out, "# event{s} lost ", g->lost);
	if (g->why == GAP_START) {
		buf_puts(out, "before its first event");
	} else {
		buf_puts(out, "within ");
		units_dur(out, trace_dur(v->t, g->from, g->to), v->display.ascii);
	}
	buf_counts(out, " (seq #", g->seq_from);
	if (g->seq_to != g->seq_from)
		buf_counts(out, " \xe2\x80\xa6 #", g->seq_to);
	buf_putc(out, ')');
	if (g->why == GAP_BARRIER)
		buf_puts(out, ", reported by a sequence point");
	if (g->why == GAP_REMOVE)
		buf_puts(out, ", reported when the thread ended");
}

/* An id of the system. Kernels write the greatest 32-bit number for an unknown id: - */
static void
view_id_text(uint64_t id, struct buf *out)
{
	if (id == UINT32_MAX)
		buf_putc(out, '-');
	else
		buf_u64(out, id);
}

void
view_process_text(bool has_pid, uint64_t pid, struct buf *out)
{
	buf_puts(out, has_pid ? "process " : "no process");
	if (has_pid)
		view_id_text(pid, out);
}

void
view_address_text(const struct view *v, uint64_t address, struct buf *out)
{
	buf_puts(out, "0x");
	buf_hex(out, address, trace_info(v->t)->pointer_size * 2);
}

void
view_thread_text(const struct view *v, uint32_t thread, struct buf *out)
{
	struct thread_stat	st;

	if (thread >= trace_threads(v->t)) {
		buf_putc(out, '?');
		return;
	}
	trace_thread(v->t, thread, &st);
	if (st.has_tid) {
		view_id_text(st.tid, out);
	} else {
		buf_putc(out, '#');
		buf_u64(out, st.has_index ? st.thread_index : thread);
	}
}

void
view_block_text(const struct view *v, const struct block *b, const struct event *e, struct buf *out)
{
	buf_puts(out, "0x");
	buf_hex(out, b->off, 1);
	buf_counts(out, b->more ? ": # bytes, more than # event{s within }" :
	    ": # bytes, # event{s within }", b->size, b->events);
	if (b->events > 1)
		units_dur(out, trace_dur(v->t, b->tmin, b->tmax), v->display.ascii);
	buf_puts(out, b->one_thread ? ", thread " : ", several threads");
	if (b->one_thread)
		view_thread_text(v, e->capture, out);
}

void
view_secs(const struct view *v, int64_t ts, struct buf *out)
{
	units_secs(out, trace_ns(v->t, ts), 6);
	buf_puts(out, " s");
}

void
view_dur(const struct view *v, int64_t from, int64_t to, struct buf *out)
{
	int64_t	ns = trace_dur(v->t, from, to);

	if (ns < 1000000000) {
		units_dur_aligned(out, ns, v->display.ascii);
		return;
	}
	units_secs(out, ns, 3);
	buf_puts(out, " s");
}

void
view_length(const struct view *v, struct buf *out)
{
	view_dur(v, v->window.first, v->window.last, out);
}

/* 14:03:22.519123, the time of day; if it is unknown, seconds since the trace began. */
static void
time_of_day(const struct view *v, int64_t ns, bool local, struct buf *out)
{
	const struct trace_info	*info = trace_info(v->t);
	int64_t			 utc;
	size_t			 at = out->len, day;
	char			*t;

	if (!info->has_sync_utc || __builtin_add_overflow(info->sync_utc, ns, &utc)) {
		units_secs(out, ns, 6);
		return;
	}
	if (local) {
		units_local(out, utc, 6);
		return;
	}
	units_utc(out, utc, 6);
	t = memchr(out->p + at, 'T', out->len - at);	/* the date is on the top line */
	if (t != NULL) {
		day = (size_t)(t + 1 - (out->p + at));
		memmove(out->p + at, t + 1, out->len - at - day);
		out->len -= day;
	}
}

void
view_time_ns(const struct view *v, int64_t ns, struct buf *out)
{
	switch (v->display.time_format) {
	case TIME_LOCAL:
	case TIME_UTC:
		time_of_day(v, ns, v->display.time_format == TIME_LOCAL, out);
		break;
	case TIME_DELTA:
		if (__builtin_sub_overflow(ns, view_now_ns(v), &ns))
			ns = 0;
		buf_puts(out, ns >= 0 ? "+" : "");
		units_dur_aligned(out, ns, v->display.ascii);
		break;
	case TIME_TICKS:
		buf_i64(out, trace_ts(v->t, ns));
		break;
	case TIME_RELATIVE:
	case TIME_FORMATS:
		if (v->display.has_zero &&
		    __builtin_sub_overflow(ns, trace_ns(v->t, v->display.zero_ts), &ns))
			ns = 0;
		units_secs(out, ns, 6);
	}
}

void
view_time_exact(const struct view *v, int64_t ts, struct buf *out)
{
	const struct trace_info	*info = trace_info(v->t);
	int64_t			 ns = trace_ns(v->t, ts), utc;
	bool			 dated = v->display.time_format == TIME_UTC ||
				    v->display.time_format == TIME_LOCAL;

	if (v->display.time_format == TIME_TICKS) {
		buf_i64(out, ts);
	} else if (!dated || !info->has_sync_utc ||
	    __builtin_add_overflow(info->sync_utc, ns, &utc)) {
		units_secs_exact(out, ns);
		buf_putc(out, 's');
	} else if (v->display.time_format == TIME_UTC) {
		units_utc(out, utc, 9);
	} else {
		units_local(out, utc, 9);
	}
}

void
view_time(const struct view *v, int64_t ts, struct buf *out)
{
	if (v->display.time_format == TIME_TICKS)
		buf_i64(out, ts);	/* there may be several ticks in a nanosecond */
	else
		view_time_ns(v, trace_ns(v->t, ts), out);
}
