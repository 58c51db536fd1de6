/*
 * Searching in panes that have lines of their own: tables, help, details. And what a search shows
 * while it is being typed, there and in the events.
 */
#ifndef UI_COMMAND_FIND_H
#define UI_COMMAND_FIND_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/layout.h"

struct ui;
struct regex;

/* Where the search was begun, while it is being typed. */
struct find_origin {
	bool		 on, has;	/* has: an event was selected */
	uint64_t	 cursor, top;	/* of the pane's lines */
	int64_t		 ts;
	uint64_t	 off;
	char		*pattern;	/* that was searched for; or NULL */
};

/* Cleared at first. */
struct find {
	struct regex	*re;		/* NULL: nothing is searched for in lines */
	char		*pattern;
	bool		 has;		/* at, in the pane, is the last hit */
	enum pane_id	 pane;
	uint64_t	 at;
	struct find_origin origin;
};

void	find_release(struct find *f);
/* Has the pane with the keys lines that are searched? Else a search there is for events. */
bool	find_here(struct ui *ui);
/* Go to the first line from the cursor on that matches. False: the message says what is wrong. */
bool	find_first(struct ui *ui, const char *pattern);
/* The next (dir > 0) line that matches what was searched for. False: nothing was. */
bool	find_next(struct ui *ui, int dir);
bool	find_drop(struct ui *ui);		/* false: there is nothing to drop */
void	find_mark(struct ui *ui, const struct pane *p);		/* in what is drawn of it */

/* The text of a search prompt has changed: show where it leads. */
void	find_typed(struct ui *ui, const char *text);
/* One is again where it began. keep: what is being looked for in the events is what is to be found;
   else it is as before, too. */
void	find_typed_end(struct ui *ui, bool keep);

#endif
