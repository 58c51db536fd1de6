/*
 * A bell: any thread or signal handler rings it, and that wakes a poll() that waits for it and for
 * other things.
 */
#ifndef TNAV_BASE_BELL_H
#define TNAV_BASE_BELL_H

#include <stdbool.h>

struct bell;
struct bell	*bell_new(void);	/* NULL: as errno says, no more descriptors */
void		 bell_free(struct bell *b);	/* NULL is fine */
void		 bell_ring(struct bell *b);	/* never waits */
int		 bell_fd(const struct bell *b);	/* readable once it was rung */
/* Was it rung since this was asked last? */
bool		 bell_heard(struct bell *b);

#endif
