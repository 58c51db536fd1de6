/* Keys as numbers, and their names:  a  C-d  M-1  <Down>  <Space>  <F10>. */
#ifndef UI_TERM_KEY_H
#define UI_TERM_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"

/* A character is its code point (Ctrl-D is 4); other keys are above Unicode. */
enum {
	TK_NONE = 0,
	TK_TAB = '\t', TK_ENTER = '\r', TK_ESC = 27, TK_SPACE = ' ',
	TK_BASE = 0x110000,
	TK_UP, TK_DOWN, TK_LEFT, TK_RIGHT, TK_HOME, TK_END, TK_PGUP, TK_PGDN,
	TK_INSERT, TK_DELETE, TK_BACKSPACE, TK_BACKTAB,
	TK_F1, TK_F2, TK_F3, TK_F4, TK_F5, TK_F6, TK_F7, TK_F8, TK_F9, TK_F10, TK_F11, TK_F12,
	TK_UNKNOWN,		/* an unknown sequence, consumed as a whole */
	TK_ANY,			/* <Char>: any character, as the second of two keys */
	TK_ALT = 0x1000000,	/* added to a character */
};

#define KEY_CTRL(ch)	((ch) & 0x1f)

/* The key with this name; TK_NONE: none. */
int32_t	key_parse(const char *name, size_t len);
void	key_write(struct buf *out, int32_t key);
/* The next key of a list of names separated by blanks. *p moves on. TK_NONE at the end. */
int32_t	key_next(const char **p);

/* One key, or two in sequence: yy, m<Char>. */
struct key_pair {
	int32_t	key, then;	/* then: TK_NONE if it is one key */
};
/* key TK_NONE: an unknown name. */
struct key_pair	key_pair_parse(const char *name, size_t len);
struct key_pair	key_pair_next(const char **p);
void	key_pair_write(struct buf *out, struct key_pair k);

#endif
