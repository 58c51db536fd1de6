/*
 * Encoders: a profile or a timeline as a file of another program. They know the format and nothing
 * of traces; what gives them a trace knows nothing of formats.
 *
 *	calltree_profile(), calltree_sums()	-> folded, speedscope, pprof
 *	timeline_give()				-> chrome, perfetto
 */
#ifndef TNAV_OUT_CONVERT_H
#define TNAV_OUT_CONVERT_H

#include "tnav/analysis/profile.h"
#include "tnav/analysis/timeline.h"
#include "tnav/io/output.h"

/* How the state of an encoder is made. It begins with what it writes to. */
struct encoder {
	size_t	  size;
	void	(*release)(void *self);
};

struct encoder_to {
	struct output	*o;
	const char	*name;		/* what the program shows; borrowed */
};

void	*encoder_new(const struct encoder *e, struct output *o, const char *name);
void	 encoder_free(const struct encoder *e, void *self);

struct profile_encoder {
	struct profile_ops	 ops;
	struct encoder		 state;
	/* Stacks that were cut short, because their names are longer than STACK_TEXT_MOST; or NULL:
	   none is. */
	uint64_t		 (*cut)(const void *self);
};

struct timeline_encoder {
	struct timeline_ops	 ops;
	struct encoder		 state;
};

extern const struct timeline_encoder	convert_chrome, convert_perfetto;
extern const struct profile_encoder	convert_folded, convert_speedscope, convert_pprof;

#endif
