/* Pairs: a stop ends the start with its key, and only that one. */
#include "../support/test.h"
#include "analysis/pairs.h"

static struct fact
fact_at(int64_t ns, uint32_t thread, struct event *e)
{
	*e = (struct event){ .ts = ns, .off = (uint64_t)ns + 1, .thread = thread };
	return (struct fact){ .chosen = true, .ns = ns, .ev = e };
}

static struct pair *
start(struct pairs *p, int64_t ns, uint64_t key, bool stack)
{
	struct event	 e;
	struct fact	 f = fact_at(ns, 7, &e);
	struct pair	*x = pairs_start(p, &f);

	pairs_enter(p, 0, pair_key(key, 0), x, stack);
	return x;
}

static struct pair *
stop(struct pairs *p, int64_t ns, uint64_t key)
{
	struct event	e;
	struct fact	f = fact_at(ns, 8, &e);

	return pairs_stop(p, &f, pairs_take(p, 0, pair_key(key, 0)));
}

TEST(a_stop_ends_the_latest_start_of_its_key)
{
	struct pairs	*p = pairs_new(sizeof(struct pair), 1);
	struct pair	*a = start(p, 10, 1, true), *b = start(p, 20, 1, true);
	struct pair	*other = start(p, 30, 2, true);

	assert_ptr_equal(stop(p, 50, 1), b);
	assert_int_equal(pair_dur(b), 30);
	assert_int_equal(b->stop_thread, 8);
	assert_ptr_equal(stop(p, 70, 1), a);
	assert_int_equal(pair_dur(a), 60);
	assert_string_equal(pair_state(a), "paired");
	assert_string_equal(pair_state(other), "open");
	assert_string_equal(pair_state(stop(p, 80, 1)), "orphan");
	pairs_free(p);
}

TEST(without_a_stack_an_earlier_start_stays_open)
{
	struct pairs	*p = pairs_new(sizeof(struct pair), 1);
	struct pair	*a = start(p, 10, 1, false), *b = start(p, 20, 1, false);

	assert_ptr_equal(stop(p, 50, 1), b);
	assert_ptr_not_equal(stop(p, 60, 1), a);
	assert_string_equal(pair_state(a), "open");
	pairs_free(p);
}

TEST(where_there_is_no_room_a_record_is_forgotten)
{
	struct pairs	*p = pairs_new(sizeof(struct pair), 2);
	struct pair	*last, *x = NULL;
	uint64_t	 n = 1;

	setenv("TMPDIR", "/nonexistent", 1);
	for (; pairs_dropped(p) == 0; n++)
		x = start(p, (int64_t)n, n % 2 + 1, true);
	assert_int_equal(pairs_n(p), n - 2);
	assert_int_equal(x->number, 0);
	assert_int_equal(x->start, n - 1);
	pairs_nest(p, 1, 7, x);
	pairs_append(p, 1, pair_key(9, 0), x);
	assert_null(pairs_top(p, 1, 7));
	last = pairs_latest(p, 0, pair_key((n - 1) % 2 + 1, 0));
	assert_int_equal(last->number, n - 3);
	assert_null(pairs_latest(p, 1, pair_key(9, 0)));
	unsetenv("TMPDIR");
	pairs_free(p);
}

TEST(a_queue_gives_the_first_start_of_its_key)
{
	static const uint64_t	key[] = { 1, 2, 1, 1, 2 };
	struct pairs		*p = pairs_new(sizeof(struct pair), 2);
	struct pair		*v[5];

	for (unsigned i = 0; i < 5; i++) {
		v[i] = start(p, i, 9, false);
		pairs_append(p, 1, pair_key(key[i], 0), v[i]);
	}
	assert_ptr_equal(pairs_take_first(p, 1, pair_key(1, 0)), v[0]);
	assert_ptr_equal(pairs_take_first(p, 1, pair_key(2, 0)), v[1]);
	assert_ptr_equal(pairs_take_first(p, 1, pair_key(1, 0)), v[2]);
	pairs_append(p, 1, pair_key(1, 0), v[0]);
	assert_ptr_equal(pairs_take_first(p, 1, pair_key(1, 0)), v[3]);
	assert_ptr_equal(pairs_take_first(p, 1, pair_key(1, 0)), v[0]);
	assert_null(pairs_take_first(p, 1, pair_key(1, 0)));
	assert_ptr_equal(pairs_take_first(p, 1, pair_key(2, 0)), v[4]);
	assert_null(pairs_take_first(p, 1, pair_key(2, 0)));
	assert_null(pairs_take_first(p, 1, pair_key(3, 0)));
	pairs_free(p);
}

/* outer 10 [ middle 20 [ inner 30 ... ] 50 ] 90: the inner one has no stop until then. */
static void
nested(enum pairs_above above, const char *inner_state, uint32_t top)
{
	struct pairs	*p = pairs_new(sizeof(struct pair), 2);
	struct pair	*v[3];

	for (unsigned i = 0; i < 3; i++) {
		v[i] = start(p, 10 + 10 * (int64_t)i, i, true);
		pairs_nest(p, 1, 7, v[i]);
	}
	(void)stop(p, 50, 1);
	pairs_unnest(p, 1, 7, v[1], above);
	assert_int_equal(v[0]->nested, 30);
	assert_string_equal(pair_state(v[2]), inner_state);
	assert_int_equal(((struct pair *)pairs_top(p, 1, 7))->number, top);
	assert_true((pairs_latest(p, 0, pair_key(2, 0)) == NULL) == (above == ABOVE_IS_LEFT));
	(void)stop(p, 90, 0);
	pairs_unnest(p, 1, 7, v[0], above);
	assert_int_equal(pair_self(v[0]), 50);
	pairs_free(p);
}

TEST(what_ends_leaves_those_above_it)
{
	nested(ABOVE_IS_LEFT, "left", 1);
	nested(ABOVE_GOES, "open", 1);
	nested(ABOVE_STAYS, "open", 3);
}

TEST(only_chosen_records_are_next)
{
	struct pairs	*p = pairs_new(sizeof(struct pair), 1);
	struct pair	*a = start(p, 10, 1, true), *b = start(p, 20, 1, true);
	uint32_t	 i = 0;

	a->chosen = false;
	assert_ptr_equal(pairs_next(p, &i), b);
	assert_null(pairs_next(p, &i));
	pairs_free(p);
}
