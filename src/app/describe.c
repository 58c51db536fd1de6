/*
 * `tnav help --tables`: what the program knows about its own command line, keys and filter
 * language, as rows of cells. The scripts in doc/made make the man page and completions of them.
 *
 *	command TAB dump TAB [FILE...] TAB print events TAB ...
 *	option TAB filter TAB f TAB EXPR TAB ...
 *
 * Invariant: a cell has no tab and no line break; a row has all cells of its kind.
 */
#include "app/help.h"

#include "app/exit.h"
#include "tnav/analysis/report.h"
#include "tnav/engine/field.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"
#include "tnav/ui/ui.h"

static void
put_cell(struct buf *out, const char *text)
{
	buf_printf(out, "\t%s", text != NULL ? text : "");
}

static void
put_word(struct buf *out, const char *word)
{
	if (out->len > 0 && out->p[out->len - 1] != '\t')
		buf_putc(out, ' ');
	buf_puts(out, word);
}

static void
put_event_fields(struct buf *out)
{
	for (unsigned i = 0; field_def(i)->kind == FIELD_HEADER; i++)
		put_word(out, field_json_name(field_def(i)));
}

/* Does -e take the fields of events, too? */
static bool
takes_event_fields(const struct command_def *c, const struct table_column *column)
{
	return column == NULL || (c->report == NULL && c->groups == NULL &&
	    (c->options & OPT_BIT(OPT_BY)) != 0);
}

/* What --by takes. */
static void
put_groups(struct buf *out, const struct command_def *c)
{
	if (c->groups != NULL)
		buf_puts(out, c->groups);
	else if (c->report == NULL)
		put_event_fields(out);
	for (unsigned i = 0; c->report != NULL && i < report_parts(c->report); i++)
		put_word(out, c->report->part[i].kind);
}

static const char *
operand_name(enum operand operand)
{
	if (operand_is_process(operand))
		return "process";
	return operand == OPERAND_TOPIC ? "topic" : "file";
}

static void
put_command(struct buf *out, const struct command_def *c)
{
	unsigned			 n;
	const struct table_column	*column = options_columns(c, &n);

	buf_puts(out, "command");
	put_cell(out, c->name);
	put_cell(out, c->args);
	put_cell(out, c->summary);
	put_cell(out, options_text(c));
	put_cell(out, operand_name(c->operand));
	buf_puts(out, takes_event_fields(c, column) ? "\tyes\t" : "\t\t");
	for (unsigned i = 0; i < n; i++)
		if ((column[i].flags & COLUMN_SCREEN) == 0)
			put_word(out, column[i].name);
	buf_putc(out, '\t');
	if ((c->options & OPT_BIT(OPT_BY)) != 0)
		put_groups(out, c);
	buf_putc(out, '\n');
}

static void
put_option(struct buf *out, const struct command_def *all, const struct option_def *d)
{
	static const char *const	kinds[] = {
		[ARG_CHOICE] = "choice", [ARG_READER] = "format", [ARG_FIELDS] = "fields",
		[ARG_COLUMN] = "column", [ARG_FILE] = "file", [ARG_MAYBE] = "maybe",
	};
	const char	letter[] = { (char)d->letter, '\0' };
	bool		known = d->kind < sizeof kinds / sizeof *kinds && kinds[d->kind] != NULL;

	buf_puts(out, "option");
	put_cell(out, d->name);
	put_cell(out, letter);
	put_cell(out, d->arg);
	put_cell(out, known ? kinds[d->kind] : d->arg != NULL ? "text" : "");
	put_cell(out, d->choices);
	put_cell(out, d->help);
	buf_putc(out, '\t');
	for (const struct command_def *c = all; c->name != NULL; c++)
		if (options_takes(c, d))
			put_word(out, c->name[0] != '\0' ? c->name : "viewer");
	buf_putc(out, '\n');
}

/* A row of a term and its text. */
static void
put_term(struct buf *out, const char *kind, const char *term, const char *text)
{
	buf_puts(out, kind);
	put_cell(out, term);
	put_cell(out, text);
	buf_putc(out, '\n');
}

static void
put_language(struct buf *out)
{
	const struct field_def	*d;

	for (unsigned i = 0; (d = field_def(i)) != NULL; i++)
		if (!(d->flags & FIELD_DUMP))
			put_term(out, "field", d->name, d->help);
	for (const struct filter_operator *o = filter_operators(); o->name != NULL; o++)
		put_term(out, "operator", o->name, o->help);
	for (unsigned i = 0; field_def(i)->kind == FIELD_HEADER; i++)
		put_term(out, "key", field_json_name(field_def(i)), NULL);
}

void
help_tables(struct buf *out, const struct command_def *all)
{
	for (const struct command_def *c = all; c->name != NULL; c++)
		put_command(out, c);
	for (size_t i = 0; i < option_ntable; i++)
		put_option(out, all, &option_table[i]);
	put_language(out);
	for (size_t i = 0; exit_text(i) != NULL; i++) {
		const char	digit[] = { (char)('0' + exit_text(i)->code), '\0' };

		put_term(out, "exit", digit, exit_text(i)->text);
	}
	for (unsigned i = 0; trace_format_name(i) != NULL; i++)
		put_term(out, "format", trace_format_name(i), trace_format_title(i));
	ui_keys(out);
}
