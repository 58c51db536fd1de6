/* The names in the cells of commands.tsv. */
#ifndef APP_COMMAND_NAMES_H
#define APP_COMMAND_NAMES_H

#include "app/columns.h"
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
/* Of a running program; of a recording without an end, or of several programs. */
#define PROCESS		(O(PROFILE) | O(PROVIDERS) | O(CLR_EVENTS) | O(CLR_LEVEL) | O(EVENT_IDS) | \
			    O(COUNTERS) | O(REFRESH) | O(NO_STACKS) | O(RUNDOWN) | O(BUFFER) | \
			    O(BUFFERING) | O(DURATION) | O(MAX_SIZE) | O(PID) | O(NAME) | \
			    O(LISTEN) | O(PORT) | O(RESUME) | O(UNTIL) | O(YES))
#define LASTING		(O(ROTATE) | O(KEEP) | O(WHEN) | O(EACH) | O(UNTIL_EOF))

#define REPORT_COMMAND(id, does) \
	{ \
		.name = #id, .args = REPORT_##id == REPORT_heap ? \
		    "FILE [FILE]|PID|NAME|SOCKET" : "FILE...", \
		.operand = OPERAND_FILES, .run = subcommand_report, .each = report_each, \
		.lists = true, .report = &report_##id, .options = CHOOSING | JOINING | O(BY) | \
		    NAMING | SORTING | LISTING | (REPORT_##id == REPORT_heap ? O(YES) : 0), \
		.summary = does, \
	},

#endif
