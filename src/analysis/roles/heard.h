/* What events say about threads and processes, and what threads did. */
#ifndef ANALYSIS_ROLES_HEARD_H
#define ANALYSIS_ROLES_HEARD_H

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
struct heard_thread {
	uint64_t	pid, tid;
	uint32_t	flags, index;
};

enum heard_of { HEARD_THREAD, HEARD_PROCESS, HEARD_COMMAND };

/* A name of a thread, of a process, or of the program of a process. */
struct heard_name {
	enum heard_of	of;
	uint64_t	pid, tid;
	int64_t		ts;
	size_t		at, len;	/* of the text */
};

struct heard {
	_Atomic uint32_t	*did;	/* by thread: enum deed */
	uint32_t		 nthreads;
	struct heard_thread	*thread;	/* in the order of the file; so are the names */
	size_t			 nthread, thread_cap;
	struct heard_name	*name;
	size_t			 nname, name_cap;
	struct buf		 text;
};

#define NO_PID	UINT64_MAX	/* process of a trace that does not name one */

/* Read the trace. Returns 0 or ERR_CANCELED. The caller calls heard_release() in both cases. */
int	hear(struct trace *t, struct heard *out, const struct roles_options *o);
void	heard_release(struct heard *h);
/* The number of events that describe threads and processes. */
uint64_t heard_events(struct trace *t);
/* Does the trace have events that name threads? */
bool	heard_names_threads(struct trace *t);

#endif
