/* Keys and their names, as used in the command table, in help and on the bottom line. */
#include "ui/term/key.h"

#include <stddef.h>
#include <string.h>

#include "tnav/base/text.h"

static const struct key_word {
	int32_t		 key;
	const char	*name;
} words[] = {
	{ TK_TAB, "Tab" }, { TK_ENTER, "Enter" }, { TK_ESC, "Esc" }, { TK_SPACE, "Space" },
	{ TK_UP, "Up" }, { TK_DOWN, "Down" }, { TK_LEFT, "Left" }, { TK_RIGHT, "Right" },
	{ TK_HOME, "Home" }, { TK_END, "End" }, { TK_PGUP, "PgUp" }, { TK_PGDN, "PgDn" },
	{ TK_INSERT, "Insert" }, { TK_DELETE, "Delete" }, { TK_BACKSPACE, "Backspace" },
	{ TK_BACKTAB, "S-Tab" },
	{ TK_F1, "F1" }, { TK_F2, "F2" }, { TK_F3, "F3" }, { TK_F4, "F4" }, { TK_F5, "F5" },
	{ TK_F6, "F6" }, { TK_F7, "F7" }, { TK_F8, "F8" }, { TK_F9, "F9" }, { TK_F10, "F10" },
	{ TK_F11, "F11" }, { TK_F12, "F12" }, { TK_ANY, "Char" },
};

static int32_t
parse_word(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i].name) == len && memcmp(words[i].name, name, len) == 0)
			return words[i].key;
	return TK_NONE;
}

int32_t
key_parse(const char *name, size_t len)
{
	const uint8_t	*p = (const uint8_t *)name;
	int32_t		 cp;

	if (len == 0)
		return TK_NONE;
	if (text_decode(p, p + len, &cp) == len)
		return cp;
	if (len == 3 && name[0] == 'C' && name[1] == '-')
		return KEY_CTRL(name[2]);
	if (len == 3 && name[0] == 'M' && name[1] == '-')
		return TK_ALT + name[2];
	if (len > 2 && name[0] == '<' && name[len - 1] == '>')
		return parse_word(name + 1, len - 2);
	return TK_NONE;
}

void
key_write(struct buf *out, int32_t key)
{
	char	utf8[4];

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].key == key) {
			buf_puts(out, words[i].name);
			return;
		}
	if (key > TK_ALT) {
		buf_puts(out, "Alt-");
		key_write(out, key - TK_ALT);
	} else if (key > 0 && key < ' ') {
		buf_puts(out, "Ctrl-");
		buf_putc(out, (char)(key + '@'));
	} else if (key >= TK_BASE || key < 0) {
		buf_puts(out, "this key");
	} else {
		buf_add(out, utf8, text_encode(key, utf8));
	}
}

/* The next name of a list. Returns its length, or 0 at the end. */
static size_t
next_name(const char **p, const char **from)
{
	*p += strspn(*p, " ");
	*from = *p;
	*p += strcspn(*p, " ");
	return (size_t)(*p - *from);
}

int32_t
key_next(const char **p)
{
	const char	*from;
	size_t		 len = next_name(p, &from);

	return key_parse(from, len);
}

/* ---- pairs of keys */

struct key_pair
key_pair_parse(const char *name, size_t len)
{
	struct key_pair	k = { key_parse(name, len), TK_NONE };
	size_t		first;

	/* Try all ways to split the name: <F1>x, C-xy, yy. */
	for (first = 1; k.key == TK_NONE && first < len; first++) {
		k.key = key_parse(name, first);
		k.then = k.key != TK_NONE ? key_parse(name + first, len - first) : TK_NONE;
		if (k.then == TK_NONE)
			k.key = TK_NONE;
	}
	return k;
}

struct key_pair
key_pair_next(const char **p)
{
	const char	*from;
	size_t		 len = next_name(p, &from);

	return key_pair_parse(from, len);
}

void
key_pair_write(struct buf *out, struct key_pair k)
{
	key_write(out, k.key);
	if (k.then != TK_NONE)
		key_write(out, k.then);
}
