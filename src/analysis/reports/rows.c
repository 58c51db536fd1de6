/*
 * Rows of a report, as consecutive cells.
 *
 *	rows	 [cell 0, "gc"][cell 5, "gc"][cell 9, "summary"]
 *	cells	 kind number start pause row | kind number ...		16 bytes each
 *	texts	 "Induced" ...						each once
 *
 * Invariant: the cells of a row are consecutive, and sorted by column once the row is complete.
 * Only the last row grows.
 */
#include "analysis/reports/rows.h"

#include <string.h>

#include "analysis/reports/merge.h"
#include "analysis/texts.h"
#include "tnav/analysis/tables.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

struct stored {
	uint8_t		col, kind;
	uint16_t	show;
	uint32_t	word;		/* displayed text, or TEXT_NONE */
	union {
		uint64_t	u;
		int64_t		i;
		double		f;
		struct {
			uint32_t	text;
			uint32_t	raw;	/* SHOW_NAME: displayed in place of word on
						   request */
		};
	};
};

struct stored_row {
	const char	*kind;
	size_t		 first;		/* cell */
	unsigned	 ncells;
	int64_t		 ts;
	uint64_t	 off;		/* 0: no event */
	uint32_t	 filter;	/* a text, or TEXT_NONE */
	bool		 has_key;
	uint64_t	 key;
	uint32_t	 inside;	/* + 1; 0: none */
};

/* Who reads each row when it is complete. */
struct row_reader {
	void	(*row)(void *arg, const char *kind);
	void	*arg;
	bool	 reads[ROW_CELLS];	/* these columns */
};

struct rows {
	const struct table_column	*column;
	unsigned		 ncolumns;
	struct stored_row	*row;
	size_t			 n, cap;
	struct stored		*cell;
	size_t			 ncells, cells_cap;
	struct texts		*texts;
	struct table_inside	*inside;
	size_t			 ninside, inside_cap;
	struct buf		 json;		/* of the current cell */
	unsigned		 json_col;	/* of that cell; ROW_CELLS: none */
	uint8_t			 at[ROW_CELLS];	/* by column: the current row's cell, + 1 */
	const char		*kind;		/* the latest, and its text */
	uint32_t		 kind_text;
	uint64_t		 left_out;
	struct buf		 remark;
	bool			 begun;		/* the last row is not complete */
	bool			 skipped;	/* the current row is not one of the table */
	bool			 unlimited;
	struct row_reader	 reader;
	bool			 has_loss;
	uint64_t		 lost, gaps;
	struct trace		*t;		/* several joined, of which the rows are those of */
	uint32_t		 source;	/* ... this one; or NULL */
};

struct rows *
rows_new(const struct table_column *column, unsigned ncolumns)
{
	struct rows	*r = mem_zalloc(1, sizeof *r);

	r->column = column;
	r->ncolumns = ncolumns;
	r->json_col = ROW_CELLS;
	r->texts = texts_new();
	return r;
}

void
rows_of_source(struct rows *r, struct trace *t, uint32_t source)
{
	r->t = t;
	r->source = source;
}

void
rows_free(struct rows *r)
{
	if (r == NULL)
		return;
	mem_free(r->row);
	mem_free(r->cell);
	mem_free(r->inside);
	texts_free(r->texts);
	buf_release(&r->json);
	buf_release(&r->remark);
	mem_free(r);
}

static struct stored *
cell_add(struct rows *r, unsigned col, enum cell_kind kind)
{
	r->cell = mem_grow(r->cell, &r->cells_cap, r->ncells + 1, sizeof *r->cell);
	r->cell[r->ncells] = (struct stored){ .col = (uint8_t)col, .kind = (uint8_t)kind,
	    .word = TEXT_NONE };
	r->at[col] = (uint8_t)(r->ncells - r->row[r->n - 1].first + 1);
	return &r->cell[r->ncells++];
}

/* Is a cell in this column of use? In a row that is not one of the table, to the reader only. */
static bool
is_kept(const struct rows *r, unsigned col)
{
	return !r->skipped || r->reader.reads[col];
}

static bool
is_text(unsigned kind)
{
	return kind == CELL_TEXT || kind == CELL_GUID || kind == CELL_BLOB || kind == CELL_PLAIN ||
	    kind == CELL_RAW;
}

/* Finish the JSON text of the current cell. */
static void
cell_end(struct rows *r)
{
	struct stored	*s;
	uint32_t	 text;

	if (r->json_col == ROW_CELLS)
		return;
	if (is_kept(r, r->json_col)) {
		text = texts_add(r->texts, span_of_buf(&r->json));
		s = cell_add(r, r->json_col, text != TEXT_NONE ? CELL_RAW : CELL_NULL);
		s->text = text;
	}
	r->json_col = ROW_CELLS;
	buf_clear(&r->json);
}

void
rows_loss(struct rows *r, bool has, uint64_t lost, uint64_t gaps)
{
	r->has_loss = has;
	r->lost = lost;
	r->gaps = gaps;
}

static bool
is_summary(const char *kind)
{
	return strcmp(kind, "summary") == 0;
}

/* Sort the cells by column, and remove what only the reader needed: a row that is not one of the
   table, hidden cells. Those of summaries stay, for the totals. */
static void
row_settle(struct rows *r)
{
	struct stored_row	*row = &r->row[r->n - 1];
	unsigned		 columns = is_summary(row->kind) ? ROW_CELLS : r->ncolumns;
	struct stored		 sorted[ROW_CELLS];

	r->ncells = row->first;
	if (r->skipped) {
		r->n--;
		return;
	}
	for (unsigned col = 0; col < columns; col++)
		if (r->at[col] != 0)
			sorted[row->ncells++] = r->cell[row->first + r->at[col] - 1];
	memcpy(r->cell + row->first, sorted, row->ncells * sizeof *sorted);
	r->ncells += row->ncells;
}

/* Complete the current row. */
static void
row_end(struct rows *r)
{
	cell_end(r);
	if (!r->begun)
		return;
	if (r->reader.row != NULL)
		r->reader.row(r->reader.arg, r->row[r->n - 1].kind);
	row_settle(r);
	r->begun = false;
}

/* Most rows have the kind of the one before. */
static void
put_kind(struct rows *r, const char *kind)
{
	if (!is_kept(r, 0))
		return;
	if (kind != r->kind)
		r->kind_text = texts_add_str(r->texts, kind);
	r->kind = kind;
	cell_add(r, 0, r->kind_text != TEXT_NONE ? CELL_TEXT : CELL_NULL)->text = r->kind_text;
}

void
row_begin(struct rows *r, const char *kind)
{
	struct cell	unknown = { .kind = CELL_NULL };
	bool		summary = is_summary(kind);

	row_end(r);
	r->skipped = r->n >= LIMIT_REPORT_ROWS && !summary && !r->unlimited;
	r->left_out += r->skipped;
	ARRAY_ADD(r->row, r->n, r->cap, (struct stored_row){ .kind = kind, .first = r->ncells,
	    .filter = TEXT_NONE });
	memset(r->at, 0, sizeof r->at);
	r->begun = true;
	put_kind(r, kind);
	if (r->t != NULL) {
		row_put(r, ROW_FILE, source_cell(r->t, r->source, true));
		row_put(r, ROW_SOURCE, source_cell(r->t, r->source, false));
	}
	if (!summary)
		return;
	row_put(r, r->ncolumns - 2, r->has_loss ? cell_u64(r->lost) : unknown);
	row_put(r, r->ncolumns - 1, r->has_loss ? cell_u64(r->gaps) : unknown);
}

void
row_hide(struct rows *r)
{
	r->left_out -= r->skipped;
	r->skipped = true;
}

/* Put a cell. NULL: none is kept. */
static struct stored *
cell_put(struct rows *r, unsigned col, const struct cell *c)
{
	struct stored	*s;

	cell_end(r);
	if (c->kind == CELL_NONE || !is_kept(r, col))
		return NULL;
	s = cell_add(r, col, c->kind);
	s->show = (uint16_t)c->show;
	if (c->word.p != NULL)
		s->word = texts_add(r->texts, c->word);
	if (!is_text(c->kind)) {
		s->u = c->u;
		return s;
	}
	s->text = texts_add(r->texts, c->text);
	if (s->text == TEXT_NONE)
		s->kind = CELL_NULL;
	return s;
}

void
row_put(struct rows *r, unsigned col, struct cell c)
{
	(void)cell_put(r, col, &c);
}

void
row_str(struct rows *r, unsigned col, const char *s)
{
	row_put(r, col, cell_str(s));
}

void
row_text(struct rows *r, unsigned col, struct span text)
{
	row_put(r, col, (struct cell){ .kind = CELL_TEXT, .text = text });
}

void
row_null(struct rows *r, unsigned col)
{
	row_put(r, col, cell_null());
}

struct buf *
row_json(struct rows *r, unsigned col)
{
	cell_end(r);
	r->json_col = col;
	return &r->json;
}

void
row_json_words(struct rows *r, unsigned col, struct span json, struct span words)
{
	row_put(r, col, (struct cell){ .kind = CELL_RAW, .text = json, .word = words });
}

void
row_event(struct rows *r, int64_t ts, uint64_t off)
{
	r->row[r->n - 1].ts = ts;
	r->row[r->n - 1].off = off;
}

void
row_filter(struct rows *r, const char *expr)
{
	if (!r->skipped)
		r->row[r->n - 1].filter = texts_add_str(r->texts, expr);
}

void
row_inside(struct rows *r, const struct table_inside *inside)
{
	if (r->skipped)
		return;
	ARRAY_ADD(r->inside, r->ninside, r->inside_cap, *inside);
	r->row[r->n - 1].inside = (uint32_t)r->ninside;
}

void
row_key(struct rows *r, uint64_t key)
{
	r->row[r->n - 1].has_key = true;
	r->row[r->n - 1].key = key;
}

size_t
rows_n(const struct rows *r)
{
	return r->n - (r->begun && r->skipped);
}

static void
put_remark(struct buf *out, uint64_t n, const char *words)
{
	if (n == 0)
		return;
	if (out->len > 0)
		buf_puts(out, "; ");
	buf_counts(out, words, n);
}

void
rows_remark(struct rows *r, uint64_t n, const char *words)
{
	put_remark(&r->remark, n, words);
}

void
rows_remarks(const struct rows *r, struct buf *out)
{
	buf_add(out, r->remark.p, r->remark.len);
	put_remark(out, r->left_out, "# more row{s} {is|are} left out; the totals include "
	    "{it|them}");
}

/* If the cell has words, these are a clean name; put the one that is in the trace, too. */
static void
put_names(struct rows *r, unsigned col, const struct cell *c, struct span raw)
{
	struct stored	*s = cell_put(r, col, c);

	if (s == NULL || s->word == TEXT_NONE || !is_text(s->kind))
		return;
	s->raw = texts_add(r->texts, raw);
	s->show |= SHOW_NAME;
}

void
row_json_names(struct rows *r, unsigned col, struct span json, struct span clean, struct span raw)
{
	put_names(r, col, &(struct cell){ .kind = CELL_RAW, .text = json, .word = clean }, raw);
}

void
row_name(struct rows *r, unsigned col, struct span raw, struct span clean)
{
	put_names(r, col, &(struct cell){ .kind = CELL_TEXT, .show = SHOW_WORD, .text = raw,
	    .word = clean }, raw);
}

/* ---- the table */

struct rows_src {
	struct table		 table;
	struct rows		**r;		/* of each source */
	struct row_place	*row;		/* rows of the kind; NULL: all of the only source */
};

static struct row_place
place_of(const struct rows_src *x, size_t row)
{
	return x->row != NULL ? x->row[row] : (struct row_place){ 0, (uint32_t)row };
}

/* The row, and the rows that it is one of. */
static const struct stored_row *
row_of(const struct rows_src *x, size_t row, const struct rows **r)
{
	struct row_place	at = place_of(x, row);

	*r = x->r[at.of];
	return &(*r)->row[at.row];
}

bool
rows_key(const struct table *t, size_t row, uint64_t *key, size_t *of)
{
	const struct rows_src	*x = t->src;
	const struct stored_row	*k;
	const struct rows	*r;

	if (row >= t->nrows)
		return false;
	k = row_of(x, row, &r);
	*key = k->key;
	*of = r->source;
	return k->has_key;
}

/* The time of a row, start or t. False: it has none. */
static bool
time_of(const struct rows *r, const struct stored_row *k, int64_t *ns)
{
	for (unsigned i = 0; i < k->ncells; i++) {
		const struct stored	*s = &r->cell[k->first + i];
		const char		*name;

		if (s->kind != CELL_TIME || s->col >= r->ncolumns)
			continue;
		name = r->column[s->col].name;
		*ns = s->i;
		if (strcmp(name, "start") == 0 || strcmp(name, "t") == 0)
			return true;
	}
	return false;
}

static void
cell_fill(const struct rows *r, const struct stored *s, bool raw, struct cell *out)
{
	*out = (struct cell){ .kind = s->kind, .show = s->show };
	if (s->word != TEXT_NONE)
		out->word = texts_at(r->texts, raw && (s->show & SHOW_NAME) ? s->raw : s->word);
	if (is_text(s->kind))
		out->text = texts_at(r->texts, s->text);
	else
		out->u = s->u;
}

bool
rows_hides(const struct rows *r, unsigned col)
{
	return col >= r->ncolumns;
}

const struct table_column *
rows_column(const struct rows *r, unsigned col)
{
	return &r->column[col];
}

struct cell
row_get(const struct rows *r, unsigned col)
{
	struct cell	c = cell_none();

	if (r->at[col] != 0)
		cell_fill(r, &r->cell[r->row[r->n - 1].first + r->at[col] - 1], false, &c);
	return c;
}

void
row_get_event(const struct rows *r, int64_t *ts, uint64_t *off)
{
	*ts = r->row[r->n - 1].ts;
	*off = r->row[r->n - 1].off;
}

void
rows_read(struct rows *r, void (*row)(void *arg, const char *kind), void *arg)
{
	r->reader.row = row;
	r->reader.arg = arg;
}

void
rows_read_column(struct rows *r, unsigned col)
{
	r->reader.reads[col] = true;
}

void
rows_end(struct rows *r)
{
	row_end(r);
	r->reader = (struct row_reader){ .row = NULL };
}

void
rows_unlimited(struct rows *r, bool is)
{
	row_end(r);
	r->unlimited = is;
}

void
rows_put_first(struct rows *r, size_t from)
{
	size_t			 n, room;
	struct stored_row	*moved;

	row_end(r);
	n = r->n - from;
	if (n == 0)
		return;
	room = n < LIMIT_REPORT_ROWS ? LIMIT_REPORT_ROWS - n : 0;
	moved = mem_alloc(n * sizeof *moved);
	memcpy(moved, r->row + from, n * sizeof *moved);
	if (from > room) {
		r->left_out += from - room;
		from = room;
	}
	memmove(r->row + n, r->row, from * sizeof *r->row);
	memcpy(r->row, moved, n * sizeof *moved);
	r->n = n + from;
	mem_free(moved);
}

static void
rows_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	const struct rows_src	*x = src;
	const struct rows	*r;
	const struct stored_row	*at = row_of(x, row, &r);
	const struct stored	*s = r->cell + at->first, *end = s + at->ncells;

	while (s < end && s->col < col)
		s++;
	if (s < end && s->col == col)
		cell_fill(r, s, x->table.raw_names, out);
	else
		*out = cell_none();
}

struct row_cells {
	struct rows_src	*x;
	size_t		 row;
};

static void
cell_to_match(void *arg, uint32_t column, struct cell *out)
{
	const struct row_cells	*at = arg;

	rows_cell(at->x, at->row, column, out);
}

void
rows_filter_table(struct table *t, struct filter_cells *e)
{
	struct rows_src		*x = t->src;
	struct row_place	*row = mem_alloc((t->nrows + 1) * sizeof *row);
	size_t			 n = 0;

	for (size_t i = 0; i < t->nrows; i++)
		if (filter_cells_match(e, cell_to_match, &(struct row_cells){ x, i }))
			row[n++] = place_of(x, i);
	mem_free(x->row);
	x->row = row;
	t->nrows = n;
}

/* Of several traces, only events of the row's own are meant. */
static void
put_filter(struct buf *out, const struct rows *r, struct span filter)
{
	char		*own = mem_strndup((const char *)filter.p, filter.len);
	const char	*both[] = { NULL, own };
	struct buf	 source = { 0 };

	if (r->t != NULL) {
		buf_puts(&source, "source = ");
		buf_u64(&source, r->source);
		both[0] = span_begins(filter, buf_str(&source)) ? NULL : buf_str(&source);
	}
	filter_join(out, both, 2);
	buf_release(&source);
	mem_free(own);
}

static bool
rows_evidence(void *src, size_t row, struct table_evidence *out)
{
	struct rows_src			*x = src;
	const struct rows		*r;
	const struct stored_row		*k = row_of(x, row, &r);
	struct span			 filter;

	out->ts = k->ts;
	out->off = k->off;
	if (k->inside != 0) {
		out->kind = EVIDENCE_INSIDE;
		out->inside = r->inside[k->inside - 1];
		out->inside.source = r->source;
		return true;
	}
	if (k->filter != TEXT_NONE) {
		filter = texts_at(r->texts, k->filter);
		out->kind = EVIDENCE_FILTER;
		put_filter(&out->filter, r, filter);
		return true;
	}
	if (k->off == 0)
		return false;
	out->kind = EVIDENCE_EVENT;
	return true;
}

static void
rows_release(void *src)
{
	struct rows_src	*x = src;

	mem_free(x->r);
	mem_free(x->row);
	mem_free(x);
}

static bool
is_of(const char *row, const char *kind)
{
	if (kind[0] == '\0')
		return !is_summary(row);
	return strcmp(row, kind) == 0;
}

/* Find which columns have no value in the rows of the table, and whether some are names that
   the trace has in another form. */
static void
find_values(struct rows_src *x, size_t n)
{
	const struct rows	*r;
	uint64_t		 filled = 0;

	for (size_t i = 0; i < n; i++) {
		const struct stored_row	*row = row_of(x, i, &r);

		for (unsigned k = 0; k < row->ncells; k++) {
			const struct stored	*s = &r->cell[row->first + k];

			if (s->col < TABLE_COLUMNS && (s->kind > CELL_NULL || s->word != TEXT_NONE))
				filled |= UINT64_C(1) << s->col;
			if ((s->show & SHOW_NAME) != 0 && s->raw != s->word)
				x->table.has_names = true;
		}
	}
	x->table.idle = n > 0 ? ~filled : 0;
}

/* All rows, source after source. */
static struct row_to_merge *
list_rows(const struct rows_src *x, size_t n, size_t all)
{
	struct row_to_merge	*v = mem_zalloc(all + 1, sizeof *v);
	size_t			 at = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct rows	*r = x->r[i];

		for (uint32_t k = 0; k < r->n; k++, at++) {
			v[at] = (struct row_to_merge){ .at = { i, k }, .kind = r->row[k].kind };
			v[at].has_time = n > 1 && time_of(r, &r->row[k], &v[at].ns);
		}
	}
	return v;
}

/* The rows of one kind, or all (NULL), of n sources. */
static size_t
rows_choose(struct rows_src *x, size_t n, const char *kind, bool merged)
{
	struct row_to_merge	*v;
	size_t			 all = 0, kept = 0;

	for (size_t i = 0; i < n; i++) {
		row_end(x->r[i]);
		all += x->r[i]->n;
	}
	if (kind == NULL && n == 1)
		return all;
	v = list_rows(x, n, all);
	if (n > 1 && merged)
		rows_merge(v, all);
	x->row = mem_zalloc(all + 1, sizeof *x->row);
	for (size_t i = 0; i < all; i++)
		if (kind == NULL || is_of(v[i].kind, kind))
			x->row[kept++] = v[i].at;
	mem_free(v);
	return kept;
}

struct table *
rows_table_of(struct rows *const *r, size_t n, const char *kind, bool merged)
{
	struct rows_src	*x = mem_zalloc(1, sizeof *x);

	x->r = mem_alloc(n * sizeof *x->r);
	memcpy(x->r, r, n * sizeof *x->r);
	x->table = (struct table){ .column = r[0]->column, .ncolumns = r[0]->ncolumns,
	    .nrows = rows_choose(x, n, kind, merged),
	    .absent = r[0]->t == NULL ? UINT64_C(3) << ROW_FILE : 0, .src = x,
	    .cell = rows_cell, .evidence = rows_evidence, .release = rows_release };
	find_values(x, x->table.nrows);
	return &x->table;
}

struct table *
rows_table(struct rows *r, const char *kind)
{
	return rows_table_of(&r, 1, kind, true);
}
