/*
 * The lanes of the timeline: one for all events, then one a thread, in an order of the user's.
 */
#ifndef UI_PANE_LANES_H
#define UI_PANE_LANES_H

#include "ui/pane/density.h"
#include "ui/pane/lane_spans.h"
#include "ui/pane/pane.h"

enum lane_sort { LANES_EVENTS, LANES_LOST, LANES_BUSY, LANES_NAME, LANES_SORTS };
enum lane_kind { LANE_ALL, LANE_THREAD, LANE_PROCESS };

struct lane {
	enum lane_kind	 kind;
	bool		 pinned, flip, no_pid;
	uint32_t	 thread;	/* EVENT_NONE but for threads */
	uint64_t	 pid, tid;
	const char	*name;		/* of the thread, or what it is there for; or NULL */
	const char	*called;	/* its process; or NULL */
	bool		 empty;		/* nothing of it lies in the window */
	struct lane_key {
		const char	*name;	/* NULL: sorted by number */
		double		 number;
	}		 process, own;	/* process: what its lanes have together */
	uint64_t	 events, lost;	/* in the window */
};

/* A pinned lane; the ids of the system stay the same when the trace is opened again. */
struct lane_pin {
	uint64_t	tid, pid;
};

struct lanes {
	struct list	 list;
	int		 line;		/* of the cursor, in lanes from the top */
	int		 height;	/* rows of the screen that a lane takes */
	struct lane	*v;
	size_t		 n, cap;
	size_t		 hidden;	/* left out because they are empty */
	struct lane_pin	*pin;
	size_t		 npins, pin_cap;
	enum lane_sort	 sort;
	bool		 inverted, hide;
	bool		 loaded;	/* v is of seen */
	bool		 ranked;	/* rank is the order that was asked for */
	bool		 rough;		/* ... made before what it goes by was counted */
	uint32_t	*rank;		/* of each thread, from the top */
	size_t		 rank_cap;
	char		*filter;	/* when the order was made; or NULL */
	bool		 grouped;	/* there are several processes */
	struct view_changes seen;	/* when the lanes were made */
	struct view_changes index;	/* when the order was */
	uint64_t	 rows;		/* of the trace when the order was made */
	uint32_t	 threads;	/* likewise */
	bool		 counted;	/* the lanes' counts are those of the window */
	struct lane_spans spans;
	bool		 with_spans;	/* they are shown */
	const struct tally *around;	/* an activity is lit among these; or NULL */
};

void	lanes_release(struct lanes *s);
/* Lines of the screen that a lane has use for. */
int	lanes_height_most(struct view *v);
/* Bring lanes up to date. The cursor stays on its lane, and that on its line. */
void	lanes_load(struct lanes *s, struct view *v);
const struct lane *lanes_cursor(const struct lanes *s);	/* or NULL */
bool	lanes_sort(struct lanes *s, struct view *v, int step, const char *name);
/* which: "tid=25" or "tid=25 pid=7"; "": the lane under the cursor. */
bool	lanes_pin(struct lanes *s, struct view *v, const char *which);
void	lanes_hide(struct lanes *s, struct view *v);
/* What a person changed, as commands, a line each. */
void	lanes_keep(const struct lanes *s, struct buf *out);
const char *lanes_sort_name(const struct lanes *s);
/* Of the lane's cell x of w: its events (false: not counted yet), and what was lost in it. */
bool	lanes_count(const struct lanes *s, const struct view *v, const struct lane *l, unsigned x,
	    uint64_t *n);
struct lost_here lanes_lost(const struct lanes *s, struct view *v, const struct lane *l, int x,
	    int w);
/*
 * Draw on r, of which the first label cells are for the names; coarse is the density of all
 * events, shown until they are counted, or NULL.
 */
void	lanes_draw(struct lanes *s, struct view *v, struct canvas *c, struct rect r, int label,
	    const uint64_t *coarse, bool focus);

#endif
