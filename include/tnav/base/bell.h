/*
 * A bell wakes a poll() from another thread or a signal handler.
 */
#ifndef TNAV_BASE_BELL_H
#define TNAV_BASE_BELL_H

#include <stdbool.h>

struct bell;
struct bell	*bell_new(void);	/* NULL: no more descriptors, see errno */
void		 bell_free(struct bell *b);	/* NULL is fine */
void		 bell_ring(struct bell *b);	/* never waits */
int		 bell_fd(const struct bell *b);	/* readable once the bell was rung */
/* Was it rung since the last call? */
bool		 bell_heard(struct bell *b);

#endif
