/*
 * A question on the bottom line: y does what was asked, anything else leaves it.
 */
#include "ui/command/question.h"

#include "tnav/base/mem.h"
#include "ui/shell.h"

void
question_release(struct question *q)
{
	mem_free(q->arg);
	buf_release(&q->text);
}

void
ui_ask(struct ui *ui, const char *text, void (*yes)(struct ui *ui, const char *arg),
    const char *arg)
{
	mem_free(ui->typing.question.arg);
	ui->typing.question.arg = mem_strdup(arg);
	ui->typing.question.yes = yes;
	buf_clear(&ui->typing.question.text);
	buf_puts(&ui->typing.question.text, text);
	ui->screen.dirty = true;
}

void
ui_answer(struct ui *ui, bool agreed)
{
	struct question	q = ui->typing.question;

	ui->typing.question.yes = NULL;
	ui->typing.question.arg = NULL;
	view_hush(&ui->v);
	if (agreed)
		q.yes(ui, q.arg);
	else
		view_say(&ui->v, "nothing was written");
	mem_free(q.arg);
}
