/*
 * The stack of the selected event: frames, the innermost first.
 *
 *	#0    Demo.Here.Say(string)  Demo.dll
 *	#1  ? Demo.Shapes.Circle.get_Item(int)  Demo.dll	a guess
 *	#2    libc.so.6+0x2784f
 *	0x00007f1c2a40b1d0  native code without symbols		of the frame under the cursor
 *
 * Frames that a fold rule folds away are left out. Of consecutive frames joined by a rule, only
 * the innermost is shown.
 *
 * Invariant: ips belong to the event that was selected at `seen`. kept[] has the depths of the
 * frames that are shown.
 */
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/naming.h"
#include "ui/pane/pane.h"

struct stack_pane {
	struct list	 list;
	struct event	 e;
	uint64_t	*ips;		/* LIMIT_STACK_FRAMES entries, or NULL */
	size_t		 n;		/* number of shown frames */
	size_t		 all;
	uint16_t	*kept;		/* LIMIT_STACK_FRAMES entries; NULL: all are shown */
	struct view_changes seen;	/* when they were read */
};

/* The name under which a rule joins frame i; p NULL: none. False: it is folded away. */
static bool
ask_rules(struct stack_pane *self, struct view *v, size_t i, struct span *as)
{
	struct folding_frame	x = { .method = false };
	struct frame_name	f;
	enum folding_what	what;

	(void)trace_name_frame(v->t, &self->e, self->ips[i], (unsigned)i, true, &f);
	x = (struct folding_frame){ f.raw, f.clean, f.module, f.method };
	*as = (struct span){ NULL, 0 };
	what = folding_ask(v->calls.rules, &x, as);
	if (what != FOLD_AS)
		*as = (struct span){ NULL, 0 };
	return what != FOLD_AWAY;
}

static void
fold(struct stack_pane *self, struct view *v)
{
	struct span	as, last = { NULL, 0 };
	size_t		n = 0;

	self->all = self->n;
	if (!folding_folds(v->calls.rules)) {
		mem_free(self->kept);
		self->kept = NULL;
		return;
	}
	if (self->kept == NULL)
		self->kept = mem_zalloc(LIMIT_STACK_FRAMES, sizeof *self->kept);
	for (size_t i = 0; i < self->n; i++) {
		if (!ask_rules(self, v, i, &as) || (as.p != NULL && as.p == last.p))
			continue;
		last = as;
		self->kept[n++] = (uint16_t)i;
	}
	self->n = n;
}

/* The depth of the frame on a line. */
static size_t
depth_of(const struct stack_pane *self, size_t line)
{
	return self->kept != NULL ? self->kept[line] : line;
}

static bool
make(struct stack_pane *self, struct view *v)
{
	struct event	e;

	if (view_selected(v, &e) != 1)
		return false;
	if (!view_changed(v, &self->seen, VIEW_INDEX | VIEW_SELECTION | VIEW_NAMES))
		return true;
	if (self->ips == NULL)
		self->ips = mem_zalloc(LIMIT_STACK_FRAMES, sizeof *self->ips);
	self->e = e;
	self->n = trace_stack(v->t, &e, self->ips, LIMIT_STACK_FRAMES);
	fold(self, v);
	self->list.cursor = self->list.top = 0;
	self->seen = v->changes;
	return true;
}

static void
ask_frame(struct stack_pane *self, struct view *v, size_t i, struct frame_name *f)
{
	(void)trace_name_frame(v->t, &self->e, self->ips[i], (unsigned)i, !v->display.raw_names, f);
}

/* The frame as shown. All addresses have the same width. */
static void
put_frame(struct stack_pane *self, struct view *v, size_t i, struct buf *out,
    const struct frame_name *f)
{
	if (f->raw.p == NULL && !f->has_offset)
		view_address_text(v, self->ips[i], out);
	else
		frame_text(out, f, self->ips[i], v->display.raw_names ? FRAME_RAW : FRAME_CLEAN);
}

static void
draw_frame(struct stack_pane *self, struct view *v, struct canvas *c, struct rect r, int y,
    size_t i)
{
	struct frame_name	f;
	struct buf		b = { 0 };
	struct span		as = { NULL, 0 };
	int			x = r.x + 8;

	buf_printf(&b, "#%zu", i);
	(void)canvas_buf(c, y, r.x + 2, 6, ST_DIM, &b);
	ask_frame(self, v, i, &f);
	if (f.unsure)		/* before the name, which may be cut; after #1000 */
		(void)canvas_puts(c, y, r.x + (b.len > 4 ? 7 : 6), 1, ST_WARN, "?");
	f.unsure = false;
	buf_clear(&b);
	put_frame(self, v, i, &b, &f);
	if (self->kept != NULL && ask_rules(self, v, i, &as) && as.p != NULL) {
		buf_clear(&b);
		buf_add(&b, as.p, as.len);
	}
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
draw_cursor(struct stack_pane *self, struct view *v, struct canvas *c, struct rect r, int y)
{
	struct frame_name	 f;
	struct buf		 b = { 0 };
	const char		*why;

	ask_frame(self, v, depth_of(self, self->list.cursor), &f);
	view_address_text(v, self->ips[depth_of(self, self->list.cursor)], &b);
	/* If no events describe code, names are not read. */
	why = name_why_text(f.why == NAME_NOT_READ ? NAME_NO_METHODS : f.why);
	if (deriving_state(&v->deriving, NEEDS_NAMES).busy || !(v->complete || v->rests))
		why = "reading names";
	if (why != NULL)
		buf_printf(&b, "  %s", why);
	(void)canvas_buf(c, y, r.x + 2, r.w - 2, ST_DIM, &b);
	buf_release(&b);
}

static const char *
why_empty(const struct stack_pane *self, struct view *v)
{
	if (self->all > 0)
		return "all frames are folded (:unfold shows them)";
	if (v->stackless)
		return "this session records no stacks (Ctrl-T begins one that does)";
	if (trace_has(v->t, HAS_STACKS))
		return "no stack (:filter-add has stack shows events that have one)";
	return "this format has no stacks";
}

static void
stack_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct stack_pane	*self = arg;

	if (!make(self, v)) {
		(void)canvas_puts(c, r.y, r.x + 2, r.w - 2, ST_DIM, "no event selected");
		return;
	}
	list_fit(&self->list, self->n, r.h - 1);
	if (self->n == 0) {
		(void)canvas_puts(c, r.y, r.x + 2, r.w - 2, ST_DIM, why_empty(self, v));
		return;
	}
	for (int i = 0; i < r.h - 1 && self->list.top + (uint64_t)i < self->n; i++) {
		uint64_t	at = self->list.top + (uint64_t)i;

		draw_frame(self, v, c, r, r.y + i, depth_of(self, at));
		if (at == self->list.cursor)
			pane_cursor_row(c, r, r.y + i, focus);
	}
	draw_cursor(self, v, c, r, r.y + r.h - 1);
}

static void
stack_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct stack_pane	*self = arg;

	if (!make(self, v) || self->n == 0)
		return;
	buf_puts(left, "innermost first");
	buf_counts(right, "# frame{s}", self->n);
	if (self->all > self->n)
		buf_printf(right, ", %zu folded", self->all - self->n);
}

static bool
stack_move(void *arg, struct view *v, struct move m)
{
	struct stack_pane	*self = arg;

	list_fit(&self->list, make(self, v) ? self->n : 0, self->list.h);
	return list_move(&self->list, m);
}

static bool
stack_field(void *arg, struct view *v, struct field_at *out)
{
	struct stack_pane	*self = arg;
	struct frame_name	 f;

	if (!make(self, v) || self->list.cursor >= self->n)
		return false;
	ask_frame(self, v, depth_of(self, self->list.cursor), &f);
	put_frame(self, v, depth_of(self, self->list.cursor), &out->text, &f);
	field_of_frame(&out->name, &out->value, v, &f,
	    self->ips[depth_of(self, self->list.cursor)]);
	return true;
}

static void
stack_release(void *arg)
{
	mem_free(((struct stack_pane *)arg)->ips);
	mem_free(((struct stack_pane *)arg)->kept);
}

const struct pane_ops	pane_stack = {
	.hints = "copy-stack include tally my-code close help",
	.size = sizeof(struct stack_pane),
	.release = stack_release,
	.title = stack_title,
	.draw = stack_draw,
	.move = stack_move,
	.field = stack_field,
};
