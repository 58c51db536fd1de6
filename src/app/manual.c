/*
 * The man page, doc/tnav.1: prose from here, commands and options from their table, the filter's
 * words from the engine. Written with the man macros.
 */
#include "app/help.h"

#include <string.h>

#include "app/command.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"
#include "tnav/ui/ui.h"

/* A key of the JSON lines of dump, and what it is. */
struct key_text {
	const char	*key, *text;
};

static const char description[] =
	"tnav reads event traces of .NET, of Linux processes and of Heph, of any size. On a "
	"terminal it shows them and lets one "
	"move through them; in a pipe, or as one of the commands below, it prints them. The index "
	"is built while one looks; memory follows the number of blocks of the file, not the "
	"number of its events.\n"
	"Any bytes as input, any terminal, any signal: tnav never reads out of bounds, never "
	"hangs, never leaves the terminal broken, never passes a control byte of the trace to the "
	"terminal, shows everything that is undamaged, and says what is not. The formats have no "
	"checksums: that no damage is found does not mean that a file is what was written.\n"
	"Options may stand before or after the file; -- ends them. A file that is called like a "
	"command is given as ./NAME. The file - is standard input. Input from a pipe, and a file "
	"compressed with gzip or zstd, is first copied or unpacked to an unlinked file in TMPDIR, "
	"or else in /var/tmp. Results go to standard output, findings and errors to "
	"standard error.\n";

static const char keys_text[] =
	"Keys are commands; : runs a command by its name, and the file tnavrc and scripts of -x "
	"have the same commands, one a line or parted by \" ; \" outside quotes. An argument "
	"between $' and ' may hold any text: \\n is a line end, \\t a tab, \\xHH a byte, \\' "
	"and \\\\ themselves. A number before a key repeats it. Alt-5 is Esc and 5 on a terminal "
	"without that key.\n";

static const char rc_text[] =
	"Lines of the user's own commands, run at start: $XDG_CONFIG_HOME/tnav/tnavrc, or else "
	".config/tnav/tnavrc in the home folder. A line that begins with # is a comment. A wrong "
	"line is told and left out.\n"
	"bind PANE KEY COMMAND binds a key, in the pane of that name or in all: a C-d M-x <F5> "
	"<Down> yy. unbind PANE KEY takes it away. set NAME VALUE sets time-format, columns, "
	"mouse, ascii (on, off) or esc-delay (milliseconds that the rest of a key may take). color "
	"EXPR COLOR colours the rows that match.\n"
	"What is kept of a trace (window, filters, marks, columns, position) stands in "
	"$XDG_STATE_HOME/tnav, or else in .local/state/tnav in the home folder, by the content of "
	"the file and not by its name. It is data and no script: it can set these things and run "
	"nothing. It is read when neither -f, --from, --to nor -x is given.\n";

static const char json_text[] =
	"With --format jsonl each event is one object on a line, its keys in this order. A key is "
	"absent when the format has no such thing, or there is none.\n";

static const struct key_text keys[] = {
	{ "row", "the event's place in time order, from 0; not with --order file" },
	{ "t", "nanoseconds since the trace's sync time, rounded down" },
	{ "ticks", "the time stamp as in the file; Heph: nanoseconds since 1970" },
	{ "dur", "how long it lasted, in nanoseconds (Heph)" },
	{ "provider, id, version", "which kind of event it is" },
	{ "name", "as shown, GC/Start; an event without any name is #id" },
	{ "event", "the other name, GCStart" },
	{ "level, keywords, opcode", "the file's own, or the event's labels' where these say "
	    "otherwise, as for version; keywords in hex" },
	{ "pid, tid", "process (0: V6 does not say) and thread; Heph: the stream" },
	{ "threadIndex, thread", "the thread's index in the file (V6), and its name" },
	{ "captureTid", "the thread that wrote the event, when it is another one" },
	{ "cpu, seq", "processor; number of the event on the thread that wrote it" },
	{ "stream, substream", "where it happened (Heph)" },
	{ "activity, related", "activity ids" },
	{ "lost", "how many events its thread lost between its previous event and this one" },
	{ "labels", "an object (V6): TraceId as 32 hex digits, SpanId as 16, other labels by their "
	    "keys, text or integer; a key given twice has an array" },
	{ "stack", "addresses, innermost first" },
	{ "size", "bytes of the payload" },
	{ "crc, raw", "its CRC-32 and its bytes, with --crc and --raw" },
	{ "payload", "an object: the decoded fields in order" },
	{ "undecoded", "bytes that are left over behind the last field" },
	{ "error", "why the payload could not be decoded to its end" },
};

static const char json_values[] =
	"Integers have their full 64 bits. NaN, Infinity and -Infinity are strings, GUIDs lower "
	"case with dashes, dates ISO 8601 with seven decimals and Z, byte arrays hex, enumerated "
	"values their number (with --enums their name). Text is valid UTF-8; what is none in the "
	"file becomes U+FFFD. A field that lies past the payload's end is null.\n"
	"A loss of events is an object whose first key is gap, the number of events; it follows "
	"the row that after names, and from and to are the times between which they were lost. The "
	"keys of the other commands are the names of their columns; times and durations are "
	"nanoseconds, share is from 0 to 1, rate is events a second, bytes are bytes of payload.\n"
	"CSV is that of RFC 4180; a text that a spreadsheet could take for a formula gets a quote "
	"in front. In TSV tab, line feed, carriage return and backslash are \\t, \\n, \\r and "
	"\\\\.\n";

static const struct key_text codes[] = {
	{ "0", "Done, and no damage was found; lost events alone are no damage. The viewer after a "
	    "normal quit, always." },
	{ "1", "The trace is damaged, cut, or in part unreadable; everything readable was given." },
	{ "2", "Usage, or the file is not readable as a trace." },
	{ "3", "The output could not be written. A closed pipe ends tnav quietly by SIGPIPE." },
	{ "4", "Out of memory or of another resource of the machine." },
};

static const struct key_text examples[] = {
	{ "tnav orders.nettrace", "Look at a trace." },
	{ "tnav info orders.nettrace", "What is in it, and is it whole?" },
	{ "ssh host cat orders.nettrace.zst | tnav dump -f 'pid = 4711' -",
	    "The events of one process, from a pipe; unpacked on the way." },
	{ "tnav dump -f 'name = GC/Start and Depth >= 2' orders.nettrace",
	    "The collections of the last generation." },
	{ "tnav dump --format jsonl --from 2.1s --to 2.4s --gaps orders.nettrace",
	    "A part of the time as JSON lines, with the losses in it." },
	{ "tnav dump --format csv -e t,tid,name,Count -o gc.csv orders.nettrace",
	    "Chosen fields for a spreadsheet." },
	{ "tnav stats --by tid,name --top 20 orders.nettrace",
	    "Which thread wrote most of what?" },
};

/* Text with what troff would take for its own marked; - stays a minus that can be copied. */
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

/* Paragraphs, apart by \n. */
static void
put_prose(struct buf *out, const char *s)
{
	while (*s != '\0') {
		size_t	len = strcspn(s, "\n");

		buf_puts(out, ".PP\n");
		put_roff(out, s, len);
		buf_putc(out, '\n');
		s += len + (s[len] == '\n');
	}
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
put_items(struct buf *out, const struct key_text *k, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_item(out, k[i].key, k[i].text);
}

#define PUT_ITEMS(out, a)	put_items(out, a, sizeof a / sizeof a[0])

static void
put_commands(struct buf *out)
{
	struct buf	term;

	buf_init(&term);
	buf_puts(out, ".SH COMMANDS\n");
	for (const struct command_def *c = subcommands; c->name != NULL; c++) {
		buf_clear(&term);
		buf_printf(&term, "tnav %s%s%s", c->name, c->name[0] != '\0' ? " " : "", c->args);
		buf_puts(out, ".TP\n.B ");
		put_str(out, buf_str(&term));
		buf_printf(out, "\n%c", c->summary[0] - 'a' + 'A');
		put_str(out, c->summary + 1);
		buf_puts(out, ".\n");
		if (c->text != NULL) {
			put_str(out, c->text);
			buf_putc(out, '\n');
		}
		for (unsigned k = 0; k < c->ncolumns; k++)
			if ((c->columns[k].flags & COLUMN_SCREEN) == 0)
				buf_printf(out, "%s%s", k == 0 ? "Columns: " : ", ",
				    c->columns[k].name);
		buf_puts(out, c->columns != NULL ? ".\n" : "");
	}
	buf_release(&term);
}

/* "Of dump, stats." for the commands that take an option, where not all do. */
static void
put_takers(struct buf *out, const struct option_def *d)
{
	bool	first = true;

	for (const struct command_def *c = subcommands; c->name != NULL; c++) {
		if (!options_takes(c, d))
			continue;
		buf_puts(out, first ? "(" : ", ");
		buf_puts(out, c->name[0] == '\0' ? "viewer" : c->name);
		first = false;
	}
	buf_puts(out, ")\n");
}

static void
put_options(struct buf *out)
{
	buf_puts(out, ".SH OPTIONS\nThe commands that take an option are named behind it.\n");
	for (unsigned i = 0; options_option(i) != NULL; i++) {
		const struct option_def	*d = options_option(i);

		buf_puts(out, ".TP\n");
		if (d->letter != 0)
			buf_printf(out, "\\fB\\-%c\\fR, ", d->letter);
		buf_puts(out, "\\fB\\-\\-");
		put_str(out, d->name);
		buf_puts(out, "\\fR");
		if (d->arg != NULL)
			buf_printf(out, " \\fI%s\\fR", d->arg);
		buf_putc(out, '\n');
		put_str(out, d->help);
		buf_putc(out, '\n');
		if (d->choices != NULL)
			buf_printf(out, "One of: %s.\n", d->choices);
		put_takers(out, d);
	}
}

static void
put_filter(struct buf *out)
{
	buf_puts(out, ".SH FILTERS\n");
	put_prose(out, "An expression of -f compares fields of the header or of the payload; a "
	    "comparison with a field that the event does not have is false. A bare /regex/ "
	    "searches the text of the row.\nFields:\n");
	for (const struct filter_word *w = filter_fields(); w->name != NULL; w++)
		put_item(out, w->name, w->help);
	put_prose(out, "Operators:\n");
	for (const struct filter_word *w = filter_operators(); w->name != NULL; w++)
		put_item(out, w->name, w->help);
}

void
help_man(struct buf *out)
{
	buf_puts(out, ".\\\" Made by tnav help --man; do not edit.\n"
	    ".TH TNAV 1 \"\" tnav \"User Commands\"\n"
	    ".SH NAME\ntnav \\- the trace navigator: look at event traces, filter and print them\n"
	    ".SH SYNOPSIS\n.B tnav\n.RI [ options ]\n.I file\n.br\n.B tnav\n.I command\n"
	    ".RI [ options ]\n.I file\n"
	    ".SH DESCRIPTION\n");
	put_prose(out, description);
	put_commands(out);
	put_options(out);
	put_filter(out);
	buf_puts(out, ".SH KEYS AND COMMANDS\n");
	put_prose(out, keys_text);
	ui_keys_man(out);
	buf_puts(out, ".SH SETTINGS\n");
	put_prose(out, rc_text);
	buf_puts(out, ".SH JSON LINES\n");
	put_prose(out, json_text);
	PUT_ITEMS(out, keys);
	put_prose(out, json_values);
	buf_puts(out, ".SH EXIT STATUS\n");
	PUT_ITEMS(out, codes);
	buf_puts(out, ".SH FILES\nThe formats that can be read, by the name that "
	    "\\-\\-input\\-format takes:\n");
	for (unsigned i = 0; trace_format_name(i) != NULL; i++)
		put_item(out, trace_format_name(i), trace_format_title(i));
	buf_puts(out, ".SH ENVIRONMENT\n");
	put_item(out, "NO_COLOR", "If set to anything, no colour unless --color asks for it.");
	put_item(out, "TNAV_NO_STATE", "If set to anything, nothing is kept of a trace, nor read.");
	put_item(out, "XDG_CONFIG_HOME, XDG_STATE_HOME", "See SETTINGS.");
	put_item(out, "ESCDELAY", "Milliseconds that the bytes of a key may take after Esc; 100 if "
	    "not set.");
	put_item(out, "TMPDIR", "Where piped and compressed input is kept while tnav runs.");
	buf_puts(out, ".SH EXAMPLES\n");
	PUT_ITEMS(out, examples);
}
