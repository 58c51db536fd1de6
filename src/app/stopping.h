/* Counts SIGINT, SIGTERM and SIGHUP: how often was the program asked to stop?
   And SIGUSR1, which marks a moment. */
#ifndef APP_STOPPING_H
#define APP_STOPPING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* From now on these signals are only counted. */
void		stopping_begin(void);
/* From now on the next signal ends the program. */
void		stopping_end(void);
/* The same, and those that were counted are forgotten: what comes next is another piece of work. */
void		stopping_forget(void);
unsigned	stopping_count(void);
/* True from the first signal on: for calls of other threads and layers that wait. */
const atomic_bool *stopping_flag(void);
/* Wait for the first signal, for about this long. True: it has arrived. */
bool		stopping_await(int64_t ns);
/* After errno EAGAIN of file_open_special(): wait a while, with a message at first. False: a signal
   has arrived, or errno is another one. */
bool		stopping_await_reader(const char *path, bool *announced);
/* From now on SIGUSR1 is counted, too; how often has it arrived? */
void		stopping_count_marks(void);
unsigned	stopping_marks(void);
int		stopping_signal(void);		/* the newest; 0: none */

#endif
