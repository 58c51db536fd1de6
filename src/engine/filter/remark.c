/*
 * Notes about terms of a filter that no event of the trace can match: most likely a mistake.
 *
 *	id = 99		no type has it		note: matches no event: id = 99
 *	tid = 5		no thread has it	note: matches no event: tid = 5
 *
 * Only terms that depend on types or threads alone are checked: no event is decoded. Properties of
 * threads that are found in the background may not be known yet.
 *
 * Invariant: a reported term is true for no event of the trace.
 */
#include "engine/filter/parse.h"

#include <string.h>
#include <strings.h>

#define TERMS_MOST	64u	/* terms that are checked, each with all types or threads */
#define REPEATED_MOST	60	/* bytes of a term that are repeated in the note */

/* Is the term true for any type, or for events of any thread? */
static bool
term_is_met(struct filter_eval *e, const struct filter_term *term, struct trace *t)
{
	bool		of_thread = term->ref.def->of == OF_THREAD;
	uint32_t	n = of_thread ? trace_threads(t) : trace_types(t);
	bool		met = n == 0 || trace_types(t) == 0;

	for (uint32_t i = 0; i < n && !met; i++) {
		struct event	any = { .thread = i, .capture = i, .cpu = -1 };

		met = of_thread ? filter_match(e, &any) : filter_type_verdict(e, i) != 0;
	}
	return met;
}

static bool
is_looked_at(const struct filter_term *term, struct trace *t)
{
	const struct field_def	*d = term->ref.def;

	return d->kind == FIELD_HEADER && d->of <= OF_THREAD && !term->negate &&
	    term->op != FO_TEXT && term->op != FO_HAS && (d->derived & NEEDS_WHO) == 0 &&
	    field_in_trace(d, t);
}

/* The name of a payload field that differs from the name at most in case, the same name first; or
   NULL. */
static const char *
payload_namesake(struct trace *t, const char *name)
{
	const char	*other = NULL;

	for (uint32_t i = 0; i < trace_types(t); i++) {
		const struct event_type	*type = trace_type(t, i);

		for (uint32_t k = 0; k < type->nfields; k++) {
			if (strcmp(type->fields[k].name, name) == 0)
				return type->fields[k].name;
			if (other == NULL && strcasecmp(type->fields[k].name, name) == 0)
				other = type->fields[k].name;
		}
	}
	return other;
}

static void
remark_term(struct parser *p, struct filter_term *term)
{
	struct filter_node	 nodes[2] = { { .kind = NODE_AND }, { .kind = NODE_TERM } };
	struct filter		 one = { .nodes = nodes, .terms = term, .root = 1, .nnodes = 2,
				     .nterms = 1 };
	struct filter_eval	*e = filter_eval_new(&one, p->t);
	size_t			 len = term->end - term->column;
	const char		*other;

	if (!term_is_met(e, term, p->t)) {
		other = payload_namesake(p->t, term->ref.def->name);
		parse_note(p, term->column, "matches no event: %.*s%s%s%s",
		    (int)(len < REPEATED_MOST ? len : REPEATED_MOST), p->s + term->column,
		    len > REPEATED_MOST ? "..." : "", other != NULL ? "; the field of payloads is "
		    "payload." : "", other != NULL ? other : "");
	}
	filter_eval_free(e);
}

void
parse_remarks(struct parser *p)
{
	const struct filter	*f = p->f;

	for (size_t i = 0; i < f->nterms && i < TERMS_MOST && p->err->text.len == 0; i++)
		if (is_looked_at(&f->terms[i], p->t))
			remark_term(p, &f->terms[i]);
	parse_presence(p);
}
