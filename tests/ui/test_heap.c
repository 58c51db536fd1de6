/*
 * The heap in the viewer: types > objects > one object, and back. The numbers are those of the
 * oracle and of the traced program (tests/data/shared: oracle/heap, traces/heap): a list `leak` of
 * 400 arrays, a source with 500 listeners, each of which holds an array of 20,000 bytes.
 */
#include "../support/desk.h"
#include "../support/test.h"

#define TWO	"tests/data/shared/traces/heap/net10-heap-two.nettrace.zst"
#define UP	"<Backspace>"
#define HEAP	": `heap` <Enter>"

/* Move to the row with this text, and open it. */
#define OPEN(text)	" /`" text "` <Enter> <Enter>"

DESK_TEST(enter_leads_from_types_to_objects_to_one_object, TWO, 24, 80)
{
	desk_try(d, HEAP, "The heap by type: Types", "10,024,000", "Listener");
	desk_try(d, OPEN("Listener"), "Listener: 500 objects", "EventHandler");
	desk_try(d, "<Enter>", "Listener 0x", "static source (Source)", "holds 1 other object",
	    "refers to 1 object", "referred to by 1 object");
	desk_try(d, UP, "Listener: 500 objects");
	desk_try(d, "<Esc>", "The heap by type: Types");
	desk_try_bottom(d, UP, "nothing to go back to");
}

/* Where it was left, also after another order. */
DESK_TEST(a_list_is_as_it_was_left, TWO, 24, 80)
{
	desk_do(d, HEAP);
	desk_do(d, ": `sort type` <Enter>" OPEN("^Holder2"));
	desk_need(d, "Holder2 0x");
	desk_try(d, UP, "sorted by type");
	desk_try(d, "<Enter>", "Holder2 0x");
}

/* The leak of the program, and who holds it. */
DESK_TEST(what_an_object_holds_is_a_tree_of_types, TWO, 24, 80)
{
	desk_do(d, HEAP);
	desk_do(d, OPEN("^List<Byte"));
	desk_need(d, "static leak (List<Byte[]>)", "holds 401 other objects", "4,013,752");
	desk_try(d, "/`^Byte....` <Enter> l", "Byte[]", " 400 ", "4,009,600");
	desk_try(d, "j l", "10,024");
	desk_try(d, "<Enter>", "Byte[]: 400 objects held by Byte[][]");
}

/* Neither holds alone what both hold. */
DESK_TEST(what_two_hold_none_holds_alone, TWO, 24, 80)
{
	desk_do(d, HEAP);
	desk_do(d, OPEN("^Holder2"));
	desk_need(d, "static h2 (Holder2)", "holds 1 other object");
}

DESK_TEST(roots_of_a_kind_are_listed_with_what_they_hold, TWO, 24, 80)
{
	desk_do(d, HEAP);
	desk_do(d, "p p p");
	desk_need(d, "The heap by type: Roots");
	desk_try(d, OPEN("static"), "422 roots: static", "static source (Source)", "10,060,208",
	    "static leak (List<Byte[]>)");
	desk_try(d, "<Enter>", "Source 0x", "held by a root, 1 step away");
}

/* The runtime holds one object of each exception that it can't make any more when it needs it. */
DESK_TEST(roots_other_than_statics_are_named_by_kind_and_type, TWO, 30, 80)
{
	desk_do(d, HEAP);
	desk_try(d, "p p p" OPEN("^ *handle"), "15 roots: handle", "handle: OutOfMemoryException",
	    "handle: StackOverflowException", "ExecutionEngineException",
	    "handle, pinned: Pinned ");
}

/* p leads out of a list inside of a row. */
DESK_TEST(the_next_kind_of_rows_is_not_inside, TWO, 24, 80)
{
	desk_do(d, HEAP);
	desk_do(d, "<Enter> p");
	desk_need(d, "The heap by type: Types");
	desk_try(d, "p", "The heap by type: Largest objects");
	desk_try(d, "<Enter>", "held by a root");
}

/* Another window makes the report again: what is inside is still there, or else the types are. */
DESK_TEST(another_window_keeps_the_place, TWO, 24, 80)
{
	desk_do(d, HEAP);
	desk_do(d, OPEN("^Source"));
	desk_need(d, "Source 0x");
	desk_try(d, "w", "Source 0x");
	desk_try(d, ": `filter name = GC/Stop` <Enter>", "none in this window and filter");
	desk_try(d, "X", "The heap by type: Types");
}

/* Rows are found by their names, as trees fold. */
DESK_TEST(types_are_filtered_by_their_columns, TWO, 24, 80)
{
	desk_do(d, HEAP);
	desk_try(d, ": `heap type ~ order and retained > 600KB` <Enter>",
	    "Types, type ~ order and", "Dictionary<String, Order>", "701,240");
	desk_need_not(d, "Byte[] ", "505,960");
	desk_try(d, "/`^Dict` <Enter> <Enter>", "static Orders (Dictionary<String, Order>)");
	desk_try(d, UP, "type ~ order");
	desk_try(d, ": `heap retained > 1GB` <Enter>", "no row matches (:heap shows all)");
	desk_try_bottom(d, ": `heap typ ~ x` <Enter>", "no field \"typ\" (near: type");
	desk_try(d, ": `heap` <Enter>", "Types, sorted by retained", "16,791,446");
}

/* A count of stacks that was stopped half way does not go on where the heap is chosen. */
DESK_TEST(no_stacks_are_counted_for_the_heap, TWO, 24, 80)
{
	struct view			*v = &d->ui->v;
	struct calls_shape		 s = { .shape = NULL };
	struct calltree_shape_options	 o = { .of = NULL };
	struct buf			*why = test_buf();

	view_stop(v);
	assert_true(calls_choose(&v->calls, "count", why));
	(void)calls_follow(&v->calls, &s, &o);
	assert_true(calls_busy(&v->calls));
	v->stopped = false;
	assert_true(calls_choose(&v->calls, "heap", why));
	do
		(void)calls_follow(&v->calls, &s, &o);
	while (s.shape == NULL || s.shape->total <= 0);
	assert_false(calls_busy(&v->calls));
	calls_shape_release(&s);
}

/* What the program's leaks retain, by the types on the way from a root. */
DESK_TEST(the_heap_is_a_flame_graph_and_a_tree_of_types, TWO, 24, 80)
{
	desk_do(d, HEAP);
	desk_try(d, "L", "weighted by heap", "all 100.0 %",
	    "static source (Source) 53.8 %", "Listener 53.6 %");
	desk_try(d, ": `calls` <Enter>", "top-down, weighted by heap", "18,699,924 total",
	    "static leak (List<Byte[]>)", "4,013,752");
	desk_try(d, ": `calls methods` <Enter>", "by type", "10,100,134");
	desk_try_bottom(d, "<Enter>", "nothing in calls to go to");
	desk_try(d, ": `filter name = GC/Stop` <Enter>", "by type", "10,100,134");
	desk_try(d, ": `weight count` <Enter>", "weighted by count");
	desk_try(d, ": `weight heap` <Enter> w 0", "by type", "10,100,134");
	desk_reopen(d, "tests/data/demo.nettrace", 24, 80, false, NULL);
	desk_try(d, "L : `weight heap` <Enter>", "no walk of the heap");
}

DESK_TEST(rows_fold_and_unfold, TWO, 24, 80)
{
	desk_do(d, HEAP);
	desk_do(d, OPEN("^Source"));
	desk_try(d, "-", "+held by a root");
	desk_need_not(d, "static source (Source)");
	desk_try(d, "-", "-held by a root", "static source (Source)");
	desk_try(d, "j -", "-held by a root");		/* to the row that it is inside of */
	desk_try(d, "-", "+held by a root");
	desk_do(d, ": `gc` <Enter>");
	desk_try_bottom(d, "-", "nothing to fold here");
}
