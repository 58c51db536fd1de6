/*
 * What could be typed next: candidates for the prompt's word, in a box above it.
 *
 *	 filter tid = 4|			:thr|
 *	┌ 4711   .NET TP Worker		┌ threads    Show the threads, most lost first.   Alt-5
 *	└ 4712   .NET Finalizer		└ next-gap   Go to the next gap; in threads ...       }
 *
 * Commands are found by any letters of their names in order, and by words of their help; names and
 * values of the filter language by a part of them.
 */
#include "ui/command/palette.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tnav/base/mem.h"
#include "tnav/engine/filter.h"
#include "ui/command/command.h"
#include "ui/pane/pane.h"

#define SHOWN_MAX	8
#define KEPT_MAX	500u

void
palette_release(struct palette *p)
{
	palette_clear(p);
	mem_free(p->v);
	p->v = NULL;
	p->cap = 0;
}

void
palette_clear(struct palette *p)
{
	for (size_t i = 0; i < p->n; i++) {
		mem_free(p->v[i].text);
		mem_free(p->v[i].note);
	}
	p->n = p->at = 0;
}

/* ---- how well a word fits */

static const char *
find_word(const char *s, const char *word, size_t len)
{
	for (; *s != '\0'; s++)
		if (strncasecmp(s, word, len) == 0)
			return s;
	return NULL;
}

/* Smaller is better, 0: not at all. */
static unsigned
rank_name(const char *name, const char *word, size_t len)
{
	const char	*at = find_word(name, word, len);
	size_t		 i = 0, last = 0, spread = 0;

	if (len == 0)
		return 1;
	if (strlen(name) == len && at == name)
		return 1;
	if (at == name)
		return 2;
	if (at != NULL)
		return at[-1] == '-' || at[-1] == '/' || at[-1] == '.' ? 3 : 4;
	for (size_t k = 0; name[k] != '\0' && i < len; k++) {
		if (tolower((unsigned char)name[k]) != tolower((unsigned char)word[i]))
			continue;
		spread += i > 0 ? k - last - 1 : 0;
		last = k;
		i++;
	}
	return i == len ? 5 + (unsigned)spread : 0;
}

static void
add(struct palette *p, const char *text, const char *note, const struct command *cmd,
    unsigned rank)
{
	if (p->n >= KEPT_MAX)
		return;
	p->v = mem_grow(p->v, &p->cap, p->n + 1, sizeof *p->v);
	p->v[p->n] = (struct candidate){ .text = mem_strdup(text),
	    .note = note != NULL ? mem_strdup(note) : NULL, .cmd = cmd, .rank = rank,
	    .order = p->n };
	p->n++;
}

static int
by_rank(const void *a, const void *b)
{
	const struct candidate	*x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* ---- commands */

static void
find_commands(struct palette *p, const char *word, size_t len)
{
	for (size_t i = 0; i < command_count(); i++) {
		const struct command	*cmd = command_at(i);
		unsigned		 rank = rank_name(cmd->name, word, len);

		if (rank == 0 && len >= 3 && find_word(cmd->help, word, len) != NULL)
			rank = 100;
		if (rank > 0)
			add(p, cmd->name, cmd->help, cmd, rank);
	}
}

/* ---- the filter language */

/* Add what contains the word, once; in quotes where the language needs them. */
static void
offer(struct palette *p, const char *text, const char *note, const char *word, size_t len)
{
	struct buf	b;
	const char	*at;

	if (len > 0 && *word == '"')
		word++, len--;
	at = find_word(text, word, len);
	if (text[0] == '\0' || (len > 0 && at == NULL))
		return;
	buf_init(&b);
	if (strpbrk(text, " (),\"'\t") != NULL) {
		buf_putc(&b, '"');
		for (const char *s = text; *s != '\0'; s++) {
			if (*s == '"' || *s == '\\')
				buf_putc(&b, '\\');
			buf_putc(&b, *s);
		}
		buf_putc(&b, '"');
	} else {
		buf_puts(&b, text);
	}
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->v[i].text, buf_str(&b)) == 0)
			at = NULL, i = p->n;
	if (at != NULL || p->n == 0)
		add(p, buf_str(&b), note, NULL, len == 0 || at == text ? 1 : 2);
	buf_release(&b);
}

static void
offer_fields(struct palette *p, struct trace *t, const char *word, size_t len)
{
	const struct field_def	*d;

	for (unsigned i = 0; (d = field_def(i)) != NULL; i++)
		if (!(d->flags & FIELD_DUMP) && len <= strlen(d->name) &&
		    strncasecmp(d->name, word, len) == 0)
			offer(p, d->name, d->help, word, len);
	for (uint32_t i = 0; i < trace_types(t); i++) {
		const struct event_type	*type = trace_type(t, i);

		for (uint32_t k = 0; k < type->nfields; k++)
			if (strncasecmp(type->fields[k].name, word, len) == 0)
				offer(p, type->fields[k].name, type->name, word, len);
	}
	if (len > 0)
		for (const char *const *s = (const char *const[]){ "and", "or", "not", NULL };
		    *s != NULL; s++)
			if (strncmp(*s, word, len) == 0)
				offer(p, *s, "joins conditions", word, len);
}

static void
offer_threads(struct palette *p, struct trace *t, bool by_name, const char *word, size_t len)
{
	struct thread_stat	*st;
	size_t			 n = trace_thread_stats(t, &st);

	for (size_t i = 0; i < n; i++) {
		struct buf	b;

		buf_init(&b);
		if (st[i].has_tid)
			buf_u64(&b, st[i].tid);
		if (by_name && st[i].name != NULL)
			offer(p, st[i].name, buf_str(&b), word, len);
		else if (!by_name)
			offer(p, buf_str(&b), st[i].name, word, len);
		buf_release(&b);
	}
	mem_free(st);
}

/* The names of a payload field's values. */
static void
offer_map(struct palette *p, struct trace *t, const char *field, const char *word, size_t len)
{
	if (strncmp(field, "payload.", 8) == 0)
		field += 8;
	for (uint32_t i = 0; i < trace_types(t); i++) {
		const struct event_type	*type = trace_type(t, i);

		for (uint32_t k = 0; k < type->nfields; k++) {
			const struct value_map	*map = type->fields[k].map;

			if (map == NULL || strcmp(type->fields[k].name, field) != 0)
				continue;
			for (uint32_t m = 0; m < map->n; m++)
				offer(p, map->values[m].name, map->name, word, len);
		}
	}
}

static void
offer_values(struct palette *p, struct trace *t, const char *field, const char *word, size_t len)
{
	if (strcmp(field, "tid") == 0 || strcmp(field, "thread") == 0) {
		offer_threads(p, t, field[1] == 'h', word, len);
	} else if (strcmp(field, "level") == 0) {
		for (unsigned i = 0; i < 256 && level_name(i) != NULL; i++)
			offer(p, level_name(i), NULL, word, len);
	} else if (strcmp(field, "provider") == 0 || strcmp(field, "name") == 0 ||
	    strcmp(field, "event") == 0 || strcmp(field, "opcode") == 0) {
		for (uint32_t i = 0; i < trace_types(t); i++) {
			const struct event_type	*type = trace_type(t, i);
			const char		*s = *field == 'p' ? type->provider :
			    *field == 'n' ? type->name : *field == 'e' ? type->event :
			    type->opcode_word;

			if (s != NULL)
				offer(p, s, *field == 'n' ? type->provider : NULL, word, len);
		}
	} else {
		offer_map(p, t, field, word, len);
	}
}

/* The field whose value the word at from is, if it is one: "tid = |", "tid in (1, |". */
static bool
field_before(const char *s, size_t from, struct buf *out)
{
	size_t	at = from, end;

	while (at > 0 && s[at - 1] == ' ')
		at--;
	if (at > 0 && (s[at - 1] == ',' || s[at - 1] == '(')) {
		while (at > 0 && s[at - 1] != '(')
			at--;
		while (at > 0 && (s[at - 1] == '(' || s[at - 1] == ' '))
			at--;
		if (at < 3 || memcmp(s + at - 2, "in", 2) != 0 || s[at - 3] != ' ')
			return false;
		at -= 2;
	} else if (at >= 4 && memcmp(s + at - 4, " has", 4) == 0) {
		at -= 3;
	} else {
		end = at;
		while (at > 0 && strchr("=!<>~", s[at - 1]) != NULL)
			at--;
		if (at == end)
			return false;
	}
	while (at > 0 && s[at - 1] == ' ')
		at--;
	end = at;
	while (at > 0 && strchr(" (,", s[at - 1]) == NULL)
		at--;
	buf_add(out, s + at, end - at);
	return end > at;
}

static void
find_filter(struct palette *p, struct trace *t, const char *s, size_t at)
{
	size_t		from = at;
	struct buf	field;

	while (from > 0 && strchr(" (,=!<>~", s[from - 1]) == NULL)
		from--;
	p->from = from;
	buf_init(&field);
	if (field_before(s, from, &field))
		offer_values(p, t, buf_str(&field), s + from, at - from);
	else if (at > from)
		offer_fields(p, t, s + from, at - from);
	buf_release(&field);
}

/* ---- for the prompt */

/* Of "on|off". */
static void
offer_words(struct palette *p, const char *words, const char *word, size_t len)
{
	for (size_t n; *words != '\0'; words += n + (words[n] == '|')) {
		char	*one;

		n = strcspn(words, "|");
		one = mem_strndup(words, n);
		offer(p, one, NULL, word, len);
		mem_free(one);
	}
}

/* What a command takes, where that can be listed: its argument begins at byte from. */
static void
find_argument(struct palette *p, struct trace *t, const char *s, size_t from, size_t at)
{
	const struct command	*cmd = command_by_name(s, strcspn(s, " "));
	const char		*word = s + from;
	size_t			 len = at - from;

	if (strncmp(s, "filter", 6) == 0 || strncmp(s, "color ", 6) == 0) {
		find_filter(p, t, word, len);
	} else if (memchr(word, ' ', len) == NULL &&
	    (strncmp(s, "pane ", 5) == 0 || strncmp(s, "bind ", 5) == 0 ||
	    strncmp(s, "unbind ", 7) == 0)) {
		for (int i = 0; i < PANES; i++)
			offer(p, pane_names[i], NULL, word, len);
		if (*s != 'p')
			offer(p, "all", "all panes", word, len);
	} else if (cmd != NULL && cmd->args != NULL && strchr(cmd->args, '|') != NULL) {
		offer_words(p, cmd->args, word, len);
	}
	p->from += from;
}

void
palette_find(struct palette *p, struct trace *t, enum prompt_kind kind, const char *s, size_t at)
{
	size_t	word = strcspn(s, " ");

	palette_clear(p);
	p->from = 0;
	if (kind == PROMPT_COMMAND && word >= at) {
		find_commands(p, s, at);
	} else if (kind == PROMPT_COMMAND) {
		word += strspn(s + word, " ");
		if (at >= word)
			find_argument(p, t, s, word, at);
	} else if (kind == PROMPT_FILTER) {
		find_filter(p, t, s, at);
	}
	if (p->n > 0)
		qsort(p->v, p->n, sizeof *p->v, by_rank);
}

void
palette_step(struct palette *p, int dir)
{
	if (p->n > 0)
		p->at = (p->at + p->n + (size_t)(dir > 0 ? 1 : p->n - 1)) % p->n;
}

const struct candidate *
palette_chosen(const struct palette *p)
{
	return p->n > 0 ? &p->v[p->at] : NULL;
}

static void
draw_line(const struct palette *p, const struct keymap *keys, struct canvas *c, int y, size_t i)
{
	const struct candidate	*k = &p->v[i];
	struct rect		 r = { y, 0, 1, c->cols };
	struct buf		 b;
	int			 x, room = c->cols - 2;

	canvas_blank(c, r, ST_NORMAL);
	buf_init(&b);
	if (k->cmd != NULL && keys != NULL)
		keymap_keys(keys, k->cmd, ~0u, 2, &b);
	if (b.len > 0) {
		canvas_right(c, y, 0, c->cols - 1, ST_KEY, buf_str(&b));
		room -= (int)b.len + 2;
	}
	buf_release(&b);
	x = 2 + canvas_puts(c, y, 2, room, ST_STRONG, k->text);
	x = x < 22 ? 22 : x + 1;
	if (k->note != NULL && x < room)
		(void)canvas_puts(c, y, x, room - x, ST_DIM, k->note);
	if (i == p->at)
		canvas_mark(c, y, 0, c->cols, MARK_CURSOR);
}

int
palette_draw(const struct palette *p, const struct keymap *keys, struct canvas *c, int bottom,
    int room)
{
	int	h = room < SHOWN_MAX ? room : SHOWN_MAX;
	size_t	top = 0;

	if (p->n < (size_t)(h > 0 ? h : 0))
		h = (int)p->n;
	if (h <= 0)
		return 0;
	if (p->at >= (size_t)h)
		top = p->at - (size_t)h + 1;
	for (int i = 0; i < h; i++)
		draw_line(p, keys, c, bottom - h + i, top + (size_t)i);
	return h;
}
