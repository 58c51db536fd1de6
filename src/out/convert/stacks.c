/* The stacks of a profile: each has its innermost frame and the stack that it extends. */
#include "out/convert/stacks.h"

#include "tnav/base/mem.h"

void
stack_table_init(struct stack_table *t, uint32_t stacks)
{
	*t = (struct stack_table){ .v = mem_zalloc((size_t)stacks + 1, sizeof *t->v) };
}

void
stack_table_release(struct stack_table *t)
{
	mem_free(t->v);
	mem_free(t->path);
}

size_t
stack_table_path(struct stack_table *t, uint32_t stack)
{
	size_t	n = 0;

	for (uint32_t at = stack; at != 0; at = t->v[at].up)
		n++;
	t->path = mem_grow(t->path, &t->cap, n + 1, sizeof *t->path);
	for (size_t i = n; i > 0; i--) {
		t->path[i - 1] = t->v[stack].frame;
		stack = t->v[stack].up;
	}
	return n;
}
