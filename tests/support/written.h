/*
 * A trace that a test writes to a file of its own. At the end of the rule it is closed, and the file
 * removed.
 *
 *	struct written *f = written_open(write_events, &(struct trace_options){ .workers = 1 });
 */
#ifndef TNAV_TESTS_WRITTEN_H
#define TNAV_TESTS_WRITTEN_H

#include "nt4_writer.h"
#include "tnav/engine/trace.h"

struct written {
	char			 path[128];
	struct nt4_writer	 w;		/* what the file was made of */
	struct trace		*t;		/* indexed */
};

struct written	*written_open(void (*write_trace)(struct nt4_writer *w),
		    const struct trace_options *opt);
void		 written_close(struct written *f);	/* now */

#endif
