/*
 * Several comparisons of the same two sides as one list for a screen: what changed first, whatever
 * it is.
 *
 *	diagnosis	lock-convoy		new	of judged rows: changed, by least change
 *	event		Contention/Start	...	x 570
 *	span		HTTP request, GET /	...	~	then those that did not change
 */
#include "analysis/diff/diff.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/filter.h"

#define KEYS	2u			/* of each part */
#define FIRST	1e6			/* more than any change: diagnoses come first */
#define OF	1u			/* columns before those of the key */

struct merged_row {
	uint32_t	part, row;
	unsigned	group;
	double		least;
};

struct merged {
	struct table		 table;
	struct table_column	 column[OF + KEYS + DIFF_COLUMNS];
	struct buf		 what;
	const struct diff_merge	*of;
	struct table		*part[DIFF_MERGED];
	struct merged_row	*row;
};

SORT_ORDER(by_change, struct merged_row, RISING(group) FALLING(least) RISING(part) RISING(row))

/* "events/s", "span p99", "diagnosis"; shares are "method". */
static const char *
what_of(struct merged *m, const struct merged_row *r)
{
	const struct diff_merge	*of = &m->of[r->part];
	enum diff_figure	 figure = of->d->judged[r->row].figure;

	if (of->d->o.judging != DIFF_BY_NOISE || of->d->o.per == DIFF_PER_EVENT)
		return of->what;
	buf_clear(&m->what);
	if (figure == FIGURE_RATE)
		buf_printf(&m->what, "%ss/s", of->what);
	else
		buf_printf(&m->what, "%s %s", of->what, figure == FIGURE_P50 ? "p50" : "p99");
	return buf_str(&m->what);
}

static void
merged_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct merged		*m = src;
	const struct merged_row	*r = &m->row[row];
	const struct table	*t = m->part[r->part];

	if (col < OF)
		*out = cell_str(what_of(m, r));
	else
		t->cell(t->src, r->row, col, out);	/* its column 0 is kind */
}

static enum tone
merged_tone(void *src, size_t row, unsigned col)
{
	struct merged		*m = src;
	const struct merged_row	*r = &m->row[row];
	const struct table	*t = m->part[r->part];

	return col < OF ? TONE_DIM : t->tone(t->src, r->row, col);
}

/* Events of A lead to themselves; other rows are lists of their own. */
static bool
merged_evidence(void *src, size_t row, struct table_evidence *out)
{
	struct merged		*m = src;
	const struct merged_row	*r = &m->row[row];
	const struct sides	*d = m->of[r->part].d;
	const struct diff_judged *j = &d->judged[r->row];
	const struct joined_row	*x = &d->row[j->row];

	if (!m->of[r->part].events || !(j->r.a > 0))
		return false;
	out->kind = EVIDENCE_FILTER;
	for (unsigned i = 0; i < KEYS; i++) {
		struct span	value = x->key[i].text;

		if (x->key[i].kind != CELL_TEXT)
			continue;
		buf_printf(&out->filter, "%s%s = ", out->filter.len > 0 ? " and " : "",
		    d->o.key[i]);
		if (!filter_quote(&out->filter, (const char *)value.p, value.len))
			return false;
	}
	return out->filter.len > 0;
}

static void
merged_release(void *src)
{
	struct merged	*m = src;

	for (unsigned i = 0; i < DIFF_MERGED; i++)
		table_free(m->part[i]);
	mem_free(m->row);
	buf_release(&m->what);
	mem_free(m);
}

static void
add_part(struct merged *m, unsigned i, bool ascii, size_t *cap)
{
	struct sides	*d = m->of[i].d;

	m->part[i] = diff_table(d, &(struct diff_table_of){ .people = true, .screen = true,
	    .ascii = ascii });
	m->row = mem_grow(m->row, cap, m->table.nrows + d->njudged + 1, sizeof *m->row);
	for (uint32_t k = 0; k < d->njudged; k++)
		m->row[m->table.nrows++] = (struct merged_row){ .part = i, .row = k,
		    .group = d->judged[k].group, .least = d->judged[k].least +
		    (d->o.judging == DIFF_BY_PRESENCE ? FIRST : 0) };
}

struct table *
diff_merged(const struct diff_merge *of, unsigned n, bool ascii)
{
	struct merged	*m = mem_zalloc(1, sizeof *m);
	size_t		 cap = 0;

	m->of = of;
	m->column[0] = (struct table_column){ .name = "of", .kind = CELL_TEXT,
	    .tone = TONE_DIM };
	m->column[OF] = (struct table_column){ .name = "group", .kind = CELL_TEXT,
	    .width = 8, .rank = 4, .flags = COLUMN_MIDDLE };
	m->column[OF + 1] = (struct table_column){ .name = "name", .kind = CELL_TEXT,
	    .width = 20, .tone = TONE_EVENT, .flags = COLUMN_NAMES | COLUMN_CODE };
	memcpy(m->column + OF + KEYS, diff_columns, sizeof diff_columns);
	m->column[OF + KEYS + DIFF_INTERVAL].rank = 1;
	m->column[OF + KEYS + DIFF_VERDICT].rank = 5;
	m->table = (struct table){ .column = m->column, .ncolumns = OF + KEYS + DIFF_COLUMNS,
	    .src = m, .cell = merged_cell, .tone = merged_tone, .evidence = merged_evidence,
	    .release = merged_release, .idle = UINT64_C(1) << (OF + KEYS + DIFF_FIGURE) |
	    UINT64_C(1) << (OF + KEYS + DIFF_SUBJECT) |
	    UINT64_C(1) << (OF + KEYS + DIFF_LOW) | UINT64_C(1) << (OF + KEYS + DIFF_HIGH) |
	    UINT64_C(1) << (OF + KEYS + DIFF_TEXT) };
	for (unsigned i = 0; i < n && i < DIFF_MERGED; i++)
		add_part(m, i, ascii, &cap);
	sort_array(m->row, m->table.nrows, sizeof *m->row, by_change);
	return &m->table;
}

const char *
diff_merged_what(const struct table *t, size_t row, bool *in_a)
{
	const struct merged		*m = t->src;
	const struct diff_merge		*of = &m->of[m->row[row].part];
	const struct diff_judged	*j = &of->d->judged[m->row[row].row];

	*in_a = j->r.a > 0;
	return of->what;
}
