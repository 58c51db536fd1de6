/*
 * The programs of one path, by type, made when a type is first needed. Private to the engine.
 */
#ifndef ENGINE_FIELD_PROGRAMS_H
#define ENGINE_FIELD_PROGRAMS_H

#include "tnav/base/arena.h"
#include "tnav/model/program.h"

struct field_programs {
	char			*path;
	struct arena		 arena;
	const struct program	**of;		/* by type; NULL: not yet */
	size_t			 n;
};

/* Takes a copy of the path. */
void	field_programs_init(struct field_programs *p, const char *path);
void	field_programs_release(struct field_programs *p);
const struct program *field_program_make(struct field_programs *p, const struct event_type *t);

static inline const struct program *
field_program(struct field_programs *p, const struct event_type *t)
{
	if (t->index < p->n && p->of[t->index] != NULL)
		return p->of[t->index];
	return field_program_make(p, t);
}

#endif
