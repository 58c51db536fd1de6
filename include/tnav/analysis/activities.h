/*
 * Activities: events of several threads that belong together because they have the same activity
 * id.
 *
 *	//1/2		Order 53 ms	a start names the current activity: its parent
 *	  //1/2/1	  Step 27 ms
 *	  //1/2/1/2	  Step 11 ms	its id lies below //1/2/1, its parent is //1/2
 *
 * The parent of an activity is the related id of its start, else the nearest id above it by path.
 * The labels TraceId and SpanId (V6) form a tree of their own with two levels.
 *
 * The critical path of an activity is what its end waited for: at each moment, the child that ended
 * last. The times of the parts of the path add up to the duration of the activity.
 */
#ifndef TNAV_ANALYSIS_ACTIVITIES_H
#define TNAV_ANALYSIS_ACTIVITIES_H

#include "tnav/analysis/spans.h"
#include "tnav/analysis/columns.h"
#include "tnav/engine/pass.h"

#define ACTIVITY_NONE	UINT32_MAX

enum activity_kind { ACTIVITY_ID, ACTIVITY_TRACE, ACTIVITY_SPAN };

/* The place of an event: its time, and its offset among events of that time. */
struct moment {
	int64_t		ts;
	uint64_t	off;
};

/* What an event changes comes first. */
struct activity {
	uint8_t		id[24];		/* a GUID; a TraceId; a TraceId and a SpanId */
	uint8_t		kind;
	bool		seen_related : 1;	/* the event of `seen` has it as the related id */
	bool		mixed : 1;	/* it has starts or stops that only pairing understands */
	bool		has_path : 1;
	bool		has_span : 1;	/* its first start begins one */
	bool		critical : 1;	/* it is on the critical path of its head, ... */
	uint8_t		state;		/* of the span: enum span_state */
	uint32_t	thread;		/* of the event of `seen` */
	uint64_t	events, as_related;
	int64_t		first, last;	/* ticks; of events with it as own id */
	struct moment	seen;		/* first event with it as own or related id */
	struct moment	at;		/* of its first start, if it has a creator */
	uint64_t	low_threads;	/* of its events: bit i is thread i, if i < 64 */
	uint64_t	starts, stops;
	uint32_t	creator;	/* type of its first start, or ACTIVITY_NONE */
	uint32_t	stopper;	/* of its first stop, or ACTIVITY_NONE */
	union {
		struct {		/* until its span is decided */
			struct moment	stop;	/* its first stop, if it has a stopper */
			int64_t		again;	/* ticks of its second start, or INT64_MAX */
		};
		struct {		/* in the tree */
			uint32_t	up, depth;	/* the parent, except where cycles of
							   parents were cut */
			/* critical: from way_from on, for `way` ns of its own */
			int64_t		way_from, way;
		};
	};
	uint64_t	exceptions;
	uint32_t	by_path, by_related, parent;	/* or ACTIVITY_NONE */
	uint32_t	head;		/* the topmost activity with a paired span that this one
					   lies in, or itself: the head of its critical path */
	int64_t		end;		/* ticks; of a paired span */
	int64_t		self;		/* ns without its children, where the span is paired */
};

struct activities;

/*
 * Find the activities of a complete index; activities_join() completes them. Returns 0, or
 * ERR_CANCELED with *out NULL.
 */
int	activities_new(struct activities **out, struct trace *t,
	    const struct pass_options *o, struct pass_result *result);
/*
 * Find their parents, order and times, once. spans may be NULL; if not, they must be built and live
 * as long as the activities.
 */
void	activities_join(struct activities *a, struct spans *spans);
/*
 * Make and keep the spans that are needed for that, and join them. Returns 0 or ERR_CANCELED.
 * *remark: what spans_remark() says, or NULL.
 */
int	activities_complete(struct activities *a, const struct pass_options *o,
	    const char **remark);
void	activities_free(struct activities *a);		/* NULL is fine */
size_t	activities_bytes(const struct activities *a);	/* of memory, about */

/* Activities in the order of the tree: parents before children, siblings by first occurrence. */
uint32_t	activities_count(const struct activities *a);
const struct activity *activities_at(const struct activities *a, uint32_t i);
/* The entry of the activity with this id in a source, or ACTIVITY_NONE. `up` and `parent` are
   entries, too. */
uint32_t	activities_find(const struct activities *a, uint32_t source,
		    const uint8_t guid[16]);
const struct activity *activities_entry(const struct activities *a, uint32_t entry);
/* Append what filters call it: its path, if it was prepared and no other activity has the path,
   else its id. */
void	activities_put_name(const struct activities *a, uint32_t entry, struct buf *out);
/* Prepare the tree to be lent to the trace, for `within` in filters, once. */
void	activities_prepare(struct activities *a);
/* One line about what is missing, and what to collect; or NULL. */
const char	*activities_remark(struct activities *a);


#define ACTIVITIES_SUMMARY	0x1u	/* one more row: the totals */
#define ACTIVITIES_INDENT	0x2u	/* names are indented by depth */
#define ACTIVITIES_LINE		0x4u	/* on the screen a line before the names marks the
					   critical path */
#define ACTIVITIES_ASCII	0x8u
struct table	*activities_table(struct activities *a, unsigned flags);
/* The row of an entry; TABLE_NO_ROW: there is none. */
size_t		 activities_table_row(const struct table *t, uint32_t entry);

#endif
