/*
 * What the files of event output share.
 */
#ifndef TNAV_OUT_EVENT_PRIVATE_H
#define TNAV_OUT_EVENT_PRIVATE_H

#include "tnav/base/arena.h"
#include "tnav/base/limits.h"
#include "tnav/model/value.h"
#include "tnav/out/event.h"

struct event_out {
	struct trace			*t;
	const struct trace_info		*info;
	struct out_style		 st;
	struct event_out_options	 opt;
	struct arena			 arena;		/* the prefixes */
	struct span			*prefix;	/* of each type: its part of the JSON */
	size_t				 prefixes;
	struct event_who		*who;		/* of each thread */
	size_t				 whos;
	bool				 sequence;
	bool				 labelled;	/* V6: labels and thread indexes */
	bool				 spans;		/* Heph: types are names and no more */
	struct label			 label[LIMIT_LABELS];	/* of the last event loaded */
	size_t				 nlabels;
	struct buf			 line;		/* scratch */
	struct buf			 type;		/* a type's JSON that labels override */
	struct buf			 decoded;	/* the payload of the event whose cells are
							   made, once it is wanted */
	struct payload_result		 result;
	bool				 is_decoded;
	uint64_t			 ips[LIMIT_STACK_FRAMES];
};

uint32_t	event_crc(struct span payload);
void		event_stack_json(struct event_out *x, struct buf *out, const struct event *e);
/* The time stamp as in the file; Heph: ns since 1970, by the epoch of the event. */
int64_t		event_ticks(const struct event *e, const struct event_extra *extra);

/* Look up the event's labels: what the functions below speak of. */
void		labels_load(struct event_out *x, const struct event *e);
/* Do they override fields of the header? */
bool		labels_override(const struct event_out *x);
/* Append {"TraceId":"0102...","phase":"one"}; false: there are none to show. */
bool		labels_json(struct event_out *x, struct buf *out);
/* Append [TraceId=0102... phase=one], behind a blank if there is something in front. */
void		labels_text(struct event_out *x, struct buf *out);
/* The value of a key, an array if it has several; it may borrow the text. */
struct cell	label_cell(struct event_out *x, const char *key, struct buf *text);

#endif
