/*
 * The encodings of Parquet.
 *
 *	levels, codes	runs: n << 1, value			n times the same
 *			      (n / 8) << 1 | 1, packed bits	n different ones
 *	delta		head, blocks of 128: least delta, 4 widths, 4 times 32 packed deltas
 *	texts		deltas of the lengths that each has in common with the one before, deltas
 *			of the lengths of the rest, the rests
 *
 * Indexes are packed in whole bytes or in parts that divide one: what repeats then repeats in
 * bytes, which the compression finds.
 *
 * Format: apache/parquet-format, Encodings.md
 */
#include "out/parquet/encode.h"

#include <string.h>

#include "out/parquet/thrift.h"

#include "tnav/base/num.h"

#define BLOCK	128u		/* deltas of a block */
#define MINI	32u		/* ... of a part with its own width */
#define MINIS	(BLOCK / MINI)

/* ---- levels and booleans */

/* The least bits of eight bytes, as one byte. */
static inline uint8_t
pack_eight(const uint8_t *p)
{
	return (uint8_t)(load_u64le(p) * UINT64_C(0x0102040810204080) >> 56);
}

void
encode_bools(struct buf *out, const uint8_t *value, size_t n)
{
	uint8_t	rest[8] = { 0 };
	char	*to = buf_room(out, n / 8 + 1);
	size_t	i = 0;

	for (; n - i >= 8; i += 8)
		*to++ = (char)pack_eight(value + i);
	if (i < n) {
		memcpy(rest, value + i, n - i);
		*to++ = (char)pack_eight(rest);
	}
	out->len = (size_t)(to - out->p);
}

/* Room for the length of levels. Returns where they begin. */
static size_t
levels_begin(struct buf *out)
{
	buf_le(out, 0, sizeof(uint32_t));
	return out->len;
}

static void
levels_end(struct buf *out, size_t from)
{
	uint8_t	*len = (uint8_t *)out->p + from - sizeof(uint32_t);

	for (unsigned i = 0; i < sizeof(uint32_t); i++)
		len[i] = (uint8_t)((out->len - from) >> 8 * i);
}

static void
put_run(struct buf *out, size_t n, unsigned level)
{
	if (n == 0)
		return;
	buf_varint(out, (uint64_t)n << 1);
	buf_putc(out, (char)level);
}

void
encode_levels(struct buf *out, const uint8_t *level, size_t n)
{
	size_t	from = levels_begin(out);

	if (n > 0 && memcmp(level, level + 1, n - 1) == 0) {
		put_run(out, n, level[0]);
	} else if (n > 0) {
		buf_varint(out, (uint64_t)((n + 7) / 8) << 1 | 1);
		encode_bools(out, level, n);
	}
	levels_end(out, from);
}

/* Runs, also short ones: lists of the same length look the same, which compresses. */
size_t
encode_list_levels(struct buf *out, const uint32_t *items, const uint8_t *has, size_t n)
{
	size_t		from = levels_begin(out), firsts = 0, same = 0, levels = 0;
	unsigned	level = 2;

	for (size_t i = 0; i < n; i++) {
		firsts++;
		levels += items[i] > 0 ? items[i] : 1;
		if (items[i] < 2)
			continue;
		put_run(out, firsts, 0);
		put_run(out, items[i] - 1, 1);
		firsts = 0;
	}
	put_run(out, firsts, 0);
	levels_end(out, from);
	from = levels_begin(out);
	for (size_t i = 0; i < n; i++) {
		unsigned	now = items[i] > 0 ? 2 : has[i];

		if (now != level) {
			put_run(out, same, level);
			same = 0;
		}
		level = now;
		same += items[i] > 0 ? items[i] : 1;
	}
	put_run(out, same, level);
	levels_end(out, from);
	return levels;
}

/* ---- indexes of a dictionary */

static unsigned
width_of(size_t entries)
{
	static const unsigned	widths[] = { 1, 2, 4, 8, 16, 24 };
	size_t			i = 0;

	while (i + 1 < sizeof widths / sizeof *widths && (size_t)1 << widths[i] < entries)
		i++;
	return widths[i];
}

static void
pack_codes(uint8_t *to, const uint32_t *code, size_t n, unsigned width)
{
	if (width == 8) {
		for (size_t i = 0; i < n; i++)
			to[i] = (uint8_t)code[i];
	} else if (width > 8) {
		for (size_t i = 0; i < n; i++)
			for (unsigned k = 0; k < width / 8; k++)
				*to++ = (uint8_t)(code[i] >> 8 * k);
	} else {
		for (size_t i = 0; i < n; i++)
			to[i * width / 8] |= (uint8_t)(code[i] << i * width % 8);
	}
}

void
encode_codes(struct buf *out, const uint32_t *code, size_t n, size_t entries)
{
	unsigned	width = width_of(entries);
	size_t		groups = (n + 7) / 8, len = groups * width;
	char		*to;

	buf_putc(out, (char)width);
	if (n > 0 && memcmp(code, code + 1, (n - 1) * sizeof *code) == 0) {
		buf_varint(out, (uint64_t)n << 1);
		buf_le(out, code[0], (width + 7) / 8);
		return;
	}
	buf_varint(out, (uint64_t)groups << 1 | 1);
	to = buf_room(out, len + 1);
	memset(to, 0, len);
	pack_codes((uint8_t *)to, code, n, width);
	out->len += len;
}

/* ---- deltas */

/* MINI numbers of this many bits, the lowest bits first. */
static void
pack_mini(struct buf *out, const uint64_t *v, unsigned width)
{
	uint8_t		*to = (uint8_t *)buf_room(out, MINI / 8 * width + sizeof(uint64_t));
	unsigned __int128 word = 0;
	unsigned	 have = 0;

	for (unsigned i = 0; i < MINI; i++) {
		word |= (unsigned __int128)v[i] << have;
		have += width;
		for (; have >= 32; have -= 32, word >>= 32) {
			uint32_t	low = (uint32_t)word;

			for (unsigned k = 0; k < 4; k++)
				*to++ = (uint8_t)(low >> 8 * k);
		}
	}
	out->len += MINI / 8 * width;	/* a multiple of 4 bytes: nothing is left in word */
}

static inline uint64_t
number_at(const uint8_t *value, size_t i, size_t width)
{
	if (width == 8)
		return load_u64le(value + 8 * i);
	return (uint64_t)(int64_t)(int32_t)load_u32le(value + 4 * i);
}

/* The least of n deltas, with sign. bytes: one from which on all fit in a byte, if there is one. */
static uint64_t
least_of(const uint64_t *delta, size_t n, bool bytes)
{
	int64_t	least = (int64_t)delta[0], most = least;

	for (size_t i = 1; i < n; i++) {
		least = (int64_t)delta[i] < least ? (int64_t)delta[i] : least;
		most = (int64_t)delta[i] > most ? (int64_t)delta[i] : most;
	}
	return (uint64_t)(bytes && least >= INT8_MIN && most <= INT8_MAX ? INT8_MIN : least);
}

/* A block of n deltas, which are compared with sign. Numbers of 4 bytes wrap around at 4 bytes.
   bytes: a delta has at least a byte. */
static void
put_block(struct buf *out, uint64_t *delta, size_t n, size_t width, bool bytes)
{
	uint64_t	least = least_of(delta, n, bytes);
	unsigned	bits[MINIS] = { 0 };

	put_zigzag(out, (int64_t)least);
	for (size_t i = 0; i < BLOCK; i++) {
		delta[i] = i < n ? delta[i] - least : 0;
		if (width == 4)
			delta[i] &= UINT32_MAX;
		if (bits_of(delta[i]) > bits[i / MINI])
			bits[i / MINI] = bits_of(delta[i]);
	}
	for (unsigned m = 0; m < MINIS; m++) {
		bits[m] = bytes && bits[m] < 8 ? 8 : bits[m];
		buf_putc(out, (char)bits[m]);
	}
	for (unsigned m = 0; m < MINIS && m * MINI < n; m++)
		pack_mini(out, delta + (size_t)m * MINI, bits[m]);
}

static void
put_deltas(struct buf *out, const uint8_t *value, size_t n, size_t width, bool bytes)
{
	uint64_t	delta[BLOCK], before = n > 0 ? number_at(value, 0, width) : 0;

	buf_varint(out, BLOCK);
	buf_varint(out, MINIS);
	buf_varint(out, n);
	put_zigzag(out, (int64_t)before);
	for (size_t at = 1; at < n; ) {
		size_t	k = 0;

		for (; k < BLOCK && at < n; k++, at++) {
			uint64_t	now = number_at(value, at, width);

			delta[k] = now - before;
			if (width == 4)
				delta[k] = (uint64_t)(int64_t)(int32_t)(uint32_t)delta[k];
			before = now;
		}
		put_block(out, delta, k, width, bytes);
	}
}

void
encode_delta(struct buf *out, const uint8_t *value, size_t n, size_t width)
{
	put_deltas(out, value, n, width, false);
}

/* ---- texts */

/* How many bytes both begin with; no number is split, since what is left would be any digits. */
static size_t
common_length(struct span a, struct span b)
{
	size_t	most = a.len < b.len ? a.len : b.len, n = 0;

	while (n + 8 <= most && load_u64le(a.p + n) == load_u64le(b.p + n))
		n += 8;
	while (n < most && a.p[n] == b.p[n])
		n++;
	while (n > 0 && a.p[n - 1] >= '0' && a.p[n - 1] <= '9')
		n--;
	return n;
}

void
encode_texts(struct buf *out, const struct span *text, size_t n, struct buf *room)
{
	uint32_t	*common, *rest;
	struct span	 before = { NULL, 0 };
	char		*to;
	size_t		 bytes = 0;

	buf_clear(room);
	common = (uint32_t *)(void *)buf_room(room, (2 * n + 1) * sizeof *common);
	rest = common + n;
	for (size_t i = 0; i < n; i++) {
		common[i] = (uint32_t)common_length(before, text[i]);
		rest[i] = (uint32_t)text[i].len - common[i];
		bytes += rest[i];
		before = text[i];
	}
	put_deltas(out, (const uint8_t *)common, n, sizeof *common, true);
	put_deltas(out, (const uint8_t *)rest, n, sizeof *rest, true);
	to = buf_room(out, bytes + 1);
	for (size_t i = 0; i < n; to += rest[i], i++)
		memcpy(to, text[i].p + common[i], rest[i]);
	out->len += bytes;
}
