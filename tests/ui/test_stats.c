/*
 * Counts by a field: what they say is what a second count over the same events says.
 */
#include "../support/desk.h"
#include "../support/test.h"
#include "tnav/base/mem.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define DEMO	"tests/data/demo.nettrace"
#define HEPH	"tests/data/traces/actors-1worker.heph"

/* The line of a value says how many events it has. */
static void
need_count(struct desk *d, const char *value, uint64_t events)
{
	struct buf	*b = test_buf();
	int		 y = memterm_find(d->m, value);

	if (y < 0)
		fail_msg("no line for %s:\n%s", value, memterm_text(d->m));
	buf_putc(b, ' ');
	buf_grouped(b, events);
	buf_putc(b, ' ');
	if (strstr(memterm_line(d->m, y), buf_str(b)) == NULL)
		fail_msg("%s has not%sevents: %s", value, buf_str(b), memterm_line(d->m, y));
}

static uint64_t
count_of_name(struct desk *d, const char *name)
{
	struct type_stat	*st;
	size_t			 n = trace_type_stats(d->t, &st);
	uint64_t		 events = 0;

	for (size_t i = 0; i < n; i++)
		if (strcmp(trace_type(d->t, st[i].type)->name, name) == 0)
			events += st[i].c.events;
	mem_free(st);
	return events;
}

DESK_TEST(counts_by_name_are_those_of_the_index, DEMO, 60, 140)
{
	desk_try(d, "M-7 z", "by name, sorted by events", "10,854 events, 30 values");
	need_count(d, "GC/AllocationTick", count_of_name(d, "GC/AllocationTick"));
	need_count(d, "GC/SetGCHandle", count_of_name(d, "GC/SetGCHandle"));
	assert_int_equal(count_of_name(d, "GC/AllocationTick"), 1032);
	desk_need_not(d, "counted");
}

/* Of how many providers the events of a name are, by the types of the trace. */
static size_t
providers_of(struct desk *d, const char *name)
{
	struct type_stat	*st;
	size_t			 n = trace_type_stats(d->t, &st), found = 0;

	for (size_t i = 0; i < n; i++) {
		const struct event_type	*type = trace_type(d->t, st[i].type);
		bool			 again = false;

		for (size_t k = 0; k < i && !again; k++)
			again = strcmp(trace_type(d->t, st[k].type)->name, type->name) == 0 &&
			    strcmp(trace_type(d->t, st[k].type)->provider, type->provider) == 0;
		found += strcmp(type->name, name) == 0 && st[i].c.events > 0 && !again;
	}
	mem_free(st);
	return found;
}

DESK_TEST(a_name_that_providers_share_says_so, "tests/data/tour.nettrace.zst", 60, 140)
{
	desk_do(d, "M-7 z");
	assert_int_equal(providers_of(d, "Request/Start"), 3);
	assert_int_equal(providers_of(d, "EventCounters"), 3);
	need_count(d, "Request/Start (3 providers)", count_of_name(d, "Request/Start"));
	need_count(d, "EventCounters (3 providers)", count_of_name(d, "EventCounters"));
	assert_int_equal(providers_of(d, "Thread/Sample"), 1);
	desk_need_not(d, "Thread/Sample (");
	/* What counts are the events that were counted, not those of the whole trace. */
	desk_do(d, "f `provider = \"System.Net.Http\" or (provider ~ Kestrel and tid = 1)` "
	    "<Enter>");
	desk_need(d, "Request/Start");
	desk_need_not(d, "providers)");
	desk_try_not(d, "X :`tally provider,name` <Enter>", "providers)");
	/* The row stands for all of them. */
	desk_do(d, "M-7 :`tally name` <Enter> /`Request/Start` <Enter> <Enter>");
	desk_need(d, "f: name = \"Request/Start\"", "270 of 56,443");
}

/* 13,862 of the tour's 56,443 events are samples (tnav info; their provider has no others). */
DESK_TEST(a_row_of_two_fields_is_kept_or_left_out, "tests/data/tour.nettrace.zst", 24, 140)
{
	desk_do(d, ":`stats provider,name` <Enter> /`Thread.Sample` <Enter> x");
	desk_need(d, "f: not (provider = \"Microsoft-DotNETCore-SampleProfiler\" and name = ");
	desk_need(d, "42,581 of 56,443");
	desk_do(d, "X /`Thread.Sample` <Enter> i");
	desk_need(d, "f: provider = \"Microsoft-DotNETCore-SampleProfiler\" and name = ");
	desk_need(d, "13,862 of 56,443");
}

DESK_TEST(enter_on_a_line_filters_and_counts_follow_the_filter, DEMO, 60, 140)
{
	desk_try(d, "M-7 <Enter>", "f: name = \"GC/FinalizeObject\"", "2,904 of 10,854");
	desk_need(d, "\xe2\x96\xb8 events", "2,904 events, 1 value");
	desk_try(d, "X", "10,854 events, 1 of 30 values");
	desk_try_not(d, "@`0s..100ms` <Enter>", "10,854 events, 1 of 30 values");
	desk_try(d, "0", "10,854 events, 1 of 30 values");
}

DESK_TEST(any_field_is_tallied_and_those_without_it_are_counted, D, 30, 100)
{
	desk_try(d, ":`tally payload.n` <Enter>", "4 events, 3 values");
	desk_need(d, "at least");		/* the window has gaps */
	desk_need(d, "50.0 %");
	desk_try(d, "<Enter>", "payload.n = 5");
	desk_try(d, "X :`tally activity` <Enter>", "no event here has this field", "(4 lack it)");
	desk_try(d, "M-2 h =", "by tid");	/* of the thread's column */
	desk_need(d, "4 events, 2 values");
	desk_reopen(d, HEPH, 30, 100, false, NULL);
	desk_try(d, "M-7", "by name");
}

DESK_TEST(lines_sort_by_any_column_and_the_cursor_keeps_its_line, DEMO, 60, 140)
{
	int	y, gone;

	desk_do(d, "M-7 z j j");
	y = memterm_find(d->m, "GC/AllocationTick");
	assert_true(memterm_mark(d->m, y, 10) & MARK_CURSOR);
	desk_try(d, "> <Down> <Enter>", "sorted by bytes");
	gone = memterm_find(d->m, "GC/AllocationTick");
	assert_true(memterm_mark(d->m, gone, 10) & MARK_CURSOR);
	desk_try(d, "> <Up> <Up> <Enter>", "sorted by value");
	assert_true(memterm_find(d->m, "GC/AllocationTick") < memterm_find(d->m, "Type/BulkType"));
	desk_do(d, "I");
	assert_true(memterm_find(d->m, "GC/AllocationTick") > memterm_find(d->m, "Type/BulkType"));
}

TEST(texts_that_are_empty_or_hold_a_nul_are_values_too)
{
	struct desk	d = desk_open("tests/data/features/v6-counted-strings-with-nul.nettrace", 30, 100,
			    false, NULL);

	desk_try(&d, ":`stats payload.a16` <Enter>", "ab^@cd");
	desk_reopen(&d, "tests/data/features/v6-strings-and-arrays.nettrace", 30, 100, false, NULL);
	desk_try(&d, ":`stats payload.a8` <Enter>", "(empty)");
}

DESK_TEST(several_fields_and_their_sums_stand_in_columns, DEMO, 60, 200)
{
	desk_do(d, ":`stats TypeName,AllocationKind sum AllocationAmount64 p99 size` <Enter> z");
	desk_need(d, "by TypeName,AllocationKind, sorted by sum.AllocationAmount64");
	desk_need(d, "sum.AllocationAmount64", "p99.size");
	desk_need(d, "12,365,472");		/* of System.String: doc/filter.md */
	desk_try(d, "<Enter>", "TypeName = \"System.Byte[]\" and AllocationKind = 0");
	desk_need(d, "504 of 10,854");
}

DESK_TEST(what_can_not_be_summed_is_said, DEMO, 30, 160)
{
	desk_try(d, ":`stats name sum provider` <Enter>", "provider is text and has no sum");
	desk_try(d, ":`stats name summ size` <Enter>", "unknown aggregate 'summ'");
	desk_try(d, ":`stats name sum` <Enter>", "'sum' needs a field");
	desk_try(d, ":`histogram provider` <Enter>", "provider is text and has no histogram");
	desk_try(d, ":`histogram size,tid` <Enter>", "only one field can be given");
}

DESK_TEST(a_step_of_time_is_the_first_column_and_enter_makes_it_the_filter, DEMO, 60, 200)
{
	desk_do(d, ":`stats name every 200ms sum AllocationAmount64` <Enter> z");
	desk_need(d, "by name every 200 ms, sorted by time");
	/* Of `tnav stats --every 200ms`: five steps. */
	desk_need(d, "10,854 events, ", "sum.AllocationAmount64");
	desk_do(d, ":`stats provider every 200ms` <Enter>");
	need_count(d, "0.200 000", 2635);
	need_count(d, "0.600 000", 2671);
	desk_do(d, "j <Enter>");
	desk_need(d, "time in 200ms..400ms and provider = \"Microsoft-Windows-DotNETRuntime\"");
	desk_need(d, "2,635 of 10,854");
	desk_try(d, "X :`stats every 500ms` <Enter> z", "by name every 500 ms");
	desk_try(d, ":`stats name every 5` <Enter>", "not a time step: '5' (100ms, 1s, 5m)");
	desk_do(d, ":`stats name every 5s every 1s` <Enter>");
	desk_need(d, "at most one time step can be given");
}

DESK_TEST(names_are_checked_as_the_filter_checks_them, DEMO, 30, 160)
{
	desk_do(d, ":`stats TypeNme` <Enter>");
	desk_need_bottom(d, "tally: unknown field \"TypeNme\" (near: TypeName");
	desk_do(d, ":`tally provdier` <Enter>");
	desk_need_bottom(d, "unknown field \"provdier\" (near: provider)");
	desk_do(d, ":`stats name sum AlocationAmount` <Enter>");
	desk_need_bottom(d, "unknown field \"AlocationAmount\" (near: AllocationAmount");
	desk_do(d, ":`histogram sise` <Enter>");
	desk_need_bottom(d, "histogram: unknown field \"sise\" (near: ");
	desk_try(d, ":`stats provider,name` <Enter> z", "by provider,name, sorted by events");
	desk_need(d, "10,854 events, 1 of 30 rows");
	desk_try(d, ":`stats AllocationKind` <Enter>", "1,032 events, ", "(9,822 lack it)");
}

DESK_TEST(fields_and_aggregates_are_completed, DEMO, 30, 160)
{
	desk_try(d, ":`stats name,AllocationK` <Tab>", ":stats name,AllocationKind");
	desk_try(d, "`dist` <Tab> `TypeN` <Tab>", ":stats name,AllocationKind distinct TypeName");
	desk_try(d, "<Esc> :`tally provider,AllocationK` <Tab>", ":tally provider,AllocationKind");
	desk_try(d, "<Esc> :`histogram ObjectS` <Tab>", ":histogram ObjectSize");
	desk_do(d, "<Esc>");
}

/* How many events a filter lets through. */
static void
need_filtered(struct desk *d, const char *filter, const char *count)
{
	desk_try(d, "<Enter>", filter);
	desk_need(d, count);
	desk_do(d, "X");
}

DESK_TEST(a_histogram_has_steps_and_enter_filters_to_one, DEMO, 60, 200)
{
	desk_try(d, ":`histogram size` <Enter> z", "histogram of size, sorted by value", "up to");
	need_filtered(d, "size >= 2 and size < 5", "258 of 10,854");
	desk_do(d, "M-7 :`stats name max size` <Enter> :`sort max.size` <Enter> M-h");
	desk_need(d, "histogram of size");
	desk_reopen(d, HEPH, 60, 200, false, NULL);
	desk_try(d, ":`histogram dur` <Enter> z", "500 ns", "1.000 \xc2\xb5s");
	desk_try(d, "<Enter>", "dur >= ");
}

TEST(a_tally_has_eight_fields_and_46_aggregates_at_most)
{
	static const char *const	eight = "name,tid,id,version,level,pid,opcode,keywords";
	struct desk			d = desk_open(D, 24, 200, false, NULL);
	struct buf			*most = test_buf();

	for (unsigned i = 1; i <= 46; i++)
		buf_printf(most, " p%u size", i);
	for (unsigned over = 0; over < 4; over++) {
		struct buf	*keys = test_buf();

		buf_printf(keys, ":`tally %s%s%s%s` <Enter>", eight, over & 1 ? ",provider" : "",
		    buf_str(most), over & 2 ? " p47 size" : "");
		desk_do(&d, buf_str(keys));
		if (over > 0)
			desk_need_bottom(&d, "tally: too many columns");
		else
			desk_need_not(&d, "too many columns");
	}
	desk_close(&d);
}
