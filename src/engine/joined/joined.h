/*
 * A trace that is several traces joined: its sources, and what it asks of them.
 *
 *	source 0   | type 0 1 2 | thread 0 1   | off 0x0000...	numbers of a source begin
 *	source 1   | type 3 4   | thread 2 3 4 | off 0x0001...	after those of the one before
 *
 * Private to the engine.
 */
#ifndef ENGINE_JOINED_JOINED_H
#define ENGINE_JOINED_JOINED_H

#include "engine/index/index.h"
#include "tnav/engine/joined.h"

/* An event that an earlier source has too: offset in its file, bytes of the payload, indexes. */
struct repeat {
	uint64_t	off;
	uint32_t	size, type, thread;
};

struct repeats {
	struct repeat	*v;		/* by offset */
	size_t		 n, cap;
};

struct joined_source {
	struct trace		*t;
	struct repeats		 repeats;	/* they are left out */
	struct clock_map	 clock;
	uint32_t		 type0, thread0;
	enum trace_clock	 by;
};

struct joined {
	struct joined_source	*source;
	uint32_t		 n;
	struct trace_join	 how;
	int64_t			*shift;		/* how.shift */
	_Atomic uint32_t	 reading;	/* the source whose index is being made */
	/* Make the index: those of the sources, then that of the whole. */
	void			(*index)(struct trace *t);
};

/* ---- align.c: set the clocks of all sources, when their indexes are complete */
void	joined_clocks(struct trace *t);

/* ---- clock.c */
int64_t	clock_from(const struct clock_map *c, int64_t ts);	/* the reverse, about */

bool	clock_same(const struct clock_map *a, const struct clock_map *b);

/* ---- repeats.c: find the repeats of all sources, when their clocks are set */
void	joined_repeats(struct trace *t);

/* ---- events of a source as those of the joined trace */
static inline const struct joined_source *
joined_source(const struct trace *t, uint32_t source)
{
	return &t->joined->source[source];
}

/* The trace in whose file the segment lies. */
static inline struct trace *
segment_home(struct trace *t, const struct segment *g)
{
	return t->joined != NULL ? t->joined->source[g->source].t : t;
}

/* The trace in whose file the event lies. *e becomes a copy in *own, with the offset there. */
static inline struct trace *
event_home(struct trace *t, const struct event **e, struct event *own)
{
	if (t->joined == NULL)
		return t;
	t = t->joined->source[event_source(*e)].t;
	*own = **e;
	own->off &= EVENT_OFFSET;
	*e = own;
	return t;
}

/* ---- trace.c */
/* A trace over joined ones. */
struct trace *trace_over(struct joined *j, const char *path, const struct trace_options *opt);

/* ---- events.c */
/* Decoded events of a source get the times and offsets of the joined trace. */
void	joined_events(const struct trace *t, uint32_t source, struct event *ev, size_t n);
/* How many have an offset in (after, to]. */
size_t	repeats_between(const struct repeats *r, uint64_t after, uint64_t to);
/* Drop them from events in the order of the file. Returns how many are left. */
size_t	repeats_drop(const struct repeats *r, struct event *e, size_t n);

#endif
