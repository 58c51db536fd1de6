/*
 * How things look: formats, columns, colours.
 */
#ifndef UI_VIEW_DISPLAY_H
#define UI_VIEW_DISPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/trace.h"
#include "ui/view/column.h"
#include "ui/view/rules.h"

enum time_format { TIME_RELATIVE, TIME_LOCAL, TIME_UTC, TIME_DELTA, TIME_TICKS, TIME_FORMATS };

extern const char *const time_format_names[TIME_FORMATS];

struct display {
	enum time_format time_format;
	bool		 has_zero;		/* relative times count from zero_ts */
	int64_t		 zero_ts;
	struct column_set columns;		/* of the events */
	bool		 collapse;		/* runs of repeats stand as one row */
	bool		 blocks;		/* where one begins in the list it has a row */
	struct rules	 rules;			/* colours of rows */
	bool		 ascii;
	bool		 color_threads;		/* each has a colour of its own */
	bool		 raw_names;		/* of frames, as the trace has them */
	unsigned	 tid_width;		/* cells of the longest thread id */
	bool		 several_providers;	/* else none needs to be named */
};

void	display_init(struct display *d, unsigned has, bool ascii);	/* has: HAS_... */
void	display_release(struct display *d);
/* Take over which threads and providers the trace has. */
void	display_follow(struct display *d, struct trace *t);
/* The style of the thread's id and name. */
enum style display_thread_style(const struct display *d, uint32_t thread);
bool	view_several_processes(const struct thread_stat *st, size_t n);

#endif
