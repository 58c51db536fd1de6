/*
 * The viewer as an object: view, panes, prompt and screen, and the loop in turns. Commands get
 * this; panes do not know it.
 */
#ifndef UI_SHELL_H
#define UI_SHELL_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/ui/ui.h"
#include "ui/command/command.h"
#include "ui/command/export.h"
#include "ui/command/find.h"
#include "ui/command/mouse.h"
#include "ui/command/tour.h"
#include "ui/command/ui_prompt.h"
#include "ui/draw/canvas.h"
#include "ui/layout.h"
#include "ui/state/script.h"
#include "ui/state/state.h"
#include "ui/term/screen.h"
#include "ui/view/view.h"

#define SHELL_MIN_ROWS	8
#define SHELL_MIN_COLS	40

/* What is drawn on. */
struct surface {
	struct screen	*s;			/* the caller's */
	struct canvas	 c;
	int		 rows, cols;
	bool		 dirty, resized;
	bool		 keyed;		/* something was typed since the last frame */
	bool		 unfinished;	/* the last frame was drawn while something was counted */
};

struct timing {
	int64_t		 started, last_frame, last_tick, last_progress;	/* monotonic ns */
	int64_t		 last_keyed;	/* the last frame after something was typed */
};

/* A file that grows: see ui/follow.h. */
struct follow {
	bool		 wanted;		/* when the index is complete */
	bool		 on, ended;		/* ended: by the user */
	bool		 tail;			/* the cursor stays at the end of the list */
	bool		 held;			/* ... no more, until F says so */
	enum trace_change change;		/* of a file that isn't followed, when looked at: */
	int64_t		 looked;
};

/* A trace that is being received: see ui/live.h. */
struct live {
	const struct ui_live *by;		/* NULL: it is a file */
	struct ui_live_state st;
	bool		 slides, set;		/* the window is that of the last seconds: */
	int64_t		 from, to;		/* ... this, once it is set, */
	int64_t		 slid;			/* ... and when */
	/* Of st.names: which traces were taken, of which it was said what is wrong. */
	bool		 named[UI_NAMES], unnamed[UI_NAMES];
	bool		 late;			/* ... it is to move on as soon as it can */
	bool		 told;			/* that the trace is at its end, */
	bool		 at_end;		/* ... which the cursor was to be at */
	int64_t		 looked;
	/* Of the last second: */
	int64_t		 measured;
	uint64_t	 rows, bytes;		/* when it began */
	double		 rows_s, bytes_s;
};

struct ui {
	struct view	 v;
	struct trace	*own;			/* one that was opened here, or NULL */
	const char	*changed;		/* how the file has, until it is read again */
	struct ui_options opt;			/* script is not to be used any more */
	struct surface	 screen;
	struct panes	 panes;
	struct typing	 typing;
	struct keymap	 keymap;
	struct export	*export;		/* under way, or NULL */
	struct copying	 copying;
	struct find	 find;
	struct later	 later;
	struct script_run script;
	struct restored	 restored;
	struct drag	 drag;
	struct tour	 tour;
	struct timing	 timing;
	struct follow	 follow;
	struct live	 live;
	bool		 quit;
	bool		 mouse;			/* on */
	bool		 touched;		/* the user has pressed a key */
};

/* NULL if an option is wrong; why then says which. The screen stays the caller's. */
struct ui *ui_new(struct trace *t, const struct ui_options *o, struct screen *s, struct buf *why);
void	ui_free(struct ui *ui);
/* Take what input there is, work a little, draw if due; then wait if there is nothing to do. */
void	ui_turn(struct ui *ui);
/* Nothing to draw, to look for, or to wait for but a key. */
bool	ui_idle(const struct ui *ui);
void	ui_key(struct ui *ui, int32_t key);
bool	ui_command(struct ui *ui, const char *line);	/* "filter tid = 25"; false: no such one */
bool	ui_is_place(const char *line);		/* a command that is a place: "42", "50%", "$" */

#endif
