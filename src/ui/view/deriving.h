/*
 * Derived facts for the viewer (tnav/analysis/derive.h), made in the background and lent to the
 * trace: names always, the others once something needs them.
 */
#ifndef UI_VIEW_DERIVING_H
#define UI_VIEW_DERIVING_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/analysis/derive.h"
#include "tnav/base/buf.h"
#include "tnav/base/task.h"

#define NEEDS_NAMES	(NEEDS_SYMBOLS | NEEDS_WHO)	/* of frames or threads */
#define NEEDS_OTHERS	((NEEDS(DERIVEDS) - 1) & ~(NEEDS_NAMES | NEEDS_COMMS))
#define DERIVED_GROUPS	3u		/* of kinds that a task makes together */

struct derived_group;
struct view;

/* A group. */
struct derivation {
	const struct derived_group *of;
	struct deriving		*d;
	bool			 needed, complete;
	bool			 whole;		/* the index was complete when it was last begun */
	struct task		 task;
	unsigned		 kinds;		/* that the task makes */
	struct derived_facts	 made;		/* by the task */
	bool			 good;		/* ... all of them */
	uint64_t		 rows;		/* when it was last seen to be up to date */
	struct pace		 pace;		/* by derive_events() */
	uint64_t		 spare;		/* bytes of replaced facts */
};

struct lent_fact {
	enum derived	 kind;
	void		*made;
};

/* deriving_init() first. */
struct deriving {
	struct view		*v;
	struct derived_facts	 now;		/* the last ones, valid until deriving_release();
						   NULL: none yet */
	struct derivation	 making[DERIVED_GROUPS];
	struct lent_fact	*all;		/* also those that were replaced */
	size_t			 n, cap;
	struct symbols_files	 files;
	struct trace		*earlier, *loads;	/* added to files at the next reading */
	bool			 anew;		/* ... which is soon, since they are new */
	struct buf		 why;		/* problems with files; the task's while it runs */
	bool			 reason_shown;
};

void		 deriving_init(struct deriving *d, struct view *v);
/* Takes the facts back from the trace: nobody else may use it at this time. */
void		 deriving_release(struct deriving *d);
/* Read names from these files, too, from the next reading on; borrowed. NULL: none. */
void		 deriving_set_files(struct deriving *d, const struct symbols_files *f);
/*
 * Read names from this trace of the same program, too, and read them again for it. It must outlive
 * this. It has what was loaded earlier or, if it grows (meanwhile), what is being loaded: see
 * struct symbols_files.
 */
void		 deriving_set_other(struct deriving *d, bool meanwhile, struct trace *t);
/* Something shows or compares facts of these kinds: make them, and make them again while the trace
   grows. */
void		 deriving_need(struct deriving *d, unsigned needs);
/*
 * Begin to make what is due, and take over what was made. Returns the kinds that are new. While the
 * view is stopped, what is needed for the first time is given up.
 */
unsigned	 deriving_step(struct deriving *d);
/* Problems with the files, a line each, once; NULL: none. */
const char	*deriving_why(struct deriving *d);

/* About the facts of some kinds that are needed. */
struct derived_state {
	bool		 made;		/* all of these kinds were made */
	bool		 busy;		/* they are being made, or will be. The kernel's names of
					   threads are made later: nobody waits */
	bool		 first;		/* ... for the first time: without them there is nothing to
					   show */
	unsigned	 percent;	/* how much of it is done, while they are being made */
};
struct derived_state deriving_state(const struct deriving *d, unsigned needs);
/* Are there events that were not read for them, even if it is not time to read these? */
bool		 deriving_behind(const struct deriving *d, unsigned needs);
/* If they are being made, wait for them at most this long. */
void		 deriving_wait(struct deriving *d, unsigned needs, int64_t budget_ns);

#endif
