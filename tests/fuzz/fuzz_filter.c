/*
 * Fuzz target: a filter expression, compiled without a trace; and, as it is at hand, the same
 * bytes as a pattern over themselves. An error has a clean line and a column inside the text.
 *
 * Corpus: tests/fuzz/corpus/filter.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tnav/base/err.h"
#include "tnav/base/regex.h"
#include "tnav/engine/filter.h"

int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(bool good)
{
	if (!good)
		abort();
}

static void
check_line(const struct buf *b)
{
	for (size_t i = 0; i < b->len; i++)
		check((unsigned char)b->p[i] >= 0x20 && b->p[i] != 0x7f);
}

static void
one_filter(const char *text, size_t len, bool strict)
{
	struct filter_error	 e;
	struct filter		*f;
	int			 r;

	filter_error_init(&e);
	r = filter_new(&f, text, len, NULL, strict, 0, &e);
	check((r == ERR_OK) == (f != NULL));
	check((r == ERR_OK) == (e.text.len == 0));
	check(e.column <= len);
	check_line(&e.text);
	filter_free(f);
	filter_error_release(&e);
}

static void
one_regex(const char *text, size_t len)
{
	struct regex_match	*m;
	struct regex		*re;
	struct buf		 why;
	size_t			 at, from = 0, to = 0;
	int			 r;

	buf_init(&why);
	r = regex_new(&re, text, len, REGEX_SMART, &why, &at);
	check((r == ERR_OK) == (re != NULL));
	check_line(&why);
	buf_release(&why);
	if (re == NULL) {
		check(at <= len);
		return;
	}
	m = regex_match_new();
	r = regex_find(re, m, (struct span){ (const uint8_t *)text, len }, 0, &from, &to);
	check(r == 0 || r == 1 || r == ERR_LIMIT);
	check(from <= to && to <= len);
	regex_match_free(m);
	regex_free(re);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char	*text = (const char *)data;

	one_filter(text, size, size % 2 == 0);
	one_regex(text, size);
	return 0;
}
