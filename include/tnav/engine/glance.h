/*
 * Matches in a few rows and lines, such as those on the screen: which rule matches a row first, and
 * where a pattern is in a line. A caller gets what is known. The rest is computed in a task, and
 * the caller asks again afterwards (glance_pending()).
 */
#ifndef TNAV_ENGINE_GLANCE_H
#define TNAV_ENGINE_GLANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/cursor.h"
#include "tnav/engine/filter.h"

struct glance;

struct glance	*glance_new(struct trace *t);
void		 glance_free(struct glance *g);

/* Add a rule after the others. Takes f. */
void		 glance_add_rule(struct glance *g, struct filter *f);
/* Set the searched pattern; NULL: none. Setting the same one again has no effect. */
void		 glance_set_pattern(struct glance *g, const char *pattern);

/* The first rule that matches the row; -1: none, or not known yet. */
int		 glance_rule(struct glance *g, uint64_t row);

#define GLANCE_SPANS	16u

struct glance_span {
	uint16_t	from, to;
};

/* The places of the pattern in a line, at most GLANCE_SPANS; -1: not known yet. */
int		 glance_find(struct glance *g, struct span line,
		    struct glance_span out[GLANCE_SPANS]);

/* g may be NULL. */
bool		 glance_pending(const struct glance *g);
void		 glance_wait(struct glance *g, int64_t budget_ns);	/* until everything is
									   known */

#endif
