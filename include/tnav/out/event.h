/*
 * Events as output: a line of JSON, a line of text, or cells of chosen fields.
 */
#ifndef TNAV_OUT_EVENT_H
#define TNAV_OUT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/limits.h"
#include "tnav/engine/trace.h"
#include "tnav/out/cell.h"

struct event_out;

struct event_out_options {
	bool	enums;		/* names of enum values in JSON */
	bool	crc;		/* CRC-32 of the payload */
	bool	raw;		/* the payload in hex */
	bool	rows;		/* rows are known: time order */
};

/* Used by one thread. Keeps what it knows of types and threads, so use one for many events. */
struct event_out *event_out_new(struct trace *t, const struct out_style *st,
		    const struct event_out_options *opt);
void		 event_out_free(struct event_out *x);

/* Append the event as one object and a newline: all keys in the order of doc/tnav.1. */
void		 event_out_json(struct event_out *x, struct buf *out, const struct event *e,
		    uint64_t row);
/* Append the event as one clean line for people. */
void		 event_out_text(struct event_out *x, struct buf *out, const struct event *e,
		    uint64_t row);

/* A loss, as the same: after is the row of the event before it, if has_after. */
struct gap_line {
	const struct gap	*gap;
	bool			 has_after;
	uint64_t		 after;
};
void		 event_out_gap_text(struct event_out *x, struct buf *out,
		    const struct gap_line *g);

/* Who a thread is. The struct is valid until the next call of this module, its texts stay. */
struct event_who {
	bool		 known, has_tid, has_pid;
	uint64_t	 tid, pid;
	const char	*name;		/* or NULL */
	char		*json;		/* ,"pid":1,"tid":2,"thread":"main" */
	size_t		 json_len;
	size_t		 json_ids;	/* of these, in front of threadIndex */
};
const struct event_who *event_out_who(struct event_out *x, uint32_t thread);

/* The cells of a gap, in the order of gap_columns. */
#define GAP_COLUMNS 9
extern const char *const gap_columns[GAP_COLUMNS + 1];	/* NULL at the end */
void		 event_out_gap_cells(struct event_out *x, const struct gap_line *g,
		    struct cell cells[GAP_COLUMNS]);

/*
 * Chosen fields: a list like "t,name,tid,Depth,payload.Reason,label.TraceId". A name is a key of
 * the JSON or, failing that, a field of the payload.
 */
struct field_ref {
	int		 id;		/* of the header, or FIELD_PAYLOAD, FIELD_LABEL */
	const char	*payload;	/* the path to the payload field */
	const char	*label;		/* the label's key */
	struct buf	 text;		/* what the last cell borrows */
	/* While a payload is walked: */
	const char	*rest[LIMIT_NESTING + 3];	/* of the path, by depth; NULL: beside it */
	unsigned	 open;		/* containers of the value that is one itself */
};

#define FIELD_PAYLOAD	(-1)
#define FIELD_LABEL	(-2)

struct field_list {
	struct field_ref	*v;
	const char		**names;	/* as they were typed: titles and keys */
	size_t			 n;
	char			*text;
	bool			 payload;	/* any payload field among them */
	bool			 labels;	/* any that needs the labels */
	bool			 by_type;	/* all are the same for all events of a type ... */
	bool			 overridable;	/* ... but where labels override some (V6) */
};

/* Parse a list. 0, or ERR_USAGE and why says it in one line. */
int		 field_list_parse(struct field_list *l, const char *list, struct buf *why);
void		 field_list_release(struct field_list *l);
/* The list of all keys that this trace may have, as event_out_json() would give them. */
const char	*field_list_all(struct trace *t, const struct event_out_options *opt,
		    struct buf *scratch);
/* Names of all header fields, for completion and help: NULL at the end. */
const char	*field_name(unsigned i);

/* The event's cells by the list; they stay valid until the next call with the same list. */
void		 event_out_cells(struct event_out *x, const struct event *e, uint64_t row,
		    struct field_list *l, struct cell *cells);

#endif
