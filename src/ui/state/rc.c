/*
 * tnavrc, and every other file of commands: the language of the command line, a command a line.
 *
 *	# quick filters
 *	bind events <F6> filter level <= warning
 *	set time-format utc
 *	color name ~ Exception red
 *
 * Such a file is a person's: it is never looked for beside a trace. A wrong line is told and left
 * out.
 */
#include "ui/state/rc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tnav/base/mem.h"
#include "ui/shell.h"

#include "ui/command/commands.h"

#define FILE_MAX	(1u << 20)

bool
rc_read(const char *path, bool follow, struct buf *out)
{
	int		flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW);
	int		fd = open(path, flags);
	struct stat	st;
	ssize_t		n = 1;
	int		err = 0;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) != 0 || S_ISDIR(st.st_mode))
		err = EISDIR;
	while (err == 0 && n != 0) {
		n = read(fd, buf_room(out, 4096), 4096);
		if (n > 0)
			out->len += (size_t)n;
		else if (n < 0 && errno != EINTR)
			err = errno;
		if (out->len > FILE_MAX)
			err = EFBIG;
	}
	close(fd);
	errno = err;
	return err == 0;
}

/* ---- running */

/* The first thing that is wrong is the one that is told. True: it is. */
static bool
run_line(struct ui *ui, const char *name, unsigned number, const char *line, struct buf *wrong)
{
	buf_clear(&ui->v.message);
	ui->wrong = false;
	if (ui_command(ui, line) && !ui->wrong)
		return false;
	if (wrong->len == 0)
		buf_printf(wrong, "%s:%u: %s", name, number, buf_str(&ui->v.message));
	return true;
}

void
rc_run(struct ui *ui, const char *name, const char *text)
{
	struct buf	wrong;
	unsigned	number = 1, bad = 0;

	buf_init(&wrong);
	if (ui->v.message.len > 0)		/* what was said before stays */
		buf_puts(&wrong, buf_str(&ui->v.message));
	for (; *text != '\0'; number++) {
		size_t	 len = strcspn(text, "\n");
		char	*line = mem_strndup(text, len);

		if (line[strspn(line, " \t")] != '#')
			bad += run_line(ui, name, number, line, &wrong);
		mem_free(line);
		text += len + (text[len] == '\n');
	}
	buf_clear(&ui->v.message);
	if (wrong.len > 0)
		view_say(&ui->v, "%s", buf_str(&wrong));
	if (bad > 1)
		buf_printf(&ui->v.message, " (and %u more)", bad - 1);
	buf_release(&wrong);
}

void
rc_start(struct ui *ui)
{
	const char	*dir = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	struct buf	 path, text;

	buf_init(&path);
	buf_init(&text);
	if (dir != NULL && dir[0] == '/')
		buf_printf(&path, "%s/tnav/tnavrc", dir);
	else if (home != NULL && home[0] == '/')
		buf_printf(&path, "%s/.config/tnav/tnavrc", home);
	if (path.len > 0 && rc_read(buf_str(&path), true, &text))
		rc_run(ui, "tnavrc", buf_str(&text));
	else if (path.len > 0 && errno != ENOENT && errno != ENOTDIR)
		view_say(&ui->v, "%s: %s", buf_str(&path), strerror(errno));
	buf_release(&path);
	buf_release(&text);
}

/* ---- bind, unbind, set */

/* Take the next word; its length, 0 at the end. */
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

/* The panes that a name stands for; 0: none. */
static unsigned
scope_of(const char *word, size_t len)
{
	if (len == 3 && memcmp(word, "all", 3) == 0)
		return SCOPE_ANY;
	for (int i = 0; i < PANES; i++) {
		const char	*name = pane_table[i].ops->name;

		if (strlen(name) == len && memcmp(name, word, len) == 0)
			return SCOPE(i);
	}
	return 0;
}

static void
wrong(struct ui *ui)
{
	ui->wrong = true;
}

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

	wrong(ui);
	if (scope == 0) {
		view_say(&ui->v, "there is no pane \"%.*s\" to bind keys in (all, events, ...)",
		    (int)scope_len, scope_word);
	} else if (key.key == TK_NONE) {
		view_say(&ui->v, "\"%.*s\" is no key: a C-d M-x <F5> yy", (int)key_len, key_word);
	} else if (call->n != 0 && cmd == NULL) {
		view_say(&ui->v, len > 0 ? "no command \"%.*s\"" : "a command is needed%.*s",
		    (int)len, len > 0 ? name : "");
	} else {
		ui->wrong = false;
		keymap_bind(&ui->keymap, key, scope, cmd, s);
		view_say(&ui->v, "%.*s: %s", (int)key_len, key_word,
		    cmd != NULL ? cmd->help : "bound to nothing");
	}
}

/* The settings, each with the command or the operation behind it. */
static const struct setting {
	const char	*name, *command;
} settings[] = {
	{ "time-format", "time-format" }, { "columns", "columns" }, { "blocks", "blocks" },
	{ "mouse", "mouse" }, { "ascii", NULL }, { "esc-delay", NULL },
};

static bool
set_ascii(struct ui *ui, const char *value)
{
	bool	on = strcmp(value, "on") == 0;

	if (!on && strcmp(value, "off") != 0)
		return false;
	ui->c.ascii = ui->v.ascii = on || ui->s->ascii;	/* some terminals can't do else */
	ui->resized = ui->dirty = true;
	return true;
}

void
cmd_set(struct ui *ui, const struct command_call *call)
{
	const char	*s = call->arg, *name;
	size_t		 len = take_word(&s, &name);
	struct buf	 line;

	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		const struct setting	*k = &settings[i];

		if (strlen(k->name) != len || memcmp(k->name, name, len) != 0)
			continue;
		if (k->command != NULL) {
			buf_init(&line);
			buf_printf(&line, "%s %s", k->command, s);
			(void)ui_command(ui, buf_str(&line));
			buf_release(&line);
		} else if (strcmp(k->name, "ascii") == 0 ? set_ascii(ui, s) :
		    ui->s->ops->set != NULL && ui->s->ops->set(ui->s, k->name, s)) {
			view_say(&ui->v, "%s: %s", k->name, s);
		} else {
			wrong(ui);
			view_say(&ui->v, "%s can't be \"%s\"", k->name, s);
		}
		return;
	}
	wrong(ui);
	view_say(&ui->v, "there is no setting \"%.*s\": time-format columns blocks mouse ascii "
	    "esc-delay", (int)len, name);
}
