/*
 * Names of code: clean names as in the table of tests/data/symbols; ranges with times, and
 * innermost ranges, compared with a simple implementation of the rule; lifetimes of code by its
 * events.
 */
#include "../support/cases.h"
#include "analysis/reports/common.h"
#include "analysis/symbols/clean.h"
#include "analysis/symbols/lives.h"
#include "analysis/symbols/names.h"
#include "analysis/symbols/ranges.h"
#include "analysis/symbols/spots.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

static uint32_t
random_next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* ---- names */

/* What is raw and what is clean, a line each, of a type, a name and a signature. */
CASE(method)
{
	struct name_text	 t;
	struct sym_names	 names;
	uint32_t		 i, type_len, args_at;
	struct buf		*text = test_buf();
	struct span		 raw, clean;

	buf_puts(text, "before");
	name_of_method(text, arg[0], arg[1], arg[2], &t);
	t.raw.p = (const uint8_t *)text->p + 6;
	sym_names_init(&names);
	i = sym_names_add(&names, &t);
	assert_int_equal(sym_names_add(&names, &t), i);
	raw = sym_names_raw(&names, i);
	clean = sym_names_clean(&names, i);
	assert_true(spans_equal(raw, t.raw));
	assert_ptr_equal(sym_names_clean(&names, i).p, clean.p);
	assert_true(sym_names_parts(&names, i, &type_len, &args_at));
	assert_int_equal(type_len, t.type_len);
	assert_int_equal(args_at, t.args_at);
	buf_printf(out, "%.*s\n%.*s", (int)raw.len, (const char *)raw.p, (int)clean.len,
	    (const char *)clean.p);
	sym_names_release(&names);
}

static void
check_row(const char *const *column)
{
	struct buf	*is = test_buf(), *want = test_buf();
	struct span	 arg[3];

	for (unsigned i = 0; i < 3; i++)
		arg[i] = test_exact(column[i], strlen(column[i]));
	answer_method(is, arg);
	buf_printf(want, "%s\n%s", column[3], column[4]);
	assert_string_equal(buf_str(is), buf_str(want));
}

TEST(names_are_as_the_table_has_them)
{
	assert_true(data_list("../../data/symbols/display.tsv", check_row) >= 34);
}

CASE(il)
{
	il_method_words(out, arg[0]);
}

CASES("symbols.txt", 9)

static void
clean_of(const uint8_t *p, size_t type, size_t name, size_t args, struct buf *out)
{
	const struct method_parts	m = { .type = { p, type }, .name = { p + type, name },
					    .args = { p + type + name, args } };

	clean_method(out, &m);
}

/* Any text gives a name of a length in proportion; its bytes lie in an exact block. */
TEST(no_text_harms_the_cleaning)
{
	static const char	 pieces[][24] = {
		"<", ">", "[", "]", "(", ")", "`1", "`12", "+", ".", ",", "!", "!!0", "&", "*",
		"fnptr ", "pMT: ", "class ", "value class ", "<A>g__B|1", "<A>b__0", "MoveNext",
		"System.Nullable`1", "<X>d__1", "required_modifier ", "System.Int32", " ", "\xff",
		"dynamicClass", "List`1<", "unsigned ",
	};
	uint64_t	 seed = 7;
	struct buf	*in = test_buf(), *out = test_buf();

	for (unsigned i = 0; i < 20000; i++) {
		size_t	 a, b;
		uint8_t	*exact;

		buf_clear(in);
		for (uint32_t n = random_next(&seed) % 24; n > 0; n--)
			buf_puts(in, pieces[random_next(&seed) % (sizeof pieces / sizeof *pieces)]);
		exact = mem_alloc(in->len + 1);
		memcpy(exact, in->p, in->len);
		a = random_next(&seed) % (in->len + 1);
		b = random_next(&seed) % (in->len - a + 1);
		buf_clear(out);
		clean_of(exact, a, b, in->len - a - b, out);
		assert_true(out->len <= in->len * 20 + 64);
		mem_free(exact);
	}
}

/* A name of 64 KB of the worst kinds takes no more than it is long. */
TEST(long_names_stay_long_not_longer)
{
	static const char *const	kinds[] = { "<", "A`1[", "fnptr ", "A`1<", "<a>g__", "!!",
					    "value class ", "+", "[", "X&," };
	struct buf	*in = test_buf(), *out = test_buf();

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		buf_clear(in);
		buf_putc(in, '(');
		while (in->len < 65536)
			buf_puts(in, kinds[k]);
		buf_clear(out);
		clean_of((const uint8_t *)in->p, 0, 0, in->len, out);
		clean_of((const uint8_t *)in->p, in->len, 0, 0, out);
		clean_of((const uint8_t *)in->p, 0, in->len, 0, out);
		assert_true(out->len <= in->len * 40);
	}
}

/* Brackets that nothing closes, in a list where each is looked at: each of them is a type. */
TEST(a_list_of_brackets_is_one_of_types)
{
	struct buf	*in = test_buf(), *out = test_buf();

	buf_puts(in, "A`1[B[");
	while (in->len < 65536 - 2)
		buf_puts(in, "<,");
	buf_puts(in, "]]");
	clean_of((const uint8_t *)in->p, in->len, 0, 0, out);
	assert_true(strncmp(buf_str(out), "A<B<<, <, <, ", 13) == 0);
	assert_true(out->len > in->len && out->len <= in->len * 2);
}

/* ---- ranges */

static void
check_ranges(const struct code_range *v, uint32_t n, uint64_t *seed)
{
	struct ranges	r;

	ranges_init(&r, v, n);
	for (unsigned i = 0; i < 400; i++) {
		uint64_t		addr = random_next(seed) % 130;
		int64_t			ts = random_next(seed) % 60, from, to;
		struct range_hit	hit, again;
		uint32_t		want = RANGE_NONE;

		for (uint32_t k = 0; k < n; k++)
			if (v[k].start <= addr && addr <= v[k].last && v[k].from <= ts &&
			    ts < v[k].to)
				want = k;	/* the latest: they are in the order of from */
		ranges_find(&r, addr, ts, &hit);
		assert_int_equal(hit.item, want);
		assert_true(hit.from <= ts && (ts < hit.to || hit.to == TIME_LAST));
		from = hit.from < 0 ? 0 : hit.from;
		to = hit.to > 60 ? 60 : hit.to;
		ranges_find(&r, addr, from + random_next(seed) % (uint32_t)(to - from), &again);
		assert_int_equal(again.item, want);
	}
	ranges_release(&r);
}

SORT_ORDER(by_from, struct code_range, RISING(from))

TEST(the_range_that_began_last_and_still_holds_is_found)
{
	struct code_range	v[40];
	uint64_t		seed = 11;

	for (unsigned round = 0; round < 300; round++) {
		uint32_t	n = random_next(&seed) % 40;

		for (uint32_t i = 0; i < n; i++) {
			v[i].start = random_next(&seed) % 120;
			v[i].last = v[i].start + random_next(&seed) % (round % 2 ? 5 : 60);
			v[i].from = random_next(&seed) % 4 == 0 ? TIME_FIRST : random_next(&seed) % 50;
			v[i].to = (v[i].from < 0 ? 0 : v[i].from) + random_next(&seed) % 20;
			if (random_next(&seed) % 3 == 0)
				v[i].to = TIME_LAST;
			if (random_next(&seed) % 16 == 0)
				v[i].last = UINT64_MAX;
		}
		qsort(v, n, sizeof *v, by_from);
		check_ranges(v, n, &seed);
	}
}

/* A hundred thousand ranges, all over each other or all at one place, make a tree of that size. */
TEST(hostile_ranges_cost_no_more_than_their_number)
{
	const uint32_t		n = 100000;
	struct code_range	*v = mem_alloc(n * sizeof *v);
	struct ranges		 r;
	struct range_hit	 hit;

	for (uint32_t i = 0; i < n; i++)
		v[i] = (struct code_range){ .start = i, .last = UINT64_MAX - i, .from = i,
		    .to = TIME_LAST };
	ranges_init(&r, v, n);
	assert_true(r.nsteps <= (size_t)n * 40);
	ranges_find(&r, n / 2, n, &hit);
	assert_int_equal(hit.item, n / 2);
	ranges_release(&r);
	for (uint32_t i = 0; i < n; i++)
		v[i] = (struct code_range){ .start = 5, .last = 9, .from = i * 2, .to = i * 2 + 1 };
	ranges_init(&r, v, n);
	assert_true(r.nsteps <= (size_t)n * 2);
	ranges_find(&r, 7, 1000, &hit);
	assert_int_equal(hit.item, 500);
	ranges_find(&r, 7, 1001, &hit);
	assert_int_equal(hit.item, RANGE_NONE);
	assert_int_equal(hit.before, 500);
	assert_int_equal(hit.after, 501);
	ranges_release(&r);
	mem_free(v);
}

/* ---- spots */

static bool
lower_is_better(void *arg, uint32_t a, uint32_t b)
{
	(void)arg;
	return a < b;
}

static void
check_spots(const struct spot *v, size_t n, const struct spots *s)
{
	for (uint32_t group = 0; group < 3; group++)
		for (uint64_t addr = 0; addr < 80; addr++) {
			uint64_t	least = UINT64_MAX;
			uint32_t	got = spots_find(s, group, addr);
			bool		right = false;

			for (size_t i = 0; i < n; i++)
				if (v[i].group == group && v[i].start <= addr &&
				    addr <= v[i].last && v[i].last - v[i].start < least)
					least = v[i].last - v[i].start;
			for (size_t i = 0; i < n; i++)
				right |= v[i].name == got && v[i].group == group &&
				    v[i].start <= addr && addr <= v[i].last &&
				    v[i].last - v[i].start == least;
			assert_true(least == UINT64_MAX ? got == SPOT_NONE : right);
		}
}

TEST(the_innermost_symbol_is_found)
{
	struct spot	v[30], given[30];
	struct spots	s;
	uint64_t	seed = 3;

	for (unsigned round = 0; round < 300; round++) {
		size_t	n = random_next(&seed) % 30;

		for (uint32_t i = 0; i < n; i++) {
			v[i] = (struct spot){ .group = random_next(&seed) % 3, .name = i,
			    .start = 1 + random_next(&seed) % 70 };
			v[i].last = v[i].start + random_next(&seed) % 25;
			if (random_next(&seed) % 20 == 0)
				v[i].last = UINT64_MAX;
			given[i] = v[i];
		}
		spots_init(&s, v, n, lower_is_better, NULL);
		assert_true(s.n <= n * 2);
		check_spots(given, n, &s);
		spots_release(&s);
	}
}

/* ---- lives */

TEST(code_lives_from_its_load_to_its_unload)
{
	struct method_record	records[] = {
		{ .ts = 90, .start = 100, .size = 10, .method = 3, .name = 3,
		    .what = CODE_RUNDOWN },
		{ .ts = 10, .start = 100, .size = 10, .method = 1, .name = 1, .what = CODE_LOAD },
		{ .ts = 20, .start = 100, .size = 10, .method = 1, .name = 1,
		    .what = CODE_UNLOAD },
		{ .ts = 30, .start = 100, .size = 10, .method = 2, .name = 2, .module = 7,
		    .what = CODE_LOAD },
		{ .ts = 40, .module = 7, .what = CODE_MODULE_UNLOAD },
		{ .ts = 91, .start = 200, .size = 5, .method = 4, .name = 4,
		    .what = CODE_RUNDOWN },
		{ .ts = 5, .start = 300, .size = 5, .method = 5, .name = 5, .what = CODE_LOAD },
		{ .ts = 92, .start = 300, .size = 5, .method = 5, .name = 5,
		    .what = CODE_RUNDOWN },
	};
	static const struct { uint32_t name; int64_t from, to; }	want[] = {
		{ 4, TIME_FIRST, TIME_LAST }, { 5, 5, TIME_LAST }, { 1, 10, 20 }, { 2, 30, 40 },
		{ 3, 40, TIME_LAST },
	};
	struct lives		l;

	lives_init(&l, records, sizeof records / sizeof *records);
	assert_int_equal(l.n, sizeof want / sizeof *want);
	for (size_t i = 0; i < l.n; i++) {
		assert_int_equal(l.v[i].name, want[i].name);
		assert_true(l.range[i].from == want[i].from && l.range[i].to == want[i].to);
	}
	lives_release(&l);
}
