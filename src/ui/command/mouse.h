/* The mouse. */
#ifndef UI_COMMAND_MOUSE_H
#define UI_COMMAND_MOUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/pane/pane.h"

struct mouse;
struct ui;

struct drag {
	bool		 on;
	enum pane_id	 pane;
	int		 x;			/* where the drag began, within the pane */
	int64_t		 from;
};

void	ui_mouse(struct ui *ui, const struct mouse *m);

#endif
