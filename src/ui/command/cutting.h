/* Writing what is shown as a trace, in a thread. */
#ifndef UI_COMMAND_CUTTING_H
#define UI_COMMAND_CUTTING_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/task.h"
#include "tnav/engine/excerpt.h"

struct view;

struct cutting {
	struct task		 task;
	struct trace		*t;
	struct output		*o;
	struct filter		*filter, *threads;
	struct redact		*redact;	/* or NULL */
	struct excerpt_options	 part;
	struct buf		 note;
	struct excerpt_result	 result;
	int			 err;
};

/* Begin to write the window's events that match the filter, with those that name code. Takes both
   the filter, which may be NULL, and the output. redacts: all texts become letters. */
struct cutting	*cutting_new(struct view *v, struct filter *f, struct output *o, bool redacts);
/* Stop it, or take its result, and free it. Returns 0, ERR_IO and errno, or as excerpt_write(). */
int		 cutting_end(struct cutting *c, bool keep, struct excerpt_result *r);

#endif
