/*
 * The language of scripts: tnavrc, -x, files written by :save-session, the line after ":".
 *
 *	filter name = "GC ; x" ; row 3		two commands
 *	# a comment ; to the end of its line
 *	note $'two\nlines'			an argument between $' and '
 *
 * A line has one command, or several separated by " ; ". A " ; " inside quotes does not separate:
 * "..." with \" for a quote, '...' without escapes, $'...' with \n \t \\ \' and \xHH. A quote
 * begins only at the start of a word, and only if it ends on the same line, so "it's" has no quote.
 */
#ifndef UI_STATE_SCRIPT_H
#define UI_STATE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"

/* A script that is run command by command, once the index is complete. */
struct script_run {
	struct buf	 text;
	size_t		 at;			/* offset of the next command */
	unsigned	 line;			/* the number of its line */
};

/*
 * Put the next command into out, without surrounding blanks. *at is the number of its line. *s
 * moves past it, and *line counts the passed lines. Comments and empty commands are skipped. False:
 * there are no more.
 */
bool	script_next(const char **s, unsigned *line, unsigned *at, struct buf *out);
/* Append the meaning of an argument: the text between $' and ', or the argument unchanged. */
void	script_unquote(struct buf *out, const char *arg);
/* Append an argument so that script_next() keeps it together and script_unquote() restores every
   byte. */
void	script_quote(struct buf *out, const char *arg);

#endif
