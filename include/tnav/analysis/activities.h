/*
 * Activities: events of several threads that belong together, by their activity ids.
 *
 *	//1/2		Order 53 ms	a start names the activity that was current: its parent
 *	  //1/2/1	  Step 27 ms
 *	  //1/2/1/2	  Step 11 ms	its id lies below //1/2/1, its parent is //1/2
 *
 * A parent is the related id of the activity's start, else the nearest id above it by path. Labels
 * TraceId and SpanId (V6) are a tree of two levels of their own.
 *
 * The critical path is what the end of an activity waited for: at each moment the child that ended
 * last. The times of its parts add up to the time of its head.
 */
#ifndef TNAV_ANALYSIS_ACTIVITIES_H
#define TNAV_ANALYSIS_ACTIVITIES_H

#include "tnav/analysis/spans.h"
#include "tnav/analysis/table.h"
#include "tnav/engine/pass.h"

#define ACTIVITY_NONE	UINT32_MAX

enum activity_kind { ACTIVITY_ID, ACTIVITY_TRACE, ACTIVITY_SPAN };

/* A moment of the trace: which of two events is first. */
struct moment {
	int64_t		ts;
	uint64_t	off;
};

struct activity {
	uint8_t		kind;
	uint8_t		id[24];		/* a GUID; a TraceId; a TraceId and a SpanId */
	uint64_t	events, as_related, starts, stops, exceptions;
	int64_t		first, last;	/* ticks; of events that carry it as their own */
	struct moment	seen;		/* as own or related id */
	uint32_t	thread;		/* that it was seen on */
	bool		seen_related;	/* ... as the related id */
	bool		has_path;
	uint32_t	creator;	/* type of its first start, at: or ACTIVITY_NONE */
	struct moment	at;
	uint32_t	by_path, by_related, parent;	/* or ACTIVITY_NONE */
	uint32_t	up, depth;	/* the parent, but for where parents go in a circle */
	uint64_t	span;		/* that began it, or SPAN_NO_ROW */
	int64_t		self;		/* ns, of one whose span is paired: without its children */
	uint32_t	head;		/* the uppermost above it (or itself) whose span is
					   paired, whose critical path it may be on */
	bool		critical;	/* on the way that the end of its head waited for, */
	int64_t		way_from, way;	/* ... there from then on, and so long by itself: ns */
};

struct activities;

struct activities_options {
	const struct filter	*filter;	/* events that count; NULL: all */
	int64_t			 from, to;
	bool			 has_from, has_to;
	unsigned		 workers;
	bool			(*tick)(void *arg, uint64_t done, uint64_t all);
	void			*tick_arg;
};

/*
 * All activities of a complete index. spans (or NULL) must be built and live as long. 0, or
 * ERR_CANCELED and *out NULL.
 */
int	activities_new(struct activities **out, struct trace *t, struct spans *spans,
	    const struct activities_options *o, struct pass_result *result);
void	activities_free(struct activities *a);		/* NULL is fine */
size_t	activities_bytes(const struct activities *a);	/* of memory, about */

/* In the order of the tree: parents before their children, these by when they were first seen. */
uint32_t	activities_count(const struct activities *a);
const struct activity *activities_at(const struct activities *a, uint32_t i);
/* The activity with this id, or ACTIVITY_NONE: an entry, as `up` and `parent` are. */
uint32_t	activities_find(const struct activities *a, const uint8_t guid[16]);
const struct activity *activities_entry(const struct activities *a, uint32_t entry);
/* Lend the tree to the trace: filters know what is within what then. It must live until another
   source is set. */
void	activities_lend(struct activities *a);
/* One line on what is missing, and what to collect; or NULL. */
const char	*activities_remark(struct activities *a);

enum activities_column {
	ACT_KIND, ACT_ACTIVITY, ACT_PATH, ACT_NAME, ACT_CREATOR, ACT_START, ACT_DUR, ACT_SELF,
	ACT_STATE, ACT_EVENTS, ACT_AS_RELATED, ACT_FIRST, ACT_LAST, ACT_THREADS, ACT_STARTS,
	ACT_STOPS, ACT_EXCEPTIONS, ACT_BY_PATH, ACT_BY_RELATED, ACT_PARENT, ACT_PARENT_PATH,
	ACT_CRITICAL, ACT_CRITICAL_TIME, ACT_CRITICAL_SHARE, ACT_ACTIVITIES, ACT_PATHS,
	ACT_OTHER_IDS, ACT_WITHOUT, ACT_WITH, ACT_ROOTS, ACT_REUSED, ACT_SAME,
	ACT_DIFFERS, ACT_COLUMNS,
};
extern const struct table_column activities_column[ACT_COLUMNS];

#define ACTIVITIES_SUMMARY	0x1u	/* one more row, what all of it comes to */
#define ACTIVITIES_INDENT	0x2u	/* names stand in by their depth */
#define ACTIVITIES_LINE		0x4u	/* the critical path is a line before the names */
#define ACTIVITIES_ASCII	0x8u
struct table	*activities_table(struct activities *a, unsigned flags);

#endif
