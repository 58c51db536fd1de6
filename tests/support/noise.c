/*
 * Noise: xorshift with 64 bits of state.
 */
#include "noise.h"

static uint64_t	noise = 0x9e3779b97f4a7c15u;

uint64_t
noise_bits(void)
{
	noise ^= noise << 13;
	noise ^= noise >> 7;
	noise ^= noise << 17;
	return noise;
}
