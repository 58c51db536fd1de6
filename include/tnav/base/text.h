/*
 * Text of unknown origin: conversions to UTF-8, and the only way for it to reach a
 * terminal (text_clean). Categories and widths come from utf8proc, never from the locale.
 */
#ifndef TNAV_BASE_TEXT_H
#define TNAV_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

/* Append as valid UTF-8: lone surrogates and bad bytes become U+FFFD, a NUL stays a NUL. */
void	text_from_utf16(struct buf *out, struct span utf16le);	/* an odd last byte: U+FFFD */
void	text_from_utf8(struct buf *out, struct span bytes);

/*
 * Decode one scalar value at p (p < end). Returns the bytes it takes (>= 1); *cp is -1 for a bad
 * byte, which takes 1.
 */
unsigned text_decode(const uint8_t *p, const uint8_t *end, int32_t *cp);
unsigned text_encode(int32_t cp, char out[4]);			/* bytes written */
/* The first byte of [p, end) that is not ASCII, or end: most text has none. */
const uint8_t *text_skip_ascii(const uint8_t *p, const uint8_t *end);

enum text_mode {
	TEXT_UTF8,	/* printable characters as they are */
	TEXT_ASCII,	/* everything outside ASCII as <U+XXXX> */
};

/*
 * A piece of cleaned text: cells of a screen in a row. Pieces with escaped set are the program's
 * own spelling of something that is not printed as it is (^[, <U+202E>), to be shown in another
 * style so that a literal "^[" in the data can't be confused with one.
 */
struct text_piece {
	const char	*p;		/* UTF-8, borrowed from the call's scratch */
	size_t		 len;
	unsigned	 cells;		/* width: 1 or 2 for a character, more for escaped text */
	bool		 escaped;
};

/*
 * The allow-list, stateless by code point: printable, assigned characters of width 1 and 2 as
 * they are, up to 4 nonspacing marks on a base; controls as ^X; everything else (C1, bidi,
 * zero-width, private use, unassigned, fillers, odd blanks, bad bytes) as <U+XXXX> or <XX>.
 * One call gives the piece at *p and moves *p on; false at the end. len of the piece > 0 always.
 */
struct text_scratch { char b[32]; };
bool	text_next(const uint8_t **p, const uint8_t *end, enum text_mode mode,
	    struct text_scratch *scratch, struct text_piece *out);

/*
 * Append s cleaned and clipped to max_cells (SIZE_MAX: no clip). Cut text ends in U+2026 (or
 * '~' in TEXT_ASCII), counted in the cells. Returns the cells used.
 */
size_t	text_clean(struct buf *out, struct span s, enum text_mode mode, size_t max_cells);
bool	text_same(const char *a, const char *b);		/* NULL only equals NULL */
bool	text_is_clean(const char *s, size_t len);	/* would text_clean() leave it as it is? */
size_t	text_width(struct span s, enum text_mode mode);	/* cells of the cleaned text */
/*
 * How many bytes of s fit on a line of so many cells. A line is broken after a word, or after one
 * of - . / within a word; else before a capital (WordsLikeThis); else anywhere, after at least one
 * character. The blanks after it belong to no line.
 */
size_t	text_line(struct span s, enum text_mode mode, size_t cells);
/* Does a file's name end so, in any case, after something else? */
bool	text_has_ending(struct span name, const char *ending);
const char *text_base_name(const char *path);	/* what follows its last slash */
/* Append one word for the shell. $'...' is used only if some byte cannot be pasted safely. */
void	text_shell(struct buf *out, const char *s);
void	text_quote(struct buf *out, const char *s);	/* ... of any, within '...', as it is */
/* What follows a line of so many bytes. */
struct span text_rest(struct span s, size_t line);

/* A finite number as the invariant culture writes it, and nothing else. */
bool	 text_number(struct span text, double *v);

#endif
