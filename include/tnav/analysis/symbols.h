/*
 * Names of a trace's code: from the events about methods, mappings and symbols, and from files of
 * the user. A file that the trace names is never opened.
 *
 *	symbols_new(t, &o) -> symbols_lend() -> frames have names -> trace_set_namer(t, NULL),
 *	symbols_free()
 */
#ifndef TNAV_ANALYSIS_SYMBOLS_H
#define TNAV_ANALYSIS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/naming.h"
#include "tnav/engine/trace.h"

struct symbols;

/* What there is besides the trace; all of it is borrowed. */
struct symbols_files {
	const char	*perf_map;	/* for all processes; or NULL */
	/* Folders with native modules, or files with their symbols. */
	const char *const *folders;
	size_t		 nfolders;
	/*
	 * Another trace of the same process, indexed, whose rundown stands for one that the trace
	 * does not have (yet); or NULL. It is not read once the trace has its own.
	 */
	struct trace	*earlier;
	/* The same, of what is loaded and unloaded while the trace is taken; it may grow, and is
	   always read. Or NULL. */
	struct trace	*loads;
};

struct symbols_options {
	/* Now and then while the trace is read; true ends it. Or NULL. */
	bool	(*tick)(void *arg, uint64_t done, uint64_t all);
	void	*arg;
	struct symbols_files files;
	struct buf	*why;		/* what is wrong with these, a line each; or NULL */
};

/* How many events of the trace tell of code. */
uint64_t	 symbols_told(struct trace *t);
/*
 * Read what the trace says: one pass on all cores. NULL where tick() ended it. Memory follows the
 * methods and symbols; a name is kept once.
 */
struct symbols	*symbols_new(struct trace *t, const struct symbols_options *o);
void		 symbols_free(struct symbols *s);	/* NULL is fine */
/* Have the trace's frames named by it, until trace_set_namer() is given another or NULL. */
void		 symbols_lend(struct symbols *s);

struct symbols_counts {
	uint64_t	methods, entries, mappings, symbols, names;
	uint64_t	perf, perf_bad;		/* lines of the perf map; those that are none */
	uint64_t	bytes;		/* of memory */
};
void		 symbols_counts(const struct symbols *s, struct symbols_counts *out);

#endif
