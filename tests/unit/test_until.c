/*
 * --until: each field of events either stops a recording or is refused before it begins.
 */
#include "../support/data.h"
#include "../support/test.h"
#include "app/until.h"
#include "tnav/engine/field.h"
#include "tnav/engine/trace.h"

#define LOOK_NS		INT64_C(60000000000)

/* Among them, they have each field that can be found. */
static const char *const	traces[] = {
	"demo.nettrace", "features/v4-activity-ids.nettrace", "features/v4-capture-threads.nettrace",
	"features/v4-dropped-events.nettrace", "traces/net10-eventsource-types.nettrace",
	"features/v6-payload-shorter-or-longer-than-fields.nettrace",
};

static bool
is_found_after(const char *trace, const char *filter, const char *after)
{
	struct until	*u = until_new(data_open(trace), filter, after);
	bool		 found;

	assert_non_null(u);
	found = until_look(u, LOOK_NS);
	until_free(u);
	return found;
}

static bool
is_found_in(const char *trace, const char *filter)
{
	return is_found_after(trace, filter, NULL);
}

static bool
is_found(const char *filter)
{
	for (size_t i = 0; i < sizeof traces / sizeof *traces; i++)
		if (is_found_in(traces[i], filter))
			return true;
	return false;
}

static bool
is_refused(const char *filter)
{
	struct buf	*why = test_buf();
	bool		 refused;

	refused = !until_check(filter, why);
	assert_int_equal(refused, why->len > 0);
	return refused;
}

TEST(each_field_is_found_or_refused)
{
	const struct field_def	*d;
	unsigned		 found = 0, refused = 0;
	char			 filter[64];

	for (unsigned i = 0; (d = field_def(i)) != NULL; i++) {
		bool	no;

		snprintf(filter, sizeof filter, "has %s",
		    d->kind == FIELD_PAYLOAD ? "payload.n" : d->name);
		no = is_refused(filter);
		if (!no && !is_found(filter))
			fail_msg("%s is neither found nor refused", filter);
		found += !no;
		refused += no;
	}
	assert_true(found >= 20 && refused >= 15);
}

TEST(the_limit_of_a_counter_is_one_number)
{
	static const char *const	good[] = {
		"cpu-usage > 80", "cpu-usage >= 0.5 for 10s", "cpu-usage<1", "cpu-usage = 80." };
	static const char *const	bad[] = {
		"cpu-usage > 1.2.3", "cpu-usage > .", "cpu-usage > 1..2", "cpu-usage > .5",
		"cpu-usage > 1. for 10s" };
	struct until_counter		*c;

	for (size_t i = 0; i < 3; i++) {
		c = until_counter_new(good[i]);
		if (c == NULL)
			fail_msg("%s is not taken", good[i]);
		until_counter_free(c);
	}
	assert_null(until_counter_new(good[3]));	/* an equal sign alone is a filter's */
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_null(until_counter_new(bad[i]));
}

TEST(operators_decide_too)
{
	static const char *const	never[] = {
		"activity within //1", "not activity within //1", "stack ~ Main", "stack = Main",
		"dur > 1us", "thread.role ~ .", "stack.method ~ .", "process = x",
		"span.name = GC", "n = 1 and (m = 2 or not stop.dur > 1s)", "label.a = b",
		"delta > 1us", "row = 3", "stack[0] ~ x", "cpu >= 0", "n = 1 or not has cpu",
		"thread = main", "n = 1 or thread != main", "thread in (a, b)", "file = x",
	};
	static const char *const	soon[] = {
		"activity under //1", "stack = 0x7f0447bad45e", "has stack", "tid = 5",
		"thread ~ .", "thread = 5", "thread in (a, 5)", "pid = 5", "/x/", "lost > 0",
		"name = GC/Start or n > 3", "t > 1s",
	};

	for (size_t i = 0; i < sizeof never / sizeof *never; i++)
		if (!is_refused(never[i]))
			fail_msg("%s is taken", never[i]);
	for (size_t i = 0; i < sizeof soon / sizeof *soon; i++)
		if (is_refused(soon[i]))
			fail_msg("%s is refused", soon[i]);
}

static const char *
note_of(const char *filter)
{
	struct until	*u = until_new(data_open(traces[3]), filter, NULL);
	struct buf	*b = test_buf();

	assert_non_null(u);
	until_note(u, b);
	until_free(u);
	return buf_str(b);
}

TEST(an_event_counts_only_after_one_that_matches_the_other_expression)
{
	static const char	gc[] = "demo.nettrace";

	assert_true(is_found_after(gc, "name = GC/Stop", "name = GC/Start"));
	assert_true(is_found_after(gc, "name = GC/Start", "name = GC/Start and Count = 1"));
	assert_false(is_found_after(gc, "name = GC/Start and Count = 1", "name = GC/Stop"));
	assert_false(is_found_after(gc, "name = GC/Stop", "name = GC/BulkNode"));
}

TEST(what_the_trace_does_not_have_is_noted)
{
	assert_string_equal(note_of("n > 5"), "");
	assert_non_null(strstr(note_of("zorn > 5"), "zorn"));
	assert_non_null(strstr(note_of("name = Zorn"), "Zorn"));
}
