/*
 * What stands, as rows of a side: counters, spans, tables, call trees.
 *
 *	counter	key 7: 20 slices			-> diff_count() for each slice
 *	spans	#5 GC, starts at 1.2 s, 3.1 ms		-> diff_count() of one, diff_number()
 *	table	row: gc, generation 2, start, pause	-> likewise
 *	series	row: gc-heap-size, 4 MB at 1.2 s	-> diff_count() of one mean for each slice
 *	tree	of a slice: Main;Run;Sort 4		-> diff_count() of its weight
 */
#include "analysis/diff/diff.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/num.h"

#define SOURCES	2u	/* fields of a counter that say where events come from */

/* ---- counters */

/* Read provider and level, the last cells of a key. */
static void
read_source(const struct cell *c, struct buf *text, struct diff_source *out)
{
	out->provider = NULL;
	if (c[0].kind == CELL_TEXT && c[0].text.len > 0) {
		buf_clear(text);
		buf_add(text, c[0].text.p, c[0].text.len);
		out->provider = buf_str(text);
	}
	out->level = c[1].kind == CELL_U64 && c[1].u < UINT8_MAX ? (uint8_t)c[1].u : 0;
}

void
diff_add_counter(struct sides *d, const struct counter *c, bool sources)
{
	struct cell	*key = mem_zalloc(counter_width(c) + 1, sizeof *key);
	struct buf	 text = { 0 };

	for (uint32_t k = 0; k < counter_keys(c); k++) {
		struct diff_source	source = { .provider = NULL };
		uint64_t		n[COUNT_BINS];
		unsigned		slices = counter_bins(c, k, n);
		uint32_t		row;

		(void)counter_cells(c, k, key);
		if (sources)
			read_source(key + counter_width(c) - SOURCES, &text, &source);
		row = diff_row(d, key, &source);
		for (unsigned i = 0; i < slices && i < DIFF_SLICES; i++)
			if (n[i] > 0)
				diff_count(d, row, i, (double)n[i], n[i]);
	}
	buf_release(&text);
	mem_free(key);
}

/* ---- spans */

#define ROW_NOT_MADE	(EVENT_NONE - 1)	/* for the row of a name */

static bool
has_start(const struct span_record *r)
{
	return r->row != SPAN_NO_ROW && (r->flags & SPAN_CHOSEN) != 0;
}

static uint32_t
row_of_name(struct sides *d, const struct spans *s, uint32_t name)
{
	const struct span_name	*n = spans_name(s, name);
	struct diff_source	 source = { .provider = n->provider };
	struct cell		 key[2] = { cell_str(n->group), cell_str(n->name) };

	return diff_row(d, key, &source);
}

/* Rows stand in the order of their first span: that of names depends on which thread was first. */
void
diff_add_spans(struct sides *d, struct spans *s)
{
	uint32_t	 names = spans_names(s);
	uint32_t	*row = mem_alloc((names + 1) * sizeof *row);
	int64_t		 dur;

	for (uint32_t i = 0; i < names; i++)
		row[i] = ROW_NOT_MADE;
	for (uint64_t i = 0; i < spans_count(s); i++) {
		const struct span_record	*r = spans_at(s, i);
		unsigned			 slice;

		if (!has_start(r))
			continue;
		if (row[r->name] == ROW_NOT_MADE)
			row[r->name] = row_of_name(d, s, r->name);
		slice = diff_slice(d, r->start);
		diff_count(d, row[r->name], slice, 1, 1);
		if (spans_dur(s, r, &dur))
			diff_number(d, row[r->name], slice, (double)dur);
	}
	mem_free(row);
}

uint64_t
diff_add_wholes(struct sides *d, struct spans *s, const char *name)
{
	uint64_t	n = 0;

	for (uint64_t i = 0; i < spans_count(s); i++) {
		const struct span_record	*r = spans_at(s, i);

		if (!has_start(r) || strcmp(spans_name(s, r->name)->name, name) != 0)
			continue;
		diff_whole(d, diff_slice(d, r->start), 1);
		n++;
	}
	return n;
}

/* ---- tables */

static bool
is_of_kind(const struct table *t, size_t row, const char *kind)
{
	struct cell	c;

	t->cell(t->src, row, 0, &c);
	return c.kind == CELL_TEXT && spans_equal(c.text, span_of(kind));
}

/* A number of a row; the other value if it has none. */
static double
number_in(const struct table *t, size_t row, unsigned col, double other)
{
	struct cell	c = table_cell_at(t, row, col);

	return table_number_or(&c, other);
}

static const char *
provider_by_text(const struct diff_origin *o, struct span text)
{
	while (o->text != NULL && !spans_equal(text, span_of(o->text)))
		o++;
	return o->provider;
}

/* A provider that this trace has recorded: that in the row, or the other one. */
static const char *
provider_of(struct sides *d, const struct table *t, const struct diff_columns *c, size_t row)
{
	unsigned	side = diff_side(d, d->begun - 1);
	struct cell	name = table_cell_at(t, row, c->provider);

	if (c->origin != NULL)
		return provider_by_text(c->origin, name.text);
	buf_clear(&d->name);
	if (name.kind == CELL_TEXT)
		buf_add(&d->name, name.text.p, name.text.len);
	return diff_recorded(d, side, buf_str(&d->name), 0) ? buf_str(&d->name) :
	    c->other_provider;
}

static uint32_t
row_of(struct sides *d, const struct table *t, const struct diff_columns *c, size_t row)
{
	struct diff_source	source = c->source;
	struct cell		key[DIFF_KEYS];

	if (c->provider != UINT_MAX)
		source = (struct diff_source){ .provider = provider_of(d, t, c, row) };
	for (unsigned i = 0; i < d->o.nkeys; i++)
		t->cell(t->src, row, c->key[i], &key[i]);
	return diff_row(d, key, &source);
}

static void
add_table_row(struct sides *d, const struct table *t, const struct diff_columns *c, size_t row)
{
	uint32_t	to = row_of(d, t, c, row);
	unsigned	slice = c->slice;
	double		n = number_in(t, row, c->n, 1), dur = number_in(t, row, c->dur, -1);

	if (c->time != UINT_MAX)
		slice = diff_slice_ns(d, i64_of(number_in(t, row, c->time, 0)));
	diff_count(d, to, slice, number_in(t, row, c->weight, n), u64_of(n));
	if (dur >= 0)
		diff_number(d, to, slice, dur);
}

void
diff_add_table(struct sides *d, const struct table *t, const struct diff_columns *c)
{
	for (size_t row = 0; row < t->nrows; row++)
		if (is_of_kind(t, row, c->kind))
			add_table_row(d, t, c, row);
}

/* ---- values over time */

/* By slice: the mean of the values; of changes their rate per second. */
static void
add_plot(struct sides *d, uint32_t row, const struct report_plot *p)
{
	double	sum[DIFF_SLICES] = { 0 }, of[DIFF_SLICES] = { 0 };

	for (size_t i = p->changes; i < p->n; i++) {
		unsigned	slice = diff_slice_ns(d, p->ns[i]);

		sum[slice] += p->v[i];
		of[slice] += p->changes ? ((double)p->ns[i] - (double)p->ns[i - 1]) / 1e9 : 1;
	}
	for (unsigned i = 0; i < DIFF_SLICES; i++)
		if (of[i] > 0)
			diff_count(d, row, i, sum[i] / of[i], 1);
}

void
diff_add_series(struct sides *d, const struct report_made *m, unsigned part,
    const struct diff_columns *c)
{
	struct table	*t = report_table(m, part);

	for (size_t row = 0; row < t->nrows; row++) {
		struct report_plot	plot;
		uint32_t		to = row_of(d, t, c, row);

		if (report_plot(m, part, row, 0, &plot))
			add_plot(d, to, &plot);
		report_plot_release(&plot);
	}
	table_free(t);
}

/* ---- call trees */

/* A node's row is found by the row of its parent and its name, so that paths need not be compared:
   the rows of the two sides are the same. */
void
diff_add_shape(struct sides *d, const struct calltree_shape *s, unsigned slice)
{
	uint32_t	*row = mem_zalloc((size_t)s->n + 1, sizeof *row);

	diff_whole(d, slice, s->total);
	row[0] = EVENT_NONE;
	for (uint32_t i = 1; i < s->n; i++) {
		const struct calltree_node	*v = &s->v[i];
		struct cell	key[2] = { cell_u64(row[v->parent]), cell_str("") };

		key[1].text = s->label[v->label].clean;
		row[i] = EVENT_NONE;
		if (v->parent != 0 && row[v->parent] == EVENT_NONE)
			continue;		/* beyond the limit */
		row[i] = diff_row(d, key, NULL);
		diff_count(d, row[i], slice, v->incl, v->events);
	}
	mem_free(row);
}
