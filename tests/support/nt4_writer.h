/*
 * A writer of NetTrace V4 and V5 bytes for tests and benches, independent of src/.
 *
 *	struct nt4_writer w;
 *
 *	nt4_init(&w, NULL);                     to memory (w.p, w.len), or to a FILE
 *	nt4_trace(&w, &(struct nt4_trace){ .freq = 1000000000, .pointer_size = 8 });
 *	nt4_block(&w, "MetadataBlock", NT4_COMPRESSED);
 *	nt4_metadata(&w, 1, "Provider", 7, "Name", fields, 2);
 *	nt4_block_end(&w);
 *	nt4_block(&w, "EventBlock", NT4_COMPRESSED);
 *	nt4_event(&w, &e);
 *	nt4_block_end(&w);
 *	nt4_end(&w);                            the null tag
 *	nt4_release(&w);
 *
 * A block is built in memory and written at its end; nothing else grows with the trace.
 * Format: NetTrace V4, "Objects", "The EventBlock Object", "Header compression".
 */
#ifndef TESTS_NT4_WRITER_H
#define TESTS_NT4_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define NT4_UNCOMPRESSED	0
#define NT4_COMPRESSED		1

/* System.TypeCode as the metadata spells it. */
enum nt4_type {
	NT4_OBJECT = 1, NT4_BOOL = 3, NT4_CHAR = 4, NT4_I8 = 5, NT4_U8 = 6, NT4_I16 = 7, NT4_U16 = 8,
	NT4_I32 = 9, NT4_U32 = 10, NT4_I64 = 11, NT4_U64 = 12, NT4_F32 = 13, NT4_F64 = 14,
	NT4_DATETIME = 16, NT4_GUID = 17, NT4_STRING = 18,
};

struct nt4_trace {
	int32_t		version, least;		/* 0: 4 */
	int64_t		sync, freq;
	int32_t		pointer_size, pid, processors, rate;
};

struct nt4_field {
	enum nt4_type	 type;
	const char	*name;
};

struct nt4_event {
	uint32_t	 mid, seq, cpu, stack;
	uint64_t	 tid, capture;
	int64_t		 ts;
	uint8_t		 activity[16], related[16];
	bool		 sorted;
	const void	*payload;
	uint32_t	 size;
};

struct nt4_writer {
	FILE		*f;
	uint8_t		*p;			/* without a FILE: all that was written */
	size_t		 len, cap;
	uint64_t	 off;			/* bytes written so far */
	bool		 failed;		/* the FILE did not take everything */

	/* The block under way: its content behind the padding. */
	uint8_t		*block;
	size_t		 nblock, block_cap;
	const char	*name;
	bool		 events, compressed;
	int64_t		 min, max;
	struct nt4_event last;			/* what compressed headers refer to */
	uint8_t		 opcode;		/* of types that are described next; 0: none */
};

void	nt4_init(struct nt4_writer *w, FILE *f);
void	nt4_release(struct nt4_writer *w);

void	nt4_trace(struct nt4_writer *w, const struct nt4_trace *t);	/* with the stream header */
/* All of that at once: a trace in ns with one type, whose metadata and event have id 1. */
void	nt4_begin(struct nt4_writer *w, FILE *f, const char *provider, const char *name,
	    const struct nt4_field *fields, size_t n);
void	nt4_end(struct nt4_writer *w);

/* Any object: the body stands behind size and padding. */
void	nt4_object(struct nt4_writer *w, const char *name, int32_t version, int32_t least,
	    const void *body, size_t len);

/* "EventBlock" or "MetadataBlock"; blocks of real files end before 100 KB. */
void	nt4_block(struct nt4_writer *w, const char *name, int flags);
void	nt4_event(struct nt4_writer *w, const struct nt4_event *e);
void	nt4_metadata(struct nt4_writer *w, uint32_t mid, const char *provider, uint32_t id,
	    const char *name, const struct nt4_field *fields, size_t n);
void	nt4_block_end(struct nt4_writer *w);

/* Stacks first, first + 1, ... of nframes addresses each, one after another in ips. */
void	nt4_stacks(struct nt4_writer *w, uint32_t first, uint32_t count, const uint64_t *ips,
	    uint32_t nframes);
void	nt4_sequence_point(struct nt4_writer *w, int64_t ts, size_t n, const uint64_t *tids,
	    const uint32_t *seqs);

/*
 * The objects of a sound file (also of NetPerf V3) behind its Trace object, to aim at their edges. Returns how many
 * (at most max); stops at the end or at the first byte that is none.
 */
struct nt4_place {
	char		name[16];
	uint64_t	start, body, end;
};
size_t	nt4_places(const uint8_t *p, size_t len, struct nt4_place *out, size_t max);

#define NT4_HEADER_LEN	102	/* bytes of stream header and Trace object */

#endif
