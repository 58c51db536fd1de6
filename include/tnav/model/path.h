/*
 * Paths to the fields of a payload, as people type them: "Depth", "Left.N".
 */
#ifndef TNAV_MODEL_PATH_H
#define TNAV_MODEL_PATH_H

#include <stdbool.h>

#include "tnav/base/cursor.h"
#include "tnav/model/type.h"

/*
 * Take name off the front of a path: the rest after the dot, "" if that was all of it, NULL if
 * the path does not begin with it. The fields of an object without a name are found as if they
 * stood beside it.
 */
const char	*path_step(const char *path, struct span name);
/* Does the path lead to one of the fields, or may it (attributes)? depth is 0 to begin with. */
bool		 path_in_fields(const char *path, const struct field *fields, uint32_t n,
		    unsigned depth);
/* The same of all that an event of the type may have. */
bool		 path_in_type(const char *path, const struct event_type *type);
/* Does it lead to a field of the object builtin only, without its name? */
bool		 path_is_beside(const char *path, const struct event_type *type);
/* Each field that the path leads to; NULL for one that is known at the event only. */
typedef void (*path_fn)(void *arg, const struct field *f);
void		 path_each(const char *path, const struct field *fields, uint32_t n, unsigned depth,
		    path_fn fn, void *arg);

#endif
