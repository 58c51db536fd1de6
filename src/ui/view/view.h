/*
 * The one state that all panes show. Every key changes it the same way in every pane.
 *
 * The list is the rows of the window that the filter lets through; "index" counts in it, "row" is
 * a row of the trace. Each part has its own header, with what works on it.
 */
#ifndef UI_VIEW_VIEW_H
#define UI_VIEW_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/engine/trace.h"
#include "ui/view/calls.h"
#include "ui/view/change.h"
#include "ui/view/display.h"
#include "ui/view/filter.h"
#include "ui/view/gaps.h"
#include "ui/view/history.h"
#include "ui/view/list.h"
#include "ui/view/marks.h"
#include "ui/view/messages.h"
#include "ui/view/naming.h"
#include "ui/view/range.h"
#include "ui/view/reporting.h"
#include "ui/view/rows.h"
#include "ui/view/search.h"
#include "ui/view/selection.h"
#include "ui/view/spanning.h"
#include "ui/view/tally.h"
#include "ui/view/walk.h"
#include "ui/view/window.h"
#include "ui/view/words.h"

struct keymap;

struct origin;

struct view {
	struct trace	*t;
	struct field_reader *reader;		/* of the user's thread */
	struct view_changes changes;
	uint64_t	 gen;			/* of the trace, as taken over last */
	bool		 complete;		/* the index is */
	bool		 following, rests;	/* the file; and all there is of it is taken over */
	bool		 behind;		/* the filter is to be asked of the newest rows */
	int64_t		 asked, took_ns;	/* when it was last; for how long, -1: it is */
	uint64_t	 sure;			/* rows that won't move, of input that arrives */
	bool		 stopped;		/* no more work until asked anew */

	struct window	 window;
	struct view_filter filter;
	struct rows_kept rows;
	struct selection sel;
	struct search	 search;
	struct walk	 walk;
	struct view_history history;
	struct tallies	 tallies;
	struct counting	*counting;		/* all that count, as a list */
	struct range	 range;
	struct marks	 marks;
	struct gap_list	 gaps;
	struct display	 display;
	struct {
		bool		set;
		int64_t		ts;
		uint64_t	off;
	}		 pinned;		/* what is compared with the selection */
	struct calls	*calls;			/* what stacks amount to */
	struct naming	*naming;		/* of stacks */
	struct spanning	*spanning;		/* spans and activities */
	struct reporting *reporting;		/* the report that was asked for */

	struct origin	*origin;		/* NULL: not asked for yet */
	const struct keymap *keymap;		/* the shell's, for what names keys; or NULL */
	struct buf	 message;		/* on the bottom line until the next key */
	bool		 noted;			/* ... and in messages already */
	bool		 refused;		/* ... and says what is wrong with a command */
	struct messages	 messages;		/* what was said before */
};

void	view_init(struct view *v, struct trace *t, bool ascii);
void	view_release(struct view *v);
/* Take over what the index has found since. True if anything changed. */
bool	view_refresh(struct view *v);
/* Go on with searches and filters for about budget_ns. True: there is more to do. */
bool	view_step(struct view *v, int64_t budget_ns);
bool	view_busy(const struct view *v);
/* May the filter and the search be asked anew of what is followed, for the time that takes? */
bool	view_may_ask(struct view *v);
void	view_stop(struct view *v);			/* give up what is being looked for */
/* Nothing is counted or decided behind the keys until view_step() comes again. */
void	view_pause(struct view *v);
/* Go to the previous (forward: next) place of the history. False: there is none. */
bool	view_back(struct view *v, bool forward);
/* Select the event, the window moved along if it lies outside. */
void	view_go_to(struct view *v, int64_t ts, uint64_t off);
bool	view_jump_back(struct view *v);			/* to where the last jump began */
/*
 * A list of threads that was ordered when the trace had so many rows and threads: may it stay in
 * that order, now that there are n threads? While the index is being made; else it goes by gen.
 */
bool	view_order_stays(const struct view *v, uint64_t rows, size_t threads, size_t n);

/* What the events tell of the process; read once, when the index is complete. NULL: not yet. */
const struct origin *view_origin(struct view *v);

#endif
