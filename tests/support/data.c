/*
 * Traces for tests: see the header.
 */
#include "data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN_MAIN
#include "nt4_writer.h"
#include "nt6_writer.h"
#include "test.h"
#include "tnav/base/err.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"

static void
close_later(void *arg)
{
	trace_close(arg);
}

/* An opened trace, or why it could not be. */
static struct trace *
opened(int err, struct trace *t, const char *name, struct buf *why)
{
	if (err != ERR_OK)
		fail_msg("%s: %s", name, buf_str(why));
	test_later(close_later, t);
	return t;
}

static struct trace *
indexed(struct trace *t)
{
	trace_index_start(t);
	assert_true(trace_index_wait(t, -1));
	return t;
}

const char *
data_path(const char *name)
{
	const char	*srcdir = getenv("srcdir");
	struct buf	*path = test_buf();

	buf_printf(path, "%s/%s", srcdir != NULL ? srcdir : ".", name);
	return buf_str(path);
}

struct trace *
data_unindexed(const char *path, const struct trace_options *opt)
{
	struct buf	*why = test_buf();
	struct trace	*t = NULL;
	int		 err = trace_open(&t, path, opt, why);

	return opened(err, t, path, why);
}

struct trace *
data_open_path(const char *path, const struct trace_options *opt)
{
	return indexed(data_unindexed(path, opt));
}

struct trace *
data_open_with(const char *name, unsigned workers)
{
	struct buf	*path = test_buf();

	buf_printf(path, "tests/data/%s", name);
	return data_open_path(data_path(buf_str(path)),
	    &(struct trace_options){ .workers = workers });
}

struct trace *
data_open(const char *name)
{
	return data_open_with(name, 1);
}

struct trace *
data_memory(const void *p, size_t len, const struct trace_options *opt)
{
	struct buf	*why = test_buf();
	struct trace	*t = NULL;
	int		 err = trace_open_memory(&t, test_exact(p, len), opt, why);

	return indexed(opened(err, t, "memory", why));
}

struct trace *
data_nt4(struct nt4_writer *w, const struct trace_options *opt)
{
	struct trace	*t;

	nt4_end(w);
	t = data_memory(w->p, w->len, opt);
	nt4_release(w);
	return t;
}

struct trace *
data_nt6(struct nt6_writer *w, const struct trace_options *opt)
{
	struct trace	*t;

	nt6_end(w);
	t = data_memory(w->p, w->len, opt);
	nt6_release(w);
	return t;
}

void
data_close(struct trace *t)
{
	test_now(t);
}

static void
free_filter(void *arg)
{
	filter_free(arg);
}

struct filter *
data_filter(struct trace *t, const char *text, bool strict)
{
	struct filter_error	 e = { 0 };
	struct filter		*f;

	if (text == NULL)
		return NULL;
	if (filter_new(&f, text, strlen(text), t, strict, 0, &e) != ERR_OK)
		fail_msg("%s: %s", text, buf_str(&e.text));
	filter_error_release(&e);
	test_later(free_filter, f);
	return f;
}

static void
take_columns(char *line, void (*take)(const char *const *column))
{
	const char	*column[DATA_COLUMNS];

	for (unsigned i = 0; i < DATA_COLUMNS; i++)
		column[i] = line != NULL ? strsep(&line, "\t") : "";
	assert_null(line);
	take(column);
}

size_t
data_list(const char *name, void (*take)(const char *const *column))
{
	struct buf	*path = test_buf();
	char		*line = NULL;
	size_t		 cap = 0, n = 0;
	FILE		*f;

	buf_printf(path, "tests/golden/lists/%s", name);
	f = fopen(data_path(buf_str(path)), "r");
	assert_non_null(f);
	while (getline(&line, &cap, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '\0' || line[0] == '#')
			continue;
		take_columns(line, take);
		n++;
	}
	free(line);
	fclose(f);
	return n;
}

uint64_t
data_decoded(struct trace *t)
{
	struct trace_costs	c;

	trace_costs(t, &c);
	return c.view_events;
}
