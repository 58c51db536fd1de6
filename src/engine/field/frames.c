/*
 * Stacks as JSON: addresses, or names. The same stacks occur again and again, so texts with names
 * are kept.
 *
 *	event -> number of its stack, process, time -> known? ["Demo.Here.Say(int32)","0x7f..."]
 *
 * The cache is direct-mapped, and long texts are not kept, so no file can make it grow. A number
 * identifies a stack only within a scope, see trace_stack_scope(); names are valid for a process
 * and a range of time.
 */
#include <string.h>

#include "engine/field/reader.h"
#include "tnav/base/digits.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/naming.h"

#define TEXTS		1024u	/* slots; a power of two */
#define SEEN		(LIMIT_STACK_FRAMES * 2)	/* slots for the names of a stack */
#define TEXT_MOST	16384u	/* bytes of a text that is kept */

struct frames_slot {
	uint32_t	number, scope, process;
	int64_t		from, to;
	struct buf	text;
};

struct frame_texts {
	uint64_t		after, to;	/* payload offsets of the scope */
	uint32_t		scope;		/* its number, from 1 on */
	uint64_t		generation;	/* of the namer */
	struct buf		one;		/* scratch: a frame */
	struct { const void *name; uint64_t round; }	seen[SEEN];
	uint64_t		round;		/* of the last stack */
	struct frames_slot	slot[TEXTS];
};

void
frame_texts_free(struct frame_texts *f)
{
	if (f == NULL)
		return;
	for (unsigned i = 0; i < TEXTS; i++)
		buf_release(&f->slot[i].text);
	buf_release(&f->one);
	mem_free(f);
}

/* Does the event lie in the scope, or in a new one? False: numbers say nothing. */
static bool
scope_holds(struct frame_texts *f, struct trace *t, const struct event *e)
{
	if (f->generation != trace_namer_generation(t)) {
		f->generation = trace_namer_generation(t);
		f->after = f->to = 0;
	}
	if (e->off > f->after && e->off <= f->to)
		return true;
	f->after = f->to = 0;
	if (!trace_stack_scope(t, e, &f->after, &f->to))
		return false;
	f->scope++;
	return e->off > f->after && e->off <= f->to;
}

size_t
field_stack(struct field_reader *r, const struct event *e, const uint64_t **ips)
{
	if (r->ips == NULL)
		r->ips = mem_zalloc(LIMIT_STACK_FRAMES, sizeof *r->ips);
	*ips = r->ips;
	return trace_stack(r->t, e, r->ips, LIMIT_STACK_FRAMES);
}

/* Append the array; the time in which it is called so is narrowed. */
static void
put_frames(struct field_reader *r, struct buf *out, const struct event *e, int64_t *from,
    int64_t *to)
{
	enum frame_form	 form = r->opt.frames == FRAMES_CLEAN ? FRAME_CLEAN : FRAME_RAW;
	size_t		 begin = out->len;
	const uint64_t	*ips;
	size_t		 n = field_stack(r, e, &ips);

	buf_putc(out, '[');
	for (size_t i = 0; i < n; i++) {
		struct frame_name	f;

		(void)trace_name_behind(r->t, e, ips[i], (unsigned)i, form == FRAME_CLEAN,
		    out->len - begin, &f);
		if (f.from > *from)
			*from = f.from;
		if (f.to < *to)
			*to = f.to;
		buf_clear(&r->texts->one);
		frame_text(&r->texts->one, &f, ips[i], form);
		if (i > 0)
			buf_putc(out, ',');
		json_text8(out, span_of_buf(&r->texts->one));
	}
	buf_putc(out, ']');
}

static void
put_names(struct field_reader *r, struct buf *out, const struct event *e)
{
	const struct stack_namer	*namer = trace_namer(r->t);
	uint32_t			 process = 0;
	struct frames_slot		*s;
	int64_t				 from = INT64_MIN, to = INT64_MAX;

	if (namer != NULL)
		process = namer->process(namer->self, e);
	if (r->texts == NULL)
		r->texts = mem_zalloc(1, sizeof *r->texts);
	if (e->stack == 0 || !scope_holds(r->texts, r->t, e)) {
		put_frames(r, out, e, &from, &to);
		return;
	}
	s = &r->texts->slot[e->stack % TEXTS];
	if (s->number != e->stack || s->scope != r->texts->scope || s->process != process ||
	    e->ts < s->from || (e->ts >= s->to && s->to != INT64_MAX)) {
		buf_clear(&s->text);
		put_frames(r, &s->text, e, &from, &to);
		*s = (struct frames_slot){ .number = e->stack, .scope = r->texts->scope,
		    .process = process, .from = from, .to = to, .text = s->text };
	}
	buf_add(out, s->text.p, s->text.len);
	if (s->text.len > TEXT_MOST) {
		buf_release(&s->text);
		s->number = 0;
	}
}

/* Is it the first of this name in the stack? A name is kept once, so its place is its identity. */
static bool
is_first(struct frame_texts *f, const void *name)
{
	size_t	at = ((uintptr_t)name >> 3) * 0x9e3779b1u % SEEN;

	for (; f->seen[at].round == f->round; at = (at + 1) % SEEN)
		if (f->seen[at].name == name)
			return false;
	f->seen[at].name = name;
	f->seen[at].round = f->round;
	return true;
}

int
reader_frame_names(struct field_reader *r, const struct event *e, bool modules, field_cell_fn fn,
    void *arg)
{
	const uint64_t	*ips;
	size_t		 n = field_stack(r, e, &ips), given = 0;
	int		 err = 0;

	if (r->texts == NULL)
		r->texts = mem_zalloc(1, sizeof *r->texts);
	r->texts->round++;
	for (size_t i = 0; i < n && err == 0; i++) {
		struct frame_name	f;
		struct cell		c = { .kind = CELL_TEXT };

		(void)trace_name_behind(r->t, e, ips[i], (unsigned)i, false, given, &f);
		c.text = modules ? f.module : f.raw;
		if (c.text.p == NULL || c.text.len == 0 || !is_first(r->texts, c.text.p))
			continue;
		given += c.text.len;
		err = fn(arg, &c);
	}
	return err;
}

void
field_stack_json(struct field_reader *r, struct buf *out, const struct event *e)
{
	const uint64_t	*ips;
	size_t		 n;
	char		*p;

	if (r->opt.frames != FRAMES_ADDRESSES) {
		put_names(r, out, e);
		return;
	}
	n = field_stack(r, e, &ips);
	p = buf_room(out, n * (5 + DIGITS_MOST) + 2);
	*p++ = '[';
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			*p++ = ',';
		memcpy(p, "\"0x", 3);
		p = digits_hex(p + 3, ips[i]);
		*p++ = '"';
	}
	*p++ = ']';
	out->len = (size_t)(p - out->p);
}
