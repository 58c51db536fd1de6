/*
 * The process that wrote the trace, as its events describe it, and the providers with their counts.
 * For each event type that describes the process, only the first event is read.
 */
#ifndef TNAV_ANALYSIS_ORIGIN_H
#define TNAV_ANALYSIS_ORIGIN_H

#include "tnav/base/buf.h"
#include "tnav/engine/trace.h"

#define ORIGIN_ROWS	65536u		/* how many rows of one time are searched for that event */

/* Texts as in the events: UTF-8, not cleaned. Empty: unknown. */
struct origin {
	struct buf	command, os, arch;
	struct buf	runtime;	/* "10.0.12.0": the version of the base class library */
	struct buf	library;	/* the path of the runtime */
	uint64_t	processes;	/* if there are several, the texts are empty */
	unsigned	read;		/* bits: the kinds of which an event was read */
};

/* origin_read() reads the events that are indexed so far; call it again when the file has grown. */
void	origin_read(struct origin *o, struct trace *t);
void	origin_release(struct origin *o);

struct provider_count {
	const char	*name;		/* the trace's */
	uint64_t	 events;
};

/* All providers, most events first, then by name. Returns their number. Use mem_free() on *out. */
size_t	provider_counts(struct trace *t, struct provider_count **out);

/* The base name of the program at the beginning of a command line: dotnet of "/bin/dotnet x". */
struct span	command_program(struct span command);
/* What people call it: clinic of "dotnet /srv/clinic.dll leak 8", else the program. */
struct span	command_name(struct span command);

#endif
