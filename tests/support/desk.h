/*
 * A viewer on a terminal in memory, with a trace of tests/data on it.
 */
#ifndef TNAV_TESTS_DESK_H
#define TNAV_TESTS_DESK_H

#include <stdbool.h>
#include <stdint.h>

#include "memterm.h"
#include "tnav/engine/trace.h"
#include "ui/shell.h"

struct desk {
	struct trace	*t;
	struct memterm	*m;
	struct ui	*ui;
};

/* path: in the source tree, or absolute. o: NULL for none. */
struct desk	desk_open(const char *path, int rows, int cols, bool ascii,
		    const struct ui_options *o);
/* With this limit of the cache of views. */
struct desk	desk_open_cached(const char *path, int rows, int cols, size_t cache_bytes);
void		desk_close(struct desk *d);
void		desk_rest(struct desk *d);	/* turn until there is nothing to do */
/* Keys by name; text between backquotes is typed: "f `tid = 6` <Enter>". */
void		desk_do(struct desk *d, const char *script);
bool		desk_shows(struct desk *d, const char *text);
void		desk_need(struct desk *d, const char *text);
void		desk_need_not(struct desk *d, const char *text);
const char	*desk_bottom(struct desk *d);	/* the bottom line */
void		desk_need_bottom(struct desk *d, const char *text);
/* What a file of the folder holds, as text, until the next call; "": there is none. */
const char	*desk_file(const char *folder, const char *name);

#endif
