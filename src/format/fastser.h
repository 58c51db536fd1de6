/*
 * The parts that NetPerf V3 and NetTrace V4 and V5 share: objects by the conventions of
 * FastSerialization, the Trace object, the rows of metadata.
 *
 *	object  =  begin begin 1 version least-reader name 6  body  6
 *	body    =  i32 size, zeroes up to a multiple of 4 of the file's offset, size bytes
 *	1                                               the end
 *
 * Format: NetTrace V4, "Objects", "The First Object", "Metadata event encoding".
 */
#ifndef TNAV_FORMAT_FASTSER_H
#define TNAV_FORMAT_FASTSER_H

#include "tnav/format/format.h"

#define FAST_MAGIC	"!FastSerialization.1"

/* A kind of object that a dialect knows. */
struct fast_kind {
	const char	*name;
	unsigned	 sub;
	enum frame_kind	 kind;
};

/* How a format uses these conventions. */
struct fast_dialect {
	uint8_t		 begin;			/* the tag that begins an object */
	uint32_t	 trace_oldest;		/* least supported version of the Trace object */
	uint32_t	 trace_reader;		/* greatest readable least-reader: Trace object, */
	uint32_t	 block_reader;		/* ... all other objects */
	const char	*format;		/* for trace_info */
	unsigned	 version;
	size_t		 nkinds;
	const struct fast_kind *kinds;
};


/*
 * Read the Trace object at off into f->info; *first is the next object's offset. Fails as
 * format_ops.open() does, with why. The dialect is static.
 */
int	fast_open(struct format *f, const struct fast_dialect *d, uint64_t off, uint64_t *first,
	    struct buf *why);
/* format_ops.frame() and resync() of what fast_open() opened. */
int	fast_frame(const struct format *f, uint64_t off, struct frame *out);
bool	fast_resync(const struct format *f, uint64_t off, uint64_t *at);
/* Add the finding that says why a frame is a FRAME_SKIP. */
void	fast_say_skipped(struct format *f, const struct frame *fr);

/* Commit the event type that a row of metadata describes; the row's payload is at off. */
void	fast_commit_row(struct format *f, struct span payload, uint64_t off);
/* The same for a row of NetPerf V2 or V1 with this id. guids: providers have GUIDs, no names. */
void	fast_commit_old_row(struct format *f, struct span payload, uint64_t off, uint32_t id,
	    bool guids);

#endif
