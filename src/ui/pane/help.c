/*
 * Help, made from the tables of commands, panes and the filter language. It is wrapped to the width
 * of the pane.
 *
 *	timeline			the pane where help was opened: its own commands
 *	  w		Halve the window.	:zoom-in
 *	Legend				what its drawings mean
 *	Filter and search		what else works there
 *	In filters			what works only in other panes
 *	Filter: fields
 *
 *	narrow:	  w		:zoom-in	the name first, then the text below it
 *				Halve the window.
 */
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/filter.h"
#include "ui/command/command.h"
#include "ui/pane/table.h"

#define KEYS_SHOWN	5
#define WIDE		80	/* with this width, names are on the right */
#define KEYS_WIDE	16
#define KEYS_NARROW	13
#define NAMES_WIDE	24
#define AROUND		4	/* cells before and between columns */
#define TEXT_LEAST	10

struct help_line {
	size_t			 head, head_len; /* of a heading: its part of heads */
	const struct command	*cmd;		/* or NULL */
	const char		*name;		/* of the filter language, or a drawing; or NULL */
	struct span		 text;		/* its part on this line */
	bool			 first;		/* it has the keys or the name */
	bool			 named;		/* the text is the command's name */
};

enum { KEYS, WHAT, NAME, HELP_COLUMNS };

static const struct table_column	columns[HELP_COLUMNS] = {
	[KEYS] = { .name = "keys", .kind = CELL_TEXT, .tone = TONE_KEY },
	[WHAT] = { .name = "what", .kind = CELL_TEXT, .width = TEXT_LEAST, .most = -1 },
	[NAME] = { .name = "command", .kind = CELL_TEXT, .tone = TONE_DIM, .width = NAMES_WIDE,
	    .most = NAMES_WIDE },
};

struct help {
	struct table_pane	 p;
	struct table_column	 column[HELP_COLUMNS];
	struct buf		 name, heads;
	struct help_line	*v;
	size_t			 n, cap;
	enum pane_id		 of;		/* the pane that it describes */
	const struct pane_ops	*ops;		/* ... and its functions, or NULL */
	bool			 made;
	int			 w;		/* width for which it was made */
};

static bool
is_wide(const struct help *self)
{
	return self->w >= WIDE;
}

static int
keys_width(const struct help *self)
{
	return is_wide(self) ? KEYS_WIDE : KEYS_NARROW;
}

static size_t
text_room(const struct help *self)
{
	int	w = self->w - AROUND - keys_width(self);

	if (is_wide(self))
		w -= NAMES_WIDE + AROUND / 2;
	return w > TEXT_LEAST ? (size_t)w : TEXT_LEAST;
}

/* ---- lines */

static struct help_line *
add(struct help *self)
{
	self->v = mem_grow(self->v, &self->cap, self->n + 1, sizeof *self->v);
	self->v[self->n] = (struct help_line){ 0 };
	return &self->v[self->n++];
}

/* A heading after a blank line: the text, or the names of the panes in scope. */
static void
add_heading(struct help *self, const char *words, unsigned scope)
{
	struct buf	b = { 0 };
	int		w = self->w - AROUND;
	size_t		room = w > TEXT_LEAST ? (size_t)w : TEXT_LEAST, n;

	if (scope == SCOPE_TRACE)
		buf_puts(&b, "In the panes of the trace");
	else if (scope != 0)
		buf_puts(&b, "In ");
	if (scope != SCOPE_TRACE)
		panes_write(&b, scope);
	buf_puts(&b, words);
	if (self->n > 0)
		(void)add(self);
	for (struct span s = span_of_buf(&b); s.len > 0; s = text_rest(s, n)) {
		struct help_line	*l = add(self);

		n = text_line(s, TEXT_UTF8, room);
		l->head = self->heads.len;
		l->head_len = n;
		buf_add(&self->heads, s.p, n);
	}
	buf_release(&b);
}

/* Add the text in several lines. The first one copies the other members of `like`. */
static void
add_text(struct help *self, struct help_line like, const char *text)
{
	size_t	room = text_room(self);

	for (struct span s = span_of(text); s.len > 0; s = text_rest(s, like.text.len)) {
		like.text = (struct span){ s.p, text_line(s, TEXT_UTF8, room) };
		*add(self) = like;
		like.first = false;
	}
}

/* Enter does in some panes what it does nowhere else. */
static const char *
text_of(const struct help *self, const struct command *cmd)
{
	if (self->ops != NULL && self->ops->enters != NULL && strcmp(cmd->name, "open") == 0)
		return self->ops->enters;
	return cmd->help;
}

static void
add_command(struct help *self, const struct command *cmd)
{
	struct help_line	like = { .cmd = cmd, .first = true };

	if (!is_wide(self)) {
		like.named = true;
		*add(self) = like;
		like.first = like.named = false;
	}
	add_text(self, like, text_of(self, cmd));
}

static void
add_word(struct help *self, const char *name, const char *text)
{
	add_text(self, (struct help_line){ .name = name, .first = true }, text);
}

/* The filter language. */
static void
add_language(struct help *self)
{
	const struct field_def	*d;

	add_heading(self, "Filter: fields", 0);
	for (unsigned i = 0; (d = field_def(i)) != NULL; i++)
		if (!(d->flags & FIELD_DUMP))
			add_word(self, d->name, d->help);
	add_heading(self, "Filter: operators", 0);
	for (const struct filter_operator *o = filter_operators(); o->name != NULL; o++)
		add_word(self, o->name, o->help);
}

/* ---- selecting commands */

/* Is the command on the pane's bottom line? */
static bool
is_hinted(const struct help *self, const struct command *cmd)
{
	const char	*at = self->ops != NULL ? self->ops->hints : "";
	size_t		 len = strlen(cmd->name);

	for (; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
		if (strncmp(at, cmd->name, len) == 0 && strchr(" =", at[len]) != NULL)
			return true;
	return false;
}

/* Is it a command of some panes only, including this one? */
static bool
is_own(const struct help *self, const struct command *cmd)
{
	if ((cmd->scope & SCOPE(self->of)) == 0)
		return false;
	return is_hinted(self, cmd) || (cmd->scope & SCOPE_TRACE) != SCOPE_TRACE;
}

static void
add_own(struct help *self)
{
	const struct legend	*l = self->ops != NULL ? self->ops->legend : NULL;
	bool			 ascii = self->p.v->display.ascii;

	add_heading(self, "", SCOPE(self->of));
	for (size_t i = 0; i < command_ntable; i++)
		if (is_own(self, &command_table[i]))
			add_command(self, &command_table[i]);
	if (l == NULL)
		return;
	add_heading(self, "Legend", 0);
	for (; l->drawing != NULL; l++)
		add_word(self, ascii ? l->ascii : l->drawing, l->text);
}

/* here: the other commands of this pane, by group. Else: those of other panes, by scope. */
static void
add_others(struct help *self, bool here)
{
	const char	*group = "";
	unsigned	 scope = 0;

	for (size_t i = 0; i < command_ntable; i++) {
		const struct command	*cmd = &command_table[i];

		if (((cmd->scope & SCOPE(self->of)) != 0) != here || (here && is_own(self, cmd)))
			continue;
		if (here && strcmp(cmd->group, group) != 0)
			add_heading(self, group = cmd->group, 0);
		else if (!here && cmd->scope != scope)
			add_heading(self, "", scope = cmd->scope);
		add_command(self, cmd);
	}
}

static void
make(struct help *self, int w)
{
	if (self->made && self->w == w)
		return;
	self->w = w;
	self->n = 0;
	buf_clear(&self->heads);
	add_own(self);
	add_others(self, true);
	add_others(self, false);
	add_language(self);
	self->made = true;
}

/* ---- the table */

static bool
help_heading(void *src, size_t row, struct buf *out)
{
	const struct help	*self = src;
	const struct help_line	*l = &self->v[row];

	if (l->cmd != NULL || l->name != NULL)
		return false;
	if (l->head_len > 0)
		buf_add(out, self->heads.p + l->head, l->head_len);
	return true;
}

/* The current keys of a command, as many as fit. */
static void
keys_cell(struct help *self, const struct command *cmd, struct cell *out)
{
	unsigned	own = SCOPE(self->of), scope = (cmd->scope & own) != 0 ? own : SCOPE_ANY;
	size_t		n = KEYS_SHOWN;

	do {
		buf_clear(&self->p.text);
		keymap_keys(self->p.v->keymap, cmd, scope, n, &self->p.text);
	} while (self->p.text.len > (size_t)keys_width(self) && --n > 0);
	*out = cell_str(buf_str(&self->p.text));
}

static void
name_cell(struct help *self, const struct command *cmd, bool args, struct cell *out)
{
	buf_clear(&self->name);
	buf_printf(&self->name, ":%s", cmd->name);
	if (args && cmd->args != NULL &&
	    self->name.len + 1 + strlen(cmd->args) <= text_room(self))
		buf_printf(&self->name, " %s", cmd->args);
	*out = cell_str(buf_str(&self->name));
}

static void
help_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct help		*self = src;
	const struct help_line	*l = &self->v[row];

	*out = cell_none();
	if (col == WHAT && l->named)
		name_cell(self, l->cmd, true, out);
	else if (col == WHAT && l->text.p != NULL)
		*out = (struct cell){ .kind = CELL_TEXT, .text = l->text };
	else if (col == KEYS && l->first && l->cmd != NULL)
		keys_cell(self, l->cmd, out);
	else if (col == KEYS && l->first)
		*out = cell_str(l->name);
	else if (col == NAME && l->first && l->cmd != NULL)
		name_cell(self, l->cmd, false, out);
}

static enum tone
help_tone(void *src, size_t row, unsigned col)
{
	return col == WHAT && ((struct help *)src)->v[row].named ? TONE_DIM : TONE_NORMAL;
}

static const struct table *
help_table(void *arg, struct view *v)
{
	struct help	*self = arg;

	(void)v;
	make(self, self->p.w > 0 ? self->p.w : WIDE);
	memcpy(self->column, columns, sizeof columns);
	self->column[KEYS].width = self->column[KEYS].most = keys_width(self);
	self->p.bare = self->p.steady = self->p.list.scrolls = true;
	self->p.t = (struct table){ .column = self->column, .ncolumns = HELP_COLUMNS,
	    .nrows = self->n, .stamp = (uint64_t)self->w * PANES + self->of, .src = self,
	    .cell = help_cell, .tone = help_tone, .heading = help_heading };
	self->p.t.rows_stamp = self->p.t.stamp;
	if (!is_wide(self))
		self->p.t.absent = UINT64_C(1) << NAME;
	return &self->p.t;
}

static void
help_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct help	*self = arg;

	(void)v;
	(void)right;
	buf_printf(left, "%s; / searches", pane_names[self->of]);
}

static void
help_about(void *arg, unsigned id, const struct pane_ops *of)
{
	struct help	*self = arg;

	self->made &= self->of == (enum pane_id)id && self->ops == of;
	self->of = (enum pane_id)id;
	self->ops = of;
	self->p.list.top = self->p.list.cursor = 0;
}

static void
help_release(void *arg)
{
	struct help	*self = arg;

	mem_free(self->v);
	buf_release(&self->name);
	buf_release(&self->heads);
}

const struct pane_ops	pane_help = {
	.hints = "close search command",
	.size = sizeof(struct help),
	.release = help_release,
	.title = help_title,
	.table = help_table,
	.draw = table_pane_draw,
	.move = table_pane_move,
	.about = help_about,
};
