/*
 * The user's folders, by the XDG Base Directory Specification. A variable that is not an absolute
 * path counts as not set.
 */
#ifndef TNAV_IO_PATHS_H
#define TNAV_IO_PATHS_H

#include <stdbool.h>

#include "tnav/base/buf.h"

/* $XDG_CONFIG_HOME/tnav/NAME, or ~/.config/tnav/NAME. False: there is no place. */
bool	paths_config(struct buf *out, const char *name);
/*
 * $XDG_STATE_HOME/tnav, or ~/.local/state/tnav; made if need be when make is set. False: there is
 * no place, or it is a folder of somebody else.
 */
bool	paths_state(struct buf *out, bool make);
/*
 * The folder in it for what is received, made if need be. False: there is no place, or others can
 * change it.
 */
bool	paths_live(struct buf *out);
/* The folder for what is of this moment: $XDG_RUNTIME_DIR, $TMPDIR or /tmp. */
void	paths_moment(struct buf *out);

/* A path as a person types it: ~ and ~/ are $HOME. */
void	paths_expand(struct buf *out, const char *path);

/* The entries of a folder, at most PATHS_LISTED of them, but . and ..; folder: it is one itself. */
#define PATHS_LISTED	4096u
void	paths_list(const char *dir, void (*each)(void *arg, const char *name, bool folder),
	    void *arg);

#endif
