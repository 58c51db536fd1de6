/*
 * The table of event fields: parsing names, cells of small traces, and values in the filter
 * language. The expected cells are from a reference reader.
 */
#include "../support/cases.h"
#include "tnav/base/err.h"
#include "tnav/engine/field.h"

TEST(every_field_of_the_header_can_be_got_and_is_explained)
{
	const struct field_def	*d;

	for (unsigned i = 0; (d = field_def(i)) != NULL; i++) {
		struct field_ref	 r;
		struct buf		*why = test_buf();

		assert_true(d->help != NULL && d->help[strlen(d->help) - 1] == '.');
		assert_true((d->kind == FIELD_HEADER) ==
		    (d->get != NULL || d->span != NULL));
		if (d->kind != FIELD_HEADER)
			continue;
		assert_int_equal(field_ref_init(&r, d->name, strlen(d->name), why), 0);
		assert_ptr_equal(r.def, d);
		field_ref_release(&r);
		assert_int_equal(field_ref_init(&r, field_json_name(d),
		    strlen(field_json_name(d)), why), 0);
		assert_ptr_equal(r.def, d);
		field_ref_release(&r);
	}
}

static void
put_ref(struct buf *out, const struct field_ref *r)
{
	buf_puts(out, r->def->kind == FIELD_HEADER ? "header" : r->def->kind == FIELD_LABEL ? "label" :
	    "payload");
	if (r->path != NULL)
		buf_printf(out, " %s", r->path);
}

CASE(name)
{
	struct field_ref	 r;
	struct buf		*why = test_buf();
	int			 err = field_ref_init(&r, (const char *)arg[0].p, arg[0].len, why);

	assert_int_equal(why->len > 0, err < 0);
	if (case_good(out, err))
		put_ref(out, &r);
	field_ref_release(&r);
}

/* Of fields of the header their names. */
CASE(list)
{
	struct field_list	 l;
	struct buf		*why = test_buf();

	if (!case_good(out, field_list_init(&l, case_text(arg[0]), why)))
		return;
	for (size_t i = 0; i < l.n; i++) {
		buf_puts(out, i > 0 ? "|" : "");
		if (l.v[i].path != NULL)
			put_ref(out, &l.v[i]);
		else
			buf_puts(out, l.names[i]);
	}
	field_list_release(&l);
}

/* The cells of the fields for a row as JSON, and as the filter reads each of them, by blanks. */
CASE(cells)
{
	struct trace		*t = data_open(case_text(arg[0]));
	uint64_t		 row = case_u64(arg[1]);
	struct field_reader	*r = field_reader_new(t, NULL);
	struct field_list	 l;
	struct cell		 c[16];
	struct event		 e;
	struct buf		*values = test_buf();

	assert_int_equal(field_list_init(&l, case_text(arg[2]), out), 0);
	assert_in_range(l.n, 1, 16);
	assert_int_equal(trace_event(t, row, &e), 1);
	field_get(r, l.v, l.n, &e, row, c);
	for (size_t i = 0; i < l.n; i++) {
		buf_puts(out, i > 0 ? " " : "");
		cell_json(out, &c[i]);
		buf_puts(values, i > 0 ? " " : "");
		if (!field_value(values, &l.v[i], &c[i]))
			buf_putc(values, '-');
	}
	buf_printf(out, "\n%s", buf_str(values));
	field_list_release(&l);
	field_reader_free(r);
}

/* The values of one field as JSON, separated by blanks; the cell must say if it is a list. */
static int
add_value(void *arg, const struct cell *c)
{
	struct buf	*out = arg;

	buf_puts(out, out->len > 0 ? " " : "");
	cell_json(out, c);
	return 0;
}

static int
stop_at_once(void *arg, const struct cell *c)
{
	*(unsigned *)arg += 1;
	return c->kind == CELL_NONE ? 0 : 5;
}

CASE(each)
{
	struct trace		*t = data_open(case_text(arg[0]));
	uint64_t		 row = case_u64(arg[1]);
	struct field_reader	*r = field_reader_new(t, NULL);
	struct field_ref	 f;
	struct cell		 c;
	struct event		 e;
	struct buf		*b = test_buf(), *before = test_buf(), *after = test_buf();
	unsigned		 calls = 0;

	assert_int_equal(field_ref_init(&f, (const char *)arg[2].p, arg[2].len, b), 0);
	assert_int_equal(trace_event(t, row, &e), 1);
	field_get(r, &f, 1, &e, row, &c);
	buf_puts(out, field_is_list(&f, &c) && c.text.p[0] == '[' ? "@ " : "");
	cell_json(before, &c);
	assert_int_equal(field_each(r, &f, &e, row, add_value, b), 0);
	buf_puts(out, buf_str(b));
	cell_json(after, &c);
	assert_string_equal(buf_str(after), buf_str(before));
	assert_int_equal(field_each(r, &f, &e, row, stop_at_once, &calls), b->len > 0 ? 5 : 0);
	assert_int_equal(calls, b->len > 0);
	field_ref_release(&f);
	field_reader_free(r);
}

CASES("fields.txt", 35)

TEST(bytes_have_a_value_if_there_are_some_and_not_too_many)
{
	static const uint8_t	bytes[1025];
	const struct field_def	none = { .kind = FIELD_PAYLOAD };
	const struct field_ref	f = { .def = &none };

	for (size_t len = 0; len <= sizeof bytes; len += len == 0 ? 1 : 1023) {
		struct cell	c = { .kind = CELL_BLOB, .text = { bytes, len } };
		bool		good = len > 0 && len < sizeof bytes;
		struct buf	*out = test_buf();

		assert_true(field_value(out, &f, &c) == good);
		assert_int_equal(out->len, good ? 2 + 2 * len : 0);
	}
}
