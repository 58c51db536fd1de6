/*
 * Events of the window by thread and by part of it.
 */
#ifndef UI_VIEW_TALLY_H
#define UI_VIEW_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/model/event.h"
#include "ui/view/bars.h"
#include "ui/view/change.h"
#include "ui/view/counting.h"
#include "ui/view/part.h"

struct view;
struct tally_asked;
struct grown;

/*
 * Events of the window by thread and by equal part of it, counted in the background while a pane
 * wants them: of all rows, of those that the filter lets through, or of the hits of the search. The
 * hits are also counted by equal parts of the list instead of time, for its scrollbar.
 */
struct tally {
	enum counted	 of;
	bool		 by_place;		/* in the list, not by time */
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
	struct bars	 bars;			/* when spans */
	unsigned	 tells;			/* VIEW_...: what changes when it is done */
	uint64_t	 places;		/* by place: of the list */
	struct counting	 counting;		/* else */
	struct tally_asked *asked;		/* what it counts; or NULL */
	struct grown	*grown;			/* counts of a filter while the index grows, which
						   are the rough ones then; or NULL */
};

struct tallies {
	struct tally	 by_thread, lanes;	/* lanes: of the timeline */
	struct tally	 around;		/* of lanes in which an activity is lit: all else */
	struct tally	 ticks, bar;		/* of search hits: in time, in the list */
	unsigned	 turn;			/* of the work between keys */
};

void	tallies_init(struct tallies *ts);
void	tallies_release(struct tallies *ts);
/* Count, if it is not done yet. */
void	view_tally_want(struct view *v, struct tally *y, unsigned nparts);
/* What stands around the activity that the filter asks for, by so many parts; NULL: it asks for
   none, or nothing is known yet. */
const struct tally *view_tally_around(struct view *v, unsigned nparts);
void	view_tally_unwant(struct view *v);	/* nobody wants any, until it is asked for */
bool	view_tally_busy(const struct view *v);
void	view_tally_stop(struct view *v);
void	view_tally_step(struct view *v, int64_t budget_ns);
/* What is known of a line's part: counted, or roughly. */
uint32_t tally_bin(const struct tally *y, uint32_t line, unsigned part);
double	tally_share(const struct tally *y);	/* counted, 0 to 1 */
/* Its time, plus its duration. */
int64_t	view_event_end(const struct view *v, const struct event *e);

#endif
