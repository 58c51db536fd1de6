/*
 * Numbers in the bytes of a trace, read without any code of the program.
 */
#ifndef TNAV_BENCH_BYTES_H
#define TNAV_BENCH_BYTES_H

#include <stdint.h>

static inline unsigned
load_u16(const uint8_t *p)
{
	return p[0] | (unsigned)p[1] << 8;
}

static inline uint32_t
load_u32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t
load_u64(const uint8_t *p)
{
	return load_u32(p) | (uint64_t)load_u32(p + 4) << 32;
}

/* Moves *p on; at the end of the block it stands still and gives 0. */
static inline uint64_t
varint(const uint8_t **p, const uint8_t *end)
{
	uint64_t	v = 0;

	for (unsigned shift = 0; *p < end && shift < 64; shift += 7) {
		uint8_t	byte = *(*p)++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			break;
	}
	return v;
}

#endif
