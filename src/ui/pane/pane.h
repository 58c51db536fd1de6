/*
 * One view on the trace. A new pane is one file and one entry of the table below; it knows the
 * view, the list, the canvas and the engine, never another pane.
 */
#ifndef UI_PANE_PANE_H
#define UI_PANE_PANE_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/draw/canvas.h"
#include "ui/draw/list.h"
#include "ui/view/mate.h"
#include "ui/view/view.h"

/* Where a pane stands. Those of one zone share its place. */
enum pane_zone {
	ZONE_STRIP,	/* across the top, a line alone where there is no room for more */
	ZONE_MAIN,	/* what is left; one pane only, to which the keys fall back */
	ZONE_SIDE,	/* wide: beside the main pane; narrow: below it */
	ZONE_TABLE,	/* wide: at the bottom; narrow: above the main pane */
	ZONE_BOTTOM,	/* wide: beside the table; narrow: below the main pane */
	ZONE_OVERLAY,	/* covers the others */
};

/* When a pane stands there without being asked for. */
enum pane_when { WHEN_ASKED, WHEN_WIDE, WHEN_LARGE, WHEN_ALWAYS };

#define PANE_SORTS	0x1u		/* its rows have an order of the user's */
#define PANE_TABLE_OF	0x2u		/* it is a struct table (ui/pane/table.h) */
#define PANE_SORTED	(PANE_SORTS | PANE_TABLE_OF)

/*
 * The table of panes: identity and name, zone, when, its place in the order of <Tab> (0: it has
 * none), flags; then the command that shows it: keys, argument, function, help. OWN: that command
 * stands among others in the table of commands.
 */
#define PANE_TABLE(PANE, OWN) \
	PANE(TIMELINE, timeline, ZONE_STRIP, WHEN_ALWAYS, 0, PANE_SORTS, \
	    "M-1", NULL, cmd_pane, "Show the timeline.") \
	PANE(EVENTS, events, ZONE_MAIN, WHEN_ALWAYS, 1, 0, \
	    "M-2", NULL, cmd_pane, "Show the events.") \
	PANE(DETAILS, details, ZONE_SIDE, WHEN_WIDE, 2, 0, \
	    "M-3", NULL, cmd_pane, "Show the details of the event.") \
	PANE(STACK, stack, ZONE_BOTTOM, WHEN_ASKED, 3, 0, \
	    "M-4", NULL, cmd_pane, "Show the stack of the event.") \
	PANE(THREADS, threads, ZONE_TABLE, WHEN_LARGE, 9, PANE_SORTED, \
	    "M-5", NULL, cmd_pane, "Show the threads, most lost first.") \
	PANE(LABELS, labels, ZONE_BOTTOM, WHEN_ASKED, 4, PANE_SORTED, \
	    "M-6", NULL, cmd_pane, "Show the labels and activity of the event.") \
	PANE(STATS, stats, ZONE_BOTTOM, WHEN_ASKED, 5, PANE_SORTED, \
	    "M-7", "FIELD", cmd_stats, "Show counts by provider, event, thread or any field.") \
	PANE(GAPS, gaps, ZONE_BOTTOM, WHEN_ASKED, 6, PANE_SORTED, \
	    "M-g", NULL, cmd_pane, "Show gaps of lost events, largest first.") \
	PANE(SPANS, spans, ZONE_BOTTOM, WHEN_ASKED, 7, PANE_SORTED, \
	    "M-9", NULL, cmd_pane_of_spans, "Show spans in the window, longest first.") \
	PANE(ACTIVITIES, activities, ZONE_BOTTOM, WHEN_ASKED, 10, PANE_SORTED, \
	    "M-a", NULL, cmd_pane_of_spans, "Show activities: requests and what they caused.") \
	PANE(TOP, top, ZONE_BOTTOM, WHEN_ASKED, 8, PANE_SORTED, \
	    "", "FIELD", cmd_top, "Show the events with the greatest FIELD, dur or delta.") \
	PANE(CALLS, calls, ZONE_BOTTOM, WHEN_ASKED, 11, PANE_SORTED, \
	    "M-c", "top-down|threads|bottom-up|methods|modules|namespaces|callers|callees", \
	    cmd_calls, "Sum up the stacks: calls as a tree, or by method.") \
	PANE(FLAME, flame, ZONE_BOTTOM, WHEN_ASKED, 12, 0, \
	    "M-i", NULL, cmd_pane, "Show the stacks as a flame graph.") \
	PANE(REPORTS, reports, ZONE_OVERLAY, WHEN_ASKED, 0, PANE_TABLE_OF, \
	    "M-8", NULL, cmd_pane, "List the reports: GCs, exceptions, requests ...") \
	OWN(REPORT, report, ZONE_BOTTOM, WHEN_ASKED, 0, PANE_SORTED) \
	PANE(DIFF, diff, ZONE_BOTTOM, WHEN_ASKED, 7, PANE_TABLE_OF, \
	    "M-d", NULL, cmd_diff, "Pin the event; show how the selected one differs.") \
	PANE(PROBLEMS, problems, ZONE_OVERLAY, WHEN_ASKED, 0, PANE_SORTED, \
	    "!", NULL, cmd_pane, "Show what is wrong with the trace.") \
	OWN(HELP, help, ZONE_OVERLAY, WHEN_ASKED, 0, PANE_TABLE_OF) \
	OWN(MARKS, marks, ZONE_OVERLAY, WHEN_ASKED, 0, PANE_SORTED) \
	OWN(COLUMNS, columns, ZONE_OVERLAY, WHEN_ASKED, 0, PANE_TABLE_OF) \
	OWN(FILTERS, filters, ZONE_OVERLAY, WHEN_ASKED, 0, PANE_TABLE_OF) \
	OWN(EXPLAIN, explain, ZONE_OVERLAY, WHEN_ASKED, 0, 0) \
	OWN(MESSAGES, messages, ZONE_OVERLAY, WHEN_ASKED, 0, PANE_TABLE_OF) \
	OWN(CHOOSER, panes, ZONE_OVERLAY, WHEN_ASKED, 0, PANE_TABLE_OF)

#define PANE_ID(id, ...)	PANE_##id,
enum pane_id { PANE_TABLE(PANE_ID, PANE_ID) PANES };

/* Sets of panes, in which a command works. */
#define SCOPE(id)	(1u << (id))
#define SCOPE_ANY	(SCOPE(PANES) - 1)
#define PANE_COVERS(id, name, zone, ...)	| ((zone) == ZONE_OVERLAY ? SCOPE(PANE_##id) : 0u)
#define SCOPE_OVERLAYS	(0u PANE_TABLE(PANE_COVERS, PANE_COVERS))
#define SCOPE_TRACE	(SCOPE_ANY & ~SCOPE_OVERLAYS)
#define PANE_FLAGGED(id, name, zone, when, order, flags, ...) \
	| (((flags) & PANE_SORTS) != 0 ? SCOPE(PANE_##id) : 0u)
#define SCOPE_SORTED	(0u PANE_TABLE(PANE_FLAGGED, PANE_FLAGGED))
#define PANE_IS_TABLE(id, name, zone, when, order, flags, ...) \
	| (((flags) & PANE_TABLE_OF) != 0 ? SCOPE(PANE_##id) : 0u)
#define SCOPE_TABLES	(0u PANE_TABLE(PANE_IS_TABLE, PANE_IS_TABLE))

struct regex;
struct regex_match;
struct table;

/* What a drawing of a pane means; an array of them ends with one that has none. */
struct legend {
	const char	*drawing, *ascii, *text;
};

/* What a pane shows depends on these, and so does the command that prints the same. */
#define PRINTS_WINDOW	0x1u
#define PRINTS_FILTER	0x2u

struct pane_ops {
	const char	*name;
	/* The subcommand that prints what it shows, and PRINTS_...; NULL: dump does, the events. */
	const char	*prints;
	unsigned	 depends;
	/* ... with these options, each of them ended by a NUL; where prints is NULL, the subcommand
	   first. False: nothing prints it as it is. (NULL: without options) */
	bool	(*print_options)(void *self, struct view *v, struct buf *out);
	/* The commands that matter most in it, for the bottom line, parted by blanks; "open=only"
	   has another word there than the command's own. What there is no room for is left out. */
	const char	*hints;
	/* Is one of these of use as things stand? (NULL: each is) */
	bool	(*useful)(void *self, struct view *v, const char *command);
	size_t		 size;		/* of its private state, cleared at first */
	void	(*release)(void *self);
	/* The title line: words on the left and on the right, as UTF-8 not yet clean. */
	void	(*title)(void *self, struct view *v, struct buf *left, struct buf *right);
	void	(*draw)(void *self, struct view *v, struct canvas *c, struct rect r, bool focus);
	/* Of a pane that is a table: what it shows, brought up to date (ui/pane/table.h). */
	const struct table *(*table)(void *self, struct view *v);
	/* The lines that it has use for, with its title; opened: by a person (NULL: any number). */
	int	(*lines)(void *self, struct view *v, bool opened);
	/* The selection may be another, and change again before a frame: stand where a frame
	   would. NULL: the pane stands nowhere by it. */
	void	(*follow)(void *self, struct view *v);
	/* False: it can't move that way. */
	bool	(*move)(void *self, struct view *v, struct move m);
	/* What a search in it looks at, unless it is a table: its lines, and whether one matches
	   (NULL: it looks at the events). */
	struct list *(*list)(void *self, struct view *v);
	bool	(*matches)(void *self, struct view *v, uint64_t line, const struct regex *re,
		    struct regex_match *m);
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
	/* The times of the span under the cursor, where the pane lists such (NULL: it doesn't). */
	enum mate (*times)(void *self, struct view *v, int64_t *from, int64_t *to);
	/* Sort by the column that is step beside this one, or by name; step 0 and NULL: invert. */
	bool	(*sort)(void *self, struct view *v, int step, const char *name);
	/* Keep at the top what is named, or is under the cursor (""); again: let it go. */
	bool	(*pin)(void *self, struct view *v, const char *which);
	void	(*keep)(void *self, struct buf *out);	/* commands that bring its state back */
	void	(*hide)(void *self, struct view *v);	/* what is empty, on and off */
	bool	(*erase)(void *self, struct view *v);	/* what is under the cursor */
	/* A key that chooses a row: stand on it; Enter follows. False: the key is a command's. */
	bool	(*key)(void *self, struct view *v, int32_t key);
	const struct legend	*legend;	/* for its help, or NULL */
	/* Of the help: what it is to be about. */
	void	(*about)(void *self, unsigned id, const struct pane_ops *of);
};

#define PANE_OPS(id, name, ...)	extern const struct pane_ops pane_##name;
PANE_TABLE(PANE_OPS, PANE_OPS)

struct pane_entry {
	const struct pane_ops	*ops;
	enum pane_zone		 zone;
	enum pane_when		 when;
	unsigned		 order;
};

extern const struct pane_entry	pane_table[PANES];	/* panes.c */
extern const char *const	pane_names[PANES];

/* "timeline, threads and stats": the panes of a scope. */
void	panes_write(struct buf *out, unsigned scope);
/* Mark the row at y as the one under the cursor. */
void	pane_cursor_row(struct canvas *c, struct rect r, int y, bool focus);

#endif
