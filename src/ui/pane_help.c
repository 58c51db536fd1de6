/*
 * Help: made from the tables of commands and of the filter language, so that it can't be wrong.
 */
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/engine/filter.h"
#include "tnav/ui/command.h"
#include "tnav/ui/pane.h"

#define KEYS_SHOWN	5

struct help_line {
	const char		*heading;	/* or NULL */
	const struct command	*cmd;		/* or NULL */
	const char		*name, *text;	/* a word of the filter language */
};

struct help {
	struct list		 list;
	struct help_line	*v;
	size_t			 n, cap;
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

static void
make(struct help *self)
{
	const struct command	*cmd;
	const char		*group = "";

	if (self->n > 0)
		return;
	for (size_t i = 0; i < command_count(); i++) {
		cmd = command_at(i);
		if (strcmp(cmd->group, group) != 0) {
			if (self->n > 0)
				add(self);
			add(self)->heading = group = cmd->group;
		}
		add(self)->cmd = cmd;
	}
	add_words(self, "Filter: fields", filter_fields());
	add_words(self, "Filter: operators", filter_operators());
}

static void
draw_line(struct view *v, struct canvas *c, struct rect r, int y, const struct help_line *l)
{
	struct buf	b;
	int		x = r.x + 2, key_w = 18;

	if (l->heading != NULL) {
		(void)canvas_puts(c, y, r.x + 1, r.w - 1, ST_STRONG, l->heading);
		return;
	}
	if (l->cmd == NULL) {
		if (l->name == NULL)
			return;
		(void)canvas_puts(c, y, x, key_w, ST_KEY, l->name);
		(void)canvas_puts(c, y, x + key_w, r.x + r.w - x - key_w, ST_NORMAL, l->text);
		return;
	}
	buf_init(&b);
	keymap_keys(v->keymap, l->cmd, SCOPE_ANY, KEYS_SHOWN, &b);
	(void)canvas_buf(c, y, x, key_w - 1, ST_KEY, &b);
	buf_release(&b);
	x += key_w;
	x += canvas_puts(c, y, x, r.x + r.w - x, ST_NORMAL, l->cmd->help) + 2;
	if (r.x + r.w - x >= (int)strlen(l->cmd->name) + 1) {
		(void)canvas_puts(c, y, x, 1, ST_DIM, ":");
		(void)canvas_puts(c, y, x + 1, r.x + r.w - x - 1, ST_DIM, l->cmd->name);
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
		draw_line(v, c, r, r.y + i, &self->v[self->list.top + (uint64_t)i]);
}

static void
help_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct help	*self = arg;

	(void)v;
	buf_puts(left, "j k Space b move, q closes");
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
};
