/* Several files opened as one trace: `tnav dump A B`, `tnav A B`. */
#ifndef APP_JOINING_H
#define APP_JOINING_H

#include "app/options.h"
#include "tnav/engine/joined.h"

/* How each of them is opened. */
struct joining {
	struct trace_options	opt;
	/* Returns 0, or an exit code after a message. */
	int			(*open)(struct trace **t, const struct options *o,
				    const char *file);
};

/* Are the files of the command line one list? */
bool	joining_wanted(const struct options *o);
/* Read --align: the clock, and what is added to the times of n files, which is zero before. Returns
   0, or EXIT_USAGE after a message. */
int	joining_align(const struct options *o, enum trace_clock *clock, int64_t *shift, size_t n);
/* Check --align. Returns 0, or EXIT_USAGE after a message. */
int	joining_check(const struct options *o);
/*
 * Open them, in their order; a message names each that can't be opened. If one is left, *t is that
 * trace. *t is NULL if there is none, or if they can't be joined: then a message says why, and
 * *apart is true, since each of them can be read by itself. Returns 0 or an exit code.
 */
int	joining_open(struct trace **t, const struct options *o, const struct joining *how,
	    bool *apart);

#endif
