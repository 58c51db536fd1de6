/*
 * Trace health: what is wrong with the file and what was lost, as the index found it.
 */
#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "tnav/ui/pane.h"

struct problems {
	struct list	 list;
	struct finding	*v;
	uint64_t	 gen;
	bool		 loaded;
};

static void
load(struct problems *self, struct view *v)
{
	if (self->loaded && self->gen == v->gen)
		return;
	mem_free(self->v);
	self->v = NULL;
	self->list.n = diag_list(trace_diag(v->t), &self->v);
	self->gen = v->gen;
	self->loaded = true;
}

static void
finding_text(struct buf *b, const struct finding *f)
{
	if (f->count > 1)
		buf_printf(b, "%llu times: ", (unsigned long long)f->count);
	buf_puts(b, f->text);
	if (f->bytes > 0) {
		buf_puts(b, ", ");
		buf_grouped(b, f->bytes);
		buf_puts(b, f->bytes == 1 ? " byte" : " bytes");
	}
}

/* The chosen finding in full, broken where the lines end. */
static void
draw_whole(struct canvas *c, struct rect r, const struct finding *f)
{
	struct buf	b;
	size_t		at = 0, w = r.w > 4 ? (size_t)r.w - 4 : 1;

	buf_init(&b);
	finding_text(&b, f);
	canvas_hline(c, r.y, r.x, r.w, ST_TITLE);
	for (int y = r.y + 1; y < r.y + r.h && at < b.len; y++) {
		size_t	n = b.len - at, fit = n;

		if (n > w)
			for (fit = w; fit > 1 && b.p[at + fit] != ' '; fit--)
				;
		if (n > w && fit == 1)
			fit = w;
		(void)canvas_text(c, y, r.x + 2, r.w - 2, ST_NORMAL,
		    (struct span){ (const uint8_t *)b.p + at, fit });
		at += fit;
		at += at < b.len && b.p[at] == ' ';
	}
	buf_release(&b);
}

static void
draw_finding(struct canvas *c, struct rect r, int y, const struct finding *f)
{
	struct buf	b;
	int		x = r.x + 2;
	enum style	st = f->severity == SEV_ERROR ? ST_ERROR :
			    f->severity == SEV_WARN ? ST_WARN : ST_DIM;

	buf_init(&b);
	(void)canvas_puts(c, y, x, 8, st, severity_name(f->severity));
	(void)canvas_puts(c, y, x + 8, 13, ST_NORMAL, finding_kind_name(f->kind));
	buf_grouped(&b, f->off);
	canvas_right(c, y, x + 20, 14, ST_NORMAL, buf_str(&b));
	buf_clear(&b);
	finding_text(&b, f);
	(void)canvas_buf(c, y, x + 36, r.x + r.w - x - 36, ST_NORMAL, &b);
	buf_release(&b);
}

/* What the numbers of the events say, which is no damage of the file. */
static void
draw_loss(struct view *v, struct canvas *c, struct rect r, int y)
{
	struct buf	b;

	buf_init(&b);
	if (!trace_has_sequence(v->t)) {
		buf_puts(&b, "this format does not number its events: losses can't be seen");
	} else if (v->loss.gaps == 0) {
		buf_puts(&b, "no events lost, by their numbers");
	} else {
		buf_puts(&b, "at least ");
		buf_grouped(&b, v->loss.lost);
		buf_puts(&b, " events lost in ");
		buf_grouped(&b, v->loss.gaps);
		buf_puts(&b, " gaps    } goes to the next one, Alt-5 shows the threads");
	}
	(void)canvas_buf(c, y, r.x + 2, r.w - 2, v->loss.gaps > 0 ? ST_GAP : ST_NORMAL, &b);
	buf_release(&b);
}

static void
problems_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct problems	*self = arg;
	int		 whole;

	load(self, v);
	whole = self->list.n > 0 && r.h >= 10 ? 4 : 0;
	draw_loss(v, c, r, r.y);
	r.h -= whole;
	list_fit(&self->list, self->list.n, r.h - 2);
	if (self->list.n == 0)
		(void)canvas_puts(c, r.y + 1, r.x + 2, r.w - 2, ST_NORMAL, v->complete ?
		    "nothing in the structure of the file is wrong" :
		    "nothing wrong so far; the file is still being read");
	else
		(void)canvas_puts(c, r.y + 1, r.x + 2, r.w - 2, ST_DIM,
		    "        kind               at offset  what");
	for (int i = 0; i < r.h - 2; i++) {
		uint64_t	at = self->list.top + (uint64_t)i;

		if (at >= self->list.n)
			break;
		draw_finding(c, r, r.y + 2 + i, &self->v[at]);
		if (at == self->list.cursor)
			pane_cursor_row(c, r, r.y + 2 + i, focus);
	}
	if (whole > 0 && self->list.cursor < self->list.n)
		draw_whole(c, (struct rect){ r.y + r.h, r.x, whole, r.w },
		    &self->v[self->list.cursor]);
}

static void
problems_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct problems	*self = arg;

	load(self, v);
	(void)left;
	buf_grouped(right, self->list.n);
	buf_puts(right, self->list.n == 1 ? " finding" : " findings");
}

static bool
problems_move(void *arg, struct view *v, struct move m)
{
	(void)v;
	return list_move(&((struct problems *)arg)->list, m);
}

static void
problems_release(void *arg)
{
	mem_free(((struct problems *)arg)->v);
}

const struct pane_ops	pane_problems = {
	.name = "problems",
	.hints = "next-gap close help",
	.size = sizeof(struct problems),
	.release = problems_release,
	.title = problems_title,
	.draw = problems_draw,
	.move = problems_move,
};
