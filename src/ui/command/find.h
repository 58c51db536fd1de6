/*
 * Searching in panes with lines of text: tables, help, details. And incremental search, there and
 * in the events.
 */
#ifndef UI_COMMAND_FIND_H
#define UI_COMMAND_FIND_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/layout.h"

struct ui;
struct regex;

/* Where an incremental search began. */
struct find_origin {
	bool		 on, has;	/* has: an event was selected */
	uint64_t	 cursor, top;	/* lines of the pane */
	int64_t		 ts;
	uint64_t	 off;
	char		*pattern;	/* the previous pattern, or NULL */
};

/* Zero it before use. */
struct find {
	struct regex	*re;		/* NULL: no search in lines */
	char		*pattern;
	bool		 has;		/* `at` is the last hit, in this pane */
	enum pane_id	 pane;
	uint64_t	 at;
	struct find_origin origin;
};

void	find_release(struct find *f);
/* Does the focused pane have lines to search? If not, events are searched. */
bool	find_here(struct ui *ui);
/* Go to the first matching line from the cursor on. False after a message. */
bool	find_first(struct ui *ui, const char *pattern);
/* Go to the next (dir > 0) or previous match. False: there was no search. */
bool	find_next(struct ui *ui, int dir);
bool	find_drop(struct ui *ui);		/* false: there was no search */
void	find_mark(struct ui *ui, const struct pane *p);		/* marks the hits of a pane that
								   was drawn */

/* The text of a search prompt has changed: show its first hit. */
void	find_typed(struct ui *ui, const char *text);
/* The incremental search has ended: go back to where it began. keep: keep the pattern for
   events; else restore the previous one. */
void	find_typed_end(struct ui *ui, bool keep);

#endif
