/*
 * Similar texts, for a search that found nothing.
 *
 *	/TaskWiat\w*End/		the longest word of the pattern: TaskWiat
 *	names of types, fields, threads; words of enumerations; words of some rows
 *	-> (near: TaskWait)
 *
 * Invariant: at most ROWS_LOOKED rows are formatted, and near.h limits the number of compared
 * names.
 */
#include <string.h>

#include "engine/filter/ast.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/near.h"
#include "tnav/base/num.h"

#define WORD_MIN	3u
#define ROWS_LOOKED	256u
#define TEXT_LOOKED	1024u		/* bytes of a row's text that are used */

/* ---- the word */

static bool
in_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	    c == '-' || c == '/' || (unsigned char)c >= 0x80;
}

/* The longest run of literal characters. A character before a repeat may be missing in a match. */
static void
longest_word(struct buf *out, const char *pattern, size_t len)
{
	struct buf	word = { 0 };

	for (size_t i = 0; i <= len; i++) {
		bool	escaped = i + 1 < len && pattern[i] == '\\' &&
			    (pattern[i + 1] == '/' || pattern[i + 1] == '-');

		i += escaped;
		if (i < len && in_word(pattern[i])) {
			buf_putc(&word, pattern[i]);
			continue;
		}
		if (word.len > out->len) {
			buf_clear(out);
			buf_add(out, word.p, word.len);
		}
		buf_clear(&word);
		if (i < len && pattern[i] == '\\')
			i++;			/* \w is not a w */
	}
	buf_release(&word);
}

/* The digits of a number that is written as it is shown, "12,365,472"; else nothing. */
static void
grouped_digits(struct buf *out, const char *pattern, size_t len)
{
	size_t	first = 0;

	while (first < len && is_digit(pattern[first]))
		first++;
	if (first == 0 || first > 3 || first == len || (len - first) % 4 != 0)
		return;
	for (size_t i = 0; i < len; i++) {
		bool	comma = i >= first && (i - first) % 4 == 0;

		if (comma ? pattern[i] != ',' : !is_digit(pattern[i])) {
			buf_clear(out);
			return;
		}
		if (!comma)
			buf_putc(out, pattern[i]);
	}
}

/* ---- names and words in the trace */

static void
consider_maps(struct near *near, const struct field *fields, uint32_t n, unsigned depth)
{
	for (uint32_t i = 0; i < n && depth <= LIMIT_NESTING && !near_is_full(near); i++) {
		const struct value_map	*map = fields[i].map;

		for (uint32_t k = 0; map != NULL && k < map->n && !near_is_full(near); k++)
			near_text(near, map->values[k].name);
		consider_maps(near, fields[i].fields, fields[i].nfields, depth + 1);
	}
}

/* Consider a name and its parts: "Strat" is near GC/Start because of Start. */
static void
consider_parts(struct near *near, const char *name)
{
	const char	*slash = name != NULL ? strrchr(name, '/') : NULL;

	if (slash != NULL)
		near_consider(near, name, (size_t)(slash + 1 - name), slash + 1,
		    strlen(slash + 1));
}

static void
consider_trace(struct near *near, struct trace *t)
{
	uint32_t		 n = trace_types(t);
	struct thread_stat	*st;
	size_t			 threads = trace_thread_stats(t, &st);

	names_consider(near, t, NAME_NAME);
	names_consider(near, t, NAME_PROVIDER);
	names_consider(near, t, NAME_FIELD);
	for (uint32_t i = 0; i < n && !near_is_full(near); i++) {
		const struct event_type	*type = trace_type(t, i);

		consider_parts(near, type->name);
		consider_parts(near, type->event);
		consider_maps(near, type->fields, type->nfields, 0);
	}
	for (size_t i = 0; i < threads && !near_is_full(near); i++)
		near_text(near, st[i].name);
	mem_free(st);
}

static void
consider_words(struct near *near, struct span text)
{
	const char	*s = (const char *)text.p;

	for (size_t i = 0, from = 0; i <= text.len; i++) {
		if (i < text.len && in_word(s[i]))
			continue;
		if (i - from >= WORD_MIN && i - from <= NEAR_LEN)
			near_consider(near, NULL, 0, s + from, i - from);
		from = i + 1;
	}
}

static void
consider_rows(struct near *near, struct trace *t, uint64_t row)
{
	struct field_reader	*r = field_reader_new(t, NULL);
	struct event		 e;
	struct buf		 text = { 0 };

	for (unsigned i = 0; i < ROWS_LOOKED && !near_is_full(near); i++) {
		if (trace_event(t, row + i, &e) != 1)
			break;
		buf_clear(&text);
		field_row_text(r, &text, &e);
		if (text.len > TEXT_LOOKED)
			text.len = TEXT_LOOKED;
		consider_words(near, span_of_buf(&text));
	}
	buf_release(&text);
	field_reader_free(r);
}

void
filter_near_text(struct buf *out, struct trace *t, const char *pattern, size_t len, uint64_t row)
{
	struct near	near;
	struct buf	word = { 0 };

	grouped_digits(&word, pattern, len);
	if (word.len > 0) {
		buf_printf(out, " (numbers have no commas here: %s)", buf_str(&word));
		buf_release(&word);
		return;
	}
	longest_word(&word, pattern, len);
	if (word.len >= WORD_MIN && word.len <= NEAR_LEN) {
		near_init(&near, buf_str(&word), 0);
		consider_trace(&near, t);
		consider_rows(&near, t, row);
		near_put(&near, out);
	}
	buf_release(&word);
}
