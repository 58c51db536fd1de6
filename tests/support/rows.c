/*
 * Traces over bytes in memory: see the header.
 */
#include "rows.h"

#define OWN_MAIN
#include "data.h"
#include "test.h"
#include "tnav/base/mem.h"
#include "tnav/model/value.h"

static void
release(void *arg)
{
	struct rows	*r = arg;

	trace_close(r->t);
	buf_release(&r->why);
	buf_release(&r->text);
	free(r->bytes);
	mem_free(r);
}

struct rows *
rows_open(const void *bytes, size_t len, const char *format)
{
	struct trace_options	 opt = { .workers = 1, .input_format = format };
	struct rows		*r = mem_zalloc(1, sizeof *r);

	r->bytes = malloc(len > 0 ? len : 1);
	assert_non_null(r->bytes);
	memcpy(r->bytes, bytes, len);
	r->len = len;
	r->err = trace_open_memory(&r->t, (struct span){ r->bytes, len }, &opt, &r->why);
	test_later(release, r);
	if (r->t != NULL)
		assert_true(trace_index_wait(r->t, -1));
	return r;
}

struct rows *
rows_open_data(const char *name, const char *format)
{
	struct buf	*path = test_buf();
	uint8_t		*p = malloc(1u << 20);
	struct rows	*r;
	size_t		 len;
	FILE		*f;

	assert_non_null(p);
	buf_printf(path, "tests/data/%s", name);
	f = fopen(data_path(buf_str(path)), "rb");
	assert_non_null(f);
	len = fread(p, 1, 1u << 20, f);
	fclose(f);
	r = rows_open(p, len, format);
	free(p);
	return r;
}

void
rows_close(struct rows *r)
{
	test_now(r);
}

static void
add_event(struct rows *r, const struct event *e)
{
	const struct event_type	*ty = trace_type(r->t, e->type);
	struct thread_stat	 th;
	struct payload_result	 res;

	trace_thread(r->t, e->thread, &th);
	buf_printf(&r->text, "%lld %llu %s/%s ", (long long)e->ts, (unsigned long long)th.tid,
	    ty->provider, ty->name);
	payload_json(&r->text, ty, trace_payload(r->t, e), false,
	    &res);
	if (res.error != NULL)
		buf_printf(&r->text, " (%s)", res.error);
	buf_putc(&r->text, '\n');
}

const char *
rows_as_text(struct rows *r)
{
	struct event	e;

	buf_clear(&r->text);
	for (uint64_t row = 0; trace_event(r->t, row, &e) == 1; row++)
		add_event(r, &e);
	return buf_str(&r->text);
}

const char *
rows_file_order(struct rows *r)
{
	struct file_pos	pos = { { 0 } };
	struct event	e[16];
	int		n;

	buf_clear(&r->text);
	while ((n = trace_file_next(r->t, &pos, e, 16)) > 0)
		for (int i = 0; i < n; i++)
			add_event(r, &e[i]);
	assert_true(n == 0);
	return buf_str(&r->text);
}

const char *
rows_findings(struct rows *r)
{
	struct finding	*f;
	size_t		 n = diag_list(trace_diag(r->t), &f);

	buf_clear(&r->text);
	for (size_t i = 0; i < n; i++)
		if (f[i].severity != SEV_NOTE)
			buf_printf(&r->text, "%s %s %llu\n", severity_name(f[i].severity),
			    finding_kind_name(f[i].kind), (unsigned long long)f[i].off);
	mem_free(f);
	return buf_str(&r->text);
}

const char *
rows_stack(struct rows *r, uint64_t row)
{
	uint64_t	ips[16];
	struct event	e;
	size_t		n;

	assert_true(trace_event(r->t, row, &e) == 1);
	buf_clear(&r->text);
	n = trace_stack(r->t, &e, ips, 16);
	for (size_t i = 0; i < n; i++)
		buf_printf(&r->text, i > 0 ? " %llx" : "%llx", (unsigned long long)ips[i]);
	return buf_str(&r->text);
}
