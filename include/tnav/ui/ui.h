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

/* How rows are written in the forms of `tnav dump`: by the app, since the viewer knows no forms. */
struct ui_export {
	const char *const	*formats;	/* NULL at the end; a file's ending names one */
	/* Begin to write to an output. */
	void	*(*open)(struct trace *t, const char *format, struct output *o, bool utc);
	/* A pass in the order of time with what open() gave: it writes the rows. */
	const struct pass_ops	*rows;
	/* The end, also of the output; keep: the file gets its place. 0, or ERR_IO and errno. */
	int	(*close)(void *x, bool keep, uint64_t *rows, uint64_t *bytes);
	/* Rows of a table in one of the forms, to an output that stays open. 0 or ERR_IO. */
	int	(*table)(struct trace *t, const char *format, struct output *o, bool utc,
		    const struct ui_table *what);
	/* Append one event as a line. */
	void	(*line)(struct trace *t, const char *format, const struct event *e, uint64_t row,
		    struct buf *out);
};

/* Who receives the trace that is shown: by the app, since the viewer knows no programs. */
enum ui_names { UI_NAMES_BEFORE, UI_NAMES_SINCE, UI_NAMES };

struct ui_live_state {
	enum { UI_LIVE_RUNS, UI_LIVE_STOPS, UI_LIVE_ENDED } phase;
	bool		 whole;		/* ended, with the end mark */
	bool		 silent;	/* it was given up: nothing came after the stop */
	uint64_t	 bytes;		/* received */
	int64_t		 last_ns;	/* when the last ones came, as job_now_ns() */
	const char	*problem;	/* a phrase, or NULL */
	/* ENDED, and the program may start again: it is waited for; it has, and is received. */
	enum { UI_LIVE_LAST, UI_LIVE_WAITS, UI_LIVE_AGAIN } next;
	const char	*missed;	/* WAITS: why one could not be received, once; or NULL */
	/* Other traces of the program, which name what was compiled before this one began, and
	   what is since; NULL: none (yet). What is missing of it, a phrase, or NULL. Both stay the
	   same once they are there, until the viewer has ended. */
	struct {
		struct trace	*t;
		const char	*why;
	} names[UI_NAMES];
};
struct ui_live {
	void	*self;
	/* The current state; called several times a second. */
	void	(*look)(void *self, struct ui_live_state *st);
	/* Stop it in order, the second time at once. */
	void	(*stop)(void *self);
	/* Also give the received trace, past and future, this name. False: why says why not. */
	bool	(*keep)(void *self, const char *path, bool replace, struct buf *why);
	/* Delete it, except for what was kept under other names. */
	void	(*discard)(void *self);
	/* Once the viewer has ended, continue with the next received trace. */
	void	(*go_on)(void *self);
};

struct ui_options {
	const char	*filter;	/* expression to begin with, or NULL */
	const char	*from, *to;	/* times as the filter language writes them, or NULL */
	const char	*script;	/* commands to run once the index is complete, one a line or
					   parted by " ; "; or NULL */
	const char	*script_file;	/* the same, a file of the user's; or NULL */
	const struct ui_export *export;	/* or NULL: rows can't be exported */
	const struct trace_options *reopen;	/* how the trace was opened, for reading it again;
						   or NULL */
	const struct symbols_files *names;	/* further sources of names of code; or NULL */
	bool		 state;		/* read the user's settings, keep the state of the trace */
	enum ui_color	 color;
	bool		 utc;		/* times in UTC at first */
	bool		 follow;	/* the file, once the index is complete */
	const struct ui_live *live;	/* or NULL: the trace is a file */
};

/*
 * Show the trace until the user quits. trace_index_start() is the caller's. Returns the program's
 * exit code: 0 after a normal quit, 2 when the terminal can't be used or an option is wrong, 3 when
 * it is gone or takes no output any more (one line on stderr says why). A signal that ends the
 * program ends it here, the terminal restored. The caller has set LC_CTYPE of the locale, and
 * nothing else of it: numbers are read and written as in the locale "C".
 */
int	ui_run(struct trace *t, const struct ui_options *o);

/* The keys by group, from the command table, as man page source: for the generated part of it. */
void	ui_keys_man(struct buf *out);

#endif
