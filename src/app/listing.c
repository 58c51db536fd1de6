/*
 * The table of a subcommand on its way out.
 *
 *	all columns	tid pid name events	what the table has
 *	pick		3 0			--fields events,tid
 *
 * The table of the first file decides the columns. With several files, these are all columns of the
 * command, so that the rows of each file fit.
 */
#include "app/listing.h"

#include <string.h>

#include "app/exit.h"
#include "tnav/base/mem.h"
#include "tnav/engine/field.h"
#include "tnav/out/message.h"

static bool
is_picked(const struct run *s, unsigned col)
{
	size_t	i = 0;

	while (i < s->npick && s->pick[i] != col)
		i++;
	return i < s->npick;
}

void
listing_pick(struct run *s, unsigned col)
{
	s->pick = mem_realloc(s->pick, s->npick + 1, sizeof *s->pick);
	s->pick[s->npick++] = col;
}

bool
listing_has(const struct run *s, const struct table_column *column)
{
	return (column->flags & (s->joined ? COLUMN_SCREEN : COLUMN_SCREEN | COLUMN_JOINED)) == 0;
}

/* A column's name may be quoted, like a field's. */
static unsigned
find_column(const struct table *t, const char *name, size_t len, struct buf *why)
{
	char		*title = field_title(name, len);
	unsigned	 col = table_find_column(t, title, strlen(title), why);

	mem_free(title);
	return col;
}

int
listing_sort(struct run *s, const struct table_column *column, unsigned ncolumns, unsigned *col,
    bool *up)
{
	const char	*sort = s->opt->text[OPT_SORT], *way;
	struct table	 t = { .column = column, .ncolumns = ncolumns };
	unsigned	 by;
	struct buf	 why = { 0 };

	if (sort == NULL)
		return 0;
	for (unsigned i = 0; i < ncolumns && i < TABLE_COLUMNS; i++)
		if ((column[i].flags & COLUMN_JOINED) != 0 && !s->joined)
			t.absent |= UINT64_C(1) << i;
	way = strrchr(sort, ':');
	if (way != NULL && strcmp(way, ":asc") != 0 && strcmp(way, ":desc") != 0)
		way = NULL;
	by = find_column(&t, sort, way != NULL ? (size_t)(way - sort) : strlen(sort), &why);
	if (by == ncolumns) {
		message_put("--sort: %s", buf_str(&why));
		s->stop = true;
	} else {
		*col = by;
		*up = way != NULL ? way[1] == 'a' : table_sorts_up(&t, by);
	}
	buf_release(&why);
	return by == ncolumns ? EXIT_USAGE : 0;
}

int
listing_check(struct run *s, const struct table_column *column, unsigned ncolumns)
{
	struct table	 t = { .column = column, .ncolumns = ncolumns };
	const char	*p = s->opt->text[OPT_FIELDS];
	int		 code = listing_sort(s, column, ncolumns, &s->sort, &s->sort_up);

	if (code != 0 || s->npick > 0)
		return code;
	for (size_t len; p != NULL; p = p[len] == ',' ? p + len + 1 : NULL) {
		unsigned	col;

		len = field_name_len(p);
		col = find_column(&t, p, len, NULL);
		if (col == ncolumns || (column[col].flags & COLUMN_SCREEN) != 0)
			return run_refuse(s, "-e: %s has no field '%.*s'; `tnav help %s` lists "
			    "them", s->opt->command->name, (int)(len < 100 ? len : 100), p,
			    s->opt->command->name);
		if (is_picked(s, col))
			return run_refuse(s, "-e: '%.*s' is given twice",
			    (int)(len < 100 ? len : 100), p);
		listing_pick(s, col);
	}
	return 0;
}

void
listing_pick_source(struct run *s, const struct table_column *column, unsigned n)
{
	unsigned	without = out_is_for_people(s->st.format) ? COLUMN_EXTRA : 0;

	for (unsigned i = 0; s->joined && i < n; i++)
		if ((column[i].flags & COLUMN_JOINED) != 0 && (column[i].flags & without) == 0)
			listing_pick(s, i);
}

static void
pick_all(struct run *s, const struct table *t)
{
	bool	all = s->many || run_to_parquet(s);

	for (unsigned i = 0; i < t->ncolumns; i++)
		if (all ? listing_has(s, &t->column[i]) : table_in_files(t, i))
			listing_pick(s, i);
}

/* With several files there is a column `file`, unless the table itself has one. */
static void
open_rows(struct run *s, const struct table *t)
{
	s->rows_file = s->many;
	for (size_t i = 0; i < s->npick; i++)
		if (strcmp(t->column[s->pick[i]].name, "file") == 0)
			s->rows_file = false;
	s->rows = writer_for(s->o, &s->st, t, s->pick, s->npick, s->rows_file);
}

size_t
listing_top(const struct run *s, size_t n)
{
	if (s->opt->given[OPT_TOP] && s->opt->number[OPT_TOP] < n)
		return (size_t)s->opt->number[OPT_TOP];
	return n;
}

int
listing_print(struct run *s, struct table *t)
{
	struct table_order	order = { .n = 0 };
	bool			sorted = s->sort != TABLE_UNSORTED;
	int			err;

	if (sorted)
		table_order_make(&order, t, s->sort, s->sort_up);
	t->nrows = listing_top(s, t->nrows);
	order.n = order.n < t->nrows ? order.n : t->nrows;
	err = listing_print_order(s, t, sorted ? &order : NULL);
	table_order_release(&order);
	return err;
}

int
listing_print_order(struct run *s, const struct table *t, const struct table_order *order)
{
	uint64_t	limit = s->opt->given[OPT_LIMIT] ? s->opt->number[OPT_LIMIT] : UINT64_MAX;

	if (s->npick == 0)
		pick_all(s, t);
	if (run_to_parquet(s))
		return parquet_table(&s->place, t, order, s->pick, s->npick, limit);
	if (s->rows == NULL)
		open_rows(s, t);
	if (s->rows_file)
		writer_file(s->rows, s->file, &s->st);
	return writer_table(s->rows, t, order, s->pick, limit);
}

void
listing_fact(const struct run *s, struct buf *out, const char *title, struct buf *text)
{
	buf_printf(out, "%s%-10s%s", s->st.color ? "\033[1m" : "", title,
	    s->st.color ? "\033[m" : "");
	text_clean(out, span_of_buf(text), s->st.mode, SIZE_MAX);
	buf_putc(out, '\n');
	buf_clear(text);
}

int
listing_page(struct run *s, struct page *page)
{
	struct buf		*out = output_buf(s->o);
	struct page_line	*line;
	size_t			 n;

	page->whole_commands = true;
	if (s->st.columns > 0 && s->st.format == OUT_TEXT)
		page->width = s->st.columns;
	n = page_lines(page, s->st.mode, page->width > 0 ? page->width : SIZE_MAX, &line);
	for (size_t i = 0; i < n; i++) {
		bool		bold = line[i].heading && s->st.color;
		struct cell	c = { .kind = CELL_PLAIN, .text = line[i].text };

		if (s->st.format == OUT_MARKDOWN) {
			buf_puts(out, line[i].heading ? "### " : "");
			cell_put(out, &c, &s->st);
			buf_puts(out, "\n\n");
			continue;
		}
		buf_puts(out, bold ? "\033[1m" : "");
		buf_fill(out, ' ', line[i].indent);
		(void)text_clean(out, line[i].text, s->st.mode, SIZE_MAX);
		buf_puts(out, bold ? "\033[m\n" : "\n");
	}
	mem_free(line);
	return output_step(s->o);
}
