/*
 * The viewer as an object: view, panes, prompt and screen, and the turns of its loop. Commands use
 * it; panes do not.
 */
#ifndef UI_SHELL_H
#define UI_SHELL_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/engine/joined.h"
#include "tnav/ui/ui.h"
#include "ui/command/command.h"
#include "ui/command/export.h"
#include "ui/command/find.h"
#include "ui/command/mouse.h"
#include "ui/command/tour.h"
#include "ui/command/ui_prompt.h"
#include "ui/draw/canvas.h"
#include "ui/await.h"
#include "ui/header.h"
#include "ui/layout.h"
#include "ui/live.h"
#include "ui/state/script.h"
#include "ui/state/state.h"
#include "ui/term/screen.h"
#include "ui/typeahead.h"
#include "ui/view/view.h"

#define SHELL_MIN_ROWS	8
#define SHELL_MIN_COLS	40
#define HINTS_MOST	16

/* The screen, and when it was drawn. */
struct surface {
	struct screen	*s;			/* owned by the caller */
	struct canvas	 c;
	int		 rows, cols;
	bool		 dirty, resized;
	bool		 keyed;		/* a key was pressed since the last frame */
	enum work_rank	 work;		/* what was in progress in the last frame */
	/* The hints on the bottom line, as last drawn: columns [x, end) run a command. */
	struct hint {
		int			 x, end;
		const struct command	*cmd;
	}		 hint[HINTS_MOST];
	int		 nhints;
};

struct timing {
	int64_t		 started, last_frame, last_tick, last_progress;	/* monotonic ns */
	int64_t		 last_keyed;	/* the last frame after a key */
};

/* A growing file: see ui/follow.h. */
struct follow {
	bool		 wanted;		/* follow once the index is complete */
	bool		 on, ended;		/* ended: by the user */
	bool		 tail;			/* the cursor stays at the end of the list */
	bool		 paused;		/* ... until the user presses F */
	bool		 arrives;		/* the trace comes through a pipe */
	bool		 over[SOURCES_MOST];	/* of several files: that it has ended is known */
	enum trace_change change;		/* how the file has changed, if it is not
						   followed: when tested */
	int64_t		 looked;
};

/* A trace that is being received: see ui/live.h. */
struct live {
	const struct ui_live *by;		/* NULL: the trace is a file */
	struct ui_live_state st;
	bool		 slides, set;		/* slides: the window shows the last seconds;
						   set: it was set: */
	int64_t		 from, to;		/* ... to this window */
	int64_t		 slid;			/* ... at this time */
	/* By enum ui_names: traces that were taken over, problems that were reported. */
	bool		 named[UI_NAMES], unnamed[UI_NAMES];
	bool		 late;			/* ... it must move as soon as possible */
	bool		 end_reported;		/* the end of the trace was reported */
	bool		 at_end;		/* ... where the cursor should be */
	int64_t		 looked;
	uint64_t	 head;			/* the first row that is kept */
	bool		 noted;			/* the note was said */
	size_t		 over;			/* so many phrases of st.over */
	bool		 counted;		/* the counters were shown once */
	struct live_rate rate;
};

struct ui {
	struct view	 v;
	struct trace	*own;			/* a trace that the viewer opened, or NULL */
	const char	*changed;		/* how the file has changed, until it is read
						   again */
	struct ui_options opt;			/* without the script */
	struct surface	 screen;
	struct panes	 panes;
	struct header	 header;
	struct typing	 typing;
	struct typeahead ahead;
	struct keymap	 keymap;
	struct export	*export;		/* in progress, or NULL */
	struct copying	 copying;
	struct find	 find;
	struct awaiting	 awaiting;
	struct later	 later;
	struct script_run script;
	struct restored	 restored;
	struct drag	 drag;
	struct tour	 tour;
	struct timing	 timing;
	struct follow	 follow;
	struct live	 live;
	bool		 quit;
	bool		 mouse;			/* the mouse is on */
	bool		 touched;		/* the user has pressed a key */
};

/* NULL: an option is wrong; the reason is in why. The screen stays the caller's. */
struct ui *ui_new(struct trace *t, const struct ui_options *o, struct screen *s, struct buf *why);
void	ui_free(struct ui *ui);
/* One turn: handle input, work a little, draw if necessary; if there is nothing to do, wait. */
void	ui_turn(struct ui *ui);
/* Is there nothing to do except to wait for a key? */
bool	ui_idle(const struct ui *ui);
void	ui_key(struct ui *ui, int32_t key);
bool	ui_command(struct ui *ui, const char *line);	/* "filter tid = 25"; false: unknown or
							   wrong */
bool	ui_is_place(const char *line);		/* is it a command for a place: "42", "50%", "$"? */

#endif
