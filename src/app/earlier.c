/*
 * Names of methods that were compiled before a session began.
 *
 *	start, stop at once -> stream -> file without a name -> trace -> done
 *	                       at most MOST bytes, TIME_NS, SILENCE_NS without a byte
 *
 * A runtime tells which code it has only when a session stops. The main session goes on, so another
 * one is started for that, with a provider that says nothing.
 *
 * The stop is sent as soon as the start is answered, and what follows is read also when the viewer
 * is being left: a session whose connection is just closed stays in a quiet program.
 *
 * Invariant: session, file, t and why are the thread's until done.
 * Specification: "the diagnostics protocol of .NET", sections 4 to 7.
 */
#include "app/earlier.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "tnav/analysis/symbols.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/engine/trace.h"
#include "tnav/io/file.h"
#include "tnav/live/session.h"

#define PROVIDER	"Microsoft-DotNETCore-EventPipe"	/* only settings, at the stop */
#define RUNDOWN		0x38u		/* modules, compiled and precompiled methods */
#define BUFFER_MB	256u
#define NS_PER_S	INT64_C(1000000000)
#define START_NS	(5 * NS_PER_S)
#define SILENCE_NS	(5 * NS_PER_S)	/* without a byte, after the stop */
#define TIME_NS		(60 * NS_PER_S)
#define LEAVE_NS	(2 * NS_PER_S)	/* the same when the viewer is being left */
#define STEP_NS		(NS_PER_S / 100)
#define MOST		(UINT64_C(64) << 20)

struct earlier {
	struct session_peer	 peer;
	char			*name;		/* in the folder; no file gets it */
	struct job		*job;
	atomic_bool		 done, leave;
	struct session		*session;
	struct file_new		*file;
	struct trace		*t;
	struct buf		 why;
};

static bool
start(struct earlier *e)
{
	const struct collect_provider	quiet = { .name = PROVIDER, .level = 1 };
	const struct collect		c = { .provider = &quiet, .n = 1, .buffer_mb = BUFFER_MB,
					    .rundown = RUNDOWN, .no_stacks = true };
	struct buf			notes;	/* what an old runtime adds is not asked for */
	int				rc;

	if (file_new(&e->file, e->name, FILE_PRIVATE) != 0) {
		buf_puts(&e->why, strerror(errno));
		return false;
	}
	buf_init(&notes);
	rc = session_start(&e->session, &e->peer, &c, file_new_fd(e->file), START_NS, &notes,
	    &e->why);
	buf_release(&notes);
	return rc == 0;
}

/* Is it too much, or does nothing come any more? */
static bool
is_enough(struct earlier *e, const struct session_state *st, int64_t begun)
{
	int64_t	now = job_now_ns(), last = st->last_ns > begun ? st->last_ns : begun;
	int64_t	most = atomic_load(&e->leave) ? LEAVE_NS : TIME_NS;

	if (st->received > MOST)
		buf_puts(&e->why, "the program sends more than 64 MiB, the rest is left out");
	else if (now - begun > most || now - last > SILENCE_NS)
		buf_puts(&e->why, "the program does not send them to the end");
	return e->why.len > 0;
}

static void
receive(struct earlier *e)
{
	int64_t			begun = job_now_ns();
	struct session_state	st;
	bool			cut = false;

	session_stop(e->session);
	for (session_look(e->session, &st); st.phase != SESSION_ENDED;
	    session_wait(e->session, STEP_NS, &st)) {
		if (cut || !is_enough(e, &st, begun))
			continue;
		session_cut(e->session);
		cut = true;
	}
	if (cut || st.whole)
		return;
	buf_puts(&e->why, st.write_error != 0 ? strerror(st.write_error) :
	    "the program does not send them to the end");
}

/* What has come, whole or not. */
static void
open_names(struct earlier *e)
{
	struct trace_feed	feed = { .feed = session_feed(e->session) };
	struct trace_options	o = { .workers = 1, .feed = &feed };
	struct buf		why;

	buf_init(&why);
	feed.fd = fcntl(file_new_fd(e->file), F_DUPFD_CLOEXEC, 0);
	if (feed.fd < 0) {
		buf_puts(&why, strerror(errno));
	} else if (trace_open(&e->t, e->name, &o, &why) == 0) {
		(void)trace_index_wait(e->t, -1);
		if (symbols_told(e->t) == 0) {
			buf_puts(&why, "the program sends none");
			trace_close(e->t);
			e->t = NULL;
		}
	}
	if (e->why.len == 0)		/* else that is the cause */
		buf_add(&e->why, why.p, why.len);
	buf_release(&why);
}

static void
ask(void *arg)
{
	struct earlier	*e = arg;

	if (start(e)) {
		receive(e);
		if (!atomic_load(&e->leave))
			open_names(e);
	}
	atomic_store(&e->done, true);
}

struct earlier *
earlier_begin(const struct session_peer *peer, const char *folder)
{
	struct earlier	*e = mem_zalloc(1, sizeof *e);
	struct buf	 name;

	e->peer = *peer;
	buf_init(&e->why);
	buf_init(&name);
	buf_printf(&name, "%s/names", folder);
	e->name = mem_strdup(buf_str(&name));
	buf_release(&name);
	e->job = job_start(ask, e);
	if (e->job == NULL) {
		earlier_end(e);
		return NULL;
	}
	return e;
}

struct trace *
earlier_trace(const struct earlier *e)
{
	return atomic_load(&e->done) ? e->t : NULL;
}

const char *
earlier_problem(struct earlier *e)
{
	return atomic_load(&e->done) && e->why.len > 0 ? buf_str(&e->why) : NULL;
}

void
earlier_end(struct earlier *e)
{
	if (e == NULL)
		return;
	atomic_store(&e->leave, true);
	job_join(e->job);
	trace_close(e->t);
	session_free(e->session);
	if (e->file != NULL)
		(void)file_new_end(e->file, false);
	buf_release(&e->why);
	mem_free(e->name);
	mem_free(e);
}
