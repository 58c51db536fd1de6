/* What `tnav info A B` says of the clocks of several files. */
#ifndef APP_CLOCKS_H
#define APP_CLOCKS_H

#include "app/run.h"
#include "tnav/engine/joined.h"

/* Of the current file and the first one; by CLOCK_AUTO: this is the first, or it has no events. */
struct clock_facts {
	enum trace_clock	by;
	int64_t			first, last;	/* ns from the first event of the first file */
};

/* Add the current file to those before it. */
void	clocks_add(struct run *s, struct clock_facts *f);
/* Write the lines of all so far into the run's tail, instead of those that were there. */
void	clocks_tell(struct run *s);
/* "ticks"; NULL for CLOCK_AUTO */
const char *clock_word(enum trace_clock by);

#endif
