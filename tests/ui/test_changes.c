/*
 * What changed, in the viewer: from one trace to another, from the rest to a range. The figures are
 * those of `tnav diff`, which tests/check/diff.py holds against a second implementation.
 */
#include <stdio.h>
#include <unistd.h>

#include "../support/data.h"
#include "../support/desk.h"
#include "../support/test.h"

#define DEAD	"tests/data/clinic/deadlock.nettrace.zst"
#define STORM	"tests/data/clinic/exceptions.nettrace.zst"

DESK_TEST(an_empty_file_is_said_to_be_empty, DEAD, 24, 80)
{
	char	path[] = "/tmp/tnav-changes-XXXXXX", keys[64];
	int	fd = mkstemp(path);

	assert_true(fd >= 0);
	snprintf(keys, sizeof keys, ":`diff %s` <Enter>", path);
	desk_do(d, keys);
	desk_rest(d);
	desk_need(d, ": is empty");
	close(fd);
	unlink(path);
}

/* Esc stops it, and it can go on. */
DESK_TEST(a_comparison_is_stopped_and_goes_on, DEAD, 24, 80)
{
	char	keys[4096];

	snprintf(keys, sizeof keys, ":`diff %s` <Enter> <Esc>", data_path(STORM));
	desk_do(d, keys);
	desk_do(d, ":`changes` <Enter>");
	desk_rest(d);
	desk_need(d, "exception-storm");
}
