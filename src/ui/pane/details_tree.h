/*
 * An event as lines of a tree. Each line has its name and value for the filter, and the bytes of
 * the payload that it was read from.
 */
#ifndef UI_PANE_DETAILS_TREE_H
#define UI_PANE_DETAILS_TREE_H

#include "tnav/base/limits.h"
#include "ui/view/view.h"

struct tree_text {
	uint32_t	at, len;	/* in the buffer */
};

struct tree_line {
	struct tree_text label, text;	/* displayed */
	struct tree_text name, value;	/* for filter terms; len 0: none */
	uint32_t	 off, len;	/* in the payload; len 0: none */
	uint16_t	 indent;
	uint8_t		 style;		/* of the text */
	bool		 opens;		/* the following lines with more indentation are inside
					   it */
	bool		 closed;	/* initially */
};

struct details_tree {
	struct tree_line *v;
	size_t		 n, cap;
	struct buf	 words, terms;
	struct span	 payload;
	/* During construction: */
	struct buf	 path;
	size_t		 path_len[LIMIT_NESTING + 3];
	uint64_t	 element[LIMIT_NESTING + 3];	/* number of the next element, by depth */
	size_t		 open[LIMIT_NESTING + 3];	/* lines of containers, by depth */
	uint32_t	 left_out;
};

void	tree_make(struct details_tree *t, struct view *v, const struct event *e);
void	tree_release(struct details_tree *t);
struct span tree_span(const struct buf *b, struct tree_text s);

#endif
