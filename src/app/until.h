/*
 * --until FILTER: has an event come that matches?
 */
#ifndef APP_UNTIL_H
#define APP_UNTIL_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"

struct trace;
struct until;

/* Is the expression right as far as can be told without a trace? False: why says it. */
bool	until_check(const char *filter, struct buf *why);
/* Look at the events of a trace that grows; the trace and the text stay the caller's. */
struct until *until_new(struct trace *t, const char *filter);
void	until_free(struct until *u);		/* NULL is fine */
/* Go over the events that have come since, for about so long. True: one of them matches. */
bool	until_look(struct until *u, int64_t budget_ns);

#endif
