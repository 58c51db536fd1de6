/* The panes: which are open, and where they are. */
#ifndef UI_LAYOUT_H
#define UI_LAYOUT_H

#include <stdbool.h>

#include "ui/draw/canvas.h"
#include "ui/pane/pane.h"

struct ui;

struct pane {
	const char		*name;
	const struct pane_ops	*ops;
	void			*self;
	bool			 open;		/* by the user */
	unsigned		 opened;	/* order of opening */
	enum pane_id		 from;		/* of an overlay: it was opened from this pane */
	/* Set by the layout: */
	bool			 shown, titled;
	struct rect		 at;		/* without the title line, which is above it */
};

enum arrangement { LAYOUT_AUTO, LAYOUT_SINGLE, LAYOUT_SPLIT, LAYOUT_WIDE, LAYOUTS };

struct panes {
	struct pane	 pane[PANES];
	enum pane_id	 focus;
	unsigned	 opened;		/* number of openings so far */
	enum pane_id	 tabbed;		/* opened by <Tab>, which replaces it; or PANES */
	bool		 maximised;
	enum arrangement arrangement;
	bool		 placed;		/* placed but not drawn yet */
	int		 header;		/* lines of the header: see ui/header.h */
};

extern const char *const layout_names[LAYOUTS];

enum pane_id layout_home(void);			/* the pane with the focus by default */
void	layout_open(struct ui *ui, enum pane_id id);	/* shows it and focuses it */
/* A command of the pane, which it need not be shown for. */
void	pane_act(struct ui *ui, enum pane_id id, int64_t what, const char *arg);
const char *layout_last(struct ui *ui);	/* what q would close; NULL: nothing */
bool	layout_close_last(struct ui *ui);		/* false: nothing to close */
void	layout_cycle(struct ui *ui, int dir);
bool	layout_arrange(struct ui *ui, const char *name);	/* false: unknown name */
void	layout_place(struct ui *ui);			/* call after a pane was opened or closed */
void	layout_draw(struct ui *ui);

#endif
