/*
 * Derived facts: what no event holds by itself. The engine shows and compares them, but does not
 * make them: their makers (tnav/analysis/derive.h) lend the trace a source of each kind.
 *
 *	kind			source
 *	DERIVED_SYMBOLS		struct stack_namer		tnav/engine/naming.h
 *	DERIVED_THREAD_NAMES	struct thread_names_source	tnav/engine/thread_names.h
 *	DERIVED_COMMS		lent as DERIVED_THREAD_NAMES: with the kernel's names of threads
 *	DERIVED_SPANS		struct span_source		tnav/engine/spans.h
 *	DERIVED_ACTIVITIES	struct activity_source		tnav/engine/spans.h
 *	DERIVED_DELTAS		struct deltas			tnav/engine/deltas.h
 */
#ifndef TNAV_ENGINE_DERIVED_H
#define TNAV_ENGINE_DERIVED_H

#include <stdint.h>

struct trace;

enum derived {
	DERIVED_SYMBOLS, DERIVED_THREAD_NAMES, DERIVED_COMMS, DERIVED_SPANS, DERIVED_ACTIVITIES,
	DERIVED_DELTAS, DERIVEDS
};

/* Sets of kinds. */
#define NEEDS(kind)		(1u << (kind))
#define NEEDS_SYMBOLS		NEEDS(DERIVED_SYMBOLS)
#define NEEDS_WHO		NEEDS(DERIVED_THREAD_NAMES)
#define NEEDS_COMMS		NEEDS(DERIVED_COMMS)
#define NEEDS_SPANS		NEEDS(DERIVED_SPANS)
#define NEEDS_ACTIVITIES	NEEDS(DERIVED_ACTIVITIES)
#define NEEDS_DELTAS		NEEDS(DERIVED_DELTAS)
/* Those that follow from the order of all events: whoever shows them reads events in that order. */
#define NEEDS_ORDER		NEEDS_DELTAS

/* Lend a source, or what begins with one, or take it back with NULL, while no thread uses the
   trace. The caller owns it. */
void	trace_lend(struct trace *t, enum derived kind, const void *source);
/* The source; NULL: nobody made the fact, and no event has it. */
const void *trace_lent(struct trace *t, enum derived kind);
/* How often names of frames were lent. Other kinds change trace_generation(). */
uint64_t trace_namer_generation(struct trace *t);

#endif
