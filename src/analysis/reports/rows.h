/*
 * Rows of a report. Each row has cells in a few of many columns.
 *
 *	row_begin(r, "gc");
 *	row_put(r, GC_NUMBER, cell_u64(7));
 *	dist_json(&pause, row_json(r, GC_PAUSE));
 *	row_event(r, ts, off);			where Enter goes
 */
#ifndef ANALYSIS_REPORTS_ROWS_H
#define ANALYSIS_REPORTS_ROWS_H

#include "tnav/analysis/report.h"
#include "tnav/base/buf.h"
#include "tnav/model/cell.h"
#include "tnav/model/event.h"

struct rows;

/* The second and third column say which of several joined traces a row is of. */
enum { ROW_FILE = 1, ROW_SOURCE };

struct rows	*rows_new(const struct table_column *column, unsigned ncolumns);
/* The rows are those of this source of t. */
void		 rows_of_source(struct rows *r, struct trace *t, uint32_t source);
void		 rows_free(struct rows *r);

/* Columns from ncolumns on, up to this number, are hidden: only who reads the rows sees them. */
#define ROW_CELLS	96u

/* Begin a row of this kind, and complete the previous one. The text is not copied. */
void		 row_begin(struct rows *r, const char *kind);
/* The current row, which is empty yet, is only for who reads the rows. */
void		 row_hide(struct rows *r);
/* Put a cell into the row. Its text is copied. Columns come in any order, each once. A CELL_NONE
   is ignored. */
void		 row_put(struct rows *r, unsigned col, struct cell c);
void		 row_str(struct rows *r, unsigned col, const char *s);	/* NULL: null */
void		 row_text(struct rows *r, unsigned col, struct span text);
void		 row_null(struct rows *r, unsigned col);
/* A buffer for the JSON text of a cell. Append to it before the next call for the row. */
struct buf	*row_json(struct rows *r, unsigned col);
/* A cell of JSON, with words that are displayed instead. */
void		 row_json_words(struct rows *r, unsigned col, struct span json, struct span words);
/* The same for names that are displayed: clean ones, or those of the trace. */
void		 row_json_names(struct rows *r, unsigned col, struct span json, struct span clean,
		    struct span raw);
/* A name: as in the trace for programs, and clean for people, if they don't ask for the other. */
void		 row_name(struct rows *r, unsigned col, struct span raw, struct span clean);
/* Enter goes to this event, or filters by this expression. */
void		 row_event(struct rows *r, int64_t ts, uint64_t off);
void		 row_filter(struct rows *r, const char *expr);
/* Enter opens this list. */
void		 row_inside(struct rows *r, const struct table_inside *inside);

/* Pass each row to row() when it is complete, also those that are hidden or for which there is no
   room. It reads the columns of rows_read_column(). */
void		 rows_read(struct rows *r, void (*row)(void *arg, const char *kind), void *arg);
void		 rows_read_column(struct rows *r, unsigned col);
/* The last row is complete. Nobody reads the following ones. */
void		 rows_end(struct rows *r);
bool		 rows_hides(const struct rows *r, unsigned col);	/* is the column hidden? */
const struct table_column *rows_column(const struct rows *r, unsigned col);
/* A cell of the current row; its text lives as long as the rows. CELL_NONE: there is none. */
struct cell	 row_get(const struct rows *r, unsigned col);
void		 row_get_event(const struct rows *r, int64_t *ts, uint64_t *off);
/* Do the following rows fit in any case? */
void		 rows_unlimited(struct rows *r, bool is);
/* Move the rows from this one on before all others, of which the last are left out if they are too
   many. */
void		 rows_put_first(struct rows *r, size_t from);

/* A key that identifies the row, for its plot. */
void		 row_key(struct rows *r, uint64_t key);

/* The key of a row of such a table, and the source of the row. False: it has none. */
bool		 rows_key(const struct table *t, size_t row, uint64_t *key, size_t *of);

size_t		 rows_n(const struct rows *r);
/* Add a remark (0: none) by buf_counts(): "# lock{s} {is|are} not told apart". */
void		 rows_remark(struct rows *r, uint64_t n, const char *words);
/* Append these remarks, and one about rows that were left out, as one line. "": none. */
void		 rows_remarks(const struct rows *r, struct buf *out);
/* The losses for summary rows. has false: null. */
void		 rows_loss(struct rows *r, bool has, uint64_t lost, uint64_t gaps);
/* A table of the rows of one kind, of all except "summary" (""), or of all kinds (NULL). */
struct table	*rows_table(struct rows *r, const char *kind);
/*
 * The same of the rows of n sources: one after the other, or merged. Then rows of a kind that have
 * a time, start or t, are in its order; those of equal times, and those without, in the order of
 * the sources.
 */
struct table	*rows_table_of(struct rows *const *r, size_t n, const char *kind, bool merged);
/* Keep the rows of such a table that match. */
void		 rows_filter_table(struct table *t, struct filter_cells *e);

#endif
