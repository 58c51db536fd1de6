/*
 * The table of subcommands. Everything about one is here, in texts.tsv and in its own file.
 *
 *	command line -> options_parse() -> entry -> run(), or each() of each file -> exit code
 *
 * Help, the manual page and the completions are made from it.
 */
#include "app/command.h"

#include "tnav/analysis/activities.h"
#include "tnav/analysis/calltree.h"
#include "tnav/analysis/diff.h"
#include "tnav/analysis/report.h"
#include "tnav/analysis/spans.h"
#include "tnav/analysis/tables.h"

#define O(name)		OPT_BIT(OPT_##name)
#define READING		(O(INPUT_FORMAT) | O(JOBS) | O(UTC) | O(COLOR))
#define PRINTING	(O(FORMAT) | O(SPREADSHEET) | O(TRACE_NAME) | O(OUTPUT) | O(PROGRESS) | \
			    READING)
#define WRITING		(O(OUTPUT) | O(PROGRESS) | O(INPUT_FORMAT) | O(JOBS))
#define REDACTING	(O(REDACT) | O(REDACT_KEY) | O(REDACT_FIELD) | O(KEEP_FIELD) | O(DRY_RUN))
#define CHOOSING	(O(FILTER) | O(FROM) | O(TO))
#define AGGREGATING	(O(COUNT) | O(SUM) | O(AVG) | O(MIN) | O(MAX) | O(PCT) | O(DISTINCT))
#define NAMING		(O(PERF_MAP) | O(SYMBOL_PATH))
#define SORTING		(O(SORT) | O(TOP))
#define JOINING		(O(ALIGN) | O(SINGLY))
#define LISTING		(O(FIELDS) | O(LIMIT) | PRINTING)

#define REPORT_COMMAND(id, does) \
	{ \
		.name = #id, .args = REPORT_##id == REPORT_heap ? \
		    "FILE [FILE]|PID|NAME|SOCKET" : "FILE...", \
		.operand = OPERAND_FILES, .run = subcommand_report, .each = report_each, \
		.asks = REPORT_##id == REPORT_heap, .lists = true, \
		.report = &report_##id, .options = CHOOSING | JOINING | O(BY) | NAMING | \
		    SORTING | LISTING, \
		.summary = does, \
	},

const struct command_def subcommands[] = {
	{
		.name = "", .args = "FILE...", .operand = OPERAND_FILES, .lists = true,
		.implied = IMPLIED_ON_TERMINAL, .run = subcommand_view,
		.options = CHOOSING | O(ALIGN) | O(SCRIPT) | O(FOLLOW) | NAMING | READING,
		.summary = "view a trace on the terminal, or several as one list",
	}, {
		.name = "info", .args = "FILE...", .operand = OPERAND_FILES,
		.each = info_each,
		.columns = info_column, .ncolumns = INFO_COLUMNS,
		.options = O(VERBOSE) | O(ALIGN) | PRINTING,
		.summary = "summarise the trace: origin, counts, damage and losses",
	}, {
		.name = "dump", .args = "FILE...", .operand = OPERAND_FILES,
		.each = dump_each, .lists = true, .implied = IMPLIED_IN_PIPE,
		.options = CHOOSING | JOINING | O(ORDER) | O(GAPS) | O(BY_TYPE) | O(ENUMS) |
		    O(CRC) | O(RAW) | O(SYMBOLS) | NAMING | O(FOLLOW) | LISTING,
		.summary = "print the events, one per line, in time order",
	}, {
		.name = "types", .args = "FILE...", .operand = OPERAND_FILES,
		.each = list_each, .lists = true,
		.columns = types_column, .ncolumns = TYPES_COLUMNS,
		.options = CHOOSING | JOINING | SORTING | LISTING,
		.summary = "list the event types with counts and fields",
	}, {
		.name = "threads", .args = "FILE...", .operand = OPERAND_FILES,
		.each = list_each, .lists = true,
		.columns = threads_column, .ncolumns = THREADS_COLUMNS,
		.options = CHOOSING | JOINING | SORTING | LISTING,
		.summary = "list the threads with counts, losses and incarnations",
	}, {
		.name = "stats", .args = "FILE...", .operand = OPERAND_FILES,
		.each = stats_each, .lists = true,
		.columns = stats_column, .ncolumns = STATS_COLUMNS,
		.options = CHOOSING | JOINING | NAMING | O(BY) | O(EVERY) | AGGREGATING | O(ENUMS) |
		    SORTING | LISTING,
		.summary = "count the events by the values of fields, with sums and percentiles",
	}, {
		.name = "spans", .args = "FILE...", .operand = OPERAND_FILES,
		.each = spans_each, .lists = true,
		.columns = spans_column, .ncolumns = SPANS_COLUMNS,
		.options = CHOOSING | JOINING | O(BY) | O(LIST) | O(BY_NAME) | SORTING |
		    LISTING,
		.summary = "pair starts with stops: durations by name, or of each span",
	}, {
		.name = "activities", .args = "FILE...", .operand = OPERAND_FILES,
		.each = activities_each, .lists = true,
		.columns = activities_column, .ncolumns = ACT_COLUMNS,
		.options = CHOOSING | JOINING | SORTING | LISTING,
		.summary = "list activities as a tree: requests and everything they caused",
	}, {
		.name = "stacks", .args = "FILE...", .operand = OPERAND_FILES,
		.each = stacks_each, .lists = true,
		.columns = calltree_column, .ncolumns = CALLS_COLUMNS,
		.groups = "method module namespace",
		.options = CHOOSING | JOINING | NAMING | O(BY) | O(FOLD) | O(TREE) | O(WEIGHT) |
		    O(SPEEDSCOPE) | O(FOLD_RULE) | O(COMPARE) | SORTING | LISTING,
		.summary = "sum up stacks: by method, as a call tree, or folded",
	},
	REPORT_TABLE(REPORT_COMMAND)
	{
		.name = "cut", .args = "-o OUT FILE", .operand = OPERAND_FILE,
		.each = cut_each,
		.options = CHOOSING | O(CONTEXT) | REDACTING | WRITING,
		.summary = "write a part of a trace as a trace",
	}, {
		.name = "repair", .args = "-o OUT FILE", .operand = OPERAND_FILE,
		.each = repair_each,
		.options = REDACTING | WRITING,
		.summary = "write what can be read of a damaged trace as a whole one",
	}, {
		.name = "convert", .args = "--to FORMAT -o OUT FILE...", .operand = OPERAND_FILES,
		.run = subcommand_convert, .each = convert_each,
		.options = O(FILTER) | O(FROM) | O(INTO) | O(STACKS) | O(SAMPLE_WEIGHT) |
		    O(TRACE_NAME) | NAMING | WRITING,
		.summary = "write a profile, a timeline or tables for another program",
	}, {
		.name = "diff", .args = "A B|A... -- B...", .operand = OPERAND_FILES,
		.run = subcommand_diff, .each = diff_each, .joins = true,
		.columns = diff_column, .ncolumns = DIFF_COLUMNS,
		.options = CHOOSING | NAMING | O(BY) | O(TREE) | O(FOLD) | O(REPORT) | O(SPANS) |
		    O(THREADS) | O(HEAP) | O(DIAGNOSE) | O(PER) | O(B_FROM) | O(B_TO) | O(FAIL_ON) |
		    SORTING | LISTING,
		.summary = "say what differs between two traces, or two windows of one",
	}, {
		.name = "gaps", .args = "FILE...", .operand = OPERAND_FILES,
		.each = list_each, .lists = true,
		.columns = gaps_column, .ncolumns = GAPS_COLUMNS,
		.options = CHOOSING | JOINING | SORTING | LISTING,
		.summary = "list where events were lost, how many, and on which thread",
	}, {
		.name = "check", .args = "FILE...", .operand = OPERAND_FILES,
		.each = list_each,
		.columns = findings_column, .ncolumns = FINDINGS_COLUMNS,
		.options = SORTING | LISTING,
		.summary = "report damage in the file: what, where, how many bytes",
	}, {
		.name = "providers", .args = "[FILE...|PID]", .operand = OPERAND_MAYBE_FILES,
		.run = subcommand_providers, .each = providers_each,
		.columns = providers_column, .ncolumns = PROVIDERS_COLUMNS,
		.options = SORTING | LISTING,
		.summary = "list the known providers, or those of a file or program, with keywords "
		    "and events",
	}, {
		.name = "ps", .args = "", .operand = OPERAND_NONE, .run = subcommand_ps,
		.columns = ps_column, .ncolumns = PS_COLUMNS,
		.options = O(ALL) | O(FIELDS) | O(LIMIT) | SORTING | O(FORMAT) | O(SPREADSHEET) |
		    O(OUTPUT) | O(COLOR),
		.summary = "list running .NET programs, and why one cannot be queried",
	}, {
		.name = "attach", .args = "PID|NAME|SOCKET|HOST:NAME...|-- COMMAND...",
		.operand = OPERAND_PROCESS,
		.run = subcommand_attach,
		.options = O(FILTER) | O(SCRIPT) | O(UTC) | O(COLOR) | O(JOBS) | O(KEEP_LAST),
		.several = true,
		.summary = "view the events of running .NET programs as they arrive",
	}, {
		.name = "record", .args = "PID|NAME|SOCKET...|HOST:NAME|-- COMMAND...",
		.operand = OPERAND_PROCESS,
		.run = subcommand_record,
		.options = O(CHILD_IO) | O(STREAM) | O(PROGRESS),
		.lasts = true, .several = true,
		.summary = "record the events of a running .NET program to a file",
	}, {
		.name = "diagnose", .args = "PID|NAME|SOCKET|HOST:NAME|-- COMMAND...|FILE...",
		.operand = OPERAND_PROCESS_OR_FILES,
		.run = subcommand_diagnose, .each = diagnose_each,
		.options = CHOOSING | NAMING | O(FORMAT) | O(CHILD_IO) | O(STREAM) | O(PROGRESS) |
		    READING,
		.summary = "say what is wrong with a running program, or with a recorded one",
	}, {
		.name = "help", .args = "[COMMAND|filter|formats|event NAME]",
		.operand = OPERAND_TOPIC,
		.implied = IMPLIED_BY_HELP, .run = subcommand_help,
		.summary = "explain a command, the filter language, the input formats or a .NET "
		    "event",
	},
	{ .name = NULL },
};
