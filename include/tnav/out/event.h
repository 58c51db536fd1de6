/*
 * Events as output: a line of JSON, or a line of text.
 */
#ifndef TNAV_OUT_EVENT_H
#define TNAV_OUT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/engine/trace.h"
#include "tnav/out/cell.h"

struct event_out;

struct event_out_options {
	bool	enums;		/* names of enum values in JSON */
	bool	crc;		/* CRC-32 of the payload */
	bool	raw;		/* the payload in hex */
	bool	symbols;	/* name the frames of stacks with the trace's namer */
	bool	rows;		/* rows are known: time order */
	/* Begin each line with this file name; in text, padded to this width. Or NULL. */
	const char *file;
	unsigned file_cells;
};

/* For one thread. It caches types and threads, so use one for many events. */
struct event_out *event_out_new(struct trace *t, const struct out_style *st,
		    const struct event_out_options *opt);
void		 event_out_free(struct event_out *x);

/* Append the event as one object and a newline: all keys, in the order of doc/tnav.1.in. */
void		 event_out_json(struct event_out *x, struct buf *out, const struct event *e,
		    uint64_t row);
/* Append the event as one clean line of text. */
void		 event_out_text(struct event_out *x, struct buf *out, const struct event *e);

/* Append a loss as a line of text. */
void		 event_out_gap_text(struct event_out *x, struct buf *out, const struct gap *g);

#endif
