/* Lines on stderr. They may contain names from a trace, so they are cleaned. */
#ifndef TNAV_OUT_MESSAGE_H
#define TNAV_OUT_MESSAGE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/text.h"

/*
 * The form of all that is written to stderr, chosen once, before there are other threads. quiet:
 * no notes, and no progress unless it is requested. json: a line is an object, whose first key
 * says what it is: {"event":"progress"|"problem"|"note", ...}.
 */
void		message_begin(bool quiet, bool json);
/* All of it is about this process from now on: the key pid. */
void		message_about(uint64_t pid);
/* "tnav: " and the text as one clean line: a problem, or an answer. */
void		message_put(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void		message_vput(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
/* The same for what need not be known: what was written, what is waited for, hints. */
void		message_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* message_put() for each of these lines, all of which end, after whose they are and a colon. */
void		message_lines(const char *whose, const char *colon, const char *lines);
/* Which characters may be written to a terminal, or elsewhere, in this locale. */
enum text_mode	message_mode(bool tty);

/* "tnav: indexing 61 %" on stderr, over and over on one line of a terminal. */
struct progress_line {
	bool	wanted;		/* requested: shown at once, and also if stderr is a file */
	bool	tty;
	bool	shown;
	int64_t	begun, last;
	size_t	step, steps;	/* "2/12" is shown if there are several */
	size_t	cells;		/* width of the line on the screen */
	const char *work;	/* for JSON: one word for what is done; NULL: as it is told */
	bool	 counted;	/* so many events have been read, so many were lost: */
	uint64_t events, lost;
};
void		progress_init(struct progress_line *p, bool wanted);
/* How much of the total is done. total 0: unknown; done is then in bytes. */
void		progress_tick(struct progress_line *p, const char *what, uint64_t done,
		    uint64_t total);
/* In JSON only, at any time: a last line for work that has ended. done: bytes. */
void		progress_last(struct progress_line *p, uint64_t done);
void		progress_end(struct progress_line *p);	/* takes the line away */

#endif
