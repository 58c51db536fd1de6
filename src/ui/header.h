/*
 * The lines under the top line: the traced process, and the providers with their counts.
 */
#ifndef UI_HEADER_H
#define UI_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/view/change.h"

struct buf;
struct provider_count;
struct ui;

struct header {
	bool			 off;		/* by :set header */
	struct provider_count	*provider;	/* most events first */
	size_t			 n;
	struct view_changes	 seen;		/* when they were counted */
};

void	header_release(struct header *h);
/* The number of lines. alone: only the main pane is shown. */
int	header_lines(const struct ui *ui, bool alone);
void	header_draw(struct ui *ui, int y, int lines);
/* The process as one text, the most important first, for screens without these lines. */
void	header_text(struct ui *ui, struct buf *out);

#endif
