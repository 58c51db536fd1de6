/*
 * The stack of the selected event: frames, the innermost first.
 *
 *	#0  Demo.Here.Say(string)  Demo.dll
 *	#1  Demo.Shapes.Circle.get_Item(int) ?  Demo.dll
 *	#2  libc.so.6+0x2784f
 *	0x00007f1c2a40b1d0  native code without symbols		of the frame under the cursor
 *
 * Invariant: ips are those of the selected event, as the view was when they were seen.
 */
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/naming.h"
#include "ui/pane/pane.h"

struct stack {
	struct list	 list;
	struct event	 e;
	uint64_t	*ips;		/* LIMIT_STACK_FRAMES of them, or NULL */
	size_t		 n;
	struct view_changes seen;	/* when they were got */
};

static bool
make(struct stack *self, struct view *v)
{
	struct event	e;

	if (view_selected(v, &e) != 1)
		return false;
	if (!view_changed(v, &self->seen, VIEW_INDEX | VIEW_SELECTION))
		return true;
	if (self->ips == NULL)
		self->ips = mem_zalloc(LIMIT_STACK_FRAMES, sizeof *self->ips);
	self->e = e;
	self->n = trace_stack(v->t, &e, self->ips, LIMIT_STACK_FRAMES);
	self->list.cursor = self->list.top = 0;
	self->seen = v->changes;
	return true;
}

static void
put_address(struct stack *self, struct view *v, size_t i, struct buf *out)
{
	buf_puts(out, "0x");
	buf_hex(out, self->ips[i], trace_info(v->t)->pointer_size * 2);
}

/* The frame as it is shown; all addresses are of one length. */
static void
put_frame(struct stack *self, struct view *v, size_t i, struct buf *out, struct frame_name *f)
{
	(void)trace_name_frame(v->t, &self->e, self->ips[i], (unsigned)i, !v->display.raw_names, f);
	if (f->raw.p == NULL && !f->has_offset)
		put_address(self, v, i, out);
	else
		frame_text(out, f, self->ips[i], v->display.raw_names ? FRAME_RAW : FRAME_CLEAN);
}

static void
draw_frame(struct stack *self, struct view *v, struct canvas *c, struct rect r, int y, size_t i)
{
	struct frame_name	f;
	struct buf		b;
	int			x = r.x + 8;

	buf_init(&b);
	buf_printf(&b, "#%zu", i);
	(void)canvas_buf(c, y, r.x + 2, 6, ST_DIM, &b);
	buf_clear(&b);
	put_frame(self, v, i, &b, &f);
	if (b.len > LIMIT_TEXT_SHOWN)
		b.len = LIMIT_TEXT_SHOWN;
	x += canvas_buf(c, y, x, r.w - 8, f.raw.p != NULL ? ST_NORMAL : ST_DIM, &b) + 2;
	if (f.raw.p != NULL && f.module.len > 0 && x < r.x + r.w) {
		buf_clear(&b);
		buf_add(&b, f.module.p, f.module.len);
		(void)canvas_buf(c, y, x, r.x + r.w - x, ST_DIM, &b);
	}
	buf_release(&b);
}

/* The address of the frame under the cursor, and why it has no name. */
static void
draw_cursor(struct stack *self, struct view *v, struct canvas *c, struct rect r, int y)
{
	struct frame_name	 f;
	struct buf		 b;
	const char		*why;

	buf_init(&b);
	put_frame(self, v, self->list.cursor, &b, &f);
	buf_clear(&b);
	put_address(self, v, self->list.cursor, &b);
	/* Where nothing tells of code nothing is read. */
	why = name_why_text(f.why == NAME_NOT_READ ? NAME_NO_METHODS : f.why);
	if (naming_busy(v->naming) || !(v->complete || v->rests))
		why = "names: being read";
	if (why != NULL)
		buf_printf(&b, "  %s", why);
	(void)canvas_buf(c, y, r.x + 2, r.w - 2, ST_DIM, &b);
	buf_release(&b);
}

static void
stack_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct stack	*self = arg;

	if (!make(self, v)) {
		(void)canvas_puts(c, r.y, r.x + 2, r.w - 2, ST_DIM, "no event selected");
		return;
	}
	list_fit(&self->list, self->n, r.h - 1);
	if (self->n == 0) {
		(void)canvas_puts(c, r.y, r.x + 2, r.w - 2, ST_DIM, trace_has(v->t, HAS_STACKS) ?
		    "no stack (:filter-add has stack shows events that have one)" :
		    "this format has no stacks");
		return;
	}
	for (int i = 0; i < r.h - 1 && self->list.top + (uint64_t)i < self->n; i++) {
		uint64_t	at = self->list.top + (uint64_t)i;

		draw_frame(self, v, c, r, r.y + i, at);
		if (at == self->list.cursor)
			pane_cursor_row(c, r, r.y + i, focus);
	}
	draw_cursor(self, v, c, r, r.y + r.h - 1);
}

static void
stack_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct stack	*self = arg;

	if (!make(self, v) || self->n == 0)
		return;
	buf_puts(left, "innermost first");
	buf_grouped(right, self->n);
	buf_puts(right, self->n == 1 ? " frame" : " frames");
}

static bool
stack_move(void *arg, struct view *v, struct move m)
{
	struct stack	*self = arg;

	list_fit(&self->list, make(self, v) ? self->n : 0, self->list.h);
	return list_move(&self->list, m);
}

static bool
stack_field(void *arg, struct view *v, struct field_at *out)
{
	struct stack		*self = arg;
	struct frame_name	 f;

	if (!make(self, v) || self->list.cursor >= self->n)
		return false;
	put_frame(self, v, self->list.cursor, &out->text, &f);
	/* By its name it is found where it was compiled anew, too. */
	if (f.raw.p != NULL && filter_quote(&out->value, (const char *)f.raw.p, f.raw.len)) {
		buf_puts(&out->name, "stack.method");
		return true;
	}
	buf_puts(&out->name, "stack");
	put_address(self, v, self->list.cursor, &out->value);
	return true;
}

static void
stack_release(void *arg)
{
	mem_free(((struct stack *)arg)->ips);
}

const struct pane_ops	pane_stack = {
	.name = "stack",
	.hints = "copy-stack include tally close help",
	.size = sizeof(struct stack),
	.release = stack_release,
	.title = stack_title,
	.draw = stack_draw,
	.move = stack_move,
	.field = stack_field,
};
