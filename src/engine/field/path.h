/*
 * The one walk to a field of a payload: what each value of payload_walk() is to a path.
 *
 *	path "o.x"	o {		PATH_BESIDE	the way to it
 *			  x [ 1 2 ]	PATH_HERE	the field: container, its elements
 *			}
 *			y 3		PATH_END	nothing of it can come any more
 */
#ifndef ENGINE_FIELD_PATH_H
#define ENGINE_FIELD_PATH_H

#include <stdbool.h>

#include "tnav/base/limits.h"
#include "tnav/model/type.h"
#include "tnav/model/value.h"

struct path_walk {
	/* What of the path is still to come at depth d: "" within the field, NULL beside it. */
	const char	*rest[LIMIT_NESTING + 3];
	unsigned	 wanted, seen;		/* fields of the event that the path begins with */
	bool		 beside;		/* it leads into an object without its name */
};

enum path_at { PATH_BESIDE, PATH_HERE, PATH_END };

void		path_begin(struct path_walk *w, const struct event_type *type, const char *path);
enum path_at	path_next(struct path_walk *w, const struct value *v);
/* Behind a value that is at the path, and the end of a container that is: can no more come? */
static inline bool
path_done(const struct path_walk *w, const struct value *v)
{
	return v->depth == 0 && w->seen == w->wanted && v->kind != VK_OBJECT &&
	    v->kind != VK_ARRAY;
}

#endif
