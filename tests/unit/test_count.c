/*
 * Counts by value, compared with the index's counts by thread and by type, and with sums computed
 * here. Counts by names of frames are compared with the stacks that were written.
 */
#include "../support/counts.h"
#include "../support/data.h"
#include "../support/nt4_writer.h"
#include "../support/test.h"
#include "tnav/base/mem.h"
#include "tnav/engine/count.h"
#include "tnav/engine/naming.h"
#include "tnav/engine/pass.h"

#define TRACE	"features/v6-threads.nettrace"

struct made {
	struct trace		*t;
	struct field_list	 by;
	struct counter		*c;
};

static void
make(struct made *m, const char *name, const char *by, const struct count_options *o)
{
	struct buf	*why = test_buf();

	m->t = data_open(name);
	assert_int_equal(field_list_init(&m->by, by, why), 0);
	m->c = counter_new(m->t, &m->by, o);
}

static void
release(struct made *m)
{
	counter_free(m->c);
	field_list_release(&m->by);
}

static const struct count_options	all = { .keys = 1000, .text = 100 };

TEST(what_types_decide_is_counted_alike_by_events_and_by_the_index)
{
	struct made	 m;
	struct counter	*walked;

	make(&m, "demo.nettrace", "provider,name", &all);
	walked = counter_new(m.t, &m.by, &all);
	assert_true(counter_add_index(m.c, NULL));
	counts_add_rows(walked, m.t, 0, trace_rows(m.t));
	assert_int_equal(counter_keys(m.c), counter_keys(walked));
	assert_memory_equal(counter_all(m.c), counter_all(walked), sizeof(struct count));
	counter_free(walked);
	release(&m);
}

/* The events that match, counted one by one. */
static void
add_matching(struct counter *c, struct trace *t, struct filter_eval *eval)
{
	struct event	e;

	for (uint64_t row = 0; row < trace_rows(t); row++) {
		assert_int_equal(trace_event(t, row, &e), 1);
		if (filter_match(eval, &e))
			counter_add(c, &e, row);
	}
}

TEST(a_filter_on_types_is_counted_without_decoding)
{
	static const struct {
		const char	*text;
		bool		 by_types;
	} filters[] = {
		{ "name ~ a", true }, { "provider != Microsoft-Windows-DotNETRuntime", true },
		{ "not (level > 4 or id < 20)", true }, { "name ~ a and tid > 0", false },
		{ "/a/", false },
	};

	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		struct made		 m;
		struct counter		*walked;
		struct filter_eval	*eval;
		uint64_t		 before;

		make(&m, "demo.nettrace", "provider,name", &all);
		eval = filter_eval_new(data_filter(m.t, filters[i].text, true), m.t);
		before = data_decoded(m.t);
		assert_int_equal(counter_add_index(m.c, eval), filters[i].by_types);
		assert_int_equal(data_decoded(m.t), before);
		walked = counter_new(m.t, &m.by, &all);
		add_matching(walked, m.t, eval);
		if (filters[i].by_types) {
			assert_true(counter_all(walked)->events > 0);
			assert_int_equal(counter_keys(m.c), counter_keys(walked));
			assert_memory_equal(counter_all(m.c), counter_all(walked),
			    sizeof(struct count));
		} else {
			assert_int_equal(counter_keys(m.c), 0);
		}
		counter_free(walked);
		filter_eval_free(eval);
		release(&m);
	}
}

TEST(threads_have_the_counts_of_the_index)
{
	struct made		 m;
	struct thread_stat	*st;
	size_t			 n;
	struct cell		 c;
	uint64_t		 found = 0;

	make(&m, "demo.nettrace", "tid", &all);
	assert_false(counter_add_index(m.c, NULL));
	counts_add_rows(m.c, m.t, 0, trace_rows(m.t));
	n = trace_thread_stats(m.t, &st);
	for (uint32_t k = 0; k < counter_keys(m.c); k++) {
		assert_true(counter_cells(m.c, k, &c));
		for (size_t i = 0; i < n; i++) {
			if (c.kind != CELL_U64 || !st[i].has_tid || st[i].tid != c.u)
				continue;
			assert_int_equal(counter_count(m.c, k)->events, st[i].c.events);
			assert_int_equal(counter_count(m.c, k)->bytes, st[i].c.bytes);
			found++;
		}
	}
	assert_true(found > 1);
	assert_int_equal(counter_all(m.c)->events, trace_rows(m.t));
	mem_free(st);
	release(&m);
}

TEST(keys_beyond_the_limit_are_counted_together)
{
	const struct count_options	 two = { .keys = 2, .text = 100 };
	struct made			 m;
	uint64_t			 sum = 0;

	make(&m, TRACE, "row", &two);
	counts_add_rows(m.c, m.t, 0, trace_rows(m.t));
	assert_int_equal(counter_keys(m.c), 2);
	for (uint32_t k = 0; k < 2; k++)
		sum += counter_count(m.c, k)->events;
	assert_int_equal(sum, 2);
	assert_int_equal(counter_beyond(m.c)->events, trace_rows(m.t) - 2);
	release(&m);
}

TEST(events_without_the_field_have_a_key_or_are_left_out)
{
	const struct count_options	 skip = { .keys = 10, .text = 100, .skip = true };
	struct made			 m;
	struct counter			*kept;
	struct cell			 c;

	make(&m, TRACE, "nothing", &skip);
	kept = counter_new(m.t, &m.by, &all);
	counts_add_rows(m.c, m.t, 0, 3);
	counts_add_rows(kept, m.t, 0, 3);
	assert_int_equal(counter_keys(m.c), 0);
	assert_int_equal(counter_without(m.c)->events, 3);
	assert_int_equal(counter_keys(kept), 1);
	assert_true(counter_cells(kept, 0, &c));
	assert_int_equal(c.kind, CELL_NONE);
	counter_free(kept);
	release(&m);
}

TEST(a_text_that_is_cut_is_told)
{
	const struct count_options	 one = { .keys = 10, .text = 1 };
	struct made			 m;
	struct cell			 c;

	make(&m, TRACE, "provider", &one);
	counts_add_rows(m.c, m.t, 0, 1);
	assert_false(counter_cells(m.c, 0, &c));
	assert_int_equal(c.text.len, 1);
	release(&m);
}

TEST(most_events_come_first_and_bins_add_up)
{
	struct count_options	 o = { .keys = 1000, .text = 100, .bins = true };
	struct made		 m;
	uint32_t		*order;

	make(&m, "demo.nettrace", "name", &o);
	counter_free(m.c);
	m.c = counter_new(m.t, &m.by, &o);
	counts_add_rows(m.c, m.t, 0, trace_rows(m.t));
	order = mem_zalloc(counter_keys(m.c), sizeof *order);
	counter_order(m.c, order);
	for (uint32_t i = 0; i < counter_keys(m.c); i++) {
		const struct count	*n = counter_count(m.c, order[i]);
		uint64_t		 sum = 0, bins[COUNT_BINS];

		if (i > 0)
			assert_true(n->events <= counter_count(m.c, order[i - 1])->events);
		for (unsigned k = 0, nbins = counter_bins(m.c, order[i], bins); k < nbins; k++)
			sum += bins[k];
		assert_int_equal(sum, n->events);
	}
	mem_free(order);
	release(&m);
}

static void
assert_same(const struct counter *a, const struct counter *b, size_t nby)
{
	uint64_t	p[COUNT_BINS] = { 0 }, q[COUNT_BINS] = { 0 };
	struct cell	x[4], y[4];

	assert_memory_equal(counter_all(a), counter_all(b), sizeof(struct count));
	assert_memory_equal(counter_beyond(a), counter_beyond(b), sizeof(struct count));
	assert_memory_equal(counter_without(a), counter_without(b), sizeof(struct count));
	assert_int_equal(counter_keys(a), counter_keys(b));
	for (uint32_t k = 0; k < counter_keys(a); k++) {
		assert_memory_equal(counter_count(a, k), counter_count(b, k),
		    sizeof(struct count));
		assert_int_equal(counter_bins(a, k, p), counter_bins(b, k, q));
		assert_memory_equal(p, q, sizeof p);
		assert_int_equal(counter_cells(a, k, x), counter_cells(b, k, y));
		for (size_t i = 0; i < nby; i++) {
			struct buf	*one = test_buf(), *other = test_buf();

			cell_json(one, &x[i]);
			cell_json(other, &y[i]);
			assert_int_equal(x[i].kind, y[i].kind);
			assert_string_equal(buf_str(one), buf_str(other));
		}
	}
}

static void
count_in_parts(const char *by, struct count_options o, uint64_t part)
{
	struct made	 m;
	struct counter	*merged;
	uint64_t	 rows;

	make(&m, "demo.nettrace", by, &o);
	counter_free(m.c);
	o.bins = true;
	m.c = counter_new(m.t, &m.by, &o);
	rows = trace_rows(m.t);
	counts_add_rows(m.c, m.t, 0, rows);
	merged = counter_new(m.t, &m.by, &o);
	for (uint64_t row = 0; row < rows; row += part) {
		struct counter	*c = counter_new(m.t, &m.by, &o);

		counts_add_rows(c, m.t, row, row + part < rows ? row + part : rows);
		counter_merge(merged, c);
		counter_free(c);
	}
	assert_same(m.c, merged, m.by.n);
	counter_free(merged);
	release(&m);
}

TEST(merged_parts_are_what_one_state_counts)
{
	for (uint64_t part = 1; part < 5000; part = part * 3 + 1) {
		count_in_parts("name", all, part);
		count_in_parts("tid,Reason,payload.nothing", all, part);
		count_in_parts("thread", (struct count_options){ .keys = 1000, .text = 3,
		    .skip = true }, part);
	}
}

TEST(keys_beyond_the_limit_are_merged_together)
{
	count_in_parts("row", (struct count_options){ .keys = 50, .text = 100 }, 7);
	count_in_parts("row", (struct count_options){ .keys = 50, .text = 100 }, 50);
	count_in_parts("Depth", (struct count_options){ .keys = 1, .text = 100, .skip = true }, 1);
}

/* ---- names of frames */

#define EVENTS	24000u
#define BLOCKS	4u		/* blocks of stacks, all with the same numbers */
#define STACKS	60u
#define FRAMES	5u
#define NAMES	40u
#define ERAS	2u		/* an address has another name after half of the time */
#define KINDS	3u		/* values of the payload's field */

struct stacked {
	struct nt4_writer	 w;
	struct stack_namer	 namer;
	struct made		 m;
	char			 names[ERAS][NAMES][8];
	uint64_t		 asked;		/* names */
	uint64_t		 ips[BLOCKS][STACKS][FRAMES];
	/* What was written: the events with a name, and those without a stack. */
	uint64_t		 events[ERAS][NAMES][KINDS], without;
};

static uint32_t
next(uint32_t *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 8;
}

static bool
name_frame(void *self, const struct event *e, uint64_t ip, unsigned depth, bool clean,
    struct frame_name *out)
{
	struct stacked	*s = self;
	unsigned	 era = e->ts > (int64_t)EVENTS / 2;
	const char	*name = s->names[era][ip % NAMES];

	(void)depth;
	(void)clean;
	s->asked++;
	*out = (struct frame_name){ .raw = span_of(name), .clean = span_of(name),
	    .from = era > 0 ? EVENTS / 2 + 1 : INT64_MIN,
	    .to = era > 0 ? INT64_MAX : EVENTS / 2 + 1 };
	return true;
}

static uint32_t
one_process(void *self, const struct event *e)
{
	(void)self;
	(void)e;
	return 1;
}

static void
count_written(struct stacked *s, uint32_t n, const uint64_t *ips)
{
	bool	seen[NAMES] = { false };

	for (unsigned i = 0; ips != NULL && i < FRAMES; i++) {
		unsigned	name = (unsigned)(ips[i] % NAMES);

		s->events[n + 1 > EVENTS / 2][name][n % KINDS] += !seen[name];
		seen[name] = true;
	}
	s->without += ips == NULL;
}

static void
write_stacks(struct stacked *s, uint32_t block, uint32_t *n, uint32_t *seed, bool all_have)
{
	nt4_stacks(&s->w, 1, STACKS, s->ips[block][0], FRAMES);
	nt4_block(&s->w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < EVENTS / BLOCKS; i++, ++*n) {
		uint32_t		stack = all_have ? next(seed) % STACKS + 1 :
					    next(seed) % (STACKS + 1);
		uint8_t			payload[4] = { (uint8_t)(*n % KINDS) };
		struct nt4_event	e = { .mid = 1, .tid = 7, .capture = 7, .seq = *n + 1,
					    .ts = *n + 1, .stack = stack, .payload = payload,
					    .size = 4 };

		nt4_event(&s->w, &e);
		count_written(s, *n, stack > 0 ? s->ips[block][stack - 1] : NULL);
	}
	nt4_block_end(&s->w);
	nt4_sequence_point(&s->w, *n, 1, &(uint64_t){ 7 }, n);
}

static void
write_trace(struct stacked *s, bool all_have)
{
	static const struct nt4_field	fields[] = { { NT4_U32, "kind" } };
	uint32_t			n = 0, seed = 4711;

	nt4_begin(&s->w, NULL, "Stacks", "Number", fields, 1);
	for (uint32_t b = 0; b < BLOCKS; b++) {
		for (uint32_t i = 0; i < STACKS; i++)
			for (uint32_t k = 0; k < FRAMES; k++)
				s->ips[b][i][k] = 0x10000 + next(&seed) % 3000;
		write_stacks(s, b, &n, &seed, all_have);
	}
}

static struct stacked *
stacked_new(const char *by, const struct count_options *o, bool all_have)
{
	struct stacked	*s = mem_zalloc(1, sizeof *s);
	struct buf	*why = test_buf();

	for (unsigned era = 0; era < ERAS; era++)
		for (unsigned i = 0; i < NAMES; i++)
			(void)snprintf(s->names[era][i], sizeof s->names[era][i], "%u.%u",
			    era, i);
	write_trace(s, all_have);
	s->namer = (struct stack_namer){ s, name_frame, one_process };
	s->m.t = data_nt4(&s->w, NULL);
	assert_int_equal(trace_rows(s->m.t), EVENTS);
	trace_lend(s->m.t, DERIVED_SYMBOLS, &s->namer);
	assert_int_equal(field_list_init(&s->m.by, by, why), 0);
	s->m.c = counter_new(s->m.t, &s->m.by, o);
	return s;
}

static void
stacked_free(struct stacked *s)
{
	trace_lend(s->m.t, DERIVED_SYMBOLS, NULL);
	release(&s->m);
	mem_free(s);
}

/* The number of events that were written with the key's name, and with its kind if it has one. */
static uint64_t
written(const struct stacked *s, uint32_t key)
{
	struct cell	cells[2];
	unsigned	era, name;
	uint64_t	sum = 0;
	char		text[8] = "";

	assert_true(counter_cells(s->m.c, key, cells));
	assert_int_equal(cells[0].kind, CELL_TEXT);
	assert_true(cells[0].text.len < sizeof text);
	memcpy(text, cells[0].text.p, cells[0].text.len);
	assert_int_equal(sscanf(text, "%u.%u", &era, &name), 2);
	if (s->m.by.n > 1)
		return s->events[era][name][cells[1].u];
	for (unsigned kind = 0; kind < KINDS; kind++)
		sum += s->events[era][name][kind];
	return sum;
}

static const struct count_options	each_name = { .keys = 1000, .text = 100, .each = true };

TEST(numbers_of_stacks_mean_the_names_of_their_block_and_time)
{
	static const char *const	by[] = { "stack.method", "stack.method,payload.kind" };

	for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
		struct stacked	*s = stacked_new(by[k], &each_name, false);
		uint64_t	 named = 0, nothing = 0, all_events = s->without;

		for (unsigned i = 0; i < ERAS * NAMES; i++)
			for (unsigned kind = 0; kind < KINDS; kind++)
				all_events += s->events[i / NAMES][i % NAMES][kind];
		/* Forwards, and backwards with all that the first time has kept. */
		counts_add_rows(s->m.c, s->m.t, 0, EVENTS);
		for (uint64_t row = EVENTS; row-- > 0;)
			counts_add_rows(s->m.c, s->m.t, row, row + 1);
		for (uint32_t key = 0; key < counter_keys(s->m.c); key++) {
			uint64_t	n = counter_count(s->m.c, key)->events;
			struct cell	cells[2];

			(void)counter_cells(s->m.c, key, cells);
			if (cells[0].kind == CELL_NONE) {
				nothing += n;
				continue;
			}
			assert_int_equal(n, 2 * written(s, key));
			named += n;
		}
		assert_int_equal(nothing, 2 * s->without);
		assert_int_equal(named + nothing, 2 * all_events);
		assert_int_equal(counter_all(s->m.c)->events, 2 * all_events);
		assert_true(counter_all(s->m.c)->bytes == 4 * 2 * all_events);
		stacked_free(s);
	}
}

TEST(the_names_of_a_stack_are_searched_once)
{
	struct stacked	*s = stacked_new("stack.method", &each_name, true);

	counts_add_rows(s->m.c, s->m.t, 0, EVENTS);
	assert_true(counter_all(s->m.c)->events > EVENTS * (FRAMES - 1));
	/* Each name once, for all of the stacks that have it. */
	assert_int_equal(counter_searched(s->m.c), ERAS * NAMES);
	/* In one of the blocks, the names change. */
	assert_in_range(s->asked, NAMES, (BLOCKS + 1) * STACKS * FRAMES);
	stacked_free(s);
}

TEST(the_key_of_events_without_a_stack_is_searched_once)
{
	struct stacked	*s = stacked_new("stack.method", &each_name, false);

	counts_add_rows(s->m.c, s->m.t, 0, EVENTS);
	assert_in_range(s->without, 100, EVENTS);
	assert_int_equal(counter_searched(s->m.c), ERAS * NAMES + 1);
	stacked_free(s);
}

/* Give all events to the state as a pass does, in batches. */
static void
add_batches(const struct pass_ops *ops, void *state, struct trace *t)
{
	static struct event	ev[EVENTS];
	static uint32_t		at[EVENTS];

	for (uint32_t i = 0; i < EVENTS; i++) {
		assert_int_equal(trace_event(t, i, &ev[i]), 1);
		at[i] = i;
	}
	for (uint32_t i = 0, n; i < EVENTS; i += n) {
		n = EVENTS - i < 1000 ? EVENTS - i : 1000;
		ops->add(state, &(struct pass_batch){ .ev = ev, .at = at + i, .n = n,
		    .row0 = 0 });
	}
}

TEST(a_state_of_a_pass_keeps_the_names_of_stacks_from_piece_to_piece)
{
	struct stacked	*s = stacked_new("stack.method", &each_name, false);
	void		*state = counter_ops.begin(s->m.c);
	uint64_t	 asked = 0, sum = 0;

	for (unsigned piece = 1; piece <= 3; piece++) {
		add_batches(&counter_ops, state, s->m.t);
		assert_int_equal(counter_ops.merge(s->m.c, state), 0);
		counter_ops.clear(state);
		asked = piece == 1 ? s->asked : asked;
		sum = 0;
		for (uint32_t key = 0; key < counter_keys(s->m.c); key++) {
			struct cell	cell;

			(void)counter_cells(s->m.c, key, &cell);
			if (cell.kind != CELL_NONE)
				assert_int_equal(counter_count(s->m.c, key)->events,
				    piece * written(s, key));
			sum += counter_count(s->m.c, key)->events;
		}
		assert_int_equal(sum, counter_all(s->m.c)->events);
		assert_true(counter_all(s->m.c)->bytes == 4 * sum);
	}
	assert_true(sum > 3 * EVENTS);
	/* Only what the first piece could not keep is asked for again. */
	assert_in_range(s->asked, asked, 2 * asked - 1);
	counter_ops.free(state);
	stacked_free(s);
}
