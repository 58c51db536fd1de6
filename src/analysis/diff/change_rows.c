/*
 * The rows of a comparison.
 *
 *	kind	key ...			| figure   a     b     change  low   high  verdict
 *	about				| seconds  6.7   6.5
 *	row	GC/Start		| rate     2.1   8.9   3.24    2.1   4.38  more
 *	row	HTTP request, Get	| p50.dur  900   1200  0.33    ...
 *
 * Files have numbers: rates per second (or what they are per), ns, fractions. People see the same
 * with units, and ~ where nothing is shown to have changed.
 */
#include "analysis/diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/about.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/units.h"

#define KIND		1u	/* columns before those of the key */
#define NUMBER_CELLS	9u	/* of a number for people */
#define CHANGE_CELLS	8u
#define INTERVAL_CELLS	16u
#define INDENT_MOST	60u		/* cells before a name in a tree */
#define PATH_NAMES	256u		/* of a path, at most */
#define WIDE		1e4	/* an interval up to here says nothing */
#define TIMES		10.0	/* from this on people see x 12, not +1,100 % */

static const char *const	verdicts[DIFF_VERDICTS] = {
	"same", "more", "less", "new", "gone", "unknown",
};

struct diff_rows {
	struct table		 table;
	struct table_column	*column;
	struct sides		*d;
	struct diff_table_of	 of;
	struct diff_notes	 notes;		/* rows of kind about */
	struct diff_tree	 tree;		/* with of.tree */
	struct buf		 text[DIFF_COLUMNS], path;
};

/* "rate", "p50.dur". */
static const char *
figure_name(const struct sides *d, enum diff_figure figure)
{
	static const char *const	rates[] = { "rate", "share", "perSpan", "count" };

	if (d->o.judging != DIFF_BY_NOISE)
		return d->o.bytes ? "bytes" : "number";
	if (d->o.means)
		return "mean";
	if (figure == FIGURE_RATE)
		return rates[d->o.per];
	return figure == FIGURE_P50 ? "p50.dur" : "p99.dur";
}

/* ---- for people */

/* Three digits, or a whole number with its digits grouped. */
static void
put_number(struct buf *out, double v)
{
	if (v < 1000)
		buf_printf(out, v == 0 ? "%.0f" : v < 10 ? "%.2f" : v < 100 ? "%.1f" : "%.0f", v);
	else if (v < 1e6)
		buf_grouped(out, u64_of(v + 0.5));
	else
		units_count(out, u64_of(v));
}

static void
put_value(struct buf *out, const struct diff_rows *s, enum diff_figure figure, double v)
{
	if (isnan(v))
		buf_putc(out, '-');
	else if (figure != FIGURE_RATE)
		units_dur_short(out, i64_of(v), s->of.ascii);
	else if (s->d->o.per == DIFF_PER_EVENT)
		buf_printf(out, "%.2f %%", v * 100);
	else if (s->d->o.bytes)
		units_bytes(out, u64_of(v));
	else
		put_number(out, v);
}

static void
put_percent(struct buf *out, double change)
{
	if (fabs(change) < 1)
		buf_printf(out, "%+.1f", change * 100);
	else
		buf_printf(out, "%+.0f", change * 100);
}

static void
put_change(struct buf *out, const struct diff_judged *j)
{
	switch (j->verdict) {
	case DIFF_SAME:
		buf_putc(out, '~');
		break;
	case DIFF_UNKNOWN:
		buf_putc(out, '?');
		break;
	case DIFF_NEW: case DIFF_GONE:
		buf_puts(out, verdicts[j->verdict]);
		break;
	default:
		if (isnan(j->r.change)) {
			buf_puts(out, verdicts[j->verdict]);
		} else if (1 + j->r.change >= TIMES) {
			buf_puts(out, "x ");
			put_number(out, 1 + j->r.change);
		} else {
			put_percent(out, j->r.change);
			buf_puts(out, " %");
		}
	}
}

/* The interval of the change; nothing where there is none to tell. */
static void
put_interval(struct buf *out, const struct diff_judged *j)
{
	bool	times = 1 + j->r.change >= TIMES;

	if (!(j->r.high < WIDE) || j->verdict == DIFF_UNKNOWN || j->verdict == DIFF_GONE)
		return;
	if (times && j->verdict == DIFF_MORE) {
		buf_puts(out, "x ");
		put_number(out, 1 + j->r.low);
		buf_puts(out, " .. ");
		put_number(out, 1 + j->r.high);
		return;
	}
	put_percent(out, j->r.low);
	buf_puts(out, " .. ");
	put_percent(out, j->r.high);
	buf_puts(out, " %");
}

/* A text that ends where the column ends. */
static struct cell
aligned(struct buf *b, unsigned cells)
{
	unsigned	width = (unsigned)text_width(span_of_buf(b), TEXT_UTF8);
	struct buf	out = { 0 };

	for (; width < cells; width++)
		buf_putc(&out, ' ');
	buf_add(&out, b->p, b->len);
	buf_clear(b);
	buf_add(b, out.p, out.len);
	buf_release(&out);
	return (struct cell){ .kind = CELL_PLAIN, .text = span_of_buf(b) };
}

/* How wide a text for people is; 0: the column has none. */
static unsigned
people_width(unsigned col)
{
	switch (col) {
	case DIFF_A: case DIFF_B:
		return NUMBER_CELLS;
	case DIFF_CHANGE:
		return CHANGE_CELLS;
	case DIFF_INTERVAL:
		return INTERVAL_CELLS;
	default:
		return 0;
	}
}

/* out has the number. On a screen it stays beside its words. */
static void
people_cell(struct diff_rows *s, const struct diff_judged *j, unsigned col, struct cell *out)
{
	unsigned	 width = people_width(col);
	struct buf	*b = &s->text[col];

	if (width == 0)
		return;
	buf_clear(b);
	if (col == DIFF_CHANGE)
		put_change(b, j);
	else if (col == DIFF_INTERVAL)
		put_interval(b, j);
	else
		put_value(b, s, j->figure, col == DIFF_A ? j->r.a : j->r.b);
	if (!s->of.screen || col == DIFF_INTERVAL) {
		*out = aligned(b, width);
		return;
	}
	out->word = span_of_buf(b);
	out->show |= SHOW_WORD;
}

/* ---- for files */

static struct cell
number_cell(double v, enum diff_figure figure)
{
	if (isnan(v) || isinf(v))
		return cell_null();
	return figure == FIGURE_RATE ? cell_f64(v) : cell_dur(i64_of(v));
}

static struct cell
file_cell(const struct sides *d, const struct diff_judged *j, unsigned col)
{
	switch (col) {
	case DIFF_FIGURE:
		return cell_str(figure_name(d, j->figure));
	case DIFF_A:
		return number_cell(j->r.a, j->figure);
	case DIFF_B:
		return number_cell(j->r.b, j->figure);
	case DIFF_CHANGE:
		return number_cell(j->r.change, FIGURE_RATE);
	case DIFF_LOW:
		return number_cell(j->r.low, FIGURE_RATE);
	case DIFF_HIGH:
		return number_cell(j->r.high, FIGURE_RATE);
	case DIFF_VERDICT:
		return cell_str(verdicts[j->verdict]);
	default:
		return cell_none();
	}
}

static struct cell
note_cell(const struct diff_note *n, unsigned col)
{
	switch (col) {
	case DIFF_SUBJECT:
		return n->subject != NULL ? cell_str(n->subject) : cell_none();
	case DIFF_FIGURE:
		return cell_str(n->figure);
	case DIFF_A:
		return isnan(n->a) ? cell_null() : cell_f64(n->a);
	case DIFF_B:
		return isnan(n->b) ? cell_null() : cell_f64(n->b);
	case DIFF_TEXT:
		return n->text != NULL ? cell_str(n->text) : cell_none();
	default:
		return cell_none();
	}
}

/* ---- the table */

/* The row above one of a tree. EVENT_NONE: there is none. */
static uint32_t
parent_of(const struct sides *d, uint32_t row)
{
	return (uint32_t)d->row[row].key[0].u;
}

/* "Main;Run": the names above a row of a tree, outermost first; the innermost of very many. */
static struct cell
path_cell(struct diff_rows *s, uint32_t row)
{
	struct buf	*b = &s->path;
	uint32_t	*above = NULL;
	size_t		 n = 0, cap = 0;

	buf_clear(b);
	for (uint32_t r = parent_of(s->d, row); r != EVENT_NONE && n < PATH_NAMES;
	    r = parent_of(s->d, r)) {
		ARRAY_ADD(above, n, cap, r);
	}
	while (n-- > 0) {
		struct span	name = s->d->row[above[n]].key[1].text;

		buf_puts(b, b->len > 0 ? ";" : "");
		buf_add(b, name.p, name.len);
	}
	mem_free(above);
	return (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(b) };
}

static struct cell
indented_cell(struct diff_rows *s, size_t row, uint32_t of)
{
	struct span	name = s->d->row[of].key[1].text;
	uint32_t	depth = s->tree.depth[row];

	buf_clear(&s->path);
	buf_fill(&s->path, ' ', depth < INDENT_MOST ? depth : INDENT_MOST);
	buf_add(&s->path, name.p, name.len);
	return (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(&s->path) };
}

static void
rows_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct diff_rows	*s = src;
	unsigned		 nkeys = s->d->o.nkeys;
	bool			 note = s->of.about;
	const struct diff_judged *j = note ? NULL :
				    &s->d->judged[s->of.tree ? s->tree.judged[row] : row];

	*out = cell_none();
	if (col < KIND) {
		*out = cell_str(note ? "about" : "row");
	} else if (col < KIND + nkeys) {
		if (!note && s->d->o.tree && col == KIND)
			*out = path_cell(s, j->row);
		else if (!note && s->of.tree)
			*out = indented_cell(s, row, j->row);
		else if (!note)
			*out = s->d->row[j->row].key[col - KIND];
	} else if (note) {
		*out = note_cell(&s->notes.v[row], col - KIND - nkeys);
	} else {
		col -= KIND + nkeys;
		*out = file_cell(s->d, j, col);
		if (s->of.people)
			people_cell(s, j, col, out);
	}
}

static enum tone
rows_tone(void *src, size_t row, unsigned col)
{
	struct diff_rows		*s = src;
	const struct diff_judged	*j;

	if (s->of.about || col < KIND + s->d->o.nkeys)
		return TONE_NORMAL;
	j = &s->d->judged[s->of.tree ? s->tree.judged[row] : row];
	if (j->verdict == DIFF_SAME || j->verdict == DIFF_UNKNOWN)
		return TONE_DIM;
	return TONE_STRONG;
}

static void
rows_release(void *src)
{
	struct diff_rows	*s = src;

	for (unsigned i = 0; i < DIFF_COLUMNS; i++)
		buf_release(&s->text[i]);
	buf_release(&s->path);
	diff_notes_release(&s->notes);
	diff_tree_release(&s->tree);
	mem_free(s->column);
	mem_free(s);
}

static bool
names_code(const char *key)
{
	return strcmp(key, "method") == 0 || strcmp(key, "type") == 0 ||
	    strcmp(key, "site") == 0 || strcmp(key, "task") == 0;
}

struct table *
diff_table(struct sides *d, const struct diff_table_of *of)
{
	struct diff_rows	*s = mem_zalloc(1, sizeof *s);
	unsigned		 nkeys = d->o.nkeys, n = KIND + nkeys + DIFF_COLUMNS;

	diff_judge(d);
	s->d = d;
	s->of = *of;
	if (of->tree)
		diff_tree_make(&s->tree, d);
	if (of->about)
		diff_notes_make(&s->notes, d);
	s->column = mem_zalloc(n, sizeof *s->column);
	s->column[0] = (struct table_column){ .name = "kind", .kind = CELL_TEXT };
	for (unsigned i = 0; i < nkeys; i++)
		s->column[KIND + i] = (struct table_column){ .name = d->o.key[i],
		    .printed = d->o.key[i], .kind = CELL_TEXT,
		    .rank = i + 1 < nkeys ? 2 : 0,
		    .flags = (i + 1 == nkeys ? COLUMN_NAMES : 0) |
		    (names_code(d->o.key[i]) ? COLUMN_CODE : 0) };
	memcpy(s->column + KIND + nkeys, diff_columns, sizeof diff_columns);
	s->table = (struct table){ .column = s->column, .ncolumns = n, .src = s,
	    .nrows = of->about ? s->notes.n : of->tree ? s->tree.n : d->njudged,
	    .cell = rows_cell, .tone = rows_tone, .release = rows_release, .empty = "no rows" };
	return &s->table;
}

/* ---- limits */

static const char *
skip_blanks(const char *p)
{
	return p + strspn(p, " \t");
}

int
diff_limit_parse(struct diff_limit *l, const char *text, struct buf *why)
{
	static const struct {
		const char	*name;
		enum diff_figure figure;
	} names[] = {
		{ "rate", FIGURE_RATE }, { "share", FIGURE_RATE }, { "perSpan", FIGURE_RATE },
		{ "count", FIGURE_RATE }, { "mean", FIGURE_RATE },
		{ "p50.dur", FIGURE_P50 }, { "p99.dur", FIGURE_P99 },
	};
	const char	*p = skip_blanks(text);
	size_t		 len = strcspn(p, " \t<>"), i = 0;
	char		*end;

	while (i < sizeof names / sizeof names[0] && (strlen(names[i].name) != len ||
	    memcmp(names[i].name, p, len) != 0))
		i++;
	if (i == sizeof names / sizeof names[0]) {
		buf_puts(why, "it begins with rate, share, perSpan, count, mean, p50.dur or "
		    "p99.dur");
		return ERR_USAGE;
	}
	l->figure = names[i].figure;
	p = skip_blanks(p + len);
	if (*p != '<' && *p != '>') {
		buf_puts(why, "'>' or '<' is missing after the figure");
		return ERR_USAGE;
	}
	l->above = *p == '>';
	p = skip_blanks(p + 1);
	l->change = strtod(p, &end) / 100;
	if (end == p || !(fabs(l->change) < 1e9) || *skip_blanks(end) != '%' ||
	    *skip_blanks(skip_blanks(end) + 1) != '\0') {
		buf_puts(why, "it ends with a change in percent, such as +10 %");
		return ERR_USAGE;
	}
	return ERR_OK;
}

static bool
is_beyond(const struct diff_judged *j, const struct diff_limit *l)
{
	if (j->figure != l->figure || j->verdict == DIFF_SAME || j->verdict == DIFF_UNKNOWN)
		return false;
	if (j->verdict == DIFF_NEW)
		return l->above;
	return l->above ? j->r.change > l->change : j->r.change < l->change;
}

static void
describe(struct sides *d, const struct diff_judged *j, struct buf *out)
{
	for (unsigned i = 0; i < d->o.nkeys; i++) {
		const struct cell	*c = &d->row[j->row].key[i];
		struct buf		 text = { 0 };

		cell_text(&text, c, true);
		text_clean(out, span_of_buf(&text), TEXT_UTF8, 200);
		buf_putc(out, ' ');
		buf_release(&text);
	}
	buf_printf(out, "%s: ", figure_name(d, j->figure));
	put_change(out, j);
	buf_putc(out, '\n');
}

size_t
diff_limit_check(struct sides *d, const struct diff_limit *l, struct buf *out, size_t most)
{
	size_t	n = 0;

	diff_judge(d);
	for (size_t i = 0; i < d->njudged; i++) {
		if (!is_beyond(&d->judged[i], l))
			continue;
		if (n++ < most)
			describe(d, &d->judged[i], out);
	}
	return n;
}
