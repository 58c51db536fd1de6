/*
 * Names of stack addresses, threads and processes in the viewer: read in the background.
 */
#ifndef UI_VIEW_NAMING_H
#define UI_VIEW_NAMING_H

#include <stdbool.h>
#include <stdint.h>

struct naming;
struct symbols_files;
struct trace;

struct naming	*naming_new(struct trace *t);
/* Also go by these files of the person's, from the next reading on; borrowed. NULL: none. */
void		 naming_set_files(struct naming *n, const struct symbols_files *f);
/* Also go by this trace of the same program, and read again for it; it outlives naming. It tells
   what was loaded earlier, or, growing, what is loaded meanwhile: see struct symbols_files. */
void		 naming_set_other(struct naming *n, bool meanwhile, struct trace *t);
/* Takes the names back from the trace: nobody else may be at work on it. NULL is fine. */
void		 naming_free(struct naming *n);
/*
 * Begin where there is something to read, take over what was read. True: there are new names.
 * rests: nothing has come for a moment; complete: nothing will.
 */
bool		 naming_step(struct naming *n, bool rests, bool complete);
/* What was wrong with the files, the first line of it; NULL: nothing. Once. */
const char	*naming_why(struct naming *n);
/* Are names being read? What the kernel calls threads comes later, and nothing waits for it. */
bool		 naming_busy(const struct naming *n);

#endif
