/*
 * The results of a pass for final rows, kept for the next pass over a trace that has grown.
 *
 *	rows	| final ........................ | may still move |
 *	pass 1	| piece | piece | piece | piece  | piece | piece  |	all are decoded
 *	kept	[ state ][ state ][ state ]      upto
 *	pass 2	  merged again ...........| piece | piece | piece | piece |	only the rest
 *
 * Invariant: the states of all final pieces before upto are kept, in order. When they take `most`
 * bytes, no more are kept, and upto stays.
 */
#include "engine/pass/memory.h"

#include "tnav/base/mem.h"

struct pass_memory {
	struct pass_keep	 ops;
	void			**state;
	size_t			 n, cap;
	size_t			 bytes, most;
	uint64_t		 upto;
	bool			 full;
};

struct pass_memory *
pass_memory_new(const struct pass_keep *ops, size_t most)
{
	struct pass_memory	*m = mem_zalloc(1, sizeof *m);

	m->ops = *ops;
	m->most = most;
	return m;
}

void
pass_memory_clear(struct pass_memory *m)
{
	for (size_t i = 0; i < m->n; i++)
		m->ops.forget(m->state[i]);
	m->n = m->bytes = 0;
	m->upto = 0;
	m->full = false;
}

void
pass_memory_free(struct pass_memory *m)
{
	if (m == NULL)
		return;
	pass_memory_clear(m);
	mem_free(m->state);
	mem_free(m);
}

bool
pass_memory_full(const struct pass_memory *m)
{
	return m->full;
}

uint64_t
memory_upto(const struct pass_memory *m)
{
	return m->upto;
}

void
memory_keep(struct pass_memory *m, const void *state, uint64_t row1)
{
	size_t	bytes = 0;
	void	*kept;

	if (m->full)
		return;
	if (state != NULL) {
		kept = m->ops.keep(state, &bytes);
		ARRAY_ADD(m->state, m->n, m->cap, kept);
		m->bytes += bytes;
	}
	m->upto = row1;
	m->full = m->bytes >= m->most;
}

size_t
memory_states(const struct pass_memory *m)
{
	return m->n;
}

int
memory_again(struct pass_memory *m, void *arg, size_t i)
{
	return m->ops.again(arg, m->state[i]);
}
