/*
 * A page to be read: headings and items of text, which wrap at any width.
 *
 *	What stands out					heading
 *	  Induced collections: 59 were requested by	item -> row 4 of a table
 *	    the program, mostly with GC.Collect()
 *						a blank line before the next heading
 */
#ifndef TNAV_ANALYSIS_PAGE_H
#define TNAV_ANALYSIS_PAGE_H

#include "tnav/analysis/table.h"
#include "tnav/base/text.h"

struct page_item {
	size_t		from;		/* in page.text; it ends where the next one begins */
	size_t		row;		/* that it is about, or TABLE_NO_ROW */
	bool		heading, apart;	/* apart: after a blank line, unless it is the first */
	bool		command;
	unsigned	indent, more;	/* cells before its first line, and before the others */
};

struct page {
	struct buf	 text;
	struct page_item *item;
	size_t		 n, cap;
	size_t		 width;		/* where there is no terminal; 0: an item is a line */
	bool		 whole_commands;	/* these are not wrapped: they are to be copied */
};

void	page_release(struct page *p);
/* Begin an item. Its text is what is appended to p->text until the next one. */
void	page_heading(struct page *p, const char *text);
void	page_item(struct page *p, size_t row);
/* A heading that is about a row, as "1. " in front of its paragraphs; and one of these. */
void	page_numbered(struct page *p, size_t row, unsigned number);
void	page_paragraph(struct page *p, size_t row);
/* A paragraph that is a command. */
void	page_command(struct page *p, size_t row);
/* A paragraph after a blank line. */
void	page_apart(struct page *p, size_t row);

/* A line: the text after so many blanks. */
struct page_line {
	struct span	text;		/* in page.text */
	unsigned	indent;
	size_t		row;
	bool		heading;
};

/* The lines of at most so many cells (SIZE_MAX: a line is an item). mem_free() *out. Returns their
   number. */
size_t	page_lines(const struct page *p, enum text_mode mode, size_t cells,
	    struct page_line **out);
/*
 * A table of one column whose rows are these lines. It takes the page over; a line has the evidence
 * of its row of the other table, which must live as long. table_free() it.
 */
struct table	*page_table(struct page *p, const struct table *of, enum text_mode mode,
		    size_t cells);
size_t		 page_table_row(const struct table *t, size_t line);	/* of a page_table() */

#endif
