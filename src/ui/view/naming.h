/* Names of stack addresses, threads and processes for the viewer, read in the background. */
#ifndef UI_VIEW_NAMING_H
#define UI_VIEW_NAMING_H

#include <stdbool.h>
#include <stdint.h>

struct naming;
struct symbols_files;
struct trace;

struct naming	*naming_new(struct trace *t);
/* Use these files, too, from the next reading on; borrowed. NULL: none. */
void		 naming_set_files(struct naming *n, const struct symbols_files *f);
/*
 * Use this trace of the same program, too, and read names again for it. It must outlive naming. It
 * has what was loaded earlier or, if it grows (meanwhile), what is being loaded: see struct
 * symbols_files.
 */
void		 naming_set_other(struct naming *n, bool meanwhile, struct trace *t);
/* Removes the names from the trace: nobody else may use it at this time. NULL is fine. */
void		 naming_free(struct naming *n);
/*
 * Begin to read if necessary, and take over what was read. True: there are new names. rests: no
 * data has arrived for a moment; complete: none will.
 */
bool		 naming_step(struct naming *n, bool rests, bool complete);
/* The first line about problems with the files, once; NULL: none. */
const char	*naming_why(struct naming *n);
/* Are names being read? Nothing waits for the kernel's names of threads, which are read later. */
bool		 naming_busy(const struct naming *n);

#endif
