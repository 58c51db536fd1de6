/*
 * One run of a subcommand: the trace opened and indexed, the filter and the window of time
 * compiled, the output opened; at the end findings told and the exit code found.
 */
#ifndef APP_RUN_H
#define APP_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "app/options.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"
#include "tnav/out/event.h"
#include "tnav/out/message.h"
#include "tnav/out/writer.h"

enum exit_code {
	EXIT_CLEAN = 0,
	EXIT_DAMAGED = 1,
	EXIT_USAGE = 2,		/* or not readable as a trace */
	EXIT_OUTPUT = 3,
	EXIT_RESOURCE = 4,
};

struct run {
	const struct options	*opt;
	struct trace		*t;
	struct output		*o;
	struct out_style	 st;
	struct progress		 progress;
	struct filter		*filter;	/* or NULL */
	struct filter_eval	*eval;
	bool			 window;	/* --from or --to was given */
	int64_t			 from, to;	/* ticks, half-open; else the ends of time */
	uint64_t		 row0, row1;	/* rows of the window */
};

/* The file as messages call it. */
const char *run_name(const struct options *opt);
/* Open a trace and say on stderr why not. 0 or an exit code. */
int	run_open_trace(struct trace **t, const struct options *opt);
/* All of it. 0, or an exit code after a message; the session is then released. */
int	run_open(struct run *s, const struct options *opt);
/*
 * The end: code is 0 or what the command has come to. Finishes the output, tells the findings
 * (unless quiet) and gives the exit code of the program.
 */
int	run_close(struct run *s, int code, bool quiet);

/* What the result of a walk comes to: 0 when it went to its end or was stopped. */
int	run_code(int err);

/* Is a part of the events meant, not all? */
bool	run_partial(const struct run *s);
/* Give the matching events of the window in time order to fn until it gives something else than
   0, which is passed on. An error of the trace ends the walk as well. */
typedef int (*run_fn)(void *arg, const struct event *e, uint64_t row);
int	run_walk(struct run *s, run_fn fn, void *arg);
/* The same in the order of the file; row is always 0. */
int	run_walk_file(struct run *s, run_fn fn, void *arg);

/* Is each payload field of the list known? 0, or EXIT_USAGE after a message that begins with the
   option. */
int	run_check_fields(struct run *s, const struct field_list *l, const char *option);

/* A table of the session with --fields and --limit applied. */
struct listing {
	struct writer	 *w;
	const char	**names;	/* of the columns that are printed */
	size_t		 *pick;		/* their numbers among all */
	struct cell	 *cells;
	size_t		  n;
	uint64_t	  left;		/* rows that may still be printed */
};
/* 0 or EXIT_USAGE after a message; nothing is then to be closed. */
int	listing_open(struct listing *l, struct run *s, const char *const *names, size_t n);
/* 0; 1: enough; or ERR_IO. */
int	listing_row(struct listing *l, const struct cell *cells);
/* 0 or EXIT_OUTPUT. */
int	listing_close(struct listing *l);

/* Ticks of a count as a cell; null if there is none. */
struct cell	run_time_cell(struct run *s, int64_t ts);
/* Add an event to a count; a zeroed count is empty. */
void		count_add(struct count *c, const struct event *e);

/*
 * The gaps that are meant (window, filter), each with the row that it stands in front of, by that
 * row. Returns how many; *out goes to mem_free(), *all (whose gaps they point to) too.
 */
struct placed_gap {
	struct gap_line	line;
	uint64_t	row;
};
size_t	run_gaps(struct run *s, struct gap **all, struct placed_gap **out);

#endif
