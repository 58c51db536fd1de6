/*
 * Ranges of addresses without times, in groups: the innermost one at an address.
 */
#ifndef ANALYSIS_SYMBOLS_SPOTS_H
#define ANALYSIS_SYMBOLS_SPOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPOT_NONE	UINT32_MAX

/* Addresses [start, last] of a group are called so. */
struct spot {
	uint32_t	group, name;
	uint64_t	start, last;
};

struct spots {
	struct spot	*v;		/* as they are cut: no two share an address */
	size_t		 n;
};

/* Which of two names of the same range is shown: true if a. */
typedef bool (*spot_better_fn)(void *arg, uint32_t a, uint32_t b);

/* Of n of them in any order, which is changed. */
void	spots_init(struct spots *s, struct spot *v, size_t n, spot_better_fn better, void *arg);
void	spots_release(struct spots *s);
/* The name at the address, or SPOT_NONE. */
uint32_t spots_find(const struct spots *s, uint32_t group, uint64_t addr);

#endif
