/*
 * Folded stacks, for flame graphs:
 *
 *	Thread (12);Demo.Program.Main;Demo.Work.Spin 314
 *
 * Lines are in the order of names.
 */
#include "tnav/base/arena.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/naming.h"
#include "tnav/out/convert.h"
#include "tnav/out/message.h"

#define EXACT_MOST	9e15		/* larger doubles have no digits of ones */

struct folded {
	struct encoder_to	 to;
	struct arena		 arena;
	struct span		*name;		/* by frame */
	struct buf		 thread, clean;
	uint64_t		 cut;
};

static void
folded_release(void *self)
{
	struct folded	*f = self;

	arena_release(&f->arena);
	buf_release(&f->thread);
	buf_release(&f->clean);
	mem_free(f->name);
}

static int
folded_begin(void *self, const struct profile_head *head)
{
	struct folded	*f = self;

	f->name = mem_zalloc((size_t)head->frames + 1, sizeof *f->name);
	return ERR_OK;
}

/* A name as it can be written: a terminal gets no controls. */
static struct span
writable(struct folded *f, struct span name)
{
	if (!output_is_tty(f->to.o))
		return name;
	buf_clear(&f->clean);
	(void)text_clean(&f->clean, name, message_mode(true), SIZE_MAX);
	return span_of_buf(&f->clean);
}

static void
folded_frame(void *self, uint32_t id, const struct profile_frame *x)
{
	struct folded	*f = self;
	struct span	 name = writable(f, x->name);

	f->name[id].p = (const uint8_t *)arena_strndup(&f->arena, (const char *)name.p, name.len);
	f->name[id].len = name.len;
}

static int
folded_thread(void *self, const struct profile_thread *t)
{
	struct folded	*f = self;

	buf_clear(&f->thread);
	buf_span(&f->thread, writable(f, t->name));
	return ERR_OK;
}

static int
folded_sample(void *self, const uint32_t *frame, size_t n, double weight)
{
	struct folded	*f = self;
	struct buf	*out = output_buf(f->to.o);
	size_t		 i = 0, len = f->thread.len;

	buf_span(out, span_of_buf(&f->thread));
	for (; i < n && f->name[frame[i]].len <= STACK_TEXT_MOST - len; i++) {
		struct span	name = f->name[frame[i]];

		len += name.len;
		buf_putc(out, ';');
		buf_span(out, name);
	}
	f->cut += i < n;
	if (i < n)
		buf_printf(out, ";(%zu frames left out)", n - i);
	buf_putc(out, ' ');
	if (weight >= 0 && weight < EXACT_MOST)
		buf_u64(out, (uint64_t)weight);
	else
		buf_printf(out, "%.0f", weight);
	buf_putc(out, '\n');
	return output_step(f->to.o);
}

static uint64_t
folded_cut(const void *self)
{
	const struct folded	*f = self;

	return f->cut;
}

const struct profile_encoder	convert_folded = {
	.ops = { .whole = true, .begin = folded_begin, .frame = folded_frame,
	    .thread = folded_thread, .sample = folded_sample },
	.state = { sizeof(struct folded), folded_release }, .cut = folded_cut,
};
