/*
 * Groups of the rows of a report.
 *
 *	grouping	groups by key	-> entry | cells that it shows | what each figure has seen
 *			whole		-> the sum for each share
 *			seen		-> the different numbers of each group
 *
 * Each complete row is added to all groupings of its kind. At the end, entries become rows.
 *
 * Invariant: what a figure has seen lies at the same place in all entries of a grouping.
 */
#include "analysis/group.h"

#include <string.h>

#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "tnav/base/array.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/model/json.h"

#define OBJECT_MOST	1000u

union number {
	uint64_t	u;
	int64_t		i;
	double		f;
};

/* A cell that is not a spark. A zeroed one is none. */
struct kept_cell {
	uint8_t			kind;
	uint16_t		show;
	union {
		union number	number;
		struct span	text;
	};
	struct span		word;
};

struct group_row {
	int64_t		order[3];		/* greatest first */
	uint64_t	rows, within;
	int64_t		best, best_ts;		/* the greatest value, and its event, for Enter */
	uint64_t	best_off;		/* 0: none yet */
	struct kept_cell	shown[];		/* then what the figures have seen */
};

/* One grouping, and its groups. */
struct grouped {
	const struct grouping	*g;
	unsigned		 nfigures, nshown;
	size_t			 size;			/* of an entry */
	size_t			 at[FIGURES_MOST];	/* of a figure in it */
	enum cell_kind		 kind[FIGURES_MOST];	/* of the numbers of a sum */
	struct groups		*entries;
	struct group_row	*others;	/* or NULL */
	uint32_t		*order;		/* of the entries; at the end */
	struct groups		*whole;		/* (figure, value of `within`): union number */
	struct groups		*seen;		/* (entry and figure, number): bool */
};

struct group_rows {
	struct rows			*r;
	/* Of the row to add, by column. The first one counts it. */
	struct cell			 row[ROW_CELLS];
	unsigned			 col[ROW_CELLS], ncols;	/* that groupings read */
	const struct figure_columns	*figures;
	struct grouped			*v;
	unsigned			 n;
};

/* What a figure keeps of the rows. */
enum state_shape { NOTHING, NUMBER, CELL, DURATIONS, TEXTS, SHAPES };

static const enum state_shape	shape_of[] = {
	[FIGURE_COUNT] = NUMBER, [FIGURE_DIFFERENT] = NUMBER, [FIGURE_SUM] = NUMBER,
	[FIGURE_SHARE] = NUMBER, [FIGURE_STATISTICS] = DURATIONS, [FIGURE_DURATIONS] = DURATIONS,
	[FIGURE_JSON] = DURATIONS, [FIGURE_COUNTS] = TEXTS, [FIGURE_MOST] = CELL,
	[FIGURE_LEAST] = CELL, [FIGURE_FIRST] = CELL, [FIGURE_LAST] = CELL, [FIGURE_TOTAL] = CELL,
	[FIGURE_GROUPS] = NOTHING, [FIGURE_OBJECT] = NOTHING,
};
static const size_t	shape_size[SHAPES] = {
	[NUMBER] = sizeof(union number), [CELL] = sizeof(struct kept_cell),
	[DURATIONS] = sizeof(struct dist), [TEXTS] = sizeof(struct text_counts),
};

static void *
state_at(const struct grouped *x, struct group_row *e, unsigned figure)
{
	return (char *)e + x->at[figure];
}

static void
cell_keep(struct kept_cell *v, const struct cell *c)
{
	*v = (struct kept_cell){ .kind = (uint8_t)c->kind, .show = (uint16_t)c->show,
	    .text = c->text, .word = c->word };
}

static struct cell
cell_kept(const struct kept_cell *v)
{
	return (struct cell){ .kind = v->kind, .show = v->show, .text = v->text, .word = v->word };
}

/* ---- adding rows */

/* The number in a column, as a key; 0 where there is no column. False: there is no number. */
static bool
key_of(const struct cell *row, unsigned col, uint64_t *key)
{
	*key = col != 0 ? row[col].u : 0;
	return col == 0 || row[col].kind == CELL_BOOL || cell_is_number(row[col].kind);
}

/* Does a figure take this cell of the row? */
static bool
figure_takes(const struct figure *f, const struct cell *c)
{
	if (shape_of[f->how] == NOTHING)
		return false;
	if (f->from == 0)
		return true;
	if (c->kind == CELL_NONE)
		return false;
	if (f->how == FIGURE_COUNTS)
		return true;
	if (c->kind <= CELL_NULL || (c->kind == CELL_BOOL && c->u == 0))
		return false;
	return f->word == NULL || (c->kind == CELL_TEXT && c->text.len == strlen(f->word) &&
	    memcmp(c->text.p, f->word, c->text.len) == 0);
}

static bool
is_float(enum cell_kind kind)
{
	return kind == CELL_F32 || kind == CELL_F64 || kind == CELL_SHARE;
}

static bool
is_signed(enum cell_kind kind)
{
	return kind == CELL_I64 || kind == CELL_TIME || kind == CELL_DUR;
}

static void
sum_add(union number *sum, const struct cell *c)
{
	if (is_float(c->kind))
		sum->f += c->f;
	else if (is_signed(c->kind))
		sum->i = add_i64(sum->i, c->i);
	else
		sum->u = add_u64(sum->u, c->u);
}

static bool
is_greater(const struct cell *a, const struct cell *b)
{
	long double	x = 0, y = 0;

	return table_number(a, &x) && table_number(b, &y) && x > y;
}

/* Is the number new in this figure of the entry? */
static bool
is_different(struct grouped *x, size_t entry, unsigned figure, const struct cell *c)
{
	bool	*seen = groups_get(x->seen, c->u, entry * FIGURES_MOST + figure);
	bool	 is = seen != NULL && !*seen;

	if (seen != NULL)
		*seen = true;
	return is;
}

/* Is the cell one to keep in place of the value? */
static bool
replaces(enum figure_how how, const struct kept_cell *v, const struct cell *c)
{
	struct cell	old = cell_kept(v);

	if (v->kind == CELL_NONE || how == FIGURE_LAST)
		return true;
	if (how == FIGURE_FIRST)
		return false;
	return how == FIGURE_MOST ? is_greater(c, &old) : is_greater(&old, c);
}

static void
total_add(struct kept_cell *v, const struct cell *c)
{
	if (v->kind == CELL_NONE)
		cell_keep(v, c);
	else
		sum_add(&v->number, c);
}

static void
state_add(void *state, enum figure_how how, const struct cell *c)
{
	switch (shape_of[how]) {
	case NUMBER:
		if (how == FIGURE_SUM || how == FIGURE_SHARE)
			sum_add(state, c);
		else
			((union number *)state)->u++;
		break;
	case CELL:
		if (how == FIGURE_TOTAL)
			total_add(state, c);
		else if (replaces(how, state, c))
			cell_keep(state, c);
		break;
	case DURATIONS:
		dist_add(state, c->i);
		break;
	case TEXTS:
		text_counts_add(state, c->kind == CELL_TEXT ? c->text : span_of("null"), 1);
		break;
	case NOTHING: case SHAPES:
		break;
	}
}

/* Add a row to the sums of which its group has a share. */
static void
whole_add(struct grouped *x, const struct cell *row, unsigned figure, const struct cell *c)
{
	uint64_t	 within;
	union number	*whole;

	if (!key_of(row, x->g->within, &within))
		return;
	whole = groups_get(x->whole, figure, within);
	if (whole != NULL)
		sum_add(whole, c);
}

/* Begin an entry with the cells of its first row. */
static void
entry_begin(const struct grouping *g, struct group_row *e, const struct cell *row)
{
	(void)key_of(row, g->within, &e->within);
	for (unsigned i = 0; g->shown[i] != 0; i++)
		cell_keep(&e->shown[i], &row[g->shown[i]]);
}

static void
entry_best(const struct grouping *g, struct group_row *e, const struct group_rows *all)
{
	const struct cell	*c = &all->row[g->best];
	int64_t			 value = g->best != 0 && c->kind > CELL_NULL ? c->i : -1;

	if (e->best_off != 0 && value <= e->best)
		return;
	e->best = value;
	row_get_event(all->r, &e->best_ts, &e->best_off);
}

/* Add a row to a figure of its group; NULL: it is in none. */
static void
figure_add(struct grouped *x, unsigned i, struct group_row *e, const struct cell *row)
{
	const struct figure	*f = &x->g->figure[i];
	const struct cell	*c = &row[f->from];

	if (!figure_takes(f, c))
		return;
	if (f->how == FIGURE_SUM || f->how == FIGURE_SHARE)
		x->kind[i] = c->kind;
	if (f->how == FIGURE_SHARE)
		whole_add(x, row, i, c);
	if (e == NULL || (f->how == FIGURE_DIFFERENT && (e == x->others ||
	    !is_different(x, groups_number(x->entries, e), i, c))))
		return;
	state_add(state_at(x, e, i), f->how, c);
}

/* The group of the key. NULL: there are too many. */
static struct group_row *
entry_of(struct grouped *x, const uint64_t key[GROUP_KEYS])
{
	struct group_row	*e = groups_get(x->entries, key[0], key[1]);

	if (e != NULL || x->g->others == 0)
		return e;
	if (x->others == NULL)
		x->others = mem_zalloc(1, x->size);
	return x->others;
}

static void
grouped_add(struct grouped *x, const struct group_rows *all)
{
	const struct grouping	*g = x->g;
	uint64_t		 key[GROUP_KEYS] = { 0 };
	struct group_row	*e = NULL;

	if (key_of(all->row, g->key[0], &key[0]) && key_of(all->row, g->key[1], &key[1]))
		e = entry_of(x, key);
	if (e != NULL && e->rows++ == 0)
		entry_begin(g, e, all->row);
	if (e != NULL && g->has_event)
		entry_best(g, e, all);
	for (unsigned i = 0; i < x->nfigures; i++)
		figure_add(x, i, e, all->row);
}

static void
add_row(void *arg, const char *kind)
{
	struct group_rows	*all = arg;

	for (unsigned i = 0; i < all->ncols; i++)
		all->row[all->col[i]] = row_get(all->r, all->col[i]);
	for (unsigned i = 0; i < all->n; i++) {
		const char	*of = all->v[i].g->of;

		if (of == NULL || of == kind || strcmp(of, kind) == 0)
			grouped_add(&all->v[i], all);
	}
}

/* ---- beginning and end */

static void
read_column(struct group_rows *all, unsigned col)
{
	if (col == 0 || all->row[col].kind != CELL_NONE)
		return;
	all->row[col] = cell_null();
	all->col[all->ncols++] = col;
	rows_read_column(all->r, col);
}

static void
grouped_begin(struct grouped *x, const struct grouping *g, struct group_rows *all)
{
	size_t	size = sizeof(struct group_row);

	x->g = g;
	for (; g->shown[x->nshown] != 0; x->nshown++)
		read_column(all, g->shown[x->nshown]);
	size += x->nshown * sizeof(struct kept_cell);
	for (; g->figure[x->nfigures].how != FIGURES_END; x->nfigures++) {
		const struct figure	*f = &g->figure[x->nfigures];

		x->at[x->nfigures] = size;
		size += shape_size[shape_of[f->how]];
		if (shape_of[f->how] != NOTHING)
			read_column(all, f->from);
	}
	for (unsigned i = 0; i < GROUP_KEYS; i++)
		read_column(all, g->key[i]);
	read_column(all, g->best);
	read_column(all, g->within);
	x->size = size;
	x->entries = groups_new(size, LIMIT_REPORT_GROUPS);
	x->whole = groups_new(sizeof(union number), LIMIT_REPORT_GROUPS);
	x->seen = groups_new(sizeof(bool), LIMIT_REPORT_GROUPS);
}

struct group_rows *
group_rows_new(struct rows *r, const struct grouping *g, const struct figure_columns *figures)
{
	struct group_rows	*all = mem_zalloc(1, sizeof *all);

	all->r = r;
	all->figures = figures;
	all->row[0] = cell_u64(1);
	while (g[all->n].kind != NULL)
		all->n++;
	all->v = mem_zalloc(all->n, sizeof *all->v);
	for (unsigned i = 0; i < all->n; i++)
		grouped_begin(&all->v[i], &g[i], all);
	rows_read(r, add_row, all);
	return all;
}

static void
entry_release(const struct grouped *x, struct group_row *e)
{
	for (unsigned i = 0; i < x->nfigures; i++) {
		enum state_shape	shape = shape_of[x->g->figure[i].how];

		if (shape == DURATIONS)
			dist_release(state_at(x, e, i));
		else if (shape == TEXTS)
			text_counts_release(state_at(x, e, i));
	}
}

static void
grouped_release(struct grouped *x)
{
	for (size_t i = 0; i < groups_n(x->entries); i++)
		entry_release(x, groups_at(x->entries, i));
	if (x->others != NULL)
		entry_release(x, x->others);
	mem_free(x->others);
	mem_free(x->order);
	groups_free(x->entries);
	groups_free(x->whole);
	groups_free(x->seen);
}

void
group_rows_free(struct group_rows *g)
{
	if (g == NULL)
		return;
	for (unsigned i = 0; i < g->n; i++)
		grouped_release(&g->v[i]);
	mem_free(g->v);
	mem_free(g);
}

/* ---- the rows of groups */

/* The bits of floats that are not negative sort as the floats do. */
static int64_t
number_order(enum cell_kind kind, union number n)
{
	if (is_float(kind))
		return n.f > 0 ? n.i : 0;
	return is_signed(kind) || n.u <= INT64_MAX ? n.i : INT64_MAX;
}

static int64_t
figure_order(const struct grouped *x, struct group_row *e, unsigned i)
{
	const void		*state = state_at(x, e, i);
	const struct kept_cell	*v = state;
	const struct dist	*d = state;
	int64_t			 total = 0;

	switch (shape_of[x->g->figure[i].how]) {
	case NUMBER:
		return number_order(x->kind[i], *(const union number *)state);
	case DURATIONS:
		for (size_t k = 0; k < d->n; k++)
			total = add_i64(total, d->v[k]);
		return total;
	case CELL:
		return number_order(v->kind, v->number);
	case TEXTS: case NOTHING: case SHAPES:
		break;
	}
	return 0;
}

/* What an entry is sorted by: the figure of this column. */
static int64_t
order_of(const struct grouped *x, struct group_row *e, unsigned col)
{
	for (unsigned i = 0; col != 0 && i < x->nfigures; i++)
		if (x->g->figure[i].to == col)
			return figure_order(x, e, i);
	return 0;
}

static int
by_order(const void *a, const void *b)
{
	const struct group_row	*x = a, *y = b;

	for (unsigned i = 0; i < 3; i++)
		if (x->order[i] != y->order[i])
			return x->order[i] > y->order[i] ? -1 : 1;
	return 0;
}

static bool
is_of_objects(const struct grouping *g)
{
	return g->kind[0] == '\0';
}

static void
grouped_sort(struct grouped *x)
{
	for (size_t i = 0; i < groups_n(x->entries); i++) {
		struct group_row	*e = groups_at(x->entries, i);

		if (is_of_objects(x->g))
			e->order[0] = -(int64_t)groups_key(x->entries, i).a;
		e->order[1] = order_of(x, e, x->g->sort[0]);
		e->order[2] = order_of(x, e, x->g->sort[1]);
	}
	x->order = groups_order(x->entries, by_order);
}

static double
number_f64(enum cell_kind kind, union number n)
{
	if (is_float(kind))
		return n.f;
	return is_signed(kind) ? (double)n.i : (double)n.u;
}

static void
put_share(struct rows *r, const struct grouped *x, unsigned figure, struct group_row *e)
{
	const union number	*whole = groups_find(x->whole, figure, e->within);
	const union number	*part = state_at(x, e, figure);

	row_share(r, x->g->figure[figure].to, number_f64(x->kind[figure], *part),
	    whole != NULL ? number_f64(x->kind[figure], *whole) : 0);
}

static void
put_shown(struct rows *r, unsigned col, const struct kept_cell *v)
{
	if (v->kind == CELL_TEXT && (v->show & SHOW_NAME) != 0)
		row_name(r, col, v->text, v->word);
	else
		row_put(r, col, cell_kept(v));
}

/* The first member in order with this first key, or where it would be. */
static size_t
members_of(const struct grouped *m, uint64_t key)
{
	size_t	at = 0;

	BISECT(at, groups_n(m->entries), i, groups_key(m->entries, m->order[i]).a < key);
	return at;
}

/* The name of a member: a text, or another cell as JSON. */
static void
put_name(struct buf *out, const struct group_row *e)
{
	struct cell	c = cell_kept(&e->shown[0]);

	if (c.kind == CELL_TEXT)
		buf_span(out, c.text);
	else
		cell_json(out, &c);
}

/* "Shop.Day.Pay +2 more": the first of n members, by its words if it has some and they are wanted;
   "-": none. */
static void
put_first(struct buf *out, const struct group_row *first, size_t n, bool words)
{
	if (n == 0)
		buf_putc(out, '-');
	else if (words && first->shown[0].word.p != NULL)
		buf_span(out, first->shown[0].word);
	else
		put_name(out, first);
	if (n > 1)
		buf_printf(out, " +%zu more", n - 1);
}

static void
json_figure(struct buf *b, const struct grouped *m, struct group_row *e, unsigned i)
{
	const union number	*number = state_at(m, e, i);
	struct cell		 c = { .kind = m->kind[i], .u = number->u };

	if (c.kind == CELL_NONE)
		c.kind = CELL_U64;
	json_next(b);
	cell_json(b, &c);
}

/* The figure of a member, or an object of its figures by their columns. Figures in hidden columns,
   which come last, are only for the order. */
static void
json_member(struct buf *b, const struct rows *r, const struct grouped *m, struct group_row *e)
{
	if (m->nfigures == 1 || rows_hides(r, m->g->figure[1].to)) {
		json_figure(b, m, e, 0);
		return;
	}
	json_open(b, '{');
	for (unsigned i = 0; i < m->nfigures && !rows_hides(r, m->g->figure[i].to); i++) {
		json_key(b, rows_column(r, m->g->figure[i].to)->name);
		json_figure(b, m, e, i);
	}
	json_close(b, '}');
}

static void
put_object(struct rows *r, unsigned col, const struct grouped *m, uint64_t key)
{
	size_t			 first = members_of(m, key);
	const struct group_row	*shown = NULL;
	size_t			 n = 0;
	struct buf		 json = { 0 }, name = { 0 }, clean = { 0 };

	json_open(&json, '{');
	for (size_t i = first; i < groups_n(m->entries) && i < first + OBJECT_MOST; i++) {
		struct group_row	*e = groups_at(m->entries, m->order[i]);

		if (groups_key(m->entries, m->order[i]).a != key)
			break;
		buf_clear(&name);
		put_name(&name, e);
		json_key_text(&json, span_of_buf(&name));
		json_member(&json, r, m, e);
		shown = shown == NULL ? e : shown;
		n++;
	}
	json_close(&json, '}');
	buf_clear(&name);
	put_first(&name, shown, n, false);
	put_first(&clean, shown, n, true);
	row_json_names(r, col, span_of_buf(&json), span_of_buf(&clean), span_of_buf(&name));
	buf_release(&json);
	buf_release(&name);
	buf_release(&clean);
}

static void
put_figure(const struct group_rows *all, const struct grouped *x, struct group_row *e, unsigned i)
{
	const struct figure	*f = &x->g->figure[i];
	void			*state = state_at(x, e, i);
	const union number	*number = state;
	const struct kept_cell	*v = state;

	switch (f->how) {
	case FIGURE_COUNT: case FIGURE_DIFFERENT:
		row_put(all->r, f->to, cell_u64(number->u));
		break;
	case FIGURE_GROUPS:
		row_put(all->r, f->to, cell_u64(groups_n(all->v[f->from].entries)));
		break;
	case FIGURE_SUM:
		row_put(all->r, f->to, (struct cell){ .kind = rows_column(all->r, f->to)->kind,
		    .u = number->u });
		break;
	case FIGURE_SHARE:
		put_share(all->r, x, i, e);
		break;
	case FIGURE_MOST: case FIGURE_LEAST: case FIGURE_TOTAL:
		row_put(all->r, f->to, v->kind != CELL_NONE ? cell_kept(v) : cell_null());
		break;
	case FIGURE_FIRST: case FIGURE_LAST:
		put_shown(all->r, f->to, v);
		break;
	case FIGURE_OBJECT:
		put_object(all->r, f->to, &all->v[f->from],
		    groups_key(x->entries, groups_number(x->entries, e)).a);
		break;
	case FIGURE_STATISTICS: case FIGURE_DURATIONS:
		if (f->how == FIGURE_STATISTICS || ((const struct dist *)state)->n > 0)
			row_dist(all->r, f->to, all->figures, state);
		break;
	case FIGURE_JSON:
		row_dist(all->r, f->to, NULL, state);
		break;
	case FIGURE_COUNTS:
		text_counts_json(state, row_json(all->r, f->to));
		break;
	case FIGURES_END:
		break;
	}
}

/* Append the value of a cell to a filter. False: it has none. */
static bool
filter_value(struct buf *b, const struct kept_cell *c)
{
	if (c->kind == CELL_TEXT)
		return filter_quote(b, (const char *)c->text.p, c->text.len);
	if (c->kind == CELL_I64)
		buf_i64(b, c->number.i);
	else if (c->kind == CELL_U64)
		buf_u64(b, c->number.u);
	return c->kind == CELL_I64 || c->kind == CELL_U64;
}

static void
put_filter(struct rows *r, const struct grouping *g, const struct group_row *e)
{
	unsigned	i = 0;
	struct buf	b = { 0 };

	while (g->shown[i] != g->filter_by)
		i++;
	buf_puts(&b, g->filter);
	if (filter_value(&b, &e->shown[i]))
		row_filter(r, buf_str(&b));
	buf_release(&b);
}

static void
put_entry(const struct group_rows *all, const struct grouped *x, struct group_row *e)
{
	const struct grouping	*g = x->g;

	row_begin(all->r, g->kind);
	for (unsigned i = 0; i < x->nshown; i++)
		if (e != x->others || g->shown[i] != g->others)
			put_shown(all->r, g->shown[i], &e->shown[i]);
	if (e == x->others)
		row_str(all->r, g->others, "(others)");
	for (unsigned i = 0; i < x->nfigures; i++)
		put_figure(all, x, e, i);
	if (g->filter != NULL && e != x->others)
		put_filter(all->r, g, e);
	else if (g->has_event)
		row_event(all->r, e->best_ts, e->best_off);
}

static bool
is_summary(const struct grouping *g)
{
	return strcmp(g->kind, "summary") == 0;
}

static void
put_groups(struct group_rows *all, struct grouped *x, const struct report *report,
    struct report_state *s)
{
	size_t	n = is_of_objects(x->g) ? 0 : groups_n(x->entries);
	void	(*add)(struct report_state *, struct rows *) = is_summary(x->g) ?
		    report->summed : report->grouped;

	for (size_t i = 0; i < n + (x->others != NULL); i++) {
		put_entry(all, x, i < n ? groups_at(x->entries, x->order[i]) : x->others);
		if (add != NULL)
			add(s, all->r);
	}
	if (x->g->beyond != NULL)
		rows_remark(all->r, groups_beyond(x->entries), x->g->beyond);
	if (x->g->uncounted != NULL)
		rows_remark(all->r, groups_beyond(x->seen), x->g->uncounted);
}

void
group_rows_put(struct group_rows *g, const struct report *report, struct report_state *s)
{
	size_t	from;

	rows_end(g->r);
	for (unsigned i = 0; i < g->n; i++)
		grouped_sort(&g->v[i]);
	from = rows_n(g->r);
	rows_unlimited(g->r, true);
	for (unsigned i = 0; i < g->n; i++)
		if (!g->v[i].g->after && !is_summary(g->v[i].g))
			put_groups(g, &g->v[i], report, s);
	rows_unlimited(g->r, false);
	rows_put_first(g->r, from);
	for (unsigned i = 0; i < g->n; i++)
		if (g->v[i].g->after || is_summary(g->v[i].g))
			put_groups(g, &g->v[i], report, s);
}
