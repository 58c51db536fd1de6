/*
 * The list of panes, lists and reports: a digit or a letter shows one, as does Enter.
 *
 *	5  threads   Alt-5  Show the threads, most lost first.
 *	g  gaps      Alt-g  Show the gaps ...
 *	C  gc               Report: Garbage collections
 *
 * It is made from the table of panes and the list of reports. Each row is a command, by its name.
 */
#include <ctype.h>
#include <string.h>

#include "tnav/analysis/report.h"
#include "ui/command/command.h"
#include "ui/pane/choice.h"

enum { CHAR, NAME, KEYS, HELP, PANES_COLUMNS };

static const struct table_column	columns[PANES_COLUMNS] = {
	[CHAR] = { .name = "key", .title = "", .kind = CELL_TEXT, .tone = TONE_KEY },
	[NAME] = { .name = "pane", .kind = CELL_TEXT, .tone = TONE_STRONG },
	[KEYS] = { .name = "keys", .kind = CELL_TEXT, .tone = TONE_DIM, .rank = 1 },
	[HELP] = { .name = "help", .title = "", .kind = CELL_TEXT, .width = 20, .most = -1 },
};

struct chooser {
	struct table_pane	 p;
	const char		*name[(size_t)PANES + REPORTS];	/* by row: name of its command */
	size_t			 panes, lists;	/* rows of panes, then of lists; the reports
						   follow */
	struct menu_keys	 choice;	/* keys of the rows */
	struct buf		 help;
};

static const struct command *
command_of(const struct chooser *self, size_t row)
{
	return command_by_name(self->name[row], strlen(self->name[row]));
}

/* The last character of the command's key, as in "Alt-5" and "c"; else an unused letter of the
   name, small or capital. */
static void
choose_key(struct chooser *self, const struct command *cmd)
{
	const char	*keys;
	char		 last;
	bool		 typed;

	buf_clear(&self->p.text);
	keymap_keys(self->p.v->keymap, cmd, SCOPE_ANY, 1, &self->p.text);
	keys = buf_str(&self->p.text);
	last = self->p.text.len > 0 ? self->p.text.p[self->p.text.len - 1] : '\0';
	typed = isalnum((unsigned char)last) &&
	    (self->p.text.len == 1 || strncmp(keys, "Alt-", 4) == 0);
	buf_clear(&self->p.text);
	if (typed)
		buf_putc(&self->p.text, last);
	buf_puts(&self->p.text, cmd->name);
	for (const char *c = cmd->name; *c != '\0'; c++)
		buf_putc(&self->p.text, (char)toupper((unsigned char)*c));
	choice_add(&self->choice, buf_str(&self->p.text));
}

static void
add_row(struct chooser *self, const char *name)
{
	const struct command	*cmd = command_by_name(name, strlen(name));

	if (cmd == NULL)
		return;
	self->name[self->choice.n] = cmd->name;
	choose_key(self, cmd);
}

static void
make(struct chooser *self)
{
	self->choice.n = 0;
	for (int i = 0; i < PANES; i++)
		if ((SCOPE(i) & SCOPE_OVERLAYS) == 0)
			add_row(self, pane_names[i]);
	self->panes = self->choice.n;
	for (int i = 0; i < PANES; i++)
		if ((SCOPE(i) & SCOPE_OVERLAYS) != 0 && i != PANE_CHOOSER)
			add_row(self, pane_names[i]);
	self->lists = self->choice.n - self->panes;
	for (size_t i = 0; i < REPORTS; i++)
		add_row(self, reports[i]->name);
}

/* A report's title is enough beside its name, and fits where its help does not. */
static const char *
help_of(struct chooser *self, size_t row)
{
	if (row < self->panes + self->lists)
		return command_of(self, row)->help;
	for (size_t i = 0; i < REPORTS; i++) {
		if (strcmp(reports[i]->name, self->name[row]) != 0)
			continue;
		buf_clear(&self->help);
		buf_printf(&self->help, "Report: %s", reports[i]->title);
	}
	return buf_str(&self->help);
}

static void
panes_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct chooser	*self = src;

	*out = (struct cell){ .kind = CELL_TEXT };
	if (col == CHAR)
		choice_cell(&self->choice, row, out);
	if (col == NAME)
		*out = cell_str(self->name[row]);
	if (col == HELP)
		*out = cell_str(help_of(self, row));
	if (col != KEYS)
		return;
	buf_clear(&self->p.text);
	keymap_keys(self->p.v->keymap, command_of(self, row), SCOPE_ANY, 2, &self->p.text);
	*out = cell_str(buf_str(&self->p.text));
}

static const struct table *
panes_table(void *arg, struct view *v)
{
	struct chooser	*self = arg;

	(void)v;
	make(self);
	self->p.bare = self->p.steady = true;
	self->p.t = (struct table){ .column = columns, .ncolumns = PANES_COLUMNS,
	    .nrows = self->choice.n, .src = self, .cell = panes_cell };
	return &self->p.t;
}

static void
panes_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct chooser	*self = arg;

	(void)panes_table(self, v);
	buf_puts(left, "its key shows one");
	buf_printf(right, "%zu panes, %zu lists, %u reports", self->panes, self->lists,
	    (unsigned)REPORTS);
}

static bool
panes_key(void *arg, struct view *v, int32_t key)
{
	struct chooser	*self = arg;

	(void)panes_table(self, v);
	return choice_stand(&self->choice, &self->p, v, key);
}

static bool
panes_field(void *arg, struct view *v, struct field_at *out)
{
	struct chooser	*self = arg;
	size_t		 row = table_pane_row(&self->p, v);

	if (row == TABLE_NO_ROW)
		return false;
	buf_puts(&out->text, self->name[row]);
	return true;
}

static void
panes_release(void *arg)
{
	buf_release(&((struct chooser *)arg)->help);
}

const struct pane_ops	pane_panes = {
	.hints = "choose-pane close help",
	.size = sizeof(struct chooser),
	.release = panes_release,
	.title = panes_title,
	.table = panes_table,
	TABLE_PANE,
	.field = panes_field,
	.key = panes_key,
};
