/*
 * The columns of a table on the screen: which are shown, the text of their cells, and their places.
 *
 *	shown --those with room, by fit_columns()--> placed
 */
#include <string.h>

#include "tnav/analysis/cut.h"
#include "tnav/analysis/fit.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/text.h"
#include "ui/pane/table_parts.h"

#define SPARK_MAX	120
#define SAMPLED	8u		/* rows that say whether a column is the same in all */
#define PART_WIDE	32	/* the last part of a name needs at most this */

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

void
table_pane_title(const struct table *t, unsigned col, struct buf *out)
{
	buf_puts(out, table_title(t, col));
	if (table_unit(t, col) != NULL)
		buf_printf(out, " (%s)", table_unit(t, col));
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
		bare.show |= p->coarse >> col & 1 ? SHOW_POINT : SHOW_ALIGNED;
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
	uint64_t	bit = UINT64_C(1) << col % TABLE_COLUMNS;

	if (col >= TABLE_COLUMNS || (t->absent & bit) != 0)
		return false;
	if (p->pick != 0)
		return (p->pick & bit) != 0;
	return (t->idle & bit) == 0 && (t->column[col].flags & COLUMN_EXTRA) == 0;
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

/* If a value of a measure has more decimals, all values in its column get as many. In a column with
   one unit the greatest decides. */
static void
note_fine(struct table_pane *p, const struct table *t, const struct cell *c, unsigned col)
{
	if (c->kind != CELL_F64 || (c->show & SHOW_ROUNDED) == 0)
		return;
	if (c->f < 10 && c->f > -10)
		p->fine |= UINT64_C(1) << col;
	else if (t->column[col].unit != NULL)
		p->coarse |= UINT64_C(1) << col;
}

/* Is the text the same as in the rows before? */
static void
note_varied(struct table_pane *p, unsigned col, struct span s)
{
	uint64_t	hash = hash_bytes(s.p, s.len);

	if (p->common_known >> col & 1 && p->common[col] != hash)
		p->varied |= UINT64_C(1) << col;
	p->common[col] = hash;
	p->common_known |= UINT64_C(1) << col;
}

static void
measure_row(struct table_pane *p, struct view *v, const struct table *t, size_t row)
{
	enum text_mode	mode = v->display.ascii ? TEXT_ASCII : TEXT_UTF8;
	struct cell	c = { .kind = CELL_NONE };
	struct buf	b = { 0 };
	struct span	s;
	unsigned	first = 0;
	int		w;

	if (t->heading != NULL && t->heading(t->src, row, &b))
		first = measure_heading(p, t, (int)text_width(span_of_buf(&b), mode));
	for (unsigned i = first; i < t->ncolumns; i++) {
		if (!table_pane_shows(p, t, i))
			continue;
		if (t->column[i].kind == CELL_SPARK || t->column[i].kind == CELL_SHARE) {
			p->varied |= UINT64_C(1) << i;
			continue;
		}
		s = table_pane_words(p, v, t, row, i, &c, &b);
		note_fine(p, t, &c, i);
		note_varied(p, i, s);
		s.len = s.len < LIMIT_TEXT_SHOWN ? s.len : LIMIT_TEXT_SHOWN;
		w = (int)text_width(s, mode);
		p->natural[i] = w > p->natural[i] ? w : p->natural[i];
		if (t->column[i].flags & COLUMN_CODE)
			w = (int)cut_least(s, mode);
		p->part[i] = w > p->part[i] ? w : p->part[i];
	}
	buf_release(&b);
}

/* Rows from all over the table: what is the same in them is mostly the same in all. */
static void
sample_rows(struct table_pane *p, struct view *v, const struct table *t)
{
	struct cell	c = { .kind = CELL_NONE };
	struct buf	b = { 0 };

	for (size_t n = 0; n < SAMPLED && p->nshown > 0; n++) {
		size_t	row = p->shown[(p->nshown - 1) * n / (SAMPLED - 1)];

		if (t->heading != NULL && t->heading(t->src, row, &b))
			continue;
		for (unsigned i = 0; i < t->ncolumns; i++)
			if (table_pane_shows(p, t, i))
				note_varied(p, i, table_pane_words(p, v, t, row, i, &c, &b));
	}
	buf_release(&b);
}

void
table_pane_measure(struct table_pane *p, struct view *v, const struct table *t, int h)
{
	size_t		first = p->list.top, n = p->nshown;
	bool		fresh = p->natural[0] == 0;
	uint64_t	fine = p->fine, coarse = p->coarse;
	struct buf	title = { 0 };

	if (fresh) {
		memset(p->part, 0, sizeof p->part);
		p->varied = p->common_known = p->dull = 0;
		sample_rows(p, v, t);
	}
	for (unsigned i = 0; i < t->ncolumns && p->natural[i] == 0; i++) {
		buf_clear(&title);
		table_pane_title(t, i, &title);
		p->natural[i] = (int)text_width(span_of_buf(&title),
		    v->display.ascii ? TEXT_ASCII : TEXT_UTF8) + ORDER_W(v->display.ascii);
	}
	buf_release(&title);
	for (size_t i = 0; p->steady && fresh && i < n; i++)
		measure_row(p, v, t, p->shown[i]);
	for (size_t i = first; !p->steady && i < n && i < first + (size_t)h; i++)
		measure_row(p, v, t, p->shown[i]);
	/* The headings above say how many decimals there are. */
	if (p->fine != fine || p->coarse != coarse)
		for (size_t i = first; i < n && i < first + (size_t)h; i++)
			measure_row(p, v, t, p->shown[i]);
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

/* The first column that is shown, in the order of the table. */
static unsigned
first_shown(const struct table_pane *p, const struct table *t)
{
	unsigned	i = 0;

	while (i + 1 < t->ncolumns && !table_pane_shows(p, t, i))
		i++;
	return i;
}

/* The column that leads names the row, and those that say so. */
static bool
names_row(const struct table_pane *p, const struct table *t, unsigned col)
{
	const struct table_column	*c = &t->column[col];

	if ((c->kind != CELL_TEXT && c->kind != CELL_RAW) || p->part[col] == 0)
		return false;
	return col + 1 == t->lead || (c->flags & COLUMN_NAMES) != 0;
}

static bool
has_names(const struct table_pane *p, const struct table *t)
{
	for (unsigned i = 0; i < t->ncolumns; i++)
		if (table_pane_shows(p, t, i) && names_row(p, t, i))
			return true;
	return false;
}

static unsigned
fit_flags(const struct table_pane *p, const struct table *t, unsigned col)
{
	const struct table_column	*c = &t->column[col];
	bool				 leads = t->lead > 0 ? col == t->lead - 1 :
					    col == first_shown(p, t) && !has_names(p, t);
	unsigned			 flags = 0;

	if (c->kind == CELL_TEXT || c->kind == CELL_RAW)
		flags |= FIT_WORDS | (names_row(p, t, col) ? FIT_NAMES : 0);
	flags |= leads || (c->flags & COLUMN_STAYS) != 0 || col == table_pane_by(p, t) ?
	    FIT_STAYS : 0;
	/* A method that is the same in all rows is an answer. */
	flags |= p->nshown > 1 && (p->varied >> col & 1) == 0 &&
	    (c->flags & COLUMN_CODE) == 0 ? FIT_SAME : 0;
	flags |= c->kind == CELL_TIME ? FIT_TIME : c->kind == CELL_DUR ? FIT_DUR : 0;
	flags |= c->kind == CELL_SPARK ? FIT_BARS : 0;
	return flags | (c->most < 0 ? FIT_REST : 0);
}

/* The least width of a column; of a name so much that it can be told from others. */
static int
least_width(const struct table_pane *p, const struct table *t, unsigned col)
{
	int	w = wanted(p, t, col, true), part = p->part[col];

	if ((t->column[col].flags & COLUMN_CODE) == 0 && !names_row(p, t, col))
		return w;
	part = part < PART_WIDE ? part : PART_WIDE;
	part = part < wanted(p, t, col, false) ? part : wanted(p, t, col, false);
	return part > w ? part : w;
}

static int
bare_width(const struct table_pane *p, const struct table *t, unsigned col)
{
	if (t->column[col].kind != CELL_SHARE)
		return 0;
	return p->natural[col] > SHARE_BARE ? p->natural[col] : SHARE_BARE;
}

/* Give what remains to the column that takes it. */
static void
give_rest(const struct table *t, struct fit_column *c, int more)
{
	unsigned	i = 0;

	while (i < t->ncolumns && (!c[i].in || (c[i].flags & FIT_REST) == 0))
		i++;
	if (i == t->ncolumns)
		return;
	c[i].w += more;
	if (t->column[i].kind == CELL_SPARK && c[i].w > SPARK_MAX)
		c[i].w = SPARK_MAX;
}

/* Say which columns return because their rows are not all the same. */
static void
say_returned(struct table_pane *p, struct view *v, const struct table *t,
    const struct fit_column *c)
{
	uint64_t	dull = 0;

	for (unsigned i = 0; i < t->ncolumns; i++) {
		if (!c[i].in && c[i].flags & FIT_SAME)
			dull |= UINT64_C(1) << i;
		else if (c[i].in && p->dull >> i & 1 && p->varied >> i & 1)
			view_say(v, "%s is shown: it is not the same in all rows",
			    table_title(t, i));
	}
	p->dull = dull;
}

void
table_pane_place(struct table_pane *p, struct view *v, const struct table *t, struct rect r)
{
	struct fit_column	fit[TABLE_MOST] = { { .in = false } };
	int			x = r.x + MARGIN;

	for (unsigned i = 0; i < t->ncolumns; i++)
		if (table_pane_shows(p, t, i))
			fit[i] = (struct fit_column){ .in = true, .rank = t->column[i].rank,
			    .flags = fit_flags(p, t, i), .full = wanted(p, t, i, false),
			    .least = least_width(p, t, i), .bare = bare_width(p, t, i) };
	give_rest(t, fit, fit_columns(fit, t->ncolumns, r.w - MARGIN, BETWEEN));
	say_returned(p, v, t, fit);
	p->nplaces = 0;
	for (unsigned i = 0; i < t->ncolumns; i++) {
		unsigned		col = table_pane_nth(t, i);
		struct table_place	at = { .col = col, .x = x, .w = fit[col].w };

		if (!fit[col].in)
			continue;
		if (x + at.w > r.x + r.w)
			at.w = r.x + r.w - x > 0 ? r.x + r.w - x : 0;
		p->place[p->nplaces++] = at;
		x += at.w + BETWEEN;
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
		if (len > 0 && col < TABLE_COLUMNS)
			pick |= UINT64_C(1) << col;
		list += len + (list[len] != '\0');
	}
	p->pick = pick;
	memset(p->natural, 0, sizeof p->natural);
	return true;
}
