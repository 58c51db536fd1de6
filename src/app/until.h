/* --until FILTER and --when FILTER|COUNTER: has a matching event arrived? */
#ifndef APP_UNTIL_H
#define APP_UNTIL_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"

struct trace;
struct until;

/*
 * A counter that stays beyond a value: "cpu-usage > 80 for 10s". It outlives the files of a
 * recording, so that its time may begin in one and end in another.
 */
struct until_counter;

/* NULL: the text is not of that form. A name has a hyphen, or "for TIME" follows. */
struct until_counter *until_counter_new(const char *text);
void	until_counter_free(struct until_counter *c);	/* NULL is fine */

/* Is the expression valid, as far as that is known without a trace? False: the reason is in why. */
bool	until_check(const char *filter, struct buf *why);
/* The same for an option's expression (NULL: not given). 0, or an exit code after a message. */
int	until_option(const char *option, const char *filter);
/* Check the events of a growing trace; after: only those later than the first that matches this
   expression, or NULL. The trace and the texts stay the caller's. */
struct until *until_new(struct trace *t, const char *filter, const char *after);
/* The same for a counter, which stays the caller's. */
struct until *until_new_counter(struct trace *t, struct until_counter *c);
/* Append what no event so far has, though the expression names it; or nothing. */
void	until_note(const struct until *u, struct buf *out);
void	until_free(struct until *u);		/* NULL is fine */
/* Check newly arrived events for about this long. True: one of them matches. */
bool	until_look(struct until *u, int64_t budget_ns);

#endif
