/*
 * Text of an event that has a structure of its own: JSON, or key=value pairs.
 */
#ifndef UI_PANE_TEXT_TREE_H
#define UI_PANE_TEXT_TREE_H

#include <stdbool.h>

#include "tnav/base/cursor.h"

/* depth 0: the outermost. An element has no key; an object or an array, which opens, no value. */
typedef void (*text_tree_fn)(void *arg, unsigned depth, struct span key, struct span value,
    bool opens);

/* Give every member in order. False: the text is no such thing, and fn was not called. */
bool	text_tree(struct span text, text_tree_fn fn, void *arg);

#endif
