/*
 * Jobs that people open a trace for, and how many keys each takes. What must be on the screen
 * was counted from the JSON lines of the events by another program.
 *
 *	@ `2..3` <Enter>		6 keys: each key, and each character that is typed
 *	M-7  x				two blanks: looked at before the next key
 *
 * A job that takes more keys than it may is a failure, as is one that does not show what it is for.
 */
#include <unistd.h>

#include "../support/desk.h"
#include "../support/test.h"
#include "app/export.h"

#define TOUR	"tests/data/tour.nettrace.zst"
#define SHOWN	4

static const struct job {
	const char	*name, *keys;
	unsigned	 most;			/* keys */
	const char	*shows[SHOWN];
} jobs[] = {
	/* Thread 40 lost 9,421 events, at first 75 of them up to 3.227 364 s. */
	{ "the thread that lost most, and when", "M-5  }", 2,
	    { "9,421", "40: 75 events lost within 12.993 ms", "3.227 364" } },
	/* Thread 24 was silent for 3.178 555 531 s, up to row 29,111. */
	{ "the longest gap between two events of a thread", ">", 1,
	    { "\xe2\x86\x93" "delta", "3.179 s  3.299 017       24", "Method/JittingStarted" } },
	{ "types of exceptions in a window", "@ `2..3` <Enter>  M-8  e", 8,
	    { "Shop.OutOfStockException", "12", "Shop.PaymentException",
	    "13 failures of 4 types, seen 25" } },
	{ "one thread in 10 ms", "M-5  <Enter>  @ `3.2..+10ms` <Enter>", 14,
	    { "f: tid = 40", "92 of 56,443" } },
	{ "bytes allocated by type", "M-8  a", 2,
	    { "System.Byte[]", "32,445,656", "7,471,944" } },
	/* The first two exceptions: FileNotFound, then the next one thrown. */
	/* 309 ticks have this method as the innermost frame of Shop. */
	{ "bytes allocated by the program's method", "M-8  a  p", 3,
	    { "Shop.Day.Catalogue(int)", "32,918,064", "7,560,576" } },
	{ "two payloads compared", "e  M-d  e", 3, { "7 of 22 fields differ", "no such page",
	    "Shop.OutOfStock" } },
	{ "events whose payload matches", "/ `refused` <Enter>", 9,
	    { "/refused/  1 of 12", "2.273 620" } },
	{ "only events whose payload matches", "f `/refused/` <Enter>", 11,
	    { "f: /refused/", "12 of 56,443", "2.273 620" } },
	{ "noise out", "M-7  x", 2,
	    { "f: not name = \"Line\"", "37,827" } },
	/* The trace begins at 07:20:21.641 UTC; row 11,817 is the first from then on. */
	{ "a time of the clock", "@ `07:20:24` <Enter>", 10,
	    { "2.359 096", "row 11,817" } },
	{ "an exception, and the method that threw it", "e  M-4", 2,
	    { "Exception/Start", "FileNo", "Shop.Day.Answer" } },
	/* The slowest request is Request/Start in row 3,985: 563 events of its activity and below. */
	{ "the slowest request and all under it", "M-8  r  V", 3,
	    { "\xe2\x96\xb8" "1.549 892", "Request/Start", "563 of 56,443" } },
	/* Pauses at 2.634553 s, restarts in 21.285 ms. */
	{ "the longest pause, its reason, its parts and what ran then", "M-8  g", 2,
	    { "28.184 ms at 2.634 553 s", "InducedNoForce", "0.015+3.523+3.361+21.285",
	    "running then: System.Threading.LowLevelSpinWaiter.Wait(" } },
	{ "who threw most failures", "M-8  e", 2,
	    { "20 failures of 5 types, seen 38 times", "Shop.Day.Reserve(" } },
	/* Of 181 samples of thread 40, 23 are not later than 3.250784 s. */
	{ "a thread's flame graph in a range, against the rest",
	    "M-5  <Enter>  v  @ `3.25` <Enter>  v  M-i  _", 12,
	    { "range and rest", "181 (100.0 %)", "12.7 % in range" } },
	{ "noise out, and one step back", "M-7  x  X", 3, { "at least 56,443 events", "Line" } },
	{ "the time of the clock, copied", "t  y t", 3, { "07:20:21.729051751" } },
	{ "the middle", "5 0 %", 3,
	    { "3.226 566", "row 28,221" } },
};
#define JOBS	(sizeof jobs / sizeof *jobs)

static unsigned
count_keys(const char *s)
{
	unsigned	n = 0;
	bool		typed = false;

	for (; *s != '\0'; s++) {
		if (*s == '`')
			typed = !typed;
		else if (typed)
			n++;
		else if (*s != ' ' && (s[1] == ' ' || s[1] == '`' || s[1] == '\0'))
			n++;		/* the end of a key's name */
	}
	return n;
}

/* In the pieces between two blanks. */
static void
press(struct desk *d, const char *keys)
{
	const char	*gap = strstr(keys, "  ");
	struct buf	*first = test_buf();

	buf_add(first, keys, gap != NULL ? (size_t)(gap - keys) : strlen(keys));
	desk_do(d, buf_str(first));
	if (gap != NULL)
		press(d, gap + 2);
}

TEST(each_job_shows_what_it_is_for_in_few_keys)
{
	int	failed = 0;

	for (size_t i = 0; i < JOBS; i++) {
		const struct job	*j = &jobs[i];
		struct desk		 d = desk_open(TOUR, 24, 80, false, NULL);
		unsigned		 keys = count_keys(j->keys);

		press(&d, j->keys);
		print_message("%2u keys: %s: %s\n", keys, j->name, j->keys);
		if (keys > j->most) {
			print_error("%s: %u keys, %u at most\n", j->name, keys, j->most);
			failed++;
		}
		for (size_t k = 0; k < SHOWN && j->shows[k] != NULL; k++) {
			if (desk_shows(&d, j->shows[k]))
				continue;
			print_error("%s: not there: %s\n", j->name, j->shows[k]);
			fprintf(stderr, "%s\n", memterm_text(d.m));
			failed++;
		}
		desk_close(&d);
	}
	assert_int_equal(failed, 0);
}

/* Export what is listed, and be back where one was. */
TEST(export_and_come_back)
{
	char		 path[] = "/tmp/tnav-jobs-XXXXXX", line[1 << 16];
	struct ui_options o = { .export = &app_export };
	struct desk	 d = desk_open(TOUR, 24, 80, false, &o);
	struct buf	*keys = test_buf();
	int		 fd = mkstemp(path), n = 0;
	FILE		*f;

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(unlink(path), 0);
	desk_do(&d, "f `name = Exception/Start` <Enter>");
	buf_printf(keys, "j j P `%s.jsonl` <Enter>", path);
	desk_do(&d, buf_str(keys));
	print_message("%u keys and a name: export\n", count_keys("P <Enter>"));
	assert_non_null(strstr(desk_bottom(&d), "38"));
	desk_need(&d, "f: name = Exception/Start");
	assert_int_equal(d.ui->v.sel.row, 9411);
	desk_do(&d, "[");
	assert_null(d.ui->v.filter.text);
	buf_clear(keys);
	buf_printf(keys, "%s.jsonl", path);
	f = fopen(buf_str(keys), "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f) != NULL)
		n += strstr(line, "\"name\":\"Exception/Start\"") != NULL;
	fclose(f);
	assert_int_equal(n, 38);
	assert_int_equal(unlink(buf_str(keys)), 0);
}

static int
begin_group(void)
{
	setenv("TZ", "UTC", 1);
	return 0;
}

GROUP(begin_group, NULL)
