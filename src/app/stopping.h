/*
 * SIGINT, SIGTERM and SIGHUP as a question: how often was the program asked to stop?
 */
#ifndef APP_STOPPING_H
#define APP_STOPPING_H

#include <stdbool.h>
#include <stdint.h>

/* From now on these signals are counted and do nothing else. */
void		stopping_begin(void);
/* From now on the next one ends the program. */
void		stopping_end(void);
unsigned	stopping_asked(void);
/* Wait for the first one, not much longer than so. True: it has come. */
bool		stopping_await(int64_t ns);
int		stopping_signal(void);		/* the newest, 0: none */

#endif
