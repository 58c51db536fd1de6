/*
 * The table of subcommands. Everything about a subcommand is here and in its own file.
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
		.text = "Several files are one list in the order of time, as for dump. When "
		    "standard output is not a terminal, this is the same as tnav dump FILE. With "
		    "- as the file, the trace is read from standard input and keys are "
		    "read from the terminal.",
	}, {
		.name = "info", .args = "FILE...", .operand = OPERAND_FILES,
		.each = info_each,
		.columns = info_column, .ncolumns = INFO_COLUMNS,
		.options = O(VERBOSE) | PRINTING,
		.summary = "summarise the trace: origin, counts, damage and losses",
	}, {
		.name = "dump", .args = "FILE...", .operand = OPERAND_FILES,
		.each = dump_each, .lists = true, .implied = IMPLIED_IN_PIPE,
		.options = CHOOSING | JOINING | O(ORDER) | O(GAPS) | O(BY_TYPE) | O(ENUMS) |
		    O(CRC) | O(RAW) | O(SYMBOLS) | NAMING | O(FOLLOW) | LISTING,
		.summary = "print the events, one per line, in time order",
		.text = "Without --format, each line has the time, thread, provider/event and "
		    "decoded payload. The keys of --format jsonl are listed under JSON LINES in "
		    "tnav(1).",
	}, {
		.name = "types", .args = "FILE...", .operand = OPERAND_FILES,
		.each = list_each, .lists = true,
		.columns = types_column, .ncolumns = TYPES_COLUMNS,
		.options = CHOOSING | JOINING | SORTING | LISTING,
		.summary = "list the event types with counts and fields",
		.text = "With -f, --from or --to, only matching events are counted, and types "
		    "without any are not listed.",
	}, {
		.name = "threads", .args = "FILE...", .operand = OPERAND_FILES,
		.each = list_each, .lists = true,
		.columns = threads_column, .ncolumns = THREADS_COLUMNS,
		.options = CHOOSING | JOINING | SORTING | LISTING,
		.summary = "list the threads with counts, losses and incarnations",
		.text = "Threads are sorted by process where there are several. A thread id that "
		    "was reused by a later thread has several incarnations, counted as lives. "
		    "With -f, --from or --to, only matching events are counted, and threads "
		    "without any are not listed; "
		    "lost, gaps and lives are always those of the whole trace.",
	}, {
		.name = "stats", .args = "FILE...", .operand = OPERAND_FILES,
		.each = stats_each, .lists = true,
		.columns = stats_column, .ncolumns = STATS_COLUMNS,
		.options = CHOOSING | JOINING | NAMING | O(BY) | O(EVERY) | AGGREGATING | O(ENUMS) |
		    SORTING | LISTING,
		.summary = "count the events by the values of fields, with sums and percentiles",
		.text = "The fields come first, then the columns below, then those of --sum and "
		    "the other aggregates, in the order given. The rate is in events per second "
		    "over the whole time range, or over a step of --every.",
	}, {
		.name = "spans", .args = "FILE...", .operand = OPERAND_FILES,
		.each = spans_each, .lists = true,
		.columns = spans_column, .ncolumns = SPANS_COLUMNS,
		.options = CHOOSING | JOINING | O(BY) | O(LIST) | O(BY_NAME) | SORTING |
		    LISTING,
		.summary = "pair starts with stops: durations by name, or of each span",
		.text = "As text, CSV and TSV one row per name, the longest first; with --list one "
		    "per span. Text has the main figures only; CSV, TSV and -e have all. As JSON "
		    "lines each span (kind span), then each name (kind name). total, self, mean "
		    "and percentiles cover spans with a start and a stop; open counts starts "
		    "without a stop; orphans, stops without a start; lost, those of both whose "
		    "other end may be among the lost events; doubtful, the spans whose thread lost "
		    "events between start and stop. A stop that lacks its activity id, as the "
		    "runtime writes it around an activity of the same name, ends the only start on "
		    "its thread that fits (matched startThread); where not exactly one fits, its "
		    "state is orphanWithoutId. histogram shows the distribution of durations, "
		    "in steps of 1, 2, 5 from the shortest to the longest of all. --list --top N "
		    "lists the N longest. -f, --from and --to choose spans by their first event.",
	}, {
		.name = "activities", .args = "FILE...", .operand = OPERAND_FILES,
		.each = activities_each, .lists = true,
		.columns = activities_column, .ncolumns = ACT_COLUMNS,
		.options = CHOOSING | JOINING | SORTING | LISTING,
		.summary = "list activities as a tree: requests and everything they caused",
		.text = "The parent is the related id of the activity's start, or else the nearest "
		    "id above it by path. critical marks the critical path: going backwards from "
		    "the end of an activity, at each moment the child that ended last. "
		    "criticalTime is the part of the path spent in the activity itself; "
		    "criticalShare is its share of the whole path. The path is as long as its "
		    "topmost activity that has a start and a stop. JSON lines also have totals "
		    "(kind summary) and TraceId and SpanId labels (kinds traceId and spanId). Of "
		    "several files, a request that one received is below the one that another "
		    "sent, by the W3C ids of DiagnosticSource (see requests). With -f, --from or "
		    "--to, only matching events are counted.",
	}, {
		.name = "stacks", .args = "FILE...", .operand = OPERAND_FILES,
		.each = stacks_each, .lists = true,
		.columns = calltree_column, .ncolumns = CALLS_COLUMNS,
		.groups = "method module namespace",
		.options = CHOOSING | JOINING | NAMING | O(BY) | O(FOLD) | O(TREE) | O(WEIGHT) |
		    O(SPEEDSCOPE) | O(FOLD_RULE) | O(COMPARE) | SORTING | LISTING,
		.summary = "sum up stacks: by method, as a call tree, or folded",
		.text = "Without --fold, --tree or --speedscope, methods are listed with the "
		    "weight of their own code (exclusive) and of all that they call (inclusive). A "
		    "method that occurs in a stack several times counts once. external is the part "
		    "of the samples with type External: the thread was outside managed code. With "
		    "--weight time, a sample weighs the time to the next sample of its thread; the "
		    "last one weighs nothing. Samples are wall-clock time, not CPU time. bytes "
		    "come from AllocationTick, or else are estimated from AllocationSampled. Fold "
		    "rules apply only if --fold-rule is given.",
	},
	REPORT_TABLE(REPORT_COMMAND)
	{
		.name = "cut", .args = "-o OUT FILE", .operand = OPERAND_FILE,
		.each = cut_each,
		.options = CHOOSING | O(CONTEXT) | REDACTING | WRITING,
		.summary = "write a part of a trace as a trace",
		.text = "OUT has the events in the time range that match the filter, in time "
		    "order, with their stacks, and what was lost among them; times stay as they "
		    "are. Events that name the code in these stacks are kept besides. Every "
		    "reader of NetTrace can open it. The format is that of FILE; NetPerf V3 "
		    "becomes NetTrace V4. Heph, and NetPerf V1 and V2, cannot be written. A gap "
		    "counts if it overlaps the time range and, where the filter says which "
		    "threads (tid, pid, thread, captureTid), is next to an event of these; other "
		    "terms cannot exclude what was lost.",
	}, {
		.name = "repair", .args = "-o OUT FILE", .operand = OPERAND_FILE,
		.each = repair_each,
		.options = REDACTING | WRITING,
		.summary = "write what can be read of a damaged trace as a whole one",
		.text = "OUT has all events that tnav dump prints, in time order, and nothing of "
		    "the damage: the trace of a program that was killed becomes one that every "
		    "reader opens. The exit code is 1 if there was damage, as for other commands, "
		    "and it is described on standard error.",
	}, {
		.name = "convert", .args = "--to FORMAT -o OUT FILE...", .operand = OPERAND_FILES,
		.run = subcommand_convert, .each = convert_each,
		.options = O(FILTER) | O(FROM) | O(INTO) | O(STACKS) | O(SAMPLE_WEIGHT) |
		    O(TRACE_NAME) | NAMING | WRITING,
		.summary = "write a profile, a timeline or tables for another program",
		.text = "Profiles are of samples: folded (flame graphs, difffolded), speedscope "
		    "(each thread, in time order), pprof (go tool pprof). doc/convert.md says what "
		    "is in each of them. A trace without samples is an error. Timelines are of all "
		    "chosen events: chrome (Chromium's JSON, which Perfetto, speedscope and "
		    "Firefox's profiler read, too) and perfetto. parquet is all tables of one or "
		    "more traces: OUT is a folder, which gets TABLE/TRACE.parquet; stacks of "
		    "events are rows of the tables stacks and frames. doc/fleet.md says how to "
		    "query it.",
	}, {
		.name = "diff", .args = "A B|A... -- B...", .operand = OPERAND_FILES,
		.run = subcommand_diff, .each = diff_each, .joins = true,
		.columns = diff_column, .ncolumns = DIFF_COLUMNS,
		.options = CHOOSING | NAMING | O(BY) | O(TREE) | O(FOLD) | O(REPORT) | O(SPANS) |
		    O(THREADS) | O(HEAP) | O(DIAGNOSE) | O(PER) | O(B_FROM) | O(B_TO) | O(FAIL_ON) |
		    SORTING | LISTING,
		.summary = "say what differs between two traces, or two windows of one",
		.text = "A row is a key of both sides: by default provider and name of events, or "
		    "what --by, --report, --spans, --threads or --tree says. a and b are its "
		    "figures on the two sides, change is b / a - 1, low and high the interval of "
		    "the change, of two standard errors. verdict: more, less, new or gone if that "
		    "is more than noise (three standard errors, with the bursts of the events and "
		    "the differences between parts of a recording taken into account), else same "
		    "(~); unknown (?) with fewer than 20 events, or where lost events may explain "
		    "it. Rows that changed come first, those with the greatest least change "
		    "first. What only one side recorded is told once (kind about), not compared. "
		    "Several files of a side are told from those of the other by --: A1 A2 A3 -- "
		    "B1 B2 B3; then the noise is that between files. With one file, --b-from and "
		    "--b-to choose B. doc/diff.md has the statistics. The exit code is 5 if a "
		    "change is beyond a limit of --fail-on.",
	}, {
		.name = "gaps", .args = "FILE...", .operand = OPERAND_FILES,
		.each = list_each, .lists = true,
		.columns = gaps_column, .ncolumns = GAPS_COLUMNS,
		.options = CHOOSING | JOINING | SORTING | LISTING,
		.summary = "list where events were lost, how many, and on which thread",
		.text = "With -f, the gaps next to a matching event are listed; with --from and "
		    "--to, those that overlap the time range.",
	}, {
		.name = "check", .args = "FILE...", .operand = OPERAND_FILES,
		.each = list_each,
		.columns = findings_column, .ncolumns = FINDINGS_COLUMNS,
		.options = SORTING | LISTING,
		.summary = "report damage in the file: what, where, how many bytes",
		.text = "NetTrace has no checksums: a file without findings can still differ from "
		    "what was written.",
	}, {
		.name = "providers", .args = "[FILE...|PID]", .operand = OPERAND_MAYBE_FILES,
		.run = subcommand_providers, .each = providers_each,
		.columns = providers_column, .ncolumns = PROVIDERS_COLUMNS,
		.options = SORTING | LISTING,
		.summary = "list the known providers, or those of a file or program, with keywords "
		    "and events",
		.text = "Without a file, lists the .NET providers that tnav knows, for --providers "
		    "of attach and record. With a file, lists the events in it and their keywords. "
		    "With the id of a running program, records all its providers for three "
		    "seconds, verbose and without stacks, and lists those that have written "
		    "events; a runtime does not tell of others.",
	}, {
		.name = "ps", .args = "", .operand = OPERAND_NONE, .run = subcommand_ps,
		.columns = ps_column, .ncolumns = PS_COLUMNS,
		.options = O(ALL) | O(FIELDS) | O(LIMIT) | SORTING | O(FORMAT) | O(SPREADSHEET) |
		    O(OUTPUT) | O(COLOR),
		.summary = "list running .NET programs, and why one cannot be queried",
		.text = "A process is queried through its diagnostics socket, which only its user "
		    "and root can use. record and attach also take the path of a socket that is "
		    "not listed here, such as one that a container shares. A process that does "
		    "not answer within a second is listed with the information from /proc.",
	}, {
		.name = "attach", .args = "PID|NAME|SOCKET|HOST:NAME|-- COMMAND...",
		.operand = OPERAND_PROCESS,
		.run = subcommand_attach,
		.options = O(FILTER) | O(SCRIPT) | O(UTC) | O(COLOR) | O(JOBS) | O(KEEP_LAST),
		.summary = "view the events of a running .NET program as they arrive",
		.text = "The viewer follows the newest events; F or moving up pauses. Without "
		    "--profile, --providers or --clrevents these events are recorded: collections, "
		    "exceptions, contention, threads, loaded code, and the counters of "
		    "System.Runtime, but no stacks and no samples. Ctrl-T goes on with a session "
		    "that records both, Alt-s with one that also records a walk of the heap "
		    "(it asks: all threads are stopped meanwhile). With stacks, two more "
		    "sessions receive the names of methods, of those compiled before and those "
		    "compiled from now on; "
		    "nothing else of these is shown or saved, and --no-stacks and --rundown "
		    "false turn them off. "
		    "HOST:NAME, or HOST:PID, is a program of another host: ssh starts tnav record "
		    "there (TNAV_SSH and TNAV_REMOTE name other programs), and may ask for a "
		    "password before the viewer starts; the session there ends with this one. "
		    "The trace is saved in the state folder from the first byte on; when it is "
		    "longer than --keep says, its first events are let go while it grows. :w FILE "
		    "keeps it, q asks whether to keep it, Q stops the session and keeps it. The "
		    "exit code is 0 for a complete trace, 1 for an incomplete one, 2 if the "
		    "process cannot be traced, 3 if the trace cannot be written.",
	}, {
		.name = "record", .args = "PID|NAME|SOCKET...|HOST:NAME|-- COMMAND...",
		.operand = OPERAND_PROCESS,
		.run = subcommand_record,
		.options = O(CHILD_IO) | O(STREAM) | O(PROGRESS),
		.lasts = true,
		.summary = "record the events of a running .NET program to a file",
		.text = "Without -o, the file is named NAME_DATE_TIME.nettrace. The stream is "
		    "written unchanged as it arrives; - is standard output. Ctrl-C, SIGTERM and "
		    "SIGHUP stop the recording cleanly: the program sends the remaining events "
		    "and the names of its methods. A second signal stops at once and leaves the "
		    "file incomplete. At the end it says how many events were lost; for a pipe, it "
		    "counts them in an unlinked copy of the newest megabytes, and stops when "
		    "nobody reads it any more. Of HOST:NAME, ssh starts tnav record -o - NAME on "
		    "that host; limits of time and size are those of this side. A COMMAND is "
		    "started "
		    "suspended and traced from its first instruction. When the recording ends "
		    "before it, tnav waits for it and passes signals on to it; a signal that ends "
		    "it is named. The exit code is then that of the command, or 128 plus its "
		    "signal number, unless tnav fails; that no "
		    ".NET program connects is a failure. Without a COMMAND, the exit code is 0 "
		    "for a complete file. It is 1 for an incomplete one, 2 if the process cannot "
		    "be recorded, 3 if the output cannot be written.",
	}, {
		.name = "diagnose", .args = "PID|NAME|SOCKET|HOST:NAME|-- COMMAND...|FILE...",
		.operand = OPERAND_PROCESS_OR_FILES,
		.run = subcommand_diagnose, .each = diagnose_each,
		.options = CHOOSING | NAMING | O(FORMAT) | O(CHILD_IO) | O(STREAM) | O(PROGRESS) |
		    READING,
		.summary = "say what is wrong with a running program, or with a recorded one",
		.text = "Of a running program the events of 10 seconds are recorded (--duration; "
		    "Ctrl-C ends it early) into a file, which is kept: NAME_DATE_TIME.nettrace, or "
		    "-o FILE. Then, and of a FILE, it says what is wrong, the cause by name, and "
		    "the command that shows the evidence; nothing where nothing is wrong. "
		    "doc/diagnoses.md has the rule for each diagnosis. What is not an existing "
		    "file is the id, the name or the socket of a process. The exit code is that "
		    "of reading the trace.",
	}, {
		.name = "help", .args = "[COMMAND|filter|formats|event NAME]",
		.operand = OPERAND_TOPIC,
		.implied = IMPLIED_BY_HELP, .run = subcommand_help,
		.summary = "explain a command, the filter language, the input formats or a .NET "
		    "event",
	},
	{ .name = NULL },
};
