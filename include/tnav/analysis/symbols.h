/*
 * Names of a trace's code: from events about methods, mappings and symbols, and from files that the
 * user names. A file that the trace names is never opened.
 *
 *	symbols_new(t, &o) -> trace_lend(t, DERIVED_SYMBOLS, s) -> frames have names
 *	-> trace_lend(t, DERIVED_SYMBOLS, NULL), symbols_free()
 */
#ifndef TNAV_ANALYSIS_SYMBOLS_H
#define TNAV_ANALYSIS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/naming.h"
#include "tnav/engine/pass.h"

struct symbols;

/* Sources other than the trace; all are borrowed. */
struct symbols_files {
	const char	*perf_map;	/* used for all processes; or NULL */
	/* Folders with native modules, or files with their symbols. */
	const char *const *folders;
	size_t		 nfolders;
	/*
	 * Another indexed trace of the same process, or NULL. Its rundown is used as long as the
	 * trace has none of its own.
	 */
	struct trace	*earlier;
	/* Another trace of the process, or NULL: the loads and unloads during this trace. It may
	   grow, and is always read. */
	struct trace	*loads;
};

/* How a derived fact is made. */
struct derive_options {
	struct pass_options pass;	/* its workers and tick: all events are read */
	struct symbols_files files;
	struct buf	*why;		/* problems with the files, a line each; or NULL */
};

/* The number of events that describe code. */
uint64_t	 symbols_events(struct trace *t);
/*
 * Read the events that describe code: one pass on all cores. NULL: tick() cancelled it. Memory is
 * proportional to the methods and symbols; each name is kept once.
 */
struct symbols	*symbols_new(struct trace *t, const struct derive_options *o);
void		 symbols_free(struct symbols *s);	/* NULL is fine */

struct symbols_counts {
	uint64_t	methods, entries, mappings, symbols, names;
	uint64_t	perf;			/* lines of the perf map */
	uint64_t	bytes;		/* of memory */
};
void		 symbols_counts(const struct symbols *s, struct symbols_counts *out);

#endif
