/* The events that a subcommand reads: those in the window that match the filter. */
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
	int64_t			 from, to;	/* ticks, half-open; INT64_MIN and INT64_MAX if
						   not given */
	bool			 noted;		/* a note about the filter was printed */
	uint64_t		 costly;	/* events that took the filter too much work in
						   passes */
};

/*
 * Needs the complete index. second: of side B, which may have a window of its own. Messages
 * begin with `where`. Returns 0, or EXIT_USAGE after a message.
 * Release it in both cases.
 */
int	selection_init(struct selection *sel, struct trace *t, const struct options *o,
	    bool second, struct expressions *x, const char *where);
/* Read a window, FROM..TO. Returns 0, or EXIT_USAGE after a message. */
int	selection_window(struct trace *t, const char *where, const char *option, const char *text,
	    int64_t *from, int64_t *to);
void	selection_release(struct selection *sel);
/* Are some events not selected? */
bool	selection_is_part(const struct selection *sel);
/* Say on stderr that the filter matches nothing, unless a note has explained why. */
void	selection_tell_none(const struct selection *sel, const char *where);
/* Say on stderr for which events the filter could not be decided. */
void	selection_tell(const struct selection *sel, const char *where);

#endif
