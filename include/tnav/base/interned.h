/*
 * Texts by number, each kept once. A zeroed one has none.
 *
 *	"GC" "Tick" "GC"	0 1 0
 *
 * Numbers and addresses of texts stay until the release.
 */
#ifndef TNAV_BASE_INTERNED_H
#define TNAV_BASE_INTERNED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/arena.h"
#include "tnav/base/cursor.h"
#include "tnav/base/hashtable.h"

struct interned {
	struct span		*v;		/* by number */
	size_t			 n, cap;
	struct hashtable	 table;
	struct arena		 arena;
};

void	 interned_release(struct interned *t);
/* False: the text is not there. */
bool	 interned_find(const struct interned *t, struct span text, uint32_t *number);
/* The text's number, which is t->n before the call if it is new. */
uint32_t interned_add(struct interned *t, struct span text);

#endif
