/*
 * The line editor of the prompts: characters in, Left, Right, Home, End, Backspace, Delete, the
 * usual Ctrl-A -E -U -W -K, Alt-B -F -D by words, and the history of earlier texts. `at` is always
 * at the boundary of a character.
 */
#include "ui/command/prompt.h"

#include <ctype.h>
#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "ui/term/key.h"

static const char *const	labels[] = {
	[PROMPT_NONE] = "", [PROMPT_COMMAND] = ":", [PROMPT_SEARCH] = "/",
	[PROMPT_FILTER] = "filter: ", [PROMPT_TIME] = "time: ",
	[PROMPT_PIPE] = "pipe to: ", [PROMPT_EXPORT] = "export to file: ",
};

#define HISTORY_MAX	100u

void
prompt_release(struct prompt *p)
{
	for (int kind = 0; kind < PROMPT_KINDS; kind++) {
		for (size_t i = 0; i < p->history[kind].n; i++)
			mem_free(p->history[kind].v[i]);
		mem_free(p->history[kind].v);
	}
	buf_release(&p->text);
	buf_release(&p->draft);
}

void
prompt_keep(struct prompt *p, enum prompt_kind kind, const char *text)
{
	struct history	*h = &p->history[kind];

	if (text[0] == '\0' || (h->n > 0 && strcmp(h->v[h->n - 1], text) == 0))
		return;
	if (h->n == HISTORY_MAX) {
		mem_free(h->v[0]);
		memmove(h->v, h->v + 1, --h->n * sizeof *h->v);
	}
	ARRAY_ADD(h->v, h->n, h->cap, mem_strdup(text));
}

void
prompt_history(struct prompt *p, int dir)
{
	const struct history	*h = &p->history[p->kind];
	struct buf		*b = &p->text;

	if (dir < 0 ? p->back >= h->n : p->back == 0)
		return;
	if (p->back == 0) {
		buf_clear(&p->draft);
		buf_add(&p->draft, b->p, b->len);
	}
	p->back = dir < 0 ? p->back + 1 : p->back - 1;
	buf_clear(b);
	buf_puts(b, p->back > 0 ? h->v[h->n - p->back] : buf_str(&p->draft));
	p->at = b->len;
}

void
prompt_start(struct prompt *p, enum prompt_kind kind, const char *text)
{
	p->kind = kind;
	p->adds = false;
	p->back = 0;
	buf_clear(&p->text);
	buf_puts(&p->text, text);
	p->at = p->text.len;
}

/* The character boundary before or after `at`. */
static size_t
edge(const struct prompt *p, size_t at, int dir)
{
	const char	*s = p->text.p;

	if (dir < 0 && at > 0)
		for (at--; at > 0 && ((unsigned char)s[at] & 0xc0) == 0x80;)
			at--;
	else if (dir > 0 && at < p->text.len)
		for (at++; at < p->text.len && ((unsigned char)s[at] & 0xc0) == 0x80;)
			at++;
	return at;
}

/* Delete [from, to); the cursor keeps its place in the text. */
static void
cut(struct prompt *p, size_t from, size_t to)
{
	if (to <= from)
		return;
	memmove(p->text.p + from, p->text.p + to, p->text.len - to);
	p->text.len -= to - from;
	p->at = from;
}

void
prompt_insert(struct prompt *p, int32_t cp)
{
	char		utf8[4];
	unsigned	n;

	if (cp == '\t' || cp == '\n' || cp == '\r')
		cp = ' ';
	if (cp < ' ' || cp == 127 || cp >= TK_BASE || p->text.len > LIMIT_PATTERN)
		return;
	n = text_encode(cp, utf8);
	(void)buf_room(&p->text, n);
	if (p->at < p->text.len)
		memmove(p->text.p + p->at + n, p->text.p + p->at, p->text.len - p->at);
	memcpy(p->text.p + p->at, utf8, n);
	p->text.len += n;
	p->at += n;
}

void
prompt_replace(struct prompt *p, size_t from, const char *text)
{
	const uint8_t	*s = (const uint8_t *)text, *end = s + strlen(text);
	int32_t		 cp;

	cut(p, from, p->at);
	while (s < end) {
		s += text_decode(s, end, &cp);
		if (cp > 0)
			prompt_insert(p, cp);
	}
}

static size_t
word_start(const struct prompt *p)
{
	size_t	at = p->at;

	while (at > 0 && p->text.p[at - 1] == ' ')
		at--;
	while (at > 0 && p->text.p[at - 1] != ' ')
		at--;
	return at;
}

static bool
in_word(const struct prompt *p, size_t at)
{
	unsigned char	c = (unsigned char)p->text.p[at];

	return c >= 0x80 || c == '_' || isalnum(c);
}

/* The beginning of the word before the cursor, or the end of the one after it. */
static size_t
word_edge(const struct prompt *p, int dir)
{
	size_t	at = p->at;

	while (dir < 0 && at > 0 && !in_word(p, at - 1))
		at--;
	while (dir < 0 && at > 0 && in_word(p, at - 1))
		at--;
	while (dir > 0 && at < p->text.len && !in_word(p, at))
		at++;
	while (dir > 0 && at < p->text.len && in_word(p, at))
		at++;
	return at;
}

enum prompt_answer
prompt_key(struct prompt *p, int32_t key)
{
	switch (key) {
	case TK_ENTER:
		return PROMPT_DONE;
	case TK_ESC:
	case KEY_CTRL('G'):
	case KEY_CTRL('C'):
		return PROMPT_GIVEN_UP;
	case TK_TAB:
		return PROMPT_COMPLETE;
	case KEY_CTRL('N'):
		return PROMPT_NEXT;
	case KEY_CTRL('P'):
	case TK_BACKTAB:
		return PROMPT_PREVIOUS;
	case TK_UP:
		return PROMPT_UP;
	case TK_DOWN:
		return PROMPT_DOWN;
	case TK_BACKSPACE:
		if (p->text.len == 0)
			return PROMPT_GIVEN_UP;
		cut(p, edge(p, p->at, -1), p->at);
		break;
	case TK_DELETE:
	case KEY_CTRL('D'):
		cut(p, p->at, edge(p, p->at, 1));
		break;
	case TK_LEFT:
	case KEY_CTRL('B'):
		p->at = edge(p, p->at, -1);
		break;
	case TK_RIGHT:
	case KEY_CTRL('F'):
		p->at = edge(p, p->at, 1);
		break;
	case TK_HOME:
	case KEY_CTRL('A'):
		p->at = 0;
		break;
	case TK_END:
	case KEY_CTRL('E'):
		p->at = p->text.len;
		break;
	case KEY_CTRL('U'):
		cut(p, 0, p->at);
		break;
	case KEY_CTRL('K'):
		cut(p, p->at, p->text.len);
		break;
	case KEY_CTRL('W'):
		cut(p, word_start(p), p->at);
		break;
	case TK_ALT + 'b':
		p->at = word_edge(p, -1);
		break;
	case TK_ALT + 'f':
		p->at = word_edge(p, 1);
		break;
	case TK_ALT + 'd':
		cut(p, p->at, word_edge(p, 1));
		break;
	case TK_ALT + TK_BACKSPACE:
	case TK_ALT + 127:
	case TK_ALT + 8:
		cut(p, word_edge(p, -1), p->at);
		break;
	default:
		prompt_insert(p, key);
	}
	return PROMPT_GOES_ON;
}

static const char *
label_of(const struct prompt *p)
{
	return p->adds ? "and: " : labels[p->kind];
}

/* The first byte that is shown in so many cells: if the text is too long, the part that ends at
   the cursor is. */
static size_t
first_shown(const struct prompt *p, enum text_mode mode, int room)
{
	struct span	s = span_of_buf(&p->text);
	size_t		from = p->at;

	while (from > 0) {
		size_t	more = edge(p, from, -1);

		if (text_width((struct span){ s.p + more, p->at - more }, mode) > (size_t)room)
			break;
		from = more;
	}
	return from;
}

void
prompt_draw(const struct prompt *p, struct canvas *c, int y)
{
	struct span	s = span_of_buf(&p->text);
	enum text_mode	mode = c->ascii ? TEXT_ASCII : TEXT_UTF8;
	int		x = canvas_puts(c, y, 0, c->cols, ST_STRONG, label_of(p));
	int		room = c->cols - x - 1;
	size_t		from;

	if (room < 1)
		return;
	from = first_shown(p, mode, room);
	c->cursor_y = y;
	c->cursor_x = x + (int)text_width((struct span){ s.p + from, p->at - from }, mode);
	(void)canvas_text(c, y, x, c->cols - x, ST_NORMAL,
	    (struct span){ s.p + from, s.len - from });
}

void
prompt_point(struct prompt *p, const struct canvas *c, int x)
{
	struct span	s = span_of_buf(&p->text);
	enum text_mode	mode = c->ascii ? TEXT_ASCII : TEXT_UTF8;
	int		left = canvas_cells(c, label_of(p)), room = c->cols - left - 1;
	size_t		from, to;

	if (room < 1 || x < left)
		return;
	from = to = first_shown(p, mode, room);
	while (to < p->text.len) {
		size_t	next = edge(p, to, 1);

		if (text_width((struct span){ s.p + from, next - from }, mode) > (size_t)(x - left))
			break;
		to = next;
	}
	p->at = to;
}
