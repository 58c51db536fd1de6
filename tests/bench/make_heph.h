/*
 * A made Heph trace: nothing but spans, as the format has no other events.
 */
#ifndef BENCH_MAKE_HEPH_H
#define BENCH_MAKE_HEPH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct heph_made {
	uint64_t	events, seed;	/* events: how many are written */
	uint32_t	threads, types;
};

/* The bytes written, or 0: that failed. */
uint64_t	make_heph(FILE *f, const struct heph_made *o);

#endif
