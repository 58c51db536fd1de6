/*
 * Following a file: final rows are printed at once, the rest at the end.
 *
 *	rows	| printed | final now: print | may still move |
 *
 * The end is the trace's end mark, a file that cannot be followed any more, or a signal, which is
 * counted (app/stopping.h). A second signal ends the program. A file that was removed may still be
 * written: it is followed, after a message. A pipe ends when its writer does.
 */
#include "app/follow.h"

#include <string.h>
#include <sys/stat.h>

#include "app/stopping.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/io/output.h"
#include "tnav/out/message.h"

#define WAIT_MS		100
#define QUIET_NS	INT64_C(1000000000)	/* without new rows, until it is said what is
						   waited for */
#define POINTS_SINCE	4u	/* version of NetTrace: with sequence points; others are less */
#define HEAD_LEAST	64	/* a shorter file may be of any format */

/* Has a signal arrived? Waits up to wait_ms. A second signal ends the program. */
static bool
is_ended(int wait_ms)
{
	if (!stopping_await(wait_ms * INT64_C(1000000)))
		return false;
	stopping_end();
	return true;
}

/* Is the file so short that its header may still arrive? */
static bool
is_short(const char *path)
{
	struct stat	st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size < HEAD_LEAST;
}

int
follow_open(struct trace **t, const char *file, const struct trace_options *to, struct buf *why)
{
	bool	ended = false, was_short;
	int	err;

	if (strcmp(file, "-") != 0)
		stopping_begin();
	for (;;) {
		buf_clear(why);
		was_short = is_short(file);	/* before: it may grow meanwhile */
		err = trace_open(t, file, to, why);
		if (err >= 0 || ended ||
		    !(err == ERR_TRUNCATED || (err == ERR_FORMAT && was_short)))
			break;
		ended = is_ended(WAIT_MS);	/* process what has arrived until then */
	}
	if (err >= 0)
		stopping_begin();	/* a pipe without a first byte is waited for until here */
	return err;
}

bool
follow_begin(struct trace *t, struct buf *why)
{
	if (!trace_follow(t, true, why))
		return false;
	trace_index_start(t);
	return true;
}

static const char *
name_of(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Report a file that was removed, once, and again after it came back. */
static void
tell_removed(struct trace *t, bool *announced)
{
	bool	removed = trace_removed(t);

	if (removed && !*announced)
		message_note("%s: the file was removed; what is still written to it is followed "
		    "(Ctrl-C ends)", trace_path(t));
	*announced = removed;
}

/* Since when no row has become final, and whether it was said what that waits for. */
struct waiting {
	uint64_t	rows;
	int64_t		since_ns;
	bool		announced;
};

/* Say once what is waited for, when all is read and no row has become final for a moment. */
static void
tell_waiting(struct trace *t, const struct trace_progress *p, bool in_order, struct waiting *w)
{
	int64_t	now = job_now_ns();

	if (p->rows_final != w->rows || !p->all_shown) {
		w->rows = p->rows_final;
		w->since_ns = now;
	}
	if (w->announced || now - w->since_ns < QUIET_NS)
		return;
	w->announced = true;
	message_note("%s: waiting for more%s", name_of(trace_path(t)),
	    !in_order ? " (Ctrl-C ends)" :
	    trace_info(t)->version >= POINTS_SINCE ?
	    "; events after the last sequence point are printed at the next one (Ctrl-C prints "
	    "them and ends)" : "; events of this format are printed at its end (Ctrl-C prints "
	    "them and ends)");
}

int
follow_rows(struct trace *t, struct output *o, bool in_order, follow_print_fn print, void *arg)
{
	struct trace_progress	p = { .complete = false };
	struct waiting		w = { .since_ns = job_now_ns() };
	uint64_t		printed = 0;
	bool			ended = false, announced = false;
	int			err = ERR_OK;

	while (err == ERR_OK && !p.complete) {
		trace_await(t, printed, WAIT_MS);
		trace_progress(t, &p);
		err = print(arg, printed, p.complete ? UINT64_MAX : p.rows_final);
		printed = p.rows_final;
		if (output_flush(o) < 0 && err == ERR_OK)
			err = ERR_IO;
		if (!p.complete && !ended && err == ERR_OK) {
			tell_removed(t, &announced);
			tell_waiting(t, &p, in_order, &w);
		}
		if (!ended && is_ended(0)) {
			trace_end_feed(t);
			ended = true;
		}
	}
	trace_end_feed(t);		/* a limit may have been reached */
	(void)trace_index_wait(t, -1);
	return err;
}
