/*
 * Names of stacks in the viewer: the pane, the details and what is copied have them as soon as they
 * have been read; each frame that has none says why; texts of a trace stay harmless.
 *
 * The trace is written here. At 0x1000 lies First until 2 ms, then Second; at 0x2000 a method with a
 * hostile name; at 0x3000 an async method; nothing at 0x9000.
 */
#include <unistd.h>

#include "../support/desk.h"
#include "../support/methods.h"
#include "../support/test.h"

#define HOSTILE	"a;b\n\033]52;c;x\007\tc"

static const uint64_t	stack[] = { 0x1004, 0x2005, 0x3006, 0x9001 };

static void
write_methods(FILE *f, bool named)
{
	struct methods_writer	m;

	methods_begin(&m, f, stack, 1, 4);
	if (named) {
		methods_say(&m, METHODS_LOAD, 1000, 0x1000, 16, 1, "Demo.A", "First",
		    "void  (int32)");
		methods_say(&m, METHODS_LOAD, 1000, 0x2000, 16, 2, "dynamicClass", HOSTILE,
		    "int32  ()");
		methods_say(&m, METHODS_LOAD, 1000, 0x3000, 16, 3, "Demo.A+<Work>d__1", "MoveNext",
		    "instance void  ()");
	}
	methods_plain(&m, 1500, 1);
	if (named) {
		methods_say(&m, METHODS_UNLOAD, 2000, 0x1000, 16, 1, "Demo.A", "First",
		    "void  (int32)");
		methods_say(&m, METHODS_LOAD, 2000, 0x1000, 16, 1, "Demo.A", "Second",
		    "void  (class System.String)");
	}
	methods_plain(&m, 2500, 1);
	methods_end(&m);
	nt4_release(&m.w);
}

static struct desk
open_named(bool named, char **path)
{
	FILE	*f;

	*path = strdup("/tmp/tnav-naming-XXXXXX");
	f = fdopen(mkstemp(*path), "w");
	assert_non_null(f);
	write_methods(f, named);
	assert_int_equal(fclose(f), 0);
	return desk_open(*path, 40, 100, false, NULL);
}

static void
close_named(struct desk *d, char *path)
{
	desk_close(d);
	unlink(path);
	free(path);
}

TEST(frames_are_called_as_at_the_time_of_the_event)
{
	char		*path;
	struct desk	 d = open_named(true, &path);

	desk_try(&d, "f `name = Made` <Enter> g M-4", "#0    Demo.A.First(int)");
	desk_need(&d, "#2    Demo.A.Work() [async]", "#3    0x0000000000009001");
	desk_need_not(&d, "Second");
	desk_try(&d, "M-2 j", "#0    Demo.A.Second(string)");
	desk_need_not(&d, "First");
	close_named(&d, path);
}

TEST(raw_names_and_copies)
{
	char		*path;
	struct desk	 d = open_named(true, &path);

	desk_do(&d, "f `name = Made` <Enter> g M-4 y s");
	assert_string_equal(memterm_copied(d.m), "Demo.A.First(int)\n"
	    "a;b\\n\\x1b]52;c;x\\x07\\tc() [dynamic]\nDemo.A.Work() [async]\n0x9001\n");
	desk_try(&d, "H", "Demo.A.First(int32)", "Demo.A+<Work>d__1.MoveNext()");
	desk_need(&d, "dynamicClass.a;b^J^[]52;c;x^G^Ic()");
	desk_do(&d, "y s");
	assert_string_equal(memterm_copied(d.m), "Demo.A.First(int32)\n"
	    "dynamicClass.a;b\\n\\x1b]52;c;x\\x07\\tc()\nDemo.A+<Work>d__1.MoveNext()\n0x9001\n");
	desk_try(&d, "H", "Demo.A.First(int)");
	close_named(&d, path);
}

/* Wherever frames are shown: clean at first, as the trace has them after H, and clean again. */
static void
check_clean_and_raw(struct desk *d, const char *keys)
{
	desk_try(d, keys, "Demo.A.First(int)");
	desk_need_not(d, "int32");
	desk_try_bottom(d, "H", "raw names");
	desk_need(d, "Demo.A.First(int32)");
	desk_try(d, "H", "Demo.A.First(int)");
	desk_need_not(d, "int32");
}

TEST(names_are_clean_or_raw_in_every_pane)
{
	char		*path;
	struct desk	 d = open_named(true, &path);

	desk_do(&d, "f `name = Made` <Enter> g");
	check_clean_and_raw(&d, ": `tally stack.method` <Enter>");
	check_clean_and_raw(&d, "q M-c z");
	check_clean_and_raw(&d, "q M-i z");
	check_clean_and_raw(&d, "q M-4 z");
	/* A frame in the details is one of the stack: what is asked for is the raw name. */
	desk_do(&d, "q M-2 g M-3 z");
	for (int i = 0; i < 40 && !desk_shows(&d, "\xe2\x96\xb8stack"); i++)
		desk_do(&d, "j");
	desk_do(&d, "l j");
	desk_try(&d, "H", "Demo.A.First(int32)");
	desk_try(&d, "H i", "stack.method = \"Demo.A.First(int32)\"");
	/* A column is of the same names. */
	desk_try(&d, "X M-2 : `columns time,stack.method` <Enter>", "[\"Demo.A.First(int)\",");
	desk_try(&d, "M-4 H M-2", "[\"Demo.A.First(int32)\",");
	close_named(&d, path);
}

TEST(a_frame_without_a_name_says_why)
{
	char		*path;
	struct desk	 d = open_named(false, &path);

	desk_try(&d, "g M-4", "#0    0x0000000000001004");
	desk_need(&d, "the trace has no method names (no rundown)");
	close_named(&d, path);
	d = open_named(true, &path);
	desk_do(&d, "f `name = Made` <Enter> g M-4 G");
	desk_need(&d, "0x0000000000009001  no rundown in the trace: earlier methods have no names");
	close_named(&d, path);
}

/* Code that is there only later names the frame as a guess, however long the name is. */
TEST(a_guess_is_marked_before_a_name_that_is_cut)
{
	char			*path = strdup("/tmp/tnav-naming-XXXXXX"), name[200];
	struct methods_writer	 m;
	struct desk		 d;
	FILE			*f = fdopen(mkstemp(path), "w");

	assert_non_null(f);
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	methods_begin(&m, f, stack, 1, 2);
	methods_plain(&m, 1500, 1);
	methods_say(&m, METHODS_LOAD, 2000, 0x1000, 16, 1, "Demo.A", name, "void  ()");
	methods_say(&m, METHODS_RUNDOWN, 2500, 0x2000, 16, 2, "Demo.A", "Known", "void  ()");
	methods_end(&m);
	nt4_release(&m.w);
	assert_int_equal(fclose(f), 0);
	d = desk_open(path, 24, 80, false, NULL);
	desk_try(&d, "g M-4", "#0  ? Demo.A.xxx", "a guess: this code was loaded later");
	desk_need(&d, "#1    Demo.A.Known()");
	desk_do(&d, "y s");
	assert_non_null(strstr(memterm_copied(d.m), "x() ?\nDemo.A.Known()\n"));
	close_named(&d, path);
}

/* What an event of .NET means is said where it is explained. */
TEST(an_event_of_the_runtime_is_explained_in_words)
{
	char		*path;
	struct desk	 d = open_named(true, &path);

	desk_try(&d, "g K", "means         ");
	desk_try_not(&d, "q f `name = Made` <Enter> g K", "means");
	close_named(&d, path);
}

/* Two keys from the first screen: the first exception, and its stack under the runtime's own. */
TEST(from_an_exception_to_the_method_that_threw_it)
{
	static const int	size[][2] = { { 24, 80 }, { 50, 200 } };

	for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
		struct desk	d = desk_open("tests/data/tour.nettrace.zst", size[i][0], size[i][1],
				    false, NULL);

		desk_need_not(&d, "Shop.Day");
		desk_try(&d, "e", "FileNo");
		desk_try(&d, "M-4", "#1    Shop.Day.Answer() [async]", "shop.dll");
		desk_close(&d);
	}
}

/* ---- a trace that grows */

#define METHODS		400u
#define TURNS		60000

/* A method after the other is loaded, and each makes an event at once. */
static size_t
write_growing(char **bytes)
{
	uint64_t		 stacks[METHODS];
	struct methods_writer	 m;
	size_t			 len;
	FILE			*f = open_memstream(bytes, &len);

	assert_non_null(f);
	for (uint32_t i = 0; i < METHODS; i++)
		stacks[i] = 0x10004 + i * 16;
	methods_begin(&m, f, stacks, METHODS, 1);
	for (uint32_t i = 0; i < METHODS; i++) {
		char	name[16];

		snprintf(name, sizeof name, "M%u", i);
		methods_say(&m, METHODS_LOAD, 1000 * (i + 1), 0x10000 + i * 16, 16, 1 + i, "Demo.A",
		    name, "void  ()");
		methods_plain(&m, 1000 * (i + 1) + 500, i + 1);
	}
	methods_end(&m);
	nt4_release(&m.w);
	assert_int_equal(fclose(f), 0);
	return len;
}

static void
append(const char *path, const char *bytes, size_t from, size_t to)
{
	FILE	*f = fopen(path, "ab");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes + from, 1, to - from, f), to - from);
	assert_int_equal(fclose(f), 0);
}

/* The stack of the last event that is there has the method that made it. */
static void
need_last_named(struct desk *d, size_t size)
{
	char	want[48];

	for (int i = 0; i < TURNS; i++) {
		d->ui->timing.last_frame = 0;
		ui_turn(d->ui);
		snprintf(want, sizeof want, "#0    Demo.A.M%u()",
		    (unsigned)view_count(&d->ui->v) - 1);
		if (trace_size(d->t) == size && d->ui->v.rests && ui_idle(d->ui)) {
			if (desk_shows(d, want))
				return;
			if (i % 50 == 0)
				desk_do(d, "M-2 G M-4");
		}
		usleep(1000);
	}
	fail_msg("%s is not there", want);
}

/* Names that are told of later are there while the file still grows, whether much or little came. */
TEST(names_come_with_what_is_followed)
{
	char		*bytes, *path = strdup("/tmp/tnav-naming-XXXXXX");
	size_t		 len = write_growing(&bytes), part[] = { len / 2, len * 9 / 10,
			    len * 93 / 100 };
	struct desk	 d;

	close(mkstemp(path));
	append(path, bytes, 0, part[0]);
	d = desk_open(path, 40, 100, false, NULL);
	desk_do(&d, "f `name = Made` <Enter> F M-4");
	need_last_named(&d, part[0]);
	append(path, bytes, part[0], part[1]);
	need_last_named(&d, part[1]);
	append(path, bytes, part[1], part[2]);
	need_last_named(&d, part[2]);
	close_named(&d, path);
	free(bytes);
}
