/*
 * The programs of one path.
 *
 *	"Count"		type 0: gives nothing   type 1: skip 4, read u32   type 2: not made yet
 *
 * Invariant: a program never changes once made, because types never do.
 */
#include "engine/field/programs.h"

#include "tnav/base/array.h"
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
	p->of = array_reach(p->of, &p->n, t->index, sizeof *p->of);
	p->of[t->index] = program_new(&p->arena, t, p->path);
	return p->of[t->index];
}
