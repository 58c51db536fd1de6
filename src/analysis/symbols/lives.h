/* Turns records about methods into code with the time during which it was loaded. */
#ifndef ANALYSIS_SYMBOLS_LIVES_H
#define ANALYSIS_SYMBOLS_LIVES_H

#include "analysis/symbols/collect.h"
#include "analysis/symbols/ranges.h"

/* The code of a method while it is at its address. */
struct life {
	uint64_t	module;
	uint32_t	name, process:31, dynamic:1;
};

struct lives {
	struct life		*v;	/* by process, then by the time of loading */
	struct code_range	*range;	/* address and time of each */
	size_t			 n;
};

/* Changes the records. */
void	lives_init(struct lives *l, struct method_record *records, size_t n);
/* The ranges are not needed any more. */
void	lives_drop_ranges(struct lives *l);
void	lives_release(struct lives *l);

#endif
