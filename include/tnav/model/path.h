/*
 * Paths to the fields of a payload, as users type them: "Depth", "Left.N".
 */
#ifndef TNAV_MODEL_PATH_H
#define TNAV_MODEL_PATH_H

#include <stdbool.h>

#include "tnav/base/cursor.h"
#include "tnav/model/type.h"

/*
 * Remove name from the front of a path. Returns the rest after the dot, "" if there is none, NULL
 * if the path does not begin with the name. The fields of an object without a name are found as if
 * the object were not there.
 */
const char	*path_step(const char *path, struct span name);
/* Does the path lead to one of the fields, or may it (attributes)? depth is 0 to begin with. */
bool		 path_in_fields(const char *path, const struct field *fields, uint32_t n,
		    unsigned depth);
/* The same for everything that an event of the type may have. */
bool		 path_in_type(const char *path, const struct event_type *type);
/* Does it lead only to a field of the object `builtin`, whose name it leaves out? */
bool		 path_is_beside(const char *path, const struct event_type *type);
/* Call fn for each field that the path leads to, with NULL for one that only an event can tell. */
typedef void (*path_fn)(void *arg, const struct field *f);
void		 path_each(const char *path, const struct field *fields, uint32_t n, unsigned depth,
		    path_fn fn, void *arg);

#endif
