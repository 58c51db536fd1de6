/*
 * Colour rules: expressions of the filter language, each with the look of the rows it matches.
 */
#ifndef UI_VIEW_RULES_H
#define UI_VIEW_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "ui/draw/canvas.h"

struct view;
struct glance;
struct color_rule;

struct rules {
	struct color_rule	*v;
	size_t			 n, cap;
	struct glance		*glance;	/* NULL: there never was a rule */
};

void	rules_release(struct rules *r);
/* "tid = 25 red": the last word is the colour. False: why says what is wrong. */
bool	rules_add(struct rules *r, struct view *v, const char *line, struct buf *why);
/* The look that the first rule that matches gives; false: none does, or it is not known yet. */
bool	rules_style(struct rules *r, uint64_t row, enum style *st);
/* Rule i of n as rules_add() reads it. */
void	rules_text(const struct rules *r, size_t i, struct buf *out);

#endif
