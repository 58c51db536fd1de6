/*
 * Names of stacks of a trace that grows. tests/golden/screens/naming.txt has those of one that does not.
 */
#include <unistd.h>

#include "../support/desk.h"
#include "../support/methods.h"
#include "../support/test.h"

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
	desk_close(&d);
	unlink(path);
	free(path);
	free(bytes);
}
