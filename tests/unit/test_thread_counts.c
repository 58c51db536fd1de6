/* Counts by thread, their sums, and how they are spread over the parts of a window. */
#include "../support/test.h"
#include "engine/index/index.h"
#include "engine/index/thread_counts.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/engine/trace.h"

#define COMMITS	5000u
#define THREADS	40u
#define MOST	12u		/* the most counts of a commit */
#define BINS	64u
#define STEP	1000		/* ticks between the beginnings of two commits */

static uint64_t	rng = 88172645463325252u;

static uint32_t
below(uint32_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng % n);
}

struct commit {
	struct thread_count	c[MOST];
	uint32_t		n;
};

/* Most commits follow each other in time; some of them extend far. */
static void
make(struct commit *m, unsigned i, uint32_t threads, bool points)
{
	m->n = 1 + below(MOST);
	for (uint32_t k = 0; k < m->n; k++) {
		int64_t	first = (int64_t)i * STEP + below(STEP);
		int64_t	len = points ? 0 : below(i % 97 == 0 ? 400 * STEP : STEP);

		m->c[k] = (struct thread_count){ .first = first, .last = first + len,
		    .thread = below(threads), .n = 1 + below(5000) };
	}
}

static struct trace *
counting_trace(void)
{
	struct trace	*t = mem_zalloc(1, sizeof *t);

	t->lock = lock_new(LOCK_TRACE);
	return t;
}

static void
counting_trace_free(struct trace *t)
{
	thread_counts_release(&t->index.thread_counts);
	lock_free(t->lock);
	mem_free(t);
}

/* Whatever the window, the bins are those of each commit on its own, added up. */
static void
check_spread(uint32_t threads, bool points)
{
	static const int64_t	 window[][2] = { { 0, 5001 * STEP }, { 1234567, 1234569 },
				    { 700123, 2100789 }, { -500 * STEP, 90 * STEP },
				    { 4999 * STEP, 9000 * STEP } };
	struct trace	*all = counting_trace();
	struct commit	*m = mem_zalloc(COMMITS, sizeof *m);
	uint32_t	 got[THREADS * BINS], one[THREADS * BINS];

	for (unsigned i = 0; i < COMMITS; i++) {
		make(&m[i], i, threads, points);
		thread_counts_add(&all->index.thread_counts, m[i].c, m[i].n);
	}
	for (size_t w = 0; w < sizeof window / sizeof *window; w++) {
		uint32_t	want[THREADS * BINS] = { 0 };

		for (unsigned i = 0; i < COMMITS; i++) {
			struct trace	*t = counting_trace();

			thread_counts_add(&t->index.thread_counts, m[i].c, m[i].n);
			trace_thread_density(t, window[w][0], window[w][1], THREADS, one, BINS);
			counting_trace_free(t);
			for (size_t k = 0; k < THREADS * BINS; k++)
				want[k] += one[k];
		}
		trace_thread_density(all, window[w][0], window[w][1], THREADS, got, BINS);
		assert_memory_equal(got, want, sizeof want);
	}
	counting_trace_free(all);
	mem_free(m);
}

TEST(spread_is_that_of_each_commit)
{
	check_spread(THREADS, false);
	check_spread(3, false);
	check_spread(THREADS, true);
}

/* Each group's counts are those of its commits by thread, and take no more room than they do. */
TEST(sums_add_up)
{
	struct commit		*m = mem_zalloc(COMMITS, sizeof *m);
	struct thread_counts	 x = { .summed = 0 };
	unsigned		 commits = 1, summed = 0;

	for (unsigned i = 0; i < COMMITS; i++) {
		make(&m[i], i, THREADS, false);
		thread_counts_add(&x, m[i].c, m[i].n);
	}
	for (unsigned level = 0; level < COUNT_LEVELS; level++, commits *= COUNT_GROUP) {
		assert_int_equal(x.group[level].n, COMMITS / commits);
		for (uint64_t i = 0; i < x.group[level].n; i++) {
			const struct count_group	*g = segvec_at(&x.group[level], i);
			uint64_t			 want[THREADS] = { 0 }, got[THREADS] = { 0 };

			for (uint64_t k = i * commits; k < (i + 1) * commits; k++)
				for (uint32_t c = 0; c < m[k].n; c++)
					want[m[k].c[c].thread] += m[k].c[c].n;
			for (uint32_t c = 0; c < g->n; c++) {
				const struct thread_count	*s = segvec_at(&x.count[level],
								    g->count0 + c);

				assert_true(s->first >= g->first && s->last <= g->last);
				got[s->thread] += s->n;
			}
			if (g->summed)
				assert_memory_equal(got, want, sizeof want);
			summed += level > 0 && g->summed;
		}
	}
	assert_true(summed > COMMITS / COUNT_GROUP / 2);
	assert_true(x.summed <= x.count[0].n);
	thread_counts_release(&x);
	mem_free(m);
}

/* If no two commits have a common thread, sums save nothing, and their memory is bounded. */
TEST(sums_are_bounded)
{
	struct thread_counts	x = { .summed = 0 };
	uint64_t		counts = 0;

	for (uint32_t i = 0; i < COMMITS; i++)
		thread_counts_add(&x, &(struct thread_count){ .thread = i, .n = 1 }, 1);
	for (unsigned level = 1; level < COUNT_LEVELS; level++)
		counts += x.count[level].n;
	assert_int_equal(x.summed, counts);
	assert_true(counts > 0 && counts <= COMMITS);
	thread_counts_release(&x);
}
