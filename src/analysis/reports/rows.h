/*
 * Rows of a report: few of many columns each.
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

struct rows	*rows_new(const struct table_column *column, unsigned ncolumns);
void		 rows_free(struct rows *r);

/* A row begins, of this kind, which is a constant text. */
void		 row_begin(struct rows *r, const char *kind);
/* A cell of it, copied with its text. Columns in any order, each once. CELL_NONE puts nothing. */
void		 row_put(struct rows *r, unsigned col, struct cell c);
void		 row_str(struct rows *r, unsigned col, const char *s);	/* NULL: null */
void		 row_text(struct rows *r, unsigned col, struct span text);
void		 row_null(struct rows *r, unsigned col);
/* Where to append the JSON text of a cell, until the next call for the row. */
struct buf	*row_json(struct rows *r, unsigned col);
/* ... with words in its place for people. */
void		 row_json_words(struct rows *r, unsigned col, struct span json, struct span words);
/* Enter goes to this event, or filters by this expression. */
void		 row_event(struct rows *r, int64_t ts, uint64_t off);
void		 row_filter(struct rows *r, const char *expr);

/* What the report calls it, for its plot. */
void		 row_key(struct rows *r, uint64_t key);

/* The key of a row of such a table; false: it has none. */
bool		 rows_key(const struct table *t, size_t row, uint64_t *key);

size_t		 rows_n(const struct rows *r);
uint64_t	 rows_left_out(const struct rows *r);	/* there was no room */
/* Say that so many (0: nothing is said) "locks are not told apart": there was no room for more. */
void		 rows_remark(struct rows *r, uint64_t n, const char *what);
/* What was said so, and rows that are left out: one line, "" if nothing was. */
void		 rows_remarks(const struct rows *r, struct buf *out);
/* What the summaries say of losses; has false: null. */
void		 rows_loss(struct rows *r, bool has, uint64_t lost, uint64_t gaps);
#define ROWS_BUT_SUMMARY	""	/* as a kind: all but "summary" */
/* A table of the rows of a kind, or of all (NULL). */
struct table	*rows_table(struct rows *r, const char *kind);

#endif
