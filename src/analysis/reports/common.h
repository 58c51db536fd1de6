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

#define EVENTS_DROPPED	"# event{s} {is|are} left out: no room for a temporary file"

/* The members of a report that say its name, what it reads (facts.tsv), and what its columns, parts
   and groups are (columns.tsv). */
#define TABLES_OF(report, prefix) \
	.name = #report, .fact = (const struct fact_def []){ prefix##_FACTS }, \
	.column = report##_columns, .ncolumns = prefix##_COLUMNS, \
	.nhidden = prefix##_CELLS - prefix##_COLUMNS, .part = report##_parts, \
	.group = report##_groups, .plot = report##_plots, .total = report##_total
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
/* The innermost method whatever it belongs to, if it does not begin with one of `passed`. */
struct method_text	 fact_method(struct report_state *s, const struct fact *f,
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
/* Who a thread is; NULL: not known. */
const struct field_who	*report_who(struct report_state *s, uint32_t thread);
/* The columns that identify a thread: the name and id of its process, and its own name. */
struct who_columns {
	unsigned	process, pid, thread;
};
void	row_who(struct rows *r, struct report_state *s, uint32_t thread,
	    const struct who_columns *c);
/* A thread's id, or null if it has none. */
struct cell	 report_tid(const struct report_run *run, uint32_t thread);
/*
 * Put a gap into a cell of the current row: the first or last gap of a thread (EVENT_NONE: any
 * thread) that overlaps the open interval, in ns:
 * {"tid":12,"lost":1,"from":5,"to":9,"candidates":1}. If there is none, no cell is put.
 */
void	report_gap(const struct report_run *run, struct rows *rows, unsigned col,
	    const struct loss_query *query);
/* The row at a time among those of run.home alone. */
uint64_t run_row_at(const struct report_run *run, int64_t ts);
/* First and last time of the events in the window, in ns. False: there are no events. */
bool	report_times(const struct report_run *run, int64_t *first, int64_t *last);

#endif
