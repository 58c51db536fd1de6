/*
 * Samples of long tests: see the header.
 */
#include "tier.h"

#include <sys/random.h>

#include "asserts.h"

bool
check_all(void)
{
	const char	*all = getenv("TNAV_CHECK_ALL");

	return all != NULL && all[0] != '\0' && strcmp(all, "0") != 0;
}

uint64_t
check_seed(void)
{
	static uint64_t	 seed;
	static bool	 known;
	const char	*given = getenv("TNAV_SEED");
	uint32_t	 random = 0;

	if (known)
		return seed;
	if (given != NULL && given[0] != '\0') {
		seed = strtoull(given, NULL, 10);
	} else {
		assert_int_equal(getrandom(&random, sizeof random, 0), sizeof random);
		seed = random;
	}
	known = true;
	printf("sample: TNAV_SEED=%llu\n", (unsigned long long)seed);
	fflush(stdout);
	return seed;
}

size_t
check_part(void)
{
	const char	*given = getenv("TNAV_CHECK_PART");
	size_t		 part = given != NULL && !check_all() ? strtoul(given, NULL, 10) : 1;

	return part > 0 ? part : 1;
}

/* The next number of a sequence that the seed starts; below n. */
static size_t
next_below(size_t n)
{
	static uint64_t	 state;
	static bool	 started;
	uint64_t	 z;

	if (!started)
		state = check_seed();
	started = true;
	state += 0x9e3779b97f4a7c15u;
	z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (size_t)((z ^ z >> 31) % n);
}

/* Each item is taken with the chance that just fills what is still wanted. */
size_t
check_sample(bool *take, size_t items, size_t n)
{
	size_t	part = n < check_part() ? 1 : n / check_part();
	bool	all = check_all() || items <= part;
	size_t	wanted = all ? items : part;
	size_t	chosen = 0;

	assert_true(items > 0 && n > 0);
	for (size_t i = 0; i < items; i++) {
		take[i] = all || next_below(items - i) < wanted - chosen;
		chosen += take[i];
	}
	assert_int_equal(chosen, wanted);
	return chosen;
}
