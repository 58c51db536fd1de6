/*
 * The walk over the frames of the file, once, from the first to the last.
 *
 *	file    | frame | frame |    damaged bytes    | frame |	end mark | ...
 *	walk    ------->|------>|-- searched -------->|------>|
 *
 * Invariant: each call makes progress, or reports the end, or reports that it needs more input.
 * Skipped bytes are a finding. While input still arrives, a frame is returned only when all bytes
 * that its format checks have arrived.
 */
#include "engine/index/walk.h"

#include <assert.h>

#include "tnav/base/err.h"

#define LOOK_AHEAD	4096u		/* bytes after a frame that a format may check */
#define WAIT_BYTES	(1u << 20)	/* a failed search of so many bytes is repeated at once; */
#define WAIT_SHARE	8u		/* ... beyond, when the input has grown by 1/8 of them */

static bool
is_magic(const struct trace *t, uint64_t off)
{
	struct span	b = source_span(t->source, off, 8);

	return b.len == 8 && t->format.ops->probe(b) > 0;
}

/* Look after the end mark at *off; true: there is another frame, and *off is set to it. */
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
	    more ? "the end mark is not at the end of the file; reading continues after it" :
	    "bytes follow the end mark");
	return more;
}

/* There is no frame at *off; err says why. True: a later one was found, and *off is set to it. */
static bool
walk_damage(struct trace *t, uint64_t *off, int err, struct walk_end *end)
{
	uint64_t	size = source_size(t->source), at = *off, next;

	if (t->format.ops->resync(&t->format, at + 1, &next)) {
		diag_add(t->diag, SEV_WARN, FIND_SKIPPED, at, next - at,
		    "bytes that do not belong to the format are skipped");
		*off = next;
		return true;
	}
	*end = (struct walk_end){ .how = err == ERR_TRUNCATED ? WALK_IN_HEADER : WALK_DAMAGED,
	    .off = at };
	*off = size;
	return false;
}

/* Have all bytes arrived that the format checks for a frame that ends at next? */
static bool
has_passed(const struct trace *t, uint64_t next)
{
	uint64_t	size = source_size(t->source);

	return size >= LOOK_AHEAD && next <= size - LOOK_AHEAD;
}

/* The frame is damaged: was the frame after it found? */
static bool
damage_is_over(struct trace *t, uint64_t off, int r, const struct frame *fr)
{
	struct frame	after;
	uint64_t	next;

	if (r == 1)
		return has_passed(t, fr->next) &&
		    t->format.ops->frame(&t->format, fr->next, &after) >= 0;
	return r == ERR_FORMAT && t->format.ops->resync(&t->format, off + 1, &next) &&
	    has_passed(t, next);
}

/*
 * While input still arrives, the result for a frame (r, fr) is accepted only when all of the frame
 * and the bytes that the format checks after it have arrived. After a long search that failed, the
 * input must grow in proportion before it is repeated, so that the work stays linear however slowly
 * input arrives.
 */
static bool
walk_accepts(struct trace *t, uint64_t off, int r, const struct frame *fr)
{
	uint64_t	size = source_size(t->source);

	if (!t->format.growing || atomic_load(&t->cancel))
		return true;
	if (r == 1 && !fr->cut)
		return has_passed(t, fr->next);
	if (r == 0 || (r == 1 && fr->next == size))
		return false;
	if (damage_is_over(t, off, r, fr))
		return true;
	if (size - off > WAIT_BYTES)
		t->not_before = size + (size - off) / WAIT_SHARE;
	return false;
}

/* The frame at off, by the bytes that have arrived. */
int
walk_look(struct trace *t, uint64_t off, struct frame *fr)
{
	t->format.growing = !source_complete(t->source);
	return t->format.ops->frame(&t->format, off, fr);
}

bool
walk_ready(struct trace *t, uint64_t off)
{
	uint64_t	size = source_size(t->source);
	struct frame	fr;
	int		r;

	if (source_complete(t->source))
		return true;
	if (off >= size || size < t->not_before)
		return false;
	r = walk_look(t, off, &fr);
	return walk_accepts(t, off, r, &fr);
}

/* The walk has reached the end of the available bytes. */
static int
walk_ended(struct trace *t, uint64_t *off, struct walk_end *end)
{
	if (end->how == WALK_NOT_YET)
		*end = (struct walk_end){ .off = *off,
		    .how = *off == source_size(t->source) ? WALK_OPEN : WALK_CLOSED };
	*off = UINT64_MAX;
	return 0;
}

int
walk_frame(struct trace *t, uint64_t *off, struct frame *fr, struct walk_end *end)
{
	*end = (struct walk_end){ .how = WALK_NOT_YET };
	if (!source_complete(t->source) && *off >= source_size(t->source))
		return 0;
	while (*off < source_size(t->source)) {
		uint64_t	size = source_size(t->source);
		int		r = walk_look(t, *off, fr);

		if (!walk_accepts(t, *off, r, fr))
			return 0;
		if (r == 1 && fr->cut && fr->next >= size) {
			*end = (struct walk_end){ .how = WALK_CUT, .off = *off, .fr = *fr };
			break;
		}
		if (r == 1) {
			assert(fr->next > *off);
			*off = fr->next;
			if (fr->cut)
				diag_add(t->diag, SEV_WARN, FIND_BAD_BLOCK, fr->off,
				    fr->next - fr->off,
				    "a block has a wrong size; it is read up to the next block");
			return 1;
		}
		if (r == 0) {
			*off = fr->next;
			if (walk_past_end(t, off))
				continue;
			end->how = WALK_CLOSED;
			break;
		}
		if (!walk_damage(t, off, r, end))
			break;
	}
	return walk_ended(t, off, end);
}

void
walk_judge(struct trace *t, const struct walk_end *end)
{
	uint64_t	 size = source_size(t->source);
	const char	*text = NULL;

	switch (end->how) {
	case WALK_CUT:
		text = "the file is cut inside a block";
		break;
	case WALK_IN_HEADER:
		text = "the file is cut inside a block header";
		break;
	case WALK_OPEN:
		if (!t->format.no_end_mark)
			text = "the trace was not closed: the traced process was killed, or is "
			    "still running";
		break;
	case WALK_DAMAGED:
		diag_add(t->diag, SEV_ERROR, FIND_SKIPPED, end->off, size - end->off,
		    "nothing can be read from here to the end of the file");
		/* fall through */
	case WALK_CLOSED:
	case WALK_NOT_YET:
		break;
	}
	if (text == NULL)
		return;
	t->progress.cut = true;
	t->progress.cut_off = size;
	diag_add(t->diag, SEV_WARN, end->how == WALK_OPEN ? FIND_NOT_CLOSED : FIND_CUT, size, 0,
	    "%s", text);
}
