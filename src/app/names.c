/*
 * Names of methods for a trace that is viewed while it is received.
 *
 *	SINCE	start ------------------------------------------- stop -> growing file -> trace
 *	BEFORE	   start, stop at once -> file -> trace
 *	main	... runs ..................................... stop or end
 *
 * A runtime lists its methods only when a session stops. So a session with a silent provider is
 * started and stopped at once: BEFORE. Newly compiled methods have events, which would fill the
 * user's list of events. So another session receives them: SINCE. It starts first, so that a method
 * compiled between the two starts is in at least one of them.
 *
 * A stop is also sent when the viewer quits: if only the connection is closed, an idle program
 * keeps the session.
 *
 * Invariant: a side's session, file, opening and why belong to the thread. t is set once. has_why
 * is set after why, which does not change any more. Specification: "the diagnostics protocol of
 * .NET", sections 4 to 7.
 */
#include "app/names.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "app/opening.h"
#include "tnav/analysis/symbols.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"
#include "tnav/live/session.h"

#define RUNTIME		"Microsoft-Windows-DotNETRuntime"
#define QUIET		"Microsoft-DotNETCore-EventPipe"	/* its events come at the stop */
#define CODE		UINT64_C(0x38)	/* modules, compiled and precompiled methods */
#define ENTRIES		UINT64_C(0x2000000000)	/* entry points of precompiled methods */
#define LEVEL_LOADS	5u		/* .NET 10 names methods at no lower level */
#define BUFFER_MB	256u
#define NS_PER_S	INT64_C(1000000000)
#define START_NS	(5 * NS_PER_S)
#define SILENCE_NS	(5 * NS_PER_S)	/* without data, after the stop */
#define TIME_NS		(60 * NS_PER_S)	/* after the stop */
#define LEAVE_NS	(2 * NS_PER_S)	/* after the stop, when the viewer quits */
#define MAIN_NS		(NS_PER_S / 5)	/* for the main session to end, too */
#define STEP_NS		(NS_PER_S / 100)
#define TURN_NS		(NS_PER_S / 10)
#define MOST		(UINT64_C(64) << 20)
#define TOO_MUCH	"the program sends more than 64 MiB, the rest is left out"

/* A session that is read only for the names of methods. */
struct name_session {
	struct session		*session;
	struct file_new		*file;
	struct opening		 opening;
	int64_t			 stopped;	/* time of the stop, or 0 */
	bool			 cut;
	_Atomic(struct trace *)	 t;
	atomic_bool		 has_why;
	struct buf		 why;
};

struct attach_names {
	struct session_peer	 peer;
	struct session		*main;
	char			*path;		/* a name in the folder; the file has none */
	struct job		*job;
	atomic_bool		 leave;
	struct name_session	 side[NAMES_WHENS];
};

static const struct collect_provider	quiet = { .name = QUIET, .level = 1 };
static const uint32_t			load_ids[] = { 143, 144, 151, 152, 153, 159 };
static const struct collect_provider	loads = { .name = RUNTIME,
	.keywords = CODE | ENTRIES, .level = LEVEL_LOADS, .which = COLLECT_ONLY, .ids = load_ids,
	.nids = sizeof load_ids / sizeof *load_ids };

static const struct collect	collect_of[NAMES_WHENS] = {
	[NAMES_BEFORE] = { .provider = &quiet, .n = 1, .buffer_mb = BUFFER_MB, .rundown = CODE,
	    .no_stacks = true },
	[NAMES_SINCE] = { .provider = &loads, .n = 1, .buffer_mb = BUFFER_MB, .no_stacks = true },
};

/* ---- problems */

/* Has the main session ended or is it ending? If so, missing data is not a problem. */
static bool
main_ends(struct attach_names *n)
{
	struct session_state	st;

	session_look(n->main, &st);
	if (st.phase == SESSION_RUNNING)
		session_wait(n->main, MAIN_NS, &st);
	return st.phase != SESSION_RUNNING;
}

static void
say(struct attach_names *n, struct name_session *s, const char *why)
{
	if (atomic_load(&s->has_why) || atomic_load(&n->leave) || main_ends(n))
		return;
	if (s->why.len == 0)
		buf_puts(&s->why, why);
	(void)buf_str(&s->why);
	atomic_store(&s->has_why, true);
}

/* ---- a side */

static bool
side_start(struct attach_names *n, enum names_when when)
{
	struct name_session	*s = &n->side[when];
	struct buf		 notes = { 0 };	/* notes about old runtimes are not shown */
	int			 rc;

	if (file_new(&s->file, n->path, FILE_PRIVATE) != 0) {
		say(n, s, strerror(errno));
		return false;
	}
	rc = session_start(&s->session, &n->peer, &collect_of[when], file_new_fd(s->file), -1,
	    START_NS, &n->leave, &notes, &s->why);
	buf_release(&notes);
	if (rc != 0)
		say(n, s, "their session cannot be started");
	return rc == 0;
}

static void
side_open(struct attach_names *n, struct name_session *s)
{
	const struct trace_options	o = { .workers = 1, .eager = true };

	if (!opening_begin_fd(&s->opening, n->path, file_new_fd(s->file), s->session, &o))
		say(n, s, strerror(errno));
}

/* Take the trace, whose first bytes have arrived. It goes on growing. */
static void
side_take(struct attach_names *n, struct name_session *s)
{
	if (s->opening.t == NULL) {
		say(n, s, buf_str(&s->opening.why));
	} else {
		(void)trace_follow(s->opening.t, true, NULL);
		trace_index_start(s->opening.t);
		atomic_store(&s->t, s->opening.t);
	}
	opening_release(&s->opening);
}

static void
side_stop(struct name_session *s)
{
	if (s->stopped != 0)
		return;
	s->stopped = job_now_ns();
	session_stop(s->session);
}

/* Give up a side that does not end after its stop. */
static void
side_give_up(struct attach_names *n, struct name_session *s, const struct session_state *st)
{
	int64_t	now = job_now_ns(), last = st->last_ns > s->stopped ? st->last_ns : s->stopped;
	int64_t	most = atomic_load(&n->leave) ? LEAVE_NS : TIME_NS;
	struct session_state	main;

	session_look(n->main, &main);
	if (atomic_load(&n->leave) && main.phase == SESSION_ENDED && !main.whole)
		most = 0;		/* the program obeys no stop */
	if (s->cut || s->stopped == 0 || (now - s->stopped <= most && now - last <= SILENCE_NS))
		return;
	session_cut(s->session);
	s->cut = true;
	say(n, s, "the program stopped sending them");
}

/* ---- methods compiled from now on */

/* Called now and then, also while the other side is received. False: this side has ended. */
static bool
since_step(struct attach_names *n)
{
	struct name_session	*s = &n->side[NAMES_SINCE];
	struct session_state	 st, main;

	if (s->session == NULL)
		return false;
	session_look(s->session, &st);
	session_look(n->main, &main);
	if (task_take(&s->opening.task))
		side_take(n, s);
	if (st.phase == SESSION_ENDED)
		return false;
	if (st.write_error != 0)
		say(n, s, strerror(st.write_error));
	if (st.received > MOST)
		say(n, s, TOO_MUCH);
	if (atomic_load(&s->has_why) || atomic_load(&n->leave) || main.phase != SESSION_RUNNING)
		side_stop(s);
	side_give_up(n, s, &st);
	return true;
}

/* Receive until the session ends; it is stopped when the main session ends. */
static void
receive_since(struct attach_names *n)
{
	struct name_session	*s = &n->side[NAMES_SINCE];
	struct session_state	 st;

	while (since_step(n))
		session_wait(s->session, s->stopped != 0 ? STEP_NS : TURN_NS, &st);
	if (s->opening.task.runs) {	/* until the end of the session */
		task_halt(&s->opening.task);
		side_take(n, s);
	}
	say(n, s, "the program ended their session");
}

/* ---- methods compiled before */

static void
receive_before(struct attach_names *n)
{
	struct name_session	*s = &n->side[NAMES_BEFORE];
	struct session_state	 st;

	side_stop(s);
	for (session_look(s->session, &st); st.phase != SESSION_ENDED;
	    session_wait(s->session, STEP_NS, &st)) {
		if (st.received > MOST && !s->cut) {
			session_cut(s->session);
			s->cut = true;
			say(n, s, TOO_MUCH);
		}
		side_give_up(n, s, &st);
		(void)since_step(n);
	}
	if (st.write_error != 0)
		say(n, s, strerror(st.write_error));
	else if (!st.whole)
		say(n, s, "the program stopped sending them");
}

/* Open what was received, complete or not. */
static void
open_before(struct attach_names *n)
{
	struct name_session	*s = &n->side[NAMES_BEFORE];
	struct trace		*t;

	side_open(n, s);
	if (!s->opening.task.runs)
		return;
	task_halt(&s->opening.task);
	t = s->opening.t;
	if (t != NULL)
		(void)trace_index_wait(t, -1);
	if (t != NULL && symbols_events(t) > 0) {
		atomic_store(&s->t, t);
	} else {
		say(n, s, t != NULL ? "the program sends none" : buf_str(&s->opening.why));
		trace_close(t);
	}
	opening_release(&s->opening);
}

static void
ask_before(struct attach_names *n)
{
	if (!side_start(n, NAMES_BEFORE))
		return;
	receive_before(n);
	if (!atomic_load(&n->leave))
		open_before(n);
}

/* ---- the whole */

static void
ask(void *arg)
{
	struct attach_names	*n = arg;
	struct name_session	*since = &n->side[NAMES_SINCE];
	bool			 good = side_start(n, NAMES_SINCE);

	if (good)
		side_open(n, since);
	if (!atomic_load(&n->leave))
		ask_before(n);
	if (good)
		receive_since(n);
}

struct attach_names *
names_begin(const struct session_peer *peer, struct session *main, const char *folder)
{
	struct attach_names	*n = mem_zalloc(1, sizeof *n);
	struct buf		 path = { 0 };

	n->peer = *peer;
	n->main = main;
	buf_printf(&path, "%s/names", folder);
	n->path = mem_strdup(buf_str(&path));
	buf_release(&path);
	n->job = job_start(ask, n);
	if (n->job == NULL) {
		names_end(n);
		return NULL;
	}
	return n;
}

struct trace *
names_trace(const struct attach_names *n, enum names_when when)
{
	return atomic_load(&n->side[when].t);
}

const char *
names_problem(struct attach_names *n, enum names_when when)
{
	return atomic_load(&n->side[when].has_why) ? n->side[when].why.p : NULL;
}

static void
side_release(struct name_session *s)
{
	trace_close(atomic_load(&s->t));
	session_free(s->session);
	if (s->file != NULL)
		(void)file_new_end(s->file, false);
	buf_release(&s->why);
}

void
names_end(struct attach_names *n)
{
	if (n == NULL)
		return;
	atomic_store(&n->leave, true);
	job_join(n->job);
	for (unsigned i = 0; i < NAMES_WHENS; i++)
		side_release(&n->side[i]);
	mem_free(n->path);
	mem_free(n);
}
