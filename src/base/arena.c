/*
 * Arena: a list of chunks, the newest first, of which only the newest has room.
 *
 *   a->chunk -> | next | bytes ... used |   free    | -> | next | bytes ... | -> NULL
 *                      0             used         cap
 *
 * Invariant: allocated memory never moves, and every chunk starts cleared.
 */
#include "tnav/base/arena.h"

#include <stdalign.h>
#include <string.h>

#include "tnav/base/mem.h"

#define CHUNK_MIN	((size_t)4096)
#define CHUNK_MAX	((size_t)1 << 20)

struct arena_chunk {
	struct arena_chunk		*next;
	alignas(max_align_t) char	 bytes[];
};

void
arena_release(struct arena *a)
{
	while (a->chunk != NULL) {
		struct arena_chunk	*next = a->chunk->next;

		mem_free(a->chunk);
		a->chunk = next;
	}
	*a = (struct arena){ 0 };
}

static struct arena_chunk *
arena_chunk_new(struct arena *a, size_t cap)
{
	struct arena_chunk	*k;

	/* If the sum would overflow, mem_zalloc() is given the two factors and refuses them. */
	if (cap > (size_t)-1 - sizeof *k)
		k = mem_zalloc(cap, sizeof *k);
	else
		k = mem_zalloc(1, sizeof *k + cap);
	a->total += sizeof *k + cap;
	return k;
}

/* A large allocation gets a chunk of its own behind the newest one, which stays in use. */
static void *
arena_alloc_large(struct arena *a, size_t len)
{
	struct arena_chunk	*k = arena_chunk_new(a, len);

	if (a->chunk == NULL) {
		a->chunk = k;
		a->used = a->cap = len;
	} else {
		k->next = a->chunk->next;
		a->chunk->next = k;
	}
	return k->bytes;
}

void *
arena_alloc(struct arena *a, size_t len)
{
	const size_t		 align = alignof(max_align_t);
	struct arena_chunk	*k;
	size_t			 at = (a->used + align - 1) & ~(align - 1), cap;

	if (a->chunk != NULL && at <= a->cap && len <= a->cap - at) {
		a->used = at + len;
		return a->chunk->bytes + at;
	}
	/* Chunks double, so that their number stays small. */
	cap = a->total < CHUNK_MIN ? CHUNK_MIN : a->total < CHUNK_MAX ? a->total : CHUNK_MAX;
	if (len > cap / 4)
		return arena_alloc_large(a, len);
	k = arena_chunk_new(a, cap);
	k->next = a->chunk;
	a->chunk = k;
	a->cap = cap;
	a->used = len;
	return k->bytes;
}

char *
arena_strndup(struct arena *a, const char *s, size_t len)
{
	char	*p = arena_alloc(a, len + 1);

	if (len)
		memcpy(p, s, len);
	return p;
}
