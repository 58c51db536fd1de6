/*
 * The panes as a whole, and another trace in them: the file, read again.
 *
 *	state as text -> all panes and the view anew -> state from text
 */
#include "ui/reread.h"

#include "tnav/base/mem.h"
#include "ui/pane/table.h"
#include "ui/shell.h"
#include "ui/state/state.h"

void
panes_release(struct panes *p)
{
	for (int i = 0; i < PANES; i++) {
		if (p->pane[i].ops->release != NULL && p->pane[i].self != NULL)
			p->pane[i].ops->release(p->pane[i].self);
		mem_free(p->pane[i].self);
	}
}

void
panes_init(struct panes *p)
{
	for (int i = 0; i < PANES; i++) {
		p->pane[i].ops = pane_table[i].ops;
		p->pane[i].self = mem_zalloc(1, pane_table[i].ops->size);
		if (pane_table[i].ops->table != NULL)
			((struct table_pane *)p->pane[i].self)->ops = pane_table[i].ops;
	}
}

/* Begin again with another trace; what state.c keeps of one stays. */
static void
show_trace(struct ui *ui, struct trace *t)
{
	struct buf	kept;
	bool		ascii = ui->v.display.ascii;

	buf_init(&kept);
	state_write(ui, &kept);
	typing_forget(&ui->typing);
	panes_release(&ui->panes);
	view_release(&ui->v);
	panes_init(&ui->panes);
	view_init(&ui->v, t, ascii);
	ui->v.keymap = &ui->keymap;
	ui->touched = false;
	(void)state_read(ui, kept.p, kept.len);
	ui->screen.resized = ui->screen.dirty = true;
	buf_release(&kept);
}

bool
ui_reread(struct ui *ui)
{
	struct trace	*t;
	struct buf	 why;
	bool		 good;

	buf_init(&why);
	good = trace_open(&t, trace_path(ui->v.t), ui->opt.reopen, &why) == 0;
	if (good) {
		trace_index_start(t);
		show_trace(ui, t);
		trace_close(ui->own);
		ui->own = t;
	} else {
		view_say(&ui->v, "it can't be read again: %s", buf_str(&why));
	}
	buf_release(&why);
	return good;
}
