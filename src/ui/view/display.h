/* Display settings: formats, columns, colours. */
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
	bool		 collapse;		/* runs of repeats are one row */
	bool		 blocks;		/* the beginning of a block has a row */
	struct rules	 rules;			/* colours of rows */
	bool		 ascii;
	bool		 color_threads;		/* each thread has its colour */
	bool		 raw_names;		/* frames have the names of the trace */
	unsigned	 tid_width;		/* width of the longest thread id */
	bool		 several_providers;	/* else providers are not named */
};

void	display_init(struct display *d, unsigned has, bool ascii);	/* has: HAS_... */
void	display_release(struct display *d);
/* Update what depends on the threads and providers of the trace. */
void	display_follow(struct display *d, struct trace *t);
/* The style of the thread's id and name. */
enum style display_thread_style(const struct display *d, uint32_t thread);
bool	view_several_processes(const struct thread_stat *st, size_t n);

#endif
