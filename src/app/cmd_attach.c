/*
 * tnav attach: the viewer on what running programs send.
 *
 *	target -> session -> received.c: a file		-> trace -> viewer
 *	target -> session -> received.c: another file	-> trace -/   several: joined, one list
 *	-> two more sessions (names.c) -> names of what was and is compiled -> viewer
 *	program ends, starts again -> begin_next(): a session, a file -> the viewer again
 *
 * What the user does to the session is done to all. One that ends is reported, the others go on.
 *
 * Invariant: `next` belongs to the thread that calls begin_next() until that returns true, then to
 * the viewer. A struct attach stays allocated until that thread has ended.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/export.h"
#include "app/expressions.h"
#include "app/names.h"
#include "app/opening.h"
#include "app/recording_several.h"
#include "app/run.h"
#include "app/received.h"
#include "app/stopping.h"
#include "app/target.h"
#include "app/unheard.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/joined.h"
#include "tnav/io/paths.h"
#include "tnav/out/message.h"
#include "tnav/ui/ui.h"

#define INDEX_MS	5000		/* for the last events to be read */

/* A session of a program. */
struct attach {
	struct target		*target;
	char			 what[16];	/* "_stacks", "_heap2": in its names; or empty */
	struct received		 file;
	struct receive		 receive;
	struct session		*session;
	struct session_state	 st;		/* as it was looked at last */
	struct opening		 opening;	/* path NULL: it was not begun */
	struct trace		*t;		/* or NULL; freed as a part of what is shown */
	struct attach_names	*names;		/* or NULL */
	bool			 end_reported;
	struct attach		*next;		/* the next session of the program */
};

/* More than the first session records. */
enum more { MORE_NOTHING, MORE_STACKS, MORE_HEAP };

/* What the viewer shows at a time: a session of each program. */
struct shown {
	const struct options	*o;
	struct attach		**of;
	size_t			 n;
	struct trace		*t;		/* that of the only one, or all of them joined */
	bool			 stops;		/* the user has stopped them */
	bool			 goes_on;	/* continue the viewer with `next` */
	enum more		 records, wants;	/* wants: in the next sessions */
	unsigned		 number;	/* of sessions with more before */
	struct buf		 missed;	/* why the next run cannot be shown */
	const char		**over;		/* of several: how each has ended, so far */
	size_t			 nover, over_cap;
	struct buf		 cut;		/* of several: whose end is missing */
};

static struct attach *
attach_new(struct target *t, const struct keeping *keep)
{
	struct attach	*a = mem_zalloc(1, sizeof *a);

	a->file = received_none(t->o, keep);
	a->target = t;
	return a;
}

static void
attach_free(struct attach *a)
{
	if (a == NULL)
		return;
	received_release(&a->file);
	mem_free(a);
}

static int
open_file(struct attach *a)
{
	struct buf	why = { 0 };
	bool		good;

	good = received_make(&a->file, a->target, a->what, &why);
	if (!good)
		message_put("%s", buf_str(&why));
	buf_release(&why);
	return good ? 0 : EXIT_OUTPUT;
}

/* ---- the next run of the program */

/* Called by the thread that serves the port. */
static bool
begin_next(void *self, struct buf *why)
{
	struct attach	*a = self, *n;
	bool		 good;

	while (a->next != NULL)
		a = a->next;
	n = attach_new(a->target, &a->file.keep);
	n->receive = receive_like(&a->receive);
	target_take(a->target);
	good = received_make(&n->file, a->target, n->what, why) &&
	    target_start_again(a->target, &n->session, received_fd(&n->file), why);
	if (!good) {			/* this run is not received; the next one may be */
		received_drop(&n->file);
		attach_free(n);
		return false;
	}
	receive_begin(&n->receive, n->session);
	a->next = n;
	return true;
}

/* Look whether the program has started again, once its session has ended. */
static void
look_next(struct shown *g, struct attach *a, struct ui_live_state *out)
{
	struct next_run		*next = &a->target->next_run;
	struct session_state	 st;

	if (a->st.phase != SESSION_ENDED || a->receive.stopped != 0 || a->st.write_error != 0 ||
	    !target_may_come_again(a->target))
		return;
	next_run_want(next);
	out->next = UI_LIVE_WAITS;
	buf_clear(&g->missed);
	if (next_run_take_problem(next, &g->missed))
		out->missed = buf_str(&g->missed);
	if (!next_run_has_begun(next))
		return;
	out->next = UI_LIVE_AGAIN;
	receive_look(&a->next->receive, &st);	/* checks the limits of `next` while the old
						   trace is shown */
}

/* ---- functions for the viewer */

static void
look_names(struct attach *a, struct ui_live_state *out)
{
	static const enum names_when	when[UI_NAMES] = {
		[UI_NAMES_BEFORE] = NAMES_BEFORE, [UI_NAMES_SINCE] = NAMES_SINCE,
	};

	for (unsigned i = 0; a->names != NULL && i < UI_NAMES; i++) {
		out->names[i].t = names_trace(a->names, when[i]);
		out->names[i].why = names_problem(a->names, when[i]);
	}
}

/* How has one of several programs ended? */
static void
put_end(const struct attach *a, struct buf *out)
{
	target_put(a->target, out);
	if (a->st.write_error != 0)
		buf_printf(out, ": its trace cannot be written: %s", strerror(a->st.write_error));
	else if (a->st.whole)
		buf_puts(out, ": the session ended, its trace is complete");
	else if (a->receive.silent)
		buf_puts(out, " sent nothing for 10 s: its trace has no end");
	else
		buf_puts(out, " ended or hung up: its trace has no end");
}

/* Once, what the user has not asked for. */
static void
tell_end(struct shown *g, struct attach *a)
{
	struct buf	b = { 0 };

	if (a->end_reported || a->st.phase != SESSION_ENDED)
		return;
	a->end_reported = true;
	if (g->stops && a->st.whole)
		return;
	put_end(a, &b);
	ARRAY_ADD(g->over, g->nover, g->over_cap, mem_strdup(buf_str(&b)));
	buf_release(&b);
}

static void
look_at(struct attach *a, struct ui_live_state *out)
{
	struct session_state	*st = &a->st;
	unsigned		 phase;

	receive_look(&a->receive, st);
	keeping_look(&a->file.keep, a->t, received_fd(&a->file));
	phase = st->phase == SESSION_ENDED ? UI_LIVE_ENDED :
	    st->phase == SESSION_STOPPING ? UI_LIVE_STOPS : UI_LIVE_RUNS;
	if (phase < out->phase)
		out->phase = phase;
	out->running += phase != UI_LIVE_ENDED;
	out->whole &= st->whole;
	out->silent |= a->receive.silent;
	out->bytes += st->received;
	out->last_ns = st->last_ns > out->last_ns ? st->last_ns : out->last_ns;
	if (a->file.memory >= 0)
		out->note = "no folder can be written: the trace is in memory, and gone at the end "
		    "(:w FILE keeps it)";
	if (keeping_lets_go(&a->file.keep))
		out->kept = a->file.keep.words;
	if (st->write_error != 0)
		out->problem = strerror(st->write_error);
}

/* Stop those that run. False: there are none. */
static bool
stop_running(struct shown *g)
{
	bool	any = false;

	for (size_t i = 0; i < g->n; i++) {
		if (g->of[i]->receive.stopped != 0)
			continue;
		receive_stop(&g->of[i]->receive);
		any = true;
	}
	return any;
}

static void
look_at_several(struct shown *g, struct ui_live_state *out)
{
	bool	found = false;

	buf_clear(&g->cut);
	for (size_t i = 0; i < g->n; i++) {
		struct attach	*a = g->of[i];

		found |= a->receive.arrived;
		tell_end(g, a);
		if (!a->end_reported || a->st.whole)
			continue;
		buf_puts(&g->cut, g->cut.len > 0 ? ", " : "");
		target_put(a->target, &g->cut);
	}
	if (found)			/* --until: in one of them */
		(void)stop_running(g);
	out->over = g->over;
	out->nover = g->nover;
	out->cut = g->cut.len > 0 ? buf_str(&g->cut) : NULL;
}

static void
look(void *self, struct ui_live_state *out)
{
	struct shown	*g = self;

	*out = (struct ui_live_state){ .phase = UI_LIVE_ENDED, .whole = true,
	    .programs = (unsigned)g->n };
	for (size_t i = 0; i < g->n; i++)
		look_at(g->of[i], out);
	if (g->n > 1) {
		look_at_several(g, out);
		return;
	}
	look_names(g->of[0], out);
	look_next(g, g->of[0], out);
}

static void
stop(void *self)
{
	struct shown	*g = self;

	g->stops = true;
	if (stop_running(g))
		return;
	for (size_t i = 0; i < g->n; i++)
		receive_stop(&g->of[i]->receive);
}

/* Give the trace of a program the name; of several, the one that `record -o PATH` would give it. */
static bool
keep_one(struct attach *a, const char *path, bool several, bool replace, struct buf *names,
    struct buf *why)
{
	struct buf	name = { 0 }, reason = { 0 };
	bool		good;

	if (several)
		several_name_file(&name, path, span_of_buf(&a->target->name), a->target->pid,
		    true);
	else
		buf_puts(&name, path);
	good = received_name(&a->file, buf_str(&name), replace, &reason);
	buf_printf(names, "%s%s", names->len > 0 ? ", " : "",
	    names->len > 0 ? text_base_name(buf_str(&name)) : buf_str(&name));
	if (!good)
		buf_printf(why, "%s%s: %s", why->len > 0 ? ", " : "", buf_str(&name),
		    buf_str(&reason));
	buf_release(&name);
	buf_release(&reason);
	return good;
}

static bool
keep(void *self, const char *path, bool replace, struct buf *answer)
{
	struct shown	*g = self;
	struct buf	 names = { 0 };
	bool		 good = true;

	for (size_t i = 0; i < g->n; i++)
		good &= keep_one(g->of[i], path, g->n > 1, replace, &names, answer);
	if (good)
		buf_puts(answer, buf_str(&names));
	buf_release(&names);
	return good;
}

static void
discard(void *self)
{
	struct shown	*g = self;

	for (size_t i = 0; i < g->n; i++)
		g->of[i]->file.discarded = true;
}

static void
go_on(void *self)
{
	struct shown	*g = self;

	g->goes_on = true;
}

static void
record_stacks(void *self)
{
	struct shown	*g = self;

	g->wants = MORE_STACKS;
}

static void
record_heap(void *self)
{
	struct shown	*g = self;

	g->wants = MORE_HEAP;
}

/* ---- opening */

/* The trace is called as its file; one of several as its program, in fewer letters. */
static int
begin_opening(struct attach *a, bool several, const struct trace_options *o)
{
	const struct target	*t = a->target;
	struct buf		 name = { 0 };
	bool			 good;

	if (several)
		target_put_name(t->name.p, t->name.len, &name);
	else
		buf_puts(&name, buf_str(&a->file.path));
	if (several && t->pid != 0)
		buf_printf(&name, "_%" PRIu64, t->pid);
	buf_puts(&name, several ? a->what : "");
	good = opening_begin_fd(&a->opening, buf_str(&name), received_fd(&a->file), a->session, o);
	if (!good) {
		a->opening.path = NULL;
		message_put("%s: %s", buf_str(&name), strerror(errno));
	}
	buf_release(&name);
	return good ? 0 : EXIT_OUTPUT;
}

/* Wait until the program sends the first bytes. Until then a signal cancels; of several programs,
   this one. */
static int
await_opening(struct attach *a, bool several)
{
	struct opening		*x = &a->opening;
	struct session_state	 st;
	struct progress_line	 p;
	struct buf		 name = { 0 }, waits = { 0 };
	int			 code = 0;

	target_put(a->target, &name);
	buf_printf(&waits, "waiting for the first events of %s; Ctrl-C %s",
	    several ? buf_str(&name) : "the program", several ? "goes on without it" : "stops");
	progress_init(&p, false);
	while (!task_done(&x->task)) {
		receive_look(&a->receive, &st);
		progress_tick(&p, buf_str(&waits), st.received, 0);
		receive_signals(&a->receive);
		session_wait(a->session, INT64_C(20000000), &st);
	}
	progress_end(&p);
	task_halt(&x->task);
	a->t = x->t;
	if (x->err < 0) {
		message_put("the stream of %s cannot be read: %s", buf_str(&name),
		    buf_str(&x->why));
		code = x->err == ERR_NOMEM || x->err == ERR_LIMIT ? EXIT_RESOURCE : EXIT_USAGE;
	}
	buf_release(&name);
	buf_release(&waits);
	opening_release(x);
	return code;
}

/* Make one list of those that were opened. 0: there is none. */
static size_t
join(struct shown *g, const struct trace_options *o)
{
	struct trace	**v = mem_zalloc(g->n, sizeof(struct trace *));
	struct buf	  why = { 0 };
	size_t		  n = 0;

	for (size_t i = 0; i < g->n; i++)
		if (g->of[i]->t != NULL)
			v[n++] = g->of[i]->t;
	g->t = n == 1 ? v[0] : NULL;
	if (n > 1 && trace_join(&g->t, v, n, &(struct trace_join){ .clock = CLOCK_AUTO }, o,
	    &why) < 0) {
		message_put("%s", buf_str(&why));
		for (size_t i = 0; i < g->n; i++)
			g->of[i]->t = NULL;
		n = 0;
	}
	buf_release(&why);
	mem_free(v);
	return n;
}

static int
await_traces(struct shown *g, const struct trace_options *o)
{
	int	code = 0;

	for (size_t i = 0; i < g->n; i++)
		exit_worsen(&code, begin_opening(g->of[i], g->n > 1, o));
	for (size_t i = 0; i < g->n; i++)
		if (g->of[i]->opening.path != NULL)
			exit_worsen(&code, await_opening(g->of[i], g->n > 1));
	return join(g, o) > 0 ? 0 : code != 0 ? code : EXIT_RESOURCE;
}

/* ---- the session */

static void
begin_names(struct attach *a)
{
	struct buf	folder = { 0 };

	if (target_wants_names(a->target) && paths_live(&folder))
		a->names = names_begin(&a->target->peer, a->session, buf_str(&folder));
	buf_release(&folder);
}

static void
begin_trace(struct shown *g)
{
	(void)trace_follow(g->t, true, NULL);
	trace_index_start(g->t);
	for (size_t i = 0; i < g->n; i++) {
		struct attach	*a = g->of[i];

		if (g->o->given[OPT_UNTIL] && a->t != NULL)
			a->receive.until = until_new(a->t, g->o->text[OPT_UNTIL], NULL);
		if (g->n == 1)
			begin_names(a);
	}
}

static int
view(struct shown *g)
{
	const struct target	*first = g->of[0]->target;
	struct trace_options	 to = run_trace_options(g->o);
	struct expressions	 filters;
	struct ui_live		 live = { g, look, stop, keep, discard, go_on,
				    choice_collect(first->choice)->no_stacks, record_stacks,
				    record_heap };
	struct ui_options	 ui = {
		.script_file = g->o->text[OPT_SCRIPT],
		.export = &app_export,
		.subcommands = true,
		.reopen = &to,
		.state = true,
		.color = (enum ui_color)g->o->choice[OPT_COLOR],
		.utc = g->o->given[OPT_UTC],
		.live = &live,
	};
	int			 code = expressions_init(&filters, g->o);

	if (g->records == MORE_HEAP)
		ui.script = "all ; heap";
	to.eager = true;
	if (code == 0)
		code = await_traces(g, &to);
	if (code == 0) {
		if (filters.n > 0)
			ui.filter = buf_str(&filters.all);
		begin_trace(g);
		code = ui_run(g->t, &ui);
	}
	expressions_release(&filters);
	return code;
}

/* The viewer has quit, or a signal has arrived: end the session. */
static void
receive_rest(struct attach *a)
{
	a->receive.taken = stopping_count();
	a->receive.leaving = true;
	receive_all(&a->receive, a->target->tty, &a->st);
}

static int
end_session(struct attach *a)
{
	names_end(a->names);
	session_free(a->session);
	return received_end(&a->file, &a->receive, &a->st);
}

/* The sessions have ended: what is said of the traces, before they are closed. */
static void
end_traces(struct shown *g)
{
	bool	all = g->t != NULL && trace_index_wait(g->t, INDEX_MS);

	for (size_t i = 0; i < g->n; i++) {
		struct attach	*a = g->of[i];

		if (all && a->t != NULL)
			unheard_tell(a->target->choice, a->t, a->target->pid, false);
		until_free(a->receive.until);
		received_replace(&a->file, &a->receive, a->t);
	}
	trace_close(g->t);
	g->t = NULL;
}

/* Run the viewer on sessions until both have ended. */
static int
attach_to(struct shown *g)
{
	int	code;

	g->wants = MORE_NOTHING;
	g->goes_on = g->stops = false;
	code = view(g);
	(void)stop_running(g);
	for (size_t i = 0; i < g->n; i++)
		receive_rest(g->of[i]);
	end_traces(g);
	for (size_t i = 0; i < g->n; i++)
		exit_worsen(&code, end_session(g->of[i]));
	while (g->nover > 0)
		mem_free((char *)(uintptr_t)g->over[--g->nover]);
	return code;
}

/* End a run that the viewer has not shown. */
static int
leave(struct attach *a)
{
	receive_stop(&a->receive);
	receive_rest(a);
	return end_session(a);
}

/* Make `next` a session of the same run, with what is wanted. */
static bool
begin_more(const struct shown *g, struct attach *a)
{
	struct attach	*n = attach_new(a->target, &a->file.keep);
	int		 rc;

	a->next = n;
	n->receive = receive_like(&a->receive);
	if (g->records == MORE_HEAP)
		(void)snprintf(n->what, sizeof n->what, "_heap%u", g->number);
	else
		(void)snprintf(n->what, sizeof n->what, "_stacks");
	if (open_file(n) != 0)
		return false;
	rc = (g->records == MORE_STACKS ? target_start_stacks : target_start_heap)(a->target,
	    &n->session, received_fd(&n->file));
	if (rc == 0) {
		receive_begin(&n->receive, n->session);
		return true;
	}
	received_drop(&n->file);
	return false;
}

/* Go on with other sessions. False: there are none. */
static bool
continues(struct shown *g)
{
	size_t	n = 0;

	g->records = g->wants;
	if (g->wants == MORE_NOTHING) {
		if (!g->goes_on)
			return false;
		next_run_go_on(&g->of[0]->target->next_run);
		g->of[0] = g->of[0]->next;
		return true;
	}
	g->number++;
	for (size_t i = 0; i < g->n; i++)
		if (begin_more(g, g->of[i]))
			g->of[n++] = g->of[i]->next;
	g->n = n;
	return n > 0;
}

/* ---- the programs */

/* A program, and its sessions. */
struct attached {
	struct options	 o;		/* of it alone */
	struct target	 target;
	struct attach	*first;
};

/* Can this not be asked of several programs? A message says what. */
static bool
is_refused(const struct options *o, const struct keeping *keep)
{
	if (several_is_refused(o))
		return true;
	if (!o->given[OPT_KEEP_LAST] || keep->words[0] == '\0')
		return false;
	message_put("--keep: of several programs everything is kept: give --keep all, or none; "
	    "--duration and --max-size end their sessions");
	return true;
}

static int
find_program(struct attached *p, const struct options *o, size_t i, const struct keeping *keep)
{
	int	code;

	p->o = *o;
	if (o->nfiles > 1) {
		p->o.files = &o->files[i];
		p->o.nfiles = 1;
	}
	target_init(&p->target, &p->o);
	p->first = attach_new(&p->target, keep);
	code = receive_limits(&p->first->receive, &p->o);
	if (code == 0)
		code = target_choose(&p->target, "attach", false);
	if (code == 0 && i == 0)
		code = target_ask(&p->target);
	if (code == 0)
		code = target_find(&p->target);
	p->first->receive.host = remote_host(&p->target.remote);
	return code;
}

/* Is it given twice, as by its name and its id? */
static bool
is_twice(const struct attached *p, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (p[k].target.pid != 0 && p[k].target.pid == p[i].target.pid)
			return true;
	return false;
}

/* Start its first session. */
static int
begin_program(struct attached *p)
{
	struct attach	*a = p->first;
	struct target	*t = &p->target;
	int		 code = 0;

	t->next_run.self = a;
	t->next_run.begin = target_may_come_again(t) ? begin_next : NULL;
	do {
		if (code == 0)
			code = open_file(a);
		if (code == 0)
			code = target_start(t, &a->session, received_fd(&a->file), -1);
		if (code != 0)
			received_drop(&a->file);
	} while (target_find_another(t, &code));
	if (code == 0)
		receive_begin(&a->receive, a->session);
	return code;
}

/* Start a session of each, and show them, one after another. */
static int
attach(struct shown *g, struct attached *p, size_t n)
{
	int	code = 0, one;

	for (size_t i = 0; i < n; i++) {
		if (is_twice(p, i))
			continue;
		one = begin_program(&p[i]);
		exit_worsen(&code, one);
		if (one == 0)
			g->of[g->n++] = p[i].first;
	}
	if (g->n == 0)
		return code;
	do
		one = attach_to(g);
	while (continues(g));
	exit_worsen(&code, one);	/* the last one's end is that of the program */
	for (size_t i = 0; i < n; i++) {
		next_run_want_no_more(&p[i].target.next_run);
		target_tend_no_more(&p[i].target);
		remote_end(&p[i].target.remote);
	}
	if (g->n == 1 && next_run_has_begun(&g->of[0]->target->next_run))
		exit_worsen(&code, leave(g->of[0]->next));
	return code;
}

static void
attached_release(struct attached *p)
{
	struct attach	*next;

	target_release(&p->target);
	for (struct attach *a = p->first; a != NULL; a = next) {
		next = a->next;
		attach_free(a);
	}
}

int
subcommand_attach(const struct options *o)
{
	size_t		 n = o->nfiles > 1 ? o->nfiles : 1, found = 0;
	struct shown	 g = { .o = o };
	struct keeping	 keep;
	struct attached	*p;
	int		 code;

	if (isatty(STDOUT_FILENO) != 1)
		return exit_usage("attach needs a terminal; `tnav record` writes to a file");
	code = keeping_read(&keep, o);
	if (code == 0 && n > 1 && is_refused(o, &keep))
		code = EXIT_USAGE;
	if (code != 0)
		return code;
	keep.whole = n > 1;
	p = mem_zalloc(n, sizeof *p);
	g.of = mem_zalloc(n, sizeof *g.of);
	stopping_begin();
	while (found < n && code == 0) {
		code = find_program(&p[found], o, found, &keep);
		found++;
	}
	if (code == 0)
		code = attach(&g, p, n);
	child_signal(&p->target.child, SIGTERM);
	code = target_code(&p->target, code);
	for (size_t i = 0; i < found; i++)
		attached_release(&p[i]);
	mem_free(g.of);
	mem_free(g.over);
	buf_release(&g.missed);
	buf_release(&g.cut);
	mem_free(p);
	return code;
}
