/*
 * The state that all panes share. A key changes it in the same way in every pane.
 *
 * The list has the rows of the window that match the filter. An "index" is a place in it, a "row" a
 * row of the trace. Each part has its own header with its functions.
 */
#ifndef UI_VIEW_VIEW_H
#define UI_VIEW_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/engine/trace.h"
#include "ui/view/calls.h"
#include "ui/view/change.h"
#include "ui/view/comparison.h"
#include "ui/view/deriving.h"
#include "ui/view/display.h"
#include "ui/view/filter.h"
#include "ui/view/gaps.h"
#include "ui/view/history.h"
#include "ui/view/list.h"
#include "ui/view/marks.h"
#include "ui/view/messages.h"
#include "ui/view/past.h"
#include "ui/view/range.h"
#include "ui/view/reporting.h"
#include "ui/view/search.h"
#include "ui/view/selection.h"
#include "ui/view/tally.h"
#include "ui/view/tasks.h"
#include "ui/view/window.h"
#include "ui/view/words.h"

struct keymap;
struct origin;
struct task;

#define AWAITED_MOST	8u

struct awaited {
	bool		(*step)(void *self, int64_t budget_ns);
	void		*self;
};

struct view {
	struct trace	*t;
	struct field_reader *reader;		/* for the user's thread */
	struct view_changes changes;
	uint64_t	 gen;			/* of the trace, when last updated */
	bool		 complete;		/* the index is complete */
	bool		 stackless;	/* a live session that records no stacks */
	bool		 following, rests;	/* rests: all available data is shown */
	bool		 behind;		/* the filter must still run over the newest rows */
	int64_t		 begun_ns, took_ns;	/* when it was last begun; its duration, -1: in
						   progress */
	uint64_t	 sure;			/* rows that are final, of input that still
						   arrives */
	bool		 stopped;		/* no more work until a new request */
	const struct view_task *tasks;		/* what is done between keys */
	unsigned	 turn;			/* for taking turns between keys */
	uint64_t	 frame;			/* the number of the last one */
	struct awaited	 awaited[AWAITED_MOST];	/* what it would have used */
	size_t		 nawaited;

	struct window	 window;
	struct view_filter filter;
	struct query	*preview;		/* counts the events of a filter that is being
						   typed; NULL if it is wrong or none */
	struct rows_kept rows;
	struct selected_row sel;
	struct search	 search;
	struct walk	 walk;
	struct view_history history;
	struct tallies	 tallies;
	struct counting	*counting;		/* all counts, as a list */
	struct range	 range;
	struct marks	 marks;
	struct gap_list	 gaps;
	struct past	 past;
	struct display	 display;
	struct {
		bool		set;
		int64_t		ts;
		uint64_t	off;
	}		 pinned;		/* compared with the selection */
	struct calls	 calls;			/* call tree */
	struct comparison comparison;		/* with another trace or range */
	struct deriving	 deriving;		/* names, spans, activities, deltas */
	struct reporting reporting;		/* the chosen report */

	struct origin	*origin;		/* NULL: not read yet */
	struct view_changes origin_seen;	/* when it was read */
	const struct keymap *keymap;		/* for texts that name keys; or NULL */
	struct buf	 message;		/* on the bottom line until the next key */
	bool		 noted;			/* ... is in messages already */
	bool		 refused;		/* ... is an error of a command */
	struct messages	 messages;		/* earlier messages */
};

void	view_init(struct view *v, struct trace *t, bool ascii);
void	view_release(struct view *v);
/* Update from the index. True if anything changed. */
bool	view_refresh(struct view *v);
/* Who waits for something that is not done yet: the most urgent. */
enum work_rank view_work(const struct view *v);
/* Continue it for about budget_ns, if it is at least that urgent. True: there is more to do. */
bool	view_step(struct view *v, enum work_rank upto, int64_t budget_ns);
/* A frame is drawn now: what panes requested for the previous one is no longer needed. */
void	view_frame_begin(struct view *v);
/* The frame would have used what step(self) makes. It is called between keys until it returns
   false: then another frame is drawn. */
void	view_await(struct view *v, bool (*step)(void *self, int64_t budget_ns), void *self);
void	view_await_task(struct view *v, struct task *x);	/* the same for a running task */
/* May the filter and the search run again over a followed trace, given their cost? */
bool	view_may_ask(struct view *v);
void	view_seek_stop(struct view *v);			/* gives up steps and hits */
void	view_stop(struct view *v);			/* and all that runs */
/* Nothing is counted or filtered in the background until view_step() is called again. */
void	view_pause(struct view *v);
/* Go to the previous (forward: next) place of the history. False: there is none. */
bool	view_back(struct view *v, bool forward);
/* Select the event, and move the window if it lies outside. */
void	view_go_to(struct view *v, int64_t ts, uint64_t off);
bool	view_jump_back(struct view *v);			/* to the place before the last jump */
/*
 * A list of threads was ordered when the trace had this many rows and threads. May it keep its
 * order now that there are n threads? While the index is being made, yes; later it depends on gen.
 */
bool	view_order_stays(const struct view *v, uint64_t rows, size_t threads, size_t n);

/* The process as events describe it. NULL: the index has never been complete. */
const struct origin *view_origin(struct view *v);

#endif
