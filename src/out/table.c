/*
 * The printer of tables.
 *
 *	text	widths from the rows held back, then	name   events  bytes
 *						GC/Start    104   1872
 *		on a terminal: with the columns that have room (analysis/fit.h)
 *	jsonl	{"name":"GC/Start","events":104,"bytes":1872}
 *	csv	name,events,bytes CR LF ...
 *	markdown	| name | events | LF | --- | --- | LF ...
 *	tsv	name TAB events TAB bytes LF ...
 *
 * With a column `file` a row has one cell more than the caller gives.
 *
 * Invariant: at most ROWS_BUFFERED rows are kept in memory.
 */
#include "tnav/out/table.h"

#include <limits.h>
#include <string.h>

#include "tnav/analysis/cut.h"
#include "tnav/analysis/fit.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"

#define ROWS_BUFFERED	1000u
#define WIDTH_MAX	300u	/* greatest column width; wider cells shift the rest of their row */
#define WORDS_ENOUGH	24	/* words are cut to this width before less important columns are
				   left out */
#define BETWEEN		2	/* blanks between columns */
#define MARK_CELLS	(BETWEEN + 1)	/* for the mark after the titles, if columns were left
					   out */
#define LOOKS		16u	/* rows that are examined for what a column contains */

/* A cell of the text table, rendered into struct writer.text. */
struct text_cell {
	size_t		len;
	unsigned	cells;
	bool		number;
};

struct writer {
	struct output		*o;
	struct out_style	 st;
	char			**names;
	size_t			 n;		/* including the column `file` */
	struct cell		*row;		/* n cells, first the file; or NULL */
	struct fit_column	*col;		/* n, text only */
	bool			*code;		/* by column: names of types or methods */
	bool			*filled;	/* by column: it has values */
	bool			 any_left_out;	/* no room on the terminal */
	bool			 started;	/* the titles are written */
	struct text_cell	*buffered;	/* ROWS_BUFFERED rows of n cells, and one more */
	size_t			 rows;		/* in it */
	struct buf		 text;		/* their texts, one after another */
	struct buf		 line;
};

struct writer *
writer_new(struct output *o, const struct out_style *st, const char *const *names, size_t n,
    bool files)
{
	struct writer	*w = mem_zalloc(1, sizeof *w);

	w->o = o;
	w->st = *st;
	w->names = mem_zalloc(n + 1, sizeof *w->names);
	if (files) {
		w->row = mem_zalloc(n + 1, sizeof *w->row);
		w->names[w->n++] = mem_strdup("file");
	}
	for (size_t i = 0; i < n; i++)
		w->names[w->n++] = mem_strdup(names[i]);
	n = w->n;
	if (st->format == OUT_TEXT) {
		w->col = mem_zalloc(n, sizeof *w->col);
		w->code = mem_zalloc(n, sizeof *w->code);
		w->filled = mem_zalloc(n, sizeof *w->filled);
		w->buffered = mem_zalloc(n * ROWS_BUFFERED, sizeof *w->buffered);
		for (size_t i = 0; i < n; i++)
			w->col[i] = (struct fit_column){ .in = true,
			    .full = (int)strlen(w->names[i]),
			    .least = (int)strlen(w->names[i]) };
	}
	return w;
}

void
writer_file(struct writer *w, const char *file, const struct out_style *st)
{
	w->st = *st;
	w->row[0] = cell_str(file);
}

/* A text that is too wide for its column. Returns the cells used. */
static size_t
put_cut(struct writer *w, size_t col, struct span text, size_t room)
{
	struct buf	name = { 0 };
	size_t		used;

	if (w->code[col])
		cut_name(&name, text, w->st.mode, room);
	else
		buf_add(&name, text.p, text.len);
	used = text_clean(output_buf(w->o), span_of_buf(&name), w->st.mode, room);
	buf_release(&name);
	return used;
}

/* blanks: what is to be written before the next column, if there is one. */
static void
put_padded(struct writer *w, size_t col, const char *s, const struct text_cell *h, size_t *blanks)
{
	struct buf	*out = output_buf(w->o);
	size_t		 room = (size_t)w->col[col].w;
	size_t		 pad = h->cells < room ? room - h->cells : 0;
	struct span	 text = { (const uint8_t *)s, h->len };

	if (!w->col[col].in)
		return;
	buf_fill(out, ' ', *blanks + (h->number ? pad : 0));
	if (w->st.columns > 0 && !h->number && h->cells > room)
		pad = room - put_cut(w, col, text, room);
	else
		buf_add(out, s, h->len);
	*blanks = BETWEEN + (h->number ? 0 : pad);
}

/* Where a cell's text begins; moves on to the next cell. */
static struct span
buffered_text(const struct writer *w, size_t row, size_t col, const char **at)
{
	struct span	s = { (const uint8_t *)*at, w->buffered[row * w->n + col].len };

	*at += s.len;
	return s;
}

/* Note the columns that are the same in all rows held back, of which there are several. */
static void
find_same(struct writer *w)
{
	const char	*at = w->text.p, *first = w->text.p;
	struct span	 s, same;

	for (size_t i = 0; i < w->n && w->rows > 1; i++)
		w->col[i].flags |= FIT_SAME;
	for (size_t row = 0; row < w->rows; row++) {
		first = w->text.p;
		for (size_t i = 0; i < w->n; i++) {
			s = buffered_text(w, row, i, &at);
			same = buffered_text(w, 0, i, &first);
			if (s.len != same.len || memcmp(s.p, same.p, s.len) != 0)
				w->col[i].flags &= ~FIT_SAME;
		}
	}
}

/*
 * Make the table as narrow as the terminal. If columns are left out, a mark after the titles says
 * so, for which room is left.
 */
static void
fit_to_terminal(struct writer *w)
{
	struct fit_column	*c = w->col;
	bool			 names = false;

	for (size_t i = 0; i < w->n; i++) {
		if (w->rows > 0 && !w->filled[i]) {
			c[i].flags = FIT_EXTRA;
			c[i].rank = UINT_MAX;
		}
		names |= (c[i].flags & FIT_NAMES) != 0;
		if ((c[i].flags & FIT_WORDS) == 0)
			c[i].least = c[i].full;
		else if (c[i].least > WORDS_ENOUGH)
			c[i].least = WORDS_ENOUGH;
	}
	c[0].flags |= names ? 0 : FIT_STAYS;
	find_same(w);
	(void)fit_columns(c, (unsigned)w->n, (int)w->st.columns, BETWEEN);
	for (size_t i = 0; i < w->n; i++)
		w->any_left_out |= !c[i].in;
	if (w->any_left_out)
		(void)fit_columns(c, (unsigned)w->n, (int)w->st.columns - MARK_CELLS, BETWEEN);
}

/* A title is aligned as the first row of its column. */
static void
put_titles(struct writer *w)
{
	struct buf	*out = output_buf(w->o);
	size_t		 blanks = 0;

	w->started = true;
	buf_puts(out, w->st.color ? "\033[1m" : "");
	for (size_t i = 0; i < w->n; i++) {
		struct cell		c = cell_str(w->names[i]);
		struct text_cell	h = { .number = w->rows > 0 && w->buffered[i].number };

		buf_clear(&w->line);
		cell_put(&w->line, &c, &w->st);
		h.len = w->line.len;
		h.cells = (unsigned)text_width(c.text, w->st.mode);
		put_padded(w, i, w->line.p, &h, &blanks);
	}
	if (w->any_left_out)
		buf_puts(out, w->st.mode == TEXT_ASCII ? "  ~" : "  \xe2\x80\xa6");
	buf_puts(out, w->st.color ? "\033[m\n" : "\n");
}

static int
flush_buffered(struct writer *w)
{
	const char	*s = w->text.p;

	if (!w->started) {
		for (size_t i = 0; i < w->n; i++)
			w->col[i].w = w->col[i].full;
		if (w->st.columns > 0)
			fit_to_terminal(w);
		put_titles(w);
	}
	for (size_t r = 0; r < w->rows; r++) {
		size_t	blanks = 0;

		for (size_t i = 0; i < w->n; i++) {
			const struct text_cell	*h = &w->buffered[r * w->n + i];

			put_padded(w, i, s, h, &blanks);
			s += h->len;
		}
		buf_putc(output_buf(w->o), '\n');
	}
	w->rows = 0;
	return output_step(w->o);
}

/* Write a cell behind the texts of those before it. */
static void
render(struct writer *w, const struct cell *cell, struct text_cell *h)
{
	size_t	from = w->text.len;

	cell_put(&w->text, cell, &w->st);
	h->len = w->text.len - from;
	h->number = cell_is_number(cell->kind);
	h->cells = h->number ? (unsigned)h->len : (unsigned)text_width(
	    (struct span){ (const uint8_t *)w->text.p + from, h->len }, w->st.mode);
}

/* What the widths follow from. Of a name of code its last part is not cut. */
static void
note_cell(struct writer *w, size_t col, const struct cell *cell, const struct text_cell *h)
{
	struct fit_column	*c = &w->col[col];
	struct span		 s = { (const uint8_t *)w->text.p + w->text.len - h->len, h->len };
	int			 least = (int)(w->code[col] ? cut_least(s, w->st.mode) : h->cells);

	c->flags |= !h->number && cell->kind > CELL_NULL ? FIT_WORDS : 0;
	w->filled[col] |= cell->kind > CELL_NULL;
	if (least > c->least)
		c->least = least;
	if ((int)h->cells > c->full)
		c->full = (int)(h->cells < WIDTH_MAX ? h->cells : WIDTH_MAX);
}

/* Once there are widths, rows are written at once. */
static int
text_row(struct writer *w, const struct cell *cells)
{
	struct text_cell	*h = &w->buffered[w->rows * w->n];
	size_t			 blanks = 0;

	for (size_t i = 0; i < w->n; i++) {
		if (w->started)
			buf_clear(&w->text);
		render(w, &cells[i], &h[i]);
		if (w->started)
			put_padded(w, i, w->text.p, &h[i], &blanks);
		else
			note_cell(w, i, &cells[i], &h[i]);
	}
	if (w->started) {
		buf_putc(output_buf(w->o), '\n');
		return output_step(w->o);
	}
	w->rows++;
	return w->rows == ROWS_BUFFERED ? flush_buffered(w) : ERR_OK;
}

static int
json_row(struct writer *w, const struct cell *cells)
{
	bool	first = true;

	buf_clear(&w->line);
	for (size_t i = 0; i < w->n; i++) {
		if (cells[i].kind == CELL_NONE)
			continue;
		buf_putc(&w->line, first ? '{' : ',');
		first = false;
		cell_put(&w->line, &(struct cell){ .kind = CELL_TEXT, .text = {
		    (const uint8_t *)w->names[i], strlen(w->names[i]) } }, &w->st);
		buf_putc(&w->line, ':');
		cell_put(&w->line, &cells[i], &w->st);
	}
	buf_puts(&w->line, first ? "{}\n" : "}\n");
	out_json_line(output_buf(w->o), span_of_buf(&w->line),
	    &w->st);
	return output_step(w->o);
}

/* CSV lines end with CR LF, as in the RFC. */
static void
end_line(struct writer *w)
{
	buf_puts(output_buf(w->o), w->st.format == OUT_CSV ? "\r\n" :
	    w->st.format == OUT_MARKDOWN ? " |\n" : "\n");
}

/* | --- | --- | below the titles: there they are a table. */
static void
markdown_rule(struct writer *w)
{
	for (size_t i = 0; i < w->n; i++)
		buf_puts(output_buf(w->o), i == 0 ? "| ---" : " | ---");
	end_line(w);
}

/* What stands before a column. */
static void
put_separator(struct writer *w, size_t col)
{
	if (w->st.format == OUT_MARKDOWN)
		buf_puts(output_buf(w->o), col == 0 ? "| " : " | ");
	else if (col > 0)
		buf_putc(output_buf(w->o), w->st.format == OUT_CSV ? ',' : '\t');
}

static void
separated_titles(struct writer *w)
{
	w->started = true;
	for (size_t i = 0; i < w->n; i++) {
		struct cell	c = cell_str(w->names[i]);

		put_separator(w, i);
		cell_put(output_buf(w->o), &c, &w->st);
	}
	end_line(w);
	if (w->st.format == OUT_MARKDOWN)
		markdown_rule(w);
}

void
writer_titles(struct writer *w, bool out)
{
	if (!out && !w->started && w->st.format != OUT_JSONL)
		separated_titles(w);
	w->started = true;
}

/* Write columns from `first` on, each after its separator. */
static void
separated_cells(struct writer *w, size_t first, const struct cell *cells, size_t n)
{
	struct buf	*out = output_buf(w->o);
	char		 comma = w->st.format == OUT_CSV ? ',' : '\t';
	size_t		 commas = 0;	/* separators to be written: most events lack many fields */

	for (size_t i = 0; i < n; i++) {
		commas += first + i > 0;
		if (cells[i].kind <= CELL_NULL)
			continue;
		buf_fill(out, comma, commas);
		commas = 0;
		cell_put(out, &cells[i], &w->st);
	}
	buf_fill(out, comma, commas);
}

int
writer_row_end(struct writer *w)
{
	end_line(w);
	return output_step(w->o);
}

static void
markdown_cells(struct writer *w, const struct cell *cells)
{
	for (size_t i = 0; i < w->n; i++) {
		put_separator(w, i);
		cell_put(output_buf(w->o), &cells[i], &w->st);
	}
}

static int
separated_row(struct writer *w, const struct cell *cells)
{
	if (!w->started)
		separated_titles(w);
	if (w->st.format == OUT_MARKDOWN) {
		markdown_cells(w, cells);
		return writer_row_end(w);
	}
	separated_cells(w, 0, cells, w->n);
	return writer_row_end(w);
}

void
writer_part(struct writer *w, size_t first, const struct cell *cells, size_t n)
{
	if (!w->started)
		separated_titles(w);
	separated_cells(w, first, cells, n);
}

int
writer_row(struct writer *w, const struct cell *cells)
{
	if (w->row != NULL) {
		memcpy(w->row + 1, cells, (w->n - 1) * sizeof *cells);
		cells = w->row;
	}
	switch (w->st.format) {
	case OUT_TEXT:
		return text_row(w, cells);
	case OUT_JSONL:
		return json_row(w, cells);
	case OUT_CSV:
	case OUT_TSV:
	case OUT_MARKDOWN:
		return separated_row(w, cells);
	case OUT_PARQUET:		/* not by rows */
		break;
	}
	return ERR_USAGE;
}

int
writer_end(struct writer *w)
{
	int	err = ERR_OK;

	if (w->st.format == OUT_TEXT)
		err = flush_buffered(w);
	else if (w->st.format != OUT_JSONL && !w->started)
		separated_titles(w);
	if (err == ERR_OK)
		err = output_step(w->o);
	for (size_t i = 0; i < w->n; i++)
		mem_free(w->names[i]);
	mem_free(w->names);
	mem_free(w->row);
	mem_free(w->col);
	mem_free(w->code);
	mem_free(w->filled);
	mem_free(w->buffered);
	buf_release(&w->text);
	buf_release(&w->line);
	mem_free(w);
	return err;
}

/* With several files, a column may be absent from the traces of this one. */
static bool
is_absent(const struct writer *w, const struct table *t, unsigned col)
{
	return w->row != NULL && col < TABLE_COLUMNS && (t->absent >> col & 1) != 0;
}

/* Does a column of times contain something else here? Rows of another kind may have counts. */
static bool
is_counted(const struct table *t, unsigned col)
{
	for (size_t row = 0; row < t->nrows && row < LOOKS; row++) {
		struct cell	c = table_cell_at(t, row, col);

		if (c.kind == CELL_U64)
			return true;
		if (c.kind != CELL_NONE && c.kind != CELL_NULL)
			return false;
	}
	return false;
}

static const char *
title_of(const struct table_column *c, const struct out_style *st)
{
	return out_is_for_people(st->format) && c->printed != NULL ? c->printed : c->name;
}

/* The unit of a kind of cells in text and CSV; NULL: none, or the column's name contains it. */
static const char *
unit_of(const struct table *t, unsigned col, const struct out_style *st)
{
	const struct table_column	*c = &t->column[col];

	if ((c->kind == CELL_DUR || c->kind == CELL_TIME) && is_counted(t, col))
		return NULL;
	if (c->kind == CELL_DUR || (c->kind == CELL_TIME && !st->utc))
		return st->format == OUT_CSV ? "ns" : "s";
	if (c->kind == CELL_BYTES && strstr(title_of(c, st), "ytes") == NULL)
		return "B";
	return NULL;
}

/* "role derived", from a JSON key. */
static void
put_words(struct buf *out, const char *key)
{
	for (; *key != '\0'; key++) {
		bool	begins = *key >= 'A' && *key <= 'Z';

		buf_puts(out, begins ? " " : "");
		buf_putc(out, begins ? (char)(*key - 'A' + 'a') : *key);
	}
}

static void
put_title(struct buf *out, const struct table *t, unsigned col, const struct out_style *st)
{
	const struct table_column	*c = &t->column[col];
	const char			*unit = c->unit != NULL ? c->unit : unit_of(t, col, st);

	if (!out_is_for_people(st->format) && st->format != OUT_CSV)
		return;
	if (out_is_for_people(st->format) && c->printed == NULL)
		put_words(out, c->name);
	else
		buf_puts(out, title_of(c, st));
	if (unit != NULL && (c->unit == NULL || c->printed == NULL || st->format == OUT_CSV))
		buf_printf(out, " (%s)", unit);
}

struct writer *
writer_for(struct output *o, const struct out_style *st, const struct table *t,
    const unsigned *col, size_t n, bool files)
{
	const char	**names = mem_zalloc(n + 1, sizeof *names);
	struct buf	*text = mem_zalloc(n + 1, sizeof *text);
	struct writer	*w;

	for (size_t i = 0; i < n; i++) {
		const struct table_column	*c = &t->column[col[i]];

		put_title(&text[i], t, col[i], st);
		names[i] = text[i].len > 0 ? buf_str(&text[i]) : c->name;
	}
	w = writer_new(o, st, names, n, files);
	for (size_t i = 0; i < n && st->format == OUT_TEXT; i++) {
		const struct table_column	*c = &t->column[col[i]];

		w->col[i + files].rank = c->rank;
		w->col[i + files].flags |= (c->flags & COLUMN_NAMES ? FIT_NAMES : 0) |
		    (c->flags & COLUMN_EXTRA ? FIT_EXTRA : 0) |
		    (c->flags & COLUMN_STAYS ? FIT_STAYS : 0);
		w->code[i + files] = (c->flags & COLUMN_CODE) != 0;
	}
	for (size_t i = 0; i < n; i++)
		buf_release(&text[i]);
	mem_free(text);
	mem_free(names);
	return w;
}

int
writer_table(struct writer *w, const struct table *t, const struct table_order *order,
    const unsigned *col, uint64_t limit)
{
	size_t		 ncols = w->n - (w->row != NULL);
	struct cell	*cells = mem_zalloc(ncols + 1, sizeof *cells);
	size_t		 n = order != NULL ? order->n : t->nrows;
	int		 err = ERR_OK;

	for (size_t r = 0; r < n && r < limit && err == ERR_OK; r++) {
		size_t	row = order != NULL ? order->row[r] : r;

		for (size_t i = 0; i < ncols; i++) {
			if (is_absent(w, t, col[i]))
				cells[i] = cell_none();
			else
				t->cell(t->src, row, col[i], &cells[i]);
		}
		err = writer_row(w, cells);
	}
	mem_free(cells);
	return err;
}

int
table_print(struct output *o, const struct out_style *st, const struct table *t,
    const struct table_order *order, const unsigned *col, size_t ncols)
{
	struct writer	*w = writer_for(o, st, t, col, ncols, false);
	int		 err = writer_table(w, t, order, col, UINT64_MAX), end = writer_end(w);

	return err != ERR_OK ? err : end;
}
