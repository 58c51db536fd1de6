/*
 * A trace that a test writes to a file of its own.
 */
#include "written.h"

#include <unistd.h>

#define OWN_MAIN
#include "data.h"
#include "test.h"
#include "tnav/base/mem.h"

static void
release(void *arg)
{
	struct written	*f = arg;

	data_close(f->t);
	unlink(f->path);
	nt4_release(&f->w);
	mem_free(f);
}

struct written *
written_open(void (*write_trace)(struct nt4_writer *w), const struct trace_options *opt)
{
	const char	*tmp = getenv("TMPDIR");
	struct written	*f = mem_zalloc(1, sizeof *f);
	int		 fd;

	test_later(release, f);
	write_trace(&f->w);
	snprintf(f->path, sizeof f->path, "%s/tnav-test-XXXXXX", tmp ? tmp : "/tmp");
	fd = mkstemp(f->path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, f->w.p, f->w.len), (ssize_t)f->w.len);
	close(fd);
	f->t = data_open_path(f->path, opt);
	return f;
}

void
written_close(struct written *f)
{
	test_now(f);
}
