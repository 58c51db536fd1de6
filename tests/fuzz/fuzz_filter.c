/*
 * Fuzz target: a filter expression, compiled without a trace; its terms joined again; and, as
 * they are at hand, the same bytes as a text between quotes, and as a pattern over themselves; the
 * first line also over what is behind it. An error has a clean line and a column inside the text.
 *
 * Corpus: tests/fuzz/corpus/filter.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/regex.h"
#include "tnav/engine/filter.h"

static void
check_line(const struct buf *b)
{
	for (size_t i = 0; i < b->len; i++)
		check((unsigned char)b->p[i] >= 0x20 && b->p[i] != 0x7f);
}

static void
one_filter(const char *text, size_t len, bool strict)
{
	struct filter_error	 e = { 0 };
	struct filter		*f;
	int			 r;

	r = filter_new(&f, text, len, NULL, strict, 0, &e);
	check((r == ERR_OK) == (f != NULL));
	check((r == ERR_OK) == (e.text.len == 0));
	check(e.column <= len);
	check_line(&e.text);
	filter_free(f);
	filter_error_release(&e);
}

/* The terms of an expression cover it in order; joined again, they are as many. */
static void
all_terms(const char *text, size_t len)
{
	struct filter_terms	t, again;
	struct buf		b = { 0 };
	const char		**term;

	if (!filter_terms(&t, text, len))
		return;
	check(t.n > 0);
	term = mem_zalloc(t.n, sizeof *term);
	for (size_t i = 0; i < t.n; i++) {
		check(t.v[i].begin < t.v[i].end && t.v[i].end <= len);
		check(i == 0 || t.v[i - 1].end <= t.v[i].begin);
		term[i] = mem_strndup(text + t.v[i].begin, t.v[i].end - t.v[i].begin);
	}
	filter_join(&b, term, t.n);
	if (memchr(text, '\0', len) == NULL && b.len <= LIMIT_FILTER_LEN) {
		check(filter_terms(&again, b.p, b.len));
		check(again.n == t.n && again.alternatives == t.alternatives);
		filter_terms_release(&again);
	}
	for (size_t i = 0; i < t.n; i++)
		mem_free((void *)(uintptr_t)term[i]);
	mem_free(term);
	filter_terms_release(&t);
	buf_release(&b);
}

static void
one_quote(const char *text, size_t len)
{
	struct buf	b = { 0 };
	char		*name = mem_strndup(text, len);

	buf_puts(&b, "x = ");
	if (filter_quote(&b, text, len)) {
		struct filter_terms	t;

		check_line(&b);
		check(filter_terms(&t, b.p, b.len) && t.n == 1 && t.v[0].end == b.len);
		filter_terms_release(&t);
	}
	buf_clear(&b);
	filter_quote_name(&b, "payload.", name, strlen(name));
	check_line(&b);
	mem_free(name);
	buf_release(&b);
}

/* What must occur in a match does: without looking for it the answer is the same. */
static void
without_literals(const struct regex *re, struct span subject, int found)
{
	struct regex_match	*m = regex_match_new();
	int			 r;

	regex_match_plain(m);
	r = regex_find(re, m, subject, 0, NULL, NULL);
	check(r == found || r == ERR_LIMIT);
	regex_match_free(m);
}

static void
one_regex(const char *text, size_t len, struct span subject)
{
	struct regex_match	*m;
	struct regex		*re;
	struct buf		 why = { 0 };
	size_t			 at, from = 0, to = 0;
	int			 r;

	r = regex_new(&re, text, len, REGEX_SMART, &why, &at);
	check((r == ERR_OK) == (re != NULL));
	check_line(&why);
	buf_release(&why);
	if (re == NULL) {
		check(at <= len);
		return;
	}
	m = regex_match_new();
	r = regex_find(re, m, subject, 0, &from, &to);
	check(r == 0 || r == 1 || r == ERR_LIMIT);
	check(from <= to && to <= subject.len);
	without_literals(re, subject, r);
	regex_match_free(m);
	regex_free(re);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char	*text = (const char *)data;
	const uint8_t	*line = size > 0 ? memchr(data, '\n', size) : NULL;

	one_filter(text, size, size % 2 == 0);
	all_terms(text, size);
	one_quote(text, size);
	one_regex(text, size, (struct span){ data, size });
	if (line != NULL)
		one_regex(text, (size_t)(line - data),
		    (struct span){ line + 1, size - (size_t)(line - data) - 1 });
	return 0;
}
