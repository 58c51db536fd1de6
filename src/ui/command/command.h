/*
 * Commands: everything that a person can do, in one table (table.c), from which come the
 * keys, the command line with its completion, the help pane and the keys of the man page.
 */
#ifndef UI_COMMAND_COMMAND_H
#define UI_COMMAND_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "ui/term/key.h"

struct ui;

struct command_call {
	int64_t		 count;		/* typed before the key; -1: none */
	const char	*arg;		/* after the name on the command line, or the second key
					   of m<Char>; "" when none */
	int64_t		 n;		/* the table's own */
};

/*
 * What a command does outside the viewer. Such a one runs when a person presses its key, types it,
 * or has written it into a script; never because of a text of a trace or of its kept state, which
 * reach no command at all, nor by the beginning of its name.
 */
enum command_does {
	DOES_RUN = 0x1,		/* programs */
	DOES_WRITE = 0x2,	/* files */
	DOES_READ = 0x4,	/* files */
};

struct command {
	const char	*name;
	const char	*keys;		/* names parted by blanks: "j <Down> yy m<Char>" */
	unsigned	 scope;		/* panes that it works in: SCOPE() of pane.h */
	const char	*args;		/* "ROW", or NULL when it takes none */
	const char	*group;
	const char	*hint;		/* one word for the bottom line, or NULL */
	const char	*help;		/* one sentence */
	void		(*run)(struct ui *ui, const struct command_call *call);
	int64_t		 n;		/* handed to run */
	unsigned	 does;		/* DOES_..., outside the viewer */
};

/* The table: for who stands above all commands. Others find it in the viewer's keymap. */
size_t			 command_count(void);
const struct command	*command_at(size_t i);

/*
 * The keys as they are bound in one viewer: what the user has bound, then the table's; the first
 * that fits is the one.
 */
struct binding {
	struct key_pair		 key;
	unsigned		 scope;
	const struct command	*cmd;		/* NULL: bound to nothing */
	char			*arg;		/* handed to it; or NULL */
};

struct keymap {
	const struct command	*command;	/* the table */
	size_t			 ncommands;
	struct binding		*v;
	size_t			 n, cap;
};

void	keymap_init(struct keymap *m, const struct command *command, size_t n);
void	keymap_release(struct keymap *m);
void	keymap_bind(struct keymap *m, struct key_pair key, unsigned scope,
	    const struct command *cmd, const char *arg);
/* then: TK_NONE for the first key. NULL: it is bound to nothing there. */
const struct binding *keymap_find(const struct keymap *m, int32_t key, int32_t then,
	    unsigned scope);
/* Is it the first of two keys there? */
bool	keymap_prefix(const struct keymap *m, int32_t key, unsigned scope);
/* The panes in which the key means something, as SCOPE() bits. */
unsigned keymap_scope(const struct keymap *m, int32_t key);
/* "j Down": at most max names; those that a pane of scope has. */
void	keymap_keys(const struct keymap *m, const struct command *cmd, unsigned scope, size_t max,
	    struct buf *out);

const struct command *command_by_name(const struct keymap *m, const char *name, size_t len);
/* The longest text that all commands beginning with the prefix share, and how many there are. */
size_t	command_complete(const struct keymap *m, const char *prefix, size_t len, struct buf *out);

#endif
