/* Parts of rows that several reports share. */
#ifndef ANALYSIS_REPORTS_COMMON_H
#define ANALYSIS_REPORTS_COMMON_H

#include "analysis/facts/facts.h"
#include "analysis/group.h"
#include "analysis/reports/dist.h"
#include "analysis/reports/state.h"
#include "analysis/spans/loss.h"
#include "tnav/engine/naming.h"

#define EVENTS_DROPPED	"events are left out: no room for a temporary file"

/* ---- columns that many reports have; REPORT_LOSS_COLUMNS are their last ones */

#define COLUMN_KIND	{ .name = "kind", .kind = CELL_TEXT }
#define COLUMN_START	{ .name = "start", .kind = CELL_TIME, .tone = TONE_TIME, \
	    .flags = COLUMN_FIRST_UP }
#define COLUMN_T	{ .name = "t", .title = "time", .kind = CELL_TIME, .tone = TONE_TIME, \
	    .flags = COLUMN_FIRST_UP }
#define COLUMN_TID	{ .name = "tid", .title = "thread", .kind = CELL_U64, \
	    .tone = TONE_THREAD, .flags = COLUMN_FIRST_UP | COLUMN_ID }
#define COLUMN_PID	{ .name = "pid", .kind = CELL_U64, .rank = 4, \
	    .flags = COLUMN_FIRST_UP | COLUMN_ID }
#define COLUMN_ROW	{ .name = "row", .kind = CELL_U64, \
	    .flags = COLUMN_ASKED | COLUMN_FIRST_UP }
#define COLUMN_GAP	{ .name = "gap", .kind = CELL_RAW, .tone = TONE_LOSS, \
	    .flags = COLUMN_ASKED | COLUMN_NO_SORT }
#define COLUMN_JSON(key)	{ .name = key, .kind = CELL_RAW, .flags = COLUMN_ASKED }
/* A number that is shown, or that is only in files if it is not asked for. */
#define COLUMN_COUNT(key)	{ .name = key, .kind = CELL_U64 }
#define COLUMN_EXTRA(key)	{ .name = key, .kind = CELL_U64, .flags = COLUMN_ASKED }
/* Statistics of durations, with their ranks. */
#define FIGURE_COLUMNS(prefix, r_total, r_mean, r_p50, r_p90, r_p99) \
	[prefix##_TOTAL] = { .name = "total", .kind = CELL_DUR, .rank = r_total }, \
	[prefix##_MEAN] = { .name = "mean", .kind = CELL_DUR, .rank = r_mean }, \
	[prefix##_P50] = { .name = "p50", .kind = CELL_DUR, .rank = r_p50 }, \
	[prefix##_P90] = { .name = "p90", .kind = CELL_DUR, .rank = r_p90 }, \
	[prefix##_P99] = { .name = "p99", .kind = CELL_DUR, .rank = r_p99 }, \
	[prefix##_MAX] = { .name = "max", .kind = CELL_DUR }
#define FIGURES(prefix)	{ .total = prefix##_TOTAL, .mean = prefix##_MEAN, \
	    .p50 = prefix##_P50, .p90 = prefix##_P90, .p99 = prefix##_P99, .max = prefix##_MAX }

/* Put the statistics as JSON into the column json, and singly into the text columns; 0: none. Text
   columns get nothing if there are no durations. */
void	row_dist(struct rows *r, unsigned json, const struct figure_columns *c, struct dist *d);
/* Share of a whole; null if the whole is 0. */
void	row_share(struct rows *r, unsigned col, double part, double whole);
void	row_guid(struct rows *r, unsigned col, const uint8_t *guid);	/* NULL: null */
/* The name of the number in this map of the built-in table, else the number as text. */
void	row_map(struct rows *r, unsigned col, const char *map, uint64_t v);
/* A value of JSON with the same name. */
void	json_map(struct buf *b, const char *map, uint64_t v);
/* The key of a JSON object with the same name; "(others)" if it is not known. */
void	json_map_key(struct buf *b, const char *map, bool known, uint64_t v);
/* A text, or null. */
void	row_word(struct rows *r, unsigned col, const struct texts *t, uint32_t text);
/* A name, or a text with names: the clean one for programs, too. */
void	row_clean_name(struct rows *r, unsigned col, struct span clean, struct span raw);
void	row_frame_name(struct rows *r, unsigned col, const struct frame_name *f, uint64_t ip);
/* row_name() of two texts, of which either may be missing. */
void	row_words(struct rows *r, unsigned col, const struct texts *t, uint32_t raw,
	    uint32_t words);
/* The name of the i-th frame of a fact's stack, from the events about methods. False: none. */
bool	fact_frame(const struct report_run *run, const struct fact *f, size_t i,
	    struct frame_name *name);
/* Append Type.Method(int) from a raw name with a type of type_len bytes and arguments at
   args_at. */
void	method_words(struct buf *out, struct span raw, size_t type_len, size_t args_at);
/* Append the same from "instance void [shop] Shop.Day+<Step>d__10::MoveNext()", as catch blocks
   name methods. */
void	il_method_words(struct buf *out, struct span name);
/* A number, or null if it is unknown. */
void	row_number(struct rows *r, unsigned col, bool known, uint64_t v);
void	row_bytes(struct rows *r, unsigned col, bool known, uint64_t v);
/* An address, shown in hexadecimal. */
void	row_address(struct rows *r, unsigned col, bool known, uint64_t v);
/* A time in ns. */
void	row_time(struct rows *r, unsigned col, bool known, int64_t ns);
void	row_dur(struct rows *r, unsigned col, bool known, int64_t ns);
/* A float field of nanoseconds, as an integer. */
int64_t	fact_ns(const struct fact *f, unsigned i);
/* Enter filters by the expression, and by the thread if it has an id. */
void	row_filter_tid(struct rows *r, const struct report_run *run, uint32_t thread,
	    const char *expr);
/* The event of the longest duration so far, for Enter. A zeroed one is empty. */
struct best {
	int64_t		dur, ts;
	uint64_t	off;
};
void	best_offer(struct best *b, int64_t dur, int64_t ts, uint64_t off);
void	row_best(struct rows *r, const struct best *b);
/* Append a duration as text: 1.2 ms, or 1.2 µs in UTF-8. */
void	put_dur(struct buf *out, int64_t ns);
/* Replace µs by us, for ASCII. */
void	plain_units(struct buf *b);
void	put_bytes(struct buf *out, uint64_t bytes);
/* Does it begin with one of these texts? NULL ends the list. */
bool	begins_with_any(struct span text, const char *const *some);
/* "3 locks", "1 lock". */
void	put_count(struct buf *out, uint64_t n, const char *one, const char *many);
/* Append the name of a number in this map of the built-in table, else the number. */
void	map_word(struct buf *out, const char *map, uint64_t v);
/* A thread's id, or null if it has none. */
struct cell	 report_tid(const struct report_run *run, uint32_t thread);
/*
 * Put a gap into a cell of the current row: the first or last gap of a thread (EVENT_NONE: any
 * thread) that overlaps the open interval, in ns:
 * {"tid":12,"lost":1,"from":5,"to":9,"candidates":1}. False: there is none, and no cell was put.
 */
bool	report_gap(const struct report_run *run, struct rows *rows, unsigned col,
	    const struct loss_asked *asked);
/* First and last time of the events in the window, in ns. False: there are no events. */
bool	report_times(const struct report_run *run, int64_t *first, int64_t *last);

#endif
