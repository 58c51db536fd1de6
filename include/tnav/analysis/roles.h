/*
 * Names and roles of threads and processes, from the events of the trace.
 *
 *	roles_new(t, &o) -> trace_lend(t, DERIVED_THREAD_NAMES, r)
 *	-> threads have words (tnav/engine/thread_names.h)
 *	-> trace_lend(t, DERIVED_THREAD_NAMES, NULL), roles_free()
 */
#ifndef TNAV_ANALYSIS_ROLES_H
#define TNAV_ANALYSIS_ROLES_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/engine/pass.h"
#include "tnav/engine/thread_names.h"

struct roles;

/* The number of events that describe threads and processes. */
uint64_t	 roles_events(struct trace *t);
/* Are there events that name threads? If so, the field `thread` uses them, too. */
bool		 roles_name_threads(struct trace *t);
/* Are there events with the kernel's names of threads? */
bool		 roles_have_comms(struct trace *t);
/*
 * One pass on all cores over the events that describe threads and processes, if there are any; with
 * comms another one over all context switches, for the kernel's names of threads. o: workers and
 * tick. NULL: it was cancelled. Memory is proportional to the threads and to the events that
 * describe one.
 */
struct roles	*roles_new(struct trace *t, const struct pass_options *o, bool comms);
void		 roles_free(struct roles *r);	/* NULL is fine */
uint64_t	 roles_bytes(const struct roles *r);

#endif
