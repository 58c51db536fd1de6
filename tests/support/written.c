/*
 * A trace that a test writes to a file of its own.
 */
#include "written.h"

#include <unistd.h>

#include "asserts.h"

void
written_open(struct written *f, void (*write_trace)(struct nt4_writer *w),
    const struct trace_options *opt)
{
	const char	*tmp = getenv("TMPDIR");
	struct buf	 why;
	int		 fd;

	memset(f, 0, sizeof *f);
	write_trace(&f->w);
	snprintf(f->path, sizeof f->path, "%s/tnav-test-XXXXXX", tmp ? tmp : "/tmp");
	fd = mkstemp(f->path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, f->w.p, f->w.len), (ssize_t)f->w.len);
	close(fd);
	buf_init(&why);
	assert_int_equal(trace_open(&f->t, f->path, opt, &why), 0);
	buf_release(&why);
	assert_true(trace_index_wait(f->t, -1));
}

void
written_close(struct written *f)
{
	trace_close(f->t);
	unlink(f->path);
	nt4_release(&f->w);
}
