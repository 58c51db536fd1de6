/*
 * The mouse: a click selects, a double click is Enter, the wheel scrolls, a drag over times makes a
 * range. A click on a hint of the bottom line is its key; in the text of a prompt it sets the
 * cursor.
 *
 *	terminal -> struct mouse (cells of the screen) -> the pane there -> its lines and columns
 *
 * Panes do not know the mouse. They have functions that select what is drawn at a place (point),
 * and that return the time at a column (time_at). The mouse is off at first, so that the terminal
 * selects text.
 */
#include "ui/command/mouse.h"

#include "tnav/base/job.h"
#include "ui/command/commands.h"
#include "ui/shell.h"
#include "ui/term/key.h"

#define WHEEL_LINES	3
#define DOUBLE_NS	((int64_t)400000000)	/* between two presses of a double click */

static const struct key_pair	no_key = { TK_NONE, TK_NONE };

static struct pane *
pane_at(struct ui *ui, int y, int x)
{
	for (int i = -1; i < PANES; i++) {	/* the focused one may be over others */
		struct pane	*p = &ui->panes.pane[i < 0 ? (int)ui->panes.focus : i];

		if (p->shown && x >= p->at.x && x < p->at.x + p->at.w &&
		    y >= p->at.y - p->titled && y < p->at.y + p->at.h)
			return p;
	}
	return NULL;
}

/* The screen line of a pane's cursor, as drawn; -1: none. */
static int
cursor_line(const struct ui *ui, const struct pane *p)
{
	for (int y = p->at.y; y < p->at.y + p->at.h; y++) {
		const struct canvas_cell	*cell = canvas_at(&ui->screen.c, y, p->at.x);

		if (cell != NULL && (cell->mark & (MARK_CURSOR | MARK_CURSOR_OFF)) != 0)
			return y;
	}
	return -1;
}

/* The key of the hint there, if there is one. */
static struct key_pair
hint_key(struct ui *ui, int x)
{
	for (int i = 0; i < ui->screen.nhints; i++) {
		const struct hint	*h = &ui->screen.hint[i];
		struct key_pair		 k;

		if (x < h->x || x >= h->end ||
		    !keymap_key(&ui->keymap, h->cmd, SCOPE(ui->panes.focus), &k))
			continue;
		if (k.then == TK_ANY)
			k.then = TK_NONE;
		return k;
	}
	return no_key;
}

/* Is it the second press on a row, which has the cursor since the first one? */
static bool
is_double(struct ui *ui, const struct mouse *m)
{
	const struct drag	*d = &ui->drag;
	struct pane		*p = pane_at(ui, m->y, m->x);
	bool			 again = d->at_y == m->y && d->at_x == m->x &&
				    job_now_ns() - d->at_ns < DOUBLE_NS;

	ui->drag.at_y = m->y;
	ui->drag.at_x = m->x;
	ui->drag.at_ns = again ? 0 : job_now_ns();	/* a third press begins anew */
	return again && p == &ui->panes.pane[ui->panes.focus] && cursor_line(ui, p) == m->y;
}

static void
press(struct ui *ui, const struct mouse *m)
{
	struct pane	*p = pane_at(ui, m->y, m->x);
	int		 y, x, line;

	if (p == NULL)
		return;
	y = m->y - p->at.y;
	x = m->x - p->at.x;
	if (y >= 0 && p->ops->point != NULL) {
		(void)p->ops->point(p->self, &ui->v, y, x);
	} else if (y >= 0) {
		line = cursor_line(ui, p);
		if (line >= 0 && line != m->y)
			(void)p->ops->move(p->self, &ui->v,
			    (struct move){ MOVE_LINES, m->y - line });
	}
	ui->drag.on = y >= 0 && p->ops->time_at != NULL &&
	    p->ops->time_at(p->self, &ui->v, x, &ui->drag.from);
	ui->drag.pane = (enum pane_id)(p - ui->panes.pane);
	ui->drag.x = x;
	if (ui->panes.focus != ui->drag.pane) {
		if ((SCOPE(ui->panes.focus) & SCOPE_OVERLAYS) != 0)
			ui->panes.pane[ui->panes.focus].open = false;
		ui->panes.focus = ui->drag.pane;
		layout_place(ui);
	}
}

/* Make a range from where the button went down to the pointer, both included. */
static void
drag(struct ui *ui, const struct mouse *m)
{
	struct pane	*p = &ui->panes.pane[ui->drag.pane];
	int		 x = m->x - p->at.x, first = x < ui->drag.x ? x : ui->drag.x;
	int		 last = x < ui->drag.x ? ui->drag.x : x;
	int64_t		 from, to;

	if (!ui->drag.on || p->ops->time_at == NULL || (x == ui->drag.x && !ui->v.range.set))
		return;
	if (!p->ops->time_at(p->self, &ui->v, first, &from))
		from = ui->v.window.from;
	if (!p->ops->time_at(p->self, &ui->v, last + 1, &to))
		to = ui->v.window.to;
	view_range_set(&ui->v, from, to);
}

struct key_pair
ui_mouse(struct ui *ui, const struct mouse *m)
{
	struct pane	*p;

	if (!ui->mouse)
		return no_key;
	if (ui->typing.prompt.kind != PROMPT_NONE) {
		if (m->kind == MOUSE_PRESS && m->y == ui->screen.rows - 1) {
			prompt_point(&ui->typing.prompt, &ui->screen.c, m->x);
			ui_prompt_changed(ui);
		}
		return no_key;
	}
	switch (m->kind) {
	case MOUSE_WHEEL:
		p = pane_at(ui, m->y, m->x);
		if (p != NULL)
			(void)p->ops->move(p->self, &ui->v,
			    (struct move){ MOVE_LINES, (int64_t)m->n * WHEEL_LINES });
		break;
	case MOUSE_PRESS:
		view_hush(&ui->v);
		if (m->y == ui->screen.rows - 1)
			return hint_key(ui, m->x);
		if (is_double(ui, m))
			return (struct key_pair){ TK_ENTER, TK_NONE };
		view_seek_stop(&ui->v);		/* the cursor stays where it is put */
		ui_await_no_more(ui);
		press(ui, m);
		break;
	case MOUSE_DRAG:
		drag(ui, m);
		break;
	case MOUSE_RELEASE:
		ui->drag.on = false;
		break;
	case MOUSE_OTHER:
		break;
	}
	return no_key;
}

void
cmd_mouse(struct ui *ui, const struct command_call *call)
{
	bool	on;

	if (!command_switch(ui, call, "mouse", ui->mouse, &on))
		return;
	if (ui->screen.s->ops->set == NULL ||
	    !ui->screen.s->ops->set(ui->screen.s, "mouse", on ? "on" : "off")) {
		view_say(&ui->v, "this terminal doesn't support the mouse");
	} else {
		ui->mouse = on;
		view_say(&ui->v, on ? "mouse on: click, wheel, drag; Shift selects text" :
		    "mouse off");
	}
}
