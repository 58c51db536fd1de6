/*
 * States for reuse: one thread returns its state, the next one takes it.
 */
#ifndef TNAV_BASE_SPARES_H
#define TNAV_BASE_SPARES_H

#include <stddef.h>

struct spares {
	struct lock	*lock;
	void		**v;
	size_t		 n, cap;
};

void	 spares_init(struct spares *s);
void	 spares_release(struct spares *s);	/* once all were taken */
/* Any thread. */
void	*spares_take(struct spares *s);		/* NULL: there is none */
void	 spares_give(struct spares *s, void *state);

#endif
