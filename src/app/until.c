/*
 * --until, --when: the events in file order, each checked as it arrives.
 *
 *	file	|  checked  | the newest piece | still to come |
 *	           safe ----^
 *
 * The newest piece may grow: it is checked again until another one follows it.
 *
 * A counter is two filters: one for all its values, one for those beyond the limit. It matches once
 * all its values of so long a time were beyond it.
 *
 * Invariant: all events before safe were checked, and none of them matched.
 */
#include "app/until.h"

#include <string.h>

#include "app/exit.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"

#define EVENTS_MOST	65536u		/* per step */
#define NS_PER_S	INT64_C(1000000000)

struct until_counter {
	char	*values, *beyond;	/* filters */
	int64_t	 hold_ns;
	bool	 any, holds;		/* a value was seen; it was beyond, */
	bool	 matched;		/* ... for long enough: not again before one that was not */
	int64_t	 last_ts, since_ts;	/* of the newest value; of the first beyond */
};

struct until {
	struct trace		*t;
	const char		*text;
	struct filter		*filter;
	struct filter_eval	*eval;
	struct filter		*after;		/* or NULL */
	struct filter_eval	*after_eval;
	bool			 begun;		/* an event has matched it, at this time */
	int64_t			 begun_ts;
	struct until_counter	*counter;	/* or NULL; after is for its values */
	uint32_t		 types;		/* number of types when eval was made */
	struct file_pos		 safe;
	struct event		*ev;
	bool			 reached;
};

static int
compile(struct filter **f, const char *text, struct trace *t, struct buf *why)
{
	struct filter_error	e = { 0 };
	int			rc;

	rc = filter_new(f, text, strlen(text), t, false, 0, &e);
	if (rc < 0 && why != NULL)
		buf_puts(why, buf_str(&e.text));
	filter_error_release(&e);
	return rc;
}

/* ---- counters */

/* "NAME OP NUMBER [for TIME]": the first three words, their lengths, and the rest. */
static bool
read_words(const char *text, size_t len[3], const char *word[3], const char **rest)
{
	static const char	blanks[] = " \t", ops[] = "<>=";

	for (unsigned i = 0; i < 3; i++) {
		text += strspn(text, blanks);
		word[i] = text;
		len[i] = i == 1 ? strspn(text, ops) : strcspn(text, i == 0 ? " \t<>=" : blanks);
		if (len[i] == 0)
			return false;
		text += len[i];
	}
	*rest = text + strspn(text, blanks);
	return true;
}

static bool
is_name_and_number(const char *const word[3], const size_t len[3])
{
	static const char	name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._", digits[] = "0123456789";
	size_t			 whole = strspn(word[2], digits), part = 0;

	if (whole > 0 && word[2][whole] == '.')
		part = 1 + strspn(word[2] + whole + 1, digits);
	return strspn(word[0], name) >= len[0] && part != 1 && whole > 0 &&
	    whole + part == len[2] &&
	    (len[1] == 1 || (len[1] == 2 && word[1][1] == '=')) && word[1][0] != '=';
}

struct until_counter *
until_counter_new(const char *text)
{
	static const char	*const value[] = { "Mean", "Increment" };
	struct until_counter	*c;
	const char		*word[3], *rest;
	size_t			 len[3];
	int64_t			 hold_ns = 0;
	struct buf		 values = { 0 }, beyond = { 0 };

	if (!read_words(text, len, word, &rest) || !is_name_and_number(word, len))
		return NULL;
	if (*rest == '\0' ? memchr(word[0], '-', len[0]) == NULL :
	    strncmp(rest, "for ", 4) != 0 ||
	    units_parse_dur(rest + 4, strlen(rest + 4), NS_PER_S, &hold_ns) != 0)
		return NULL;
	buf_printf(&values, "name = EventCounters and payload.Payload.Name = \"%.*s\"",
	    (int)len[0], word[0]);
	buf_printf(&beyond, "%s and (", buf_str(&values));
	for (size_t i = 0; i < 2; i++)
		buf_printf(&beyond, "%spayload.Payload.%s %.*s %.*s", i > 0 ? " or " : "",
		    value[i], (int)len[1], word[1], (int)len[2], word[2]);
	buf_putc(&beyond, ')');
	c = mem_zalloc(1, sizeof *c);
	c->hold_ns = hold_ns;
	c->values = mem_strdup(buf_str(&values));
	c->beyond = mem_strdup(buf_str(&beyond));
	buf_release(&values);
	buf_release(&beyond);
	return c;
}

void
until_counter_free(struct until_counter *c)
{
	if (c == NULL)
		return;
	mem_free(c->values);
	mem_free(c->beyond);
	mem_free(c);
}

/* Events are met again: those of the newest piece, and those of two sessions at a time. */
static bool
counter_holds(struct until *u, const struct event *e)
{
	struct until_counter	*c = u->counter;
	bool			 held_before = c->holds;

	if ((c->any && e->ts <= c->last_ts) || !filter_match(u->after_eval, e))
		return false;
	c->any = true;
	c->last_ts = e->ts;
	c->holds = filter_match(u->eval, e);
	if (c->holds && !held_before)
		c->since_ts = e->ts;
	if (!c->holds || c->matched || trace_dur(u->t, c->since_ts, e->ts) < c->hold_ns) {
		c->matched = c->matched && c->holds;
		return false;
	}
	c->matched = true;
	return true;
}

/* ---- the search */

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

int
until_option(const char *option, const char *filter)
{
	struct buf	why = { 0 };
	int		code = 0;

	if (filter == NULL)
		return 0;
	if (!until_check(filter, &why))
		code = exit_usage("%s: %s", option, buf_str(&why));
	buf_release(&why);
	return code;
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

struct until *
until_new_counter(struct trace *t, struct until_counter *c)
{
	struct until	*u = until_new(t, c->beyond, c->values);

	if (u != NULL)
		u->counter = c;
	return u;
}

void
until_note(const struct until *u, struct buf *out)
{
	struct filter_error	e = { 0 };
	struct filter		*f;

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
	if (u->counter != NULL)
		return counter_holds(u, e);
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
	while (!u->reached && n != 0 && job_now_ns() < until) {
		struct file_pos	before = at;

		n = trace_file_next(u->t, &at, u->ev, EVENTS_MOST);
		if (n != 0)
			u->safe = before;
		for (int i = 0; i < n && !u->reached; i++)
			u->reached = is_found(u, &u->ev[i]);
	}
	return u->reached;
}
