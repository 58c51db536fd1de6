/*
 * A question on the bottom line: y does what was asked, anything else leaves it.
 */
#include "tnav/base/mem.h"
#include "ui/shell.h"

void
ui_ask(struct ui *ui, const char *text, void (*yes)(struct ui *ui, const char *arg),
    const char *arg)
{
	mem_free(ui->question.arg);
	ui->question.arg = mem_strdup(arg);
	ui->question.yes = yes;
	buf_clear(&ui->question.text);
	buf_puts(&ui->question.text, text);
	ui->dirty = true;
}

/* Only a key that was pressed is an answer; what else comes in between takes the question back. */
void
ui_answer(struct ui *ui, bool agreed)
{
	struct question	q = ui->question;

	ui->question.yes = NULL;
	ui->question.arg = NULL;
	buf_clear(&ui->v.message);
	if (agreed)
		q.yes(ui, q.arg);
	else
		view_say(&ui->v, "nothing was written");
	mem_free(q.arg);
}
