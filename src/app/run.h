/*
 * One run of a subcommand: the trace opened and indexed, its selection compiled, the output
 * opened; at the end findings told and the exit code found.
 */
#ifndef APP_RUN_H
#define APP_RUN_H

#include "app/options.h"
#include "app/selection.h"
#include "tnav/engine/trace.h"
#include "tnav/out/message.h"
#include "tnav/out/table.h"

struct run {
	const struct options	*opt;
	struct trace		*t;
	struct output		*o;
	struct out_style	 st;
	struct progress		 progress;
	struct selection	 sel;
};

/* The file as messages call it. */
const char *run_name(const struct options *opt);
/* What -j and --input-format say. */
struct trace_options run_trace_options(const struct options *opt);
/* Open a trace and say on stderr why not. 0 or an exit code. */
int	run_open_trace(struct trace **t, const struct options *opt);
/* All of it. 0, or an exit code after a message; nothing is then to be closed. */
int	run_open(struct run *s, const struct options *opt);
/*
 * The end: code is 0 or what the command has come to. Finishes the output, tells the findings
 * (unless quiet) and gives the exit code of the program.
 */
int	run_close(struct run *s, int code, bool quiet);

#endif
