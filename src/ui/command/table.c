/*
 * The table of commands: the only source of the keys, the command line and its completion, the help
 * pane, the words on the bottom line, and the keys in the man page.
 *
 * A new command needs an entry here, its function, and a line in a test of tests/ui. The help uses
 * the same order. The hints of a pane (pane.h) name the commands on its bottom line. The commands
 * that show panes come from the table there. The palette completes arguments that are words
 * separated by |.
 */
#include <string.h>

#include "tnav/analysis/report.h"
#include "ui/command/commands.h"

#define TRACE	SCOPE_TRACE
#define ANY	SCOPE_ANY
#define SORTED	SCOPE_SORTED
#define ROWS	(TRACE | SCOPE_TABLES)		/* of events or of a table */
#define LINES	(ROWS | SCOPE(PANE_EXPLAIN))	/* ... or of text */
#define COPIES	(DOES_WRITE | DOES_RUN)	/* tmux is run if the viewer runs in it */
#define SHOW(id, pane, zone, when, order, flags, its_keys, its_arg, its_run, its_help) \
	{ .name = #pane, .keys = its_keys, .scope = ANY, .args = its_arg, .group = "Panes", \
	    .help = its_help, .run = its_run, .n = PANE_##id },
#define SHOWN_BY_ITS_OWN(id, ...)
#define SHOW_REPORT(id, does) \
	{ .name = #id, .keys = REPORT_##id == REPORT_summary ? "M-0" : "", .scope = ANY, \
	    .group = "Reports", .hint = #id, \
	    .help = "Report: " does ".", .run = cmd_report, .n = REPORT_##id },

static const struct command	table[] = {
{ .name = "filter", .keys = "f & <F4>", .scope = TRACE, .args = "EXPR",
	.group = "Filter and search", .hint = "filter",
	.help = "Show only events that match an expression.", .run = cmd_filter },
{ .name = "drop-filter", .keys = "X", .scope = ANY, .group = "Filter and search",
	.help = "Drop the last term of the filter.", .run = cmd_drop_filter },
{ .name = "filter-add", .keys = "", .scope = ANY, .args = "EXPR", .group = "Filter and search",
	.help = "Add a term to the filter.", .run = cmd_filter_add, .n = 1 },
{ .name = "filter-keep", .keys = "", .scope = ANY, .args = "EXPR", .group = "Filter and search",
	.help = "Add a term to the list of filters, turned off.", .run = cmd_filter_add },
{ .name = "filters-toggle", .keys = "M-f", .scope = ANY, .args = "on|off",
	.group = "Filter and search",
	.help = "Turn all filters off or on.", .run = cmd_filters_toggle },
{ .name = "filters", .keys = "", .scope = ANY, .group = "Filter and search",
	.help = "List the filter terms.", .run = cmd_pane,
	.n = PANE_FILTERS },
{ .name = "filter-toggle", .keys = "<Space> <Enter>", .scope = SCOPE(PANE_FILTERS),
	.args = "NAME", .group = "Filter and search", .hint = "switch",
	.help = "Toggle a filter term, by name, by number or under the cursor.",
	.run = cmd_filter_toggle },
{ .name = "filter-name", .keys = "n", .scope = SCOPE(PANE_FILTERS), .args = "NAME",
	.group = "Filter and search", .hint = "name",
	.help = "Name the term under the cursor.", .run = cmd_filter_name },
{ .name = "filter-delete", .keys = "d", .scope = SCOPE(PANE_FILTERS), .args = "NAME",
	.group = "Filter and search", .hint = "delete",
	.help = "Delete a filter term.", .run = cmd_filter_delete },
{ .name = "include", .keys = "i", .scope = TRACE, .group = "Filter and search", .hint = "only",
	.help = "Show only events with the value under the cursor.", .run = cmd_term,
	.n = 1 },
{ .name = "exclude", .keys = "x", .scope = TRACE, .group = "Filter and search", .hint = "without",
	.help = "Hide events with the value under the cursor.", .run = cmd_term, .n = -1 },
{ .name = "search", .keys = "/", .scope = LINES, .args = "REGEX", .group = "Filter and search",
	.hint = "search", .run = cmd_search,
	.help = "Search for a regex: events by their text, tables and texts by line." },
{ .name = "next-hit", .keys = "n", .scope = LINES & ~SCOPE(PANE_FILTERS),
	.group = "Filter and search",
	.help = "Go to the next hit.", .run = cmd_hit, .n = 1 },
{ .name = "previous-hit", .keys = "N", .scope = LINES & ~SCOPE(PANE_FILTERS),
	.group = "Filter and search",
	.help = "Go to the previous hit.", .run = cmd_hit, .n = -1 },

{ .name = "columns", .keys = "c", .scope = TRACE, .args = "LIST", .group = "Columns, sort, tally",
	.help = "Choose columns, or name them: time,event,Reason.", .run = cmd_columns },
{ .name = "column-toggle", .keys = "<Space> <Enter>", .scope = SCOPE(PANE_COLUMNS),
	.group = "Columns, sort, tally", .hint = "show",
	.help = "Show or hide the column under the cursor.", .run = cmd_act },
{ .name = "column-down", .keys = "J", .scope = SCOPE(PANE_COLUMNS),
	.group = "Columns, sort, tally",
	.help = "Move the column down (to the right).", .run = cmd_act, .n = 1 },
{ .name = "column-up", .keys = "K", .scope = SCOPE(PANE_COLUMNS), .group = "Columns, sort, tally",
	.help = "Move the column up (to the left).", .run = cmd_act, .n = -1 },
{ .name = "column-add", .keys = "a", .scope = SCOPE(PANE_COLUMNS), .args = "NAME",
	.group = "Columns, sort, tally", .hint = "add",
	.help = "Add a column: payload.FIELD or label.KEY.", .run = cmd_column_add, .n = 2 },
{ .name = "collapse", .keys = "C", .scope = TRACE, .args = "on|off",
	.group = "Columns, sort, tally",
	.help = "Collapse repeats: successive events of one thread and type.",
	.run = cmd_collapse },
{ .name = "past", .keys = "", .scope = TRACE, .args = "on|off", .group = "Columns, sort, tally",
	.help = "Show what the head of a trace says about the past, or only one row of it (Enter "
	    "on the row).", .run = cmd_past },
{ .name = "blocks", .keys = "B", .scope = TRACE, .args = "on|off",
	.group = "Columns, sort, tally",
	.help = "Show where blocks of the file start.", .run = cmd_blocks },
{ .name = "spans-by-name", .keys = "=", .scope = SCOPE(PANE_SPANS),
	.group = "Columns, sort, tally", .hint = "by name",
	.help = "Sum up spans by name, or list each span.", .run = cmd_spans_by },
{ .name = "pauses", .keys = "p", .scope = SCOPE(PANE_SPANS),
	.group = "Columns, sort, tally", .hint = "pauses",
	.help = "List only GC suspensions, the longest first.",
	.run = cmd_spans_by, .n = 1 },
{ .name = "tally", .keys = "=", .scope = TRACE & ~SCOPE(PANE_SPANS),
	.args = "FIELD", .group = "Columns, sort, tally",
	.hint = "tally",
	.help = "Count events by field, for example Name,Generation sum Size p99 dur.",
	.run = cmd_tally },
{ .name = "histogram", .keys = "M-h", .scope = TRACE, .args = "FIELD",
	.group = "Columns, sort, tally", .hint = "histogram",
	.help = "Count events by ranges of a number.",
	.run = cmd_histogram },
{ .name = "raw", .keys = "H", .scope = TRACE, .group = "Columns, sort, tally", .hint = "bytes",
	.help = "Show the bytes of the value under the cursor; of methods and frames, "
	    "their raw names.",
	.run = cmd_raw },
{ .name = "color", .keys = "", .scope = ANY, .args = "EXPR COLOR", .group = "Columns, sort, tally",
	.help = "Colour matching rows; without arguments, remove all colour rules.",
	.run = cmd_color },

{ .name = "next-row", .keys = "j <Down> C-n C-e", .scope = ANY, .group = "Moving",
	.help = "Move down by one.", .run = cmd_lines, .n = 1 },
{ .name = "previous-row", .keys = "k <Up> C-p C-y", .scope = ANY, .group = "Moving",
	.help = "Move up by one.", .run = cmd_lines, .n = -1 },
{ .name = "right", .keys = "l <Right>", .scope = TRACE, .group = "Moving",
	.help = "Move later by a cell; in lists, to the next column.", .run = cmd_side, .n = 1 },
{ .name = "left", .keys = "h <Left>", .scope = TRACE, .group = "Moving",
	.help = "Move earlier by a cell; in lists, to the previous column.", .run = cmd_side,
	.n = -1 },
{ .name = "page-down", .keys = "<Space> C-f <PgDn>", .scope = ANY, .group = "Moving",
	.help = "Move down by a page.", .run = cmd_pages, .n = 1 },
{ .name = "page-up", .keys = "b C-b <PgUp>", .scope = ANY, .group = "Moving",
	.help = "Move up by a page.", .run = cmd_pages, .n = -1 },
{ .name = "half-page-down", .keys = "C-d", .scope = ANY, .group = "Moving",
	.help = "Move down by half a page.", .run = cmd_halves, .n = 1 },
{ .name = "half-page-up", .keys = "C-u", .scope = ANY, .group = "Moving",
	.help = "Move up by half a page.", .run = cmd_halves, .n = -1 },
{ .name = "first", .keys = "g <Home>", .scope = ANY, .group = "Moving",
	.help = "Go to the first row.", .run = cmd_first },
{ .name = "last", .keys = "G <End>", .scope = ANY, .group = "Moving",
	.help = "Go to the last row, or to the row number typed before it.", .run = cmd_last },
{ .name = "row", .keys = "", .scope = TRACE, .args = "ROW", .group = "Moving",
	.help = "Go to a row of the trace.", .run = cmd_row },
{ .name = "part", .keys = "%", .scope = ROWS, .args = "PERCENT", .group = "Moving",
	.help = "Go to a percentage of the rows (50% is the middle); alone, to the span's other "
	    "end.",
	.run = cmd_part },
{ .name = "time", .keys = "@", .scope = TRACE, .args = "TIME", .group = "Moving",
	.help = "Go to a time (2.1s, 0.5, 50%); a range (2.1s..2.4s, a..+10ms) sets the window.",
	.run = cmd_time },
{ .name = "next-of-thread", .keys = ".", .scope = TRACE, .group = "Moving",
	.help = "Go to the next event of this thread.", .run = cmd_step_thread, .n = 1 },
{ .name = "previous-of-thread", .keys = ",", .scope = TRACE, .group = "Moving",
	.help = "Go to the previous event of this thread.", .run = cmd_step_thread, .n = -1 },
{ .name = "next-of-type", .keys = "*", .scope = TRACE, .group = "Moving",
	.help = "Go to the next event of this type.", .run = cmd_step_type, .n = 1 },
{ .name = "previous-of-type", .keys = "#", .scope = TRACE, .group = "Moving",
	.help = "Go to the previous event of this type.", .run = cmd_step_type, .n = -1 },
{ .name = "next-of-activity", .keys = "o", .scope = TRACE, .group = "Moving",
	.hint = "next of it",
	.help = "Go to the next event of this activity or TraceId, on any thread.",
	.run = cmd_step_activity, .n = 1 },
{ .name = "previous-of-activity", .keys = "O", .scope = TRACE, .group = "Moving",
	.help = "Go to the previous event of this TraceId or activity.", .run = cmd_step_activity,
	.n = -1 },
{ .name = "activity", .keys = "V", .scope = TRACE, .group = "Filter and search",
	.help = "Show the event's activity and all it caused, highlighted in the lanes; again: "
	    "also what caused it.",
	.run = cmd_activity },
{ .name = "next-error", .keys = "e", .scope = TRACE, .group = "Moving",
	.help = "Go to the next exception or error.", .run = cmd_step_error, .n = 1 },
{ .name = "previous-error", .keys = "E", .scope = TRACE, .group = "Moving",
	.help = "Go to the previous exception or error.", .run = cmd_step_error, .n = -1 },
{ .name = "next-gap", .keys = "}", .scope = TRACE | SCOPE(PANE_PROBLEMS), .group = "Moving",
	.hint = "gap",
	.help = "Go to the next gap (in the threads pane: of the thread).", .run = cmd_gap,
	.n = 1 },
{ .name = "previous-gap", .keys = "{", .scope = TRACE, .group = "Moving",
	.help = "Go to the previous gap of lost events.", .run = cmd_gap, .n = -1 },
{ .name = "back", .keys = "[ C-o", .scope = TRACE, .group = "Moving",
	.help = "Go back in the history of window, filter and position.", .run = cmd_history,
	.n = -1 },
{ .name = "forward", .keys = "]", .scope = TRACE, .group = "Moving",
	.help = "Go forward in the history.", .run = cmd_history, .n = 1 },

{ .name = "zoom-in", .keys = "w", .scope = TRACE, .group = "Time window", .hint = "in",
	.help = "Halve the window around the cursor.", .run = cmd_zoom, .n = 2 },
{ .name = "zoom-out", .keys = "s", .scope = TRACE, .group = "Time window", .hint = "out",
	.help = "Double the window.", .run = cmd_zoom, .n = -2 },
{ .name = "pan-left", .keys = "a", .scope = TRACE, .group = "Time window",
	.help = "Move the window a quarter earlier.", .run = cmd_pan, .n = -1 },
{ .name = "pan-right", .keys = "d", .scope = TRACE, .group = "Time window",
	.help = "Move the window a quarter later.", .run = cmd_pan, .n = 1 },
{ .name = "zoom-in-far", .keys = "W", .scope = TRACE, .group = "Time window",
	.help = "Zoom in by 8.", .run = cmd_zoom, .n = 8 },
{ .name = "zoom-out-far", .keys = "S", .scope = TRACE, .group = "Time window",
	.help = "Zoom out by 8.", .run = cmd_zoom, .n = -8 },
{ .name = "pan-left-far", .keys = "A", .scope = TRACE, .group = "Time window",
	.help = "Move the window by its length earlier.", .run = cmd_pan, .n = -4 },
{ .name = "pan-right-far", .keys = "D", .scope = TRACE, .group = "Time window",
	.help = "Move the window by its length later.", .run = cmd_pan, .n = 4 },
{ .name = "all", .keys = "0", .scope = TRACE, .group = "Time window",
	.help = "Show the whole trace.", .run = cmd_all },
{ .name = "time-format", .keys = "t", .scope = TRACE, .args = "relative|local|utc|delta|ticks",
	.group = "Time window",
	.help = "Cycle through the time formats, or choose one.", .run = cmd_time_format },
{ .name = "zero", .keys = "T", .scope = TRACE, .group = "Time window",
	.help = "Make times relative to the selected event; again: to the start.",
	.run = cmd_zero },

{ .name = "range", .keys = "v", .scope = TRACE, .group = "Marks and ranges", .hint = "range",
	.help = "Start or end a time range at the cursor; Enter zooms to it.",
	.run = cmd_range },
{ .name = "span", .keys = "r", .scope = TRACE, .group = "Marks and ranges", .hint = "span",
	.help = "Make the span under the cursor the window; after v, the range.",
	.run = cmd_span },
{ .name = "mark", .keys = "m<Char>", .scope = TRACE, .args = "LETTER",
	.group = "Marks and ranges",
	.help = "Mark the event with a letter.", .run = cmd_mark },
{ .name = "go-mark", .keys = "'<Char>", .scope = TRACE, .args = "LETTER",
	.group = "Marks and ranges",
	.help = "Go to a mark by its letter.", .run = cmd_go_mark },
{ .name = "last-jump", .keys = "''", .scope = TRACE, .group = "Marks and ranges",
	.help = "Go back to where the last jump began.", .run = cmd_last_jump },
{ .name = "note", .keys = "M", .scope = TRACE, .args = "TEXT", .group = "Marks and ranges",
	.help = "Mark the event with a note.", .run = cmd_note },
{ .name = "next-mark", .keys = "u", .scope = TRACE, .group = "Marks and ranges",
	.help = "Go to the next mark.", .run = cmd_next_mark, .n = 1 },
{ .name = "previous-mark", .keys = "U", .scope = TRACE, .group = "Marks and ranges",
	.help = "Go to the previous mark.", .run = cmd_next_mark, .n = -1 },
{ .name = "marks", .keys = "", .scope = ANY, .group = "Marks and ranges",
	.help = "List the marks.", .run = cmd_pane, .n = PANE_MARKS },
{ .name = "delete-mark", .keys = "x", .scope = SCOPE(PANE_MARKS), .group = "Marks and ranges",
	.hint = "delete",
	.help = "Delete the mark under the cursor.", .run = cmd_erase },
{ .name = "go-to-mark", .keys = "<Enter>", .scope = SCOPE(PANE_MARKS),
	.group = "Marks and ranges", .hint = "go",
	.help = "Go to the mark under the cursor.", .run = cmd_enter },

{ .name = "sort-next", .keys = ">", .scope = SORTED | SCOPE(PANE_EVENTS),
	.group = "Lanes and columns", .hint = "sort",
	.help = "Sort by the next column; in events, list those with the greatest delta or dur.",
	.run = cmd_sort, .n = 1 },
{ .name = "sort-previous", .keys = "<", .scope = SORTED, .group = "Lanes and columns",
	.help = "Sort by the previous column.", .run = cmd_sort, .n = -1 },
{ .name = "sort-invert", .keys = "I", .scope = SORTED, .group = "Lanes and columns",
	.hint = "invert",
	.help = "Reverse the order.", .run = cmd_sort },
{ .name = "sort", .keys = "", .scope = SORTED, .args = "COLUMN", .group = "Lanes and columns",
	.help = "Sort by the named column.", .run = cmd_sort, .n = 1 },
{ .name = "sort-lanes", .keys = "", .scope = SCOPE(PANE_TIMELINE) | SCOPE(PANE_THREADS),
	.args = "COLUMN",
	.group = "Lanes and columns",
	.help = "Sort by a column: events, lost, busy, name, ...", .run = cmd_sort, .n = 1 },
{ .name = "pin-lane", .keys = "p", .scope = SCOPE(PANE_TIMELINE), .args = "tid=TID",
	.group = "Lanes and columns", .hint = "pin",
	.help = "Pin the lane to the top, or unpin it.", .run = cmd_pin },
{ .name = "hide-empty", .keys = "Z", .scope = SCOPE(PANE_TIMELINE), .group = "Lanes and columns",
	.help = "Hide or show lanes without events in the window.",
	.run = cmd_hide_empty },

{ .name = "spans-in-lanes", .keys = "M-b", .scope = SCOPE(PANE_TIMELINE),
	.group = "Lanes and columns", .hint = "spans",
	.help = "Show spans in the lanes as bars, or hide them.", .run = cmd_spans_in_lanes },

{ .name = "copy-row", .keys = "yy", .scope = ROWS, .group = "Copy and export",
	.help = "Copy the row as text: its line, or the columns of a table.",
	.run = cmd_copy, .n = 'y', .does = COPIES },
{ .name = "copy-table", .keys = "Y", .scope = SCOPE_TABLES, .group = "Copy and export",
	.help = "Copy all rows of the table.", .run = cmd_copy, .n = 'Y',
	.does = COPIES },
{ .name = "copy-json", .keys = "yj", .scope = ROWS, .group = "Copy and export",
	.help = "Copy the row as JSON.", .run = cmd_copy, .n = 'j', .does = COPIES },
{ .name = "copy-field", .keys = "yf", .scope = TRACE, .group = "Copy and export", .hint = "copy",
	.help = "Copy the value under the cursor, with unprintable characters escaped.",
	.run = cmd_copy, .n = 'f', .does = COPIES },
{ .name = "copy-field-raw", .keys = "yF", .scope = TRACE, .group = "Copy and export",
	.help = "Copy the value under the cursor unescaped; pasting it may run commands.",
	.run = cmd_copy, .n = 'F', .does = COPIES },
{ .name = "copy-time", .keys = "yt", .scope = TRACE, .group = "Copy and export",
	.help = "Copy the time of the row, or the range.", .run = cmd_copy, .n = 't',
	.does = COPIES },
{ .name = "copy-stack", .keys = "ys", .scope = TRACE, .group = "Copy and export", .hint = "copy",
	.help = "Copy the stack: names, or addresses where there are none.", .run = cmd_copy,
	.n = 's', .does = COPIES },
{ .name = "copy-command", .keys = "yc", .scope = ROWS, .group = "Copy and export",
	.help = "Copy the command line that prints what is shown.", .run = cmd_copy,
	.n = 'c', .does = COPIES },
{ .name = "export", .keys = "P <F9>", .scope = ROWS, .args = "FILE", .group = "Copy and export",
	.help = "Export the rows to a file: .jsonl, .csv, .tsv, else text.",
	.run = cmd_export, .does = DOES_WRITE },
{ .name = "pipe", .keys = "|", .scope = TRACE, .args = "COMMAND", .group = "Copy and export",
	.help = "Pipe the rows to a shell command.", .run = cmd_pipe, .does = DOES_RUN },

{ .name = "mouse", .keys = "<F12>", .scope = ANY, .args = "on|off", .group = "Help and commands",
	.help = "Turn the mouse on or off: click, double click (Enter), wheel, drag a range.",
	.run = cmd_mouse },
{ .name = "command", .keys = ":", .scope = ANY, .group = "Help and commands", .hint = "command",
	.help = "Type a command by its name; Tab completes.", .run = cmd_prompt,
	.n = PROMPT_COMMAND },
{ .name = "explain", .keys = "K", .scope = TRACE, .group = "Help and commands",
	.help = "Explain the type of the event, and its fields.",
	.run = cmd_pane, .n = PANE_EXPLAIN },
{ .name = "tour", .keys = "<F3>", .scope = ANY, .args = "STEP", .group = "Help and commands",
	.help = "Start the guided tour, or go to its next step.", .run = cmd_tour },
{ .name = "help", .keys = "? <F1>", .scope = ANY, .group = "Help and commands", .hint = "help",
	.help = "Show help for the focused pane.", .run = cmd_help },

{ .name = "open", .keys = "<Enter>", .scope = TRACE, .group = "Panes", .hint = "open",
	.help = "Open the details; in tables, show the events of the row.",
	.run = cmd_enter },
{ .name = "next-pane", .keys = "<Tab>", .scope = TRACE, .group = "Panes",
	.help = "Focus the next pane, or open one.", .run = cmd_cycle, .n = 1 },
{ .name = "previous-pane", .keys = "<S-Tab>", .scope = TRACE, .group = "Panes",
	.help = "Focus the previous pane, or open one.", .run = cmd_cycle, .n = -1 },
PANE_TABLE(SHOW, SHOWN_BY_ITS_OWN)
{ .name = "calls-form", .keys = "p", .scope = SCOPE(PANE_CALLS), .group = "Calls",
	.hint = "form", .help = "Show the next form of calls: top-down, bottom-up, by method ...",
	.run = cmd_calls_act },
{ .name = "turn", .keys = "p", .scope = SCOPE(PANE_FLAME), .group = "Calls",
	.hint = "turn", .help = "Flip the flame graph upside down.", .run = cmd_calls_act },
{ .name = "callers", .keys = "(", .scope = SCOPE(PANE_CALLS), .args = "METHOD",
	.group = "Calls", .hint = "callers",
	.help = "Show the callers of the method under the cursor.", .run = cmd_calls_act,
	.n = 1 },
{ .name = "callees", .keys = ")", .scope = SCOPE(PANE_CALLS), .args = "METHOD",
	.group = "Calls", .hint = "callees",
	.help = "Show what the method under the cursor calls.", .run = cmd_calls_act, .n = 2 },
{ .name = "weight", .keys = "+", .scope = SCOPE(PANE_CALLS) | SCOPE(PANE_FLAME),
	.args = "count|samples|time|cpu|switches|bytes|exceptions|self|FIELD",
	.group = "Calls", .hint = "weight",
	.help = "Weigh calls by the next weight, or by the one given.",
	.run = cmd_weight },
{ .name = "fold-frame", .keys = "-", .scope = SCOPE(PANE_CALLS) | SCOPE(PANE_FLAME),
	.group = "Calls", .hint = "fold", .help = "Fold the method under the cursor.",
	.run = cmd_calls_act, .n = 3 },
{ .name = "fold", .keys = "", .scope = ANY, .args = "my-code|plumbing|REGEX",
	.group = "Calls",
	.help = "Fold frames: my-code, plumbing, REGEX or REGEX as NAME.", .run = cmd_fold },
{ .name = "unfold", .keys = "", .scope = ANY, .args = "RULE", .group = "Calls",
	.help = "Drop a fold rule, or all of them.", .run = cmd_unfold },
{ .name = "my-code", .keys = "~", .scope = SCOPE(PANE_CALLS) | SCOPE(PANE_FLAME) |
	SCOPE(PANE_STACK), .group = "Calls", .hint = "my code",
	.help = "Hide or show frames of libraries and native code.",
	.run = cmd_fold_switch },
{ .name = "plumbing", .keys = ";", .scope = SCOPE(PANE_CALLS) | SCOPE(PANE_FLAME) |
	SCOPE(PANE_STACK), .group = "Calls", .hint = "plumbing",
	.help = "Hide or show frames that throw, await, schedule and wait.",
	.run = cmd_fold_switch, .n = 1 },
{ .name = "compare-range", .keys = "_", .scope = SCOPE(PANE_CALLS) | SCOPE(PANE_FLAME),
	.group = "Calls", .hint = "compare",
	.help = "Compare the marked range (v) with the rest; again: with another range.",
	.run = cmd_compare_range },
REPORT_TABLE(SHOW_REPORT)
{ .name = "choose-report", .keys = "<Enter>", .scope = SCOPE(PANE_REPORTS), .group = "Reports",
	.hint = "show", .help = "Show the report under the cursor.", .run = cmd_choose,
	.n = PANE_REPORTS },
{ .name = "report-rows", .keys = "p", .scope = SCOPE(PANE_REPORT), .group = "Reports",
	.hint = "rows", .help = "Show the next kind of rows of the report.", .run = cmd_report,
	.n = REPORTS },
{ .name = "report-plot", .keys = "M-p", .scope = SCOPE(PANE_REPORT), .group = "Reports",
	.hint = "plot", .help = "Enlarge the plot of the report, show its next plot, or hide it.",
	.run = cmd_report, .n = REPORTS + 1 },
{ .name = "panes", .keys = "<F2>", .scope = ANY, .group = "Panes", .hint = "panes",
	.help = "List the panes and reports; a digit or a letter shows one.", .run = cmd_pane,
	.n = PANE_CHOOSER },
{ .name = "choose-pane", .keys = "<Enter>", .scope = SCOPE(PANE_CHOOSER), .group = "Panes",
	.hint = "show", .help = "Show the pane or report under the cursor.", .run = cmd_choose,
	.n = PANE_CHOOSER },
{ .name = "messages", .keys = "", .scope = ANY, .group = "Panes",
	.help = "List past messages.", .run = cmd_pane, .n = PANE_MESSAGES },
{ .name = "pane", .keys = "", .scope = ANY, .args = "NAME", .group = "Panes",
	.help = "Show a pane by its name.", .run = cmd_pane, .n = -1 },
{ .name = "maximise", .keys = "z", .scope = TRACE, .group = "Panes",
	.help = "Maximise the pane, or restore it.", .run = cmd_maximise },
{ .name = "layout", .keys = "", .scope = ANY, .args = "auto|single|split|wide", .group = "Panes",
	.help = "Choose the layout of the panes, or the next one.", .run = cmd_layout },

{ .name = "bind", .keys = "", .scope = ANY, .args = "PANE KEY COMMAND...",
	.group = "Settings and sessions",
	.help = "Bind a key to a command, in one pane or in all.", .run = cmd_bind, .n = 1 },
{ .name = "unbind", .keys = "", .scope = ANY, .args = "PANE KEY", .group = "Settings and sessions",
	.help = "Unbind a key.", .run = cmd_bind },
{ .name = "set", .keys = "", .scope = ANY, .args = "NAME VALUE", .group = "Settings and sessions",
	.help = "Set time-format, columns, blocks, mouse, theme, color-threads, ascii, "
	    "header, esc-delay; without a value, show them.",
	.run = cmd_set },
{ .name = "theme", .keys = "", .scope = ANY, .args = "dark|light|none|mono",
	.group = "Settings and sessions",
	.help = "Choose a colour theme; without a name, show the current one.",
	.run = cmd_theme },
{ .name = "color-threads", .keys = "", .scope = ANY, .args = "on|off",
	.group = "Settings and sessions", .help = "Give each thread its own colour, or all the "
	    "same.",
	.run = cmd_color_threads },
{ .name = "save-session", .keys = "", .scope = ANY, .args = "FILE",
	.group = "Settings and sessions",
	.help = "Save the session as a script: tnav -x FILE restores it.",
	.run = cmd_save_session, .does = DOES_WRITE },
{ .name = "at", .keys = "", .scope = TRACE, .args = "TICKS OFFSET",
	.group = "Settings and sessions",
	.help = "Go to an event by its timestamp and file offset.", .run = cmd_at },
{ .name = "window-ticks", .keys = "", .scope = TRACE, .args = "FROM TO",
	.group = "Settings and sessions",
	.help = "Set the window in raw ticks.", .run = cmd_window_ticks },
{ .name = "mark-at", .keys = "", .scope = TRACE, .args = "LETTER TICKS OFFSET NOTE",
	.group = "Settings and sessions",
	.help = "Set a mark by the timestamp and file offset of its event.", .run = cmd_mark_at },

{ .name = "reread", .keys = "R <F5>", .scope = TRACE, .group = "Leaving",
	.help = "Reload the file.", .run = cmd_reread, .does = DOES_READ },
{ .name = "follow", .keys = "F", .scope = TRACE, .group = "Leaving", .args = "on|off",
	.help = "Follow a growing file or a live session, or stop. Rows marked ~ may still move. "
	    "On the last row, the cursor follows the end.", .run = cmd_follow },
{ .name = "record-stacks", .keys = "C-t", .scope = TRACE, .group = "Leaving",
	.help = "End a live session without stacks, keep its trace, and begin one with stacks and "
	    "samples.", .run = cmd_record_stacks },
{ .name = "close", .keys = "q", .scope = ANY, .group = "Leaving", .hint = "close",
	.help = "Close the pane opened last; on the first screen, quit. A live session asks "
	    "whether to keep the trace.", .run = cmd_close },
{ .name = "quit", .keys = "Q <F10>", .scope = ANY, .group = "Leaving",
	.help = "Quit at once. A live session is stopped and its trace kept.", .run = cmd_quit },
{ .name = "cancel", .keys = "<Esc> C-g C-c", .scope = ANY, .group = "Leaving",
	.help = "Cancel a prompt, search, range or job; never quits.", .run = cmd_cancel },
{ .name = "suspend", .keys = "C-z", .scope = ANY, .group = "Leaving",
	.help = "Suspend and go back to the shell.", .run = cmd_suspend, .does = DOES_RUN },
{ .name = "redraw", .keys = "C-l", .scope = ANY, .group = "Leaving",
	.help = "Redraw the screen.", .run = cmd_redraw },

{ .name = "q", .keys = "", .scope = ANY, .group = "As in vim",
	.help = "Quit.", .run = cmd_quit },
{ .name = "q!", .keys = "ZZ", .scope = ANY & ~SCOPE(PANE_TIMELINE), .group = "As in vim",
	.help = "Quit.", .run = cmd_quit },
{ .name = "x", .keys = "", .scope = ANY, .group = "As in vim",
	.help = "Quit.", .run = cmd_quit },
{ .name = "wq", .keys = "", .scope = ANY, .group = "As in vim",
	.help = "Quit. Nothing needs saving; :w FILE exports rows.", .run = cmd_quit },
{ .name = "w", .keys = "", .scope = ROWS, .args = "FILE", .group = "As in vim",
	.help = "Export the listed rows to a file; while attached, keep the trace as FILE unless "
	    "it ends in .csv, .tsv, .jsonl or .txt.", .run = cmd_write,
	.does = DOES_WRITE },
{ .name = "e", .keys = "", .scope = TRACE, .args = "FILE", .group = "As in vim",
	.help = "Open another trace, or reload this one.", .run = cmd_edit,
	.does = DOES_READ },
{ .name = "noh", .keys = "", .scope = ANY, .group = "As in vim",
	.help = "Turn off highlighting of hits; n searches again.", .run = cmd_no_hits },
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

/* Escape what roff would interpret. A quote would end the term. */
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
	keymap_init(&map, table, command_count());
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
