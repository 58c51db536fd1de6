/*
 * A trace that is several traces joined: its sources, and what it asks of them.
 *
 *	source 0   | type 0 1 2 -> 0 1 3 | off 0x0000...	its indexes -> those of the whole,
 *	source 1   | type 0 1   -> 2 4   | off 0x0001...	given as the sources grow
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
	uint32_t		 program;	/* of repeats.c: the first source of its rotation,
						   or itself */
	struct clock_map	 clock;
	_Atomic enum trace_clock by;		/* CLOCK_AUTO: the clock is not set yet */
	struct segvec		 type, thread;	/* of uint32_t: index -> that of the whole */
	/* For the committer: */
	uint64_t		 taken;		/* segments that the whole has */
	uint32_t		*missing;	/* types of which the whole has a placeholder */
	size_t			 nmissing, missing_cap;
	bool			 started;	/* its index grows in a thread of its own */
	bool			 ended, rests;	/* no more comes; nothing comes at the moment */
	int64_t			 bound;		/* ticks of the whole: no event is earlier that
						   comes; INT64_MIN: not known */
	unsigned		 late;		/* how often one was earlier */
	uint64_t		 segments;	/* that it had when something came last, at: */
	int64_t			 came_ns;
};

/* What a type or thread of the whole is. */
struct source_index {
	uint32_t	source, index;
};

/* Numbers of segments. */
struct segment_set {
	uint64_t	*v;
	size_t		 n, cap;
};

/* What trace.c and snapshots.c ask of those above them. Arrays are the caller's. */
struct joined_ops {
	/* Make the index of the whole, until all sources have ended or it is canceled. */
	void	(*index)(struct trace *t);
	/* Its last region was opened again: so are its segments. */
	void	(*open_again)(struct trace *t);
	size_t	(*type_stats)(struct trace *t, struct type_stat **out);
	size_t	(*thread_stats)(struct trace *t, struct thread_stat **out);
	void	(*thread)(struct trace *t, uint32_t thread, struct thread_stat *out);
	size_t	(*gaps)(struct trace *t, struct gap **out);
	void	(*loss)(struct trace *t, struct loss *out);
};

struct joined {
	const struct joined_ops	*ops;
	struct joined_source	*source;
	uint32_t		 n;
	struct trace_join	 how;
	int64_t			*shift;		/* how.shift */
	_Atomic uint32_t	 reading;	/* the source whose index is being made */
	struct segvec		 types, threads;	/* of struct source_index */
	struct news		 news;
	struct lock		*follow;	/* while sources begin to be followed, or end */
	bool			 ended;		/* with follow: no source is followed */
	/* For the committer, see grow.c: */
	struct segment_set	 ahead, open, late;
	uint64_t		 credit;	/* events that may be decoded to close regions */
	struct {
		int64_t	at_ns, tmost;
	}			 now, past;	/* the latest time, some seconds apart */
};

/* ---- grow.c: of struct joined_ops */
void	joined_index(struct trace *t);
void	joined_open_again(struct trace *t);

/* ---- align.c: set the clock of a source, if what it is made of is known by now */
bool	joined_clock(struct trace *t, uint32_t source);

/* ---- clock.c */
int64_t	clock_from(const struct clock_map *c, int64_t ts);	/* the reverse, about */

bool	clock_same(const struct clock_map *a, const struct clock_map *b);

/* ---- repeats.c: find the repeats of all sources, when their clocks are set */
void	joined_repeats(struct trace *t);

/* ---- counts.c: of struct joined_ops; from what the sources say now */
size_t	joined_type_stats(struct trace *t, struct type_stat **out);
size_t	joined_thread_stats(struct trace *t, struct thread_stat **out);
void	joined_thread(struct trace *t, uint32_t thread, struct thread_stat *out);
size_t	joined_gaps(struct trace *t, struct gap **out);
void	joined_loss(struct trace *t, struct loss *out);

/* What the index of a type or thread in a source is in the whole, which is known to have it. */
static inline uint32_t
number_in_whole(const struct segvec *of, uint64_t index)
{
	return *(const uint32_t *)segvec_known(of, index);
}

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
