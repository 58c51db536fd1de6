/*
 * A writer of NetTrace V6 bytes for tests, independent of src/: the few blocks that they need.
 *
 *	struct nt6_writer w;
 *
 *	nt6_init(&w);				stream header and Trace block
 *	nt6_begin(&w, NT6_EVENTS);
 *	nt6_event(&w, &(struct nt6_event){ .mid = 1, .seq = 1, .thread = 1 });
 *	nt6_finish(&w);				the block's size is known now
 *	nt6_end(&w);
 *	nt6_release(&w);
 *
 * Format: NetTrace V6, "Block header", "EventBlock", "ThreadBlock", "LabelListBlock".
 */
#ifndef TESTS_NT6_WRITER_H
#define TESTS_NT6_WRITER_H

#include <stddef.h>
#include <stdint.h>

enum nt6_kind {
	NT6_TRACE = 1, NT6_EVENTS, NT6_METADATA, NT6_POINT, NT6_STACKS, NT6_THREADS, NT6_REMOVE,
	NT6_LABELS
};

struct nt6_writer {
	uint8_t	*p;
	size_t	 len, cap;
	size_t	 block;			/* where the block under way begins */
};

/* Numbers and times are added to those of the event before in the block. */
struct nt6_event {
	uint32_t	mid, seq, stack, labels, size;
	uint64_t	thread, ticks;
};

void	nt6_init(struct nt6_writer *w);
void	nt6_release(struct nt6_writer *w);
void	nt6_begin(struct nt6_writer *w, unsigned kind);
void	nt6_finish(struct nt6_writer *w);
void	nt6_end(struct nt6_writer *w);			/* the end mark */

/* Any bytes, in a block or outside of one. */
void	nt6_bytes(struct nt6_writer *w, const void *p, size_t len);
void	nt6_number(struct nt6_writer *w, uint64_t n, unsigned bytes);	/* little-endian */

void	nt6_event(struct nt6_writer *w, const struct nt6_event *e);	/* in NT6_EVENTS */
void	nt6_row(struct nt6_writer *w, uint32_t mid, const char *name);	/* in NT6_METADATA */
void	nt6_row_of(struct nt6_writer *w, uint32_t mid, const char *provider, const char *name);
void	nt6_thread(struct nt6_writer *w, uint64_t index, uint64_t tid);	/* in NT6_THREADS */
void	nt6_thread_named(struct nt6_writer *w, uint64_t index, const char *name);
void	nt6_thread_of(struct nt6_writer *w, uint64_t index, uint64_t pid, uint64_t tid);
/* Whole blocks. */
void	nt6_stack(struct nt6_writer *w, uint32_t id, uint64_t ip);
void	nt6_label(struct nt6_writer *w, uint32_t id, const char *text);
void	nt6_point(struct nt6_writer *w, uint64_t ticks);

#endif
