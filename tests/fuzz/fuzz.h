/*
 * What all fuzz targets have: the function that is called with each input, and a check that ends
 * the run.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void
check(bool good)
{
	if (!good)
		abort();
}

#endif
