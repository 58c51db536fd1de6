/*
 * The bytes that a terminal sends, as keys: characters, named keys, mouse reports, pasted text.
 *
 *	input_init -> input_learn, input_usual -> { input_feed -> input_next ... }
 *
 * This module neither waits nor reads. A caller that has waited for more bytes in vain sets `last`.
 */
#ifndef UI_TERM_INPUT_H
#define UI_TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/term/screen.h"

#define INPUT_SEQUENCE	15u		/* greatest length of a key's sequence */
#define INPUT_KEYS	96u		/* greatest number of known sequences */
#define INPUT_BUFFER	512u

struct input_sequence {
	uint8_t	bytes[INPUT_SEQUENCE];
	uint8_t	len;
	int32_t	key;
};

struct input_decoder {
	struct input_sequence	key[INPUT_KEYS];
	size_t			nkeys;
	uint8_t			bytes[INPUT_BUFFER];
	size_t			at, n;		/* not decoded yet: bytes[at..n) */
	bool			pasting;
	size_t			skipped;	/* bytes of an unknown input so far; 0: none */
	bool			control;	/* it ends with a letter; else */
	bool			escaped;	/* with ESC \, whose ESC was the last byte */
};

enum input_state {
	INPUT_EMPTY,		/* no bytes left */
	INPUT_PART,		/* some bytes, but a key may need more */
	INPUT_WHOLE,		/* *out is the next input */
};

void	input_init(struct input_decoder *d);	/* no sequence is known yet */
/* Learn that bytes mean the key. A known sequence, or one that does not fit, is ignored. */
void	input_learn(struct input_decoder *d, const char *bytes, int32_t key);
/* Learn the sequences that almost all terminals share. */
void	input_usual(struct input_decoder *d);
/* Add bytes. Returns how many fit: all, if input_next() has returned INPUT_EMPTY or INPUT_PART
   and they are at most half of the buffer. */
size_t	input_feed(struct input_decoder *d, const void *bytes, size_t len);
/* Get the next input. last: no bytes arrived for a while, so an incomplete key is complete. */
enum input_state input_next(struct input_decoder *d, bool last, struct input *out);
/* Does it wait for the bytes after an ESC? Usually that is the key Esc. */
bool	input_at_escape(const struct input_decoder *d);

#endif
