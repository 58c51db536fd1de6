/*
 * What no frame may contain: a character that is not to be seen, or a row whose cells do not add up
 * to the columns.
 */
#include "frame_check.h"

#include <utf8proc.h>

#include "asserts.h"
#include "memterm.h"
#include "tnav/base/buf.h"

/* Format characters of bidi and of no width, by number: the check must not trust a table. */
static bool
invisible(int32_t cp)
{
	return cp == 0xad || cp == 0x61c || cp == 0x180e || (cp >= 0x200b && cp <= 0x200f) ||
	    (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff ||
	    cp == 0x115f || cp == 0x1160 || cp == 0x3164 || cp == 0xffa0 || cp == 0x2800 ||
	    (cp >= 0xfe00 && cp <= 0xfe0f) || (cp >= 0xe0000 && cp <= 0xe0fff);
}

bool
frame_printable(int32_t cp)
{
	switch (utf8proc_category(cp)) {
	case UTF8PROC_CATEGORY_CC: case UTF8PROC_CATEGORY_CF: case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_CO: case UTF8PROC_CATEGORY_CN: case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return false;
	default:
		return cp >= ' ' && (cp < 0x7f || cp > 0x9f) && !invisible(cp);
	}
}

static void
bad_cell(const struct canvas *c, int y, int x, const char *why)
{
	struct buf	row = { 0 };

	canvas_row(c, y, &row);
	fail_msg("%s: U+%04X at %d, %d of %d columns: %s", why, (unsigned)canvas_at(c, y, x)->cp[0],
	    y, x, c->cols, buf_str(&row));
}

static void
check_cell(const struct canvas *c, int y, int x)
{
	const struct canvas_cell	*at = canvas_at(c, y, x);
	int			 cells = 0;

	if (at->width == 0) {
		if (x == 0 || canvas_at(c, y, x - 1)->width != 2)
			bad_cell(c, y, x, "half of nothing");
		return;
	}
	for (unsigned i = 0; i <= CELL_MARKS && at->cp[i] != 0; i++) {
		int	w = utf8proc_charwidth(at->cp[i]);

		if (!frame_printable(at->cp[i]) || (i > 0) != (w == 0) ||
		    (c->ascii && at->cp[i] > '~'))
			bad_cell(c, y, x, "not printable");
		cells += w;
	}
	if (cells != at->width || x + cells > c->cols)
		bad_cell(c, y, x, "not so wide as said");
}

void
frame_check(const struct canvas *c)
{
	for (int y = 0; y < c->rows; y++)
		for (int x = 0; x < c->cols; x++)
			check_cell(c, y, x);
}
