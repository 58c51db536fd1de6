/*
 * Decoding the input of a terminal.
 *
 *	bytes		out
 *	a  0xc3 0xa9	characters: UTF-8 in any locale; Alt as ESC before it
 *	ESC O B		a known sequence: a named key
 *	ESC [ < 0;5;9 M	a mouse report
 *	ESC [200~ ... ESC [201~	pasted characters, none of which is a key
 *	ESC [ ... @-~, ESC ] ... BEL	unknown: consumed as a whole, one unknown key
 *
 * Invariant: the result does not depend on how the bytes are cut into pieces, unless the caller
 * says that it has waited: an input is complete only if no further byte could change it. Each byte
 * is part of one input, and memory does not grow.
 */
#include "ui/term/input.h"

#include <string.h>

#include "tnav/base/text.h"
#include "ui/term/key.h"

#define ESC		27
#define CONTROL_MAX	64u		/* greatest size of a report that is parsed, in bytes */
#define SKIP_MAX	4096u		/* limit for skipping, in case the end was lost */
#define CELL_MOST	100000		/* larger than any terminal */

static const uint8_t	paste_begin[] = "\033[200~", paste_end[] = "\033[201~";

#define MARK_LEN	(sizeof paste_end - 1)

static const struct { const char *bytes; int32_t key; } usual[] = {
	{ "\033[A", TK_UP }, { "\033OA", TK_UP }, { "\033[B", TK_DOWN }, { "\033OB", TK_DOWN },
	{ "\033[C", TK_RIGHT }, { "\033OC", TK_RIGHT }, { "\033[D", TK_LEFT },
	{ "\033OD", TK_LEFT }, { "\033[H", TK_HOME }, { "\033OH", TK_HOME }, { "\033[F", TK_END },
	{ "\033OF", TK_END }, { "\033[1~", TK_HOME }, { "\033[4~", TK_END },
	{ "\033[2~", TK_INSERT }, { "\033[3~", TK_DELETE }, { "\033[5~", TK_PGUP },
	{ "\033[6~", TK_PGDN }, { "\033[Z", TK_BACKTAB }, { "\033OM", TK_ENTER },
};

void
input_init(struct input_decoder *d)
{
	*d = (struct input_decoder){ 0 };
}

void
input_usual(struct input_decoder *d)
{
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		input_learn(d, usual[i].bytes, usual[i].key);
}

void
input_learn(struct input_decoder *d, const char *bytes, int32_t key)
{
	size_t			 len = strlen(bytes);
	struct input_sequence	*s = &d->key[d->nkeys];

	/* Single bytes, such as Backspace, mean the same on all terminals. */
	if (len < 2 || len > INPUT_SEQUENCE || d->nkeys == INPUT_KEYS)
		return;
	for (size_t i = 0; i < d->nkeys; i++)
		if (d->key[i].len == len && memcmp(d->key[i].bytes, bytes, len) == 0)
			return;
	memcpy(s->bytes, bytes, len);
	s->len = (uint8_t)len;
	s->key = key;
	d->nkeys++;
}

size_t
input_feed(struct input_decoder *d, const void *bytes, size_t len)
{
	memmove(d->bytes, d->bytes + d->at, d->n - d->at);
	d->n -= d->at;
	d->at = 0;
	if (len > INPUT_BUFFER - d->n)
		len = INPUT_BUFFER - d->n;
	if (len > 0)
		memcpy(d->bytes + d->n, bytes, len);
	d->n += len;
	return len;
}

bool
input_at_escape(const struct input_decoder *d)
{
	return d->skipped == 0 && d->n - d->at == 1 && d->bytes[d->at] == ESC;
}

/* ---- one input; each function consumes its bytes */

static enum input_state
give(struct input_decoder *d, size_t len, enum input_kind kind, int32_t code, struct input *out)
{
	d->at += len;
	*out = (struct input){ .kind = kind, .code = code };
	return INPUT_WHOLE;
}

static enum input_state
give_key(struct input_decoder *d, size_t len, int32_t key, struct input *out)
{
	return give(d, len, INPUT_KEY, key, out);
}

/* Are all available bytes an incomplete beginning of the mark? */
static bool
begins(const struct input_decoder *d, const uint8_t *mark, size_t len)
{
	size_t	n = d->n - d->at;

	return n < len && memcmp(d->bytes + d->at, mark, n) == 0;
}

static bool
stands(const struct input_decoder *d, const uint8_t *mark, size_t len)
{
	return d->n - d->at >= len && memcmp(d->bytes + d->at, mark, len) == 0;
}

/* The length of the character at bytes[from]; 0: more bytes may belong to it. *cp -1: invalid. */
static size_t
character(const struct input_decoder *d, size_t from, bool last, int32_t *cp)
{
	const uint8_t	*p = d->bytes + from, *end = d->bytes + d->n;
	size_t		 len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2, there = 1;
	size_t		 n = text_decode(p, end, cp);

	if (*cp >= 0 || last || p[0] < 0xc2 || p[0] > 0xf4)
		return n;
	while (there < len && p + there < end && (p[there] & 0xc0) == 0x80)
		there++;
	return there < len && p + there == end ? 0 : n;
}

static enum input_state
pasted(struct input_decoder *d, bool last, struct input *out)
{
	int32_t	cp;
	size_t	len;

	if (stands(d, paste_end, MARK_LEN)) {
		d->pasting = false;
		return give(d, MARK_LEN, INPUT_PASTED, 0, out);
	}
	if (!last && begins(d, paste_end, MARK_LEN))
		return INPUT_PART;
	len = character(d, d->at, last, &cp);
	if (len == 0)
		return INPUT_PART;
	return give(d, len, INPUT_PASTED, cp < 0 ? 0 : cp, out);
}

/* Consume a string (OSC and the like) to its BEL or ESC \, or a control sequence to its last
   letter. */
static enum input_state
skip(struct input_decoder *d, bool last, struct input *out)
{
	while (d->at < d->n) {
		uint8_t	c = d->bytes[d->at++];
		bool	ends = c == '\a' || (c == '\\' && d->escaped);

		if (d->control)
			ends = c < ' ' || (c >= '@' && c <= '~');
		d->escaped = c == ESC;
		if (!ends && ++d->skipped < SKIP_MAX)
			continue;
		d->skipped = 0;
		return give_key(d, 0, TK_UNKNOWN, out);
	}
	if (!last)
		return INPUT_PART;
	d->skipped = 0;
	return give_key(d, 0, TK_UNKNOWN, out);
}

static enum input_state
begin_skip(struct input_decoder *d, size_t len, bool is_control, bool last, struct input *out)
{
	d->at += len;
	d->skipped = len;
	d->control = is_control;
	d->escaped = false;
	return skip(d, last, out);
}

/* Parse the numbers of "ESC [ < button ; column ; line M", or m. */
static bool
parse_mouse(const uint8_t *p, const uint8_t *final, int v[3])
{
	int	n = 0;

	v[0] = v[1] = v[2] = 0;
	for (; p < final; p++) {
		if (*p == ';' && n < 2)
			n++;
		else if (*p < '0' || *p > '9')
			return false;
		else if (v[n] < CELL_MOST)
			v[n] = v[n] * 10 + (*p - '0');
	}
	return n == 2 && (*final == 'M' || *final == 'm');
}

/* Bits of a button: 3 of its number, 32 for a drag, 64 for the wheel, 128 for further buttons. */
static enum input_state
give_mouse(struct input_decoder *d, size_t len, const int v[3], bool down, struct input *out)
{
	struct mouse	m = { .kind = MOUSE_RELEASE, .y = v[2] - 1, .x = v[1] - 1 };

	if (v[0] & 128) {
		m.kind = MOUSE_OTHER;
	} else if (v[0] & 64) {
		m.kind = MOUSE_WHEEL;
		m.n = (v[0] & 3) == 0 ? -1 : (v[0] & 3) == 1;
		if (m.n == 0)
			m.kind = MOUSE_OTHER;
	} else if ((v[0] & 3) == 0 && down) {
		m.kind = v[0] & 32 ? MOUSE_DRAG : MOUSE_PRESS;
	}
	(void)give(d, len, INPUT_MOUSE, 0, out);
	out->mouse = m;
	return INPUT_WHOLE;
}

/* ESC [ or ESC O, up to a byte @ .. ~. A byte outside 0x20 .. 0x7e ends it. */
static enum input_state
control(struct input_decoder *d, bool last, struct input *out)
{
	const uint8_t	*p = d->bytes + d->at;
	size_t		 n = d->n - d->at, len = 2;
	int		 v[3];

	while (len < n && len < CONTROL_MAX && p[len] >= ' ' && p[len] < '@')
		len++;
	if (len == CONTROL_MAX)
		return begin_skip(d, len, true, last, out);
	if (len == n && !last)
		return INPUT_PART;
	if (len == 2 && len == n)
		return give_key(d, len, TK_ALT + p[1], out);
	if (len == n || p[len] < '@' || p[len] > '~')
		return give_key(d, len, TK_UNKNOWN, out);
	if (p[1] == '[' && p[2] == '<' && parse_mouse(p + 3, p + len, v))
		return give_mouse(d, len + 1, v, p[len] == 'M', out);
	return give_key(d, len + 1, TK_UNKNOWN, out);
}

/* ESC and the next bytes, which are no known sequence: the key Esc, Alt and a key, or unknown. */
static enum input_state
after_escape(struct input_decoder *d, bool last, struct input *out)
{
	const uint8_t	*p = d->bytes + d->at;
	size_t		 n = d->n - d->at, len;
	int32_t		 cp;

	if (n == 1)
		return last ? give_key(d, 1, TK_ESC, out) : INPUT_PART;
	if (p[1] == ESC && n == 2)
		return last ? give_key(d, 2, TK_ESC, out) : INPUT_PART;
	if (p[1] == ESC)	/* Esc twice, or once before another key */
		return give_key(d, strchr("[O]P_^", p[2]) != NULL && p[2] != '\0' ? 1 : 2, TK_ESC,
		    out);
	if (p[1] == '[' || p[1] == 'O')
		return control(d, last, out);
	if (strchr("]P_^", p[1]) != NULL && p[1] != '\0') {
		if (n == 2 && last)
			return give_key(d, 2, TK_ALT + p[1], out);
		if (n == 2)
			return INPUT_PART;
		return begin_skip(d, 2, false, last, out);
	}
	len = character(d, d->at + 1, last, &cp);
	if (len == 0)
		return INPUT_PART;
	return give_key(d, 1 + len, cp > 0 ? TK_ALT + cp : TK_UNKNOWN, out);
}

/* The longest known sequence here. *longer: a longer one is possible. */
static const struct input_sequence *
known(const struct input_decoder *d, bool *longer)
{
	const struct input_sequence	*best = NULL;

	*longer = begins(d, paste_begin, MARK_LEN);
	for (size_t i = 0; i < d->nkeys; i++) {
		const struct input_sequence	*s = &d->key[i];

		*longer |= begins(d, s->bytes, s->len);
		if (stands(d, s->bytes, s->len) && (best == NULL || s->len > best->len))
			best = s;
	}
	return best;
}

static enum input_state
plain(struct input_decoder *d, bool last, struct input *out)
{
	int32_t	cp;
	size_t	len = character(d, d->at, last, &cp);

	if (len == 0)
		return INPUT_PART;
	if (cp == 127 || cp == '\b')
		cp = TK_BACKSPACE;
	else if (cp == '\n')
		cp = TK_ENTER;
	return give_key(d, len, cp > 0 ? cp : TK_UNKNOWN, out);
}

enum input_state
input_next(struct input_decoder *d, bool last, struct input *out)
{
	const struct input_sequence	*s;
	bool				 longer;

	if (d->skipped > 0)
		return skip(d, last, out);
	if (d->at == d->n)
		return INPUT_EMPTY;
	if (d->pasting)
		return pasted(d, last, out);
	if (stands(d, paste_begin, MARK_LEN)) {
		d->pasting = true;
		return give(d, MARK_LEN, INPUT_PASTED, 0, out);
	}
	s = known(d, &longer);
	if (longer && !last)
		return INPUT_PART;
	if (s != NULL)
		return give_key(d, s->len, s->key, out);
	if (d->bytes[d->at] == ESC)
		return after_escape(d, last, out);
	return plain(d, last, out);
}
