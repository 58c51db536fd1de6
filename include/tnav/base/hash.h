/*
 * The only hash function. Its keys are random, the same for all hashes of a process, so that a file
 * cannot be made whose keys collide.
 *
 *	bytes   w0 .......... w1      the first and the last words overlap in what is short
 *	hash    (w0 ^ k0) * (w1 ^ k1)	128 bits, folded to 64; k0, k1 ... are made of a seed
 *
 * Both factors of a product must be secret: with a known key, a word equal to it would make the
 * product 0 whatever the other is. No hash is ever written to a file, because it differs from run
 * to run.
 */
#ifndef TNAV_BASE_HASH_H
#define TNAV_BASE_HASH_H

#include <stdint.h>
#include <string.h>

#include "tnav/base/cursor.h"

/* A random seed. */
uint64_t hash_seed(void);

/* The i-th key of a seed. */
static inline uint64_t
hash_key(uint64_t seed, unsigned i)
{
	static const uint64_t	odd[4] = {
		0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu, 0xd6e8feb86659fd93u,
	};

	return (seed + i + 1) * odd[i];
}

static inline uint64_t
hash_fold(uint64_t a, uint64_t b)
{
	unsigned __int128	p = (unsigned __int128)a * b;

	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

struct hash_keys {
	uint64_t	k[4];
};

/* Those of this process, which are made before main(). */
extern struct hash_keys	hash_own;

/* Those of a seed. */
static inline struct hash_keys
hash_keys(uint64_t seed)
{
	return (struct hash_keys){
		{ hash_key(seed, 0), hash_key(seed, 1), hash_key(seed, 2), hash_key(seed, 3) },
	};
}

static inline uint64_t
hash_pair_by(const struct hash_keys *by, uint64_t a, uint64_t b)
{
	return hash_fold(hash_fold(a ^ by->k[0], b ^ by->k[1]) ^ by->k[2], by->k[3]);
}

/* The hash of two numbers. */
static inline uint64_t
hash_pair(uint64_t a, uint64_t b)
{
	return hash_pair_by(&hash_own, a, b);
}

static inline uint64_t
hash_u64(uint64_t a)
{
	return hash_pair(a, 0);
}

/* Up to 7 bytes as one number. Texts of different length may give the same number: the caller
   hashes the length too. */
static inline uint64_t
hash_short(const uint8_t *p, size_t len)
{
	if (len >= 4)
		return (uint64_t)load_u32le(p) << 32 | load_u32le(p + len - 4);
	return len == 0 ? 0 : (uint64_t)p[0] << 16 | (uint64_t)p[len / 2] << 8 | p[len - 1];
}

/*
 * The hash of len bytes; p may be NULL if len is 0. It is fast for lengths that vary from call to
 * call: 8 to 32 bytes are read as the same four words, multiplied in parallel. The length is
 * multiplied by a key, so that no word can cancel it.
 */
static inline __attribute__((always_inline)) uint64_t
hash_bytes_by(const struct hash_keys *by, const void *bytes, size_t len)
{
	const uint8_t	*p = bytes;
	uint64_t	 k0 = by->k[0], k1 = by->k[1];
	uint64_t	 h = len * by->k[2];
	size_t		 left = len, middle;

	if (len < 8)
		return hash_pair_by(by, hash_short(p, len), len);
	for (; left > 32; left -= 16) {
		h = hash_fold(load_u64le(p) ^ k0, load_u64le(p + 8) ^ h ^ k1);
		p += 16;
	}
	middle = left > 16 ? 8 : 0;
	h ^= hash_fold(load_u64le(p) ^ k0, load_u64le(p + middle) ^ k1);
	p += left - 8;
	return hash_fold(h ^ load_u64le(p - middle) ^ k1, load_u64le(p) ^ k0);
}

static inline __attribute__((always_inline)) uint64_t
hash_bytes(const void *bytes, size_t len)
{
	return hash_bytes_by(&hash_own, bytes, len);
}

/* The hash of several pieces: of those before, and of these bytes. */
static inline uint64_t
hash_more(uint64_t before, const void *bytes, size_t len)
{
	return hash_pair(before, hash_bytes(bytes, len));
}

#endif
