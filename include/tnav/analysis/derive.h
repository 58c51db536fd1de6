/*
 * The registry of derived facts (tnav/engine/derived.h): what each kind is made from, how it is
 * made and lent to its trace, and what is said about it. A new kind is one entry of the table.
 *
 *	derive_with(needs) -> for each kind in order: derive_make() -> derive_lend()
 *	-> taken back -> derive_free()
 *
 * A fact is a struct symbols, roles, spans, activities or deltas: see DERIVED_... .
 */
#ifndef TNAV_ANALYSIS_DERIVE_H
#define TNAV_ANALYSIS_DERIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/analysis/symbols.h"
#include "tnav/engine/derived.h"

/* The facts of a trace by kind; NULL: it was not made. */
struct derived_facts {
	void	*of[DERIVEDS];
};

/* The word of progress: "pairing". */
const char	*derive_doing(enum derived kind);
/* What a growing file leaves out of it, for a message; or NULL. */
const char	*derive_growing(enum derived kind);
/* The kinds with all that they are made from. Each is made from earlier ones. */
unsigned	 derive_with(unsigned needs);
/* The kinds that one contains: itself and maybe another. */
unsigned	 derive_gives(enum derived kind);
/* Does the trace, with these files, have anything to make it from? */
bool		 derive_any(enum derived kind, struct trace *t, const struct symbols_files *f);
/* The number of events that it is made from. */
uint64_t	 derive_events(enum derived kind, struct trace *t);
/* Make one, from those in f. Returns 0, or ERR_CANCELED because tick() returned true. */
int		 derive_make(enum derived kind, void **made, const struct derived_facts *f,
		    struct trace *t, const struct derive_options *o, struct pass_result *result);
/* A remark on it, or NULL. */
const char	*derive_remark(enum derived kind, void *made);
/* Lend it to the trace, or take it back with NULL: see trace_lend(). */
void		 derive_lend(enum derived kind, void *made, struct trace *t);
uint64_t	 derive_bytes(enum derived kind, const void *made);	/* of memory */
/* Take back all that were made, if they were lent to a trace, and free them. */
void		 derive_drop(struct derived_facts *f, struct trace *lent);
/* It must have been taken back. NULL is fine. */
void		 derive_free(enum derived kind, void *made);

#endif
