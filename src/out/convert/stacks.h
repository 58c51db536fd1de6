/*
 * The frames of the stacks of a profile, for encoders that write whole stacks. Private to them.
 */
#ifndef OUT_CONVERT_STACKS_H
#define OUT_CONVERT_STACKS_H

#include <stddef.h>
#include <stdint.h>

struct stack_table {
	struct stack_link {
		uint32_t	up, frame;
	}			*v;
	uint32_t		*path;		/* of the last one asked for, outermost first */
	size_t			 cap;
};

void	stack_table_init(struct stack_table *t, uint32_t stacks);
void	stack_table_release(struct stack_table *t);
/* The frames of a stack in t->path; returns how many. */
size_t	stack_table_path(struct stack_table *t, uint32_t stack);

#endif
