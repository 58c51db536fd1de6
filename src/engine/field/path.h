/*
 * Finding the values at a path: where each value of payload_walk() is in relation to the path.
 *
 *	path "o.x"	o {		PATH_BESIDE	leads to the field
 *			  x [ 1 2 ]	PATH_HERE	the field: container, its elements
 *			}
 *			y 3		PATH_END	no more values of the field can follow
 */
#ifndef ENGINE_FIELD_PATH_H
#define ENGINE_FIELD_PATH_H

#include <stdbool.h>

#include "tnav/base/limits.h"
#include "tnav/model/type.h"
#include "tnav/model/value.h"

struct path_walk {
	/* The rest of the path at depth d: "" inside the field, NULL if d is not on the path. */
	const char	*rest[LIMIT_NESTING + 3];
	unsigned	 wanted, seen;		/* fields of the event with the path's first name */
	bool		 beside;		/* the path leaves out the name of an object */
};

enum path_at { PATH_BESIDE, PATH_HERE, PATH_END };

void		path_begin(struct path_walk *w, const struct event_type *type, const char *path);
enum path_at	path_next(struct path_walk *w, const struct value *v);
/* After a value at the path, or the end of a container at the path: are there no more values? */
static inline bool
path_done(const struct path_walk *w, const struct value *v)
{
	return v->depth == 0 && w->seen == w->wanted && v->kind != VK_OBJECT &&
	    v->kind != VK_ARRAY;
}

#endif
