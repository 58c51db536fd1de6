/*
 * A table: columns as data, rows as cells, and for each row its evidence. Threads, types, gaps,
 * stats, problems, marks, filters, columns, help and every report are such tables; one widget
 * (ui/pane/table) shows them, one printer (out/table) writes them.
 *
 *	columns	 tid        name     events      lost   activity
 *	row 0	 25         worker   15,403   184,597   ..:-%%##%%   -> evidence: filter tid = 25
 *	row 1	  incarnation 1                   350                   parent 0
 *
 * A table's rows are numbered from 0 as its source has them, parents before their children;
 * an order of rows (struct table_order) is the viewer's or the printer's own.
 */
#ifndef TNAV_ANALYSIS_TABLE_H
#define TNAV_ANALYSIS_TABLE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/model/cell.h"

#define TABLE_NO_ROW	SIZE_MAX
#define TABLE_UNSORTED	UINT_MAX	/* the order that the source has */
#define TABLE_COLUMNS	64u		/* at most: sets of columns are bits */

/* What a text means to who looks on; the viewer has a style for each. */
enum tone {
	TONE_NORMAL, TONE_DIM, TONE_STRONG, TONE_KEY, TONE_TIME, TONE_THREAD, TONE_EVENT,
	TONE_LOSS, TONE_WARN, TONE_ERROR,
};

struct table_column {
	const char	*name;		/* JSON key, name for sort and for the choice of columns */
	const char	*title;		/* on the screen; NULL: name */
	const char	*printed;	/* in printed text; NULL: name */
	enum cell_kind	 kind;		/* of most cells: alignment, first direction of sorting */
	enum tone	 tone;
	/* Cells of the screen, by what is in it. Of a text: width where there is no more room, 0:
	   as it is; most 0: as it is, -1: all that is left. Of others: at least width. */
	int		 width, most;
	unsigned	 rank;		/* 0: always there; else the greatest goes first where
					   there is no room for all */
	unsigned	 flags;
};

#define COLUMN_ASKED	0x1u		/* on the screen only when it is asked for */
#define COLUMN_SCREEN	0x2u		/* for people at a screen (spark, bar): not in files */
#define COLUMN_FIRST_UP	0x4u		/* sorts ascending at first, though it is a number */
#define COLUMN_NO_SORT	0x8u
#define COLUMN_MIDDLE	0x20u		/* texts that begin alike: cut in the middle, on a screen */
#define COLUMN_ID	0x10u		/* a number that names something: it is not grouped */

/* Where `Enter` goes from a row. */
enum evidence { EVIDENCE_NONE, EVIDENCE_FILTER, EVIDENCE_EVENT };

struct table_evidence {
	enum evidence	 kind;
	bool		 alone;		/* FILTER: in place of the filter that there is */
	struct buf	 filter;	/* FILTER: a term, as the language writes it */
	int64_t		 ts;		/* EVENT: that one, or the nearest */
	uint64_t	 off;
};

/* A table as its source gives it. Every function but cell may be NULL. */
struct table {
	const struct table_column	*column;
	unsigned	 ncolumns;
	size_t		 nrows;
	uint64_t	 stamp;		/* changes with the rows or their cells */
	uint64_t	 rows_stamp;	/* while it stays, a number means the same row, and an order
					   that was made is good */
	uint64_t	 absent;	/* columns by bit: those that no such trace can fill, ... */
	uint64_t	 idle;		/* ... and that this one doesn't: not on the screen */
	unsigned	 sort;		/* the column that it is sorted by at first */
	unsigned	 tie;		/* orders rows that sort alike, most first */
	unsigned	 open_depth;	/* of a tree: rows above this depth show their children */
	void		*src;
	/* A cell; what it borrows is valid until the next call for the same column. */
	void		(*cell)(void *src, size_t row, unsigned col, struct cell *out);
	/* The parent row, which has a lower number; TABLE_NO_ROW: top. NULL: flat */
	size_t		(*parent)(void *src, size_t row);
	/* Identifies the row when numbers have changed; NULL: the number. */
	uint64_t	(*id)(void *src, size_t row);
	/* Text in place of the first columns, up to the first number that the row has. */
	bool		(*heading)(void *src, size_t row, struct buf *out);
	enum tone	(*tone)(void *src, size_t row, unsigned col);
	/* False: nothing to go to. out->filter is initialised and empty. */
	bool		(*evidence)(void *src, size_t row, struct table_evidence *out);
	/* The field and value of events that the row stands for, as the language writes them. */
	bool		(*key)(void *src, size_t row, struct buf *field, struct buf *value);
	const char	*empty;		/* shown when there is no row */
	void		(*release)(void *src);
};

void		 table_free(struct table *t);	/* of one that a source made; NULL is fine */

const char	*table_title(const struct table *t, unsigned col);
/* The column with that name, else with that title in text, or ncolumns; why (may be NULL)
   then names the near ones or all. */
unsigned	 table_find_column(const struct table *t, const char *name, size_t len,
		    struct buf *why);
/* Does the column sort ascending at first, as texts do and numbers and times do not? */
bool		 table_sorts_up(const struct table *t, unsigned col);
/* Do files include the column? Not if it is for the screen only or the format lacks it. */
bool		 table_in_files(const struct table *t, unsigned col);
/* How far below the top a row is. */
unsigned	 table_depth(const struct table *t, size_t row);

/* The number that a cell is sorted by; false: it has none. */
bool	table_number(const struct cell *c, long double *n);

/* ---- orders */
struct table_order {
	uint32_t	*row;		/* n of them */
	size_t		 n, cap;
};

void	table_order_release(struct table_order *o);
/*
 * All rows, sorted by a column (stable; TABLE_UNSORTED: as they are), what has no value last,
 * children after their parents.
 */
void	table_order_make(struct table_order *o, const struct table *t, unsigned col, bool up);

#endif
