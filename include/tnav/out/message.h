/* Lines on stderr. They may contain names from a trace, so they are cleaned. */
#ifndef TNAV_OUT_MESSAGE_H
#define TNAV_OUT_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/text.h"

/* "tnav: " and the text as one clean line. */
void		message_put(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
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
};
void		progress_init(struct progress_line *p, bool wanted);
/* How much of the total is done. total 0: unknown; done is then in bytes. */
void		progress_tick(struct progress_line *p, const char *what, uint64_t done,
		    uint64_t total);
void		progress_end(struct progress_line *p);	/* takes the line away */

#endif
