/* Structured text in an event: JSON, or key=value pairs. */
#ifndef UI_PANE_TEXT_TREE_H
#define UI_PANE_TEXT_TREE_H

#include <stdbool.h>

#include "tnav/base/cursor.h"

/* depth 0: outermost. An element has no key. An object or array, which opens, has no value. */
typedef void (*text_tree_fn)(void *arg, unsigned depth, struct span key, struct span value,
    bool opens);

/* Pass on every member in order. False: the text is not structured, and fn was not called. */
bool	text_tree(struct span text, text_tree_fn fn, void *arg);

#endif
