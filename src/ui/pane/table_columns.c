/*
 * The columns of a table on the screen: which are shown, the text of their cells, and their places.
 *
 *	shown --those with room, by rank--> chosen --remaining room, by need--> placed
 */
#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/text.h"
#include "ui/pane/table_parts.h"

#define SPARK_MAX	120
#define TEXT_NARROW	12	/* texts are not cut below this while columns can be left out */
#define TEXT_LEAST	4	/* texts are not cut below this at all */

unsigned
table_pane_nth(const struct table *t, unsigned i)
{
	unsigned	lead = t->lead - 1;

	if (t->lead == 0 || i > lead)
		return i;
	return i == 0 ? lead : i - 1;
}

bool
table_is_number(const struct table *t, unsigned col)
{
	enum cell_kind	kind = t->column[col].kind;

	return kind == CELL_HEX || kind == CELL_ADDRESS ||
	    (cell_is_number(kind) && kind != CELL_SHARE);
}

struct span
table_pane_words(const struct table_pane *p, const struct view *v, const struct table *t,
    size_t row, unsigned col, struct cell *c, struct buf *b)
{
	struct cell	bare;

	t->cell(t->src, row, col, c);
	bare = *c;
	if ((bare.show & SHOW_WORD) == 0)
		bare.word.p = NULL;
	bare.show |= t->column[col].flags & COLUMN_ID ? 0 : SHOW_GROUPED;
	if (c->kind == CELL_DUR || (c->kind == CELL_F64 && p->fine >> col & 1))
		bare.show |= SHOW_ALIGNED;
	buf_clear(b);
	switch (c->kind) {
	case CELL_NONE:
	case CELL_NULL:
		return c->word;
	case CELL_TEXT:
	case CELL_PLAIN:
	case CELL_RAW:
		return c->word.p != NULL ? c->word : c->text;
	case CELL_TIME:
		view_time_ns(v, c->i, b);
		break;
	default:
		cell_text(b, &bare, v->display.ascii);
	}
	return span_of_buf(b);
}

bool
table_pane_shows(const struct table_pane *p, const struct table *t, unsigned col)
{
	uint64_t	bit = UINT64_C(1) << col;

	if (t->absent & bit)
		return false;
	if (p->pick != 0)
		return (p->pick & bit) != 0;
	return (t->idle & bit) == 0 && (t->column[col].flags & COLUMN_ASKED) == 0;
}

/* A heading must fit into the columns before the first number that is not an id. The last of these
   is made wide enough. Returns the first column after them. */
static unsigned
measure_heading(struct table_pane *p, const struct table *t, int w)
{
	unsigned	last = t->ncolumns, i;
	int		room = -BETWEEN;

	for (i = 0; i < t->ncolumns; i++) {
		if (!table_pane_shows(p, t, i))
			continue;
		if (table_is_number(t, i) && !(t->column[i].flags & COLUMN_ID))
			break;
		last = i;
		room += p->natural[i] + BETWEEN;
	}
	if (last < t->ncolumns && w > room)
		p->natural[last] += w - room;
	return i;
}

/* If a value of a measure has more decimals, all values in its column get as many. */
static void
note_fine(struct table_pane *p, const struct cell *c, unsigned col)
{
	if (c->kind == CELL_F64 && c->show & SHOW_ROUNDED && c->f < 10 && c->f > -10)
		p->fine |= UINT64_C(1) << col;
}

static void
measure_row(struct table_pane *p, struct view *v, const struct table *t, size_t row)
{
	enum text_mode	mode = v->display.ascii ? TEXT_ASCII : TEXT_UTF8;
	struct cell	c = { .kind = CELL_NONE };
	struct buf	b;
	struct span	s;
	unsigned	first = 0;
	int		w;

	buf_init(&b);
	if (t->heading != NULL && t->heading(t->src, row, &b))
		first = measure_heading(p, t, (int)text_width(span_of_buf(&b), mode));
	for (unsigned i = first; i < t->ncolumns; i++) {
		if (!table_pane_shows(p, t, i) || t->column[i].kind == CELL_SPARK ||
		    t->column[i].kind == CELL_SHARE)
			continue;
		s = table_pane_words(p, v, t, row, i, &c, &b);
		note_fine(p, &c, i);
		s.len = s.len < LIMIT_TEXT_SHOWN ? s.len : LIMIT_TEXT_SHOWN;
		w = (int)text_width(s, mode);
		p->natural[i] = w > p->natural[i] ? w : p->natural[i];
	}
	buf_release(&b);
}

void
table_pane_measure(struct table_pane *p, struct view *v, const struct table *t, int h)
{
	size_t		first = p->list.top, n = p->nshown;
	bool		fresh = p->natural[0] == 0;
	uint64_t	fine = p->fine;

	for (unsigned i = 0; i < t->ncolumns && p->natural[i] == 0; i++)
		p->natural[i] = (int)text_width(span_of(table_title(t, i)),
		    v->display.ascii ? TEXT_ASCII : TEXT_UTF8) + ORDER_W(v->display.ascii);
	for (size_t i = 0; p->steady && fresh && i < n; i++)
		measure_row(p, v, t, p->shown[i]);
	for (size_t i = first; !p->steady && i < n && i < first + (size_t)h; i++)
		measure_row(p, v, t, p->shown[i]);
	for (size_t i = first; p->fine != fine && i < n && i < first + (size_t)h; i++)
		measure_row(p, v, t, p->shown[i]);	/* with the headings above it */
}

/* The width that a column needs: at least, or in full. */
static int
wanted(const struct table_pane *p, const struct table *t, unsigned col, bool least)
{
	const struct table_column	*c = &t->column[col];
	int				 w = p->natural[col];

	if (c->kind == CELL_SHARE)
		return SHARE_W;
	if (c->kind == CELL_SPARK)
		return least || c->most >= 0 ? c->width : SPARK_MAX;
	if (c->kind != CELL_TEXT && c->kind != CELL_RAW)
		return w > c->width ? w : c->width;
	if (c->most > 0 && w > c->most)
		w = c->most;
	if (least && c->width > 0 && w > c->width)
		w = c->width;
	return w;
}

/* The least width; of a text column at most `text`. */
static int
narrow(const struct table_pane *p, const struct table *t, unsigned col, int text)
{
	enum cell_kind	kind = t->column[col].kind;
	int		w = wanted(p, t, col, true);

	return (kind == CELL_TEXT || kind == CELL_RAW) && w > text ? text : w;
}

/* The width of a set of columns. */
static int
cells_of(const struct table_pane *p, const struct table *t, uint64_t set, int text)
{
	int	w = -BETWEEN;

	for (unsigned i = 0; i < t->ncolumns; i++)
		if (set >> i & 1)
			w += narrow(p, t, i, text) + BETWEEN;
	return w;
}

/*
 * The column to leave out next: the one with the greatest rank. With `unranked`, the last one
 * without a rank, but times before durations. The column that the table is sorted by stays, and so
 * do the one that leads, or else the first one unless it has a rank.
 */
static unsigned
goes_next(const struct table_pane *p, const struct table *t, uint64_t set, bool unranked)
{
	unsigned	worst = t->ncolumns, time = worst, first = 0, by = table_pane_by(p, t);

	while (first < t->ncolumns && (set >> first & 1) == 0)
		first++;
	if ((set & (set - 1)) == 0)
		return worst;
	for (unsigned i = first; i < t->ncolumns; i++) {
		unsigned	rank = t->column[i].rank;
		bool		stays = i == by || (t->lead > 0 ? i == t->lead - 1 :
				    i == first && rank == 0);

		if ((set >> i & 1) == 0 || stays || (rank == 0 && !unranked))
			continue;
		if (worst == t->ncolumns || rank >= t->column[worst].rank)
			worst = i;
		if (t->column[i].kind == CELL_TIME && rank == 0)
			time = i;
	}
	if (time < worst && worst < t->ncolumns && t->column[worst].kind == CELL_DUR)
		return time;
	return worst;
}

/*
 * Leave out columns of the greatest rank until the rest fits. Numbers are never cut: first texts
 * become narrower, then columns without a rank are left out from the right, and at last texts are
 * cut to a few cells. *text: the greatest width of a text.
 */
static uint64_t
choose(const struct table_pane *p, const struct table *t, int room, int *text)
{
	uint64_t	set = 0;
	unsigned	next;

	*text = room;
	for (unsigned i = 0; i < t->ncolumns; i++)
		if (table_pane_shows(p, t, i))
			set |= UINT64_C(1) << i;
	for (int unranked = 0; unranked <= 1; unranked++) {
		next = goes_next(p, t, set, unranked);
		while (cells_of(p, t, set, *text) > room && next < t->ncolumns) {
			set &= ~(UINT64_C(1) << next);
			next = goes_next(p, t, set, unranked);
		}
		for (; *text > (unranked ? TEXT_LEAST : TEXT_NARROW) &&
		    cells_of(p, t, set, *text) > room; )
			(*text)--;
	}
	return set;
}

/* The narrowest column that needs more width; NULL: none. */
static struct table_place *
narrowest(struct table_pane *p, const struct table *t)
{
	struct table_place	*least = NULL;

	for (unsigned i = 0; i < p->nplaces; i++) {
		struct table_place	*at = &p->place[i];

		if (t->column[at->col].most >= 0 && at->w < wanted(p, t, at->col, false) &&
		    (least == NULL || at->w < least->w))
			least = at;
	}
	return least;
}

/* Give the remaining width to columns that need more, then to the column that takes the rest. */
static void
widen(struct table_pane *p, const struct table *t, int left)
{
	struct table_place	*at;

	for (at = narrowest(p, t); at != NULL && left > 0; at = narrowest(p, t)) {
		at->w++;
		left--;
	}
	for (unsigned i = 0; i < p->nplaces && left > 0; i++) {
		const struct table_column	*col = &t->column[p->place[i].col];

		at = &p->place[i];
		if (col->most >= 0)
			continue;
		at->w += left;
		left = 0;
		if (col->kind == CELL_SPARK && at->w > SPARK_MAX)
			at->w = SPARK_MAX;
	}
}

void
table_pane_place(struct table_pane *p, const struct table *t, struct rect r)
{
	int		room = r.w - MARGIN, left = room + BETWEEN, x = r.x + MARGIN, text;
	uint64_t	set = choose(p, t, room, &text);

	p->nplaces = 0;
	for (unsigned i = 0; i < t->ncolumns; i++) {
		unsigned	col = table_pane_nth(t, i);

		if ((set >> col & 1) == 0)
			continue;
		p->place[p->nplaces++] = (struct table_place){ .col = col,
		    .w = narrow(p, t, col, text) };
		left -= narrow(p, t, col, text) + BETWEEN;
	}
	widen(p, t, left);
	for (unsigned i = 0; i < p->nplaces; i++) {
		p->place[i].x = x;
		if (x + p->place[i].w > r.x + r.w)
			p->place[i].w = r.x + r.w - x > 0 ? r.x + r.w - x : 0;
		x += p->place[i].w + BETWEEN;
	}
}

void
table_pane_columns(struct table_pane *p, struct view *v, struct buf *out)
{
	const struct table	*t = table_pane_table(p, v);
	const char		*comma = "";

	for (unsigned i = 0; i < t->ncolumns; i++) {
		unsigned	col = table_pane_nth(t, i);

		if (!table_pane_shows(p, t, col))
			continue;
		buf_printf(out, "%s%s", comma, t->column[col].name);
		comma = ",";
	}
}

bool
table_pane_choose(struct table_pane *p, struct view *v, const char *list, struct buf *why)
{
	const struct table	*t = table_pane_table(p, v);
	uint64_t		 pick = 0;

	while (*list != '\0') {
		size_t		len = strcspn(list, ", ");
		unsigned	col = t->ncolumns;

		if (len > 0)
			col = table_find_column(t, list, len, why);
		if (len > 0 && col == t->ncolumns)
			return false;
		if (len > 0)
			pick |= UINT64_C(1) << col;
		list += len + (list[len] != '\0');
	}
	p->pick = pick;
	memset(p->natural, 0, sizeof p->natural);
	return true;
}
