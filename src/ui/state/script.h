/*
 * The language of scripts: tnavrc, -x, what :save-session writes, the line after ":".
 *
 *	filter name = "GC ; x" ; row 3		two commands
 *	# a comment ; to the end of its line
 *	note $'two\nlines'			an argument as a whole between $' and '
 *
 * A line holds one command or several parted by " ; ". Quotes keep a " ; " together: "..." with \
 * before a quote that is meant, '...' without, $'...' with \n \t \\ \' and \xHH. A quote opens
 * only where a word begins and only if it closes on the same line, so that "it's" is no quote.
 */
#ifndef UI_STATE_SCRIPT_H
#define UI_STATE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"

/* A script that runs command by command, once the index is complete. */
struct script_run {
	struct buf	 text;
	size_t		 at;			/* byte of the next command */
	unsigned	 line;			/* and the number of its line */
};

/*
 * Put the next command into out, without the blanks around it; *at is the number of its line. *s
 * moves past it, and *line counts on the lines that were passed. Comments and empty commands are
 * left out. False: there is none.
 */
bool	script_next(const char **s, unsigned *line, unsigned *at, struct buf *out);
/* Append an argument as it is meant: what stands between $' and ', anything else as it is. */
void	script_unquote(struct buf *out, const char *arg);
/* Append an argument in such a way that script_next() keeps it whole and script_unquote() gives
   every byte of it back. */
void	script_quote(struct buf *out, const char *arg);

#endif
