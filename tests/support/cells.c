/*
 * cells: what a terminal shows after some bytes, for the scripts.
 *
 *	cells ROWS COLS <BYTES >LINES
 *
 *	bytes -> libvterm -> cells -> one JSON array a line of the screen
 *
 * An array holds runs of cells that look alike, [column, text, foreground, background, looks]: the
 * colours "#rrggbb" or null for the terminal's own, the looks some of the letters b (bold), u
 * (underlined), r (reverse). Every cell is in one run; a wide character takes two.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vterm.h>

#include "tnav/base/buf.h"
#include "tnav/base/text.h"

#define MAX_SIDE	1000

struct look {
	char	fg[10], bg[10], letters[8];
};

static void
spell_colour(VTermScreen *s, VTermColor c, bool own, char out[10])
{
	if (own) {
		snprintf(out, 10, "null");
		return;
	}
	vterm_screen_convert_color_to_rgb(s, &c);
	snprintf(out, 10, "\"#%02x%02x%02x\"", c.rgb.red, c.rgb.green, c.rgb.blue);
}

static struct look
look_of(VTermScreen *s, const VTermScreenCell *cell)
{
	struct look	l;

	memset(&l, 0, sizeof l);
	spell_colour(s, cell->fg, VTERM_COLOR_IS_DEFAULT_FG(&cell->fg), l.fg);
	spell_colour(s, cell->bg, VTERM_COLOR_IS_DEFAULT_BG(&cell->bg), l.bg);
	snprintf(l.letters, sizeof l.letters, "%s%s%s", cell->attrs.bold ? "b" : "",
	    cell->attrs.underline ? "u" : "", cell->attrs.reverse ? "r" : "");
	return l;
}

static void
put_text(struct buf *out, const VTermScreenCell *cell)
{
	char	utf8[8];

	if (cell->chars[0] == 0)
		buf_putc(out, ' ');
	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i] != 0; i++) {
		uint32_t	c = cell->chars[i];

		if (c == UINT32_MAX)
			continue;
		if (c == '"' || c == '\\')
			buf_putc(out, '\\');
		if (c < ' ')
			buf_printf(out, "\\u%04x", c);
		else
			buf_add(out, utf8, text_encode((int32_t)c, utf8));
	}
}

static void
print_line(VTermScreen *s, int y, int cols)
{
	struct buf	text = { 0 };
	struct look	run, l;
	int		from = 0;

	printf("[");
	for (int x = 0; x <= cols;) {
		VTermScreenCell	cell;
		VTermPos	pos = { .row = y, .col = x };
		bool		end = x == cols || !vterm_screen_get_cell(s, pos, &cell);

		if (!end)
			l = look_of(s, &cell);
		if (text.len > 0 && (end || memcmp(&l, &run, sizeof l) != 0)) {
			printf("%s[%d,\"%s\",%s,%s,\"%s\"]", from > 0 ? "," : "", from, buf_str(&text),
			    run.fg, run.bg, run.letters);
			buf_clear(&text);
			from = x;
		}
		if (end)
			break;
		run = l;
		put_text(&text, &cell);
		x += cell.width > 1 ? cell.width : 1;
	}
	printf("]\n");
	buf_release(&text);
}

int
main(int argc, char **argv)
{
	int		 rows = argc == 3 ? (int)strtol(argv[1], NULL, 10) : 0;
	int		 cols = argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0;
	char		 bytes[65536];
	VTermScreen	*s;
	VTerm		*vt;
	size_t		 n;

	if (rows < 1 || rows > MAX_SIDE || cols < 1 || cols > MAX_SIDE) {
		fprintf(stderr, "usage: cells ROWS COLS <BYTES\n");
		return 2;
	}
	vt = vterm_new(rows, cols);
	vterm_set_utf8(vt, 1);
	s = vterm_obtain_screen(vt);
	vterm_screen_enable_altscreen(s, 1);
	vterm_screen_reset(s, 1);
	for (n = fread(bytes, 1, sizeof bytes, stdin); n > 0; n = fread(bytes, 1, sizeof bytes, stdin))
		vterm_input_write(vt, bytes, n);
	for (int y = 0; y < rows; y++)
		print_line(s, y, cols);
	vterm_free(vt);
	return 0;
}
