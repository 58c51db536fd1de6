/*
 * One typed value of a result, and its spelling in each form of output. All rows are printed
 * through these functions, so the text table, JSON lines, CSV and TSV have the same rows.
 */
#ifndef TNAV_OUT_CELL_H
#define TNAV_OUT_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/base/text.h"
#include "tnav/model/cell.h"

enum out_format {
	OUT_TEXT,	/* for people */
	OUT_JSONL,	/* one object a line */
	OUT_CSV,	/* RFC 4180 */
	OUT_TSV,	/* with \t \n \r \\ as escapes */
	OUT_MARKDOWN,	/* a table for a comment or a report, with values as in text */
	OUT_PARQUET,	/* typed columns, in a file: tnav/out/parquet.h */
};

/* Has it the rows of all kinds, with all columns? */
static inline bool
out_is_whole(enum out_format f)
{
	return f == OUT_JSONL || f == OUT_PARQUET;
}

/* Are values written as people read them? */
static inline bool
out_is_for_people(enum out_format f)
{
	return f == OUT_TEXT || f == OUT_MARKDOWN;
}

struct out_style {
	enum out_format	 format;
	enum text_mode	 mode;		/* TEXT_ASCII: a terminal that is not UTF-8 */
	bool		 tty;		/* written to a terminal: every format is made safe */
	unsigned	 columns;	/* width of that terminal, for text tables; 0: any */
	bool		 color;		/* text only */
	bool		 guard;		/* CSV: no text becomes a formula in a spreadsheet */
	bool		 utc;		/* times as ISO 8601 UTC (text, CSV, TSV) */
	int64_t		 sync_utc;	/* ns since 1970 of time 0 */
};

/* Append the cell in the style's format. In JSON a CELL_NONE is null. */
void	cell_put(struct buf *out, const struct cell *c, const struct out_style *st);

/* A time as st requests: seconds since the sync time, or UTC. */
void	out_time(struct buf *out, int64_t ns, const struct out_style *st);
/*
 * Append a finished line of JSON. For a terminal, unprintable characters become \uXXXX, which is
 * the same JSON; otherwise the line is unchanged.
 */
void	out_json_line(struct buf *out, struct span line, const struct out_style *st);

#endif
