/*
 * The greatest of many elements; a fixed number of them is kept.
 *
 *	greatest_init(&g, sizeof(struct row), 1000, is_better);
 *	greatest_keep(&g, &row);	any number of times
 *	greatest_sort(&g);		the best first: greatest_at(&g, 0), ...
 *	greatest_release(&g);
 *
 * is_better() must be a strict order of all elements; otherwise it is undefined which of equal
 * elements are kept.
 */
#ifndef TNAV_BASE_GREATEST_H
#define TNAV_BASE_GREATEST_H

#include <stdbool.h>
#include <stddef.h>

typedef bool (*greatest_order)(const void *a, const void *b);

struct greatest {
	unsigned char	*v;		/* a heap with the least at its top, until it is sorted */
	size_t		 size;		/* of an element */
	size_t		 n, cap, most;
	greatest_order	 is_better;
	bool		 sorted;	/* the best first */
};

void	greatest_init(struct greatest *g, size_t size, size_t most, greatest_order is_better);
void	greatest_release(struct greatest *g);
/* Would x be kept now? */
bool	greatest_wants(const struct greatest *g, const void *x);
/* Keep a copy, and drop the least if there is one too many. */
void	greatest_keep(struct greatest *g, const void *x);
/* The best first, until another one is kept. */
void	greatest_sort(struct greatest *g);
const void *greatest_at(const struct greatest *g, size_t i);

#endif
