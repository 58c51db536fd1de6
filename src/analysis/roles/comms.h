/* The kernel's names of threads ("comm"), from its context switches. */
#ifndef ANALYSIS_ROLES_COMMS_H
#define ANALYSIS_ROLES_COMMS_H

#include "tnav/analysis/roles.h"
#include "tnav/base/cursor.h"
#include "tnav/base/idmap.h"

struct comm;

struct comms {
	struct trace		*t;
	struct comm		*v;
	size_t			 n, cap;
	struct idmap		 at;		/* of v, by key */
	bool			 foreign;	/* kernel ids differ from the trace's ids */
};

/* Read the trace. Returns 0 or ERR_CANCELED. The caller calls comms_release() in both cases. */
int	comms_read(struct trace *t, struct comms *out, const struct pass_options *o);
void	comms_release(struct comms *c);
/* The last name of a thread of the trace; empty: unknown. */
struct span comms_of(const struct comms *c, const struct thread_stat *st);

#endif
