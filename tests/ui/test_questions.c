/*
 * What is asked of the events under the cursor, and what is said where nothing is found.
 */
#include "../support/desk.h"
#include "../support/test.h"

#define DEMO	"tests/data/demo.nettrace"

TEST(including_and_excluding_say_what_and_how_many)
{
	struct desk	d = desk_open(DEMO, 40, 120, false, NULL);

	desk_do(&d, ":`stats name` <Enter>");
	desk_need(&d, "10,854 events, 30 values");
	desk_do(&d, "x");			/* the first value: 2,904 events */
	desk_need_bottom(&d, "excluded name = \"GC/FinalizeObject\", 2,904 events");
	desk_need(&d, "7,950 of 10,854");
	desk_do(&d, "i");			/* the first of what is left */
	desk_need_bottom(&d, "included name = \"Type/BulkType\", 2,904 events");
	desk_need(&d, "2,904 of 10,854");
	desk_close(&d);
}

TEST(a_search_without_hits_says_what_was_near)
{
	struct desk	d = desk_open(DEMO, 40, 160, false, NULL);

	desk_do(&d, "/ `FinalizeObjct` <Enter>");
	desk_need_bottom(&d, "no event matches /FinalizeObjct/ (near: ");
	desk_need_bottom(&d, "FinalizeObject");
	desk_do(&d, "/ `AlocationTick\\d+` <Enter>");
	desk_need_bottom(&d, "AllocationTick");
	desk_do(&d, "/ `NonConcurentGC` <Enter>");	/* a word of an enumeration */
	desk_need_bottom(&d, "NonConcurrentGC");
	desk_do(&d, "/ `TypeNane` <Enter>");		/* a field */
	desk_need_bottom(&d, "TypeName");
	desk_do(&d, "/ `12,365,472` <Enter>");
	desk_need_bottom(&d, "numbers have no commas here: 12365472");
	desk_do(&d, "/ `DotNETRuntime/GC` <Enter>");	/* provider and name in one */
	desk_need_not(&d, "no event");
	desk_close(&d);
}

/* As a dump has them: 57 lines with the word, 1,032 with the name, 364 and 1 with the numbers. */
TEST(what_a_row_shows_is_found_as_it_is_shown)
{
	struct desk	d = desk_open(DEMO, 40, 160, false, NULL);

	desk_do(&d, "/ `NonConcurrentGC` <Enter>");	/* a word of an enumeration */
	desk_need_bottom(&d, "1 of 57");
	desk_do(&d, "g / `DotNETRuntime/GC/AllocationTick` <Enter>");
	desk_need_bottom(&d, "of 1,032");
	desk_do(&d, "g / `4194264` <Enter>");
	desk_need_bottom(&d, "of 364");
	desk_do(&d, "g / `Bytes=3914` <Enter>");
	desk_need_bottom(&d, "1 of 1");
	desk_close(&d);
}

TEST(tables_find_a_number_as_it_is_and_as_it_is_shown)
{
	struct desk	d = desk_open(DEMO, 40, 120, false, NULL);

	desk_do(&d, ":`stats name` <Enter> / `1032` <Enter>");
	desk_need_not(&d, "no row of stats matches");
	assert_int_equal(memterm_mark(d.m, memterm_find(d.m, "GC/AllocationTick"), 10) &
	    MARK_CURSOR, MARK_CURSOR);
	desk_do(&d, "g / `1,032` <Enter>");
	desk_need_not(&d, "no row of stats matches");
	desk_do(&d, "/ `1033` <Enter>");
	desk_need(&d, "no row of stats matches");
	desk_close(&d);
}

TEST(columns_are_checked_as_the_filter_checks_names)
{
	struct desk	d = desk_open(DEMO, 40, 160, false, NULL);

	desk_do(&d, ":`columns time,TypeNme` <Enter>");
	desk_need_bottom(&d, "columns: unknown field \"TypeNme\" (near: TypeName");
	desk_do(&d, ":`columns time,event,TypeName,payload.AllocationKind` <Enter>");
	desk_need(&d, "TypeName");
	desk_need(&d, "AllocationKind");
	desk_do(&d, ":`columns time,crc` <Enter>");
	desk_need_bottom(&d, "columns: crc can only be printed");
	desk_do(&d, ":`columns time,payload,TypeN` <Tab>");
	desk_need(&d, ":columns time,payload,TypeName");
	desk_do(&d, "<Esc> c a `nope` <Enter>");
	desk_need(&d, "unknown field \"nope\"");
	desk_close(&d);
}

TEST(top_lists_the_greatest_and_enter_goes_to_the_event)
{
	struct desk	d = desk_open(DEMO, 50, 160, false, NULL);

	desk_do(&d, ":`top size` <Enter> z");
	desk_need(&d, "by size, sorted by size");
	desk_need(&d, "the greatest 1,000 of 10,854 events");
	desk_do(&d, "z <Enter>");
	desk_need_bottom(&d, "row 145 ");		/* the largest payload */
	desk_do(&d, ":`top delta` <Enter> z");
	desk_need(&d, "by delta within the thread");
	desk_need(&d, "843.457 ms");
	desk_do(&d, "z <Enter>");
	desk_need_bottom(&d, "row 10,853 ");
	/* With a filter the previous event is still the thread's, whatever that is. */
	desk_do(&d, ":`filter name = GC/FinalizersStart` <Enter> :`top delta` <Enter> z");
	desk_need(&d, "22.493 ms");
	desk_need_not(&d, "843.457 ms");
	desk_do(&d, ":`top del` <Tab>");
	desk_need(&d, ":top delta");
	desk_do(&d, "<Esc> :`top TypeName` <Enter>");
	desk_need_bottom(&d, "top: TypeName is not a number");
	desk_do(&d, ":`top sise` <Enter>");
	desk_need_bottom(&d, "top: unknown field \"sise\" (near: ");
	desk_close(&d);
}

/* What dump says: 843.456 ms before row 10,853 nothing came of its thread. */
TEST(the_time_since_the_event_before_is_a_field_like_others)
{
	struct desk	d = desk_open(DEMO, 50, 160, false, NULL);

	desk_do(&d, ":`filter delta > 500ms` <Enter> G");
	desk_need(&d, "f: delta > 500ms");
	desk_need_bottom(&d, "row 10,853 ");
	desk_do(&d, ":`filter delta > 900ms` <Enter>");
	desk_need_not(&d, "row 10,853 ");
	desk_do(&d, ":`filter row > 10800` <Enter> :`columns time,delta,event` <Enter> G");
	desk_need(&d, "thread delta");
	desk_need(&d, "843.457");
	desk_do(&d, ":`stats name max delta` <Enter> z");
	desk_need(&d, "843.457");
	desk_close(&d);
}

/* Whatever has a filter finds the time by itself: nothing else on the screen asks for it. */
TEST(rules_and_what_is_typed_find_the_time_since_the_event_before)
{
	struct desk	d = desk_open(DEMO, 50, 160, false, NULL);
	int		y;

	desk_do(&d, ":`color delta > 500ms red` <Enter> G k k");
	y = memterm_find(d.m, "ProcessInfo");
	assert_int_equal(canvas_at(&d.ui->screen.c, y, 5)->style, ST_RED);
	assert_int_not_equal(canvas_at(&d.ui->screen.c, y - 1, 5)->style, ST_RED);
	desk_close(&d);
	d = desk_open(DEMO, 50, 160, false, NULL);
	desk_do(&d, "f `delta > 500ms`");
	desk_need(&d, "1 of 10,854");
	desk_close(&d);
}
