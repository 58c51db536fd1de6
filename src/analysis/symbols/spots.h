/*
 * Ranges of addresses without times, in groups: the innermost one at an address.
 */
#ifndef ANALYSIS_SYMBOLS_SPOTS_H
#define ANALYSIS_SYMBOLS_SPOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPOT_NONE	UINT32_MAX

/* Addresses [start, last] of a group, with their name. */
struct spot {
	uint32_t	group, name;
	uint64_t	start, last;
};

struct spots {
	struct spot	*v;		/* after cutting: no two share an address */
	size_t		 n;
};

/* Which of two names for the same range to use. True: a. */
typedef bool (*spot_better_fn)(void *arg, uint32_t a, uint32_t b);

/* Of n spots in any order. Changes v. */
void	spots_init(struct spots *s, struct spot *v, size_t n, spot_better_fn better, void *arg);
void	spots_release(struct spots *s);
/* The name at the address, or SPOT_NONE. */
uint32_t spots_find(const struct spots *s, uint32_t group, uint64_t addr);

#endif
