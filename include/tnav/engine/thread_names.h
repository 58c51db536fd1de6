/*
 * Names and roles of threads and processes that are not in the file's own tables. The engine shows
 * and compares them, but does not find them: their finder (tnav/analysis/roles.h) lends the trace a
 * source.
 *
 *	thread 18	role "finalizer"	derived: it ran finalizers
 *	thread 4711	process "dotnet"	the trace names process 4700
 */
#ifndef TNAV_ENGINE_THREAD_NAMES_H
#define TNAV_ENGINE_THREAD_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/engine/derived.h"

/* The roles that threads may have. */
enum thread_role {
	ROLE_MAIN, ROLE_FINALIZER, ROLE_SAMPLER, ROLE_TIER, ROLE_POOL, ROLE_GC, ROLE_RUNDOWN, ROLES,
};
extern const char *const	thread_roles[ROLES + 1];	/* their names; NULL at the end */

/* Texts are UTF-8 of any content, or NULL if not known. The source owns them. */
struct thread_names {
	const char	*name;		/* set by an event */
	const char	*role;		/* "pool worker" */
	const char	*comm;		/* the kernel's last name of the thread */
	/* What to show if it has no name: the role, in brackets if it is derived, or else comm in
	   brackets. */
	const char	*label;
	const char	*process;	/* the name of its process */
	bool		 derived;	/* the role is derived from what the thread did */
};

/* A source of words. Its function is called by any thread at any time. */
struct thread_names_source {
	void	*self;
	/* The words for the thread with this index in the trace. False: nothing is known, and out
	   is not changed. */
	bool	(*words)(void *self, uint32_t thread, struct thread_names *out);
};

/* The words for a thread; all NULL if there is no source, or nothing is known. */
void	trace_thread_names(struct trace *t, uint32_t thread, struct thread_names *out);

#endif
