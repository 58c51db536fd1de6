/*
 * Names and roles of threads and processes, from the events of the trace.
 *
 *	roles_new(t, &o) -> roles_lend() -> threads have words (tnav/engine/who.h)
 *	-> trace_set_who(t, NULL), roles_free()
 */
#ifndef TNAV_ANALYSIS_ROLES_H
#define TNAV_ANALYSIS_ROLES_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/engine/trace.h"
#include "tnav/engine/who.h"

struct roles;

struct roles_options {
	/* Now and then while the trace is read; true ends it. Or NULL. */
	bool	(*tick)(void *arg, uint64_t done, uint64_t all);
	void	*arg;
	/* What the kernel calls threads, too: another pass, over all switches between threads. */
	bool	comms;
};

/* How many events of the trace tell of threads and processes. */
uint64_t	 roles_told(struct trace *t);
/* Are there events that give threads names? Then the field `thread` is made of them, too. */
bool		 roles_name_threads(struct trace *t);
/* Are there events by which a kernel names threads? */
bool		 roles_have_comms(struct trace *t);
/*
 * One pass on all cores over the events that tell something; none, where there are none. NULL where
 * tick() ended it. Memory follows threads and the events that tell of some.
 */
struct roles	*roles_new(struct trace *t, const struct roles_options *o);
void		 roles_free(struct roles *r);	/* NULL is fine */
uint64_t	 roles_bytes(const struct roles *r);
/* Have the trace's threads described by it, until trace_set_who() is given another or NULL. */
void		 roles_lend(struct roles *r);

#endif
