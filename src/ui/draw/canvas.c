/*
 * The grid of cells that panes draw on.
 *
 *	a  界    e+◌́     ->   [a][界][ ·][é]      width 1, 2, 0 (its right half), 1
 *
 * Invariant: a cell of width 2 is followed by one of width 0, and a cell of width 0 follows
 * one of width 2; so the cells of a row always add up to its columns. Everything outside the grid
 * is clipped here, so that panes need not look.
 */
#include "ui/draw/canvas.h"

#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"

#define CELLS_MAX	100000	/* of a text; cells beyond are not counted */
#define MIDDLE_LEAST	8	/* narrower texts are cut at the end */

struct glyph_form {
	int32_t	cp;
	char	ascii;
};

static const struct glyph_form glyphs[GL_GLYPHS] = {
	[GL_HLINE] = { 0x2500, '-' },
	[GL_VLINE] = { 0x2502, '|' },
	[GL_POINTER] = { 0x25b8, '>' },
	[GL_LOST_FEW] = { 0x2591, '/' },
	[GL_LOST] = { 0x2592, '%' },
	[GL_LOST_MANY] = { 0x2593, '$' },
	[GL_CUT] = { 0x2026, '~' },
	[GL_TICK] = { 0x25be, 'v' },
	[GL_HIT] = { 0x2524, '+' },
	[GL_POINTER_LEFT] = { 0x25c2, '<' },
	[GL_DOTTED] = { 0x2504, ':' },
};

enum { JOIN_LEFT = 1, JOIN_RIGHT = 2, JOIN_UP = 4, JOIN_DOWN = 8, JOINTS = 16 };

/* Line joints, by the sides that have lines. */
static const int32_t	joints[JOINTS] = {
	[JOIN_LEFT | JOIN_DOWN] = 0x2510, [JOIN_RIGHT | JOIN_DOWN] = 0x250c,
	[JOIN_LEFT | JOIN_UP] = 0x2518, [JOIN_RIGHT | JOIN_UP] = 0x2514,
	[JOIN_LEFT | JOIN_RIGHT | JOIN_DOWN] = 0x252c, [JOIN_LEFT | JOIN_RIGHT | JOIN_UP] = 0x2534,
	[JOIN_UP | JOIN_DOWN | JOIN_RIGHT] = 0x251c, [JOIN_UP | JOIN_DOWN | JOIN_LEFT] = 0x2524,
	[JOIN_LEFT | JOIN_RIGHT | JOIN_UP | JOIN_DOWN] = 0x253c,
};

/* Non-ASCII characters in the program's own texts. */
static const struct own_form {
	int32_t		 cp;
	const char	*ascii;
} own_forms[] = {
	{ 0x2500, "-" }, { 0x2502, "|" }, { 0x2026, ".." }, { 0x0394, "d" }, { 0x00b5, "u" },
	{ 0x00b7, "-" }, { 0x25b8, ">" }, { 0x2190, "<-" }, { 0x2192, "->" }, { 0x2191, "^" },
	{ 0x2193, "v" },
};

static const char	ascii_blocks[] = " .:-=+*#@";

void
canvas_init(struct canvas *c, bool ascii)
{
	*c = (struct canvas){ .ascii = ascii, .cursor_y = -1, .cursor_x = -1 };
}

void
canvas_release(struct canvas *c)
{
	mem_free(c->cell);
	c->cell = NULL;
	c->cap = 0;
	c->rows = c->cols = 0;
}

void
canvas_clear(struct canvas *c, int rows, int cols)
{
	size_t	n = (size_t)rows * (size_t)cols;

	c->cell = mem_grow(c->cell, &c->cap, n + 1, sizeof *c->cell);
	c->rows = rows;
	c->cols = cols;
	c->cursor_y = c->cursor_x = -1;
	for (size_t i = 0; i < n; i++)
		c->cell[i] = (struct canvas_cell){ .cp = { ' ' }, .width = 1 };
}

void
canvas_erase(struct canvas *c, int y, int h)
{
	for (int i = y * c->cols; i < (y + h) * c->cols && i < c->rows * c->cols; i++)
		c->cell[i] = (struct canvas_cell){ .cp = { ' ' }, .width = 1 };
}

struct canvas_cell *
canvas_at(const struct canvas *c, int y, int x)
{
	if (y < 0 || y >= c->rows || x < 0 || x >= c->cols)
		return NULL;
	return &c->cell[(size_t)y * (size_t)c->cols + (size_t)x];
}

/* Drawing over half of a wide character turns the other half into a blank. */
static void
free_halves(struct canvas *c, int y, int x)
{
	struct canvas_cell	*at = canvas_at(c, y, x), *other;

	if (at->width == 0)
		other = canvas_at(c, y, x - 1);
	else
		other = at->width == 2 ? canvas_at(c, y, x + 1) : NULL;
	if (other != NULL) {
		memset(other->cp, 0, sizeof other->cp);
		other->cp[0] = ' ';
		other->width = 1;
	}
}

static void
put_cell(struct canvas *c, int y, int x, enum style st, int32_t cp, unsigned width)
{
	struct canvas_cell	*at = canvas_at(c, y, x);

	if (at == NULL)
		return;
	free_halves(c, y, x);
	*at = (struct canvas_cell){ .cp = { cp }, .style = (uint8_t)st, .mark = at->mark,
	    .width = (uint8_t)width };
	if (width == 2) {
		at = canvas_at(c, y, x + 1);
		free_halves(c, y, x + 1);
		*at = (struct canvas_cell){ .cp = { 0 }, .style = (uint8_t)st, .mark = at->mark };
	}
}

/* Put one clean piece, which fits. */
static void
put_piece(struct canvas *c, int y, int x, enum style st, const struct text_piece *piece)
{
	const uint8_t	*p = (const uint8_t *)piece->p, *end = p + piece->len;
	int32_t		 cp;

	if (piece->escaped || piece->cells > 2) {
		for (; p < end; x++) {
			p += text_decode(p, end, &cp);
			put_cell(c, y, x, ST_ESCAPED, cp, 1);
		}
		return;
	}
	p += text_decode(p, end, &cp);
	put_cell(c, y, x, st, cp, piece->cells);
	for (unsigned i = 1; p < end && i <= CELL_MARKS; i++) {
		p += text_decode(p, end, &cp);
		canvas_at(c, y, x)->cp[i] = cp;
	}
}

/* Spell out a character if the terminal disagrees about its width. */
static void
spell_out(struct text_piece *piece, struct text_scratch *scratch)
{
	static const char	hex[] = "0123456789ABCDEF";
	const uint8_t		*p = (const uint8_t *)piece->p;
	int32_t			 cp;
	size_t			 n = 0;

	(void)text_decode(p, p + piece->len, &cp);
	memcpy(scratch->b, "<U+", 3);
	n = 3;
	for (int shift = cp > 0xffff ? 20 : 12; shift >= 0; shift -= 4)
		scratch->b[n++] = hex[cp >> shift & 0xf];
	scratch->b[n++] = '>';
	*piece = (struct text_piece){ .p = scratch->b, .len = n, .cells = (unsigned)n,
	    .escaped = true };
}

static bool
base_agrees(const struct canvas *c, const struct text_piece *piece)
{
	const uint8_t	*p = (const uint8_t *)piece->p;
	int32_t		 cp;

	if (c->agrees == NULL || piece->escaped || piece->len == 1)
		return true;
	(void)text_decode(p, p + piece->len, &cp);
	return c->agrees(cp, piece->cells);
}

int
canvas_text(struct canvas *c, int y, int x, int max, enum style st, struct span s)
{
	const uint8_t		*p = s.p, *end = s.p + s.len;
	struct text_scratch	 scratch;
	struct text_piece	 piece;
	int			 used = 0, fit = 0;

	if (x < 0 || x >= c->cols || y < 0 || y >= c->rows)
		return 0;
	if (max > c->cols - x)
		max = c->cols - x;
	if (max <= 0)
		return 0;
	while (text_next(&p, end, c->ascii ? TEXT_ASCII : TEXT_UTF8, &scratch, &piece)) {
		if (!base_agrees(c, &piece))
			spell_out(&piece, &scratch);
		if ((int)piece.cells > max - used) {
			/* Cut at the end of a piece that leaves room for the mark. The mark
			   replaces dots before it. */
			while (fit > 0 && canvas_at(c, y, x + fit - 1)->cp[0] == '.')
				fit--;
			for (int i = fit; i < max; i++)
				put_cell(c, y, x + i, st, ' ', 1);
			canvas_glyph(c, y, x + fit, st, GL_CUT);
			return fit + 1;
		}
		put_piece(c, y, x + used, st, &piece);
		used += (int)piece.cells;
		if (used < max)
			fit = used;
	}
	return used;
}

/* The longest end of s with at most this many cells. */
static struct span
tail_of(const struct canvas *c, struct span s, int cells)
{
	enum text_mode		 mode = c->ascii ? TEXT_ASCII : TEXT_UTF8;
	const uint8_t		*p = s.p, *end = s.p + s.len;
	int			 left = (int)text_width(s, mode);
	struct text_scratch	 scratch;
	struct text_piece	 piece;

	while (left > cells && text_next(&p, end, mode, &scratch, &piece))
		left -= (int)piece.cells;
	return (struct span){ p, (size_t)(end - p) };
}

int
canvas_middle(struct canvas *c, int y, int x, int max, enum style st, struct span s)
{
	enum text_mode	mode = c->ascii ? TEXT_ASCII : TEXT_UTF8;
	int		used, tail = max * 2 / 3;

	if (max < MIDDLE_LEAST || s.len > LIMIT_TEXT_SHOWN || text_width(s, mode) <= (size_t)max)
		return canvas_text(c, y, x, max, st, s);
	used = canvas_text(c, y, x, max - tail, st, s);
	return used + canvas_text(c, y, x + used, max - used, st, tail_of(c, s, tail));
}

/* One of the program's own texts as the canvas can show it: borrowed, or in b. */
static struct span
own_words(const struct canvas *c, const char *s, struct buf *b)
{
	const uint8_t	*p = (const uint8_t *)s, *end = p + strlen(s);

	if (!c->ascii)
		return span_of(s);
	while (p < end) {
		const uint8_t	*at = p;
		const char	*form = NULL;
		int32_t		 cp;

		p += text_decode(p, end, &cp);
		for (size_t i = 0; i < sizeof own_forms / sizeof *own_forms; i++)
			if (own_forms[i].cp == cp)
				form = own_forms[i].ascii;
		if (form != NULL)
			buf_puts(b, form);
		else
			buf_add(b, at, (size_t)(p - at));
	}
	return span_of_buf(b);
}

int
canvas_puts(struct canvas *c, int y, int x, int max, enum style st, const char *s)
{
	struct buf	b = { 0 };
	int		used;

	used = canvas_text(c, y, x, max, st, own_words(c, s, &b));
	buf_release(&b);
	return used;
}

int
canvas_width(struct span s, bool ascii)
{
	size_t	cells = text_width(s, ascii ? TEXT_ASCII : TEXT_UTF8);

	return cells > CELLS_MAX ? CELLS_MAX : (int)cells;
}

int
canvas_cells(const struct canvas *c, const char *s)
{
	struct buf	b = { 0 };
	int		cells = canvas_width(own_words(c, s, &b), c->ascii);

	buf_release(&b);
	return cells;
}

int
canvas_buf(struct canvas *c, int y, int x, int max, enum style st, const struct buf *b)
{
	return canvas_text(c, y, x, max, st, span_of_buf(b));
}

void
canvas_right(struct canvas *c, int y, int x, int w, enum style st, const char *s)
{
	int	cells = canvas_cells(c, s), n = cells > w ? w : cells;

	(void)canvas_puts(c, y, x + w - n, n, st, s);
}

void
canvas_glyph(struct canvas *c, int y, int x, enum style st, enum glyph g)
{
	put_cell(c, y, x, st, c->ascii ? glyphs[g].ascii : glyphs[g].cp, 1);
}

void
canvas_hline(struct canvas *c, int y, int x, int w, enum style st)
{
	for (int i = 0; i < w; i++)
		canvas_glyph(c, y, x + i, st, GL_HLINE);
}

void
canvas_vline(struct canvas *c, int y, int x, int h, enum style st)
{
	for (int i = 0; i < h; i++)
		canvas_glyph(c, y + i, x, st, GL_VLINE);
}

/* Does the cell have a line or a joint that the program drew? */
static bool
is_line(const struct canvas *c, int y, int x, enum glyph g)
{
	const struct canvas_cell	*at = canvas_at(c, y, x);

	if (at == NULL || (at->style != ST_TITLE && at->style != ST_FOCUS))
		return false;
	return at->cp[0] == (c->ascii ? glyphs[g].ascii : glyphs[g].cp) ||
	    (at->cp[0] >= 0x250c && at->cp[0] <= 0x253c);
}

void
canvas_join(struct canvas *c, int y, int x)
{
	bool		 across = is_line(c, y, x, GL_HLINE), down = is_line(c, y, x, GL_VLINE);
	unsigned	 from = 0;
	int32_t		 joint;

	if (!across && !down)
		return;
	from |= is_line(c, y, x - 1, GL_HLINE) ? JOIN_LEFT : 0;
	from |= is_line(c, y, x + 1, GL_HLINE) ? JOIN_RIGHT : 0;
	from |= is_line(c, y - 1, x, GL_VLINE) ? JOIN_UP : 0;
	from |= is_line(c, y + 1, x, GL_VLINE) ? JOIN_DOWN : 0;
	joint = joints[from];
	if (joint != 0)
		put_cell(c, y, x, ST_TITLE, c->ascii ? '+' : joint, 1);
}

void
canvas_blank(struct canvas *c, struct rect r, enum style st)
{
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			put_cell(c, y, x, st, ' ', 1);
}

void
canvas_block(struct canvas *c, int y, int x, enum style st, unsigned level)
{
	if (level > 8)
		level = 8;
	if (level == 0)
		put_cell(c, y, x, st, ' ', 1);
	else
		put_cell(c, y, x, st, c->ascii ? ascii_blocks[level] : 0x2580 + (int32_t)level, 1);
}

void
canvas_bar(struct canvas *c, int y, int x, int w, enum style st, double share)
{
	int	eighths;

	share = share < 0 ? 0 : share > 1 ? 1 : share;
	eighths = (int)(share * w * 8 + 0.5);
	if (share > 0 && eighths == 0)
		eighths = 1;
	for (int i = 0; i < w && eighths > 0; i++, eighths -= 8) {
		int	n = eighths > 8 ? 8 : eighths;

		if (c->ascii)
			put_cell(c, y, x + i, st, n >= 4 || i == 0 ? '#' : ' ', 1);
		else	/* U+2588 is a full block, U+258F an eighth of a block */
			put_cell(c, y, x + i, st, 0x2590 - n, 1);
	}
}

void
canvas_mark(struct canvas *c, int y, int x, int w, unsigned mark)
{
	for (int i = x; i < x + w; i++) {
		struct canvas_cell	*at = canvas_at(c, y, i);

		if (at != NULL)
			at->mark |= (uint8_t)mark;
	}
}

void
canvas_read(const struct canvas *c, int y, int x, int w, struct buf *out, uint16_t *x_of)
{
	size_t	begin = out->len;

	for (int at = x; at < x + w; at++) {
		const struct canvas_cell	*cell = canvas_at(c, y, at);
		size_t				 was = out->len;
		char				 utf8[4];

		for (unsigned i = 0; cell != NULL && i <= CELL_MARKS && cell->cp[i] != 0; i++)
			buf_add(out, utf8, text_encode(cell->cp[i], utf8));
		for (; was < out->len; was++)
			x_of[was - begin] = (uint16_t)at;
	}
}
