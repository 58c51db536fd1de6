/*
 * --until: each field of events either stops a recording or is refused before it begins.
 */
#include "../support/cases.h"
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

CASE(expression)
{
	buf_puts(out, is_refused(case_text(arg[0])) ? "refused" : "taken");
}

CASE(counter)
{
	struct until_counter	*c = until_counter_new(case_text(arg[0]));

	buf_puts(out, c != NULL ? "taken" : "none");
	until_counter_free(c);
}

CASE(after)
{
	buf_puts(out, is_found_after("demo.nettrace", case_text(arg[0]), case_text(arg[1])) ? "yes" :
	    "no");
}

CASE(note)
{
	struct until	*u = until_new(data_open(traces[3]), case_text(arg[0]), NULL);

	assert_non_null(u);
	until_note(u, out);
	until_free(u);
}

CASES("until.txt", 40)
