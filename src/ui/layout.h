/*
 * Which panes there are, which are open, and where they stand.
 */
#ifndef UI_LAYOUT_H
#define UI_LAYOUT_H

#include <stdbool.h>

#include "ui/draw/canvas.h"
#include "ui/pane/pane.h"

struct ui;

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

struct panes {
	struct pane	 pane[PANES];
	enum pane_id	 focus;
	unsigned	 opened;		/* counts openings */
	enum pane_id	 tabbed;		/* opened by <Tab>, which goes on there; or PANES */
	bool		 maximised;
	enum arrangement arrangement;
	bool		 placed;		/* they were, and not yet drawn there */
	bool		 busy;			/* one that is shown has work to do */
	unsigned	 told;			/* by bit: what the top line has room for of what is
						   known of the process */
};

extern const char *const layout_names[LAYOUTS];

enum pane_id layout_home(void);			/* the pane that the keys fall back to */
void	layout_open(struct ui *ui, enum pane_id id);	/* show it and give it the keys */
const char *layout_last(struct ui *ui);	/* what q would close; NULL: nothing was opened */
bool	layout_close_last(struct ui *ui);		/* false: nothing was opened */
void	layout_cycle(struct ui *ui, int dir);
bool	layout_arrange(struct ui *ui, const char *name);	/* false: there is no such one */
void	layout_place(struct ui *ui);			/* after every change of what is open */
void	layout_draw(struct ui *ui);

#endif
