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
#include "ui/pane/pane.h"

#define KEYS_SHOWN	5

struct help_line {
	const char		*heading;	/* or NULL */
	unsigned		 scope;		/* a heading: these panes; or 0 */
	const struct command	*cmd;		/* or NULL */
	const char		*name, *text;	/* a word of the filter language */
};

struct help {
	struct list		 list;
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
add_words(struct help *self, const char *heading, const struct filter_word *w)
{
	add(self);
	add(self)->heading = heading;
	for (; w != NULL && w->name != NULL; w++) {
		struct help_line	*l = add(self);

		l->name = w->name;
		l->text = w->help;
	}
}

/* A command of one pane alone, or of one overlay, is of no use to who asks in another. */
static void
add_commands(struct help *self, bool here)
{
	const struct command	*cmd;
	const char		*group = "";
	unsigned		 scope = 0;

	for (size_t i = 0; i < command_count(); i++) {
		cmd = command_at(i);
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
	add_words(self, "Filter: fields", filter_fields());
	add_words(self, "Filter: operators", filter_operators());
	self->made = true;
}

static void
draw_heading(struct canvas *c, struct rect r, int y, const struct help_line *l)
{
	struct buf	b;

	buf_init(&b);
	if (l->scope == SCOPE_TRACE)
		buf_puts(&b, "In the panes of the trace");
	else if (l->scope != 0)
		buf_puts(&b, "In ");
	if (l->scope != SCOPE_TRACE)
		panes_write(&b, l->scope);
	buf_puts(&b, l->heading != NULL ? l->heading : "");
	(void)canvas_buf(c, y, r.x + 1, r.w - 1, ST_STRONG, &b);
	buf_release(&b);
}

static void
draw_command(struct view *v, struct canvas *c, struct rect r, int y, const struct command *cmd,
    unsigned scope)
{
	int		x = r.x + 2, key_w = 18, end = r.x + r.w, name = (int)strlen(cmd->name) + 1;
	struct buf	b;

	buf_init(&b);
	keymap_keys(v->keymap, cmd, scope, KEYS_SHOWN, &b);
	if (b.len == 0) {		/* it is typed by its name */
		buf_printf(&b, ":%s", cmd->name);
		name = end;
	}
	(void)canvas_buf(c, y, x, key_w - 1, ST_KEY, &b);
	buf_release(&b);
	x += key_w;
	x += canvas_puts(c, y, x, end - x, ST_NORMAL, cmd->help) + 2;
	if (end - x >= name) {
		(void)canvas_puts(c, y, x, 1, ST_DIM, ":");
		(void)canvas_puts(c, y, x + 1, end - x - 1, ST_DIM, cmd->name);
	}
}

static void
draw_line(struct help *self, struct view *v, struct canvas *c, struct rect r, int y,
    const struct help_line *l)
{
	int	x = r.x + 2, key_w = 18;

	if (l->heading != NULL || l->scope != 0) {
		draw_heading(c, r, y, l);
	} else if (l->cmd != NULL) {
		draw_command(v, c, r, y, l->cmd, (l->cmd->scope & SCOPE(self->of)) != 0 ?
		    SCOPE(self->of) : SCOPE_ANY);
	} else if (l->name != NULL) {
		(void)canvas_puts(c, y, x, key_w, ST_KEY, l->name);
		(void)canvas_puts(c, y, x + key_w, r.x + r.w - x - key_w, ST_NORMAL, l->text);
	}
}

static void
help_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct help	*self = arg;

	(void)v;
	(void)focus;
	make(self);
	self->list.scrolls = true;
	list_fit(&self->list, self->n, r.h);
	for (int i = 0; i < r.h && self->list.top + (uint64_t)i < self->n; i++)
		draw_line(self, v, c, r, r.y + i, &self->v[self->list.top + (uint64_t)i]);
}

static void
help_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct help	*self = arg;

	(void)v;
	buf_printf(left, "%s; j k Space b move", pane_table[self->of].ops->name);
	if (self->list.n > (uint64_t)self->list.h && self->list.h > 0)
		buf_printf(right, "%llu %%", (unsigned long long)
		    ((self->list.top + (uint64_t)self->list.h) * 100 / self->list.n));
}

static bool
help_move(void *arg, struct view *v, struct move m)
{
	(void)v;
	return list_move(&((struct help *)arg)->list, m);
}

static void
help_act(void *arg, struct view *v, int64_t what, const char *name)
{
	struct help	*self = arg;

	(void)v;
	(void)name;
	self->made &= self->of == (enum pane_id)what;
	self->of = (enum pane_id)what;
	self->list.top = 0;
}

static void
help_release(void *arg)
{
	mem_free(((struct help *)arg)->v);
}

const struct pane_ops	pane_help = {
	.name = "help",
	.hints = "close command",
	.size = sizeof(struct help),
	.release = help_release,
	.title = help_title,
	.draw = help_draw,
	.move = help_move,
	.act = help_act,
};
