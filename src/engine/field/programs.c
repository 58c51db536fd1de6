/*
 * The programs of one path.
 *
 *	"Count"		type 0: gives nothing   type 1: skip 4, read u32   type 2: not made yet
 *
 * Invariant: a program never changes once made, because types never do.
 */
#include "engine/field/programs.h"

#include <string.h>

#include "tnav/base/mem.h"

void
field_programs_init(struct field_programs *p, const char *path)
{
	*p = (struct field_programs){ .path = mem_strdup(path) };
}

void
field_programs_release(struct field_programs *p)
{
	arena_release(&p->arena);
	mem_free(p->of);
	mem_free(p->path);
	*p = (struct field_programs){ .path = NULL };
}

const struct program *
field_program_make(struct field_programs *p, const struct event_type *t)
{
	size_t	n = (size_t)t->index + 1;

	if (n > p->n) {
		p->of = mem_grow(p->of, &p->cap, n, sizeof *p->of);
		memset(p->of + p->n, 0, (n - p->n) * sizeof *p->of);
		p->n = n;
	}
	p->of[t->index] = program_new(&p->arena, t, p->path);
	return p->of[t->index];
}
