/*
 * Which events a subcommand is asked for: those that match the filter, in the window of time.
 */
#ifndef APP_SELECTION_H
#define APP_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "app/expressions.h"
#include "app/options.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"

struct selection {
	struct filter		*filter;	/* or NULL */
	struct filter_eval	*eval;
	bool			 has_from, has_to;
	int64_t			 from, to;	/* ticks, half-open; else the ends of time */
	bool			 noted;		/* something was said of the filter */
	uint64_t		 costly;	/* events that passes found it too costly on */
};

/*
 * Needs the complete index. Messages begin with where. 0, or EXIT_USAGE after a message; release it
 * in both cases.
 */
int	selection_init(struct selection *sel, struct trace *t, const struct options *o,
	    const struct expressions *x, const char *where);
/* Read a window, FROM..TO. 0, or EXIT_USAGE after a message. */
int	selection_window(struct trace *t, const char *where, const char *option, const char *text,
	    int64_t *from, int64_t *to);
void	selection_release(struct selection *sel);
/* Is only a part of the events selected? */
bool	selection_is_part(const struct selection *sel);
/* Say on stderr that the filter matches nothing, unless what was said of it tells why. */
void	selection_tell_none(const struct selection *sel, const char *where);
/* Say on stderr which events the filter could not decide in full. */
void	selection_tell(const struct selection *sel, const char *where);

#endif
