/*
 * The generated parts of the man page, in man macros. Each follows a line with its name, such as
 * @options@. tests/check/generated.sh puts them into doc/tnav.1.in, which has the prose.
 */
#include "app/help.h"

#include <string.h>

#include "app/command.h"
#include "app/exit.h"
#include "tnav/engine/field.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"
#include "tnav/ui/ui.h"

/* Escape what troff would interpret. A - becomes a minus that can be copied. */
static void
put_roff(struct buf *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((s[i] == '.' || s[i] == '\'') && (i == 0 || s[i - 1] == '\n'))
			buf_puts(out, "\\&");
		if (s[i] == '\\')
			buf_puts(out, "\\e");
		else if (s[i] == '-')
			buf_puts(out, "\\-");
		else if (s[i] == '\'')
			buf_puts(out, "\\(aq");
		else if (s[i] == '`')
			buf_puts(out, "\\(ga");
		else if (s[i] == '~')
			buf_puts(out, "\\(ti");
		else if (s[i] == '^')
			buf_puts(out, "\\(ha");
		else
			buf_putc(out, s[i]);
	}
}

static void
put_str(struct buf *out, const char *s)
{
	put_roff(out, s, strlen(s));
}

static void
put_item(struct buf *out, const char *term, const char *text)
{
	buf_puts(out, ".TP\n.B ");
	put_str(out, term);
	buf_putc(out, '\n');
	put_str(out, text);
	buf_putc(out, '\n');
}

static void
put_commands(struct buf *out, const struct command_def *all)
{
	const struct table_column	*column;
	unsigned			 n;
	struct buf			 term;

	buf_init(&term);
	for (const struct command_def *c = all; c->name != NULL; c++) {
		buf_clear(&term);
		buf_printf(&term, "tnav %s%s%s", c->name, c->name[0] != '\0' ? " " : "", c->args);
		buf_puts(out, ".TP\n.B ");
		put_str(out, buf_str(&term));
		buf_printf(out, "\n%c", c->summary[0] - 'a' + 'A');
		put_str(out, c->summary + 1);
		buf_puts(out, ".\n");
		if (options_text(c) != NULL) {
			put_str(out, options_text(c));
			buf_putc(out, '\n');
		}
		column = options_columns(c, &n);
		for (unsigned k = 0; k < n; k++)
			if ((column[k].flags & COLUMN_SCREEN) == 0)
				buf_printf(out, "%s%s", k == 0 ? "Columns: " : ", ",
				    column[k].name);
		buf_puts(out, column != NULL ? ".\n" : "");
	}
	buf_release(&term);
}

/* "Of dump, stats.": the commands that take an option, if not all do. */
static void
put_takers(struct buf *out, const struct command_def *all, const struct option_def *d)
{
	bool	first = true;

	for (const struct command_def *c = all; c->name != NULL; c++) {
		if (!options_takes(c, d))
			continue;
		buf_puts(out, first ? "(" : ", ");
		buf_puts(out, c->name[0] == '\0' ? "viewer" : c->name);
		first = false;
	}
	buf_puts(out, ")\n");
}

static void
put_options(struct buf *out, const struct command_def *all)
{
	for (unsigned i = 0; options_option(i) != NULL; i++) {
		const struct option_def	*d = options_option(i);

		buf_puts(out, ".TP\n");
		if (d->letter != 0)
			buf_printf(out, "\\fB\\-%c\\fR, ", d->letter);
		buf_puts(out, "\\fB\\-\\-");
		put_str(out, d->name);
		buf_puts(out, "\\fR");
		if (d->arg != NULL)
			buf_printf(out, d->kind == ARG_MAYBE ? "[=\\fI%s\\fR]" :
			    " \\fI%s\\fR", d->arg);
		buf_putc(out, '\n');
		put_str(out, d->help);
		buf_putc(out, '\n');
		if (d->choices != NULL)
			buf_printf(out, "One of: %s.\n", d->choices);
		put_takers(out, all, d);
	}
}

static void
put_fields(struct buf *out)
{
	const struct field_def	*d;

	for (unsigned i = 0; (d = field_def(i)) != NULL; i++)
		if (!(d->flags & FIELD_DUMP))
			put_item(out, d->name, d->help);
}

static void
put_operators(struct buf *out)
{
	for (const struct filter_operator *o = filter_operators(); o->name != NULL; o++)
		put_item(out, o->name, o->help);
}

static void
put_json_keys(struct buf *out)
{
	for (unsigned i = 0; field_def(i)->kind == FIELD_HEADER; i++)
		buf_printf(out, "%s%s", i > 0 ? ", " : "", field_json_name(field_def(i)));
	buf_puts(out, ".\n");
}

static void
put_exit_codes(struct buf *out)
{
	for (size_t i = 0; exit_text(i) != NULL; i++) {
		const char	digit[] = { (char)('0' + exit_text(i)->code), '\0' };

		put_item(out, digit, exit_text(i)->text);
	}
}

static void
put_formats(struct buf *out)
{
	for (unsigned i = 0; trace_format_name(i) != NULL; i++)
		put_item(out, trace_format_name(i), trace_format_title(i));
}

void
help_man(struct buf *out, const struct command_def *all)
{
	static const struct {
		const char	*name;
		void		(*put)(struct buf *out);
	} parts[] = {
		{ "fields", put_fields }, { "operators", put_operators },
		{ "keys", ui_keys_man }, { "json-keys", put_json_keys },
		{ "exit-codes", put_exit_codes }, { "formats", put_formats },
	};

	buf_puts(out, "@commands@\n");
	put_commands(out, all);
	buf_puts(out, "@options@\n");
	put_options(out, all);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		buf_printf(out, "@%s@\n", parts[i].name);
		parts[i].put(out);
	}
}
