/*
 * Each frame has a name, a place in a file, or its address, and a reason if it has no certain name.
 * The reasons of synthetic stacks depend on the events about their code. In real traces, as many
 * frames are without a name as in other readers.
 */
#include "../support/data.h"
#include "../support/methods.h"
#include "../support/shared.h"
#include "../support/test.h"
#include "tnav/analysis/symbols.h"
#include "tnav/base/mem.h"
#include "tnav/engine/field.h"
#include "tnav/engine/naming.h"
#include "tnav/engine/trace.h"

#define FRAMES_MOST	4096u

struct counts {
	uint64_t	of[NAME_WHYS];		/* frames by reason */
	uint64_t	frames, named, placed;	/* placed: module and offset alone */
};

/* Check what must be true of any frame, and count it. */
static void
count_frame(struct counts *c, struct trace *t, const struct event *e, uint64_t ip, unsigned depth)
{
	struct frame_name	f;
	bool			named = trace_name_frame(t, e, ip, depth, true, &f);

	assert_int_equal(named, f.raw.p != NULL);
	assert_true(f.why < NAME_WHYS);
	assert_int_equal(f.why == NAME_SURE, named && !f.unsure);
	if (f.why != NAME_SURE)
		assert_non_null(name_why_text(f.why));
	assert_true(!f.has_offset || (!named && f.module.len > 0));
	c->of[f.why]++;
	c->frames++;
	c->named += named;
	c->placed += f.has_offset;
}

static struct counts
count_trace(struct trace *t)
{
	const struct derive_options	 o = { .why = NULL };
	struct symbols			*s;
	struct counts			 c = { .frames = 0 };
	uint64_t			*ips = mem_alloc(FRAMES_MOST * sizeof *ips);
	struct event			 e;

	trace_index_start(t);
	(void)trace_index_wait(t, -1);
	s = symbols_new(t, &o);
	trace_lend(t, DERIVED_SYMBOLS, s);
	for (uint64_t row = 0; row < trace_rows(t); row++) {
		size_t	n;

		assert_int_equal(trace_event(t, row, &e), 1);
		n = trace_stack(t, &e, ips, FRAMES_MOST);
		for (size_t i = 0; i < n; i++)
			count_frame(&c, t, &e, ips[i], (unsigned)i);
	}
	trace_lend(t, DERIVED_SYMBOLS, NULL);
	symbols_free(s);
	mem_free(ips);
	return c;
}

/* ---- synthetic stacks */

static struct trace *
open_methods(struct methods_writer *m)
{
	nt4_block_end(&m->w);
	return data_nt4(&m->w, &(struct trace_options){ .workers = 1 });
}

/* A stack with one address, 0x1004, at 2 ms and 4 ms, after the events about the code at 0x1000. */
static struct counts
count_made(void (*tell)(struct methods_writer *m))
{
	static const uint64_t	 ip = 0x1004;
	struct methods_writer	 m;
	struct counts		 c;

	methods_begin(&m, NULL, &ip, 1, 1);
	tell(&m);
	methods_plain(&m, 2000, 1);
	methods_plain(&m, 4000, 1);
	c = count_trace(open_methods(&m));
	assert_int_equal(c.frames, 2);
	return c;
}

static void
say(struct methods_writer *m, enum methods_event what, int64_t ts, uint64_t start)
{
	methods_say(m, what, ts, start, 16, 7, "Demo.A", "One", "void  ()");
}

static void
tell_nothing(struct methods_writer *m)
{
	(void)m;
}

static void
tell_load(struct methods_writer *m)
{
	say(m, METHODS_LOAD, 1000, 0x1000);
}

static void
tell_late_load(struct methods_writer *m)
{
	say(m, METHODS_LOAD, 3000, 0x1000);
}

static void
tell_unload(struct methods_writer *m)
{
	say(m, METHODS_LOAD, 1000, 0x1000);
	say(m, METHODS_UNLOAD, 3000, 0x1000);
}

static void
tell_other_load(struct methods_writer *m)
{
	say(m, METHODS_LOAD, 1000, 0x9000);
}

static void
tell_other_rundown(struct methods_writer *m)
{
	say(m, METHODS_RUNDOWN, 1000, 0x9000);
}

static void
tell_dynamic_rundown(struct methods_writer *m)
{
	m->flags = 1;
	say(m, METHODS_RUNDOWN, 1000, 0x1000);
}

static void
tell_dynamic_rundown_and_loads(struct methods_writer *m)
{
	tell_dynamic_rundown(m);
	m->flags = 8;
	say(m, METHODS_LOAD, 1000, 0x9000);
}

TEST(a_frame_says_why_it_has_no_sure_name)
{
	static const struct {
		void		(*tell)(struct methods_writer *m);
		unsigned	named;
		enum name_why	why[2];		/* at 2 ms, at 4 ms */
	} cases[] = {
		{ tell_nothing, 0, { NAME_NO_METHODS, NAME_NO_METHODS } },
		{ tell_load, 2, { NAME_SURE, NAME_SURE } },
		{ tell_late_load, 2, { NAME_LATER, NAME_SURE } },
		{ tell_unload, 2, { NAME_SURE, NAME_UNLOADED } },
		{ tell_other_load, 0, { NAME_NO_RUNDOWN, NAME_NO_RUNDOWN } },
		{ tell_other_rundown, 0, { NAME_STUB, NAME_STUB } },
		{ tell_dynamic_rundown, 2, { NAME_DYNAMIC, NAME_DYNAMIC } },
		{ tell_dynamic_rundown_and_loads, 2, { NAME_SURE, NAME_SURE } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct counts	c = count_made(cases[i].tell);

		assert_int_equal(c.named, cases[i].named);
		for (unsigned k = 0; k < 2; k++) {
			assert_true(c.of[cases[i].why[k]] > 0);
			c.of[cases[i].why[k]]--;
		}
	}
}

/* ---- long names */

#define LONG_FRAMES	200u
#define LONG_NAME	30000u

static void
write_long(struct methods_writer *m)
{
	static uint64_t	stack[LONG_FRAMES];
	char		*name = mem_alloc(LONG_NAME + 1);

	memset(name, 'x', LONG_NAME);
	name[LONG_NAME] = '\0';
	for (uint32_t i = 0; i < LONG_FRAMES; i++)
		stack[i] = 0x1004 + i * 16;
	methods_begin(m, NULL, stack, 1, LONG_FRAMES);
	for (uint32_t i = 0; i < LONG_FRAMES; i++) {
		snprintf(name, 8, "%u", i);
		name[strlen(name)] = '_';
		methods_say(m, METHODS_LOAD, 1000, 0x1000 + i * 16, 16, i + 1, "Demo", name,
		    "void  ()");
	}
	methods_plain(m, 2000, 1);
	mem_free(name);
}

/* 200 names of 30 KB make 6 MB; what an event shows of them ends after one. */
TEST(names_of_a_stack_are_bounded)
{
	static const char		*fields[] = { "stack", "stack.method" };
	static const struct field_options fo = { .frames = FRAMES_RAW, .no_rows = true };
	const struct derive_options	 o = { .why = NULL };
	struct methods_writer		 m;
	struct trace			*t;
	struct symbols			*s;
	struct field_reader		*r;
	struct event			 e;
	struct buf			*why = test_buf();

	write_long(&m);
	t = open_methods(&m);
	s = symbols_new(t, &o);
	trace_lend(t, DERIVED_SYMBOLS, s);
	r = field_reader_new(t, &fo);
	assert_int_equal(trace_event(t, trace_rows(t) - 1, &e), 1);
	for (size_t i = 0; i < 2; i++) {
		struct field_ref	ref;
		struct cell		c;

		assert_int_equal(field_ref_init(&ref, fields[i], strlen(fields[i]), why), 0);
		field_get(r, &ref, 1, &e, ROW_UNKNOWN, &c);
		assert_int_equal(c.kind, CELL_RAW);
		assert_in_range(c.text.len, STACK_TEXT_MOST / 2, STACK_TEXT_MOST + 2 * LONG_NAME);
		field_ref_release(&ref);
	}
	field_reader_free(r);
	trace_lend(t, DERIVED_SYMBOLS, NULL);
	symbols_free(s);
}

/* "  0x00007f1c2a40b1d0  " and the reason are one line of the stack pane. */
TEST(a_reason_fits_on_a_small_screen)
{
	for (int w = NAME_SURE + 1; w < NAME_WHYS; w++)
		assert_in_range(strlen(name_why_text((enum name_why)w)), 1, 80 - 22);
}

/* ---- real traces */

/* As oracle/symbols of the shared data has them: what is named for sure, what is a guess, and what
   nobody can name. */
TEST(reasons_of_real_traces)
{
	static const struct {
		const char	*path;
		uint64_t	 frames, sure, guessed;
		enum name_why	 guess, why[2];		/* why: all that the rest may say */
		const char	*own;			/* in tests/data; NULL: only in ../shared */
	} cases[] = {
		{ "traces/v4/net10-gc.nettrace", 5160, 0, 0, NAME_ENTRY_POINT,
		    { NAME_NO_METHODS, NAME_NO_METHODS }, "demo.nettrace" },
		{ "traces/v4/net10-storm-drops.nettrace", 716405, 0, 0, NAME_ENTRY_POINT,
		    { NAME_LOST, NAME_LOST }, NULL },
		{ "traces/v4/net10-jit-rundown.nettrace", 60189, 60173, 14, NAME_ENTRY_POINT,
		    { NAME_STUB, NAME_STUB }, NULL },
		{ "oracle/symbols/net10-symbols.nettrace", 30569, 30557, 0, NAME_ENTRY_POINT,
		    { NAME_STUB, NAME_STUB }, "shared/oracle/symbols/net10-symbols.nettrace.zst" },
		{ "traces/v3/netcore21-linux-x64.netperf", 183022, 156877, 0, NAME_ENTRY_POINT,
		    { NAME_STUB, NAME_STUB }, NULL },
		{ "traces/v6/perf-on-off-cpu.nettrace", 326326, 160757, 0, NAME_ENTRY_POINT,
		    { NAME_NATIVE, NAME_UNMAPPED }, NULL },
	};
	const char	*dir = shared_dir();

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf	*path = test_buf();
		struct trace	*t;
		struct counts	 c;

		if (dir == NULL && cases[i].own == NULL)
			continue;
		buf_printf(path, "%s/%s", dir != NULL ? dir : "", cases[i].path);
		t = dir == NULL ? data_open(cases[i].own) :
		    data_open_path(buf_str(path), &(struct trace_options){ .workers = 1 });
		c = count_trace(t);
		assert_int_equal(c.frames, cases[i].frames);
		assert_int_equal(c.of[NAME_SURE], cases[i].sure);
		assert_int_equal(c.of[cases[i].guess], cases[i].guessed);
		assert_int_equal(c.of[cases[i].why[0]] + (cases[i].why[0] != cases[i].why[1] ?
		    c.of[cases[i].why[1]] : 0), c.frames - c.of[NAME_SURE] - cases[i].guessed);
		assert_int_equal(c.placed, c.of[NAME_NATIVE]);
		data_close(t);
	}
}

/* ---- names from another trace of the process */

/* What the frames of an event at 2 ms and one at 4 ms are called, and why not, in their order. */
static void
expect_names(bool own_rundown, const char *const name[2][3], const enum name_why why[2][3])
{
	static const uint64_t		ips[] = { 0x1004, 0x2005, 0x3005 };
	struct methods_writer		m, before;
	struct derive_options		o = { .why = NULL };
	struct symbols			*s;
	struct trace			*t;

	methods_begin(&m, NULL, ips, 1, 3);
	methods_plain(&m, 2000, 1);
	methods_say(&m, METHODS_UNLOAD, 3000, 0x2000, 16, 2, "Demo.A", "Gone", "void  ()");
	methods_say(&m, METHODS_LOAD, 3500, 0x3000, 16, 3, "Demo.A", "Fresh", "void  ()");
	methods_plain(&m, 4000, 1);
	if (own_rundown) {
		methods_say(&m, METHODS_RUNDOWN, 5000, 0x1000, 16, 9, "Demo.A", "Own", "void  ()");
		methods_say(&m, METHODS_END, 5000, 0, 0, 0, "", "", "");
	}
	t = open_methods(&m);
	methods_begin(&before, NULL, ips, 1, 3);
	methods_say(&before, METHODS_RUNDOWN, 2500, 0x1000, 16, 1, "Demo.A", "Old", "void  ()");
	methods_say(&before, METHODS_RUNDOWN, 2500, 0x2000, 16, 2, "Demo.A", "Gone", "void  ()");
	methods_say(&before, METHODS_END, 2600, 0, 0, 0, "", "", "");
	o.files.earlier = open_methods(&before);
	s = symbols_new(t, &o);
	trace_lend(t, DERIVED_SYMBOLS, s);
	for (uint64_t row = 0, at = 0; row < trace_rows(t) && at < 2; row++) {
		struct event		e;
		struct frame_name	f;

		assert_int_equal(trace_event(t, row, &e), 1);
		if (e.stack == 0)
			continue;
		for (unsigned i = 0; i < 3; i++) {
			(void)trace_name_frame(t, &e, ips[i], i, true, &f);
			assert_int_equal(f.why, why[at][i]);
			assert_int_equal(f.clean.len, strlen(name[at][i]));
			assert_memory_equal(f.clean.p, name[at][i], f.clean.len);
		}
		at++;
	}
	trace_lend(t, DERIVED_SYMBOLS, NULL);
	symbols_free(s);
}

TEST(another_trace_names_what_was_compiled_before_until_there_is_a_rundown)
{
	static const char *const	old[2][3] = {
		{ "Demo.A.Old()", "Demo.A.Gone()", "Demo.A.Fresh()" },
		{ "Demo.A.Old()", "Demo.A.Gone()", "Demo.A.Fresh()" },
	}, *const			own[2][3] = {
		{ "Demo.A.Own()", "Demo.A.Gone()", "Demo.A.Fresh()" },
		{ "Demo.A.Own()", "Demo.A.Gone()", "Demo.A.Fresh()" },
	};
	static const enum name_why	why[2][3] = {
		{ NAME_SURE, NAME_SURE, NAME_LATER },
		{ NAME_SURE, NAME_UNLOADED, NAME_SURE },
	};

	expect_names(false, old, why);
	expect_names(true, own, why);
}

/* The trace has its own rundown, and was taken without loads: another one tells of these. */
TEST(another_trace_names_what_was_loaded_and_unloaded_meanwhile)
{
	static const uint64_t		ips[] = { 0x1004, 0x2005 };
	static const char *const	name[2] = { "Demo.A.Own()", "Demo.A.Brief()" };
	struct methods_writer		m, loads;
	struct derive_options		o = { .why = NULL };
	struct symbols			*s;
	struct trace			*t;
	struct event			e;
	struct frame_name		f;

	methods_begin(&m, NULL, ips, 1, 2);
	methods_plain(&m, 2000, 1);
	methods_say(&m, METHODS_RUNDOWN, 5000, 0x1000, 16, 9, "Demo.A", "Own", "void  ()");
	methods_say(&m, METHODS_END, 5000, 0, 0, 0, "", "", "");
	t = open_methods(&m);
	methods_begin(&loads, NULL, ips, 1, 2);
	methods_say(&loads, METHODS_LOAD, 1500, 0x2000, 16, 3, "Demo.A", "Brief", "void  ()");
	methods_say(&loads, METHODS_UNLOAD, 2500, 0x2000, 16, 3, "Demo.A", "Brief", "void  ()");
	o.files.loads = open_methods(&loads);
	s = symbols_new(t, &o);
	trace_lend(t, DERIVED_SYMBOLS, s);
	assert_int_equal(trace_event(t, 0, &e), 1);
	for (unsigned i = 0; i < 2; i++) {
		assert_true(trace_name_frame(t, &e, ips[i], i, true, &f));
		assert_int_equal(f.why, NAME_SURE);
		assert_int_equal(f.clean.len, strlen(name[i]));
		assert_memory_equal(f.clean.p, name[i], f.clean.len);
	}
	trace_lend(t, DERIVED_SYMBOLS, NULL);
	symbols_free(s);
}
