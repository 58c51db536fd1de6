/*
 * From what is said of methods to code that holds from a time to a time.
 */
#ifndef ANALYSIS_SYMBOLS_LIVES_H
#define ANALYSIS_SYMBOLS_LIVES_H

#include "analysis/symbols/collect.h"
#include "analysis/symbols/ranges.h"

/* Code of a method at a place, while it is there. */
struct life {
	struct range	r;
	uint64_t	method, module;
	uint32_t	size, process, name, flags;
	uint32_t	next;		/* of the same module; or NAME_NONE */
};

struct lives {
	struct life	*v;		/* by process, then by the time of loading */
	size_t		 n, cap;
};

/* The records are sorted by time. */
void	lives_init(struct lives *l, struct method_said *said, size_t n);
void	lives_release(struct lives *l);

#endif
