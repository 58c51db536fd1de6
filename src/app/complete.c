/*
 * Completion for bash and zsh, made from the table of options.
 */
#include "app/help.h"

#include "app/command.h"
#include "tnav/engine/field.h"
#include "tnav/engine/trace.h"

#define MADE_BY	"# Made by `tnav help %s`; do not edit.\n"

static void
put_commands(struct buf *out, const struct command_def *all)
{
	bool	first = true;

	for (const struct command_def *c = all; c->name != NULL; c++) {
		if (c->name[0] == '\0')
			continue;
		buf_printf(out, "%s%s", first ? "" : " ", c->name);
		first = false;
	}
}

/* "attach|record": the commands that take a running program. */
static void
put_of_programs(struct buf *out, const struct command_def *all)
{
	bool	first = true;

	for (const struct command_def *c = all; c->name != NULL; c++) {
		if (c->operand != OPERAND_PROCESS)
			continue;
		buf_printf(out, "%s%s", first ? "" : "|", c->name);
		first = false;
	}
}

static void
put_readers(struct buf *out)
{
	for (unsigned i = 0; trace_format_name(i) != NULL; i++)
		buf_printf(out, "%s%s", i > 0 ? " " : "", trace_format_name(i));
}

static void
put_fields(struct buf *out)
{
	const struct field_def	*d;

	for (unsigned i = 0; (d = field_def(i))->kind == FIELD_HEADER; i++)
		buf_printf(out, "%s%s", i > 0 ? " " : "", field_json_name(d));
}

/* What -e takes: the columns of the command's table, of stats after the fields that it counts by;
   of dump, and where no command is named yet, the fields of events. */
static void
put_columns(struct buf *out, const struct command_def *c)
{
	unsigned			 n;
	const struct table_column	*column = options_columns(c, &n);
	size_t				 start = out->len;

	if (column == NULL || (c->report == NULL && (c->options & OPT_BIT(OPT_BY)) != 0))
		put_fields(out);
	for (unsigned i = 0; i < n; i++)
		if ((column[i].flags & COLUMN_SCREEN) == 0)
			buf_printf(out, "%s%s", out->len > start ? " " : "", column[i].name);
}

/* ---- bash */

/* "-f|--filter": the words after which d's argument stands. */
static void
bash_words(struct buf *out, const struct option_def *d)
{
	if (d->letter != 0)
		buf_printf(out, "-%c|", d->letter);
	buf_printf(out, "--%s", d->name);
}

/*
 * The words for running programs. Shells expand what they are given as words, and a program can
 * take any name: letters, digits and a few signs are all that is let through.
 */
static void
put_programs(struct buf *out, const char *tnav, const char *columns)
{
	buf_printf(out, "$(%s ps -e %s --format tsv 2>/dev/null | tail -n +2 |\n"
	    "\t\t\ttr -cd 'A-Za-z0-9._\\t\\n-' | tr '\\t' '\\n')", tnav, columns);
}

static void
bash_argument(struct buf *out, const struct option_def *d)
{
	if (d->id == OPT_PID || d->id == OPT_NAME) {
		buf_puts(out, "\t");
		bash_words(out, d);
		buf_puts(out, ")\n\t\tCOMPREPLY=($(compgen -W \"");
		put_programs(out, "\"${COMP_WORDS[0]}\"", d->id == OPT_PID ? "pid" : "name");
		buf_puts(out, "\" -- \"$cur\"))\n\t\treturn ;;\n");
		return;
	}
	buf_puts(out, "\t");
	bash_words(out, d);
	buf_puts(out, ")\n\t\t");
	switch (d->kind) {
	case ARG_CHOICE:
		buf_printf(out, "COMPREPLY=($(compgen -W '%s' -- \"$cur\"))", d->choices);
		break;
	case ARG_READER:
		buf_puts(out, "COMPREPLY=($(compgen -W '");
		put_readers(out);
		buf_puts(out, "' -- \"$cur\"))");
		break;
	case ARG_FIELDS:
		buf_puts(out, "[[ $cur == *,* ]] && head=${cur%,*},\n"
		    "\t\tCOMPREPLY=($(compgen -P \"$head\" -W ");
		if (d->id == OPT_FIELDS) {
			buf_puts(out, "\"$fields\"");
		} else {
			buf_putc(out, '\'');
			put_fields(out);
			buf_putc(out, '\'');
		}
		buf_puts(out, " -- \"${cur##*,}\"))\n\t\tcompopt -o nospace");
		break;
	case ARG_FILE:
		buf_puts(out, "COMPREPLY=($(compgen -f -- \"$cur\"))");
		break;
	default:
		buf_puts(out, ":");
	}
	buf_puts(out, "\n\t\treturn ;;\n");
}

static void
bash_options(struct buf *out, const struct command_def *c)
{
	buf_printf(out, "\t%s) words='", c->name[0] == '\0' ? "*" : c->name);
	for (unsigned i = 0, n = 0; options_option(i) != NULL; i++) {
		const struct option_def	*d = options_option(i);

		if (!options_takes(c, d))
			continue;
		buf_printf(out, "%s--%s", n++ > 0 ? " " : "", d->name);
		if (d->letter != 0)
			buf_printf(out, " -%c", d->letter);
	}
	buf_puts(out, "'\n\t\tfields='");
	put_columns(out, c);
	buf_puts(out, "' ;;\n");
}

void
help_bash(struct buf *out, const struct command_def *all)
{
	buf_printf(out, "# bash completion for tnav(1).\n" MADE_BY, "--bash");
	/* The shell takes "=" for a word: --format=js is "--format", "=", "js". */
	buf_puts(out, "_tnav()\n{\n\tlocal cur=$2 prev=$3 command= head= words= fields= w\n"
	    "\tCOMPREPLY=()\n"
	    "\t[[ $cur == = ]] && cur=\n"
	    "\t[[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
	    "\tfor w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
	    "\t\tif [[ $w == -- ]]; then\n"
	    "\t\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n\t\t\tcompopt -o filenames\n"
	    "\t\t\treturn\n\t\tfi\n"
	    "\t\t[[ -z $command && ' ");
	put_commands(out, all);
	buf_puts(out, " ' == *\" $w \"* ]] && command=$w\n\tdone\n\tcase $command in\n");
	/* The pattern of the viewer, which has no name, matches everything: it comes last. */
	for (const struct command_def *c = all; c->name != NULL; c++)
		if (c->name[0] != '\0')
			bash_options(out, c);
	for (const struct command_def *c = all; c->name != NULL; c++)
		if (c->name[0] == '\0')
			bash_options(out, c);
	buf_puts(out, "\tesac\n\tcase $prev in\n");
	for (unsigned i = 0; options_option(i) != NULL; i++)
		if (options_option(i)->kind != ARG_NONE)
			bash_argument(out, options_option(i));
	buf_puts(out, "\tesac\n\tif [[ $cur == -* ]]; then\n"
	    "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n\t\treturn\n\tfi\n"
	    "\tif [[ $command == help ]]; then\n\t\tCOMPREPLY=($(compgen -W '");
	put_commands(out, all);
	buf_puts(out, " filter formats' -- \"$cur\"))\n\t\treturn\n\tfi\n"
	    "\tcase $command in\n\t");
	put_of_programs(out, all);
	buf_puts(out, ")\n\t\tCOMPREPLY=($(compgen -W \"");
	put_programs(out, "\"${COMP_WORDS[0]}\"", "pid,name");
	buf_puts(out, "\" -- \"$cur\"))\n\t\treturn ;;\n\tesac\n"
	    "\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n"
	    "\t[[ -z $command ]] && COMPREPLY+=($(compgen -W '");
	put_commands(out, all);
	buf_puts(out, "' -- \"$cur\"))\n\tcompopt -o filenames\n}\n"
	    "complete -F _tnav tnav\n");
}

/* ---- zsh */

/* Text inside '...' of an _arguments specification: quotes, colons and brackets are marked. */
static void
zsh_text(struct buf *out, const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			buf_puts(out, "'\\'");
		else if (*s == ':' || *s == '[' || *s == ']' || *s == '\\')
			buf_putc(out, '\\');
		buf_putc(out, *s);
	}
}

static void
zsh_argument(struct buf *out, const struct command_def *c, const struct option_def *d)
{
	buf_printf(out, ":%s:", d->arg);
	switch (d->kind) {
	case ARG_CHOICE:
		buf_printf(out, "(%s)", d->choices);
		break;
	case ARG_READER:
		buf_putc(out, '(');
		put_readers(out);
		buf_putc(out, ')');
		break;
	case ARG_FIELDS:
		buf_puts(out, "_sequence compadd - ");
		if (d->id == OPT_FIELDS)
			put_columns(out, c);
		else
			put_fields(out);
		break;
	case ARG_FILE:
		buf_puts(out, "_files");
		break;
	default:
		buf_putc(out, ' ');
	}
}

static void
zsh_option(struct buf *out, const struct command_def *c, const struct option_def *d)
{
	bool	arg = d->kind != ARG_NONE;

	buf_puts(out, "\t\t");
	if (d->letter != 0)
		buf_printf(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", d->letter, d->name, d->letter,
		    arg ? "+" : "", d->name, arg ? "=" : "");
	else
		buf_printf(out, "'--%s%s[", d->name, arg ? "=" : "");
	zsh_text(out, d->help);
	buf_putc(out, ']');
	if (arg)
		zsh_argument(out, c, d);
	buf_puts(out, "'\n");
}

static void
zsh_options(struct buf *out, const struct command_def *c)
{
	buf_printf(out, "\t%s)\n\t\targs+=(\n", c->name[0] == '\0' ? "*" : c->name);
	for (unsigned i = 0; options_option(i) != NULL; i++)
		if (options_takes(c, options_option(i)))
			zsh_option(out, c, options_option(i));
	buf_puts(out, "\t\t) ;;\n");
}

void
help_zsh(struct buf *out, const struct command_def *all)
{
	buf_printf(out, "#compdef tnav\n" MADE_BY, "--zsh");
	buf_puts(out, "_tnav()\n{\n\tlocal -a commands args programs\n\tlocal command= w\n"
	    "\tcommands=(\n");
	for (const struct command_def *c = all; c->name != NULL; c++) {
		if (c->name[0] == '\0')
			continue;
		buf_printf(out, "\t\t'%s:", c->name);
		zsh_text(out, c->summary);
		buf_puts(out, "'\n");
	}
	buf_puts(out, "\t)\n\tfor w in ${words[2,CURRENT-1]}; do\n"
	    "\t\t(( ${commands[(I)$w:*]} )) && { command=$w; break }\n\tdone\n"
	    "\tcase $command in\n\thelp)\n\t\t_describe command commands\n"
	    "\t\tcompadd filter formats\n\t\treturn ;;\n");
	for (const struct command_def *c = all; c->name != NULL; c++)
		if (c->name[0] != '\0' && c->operand != OPERAND_TOPIC)
			zsh_options(out, c);
	for (const struct command_def *c = all; c->name != NULL; c++)
		if (c->name[0] == '\0')
			zsh_options(out, c);
	buf_puts(out, "\tesac\n\tif [[ -z $command ]]; then\n"
	    "\t\t_arguments -s -S $args '*: :{ _describe command commands; _files }'\n"
	    "\telif [[ $command == (");
	put_of_programs(out, all);
	buf_puts(out, ") ]]; then\n\t\tprograms=(${(f)\"");
	put_programs(out, "${words[1]}", "pid,name");
	buf_puts(out, "\"})\n\t\t_arguments -s -S $args \"*:process:($programs)\"\n"
	    "\telse\n\t\t_arguments -s -S $args \"*:file:_files\"\n\tfi\n}\n_tnav \"$@\"\n");
}
