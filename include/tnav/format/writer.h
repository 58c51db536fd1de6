/*
 * Writing NetTrace V4 and V6. The writer knows the layout, and nothing of where events come from:
 * the caller gives them in the order of time, with numbers that go up on each thread.
 *
 *	type, thread, stack, labels -> event -> ... -> point or remove -> ... -> end
 *
 * What an event refers to is declared before the event; the writer keeps it in blocks of 64 KiB
 * and writes them in the order in which readers need them. All events are marked as sorted. Memory
 * does not depend on how much is written.
 */
#ifndef TNAV_FORMAT_WRITER_H
#define TNAV_FORMAT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/cursor.h"
#include "tnav/io/output.h"
#include "tnav/model/event.h"
#include "tnav/model/info.h"
#include "tnav/model/type.h"

#define WRITER_TIME	16u		/* bytes of a date: eight u16 */

/* What the trace says about itself; V4 has no key/values, V6 nothing else than those. */
struct writer_head {
	unsigned		 version;	/* 4 or 6 */
	uint8_t			 time[WRITER_TIME];
	int64_t			 sync_ts, freq;
	uint32_t		 pointer_size, pid, processors, sampling_rate;
	const struct key_value	*kv;
	size_t			 nkv;
};

/* An event: its header in the terms of the file, and its payload. */
struct writer_event {
	int64_t		 ts;
	uint64_t	 thread, capture;	/* ids of threads (V4), or indexes (V6) */
	uint32_t	 type;			/* metadata id, not 0 */
	uint32_t	 seq, cpu, stack, labels;
	const uint8_t	*activity, *related;	/* 16 bytes; NULL: zeroes (V4) */
	struct span	 payload;
};

/* The last number of a thread, for sequence points. */
struct writer_number {
	uint64_t	thread;
	uint32_t	number;
};

struct trace_writer;

/* Writes the head to the output, which stays the caller's. */
struct trace_writer *trace_writer_new(struct output *o, const struct writer_head *head);
/* Show the content of each block, but not of those of types, before it is written at this offset.
   False: it is not written, and the call that would have written it returns ERR_FORMAT. */
void	 trace_writer_inspect(struct trace_writer *w,
	    bool (*fn)(void *arg, struct span content, uint64_t off), void *arg);
void	 trace_writer_free(struct trace_writer *w);

/* A row of metadata without its id: what follows it in the file. */
void	 trace_writer_type(struct trace_writer *w, uint32_t id, struct span row);
/* V6: a row of a thread, from its index on. */
void	 trace_writer_thread(struct trace_writer *w, struct span row);
/* The numbers for a stack (addresses as in the file) and for a list of labels (V6): valid until
   the next sequence point. Equal ones have one number. */
uint32_t trace_writer_stack(struct trace_writer *w, struct span addresses);
uint32_t trace_writer_labels(struct trace_writer *w, const struct label *l, size_t n);
/* 0, or ERR_IO as output_step(). */
int	 trace_writer_event(struct trace_writer *w, const struct writer_event *e);
/* V6: the index has no thread any more. */
void	 trace_writer_remove(struct trace_writer *w, uint64_t thread, uint32_t number);
/* A sequence point: stacks and labels are forgotten, if flush (V6) also threads. */
int	 trace_writer_point(struct trace_writer *w, int64_t ts, bool flush,
	    const struct writer_number *v, size_t n);
/* The end mark. */
int	 trace_writer_end(struct trace_writer *w);
/* How many bytes were written so far. */
uint64_t trace_writer_bytes(const struct trace_writer *w);

/*
 * Append a row that says what the type does, for trace_writer_type(). It has the fields that could
 * be read of a damaged row of V6, content; else none.
 */
void	 trace_writer_row(struct buf *out, unsigned version, const struct event_type *t,
	    struct span content);

#endif
