/*
 * Derived facts for the viewer (tnav/analysis/derive.h), made in the background and lent to the
 * trace: names always, the others once something needs them.
 */
#ifndef UI_VIEW_DERIVING_H
#define UI_VIEW_DERIVING_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/engine/derived.h"

#define NEEDS_NAMES	(NEEDS_SYMBOLS | NEEDS_WHO)	/* of frames or threads */
#define NEEDS_OTHERS	((NEEDS(DERIVEDS) - 1) & ~(NEEDS_NAMES | NEEDS_COMMS))

struct deriving;
struct symbols_files;
struct trace;
struct view;

struct deriving	*deriving_new(struct view *v);
/* Takes the facts back from the trace: nobody else may use it at this time. */
void		 deriving_free(struct deriving *d);
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
/* The last fact, valid until deriving_free(); NULL: none yet. */
void		*deriving_get(const struct deriving *d, enum derived kind);

/* ---- about the facts of these kinds that are needed */

/* Were all of these kinds made? */
bool		 deriving_has(const struct deriving *d, unsigned needs);
/* If they are being made, wait for them at most this long. */
void		 deriving_wait(struct deriving *d, unsigned needs, int64_t budget_ns);
/* They are being made, or will be. The kernel's names of threads are made later: nobody waits. */
bool		 deriving_busy(const struct deriving *d, unsigned needs);
/* ... for the first time: without them there is nothing to show. */
bool		 deriving_first(const struct deriving *d, unsigned needs);
/* There are events that were not read for them, even if it is not time to read these. */
bool		 deriving_behind(const struct deriving *d, unsigned needs);
/* How much of it is done, while they are being made. */
unsigned	 deriving_percent(const struct deriving *d, unsigned needs);

#endif
