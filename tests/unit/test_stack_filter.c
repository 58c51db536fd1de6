/*
 * Filters on stacks whose numbers are used again and again. Cached results of stacks and frames
 * must not be used for those of another block, and must be charged to an event's budget like a
 * search.
 */
#include "../support/data.h"
#include "../support/nt4_writer.h"
#include "../support/test.h"
#include "tnav/base/mem.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"

#define EVENTS		12000u
#define BLOCKS		40u		/* blocks of stacks, all with the same numbers */
#define STACKS		60u
#define FRAMES		5u
#define POINTS		3u		/* sequence points, each after so many blocks */

/* What was written: the frames of each event, by its number; none if it has no stack. */
struct truth {
	uint64_t	ips[EVENTS][FRAMES];
	bool		has[EVENTS];
};

static uint32_t
next(uint32_t *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 8;
}

static void
write_block(struct nt4_writer *w, struct truth *truth, uint32_t block, uint32_t *n, uint32_t *seed)
{
	uint64_t	ips[STACKS][FRAMES];

	for (uint32_t i = 0; i < STACKS; i++)
		for (uint32_t k = 0; k < FRAMES; k++)
			ips[i][k] = 0x10000 + next(seed) % 3000;
	nt4_stacks(w, 1, STACKS, ips[0], FRAMES);
	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < EVENTS / BLOCKS; i++, ++*n) {
		uint32_t		stack = next(seed) % (STACKS + 1);
		uint8_t			payload[4] = { (uint8_t)*n, (uint8_t)(*n >> 8) };
		struct nt4_event	e = { .mid = 1, .tid = 7, .capture = 7, .seq = *n + 1,
					    .ts = *n + 1, .stack = stack, .payload = payload,
					    .size = 4 };

		nt4_event(w, &e);
		truth->has[*n] = stack != 0;
		if (stack != 0)
			memcpy(truth->ips[*n], ips[stack - 1], sizeof ips[0]);
	}
	nt4_block_end(w);
	if (block % (BLOCKS / POINTS) == BLOCKS / POINTS - 1)
		nt4_sequence_point(w, *n, 1, &(uint64_t){ 7 }, n);
}

static struct trace *
make(struct truth *truth)
{
	static const struct nt4_field	 fields[] = { { NT4_U32, "n" } };
	struct nt4_writer		 w;
	struct trace			*t;
	uint32_t			 n = 0, seed = 4711;

	nt4_begin(&w, NULL, "Stacks", "Number", fields, 1);
	for (uint32_t b = 0; b < BLOCKS; b++)
		write_block(&w, truth, b, &n, &seed);
	t = data_nt4(&w, NULL);
	assert_int_equal(trace_rows(t), EVENTS);
	return t;
}

static bool
has_text(const uint64_t *ips, const char *text)
{
	char	hex[32];

	for (unsigned i = 0; i < FRAMES; i++) {
		(void)snprintf(hex, sizeof hex, "0x%llx", (unsigned long long)ips[i]);
		if (strstr(hex, text) != NULL)
			return true;
	}
	return false;
}

TEST(numbers_mean_the_stacks_of_their_block)
{
	static const char *const	 texts[] = { "10a", "7", "0x10b", "ff", "zz" };
	struct truth			*truth = mem_zalloc(1, sizeof *truth);
	struct trace			*t = make(truth);

	for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
		char			 expr[64];
		struct filter		*f;
		struct filter_eval	*eval;

		(void)snprintf(expr, sizeof expr, "stack ~ %s", texts[k]);
		f = data_filter(t, expr, true);
		eval = filter_eval_new(f, t);
		/* Twice, the second time with everything in the cache, and once backwards. */
		for (unsigned turn = 0; turn < 3; turn++) {
			for (uint32_t i = 0; i < EVENTS; i++) {
				uint32_t	n = turn == 2 ? EVENTS - 1 - i : i;
				struct event	e;

				assert_int_equal(trace_event(t, n, &e), 1);
				assert_int_equal(filter_match(eval, &e),
				    truth->has[n] && has_text(truth->ips[n], texts[k]));
			}
		}
		filter_eval_free(eval);
	}
	mem_free(truth);
}

/* An evaluator with all results cached, compared with one without any. */
TEST(what_is_remembered_costs_what_it_cost)
{
	static const char *const	 exprs[] = { "stack ~ (.*)*1$", "stack ~ (a|b|0)+x?c$",
					    "stack ~ (.+)\\1$ or stack ~ 7$", "not stack ~ 1.*2" };
	struct truth			*truth = mem_zalloc(1, sizeof *truth);
	struct trace			*t = make(truth);

	for (size_t k = 0; k < sizeof exprs / sizeof *exprs; k++) {
		struct filter		*f = data_filter(t, exprs[k], true);
		struct filter_eval	*warm = filter_eval_new(f, t);

		for (uint32_t n = 0; n < EVENTS; n++) {
			struct event	e;

			assert_int_equal(trace_event(t, n, &e), 1);
			(void)filter_match(warm, &e);
		}
		for (uint32_t n = 0; n < EVENTS; n += 37) {
			struct filter_eval	*cold = filter_eval_new(f, t);
			uint64_t		 before = filter_costly(warm);
			struct event		 e;

			assert_int_equal(trace_event(t, n, &e), 1);
			assert_int_equal(filter_match(warm, &e), filter_match(cold, &e));
			assert_int_equal(filter_costly(warm) - before, filter_costly(cold));
			filter_eval_free(cold);
		}
		filter_eval_free(warm);
	}
	mem_free(truth);
}
