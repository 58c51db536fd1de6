/*
 * The marks, in time order: Enter goes to one, x deletes it.
 */
#include "ui/pane/pane.h"

#include "tnav/model/type.h"

struct marks_pane {
	struct list	list;
};

struct mark_columns {
	int	letter, time, thread, event, note, end;
};

static void
draw_mark(struct view *v, struct canvas *c, int y, const struct mark_columns *col,
    const struct mark *m)
{
	struct event	e;
	struct buf	b;
	uint64_t	row;

	buf_init(&b);
	buf_putc(&b, m->letter != '\0' ? m->letter : '-');
	(void)canvas_buf(c, y, col->letter, 1, ST_STRONG, &b);
	buf_clear(&b);
	view_time(v, m->ts, &b);
	canvas_right(c, y, col->time, col->thread - col->time - 1, ST_TIME, buf_str(&b));
	if (trace_row_of(v->t, m->ts, m->off, &row) == 1 && trace_event(v->t, row, &e) == 1) {
		buf_clear(&b);
		view_thread_text(v, e.thread, &b);
		canvas_right(c, y, col->thread, col->event - col->thread - 1, ST_THREAD,
		    buf_str(&b));
		(void)canvas_text(c, y, col->event, col->note - col->event - 1, ST_EVENT,
		    span_of(trace_type(v->t, e.type)->name));
	}
	if (m->note != NULL)
		(void)canvas_text(c, y, col->note, col->end - col->note, ST_NORMAL,
		    span_of(m->note));
	buf_release(&b);
}

static void
marks_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct marks_pane	*self = arg;
	struct mark_columns	 col = { .letter = r.x + 2, .time = r.x + 4, .end = r.x + r.w };

	col.thread = col.time + 19;
	col.event = col.thread + (int)v->tid_width + 2;
	col.note = col.event + (r.w >= 100 ? 36 : 24);
	list_fit(&self->list, v->marks.n, r.h);
	if (v->marks.n == 0)
		(void)canvas_puts(c, r.y, r.x + 2, r.w - 2, ST_NORMAL,
		    "no marks    ma marks the event under the cursor, M with a note");
	for (int i = 0; i < r.h; i++) {
		uint64_t	at = self->list.top + (uint64_t)i;

		if (at >= v->marks.n)
			break;
		draw_mark(v, c, r.y + i, &col, &v->marks.v[at]);
		if (at == self->list.cursor)
			pane_cursor_row(c, r, r.y + i, focus);
	}
}

static void
marks_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	(void)arg;
	(void)left;
	buf_grouped(right, v->marks.n);
	buf_puts(right, v->marks.n == 1 ? " mark" : " marks");
}

static bool
marks_move(void *arg, struct view *v, struct move m)
{
	struct marks_pane	*self = arg;

	self->list.n = v->marks.n;
	return list_move(&self->list, m);
}

static bool
marks_enter(void *arg, struct view *v)
{
	struct marks_pane	*self = arg;
	const struct mark	*m;

	if (self->list.cursor >= v->marks.n) {
		view_say(v, "there is no mark to go to");
		return false;
	}
	m = &v->marks.v[self->list.cursor];
	view_go_to(v, m->ts, m->off);
	return true;
}

static bool
marks_erase(void *arg, struct view *v)
{
	struct marks_pane	*self = arg;

	if (self->list.cursor >= v->marks.n)
		return false;
	marks_remove(&v->marks, self->list.cursor);
	list_fit(&self->list, v->marks.n, self->list.h);
	return true;
}

static bool
marks_point(void *arg, struct view *v, int y, int x)
{
	struct marks_pane	*self = arg;

	(void)x;
	if (y < 0 || self->list.top + (uint64_t)y >= v->marks.n)
		return false;
	self->list.cursor = self->list.top + (uint64_t)y;
	return true;
}

const struct pane_ops	pane_marks = {
	.name = "marks",
	.hints = "go-to-mark delete-mark close help",
	.size = sizeof(struct marks_pane),
	.title = marks_title,
	.draw = marks_draw,
	.move = marks_move,
	.enter = marks_enter,
	.erase = marks_erase,
	.point = marks_point,
};
