/*
 * What a terminal sends, as keys: in one piece, byte by byte, and in pieces of all sizes.
 */
#include "../support/cases.h"
#include "tnav/base/text.h"
#include "ui/term/input.h"
#include "ui/term/key.h"

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
decoded(struct span bytes, size_t piece)
{
	struct input_decoder	d;
	struct input		in;
	struct buf		*b = test_buf();

	input_init(&d);
	input_usual(&d);
	input_learn(&d, "\033[15~", TK_F5);
	for (size_t at = 0; at < bytes.len; at += piece) {
		size_t	len = bytes.len - at < piece ? bytes.len - at : piece;

		assert_int_equal(input_feed(&d, (const char *)bytes.p + at, len), len);
		while (input_next(&d, false, &in) == INPUT_WHOLE)
			put(b, &in);
	}
	while (input_next(&d, true, &in) == INPUT_WHOLE)
		put(b, &in);
	return buf_str(b);
}

/* However they are cut they are the same. */
CASE(keys)
{
	buf_puts(out, decoded(arg[0], 1));
	for (size_t piece = 2; piece <= arg[0].len; piece++)
		assert_string_equal(decoded(arg[0], piece), buf_str(out));
}

CASES("keys.txt", 45)
