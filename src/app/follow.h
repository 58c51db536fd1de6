/* Printing a file that is still being written, as it grows. */
#ifndef APP_FOLLOW_H
#define APP_FOLLOW_H

#include "tnav/engine/trace.h"
#include "tnav/io/output.h"

/*
 * Open a file, which may still lack its header. From here on the first SIGINT or SIGTERM ends the
 * following, and the second one the program. Returns as trace_open().
 */
int	follow_open(struct trace **t, const char *file, const struct trace_options *to,
	    struct buf *why);
/* Index it, or several as one, as they grow. False: the input cannot be followed. */
bool	follow_begin(struct trace *t, struct buf *why);
/*
 * Call print with rows [row0, row1) each time more rows are final, and with the remaining rows at
 * the end. The output is flushed each time. A message says what it waits for; in_order: print waits
 * for rows to become final. Returns the first result that is not 0.
 */
typedef int	(*follow_print_fn)(void *arg, uint64_t row0, uint64_t row1);
int	follow_rows(struct trace *t, struct output *o, bool in_order, follow_print_fn print,
	    void *arg);

#endif
