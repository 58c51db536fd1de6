/*
 * The one state that all panes show: window of time, filter, selection, search, history. Every
 * key changes it the same way in every pane.
 *
 * The list is the rows of the window that the filter lets through; "index" counts in it, "row" is
 * a row of the trace. The selection is an event (time and offset); its row is looked up anew
 * whenever rows may have moved.
 */
#ifndef UI_VIEW_VIEW_H
#define UI_VIEW_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/engine/query.h"
#include "tnav/engine/trace.h"
#include "ui/view/change.h"
#include "ui/view/column.h"
#include "ui/view/glance.h"
#include "ui/view/rules.h"
#include "ui/view/marks.h"

enum time_format { TIME_RELATIVE, TIME_LOCAL, TIME_UTC, TIME_DELTA, TIME_TICKS, TIME_FORMATS };

/* Where one was: what [ and ] walk through. */
struct place {
	bool		 whole, has_sel;
	int64_t		 from, to, ts;
	uint64_t	 off;
	char		*filter;		/* or NULL */
};

struct places {
	struct place	*v;
	size_t		 n, cap;
};

/* Where a gap stands in the list: in front of the event behind it, else at the one before. */
struct gap_anchor {
	int64_t		 ts;
	uint64_t	 off;
	uint32_t	 gap;			/* index of view.gaps */
};

struct search {
	char		*pattern;		/* NULL: none */
	struct query	*hits;
	struct glance	*glance;		/* marks the pattern; NULL: nothing was marked */
	bool		 seeking, wrapped, failed, shown;
	int		 dir;
	uint64_t	 row;			/* to seek from */
};

#define ROWS_KEPT	512u

/* Rows of the filtered list that were asked for lately: rows.c. */
struct rows_kept {
	struct row_slot_kept {
		uint64_t	index, row;
	}		 slot[ROWS_KEPT];
	uint64_t	 count;			/* of the list, when these were asked for */
	struct view_changes seen;
};

/* A step to the next event that an expression matches. */
struct walk {
	struct query	*q;			/* NULL: none yet, or it fits no more */
	char		*expr;
	struct view_changes seen;		/* by q */
	bool		 seeking;
	int		 dir;
	uint64_t	 row;			/* to seek from */
	struct buf	 what;			/* "event of thread 25" */
};

#define TALLY_DEPTHS	6u		/* of nested spans */

enum tally_of { TALLY_ROWS, TALLY_FILTERED, TALLY_HITS, TALLY_PLACES };

struct nest;

#define TALLY_NAMES	1024u		/* long spans that are kept to be named */

/* A span that is long enough for its name to be written into it. */
struct long_span {
	uint32_t	thread, type;
	uint16_t	depth, first, n;	/* parts that it covers wholly or in part */
};

/*
 * Events of the window by thread and by equal part of it, counted between keys while a pane wants
 * them: of all rows, of those that the filter lets through, or of the hits of the search. The hits
 * are also counted by equal parts of the list instead of time (TALLY_PLACES), for its scrollbar.
 */
struct tally {
	enum tally_of	 of;
	bool		 wanted, done, stopped;	/* stopped: by the user, until it begins anew */
	bool		 growing;		/* the index is being made: rough is all there is */
	struct view_changes seen;		/* when it began */
	bool		 spans, cut;		/* cut: spans begun long ago were not looked for */
	unsigned	 nparts;
	uint64_t	 row0, row1, at;	/* of the window that it counts; the next row */
	int64_t		 from, to, upto;	/* it is right for the times before upto */
	uint32_t	 threads, lines;	/* lines: the first threads, which have parts */
	uint64_t	*all;			/* nparts; NULL: nothing was counted yet */
	uint64_t	*events, *bytes;	/* threads of them */
	uint32_t	*bins;			/* lines x nparts */
	uint32_t	*rough;			/* likewise, as the index has them, for what is not
						   counted yet; or NULL */
	float		*cover;			/* lines x TALLY_DEPTHS x nparts: share that spans
						   cover, when spans */
	struct nest	*nest;
	struct long_span *named;
	size_t		 nnamed;
	unsigned	 tells;			/* VIEW_...: what changes when it is done */
	uint64_t	 place, places;		/* TALLY_PLACES: the next in the list, of all */
};

/* A range of times that the user draws; while it grows one end is the selection. */
struct range {
	bool		set, growing;
	int64_t		a, b;
};

/* A term of the filter. */
#define FILTERS_MAX	200u		/* in the list */

struct filter_item {
	char		*name;			/* or NULL */
	char		*text;
	bool		 on, was_on;
};

struct view {
	struct trace	*t;
	struct field_reader *reader;		/* of the user's thread */
	struct view_changes changes;
	uint64_t	 gen;			/* of the trace, as taken over last */
	bool		 complete;

	bool		 whole;			/* the window is the trace, and grows with it */
	int64_t		 from, to;		/* ticks, half open */
	int64_t		 first, last;		/* of the trace, ticks */
	bool		 any;			/* the trace has events */
	uint64_t	 row0, row1;		/* of the window */

	char		*filter;		/* NULL: none */
	struct filter_item *filters;		/* its terms, and those that are off */
	size_t		 nfilters, filters_cap, filter_at;	/* at: in the list of them */
	bool		 filters_off;		/* all of them, for a while */
	struct query	*q;
	uint64_t	 q_row0, q_row1;	/* what q looks at */

	bool		 stopped;		/* no more work until asked anew */
	bool		 has_sel, settling;	/* settling: the nearest row is being looked for */
	int64_t		 sel_ts;
	uint64_t	 sel_off, sel_row;

	struct search	 search;
	struct walk	 walk;
	struct rows_kept rows;
	struct places	 back, forward;
	unsigned	 turn;			/* of the work between keys */
	struct tally	 tally, lanes;		/* by thread; of the timeline */
	struct tally	 ticks, bar;		/* of search hits: in time, in the list */
	struct range	 range;
	struct marks	 marks;

	struct gap	*gaps;
	struct gap_anchor *anchors;		/* ngaps of them, by time and offset */
	struct gap_anchor *prevs;		/* nprevs: the previous events, likewise */
	size_t		 ngaps, nprevs;
	struct loss	 loss;
	unsigned	 tid_width;		/* cells of the longest thread id */
	bool		 several_providers;	/* else none needs to be named */

	const struct keymap *keymap;		/* the shell's, for what names keys; or NULL */
	enum time_format time_format;
	bool		 has_zero;		/* relative times count from zero_ts */
	int64_t		 zero_ts;
	struct column_set	 columns;		/* of the events */
	bool		 collapse;		/* runs of repeats stand as one row */
	bool		 blocks;		/* where one begins in the list it has a row */
	struct rules	 rules;			/* colours of rows */
	bool		 ascii;
	struct buf	 message;		/* on the bottom line until the next key */
};

void	view_init(struct view *v, struct trace *t, bool ascii);
void	view_release(struct view *v);
/* Take over what the index has found since. True if anything changed. */
bool	view_refresh(struct view *v);
/* Go on with searches and filters for about budget_ns. True: there is more to do. */
bool	view_step(struct view *v, int64_t budget_ns);
bool	view_busy(const struct view *v);

/* ---- the list (list.c) */
uint64_t view_count(const struct view *v);
bool	view_filtered_row(struct view *v, uint64_t index, uint64_t *row);	/* for view_row */
void	view_rows_forget(struct view *v);
void	view_rows_follow(struct view *v);	/* have indexes come to mean other rows? */
int	view_row(struct view *v, uint64_t index, uint64_t *row);	/* 1, 0 */
int	view_event(struct view *v, uint64_t index, struct event *e, uint64_t *row);	/* 1, 0 */
uint64_t view_index(struct view *v);		/* of the selection; 0 when there is none */
void	view_select(struct view *v, uint64_t index);		/* clamped */
void	view_select_row(struct view *v, uint64_t row);		/* the nearest that is shown */
/* The first that is shown at the row or from there on in the direction; else the nearest. */
void	view_select_toward(struct view *v, uint64_t row, int dir);
void	view_select_event(struct view *v, int64_t ts, uint64_t off);
int	view_selected(struct view *v, struct event *e);		/* 1, 0 */
/* Of the shown events at or around the selection take the nearest in time. */
void	view_settle(struct view *v, int64_t budget_ns);

/* ---- places (history.c) */
void	view_remember(struct view *v);
/* The place one was at before (forward: behind) becomes the caller's. False: there is none. */
bool	view_take_place(struct view *v, bool forward, struct place *out);
void	view_history_release(struct view *v);

/* ---- window and filter; each remembers the place for [ */
void	view_find_rows(struct view *v);			/* those of the window, as it is now */
/* False: it is the window already. Its rows are to be found. */
bool	view_window_choose(struct view *v, bool whole, int64_t from, int64_t to);
void	view_ask_anew(struct view *v);	/* the window or what is to be found is another */
void	view_window_changed(struct view *v);	/* both, and the selection stays or moves */
bool	view_window(struct view *v, int64_t from, int64_t to);	/* false: nothing changed */
void	view_window_all(struct view *v);
/* Set the window whatever the trace has so far: for the options at the start. */
void	view_window_fixed(struct view *v, int64_t from, int64_t to);
void	view_stop(struct view *v);			/* give up what is being looked for */
/* NULL or "": no filter. False: it is wrong, and the message says how. */
bool	view_set_filter(struct view *v, const char *text);
bool	view_back(struct view *v, bool forward);
int64_t	view_now_ns(struct view *v);			/* the selection's time, for +5s */

/* ---- the filter's terms (filter.c). False: no such term, or the message says why. */
bool	view_filter_add(struct view *v, const char *term);	/* and it */
bool	view_filter_add_off(struct view *v, const char *term);
bool	view_filter_toggle(struct view *v, size_t i);
bool	view_filter_delete(struct view *v, size_t i);
bool	view_filter_drop(struct view *v);			/* the last that is on */
bool	view_filters_toggle_all(struct view *v);
void	view_filter_name(struct view *v, size_t i, const char *name);
void	view_filters_sync(struct view *v);	/* after view.filter was set as a whole */
void	view_filters_release(struct view *v);

/* ---- search (search.c) */
bool	view_search(struct view *v, const char *pattern);
void	view_search_drop(struct view *v);
void	view_search_next(struct view *v, int dir);
/* What finds the pattern in what is on the screen. */
struct glance *view_glance(struct view *v);
void	view_search_text(struct view *v, struct buf *out);	/* "3 of 1,204" */
/* The filter that a search for a pattern is, within the view's. */
void	view_pattern_filter(struct view *v, const char *pattern, struct buf *out);

/* ---- steps */
/* Select the next (dir > 0) event of the view that matches; what names it in "no later ...". */
bool	view_walk(struct view *v, const char *expr, int dir, const char *what);
void	view_walk_on(struct view *v);
void	view_walk_forget(struct view *v);	/* the window or the filter is another */
void	view_walk_release(struct view *v);

/* ---- gaps (gaps.c) */
void	view_gaps_load(struct view *v);
const struct gap *view_gap_before(const struct view *v, const struct event *e);	/* or NULL */
const struct gap *view_gap_after(const struct view *v, const struct event *e);	/* or NULL */
/* The gaps behind an event that no event ends, up to max: what sequence points tell of a thread
   after its event; several may before the next one. */
size_t	view_gaps_behind(const struct view *v, const struct event *e, const struct gap **out,
	    size_t max);
/*
 * Gaps of threads of which no event is known, neither before nor behind (a sequence point told of
 * them): those that stand in the list in front of e and behind a (NULL: it is the first; e NULL:
 * a is the last). A filter hides them. At most max; how many.
 */
size_t	view_gaps_alone(struct view *v, const struct event *a, const struct event *e,
	    const struct gap **out, size_t max);
/* Select the next (dir > 0) gap, of one thread or of all (thread EVENT_NONE). */
bool	view_gap_next(struct view *v, int dir, uint32_t thread);
/* "350 events lost within 1.204 ms (number 41,878 ... 42,227)" */
void	view_gap_text(struct view *v, const struct gap *g, struct buf *out);
void	view_thread_text(struct view *v, uint32_t thread, struct buf *out);	/* 4711 or #3 */
void	view_process_text(bool has_pid, uint64_t pid, struct buf *out);	/* "process 5" */
bool	view_several_processes(const struct thread_stat *st, size_t n);
/*
 * A list of threads that was ordered when the trace had so many rows and threads: may it stay in
 * that order, now that there are n threads? While the index is being made; else it goes by gen.
 */
bool	view_order_stays(const struct view *v, uint64_t rows, size_t threads, size_t n);
/* "0x1a2b30: 65,536 bytes, 1,204 events within 3.1 ms, thread 25", of the block of an event */
void	view_block_text(struct view *v, const struct block *b, const struct event *e,
	    struct buf *out);

/* ---- events by thread and part, for the window as it is */
void	view_tally_want(struct view *v, struct tally *y, unsigned nparts);	/* count, if not
						   done yet */
void	view_tally_unwant(struct view *v);	/* nobody wants any, until it is asked for */
bool	view_tally_busy(const struct view *v);
void	view_tally_stop(struct view *v);
void	view_tally_step(struct view *v, int64_t budget_ns);
/* What is known of a line's part: counted, or roughly. */
uint32_t view_tally_bin(const struct tally *y, uint32_t line, unsigned part);
double	view_tally_share(const struct tally *y);	/* counted, 0 to 1 */
void	view_tally_release(struct tally *y);
/* The part of n equal ones of [from, to) that a time lies in, outside the nearest; and the first
   tick of a part. */
unsigned view_part(int64_t ts, int64_t from, int64_t to, unsigned n);
int64_t	view_part_start(unsigned part, int64_t from, int64_t to, unsigned n);
int64_t	view_event_end(struct view *v, const struct event *e);	/* its time, plus its duration */

/* ---- the range (marks.c) */
void	view_range_toggle(struct view *v);		/* begin at the selection, or end there */
void	view_range_set(struct view *v, int64_t from, int64_t to);
void	view_range_clear(struct view *v);
bool	view_range(const struct view *v, int64_t *from, int64_t *to);	/* false: there is none */
/* Make the range the window. False: there is none, or the message says why not. */
bool	view_range_zoom(struct view *v);
/* Select the event, the window moved along if it lies outside. */
void	view_go_to(struct view *v, int64_t ts, uint64_t off);
bool	view_jump_back(struct view *v);			/* to where the last jump began */

/* ---- words (display.c) */
void	view_time(struct view *v, int64_t ts, struct buf *out);	/* in the chosen format */
void	view_time_ns(struct view *v, int64_t ns, struct buf *out);	/* since the sync time */
void	view_secs(struct view *v, int64_t ts, struct buf *out);	/* 2.104 311 s, always relative */
void	view_length(struct view *v, struct buf *out);	/* of the trace: 2.261 s */
void	view_say(struct view *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
