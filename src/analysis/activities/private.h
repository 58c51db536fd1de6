/*
 * Activities as their parts see them.
 *
 *	events -> found (any thread, each its own) -> found (merged) -> tree
 */
#ifndef ANALYSIS_ACTIVITIES_PRIVATE_H
#define ANALYSIS_ACTIVITIES_PRIVATE_H

#include "tnav/analysis/activities.h"
#include "tnav/base/hashtable.h"
#include "tnav/engine/joined.h"
#include "tnav/engine/spans.h"
#include "tnav/model/activity.h"

/* Two numbers that belong together: an activity and a thread; an activity and a related one. */
struct link {
	uint32_t	a, b;
	uint64_t	n;
	struct moment	first;
};

#define LOW_THREADS	64u	/* threads below it are bits, and not links */

struct links {
	struct link	*v;
	size_t		 n, cap;
	size_t		 packed;	/* the first ones: sorted by a, then b; no two are equal */
	struct link	*more;		/* room to pack the others */
	size_t		 more_cap;
};

/* What a list of labels says. */
struct list_ids {
	bool		own, related, trace, span, has_opcode;
	uint8_t		opcode;
	uint8_t		own_id[24], related_id[24];
	uint8_t		span_id[24];		/* the TraceId, then the SpanId */
};

/* What an event does to a span whose key is its activity alone. */
enum end_role {
	END_NOTHING,
	END_START,
	END_STOP,
	END_MIXED,		/* only pairing understands it */
};

#define END_OPCODES	4u	/* 0, 1, 2, and all others */

struct id_lists;

/* What is found in events: of some pieces, or of all. */
struct found {
	struct trace		*t;
	struct spans		*spans;		/* know what types are to spans */
	bool			 has_labels;	/* the trace: ids are labels then */
	struct activity		*v;
	size_t			 n, cap;
	struct hashtable	 table;
	struct links		 threads;	/* other than low ones */
	struct links		 related;	/* of starts */
	uint64_t		 with, without;	/* events with an activity id of their own, ... */
	uint64_t		 strays;	/* stops and the like without an id */
	uint64_t		 beyond;	/* ids that are not kept */
	bool			 full;		/* an id or a link is not kept */
	struct type_role	*role;		/* by type */
	size_t			 nroles;
	struct id_lists		*lists;		/* of labels; NULL: not asked for yet */
};

struct path_entry {
	uint64_t	hash;
	uint32_t	entry;
};

struct activities {
	struct activity_source	 source;	/* the first: it is lent */
	struct trace		*t;
	struct spans		*own;		/* those of activities_complete() */
	struct found		 all;
	bool			 has_all;	/* all events of the trace, and all ids */
	struct thread_stat	*thread;	/* those that there were when all was found */
	size_t			 nthreads;
	uint32_t		*order;		/* by the tree */
	uint32_t		*at, *end;	/* of an entry, in order; for a source */
	struct path_entry	*path;		/* by hash; for a source */
	size_t			 paths_known;
	struct buf		 remark;
	uint64_t		 roots, paths, reused, same, differs;
};

/* In an id of ACTIVITY_ID: the source. Processes of several traces may have equal paths. */
#define ACTIVITY_SOURCE	23u
_Static_assert(SOURCES_MOST <= 256, "a source is a byte of an id");

static inline bool
moment_before(const struct moment *a, const struct moment *b)
{
	return a->ts != b->ts ? a->ts < b->ts : a->off < b->off;
}

void	found_init(struct found *f, struct trace *t, struct spans *s);
void	found_release(struct found *f);
void	found_clear(struct found *f);		/* keeps what it knows of types */
void	found_add(struct found *f, const struct pass_batch *b);
/* `from` is used up: it can be cleared or released. */
void	found_merge(struct found *f, struct found *from);
void	found_end(struct found *f);		/* all was added: pack the links */
uint32_t found_find(const struct found *f, enum activity_kind kind, const uint8_t *id);
/* The entry of an activity of a source. */
uint32_t found_activity(const struct found *f, uint32_t source, const uint8_t guid[16]);

struct id_lists	*id_lists_new(void);
void		 id_lists_free(struct id_lists *l);
/* Of the event's list, until the next call. The event has one. */
const struct list_ids *id_lists_get(struct id_lists *l, struct trace *t, const struct event *e);

/* The path that its id is; false: it is none. */
bool	parents_path(const struct activities *a, const struct activity *v,
	    struct activity_path *out);
/* Parents in other traces, before the order. */
void	remotes_find(struct activities *a);
/* Parents, order, times: what follows from all that was found. spans: where those are whose ends
   are not decided; or NULL. */
void	parents_find(struct activities *a, const struct spans *spans);

/* What events of the type are, by opcode. */
void	ends_roles(struct spans *s, uint32_t type, uint8_t role[END_OPCODES]);
/* Give it its span, if its own events tell which one. False: pairing has to. */
bool	ends_decide(struct activities *a, struct activity *v);
/* The span that its first start begins. */
void	activity_span(const struct activities *a, struct activity *v,
	    const struct span_record *r);
/* ns; false: it has no span that is paired. */
bool	activity_dur(const struct activities *a, const struct activity *v, int64_t *dur);

#endif
