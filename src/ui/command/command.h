/*
 * Commands: everything that the user can do, in one table (commands.tsv). The keys, the command
 * line with its completion, the help pane and the keys of the man page are made from it.
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
					   of m<Char>; "" if none */
	int64_t		 n;		/* from the table */
};

/*
 * What a command does outside the viewer. Such a command runs only if the user presses its key,
 * types it, or has written it into a script. It never runs because of text in a trace or in saved
 * state, and its name cannot be abbreviated.
 */
enum command_does {
	DOES_RUN = 0x1,		/* run programs */
	DOES_WRITE = 0x2,	/* write files */
	DOES_READ = 0x4,	/* read files */
};

struct command {
	const char	*name;
	const char	*keys;		/* key names separated by blanks: "j <Down> yy m<Char>" */
	unsigned	 scope;		/* panes in which it works: SCOPE() of pane.h */
	const char	*args;		/* such as "ROW", or NULL: no argument */
	const char	*group;
	const char	*hint;		/* one word for the bottom line, or NULL */
	const char	*help;		/* one sentence */
	void		(*run)(struct ui *ui, const struct command_call *call);
	int64_t		 n;		/* passed to run */
	unsigned	 does;		/* DOES_... outside the viewer */
	bool		 unlisted;	/* the palette leaves it out: people use its key, a script
					   its name */
};

extern const struct command	command_table[];	/* commands.tsv */
extern const size_t		command_ntable;

/* The key bindings of one viewer: the user's, then the table's. The first match is used. */
struct binding {
	struct key_pair		 key;
	unsigned		 scope;
	const struct command	*cmd;		/* NULL: unbound */
	char			*arg;		/* passed to it; or NULL */
};

struct keymap {
	struct binding		*v;
	size_t			 n, cap;
};

void	keymap_init(struct keymap *m);
void	keymap_release(struct keymap *m);
void	keymap_bind(struct keymap *m, struct key_pair key, unsigned scope,
	    const struct command *cmd, const char *arg);
/* then: TK_NONE for the first key. NULL: nothing is bound. */
const struct binding *keymap_find(const struct keymap *m, int32_t key, int32_t then,
	    unsigned scope);
/* Is it the first key of a pair? */
bool	keymap_prefix(const struct keymap *m, int32_t key, unsigned scope);
/* The panes in which the key means something, as SCOPE() bits. */
unsigned keymap_scope(const struct keymap *m, int32_t key);
/* "j Down": at most `max` names, for the panes in scope. */
void	keymap_keys(const struct keymap *m, const struct command *cmd, unsigned scope, size_t max,
	    struct buf *out);
/* The first of them. False: there is none. */
bool	keymap_key(const struct keymap *m, const struct command *cmd, unsigned scope,
	    struct key_pair *out);

const struct command *command_by_name(const char *name, size_t len);
/* The longest common beginning of all commands that begin with the prefix, and their number. */
size_t	command_complete(const char *prefix, size_t len, struct buf *out);

#endif
