/*
 * Everything that a person can do. From this one table come the keys, the command line and its
 * completion, the help pane, the words on the bottom line, and the keys in the man page.
 *
 * A new command is an entry here, its function, and a line in a test of tests/ui. The order is
 * that of the help. Which commands stand on a pane's bottom line its hints say (pane.h); the
 * commands that show panes come from the table there.
 * Arguments with a | in them are words to choose from: the palette completes them.
 */
#include <string.h>

#include "ui/command/commands.h"

#define TRACE	SCOPE_TRACE
#define ANY	SCOPE_ANY
#define SORTED	SCOPE_SORTED
#define SHOW(id, name, zone, when, order, flags, keys, arg, run, help) \
	{ #name, keys, ANY, arg, "Panes", NULL, help, run, PANE_##id },
#define SHOWN_BY_ITS_OWN(id, ...)

static const struct command	table[] = {
{ "filter", "f & <F4>", TRACE, "EXPR", "Filter and search", "filter",
	"Show only events that match an expression.", cmd_filter, 0 },
{ "drop-filter", "X", ANY, NULL, "Filter and search", NULL,
	"Drop the last term of the filter.", cmd_drop_filter, 0 },
{ "filter-add", "", ANY, "EXPR", "Filter and search", NULL,
	"And one more term to the filter.", cmd_filter_add, 1 },
{ "filter-keep", "", ANY, "EXPR", "Filter and search", NULL,
	"Put a term into the list of filters, switched off.", cmd_filter_add, 0 },
{ "filters-toggle", "C-f", ANY, NULL, "Filter and search", NULL,
	"All filters off for a while, and on again.", cmd_filters_toggle, 0 },
{ "filters", "", ANY, NULL, "Filter and search", NULL,
	"List the terms of the filter, to switch and to name.", cmd_pane, PANE_FILTERS },
{ "filter-toggle", "<Space> <Enter>", SCOPE(PANE_FILTERS), "NAME", "Filter and search", "switch",
	"Switch a term of the filter, by its name or number, or the one under the cursor.",
	cmd_filter_toggle, 0 },
{ "filter-name", "n", SCOPE(PANE_FILTERS), "NAME", "Filter and search", "name",
	"Name the term under the cursor.", cmd_filter_name, 0 },
{ "filter-delete", "d", SCOPE(PANE_FILTERS), "NAME", "Filter and search", "delete",
	"Delete a term of the filter.", cmd_filter_delete, 0 },
{ "include", "i", TRACE, NULL, "Filter and search", "only",
	"Keep only events that have the value under the cursor.", cmd_term, 1 },
{ "exclude", "x", TRACE, NULL, "Filter and search", "without",
	"Keep only events that do not have it.", cmd_term, -1 },
{ "search", "/", TRACE, "REGEX", "Filter and search", "search",
	"Go to the next event whose text matches.", cmd_search, 0 },
{ "next-hit", "n", TRACE, NULL, "Filter and search", NULL,
	"Go to the next hit.", cmd_hit, 1 },
{ "previous-hit", "N", TRACE, NULL, "Filter and search", NULL,
	"Go to the previous hit.", cmd_hit, -1 },

{ "columns", "c", TRACE, "LIST", "Columns, sort, tally", NULL,
	"Choose columns, or name them: time,event,payload.Reason.", cmd_columns, 0 },
{ "column-toggle", "<Space> <Enter>", SCOPE(PANE_COLUMNS), NULL, "Columns, sort, tally",
	"show",
	"Show or hide the column under the cursor.", cmd_act, 0 },
{ "column-down", "J", SCOPE(PANE_COLUMNS), NULL, "Columns, sort, tally", NULL,
	"Move the column down, which is to the right.", cmd_act, 1 },
{ "column-up", "K", SCOPE(PANE_COLUMNS), NULL, "Columns, sort, tally", NULL,
	"Move the column up, which is to the left.", cmd_act, -1 },
{ "column-add", "a", SCOPE(PANE_COLUMNS), "NAME", "Columns, sort, tally", "add",
	"Add a column: payload.FIELD or label.KEY.", cmd_column_add, 2 },
{ "collapse", "C", TRACE, NULL, "Columns, sort, tally", NULL,
	"Show neighbouring events of one thread and type as one row.", cmd_collapse, 0 },
{ "blocks", "B", TRACE, "on|off", "Columns, sort, tally", NULL,
	"Show in the list where blocks of the file begin.", cmd_blocks, 0 },
{ "tally", "=", TRACE, "FIELD", "Columns, sort, tally", "tally",
	"Count the window by the field under the cursor; Enter on a line filters to it.",
	cmd_tally, 0 },
{ "raw", "H", TRACE, NULL, "Columns, sort, tally", "bytes",
	"Show the bytes of the value under the cursor.", cmd_raw, 0 },
{ "color", "", ANY, "EXPR COLOR", "Columns, sort, tally", NULL,
	"Colour the rows that match; with nothing behind it: take all colours away.",
	cmd_color, 0 },

{ "next-row", "j <Down>", ANY, NULL, "Moving", NULL,
	"Move down by one.", cmd_lines, 1 },
{ "previous-row", "k <Up>", ANY, NULL, "Moving", NULL,
	"Move up by one.", cmd_lines, -1 },
{ "right", "l <Right>", TRACE, NULL, "Moving", NULL,
	"Move later by a cell; in lists to the next column.", cmd_side, 1 },
{ "left", "h <Left>", TRACE, NULL, "Moving", NULL,
	"Move earlier by a cell; in lists to the column before.", cmd_side, -1 },
{ "page-down", "<Space> <PgDn>", ANY, NULL, "Moving", NULL,
	"Move down by a page.", cmd_pages, 1 },
{ "page-up", "b <PgUp>", ANY, NULL, "Moving", NULL,
	"Move up by a page.", cmd_pages, -1 },
{ "half-page-down", "C-d", ANY, NULL, "Moving", NULL,
	"Move down by half a page.", cmd_halves, 1 },
{ "half-page-up", "C-u", ANY, NULL, "Moving", NULL,
	"Move up by half a page.", cmd_halves, -1 },
{ "first", "g <Home>", ANY, NULL, "Moving", NULL,
	"Go to the first row.", cmd_first, 0 },
{ "last", "G <End>", ANY, NULL, "Moving", NULL,
	"Go to the last row, with a number before it to that one.", cmd_last, 0 },
{ "row", "", TRACE, "ROW", "Moving", NULL,
	"Go to a row of the trace.", cmd_row, 0 },
{ "time", "@", TRACE, "TIME", "Moving", NULL,
	"Go to a time (2.1s); a range (2.1s..2.4s) is the window.", cmd_time, 0 },
{ "next-of-thread", ".", TRACE, NULL, "Moving", NULL,
	"Go to the next event of this thread.", cmd_step_thread, 1 },
{ "previous-of-thread", ",", TRACE, NULL, "Moving", NULL,
	"Go to the previous event of this thread.", cmd_step_thread, -1 },
{ "next-of-type", "*", TRACE, NULL, "Moving", NULL,
	"Go to the next event of this type.", cmd_step_type, 1 },
{ "previous-of-type", "#", TRACE, NULL, "Moving", NULL,
	"Go to the previous event of this type.", cmd_step_type, -1 },
{ "next-of-activity", "o", TRACE, NULL, "Moving", "next of it",
	"Go to the next event of this TraceId or activity, whatever its thread.",
	cmd_step_activity, 1 },
{ "previous-of-activity", "O", TRACE, NULL, "Moving", NULL,
	"Go to the previous event of this TraceId or activity.", cmd_step_activity, -1 },
{ "next-error", "e", TRACE, NULL, "Moving", NULL,
	"Go to the next exception or error.", cmd_step_error, 1 },
{ "previous-error", "E", TRACE, NULL, "Moving", NULL,
	"Go to the previous exception or error.", cmd_step_error, -1 },
{ "next-gap", "}", TRACE | SCOPE(PANE_PROBLEMS), NULL, "Moving", "gap",
	"Go to the next gap; in threads to the thread's next.", cmd_gap, 1 },
{ "previous-gap", "{", TRACE, NULL, "Moving", NULL,
	"Go to the previous gap of lost events.", cmd_gap, -1 },
{ "back", "[", TRACE, NULL, "Moving", NULL,
	"Go back to where one was: window, filter and position.", cmd_history, -1 },
{ "forward", "]", TRACE, NULL, "Moving", NULL,
	"Go forward again.", cmd_history, 1 },

{ "zoom-in", "w", TRACE, NULL, "Time window", "in",
	"Halve the window around the cursor.", cmd_zoom, 2 },
{ "zoom-out", "s", TRACE, NULL, "Time window", "out",
	"Double the window.", cmd_zoom, -2 },
{ "pan-left", "a", TRACE, NULL, "Time window", NULL,
	"Move the window a quarter earlier.", cmd_pan, -1 },
{ "pan-right", "d", TRACE, NULL, "Time window", NULL,
	"Move the window a quarter later.", cmd_pan, 1 },
{ "zoom-in-far", "W", TRACE, NULL, "Time window", NULL,
	"Zoom in by 8.", cmd_zoom, 8 },
{ "zoom-out-far", "S", TRACE, NULL, "Time window", NULL,
	"Zoom out by 8.", cmd_zoom, -8 },
{ "pan-left-far", "A", TRACE, NULL, "Time window", NULL,
	"Move the window by its length earlier.", cmd_pan, -4 },
{ "pan-right-far", "D", TRACE, NULL, "Time window", NULL,
	"Move the window by its length later.", cmd_pan, 4 },
{ "all", "0", TRACE, NULL, "Time window", NULL,
	"Show the whole trace.", cmd_all, 0 },
{ "time-format", "t", TRACE, "relative|local|utc|delta|ticks", "Time window", NULL,
	"Write times the next way, or this way.", cmd_time_format, 0 },
{ "zero", "T", TRACE, NULL, "Time window", NULL,
	"Count relative times from the selected event; again: no more.", cmd_zero, 0 },

{ "range", "v", TRACE, NULL, "Marks and ranges", "range",
	"Begin a range of times at the cursor, or end it there; Enter zooms to it.", cmd_range, 0 },
{ "range-span", "r", TRACE, NULL, "Marks and ranges", NULL,
	"Make the span under the cursor the range.", cmd_range_span, 0 },
{ "mark", "m<Char>", TRACE, "LETTER", "Marks and ranges", NULL,
	"Mark the event by a letter.", cmd_mark, 0 },
{ "go-mark", "'<Char>", TRACE, "LETTER", "Marks and ranges", NULL,
	"Go to the mark of that letter.", cmd_go_mark, 0 },
{ "last-jump", "''", TRACE, NULL, "Marks and ranges", NULL,
	"Go back to where the last jump began.", cmd_last_jump, 0 },
{ "note", "M", TRACE, "TEXT", "Marks and ranges", NULL,
	"Mark the event with a note.", cmd_note, 0 },
{ "next-mark", "u", TRACE, NULL, "Marks and ranges", NULL,
	"Go to the next mark.", cmd_next_mark, 1 },
{ "previous-mark", "U", TRACE, NULL, "Marks and ranges", NULL,
	"Go to the previous mark.", cmd_next_mark, -1 },
{ "marks", "", ANY, NULL, "Marks and ranges", NULL,
	"List the marks.", cmd_pane, PANE_MARKS },
{ "delete-mark", "x", SCOPE(PANE_MARKS), NULL, "Marks and ranges", "delete",
	"Delete the mark under the cursor.", cmd_erase, 0 },
{ "go-to-mark", "<Enter>", SCOPE(PANE_MARKS), NULL, "Marks and ranges", "go",
	"Go to the mark under the cursor.", cmd_enter, 0 },

{ "sort-next", ">", SORTED, NULL, "Lanes and columns", "sort",
	"Sort by the next column.", cmd_sort, 1 },
{ "sort-previous", "<", SORTED, NULL, "Lanes and columns",
	NULL, "Sort by the previous column.", cmd_sort, -1 },
{ "sort-invert", "I", SORTED, NULL, "Lanes and columns",
	"invert", "Turn the order around.", cmd_sort, 0 },
{ "sort-lanes", "", SCOPE(PANE_TIMELINE) | SCOPE(PANE_THREADS), "COLUMN", "Lanes and columns",
	NULL, "Sort by a column: events, lost, busy, name, ...", cmd_sort, 1 },
{ "pin-lane", "p", SCOPE(PANE_TIMELINE), "tid=TID", "Lanes and columns", "pin",
	"Keep the lane at the top, or let it go.", cmd_pin, 0 },
{ "hide-empty", "Z", SCOPE(PANE_TIMELINE), NULL, "Lanes and columns", NULL,
	"Hide lanes without an event in the window, or show them.", cmd_hide_empty, 0 },

{ "copy-row", "yy", TRACE, NULL, "Copy and export", NULL,
	"Copy the row as a line of text.", cmd_copy, 'y' },
{ "copy-json", "yj", TRACE, NULL, "Copy and export", NULL,
	"Copy the row as JSON.", cmd_copy, 'j' },
{ "copy-field", "yf", TRACE, NULL, "Copy and export", "copy",
	"Copy the value under the cursor.", cmd_copy, 'f' },
{ "copy-time", "yt", TRACE, NULL, "Copy and export", NULL,
	"Copy the row's time, or the range if there is one.", cmd_copy, 't' },
{ "copy-stack", "ys", TRACE, NULL, "Copy and export", "copy",
	"Copy the stack's addresses.", cmd_copy, 's' },
{ "copy-command", "yc", TRACE, NULL, "Copy and export", NULL,
	"Copy the command line that prints what the view shows.", cmd_copy, 'c' },
{ "export", "P <F9>", TRACE, "FILE", "Copy and export", NULL,
	"Write the rows to a file: .jsonl .csv .tsv, else text.", cmd_export, 0 },
{ "pipe", "|", TRACE, "COMMAND", "Copy and export", NULL,
	"Give the rows to a command of the shell.", cmd_pipe, 0 },

{ "mouse", "<F12>", ANY, "on|off", "Help and commands", NULL,
	"Let the mouse click, scroll and drag, or leave it to the terminal.", cmd_mouse, 0 },
{ "command", ":", ANY, NULL, "Help and commands", "command",
	"Type a command by its name; Tab completes.", cmd_prompt, PROMPT_COMMAND },
{ "explain", "K", TRACE, NULL, "Help and commands", NULL,
	"Explain the event under the cursor: its kind, its fields, and who says so.",
	cmd_pane, PANE_EXPLAIN },
{ "help", "? <F1>", ANY, NULL, "Help and commands", "help",
	"Show this help: what the keys do in the pane.", cmd_help, 0 },

{ "open", "<Enter>", TRACE, NULL, "Panes", "open",
	"Open the event's details; in threads: show only that thread.", cmd_enter, 0 },
{ "next-pane", "<Tab>", TRACE, NULL, "Panes", NULL,
	"Give the keys to the next pane.", cmd_cycle, 1 },
{ "previous-pane", "<S-Tab>", TRACE, NULL, "Panes", NULL,
	"Give the keys to the previous pane.", cmd_cycle, -1 },
PANE_TABLE(SHOW, SHOWN_BY_ITS_OWN)
{ "pane", "", ANY, "NAME", "Panes", NULL,
	"Show a pane by its name.", cmd_pane, -1 },
{ "maximise", "z", TRACE, NULL, "Panes", NULL,
	"Give the pane the whole screen, and back.", cmd_maximise, 0 },
{ "layout", "", ANY, "auto|single|split|wide", "Panes", NULL,
	"Arrange the panes this way, or the next way.", cmd_layout, 0 },

{ "bind", "", ANY, "PANE KEY COMMAND...", "Settings and sessions", NULL,
	"Bind a key in a pane (or in all) to a command.", cmd_bind, 1 },
{ "unbind", "", ANY, "PANE KEY", "Settings and sessions", NULL,
	"Take a key's meaning away.", cmd_bind, 0 },
{ "set", "", ANY, "NAME VALUE", "Settings and sessions", NULL,
	"Set time-format, columns, blocks, mouse, ascii or esc-delay.", cmd_set, 0 },
{ "save-session", "", ANY, "FILE", "Settings and sessions", NULL,
	"Write a script that brings back what is shown: tnav -x FILE.", cmd_save_session, 0 },
{ "at", "", TRACE, "TICKS OFFSET", "Settings and sessions", NULL,
	"Go to an event by its time and place in the file.", cmd_at, 0 },
{ "window-ticks", "", TRACE, "FROM TO", "Settings and sessions", NULL,
	"Set the window by raw ticks.", cmd_window_ticks, 0 },
{ "mark-at", "", TRACE, "LETTER TICKS OFFSET NOTE", "Settings and sessions", NULL,
	"Set a mark by its event's time and place in the file.", cmd_mark_at, 0 },

{ "reread", "R <F5>", TRACE, NULL, "Leaving", NULL,
	"Read the file again.", cmd_reread, 0 },
{ "follow", "F", TRACE, NULL, "Leaving", NULL,
	"Follow a file that grows.", cmd_follow, 0 },
{ "close", "q", ANY, NULL, "Leaving", "close",
	"Close what was opened last; on the first screen quit.", cmd_close, 0 },
{ "quit", "Q <F10>", ANY, NULL, "Leaving", NULL,
	"Quit at once.", cmd_quit, 0 },
{ "cancel", "<Esc> C-g C-c", ANY, NULL, "Leaving", NULL,
	"Cancel a search, a prompt, an overlay; never quits.", cmd_cancel, 0 },
{ "suspend", "C-z", ANY, NULL, "Leaving", NULL,
	"Stop for a while, back to the shell.", cmd_suspend, 0 },
{ "redraw", "C-l", ANY, NULL, "Leaving", NULL,
	"Draw the screen anew.", cmd_redraw, 0 },
};

size_t
command_count(void)
{
	return sizeof table / sizeof *table;
}

const struct command *
command_at(size_t i)
{
	return &table[i];
}

/* What roff takes for itself is spelt so that it prints; a quote would end the term. */
static void
man_text(struct buf *out, const char *s)
{
	for (; *s != '\0'; s++) {
		switch (*s) {
		case '\\':
			buf_puts(out, "\\e");
			break;
		case '-':
			buf_puts(out, "\\-");
			break;
		case '\'':
			buf_puts(out, "\\(aq");
			break;
		case '~':
			buf_puts(out, "\\(ti");
			break;
		case '^':
			buf_puts(out, "\\(ha");
			break;
		case '"':
			buf_puts(out, "\\(dq");
			break;
		default:
			buf_putc(out, *s);
		}
	}
}

void
ui_keys_man(struct buf *out)
{
	const char	*group = "";
	struct keymap	 map;
	struct buf	 keys;

	buf_init(&keys);
	keymap_init(&map);
	for (size_t i = 0; i < command_count(); i++) {
		const struct command	*cmd = command_at(i);

		if (strcmp(cmd->group, group) != 0) {
			group = cmd->group;
			buf_printf(out, ".SS %s\n", group);
		}
		buf_clear(&keys);
		keymap_keys(&map, cmd, SCOPE_ANY, SIZE_MAX, &keys);
		buf_puts(out, ".TP\n.B \"");
		man_text(out, keys.len > 0 ? buf_str(&keys) : ":");
		buf_puts(out, keys.len > 0 ? "  :" : "");
		man_text(out, cmd->name);
		if (cmd->args != NULL) {
			buf_putc(out, ' ');
			man_text(out, cmd->args);
		}
		buf_puts(out, "\"\n");
		man_text(out, cmd->help);
		buf_putc(out, '\n');
	}
	keymap_release(&map);
	buf_release(&keys);
}
