/*
 * What the kernel calls threads ("comm"), by its switches between them.
 */
#ifndef ANALYSIS_ROLES_COMMS_H
#define ANALYSIS_ROLES_COMMS_H

#include "tnav/analysis/roles.h"
#include "tnav/base/cursor.h"
#include "tnav/base/hashtable.h"

struct comm;

struct comms {
	struct comm		*v;
	size_t			 n, cap;
	struct hashtable	 at;
	uint64_t		 seed;
	bool			 foreign;	/* the kernel's ids are not those of the trace */
};

/* Has the trace events of a kind that names threads so? */
bool	comms_told(struct trace *t);
/* Go over the trace. 0, or ERR_CANCELED; what was read is released by the caller anyway. */
int	comms_read(struct trace *t, struct comms *out, const struct roles_options *o);
void	comms_release(struct comms *c);
/* What the trace's thread with the id was called last; empty: nothing is known. */
struct span comms_of(const struct comms *c, uint32_t thread, uint64_t tid);

#endif
