/*
 * One view on the trace. A new pane is one file and one line of the table in pane.c; it knows the
 * view, the list, the canvas and the engine, never another pane.
 */
#ifndef UI_PANE_PANE_H
#define UI_PANE_PANE_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/draw/canvas.h"
#include "ui/draw/list.h"
#include "ui/view/view.h"

enum pane_id {
	PANE_TIMELINE, PANE_EVENTS, PANE_DETAILS, PANE_STACK, PANE_THREADS, PANE_LABELS, PANE_STATS,
	/* ... and those that cover the others: */
	PANE_HELP, PANE_PROBLEMS, PANE_MARKS, PANE_COLUMNS, PANE_FILTERS, PANE_EXPLAIN,
	PANES
};

#define SCOPE(id)	(1u << (id))
#define SCOPE_ANY	(SCOPE(PANES) - 1)
#define SCOPE_OVERLAYS	(SCOPE(PANE_HELP) | SCOPE(PANE_PROBLEMS) | SCOPE(PANE_MARKS) | \
			    SCOPE(PANE_COLUMNS) | SCOPE(PANE_FILTERS) | SCOPE(PANE_EXPLAIN))
#define SCOPE_TRACE	(SCOPE_ANY & ~SCOPE_OVERLAYS)

struct pane_ops {
	const char	*name;
	unsigned	 number;	/* Alt-number; 0: none */
	/* The commands that matter most in it, for the bottom line, parted by blanks; "open=only"
	   has another word there than the command's own. What there is no room for is left out. */
	const char	*hints;
	size_t		 size;		/* of its private state, cleared at first */
	void	(*release)(void *self);
	/* The title line: words on the left and on the right, as UTF-8 not yet clean. */
	void	(*title)(void *self, struct view *v, struct buf *left, struct buf *right);
	void	(*draw)(void *self, struct view *v, struct canvas *c, struct rect r, bool focus);
	/* False: it can't move that way. */
	bool	(*move)(void *self, struct view *v, struct move m);
	/* Enter: true if it did something (NULL: it does nothing). */
	bool	(*enter)(void *self, struct view *v);
	/* The thread under the cursor, or EVENT_NONE (also when NULL). */
	uint32_t (*thread)(void *self, struct view *v);
	/* What stands under the cursor, for i x = yf (NULL: nothing ever does). False: nothing. */
	bool	(*field)(void *self, struct view *v, struct field_at *out);
	/* Work for about budget_ns, 0: none, while it is shown. True: there is more to do. */
	bool	(*work)(void *self, struct view *v, int64_t budget_ns);
	/* A command that is the pane's own; what it means is said in the pane's file. */
	void	(*act)(void *self, struct view *v, int64_t what, const char *arg);
	/* Stand on what is drawn at this line and column of the pane. False: nothing is there.
	   (NULL: a click moves the cursor by as many lines.) */
	bool	(*point)(void *self, struct view *v, int y, int x);
	/* The time that a column of the pane stands for. False: none. */
	bool	(*time_at)(void *self, struct view *v, int x, int64_t *ts);
	/* Sort by the column that is step beside this one, or by name; step 0 and NULL: invert. */
	bool	(*sort)(void *self, struct view *v, int step, const char *name);
	/* Keep at the top what is named, or is under the cursor (""); again: let it go. */
	bool	(*pin)(void *self, struct view *v, const char *which);
	void	(*keep)(void *self, struct buf *out);	/* commands that bring its state back */
	void	(*hide)(void *self, struct view *v);	/* what is empty, on and off */
	bool	(*erase)(void *self, struct view *v);	/* what is under the cursor */
};

extern const struct pane_ops	*const pane_table[PANES];

/* For the panes that show what is in tables of the program. */
extern const struct pane_ops	pane_timeline, pane_events, pane_details, pane_threads, pane_help,
				pane_problems, pane_filters, pane_explain,
				pane_marks,
				pane_stack, pane_labels, pane_stats, pane_columns;

/* "timeline, threads and stats": the panes of a scope. */
void	panes_write(struct buf *out, unsigned scope);
/* Mark the row at y as the one under the cursor. */
void	pane_cursor_row(struct canvas *c, struct rect r, int y, bool focus);

#endif
