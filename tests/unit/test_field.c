/*
 * The table of event fields: parsing names, cells of small traces, and values in the filter
 * language. The expected cells are from a reference reader.
 */
#include "../support/data.h"
#include "../support/test.h"
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

TEST(names_lead_to_header_label_and_payload)
{
	static const struct {
		const char		*name;
		enum field_ref_kind	 kind;
		const char		*path;	/* NULL: none */
	} names[] = {
		{ "tid", FIELD_HEADER, NULL }, { "t", FIELD_HEADER, NULL },
		{ "label.TraceId", FIELD_LABEL, "TraceId" },
		{ "label.\"a, b\"", FIELD_LABEL, "a, b" },
		{ "Depth", FIELD_PAYLOAD, "Depth" }, { "payload.id", FIELD_PAYLOAD, "id" },
		{ "payload.\"odd \\\"name\\\"\"", FIELD_PAYLOAD, "odd \"name\"" },
		{ "\"tid\"", FIELD_PAYLOAD, "tid" }, { "labels.x", FIELD_PAYLOAD, "labels.x" },
	};
	static const char *const	bad[] = { "", "label.", "payload.", "a.", "payload.\"x",
					    "payload.\"\"", "\"" };
	struct field_ref	 r;
	struct buf		*why = test_buf();

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_int_equal(field_ref_init(&r, names[i].name, strlen(names[i].name), why), 0);
		assert_int_equal(r.def->kind, names[i].kind);
		assert_int_equal(r.path != NULL, names[i].path != NULL);
		if (r.path != NULL)
			assert_string_equal(r.path, names[i].path);
		field_ref_release(&r);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		buf_clear(why);
		assert_int_equal(field_ref_init(&r, bad[i], strlen(bad[i]), why), ERR_USAGE);
		assert_true(why->len > 0);
		field_ref_release(&r);
	}
}

TEST(a_list_is_split_at_commas_outside_of_quotes)
{
	struct field_list	 l;
	struct buf		*why = test_buf();

	assert_int_equal(field_list_init(&l, "t, payload.\"a,b\" ,Depth", why), 0);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.names[0], "t");
	assert_string_equal(l.v[1].path, "a,b");
	assert_string_equal(l.v[2].path, "Depth");
	field_list_release(&l);
	assert_int_equal(field_list_init(&l, "t,,id", why), ERR_USAGE);
	assert_int_equal(field_list_init(&l, "", why), ERR_USAGE);
}

/* The cells of the fields for a row as JSON, and as the filter reads each of them, by blanks. */
static void
cells_of(struct trace *t, const char *list, uint64_t row, struct buf *json, struct buf *values)
{
	struct field_reader	*r = field_reader_new(t, NULL);
	struct field_list	 l;
	struct cell		 c[16];
	struct event		 e;

	assert_int_equal(field_list_init(&l, list, json), 0);
	assert_in_range(l.n, 1, 16);
	assert_int_equal(trace_event(t, row, &e), 1);
	field_get(r, l.v, l.n, &e, row, c);
	for (size_t i = 0; i < l.n; i++) {
		buf_puts(json, i > 0 ? " " : "");
		cell_json(json, &c[i]);
		buf_puts(values, i > 0 ? " " : "");
		if (!field_value(values, &l.v[i], &c[i]))
			buf_putc(values, '-');
	}
	field_list_release(&l);
	field_reader_free(r);
}

static void
need(const char *file, uint64_t row, const char *list, const char *json, const char *values)
{
	struct trace	*t = data_open(file);
	struct buf	*j = test_buf(), *v = test_buf();

	cells_of(t, list, row, j, v);
	assert_string_equal(buf_str(j), json);
	assert_string_equal(buf_str(v), values);
}

TEST(cells_are_what_the_trace_says)
{
	need("features/v6-nested-structs.nettrace", 0,
	    "name,o.a,o.deep,o.deep.g,list.id,two.q,nothing,dur,undecoded,size,opcode",
	    "\"Nested\" -7 {\"s\":\"deep\",\"v\":-300,\"g\":\"a1a2a3a4-b1b2-c1c2-d1d2-e1e2e3e4e5e6\"}"
	    " \"a1a2a3a4-b1b2-c1c2-d1d2-e1e2e3e4e5e6\" [300,1099511627776] [-1,-2] null null null"
	    " 68 null",
	    "\"Nested\" -7 - a1a2a3a4-b1b2-c1c2-d1d2-e1e2e3e4e5e6 - - - - - 68 -");
	need("features/v6-threads.nettrace", 2, "t,ticks,pid,tid,threadIndex,thread,captureTid,row",
	    "4000000 4 0 null 3 \"vl\xc3\xa1kno-\xce\xb2\" null 2",
	    "4000000ns 4 0 - 3 \"vl\xc3\xa1kno-\xce\xb2\" - 2");
	need("features/v6-labels-all-kinds.nettrace", 1, "activity,related,keywords,labels,stack",
	    "\"00112233-4455-6677-8899-aabbccddeeff\" null \"0x1\" null null",
	    "00112233-4455-6677-8899-aabbccddeeff - 0x1 - -");
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

static void
need_each(const char *file, uint64_t row, const char *name, bool list, const char *values)
{
	struct trace		*t = data_open(file);
	struct field_reader	*r = field_reader_new(t, NULL);
	struct field_ref	 f;
	struct cell		 c;
	struct event		 e;
	struct buf		*b = test_buf(), *before = test_buf(), *after = test_buf();
	unsigned		 calls = 0;

	assert_int_equal(field_ref_init(&f, name, strlen(name), b), 0);
	assert_int_equal(trace_event(t, row, &e), 1);
	field_get(r, &f, 1, &e, row, &c);
	assert_int_equal(field_is_list(&f, &c) && c.text.p[0] == '[', list);
	cell_json(before, &c);
	assert_int_equal(field_each(r, &f, &e, row, add_value, b), 0);
	assert_string_equal(buf_str(b), values);
	cell_json(after, &c);
	assert_string_equal(buf_str(after), buf_str(before));
	assert_int_equal(field_each(r, &f, &e, row, stop_at_once, &calls), b->len > 0 ? 5 : 0);
	assert_int_equal(calls, b->len > 0);
	field_ref_release(&f);
	field_reader_free(r);
}

TEST(a_field_gives_each_of_its_values)
{
	static const char	structs[] = "features/v6-nested-structs.nettrace";
	static const char	labels[] = "features/v6-labels-all-kinds.nettrace";

	need_each(structs, 0, "list.id", true, "300 1099511627776");
	need_each(structs, 0, "list.name", true, "\"one\" \"\"");
	need_each(structs, 0, "list", true,
	    "{\"id\":300,\"name\":\"one\"} {\"id\":1099511627776,\"name\":\"\"}");
	need_each(structs, 0, "two.q", true, "-1 -2");
	need_each(structs, 0, "o.a", false, "-7");
	need_each(structs, 0, "o.deep", false,
	    "{\"s\":\"deep\",\"v\":-300,\"g\":\"a1a2a3a4-b1b2-c1c2-d1d2-e1e2e3e4e5e6\"}");
	need_each(structs, 1, "list", true, "");
	need_each(structs, 1, "list.id", false, "");
	need_each(structs, 0, "nothing", false, "");
	need_each(structs, 0, "name", false, "\"Nested\"");
	need_each(structs, 0, "dur", false, "");
	need_each(labels, 5, "label.tenant", false, "\"\xce\xa9mega\"");
	need_each("features/v6-nested-arrays.nettrace", 0, "m", true, "10 20 30");
	need_each("features/v6-nested-arrays.nettrace", 1, "m", true, "\"010203\" \"040506\"");
	need_each("features/v6-stacks-64bit.nettrace", 0, "stack", true,
	    "\"0x7fff00001000\" \"0x7fff00002000\" \"0xffffffff81000000\"");
}

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
