/*
 * Where there is little room a number is whole, or rounded and with its unit; never cut, never
 * blank.
 *
 * numbers.nettrace (V6): process 400000000 with threads 10 and 11 of 6,200 events each;
 * process and thread 4294967295 with 3 events. An event has 16 bytes of payload: 99,200 a thread,
 * 198,400 in the process.
 */
#include "../support/desk.h"
#include "../support/test.h"

#define NUMBERS	"tests/data/made/numbers.nettrace.zst"

/* ---- lanes */

/* The lane's count stands behind its name, whole or rounded. */
static void
need_count(struct desk *d, const char *who, const char *whole, const char *rounded)
{
	int		 y = memterm_find(d->m, who);
	const char	*rest;
	struct buf	*a = test_buf(), *b = test_buf();

	if (y < 0)
		fail_msg("no lane of %s:\n%s", who, memterm_text(d->m));
	buf_printf(a, " %s ", whole);
	buf_printf(b, " %s ", rounded);
	rest = strstr(memterm_line(d->m, y), who) + strlen(who) - 1;
	if (strstr(rest, buf_str(a)) == NULL && strstr(rest, buf_str(b)) == NULL)
		fail_msg("%s or %s is not the count of%s:\n%s", whole, rounded, who,
		    memterm_text(d->m));
}

TEST(the_counts_of_lanes_are_abbreviated_and_never_blank)
{
	struct desk	d;

	for (int cols = 64; cols <= 150; cols++) {
		d = desk_open(NUMBERS, 24, cols, cols % 2 != 0, NULL);
		desk_do(&d, "M-1");
		need_count(&d, "all ", "12,403", "12 k");
		need_count(&d, " 400000000 ", "12,400", "12 k");
		need_count(&d, "  10 ", "6,200", "6 k");
		need_count(&d, " process - ", "3", "3");
		if (cols >= 120)
			desk_need(&d, "process 400000000");
		need_count(&d, "   - ", "3", "3");
		desk_need_not(&d, "4294967295");
		desk_close(&d);
	}
}

/* ---- tables */

/* What a process has in all is wider than what each of its threads has. */
TEST(numbers_of_a_table_are_whole)
{
	static const char *const	shown[] = { "12,400", "198,400", "6,200", "99,200" };

	for (int cols = 70; cols <= 150; cols++) {
		struct desk	d = desk_open(NUMBERS, 24, cols, cols % 2 != 0, NULL);

		desk_do(&d, "M-5");
		for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
			if (memterm_find(d.m, i % 2 == 0 ? "events" : "  bytes") >= 0)
				desk_need(&d, shown[i]);
		desk_close(&d);
	}
}
