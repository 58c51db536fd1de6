/*
 * Filters and queries on small real traces. The expected counts are from a reference reader;
 * queries are compared with filtering row by row.
 */
#include "../support/cases.h"
#include "../support/nt6_writer.h"
#include "tnav/analysis/spans.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/field.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/query.h"
#include "tnav/engine/trace.h"

/* NULL and the error's text in why, if it does not compile. */
static struct filter *
compile(struct trace *t, const char *text, bool strict, struct buf *why)
{
	struct filter_error	 e = { 0 };
	struct filter		*f;

	if (filter_new(&f, text, strlen(text), t, strict, 0, &e) != ERR_OK)
		assert_true(e.text.len > 0);
	if (why != NULL)
		buf_add(why, e.text.p, e.text.len);
	else if (f == NULL)
		fail_msg("%s: %s", text, buf_str(&e.text));
	filter_error_release(&e);
	return f;
}

/* Matching all rows at once gives the same rows as matching them one by one. */
static void
assert_some(struct trace *t, const struct filter *f, const bool *hit, uint32_t rows)
{
	struct filter_eval	*e = filter_eval_new(f, t);
	struct event		*ev = mem_zalloc(rows + 1, sizeof *ev);
	uint32_t		*at = mem_zalloc(rows + 1, sizeof *at), n, next = 0;

	for (uint32_t row = 0; row < rows; row++) {
		assert_int_equal(trace_event(t, row, &ev[row]), 1);
		at[row] = row;
	}
	n = filter_match_some(e, ev, at, rows, 0, NULL);
	for (uint32_t row = 0; row < rows; row++) {
		assert_int_equal(hit[row], next < n && at[next] == row);
		next += hit[row];
	}
	assert_int_equal(next, n);
	mem_free(at);
	mem_free(ev);
	filter_eval_free(e);
}

static struct trace	*listed;

CASE(open)
{
	(void)out;
	if (listed != NULL)
		data_close(listed);
	listed = data_open(case_text(arg[0]));
}

/* Count the rows that match, one by one. The verdict of the type must agree with each. */
static unsigned
count(struct trace *t, const char *text)
{
	struct filter		*f = compile(t, text, true, NULL);
	struct filter_eval	*e = filter_eval_new(f, t);
	uint64_t		 rows = trace_rows(t);
	bool			*hit = mem_zalloc(rows + 1, sizeof *hit);
	unsigned		 n = 0;

	for (uint64_t row = 0; row < rows; row++) {
		struct event	ev;
		bool		match;
		int		verdict;

		assert_int_equal(trace_event(t, row, &ev), 1);
		match = filter_match_row(e, &ev, row);
		assert_int_equal(filter_match(e, &ev), match);
		verdict = filter_type_verdict(e, ev.type);
		assert_true(verdict == -1 || verdict == match);
		hit[row] = match;
		n += match;
	}
	assert_int_equal(filter_costly(e), 0);
	assert_some(t, f, hit, (uint32_t)rows);
	mem_free(hit);
	filter_eval_free(e);
	filter_free(f);
	return n;
}

CASE(rows)
{
	buf_u64(out, count(listed, case_text(arg[0])));
}

/* An error or a note, and a text of it. */
CASE(said)
{
	struct buf	*why = test_buf(), *again = test_buf();
	struct filter	*f = compile(listed, case_text(arg[0]), true, why);

	buf_puts(out, f == NULL ? "error" : why->len > 0 ? "note" : "silent");
	if (strstr(buf_str(why), case_text(arg[1])) == NULL)
		buf_printf(out, ": %s", buf_str(why));
	filter_free(f);
	/* While types may yet come, few things are an error. */
	f = compile(listed, case_text(arg[0]), false, again);
	buf_puts(out, f == NULL ? ", always" : again->len > 0 ? ", later" : "");
	if (again->len > 0)
		assert_string_equal(buf_str(again), buf_str(why));
	filter_free(f);
}

CASE(text)
{
	struct field_reader	*r = field_reader_new(listed, NULL);
	uint64_t		 row = case_u64(arg[0]);
	struct event		 ev;

	if (row > 0 && trace_event(listed, row - 1, &ev) == 1)
		field_row_text(r, out, &ev);
	buf_clear(out);
	assert_int_equal(trace_event(listed, row, &ev), 1);
	field_row_text(r, out, &ev);
	field_reader_free(r);
}

CASE(narrowed)
{
	struct filter	*f = compile(listed, case_text(arg[0]), false, NULL);
	uint64_t	 row0 = 0, row1 = 100;

	filter_rows(f, &row0, &row1);
	buf_printf(out, "%u %u", (unsigned)row0, (unsigned)row1);
	filter_free(f);
}

TEST(what_makes_hits_unsure_is_said)
{
	static const struct { const char *filter, *says; } cases[] = {
		{ "/(\\w+\\s?)+$x/", "too costly" }, { "/x{99}/", NULL }, { "/x/", NULL }, { "size > 0", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char	*text = cases[i].filter;
		struct trace	*t;
		struct filter	*f;
		struct query	*q;
		const char	*remark;

		t = data_open(i == 1 ? "features/v6-array-over-32767.nettrace" :
		    "traces/net10-eventsource-types.nettrace");
		f = compile(t, text, true, NULL);
		/* One bad text takes so long that the clock is read after each event. */
		assert_int_equal(filter_batch(f) == 1, *text == '/');
		q = query_new(t, f, 0, UINT64_MAX, 0);
		while (!query_step(q, INT64_MAX))
			continue;
		remark = query_remark(q);
		assert_int_equal(remark != NULL, cases[i].says != NULL);
		if (remark != NULL)
			assert_non_null(strstr(remark, cases[i].says));
		query_free(q);
		data_close(t);
	}
}

/*
 * The fixed values of the field are those that the events have: the states of spans that an event
 * begins. An orphan has no such event.
 */
TEST(the_states_of_begun_spans_are_the_values_of_their_field)
{
	struct trace	*t = data_open("demo.nettrace");
	struct filter	*f;
	struct buf	*text = test_buf(), *why = test_buf();

	for (unsigned i = 0; i < SPAN_STATES; i++) {
		buf_clear(text);
		buf_printf(text, "span.state = %s", span_state_name(i));
		buf_clear(why);
		f = compile(t, buf_str(text), true, why);
		assert_int_equal(f == NULL, i >= SPAN_ORPHAN);
		filter_free(f);
	}
}

/* ---- completion */

struct offered {
	struct trace	*t;
	unsigned	 n;
	const char	*before;	/* what is offered is read behind this, or NULL */
	bool		 found;
	const char	*want;		/* or NULL */
};

static void
take_offer(void *arg, const char *text, const char *note, bool front)
{
	struct offered	*o = arg;
	struct buf	*b = test_buf();

	(void)note;
	(void)front;
	o->n++;
	o->found |= o->want != NULL && strcmp(text, o->want) == 0;
	if (o->before == NULL)
		return;
	buf_puts(b, o->before);
	buf_puts(b, text);
	filter_free(compile(o->t, buf_str(b), true, NULL));	/* it is read, and known */
}

CASE(offer)
{
	struct offered	o = { .t = listed, .want = arg[1].len > 0 ? case_text(arg[1]) : NULL,
			      .before = arg[2].len > 0 ? case_text(arg[2]) : NULL };

	buf_u64(out, filter_complete(listed, (const char *)arg[0].p, arg[0].len, take_offer, &o));
	assert_true(o.n > 0);
	if (o.want != NULL && !o.found)
		buf_puts(out, " without it");
}

CASES("filters.txt", 310)

/* ---- queries */

/* Compare every answer of a query over [row0, row1) with hit[]. */
static void
check_query(struct trace *t, const char *text, uint64_t row0, uint64_t row1, uint64_t near)
{
	struct filter		*f = compile(t, text, true, NULL);
	struct filter_eval	*e = filter_eval_new(f, t);
	struct query		*q;
	uint64_t		 rows = trace_rows(t), hits = 0, got;
	uint64_t		 end = row1 < rows ? row1 : rows;
	bool			*hit = mem_zalloc(rows + 1, sizeof *hit);
	struct event		 ev;

	for (uint64_t row = row0; row < end; row++) {
		assert_int_equal(trace_event(t, row, &ev), 1);
		hit[row] = filter_match_row(e, &ev, row);
	}
	filter_eval_free(e);
	q = query_new(t, f, row0, row1, near);
	for (double before = 0, share; !query_step(q, 1000000); before = share) {
		share = query_share(q);
		assert_true(share >= before && share <= 1);
	}
	assert_true(query_done(q));
	assert_true(query_share(q) >= 1 && query_share(q) <= 1);
	for (uint64_t row = 0; row <= rows; row++) {
		assert_int_equal(query_index(q, row), hits);
		if (hit[row]) {
			while (query_row(q, hits, &got) == 0)
				assert_true(query_pending(q));
			assert_int_equal(got, row);
			hits++;
		}
	}
	assert_int_equal(query_hits(q), hits);
	assert_int_equal(query_row(q, hits, &got), 0);
	query_free(q);

	/* Seeking decides the rows that it needs: use a new query from both ends. */
	q = query_new(t, compile(t, text, true, NULL), row0, row1, near);
	for (uint64_t k = 0; k <= rows; k += 1 + rows / 50) {
		uint64_t	up = k, down = k;
		int		r;

		while (up < rows && !hit[up])
			up++;
		while (!hit[down] && down > 0)
			down--;
		do
			r = query_seek(q, k, 1, 0, &got);
		while (r == ERR_CANCELED);
		assert_int_equal(r, up < rows);
		if (r == 1)
			assert_int_equal(got, up);
		do
			r = query_seek(q, k, -1, 0, &got);
		while (r == ERR_CANCELED);
		assert_int_equal(r, hit[down]);
		if (r == 1)
			assert_int_equal(got, down);
	}
	query_free(q);
	mem_free(hit);
}

TEST(a_query_answers_as_asking_row_by_row_does)
{
	static const char *const	filters[] = {
		"row >= 0", "tid = 12", "Reason = Induced", "size > 100000",
		"/Induced/ and row in 10..9000", "not keywords has GC",
	};
	static const unsigned		workers[] = { 1, 2, 7 };

	for (size_t k = 0; k < sizeof workers / sizeof workers[0]; k++) {
		struct trace	*t = data_open_with("demo.nettrace", workers[k]);
		uint64_t	 rows = trace_rows(t);

		assert_true(rows > 5000);
		for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
			check_query(t, filters[i], 0, UINT64_MAX, 0);
			check_query(t, filters[i], 0, rows, rows);
			check_query(t, filters[i], 100, rows - 100, rows / 3);
			check_query(t, filters[i], 700, 700, 5);
			check_query(t, filters[i], 700, 701, 5);
			check_query(t, filters[i], rows + 5, rows + 9, 0);
		}
		data_close(t);
	}
}

/* Each label stands in a block of its own. */
TEST(a_query_finds_a_text_in_any_block_of_labels)
{
	static const char *const	labels[] = { "spring", "summer", "autumn" };
	struct nt6_writer		w;
	struct trace			*t;

	nt6_init(&w);
	nt6_begin(&w, NT6_METADATA);
	nt6_row(&w, 1, "E");
	nt6_finish(&w);
	for (uint32_t i = 0; i < 3; i++)
		nt6_label(&w, 1 + i, labels[i]);
	nt6_begin(&w, NT6_EVENTS);
	for (uint32_t i = 0; i < 3; i++)
		nt6_event(&w, &(struct nt6_event){ .mid = 1, .thread = 1, .seq = i == 0,
		    .ticks = 1, .labels = 1 + i });
	nt6_finish(&w);
	t = data_nt6(&w, NULL);
	assert_int_equal(count(t, "/autumn/"), 1);
	check_query(t, "/autumn/", 0, UINT64_MAX, 0);
}

TEST(a_query_over_no_rows_is_done)
{
	struct trace	*t = data_open("features/v4-headers-only.nettrace");

	assert_int_equal(trace_rows(t), 0);
	check_query(t, "row >= 0", 0, UINT64_MAX, 0);
	check_query(t, "tid = 1", 0, UINT64_MAX, 0);
}

/* A list of any length takes few steps per event, and all its values are found. */
TEST(a_long_list_is_searched_by_halving)
{
	struct trace		*t = data_open("traces/net10-eventsource-types.nettrace");
	struct filter		*f;
	struct filter_eval	*e;
	struct buf		*b = test_buf();
	uint64_t		 rows = trace_rows(t), hits = 0;
	struct event		 ev;

	buf_puts(b, "row in (0");
	for (unsigned i = 1; i < 5000; i++)
		buf_printf(b, ",%u", i * 7919 % 5000 * 2);
	buf_puts(b, ")");
	f = compile(t, buf_str(b), true, NULL);
	e = filter_eval_new(f, t);
	for (uint64_t row = 0; row < rows; row++) {
		assert_int_equal(trace_event(t, row, &ev), 1);
		assert_int_equal(filter_match_row(e, &ev, row), row % 2 == 0);
		hits += row % 2 == 0;
	}
	assert_true(hits > 10);
	assert_true(filter_steps(e) >= rows && filter_steps(e) <= rows * 14);
	filter_eval_free(e);
	filter_free(f);
}

/* A query for one row of many slices decodes no more than its slice. */
TEST(a_query_for_one_row_decodes_one_slice)
{
	struct trace		*t = data_open("features/v6-array-over-32767.nettrace");
	struct query		*q = query_new(t, compile(t, "row = 0 and size > 0", true, NULL), 0,
				    UINT64_MAX, 0);
	struct trace_costs	 before, after;
	uint64_t		 row;

	assert_true(query_step(q, INT64_MAX));
	assert_int_equal(query_hits(q), 1);
	assert_int_equal(query_row(q, 0, &row), 1);
	assert_int_equal(row, 0);
	query_free(q);
	q = query_new(t, compile(t, "row > 1000000000 and size > 0", true, NULL), 0, UINT64_MAX, 0);
	trace_costs(t, &before);
	assert_true(query_step(q, INT64_MAX));
	assert_int_equal(query_hits(q), 0);
	trace_costs(t, &after);
	assert_int_equal(before.view_events, after.view_events);
	query_free(q);
}
