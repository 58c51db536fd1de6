/*
 * The bytes that a terminal sends, as keys: characters, named keys, mouse reports, pasted text.
 *
 *	input_init -> input_learn, input_usual -> { input_feed -> input_next ... }
 *
 * Nothing here waits or knows a terminal: who has no more bytes says for how long it waited by
 * asking again with last.
 */
#ifndef UI_TERM_INPUT_H
#define UI_TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/term/screen.h"

#define INPUT_SEQUENCE	15u		/* bytes of a key's sequence, at most */
#define INPUT_KEYS	96u		/* sequences that are known, at most */
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
	size_t			at, n;		/* those not yet decoded: bytes[at..n) */
	bool			pasting;
	size_t			skipped;	/* bytes of what means nothing so far; 0: none */
	bool			control;	/* how that ends: by a letter, */
	bool			escaped;	/* or by ESC \, of which ESC came just now */
};

enum input_state {
	INPUT_EMPTY,		/* there are no bytes */
	INPUT_PART,		/* there are, but a key may need more than these */
	INPUT_WHOLE,		/* *out is the next one */
};

void	input_init(struct input_decoder *d);	/* knows no sequence yet */
/* bytes mean the key; what is known already or does not fit is left out. */
void	input_learn(struct input_decoder *d, const char *bytes, int32_t key);
/* Learn what almost all terminals of today agree on. */
void	input_usual(struct input_decoder *d);
/* Add bytes; returns how many there was room for: all, after input_next() gave INPUT_EMPTY or
   INPUT_PART and as long as they are not more than half the buffer. */
size_t	input_feed(struct input_decoder *d, const void *bytes, size_t len);
/* The next input. last: no more bytes came for a while, so a part is all there is. */
enum input_state input_next(struct input_decoder *d, bool last, struct input *out);
/* Does it wait for what follows an ESC? That is a key of its own mostly. */
bool	input_at_escape(const struct input_decoder *d);

#endif
