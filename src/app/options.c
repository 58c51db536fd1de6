/*
 * The command line: the table of options, and the parser for it and the table of subcommands.
 *
 *	tnav [-f EXPR] dump [--limit=N] FILE	options anywhere, "--" ends them
 *
 * Invariant: the argument of an option does not depend on the subcommand, so all options can be
 * read before the subcommand is known. Help, the manual page and the completions are made from the
 * same two tables.
 */
#include "app/options.h"

#include <string.h>
#include <unistd.h>
#include <strings.h>

#include "tnav/analysis/report.h"
#include "tnav/base/err.h"
#include "tnav/base/near.h"
#include "tnav/base/text.h"
#include "tnav/engine/trace.h"
#include "tnav/io/output.h"
#include "tnav/out/cell.h"
#include "tnav/out/parquet.h"

#define WORD_TOLD	100u		/* characters of a wrong word that a message quotes */

static const struct option_def options[] = {
	{
		.id = OPT_FILTER, .letter = 'f', .name = "filter", .kind = ARG_TEXT, .arg = "EXPR",
		.help = "Only events that match the expression. If given several times, all must "
		    "match. @FILE reads an expression from a file.",
	}, {
		.id = OPT_FROM, .name = "from", .kind = ARG_TEXT, .arg = "TIME",
		.help = "Only events at or after this time: 2.1s or 1500ms after the start of the "
		    "trace, or a date and time such as 2026-02-01T03:04:05.678Z.",
	}, {
		.id = OPT_TO, .name = "to", .kind = ARG_TEXT, .arg = "TIME",
		.help = "Only events before this time.",
	}, {
		.id = OPT_INTO, .name = "to", .kind = ARG_TEXT, .again = true,
		.arg = "FORMAT|TIME",
		.help = "The format: folded, speedscope, pprof, chrome, perfetto or parquet. "
		    "Without it, the end of the output's name decides: .folded, "
		    ".speedscope.json, .pb.gz, .json, .pftrace. Given with a time, also besides a "
		    "format: only events before it.",
	}, {
		.id = OPT_LIMIT, .letter = 'n', .name = "limit", .kind = ARG_NUMBER, .arg = "N",
		.help = "Print at most N lines; of files that are printed one after the other, "
		    "N of each.",
	}, {
		.id = OPT_FIELDS, .letter = 'e', .name = "fields", .kind = ARG_FIELDS,
		.arg = "FIELDS",
		.help = "Print these fields, in this order: keys of the JSON lines, separated by "
		    "commas. dump also takes fields of the payload (Depth or payload.Depth) and "
		    "labels (label.TraceId).",
	}, {
		.id = OPT_BY, .name = "by", .kind = ARG_FIELDS, .arg = "FIELDS",
		.help = "The fields to group by. The default is provider,name. An event "
		    "counts once for each element of an array. spans takes one field of the event "
		    "that begins a span, a report the kind of rows to print, stacks method, module "
		    "or namespace; with diff --report it is columns of the report.",
	}, {
		.id = OPT_EVERY, .name = "every", .kind = ARG_TEXT, .arg = "DURATION",
		.help = "Also group by time, in steps of this length (100ms, 1m). The first column "
		    "is the start of the step. Steps without events have no row. The rate is then "
		    "that of a step.",
	}, {
		.id = OPT_COUNT, .name = "count", .kind = ARG_FIELDS, .again = true,
		.arg = "FIELDS",
		.help = "A column count.FIELD: the number of numeric values of the field.",
	}, {
		.id = OPT_SUM, .name = "sum", .kind = ARG_FIELDS, .again = true, .arg = "FIELDS",
		.help = "A column sum.FIELD: the sum of the field's numeric values. Missing values "
		    "and text are ignored.",
	}, {
		.id = OPT_AVG, .name = "avg", .kind = ARG_FIELDS, .again = true, .arg = "FIELDS",
		.help = "A column avg.FIELD: the average of the numeric values.",
	}, {
		.id = OPT_MIN, .name = "min", .kind = ARG_FIELDS, .again = true, .arg = "FIELDS",
		.help = "A column min.FIELD: the smallest numeric value.",
	}, {
		.id = OPT_MAX, .name = "max", .kind = ARG_FIELDS, .again = true, .arg = "FIELDS",
		.help = "A column max.FIELD: the largest numeric value.",
	}, {
		.id = OPT_PCT, .name = "pct", .kind = ARG_TEXT, .again = true, .arg = "P:FIELDS",
		.help = "Columns such as p50.FIELD and p99.9.FIELD for 50,99.9:FIELD: percentiles "
		    "by nearest rank. Beyond a million values in a group, or four million in "
		    "total, they may be off by 1 percent; a message says so.",
	}, {
		.id = OPT_DISTINCT, .name = "distinct", .kind = ARG_FIELDS, .again = true,
		.arg = "FIELDS",
		.help = "A column distinct.FIELD: the number of distinct values of the field. "
		    "Beyond two million in total it is a lower bound; a message says so.",
	}, {
		.id = OPT_SORT, .name = "sort", .kind = ARG_COLUMN, .arg = "COLUMN",
		.help = "Sort by a column: numbers in descending order, times and text "
		    "in ascending order, unless COLUMN:asc or COLUMN:desc is given. The default of "
		    "stats is events, with --every time; of spans total, and in the list time. In "
		    "text, reports have the order of the viewer: gc by pause, requests by dur.",
	}, {
		.id = OPT_TOP, .name = "top", .kind = ARG_NUMBER, .arg = "N",
		.help = "Print only the first N rows for each file, with --every for each step.",
	}, {
		.id = OPT_LIST, .name = "list",
		.help = "List each span, in time order.",
	}, {
		.id = OPT_BY_NAME, .name = "by-name",
		.help = "Print only the totals by name, as --sort and --top do without --list.",
	}, {
		.id = OPT_FOLD, .name = "fold",
		.help = "Print every stack on a line, outermost frame first, as flame graph tools "
		    "read it: Thread (TID);FRAME;FRAME WEIGHT. diff prints FRAME;FRAME A B, the "
		    "weights of both sides, as difffolded does.",
	}, {
		.id = OPT_TREE, .name = "tree", .kind = ARG_MAYBE, .arg = "WHICH",
		.help = "Print a tree of calls: top-down (the default), threads, bottom-up, "
		    "callers:METHOD or callees:METHOD.",
	}, {
		.id = OPT_WEIGHT, .name = "weight", .kind = ARG_TEXT, .arg = "WEIGHT",
		.help = "What counts: count, samples, time, cpu, switches, bytes, exceptions, "
		    "self, heap or a numeric field such as payload.Size. The default is samples, "
		    "or count in a trace without samples.",
	}, {
		.id = OPT_SPEEDSCOPE, .name = "speedscope",
		.help = "Print a file for speedscope, with a profile for each thread.",
	}, {
		.id = OPT_STACKS, .name = "stacks", .kind = ARG_TEXT, .arg = "EXPR",
		.help = "The events that are samples of a profile. The default is those of the "
		    "sample profiler, or in NetTrace V6 the cpu events.",
	}, {
		.id = OPT_SAMPLE_WEIGHT, .name = "weight", .kind = ARG_CHOICE, .arg = "WEIGHT",
		.choices = "samples time",
		.help = "What a sample weighs: 1, or the time to the next one of its thread, at "
		    "most 50 times the usual and never over a loss.",
	}, {
		.id = OPT_FOLD_RULE, .name = "fold-rule", .kind = ARG_TEXT, .again = true,
		.arg = "RULE",
		.help = "Fold frames: my-code (all code that is not the program's own), plumbing "
		    "(code that throws, awaits, schedules or waits), REGEX or \"REGEX as "
		    "NAME\". The weight of a folded frame goes to its caller; frames with one "
		    "NAME become one. idle leaves out samples of threads that wait for work.",
	}, {
		.id = OPT_COMPARE, .name = "compare", .kind = ARG_TEXT, .again = true,
		.arg = "FROM..TO",
		.help = "Compare the events between these times (as for --from and --to) with all "
		    "others. If given twice, compare the first window with the second. part is the "
		    "weight in the first window; difference is a row's percentage of that window, "
		    "minus its percentage of the other.",
	}, {
		.id = OPT_FORMAT, .name = "format", .kind = ARG_CHOICE, .arg = "FORMAT",
		.choices = "text jsonl csv tsv markdown parquet",
		.help = "The format of the output: text for people, JSON lines, CSV, TSV, a "
		    "table of Markdown, or Parquet (with -o). "
		    "Titles of CSV include units, except for dump's, which are the names of its "
		    "fields.",
	}, {
		.id = OPT_SPREADSHEET, .name = "spreadsheet",
		.help = "In CSV, put an apostrophe before each text of the trace that a "
		    "spreadsheet would take for a formula.",
	}, {
		.id = OPT_TRACE_NAME, .name = "trace-name", .kind = ARG_TEXT, .arg = "NAME",
		.help = "What Parquet has in the column trace and in names of files, in place of "
		    "FILE without folders and endings; of a second FILE it is NAME~2.",
	}, {
		.id = OPT_BY_TYPE, .name = "by-type",
		.help = "With --format parquet, write a file for each type of events, with the "
		    "fields of its payload as columns: "
		    "FOLDER/type=PROVIDER%2FEVENT/TRACE.parquet.",
	}, {
		.id = OPT_ORDER, .name = "order", .kind = ARG_CHOICE, .arg = "ORDER",
		.choices = "time file",
		.help = "Print the events in time order, or in file order, which has no row "
		    "numbers.",
	}, {
		.id = OPT_GAPS, .name = "gaps",
		.help = "Also print the gaps where events were lost.",
	}, {
		.id = OPT_ENUMS, .name = "enums",
		.help = "Print enumerated values by name instead of by number.",
	}, {
		.id = OPT_CRC, .name = "crc",
		.help = "Add the CRC-32 of each payload.",
	}, {
		.id = OPT_RAW, .name = "raw",
		.help = "Add the bytes of each payload in hex.",
	}, {
		.id = OPT_SYMBOLS, .name = "symbols",
		.help = "Print the names of methods and symbols in stacks instead of addresses. "
		    "Frames without a name are module+0x12 or the address; \" ?\" marks a guess.",
	}, {
		.id = OPT_PERF_MAP, .name = "perf-map", .kind = ARG_FILE, .arg = "FILE",
		.help = "Also use the names in this perf map: lines of START SIZE NAME, as "
		    "programs write them for perf. With dump this implies --symbols.",
	}, {
		.id = OPT_SYMBOL_PATH, .name = "symbol-path", .kind = ARG_FILE, .again = true,
		.arg = "DIR",
		.help = "Also use the symbols of ELF files in this folder and its subfolders, "
		    "found by build id: DIR/.build-id/ab/cdef.debug, or files with the name of the "
		    "module or of its debug link, with or without .debug. With dump this implies "
		    "--symbols.",
	}, {
		.id = OPT_FOLLOW, .name = "follow",
		.help = "Follow a file that is still being written, or a pipe: print "
		    "events as soon as their order is final, which is at each "
		    "sequence point of NetTrace V4 to V6. The rest is printed at the "
		    "end mark of the trace, at the end of the pipe, or on SIGINT or "
		    "SIGTERM. If nothing comes for a second, standard error says what"
		    " it waits for.",
	}, {
		.id = OPT_ALIGN, .name = "align", .kind = ARG_TEXT, .arg = "HOW",
		.help = "How the clocks of several files are compared: ticks (equal ticks are the "
		    "same moment), utc (by the time of day at which each began), start (their "
		    "first events are the same moment). Without it, ticks if the files are from "
		    "one boot of one machine, else utc. +1.2ms or -3s, also after a comma, is "
		    "added to the times of the second file; more of them are for the files after "
		    "it.",
	}, {
		.id = OPT_SINGLY, .name = "each",
		.help = "Print one file after the other, each with its own times and rows, not "
		    "one list.",
	}, {
		.id = OPT_UTC, .name = "utc",
		.help = "Print times as UTC dates, not as seconds since the start of the trace. "
		    "JSON lines always have nanoseconds since the start.",
	}, {
		.id = OPT_OUTPUT, .letter = 'o', .name = "output", .kind = ARG_FILE, .arg = "FILE",
		.help = "Write to this file, which appears only when it is complete. - is standard "
		    "output. A name that ends in .txt, .jsonl, .csv, .tsv, .md or .parquet chooses "
		    "the format unless --format does; with .zst or .gz after it the file is "
		    "compressed. "
		    "Other compressions (.xz, .bz2, .lz4, .zip) are refused. With --format parquet "
		    "a name without that ending is a folder, which gets a file for each trace.",
	}, {
		.id = OPT_COLOR, .name = "color", .kind = ARG_CHOICE, .arg = "WHEN",
		.choices = "auto always never",
		.help = "Colour in text. auto means: on a terminal, unless NO_COLOR is set.",
	}, {
		.id = OPT_REPORT, .name = "report", .kind = ARG_TEXT, .arg = "NAME",
		.help = "Compare the rows of a report: gc, allocs, exceptions, contention, jit, "
		    "loader, threadpool, requests, tasks, counters, samples, cpu or switches. --by "
		    "names the columns that are the key of a row.",
	}, {
		.id = OPT_SPANS, .name = "spans",
		.help = "Compare spans by name: how many there are, and how long they take.",
	}, {
		.id = OPT_THREADS, .name = "threads",
		.help = "Compare the events of threads by role and name.",
	}, {
		.id = OPT_HEAP, .name = "heap",
		.help = "Compare the bytes of the heap by type. tnav heap A B says what holds "
		    "them.",
	}, {
		.id = OPT_DIAGNOSE, .name = "diagnose",
		.help = "Compare the diagnoses: which came, which went, and their figures.",
	}, {
		.id = OPT_PER, .name = "per", .kind = ARG_TEXT, .arg = "WHAT",
		.help = "What counts are divided by: second (the default), event (shares, the "
		    "default of samples and trees), span:NAME (such as per request), none.",
	}, {
		.id = OPT_B_FROM, .name = "b-from", .kind = ARG_TEXT, .arg = "TIME",
		.help = "--from of B; with one file, B is another window of it.",
	}, {
		.id = OPT_B_TO, .name = "b-to", .kind = ARG_TEXT, .arg = "TIME",
		.help = "--to of B. Without --b-from and --b-to, B has the window of A.",
	}, {
		.id = OPT_FAIL_ON, .name = "fail-on", .kind = ARG_TEXT, .again = true,
		.arg = "LIMIT",
		.help = "End with exit code 5 if a row changed beyond this: 'p99.dur > +10 %', "
		    "'rate < -50 %'. Figures: rate, share, perSpan, count or mean, p50.dur, "
		    "p99.dur. What is not shown to have changed is not beyond it.",
	}, {
		.id = OPT_CONTEXT, .name = "symbols", .kind = ARG_CHOICE, .arg = "WHICH",
		.choices = "used all none",
		.help = "Which events are kept besides, because they name code: of the methods and "
		    "symbols in the stacks that are kept (used), all, or none. Those of modules, "
		    "processes and manifests are kept with used, too.",
	}, {
		.id = OPT_REDACT, .name = "redact", .kind = ARG_TEXT, .arg = "WHAT",
		.help = "Replace texts by letters, as many as they have: paths (files, URLs, "
		    "hosts), args (command lines), names (of code, threads and processes), text "
		    "(all others), separated by commas, or all. Equal texts stay equal; numbers, "
		    "times and ids stay, and the names of providers, events and fields. A text "
		    "that contains a redacted one is redacted, too; what cannot be decoded is "
		    "erased. The result is searched for each text of at least 8 bytes; "
		    "a hit is an error.",
	}, {
		.id = OPT_REDACT_KEY, .name = "redact-key", .kind = ARG_TEXT, .arg = "KEY",
		.help = "Redact with this key, so that texts of several results can be compared. "
		    "Who knows the key can test guesses. The default is a random one each time.",
	}, {
		.id = OPT_REDACT_FIELD, .name = "redact-field", .kind = ARG_TEXT, .again = true,
		.arg = "FIELD",
		.help = "Also redact the texts of this field, PROVIDER/EVENT.FIELD as --dry-run "
		    "lists it.",
	}, {
		.id = OPT_KEEP_FIELD, .name = "keep-field", .kind = ARG_TEXT, .again = true,
		.arg = "FIELD",
		.help = "Do not redact the texts of this field.",
	}, {
		.id = OPT_DRY_RUN, .name = "dry-run",
		.help = "Write no trace. List the fields with texts, which word of --redact "
		    "chooses each, how many texts it has, and one of them.",
	}, {
		.id = OPT_INPUT_FORMAT, .name = "input-format", .kind = ARG_READER, .arg = "NAME",
		.help = "Read the file as this format. tnav help formats lists them.",
	}, {
		.id = OPT_JOBS, .letter = 'j', .name = "jobs", .kind = ARG_NUMBER, .arg = "N",
		.help = "The number of worker threads. The default is one per core.",
	}, {
		.id = OPT_PROGRESS, .name = "progress", .kind = ARG_MAYBE, .arg = "json",
		.help = "Show progress on standard error; on a terminal, long work always does. "
		    "--progress=json makes all that is written there JSON lines (doc/production.md "
		    "has their keys).",
	}, {
		.id = OPT_SCRIPT, .letter = 'x', .name = "script", .kind = ARG_FILE, .arg = "FILE",
		.help = "Viewer commands to run at startup, one per line, as :save-session writes "
		    "them.",
	}, {
		.id = OPT_VERBOSE, .letter = 'v', .name = "verbose",
		.help = "Also print all findings and the memory used by the index.",
	}, {
		.id = OPT_ALL, .letter = 'a', .name = "all",
		.help = "Also list processes whose socket was left behind by an earlier process.",
	}, {
		.id = OPT_PROFILE, .name = "profile", .kind = ARG_TEXT, .arg = "NAMES",
		.help = "What to collect: dotnet-common, dotnet-sampled-thread-time, gc-verbose, "
		    "gc-collect, database, diagnose, heap. The default of record is the first "
		    "two, that of diagnose the one of its name. heap alone is a snapshot of the "
		    "heap: the recording ends when it is whole.",
	}, {
		.id = OPT_PROVIDERS, .name = "providers", .kind = ARG_TEXT, .arg = "LIST",
		.help = "NAME[:KEYWORDS[:LEVEL[:ARGUMENTS]]], separated by commas. Keywords are "
		    "hex, or names joined by +. The default is all keywords (none in "
		    "dotnet-trace); for Microsoft-Windows-DotNETRuntime, those of dotnet-common. "
		    "Events of an EventSource without keywords need one of the bits "
		    "0xf00000000000. "
		    "The level is a number or a name, informational by default. * is all "
		    "providers of the program, verbose.",
	}, {
		.id = OPT_CLR_EVENTS, .name = "clrevents", .kind = ARG_TEXT, .arg = "GROUPS",
		.help = "Groups of runtime events, joined by +: gc+exception+contention.",
	}, {
		.id = OPT_CLR_LEVEL, .name = "clreventlevel", .kind = ARG_TEXT, .arg = "LEVEL",
		.help = "The level of --clrevents. The default is informational.",
	}, {
		.id = OPT_EVENT_IDS, .name = "events", .kind = ARG_TEXT, .arg = "LIST",
		.help = "NAME:ID+ID, separated by commas: record only these events of these "
		    "providers.",
	}, {
		.id = OPT_COUNTERS, .name = "counters", .kind = ARG_MAYBE, .arg = "LIST",
		.help = "Counters of these event sources. The default is System.Runtime.",
	}, {
		.id = OPT_REFRESH, .name = "refresh-interval", .kind = ARG_NUMBER, .arg = "SECONDS",
		.help = "The interval between counter values. The default is one second.",
	}, {
		.id = OPT_NO_STACKS, .name = "no-stacks",
		.help = "Record events without stacks, at a fifth of the cost to the program.",
	}, {
		.id = OPT_RUNDOWN, .name = "rundown", .kind = ARG_TEXT, .arg = "WHICH",
		.help = "Add method names at the end: true, false or keywords in hex.",
	}, {
		.id = OPT_BUFFER, .name = "buffersize", .kind = ARG_NUMBER, .arg = "MB",
		.help = "The size of the buffer in the traced program. The default is 256.",
	}, {
		.id = OPT_BUFFERING, .name = "buffering-mode", .kind = ARG_CHOICE, .arg = "MODE",
		.choices = "drop block",
		.help = "When this buffer is full, drop events (the default), or block the threads "
		    "that write them, which needs .NET 11 and may slow the program down.",
	}, {
		.id = OPT_DURATION, .name = "duration", .kind = ARG_TEXT, .arg = "TIME",
		.help = "Stop after this time: 30s, 5m, or 00:00:00:30.",
	}, {
		.id = OPT_UNTIL, .name = "until", .kind = ARG_TEXT, .arg = "EXPR",
		.help = "Stop cleanly when an event matches the expression. Fields that are known "
		    "only for a whole trace (row, delta, dur, roles, names of methods), the "
		    "file, and names of threads, which no program sends, are refused.",
	}, {
		.id = OPT_MAX_SIZE, .name = "max-size", .kind = ARG_TEXT, .arg = "SIZE",
		.help = "Stop cleanly at this size: 500MB. The rundown is added to it.",
	}, {
		.id = OPT_STREAM, .letter = 'o', .name = "output", .kind = ARG_FILE, .arg = "FILE",
		.help = "Write to this file, which grows as events arrive. - is standard output, a "
		    "named pipe is opened once it has a reader.",
	}, {
		.id = OPT_ROTATE, .name = "rotate", .kind = ARG_TEXT, .arg = "TIME|SIZE",
		.help = "Record without an end: begin a new file after this time or size (60s, "
		    "100MB), before the last one ends, so that no event is in none of them. The "
		    "files are named FILE_DATE_TIME. Only the last one, and the one after an "
		    "incident, has the names of methods that were compiled before: a list of "
		    "them at each end would cost the program. --rundown true asks for it.",
	}, {
		.id = OPT_KEEP, .name = "keep", .kind = ARG_TEXT, .arg = "N|SIZE|TIME",
		.help = "With --rotate, remove the oldest files of this recording beyond so many "
		    "(10), so many bytes (1GB) or older than that (1h). If this recording is "
		    "killed, the next one of the same name counts its files, too.",
	}, {
		.id = OPT_KEEP_LAST, .name = "keep", .kind = ARG_TEXT, .arg = "SIZE|TIME|all",
		.help = "Keep so much of what was received last (500MB, 10m), 1GB unless told: "
		    "earlier events are let go, on the screen and on the disk. all keeps "
		    "everything. Of what earlier sessions left in the state folder, the oldest "
		    "are removed beyond four times that, which is said; not with all.",
	}, {
		.id = OPT_WHEN, .name = "when", .kind = ARG_TEXT, .arg = "EXPR",
		.help = "With --rotate, keep the files that are there, the current one and the "
		    "next one for good when an event matches the expression, or a counter stays "
		    "beyond a value: 'cpu-usage > 80 for 10s'. SIGUSR1 does the same at any "
		    "time. That happens for at most ten incidents.",
	}, {
		.id = OPT_EACH, .name = "all",
		.help = "With -n, record all programs of that name at a time, as several PIDs are: "
		    "each to its own file, NAME_PID_DATE_TIME, or with -o FILE to FILE_PID.",
	}, {
		.id = OPT_UNTIL_EOF, .name = "until-eof",
		.help = "Stop cleanly when standard input ends. So does the tnav of another host "
		    "that attach HOST:NAME has started.",
	}, {
		.id = OPT_YES, .name = "yes",
		.help = "Do not ask before a recording that makes the program collect its whole "
		    "heap with all threads stopped.",
	}, {
		.id = OPT_PID, .letter = 'p', .name = "process-id", .kind = ARG_NUMBER,
		.arg = "PID",
		.help = "The process, by its id.",
	}, {
		.id = OPT_LISTEN, .name = "listen", .kind = ARG_FILE, .arg = "PATH",
		.help = "Wait for a program started with DOTNET_DiagnosticPorts=PATH to connect. "
		    "The first one is traced, or with -n the first of that name; others run "
		    "untraced, one that does not answer is reported. When it has ended, its next "
		    "run is traced: by record into FILE_2, FILE_3 and so on, by attach in the "
		    "same viewer.",
	}, {
		.id = OPT_PORT, .name = "diagnostic-port", .alias = "dport", .kind = ARG_FILE,
		.arg = "PATH[,connect|listen]",
		.help = "The same as --listen for one run of a program; with ,connect, connect to "
		    "the socket of a program.",
	}, {
		.id = OPT_RESUME, .name = "resume-runtime", .kind = ARG_CHOICE, .arg = "WHETHER",
		.choices = "true false",
		.help = "Resume a suspended program that connects once the session has begun: true "
		    "(the default) or false.",
	}, {
		.id = OPT_CHILD_IO, .name = "show-child-io",
		.help = "Connect the command after -- to the terminal. Otherwise its input is "
		    "empty and its output is discarded.",
	}, {
		.id = OPT_NAME, .letter = 'n', .name = "name", .kind = ARG_TEXT, .arg = "NAME",
		.help = "The process, by its name.",
	}, {
		.id = OPT_HELP, .letter = 'h', .name = "help",
		.help = "Explain the command.",
	}, {
		.id = OPT_VERSION, .name = "version",
		.help = "Print the version of tnav.",
	}, {
		.id = OPT_QUIET, .letter = 'q', .name = "quiet",
		.help = "Write nothing to standard error but problems, and progress if --progress "
		    "is given.",
	},
};

/* The state of the parser. */
struct option_parser {
	struct options			*o;
	const struct command_def	*commands;
	int				 argc, i;	/* i: the current word */
	char				**argv;
	struct buf			*why;
};

const struct option_def *
options_option(unsigned i)
{
	return i < sizeof options / sizeof options[0] ? &options[i] : NULL;
}

bool
options_takes(const struct command_def *c, const struct option_def *d)
{
	if (d->id >= OPT_ROTATE)
		return c->lasts;
	if (d->id >= OPT_PROFILE)
		return operand_is_process(c->operand) || (c->asks && d->id == OPT_YES);
	return d->id >= OPT_HELP || (c->options & OPT_BIT(d->id)) != 0;
}

const struct command_def *
options_find_command(const struct command_def *commands, const char *name)
{
	for (const struct command_def *c = commands; c->name != NULL; c++)
		if (c->name[0] != '\0' && strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

static const struct command_def *
find_implied(const struct command_def *commands, enum implied when)
{
	const struct command_def	*c = commands;

	while (c->implied != when)
		c++;
	return c;
}

static bool
is_called(const char *called, const char *name, size_t len)
{
	return called != NULL && strlen(called) == len && memcmp(called, name, len) == 0;
}

/*
 * The option with this long name or, if none has it, with this letter. Two options may have the
 * same name or letter: the one that the command takes is preferred.
 */
static const struct option_def *
find_option(const struct command_def *c, const char *name, size_t len, char letter)
{
	const struct option_def	*first = NULL;

	for (unsigned i = 0; options_option(i) != NULL; i++) {
		const struct option_def	*d = &options[i];
		bool			 same = letter != 0 && d->letter == letter;

		if (name != NULL)
			same = is_called(d->name, name, len) || is_called(d->alias, name, len);
		if (!same)
			continue;
		if (c != NULL && options_takes(c, d))
			return d;
		if (first == NULL)
			first = d;
	}
	return first;
}

/* ---- messages */

/* Quote a word of the command line, which may contain anything. */
static void
put_word(struct option_parser *p, const char *s, size_t len)
{
	text_clean(p->why, (struct span){ (const uint8_t *)s, len }, TEXT_UTF8, WORD_TOLD);
}

static void
put_quoted(struct option_parser *p, const char *s)
{
	buf_putc(p->why, '\'');
	put_word(p, s, strlen(s));
	buf_putc(p->why, '\'');
}

void
options_near_commands(struct buf *out, const struct command_def *commands, const char *name)
{
	struct near	near;

	near_init(&near, name, 0);
	for (const struct command_def *c = commands; c->name != NULL; c++)
		near_text(&near, c->name);
	near_put(&near, out);
}

/* With several operands, the first one cannot be a file: without a command there is only one
   file. */
static int
unknown_command(struct option_parser *p, const char *word)
{
	size_t	len;

	buf_puts(p->why, "unknown command ");
	put_quoted(p, word);
	len = p->why->len;
	options_near_commands(p->why, p->commands, word);
	if (p->why->len == len)
		buf_puts(p->why, ", nor is there such a file");
	return ERR_USAGE;
}

/* Options of dotnet-trace that record and attach do not have, and what to use instead. */
static const struct {
	const char	*name, *instead;
} foreign[] = {
	{ "format", "the file is a NetTrace file; `tnav stacks --speedscope` converts one" },
	{ "stopping-event-provider-name", "use --until 'provider = NAME'" },
	{ "stopping-event-event-name", "use --until 'provider = NAME and name = EVENT'" },
	{ "stopping-event-payload-filter", "use --until 'name = EVENT and payload.FIELD = VALUE'" },
	{ "dsrouter", "start dotnet-dsrouter and pass its socket: --diagnostic-port PATH,connect" },
};

/* True: it is one of them, and why explains it. */
static bool
is_foreign(struct option_parser *p, const char *word, size_t len)
{
	const struct command_def	*c = p->o->command;
	const struct option_def		*own = find_option(c, word, len, 0);

	if (c == NULL || !operand_is_process(c->operand) || (own != NULL && options_takes(c, own)))
		return false;
	for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
		if (is_called(foreign[i].name, word, len)) {
			buf_printf(p->why, "%s has no option --%s: %s", c->name, foreign[i].name,
			    foreign[i].instead);
			return true;
		}
	return false;
}

static int
unknown_option(struct option_parser *p, const char *word, size_t len)
{
	char		name[NEAR_LEN + 1];
	struct near	near;

	buf_puts(p->why, "unknown option --");
	put_word(p, word, len);
	if (len > NEAR_LEN)
		return ERR_USAGE;
	memcpy(name, word, len);
	name[len] = '\0';
	near_init(&near, name, 0);
	for (unsigned i = 0; options_option(i) != NULL; i++)
		near_text(&near, options[i].name);
	near_put(&near, p->why);
	return ERR_USAGE;
}

/* The named subcommand does not take the option: say which ones do. */
static int
misplaced_option(struct option_parser *p, const struct option_def *d)
{
	const char	*name = p->o->command->name;
	bool		 first = true;

	buf_printf(p->why, "%s has no option --%s (it belongs to ",
	    name[0] != '\0' ? name : "the viewer", d->name);
	for (const struct command_def *c = p->commands; c->name != NULL; c++) {
		if (!options_takes(c, d))
			continue;
		buf_printf(p->why, "%s%s", first ? "" : ", ",
		    c->name[0] != '\0' ? c->name : "the viewer");
		first = false;
	}
	buf_putc(p->why, ')');
	return ERR_USAGE;
}

/* ---- arguments */

static int
parse_number(const char *s, uint64_t *out)
{
	uint64_t	v = 0;

	if (*s == '\0')
		return ERR_USAGE;
	for (; *s != '\0'; s++) {
		if (*s < '0' || *s > '9' || __builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (unsigned)(*s - '0'), &v))
			return ERR_USAGE;
	}
	*out = v;
	return ERR_OK;
}

static int
parse_choice(const char *choices, const char *s, unsigned *out)
{
	unsigned	i = 0;

	for (const char *p = choices; *p != '\0'; i++) {
		size_t	len = strcspn(p, " ");

		if (strlen(s) == len && strncasecmp(p, s, len) == 0) {
			*out = i;
			return ERR_OK;
		}
		p += len + strspn(p + len, " ");
	}
	return ERR_USAGE;
}

static int
parse_reader(const char *s)
{
	for (unsigned i = 0; trace_format_name(i) != NULL; i++)
		if (strcmp(trace_format_name(i), s) == 0)
			return ERR_OK;
	return ERR_USAGE;
}

static int
wrong_argument(struct option_parser *p, const struct option_def *d, const char *arg)
{
	buf_printf(p->why, "--%s: ", d->name);
	put_quoted(p, arg);
	if (d->kind == ARG_NUMBER)
		buf_puts(p->why, " is not a number");
	else if (d->kind == ARG_CHOICE)
		buf_printf(p->why, " is not one of: %s", d->choices);
	else
		buf_puts(p->why, " is not a format; `tnav help formats` lists them");
	return ERR_USAGE;
}

static int
set_option(struct option_parser *p, const struct option_def *d, const char *arg)
{
	struct options	*o = p->o;
	int		 err = ERR_OK;

	if (d->id == OPT_FILTER && o->nfilters == OPT_FILTERS_MOST) {
		buf_printf(p->why, "--filter can be given %u times at most", OPT_FILTERS_MOST);
		return ERR_USAGE;
	}
	if (d->id == OPT_FILTER)
		o->filters[o->nfilters++] = arg;
	o->given[d->id] = true;
	o->text[d->id] = arg;
	if (d->again && o->nuses == OPTION_USES) {
		buf_printf(p->why, "--%s: too many options of this kind", d->name);
		return ERR_USAGE;
	}
	if (d->again)
		o->use[o->nuses++] = (struct option_use){ d->id, arg };
	if (d->kind == ARG_NUMBER)
		err = parse_number(arg, &o->number[d->id]);
	else if (d->kind == ARG_CHOICE)
		err = parse_choice(d->choices, arg, &o->choice[d->id]);
	else if (d->kind == ARG_READER)
		err = parse_reader(arg);
	return err == ERR_OK ? ERR_OK : wrong_argument(p, d, arg);
}

/* The next word as the argument of an option. NULL: there is none, and a message was written. */
static const char *
next_word(struct option_parser *p, const struct option_def *d, bool by_letter)
{
	if (p->i + 1 < p->argc)
		return p->argv[++p->i];
	if (by_letter)
		buf_printf(p->why, "-%c needs an argument: %s", d->letter, d->arg);
	else
		buf_printf(p->why, "--%s needs an argument: %s", d->name, d->arg);
	return NULL;
}

/* --name, --name=ARG, --name:ARG, --name ARG */
static int
parse_long(struct option_parser *p)
{
	const char		*word = p->argv[p->i] + 2;
	size_t			 len = strcspn(word, "=:");
	const struct option_def	*d = find_option(p->o->command, word, len, 0);
	const char		*arg = word[len] != '\0' ? word + len + 1 : NULL;

	if (is_foreign(p, word, len))
		return ERR_USAGE;
	if (d == NULL)
		return unknown_option(p, word, len);
	if (d->kind == ARG_NONE && arg != NULL) {
		buf_printf(p->why, "--%s takes no argument", d->name);
		return ERR_USAGE;
	}
	if (d->kind != ARG_NONE && d->kind != ARG_MAYBE && arg == NULL) {
		arg = next_word(p, d, false);
		if (arg == NULL)
			return ERR_USAGE;
	}
	return set_option(p, d, arg);
}

/* -v, -vh, -fARG, -f ARG */
static int
parse_letters(struct option_parser *p)
{
	for (const char *s = p->argv[p->i] + 1; *s != '\0'; s++) {
		const struct option_def	*d = find_option(p->o->command, NULL, 0, *s);
		const char		*arg = NULL;
		int			 err;

		if (d == NULL) {
			buf_puts(p->why, "unknown option -");
			put_word(p, s, 1);
			return ERR_USAGE;
		}
		if (d->kind != ARG_NONE) {
			arg = s[1] != '\0' ? s + 1 : next_word(p, d, true);
			if (arg == NULL)
				return ERR_USAGE;
		}
		err = set_option(p, d, arg);
		if (err != ERR_OK || arg != NULL)
			return err;
	}
	return ERR_OK;
}

/* Operands are moved to the beginning of argv, over words that have been read. */
static int
add_operand(struct options *o, char *word)
{
	o->files[o->nfiles++] = word;
	return ERR_OK;
}

/* A word that is not an option: the subcommand, if it is one and comes first, or an operand. */
static int
take_operand(struct option_parser *p, char *word, bool literal)
{
	struct options	*o = p->o;

	if (o->command == NULL && o->nfiles == 0 && !literal) {
		o->command = options_find_command(p->commands, word);
		if (o->command != NULL)
			return ERR_OK;
	}
	if (o->command != NULL && o->command->operand == OPERAND_NONE) {
		buf_printf(p->why, "%s takes no file: ", o->command->name);
		put_quoted(p, word);
		return ERR_USAGE;
	}
	if (o->nfiles == 0)
		return add_operand(o, word);
	if (o->command == NULL)		/* several files, unless the first is no file */
		return access(o->files[0], F_OK) == 0 || strcmp(o->files[0], "-") == 0 ?
		    add_operand(o, word) : unknown_command(p, o->files[0]);
	if (o->command->operand == OPERAND_FILES ||
	    o->command->operand == OPERAND_MAYBE_FILES ||
	    o->command->operand == OPERAND_PROCESS_OR_FILES || o->command->lasts)
		return add_operand(o, word);
	if (o->command->operand == OPERAND_TOPIC && o->nfiles == 1 &&
	    strcmp(o->files[0], "event") == 0)
		return add_operand(o, word);	/* a command is named */
	buf_printf(p->why, "only one %s can be given: ",
	    o->command->operand == OPERAND_PROCESS ? "process" :
	    o->command->operand == OPERAND_FILE ? "file" : "topic");
	put_quoted(p, word);
	buf_puts(p->why, " is another");
	return ERR_USAGE;
}

/* ---- the whole */

static int
check_taken(struct option_parser *p, bool named)
{
	const struct command_def	*viewer = find_implied(p->commands, IMPLIED_ON_TERMINAL);
	const struct options		*o = p->o;

	for (unsigned i = 0; options_option(i) != NULL; i++) {
		const struct option_def	*d = &options[i];

		if (!o->given[d->id] || options_takes(o->command, d))
			continue;
		if (named || !options_takes(viewer, d))
			return misplaced_option(p, d);
		buf_printf(p->why, "--%s needs a terminal", d->name);
		return ERR_USAGE;
	}
	return ERR_OK;
}

/* The command that runs if none is named. */
static const struct command_def *
implied_command(const struct option_parser *p, bool to_tty)
{
	const struct options	*o = p->o;

	if (o->nfiles == 0 && (o->given[OPT_HELP] || o->given[OPT_VERSION]))
		return find_implied(p->commands, IMPLIED_BY_HELP);
	return find_implied(p->commands, to_tty ? IMPLIED_ON_TERMINAL : IMPLIED_IN_PIPE);
}

/* The format for a name like x.csv or x.jsonl.zst. False: none. */
static bool
format_of_name(const char *path, unsigned *format)
{
	static const struct {
		const char	*end, *word;
	} ends[] = {
		{ ".txt", "text" }, { ".jsonl", "jsonl" }, { ".csv", "csv" }, { ".tsv", "tsv" },
		{ ".md", "markdown" }, { ".parquet", "parquet" },
	};

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (text_has_ending(output_bare(path), ends[i].end))
			return parse_choice(find_option(NULL, "format", 6, 0)->choices,
			    ends[i].word, format) == ERR_OK;
	return false;
}

/* Refuse options that need the whole trace, which cannot be used while it grows. */
static int
check_follow(struct option_parser *p)
{
	const struct options	*o = p->o;
	const char		*what = NULL;

	if (o->nfiles > 1)
		what = "works with one file only";
	else if (o->given[OPT_GAPS])
		what = "does not work with --gaps: gaps are often known only later";
	else if (o->given[OPT_SYMBOLS] || o->given[OPT_PERF_MAP] || o->given[OPT_SYMBOL_PATH])
		what = "does not work with --symbols: names often arrive later";
	else if (o->given[OPT_FIELDS] && o->choice[OPT_FORMAT] == 0)
		what = "with -e needs --format jsonl, csv or tsv: the width of text columns "
		    "depends on all rows";
	if (what == NULL)
		return ERR_OK;
	buf_printf(p->why, "--follow %s", what);
	return ERR_USAGE;
}

/* Options that are of one format. convert has its own. */
static int
check_format(struct option_parser *p)
{
	static const struct {
		enum option_id	 id;
		unsigned	 format;
		const char	*text;
	} of[] = {
		{ OPT_SPREADSHEET, OUT_CSV, "--spreadsheet needs --format csv" },
		{ OPT_BY_TYPE, OUT_PARQUET, "--by-type needs --format parquet" },
		{ OPT_TRACE_NAME, OUT_PARQUET, "--trace-name needs --format parquet" },
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		if (!p->o->given[of[i].id] || p->o->given[OPT_INTO] ||
		    p->o->choice[OPT_FORMAT] == of[i].format)
			continue;
		buf_puts(p->why, of[i].text);
		return ERR_USAGE;
	}
	return ERR_OK;
}

/* Parquet needs a file, or a folder where there are several traces. */
static int
check_parquet(struct option_parser *p, bool to_tty)
{
	const struct options	*o = p->o;
	const char		*path = o->text[OPT_OUTPUT];
	const char		*what = NULL;

	if (operand_is_process(o->command->operand))
		what = "is not for this command: `tnav summary --format parquet` has the diagnoses";
	else if (path == NULL || (to_tty && strcmp(path, "-") == 0))
		what = "needs a file: -o FILE.parquet, or -o FOLDER";
	else if (output_bare(path).len < strlen(path))
		what = "is compressed inside the file: leave out .zst or .gz";
	else if (o->nfiles > 1 && !o->command->joins &&
	    (strcmp(path, "-") == 0 || parquet_is_file(path)))
		what = "writes a file for each trace: use -o FOLDER";
	else if (o->given[OPT_BY_TYPE] && (strcmp(path, "-") == 0 || parquet_is_file(path)))
		what = "--by-type writes a file for each type: use -o FOLDER";
	else if (o->given[OPT_BY_TYPE] && (o->given[OPT_FIELDS] || o->given[OPT_LIMIT]))
		what = "--by-type writes all fields and rows: leave out -e and -n";
	else if (o->given[OPT_FOLLOW])
		what = "does not work with --follow: the file appears when it is complete";
	if (what == NULL)
		return ERR_OK;
	buf_printf(p->why, "--format parquet %s", what);
	return ERR_USAGE;
}

/* An option before the command was taken for the first one of its name: if the command takes
   another one, it is that one. */
static int
settle_options(struct option_parser *p)
{
	struct options	*o = p->o;
	int		 err = ERR_OK;

	for (unsigned i = 0; options_option(i) != NULL && err == ERR_OK; i++) {
		const struct option_def	*d = &options[i], *own;
		const char		*text = o->text[d->id];

		if (!o->given[d->id] || text == NULL || options_takes(o->command, d))
			continue;
		own = find_option(o->command, d->name, strlen(d->name), 0);
		if (own == d || !options_takes(o->command, own))
			continue;
		o->given[d->id] = false;
		o->text[d->id] = NULL;
		err = set_option(p, own, text);
	}
	return err;
}

static int
check_whole(struct option_parser *p, bool to_tty)
{
	struct options	*o = p->o;
	bool		 named = o->command != NULL;

	o->named = named;
	if (!named)
		o->command = implied_command(p, to_tty);
	if (settle_options(p) < 0)
		return ERR_USAGE;
	if (o->given[OPT_HELP] || o->given[OPT_VERSION] || o->command->operand == OPERAND_TOPIC)
		return check_taken(p, named);
	if (o->nfiles == 0 && operand_is_process(o->command->operand) &&
	    !o->given[OPT_PID] && !o->given[OPT_NAME] && !o->given[OPT_LISTEN] &&
	    !o->given[OPT_PORT] && o->child == NULL) {
		buf_puts(p->why, "no process given; `tnav ps` lists them");
		return ERR_USAGE;
	}
	if (o->nfiles == 0 && o->command->operand <= OPERAND_FILES) {
		buf_puts(p->why, "no trace file given");
		return ERR_USAGE;
	}
	if (o->given[OPT_OUTPUT] && !o->given[OPT_FORMAT])
		(void)format_of_name(o->text[OPT_OUTPUT], &o->choice[OPT_FORMAT]);
	if (o->given[OPT_GAPS] && o->choice[OPT_FORMAT] >= 2) {
		buf_puts(p->why, "--gaps works with text and jsonl only; `tnav gaps` prints them "
		    "as csv or tsv");
		return ERR_USAGE;
	}
	if (check_format(p) < 0)
		return ERR_USAGE;
	if (o->choice[OPT_FORMAT] == OUT_PARQUET &&
	    options_takes(o->command, find_option(NULL, "format", 6, 0)) &&
	    (check_taken(p, named) < 0 || check_parquet(p, to_tty) < 0))
		return ERR_USAGE;
	if (o->given[OPT_FOLLOW] && check_follow(p) < 0)
		return ERR_USAGE;
	return check_taken(p, named);
}

/* Does the word name a topic, as in `help --tables` (for the build), not an option? */
static bool
is_topic(const struct options *o, const char *word)
{
	return o->command != NULL && o->command->operand == OPERAND_TOPIC && o->nfiles == 0 &&
	    word[1] == '-' && find_option(o->command, word + 2, strlen(word + 2), 0) == NULL;
}

/* Are the words after "--" a command to start? */
static bool
takes_child(struct option_parser *p)
{
	if (p->o->command == NULL || !operand_is_process(p->o->command->operand))
		return false;
	if (p->i + 1 < p->argc)
		p->o->child = &p->argv[p->i + 1];
	return true;
}

int
options_parse(struct options *o, const struct command_def *commands, int argc, char **argv,
    bool to_tty, struct buf *why)
{
	struct option_parser	p = { .o = o, .commands = commands, .argc = argc, .argv = argv,
			    .why = why };
	bool		literal = false;	/* after "--" */
	int		err = ERR_OK;

	memset(o, 0, sizeof *o);
	o->commands = commands;
	o->files = argv + 1;
	for (p.i = 1; p.i < argc && err == ERR_OK; p.i++) {
		char	*word = argv[p.i];

		if (literal || word[0] != '-' || word[1] == '\0')
			err = take_operand(&p, word, literal);
		else if (strcmp(word, "--") == 0 && takes_child(&p))
			break;
		else if (strcmp(word, "--") == 0 && !literal) {
			literal = true;
			o->apart = o->nfiles;
		}
		else if (is_topic(o, word))
			err = add_operand(o, word);
		else if (word[1] == '-')
			err = parse_long(&p);
		else
			err = parse_letters(&p);
	}
	return err == ERR_OK ? check_whole(&p, to_tty) : err;
}

const struct table_column *
options_columns(const struct command_def *c, unsigned *n)
{
	*n = c->report != NULL ? c->report->ncolumns : c->ncolumns;
	return c->report != NULL ? c->report->column : c->columns;
}

const char *
options_text(const struct command_def *c)
{
	return c->report != NULL ? report_text(c->report) : c->text;
}
