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
	bool	symbols;	/* stacks have names, as the trace's namer says */
	bool	rows;		/* rows are known: time order */
	/* Each line begins with this file, in text in so many cells at least; or NULL. */
	const char *file;
	unsigned file_cells;
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

/* Append a loss as the same. */
void		 event_out_gap_text(struct event_out *x, struct buf *out, const struct gap *g);

#endif
