/*
 * Pages: see tnav/analysis/page.h for the picture.
 *
 * Invariant: items lie in the order of their text, and a line has an item's text alone.
 */
#include "tnav/analysis/page.h"

#include "tnav/base/mem.h"

#define INDENT	2u	/* of an item; its further lines have twice as much */
#define NUMBERED 3u	/* of what is below a number */
#define LEAST	16u	/* cells of a text, however narrow the page is */

void
page_release(struct page *p)
{
	buf_release(&p->text);
	mem_free(p->item);
}

static void
item_add(struct page *p, struct page_item item)
{
	item.from = p->text.len;
	ARRAY_ADD(p->item, p->n, p->cap, item);
}

void
page_heading(struct page *p, const char *text)
{
	item_add(p, (struct page_item){ .row = TABLE_NO_ROW, .heading = true, .apart = true,
	    .more = 2 * INDENT });
	buf_puts(&p->text, text);
}

void
page_item(struct page *p, size_t row)
{
	item_add(p, (struct page_item){ .row = row, .indent = INDENT, .more = 2 * INDENT });
}

void
page_numbered(struct page *p, size_t row, unsigned number)
{
	item_add(p, (struct page_item){ .row = row, .heading = true, .apart = true,
	    .more = NUMBERED });
	buf_printf(&p->text, "%u. ", number);
}

void
page_paragraph(struct page *p, size_t row)
{
	item_add(p, (struct page_item){ .row = row, .indent = NUMBERED, .more = NUMBERED });
}

void
page_command(struct page *p, size_t row)
{
	item_add(p, (struct page_item){ .row = row, .indent = NUMBERED, .more = NUMBERED,
	    .command = true });
}

void
page_apart(struct page *p, size_t row)
{
	item_add(p, (struct page_item){ .row = row, .apart = true });
}

/* ---- lines */

struct lines {
	struct page_line	*v;
	size_t			 n, cap;
};

static void
line_add(struct lines *l, const struct page_line *line)
{
	ARRAY_ADD(l->v, l->n, l->cap, *line);
}

/* As text_line(), but a word is not broken unless it takes most of the line. */
static size_t
break_at(struct span text, enum text_mode mode, size_t cells)
{
	size_t	n = text_line(text, mode, cells), blank = n;

	if (n == text.len || text.p[n] == ' ')
		return n;
	while (blank > 0 && text.p[blank - 1] != ' ')
		blank--;
	while (blank > 0 && text.p[blank - 1] == ' ')
		blank--;
	return blank > n / 2 ? blank : n;
}

static void
wrap(struct lines *l, const struct page_item *item, struct span text, enum text_mode mode,
    size_t cells)
{
	struct page_line	line = { .indent = item->indent, .row = item->row,
				    .heading = item->heading };
	size_t			 room;

	do {
		room = cells > line.indent + LEAST ? cells - line.indent : LEAST;
		line.text = (struct span){ text.p, break_at(text, mode, room) };
		line_add(l, &line);
		text = text_rest(text, line.text.len);
		line.indent = item->more;
	} while (text.len > 0);
}

size_t
page_lines(const struct page *p, enum text_mode mode, size_t cells, struct page_line **out)
{
	struct lines	l = { .n = 0 };

	for (size_t i = 0; i < p->n; i++) {
		size_t		end = i + 1 < p->n ? p->item[i + 1].from : p->text.len;
		struct span	text = { (const uint8_t *)p->text.p + p->item[i].from,
				    end - p->item[i].from };

		if (p->item[i].apart && i > 0)
			line_add(&l, &(struct page_line){ .row = TABLE_NO_ROW });
		wrap(&l, &p->item[i], text, mode,
		    p->item[i].command && p->whole_commands ? SIZE_MAX : cells);
	}
	*out = l.v;
	return l.n;
}

/* ---- as a table */

static const struct table_column	columns[] = {
	{ .name = "text", .kind = CELL_TEXT, .most = -1, .flags = COLUMN_NO_SORT },
};

struct page_src {
	struct table		 table;
	struct page		 page;
	struct page_line	*line;
	const struct table	*of;
	struct buf		 text;
};

static void
page_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct page_src			*x = src;
	const struct page_line		*l = &x->line[row];

	(void)col;
	buf_clear(&x->text);
	buf_fill(&x->text, ' ', l->indent);
	buf_add(&x->text, l->text.p, l->text.len);
	*out = (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(&x->text) };
}

static enum tone
page_tone(void *src, size_t row, unsigned col)
{
	(void)col;
	return ((struct page_src *)src)->line[row].heading ? TONE_STRONG : TONE_NORMAL;
}

static bool
page_evidence(void *src, size_t row, struct table_evidence *out)
{
	const struct page_src	*x = src;
	size_t			 at = x->line[row].row;

	return at != TABLE_NO_ROW && x->of->evidence != NULL &&
	    x->of->evidence(x->of->src, at, out);
}

static void
page_src_release(void *src)
{
	struct page_src	*x = src;

	page_release(&x->page);
	mem_free(x->line);
	buf_release(&x->text);
	mem_free(x);
}

struct table *
page_table(struct page *p, const struct table *of, enum text_mode mode, size_t cells)
{
	struct page_src	*x = mem_zalloc(1, sizeof *x);

	x->page = *p;
	*p = (struct page){ .n = 0 };
	x->of = of;
	x->table = (struct table){ .column = columns, .ncolumns = 1, .src = x, .cell = page_cell,
	    .tone = page_tone, .evidence = page_evidence, .release = page_src_release,
	    .has_names = of->has_names };
	x->table.nrows = page_lines(&x->page, mode, cells, &x->line);
	return &x->table;
}

size_t
page_table_row(const struct table *t, size_t line)
{
	return ((const struct page_src *)t->src)->line[line].row;
}
