/*
 * The walk over the frames of the file, once, from the first to the last.
 *
 *	file    | frame | frame | bytes that are none | frame |	end mark | ...
 *	walk    ------->|------>|-- searched -------->|------>|
 *
 * Invariant: each call moves on, so that the walk ends; what is stepped over is a finding. Of input
 * that still arrives a frame is told only when all that its format looks at is there.
 */
#include "engine/index/walk.h"

#include <assert.h>

#include "tnav/base/err.h"

#define LOOK_AHEAD	4096u		/* bytes that a format may look at after a frame */
#define WAIT_BYTES	(1u << 20)	/* gone through in vain: each arrival is looked at, */
#define WAIT_SHARE	8u		/* ... beyond: when one part of them has come */

static bool
is_magic(const struct trace *t, uint64_t off)
{
	struct span	b = source_span(t->source, off, 8);

	return b.len == 8 && t->format.ops->probe(b) > 0;
}

static void
walk_end(struct trace *t, enum finding_kind kind, const char *text)
{
	t->progress.cut = true;
	t->progress.cut_off = source_size(t->source);
	diag_add(t->diag, SEV_WARN, kind, t->progress.cut_off, 0, "%s", text);
}

/* Behind the end mark at *off; true: something more can be framed, *off is there. */
static bool
walk_past_end(struct trace *t, uint64_t *off)
{
	uint64_t	size = source_size(t->source), at = *off;
	bool		more;

	if (at >= size)
		return false;
	more = !is_magic(t, at) && t->format.ops->resync(&t->format, at, off);
	diag_add(t->diag, SEV_WARN, FIND_TRAILING, at, size - at, is_magic(t, at) ?
	    "another trace begins after the end mark; only the first is read" :
	    more ? "the end mark is not at the end of the file; reading goes on after it" :
	    "bytes follow the end mark");
	return more;
}

/* No frame can be told at *off (err says why). True: a later one can, *off is there. */
static bool
walk_damage(struct trace *t, uint64_t *off, int err)
{
	uint64_t	size = source_size(t->source), at = *off, next;

	if (t->format.ops->resync(&t->format, at + 1, &next)) {
		diag_add(t->diag, SEV_WARN, FIND_SKIPPED, at, next - at,
		    "bytes that are not part of the format are skipped");
		*off = next;
		return true;
	}
	if (err == ERR_TRUNCATED)
		walk_end(t, FIND_CUT, "the file is cut inside a block's header");
	else
		diag_add(t->diag, SEV_ERROR, FIND_SKIPPED, at, size - at,
		    "nothing can be read from here to the end of the file");
	*off = size;
	return false;
}

/*
 * Of input that is still being spooled, what was made of a frame (r, fr) is to be believed only
 * when all of it has arrived, and what the format looks at after it.
 */
static bool
walk_believes(struct trace *t, int r, const struct frame *fr)
{
	uint64_t	size = source_size(t->source);

	return source_complete(t->source) || atomic_load(&t->cancel) ||
	    (r == 1 && !fr->cut && size >= LOOK_AHEAD && fr->next <= size - LOOK_AHEAD);
}

/*
 * Wait for more input to tell the frame at off. Where much was gone through in vain it has to be
 * more in proportion, so that the work stays linear however slowly input arrives.
 */
static void
walk_wait(struct trace *t, uint64_t off)
{
	uint64_t	size = source_size(t->source), more = 0;

	if (off < size && size - off > WAIT_BYTES)
		more = (size - off) / WAIT_SHARE;
	source_wait(t->source, size + more);
}

bool
walk_ready(struct trace *t, uint64_t off)
{
	struct frame	fr;

	return source_complete(t->source) ||
	    (off < source_size(t->source) &&
	    walk_believes(t, t->format.ops->frame(&t->format, off, &fr), &fr));
}

int
walk_frame(struct trace *t, uint64_t *off, struct frame *fr)
{
	uint64_t	size;

	while (*off >= source_size(t->source) && !source_complete(t->source) &&
	    !atomic_load(&t->cancel))
		source_wait(t->source, source_size(t->source));
	while (*off < source_size(t->source)) {
		int	r = t->format.ops->frame(&t->format, *off, fr);

		if (!walk_believes(t, r, fr)) {
			walk_wait(t, *off);
			continue;
		}
		size = source_size(t->source);
		if (r == 1) {
			assert(fr->next > *off);
			*off = fr->next;
			if (fr->cut && fr->next < size)
				diag_add(t->diag, SEV_WARN, FIND_BAD_BLOCK, fr->off,
				    fr->next - fr->off,
				    "a block's size is wrong; it is read up to the next one");
			else if (fr->cut)
				walk_end(t, FIND_CUT, "the file is cut inside a block");
			return 1;
		}
		if (r == 0) {
			*off = fr->next;
			if (walk_past_end(t, off))
				continue;
			*off = UINT64_MAX;
			return 0;
		}
		if (!walk_damage(t, off, r))
			return 0;
	}
	if (*off == source_size(t->source) && !t->progress.cut && !t->format.no_end_mark)
		walk_end(t, FIND_NOT_CLOSED,
		    "the trace was not closed: the traced process was killed, or is still running");
	*off = UINT64_MAX;
	return 0;
}
