/*
 * Help: made from the tables of commands and of the filter language, so that it can't be wrong.
 *
 *	Filter and search			what works in the pane that it was asked for in
 *	  f & F4	Show only events ...
 *	In filters				what works in others alone
 *	  d		Delete a term of the filter.
 *	Filter: fields
 *
 * What act() means: the number of the pane to help with.
 */
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/engine/filter.h"
#include "ui/command/command.h"
#include "ui/pane/table.h"

#define KEYS_SHOWN	5

struct help_line {
	const char		*heading;	/* or NULL */
	unsigned		 scope;		/* a heading: these panes; or 0 */
	const struct command	*cmd;		/* or NULL */
	const char		*name, *text;	/* a word of the filter language */
};

enum { KEYS, WHAT, NAME, HELP_COLUMNS };

static const struct table_column	columns[HELP_COLUMNS] = {
	[KEYS] = { .name = "keys", .kind = CELL_TEXT, .tone = TONE_KEY, .width = 16, .most = 16 },
	[WHAT] = { .name = "what", .kind = CELL_TEXT },
	[NAME] = { .name = "command", .kind = CELL_TEXT, .tone = TONE_DIM, .rank = 1 },
};

struct help {
	struct table_pane	 p;
	struct table		 t;
	struct view		*v_of;
	struct buf		 keys, name;
	struct help_line	*v;
	size_t			 n, cap;
	enum pane_id		 of;		/* the pane that it is about */
	bool			 made;
};

static struct help_line *
add(struct help *self)
{
	self->v = mem_grow(self->v, &self->cap, self->n + 1, sizeof *self->v);
	self->v[self->n] = (struct help_line){ 0 };
	return &self->v[self->n++];
}

static void
add_word(struct help *self, const char *name, const char *text)
{
	struct help_line	*l = add(self);

	l->name = name;
	l->text = text;
}

/* The filter's language. */
static void
add_language(struct help *self)
{
	const struct field_def	*d;

	add(self);
	add(self)->heading = "Filter: fields";
	for (unsigned i = 0; (d = field_def(i)) != NULL; i++)
		if (!(d->flags & FIELD_DUMP))
			add_word(self, d->name, d->help);
	add(self);
	add(self)->heading = "Filter: operators";
	for (const struct filter_operator *o = filter_operators(); o->name != NULL; o++)
		add_word(self, o->name, o->help);
}

/* A command of one pane alone, or of one overlay, is of no use to who asks in another. */
static void
add_commands(struct help *self, bool here)
{
	const struct keymap	*keys = self->v_of->keymap;
	const struct command	*cmd;
	const char		*group = "";
	unsigned		 scope = 0;

	for (size_t i = 0; i < keys->ncommands; i++) {
		cmd = &keys->command[i];
		if (((cmd->scope & SCOPE(self->of)) != 0) != here)
			continue;
		if (here ? strcmp(cmd->group, group) != 0 : cmd->scope != scope) {
			if (self->n > 0)
				(void)add(self);
			if (here)
				add(self)->heading = group = cmd->group;
			else
				add(self)->scope = scope = cmd->scope;
		}
		add(self)->cmd = cmd;
	}
}

static void
make(struct help *self)
{
	if (self->made)
		return;
	self->n = 0;
	add_commands(self, true);
	add_commands(self, false);
	add_language(self);
	self->made = true;
}

static bool
help_heading(void *src, size_t row, struct buf *out)
{
	const struct help_line	*l = &((struct help *)src)->v[row];

	if (l->cmd != NULL || l->name != NULL)
		return false;
	if (l->scope == SCOPE_TRACE)
		buf_puts(out, "In the panes of the trace");
	else if (l->scope != 0)
		buf_puts(out, "In ");
	if (l->scope != SCOPE_TRACE)
		panes_write(out, l->scope);
	buf_puts(out, l->heading != NULL ? l->heading : "");
	return true;
}

/* The keys of a command as they are bound now; one without any is typed by its name. */
static void
keys_cell(struct help *self, const struct command *cmd, struct cell *out)
{
	unsigned	own = SCOPE(self->of);

	buf_clear(&self->keys);
	keymap_keys(self->v_of->keymap, cmd, (cmd->scope & own) != 0 ? own : SCOPE_ANY,
	    KEYS_SHOWN, &self->keys);
	if (self->keys.len == 0)
		buf_printf(&self->keys, ":%s", cmd->name);
	*out = cell_str(buf_str(&self->keys));
}

static void
help_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct help		*self = src;
	const struct help_line	*l = &self->v[row];

	*out = (struct cell){ .kind = CELL_NONE };
	if (l->cmd == NULL) {
		if (col != NAME)
			*out = cell_str(col == KEYS ? l->name : l->text);
	} else if (col == KEYS) {
		keys_cell(self, l->cmd, out);
	} else if (col == WHAT) {
		*out = cell_str(l->cmd->help);
	} else {
		buf_clear(&self->name);
		buf_printf(&self->name, ":%s", l->cmd->name);
		*out = cell_str(buf_str(&self->name));
	}
}

static const struct table *
help_table(void *arg, struct view *v)
{
	struct help	*self = arg;

	self->v_of = v;
	make(self);
	self->p.bare = self->p.steady = self->p.list.scrolls = true;
	self->t = (struct table){ .column = columns, .ncolumns = HELP_COLUMNS, .nrows = self->n,
	    .stamp = self->of, .rows_stamp = self->of, .src = self, .cell = help_cell,
	    .heading = help_heading, .sort = TABLE_UNSORTED, .tie = TABLE_UNSORTED };
	return &self->t;
}

static void
help_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct help	*self = arg;

	(void)v;
	buf_printf(left, "%s; j k Space b move", pane_names[self->of]);
	if (self->n > (size_t)self->p.list.h && self->p.list.h > 0)
		buf_printf(right, "%llu %%", (unsigned long long)
		    ((self->p.list.top + (uint64_t)self->p.list.h) * 100 / self->n));
}

static void
help_act(void *arg, struct view *v, int64_t what, const char *name)
{
	struct help	*self = arg;

	(void)v;
	(void)name;
	self->made &= self->of == (enum pane_id)what;
	self->of = (enum pane_id)what;
	self->p.list.top = self->p.list.cursor = 0;
}

static void
help_release(void *arg)
{
	struct help	*self = arg;

	mem_free(self->v);
	buf_release(&self->keys);
	buf_release(&self->name);
	table_pane_release(self);
}

const struct pane_ops	pane_help = {
	.name = "help",
	.hints = "close command",
	.size = sizeof(struct help),
	.release = help_release,
	.title = help_title,
	.table = help_table,
	.draw = table_pane_draw,
	.move = table_pane_move,
	.act = help_act,
};
