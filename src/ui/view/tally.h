/* Events of the window by thread and by part of the window. */
#ifndef UI_VIEW_TALLY_H
#define UI_VIEW_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/bins.h"
#include "tnav/model/event.h"
#include "ui/draw/bars.h"
#include "ui/view/change.h"
#include "ui/view/counting.h"

struct view;
struct tally_request;

/*
 * Events of the window by thread and by equal parts of the window, counted in the background while
 * a pane needs them: all events, those that match the filter, or the hits of the search. Hits are
 * also counted by equal parts of the list, for its scroll bar.
 */
struct tally {
	enum counted	 of;
	bool		 by_place;		/* by place in the list, not by time */
	uint64_t	 wanted;		/* the last frame that needs it */
	bool		 done, stopped;		/* stopped: by the user, until it begins again */
	bool		 growing;		/* the index is being made: only rough counts */
	bool		 grown;			/* ... which are those of a filter */
	struct view_changes seen;		/* when it began */
	bool		 spans, cut;		/* cut: spans that began long ago were left out */
	unsigned	 nparts;
	uint64_t	 row0, row1, at;	/* rows of the window; the next row */
	int64_t		 from, to, upto;	/* counts are correct for times before upto */
	uint32_t	 threads, lines;	/* lines: the first threads, which have parts */
	uint64_t	*all;			/* nparts; NULL: not begun */
	uint64_t	*events, *bytes;	/* threads */
	uint32_t	*bins;			/* lines x nparts */
	uint32_t	*rough;			/* likewise, from the index, for what is not
						   counted yet; or NULL */
	struct bars	 bars;			/* if spans is set */
	unsigned	 tells;			/* VIEW_...: changes when it is done */
	uint64_t	 places;		/* by place: length of the list */
	struct counting	 counting;		/* otherwise */
	struct tally_request *request;		/* the request, or NULL */
};

struct tallies {
	struct tally	 by_thread, lanes;	/* lanes: of the timeline */
	struct tally	 around;		/* for lanes with a highlighted activity: all
						   other events */
	struct tally	 ticks, bar;		/* search hits: by time, and by place in the list */
};

void	tallies_init(struct tallies *ts);
void	tallies_release(struct tallies *ts);
/* Count, if it is not done yet. */
void	view_tally_want(struct view *v, struct tally *y, unsigned nparts);
/* The events around the activity in the filter, in this many parts. NULL: the filter asks for
   none, or nothing is known yet. */
const struct tally *view_tally_around(struct view *v, unsigned nparts);
bool	view_tally_busy(const struct view *v);
void	view_tally_stop(struct view *v);
void	view_tally_step(struct view *v, int64_t budget_ns);
/* The count of a part of a line, exact or rough. */
uint32_t tally_bin(const struct tally *y, uint32_t line, unsigned part);
double	tally_share(const struct tally *y);	/* counted share, 0 to 1 */
/* Its time plus its duration. */
int64_t	view_event_end(const struct view *v, const struct event *e);

#endif
