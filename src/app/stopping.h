/*
 * SIGINT and SIGTERM as a question: how often was the program asked to stop?
 */
#ifndef APP_STOPPING_H
#define APP_STOPPING_H

/* From now on these signals are counted and do nothing else. SIGHUP counts with
   them, and SIGPIPE is ignored. */
void		stopping_begin(void);
unsigned	stopping_asked(void);

#endif
