/*
 * --until FILTER: the events in file order, each checked as it arrives.
 *
 *	file	|  checked  | the newest piece | still to come |
 *	           safe ----^
 *
 * The newest piece may grow: it is checked again until another one follows it.
 *
 * Invariant: all events before safe were checked, and none of them matched.
 */
#include "app/until.h"

#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"

#define EVENTS_MOST	65536u		/* per step */

struct until {
	struct trace		*t;
	const char		*text;
	struct filter		*filter;
	struct filter_eval	*eval;
	struct filter		*after;		/* or NULL */
	struct filter_eval	*after_eval;
	bool			 begun;		/* an event has matched it, at this time */
	int64_t			 begun_ts;
	uint32_t		 types;		/* number of types when eval was made */
	struct file_pos		 safe;
	struct event		*ev;
	bool			 found;
};

static int
compile(struct filter **f, const char *text, struct trace *t, struct buf *why)
{
	struct filter_error	e;
	int			rc;

	filter_error_init(&e);
	rc = filter_new(f, text, strlen(text), t, false, 0, &e);
	if (rc < 0 && why != NULL)
		buf_puts(why, buf_str(&e.text));
	filter_error_release(&e);
	return rc;
}

bool
until_check(const char *filter, struct buf *why)
{
	struct filter	*f;
	bool		 good;

	if (compile(&f, filter, NULL, why) < 0)
		return false;
	good = filter_is_immediate(f, HAS_OF_RUNTIME, why);
	filter_free(f);
	return good;
}

struct until *
until_new(struct trace *t, const char *filter, const char *after)
{
	struct until	*u = mem_zalloc(1, sizeof *u);

	u->t = t;
	u->text = filter;
	if (compile(&u->filter, filter, t, NULL) < 0 ||
	    (after != NULL && compile(&u->after, after, t, NULL) < 0)) {
		until_free(u);
		return NULL;
	}
	u->ev = mem_zalloc(EVENTS_MOST, sizeof *u->ev);
	return u;
}

void
until_note(const struct until *u, struct buf *out)
{
	struct filter_error	e;
	struct filter		*f;

	filter_error_init(&e);
	(void)filter_new(&f, u->text, strlen(u->text), u->t, true, 0, &e);
	filter_free(f);
	buf_add(out, e.text.p, e.text.len);
	filter_error_release(&e);
}

void
until_free(struct until *u)
{
	if (u == NULL)
		return;
	filter_eval_free(u->eval);
	filter_eval_free(u->after_eval);
	filter_free(u->filter);
	filter_free(u->after);
	mem_free(u->ev);
	mem_free(u);
}

/* Make eval again if there are new types, which it does not know. */
static void
renew_eval(struct until *u)
{
	uint32_t	types = trace_types(u->t);

	if (u->eval != NULL && types == u->types)
		return;
	filter_eval_free(u->eval);
	u->eval = filter_eval_new(u->filter, u->t);
	filter_eval_free(u->after_eval);
	u->after_eval = u->after != NULL ? filter_eval_new(u->after, u->t) : NULL;
	u->types = types;
}

/* The newest piece is read again: an event counts by its time, not by its place. */
static bool
is_found(struct until *u, const struct event *e)
{
	if (u->after == NULL)
		return filter_match(u->eval, e);
	if (!u->begun && filter_match(u->after_eval, e)) {
		u->begun = true;
		u->begun_ts = e->ts;
	}
	return u->begun && e->ts > u->begun_ts && filter_match(u->eval, e);
}

bool
until_look(struct until *u, int64_t budget_ns)
{
	int64_t		until = job_now_ns() + budget_ns;
	struct file_pos	at = u->safe;
	int		n = 1;

	renew_eval(u);
	while (!u->found && n != 0 && job_now_ns() < until) {
		struct file_pos	before = at;

		n = trace_file_next(u->t, &at, u->ev, EVENTS_MOST);
		if (n != 0)
			u->safe = before;
		for (int i = 0; i < n && !u->found; i++)
			u->found = is_found(u, &u->ev[i]);
	}
	return u->found;
}
