/*
 * What is asked of the events under the cursor, and what is said where nothing is found.
 */
#include "../support/desk.h"
#include "../support/test.h"

#define DEMO	"tests/data/demo.nettrace"

DESK_TEST(including_and_excluding_say_what_and_how_many, DEMO, 40, 120)
{
	desk_try(d, ":`stats name` <Enter>", "10,854 events, 1 of 30 values");
	desk_do(d, "x");			/* the first value: 2,904 events */
	desk_need_bottom(d, "excluded name = \"GC/FinalizeObject\", 2,904 events");
	desk_need(d, "7,950 of 10,854");
	desk_do(d, "i");			/* the first of what is left */
	desk_need_bottom(d, "included name = \"Type/BulkType\", 2,904 events");
	desk_need(d, "2,904 of 10,854");
}

DESK_TEST(a_search_without_hits_says_what_was_near, DEMO, 40, 160)
{
	desk_try_bottom(d, "/ `FinalizeObjct` <Enter>", "no event matches /FinalizeObjct/ (near: ");
	desk_need_bottom(d, "FinalizeObject");
	desk_try_bottom(d, "/ `AlocationTick\\d+` <Enter>", "AllocationTick");
	desk_do(d, "/ `NonConcurentGC` <Enter>");	/* a word of an enumeration */
	desk_need_bottom(d, "NonConcurrentGC");
	desk_try_bottom(d, "/ `TypeNane` <Enter>", "TypeName");	/* a field */
	desk_try_bottom(d, "/ `12,365,472` <Enter>", "numbers have no commas here: 12365472");
	desk_do(d, "/ `DotNETRuntime/GC` <Enter>");	/* provider and name in one */
	desk_need_not(d, "no event");
}

/* As a dump has them: 57 lines with the word, 1,032 with the name, 364 and 1 with the numbers. */
DESK_TEST(what_a_row_shows_is_found_as_it_is_shown, DEMO, 40, 160)
{
	desk_do(d, "/ `NonConcurrentGC` <Enter>");	/* a word of an enumeration */
	desk_need_bottom(d, "1 of 57");
	desk_try_bottom(d, "g / `DotNETRuntime/GC/AllocationTick` <Enter>", "of 1,032");
	desk_try_bottom(d, "g / `4194264` <Enter>", "of 364");
	desk_try_bottom(d, "g / `Bytes=3914` <Enter>", "1 of 1");
}

DESK_TEST(tables_find_a_number_as_it_is_and_as_it_is_shown, DEMO, 40, 120)
{
	desk_try_not(d, ":`stats name` <Enter> / `1032` <Enter>", "no row of stats matches");
	assert_int_equal(memterm_mark(d->m, memterm_find(d->m, "GC/AllocationTick"), 10) &
	    MARK_CURSOR, MARK_CURSOR);
	desk_try_not(d, "g / `1,032` <Enter>", "no row of stats matches");
	desk_try(d, "/ `1033` <Enter>", "no row of stats matches");
}

DESK_TEST(columns_are_checked_as_the_filter_checks_names, DEMO, 40, 160)
{
	desk_do(d, ":`columns time,TypeNme` <Enter>");
	desk_need_bottom(d, "columns: unknown field \"TypeNme\" (near: TypeName");
	desk_try(d, ":`columns time,event,TypeName,payload.AllocationKind` <Enter>", "TypeName");
	desk_need(d, "AllocationKind");
	desk_try_bottom(d, ":`columns time,crc` <Enter>", "columns: crc can only be printed");
	desk_try(d, ":`columns time,payload,TypeN` <Tab>", ":columns time,payload,TypeName");
	desk_try(d, "<Esc> c a `nope` <Enter>", "unknown field \"nope\"");
}

DESK_TEST(top_lists_the_greatest_and_enter_goes_to_the_event, DEMO, 50, 160)
{
	desk_try(d, ":`top size` <Enter> z", "by size, sorted by size");
	desk_need(d, "the greatest 1,000 of 10,854 events");
	desk_try_bottom(d, "z <Enter>", "row 145 ");		/* the largest payload */
	desk_try(d, ":`top delta` <Enter> z", "by delta within the thread", "843.457 ms");
	desk_try_bottom(d, "z <Enter>", "row 10,853 ");
	/* With a filter the previous event is still the thread's, whatever that is. */
	desk_do(d, ":`filter name = GC/FinalizersStart` <Enter> :`top delta` <Enter> z");
	desk_need(d, "22.493 ms");
	desk_need_not(d, "843.457 ms");
	desk_try(d, ":`top del` <Tab>", ":top delta");
	desk_try_bottom(d, "<Esc> :`top TypeName` <Enter>", "top: TypeName is not a number");
	desk_try_bottom(d, ":`top sise` <Enter>", "top: unknown field \"sise\" (near: ");
}

/* What dump says: 843.456 ms before row 10,853 nothing came of its thread. */
DESK_TEST(the_time_since_the_event_before_is_a_field_like_others, DEMO, 50, 160)
{
	desk_try(d, ":`filter delta > 500ms` <Enter> G", "f: delta > 500ms");
	desk_need_bottom(d, "row 10,853 ");
	desk_try_not(d, ":`filter delta > 900ms` <Enter>", "row 10,853 ");
	desk_do(d, ":`filter row > 10800` <Enter> :`columns time,delta,event` <Enter> G");
	desk_need(d, "thread delta", "843.457");
	desk_try(d, ":`stats name max delta` <Enter> z", "843.457");
}

/* Whatever has a filter finds the time by itself: nothing else on the screen asks for it. */
DESK_TEST(rules_and_what_is_typed_find_the_time_since_the_event_before, DEMO, 50, 160)
{
	int	y;

	desk_do(d, ":`color delta > 500ms red` <Enter> G k k");
	y = memterm_find(d->m, "ProcessInfo");
	assert_int_equal(canvas_at(&d->ui->screen.c, y, 5)->style, ST_RED);
	assert_int_not_equal(canvas_at(&d->ui->screen.c, y - 1, 5)->style, ST_RED);
	desk_reopen(d, DEMO, 50, 160, false, NULL);
	desk_try(d, "f `delta > 500ms`", "1 of 10,854");
}
