/*
 * Where runs begin, determined for one chunk of the list at a time and kept as bits.
 *
 *	index	0 1 2 3 4 5 6 | 7 ...		chunk = 7 (here), 1,024 (in reality)
 *	type	a a a b a a b | b
 *	first	1 0 0 1 1 0 1 | 1		a chunk always begins a run
 *
 * Invariant: the bounds of a run depend only on the list, not on the direction, so moving up meets
 * the same runs as moving down. Finding them reads at most one chunk.
 */
#include "ui/view/collapse.h"

#include "tnav/base/mem.h"

#define SEEK_NS	4000000

void
collapse_release(struct collapse *c)
{
	mem_free(c->chunk);
	*c = (struct collapse){ .chunk = NULL };
}

/* The next row of the list. */
static bool
next_row(struct view *v, uint64_t *row)
{
	if (v->filter.q == NULL)
		return ++*row < v->window.row1;
	return query_seek(v->filter.q, *row + 1, 1, SEEK_NS, row) == 1;
}

static void
fill(struct collapse_chunk *k, struct view *v, uint64_t count)
{
	uint64_t	n = count - k->base, row;
	struct event	e = { .type = EVENT_NONE }, before = e;

	k->n = (uint32_t)(n < COLLAPSE_CHUNK ? n : COLLAPSE_CHUNK);
	for (uint32_t i = 0; i < sizeof k->first; i++)
		k->first[i] = 0;
	if (view_row(v, k->base, &row) != 1)
		return;
	for (uint32_t i = 0; i < k->n; i++) {
		bool	got = trace_event(v->t, row, &e) == 1;
		bool	same = got && i > 0 && e.type == before.type &&
			    e.thread == before.thread && (e.flags & EVENT_LOST) == 0;

		if (!got)
			e.type = EVENT_NONE;
		if (!same)
			k->first[i / 8] |= (uint8_t)(1u << i % 8);
		before = e;
		if (i + 1 < k->n && !next_row(v, &row)) {
			for (i++; i < k->n; i++)	/* unknown: each row by itself */
				k->first[i / 8] |= (uint8_t)(1u << i % 8);
			break;
		}
	}
}

static struct collapse_chunk *
chunk_of(struct collapse *c, struct view *v, uint64_t index)
{
	uint64_t		 base = index - index % COLLAPSE_CHUNK;
	struct collapse_chunk	*oldest;

	view_rows_follow(v);
	if (c->chunk == NULL || view_changed(v, &c->seen, VIEW_INDEX | VIEW_ROWS | VIEW_LIST)) {
		collapse_release(c);
		c->chunk = mem_zalloc(COLLAPSE_CHUNKS, sizeof *c->chunk);
		c->seen = v->changes;
		c->count = view_count(v);
	}
	oldest = &c->chunk[0];
	for (size_t i = 0; i < COLLAPSE_CHUNKS; i++) {
		struct collapse_chunk	*k = &c->chunk[i];

		if (k->n > 0 && k->base == base) {
			k->used = ++c->clock;
			return k;
		}
		if (k->used < oldest->used)
			oldest = k;
	}
	oldest->base = base;
	oldest->used = ++c->clock;
	fill(oldest, v, c->count);
	return oldest;
}

static bool
begins(const struct collapse_chunk *k, uint32_t i)
{
	return i == 0 || (k->first[i / 8] >> i % 8 & 1) != 0;
}

uint64_t
collapse_run(struct collapse *c, struct view *v, uint64_t index, uint32_t *n)
{
	const struct collapse_chunk	*k = chunk_of(c, v, index);
	uint32_t			 at = (uint32_t)(index - k->base), first = at, end = at + 1;

	while (!begins(k, first))
		first--;
	while (end < k->n && !begins(k, end))
		end++;
	*n = end - first;
	return k->base + first;
}
