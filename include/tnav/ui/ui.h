/*
 * The viewer: one call that runs until the user leaves it.
 */
#ifndef TNAV_UI_UI_H
#define TNAV_UI_UI_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"

struct trace;
struct trace_options;
struct event;
struct output;
struct pass_ops;
struct symbols_files;
struct table;
struct table_order;

enum ui_color { UI_COLOR_AUTO, UI_COLOR_ALWAYS, UI_COLOR_NEVER };

/* Rows of a table, its columns by number. */
struct ui_table {
	const struct table		*t;
	const struct table_order	*order;
	const unsigned			*col;
	size_t				 ncols;
};

/* How rows are written in the formats of `tnav dump`. The app provides it, since the viewer does
   not include out. */
struct ui_export {
	const char *const	*formats;	/* NULL at the end; the ending of a file's name
						   selects one */
	/* Begin to write to an output. */
	void	*(*open)(struct trace *t, const char *format, struct output *o, bool utc);
	/* A pass in time order whose arg is the result of open(): it writes the rows. */
	const struct pass_ops	*rows;
	/* End and close the output. keep: name the file. Returns 0, or ERR_IO and errno. */
	int	(*close)(void *x, bool keep, uint64_t *rows, uint64_t *bytes);
	/* Write rows of a table to an output, which stays open. Returns 0 or ERR_IO. */
	int	(*table)(struct trace *t, const char *format, struct output *o, bool utc,
		    const struct ui_table *what);
	/* Append one event as a line. */
	void	(*line)(struct trace *t, const char *format, const struct event *e, uint64_t row,
		    struct buf *out);
};

/* The sessions that receive the trace, of one program or several, provided by the app: the viewer
   does not include live. */
enum ui_names { UI_NAMES_BEFORE, UI_NAMES_SINCE, UI_NAMES };

struct ui_live_state {
	enum { UI_LIVE_RUNS, UI_LIVE_STOPS, UI_LIVE_ENDED } phase;
	bool		 whole;		/* ended, with the end mark */
	bool		 silent;	/* given up: nothing arrived after the stop */
	unsigned	 programs, running;	/* running: whose sessions have not ended */
	uint64_t	 bytes;		/* received */
	const char	*kept;		/* "1 GB": so much of it, if not all; or NULL */
	int64_t		 last_ns;	/* when the last bytes arrived, as job_now_ns() */
	const char	*problem;	/* a phrase, or NULL */
	/* After ENDED: the program will not be received again; may start again; is being
	   received again. */
	enum { UI_LIVE_LAST, UI_LIVE_WAITS, UI_LIVE_AGAIN } next;
	const char	*note;		/* said once at the start: a phrase, or NULL */
	const char	*missed;	/* WAITS: why a run could not be received, reported once;
					   or NULL */
	/* Of several programs: how the sessions have ended that were not stopped, a phrase each,
	   in this order, each said once; and the names of those whose end is missing, or NULL. */
	const char *const *over;
	size_t		 nover;
	const char	*cut;
	/* Other traces of the program, which name methods: those compiled before this trace
	   began, and those compiled since. t NULL: none (yet). why: a phrase for what is
	   missing, or NULL. Once set, both stay the same until the viewer has ended. */
	struct {
		struct trace	*t;
		const char	*why;
	} names[UI_NAMES];
};
struct ui_live {
	void	*self;
	/* The current state; called several times a second. */
	void	(*look)(void *self, struct ui_live_state *st);
	/* Stop all in order; the second call stops at once. */
	void	(*stop)(void *self);
	/* Give the received trace, also what still arrives, this name, too; of several programs
	   each trace a name made from it. answer: the names; or, if false, those that were not
	   given, each with the reason. */
	bool	(*keep)(void *self, const char *path, bool replace, struct buf *answer);
	/* Delete it, except what was kept under other names. */
	void	(*discard)(void *self);
	/* Once the viewer has ended, continue with the next received trace. */
	void	(*go_on)(void *self);
	bool	stackless;	/* this session records no stacks */
	/* Once the viewer has ended, continue with a session that records stacks, or ... */
	void	(*record_stacks)(void *self);
	/* ... one that also records a walk of the heap, for which all threads are stopped. */
	void	(*record_heap)(void *self);
};

struct ui_options {
	const char	*filter;	/* initial filter, or NULL */
	const char	*from, *to;	/* window in the filter language, or NULL */
	const char	*script;	/* commands to run once the index is complete, separated
					   by line ends or " ; "; or NULL */
	const char	*script_file;	/* a file with such commands; or NULL */
	const struct ui_export *export;	/* or NULL: no export */
	bool		 subcommands;	/* this program has those that write profiles */
	const struct trace_options *reopen;	/* how it was opened, to read it again; or NULL */
	const struct symbols_files *names;	/* further sources of method names; or NULL */
	bool		 state;		/* read the user's settings, save the state of the trace */
	enum ui_color	 color;
	bool		 utc;		/* show times in UTC at first */
	bool		 follow;	/* follow the file once the index is complete */
	const struct ui_live *live;	/* or NULL: the trace is a file */
};

/*
 * Show the trace until the user quits. The caller has called trace_index_start(). Returns the exit
 * code of the program: 0 after a normal quit, 2 if the terminal cannot be used or an option is
 * wrong, 3 if the terminal is gone or accepts no more output (one line on stderr gives the reason).
 * A signal that ends the program ends it here, after the terminal has been restored. The caller has
 * set LC_CTYPE and no other category of the locale: numbers are read and written as in the locale
 * "C".
 */
int	ui_run(struct trace *t, const struct ui_options *o);

/* The commands of the viewer, a row each: "viewer", group, keys, name, arguments and help, with
   tabs between them. */
void	ui_keys(struct buf *out);

#endif
