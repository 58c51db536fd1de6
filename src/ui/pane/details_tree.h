/*
 * All that is known of one event as lines of a tree, each with what it is to the filter and which
 * bytes of the payload it was read from.
 */
#ifndef UI_PANE_DETAILS_TREE_H
#define UI_PANE_DETAILS_TREE_H

#include "tnav/base/limits.h"
#include "ui/view/view.h"

struct tree_text {
	uint32_t	at, len;	/* in the buffer */
};

struct tree_line {
	struct tree_text label, text;	/* of words */
	struct tree_text name, value;	/* of terms: for the filter; len 0: none */
	uint32_t	 off, len;	/* bytes of the payload; len 0: none */
	uint16_t	 indent;
	uint8_t		 style;		/* of the text */
	bool		 opens;		/* the next lines that are indented more are its own */
	bool		 closed;	/* at first */
};

struct tree {
	struct tree_line *v;
	size_t		 n, cap;
	struct buf	 words, terms;
	struct span	 payload;
	/* While it is made: */
	struct buf	 path;
	size_t		 path_len[LIMIT_NESTING + 3];
	uint64_t	 element[LIMIT_NESTING + 3];	/* the next one's number, by depth */
	size_t		 open[LIMIT_NESTING + 3];	/* lines of containers, by depth */
	uint32_t	 left_out;
};

void	tree_make(struct tree *t, struct view *v, const struct event *e);
void	tree_release(struct tree *t);
struct span tree_span(const struct buf *b, struct tree_text s);

#endif
