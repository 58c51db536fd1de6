/*
 * A table: columns as data, rows as cells, and for each row its evidence. Threads, types, gaps,
 * stats, problems, marks, filters, columns, help and every report are such tables; one widget
 * (ui/pane/table) shows them, one printer (out/table) writes them.
 *
 *	columns	 tid        name     events      lost   activity
 *	row 0	 25         worker   15,403   184,597   ..:-%%##%%   -> evidence: filter tid = 25
 *	row 1	  incarnation 1                   350                   parent 0
 *
 * The source numbers the rows from 0, parents before their children. An order of rows (struct
 * table_order) belongs to the viewer or the printer.
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
#define TABLE_UNSORTED	UINT_MAX	/* the order of the source */
#define TABLE_COLUMNS	64u		/* on the screen at most: sets of columns are bits */
#define TABLE_MOST	72u		/* with those that files alone have */

/* The meaning of a text; the viewer has a style for each. */
enum tone {
	TONE_NORMAL, TONE_DIM, TONE_STRONG, TONE_KEY, TONE_TIME, TONE_THREAD, TONE_EVENT,
	TONE_LOSS, TONE_WARN, TONE_ERROR,
};

struct table_column {
	const char	*name;		/* JSON key, name for sorting and for choosing columns */
	const char	*title;		/* on the screen; NULL: name */
	const char	*printed;	/* in printed text, without a unit of its own; NULL: name */
	const char	*unit;		/* in titles, if it is not that of the kind */
	enum cell_kind	 kind;		/* of most cells: sets alignment and order of sorting */
	enum tone	 tone;
	/* Width on the screen. Text: `width` is the least width where there is no room, 0: as
	   wide as the text; `most` is the greatest width, 0: as wide as the text, -1: the rest
	   of the line. Other kinds: at least `width`. */
	int		 width, most;
	unsigned	 rank;		/* 0: always shown; else the greatest is dropped first
					   where there is no room */
	unsigned	 flags;
};

#define COLUMN_EXTRA	0x1u		/* on the screen only if requested */
#define COLUMN_SCREEN	0x2u		/* for people at a screen (spark, bar): not in files */
#define COLUMN_FIRST_UP	0x4u		/* sorts ascending at first, although it is a number */
#define COLUMN_NO_SORT	0x8u
#define COLUMN_MIDDLE	0x20u		/* shorten single words in the middle: they begin
					   alike */
#define COLUMN_NAMES	0x40u		/* names the row: cut last */
#define COLUMN_CODE	0x80u		/* names types or methods: their last part is not cut */
#define COLUMN_STAYS	0x100u		/* never left out, even if it is the same in all rows */
#define COLUMN_JOINED	0x200u		/* only where several traces are one list */
#define COLUMN_RARE	0x400u		/* not printed where no row has a value */
#define COLUMN_ID	0x10u		/* a number that is an id: no digit grouping */

/* Where `Enter` goes from a row. */
enum evidence { EVIDENCE_NONE, EVIDENCE_FILTER, EVIDENCE_EVENT, EVIDENCE_INSIDE };

/* A list inside of a row: numbers whose meaning only the source knows. */
struct table_inside {
	uint32_t	 kind, type, object;
	uint64_t	 of;
	uint32_t	 source;	/* of several joined traces */
};

struct table_evidence {
	enum evidence	 kind;
	bool		 alone;		/* FILTER: replaces the current filter */
	struct buf	 filter;	/* FILTER: a term of the filter language */
	int64_t		 ts;		/* EVENT, INSIDE: the event at this time, or the nearest */
	uint64_t	 off;
	struct table_inside inside;	/* INSIDE: what a report makes (report_inside()) */
};

/* A table as its source provides it. Every function except cell may be NULL. */
struct table {
	const struct table_column	*column;
	unsigned	 ncolumns;
	size_t		 nrows;
	uint64_t	 stamp;		/* changes when rows or their cells change */
	uint64_t	 rows_stamp;	/* while it is unchanged, row numbers keep their meaning
					   and orders stay valid */
	uint64_t	 absent;	/* columns, by bit, that no trace of this format can fill */
	uint64_t	 idle;		/* columns, by bit, without values in this trace: hidden */
	unsigned	 lead;		/* column + 1 that says what a row is about: on the screen
					   it is the first one, and always shown. 0: none */
	unsigned	 sort;		/* column + 1 to sort by at first; 0: not sorted */
	unsigned	 tie;		/* column + 1 that orders equal rows, greatest first */
	unsigned	 open_depth;	/* of a tree: rows above this depth are open */
	void		*src;
	/* Get a cell. What it borrows is valid until the next call for the same column. */
	void		(*cell)(void *src, size_t row, unsigned col, struct cell *out);
	/* The parent row, which has a lower number. TABLE_NO_ROW: none. NULL: not a tree */
	size_t		(*parent)(void *src, size_t row);
	/* Identifies the row even when row numbers have changed. NULL: the number is the id. */
	uint64_t	(*id)(void *src, size_t row);
	/* Text that replaces the first columns, up to the row's first number. */
	bool		(*heading)(void *src, size_t row, struct buf *out);
	enum tone	(*tone)(void *src, size_t row, unsigned col);
	/* Where Enter goes. False: nowhere. out->filter is initialised and empty. */
	bool		(*evidence)(void *src, size_t row, struct table_evidence *out);
	/* The field and value that events of this row have, in the filter language. */
	bool		(*key)(void *src, size_t row, struct buf *field, struct buf *value);
	bool		 has_names;	/* some cells are names (SHOW_NAME), which
						   raw_names changes */
	bool		 raw_names;	/* set by the viewer: their words are as in the trace */
	const char	*empty;		/* shown if there are no rows */
	void		(*release)(void *src);
};

void		 table_free(struct table *t);	/* of a table made by its source; NULL is fine */

const char	*table_title(const struct table *t, unsigned col);
/* The unit of the numbers below it, unless the title has it. NULL: none, or each has its own. */
const char	*table_unit(const struct table *t, unsigned col);
/* The column with this name, else with this title in print, else on the screen; ncolumns: none, and
   why (may be NULL) lists the similar names or all names. */
unsigned	 table_find_column(const struct table *t, const char *name, size_t len,
		    struct buf *why);
/* Does the column sort ascending at first, as texts do? Numbers and times do not. */
bool		 table_sorts_up(const struct table *t, unsigned col);
/* Is the column written to files? Not if it is for the screen only or the format lacks it. */
bool		 table_in_files(const struct table *t, unsigned col);
/* The depth of a row in the tree; 0 at the top. */
unsigned	 table_depth(const struct table *t, size_t row);

/* A cell; CELL_NONE if there is no such row or column. */
struct cell	 table_cell_at(const struct table *t, size_t row, unsigned col);
/* The number that a cell is sorted by. False: it has none. */
bool	table_number(const struct cell *c, long double *n);
/* The same, or the other number. */
double	table_number_or(const struct cell *c, double other);

/* ---- orders */
struct table_order {
	uint32_t	*row;		/* n of them */
	size_t		 n, cap;
};

void	table_order_release(struct table_order *o);
/*
 * Sort all rows by a column: stable, rows without a value last, children after their parents.
 * TABLE_UNSORTED: keep the order of the source.
 */
void	table_order_make(struct table_order *o, const struct table *t, unsigned col, bool up);

#endif
