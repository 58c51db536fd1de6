/*
 * A run of a subcommand over its files: each trace opened and indexed, its selection compiled, the
 * command's work done on it; one output and one line of progress for all of them; findings told and
 * the exit code found.
 */
#ifndef APP_RUN_H
#define APP_RUN_H

#include "app/expressions.h"
#include "app/options.h"
#include "app/selection.h"
#include "tnav/analysis/symbols.h"
#include "tnav/engine/trace.h"
#include "tnav/out/message.h"
#include "tnav/out/table.h"

struct deltas;
struct roles;
struct activities;
struct spans;

struct run {
	const struct options	*opt;
	/* Of all files: */
	struct expressions	 filters;
	struct output		*o;		/* open while a command works */
	struct progress		 progress;
	bool			 many;		/* several files: each row and message says which */
	unsigned		 file_cells;	/* of the longest name, for lines of text */
	struct writer		*rows;		/* of tables; or NULL */
	bool			 rows_file;	/* each row begins with its file */
	unsigned		*pick;		/* columns of listings, npick of them */
	size_t			 npick;
	struct buf		 tail;		/* lines of text after the rows */
	bool			 printed;	/* a file before this one */
	bool			 stop;		/* the next file would fail alike */
	/* Of the file at hand: */
	const char		*file;		/* as the command line has it */
	struct buf		 where;		/* "FILE: " where there are several, else empty */
	struct trace		*t;
	struct out_style	 st;
	struct selection	 sel;
	struct spans		*spans;		/* once they were paired; or NULL */
	int			 spans_err;	/* ... how that ended */
	struct deltas		*deltas;	/* of the field delta; or NULL */
	struct activities	*activities;	/* once they were found; or NULL */
	struct symbols		*symbols;	/* its names, once they were needed; or NULL */
	struct roles		*roles;		/* who its threads are, likewise */
	bool			 has_comms;	/* roles: with what the kernel calls threads */
	bool			 lost;		/* some of it can't be read any more */
	uint64_t		 row0, row1;	/* of passes, as in struct pass_options */
	uint64_t		*resume;	/* likewise; or NULL */
	bool			 few_rows;	/* likewise */
	bool			 quiet;		/* findings are not told: the command prints them */
};

/* Pair the spans of the file at hand, each as a record, unless that was done. 0, or an error. */
int	run_pair_spans(struct run *s, bool (*tick)(void *run, uint64_t done, uint64_t all));
/* Read what the file at hand says of names, unless that was done. */
void	run_symbols(struct run *s);
/* ... and of threads and processes; comms: and what the kernel calls threads. */
void	run_roles(struct run *s, bool comms);
/* The file at hand as messages call it. */
const char *run_name(const struct run *s);
/* The files with names that the command line says; folders has room for all of its folders. */
struct symbols_files run_symbol_files(const struct options *o, const char *folders[OPTION_USES]);
/* What -j and --input-format say. */
struct trace_options run_trace_options(const struct options *opt);
/* Open a trace and say on stderr why not. 0 or an exit code. */
int	run_open_trace(struct trace **t, const struct options *opt, const char *file);
/*
 * The command's each() on each file; it returns an exit code, and prints nothing for EXIT_USAGE.
 * A file that can't be opened is told, and the next is tried. Gives the greatest exit code.
 */
int	run_files(const struct options *opt);
/* The same for a command that reads no file: work prints to s->o. */
int	run_alone(const struct options *opt, int (*work)(struct run *s));

#endif
