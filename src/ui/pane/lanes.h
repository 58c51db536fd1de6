/*
 * The lanes of the timeline: one for all events, then one per thread, in an order chosen by the
 * user.
 */
#ifndef UI_PANE_LANES_H
#define UI_PANE_LANES_H

#include "ui/pane/density.h"
#include "ui/pane/lane_spans.h"
#include "ui/pane/pane.h"

enum lane_sort { LANES_EVENTS, LANES_LOST, LANES_BUSY, LANES_NAME, LANES_SORTS };
enum lane_kind { LANE_ALL, LANE_THREAD, LANE_PROCESS };

extern const char *const	lane_sort_names[LANES_SORTS];

struct lane {
	enum lane_kind	 kind;
	bool		 pinned, flip, no_pid;
	uint32_t	 thread;	/* EVENT_NONE if not a thread */
	uint64_t	 pid, tid;
	const char	*name;		/* of the thread, or its role; or NULL */
	const char	*called;	/* name of its process, or NULL */
	bool		 empty;		/* no events in the window */
	struct lane_key {
		const char	*name;	/* NULL: sort by number */
		double		 number;
	}		 process, own;	/* process: combined key of its lanes */
	uint64_t	 events, lost;	/* in the window */
};

/* A pinned lane. The system's ids stay the same when the trace is opened again. */
struct lane_pin {
	uint64_t	tid, pid;
};

struct lanes {
	struct list	 list;
	int		 line;		/* of the cursor, counted in lanes */
	int		 height;	/* lines of the screen per lane */
	struct lane	*v;
	size_t		 n, cap;
	size_t		 hidden;	/* lanes left out because they are empty */
	struct lane_pin	*pin;
	size_t		 npins, pin_cap;
	enum lane_sort	 sort;
	bool		 inverted, hide;
	bool		 loaded;	/* v is up to date with seen */
	bool		 ranked;	/* rank has the requested order */
	bool		 rough;		/* ... but was made before its numbers were counted */
	uint32_t	*rank;		/* by thread, from the top */
	size_t		 rank_cap;
	char		*filter;	/* for which the order was made; or NULL */
	bool		 grouped;	/* there are several processes */
	struct view_changes seen;	/* when v was made */
	struct view_changes index;	/* when rank was made */
	uint64_t	 rows;		/* of the trace, for that order */
	uint32_t	 threads;	/* likewise */
	bool		 counted;	/* the counts are those of the window */
	struct lane_spans spans;
	bool		 with_spans;	/* spans are shown */
	const struct tally *around;	/* all events, if an activity is highlighted among them;
					   or NULL */
};

void	lanes_release(struct lanes *s);
/* The useful number of lines of a lane. */
int	lanes_height_most(struct view *v);
/* Update the lanes. The cursor stays on its lane, and the lane on its line. */
void	lanes_load(struct lanes *s, struct view *v);
const struct lane *lanes_cursor(const struct lanes *s);	/* or NULL */
bool	lanes_sort(struct lanes *s, struct view *v, const char *name);
void	lanes_sorts(const struct lanes *s, const struct view *v, sort_offer *offer, void *arg);
/* which: "tid=25" or "tid=25 pid=7"; "": the lane under the cursor. */
bool	lanes_pin(struct lanes *s, struct view *v, const char *which);
void	lanes_hide(struct lanes *s, struct view *v);
/* What the user has changed, as commands. */
void	lanes_keep(const struct lanes *s, keep_put *put, void *to);
/* For cell x of w of the lane: its events, of those that are counted, and losses in it. */
uint64_t lanes_count(const struct lanes *s, const struct view *v, const struct lane *l, unsigned x);
struct lost_here lanes_lost(const struct lanes *s, struct view *v, const struct lane *l, int x,
	    int w);
/*
 * Draw in r; the first `label` cells are for names. coarse is the density of all events, shown
 * until they are counted, or NULL.
 */
void	lanes_draw(struct lanes *s, struct view *v, struct canvas *c, struct rect r, int label,
	    const uint64_t *coarse, bool focus);

#endif
