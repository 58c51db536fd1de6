/*
 * Names and roles of threads and processes that are not in the file's own tables. The engine shows
 * and compares them, but does not find them: their finder (tnav/analysis/roles.h) lends the trace a
 * source.
 *
 *	thread 18	role "finalizer"	derived: it ran finalizers
 *	thread 4711	process "dotnet"	the trace told of process 4700
 */
#ifndef TNAV_ENGINE_WHO_H
#define TNAV_ENGINE_WHO_H

#include <stdbool.h>
#include <stdint.h>

struct trace;

/* Texts are UTF-8 of any content, and NULL where nothing is known; they are the source's. */
struct who_words {
	const char	*name;		/* that an event gave the thread */
	const char	*role;		/* "pool worker" */
	const char	*comm;		/* what the kernel called it last */
	/* What to show of it where it has no name: the role, in brackets where it is derived, or
	   else comm in brackets. */
	const char	*label;
	const char	*process;	/* what its process is called */
	bool		 derived;	/* no event says the role: it follows from what it did */
};

/* Who knows. Its function is called by any thread at any time. */
struct who_source {
	void	*self;
	/* Of the thread with the trace's index. False: nothing is known, and out is not changed. */
	bool	(*words)(void *self, uint32_t thread, struct who_words *out);
};

/* Lend a source, or take it back with NULL: when no thread uses the trace. It is the lender's. */
void	trace_set_who(struct trace *t, const struct who_source *s);
/* All NULL where there is no source, or it knows nothing. */
void	trace_who(struct trace *t, uint32_t thread, struct who_words *out);

#endif
