/*
 * What a terminal sends, as keys: each row in one piece, and byte by byte.
 */
#include "../support/test.h"
#include "tnav/base/text.h"
#include "ui/term/input.h"
#include "ui/term/key.h"

#define ALL(s)	s, sizeof(s) - 1

/* In words: keys by their names, ? for what is not known, 'a for a character that was pasted, ' for
   either end of a paste, and the mouse as what y x n. */
static const struct row {
	const char	*bytes;
	size_t		 len;
	const char	*words;
} rows[] = {
	{ ALL("aZ ~"), "a Z Space ~" },
	{ ALL("\001\004\032"), "Ctrl-A Ctrl-D Ctrl-Z" },
	{ ALL("\t\r\n\b\177"), "Tab Enter Enter Backspace Backspace" },
	{ ALL("\0"), "?" },
	{ ALL("\303\251\346\274\242\360\237\230\200"), "\303\251 \346\274\242 \360\237\230\200" },
	{ ALL("\303x"), "? x" },
	{ ALL("\346\274x"), "? ? x" },
	{ ALL("\377\301\200b"), "? ? ? b" },
	{ ALL("\303"), "?" },
	{ ALL("\033"), "Esc" },
	{ ALL("\033\033"), "Esc" },
	{ ALL("\033\033x"), "Esc x" },
	{ ALL("\033\033[A"), "Esc Up" },
	{ ALL("\033\033OA"), "Esc Up" },
	{ ALL("\0331\033x\033\303\251"), "Alt-1 Alt-x Alt-\303\251" },
	{ ALL("\033\r"), "Alt-Enter" },
	{ ALL("\033["), "Alt-[" },
	{ ALL("\033O"), "Alt-O" },
	{ ALL("\033]"), "Alt-]" },
	{ ALL("\033P"), "Alt-P" },
	{ ALL("\033[A\033OA\033[B\033OB\033[C\033OC\033[D\033OD"),
	    "Up Up Down Down Right Right Left Left" },
	{ ALL("\033[H\033OH\033[1~\033[F\033OF\033[4~"), "Home Home Home End End End" },
	{ ALL("\033[2~\033[3~\033[5~\033[6~\033[Z\033OM"), "Insert Delete PgUp PgDn S-Tab Enter" },
	{ ALL("\033[15~\033[24~"), "F5 ?" },
	{ ALL("\033[1;5Ax"), "? x" },
	{ ALL("\033[99"), "?" },
	{ ALL("\033[9\001x"), "? Ctrl-A x" },
	{ ALL("\033[?62;4cx"), "? x" },
	{ ALL("\033Oqx"), "? x" },
	{ ALL("\033]0;title\ax"), "? x" },
	{ ALL("\033]0;title\033\\x"), "? x" },
	{ ALL("\033]0;a\\b\033c\ax"), "? x" },
	{ ALL("\033Pq~A\033\\x"), "? x" },
	{ ALL("\033_a\a\033^b\ax"), "? ? x" },
	{ ALL("\033]0;no end"), "?" },
	{ ALL("\033[200~a\033[A\t\303\251\033[201~b"), "' 'a '\033 '[ 'A '\t '\303\251 ' b" },
	{ ALL("\033[200~\033[20\033[201~"), "' '\033 '[ '2 '0 '" },
	{ ALL("\033[200~\377\033[201~"), "' ' '" },
	{ ALL("\033[200~a"), "' 'a" },
	{ ALL("\033[<0;5;9M\033[<32;6;9M\033[<0;6;9m"), "press 8 4 0 drag 8 5 0 release 8 5 0" },
	{ ALL("\033[<64;1;1M\033[<65;12;34M"), "wheel 0 0 -1 wheel 33 11 1" },
	{ ALL("\033[<66;1;2M\033[<67;1;2M\033[<128;1;2M"), "other 1 0 0 other 1 0 0 other 1 0 0" },
	{ ALL("\033[<2;3;4M\033[<1;3;4M\033[<35;3;4M"), "release 3 2 0 release 3 2 0 release 3 2 0" },
	{ ALL("\033[<4;3;4M\033[<16;3;4M"), "press 3 2 0 press 3 2 0" },
	{ ALL("\033[<0;0;0M"), "press -1 -1 0" },
	{ ALL("\033[<0;5M\033[<0;5;9;1M\033[<0;x;9M"), "? ? ? ; 9 M" },
	{ ALL("\033[<0;5;9R"), "?" },
	{ ALL("\033[<0;99999999999;100001M"), "press 100000 999998 0" },
};

static const char *const	mouse_words[] = { "press", "drag", "release", "wheel", "other" };

static void
put(struct buf *b, const struct input *in)
{
	char	 utf8[4];
	bool	 pasted = in->kind == INPUT_PASTED;

	if (b->len > 0)
		buf_putc(b, ' ');
	if (in->kind == INPUT_MOUSE) {
		buf_printf(b, "%s %d %d %d", mouse_words[in->mouse.kind], in->mouse.y, in->mouse.x,
		    in->mouse.n);
	} else if (in->code == TK_UNKNOWN) {
		buf_putc(b, '?');
	} else if (!pasted) {
		key_write(b, in->code);
	} else {
		buf_putc(b, '\'');
		if (in->code > 0)
			buf_add(b, utf8, text_encode(in->code, utf8));
	}
}

/* In pieces of so many bytes. */
static const char *
decoded(const struct row *r, size_t piece)
{
	struct input_decoder	d;
	struct input		in;
	struct buf		*b = test_buf();

	input_init(&d);
	input_usual(&d);
	input_learn(&d, "\033[15~", TK_F5);
	for (size_t at = 0; at < r->len; at += piece) {
		size_t	len = r->len - at < piece ? r->len - at : piece;

		assert_int_equal(input_feed(&d, r->bytes + at, len), len);
		while (input_next(&d, false, &in) == INPUT_WHOLE)
			put(b, &in);
	}
	while (input_next(&d, true, &in) == INPUT_WHOLE)
		put(b, &in);
	return buf_str(b);
}

TEST(bytes_are_the_same_keys_however_they_are_cut)
{
	unsigned	failed = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t piece = 1; piece <= rows[i].len; piece++) {
			const char	*words = decoded(&rows[i], piece);

			if (strcmp(words, rows[i].words) == 0)
				continue;
			print_error("row %zu in pieces of %zu: \"%s\", not \"%s\"\n", i, piece,
			    words, rows[i].words);
			failed++;
		}
	assert_int_equal(failed, 0);
}
