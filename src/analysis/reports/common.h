/* Parts of rows that several reports share. */
#ifndef ANALYSIS_REPORTS_COMMON_H
#define ANALYSIS_REPORTS_COMMON_H

#include "analysis/dist.h"
#include "analysis/facts/facts.h"
#include "analysis/group.h"
#include "analysis/reports/state.h"
#include "analysis/spans/loss.h"
#include "tnav/analysis/tables.h"
#include "tnav/engine/naming.h"

#define EVENTS_DROPPED	"events are left out: no room for a temporary file"

/*
 * ---- columns: a list of them, COLUMNS, makes the numbers and the table
 *
 *	#define COLUMNS(C) \
 *		C(EX_KIND, COLUMN_KIND) \
 *		C(EX_DUR, COLUMN(DUR, "dur"), .rank = 3) \
 *		LOSS_COLUMNS(C, EX)		the last ones; columns after them are hidden
 *
 *	REPORT_COLUMNS(EX)
 *	enum { EX_KEY = EX_CELLS };
 *
 * A number after the list is that of a hidden column, too, which no total names.
 */
#define COLUMN_NUMBER(id, ...)	id,
#define COLUMN_ENTRY(id, ...)	[id] = { __VA_ARGS__ },
#define REPORT_COLUMNS(prefix) \
	enum { COLUMNS(COLUMN_NUMBER) prefix##_CELLS, prefix##_COLUMNS = prefix##_GAPS + 1 }; \
	_Static_assert(prefix##_CELLS <= ROW_CELLS, "a row has so many"); \
	static const struct table_column	columns[] = { COLUMNS(COLUMN_ENTRY) };
/* The members of a report that say what its columns are. */
#define COLUMNS_OF(prefix) \
	.column = columns, .ncolumns = prefix##_COLUMNS, \
	.nhidden = prefix##_CELLS - prefix##_COLUMNS

#define COLUMN(of, key)		.name = key, .kind = CELL_##of
#define COLUMN_COUNT(key)	COLUMN(U64, key)
/* On the screen only if asked for. */
#define COLUMN_FILE(of, key)	COLUMN(of, key), .flags = COLUMN_ASKED
#define COLUMN_EXTRA(key)	COLUMN_FILE(U64, key)
#define COLUMN_JSON(key)	COLUMN_FILE(RAW, key)
#define COLUMN_TIME(key)	COLUMN(TIME, key), .tone = TONE_TIME, .flags = COLUMN_FIRST_UP
#define COLUMN_THREAD(key, head) \
	COLUMN(U64, key), .title = head, .tone = TONE_THREAD, .flags = COLUMN_FIRST_UP | COLUMN_ID
/* Those that many reports have. */
#define COLUMN_KIND	COLUMN(TEXT, "kind")
/* After the kind: ROW_FILE and ROW_SOURCE. Where the number's name means something else, it has
   another one. */
#define ORIGIN_COLUMNS(C, prefix, number) \
	C(prefix##_FILE, SOURCE_FILE) \
	C(prefix##_NUMBER_OF_FILE, SOURCE_NUMBER(number))
#define COLUMN_START	COLUMN_TIME("start")
#define COLUMN_T	COLUMN_TIME("t"), .title = "time"
#define COLUMN_TID	COLUMN_THREAD("tid", "thread")
#define COLUMN_PID	COLUMN(U64, "pid"), .rank = 4, .flags = COLUMN_FIRST_UP | COLUMN_ID
#define COLUMN_ROW	COLUMN(U64, "row"), .flags = COLUMN_ASKED | COLUMN_FIRST_UP
#define COLUMN_GAP \
	COLUMN(RAW, "gap"), .tone = TONE_LOSS, .flags = COLUMN_ASKED | COLUMN_NO_SORT
/* Events lost in the report's interval, in rows of the kind "summary". */
#define LOSS_COLUMNS(C, prefix) \
	C(prefix##_LOST, COLUMN_EXTRA("lost"), .tone = TONE_LOSS) \
	C(prefix##_GAPS, COLUMN_EXTRA("gaps"), .tone = TONE_LOSS)
/* Statistics of durations, with their ranks. */
#define FIGURE_COLUMNS(C, prefix, r_total, r_mean, r_p50, r_p90, r_p99) \
	C(prefix##_TOTAL, COLUMN(DUR, "total"), .rank = r_total) \
	MEAN_COLUMNS(C, prefix, r_mean, r_p50, r_p90, r_p99) \
	C(prefix##_MAX, COLUMN(DUR, "max"))
#define MEAN_COLUMNS(C, prefix, r_mean, r_p50, r_p90, r_p99) \
	C(prefix##_MEAN, COLUMN(DUR, "mean"), .rank = r_mean) \
	C(prefix##_P50, COLUMN(DUR, "p50"), .rank = r_p50) \
	C(prefix##_P90, COLUMN(DUR, "p90"), .rank = r_p90) \
	C(prefix##_P99, COLUMN(DUR, "p99"), .rank = r_p99)
#define FIGURES_FROM_MEAN(prefix) \
	prefix##_MEAN, prefix##_P50, prefix##_P90, prefix##_P99, prefix##_MAX
#define FIGURES(prefix) \
	&(const struct figure_columns){ .total = prefix##_TOTAL, .mean = prefix##_MEAN, \
	    .p50 = prefix##_P50, .p90 = prefix##_P90, .p99 = prefix##_P99, .max = prefix##_MAX }

/* Put the statistics as JSON into the column json, and singly into the text columns; 0: none. Text
   columns get nothing if there are no durations. */
void	row_dist(struct rows *r, unsigned json, const struct figure_columns *c, struct dist *d);
/* Share of a whole; null if the whole is 0. */
void	row_share(struct rows *r, unsigned col, double part, double whole);
/* Append the name of a number in this map of the built-in table, else the number. */
void	map_word(struct buf *out, const char *map, uint64_t v);
/* The same as a cell; or null. */
void	row_map(struct rows *r, unsigned col, bool known, const char *map, uint64_t v);
/* A value of JSON with the same name. */
void	json_map(struct buf *b, const char *map, uint64_t v);
/* For groups by the number: its key, and the same name; from `others` on they are one group. */
void	row_map_key(struct rows *r, unsigned key, unsigned name, const char *map, uint64_t v,
	    uint64_t others);
/* A text, or null. */
void	row_word(struct rows *r, unsigned col, const struct texts *t, uint32_t text);
/* A name, or a text with names: the clean one for programs, too. */
void	row_clean_name(struct rows *r, unsigned col, struct span clean, struct span raw);
void	row_frame_name(struct rows *r, unsigned col, const struct frame_name *f, uint64_t ip);
/* A method as texts: its name as in the trace, and the clean one; either may be TEXT_NONE. */
struct method_text {
	uint32_t	raw, words;
};
extern const char *const	collector_methods[];	/* beginnings: those of System.GC */
#define NO_METHOD	((struct method_text){ TEXT_NONE, TEXT_NONE })
void	row_words(struct rows *r, unsigned col, const struct texts *t, struct method_text m);
struct method_text	 method_text(struct texts *t, const struct frame_name *name);
/* The method of the program in the fact's stack: the innermost one outside of .NET and its
   libraries; if there is none, the innermost one that does not begin with one of `passed` (ended by
   NULL), or NO_METHOD. */
struct method_text	 fact_source(struct report_state *s, const struct fact *f,
			    const char *const *passed);
/* "0x7f3c00000010": the address as a text; has not: this word. */
uint32_t		 frame_address(struct report_state *s, bool has, uint64_t ip,
			    const char *word);
/* The program's method alone. */
struct method_text	 fact_own_method(const struct report_run *run, struct texts *t,
			    const struct fact *f);
/* Names of addresses that a run keeps: most stacks have the same innermost frames. */
struct frame_cache	*frame_cache_new(void);
void			 frame_cache_free(struct frame_cache *c);	/* NULL is fine */
/* The name of the i-th frame of a fact's stack, from the events about methods. False: none. */
bool	fact_frame(const struct report_run *run, const struct fact *f, size_t i,
	    struct frame_name *name);
/* Append Type.Method(int) from a raw name with a type of type_len bytes and arguments at
   args_at. */
void	method_words(struct buf *out, struct span raw, size_t type_len, size_t args_at);
/* Append the same from "instance void [shop] Shop.Day+<Step>d__10::MoveNext()", as catch blocks
   name methods. */
void	il_method_words(struct buf *out, struct span name);
/* The cell, or null if it is unknown. */
void	row_known(struct rows *r, unsigned col, bool known, struct cell c);
/* A float field of nanoseconds, as an integer. */
int64_t	fact_ns(const struct fact *f, unsigned i);
/* Enter filters by the expression, and by the thread if it has an id. */
void	row_filter_tid(struct rows *r, const struct report_run *run, uint32_t thread,
	    const char *expr);
/* Append a duration as text: 1.2 ms, or 1.2 µs in UTF-8. */
void	put_dur(struct buf *out, int64_t ns);
/* Replace µs by us, for ASCII. */
void	plain_units(struct buf *b);
/* Does it begin with one of these texts? NULL ends the list. */
bool	begins_with_any(struct span text, const char *const *some);
/* A thread's id, or null if it has none. */
struct cell	 report_tid(const struct report_run *run, uint32_t thread);
/*
 * Put a gap into a cell of the current row: the first or last gap of a thread (EVENT_NONE: any
 * thread) that overlaps the open interval, in ns:
 * {"tid":12,"lost":1,"from":5,"to":9,"candidates":1}. If there is none, no cell is put.
 */
void	report_gap(const struct report_run *run, struct rows *rows, unsigned col,
	    const struct loss_asked *asked);
/* The row at a time among those of run.home alone. */
uint64_t run_row_at(const struct report_run *run, int64_t ts);
/* First and last time of the events in the window, in ns. False: there are no events. */
bool	report_times(const struct report_run *run, int64_t *first, int64_t *last);

#endif
