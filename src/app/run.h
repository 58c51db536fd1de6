/*
 * A run of a subcommand over its files. Each trace is opened and indexed, its selection is
 * compiled, and the command is called. There is one output and one line of progress for all of
 * them. At the end findings are reported and the exit code is determined.
 */
#ifndef APP_RUN_H
#define APP_RUN_H

#include "app/expressions.h"
#include "app/options.h"
#include "app/selection.h"
#include "tnav/analysis/derive.h"
#include "tnav/base/interned.h"
#include "tnav/engine/trace.h"
#include "tnav/out/message.h"
#include "tnav/out/parquet.h"
#include "tnav/out/table.h"

struct run {
	const struct options	*opt;
	/* For all files: */
	struct expressions	 filters;
	struct output		*o;		/* open while a command runs */
	struct progress_line	 progress;
	bool			 many;		/* several files, one after the other: rows and
						   messages name them */
	bool			 joined;	/* several files are one list, a joined trace */
	unsigned		 file_cells;	/* width of the longest name, for lines of text */
	struct writer		*rows;		/* of tables; or NULL */
	bool			 rows_file;	/* each row begins with the name of its file */
	unsigned		*pick;		/* columns of listings, npick of them */
	size_t			 npick;
	unsigned		 sort;		/* column of listings; or TABLE_UNSORTED */
	bool			 sort_up;
	struct buf		 tail;		/* lines of text to write after the rows */
	struct parquet_place	 place;		/* of tables, with --format parquet */
	struct interned		 trace_names;	/* for it: of all files so far, ... */
	unsigned		*named;		/* ... how many have each of them, ... */
	size_t			 nnamed;
	struct buf		 trace_name;	/* ... and of the current file */
	struct buf		 list_name;	/* of a joined trace: "3 files" */
	bool			 printed;	/* an earlier file was printed */
	struct report_made	*before;	/* of the first file, to compare with; or NULL */
	void			*kept;		/* what each() keeps from file to file; or NULL */
	void			(*kept_free)(void *kept);
	size_t			 file_at;	/* number of the current file, from 0 */
	bool			 second;	/* it is of side B */
	bool			 unfinished;	/* nothing is printed yet, and nothing is kept */
	bool			 beyond;	/* a limit of --fail-on is exceeded */
	bool			 stop;		/* the next file would fail for the same reason */
	/* For the current file: */
	const char		*file;		/* as on the command line */
	struct buf		 where;		/* "FILE: " if there are several, else empty */
	struct trace		*t;
	struct out_style	 st;
	struct selection	 sel;
	struct derived_facts	 facts;
	const char		*deriving;	/* the word of progress */
	unsigned		 tried;		/* NEEDS_...: of the facts, made or not */
	int			 facts_err;	/* the first error in making them */
	bool			 lost;		/* some of the file can no longer be read */
	uint64_t		 row0, row1;	/* for passes: see struct pass_options */
	struct pass_place	*resume;	/* likewise; or NULL */
	bool			 few_rows;	/* likewise */
	bool			 quiet;		/* do not report findings: the command prints
						   them */
};

/* Make the derived facts of the current file and lend them, unless that is done. Returns 0, or the
   first error. */
int	run_need(struct run *s, unsigned needs);
/* Is the output Parquet? Then each table is a file. */
bool	run_to_parquet(const struct run *s);
/* A word of the command line is wrong: other files would fail alike. Returns EXIT_USAGE; the second
   one after a message_put(). */
int	run_usage(struct run *s);
int	run_refuse(struct run *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The current file's name for messages. */
const char *run_name(const struct run *s);
const char *run_base_name(const struct run *s);	/* without its folders */
/* Say what is to be known of a result; NULL: nothing. */
void	run_tell_remark(const struct run *s, const char *remark);
/* Say that the names of n stacks were too long. */
void	run_tell_cut_stacks(const struct run *s, uint64_t n);
/* The files with names that the command line gives. folders has room for all folders. */
struct symbols_files run_symbol_files(const struct options *o, const char *folders[OPTION_USES]);
/* The options -j and --input-format. */
struct trace_options run_trace_options(const struct options *opt);
/* Open a trace; if that fails, write a message. Returns 0 or an exit code. */
int	run_open_trace(struct trace **t, const struct options *opt, const char *file);
/*
 * Call the command's each() for each file. It returns an exit code, and prints nothing if this is
 * EXIT_USAGE. If a file cannot be opened, that is reported, and the next one is processed. Returns
 * the greatest exit code.
 */
int	run_files(const struct options *opt);
/* The same for a command that reads no file: work() prints to s->o. */
int	run_alone(const struct options *opt, int (*work)(struct run *s));

#endif
