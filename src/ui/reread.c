/*
 * The panes as a whole, and another trace in them: the file, read again.
 *
 *	state as text -> all panes and the view anew -> state from text
 */
#include "tnav/base/mem.h"
#include "ui/pane/table.h"
#include "ui/shell.h"
#include "ui/state/state.h"

void
ui_panes_release(struct ui *ui)
{
	for (int i = 0; i < PANES; i++) {
		if (ui->pane[i].ops->release != NULL && ui->pane[i].self != NULL)
			ui->pane[i].ops->release(ui->pane[i].self);
		mem_free(ui->pane[i].self);
	}
}

void
ui_panes_init(struct ui *ui)
{
	for (int i = 0; i < PANES; i++) {
		ui->pane[i].ops = pane_table[i].ops;
		ui->pane[i].self = mem_zalloc(1, pane_table[i].ops->size);
		if (pane_table[i].ops->table != NULL)
			((struct table_pane *)ui->pane[i].self)->ops = pane_table[i].ops;
	}
}

/* Begin again with another trace; what state.c keeps of one stays. */
static void
show_trace(struct ui *ui, struct trace *t)
{
	struct buf	kept;
	bool		ascii = ui->v.ascii;

	buf_init(&kept);
	state_write(ui, &kept);
	query_free(ui->preview);
	ui->preview = NULL;
	palette_clear(&ui->palette);
	ui_panes_release(ui);
	view_release(&ui->v);
	ui_panes_init(ui);
	view_init(&ui->v, t, ascii);
	ui->v.keymap = &ui->keymap;
	ui->touched = false;
	(void)state_read(ui, kept.p, kept.len);
	ui->resized = ui->dirty = true;
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
