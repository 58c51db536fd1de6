/*
 * record --rotate: one file after another.
 *
 *	before	|-----------|..|		.. its stop: the rest of its events
 *	now		  |-----------|		begins before that, so no event is in neither
 *	last			    |-|		with the names of methods, when all ends
 *
 * The names of methods cost the program the more the larger it is, so only the last session is
 * asked for them, and that after an incident whose files are kept.
 *
 * Invariant: at most two sessions run: `before` has ended when the next file begins.
 */
#include "app/recording_rotate.h"

#include "app/exit.h"
#include "app/recording.h"
#include "app/stopping.h"
#include "tnav/base/job.h"
#include "tnav/out/message.h"

#define NS_PER_S	INT64_C(1000000000)
#define TURN_NS		(NS_PER_S / 10)		/* between two looks */
#define AGAIN_NS	(10 * NS_PER_S)		/* until what failed is tried again */

/* Counters are recorded if --when is about one. */
int
recording_rotate_begin(struct recording *r)
{
	const struct options	*o = r->target.o;
	struct receive		*now = &r->now.receive;
	struct buf		 why = { 0 };
	int			 code = 0;

	if (!r->rotation.on)
		return 0;
	if (r->rotation.counter != NULL && !o->given[OPT_COUNTERS] &&
	    choice_counters(r->target.choice, NULL, 1, &why) != 0)
		code = exit_usage("--when: %s", buf_str(&why));
	buf_release(&why);
	r->names = !o->given[OPT_RUNDOWN] && choice_collect(r->target.choice)->rundown != 0;
	r->target.nameless = r->names;
	r->total_ns = now->duration_ns;
	now->duration_ns = 0;
	now->keeps = true;
	now->counter = r->rotation.counter;
	return code;
}

/* Begin another file of the program that runs. */
static enum begun
begin_more(struct recording *r, struct buf *why)
{
	enum begun	begun;

	r->target.nameless = r->names && !r->leaving && r->rotation.keep_next == 0;
	begun = recorded_begin(r, RUN_SAME, why);
	r->next.receive.choice = NULL;	/* what is missing was said of the first file */
	return begun;
}

/* A new file, then the stop of the one before. If it cannot begin, that one goes on. */
static void
rotate(struct recording *r)
{
	struct buf	why = { 0 };

	if (begin_more(r, &why) == BEGUN) {
		r->before = r->now;
		r->now = r->next;
		receive_stop(&r->before.receive);
		recorded_watch(&r->now);
		r->explained = false;
	} else {
		if (!r->explained)
			message_put("no new file: %s; the old one goes on", buf_str(&why));
		r->explained = true;
		r->again_ns = job_now_ns() + AGAIN_NS;
	}
	buf_release(&why);
}

/* Look after the session that was stopped. */
static void
tend_before(struct recording *r, int *code)
{
	struct recorded_run	*p = &r->before;
	struct session_state	 st;

	if (p->session == NULL)
		return;
	receive_look(&p->receive, &st);
	if (st.phase != SESSION_ENDED)
		return;
	receive_finish(&p->receive);
	exit_worsen(code, recorded_end(r, p, &st));
	recorded_release(p);
	p->session = NULL;
}

/* An event of --when or SIGUSR1 keeps all files that can contain it. */
static void
look_for_incidents(struct recording *r)
{
	struct recorded_run	*p = &r->now;
	unsigned		 open = r->before.session != NULL ? 2 : 1;

	if (r->marks != stopping_marks())
		rotation_keep(&r->rotation, open + 1, "SIGUSR1");
	else if (p->receive.arrived && !p->announced)
		rotation_keep(&r->rotation, open + 1, "--when");
	p->announced = p->receive.arrived;
	r->marks = stopping_marks();
}

static void
cut(struct recorded_run *p)
{
	if (p->session != NULL && p->receive.stopped == 0)
		receive_stop(&p->receive);
	if (p->session != NULL)
		receive_stop(&p->receive);
}

/* The first signal ends the recording in order, another one at once. */
static void
look_for_the_end(struct recording *r)
{
	for (; r->taken < stopping_count(); r->taken++) {
		if (r->leaving) {
			r->lasting = true;
			cut(&r->before);
			cut(&r->now);
		}
		r->leaving = true;
	}
	if (r->total_ns > 0 && job_now_ns() - r->begun >= r->total_ns)
		r->leaving = true;
}

static void
rotate_if_due(struct recording *r, const struct session_state *st)
{
	bool	due = job_now_ns() >= r->again_ns &&
		    rotation_is_due(&r->rotation, r->now.receive.begun, st->received);

	if (r->before.session != NULL || r->lasting || r->now.receive.stopped != 0)
		return;
	if (r->leaving ? r->names : due)
		rotate(r);
	r->lasting = r->leaving;
	if (r->lasting)
		receive_stop(&r->now.receive);
}

void
recording_rotate(struct recording *r, struct session_state *st, int *code)
{
	struct receive		*now = &r->now.receive;
	struct progress_line	 p;

	progress_init(&p, r->target.o->given[OPT_PROGRESS]);
	for (receive_look(now, st); st->phase != SESSION_ENDED; receive_look(now, st)) {
		tend_before(r, code);
		look_for_incidents(r);
		look_for_the_end(r);
		rotate_if_due(r, st);
		rotation_look(&r->rotation);
		receive_report(now, &p, r->target.tty, st);
		session_wait(r->now.session, TURN_NS, st);
	}
	progress_end(&p);
	for (; r->before.session != NULL; tend_before(r, code)) {
		session_wait(r->before.session, TURN_NS, &(struct session_state){ 0 });
		look_for_the_end(r);
	}
	receive_finish(now);
}

/* Where no room was made and a file ended at once: wait, so that the program is not busy with
   sessions. */
static bool
await_room(const struct recording *r, int64_t failed, bool room)
{
	int64_t	until = !room && failed - r->now.receive.begun < NS_PER_S ? failed + AGAIN_NS : 0;

	while (job_now_ns() < until && !stopping_await(TURN_NS))
		;
	return stopping_count() == 0;
}

bool
recording_recover(struct recording *r)
{
	int64_t		failed = job_now_ns();
	enum begun	begun = NO_FILE;
	struct buf	why = { 0 };
	bool		room = rotation_drop(&r->rotation);

	if (!room)
		message_put("nothing is recorded until there is room");
	while (begun == NO_FILE && await_room(r, failed, room)) {
		buf_clear(&why);
		begun = begin_more(r, &why);
		if (begun == NO_FILE) {
			(void)rotation_drop(&r->rotation);
			(void)stopping_await(NS_PER_S);
		}
	}
	if (begun == BEGUN) {
		recorded_release(&r->now);
		r->now = r->next;
		message_put("%s: recording again; %d s were not recorded", buf_str(&r->now.path),
		    (int)((job_now_ns() - failed + NS_PER_S - 1) / NS_PER_S));
	} else if (begun == NO_SESSION) {
		message_put("the program cannot be recorded any more: %s", buf_str(&why));
	}
	buf_release(&why);
	return begun == BEGUN;
}
