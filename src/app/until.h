/* --until FILTER: has a matching event arrived? */
#ifndef APP_UNTIL_H
#define APP_UNTIL_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"

struct trace;
struct until;

/* Is the expression valid, as far as that is known without a trace? False: the reason is in why. */
bool	until_check(const char *filter, struct buf *why);
/* Check the events of a growing trace; after: only those later than the first that matches this
   expression, or NULL. The trace and the texts stay the caller's. */
struct until *until_new(struct trace *t, const char *filter, const char *after);
/* Append what no event so far has, though the expression names it; or nothing. */
void	until_note(const struct until *u, struct buf *out);
void	until_free(struct until *u);		/* NULL is fine */
/* Check newly arrived events for about this long. True: one of them matches. */
bool	until_look(struct until *u, int64_t budget_ns);

#endif
