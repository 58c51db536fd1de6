/*
 * A file that is still being written, printed as it grows.
 */
#ifndef APP_FOLLOW_H
#define APP_FOLLOW_H

#include "tnav/engine/trace.h"
#include "tnav/io/output.h"

/*
 * Open a file, which may still lack its header, and begin to index it as it grows. From here on
 * SIGINT and SIGTERM end the following, and a second one the program. As trace_open(); ERR_USAGE:
 * the input can't be followed.
 */
int	follow_open(struct trace **t, const char *file, const struct trace_options *to,
	    struct buf *why);
/*
 * Call print with rows [row0, row1) each time more are final, and with all that are left when
 * nothing more comes; what it wrote goes out at once. Gives the first result that is not 0.
 */
typedef int	(*follow_print_fn)(void *arg, uint64_t row0, uint64_t row1);
int	follow_rows(struct trace *t, struct output *o, follow_print_fn print, void *arg);

#endif
