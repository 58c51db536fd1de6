/*
 * Joining expressions, and splitting them at "and" of the top level.
 *
 *	a = 1 and (b = 2 or c = 3) and /x/	three terms
 *	a = 1 and b = 2 or c = 3		one: `or` binds less
 *
 * Invariant: the terms of an expression, joined again, have the same meaning.
 */
#include <string.h>

#include "engine/filter/parse.h"
#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

bool
filter_terms(struct filter_terms *out, const char *text, size_t len)
{
	struct filter_error	 err = { 0 };
	struct parser		 p = { .s = text, .len = len, .err = &err, .terms = out };

	*out = (struct filter_terms){ .v = NULL };
	if (len > LIMIT_FILTER_LEN)
		return false;
	p.f = mem_zalloc(1, sizeof *p.f);
	parse_expression(&p);
	out->steps = p.steps;
	filter_free(p.f);
	filter_error_release(&err);
	if (p.result != ERR_OK) {
		filter_terms_release(out);
		return false;
	}
	if (out->alternatives) {	/* an `or` at the top level: one term */
		out->v[0].end = out->v[out->n - 1].end;
		out->n = 1;
	}
	return true;
}

void
filter_terms_release(struct filter_terms *t)
{
	mem_free(t->v);
	*t = (struct filter_terms){ .v = NULL };
}

/* Would a bracket after the expression close one in its last value, as in `name ~ a(b`? */
static bool
ends_open(const char *expr, size_t len)
{
	size_t	open = 0;

	for (size_t i = len; i > 0 && strchr(" \t\r\n", expr[i - 1]) == NULL; i--)
		open += expr[i - 1] == '(';
	return open > 0;
}

static bool
needs_brackets(const char *expr, size_t len, size_t most)
{
	struct filter_terms	t;
	bool			needs;

	needs = !filter_terms(&t, expr, len) || t.alternatives || t.n > most;
	filter_terms_release(&t);
	return needs;
}

static void
put_wrapped(struct buf *out, const char *expr, size_t len, bool wrap)
{
	buf_puts(out, wrap ? "(" : "");
	buf_add(out, expr, len);
	if (wrap)
		buf_puts(out, ends_open(expr, len) ? " )" : ")");
}

void
filter_join(struct buf *out, const char *const *exprs, size_t n)
{
	size_t	some = 0, start = out->len;

	for (size_t i = 0; i < n; i++)
		some += exprs[i] != NULL && exprs[i][0] != '\0';
	for (size_t i = 0; i < n; i++) {
		size_t	len = exprs[i] != NULL ? strlen(exprs[i]) : 0;
		bool	wrap = len > 0 && some > 1 && needs_brackets(exprs[i], len, SIZE_MAX);

		if (len == 0)
			continue;
		buf_puts(out, out->len > start ? " and " : "");
		put_wrapped(out, exprs[i], len, wrap);
	}
}

void
filter_negate(struct buf *out, const char *expr)
{
	size_t	len = strlen(expr);

	buf_puts(out, "not ");
	put_wrapped(out, expr, len, needs_brackets(expr, len, 1));
}
