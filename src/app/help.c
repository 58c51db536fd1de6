/* The output of `tnav help`. */
#include "app/help.h"

#include <string.h>
#include <strings.h>

#include "app/command.h"
#include "app/exit.h"
#include "tnav/engine/field.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"
#include "tnav/io/output.h"
#include "tnav/model/docs.h"
#include "tnav/model/keywords.h"
#include "tnav/model/schema.h"
#include "tnav/model/value.h"
#include "tnav/out/message.h"

#ifndef PACKAGE_VERSION		/* normally set by the build */
#define PACKAGE_VERSION	"0"
#endif

#define WIDTH	79u

/* Text in lines of WIDTH, each indented. The first word goes to column col. */
static void
put_wrapped(struct buf *out, const char *text, size_t col, size_t indent)
{
	bool	first = true;

	while (*text != '\0') {
		size_t	len = strcspn(text, " ");

		if (!first && col + 1 + len > WIDTH) {
			buf_printf(out, "\n%*s", (int)indent, "");
			col = indent;
		} else if (!first) {
			buf_putc(out, ' ');
			col++;
		}
		buf_add(out, text, len);
		col += len;
		first = false;
		text += len + strspn(text + len, " ");
	}
	buf_putc(out, '\n');
}

/* "  name  text" with the text in its own column. */
static void
put_entry(struct buf *out, const char *name, const char *text, size_t column)
{
	size_t	col = 2 + strlen(name);

	buf_printf(out, "  %s", name);
	if (col + 2 > column) {
		buf_putc(out, '\n');
		col = 0;
	}
	buf_printf(out, "%*s", (int)(column - col), "");
	put_wrapped(out, text, column, column);
}

static void
help_overview(struct buf *out, const struct command_def *all)
{
	struct buf	name = { 0 };

	buf_puts(out, "usage: tnav [OPTIONS] FILE\n"
	    "       tnav COMMAND [OPTIONS] FILE\n\n"
	    "tnav opens event traces. On a terminal it is a viewer; in a pipe it prints the\n"
	    "events.\n\n");
	for (const struct command_def *c = all; c->name != NULL; c++) {
		buf_clear(&name);
		buf_printf(&name, "tnav %s%s%s", c->name, c->name[0] != '\0' ? " " : "",
		    c->operand == OPERAND_TOPIC ? "[COMMAND]" : c->args);
		put_entry(out, buf_str(&name), c->summary, 24);
	}
	buf_release(&name);
	buf_puts(out, "\n`tnav help COMMAND` lists the options of a command, `tnav help filter` "
	    "describes\nthe filter language, `tnav help formats` lists the input formats. Write "
	    "./NAME for\na file that is named like a command, and - for standard input.\n\n"
	    "exit codes:\n");
	for (size_t i = 0; exit_text(i) != NULL; i++)
		buf_printf(out, "  %d  %s\n", exit_text(i)->code, exit_text(i)->phrase);
}

static void
put_option(struct buf *out, const struct option_def *d)
{
	struct buf	name = { 0 };

	if (d->letter != 0)
		buf_printf(&name, "-%c, ", d->letter);
	buf_printf(&name, "--%s", d->name);
	if (d->arg != NULL)
		buf_printf(&name, d->kind == ARG_MAYBE ? "[=%s]" : " %s", d->arg);
	put_entry(out, buf_str(&name), d->help, 24);
	if (d->choices != NULL)
		buf_printf(out, "%24s%s: %s\n", "", d->arg, d->choices);
	buf_release(&name);
}

/* The names that -e accepts. */
static void
put_columns(struct buf *out, const struct command_def *c)
{
	unsigned			 n;
	const struct table_column	*column = options_columns(c, &n);
	struct buf			 names = { 0 };

	if (column == NULL && (c->options & OPT_BIT(OPT_FIELDS)) == 0)
		return;
	for (unsigned i = 0; i < n; i++)
		if ((column[i].flags & COLUMN_SCREEN) == 0)
			buf_printf(&names, " %s", column[i].name);
	for (unsigned i = 0; column == NULL && field_def(i)->kind == FIELD_HEADER; i++)
		buf_printf(&names, " %s", field_json_name(field_def(i)));
	buf_puts(out, "\nFields: ");
	put_wrapped(out, buf_str(&names) + 1, 8, 8);
	if (column == NULL)
		buf_printf(out, "%8sand the fields of payloads\n", "");
	buf_release(&names);
}

static void
help_command(struct buf *out, const struct command_def *c)
{
	buf_printf(out, "usage: tnav %s%s[OPTIONS]%s%s\n\n", c->name, c->name[0] != '\0' ? " " : "",
	    c->args[0] != '\0' ? " " : "", c->args);
	buf_printf(out, "%c", c->summary[0] - 'a' + 'A');
	put_wrapped(out, c->summary + 1, 1, 0);
	if (options_text(c) != NULL) {
		buf_putc(out, '\n');
		put_wrapped(out, options_text(c), 0, 0);
	}
	buf_puts(out, "\nOptions:\n");
	for (size_t i = 0; i < option_ntable; i++)
		if (options_takes(c, &option_table[i]))
			put_option(out, &option_table[i]);
	put_columns(out, c);
}

static void
help_filter(struct buf *out, const struct command_def *all)
{
	const struct field_def	*d;

	(void)all;
	buf_puts(out, "A filter is an expression over the fields of an event, for example\n\n"
	    "  provider ~ \"Kestrel\" and name = GC/Start and Depth >= 2\n"
	    "  time in 2.1s..2.4s and tid in (12, 13) and not has stack\n\n"
	    "A comparison with a field that an event does not have is false.\n\nFields:\n");
	for (unsigned i = 0; (d = field_def(i)) != NULL; i++)
		if (!(d->flags & FIELD_DUMP))
			put_entry(out, d->name, d->help, 20);
	buf_puts(out, "\nOperators:\n");
	for (const struct filter_operator *o = filter_operators(); o->name != NULL; o++)
		put_entry(out, o->name, o->help, 20);
}

static bool
is_text(struct span s, const char *text)
{
	return text != NULL && strlen(text) == s.len &&
	    strncasecmp(text, (const char *)s.p, s.len) == 0;
}

/* The newest version of the event, which has its fields and its other name. NULL: not in the
   table. */
static const struct schema_row *
newest_row(const struct event_doc *d)
{
	const struct schema_row	*row, *best = NULL;

	for (uint32_t i = 0; (row = schema_row_at(i)) != NULL; i++)
		if (is_text(d->provider, row->provider) && is_text(d->name, row->name) &&
		    (best == NULL || row->version >= best->version))
			best = row;
	return best;
}

/* A field, the names of its values, and its nested fields. */
static void
put_field(struct buf *out, const struct field *f, unsigned depth)
{
	int	indent = (int)(4 + 2 * depth);

	if (f->kind == FK_PAD)
		return;
	buf_printf(out, "%*s%-*s ", indent, "", 32 - indent, f->name);
	field_type_text(out, f);
	buf_putc(out, '\n');
	for (uint32_t i = 0; f->map != NULL && i < f->map->n; i++) {
		buf_printf(out, "%35s", "");
		value_name_text(out, f, i);
		buf_putc(out, '\n');
	}
	for (uint32_t i = 0; i < f->nfields; i++)
		put_field(out, &f->fields[i], depth + 1);
}

static void
put_event(struct buf *out, const struct event_doc *d, const struct schema_row *row)
{
	const char	*at = NULL;
	struct keyword	 k;

	buf_add(out, d->provider.p, d->provider.len);
	buf_putc(out, '/');
	buf_add(out, d->name.p, d->name.len);
	if (d->id != DOC_ANY)
		buf_printf(out, "  id %u", d->id);
	if (row != NULL && row->display != NULL)
		buf_printf(out, "  alias %s", row->display);
	buf_puts(out, "\n  ");
	buf_add(out, d->text.p, d->text.len);
	buf_putc(out, '\n');
	while (row != NULL && keyword_next_of(&at, row->provider, row->keywords, &k))
		buf_printf(out, "  keyword %.*s: %.*s\n", (int)k.name.len,
		    (const char *)k.name.p, (int)k.text.len, (const char *)k.text.p);
	for (uint32_t i = 0; row != NULL && i < row->nfields; i++)
		put_field(out, &row->fields[i], 0);
}

/* The known .NET events with this name. False: none. */
static bool
help_event(struct buf *out, const char *name)
{
	const char		*at = NULL;
	struct event_doc	 d;
	bool			 any = false;

	while (doc_next(&at, &d)) {
		const struct schema_row	*row = newest_row(&d);

		if (!is_text(d.name, name) && (row == NULL || row->display == NULL ||
		    strcasecmp(row->display, name) != 0))
			continue;
		if (any)
			buf_putc(out, '\n');
		put_event(out, &d, row);
		any = true;
	}
	return any;
}

static void
help_formats(struct buf *out, const struct command_def *all)
{
	(void)all;
	buf_puts(out, "Formats that can be read, by the name that --input-format takes:\n");
	for (unsigned i = 0; trace_format_name(i) != NULL; i++)
		put_entry(out, trace_format_name(i), trace_format_title(i), 20);
}

/* ---- commands */

typedef void	(*make_fn)(struct buf *out, const struct command_def *all);

static int
finish(struct output *o)
{
	if (output_close(o, true, NULL) == 0)
		return EXIT_CLEAN;
	message_put("standard output: write failed");
	return EXIT_OUTPUT;
}

static int
print(make_fn make, const struct command_def *all,
    const struct command_def *c)
{
	struct output	*o;

	if (output_open(&o, NULL) < 0)
		return EXIT_OUTPUT;
	if (make != NULL)
		make(output_buf(o), all);
	else
		help_command(output_buf(o), c);
	return finish(o);
}

/* tnav help event NAME */
static int
print_event(const struct options *o)
{
	struct output	*to;

	if (o->nfiles < 2)
		return exit_usage("help event needs a name: tnav help event GCStart");
	if (output_open(&to, NULL) < 0)
		return EXIT_OUTPUT;
	if (help_event(output_buf(to), o->files[1]))
		return finish(to);
	(void)output_close(to, true, NULL);
	return exit_usage("unknown event '%s'; `tnav types FILE` lists the events of a trace",
	    o->files[1]);
}

int
subcommand_help(const struct options *o)
{
	static const struct {
		const char	*name;
		make_fn		 make;
	} topics[] = {
		{ "filter", help_filter }, { "formats", help_formats },
		{ "--tables", help_tables },
	};
	const struct command_def	*c = o->command;
	struct buf			 near = { 0 };

	if (c->operand == OPERAND_TOPIC && o->nfiles == 0)
		return print(help_overview, o->commands, NULL);
	if (c->operand != OPERAND_TOPIC)
		return print(NULL, o->commands, c);
	if (strcmp(o->files[0], "event") == 0)
		return print_event(o);
	for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
		if (strcmp(o->files[0], topics[i].name) == 0)
			return print(topics[i].make, o->commands, NULL);
	c = options_find_command(o->commands, o->files[0]);
	if (c != NULL)
		return print(NULL, o->commands, c);
	options_near_commands(&near, o->commands, o->files[0]);
	message_put("no help on '%s'%s; `tnav help` lists the commands", o->files[0],
	    buf_str(&near));
	buf_release(&near);
	return EXIT_USAGE;
}

static void
make_version(struct buf *out, const struct command_def *all)
{
	(void)all;
	buf_puts(out, "tnav " PACKAGE_VERSION "\n");
}

int
subcommand_version(void)
{
	return print(make_version, NULL, NULL);
}
