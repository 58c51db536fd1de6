/*
 * What the options of a session choose: providers with their keywords, levels, arguments and ids,
 * the rundown, the oldest request that can say it, and notes.
 */
#include <inttypes.h>

#include "../support/test.h"
#include "tnav/base/err.h"
#include "tnav/live/choice.h"

static const struct row {
	const char	*profile, *providers, *clr, *level, *counters, *events, *rundown;
	const char	*want;
} rows[] = {
	{ .want = "rundown 0, request 203" },
	{ .profile = "gc-verbose",
	    .want = "Microsoft-Windows-DotNETRuntime:8003:5; rundown 80020139, request 203" },
	{ .profile = "dotnet-common,GC-Collect",
	    .want = "Microsoft-Windows-DotNETRuntime:100003801d:4; Microsoft-Windows-DotNET"
	    "RuntimePrivate:1:4; rundown 80020139, request 203" },
	{ .profile = "dotnet-sampled-thread-time",
	    .want = "Microsoft-DotNETCore-SampleProfiler:f00000000000:4; rundown 80020139, "
	    "request 203" },
	{ .profile = "cpu-sampling",
	    .want = "unknown profile 'cpu-sampling': it records kernel events, which a diag"
	    "nostics socket cannot provide; try dotnet-sampled-thread-time" },
	{ .profile = "gc-verbos",
	    .want = "unknown profile 'gc-verbos' (near: gc-verbose)" },
	{ .providers = "A",
	    .want = "A:ffffffffffffffff:4; rundown 80020139, request 203, named A" },
	{ .providers = "A:3",
	    .want = "A:3:4; rundown 80020139, request 203, named A\nA:0x3 may leave out even"
	    "ts without keywords, which need 0xf00000000000; 0xffffffffffffffff tak"
	    "es all\n" },
	{ .providers = "A:0x3:5",
	    .want = "A:3:5; rundown 80020139, request 203, named A\nA:0x3 may leave out even"
	    "ts without keywords, which need 0xf00000000000; 0xffffffffffffffff tak"
	    "es all\n" },
	{ .providers = "A::verbose",
	    .want = "A:ffffffffffffffff:5; rundown 80020139, request 203, named A" },
	{ .providers = "A:0x1:Info:k=v;x=\\\"q\\\"",
	    .want = "A:1:4:k=v;x=\"q\"; rundown 80020139, request 203, named A\nA:0x1 may leav"
	    "e out events without keywords, which need 0xf00000000000; 0xffffffffff"
	    "ffffff takes all\n" },
	{ .providers = "A:1,B:2:critical, C :4:error,",
	    .want = "A:1:4; B:2:1; C :4:2; rundown 80020139, request 203, named A, named B,"
	    " named C \nA:0x1 may leave out events without keywords, which need 0xf0"
	    "0000000000; 0xffffffffffffffff takes all\nB:0x2 may leave out events wi"
	    "thout keywords, which need 0xf00000000000; 0xffffffffffffffff takes al"
	    "l\nC :0x4 may leave out events without keywords, which need 0xf00000000"
	    "000; 0xffffffffffffffff takes all\n" },
	{ .providers = "A:1:2,A:2:4:x=1",
	    .want = "A:3:4:x=1; rundown 80020139, request 203, named A\nA:0x3 may leave out "
	    "events without keywords, which need 0xf00000000000; 0xffffffffffffffff"
	    " takes all\n" },
	{ .providers = "A:1:4:x=1,A:2:2",
	    .want = "A:3:4:x=1; rundown 80020139, request 203, named A\nA:0x3 may leave out "
	    "events without keywords, which need 0xf00000000000; 0xffffffffffffffff"
	    " takes all\n" },
	{ .providers = "*",
	    .want = "*:ffffffffffffffff:5; rundown 80020139, request 203" },
	{ .providers = "*:1:4",
	    .want = "*:1:4; rundown 80020139, request 203\n* selects nothing but with all ke"
	    "ywords and level verbose: --providers '*'\n" },
	{ .providers = "\"A,B:C\":1",
	    .want = "A,B:C:1:4; rundown 80020139, request 203, named A,B:C\nA,B:C:0x1 may le"
	    "ave out events without keywords, which need 0xf00000000000; 0xffffffff"
	    "ffffffff takes all\n" },
	{ .providers = "A:1:2:\"k=a,b\"",
	    .want = "A:1:2:\"k=a,b\"; rundown 80020139, request 203, named A\nA:0x1 may leave "
	    "out events without keywords, which need 0xf00000000000; 0xffffffffffff"
	    "ffff takes all\n" },
	{ .providers = "Microsoft-Windows-DotNETRuntime",
	    .want = "Microsoft-Windows-DotNETRuntime:100003801d:4; rundown 80020139, reques"
	    "t 203, named Microsoft-Windows-DotNETRuntime" },
	{ .providers = "Microsoft-Windows-DotNETRuntime:gc+exception:warning",
	    .want = "Microsoft-Windows-DotNETRuntime:8001:3; rundown 80020139, request 203,"
	    " named Microsoft-Windows-DotNETRuntime" },
	{ .providers = "Microsoft-Windows-DotNETRuntime:gcheapcollect",
	    .want = "not a keyword of Microsoft-Windows-DotNETRuntime: 'gcheapcollect'" },
	{ .providers = "Microsoft-Windows-DotNETRuntime:0x800000",
	    .want = "Microsoft-Windows-DotNETRuntime:800000:4; rundown 80020139, request 20"
	    "3, heap, named Microsoft-Windows-DotNETRuntime" },
	{ .providers = "microsoft-windows-dotnetruntime",
	    .want = "microsoft-windows-dotnetruntime:ffffffffffffffff:4; rundown 80020139, "
	    "request 203, named microsoft-windows-dotnetruntime" },
	{ .providers = "A:-1",
	    .want = "not a keyword of A: '-1'" },
	{ .providers = "A:+1",
	    .want = "not a keyword of A: ''" },
	{ .providers = "A:10000000000000000",
	    .want = "not a keyword of A: '10000000000000000'" },
	{ .providers = "A:FFFFFFFFFFFFFFFF",
	    .want = "A:ffffffffffffffff:4; rundown 80020139, request 203, named A" },
	{ .providers = "A:0xFFFFFFFF",
	    .want = "A:ffffffff:4; rundown 80020139, request 203, named A\nA:0xffffffff may "
	    "leave out events without keywords, which need 0xf00000000000; 0xffffff"
	    "ffffffffff takes all\n" },
	{ .providers = "Microsoft-DotNETCore-SampleProfiler:0xff",
	    .want = "Microsoft-DotNETCore-SampleProfiler:ff:4; rundown 80020139, request 20"
	    "3, named Microsoft-DotNETCore-SampleProfiler" },
	{ .providers = "A:1:6",
	    .want = "not a level: '6'; 0 to 5, or critical, error, warning, informational, "
	    "verbose" },
	{ .providers = "A:1:5",
	    .want = "A:1:5; rundown 80020139, request 203, named A\nA:0x1 may leave out even"
	    "ts without keywords, which need 0xf00000000000; 0xffffffffffffffff tak"
	    "es all\n" },
	{ .providers = ":1",
	    .want = "a provider without a name" },
	{ .clr = "gc",
	    .want = "Microsoft-Windows-DotNETRuntime:1:4; rundown 80020139, request 203" },
	{ .clr = "gc+jit+EXCEPTION",
	    .want = "Microsoft-Windows-DotNETRuntime:8011:4; rundown 80020139, request 203" },
	{ .clr = "gc", .level = "verbose",
	    .want = "Microsoft-Windows-DotNETRuntime:1:5; rundown 80020139, request 203" },
	{ .clr = "gc", .level = "7",
	    .want = "not a level: '7'; 0 to 5, or critical, error, warning, informational, "
	    "verbose" },
	{ .clr = "gx",
	    .want = "not a group of runtime events: 'gx' (near: gc)" },
	{ .clr = "exceptoin",
	    .want = "not a group of runtime events: 'exceptoin' (near: exception)" },
	{ .clr = "",
	    .want = "not a group of runtime events: ''" },
	{ .clr = "gc", .providers = "Microsoft-Windows-DotNETRuntime:1",
	    .want = "Microsoft-Windows-DotNETRuntime:1:4; rundown 80020139, request 203, na"
	    "med Microsoft-Windows-DotNETRuntime\n--clrevents is ignored: another op"
	    "tion names the runtime provider\n" },
	{ .clr = "gc", .profile = "gc-verbose",
	    .want = "Microsoft-Windows-DotNETRuntime:8003:5; rundown 80020139, request 203\n"
	    "--clrevents is ignored: another option names the runtime provider\n" },
	{ .clr = "gc", .providers = "A",
	    .want = "A:ffffffffffffffff:4; Microsoft-Windows-DotNETRuntime:1:4; rundown 800"
	    "20139, request 203, named A" },
	{ .counters = "",
	    .want = "System.Runtime:ffffffffffffffff:4:EventCounterIntervalSec=2; rundown 0"
	    ", request 203, named System.Runtime" },
	{ .counters = "A,B",
	    .want = "A:ffffffffffffffff:4:EventCounterIntervalSec=2; B:ffffffffffffffff:4:E"
	    "ventCounterIntervalSec=2; rundown 0, request 203, named A, named B" },
	{ .counters = "A, A ,",
	    .want = "A:ffffffffffffffff:4:EventCounterIntervalSec=2; rundown 0, request 203"
	    ", named A" },
	{ .counters = "A", .providers = "A:1:2",
	    .want = "A:1:2; rundown 80020139, request 203, named A, named A\nA:0x1 may leave"
	    " out events without keywords, which need 0xf00000000000; 0xfffffffffff"
	    "fffff takes all\n" },
	{ .counters = "A", .providers = "A:1:2:x=y",
	    .want = "A:1:2:x=y; rundown 80020139, request 203, named A, named A\nA:0x1 may l"
	    "eave out events without keywords, which need 0xf00000000000; 0xfffffff"
	    "fffffffff takes all\n" },
	{ .profile = "gc-collect", .counters = "System.Runtime",
	    .want = "Microsoft-Windows-DotNETRuntime:1:4; Microsoft-Windows-DotNETRuntimePr"
	    "ivate:1:4; System.Runtime:ffffffffffffffff:4:EventCounterIntervalSec=2"
	    "; rundown 1, request 205, named System.Runtime" },
	{ .profile = "gc-collect", .providers = "Microsoft-Windows-DotNETRuntime:8:2",
	    .want = "Microsoft-Windows-DotNETRuntimePrivate:1:4; Microsoft-Windows-DotNETRu"
	    "ntime:8:2; rundown 1, request 205, named Microsoft-Windows-DotNETRunti"
	    "me" },
	{ .providers = "A", .events = "A:1+2",
	    .want = "A:ffffffffffffffff:4 only 1 2; rundown 80020139, request 206, named A" },
	{ .providers = "A,B", .events = "A:1,B:3+4+5",
	    .want = "A:ffffffffffffffff:4 only 1; B:ffffffffffffffff:4 only 3 4 5; rundown "
	    "80020139, request 206, named A, named B" },
	{ .providers = "A", .events = "B:1",
	    .want = "events of 'B' are chosen, but the provider is not collected" },
	{ .providers = "A", .events = "A:x",
	    .want = "not the id of an event: 'x'" },
	{ .providers = "A", .events = "A:4294967295",
	    .want = "A:ffffffffffffffff:4 only 4294967295; rundown 80020139, request 206, n"
	    "amed A" },
	{ .providers = "A", .events = "A:4294967296",
	    .want = "not the id of an event: '4294967296'" },
	{ .providers = "A", .events = "A:-1",
	    .want = "not the id of an event: '-1'" },
	{ .profile = "gc-collect", .events = "Microsoft-Windows-DotNETRuntime:1",
	    .want = "Microsoft-Windows-DotNETRuntime:1:4 only 1; Microsoft-Windows-DotNETRu"
	    "ntimePrivate:1:4; rundown 1, request 206" },
	{ .rundown = "true", .providers = "A",
	    .want = "A:ffffffffffffffff:4; rundown 80020139, request 203, named A" },
	{ .rundown = "FALSE", .providers = "A",
	    .want = "A:ffffffffffffffff:4; rundown 0, request 203, named A" },
	{ .rundown = "0x10", .providers = "A",
	    .want = "A:ffffffffffffffff:4; rundown 10, request 205, named A" },
	{ .rundown = "zz", .providers = "A",
	    .want = "--rundown: not true, false or a mask of keywords: 'zz'" },
	{ .rundown = "false", .profile = "gc-verbose",
	    .want = "Microsoft-Windows-DotNETRuntime:8003:5; rundown 0, request 203" },
};

static int
choose(struct choice *c, const struct row *r, struct buf *why)
{
	uint32_t	level = CHOICE_LEVEL_DEFAULT;
	int		rc = 0;

	if (r->profile != NULL)
		rc = choice_profile(c, r->profile, why);
	if (rc == 0 && r->providers != NULL)
		rc = choice_providers(c, r->providers, why);
	if (rc == 0 && r->level != NULL)
		rc = choice_level(r->level, &level, why);
	if (rc == 0 && r->clr != NULL)
		rc = choice_clr_events(c, r->clr, level, why);
	if (rc == 0 && r->counters != NULL)
		rc = choice_counters(c, r->counters, 2, why);
	if (rc == 0 && r->events != NULL)
		rc = choice_events(c, r->events, why);
	if (rc == 0 && r->rundown != NULL)
		rc = choice_rundown(c, r->rundown, why);
	return rc;
}

static void
put_provider(struct buf *b, const struct collect_provider *p)
{
	static const char *const	which[] = { "", " only", " but" };

	buf_printf(b, "%s:%" PRIx64 ":%u", p->name, p->keywords, p->level);
	if (p->arguments != NULL)
		buf_printf(b, ":%s", p->arguments);
	buf_puts(b, which[p->which]);
	for (size_t i = 0; i < p->nids; i++)
		buf_printf(b, " %u", p->ids[i]);
	buf_puts(b, "; ");
}

static const char *
chosen(const struct row *r)
{
	struct choice		*c = choice_new();
	struct buf		*b = test_buf(), *why = test_buf();
	const struct collect	*of;

	if (choose(c, r, why) != 0) {
		buf_printf(b, "%s", buf_str(why));
	} else {
		of = choice_collect(c);
		for (size_t i = 0; i < of->n; i++)
			put_provider(b, &of->provider[i]);
		buf_printf(b, "rundown %" PRIx64 ", request %x%s", of->rundown,
		    (unsigned)collect_request(of), choice_collects_heap(c) ? ", heap" : "");
		for (size_t i = 0; choice_named(c, i) != NULL; i++)
			buf_printf(b, ", named %s", choice_named(c, i));
		if (*choice_notes(c) != '\0')
			buf_printf(b, "\n%s", choice_notes(c));
	}
	choice_free(c);
	return buf_str(b);
}

TEST(options_become_providers_keywords_levels_and_ids)
{
	unsigned	failed = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char	*now = chosen(&rows[i]);

		if (strcmp(now, rows[i].want) == 0)
			continue;
		print_error("row %zu: \"%s\"\nnot \"%s\"\n", i, now, rows[i].want);
		failed++;
	}
	assert_int_equal(failed, 0);
}

/* The profile heap's keywords are those of the table, here as a number. */
TEST(a_walk_of_the_heap_is_added_to_any_choice_and_taken_back)
{
	static const char	runtime[] = "Microsoft-Windows-DotNETRuntime";
	static const struct row	each[] = {
		{ .providers = "A" }, { .profile = "gc-collect" }, { .clr = "exception" },
		{ .providers = "Microsoft-Windows-DotNETRuntime:exception:warning",
		    .events = "Microsoft-Windows-DotNETRuntime:80" },
	};

	for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
		struct choice		*c = choice_new();
		struct buf		*before = test_buf(), *after = test_buf();
		const struct collect	*of;
		bool			 any = false;

		assert_int_equal(choose(c, &each[i], test_buf()), 0);
		of = choice_collect(c);
		for (size_t k = 0; k < of->n; k++)
			put_provider(before, &of->provider[k]);
		choice_heap(c, true);
		of = choice_collect(c);
		for (size_t k = 0; k < of->n; k++) {
			const struct collect_provider	*p = &of->provider[k];

			if (strcmp(p->name, runtime) != 0)
				continue;
			any = true;
			assert_int_equal(p->keywords & 0x1d80001, 0x1d80001);
			assert_int_equal(p->level, 5);
			assert_int_equal(p->which, COLLECT_ALL);
		}
		assert_true(any);
		choice_heap(c, false);
		of = choice_collect(c);
		for (size_t k = 0; k < of->n; k++)
			put_provider(after, &of->provider[k]);
		assert_string_equal(buf_str(after), buf_str(before));
		choice_free(c);
	}
}

TEST(stacks_buffer_and_blocking_are_in_the_request)
{
	struct choice		*c = choice_new();
	struct buf		*why = test_buf();
	const struct collect	*of;

	assert_int_equal(choice_providers(c, "A", why), 0);
	of = choice_collect(c);
	assert_false(of->no_stacks || of->block);
	choice_buffer(c, 77);
	choice_stacks(c, false);
	of = choice_collect(c);
	assert_int_equal(of->buffer_mb, 77);
	assert_true(of->no_stacks);
	assert_int_equal(collect_request(of), REQUEST_COLLECT3);
	choice_block(c, true);
	assert_true(choice_collect(c)->block);
	assert_int_equal(collect_request(choice_collect(c)), REQUEST_COLLECT6);
	assert_int_equal(choice_counters(c, "A", 0, why), ERR_USAGE);
	assert_non_null(strstr(buf_str(why), "at least one second"));
	choice_free(c);
}
