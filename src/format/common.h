/*
 * Parts that several formats share: the head of a trace, sequence points, blocks of stacks.
 */
#ifndef TNAV_SRC_FORMAT_COMMON_H
#define TNAV_SRC_FORMAT_COMMON_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tnav/format/format.h"

/* Findings for a block that is too short for its header. */
#define FORMAT_TEXT_HEADER	"a block header does not fit its block"
#define FORMAT_TEXT_POINT	"a sequence point is cut short"
#define FORMAT_TEXT_STACKS	"a stack block claims more stacks than fit in it"

/* format_ops.begin for a state that is a position and zeroes. */
int		format_begin(const struct format *f, const struct frame *fr, struct span body,
		    struct decode_state *st, const char **text);

/* The finding for the rest of a frame of events, if no event begins there. */
const char	*format_bad_text(const struct format *f, const struct frame *fr);

/* Count bytes that were searched for the start of a frame. */
static inline void
format_searched(const struct format *f, uint64_t bytes)
{
	if (f->searched != NULL)
		atomic_fetch_add_explicit(f->searched, bytes, memory_order_relaxed);
}

/*
 * Sync time (eight u16: year, month, day of week, day, hour, minute, second, millisecond), sync
 * ticks, frequency and pointer size into f->info. Bad values are replaced, and are findings.
 */
void		format_read_clock(struct format *f, struct cursor *c);
/* The same without the pointer size, for formats that have none. */
void		format_read_time(struct format *f, struct cursor *c);
/* As the writer states them. */
void		format_set_processors(struct format *f, uint32_t n);

/*
 * A sequence point: i64 ticks, u32 flags (V6), u32 count, then count times a thread's raw id and
 * number (u64 and u32; of variable length in V6).
 */
void		format_commit_point(struct format *f, const struct frame *fr, struct span body,
		    bool v6);

/* A block of stacks (V4 to V6): u32 first, u32 count, then count times u32 size and addresses. */
void		format_commit_stacks(struct format *f, const struct frame *fr, struct span body);
/* format_ops.stack of such a block. */
struct span	format_stack(const struct format *f, struct span body, uint32_t index,
		    uint64_t walk[2]);

#endif
