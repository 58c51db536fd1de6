/*
 * Bits that look random and are the same in each run of a program.
 */
#ifndef TNAV_TESTS_NOISE_H
#define TNAV_TESTS_NOISE_H

#include <stdint.h>

uint64_t	noise_bits(void);

#endif
