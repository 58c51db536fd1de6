/*
 * The user's folders, by the XDG Base Directory Specification. A variable that is not an absolute
 * path counts as not set.
 */
#ifndef TNAV_IO_PATHS_H
#define TNAV_IO_PATHS_H

#include <stdbool.h>

#include "tnav/base/buf.h"

/* $XDG_CONFIG_HOME/tnav/NAME, or ~/.config/tnav/NAME. False: neither variable is set. */
bool	paths_config(struct buf *out, const char *name);
/*
 * $XDG_STATE_HOME/tnav, or ~/.local/state/tnav. make: create it if it does not exist. False:
 * neither variable is set, it can't be created, or the folder belongs to another user.
 */
bool	paths_state(struct buf *out, bool make);
/*
 * The folder in it for received traces, created if it does not exist. False: as paths_state(), or
 * other users can change it.
 */
bool	paths_live(struct buf *out);
/* The folder for short-lived files: $XDG_RUNTIME_DIR, $TMPDIR or /tmp. */
void	paths_moment(struct buf *out);

/* Expand a path that a user typed: a leading ~ or ~/ is $HOME. */
void	paths_expand(struct buf *out, const char *path);

/* Make the missing folders above a file that gets its name; that says what failed. */
void	paths_make_above(const char *path);

/* Call each for the entries of a folder except . and .., at most PATHS_LISTED of them. */
#define PATHS_LISTED	4096u
void	paths_list(const char *dir, void (*each)(void *arg, const char *name, bool folder),
	    void *arg);

#endif
