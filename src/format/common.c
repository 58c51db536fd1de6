/*
 * Parts that several formats share: the head of a trace, sequence points, stack blocks.
 *
 *	u32 first  u32 count  [u32 size, addresses] ...     a block of stacks; size in bytes
 *
 * Invariant: a stack is found by walking from the beginning of the block; only the position of the
 * last walk is kept.
 * Format: "The TraceBlock", "The StackBlock".
 */
#include "format/common.h"

#include <string.h>

#include "format/blob.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/units.h"

#define STACK_HEADER	8u
#define NOT_COUNTED	0xffffu		/* processors, if compiled ahead of time */

/* False: not a date that fits into 64 bits of ns since 1970. */
static bool
read_systemtime(struct cursor *c, int64_t *utc)
{
	uint16_t	v[8];

	for (unsigned i = 0; i < 8; i++)
		v[i] = cursor_u16le(c);
	if (v[0] < 1678 || v[0] > 2261 || v[1] < 1 || v[1] > 12 || v[3] < 1 || v[3] > 31 ||
	    v[4] > 23 || v[5] > 59 || v[6] > 60 || v[7] > 999)
		return false;
	*utc = ((units_days(v[0], v[1], v[3]) * 24 + v[4]) * 60 + v[5]) * 60 * 1000000000 +
	    (int64_t)v[6] * 1000000000 + (int64_t)v[7] * 1000000;
	return true;
}

void
format_read_time(struct format *f, struct cursor *c)
{
	struct trace_info	*in = &f->info;
	uint64_t		 off = cursor_off(c);

	in->has_sync_utc = read_systemtime(c, &in->sync_utc);
	in->sync_ts = (int64_t)cursor_u64le(c);
	in->freq = (int64_t)cursor_u64le(c);
	if (!in->has_sync_utc)
		diag_add(f->diag, SEV_WARN, FIND_BAD_HEADER, off, 16,
		    "the sync time is not a valid date; times are relative only");
	if (in->freq <= 0) {
		diag_add(f->diag, SEV_WARN, FIND_BAD_HEADER, off + 24, 8,
		    "the tick frequency is not positive; one tick is shown as one second");
		in->freq = 1;
	}
}

void
format_read_clock(struct format *f, struct cursor *c)
{
	struct trace_info	*in = &f->info;

	format_read_time(f, c);
	in->pointer_size = cursor_u32le(c);
	if (in->pointer_size != 4 && in->pointer_size != 8) {
		diag_add(f->diag, SEV_WARN, FIND_BAD_HEADER, cursor_off(c) - 4, 4,
		    "the pointer size is neither 4 nor 8; 8 is assumed");
		in->pointer_size = 8;
	}
}

void
format_set_processors(struct format *f, uint32_t n)
{
	f->info.processors = n != NOT_COUNTED ? n : 0;
}

int
format_begin(const struct format *f, const struct frame *fr, struct span body,
    struct decode_state *st, const char **text)
{
	(void)f, (void)fr, (void)body, (void)text;
	memset(st, 0, sizeof *st);
	return ERR_OK;
}

int
blob_begin(const struct format *f, const struct frame *fr, struct span body,
    struct decode_state *st, const char **text)
{
	struct cursor	c = cursor_init(body, fr->body);
	uint16_t	size = cursor_u16le(&c), flags = cursor_u16le(&c);

	(void)f;
	memset(st, 0, sizeof *st);
	if (size < BLOCK_HEADER_LEAST || size > body.len) {
		*text = FORMAT_TEXT_HEADER;
		return ERR_FORMAT;
	}
	st->pos = size;
	st->w[BLOB_COMPRESSED] = flags & 1;
	return ERR_OK;
}

const char *
format_bad_text(const struct format *f, const struct frame *fr)
{
	if (f->ops->block == NULL)
		return "the file is cut inside an event";
	return fr->cut ? "a block is cut inside an event" :
	    "an event does not fit its block; the rest of the block is skipped";
}

struct point_thread {
	uint64_t	id;
	uint32_t	number;
};

static struct point_thread
read_point_thread(struct cursor *c, bool v6)
{
	struct point_thread	t;

	t.id = v6 ? cursor_varu64(c) : cursor_u64le(c);
	t.number = v6 ? cursor_varu32(c) : cursor_u32le(c);
	return t;
}

void
format_commit_point(struct format *f, const struct frame *fr, struct span body, bool v6)
{
	struct cursor	c = cursor_init(body, fr->body), list;
	int64_t		ts = (int64_t)cursor_u64le(&c);
	uint32_t	flags = v6 ? cursor_u32le(&c) : 0, count = cursor_u32le(&c);

	if (!cursor_ok(&c)) {
		diag_add(f->diag, SEV_WARN, FIND_BAD_BLOCK, fr->body, body.len,
		    FORMAT_TEXT_POINT);
		return;
	}
	list = c;
	for (uint32_t i = 0; i < count && cursor_ok(&list); i++)
		read_point_thread(&list, v6);
	if (!cursor_ok(&list)) {
		diag_add(f->diag, SEV_WARN, FIND_BAD_BLOCK, fr->body, body.len,
		    "a sequence point claims more threads than fit in it");
		if (!v6)
			return;		/* without its list it has no information */
		count = 0;		/* the time and the flags are still valid */
	}
	f->up->barrier(f->up_arg, ts, fr->off);
	for (uint32_t i = 0; i < count; i++) {
		struct point_thread	t = read_point_thread(&c, v6);

		f->up->barrier_thread(f->up_arg, t.id, t.number);
	}
	f->up->barrier_end(f->up_arg, flags & (BARRIER_FLUSH_THREADS | BARRIER_FLUSH_TYPES),
	    fr->next);
}

void
format_commit_stacks(struct format *f, const struct frame *fr, struct span body)
{
	struct cursor	c = cursor_init(body, fr->body);
	uint32_t	first = cursor_u32le(&c), count = cursor_u32le(&c);

	if (!cursor_fits(&c, count, 4) || count > UINT32_MAX - first) {
		diag_add(f->diag, SEV_WARN, FIND_STACK, fr->body, body.len,
		    FORMAT_TEXT_STACKS);
		if (!cursor_ok(&c))
			return;
		count = (uint32_t)(cursor_left(&c) / 4);
		if (count > UINT32_MAX - first)
			return;
	}
	f->up->stacks(f->up_arg, first, count, fr->body, body.len);
}

struct span
format_stack(const struct format *f, struct span body, uint32_t index, uint64_t walk[2])
{
	struct cursor	c = cursor_init(body, 0);
	struct span	s = { NULL, 0 };

	(void)f;
	/* walk: position and number of the last stack found; {0, 0} at first. */
	if (walk[0] < STACK_HEADER || walk[1] > index) {
		walk[0] = STACK_HEADER;
		walk[1] = 0;
	}
	cursor_skip(&c, walk[0]);
	for (; cursor_ok(&c); walk[1]++) {
		uint32_t	size;

		walk[0] = cursor_off(&c);
		size = cursor_u32le(&c);
		s = cursor_take(&c, size);
		if (walk[1] == index)
			break;
	}
	return cursor_ok(&c) ? s : (struct span){ NULL, 0 };
}

uint32_t
id_list_add(struct id_list *l, uint64_t id)
{
	if (l->n > 0 && l->id[l->n - 1] == id)
		return (uint32_t)l->n - 1;
	if (l->n == l->cap)
		l->id = mem_grow(l->id, &l->cap, l->n + 1, sizeof *l->id);
	l->id[l->n] = id;
	return (uint32_t)l->n++;
}
