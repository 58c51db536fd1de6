/*
 * Hostile texts in every place that prints. On the terminal in memory each cell of each frame is
 * asked what it holds; through the real program, what bytes reach the terminal.
 */
#include <utf8proc.h>

#include "../support/desk.h"
#include "../support/frame_check.h"
#include "../support/hostile.h"
#include "../support/pty.h"
#include "../support/test.h"
#include "tnav/base/text.h"
#include "ui/draw/canvas.h"

#define MAX_COLS	200
#define ROWS		30

/* ---- in memory: memterm.c looks at every cell of every frame */

static void
resize(struct desk *d, int rows, int cols)
{
	memterm_resize(d->m, rows, cols);
	d->ui->timing.last_frame = 0;		/* the next frame is due at once */
	desk_rest(d);
}

/* What brings each place to the screen, and what leaves it. */
static const struct { const char *to, *from; } places[] = {
	{ "M-2", "" },				/* names, payloads, threads; the file's name */
	{ "M-1", "M-2" }, { "M-3", "q" }, { "M-4", "q" }, { "M-5", "q" }, { "M-6", "q" },
	{ "M-7", "q" }, { "!", "q" }, { "?", "q" },
	{ ": `filters` <Enter>", "q" }, { ": `columns` <Enter>", "q" }, { ": `marks` <Enter>", "q" },
	{ "f", "<Esc>" }, { "f `provider = ` <Tab>", "<Esc>" }, { ":", "<Esc>" },
	{ "/ `e` <Enter>", "<Esc>" },
	{ "f `payload.nonesuch = 1` <Enter>", "<Esc>" },
};

static void
all_places(struct desk *d, const char *path)
{
	unsigned	before = memterm_puts(d->m);

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		desk_do(d, places[i].to);
		for (int cols = 1; cols <= MAX_COLS; cols++)
			resize(d, ROWS, cols);
		resize(d, ROWS, 80);
		desk_do(d, places[i].from);
		assert_false(d->ui->quit);
	}
	if (memterm_puts(d->m) < before + MAX_COLS * sizeof places / sizeof *places)
		fail_msg("%s: only %u frames", path, memterm_puts(d->m) - before);
}

/* The details, stack and labels of every event, as wide as they get. */
static void
all_events(struct desk *d)
{
	resize(d, 50, MAX_COLS);
	desk_do(d, "M-2 g M-3 M-2");
	for (size_t n = 0; n < hostile_count(); n++)
		desk_do(d, "j");
	resize(d, ROWS, 53);
	for (size_t n = 0; n < hostile_count(); n++)
		desk_do(d, "k");
}

static void
in_memory(void (*make)(struct buf *), bool ascii)
{
	struct buf	trace = { 0 }, path = { 0 };
	struct desk	d;

	make(&trace);
	hostile_write(&trace, &path);
	d = desk_open(buf_str(&path), ROWS, 80, ascii, NULL);
	assert_int_equal(trace_rows(d.t), hostile_count());
	all_events(&d);
	all_places(&d, buf_str(&path));
	desk_close(&d);
	hostile_remove(&path);
	buf_release(&trace);
}

TEST(every_cell_is_printable_in_every_pane_at_every_width_v4)
{
	in_memory(hostile_v4, false);
}

TEST(every_cell_is_printable_in_every_pane_at_every_width_v6)
{
	in_memory(hostile_v6, false);
}

TEST(without_unicode_every_cell_is_ascii)
{
	in_memory(hostile_v6, true);
}

/* ---- what the program writes */

/* The end of a sequence that a terminal's description may have; NULL: it is none. */
static const uint8_t *
sequence_end(const uint8_t *p, const uint8_t *end)
{
	if (end - p < 2)
		return end;			/* it goes on in bytes not yet read */
	if (p[1] == '[') {
		for (p += 2; p < end && strchr("0123456789;?<=>", *p) != NULL && *p != 0; p++)
			;
		if (p == end)
			return end;
		return strchr("ABCDEGHJKLMPSTX@bdfhlmnrt", *p) != NULL ? p + 1 : NULL;
	}
	if (p[1] == '(' || p[1] == ')')
		return end - p < 3 || strchr("B0AU", p[2]) != NULL ? p + (end - p < 3 ? 2 : 3) : NULL;
	return strchr("78=>MDEH", p[1]) != NULL ? p + 2 : NULL;
}

static void
check_output(const void *bytes, size_t len, bool ascii)
{
	const uint8_t	*p = bytes, *end = p + len;

	assert_true(len > 0);
	while (p < end) {
		const uint8_t	*next;
		int32_t		 cp;

		if (*p == '\033') {
			next = sequence_end(p, end);
			if (next == NULL)
				fail_msg("a sequence of others: ESC %.8s", (const char *)p + 1);
			p = next;
			continue;
		}
		if (*p == '\r' || *p == '\n' || *p == '\b' || *p == '\t' || *p == 016 || *p == 017) {
			p++;		/* the cursor, and the other set of characters */
			continue;
		}
		next = p + text_decode(p, end, &cp);
		if (cp < 0 && end - p < 4)
			break;			/* cut where the reading ended */
		if (cp < 0 || (ascii && cp > '~') ||
		    (!frame_printable(cp) && utf8proc_charwidth(cp) != 0) || cp < ' ')
			fail_msg("byte %02x, U+%04X at %zu of %zu, after \"%.*s\"", *p, (unsigned)cp,
			    (size_t)(p - (const uint8_t *)bytes), len, 30, (const char *)p - 30);
		p = next;
	}
}

/* Until Esc is no part of Alt and the next key any more, on a busy machine, too. */
static void
rest(struct pty *p)
{
	(void)pty_drain(p, 200);
	pty_settle(p);
}

static void
through_the_program(void (*make)(struct buf *), bool ascii)
{
	static const char *const	keys[] = { "jjjjjjjj", "\033" "3", "\033" "2GKkkkkkkk", "\033" "5",
					    "qq", "!", "q", ":filter payload.x = \033[31m\r", "\033",
					    "fprovider = \t", "\033", "/.\r", "\033" "6", "z" };
	char		 locale[] = "LC_ALL=C";
	char		*env[] = { ascii ? locale : NULL, NULL };
	struct buf	 trace = { 0 }, path = { 0 };
	const void	*output;
	struct pty	*p;
	size_t		 len;

	make(&trace);
	hostile_write(&trace, &path);
	p = pty_tnav(NULL, buf_str(&path), 24, 80, env);
	pty_wait_text(p, "row 0");
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		pty_send(p, keys[i]);
		rest(p);
		if (i % 4 == 3)
			pty_resize(p, 24, 41 + 13 * (int)i);
	}
	pty_send(p, "\033");
	rest(p);
	pty_send(p, "Q");
	assert_int_equal(pty_wait_end(p, true), 0);
	output = pty_output(p, &len);
	check_output(output, len, ascii);
	pty_free(p);
	hostile_remove(&path);
	buf_release(&trace);
}

TEST(only_print_and_own_sequences_reach_the_terminal)
{
	through_the_program(hostile_v4, false);
	through_the_program(hostile_v6, false);
	through_the_program(hostile_v6, true);
}
