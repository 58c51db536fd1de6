/* A question on the bottom line: y, or one of its keys, confirms; any other key cancels. */
#include "ui/command/question.h"

#include <string.h>

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
	ui->typing.question.keys = NULL;
	buf_clear(&ui->typing.question.text);
	buf_puts(&ui->typing.question.text, text);
	ui->screen.dirty = true;
}

void
ui_ask_which(struct ui *ui, const char *text, const char *keys,
    void (*yes)(struct ui *ui, const char *key))
{
	ui_ask(ui, text, yes, "");
	ui->typing.question.keys = keys;
}

void
ui_answer(struct ui *ui, int32_t key)
{
	struct question	q = ui->typing.question;
	char		letter[2] = { key > ' ' && key < 127 ? (char)key : '\0', '\0' };

	ui->typing.question.yes = NULL;
	ui->typing.question.arg = NULL;
	view_hush(&ui->v);
	if (q.keys != NULL && letter[0] != '\0' && strchr(q.keys, letter[0]) != NULL)
		q.yes(ui, letter);
	else if (q.keys == NULL && (key == 'y' || key == 'Y'))
		q.yes(ui, q.arg);
	else if (q.keys == NULL)
		view_say(&ui->v, "nothing was written");
	mem_free(q.arg);
}
