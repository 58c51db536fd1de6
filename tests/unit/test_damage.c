/*
 * The effect of damage: a lost or exchanged page of a real trace, noise all over a trace.
 *
 *	blocks	|--before--|--before--|--hit--|--hit--|--after--|--after--|
 *	page				    [xxxxxxx]
 *
 * 99 % of the events in blocks before the page must be there, and 90 % of those in blocks after it,
 * and a finding says where bytes were skipped. Pages with descriptions of types or threads are left
 * out: their events are lost with them.
 */
#include <unistd.h>

#include "../support/data.h"
#include "../support/sample.h"
#include "../support/shared.h"
#include "../support/test.h"
#include "../support/tier.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define PAGE		4096u
#define PAGES_LEAST	(6 * (size_t)PAGE)	/* least size of a trace: else it has no middle */
#define EVENTS_LEAST	100u		/* least events of a trace: noise also hits a header */
#define NOISE_MOST	(SLOW ? 100000u : 1000000u)
#define NOISE_RUNS	6u		/* in make check-all, else: */
#define NOISE_SAMPLE	1u
#define NOISE_SHARE	50u			/* one byte in so many: 2 % */

static const char *const	shared_files[] = {
	"v3/*.netperf", "v4/*.nettrace", "v5/*.nettrace", "v6/*.nettrace", "heph/*.heph",
};
static const char *const	own_files[] = {
	"features/v[456]-*.nettrace", "features/*.netperf", "traces/*.nettrace",
	"traces/*.netperf", "traces/*.heph",
};

/* Does a block that begins before to and ends after from describe types or threads? */
static bool
describes(const struct sample *s, size_t from, size_t to)
{
	for (size_t i = 0; i < s->nplaces; i++) {
		const struct place	*o = &s->places[i];

		if (o->end > from && o->start < to && o->describes)
			return true;
	}
	return false;
}

/* Extend [from, to) to the start and the end of the blocks that it touches. */
static void
widen(const struct sample *s, size_t *from, size_t *to)
{
	size_t	a = *from, b = *to;

	for (size_t i = 0; i < s->nplaces; i++) {
		const struct place	*o = &s->places[i];

		if (o->end <= *from || o->start >= *to)
			continue;
		a = o->start < a ? o->start : a;
		b = o->end > b ? o->end : b;
	}
	*from = a;
	*to = b;
}

SORT_ORDER(by_offset, struct seen, RISING(off))

/* Count the events in [from, to), and those of them that the result has. */
static void
count_kept(const struct sample *s, const struct result *r, size_t from, size_t to, size_t *all,
    size_t *kept)
{
	*all = *kept = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct seen	*hit;

		if (s->seen[i].off < from || s->seen[i].least > to)
			continue;
		++*all;
		hit = bsearch(&s->seen[i], r->seen, r->n, sizeof *r->seen, by_offset);
		*kept += hit != NULL && seen_equal(hit, &s->seen[i], false);
	}
}

/* The bytes [from, to) of p were changed. */
static void
check_page(const struct sample *s, const uint8_t *p, size_t from, size_t to, const char *how)
{
	size_t		all[2], kept[2], a = from, b = to;
	struct result	r;
	bool		said = false;

	look(&r, s->kind, p, s->len, LOOK_ROWS);
	if (r.err < 0)
		fail_msg("%s: refused with %s at %zu", s->name, how, from);
	widen(s, &a, &b);
	qsort(r.seen, r.n, sizeof *r.seen, by_offset);
	count_kept(s, &r, 0, a, &all[0], &kept[0]);
	count_kept(s, &r, b, s->len, &all[1], &kept[1]);
	if (kept[0] * 100 < all[0] * 99 || kept[1] * 100 < all[1] * 90)
		fail_msg("%s, %s at %zu: %zu of %zu before, %zu of %zu behind", s->name, how, from,
		    kept[0], all[0], kept[1], all[1]);
	/* Damage inside payloads is not noticed, nor are zeroes that decode as empty events. */
	for (size_t i = 0; i < r.ndamage; i++)
		said |= r.damage[i] >= a && r.damage[i] <= b;
	if (!said && r.n < s->n)
		fail_msg("%s, %s at %zu: %zu of %zu events, and no finding says where", s->name,
		    how, from, r.n, s->n);
	result_release(&r);
}

/* Lose the page that contains at; exchange it and the next one. False: they have descriptions. */
static bool
damage_at(const struct sample *s, size_t at)
{
	uint8_t	*p;

	at -= at % PAGE;
	if (at + 2 * PAGE > s->len || describes(s, at, at + 2 * PAGE))
		return false;
	p = malloc(s->len);
	assert_non_null(p);
	memcpy(p, s->p, s->len);
	memset(p + at, 0, PAGE);
	check_page(s, p, at, at + PAGE, "a page of zeroes");
	memcpy(p + at, s->p + at + PAGE, PAGE);
	memcpy(p + at + PAGE, s->p + at, PAGE);
	check_page(s, p, at, at + 2 * PAGE, "two pages exchanged");
	free(p);
	return true;
}

/*
 * Damage each quarter except the first (in a sample: one of them), at its start and at the first
 * block after that page.
 */
static void
damage_pages(struct sample *s)
{
	bool	take[3];

	(void)check_sample(take, 3, 1);
	qsort(s->seen, s->n, sizeof *s->seen, by_offset);
	for (size_t part = 1; part < 4; part++) {
		size_t	at = s->len / 4 * part, i = 0;

		if (!take[part - 1])
			continue;
		while (at < s->len && !damage_at(s, at))
			at += PAGE;
		while (i < s->nplaces && (s->places[i].start < at + PAGE ||
		    !damage_at(s, s->places[i].start)))
			i++;
	}
}

/*
 * The real traces of V6 have one or two blocks of events each, too few to find a next one. So all
 * blocks between the first and the end mark are repeated five times.
 */
static void
damage_repeated(struct sample *s)
{
	size_t		from = s->places[0].end, end, unit, n = 5;
	struct sample	r;
	uint8_t		*p;

	assert_true(s->nplaces > 2);
	end = s->places[s->nplaces - 1].start;		/* of the end mark */
	unit = end - from;
	p = malloc(s->len + (n - 1) * unit);
	assert_non_null(p);
	memcpy(p, s->p, end);
	for (size_t i = 1; i < n; i++)
		memcpy(p + end + (i - 1) * unit, s->p + from, unit);
	memcpy(p + end + (n - 1) * unit, s->p + end, s->len - end);
	sample_init(&r, s->name, p, s->len + (n - 1) * unit);
	assert_true(r.n == n * s->n);
	damage_pages(&r);
	sample_release(&r);
}

/* The real traces: those of ../shared, else the own ones that are long enough. */
static void
each_real_trace(const char *const *shared_ones, size_t n, const char *own,
    void (*fn)(struct sample *s))
{
	char	dir[4096];

	if (shared_dir() == NULL) {
		assert_true(each_trace(data_path("tests/data"), own, PAGES_LEAST, SIZE_MAX, fn) > 0);
		return;
	}
	snprintf(dir, sizeof dir, "%s/traces", shared_dir());
	for (size_t i = 0; i < n; i++)
		assert_true(each_trace(dir, shared_ones[i], PAGES_LEAST, SIZE_MAX, fn) > 0);
}

TEST(a_damaged_page_costs_the_blocks_that_it_touches)
{
	each_real_trace(shared_files, sizeof shared_files / sizeof *shared_files, "*/*.nettrace",
	    damage_pages);
}

/* Headers are not changed: else nothing after them could be read. */
static void
add_noise(struct sample *s)
{
	uint8_t		*p = malloc(s->len ? s->len : 1);
	uint64_t	 rng = check_seed();
	unsigned	 runs = check_all() ? NOISE_RUNS : NOISE_SAMPLE;

	assert_non_null(p);
	for (unsigned run = 0; run < runs; run++) {
		struct result	r;

		memcpy(p, s->p, s->len);
		for (size_t i = s->header; i < s->len; i++) {
			rng = rng * 6364136223846793005u + 1442695040888963407u;
			if ((rng >> 33) % NOISE_SHARE == 0)
				p[i] = (uint8_t)(rng >> 56);
		}
		look(&r, s->kind, p, s->len, LOOK_ALL);
		if (r.err < 0)
			fail_msg("%s: refused for noise behind its header", s->name);
		if (s->n > EVENTS_LEAST && r.ndamage == 0)
			fail_msg("%s: nothing was said of noise", s->name);
		result_release(&r);
	}
	free(p);
}

TEST(blocks_of_v6_are_found_after_a_damaged_page)
{
	static const char *const	v6[] = { "v6/*.nettrace" };

	each_real_trace(v6, 1, "features/v6-*.nettrace", damage_repeated);
}

TEST(noise_is_read_to_the_end)
{
	const char	*own = data_path("tests/data"), *shared = shared_dir();
	char		 dir[4096];

	for (size_t i = 0; i < sizeof own_files / sizeof *own_files; i++)
		assert_true(each_trace(own, own_files[i], 0, NOISE_MOST, add_noise) > 0);
	snprintf(dir, sizeof dir, "%s/traces", shared ? shared : "");
	for (size_t i = 0; shared && i < sizeof shared_files / sizeof *shared_files; i++)
		each_trace(dir, shared_files[i], PAGES_LEAST, NOISE_MOST, add_noise);
}
