/*
 * Blocks of numbered lists: the last block before an event that has a number is found, whatever
 * numbers the blocks claim. The result is compared with a linear search; the number of steps, which
 * hardly grows with the blocks, is counted.
 */
#include "../support/data.h"
#include "../support/nt6_writer.h"
#include "../support/test.h"
#include "engine/index/index.h"
#include "engine/index/lists.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/engine/trace.h"

#define MANY	10000u
/*
 * The most steps of a search: finding the end of the range, and at either end of it 15 blocks, 15
 * maps of 16 (up to 31 pieces: 6 steps), 15 of 256 (10), 2 of 4,096 (14).
 */
#define STEPS	(14 + 2 * (15 + 15 * 6 + 15 * 10 + 2 * 14))

static uint32_t
random_next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* The rule, word by word. */
static const struct list_block *
find_slowly(const struct lists *l, uint64_t from, uint64_t n, uint64_t off, uint32_t number)
{
	for (uint64_t i = from + n; i-- > from; ) {
		const struct list_block	*b = segvec_at(&l->block, i);

		if (b->off < off && number >= b->first && number - b->first < b->count)
			return b;
	}
	return NULL;
}

/* The ways in which blocks number their lists. No numbers overflow 32 bits. */
enum shape {
	ASCENDING, DESCENDING, ZIGZAG, SHUFFLED, BROKEN, WRAPPING,
	SAME, NESTED, FALLING, SPREAD, HUGE_AND_TINY, STRIPES, SHAPES,
};

static void
shape_block(enum shape s, uint32_t i, uint64_t *seed, uint32_t *first, uint32_t *count)
{
	switch (s) {
	case ASCENDING:
		*first = 1 + i * 10;
		*count = 10;
		break;
	case DESCENDING:
		*first = 1 + (2 * MANY - i) * 10;
		*count = 10 - i % 3;
		break;
	case ZIGZAG:		/* 16 up, 16 down, so that maps of one order are parts of others */
		*first = 1 + (i / 16 % 2 ? i / 16 * 16 + 15 - i % 16 : i) * 10;
		*count = 10;
		break;
	case SHUFFLED:		/* none overlaps another */
		*first = 1 + i * 7919 % MANY * 10;
		*count = 10;
		break;
	case BROKEN:		/* up, except for a few that overlap the last one or are anywhere */
		*first = 1 + i * 10;
		*first -= random_next(seed) % 300 == 0 ? 5 : 0;
		*first = random_next(seed) % 700 == 0 ? random_next(seed) % (MANY * 10) : *first;
		*count = 10;
		break;
	case WRAPPING:		/* up to the largest number, then from 0 on again */
		*first = 4294960000u + i * 10;
		*count = 10;
		break;
	case SAME:
		*first = 1;
		*count = UINT32_MAX - 1;
		break;
	case NESTED:
		*first = 1 + i * 100;
		*count = (3 * MANY - i * 2) * 100;
		break;
	case FALLING:
		*first = (3 * MANY - i) * 10;
		*count = 25;
		break;
	case SPREAD:
		*first = random_next(seed) % 100000;
		*count = 1 + random_next(seed) % 50;
		break;
	case HUGE_AND_TINY:
		*first = random_next(seed) % 1000 == 0 ? 0 : random_next(seed);
		*count = 1 + *first % 7;
		*count = *first == 0 ? UINT32_MAX : *count;
		break;
	case STRIPES: case SHAPES:
		*first = i % 2 ? 1 : 4000000000u;
		*count = 1 + i % 3;
		break;
	}
	if (*count > UINT32_MAX - *first)
		*count = UINT32_MAX - *first;
}

static uint32_t
number_near(const struct lists *l, uint64_t from, uint64_t n, uint64_t *seed)
{
	const struct list_block	*b = segvec_at(&l->block, from + random_next(seed) % n);

	switch (random_next(seed) % 6) {
	case 0:
		return b->first;
	case 1:
		return b->first - 1;
	case 2:
		return b->first + b->count;
	case 3:
		return b->first + b->count - 1;
	case 4:
		return b->first + random_next(seed) % b->count;
	default:
		return random_next(seed);
	}
}

TEST(the_newest_block_in_front_that_has_the_number_is_found)
{
	uint64_t	seed = 4711, looked = 0;

	for (enum shape s = 0; s < SHAPES; s++) {
		struct lists	l = { .map_bytes = 0 };
		uint64_t	from = 0;

		for (unsigned region = 0; region < 6; region++) {
			uint32_t	n = 1 + random_next(&seed) % 900;

			for (uint32_t i = 0; i < n; i++) {
				uint32_t	first, count;
				uint64_t	off = (from + i) * 100 + 8;

				shape_block(s, i, &seed, &first, &count);
				assert_true(lists_add(&l, from, first, count, off, 10));
			}
			for (unsigned i = 0; i < 2000; i++) {
				uint64_t	off = (from + random_next(&seed) % (n + 1)) * 100;
				uint32_t	number = number_near(&l, from, n, &seed);

				assert_ptr_equal(lists_find(&l, from, n, off, number, &looked),
				    find_slowly(&l, from, n, off, number));
			}
			from += n;
		}
		lists_release(&l);
	}
}

TEST(a_search_takes_few_steps_whatever_the_blocks_claim)
{
	uint64_t	seed = 42;

	for (enum shape s = 0; s < SHAPES; s++) {
		struct lists	l = { .map_bytes = 0 };

		/* The region begins at an odd block: no map ends at either end of the range. */
		assert_true(lists_add(&l, 0, 1, 1, 8, 10));
		for (uint32_t i = 1; i < MANY; i++) {
			uint32_t	first, count;

			shape_block(s, i, &seed, &first, &count);
			lists_add(&l, 1, first, count, (uint64_t)i * 100 + 8, 10);
		}
		for (unsigned i = 0; i < 5000; i++) {
			uint64_t	looked = 0;
			uint64_t	off = (1 + random_next(&seed) % MANY) * 100;

			lists_find(&l, 1, MANY - 1, off, number_near(&l, 1, MANY - 1, &seed),
			    &looked);
			assert_true(looked <= STEPS);
		}
		assert_true(lists_bytes(&l) < (size_t)MANY * 250);
		lists_release(&l);
	}
}

TEST(an_empty_block_is_none)
{
	struct lists	l = { .map_bytes = 0 };
	uint64_t	looked = 0;

	assert_false(lists_add(&l, 0, 5, 0, 100, 10));
	assert_int_equal(l.block.n, 0);
	assert_null(lists_find(&l, 0, 0, UINT64_MAX, 5, &looked));
	lists_release(&l);
}

/* ---- traces of blocks of labels or of stacks */

/* Event number seq; first: in its block. */
static void
put_event(struct nt6_writer *w, bool first, uint32_t seq, uint32_t stack, uint32_t labels)
{
	nt6_event(w, &(struct nt6_event){
		.mid = 1, .seq = first ? seq - 1 : 0, .ticks = first ? 1000 + seq : 1, .thread = 7,
		.stack = stack, .labels = labels,
	});
}

/*
 * n blocks of one stack each and n of one label list, then n events that name them from the last to
 * the first, sixteen a block.
 */
static struct trace *
open_many(uint32_t n)
{
	struct nt6_writer	w;

	nt6_init(&w);
	for (uint32_t i = 0; i < n; i++) {
		nt6_stack(&w, 1 + i, 0xabc000 + i);
		nt6_begin(&w, NT6_LABELS);
		nt6_number(&w, 1 + i, 4);
		nt6_number(&w, 1, 4);
		nt6_number(&w, 0x80 | LABEL_KEYWORDS, 1);
		nt6_number(&w, 0xdef000 + i, 8);
		nt6_finish(&w);
	}
	for (uint32_t i = 0; i < n; i += 16) {
		nt6_begin(&w, NT6_EVENTS);
		for (uint32_t k = i; k < n && k < i + 16; k++)
			put_event(&w, k == i, k + 1, n - k, n - k);
		nt6_finish(&w);
	}
	return data_nt6(&w, NULL);
}

/* Request the lists of all events; returns the number of steps. */
static uint64_t
ask_all(struct trace *t, uint32_t n)
{
	const struct slice_view	*v;
	uint64_t		 ip;
	struct label		 label;

	assert_int_equal(trace_rows(t), n);
	for (uint64_t row = 0; row < n; row += v->n, trace_view_put(t, v)) {
		assert_int_equal(trace_view_get(t, row, &v), 1);
		row = v->row0;
		for (uint32_t i = 0; i < v->n; i++) {
			uint32_t	k = n - 1 - (uint32_t)(row + i);

			assert_int_equal(trace_stack(t, &v->ev[i], &ip, 1), 1);
			assert_int_equal(ip, 0xabc000 + k);
			assert_int_equal(trace_labels(t, &v->ev[i], &label, 1), 1);
			assert_int_equal(label.kind, LABEL_KEYWORDS);
			assert_int_equal(label.number, 0xdef000 + k);
		}
	}
	return t->stacks.looked + t->labels.looked;
}

TEST(the_cost_of_many_blocks_is_linear)
{
	struct trace	*t = open_many(MANY / 8), *u = open_many(MANY);
	uint64_t	a = ask_all(t, MANY / 8), b = ask_all(u, MANY);

	assert_true(b <= a * 8 * 2);
	assert_true(b <= (uint64_t)MANY * 2 * 100);
}

/*
 * A block of lists whose first list has nearly all of its bytes. Events use the second list. The
 * bytes of the first one are read only once.
 */
TEST(a_long_list_is_stepped_over_once)
{
	enum { LABELS_N = 5000, LISTS = 40, EVENTS_N = 3000 };
	struct nt6_writer w;
	struct trace	*t;
	struct event	 e;
	struct label	 label;

	nt6_init(&w);
	nt6_begin(&w, NT6_LABELS);
	nt6_number(&w, 1, 4);
	nt6_number(&w, LISTS, 4);
	for (unsigned i = 0; i < LABELS_N; i++) {
		nt6_number(&w, LABEL_LEVEL, 1);
		nt6_number(&w, 3, 1);
	}
	for (unsigned i = 0; i < LISTS; i++) {
		nt6_number(&w, 0x80 | LABEL_KEYWORDS, 1);
		nt6_number(&w, i, 8);
	}
	nt6_finish(&w);
	nt6_begin(&w, NT6_EVENTS);
	for (uint32_t i = 0; i < EVENTS_N; i++)
		put_event(&w, i == 0, i + 1, 0, LISTS);
	nt6_finish(&w);
	t = data_nt6(&w, NULL);
	for (uint64_t row = 0; row < EVENTS_N; row++) {
		struct list_block	*block = segvec_at(&t->labels.block, 0);
		struct list_place	*p;

		assert_int_equal(trace_event(t, row, &e), 1);
		assert_int_equal(trace_labels(t, &e, &label, 1), 1);
		assert_int_equal(label.number, LISTS - 1);
		p = atomic_load(&block->places);
		assert_int_equal(p[0].index, 1);
		assert_int_equal(p[1].index, 1);	/* right behind the long one */
		assert_int_equal(p[1].at, 8 + LABELS_N * 2 + 9);
	}
	assert_int_equal(t->labels.walked, LISTS);
}

struct asker {
	struct trace		*t;
	const struct event	*e;
	uint32_t		 n, wrong;
};

/* No assertions here: they work only in the thread of the test. */
static void
ask_job(void *arg)
{
	struct asker	*a = arg;
	struct label	 label;
	uint64_t	 ip;

	for (uint32_t i = 0; i < a->n; i++) {
		uint32_t	k = a->n - 1 - i;

		a->wrong += trace_stack(a->t, &a->e[i], &ip, 1) != 1 || ip != 0xabc000 + k;
		a->wrong += trace_labels(a->t, &a->e[i], &label, 1) != 1 ||
		    label.number != 0xdef000 + k;
	}
}

/* Two blocks of many lists: all threads need the places of both at the same time. */
TEST(threads_may_ask_at_once)
{
	enum { LISTS = 3000, THREADS_N = 4 };
	struct nt6_writer w;
	struct asker	 a[THREADS_N];
	struct job	*job[THREADS_N];
	struct trace	*t;
	struct event	*e = mem_alloc(LISTS * sizeof *e);

	nt6_init(&w);
	nt6_begin(&w, NT6_STACKS);
	nt6_number(&w, 1, 4);
	nt6_number(&w, LISTS, 4);
	for (uint32_t i = 0; i < LISTS; i++) {
		nt6_number(&w, 8, 4);
		nt6_number(&w, 0xabc000 + i, 8);
	}
	nt6_finish(&w);
	nt6_begin(&w, NT6_LABELS);
	nt6_number(&w, 1, 4);
	nt6_number(&w, LISTS, 4);
	for (uint32_t i = 0; i < LISTS; i++) {
		nt6_number(&w, 0x80 | LABEL_KEYWORDS, 1);
		nt6_number(&w, 0xdef000 + i, 8);
	}
	nt6_finish(&w);
	nt6_begin(&w, NT6_EVENTS);
	for (uint32_t i = 0; i < LISTS; i++)
		put_event(&w, i == 0, i + 1, LISTS - i, LISTS - i);
	nt6_finish(&w);
	t = data_nt6(&w, NULL);
	for (uint32_t i = 0; i < LISTS; i++)
		assert_int_equal(trace_event(t, i, &e[i]), 1);
	for (unsigned i = 0; i < THREADS_N; i++) {
		a[i] = (struct asker){ .t = t, .e = e, .n = LISTS };
		job[i] = job_start(ask_job, &a[i]);
	}
	for (unsigned i = 0; i < THREADS_N; i++) {
		job_join(job[i]);
		assert_int_equal(a[i].wrong, 0);
	}
	mem_free(e);
}

/* Write a block of count stacks of one frame each, numbered from first on, and set means to it. */
static void
put_stacks(struct nt6_writer *w, uint32_t first, uint32_t count, uint64_t *serial, uint64_t *means)
{
	nt6_begin(w, NT6_STACKS);
	nt6_number(w, first, 4);
	nt6_number(w, count, 4);
	for (uint32_t i = 0; i < count; i++) {
		nt6_number(w, 8, 4);
		nt6_number(w, ++*serial, 8);
		means[first + i] = *serial;
	}
	nt6_finish(w);
}

/* Blocks overlap and repeat. A reader that keeps the block of the last stack is still right. */
TEST(a_reader_of_stacks_finds_what_a_search_finds)
{
	enum { ROUNDS = 300, NUMBERS = 400, EVENTS_N = 16 * ROUNDS };
	struct nt6_writer	 w;
	struct stack_reader	 forward = { .block = NULL }, anyhow = { .block = NULL };
	uint64_t		 means[NUMBERS] = { 0 }, seed = 5, serial = 0xabc000, ip, searched;
	uint64_t		*want = mem_zalloc(EVENTS_N, sizeof *want);
	struct trace		*t;
	struct event		 e;
	size_t			 n = 0;

	nt6_init(&w);
	for (uint32_t i = 0; i < EVENTS_N; i++) {
		uint32_t	number = 1 + random_next(&seed) % (NUMBERS - 1);

		for (unsigned k = random_next(&seed) % 3; i % 16 == 0 && k > 0; k--)
			put_stacks(&w, 1 + random_next(&seed) % (NUMBERS / 2 - 1),
			    1 + random_next(&seed) % (NUMBERS / 2), &serial, means);
		if (i % 16 == 0)
			nt6_begin(&w, NT6_EVENTS);
		put_event(&w, i % 16 == 0, i + 1, number, 0);
		want[i] = means[number];
		if (i % 16 == 15)
			nt6_finish(&w);
	}
	t = data_nt6(&w, NULL);
	assert_int_equal(trace_rows(t), EVENTS_N);
	for (uint32_t i = 0; i < 4 * EVENTS_N; i++) {
		bool		 in_order = i < EVENTS_N;
		uint32_t	 row = in_order ? i : random_next(&seed) % EVENTS_N;

		assert_int_equal(trace_event(t, row, &e), 1);
		n = trace_stack_next(t, in_order ? &forward : &anyhow, &e, &ip, 1);
		assert_int_equal(n, want[row] != 0);
		assert_true(n == 0 || ip == want[row]);
		assert_int_equal(trace_stack(t, &e, &searched, 1), n);
		assert_true(n == 0 || searched == ip);
	}
	mem_free(want);
}

/*
 * Wherever a scope has the same number, a number of a stack means the same stack. One scope is for
 * all of a region whose blocks rise. rises: they do; otherwise they overlap and repeat.
 */
static void
check_scopes(bool rises)
{
	enum { ROUNDS = 200, NUMBERS = 400, EVENTS_N = 4 * ROUNDS, SCOPES = 2 * ROUNDS };
	struct nt6_writer	 w;
	struct stack_scope	 scope = { .numbers = 0 };
	uint64_t		*means = mem_zalloc(2 * NUMBERS, sizeof *means), seed = 7, serial = 1;
	uint64_t		*known = mem_zalloc((size_t)(SCOPES + 1) * NUMBERS, sizeof *known);
	unsigned		 found = 0;
	struct trace		*t;
	struct event		 e;
	uint32_t		 next = 1;

	nt6_init(&w);
	for (uint32_t i = 0; i < EVENTS_N; i++) {
		/* Also numbers that no block has, and those that only a later block has. */
		uint32_t	number = 1 + random_next(&seed) % (NUMBERS - 1);

		if (i % 4 == 0 && rises && next < NUMBERS - 8) {
			put_stacks(&w, next, 1 + i % 3, &serial, means);
			next += 1 + i % 3 + i % 5;
		} else if (i % 4 == 0 && !rises) {
			put_stacks(&w, number, 1 + random_next(&seed) % 40, &serial, means);
		}
		if (i % 4 == 0)
			nt6_begin(&w, NT6_EVENTS);
		put_event(&w, i % 4 == 0, i + 1, number, 0);
		if (i % 4 == 3)
			nt6_finish(&w);
	}
	t = data_nt6(&w, NULL);
	for (uint32_t i = 0; i < 8 * EVENTS_N && scope.now.number < SCOPES; i++) {
		uint32_t	row = i < EVENTS_N ? i : random_next(&seed) % EVENTS_N;
		uint64_t	ip = 0, *k;

		assert_int_equal(trace_event(t, row, &e), 1);
		if (!trace_stack_scope(t, &e, &scope))
			continue;
		(void)trace_stack(t, &e, &ip, 1);
		k = &known[scope.now.number * NUMBERS + e.stack];
		assert_true(*k == 0 || *k == ip + 1);
		*k = ip + 1;
		found += ip != 0;
	}
	assert_true(found > EVENTS_N / 8);
	if (rises)
		assert_int_equal(scope.now.number, 1);
	stack_scope_end(&scope);
	assert_int_equal(trace_event(t, EVENTS_N - 1, &e), 1);
	while (!trace_stack_scope(t, &e, &scope))
		e.stack--;
	assert_true(!rises || scope.now.number == 2);
	mem_free(known);
	mem_free(means);
}

TEST(a_scope_says_where_numbers_mean_the_same_stacks)
{
	check_scopes(true);
	check_scopes(false);
}
