/*
 * A file that is still being written, printed as it grows.
 */
#ifndef APP_FOLLOW_H
#define APP_FOLLOW_H

#include "app/run.h"

/*
 * Open the file at hand, which may still lack its header, and begin to index it as it grows. From
 * here on SIGINT and SIGTERM end the following, and a second one the program. 0 or an exit code
 * after a message.
 */
int	follow_open(struct run *s);
/*
 * Call print with rows [row0, row1) each time more are final, and with all that are left when
 * nothing more comes; what it wrote goes out at once. Gives the first result that is not 0.
 */
int	follow_rows(struct run *s, int (*print)(void *arg, uint64_t row0, uint64_t row1),
	    void *arg);

#endif
