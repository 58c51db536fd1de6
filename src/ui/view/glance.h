/*
 * What matches in the rows on the screen, asked between keys: which colour rule a row follows,
 * and where the searched pattern stands in a line. Whoever draws is told what is known; what isn't
 * is looked at meanwhile, and the frame is drawn anew when it has come (glance_pending()).
 */
#ifndef UI_VIEW_GLANCE_H
#define UI_VIEW_GLANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/cursor.h"
#include "tnav/engine/filter.h"

struct glance;

struct glance	*glance_new(struct trace *t);
void		 glance_free(struct glance *g);

/* One more rule, after those that there are; takes f. */
void		 glance_add_rule(struct glance *g, struct filter *f);
/* The pattern that is searched for; NULL: none. The same again changes nothing. */
void		 glance_set_pattern(struct glance *g, const char *pattern);

/* The first rule that the row follows; -1: none, or it is not known yet. */
int		 glance_rule(struct glance *g, uint64_t row);

#define GLANCE_SPANS	16u

struct glance_span {
	uint16_t	from, to;
};

/* Where the pattern stands in a line, at most GLANCE_SPANS of them; -1: not known yet. */
int		 glance_find(struct glance *g, struct span line,
		    struct glance_span out[GLANCE_SPANS]);

/* g may be NULL. */
bool		 glance_pending(const struct glance *g);
void		 glance_wait(struct glance *g, int64_t budget_ns);	/* until all is known */

#endif
