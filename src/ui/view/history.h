/* The history of places, for [ and ]. */
#ifndef UI_VIEW_HISTORY_H
#define UI_VIEW_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct view;

struct position {
	bool		 whole, has_sel;
	int64_t		 from, to, ts;
	uint64_t	 off;
	char		*filter;		/* or NULL */
};

struct positions {
	struct position	*v;
	size_t		 n, cap;
};

struct view_history {
	struct positions	 back, forward;
};

void	view_history_release(struct view_history *h);
void	view_remember(struct view *v);
/* Take the previous (forward: next) place. The caller owns it. False: there is none. */
bool	view_take_place(struct view *v, bool forward, struct position *out);

#endif
