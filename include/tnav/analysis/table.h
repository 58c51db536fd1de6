/*
 * A table: columns as data, rows as cells, and for each row its evidence. Threads, types, gaps,
 * stats, problems, marks, filters, columns, help and every report are such tables; one widget
 * (ui/pane/table) shows them, one printer (out/table) writes them.
 *
 *	columns	 tid        name     events      lost   activity
 *	row 0	 25         worker   15,403   184,597   ..:-%%##%%   -> evidence: filter tid = 25
 *	row 1	  incarnation 1                   350                   parent 0
 *
 * A table's rows are numbered from 0 as its source has them; an order of rows (struct table_order)
 * is the viewer's or the printer's own.
 */
#ifndef TNAV_ANALYSIS_TABLE_H
#define TNAV_ANALYSIS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/model/cell.h"

#define TABLE_NO_ROW	SIZE_MAX

struct table_column {
	const char	*name;		/* JSON key; also to sort by, and to choose it by */
	const char	*title;		/* on the screen and in text; NULL: name */
	const char	*help;		/* one sentence */
	enum cell_kind	 kind;		/* of most cells: alignment, direction of sorting */
	int		 width;		/* on the screen; 0: by what is in it, -1: what is left */
	unsigned	 flags;
};

#define COLUMN_HIDDEN	0x1u		/* only where it is asked for */
#define COLUMN_SCREEN	0x2u		/* for people (spark, share bar): not in JSON, CSV, TSV */
#define COLUMN_FIRST_UP	0x4u		/* sorts ascending at first, though it is a number */

/* Where `Enter` goes from a row. */
struct table_evidence {
	enum {
		EVIDENCE_NONE, EVIDENCE_FILTER, EVIDENCE_WINDOW, EVIDENCE_EVENT, EVIDENCE_ACTION
	} kind;
	struct buf	 filter;	/* FILTER, WINDOW: a term, as the language writes it */
	int64_t		 from, to;	/* WINDOW: ticks, half-open */
	int64_t		 ts;		/* EVENT: that one, or the nearest */
	uint64_t	 off;
};

/* A table as its source gives it. The source is immutable between two changes of stamp. */
struct table {
	const char			*name, *title;
	const struct table_column	*column;
	size_t				 ncolumns, nrows;
	uint64_t			 stamp;		/* changes with the rows or their cells */
	unsigned			 sort;		/* the column it is sorted by at first */
	bool				 sort_up;
	void				*src;
	/* A cell; what it borrows lives until the next call for the column. */
	void		(*cell)(void *src, size_t row, size_t col, struct cell *out);
	/* TABLE_NO_ROW: a row at the top. NULL: all are. */
	size_t		(*parent)(void *src, size_t row);
	/* Both may be NULL. */
	bool		(*heading)(void *src, size_t row, struct buf *out);
	bool		(*evidence)(void *src, size_t row, struct table_evidence *out);
	const char	*empty;		/* what is said when there is no row */
};

#endif
