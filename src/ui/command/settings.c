/* Settings: bind, unbind and set, as used in tnavrc. */
#include "ui/command/commands.h"

#include <string.h>

#include "ui/command/setting.h"
#include "ui/state/script.h"

/* Take the next word. Returns its length, or 0 at the end. */
static size_t
take_word(const char **s, const char **word)
{
	size_t	n;

	*s += strspn(*s, " \t");
	*word = *s;
	n = strcspn(*s, " \t");
	*s += n;
	*s += strspn(*s, " \t");
	return n;
}

/* The panes with a name; 0: none. */
static unsigned
scope_of(const char *word, size_t len)
{
	if (len == 3 && memcmp(word, "all", 3) == 0)
		return SCOPE_ANY;
	for (int i = 0; i < PANES; i++) {
		const char	*name = pane_names[i];

		if (strlen(name) == len && memcmp(name, word, len) == 0)
			return SCOPE(i);
	}
	return 0;
}

/* n: 0 unbinds */
void
cmd_bind(struct ui *ui, const struct command_call *call)
{
	const char		*s = call->arg, *scope_word, *key_word, *name;
	size_t			 scope_len = take_word(&s, &scope_word);
	size_t			 key_len = take_word(&s, &key_word);
	size_t			 len = call->n != 0 ? take_word(&s, &name) : 0;
	unsigned		 scope = scope_of(scope_word, scope_len);
	struct key_pair		 key = key_pair_parse(key_word, key_len);
	const struct command	*cmd = len > 0 ? command_by_name(name, len) : NULL;
	struct buf		 arg = { 0 };

	if (scope_len == 0) {
		view_refuse(&ui->v, call->n != 0 ? "usage: bind PANE KEY COMMAND" :
		    "usage: unbind PANE KEY");
	} else if (scope == 0) {
		view_refuse(&ui->v, "unknown pane \"%.*s\" (all, events, ...)",
		    (int)scope_len, scope_word);
	} else if (key.key == TK_NONE) {
		view_refuse(&ui->v, "not a key: \"%.*s\" (a, C-d, M-x, <F5>, yy)", (int)key_len,
		    key_word);
	} else if (call->n != 0 && cmd == NULL) {
		view_refuse(&ui->v, len > 0 ? "unknown command \"%.*s\"" : "no command given%.*s",
		    (int)len, len > 0 ? name : "");
	} else {
		script_unquote(&arg, s);
		keymap_bind(&ui->keymap, key, scope, cmd, buf_str(&arg));
		buf_release(&arg);
		view_say(&ui->v, "%.*s: %s", (int)key_len, key_word,
		    cmd != NULL ? cmd->help : "unbound");
	}
}

static bool
set_ascii(struct ui *ui, const char *value)
{
	bool	on;

	if (!switch_word(value, &on))
		return false;
	ui->v.display.ascii = on || ui->screen.s->ascii;	/* some terminals allow nothing
								   else */
	ui->screen.c.ascii = ui->v.display.ascii;
	ui->screen.resized = ui->screen.dirty = true;
	return true;
}

static bool
set_header(struct ui *ui, const char *value)
{
	bool	on;

	if (!switch_word(value, &on))
		return false;
	ui->header.off = !on;
	ui->screen.resized = ui->screen.dirty = true;
	return true;
}

/* Settings of the viewer; the others belong to the terminal. */
static bool
set_value(struct ui *ui, const char *name, const char *value)
{
	if (strcmp(name, "ascii") == 0)
		return set_ascii(ui, value);
	if (strcmp(name, "header") == 0)
		return set_header(ui, value);
	return ui->screen.s->ops->set != NULL && ui->screen.s->ops->set(ui->screen.s, name, value);
}

static void
put_value(struct ui *ui, const char *name, struct buf *out)
{
	const struct display	*d = &ui->v.display;
	size_t			 was = out->len;

	if (strcmp(name, "time-format") == 0)
		buf_puts(out, time_format_names[d->time_format]);
	else if (strcmp(name, "columns") == 0)
		columns_text(&d->columns, out);
	else if (strcmp(name, "blocks") == 0)
		buf_puts(out, d->blocks ? "on" : "off");
	else if (strcmp(name, "mouse") == 0)
		buf_puts(out, ui->mouse ? "on" : "off");
	else if (strcmp(name, "color-threads") == 0)
		buf_puts(out, d->color_threads ? "on" : "off");
	else if (strcmp(name, "header") == 0)
		buf_puts(out, ui->header.off ? "off" : "on");
	else if (strcmp(name, "ascii") == 0)
		buf_puts(out, d->ascii ? "on" : "off");
	else if (ui->screen.s->ops->get != NULL)
		ui->screen.s->ops->get(ui->screen.s, name, out);
	if (out->len == was)
		buf_puts(out, "unknown");
}

/* Show the values of all settings, or of the named one. */
static void
say_values(struct ui *ui, const char *name, size_t len)
{
	const struct setting	*k;
	struct buf		*b = &ui->v.message;

	view_hush(&ui->v);
	for (size_t i = 0; (k = setting_at(i)) != NULL; i++) {
		if (len > 0 && k != setting_by_name(name, len))
			continue;
		buf_printf(b, "%s%s ", b->len > 0 ? "  " : "", k->name);
		put_value(ui, k->name, b);
	}
}

static void
unknown_setting(struct ui *ui, const char *name, size_t len)
{
	const struct setting	*k;

	view_refuse(&ui->v, "unknown setting \"%.*s\":", (int)len, name);
	for (size_t i = 0; (k = setting_at(i)) != NULL; i++)
		buf_printf(&ui->v.message, " %s", k->name);
}

void
cmd_set(struct ui *ui, const struct command_call *call)
{
	const char		*s = call->arg, *name;
	size_t			 len = take_word(&s, &name);
	const struct setting	*k = setting_by_name(name, len);
	struct buf		 line = { 0 };

	if (len > 0 && k == NULL) {
		unknown_setting(ui, name, len);
	} else if (*s == '\0') {
		say_values(ui, name, len);
	} else if (k->values == NULL) {
		buf_printf(&line, "%s %s", k->name, s);
		(void)ui_command(ui, buf_str(&line));
		buf_release(&line);
	} else if (set_value(ui, k->name, s)) {
		view_say(&ui->v, "%s: %s", k->name, s);
	} else {
		view_refuse(&ui->v, "invalid value for %s: \"%s\"", k->name, s);
	}
}

void
cmd_theme(struct ui *ui, const struct command_call *call)
{
	const struct screen_ops	*ops = ui->screen.s->ops;

	if (call->arg[0] == '\0') {
		say_values(ui, "theme", strlen("theme"));
		return;
	}
	if (ops->set == NULL || !ops->set(ui->screen.s, "theme", call->arg)) {
		view_refuse(&ui->v, "themes are dark, light, any, none and mono, not \"%s\"",
		    call->arg);
		return;
	}
	ui->screen.resized = ui->screen.dirty = true;
	ops->repaint(ui->screen.s);
	view_say(&ui->v, "theme: %s", call->arg);
}
