/*
 * The table of panes as data.
 */
#include "ui/pane/pane.h"

#define ENTRY(id, name, zone, when, order, ...) \
	[PANE_##id] = { &pane_##name, zone, when, order },

const struct pane_entry	pane_table[PANES] = { PANE_TABLE(ENTRY, ENTRY) };
