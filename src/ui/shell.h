/*
 * The viewer as an object: view, panes, prompt and screen, and the loop in turns. Commands get
 * this; panes do not know it.
 */
#ifndef UI_SHELL_H
#define UI_SHELL_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "ui/draw/canvas.h"
#include "ui/command/command.h"
#include "ui/command/export.h"
#include "ui/command/palette.h"
#include "ui/pane/pane.h"
#include "ui/command/prompt.h"
#include "ui/term/screen.h"
#include "tnav/ui/ui.h"
#include "ui/view/view.h"

#define SHELL_MIN_ROWS	8
#define SHELL_MIN_COLS	40

struct pane {
	const struct pane_ops	*ops;
	void			*self;
	bool			 open;		/* by the user */
	unsigned		 opened;	/* order of opening */
	/* The layout's: */
	bool			 shown, titled;
	struct rect		 at;		/* without the title line, which is above it */
};

enum arrangement { LAYOUT_AUTO, LAYOUT_SINGLE, LAYOUT_SPLIT, LAYOUT_WIDE, LAYOUTS };

/* What is asked on the bottom line: y does it, any other key does not. */
struct question {
	void		(*yes)(struct ui *ui, const char *arg);	/* NULL: nothing is asked */
	char		*arg;
	struct buf	 text;
};

struct ui {
	struct view	 v;
	struct trace	*own;			/* one that was opened here, or NULL */
	const char	*changed;		/* how the file has, until it is read again */
	struct screen	*s;
	struct canvas	 c;
	struct pane	 pane[PANES];
	enum pane_id	 focus;
	unsigned	 opened;		/* counts openings */
	bool		 maximised;
	enum arrangement arrangement;
	int		 rows, cols;
	struct ui_options opt;			/* script is not to be used any more */
	struct export	*export;		/* under way, or NULL */
	struct buf	 later;			/* a file or command that waits for the index */
	bool		 later_pipes;		/* a command */
	struct question	 question;		/* that waits for an answer */
	struct prompt	 prompt;
	struct palette	 palette;		/* what could be typed in it */
	struct query	*preview;		/* the filter being typed, if it is one */
	int64_t		 count;			/* being typed; -1: none */
	int32_t		 prefix;		/* the first of two keys, TK_NONE: none */
	struct keymap	 keymap;
	struct buf	 script;		/* to run when the index is complete */
	size_t		 script_at;		/* byte of the next command */
	unsigned	 script_line;		/* and the number of its line */
	struct place	 place;			/* that was kept, until the index knows it */
	struct buf	 restored;		/* what was, and the keys that clear it */
	bool		 wrong;			/* the command was of no use as it stands */
	bool		 quit, dirty, resized;
	bool		 panes_busy;		/* a pane that is shown has work to do */
	bool		 mouse;			/* on */
	struct {
		bool		 on;
		enum pane_id	 pane;
		int		 x;		/* where it began, within the pane */
		int64_t		 from;
	} drag;
	bool		 placed;		/* panes were, and not yet drawn there */
	bool		 touched;		/* the user has pressed a key */
	int64_t		 started, last_frame, last_tick, last_progress;	/* monotonic ns */
};

/* NULL if an option is wrong; why then says which. The screen stays the caller's. */
struct ui *ui_new(struct trace *t, const struct ui_options *o, struct screen *s, struct buf *why);
void	ui_free(struct ui *ui);
/* Take what input there is, work a little, draw if due; then wait if there is nothing to do. */
void	ui_turn(struct ui *ui);
/* Nothing to draw, to look for, or to wait for but a key. */
bool	ui_idle(const struct ui *ui);

/* ---- what commands use */
bool	ui_command(struct ui *ui, const char *line);	/* "filter tid = 25"; false: no such one */
void	ui_key(struct ui *ui, int32_t key);
void	ui_mouse(struct ui *ui, const struct mouse *m);
void	ui_prompt(struct ui *ui, enum prompt_kind kind, const char *text);
/* Ask, and call yes with arg if the next key is y. */
void	ui_ask(struct ui *ui, const char *text, void (*yes)(struct ui *ui, const char *arg),
	    const char *arg);
/* Only a key that was pressed is an answer; what else comes in between takes the question back. */
void	ui_answer(struct ui *ui, bool agreed);
/* Go to a time, or make a range of times (2.1s..2.4s) the window. False: the message says why. */
bool	ui_go_to_time(struct ui *ui, const char *text);

/* ---- reread.c */
void	ui_panes_init(struct ui *ui);
void	ui_panes_release(struct ui *ui);
/* Open the file anew and show the same of it. False: the message says why not. */
bool	ui_reread(struct ui *ui);

/* ---- ui_prompt.c */
void	ui_prompt_key(struct ui *ui, int32_t key);	/* while there is a prompt */
void	ui_prompt_changed(struct ui *ui);		/* its text has */
void	ui_prompt_draw(struct ui *ui);			/* what is said of it, above it */
/* A time as the filter language writes it. False: the message says so. */
bool	ui_parse_time(struct ui *ui, const char *s, size_t len, int64_t *ns);

/* ---- layout.c */
enum pane_id layout_home(void);			/* the pane that the keys fall back to */
void	layout_open(struct ui *ui, enum pane_id id);	/* show it and give it the keys */
const char *layout_last(struct ui *ui);	/* what q would close; NULL: nothing was opened */
bool	layout_close_last(struct ui *ui);		/* false: nothing was opened */
void	layout_cycle(struct ui *ui, int dir);
extern const char *const layout_names[LAYOUTS];
bool	layout_arrange(struct ui *ui, const char *name);	/* false: there is no such one */
void	layout_place(struct ui *ui);			/* after every change of what is open */
void	layout_draw(struct ui *ui);

#endif
