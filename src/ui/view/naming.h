/*
 * Names of stack addresses, threads and processes in the viewer: read in the background.
 */
#ifndef UI_VIEW_NAMING_H
#define UI_VIEW_NAMING_H

#include <stdbool.h>
#include <stdint.h>

struct naming;
struct trace;

struct naming	*naming_new(struct trace *t);
/* Takes the names back from the trace: nobody else may be at work on it. NULL is fine. */
void		 naming_free(struct naming *n);
/*
 * Begin where there is something to read, take over what was read. True: there are new names.
 * rests: nothing has come for a moment; complete: nothing will.
 */
bool		 naming_step(struct naming *n, bool rests, bool complete);
bool		 naming_busy(const struct naming *n);

#endif
