/*
 * Paths to the fields of a payload: "Left.N" is field N of object Left.
 *
 * Invariant: no description makes the search recurse deeper than LIMIT_NESTING.
 */
#include "tnav/model/path.h"

#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/model/value.h"

const char *
path_step(const char *path, struct span name)
{
	size_t	n = name.len;

	if (n == 0)
		return path;
	if (strlen(path) < n || memcmp(path, name.p, n) != 0)
		return NULL;
	if (path[n] == '\0')
		return path + n;
	return path[n] == '.' ? path + n + 1 : NULL;
}

void
path_each(const char *path, const struct field *fields, uint32_t n, unsigned depth, path_fn fn,
    void *arg)
{
	for (uint32_t i = 0; i < n && depth <= LIMIT_NESTING; i++) {
		const struct field	*f = &fields[i];
		const char		*rest = path_step(path, span_of(f->name));
		unsigned		 inner = 0;

		if (rest == NULL || f->kind == FK_PAD)
			continue;
		if (f->kind == FK_ATTRIBUTES) {
			fn(arg, NULL);
			continue;
		}
		if (*rest == '\0')
			fn(arg, f);
		while (f->inner != NULL && inner++ < LIMIT_NESTING)
			f = f->inner;
		path_each(rest, f->fields, f->nfields, depth + 1, fn, arg);
	}
}

/* An event may have an attribute of any name. */
static void
is_met(void *arg, const struct field *f)
{
	(void)f;
	*(bool *)arg = true;
}

bool
path_in_fields(const char *path, const struct field *fields, uint32_t n, unsigned depth)
{
	bool	any = false;

	path_each(path, fields, n, depth, is_met, &any);
	return any;
}

bool
path_is_beside(const char *path, const struct event_type *type)
{
	const struct field	*o = builtin_object(type);

	return o != NULL && !path_in_fields(path, type->fields, type->nfields, 0) &&
	    path_in_fields(path, o->fields, o->nfields, 1);
}

bool
path_in_type(const char *path, const struct event_type *type)
{
	const struct field	*o = builtin_object(type);

	return path_in_fields(path, type->fields, type->nfields, 0) ||
	    (o != NULL && (path_in_fields(path, o, 1, 0) || path_is_beside(path, type)));
}
