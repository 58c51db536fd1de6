/*
 * Finding the values at a path during the walk over a payload.
 *
 * A value is at the path if the names that lead to it are the path, not counting elements of arrays
 * and objects without a name. The elements of an array at the path are at the path, the members of
 * an object at the path are not.
 *
 * Invariant: rest[] is read only up to the depth of the previous value, plus one.
 */
#include "engine/field/path.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "tnav/engine/field.h"
#include "tnav/model/path.h"

void
path_begin(struct path_walk *w, const struct event_type *type, const char *path)
{
	const struct field	*builtin = builtin_object(type);

	w->rest[0] = path;
	w->wanted = w->seen = 0;
	w->beside = false;
	for (uint32_t i = 0; i < type->nfields; i++) {
		const struct field	*f = &type->fields[i];
		struct span		 name = { (const uint8_t *)f->name, strlen(f->name) };

		if (f->kind == FK_ATTRIBUTES)
			w->wanted = UINT_MAX;	/* not known before the end of the payload */
		else if (w->wanted != UINT_MAX)
			w->wanted += path_step(path, name) != NULL && f->kind != FK_PAD;
	}
	if (builtin == NULL)
		return;
	w->beside = path_is_beside(path, type);
	w->wanted += w->beside || path_step(path, span_of(builtin->name)) != NULL;
}

/* Do the path and the value's name differ in their first letters? Most do. */
static inline bool
begins_otherwise(const char *path, const struct value *v)
{
	return v->name.p == NULL && v->field->name[0] != '\0' && v->field->name[0] != path[0];
}

enum path_at
path_next(struct path_walk *w, const struct value *v)
{
	const char	*rest;

	if (v->kind == VK_OBJECT_END || v->kind == VK_ARRAY_END)
		return path_done(w, v) ? PATH_END : PATH_BESIDE;
	if (v->depth > LIMIT_NESTING + 1)
		return PATH_BESIDE;
	rest = w->rest[v->depth];
	if (rest != NULL && !v->element)
		rest = begins_otherwise(rest, v) ? NULL : path_step(rest, value_name(v));
	if (rest == NULL && w->beside && v->field->flags & FIELD_BESIDE && v->depth == 0)
		rest = w->rest[0];
	if (v->depth == 0) {
		if (rest == NULL && w->seen == w->wanted)
			return PATH_END;
		w->seen += rest != NULL;
	}
	w->rest[v->depth + 1] = rest;
	return rest != NULL && *rest == '\0' ? PATH_HERE : PATH_BESIDE;
}

struct value_walk {
	struct path_walk	 w;
	value_fn		 fn;
	void			*arg;
};

static int
on_value(void *arg, const struct value *v)
{
	struct value_walk	*x = arg;
	enum path_at		 at = path_next(&x->w, v);

	if (at != PATH_HERE)
		return at == PATH_END;
	if (v->kind != VK_NULL && x->fn(x->arg, v) != 0)
		return 1;
	return path_done(&x->w, v);
}

void
field_walk(const char *path, const struct event_type *type, struct span payload,
    unsigned pointer_size, value_fn fn, void *arg)
{
	struct value_walk	x;
	struct payload_result	res;

	x.fn = fn;
	x.arg = arg;
	path_begin(&x.w, type, path);
	(void)payload_walk_all(type, payload, pointer_size, on_value, &x, &res);
}

struct first_value {
	bool		 found;
	struct value	 v;
};

static int
take_first(void *arg, const struct value *v)
{
	struct first_value	*f = arg;

	if (v->kind == VK_OBJECT || v->kind == VK_ARRAY)
		return 0;
	f->found = true;
	f->v = *v;
	return 1;
}

bool
field_first(const struct payload_plan *plan, const char *path, const struct event_type *type,
    struct span payload, unsigned pointer_size, struct value *v)
{
	struct first_value	first = { .found = false };

	switch (plan != NULL ? payload_plan_get(plan, payload, v) : PAYLOAD_WALK) {
	case PAYLOAD_VALUE:
		return true;
	case PAYLOAD_NULL: case PAYLOAD_ABSENT:
		return false;
	case PAYLOAD_WALK:
		break;
	}
	field_walk(path, type, payload, pointer_size, take_first, &first);
	*v = first.v;
	return first.found && first.v.kind != VK_NULL;
}

struct fields_walk {
	struct path_walk	 w[FIELD_PATHS];
	bool			 ended[FIELD_PATHS];
	unsigned		 n, left;
	field_value_fn		 fn;
	void			*arg;
};

/* Give the value to a path that it is at. True: no more values of the path are wanted. */
static bool
value_of_path(struct fields_walk *x, unsigned i, const struct value *v)
{
	enum path_at	at = path_next(&x->w[i], v);

	if (at != PATH_HERE)
		return at == PATH_END;
	return (v->kind != VK_NULL && x->fn(x->arg, i, v) != 0) || path_done(&x->w[i], v);
}

static int
on_value_of_any(void *arg, const struct value *v)
{
	struct fields_walk	*x = arg;

	for (unsigned i = 0; i < x->n; i++) {
		if (x->ended[i] || !value_of_path(x, i, v))
			continue;
		x->ended[i] = true;
		x->left--;
	}
	return x->left == 0;
}

void
fields_walk(const char *const *path, unsigned n, const struct event_type *type,
    struct span payload, unsigned pointer_size, field_value_fn fn, void *arg)
{
	struct fields_walk	x = { .n = n, .left = n, .fn = fn, .arg = arg };
	struct payload_result	res;

	assert(n > 0 && n <= FIELD_PATHS);
	for (unsigned i = 0; i < n; i++)
		path_begin(&x.w[i], type, path[i]);
	(void)payload_walk_all(type, payload, pointer_size, on_value_of_any, &x, &res);
}
