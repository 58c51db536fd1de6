/*
 * Names of stacks in the viewer: the pane, the details and what is copied have them as soon as they
 * have been read; each frame that has none says why; texts of a trace stay harmless.
 *
 * The trace is written here. At 0x1000 lies First until 2 ms, then Second; at 0x2000 a method with a
 * hostile name; at 0x3000 an async method; nothing at 0x9000.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../support/desk.h"
#include "../support/methods.h"

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

static void
test_frames_are_called_as_at_the_time_of_the_event(void **state)
{
	char		*path;
	struct desk	 d = open_named(true, &path);

	(void)state;
	desk_do(&d, "f `name = Made` <Enter> g M-4");
	desk_need(&d, "#0    Demo.A.First(int)");
	desk_need(&d, "#2    Demo.A.Work() [async]");
	desk_need(&d, "#3    0x0000000000009001");
	desk_need_not(&d, "Second");
	desk_do(&d, "M-2 j");
	desk_need(&d, "#0    Demo.A.Second(string)");
	desk_need_not(&d, "First");
	close_named(&d, path);
}

static void
test_raw_names_and_copies(void **state)
{
	char		*path;
	struct desk	 d = open_named(true, &path);

	(void)state;
	desk_do(&d, "f `name = Made` <Enter> g M-4 y s");
	assert_string_equal(memterm_copied(d.m), "Demo.A.First(int)\n"
	    "a;b\\n\\x1b]52;c;x\\x07\\tc() [dynamic]\nDemo.A.Work() [async]\n0x9001\n");
	desk_do(&d, "H");
	desk_need(&d, "Demo.A.First(int32)");
	desk_need(&d, "Demo.A+<Work>d__1.MoveNext()");
	desk_need(&d, "dynamicClass.a;b^J^[]52;c;x^G^Ic()");
	desk_do(&d, "y s");
	assert_string_equal(memterm_copied(d.m), "Demo.A.First(int32)\n"
	    "dynamicClass.a;b\\n\\x1b]52;c;x\\x07\\tc()\nDemo.A+<Work>d__1.MoveNext()\n0x9001\n");
	desk_do(&d, "H");
	desk_need(&d, "Demo.A.First(int)");
	close_named(&d, path);
}

static void
test_a_frame_without_a_name_says_why(void **state)
{
	char		*path;
	struct desk	 d = open_named(false, &path);

	(void)state;
	desk_do(&d, "g M-4");
	desk_need(&d, "#0    0x0000000000001004");
	desk_need(&d, "the trace names no methods");
	close_named(&d, path);
	d = open_named(true, &path);
	desk_do(&d, "f `name = Made` <Enter> g M-4 G");
	desk_need(&d, "0x0000000000009001  no rundown in the trace");
	close_named(&d, path);
}

/* What an event of .NET means is said where it is explained. */
static void
test_an_event_of_the_runtime_is_explained_in_words(void **state)
{
	char		*path;
	struct desk	 d = open_named(true, &path);

	(void)state;
	desk_do(&d, "g K");
	desk_need(&d, "means         ");
	desk_do(&d, "q f `name = Made` <Enter> g K");
	desk_need_not(&d, "means");
	close_named(&d, path);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_frames_are_called_as_at_the_time_of_the_event),
		cmocka_unit_test(test_raw_names_and_copies),
		cmocka_unit_test(test_a_frame_without_a_name_says_why),
		cmocka_unit_test(test_an_event_of_the_runtime_is_explained_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
