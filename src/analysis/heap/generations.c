/*
 * Generations of objects: by the ranges of memory that the collection has left for each. A range is
 * of one generation; what lies in none is of frozen memory, or its range was not recorded.
 */
#include "tnav/analysis/heap.h"
#include "tnav/base/array.h"

const char *
heap_generation_word(unsigned generation)
{
	static const char *const	words[HEAP_GENERATIONS + 1] = {
		"gen0", "gen1", "gen2", "large", "pinned", "unknown",
	};

	return words[generation < HEAP_GENERATIONS ? generation : HEAP_GENERATIONS];
}

unsigned
heap_generation(const struct heap *h, uint32_t object)
{
	uint64_t	addr = h->addr[object];
	size_t		at = 0;

	BISECT(at, h->nranges, i, h->range[i].from <= addr);
	if (at == 0 || addr >= h->range[at - 1].to)
		return HEAP_GENERATIONS;
	return h->range[at - 1].generation;
}
