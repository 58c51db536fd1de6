/* The mouse. */
#ifndef UI_COMMAND_MOUSE_H
#define UI_COMMAND_MOUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/pane/pane.h"
#include "ui/term/key.h"

struct mouse;
struct ui;

struct drag {
	bool		 on;
	enum pane_id	 pane;
	int		 x;			/* where the drag began, within the pane */
	int64_t		 from;
	/* The last press, for a double click: the cell of the screen, and when. */
	int		 at_y, at_x;
	int64_t		 at_ns;
};

/* What it does at once is done; the keys that it stands for are returned, or TK_NONE. */
struct key_pair	ui_mouse(struct ui *ui, const struct mouse *m);

#endif
