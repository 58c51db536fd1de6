/* What events say about threads and processes, and what threads did. */
#ifndef ANALYSIS_ROLES_THREAD_EVENTS_H
#define ANALYSIS_ROLES_THREAD_EVENTS_H

#include <stdatomic.h>

#include "tnav/analysis/roles.h"
#include "tnav/base/buf.h"

/* What a thread did. */
enum deed {
	DID_FINALIZE	= 0x01,
	DID_POOL	= 0x02,		/* took work from the thread pool, or waited for some */
	DID_TIER	= 0x04,		/* recompiled methods */
	DID_SAMPLE	= 0x08,		/* sampled other threads */
	DID_COLLECT	= 0x10,		/* marked a heap of its own, or in the background */
	DID_RUNDOWN	= 0x20,
};

/* Flags of ThreadCreated. */
#define FLAG_COLLECTOR	0x1u
#define FLAG_FINALIZER	0x2u
#define FLAG_POOL	0x4u

/* From ThreadCreated: the runtime created a thread with this id. */
struct created_thread {
	uint64_t	pid, tid;
	uint32_t	source, flags, index;
};

enum name_owner { NAME_OF_THREAD, NAME_OF_PROCESS, NAME_OF_COMMAND };

/* A name of a thread, of a process, or of the program of a process. */
struct given_name {
	enum name_owner	of;
	uint32_t	source;
	uint64_t	pid, tid;
	int64_t		ts;
	size_t		at, len;	/* of the text */
};

struct thread_events {
	_Atomic uint32_t	*did;	/* by thread: enum deed */
	uint32_t		 nthreads;
	struct created_thread	*thread;	/* in the order of the file; so are the names */
	size_t			 nthread, thread_cap;
	struct given_name	*name;
	size_t			 nname, name_cap;
	struct buf		 text;
};

#define NO_PID	UINT64_MAX	/* process of a trace that does not name one */

/* Read the trace. Returns 0 or ERR_CANCELED. The caller releases it in both cases. */
int	thread_events_read(struct trace *t, struct thread_events *out,
	    const struct pass_options *o);
void	thread_events_release(struct thread_events *h);

#endif
