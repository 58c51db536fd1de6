/*
 * Replacing the trace in the viewer: the file is read again, or another one is opened.
 *
 *	state as text -> new view and panes -> state from text
 */
#include "ui/reread.h"

#include "tnav/base/mem.h"
#include "ui/pane/table.h"
#include "ui/shell.h"
#include "ui/state/keep.h"
#include "ui/state/state.h"

void
panes_release(struct panes *p)
{
	for (int i = 0; i < PANES; i++) {
		struct pane	*pane = &p->pane[i];

		if (pane->ops->release != NULL)
			pane->ops->release(pane->self);
		if (pane->ops->table != NULL)
			table_pane_release(pane->self);
		mem_free(pane->self);
	}
}

void
panes_init(struct panes *p, struct view *v)
{
	p->tabbed = PANES;
	for (int i = 0; i < PANES; i++) {
		struct pane		*pane = &p->pane[i];
		struct table_pane	*t;

		pane->name = pane_names[i];
		pane->ops = pane_table[i].ops;
		pane->self = mem_zalloc(1, pane->ops->size);
		if (pane->ops->table == NULL)
			continue;
		t = pane->self;
		t->ops = pane->ops;
		t->name = pane->name;
		t->v = v;
	}
}

/* Start again with another trace. */
static void
show_trace(struct ui *ui, struct trace *t)
{
	bool			 ascii = ui->v.display.ascii;
	struct folding		*rules = folding_copy(ui->v.calls.rules);

	palette_clear(&ui->typing.palette);
	ui_await_no_more(ui);
	header_release(&ui->header);
	panes_release(&ui->panes);
	view_release(&ui->v);
	panes_init(&ui->panes, &ui->v);
	view_init(&ui->v, t, ascii);
	calls_take_rules(&ui->v.calls, rules);
	deriving_set_files(&ui->v.deriving, ui->opt.names);
	ui->v.keymap = &ui->keymap;
	ui->touched = false;
	ui->follow = (struct follow){ .on = false };
	ui->live = (struct live){ .by = NULL };
	ui->screen.resized = ui->screen.dirty = true;
	trace_close(ui->own);
	ui->own = t;
}

bool
ui_reread(struct ui *ui)
{
	struct trace	*t;
	struct buf	 why = { 0 }, kept = { 0 };
	bool		 good;

	good = trace_open(&t, trace_path(ui->v.t), ui->opt.reopen, &why) == 0;
	if (good) {
		state_write(ui, &kept);
		trace_index_start(t);
		show_trace(ui, t);
		(void)state_read(ui, kept.p, kept.len);
		buf_release(&kept);
	} else {
		view_say(&ui->v, "cannot read the file again: %s", buf_str(&why));
	}
	buf_release(&why);
	return good;
}

bool
ui_open(struct ui *ui, const char *path)
{
	struct trace	*t;
	struct buf	 why = { 0 };
	bool		 good;

	good = trace_open(&t, path, ui->opt.reopen, &why) == 0;
	if (good) {
		keep_save(ui);
		trace_index_start(t);
		show_trace(ui, t);
		ui->changed = NULL;
		buf_clear(&ui->restored.text);
		ui->panes.focus = layout_home();
		keep_restore(ui);
	} else {
		view_say(&ui->v, "%s: %s", path, buf_str(&why));
	}
	buf_release(&why);
	return good;
}
