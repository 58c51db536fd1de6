/*
 * Folded stacks, for flame graphs:
 *
 *	Thread (12);Demo.Program.Main;Demo.Work.Spin 314
 *
 * Lines are in the order of names. `tnav stacks --fold` writes the same.
 */
#include "out/convert/stacks.h"
#include "tnav/base/arena.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/naming.h"
#include "tnav/out/convert.h"

struct folded {
	struct output		*o;
	struct arena		 arena;
	struct stack_table	 stacks;
	struct span		*name;		/* by frame */
	struct buf		 thread;
};

static void *
folded_new(struct output *o, const char *name)
{
	struct folded	*f = mem_zalloc(1, sizeof *f);

	(void)name;
	f->o = o;
	arena_init(&f->arena);
	buf_init(&f->thread);
	return f;
}

static void
folded_free(void *self)
{
	struct folded	*f = self;

	stack_table_release(&f->stacks);
	arena_release(&f->arena);
	buf_release(&f->thread);
	mem_free(f->name);
	mem_free(f);
}

static int
folded_begin(void *self, const struct profile_head *head)
{
	struct folded	*f = self;

	stack_table_init(&f->stacks, head->stacks);
	f->name = mem_zalloc((size_t)head->frames + 1, sizeof *f->name);
	return ERR_OK;
}

static void
folded_frame(void *self, uint32_t id, const struct profile_frame *x)
{
	struct folded	*f = self;

	f->name[id].p = (const uint8_t *)arena_strndup(&f->arena, (const char *)x->name.p,
	    x->name.len);
	f->name[id].len = x->name.len;
}

static void
folded_stack(void *self, uint32_t id, uint32_t up, uint32_t frame)
{
	struct folded	*f = self;

	f->stacks.v[id] = (struct stack_link){ up, frame };
}

static int
folded_thread(void *self, const struct profile_thread *t)
{
	struct folded	*f = self;

	buf_clear(&f->thread);
	buf_span(&f->thread, t->name);
	return ERR_OK;
}

static int
folded_sample(void *self, uint32_t stack, uint64_t weight)
{
	struct folded	*f = self;
	struct buf	*out = output_buf(f->o);
	size_t		 n = stack_table_path(&f->stacks, stack), i = 0, len = f->thread.len;

	buf_span(out, span_of_buf(&f->thread));
	for (; i < n && f->name[f->stacks.path[i]].len <= STACK_TEXT_MOST - len; i++) {
		struct span	name = f->name[f->stacks.path[i]];

		len += name.len;
		buf_putc(out, ';');
		buf_span(out, name);
	}
	if (i < n)
		buf_printf(out, ";(%zu frames left out)", n - i);
	buf_putc(out, ' ');
	buf_u64(out, weight);
	buf_putc(out, '\n');
	return output_step(f->o);
}

const struct profile_encoder	convert_folded = {
	.ops = { .begin = folded_begin, .frame = folded_frame, .stack = folded_stack,
	    .thread = folded_thread, .sample = folded_sample },
	.new = folded_new, .free = folded_free,
};
