/*
 * A table as files of Parquet: one, or one for each kind of rows.
 *
 *	kind  gen  pause  type		X.gc.parquet	trace started kind gen pause
 *	gc      2    104		X.type.parquet	trace started kind type
 *	type		  String
 *
 * The rows are in memory, so they are read twice: first for the kinds of their cells.
 */
#include <string.h>

#include "out/parquet/cells.h"
#include "out/parquet/place.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"

#define OWN		2u		/* columns before those of the table: trace, started */

/* The rows of one kind. */
struct kind_rows {
	char			*kind;		/* or NULL: all rows */
	size_t			*row, n, cap;
	bool			*exists;	/* by column: a row has it */
	struct cell_kinds	*seen;		/* by column */
};

struct table_out {
	struct parquet_place	*place;
	const struct table	*t;
	const unsigned		*col;
	size_t			 ncols;
	struct place_facts	 facts;
	struct kind_rows	*kind;
	size_t			 kinds, kinds_cap;
	size_t			 kind_at;	/* the column with the kind; ncols: none */
};

/* Which of the columns has the name; ncols: none. */
static size_t
find_column(const struct table_out *w, const char *name)
{
	size_t	i = 0;

	while (i < w->ncols && strcmp(w->t->column[w->col[i]].name, name) != 0)
		i++;
	return i;
}

/* ---- the rows of each kind */

static struct kind_rows *
add_kind(struct table_out *w, struct span kind, bool all)
{
	struct kind_rows	*k;

	w->kind = mem_grow(w->kind, &w->kinds_cap, w->kinds + 1, sizeof *w->kind);
	k = &w->kind[w->kinds++];
	*k = (struct kind_rows){ .kind = all ? NULL :
	    mem_strndup((const char *)kind.p, kind.len) };
	k->exists = mem_zalloc(w->ncols + 1, sizeof *k->exists);
	k->seen = mem_zalloc(w->ncols + 1, sizeof *k->seen);
	return k;
}

/* There are few kinds: the words of the table's source. */
static struct kind_rows *
kind_of(struct table_out *w, size_t row)
{
	struct cell	c;

	if (w->kind_at == w->ncols)
		return w->kinds > 0 ? &w->kind[0] : add_kind(w, span_of(""), true);
	c = table_cell_at(w->t, row, w->col[w->kind_at]);
	for (size_t i = 0; i < w->kinds; i++)
		if (spans_equal(span_of(w->kind[i].kind), c.text))
			return &w->kind[i];
	return add_kind(w, c.text, false);
}

static void
add_row(struct table_out *w, size_t row)
{
	struct kind_rows	*k = kind_of(w, row);
	struct cell		 c;

	ARRAY_ADD(k->row, k->n, k->cap, row);
	for (size_t i = 0; i < w->ncols; i++) {
		c = table_cell_at(w->t, row, w->col[i]);
		k->exists[i] |= c.kind != CELL_NONE;
		cell_kinds_add(&k->seen[i], &c);
	}
}

static void
release_kinds(struct table_out *w)
{
	for (size_t i = 0; i < w->kinds; i++) {
		mem_free(w->kind[i].kind);
		mem_free(w->kind[i].row);
		mem_free(w->kind[i].exists);
		mem_free(w->kind[i].seen);
	}
	mem_free(w->kind);
}

/* ---- one file */

/* Its columns, and which cell each has. */
struct file_columns {
	struct parquet_column	*column;
	size_t			*of;		/* in the table's columns that were chosen */
	size_t			 n, own;
};

static void
add_column(struct file_columns *f, const char *name, enum parquet_type type, size_t of)
{
	f->of[f->n] = of;
	f->column[f->n++] = (struct parquet_column){ .name = name, .type = type };
}

/* Of rows of a kind, those that no such row has are left out, as in the JSON lines. */
static void
columns_init(struct file_columns *f, const struct table_out *w, const struct kind_rows *k)
{
	*f = (struct file_columns){ .n = 0 };
	f->column = mem_zalloc(w->ncols + OWN, sizeof *f->column);
	f->of = mem_zalloc(w->ncols + OWN, sizeof *f->of);
	if (w->place->trace != NULL && find_column(w, "trace") == w->ncols)
		add_column(f, "trace", PARQUET_TEXT, 0);
	if (w->facts.has_started && find_column(w, "started") == w->ncols)
		add_column(f, "started", PARQUET_TIME, 0);
	f->own = f->n;
	for (size_t i = 0; i < w->ncols; i++) {
		const struct table_column	*c = &w->t->column[w->col[i]];

		if (k->kind == NULL || k->exists[i])
			add_column(f, c->name, cell_kinds_type(&k->seen[i], c->kind), i);
	}
}

struct kind_file {
	struct table_out	*w;
	const struct kind_rows	*k;
	struct file_columns	 f;
};

static void
put_row(void *arg, size_t row, struct parquet_rows *r)
{
	const struct kind_file		*x = arg;
	const struct file_columns	*f = &x->f;
	struct cell			 c;

	for (size_t i = 0; i < f->own; i++) {
		if (f->column[i].type == PARQUET_TIME)
			parquet_u64(r, i, (uint64_t)x->w->facts.started);
		else
			parquet_text(r, i, span_of(x->w->place->trace));
	}
	for (size_t i = f->own; i < f->n; i++) {
		c = table_cell_at(x->w->t, x->k->row[row], x->w->col[f->of[i]]);
		parquet_cell(r, i, &c);
	}
}

static int
write_kind(struct table_out *w, const struct kind_rows *k)
{
	struct kind_file	x = { .w = w, .k = k };
	int			err;

	columns_init(&x.f, w, k);
	err = place_write(w->place, &w->facts, &(struct place_table){ w->place->name, k->kind,
	    x.f.column, x.f.n, k->n, put_row, &x });
	mem_free(x.f.column);
	mem_free(x.f.of);
	return err;
}

int
parquet_table(struct parquet_place *p, const struct table *t,
    const struct table_order *order, const unsigned *col, size_t ncols, uint64_t limit)
{
	struct table_out	w = { .place = p, .t = t, .col = col, .ncols = ncols };
	size_t			n = order != NULL ? order->n : t->nrows;
	int			err = ERR_OK;

	w.kind_at = p->path != NULL && !p->one_kind ? find_column(&w, "kind") : ncols;
	for (size_t i = 0; i < n && i < limit; i++)
		add_row(&w, order != NULL ? order->row[i] : i);
	if (w.kinds == 0 && (w.kind_at == ncols || p->name == NULL))
		(void)add_kind(&w, span_of(""), true);
	place_facts_init(&w.facts, p);
	for (size_t i = 0; i < w.kinds && err == ERR_OK; i++)
		err = write_kind(&w, &w.kind[i]);
	place_facts_release(&w.facts);
	release_kinds(&w);
	return err;
}
