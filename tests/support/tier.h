/*
 * How much of a long test runs: a sample chosen by a seed in make check, all in make check-all.
 */
#ifndef TNAV_TESTS_TIER_H
#define TNAV_TESTS_TIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is everything to be tested (make check-all sets TNAV_CHECK_ALL)? */
bool		check_all(void);

/*
 * The seed of this run: TNAV_SEED, else a random number. It is printed at the first call, so that
 * a failure can be repeated.
 */
uint64_t	check_seed(void);

/*
 * How many times less of a long test runs: TNAV_CHECK_PART, else 1. A build with sanitizers looks for
 * crashes, not for wrong numbers. 1 in make check-all.
 */
size_t		check_part(void);

/*
 * Choose n of the items 0 .. items - 1, or the part of n that check_part() says: take[i]: item i is
 * chosen. Everything is chosen in make check-all, and if there are at most so many items. Returns
 * how many are chosen, which is never 0. Each call in a program makes a new choice.
 */
size_t		check_sample(bool *take, size_t items, size_t n);

#endif
