/*
 * The small traces: see the header.
 */
#include "data.h"

#include "asserts.h"
#include "tnav/base/buf.h"
#include "tnav/base/err.h"
#include "tnav/engine/trace.h"

struct trace *
data_open(const char *name)
{
	return data_open_with(name, 1);
}

struct trace *
data_open_with(const char *name, unsigned workers)
{
	const struct trace_options	 opt = { .workers = workers };
	const char			*srcdir = getenv("srcdir");
	struct trace			*t;
	struct buf			 path, why;

	buf_init(&path);
	buf_init(&why);
	buf_printf(&path, "%s/tests/data/%s", srcdir != NULL ? srcdir : ".", name);
	if (trace_open(&t, buf_str(&path), &opt, &why) != ERR_OK)
		fail_msg("%s: %s", buf_str(&path), buf_str(&why));
	trace_index_start(t);
	assert_true(trace_index_wait(t, -1));
	buf_release(&path);
	buf_release(&why);
	return t;
}

uint64_t
data_decoded(struct trace *t)
{
	struct trace_costs	c;

	trace_costs(t, &c);
	return c.view_events;
}
