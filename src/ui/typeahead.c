/*
 * Keys that have arrived.
 *
 *	| run already | waiting ... |
 *	0             at            n
 *
 *	j  j  f  C-c  Q   ->   C-c  Q
 *
 * Invariant: a key is run at most once, and in the order of typing. Only Ctrl-C discards keys.
 */
#include "ui/typeahead.h"

#include "tnav/base/mem.h"
#include "ui/term/key.h"

void
typeahead_release(struct typeahead *a)
{
	mem_free(a->v);
	*a = (struct typeahead){ .v = NULL };
}

bool
typeahead_any(const struct typeahead *a)
{
	return a->at < a->n;
}

static void
add(struct typeahead *a, const struct input *in)
{
	if (!typeahead_any(a) || (in->kind == INPUT_KEY && in->code == KEY_CTRL('C')))
		a->at = a->n = 0;
	ARRAY_ADD(a->v, a->n, a->cap, *in);
}

enum input_kind
typeahead_read(struct typeahead *a, struct screen *s)
{
	while (a->n < TYPEAHEAD_MOST || !typeahead_any(a)) {
		struct input	in = s->ops->read(s);

		if (in.kind != INPUT_KEY && in.kind != INPUT_PASTED && in.kind != INPUT_MOUSE)
			return in.kind;
		add(a, &in);
	}
	return INPUT_NONE;
}

bool
typeahead_next(struct typeahead *a, struct input *in)
{
	if (!typeahead_any(a))
		return false;
	*in = a->v[a->at++];
	return true;
}
