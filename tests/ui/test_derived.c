/*
 * Every consumer of the viewer knows every derived field: alone, it makes the fact be found, and
 * shows what `tnav dump` prints (tests/check/derived.py compares that with its other consumers).
 */
#include "../support/desk.h"
#include "../support/test.h"
#include "tnav/engine/derived.h"

#define DEMO	"tests/data/demo.nettrace"

/* A field; of how many of the 10,854 events; its value in row 77 or, of what ends a span, 78. */
static const struct {
	const char	*field;
	enum derived	 kind;
	unsigned	 events;
	const char	*shown;
} fields[] = {
	{ "delta", DERIVED_DELTAS, 10850, "11.498" },
	{ "dur", DERIVED_SPANS, 249, "15.974" },
	{ "self", DERIVED_SPANS, 249, "1.301" },
	{ "span.name", DERIVED_SPANS, 249, "GC suspension" },
	{ "span.label", DERIVED_SPANS, 249, "SuspendOther" },
	{ "span.state", DERIVED_SPANS, 249, "paired" },
	{ "span.depth", DERIVED_SPANS, 249, "0" },
	{ "stop.dur", DERIVED_SPANS, 249, "11.498" },
	{ "thread.role", DERIVED_THREAD_NAMES, 10776, "main" },
	{ "process", DERIVED_THREAD_NAMES, 10854, "dotnet" },
};

#define FIELDS	(sizeof fields / sizeof *fields)

/* What the consumer alone shows. */
static struct desk
open_with(size_t i, const char *before, const char *after)
{
	struct desk	d = desk_open(DEMO, 50, 160, false, NULL);
	char		keys[200];

	if (fields[i].kind != DERIVED_THREAD_NAMES)	/* names are always read */
		assert_null(trace_lent(d.t, fields[i].kind));
	(void)snprintf(keys, sizeof keys, "%s%s%s", before, fields[i].field, after);
	desk_do(&d, keys);
	assert_non_null(trace_lent(d.t, fields[i].kind));
	return d;
}

TEST(a_filter)
{
	for (size_t i = 0; i < FIELDS; i++) {
		struct desk	d = open_with(i, "f `has ", "` <Enter>");

		assert_true(view_count(&d.ui->v) == fields[i].events);
		desk_close(&d);
	}
}

TEST(a_column)
{
	for (size_t i = 0; i < FIELDS; i++) {
		struct desk	d = open_with(i, ": `columns row,", "` <Enter>");

		desk_try(&d, ": `78` <Enter>", fields[i].shown);
		desk_close(&d);
	}
}

TEST(counts)
{
	for (size_t i = 0; i < FIELDS; i++) {
		struct desk	d = open_with(i, ": `tally ", "` <Enter>");

		desk_close(&d);
	}
}

TEST(a_colour_rule)
{
	for (size_t i = 0; i < FIELDS; i++) {
		struct desk	d = open_with(i, ": `color has ", " red` <Enter>");

		desk_close(&d);
	}
}
