/*
 * The interface of panes. A new pane is one file and one entry of the table below. It knows the
 * view, the list, the canvas and the engine, but no other pane.
 */
#ifndef UI_PANE_PANE_H
#define UI_PANE_PANE_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/draw/canvas.h"
#include "ui/draw/list.h"
#include "ui/view/span_ends.h"
#include "ui/view/view.h"

/* Where a pane is placed. Panes of the same zone share a place. */
enum pane_zone {
	ZONE_STRIP,	/* across the top; without a title if there is little room */
	ZONE_MAIN,	/* the remaining place; a single pane, which gets the focus if no other
			   has it */
	ZONE_SIDE,	/* wide: beside the main pane; narrow: below it */
	ZONE_TABLE,	/* wide: at the bottom; narrow: above the main pane */
	ZONE_BOTTOM,	/* wide: beside the table; narrow: below the main pane */
	ZONE_OVERLAY,	/* a list that pops up over the other panes */
};

/* When a pane is shown without being opened. */
enum pane_when { WHEN_OPENED, WHEN_WIDE, WHEN_LARGE, WHEN_ALWAYS };

#define PANE_SORTS	0x1u		/* the user can sort its rows */
#define PANE_TABLE_OF	0x2u		/* it is a struct table (ui/pane/table.h) */
#define PANE_SORTED	(PANE_SORTS | PANE_TABLE_OF)

/*
 * The table of panes: id and name, zone, when it is shown, its place in the order of <Tab> (0:
 * none), flags; then the command that shows it: keys, argument, function, help. OWN: this command
 * is defined in the table of commands.
 */
#define PANE_TABLE(PANE, OWN) \
	PANE(TIMELINE, timeline, ZONE_STRIP, WHEN_ALWAYS, 0, PANE_SORTS, \
	    "M-1", NULL, cmd_pane, "Show the timeline.") \
	PANE(EVENTS, events, ZONE_MAIN, WHEN_ALWAYS, 1, 0, \
	    "M-2", NULL, cmd_pane, "Show the events.") \
	PANE(DETAILS, details, ZONE_SIDE, WHEN_WIDE, 2, 0, \
	    "M-3", NULL, cmd_pane, "Show the details of the event.") \
	PANE(STACK, stack, ZONE_BOTTOM, WHEN_OPENED, 3, 0, \
	    "M-4", NULL, cmd_pane, "Show the stack of the event.") \
	PANE(THREADS, threads, ZONE_TABLE, WHEN_LARGE, 9, PANE_SORTED, \
	    "M-5", NULL, cmd_pane, "Show the threads, most lost first.") \
	PANE(STATS, stats, ZONE_BOTTOM, WHEN_OPENED, 5, PANE_SORTED, \
	    "M-7", "FIELD", cmd_stats, "Show counts by provider, event, thread or any field.") \
	PANE(GAPS, gaps, ZONE_BOTTOM, WHEN_OPENED, 6, PANE_SORTED, \
	    "M-g", NULL, cmd_pane, "Show gaps of lost events, largest first.") \
	OWN(SPANS, spans, ZONE_BOTTOM, WHEN_OPENED, 7, PANE_SORTED) \
	PANE(TOP, top, ZONE_BOTTOM, WHEN_OPENED, 8, PANE_SORTED, \
	    "", "FIELD", cmd_pane_with, "Show the events with the greatest FIELD, dur or delta.") \
	PANE(CALLS, calls, ZONE_BOTTOM, WHEN_OPENED, 11, PANE_SORTED, \
	    "M-c", "top-down|threads|bottom-up|methods|modules|namespaces|callers|callees", \
	    cmd_calls, "Sum up the stacks: calls as a tree, or by method.") \
	PANE(FLAME, flame, ZONE_BOTTOM, WHEN_OPENED, 12, 0, \
	    "M-i L", NULL, cmd_flame, "Show the stacks, or the heap, as a flame graph.") \
	PANE(REPORTS, reports, ZONE_OVERLAY, WHEN_OPENED, 0, PANE_TABLE_OF, \
	    "M-8", NULL, cmd_pane, "List the reports: GCs, exceptions, requests ...") \
	OWN(REPORT, report, ZONE_BOTTOM, WHEN_OPENED, 0, PANE_SORTED) \
	PANE(DIFF, diff, ZONE_BOTTOM, WHEN_OPENED, 7, PANE_TABLE_OF, \
	    "M-d", "FILE", cmd_diff, "Pin the event, to compare; with FILE: what changed.") \
	PANE(CHANGES, changes, ZONE_BOTTOM, WHEN_OPENED, 8, PANE_SORTED, \
	    "M-v", "FILE", cmd_changes, "Show what changed, to FILE, range or mark 'a; or off.") \
	PANE(PROBLEMS, problems, ZONE_OVERLAY, WHEN_OPENED, 0, PANE_SORTED, \
	    "!", NULL, cmd_pane, "Show what is wrong with the trace.") \
	OWN(HELP, help, ZONE_OVERLAY, WHEN_OPENED, 0, PANE_TABLE_OF) \
	OWN(MARKS, marks, ZONE_OVERLAY, WHEN_OPENED, 0, PANE_SORTED) \
	OWN(COLUMNS, columns, ZONE_OVERLAY, WHEN_OPENED, 0, PANE_TABLE_OF) \
	OWN(FILTERS, filters, ZONE_OVERLAY, WHEN_OPENED, 0, PANE_TABLE_OF) \
	OWN(EXPLAIN, explain, ZONE_OVERLAY, WHEN_OPENED, 0, PANE_TABLE_OF) \
	OWN(MESSAGES, messages, ZONE_OVERLAY, WHEN_OPENED, 0, PANE_TABLE_OF) \
	OWN(CHOOSER, panes, ZONE_OVERLAY, WHEN_OPENED, 0, PANE_TABLE_OF)

#define PANE_ID(id, ...)	PANE_##id,
enum pane_id { PANE_TABLE(PANE_ID, PANE_ID) PANES };

/* Sets of panes in which a command works. */
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

/* A drawing of a pane and its meaning. An array of them ends with one without a drawing. */
struct legend {
	const char	*drawing, *ascii, *text;
};

/* What the pane's content depends on, and so does the command that prints it. */
#define PRINTS_WINDOW	0x1u
#define PRINTS_FILTER	0x2u
#define PRINTS_OTHER	0x4u		/* the other trace, if the command is diff */

/* A column to sort by; note: what it is, or NULL; is_current: the rows are sorted by it. */
typedef void	sort_offer(void *arg, const char *name, const char *note, bool is_current);

/* Take a command that restores something, and its argument. */
typedef void	keep_put(void *to, const char *name, const char *value);

struct pane_ops {
	/* The subcommand that prints the content, and PRINTS_...; NULL: dump prints the events. */
	const char	*prints;
	unsigned	 depends;
	/* Both, where they change. (NULL: they do not) */
	const char *(*prints_now)(void *self, unsigned *depends);
	/* The options for it, each ended by NUL; if prints is NULL, first the subcommand. False:
	   no subcommand prints it. (NULL: no options) */
	bool	(*print_options)(void *self, struct view *v, struct buf *out);
	/* The most important commands in it, for the bottom line, separated by blanks.
	   "open=only" replaces the hint of the command. Those that do not fit are left out. */
	const char	*hints;
	/* Is this command useful at the moment? (NULL: all are) */
	bool	(*useful)(void *self, struct view *v, const char *command);
	size_t		 size;		/* of its private state, zeroed at first */
	void	(*release)(void *self);
	/* The left and right text of the title line. UTF-8 that is not cleaned. */
	void	(*title)(void *self, struct view *v, struct buf *left, struct buf *right);
	const char	*caption;		/* the left text, if it is always the same */
	const char	*counts;	/* the right text of a table, by its rows: "# mark{s}" */
	void	(*draw)(void *self, struct view *v, struct canvas *c, struct rect r, bool focus);
	/* For a pane that is a table: the updated table (ui/pane/table.h). */
	const struct table *(*table)(void *self, struct view *v);
	/* The number of lines that it can use, with its title. opened: by the user. (NULL: any
	   number) */
	int	(*lines)(void *self, struct view *v, bool opened);
	/* The selection may have changed, and may change again before the next frame: update the
	   cursor as drawing would. NULL: the cursor does not depend on the selection. */
	void	(*follow)(void *self, struct view *v);
	/* False: it cannot move that way. */
	bool	(*move)(void *self, struct view *v, struct move m);
	/* For searches in a pane that is not a table: its lines, and whether one matches. (NULL:
	   events are searched) */
	struct list *(*list)(void *self, struct view *v);
	bool	(*matches)(void *self, struct view *v, uint64_t line, const struct regex *re,
		    struct regex_match *m);
	/* Enter. True: it had an effect. (NULL: it never has) */
	bool	(*enter)(void *self, struct view *v);
	const char	*enters;	/* what it does, for the help; or NULL */
	/* Enter on a row that another pane shows: sets the filter and the window that it needs, and
	   returns the name of the command that opens it. NULL: enter() decides. Or NULL. */
	const char	*(*opens)(void *self, struct view *v);
	/* Go back to where Enter has led from within the pane. False: it has not. (NULL: it never
	   does) */
	bool	(*up)(void *self, struct view *v);
	/* The thread under the cursor, or EVENT_NONE. (NULL: never one) */
	uint32_t (*thread)(void *self, struct view *v);
	/* The field under the cursor, for i x = yf. False: none. (NULL: never one) */
	bool	(*field)(void *self, struct view *v, struct field_at *out);
	/* A command of the pane; `what` is described in the pane's file. */
	void	(*act)(void *self, struct view *v, int64_t what, const char *arg);
	/* Move the cursor to what is drawn at this line and column of the pane. False: nothing.
	   (NULL: a click moves the cursor by lines.) */
	bool	(*point)(void *self, struct view *v, int y, int x);
	/* The time at a column of the pane. False: none. */
	bool	(*time_at)(void *self, struct view *v, int x, int64_t *ts);
	/* The times of the span under the cursor. (NULL: the pane has no spans) */
	enum span_ends (*times)(void *self, struct view *v, int64_t *from, int64_t *to);
	/* Sort by the named column; NULL: reverse the order. */
	bool	(*sort)(void *self, struct view *v, const char *name);
	/* Offer the names that sort() takes, in their order. */
	void	(*sorts)(void *self, struct view *v, sort_offer *offer, void *arg);
	/* Pin a row at the top: the named one, or the one under the cursor (""); again: unpin
	   it. */
	bool	(*pin)(void *self, struct view *v, const char *which);
	void	(*keep)(void *self, keep_put *put, void *to);	/* what restores its state */
	bool	(*erase)(void *self, struct view *v);	/* delete what is under the cursor */
	/* A key that selects a row: move there; then Enter is run. False: it is a normal key. */
	bool	(*key)(void *self, struct view *v, int32_t key);
	const struct legend	*legend;	/* for the help, or NULL */
	/* Only of the help: the pane that it should describe. */
	void	(*about)(void *self, unsigned id, const struct pane_ops *of);
};

/* Actions of the timeline: show or hide spans; empty lanes. */
enum { LANES_SPANS, LANES_HIDE };

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

/* Append the names of the panes: "timeline, threads and stats". */
void	panes_write(struct buf *out, unsigned scope);
/* Mark the row at y as the one under the cursor. */
void	pane_cursor_row(struct canvas *c, struct rect r, int y, bool focus);

#endif
