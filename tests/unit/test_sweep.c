/*
 * Damaged and cut files of every format, in one process: every prefix, every byte and every bit of
 * the small traces; edges of blocks and seeded offsets of larger ones.
 *
 * For any file this must be true: it opens or is refused with a line of text; all its rows,
 * payloads, stacks and labels can be read; the counts agree with each other; and the events before
 * the damage are there, in file order.
 *
 * make check-all tries all of this; under a sanitizer only one bit of each byte is flipped, the
 * next one in the next byte, and of larger traces as many cuts are tried as CUT_BYTES allow. make
 * check tries a sample of the places of each trace.
 */
#include <unistd.h>

#include "../support/data.h"
#include "../support/sample.h"
#include "../support/shared.h"
#include "../support/test.h"
#include "../support/tier.h"

#define CUT_BYTES	((size_t)(SLOW ? 8 : 48) << 20)	/* indexed for each larger trace */
#define SAMPLE_SHARE	(SLOW ? 12u : 6u)	/* a sample has one place in so many */
#define LEAST_PLACES	20u			/* least places of a sample of one trace */

/* Traces, and the size up to which all places are tried; larger ones are sampled. */
struct files {
	const char	*pattern;
	size_t		 small;
};

static const struct files	own[] = {
	{ "features/v[45]-*.nettrace", 4096 }, { "features/v6-*.nettrace", 8192 },
	{ "features/*.netperf", 8192 }, { "traces/*.nettrace", 4096 },
	{ "traces/*.netperf", 8192 }, { "traces/*.heph", 8192 },
};

static const struct files	shared[] = {
	{ "v3/*.netperf", 8192 }, { "v4/*.nettrace", 4096 }, { "v5/*.nettrace", 4096 },
	{ "v6/*.nettrace", 8192 }, { "heph/*.heph", 8192 },
};

/* The first want events of the sample are the first ones of the result. */
static void
check_begins(const struct sample *s, const struct result *r, size_t want, bool types, size_t at)
{
	if (r->n < want)
		fail_msg("%s, damaged at %zu: %zu events, at least %zu are whole", s->name, at,
		    r->n, want);
	for (size_t i = 0; i < want; i++)
		if (!seen_equal(&r->seen[i], &s->seen[i], types))
			fail_msg("%s, damaged at %zu: event %zu of the file is another", s->name,
			    at, i);
}

/* Heph has no end mark: a file that ends with a packet is complete. */
static bool
is_whole(const struct sample *s, size_t len)
{
	for (size_t i = 0; s->kind == KIND_HEPH && i < s->nplaces && s->places[i].end <= len; i++)
		if (s->places[i].end == len)
			return true;
	return false;
}

/* The first len bytes, as a file of that size. */
static void
check_prefix(const struct sample *s, size_t len, enum depth depth)
{
	size_t		 least = 0, most = 0;
	struct result	 r;
	bool		 said;

	look(&r, s->kind, s->p, len, depth);
	if (len < s->header) {
		if (r.err >= 0)
			fail_msg("%s: %zu bytes, less than its header, were opened", s->name, len);
		return;
	}
	if (r.err < 0)
		fail_msg("%s: its first %zu bytes were refused", s->name, len);
	while (least < s->n && s->seen[least].least <= len)
		least++;
	for (most = least; most < s->n && s->seen[most].most <= len;)
		most++;
	check_begins(s, &r, least, true, len);
	if (r.n > most)
		fail_msg("%s: %zu events in %zu bytes, %zu are whole", s->name, r.n, len, most);
	said = !r.clean && r.ndamage > 0 && r.cut && r.cut_off <= len;
	if (is_whole(s, len) ? !r.clean || r.cut : !said)
		fail_msg("%s: its first %zu bytes: clean %d, cut %d at %llu", s->name, len, r.clean,
		    r.cut, (unsigned long long)r.cut_off);
	result_release(&r);
}

/* The byte at at is now another. Events in blocks that end before it are untouched. */
static void
check_damage(const struct sample *s, size_t at)
{
	size_t		 whole = 0, safe = 0;
	struct result	 r;

	look(&r, s->kind, s->p, s->len, LOOK_ALL);
	if (r.err < 0) {
		if (at >= s->header)
			fail_msg("%s: refused for its byte %zu", s->name, at);
		return;
	}
	for (size_t i = 0; i < s->nplaces && s->places[i].end <= at; i++)
		safe = s->places[i].end;
	while (whole < s->n && s->seen[whole].least <= safe)
		whole++;
	check_begins(s, &r, whole, false, at);
	result_release(&r);
}

/* ---- which traces, which places */

static size_t
each_small(void (*fn)(struct sample *s))
{
	const char	*dir = data_path("tests/data");
	size_t		 n = 0;

	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		size_t	got = each_trace(dir, own[i].pattern, 0, own[i].small, fn);

		assert_true(got > 0);
		n += got;
	}
	return n;
}

/* The places of the trace's bytes that are tried: all, or a sample. */
static bool *
choose_places(const struct sample *s)
{
	bool	*take = calloc(s->len, sizeof *take);

	assert_non_null(take);
	(void)check_sample(take, s->len, s->len / SAMPLE_SHARE + LEAST_PLACES);
	return take;
}

static void
all_prefixes(struct sample *s)
{
	bool	*take = choose_places(s);

	for (size_t len = 0; len < s->len; len++)
		if (take[len])
			check_prefix(s, len, LOOK_ALL);
	free(take);
}

static void
flip(struct sample *s, size_t at, uint8_t bits)
{
	s->p[at] ^= bits;
	check_damage(s, at);
	s->p[at] ^= bits;
}

static void
all_bytes(struct sample *s)
{
	bool	*take = choose_places(s);

	for (size_t at = 0; at < s->len; at++)
		if (take[at])
			flip(s, at, 0xff);
	free(take);
}

static void
all_bits(struct sample *s)
{
	bool	*take = choose_places(s);
	bool	 one = SLOW || !check_all();	/* bit of a byte */

	for (size_t at = 0; at < s->len; at++)
		for (unsigned bit = 0; bit < 8; bit++)
			if (take[at] && (!one || bit == at % 8))
				flip(s, at, (uint8_t)(1u << bit));
	free(take);
}

/* Edges of blocks - 1, + 0, + 1, and as many random offsets, at most 200; fewer in a sample. */
static void
some_prefixes(struct sample *s)
{
	size_t		 bytes = check_all() ? CUT_BYTES : CUT_BYTES / (SAMPLE_SHARE * check_part());
	size_t		 most = bytes / s->len + 2, n = s->nplaces * 3;
	size_t		 step = n / most + 1, seeded = most < 200 ? most : 200;
	uint64_t	 rng = check_seed();

	step += step % 3 == 0 && step > 1;	/* all three of them get their turn */
	for (size_t i = rng % step; i < n; i += step) {
		size_t	edge = s->places[i / 3].start + i % 3 - 1;

		if (edge < s->len)
			check_prefix(s, edge, i % 16 == 0 ? LOOK_ROWS : LOOK_FILE);
	}
	for (size_t i = 0; i < seeded; i++) {
		rng = rng * 6364136223846793005u + 1442695040888963407u;
		check_prefix(s, (size_t)(rng >> 33) % s->len,
		    i % 16 == 0 ? LOOK_ROWS : LOOK_FILE);
	}
}

TEST(every_prefix_of_a_small_trace_gives_its_whole_events)
{
	assert_true(each_small(all_prefixes) > 40);
}

TEST(every_byte_of_a_small_trace_may_be_inverted)
{
	assert_true(each_small(all_bytes) > 40);
}

TEST(every_bit_of_a_small_trace_may_flip)
{
	assert_true(each_small(all_bits) > 40);
}

TEST(prefixes_of_larger_traces_give_their_whole_events)
{
	char	dir[4096];
	size_t	n = 0;

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		n += each_trace(data_path("tests/data"), own[i].pattern, own[i].small + 1,
		    SIZE_MAX, some_prefixes);
	assert_true(n > 2);
	if (shared_dir() == NULL) {
		print_message("without ../shared: only the traces of tests/data\n");
		return;
	}
	snprintf(dir, sizeof dir, "%s/traces", shared_dir());
	for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
		assert_true(each_trace(dir, shared[i].pattern, shared[i].small + 1, SIZE_MAX,
		    some_prefixes) > 0);
}
