/* Commands for marks: events by letter, a range of times, lanes and columns. */
#include "ui/command/commands.h"

#include "ui/await.h"
#include "ui/view/span_ends.h"

/* ---- marks */

static void
say_mark(struct view *v, const struct mark *m, const char *what)
{
	view_say(v, "%s ", what);
	if (m->letter != '\0')
		buf_printf(&v->message, "%c ", m->letter);
	buf_puts(&v->message, "at ");
	view_secs(v, m->ts, &v->message);
	if (m->note != NULL)
		buf_printf(&v->message, ": %s", m->note);
}

static bool
is_letter(const char *s)
{
	return s[0] > ' ' && s[0] < 127 && s[0] != '\'' && s[1] == '\0';
}

static void
set_mark(struct view *v, char letter, const char *note)
{
	const struct mark	*m = NULL;

	if (v->sel.has)
		m = marks_set(&v->marks, letter, v->sel.ts, v->sel.off, note);
	if (m != NULL)
		say_mark(v, m, "mark");
	else
		view_say(v, v->sel.has ? "too many marks (delete some in :marks)" :
		    "no event to mark");
}

void
cmd_mark(struct ui *ui, const struct command_call *call)
{
	if (call->arg[0] != '\0' && !is_letter(call->arg))
		view_refuse(&ui->v, "a mark is a letter or a digit (ma, 'a)");
	else
		set_mark(&ui->v, call->arg[0], NULL);
}

void
cmd_note(struct ui *ui, const struct command_call *call)
{
	if (!ui->v.sel.has)
		view_say(&ui->v, "no event to mark");
	else if (!command_asks(ui, call, PROMPT_COMMAND, "note "))
		set_mark(&ui->v, '\0', call->arg);
}

static void
go_to_mark(struct ui *ui, const struct mark *m)
{
	view_go_to(&ui->v, m->ts, m->off);
	say_mark(&ui->v, m, "mark");
	if (ui->v.sel.off != m->off && !ui->v.sel.settling)
		buf_puts(&ui->v.message, " (hidden by the filter: at the nearest event)");
}

void
cmd_go_mark(struct ui *ui, const struct command_call *call)
{
	const struct mark	*m = NULL;

	if (is_letter(call->arg))
		m = marks_find(&ui->v.marks, call->arg[0]);
	if (m != NULL)
		go_to_mark(ui, m);
	else
		view_refuse(&ui->v, call->arg[0] != '\0' ? "no mark %s (:marks lists them)" :
		    "no letter of a mark given%s (:marks lists them)", call->arg);
}

/* n: direction */
void
cmd_next_mark(struct ui *ui, const struct command_call *call)
{
	struct view		*v = &ui->v;
	const struct mark	*m = marks_next(&v->marks, v->sel.ts, v->sel.off, (int)call->n);

	if (m != NULL)
		go_to_mark(ui, m);
	else if (v->marks.n == 0)
		view_say(v, "no marks (ma sets one)");
	else
		view_say(v, call->n > 0 ? "no later mark" : "no earlier mark");
}

void
cmd_last_jump(struct ui *ui, const struct command_call *call)
{
	(void)call;
	if (!view_jump_back(&ui->v))
		view_say(&ui->v, "no jump yet");
}

void
cmd_erase(struct ui *ui, const struct command_call *call)
{
	struct pane	*p = &ui->panes.pane[ui->panes.focus];

	(void)call;
	if (p->ops->erase == NULL || !p->ops->erase(p->self, &ui->v))
		view_say(&ui->v, "nothing to delete here");
}

/* ---- comparing */

/* The cursor stays in the list, so that the user can move to the event to compare. */
void
cmd_diff(struct ui *ui, const struct command_call *call)
{
	struct view	*v = &ui->v;
	bool		 listed = ui->panes.focus == PANE_EVENTS;

	if (call->arg[0] != '\0') {
		cmd_changes(ui, call);
		return;
	}
	if (!v->sel.has) {
		view_say(v, "no event to compare");
		return;
	}
	if (v->pinned.set && v->pinned.ts == v->sel.ts && v->pinned.off == v->sel.off) {
		v->pinned.set = false;
		view_say(v, "the event is no longer pinned");
		return;
	}
	v->pinned.set = true;
	v->pinned.ts = v->sel.ts;
	v->pinned.off = v->sel.off;
	layout_open(ui, PANE_DIFF);
	if (listed && !ui->panes.maximised)
		layout_open(ui, PANE_EVENTS);
	if (ui->panes.pane[PANE_DIFF].shown)
		view_say(v, "pinned: move to another event to compare (Alt-d on this one "
		    "unpins it)");
	else
		view_say(v, "pinned: move on, then Tab shows what differs");
}

/* ---- the range */

void
cmd_range(struct ui *ui, const struct command_call *call)
{
	(void)call;
	view_range_toggle(&ui->v);
}

/* The time of the span under the cursor; in formats whose events are spans, of the event.
   ENDS_LATER: cmd_span() runs again once spans are found. */
static enum span_ends
span_here(struct ui *ui, int64_t *from, int64_t *to)
{
	struct view		*v = &ui->v;
	const struct pane	*p = &ui->panes.pane[ui->panes.focus];
	uint32_t		 thread = EVENT_NONE;
	struct event		 e;

	if (p->ops->times != NULL)
		return p->ops->times(p->self, v, from, to);
	if (view_selected(v, &e) != 1)
		return ENDS_NONE;
	if (trace_has(v->t, HAS_DURATIONS)) {
		*from = e.ts;
		*to = view_event_end(v, &e);
		return *to > e.ts ? ENDS_THERE : ENDS_NONE;
	}
	if (!ui_await_spans(ui, cmd_span))
		return ENDS_LATER;
	if (p->ops->thread != NULL && ui->panes.focus == PANE_TIMELINE)
		thread = p->ops->thread(p->self, v);
	return view_span_times(v, &e, thread, from, to);
}

/* Make the time of the span the window, or the range if one was begun. */
void
cmd_span(struct ui *ui, const struct command_call *call)
{
	struct view	*v = &ui->v;
	int64_t		 from, to;

	(void)call;
	switch (span_here(ui, &from, &to)) {
	case ENDS_THERE:
		if (v->range.set && v->range.growing)
			view_range_set(v, from, to);
		else if (!view_window(v, from, to))
			view_say(v, "that is already the window");
		break;
	case ENDS_NONE:
		view_say(v, "no span begins, ends or is in progress here");
		break;
	case ENDS_LOST:
		view_say(v, "only one end of this span is in the trace");
		break;
	case ENDS_LATER:
		break;
	}
}

/* ---- lanes and columns */

/* Sort by the named column, or ask for one; NULL: reverse the order. */
static void
sort_pane(struct ui *ui, const char *name)
{
	struct pane	*p = &ui->panes.pane[ui->panes.focus];

	if (p->ops->sort == NULL) {
		view_say(&ui->v, "nothing to sort here");
	} else if (name == NULL || name[0] != '\0') {
		(void)p->ops->sort(p->self, &ui->v, name);
	} else {
		ui_prompt(ui, PROMPT_COMMAND, "sort ");
		if (ui->typing.palette.n > 0)
			return;
		ui->typing.prompt.kind = PROMPT_NONE;
		if (ui->v.message.len == 0)
			view_say(&ui->v, "nothing to sort here");
	}
}

/* n: 1 reverses the order */
void
cmd_sort(struct ui *ui, const struct command_call *call)
{
	if (call->n != 0)
		sort_pane(ui, NULL);
	else if (ui->panes.focus == PANE_EVENTS && call->arg[0] == '\0')
		cmd_pane_with(ui, &(struct command_call){ .n = PANE_TOP, .arg = "" });
	else
		sort_pane(ui, call->arg);
}

void
cmd_pin(struct ui *ui, const struct command_call *call)
{
	struct pane	*p = &ui->panes.pane[PANE_TIMELINE];

	if (call->arg[0] == '\0' && ui->panes.focus != PANE_TIMELINE)
		view_say(&ui->v, "no lane to pin here");
	else if (!p->ops->pin(p->self, &ui->v, call->arg))
		view_say(&ui->v, call->arg[0] == '\0' ? "only thread lanes can be pinned" :
		    "usage: pin-lane tid=25 or pin-lane tid=25 pid=7");
}

/* n: what the timeline shows in its lanes, or hides */
void
cmd_lanes(struct ui *ui, const struct command_call *call)
{
	if (call->n != LANES_SPANS || trace_has(ui->v.t, HAS_DURATIONS) ||
	    ui_await_spans(ui, cmd_lanes))
		pane_act(ui, PANE_TIMELINE, call->n, "");
}

/* n: what the pane shows. */
void
cmd_spans_by(struct ui *ui, const struct command_call *call)
{
	(void)ui_ask_spans(ui);		/* the pane itself says that they are being found */
	if (ui->panes.focus != PANE_SPANS)	/* a name may be typed in any pane */
		layout_open(ui, PANE_SPANS);
	pane_act(ui, PANE_SPANS, call->n, "");
}
