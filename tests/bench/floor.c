/*
 * floor: how fast the event headers of a trace can be decoded at all, on one core.
 *
 *	floor [-n RUNS] FILE		NetTrace V4, V5 or V6, or Heph
 *
 * A bare loop over every header, framing of the blocks included: no index, no checks but bounds.
 * Each run begins with a fresh mapping of a cached file, so that it pays the same page faults as
 * a program that opens the file. Shares no code with src/: it is what the index is measured by.
 * Beside it the memory floor: one pass that adds up all bytes as 64-bit words.
 */
#include "bytes.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_RUNS	101

/* Sums that depend on every header, so that no part of the decode can be left out. */
struct sums {
	uint64_t	events, ts, seq, tid, size;
};

/* v6, a constant where it is called: labels stand in the place of ids, and every event has a number. */
static inline __attribute__((always_inline)) void
floor_compressed(struct sums *s, const uint8_t *p, const uint8_t *end, bool v6)
{
	uint64_t	mid = 0, seq = 0, capture = 0, cpu = 0, tid = 0, stack = 0, ts = 0;
	uint64_t	labels = 0, size = 0;

	while (p < end) {
		unsigned	flags = *p++, guids = v6 ? 0 : (flags >> 4 & 1) + (flags >> 5 & 1);

		if (flags & 1)
			mid = varint(&p, end);
		if (flags & 2) {
			seq += varint(&p, end);
			capture = varint(&p, end);
			cpu = varint(&p, end);
		}
		seq += v6 || mid != 0;
		if (flags & 4)
			tid = varint(&p, end);
		if (flags & 8)
			stack = varint(&p, end);
		ts += varint(&p, end);
		if (v6 && flags & 16)
			labels = varint(&p, end);
		if ((size_t)(end - p) < guids * 16)
			return;
		p += guids * 16;
		if (flags & 128)
			size = varint(&p, end);
		if ((uint64_t)(end - p) < size)
			return;
		p += size;
		s->events++;
		s->ts += ts;
		s->seq += seq ^ mid ^ cpu;
		s->tid += tid ^ capture ^ stack ^ labels;
		s->size += size;
	}
}

/* Headers of 80 bytes that end in the payload's size; in V6, of 52 bytes. */
static inline __attribute__((always_inline)) void
floor_uncompressed(struct sums *s, const uint8_t *p, const uint8_t *end, bool v6)
{
	const size_t	head = v6 ? 52 : 80;

	while ((size_t)(end - p) >= head) {
		uint32_t	len = load_u32(p);

		if (len < head - 4 || len > (size_t)(end - p) - 4)
			return;
		s->events++;
		s->ts += load_u64(p + 36);
		s->seq += load_u32(p + 8) ^ load_u32(p + 4) ^ load_u32(p + 28);
		s->tid += load_u64(p + 12) ^ load_u64(p + 20) ^ load_u32(p + 32) ^
		    (v6 ? load_u32(p + 44) : 0);
		s->size += load_u32(p + head - 4);
		p += 4 + (size_t)len;
	}
}

/* The events of a block, whose header says how long it is and whether they are compressed. */
static inline __attribute__((always_inline)) void
floor_block(struct sums *s, const uint8_t *block, uint32_t size, bool v6)
{
	uint32_t	head = size >= 20 ? block[0] | (uint32_t)block[1] << 8 : UINT32_MAX;

	if (head > size)
		return;
	if (block[2] & 1)
		floor_compressed(s, block + head, block + size, v6);
	else
		floor_uncompressed(s, block + head, block + size, v6);
}

static void
floor_nettrace4(struct sums *s, const uint8_t *file, size_t len)
{
	size_t	at = 102;	/* behind stream header and Trace object */

	while (at < len && len - at > 24 && file[at] == 5) {
		uint32_t	chars = load_u32(file + at + 11), size;
		const uint8_t	*name = file + at + 15, *block;

		if (chars > len - at - 24)
			return;
		at += 16 + (size_t)chars;
		size = load_u32(file + at);
		at = (at + 4 + 3) & ~(size_t)3;
		if (size > len - at)
			return;
		block = file + at;
		at += (size_t)size + 1;
		if (chars == 10 && memcmp(name, "EventBlock", 10) == 0)
			floor_block(s, block, size, false);
	}
}

static void
floor_nettrace6(struct sums *s, const uint8_t *file, size_t len)
{
	size_t	at = 20;		/* behind the stream header */

	while (at < len && len - at >= 4) {
		uint32_t	word = load_u32(file + at), size = word & 0xffffff;

		if (word == 0 || size > len - at - 4)
			return;
		if (word >> 24 == 2)
			floor_block(s, file + at + 4, size, true);
		at += 4 + (size_t)size;
	}
}

static uint32_t
load_u32be(const uint8_t *p)
{
	return __builtin_bswap32(load_u32(p));
}

static uint64_t
load_u64be(const uint8_t *p)
{
	return __builtin_bswap64(load_u64(p));
}

static void
floor_heph(struct sums *s, const uint8_t *file, size_t len)
{
	size_t	at = 0;

	while (at < len && len - at >= 10) {
		const uint8_t	*p = file + at;
		uint32_t	 magic = load_u32be(p), size = load_u32be(p + 4);

		if (size < 10 || size > len - at)
			return;
		at += size;
		if (magic != 0xC1FC1FB7 || size < 42)
			continue;
		s->events++;
		s->ts += load_u64be(p + 24) ^ load_u64be(p + 32);
		s->seq += load_u32be(p + 12);
		s->tid += load_u32be(p + 8) ^ load_u64be(p + 16);
		s->size += size - 42 - ((uint32_t)p[40] << 8 | p[41]);
	}
}

static void
floor_file(struct sums *s, const uint8_t *file, size_t len)
{
	if (len < 24)
		return;
	if (memcmp(file, "Nettrace", 8) != 0)
		floor_heph(s, file, len);
	else if (load_u32(file + 8) == 0)
		floor_nettrace6(s, file, len);
	else
		floor_nettrace4(s, file, len);
}

static double
now(void)
{
	struct timespec	t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int
compare(const void *a, const void *b)
{
	double	x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
run(int fd, size_t len, bool decode, struct sums *s)
{
	double		 start = now(), took;
	const uint8_t	*p = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);

	if (p == MAP_FAILED) {
		perror("floor: mmap");
		exit(4);
	}
	memset(s, 0, sizeof *s);
	if (decode)
		floor_file(s, p, len);
	else
		for (size_t i = 0; i + 8 <= len; i += 8)
			s->size += load_u64(p + i);
	took = now() - start;
	munmap((void *)(uintptr_t)p, len);
	return took;
}

int
main(int argc, char **argv)
{
	static double	 decode[MAX_RUNS], memory[MAX_RUNS];
	struct sums	 s, bytes;
	struct stat	 st;
	size_t		 runs = 5, len;
	int		 fd, c;

	for (c = getopt(argc, argv, "n:"); c != -1; c = getopt(argc, argv, "n:"))
		if (c == 'n')
			runs = strtoul(optarg, NULL, 10);
	if (optind + 1 != argc || runs == 0 || runs > MAX_RUNS) {
		fprintf(stderr, "usage: floor [-n RUNS] FILE\n");
		return 2;
	}
	fd = open(argv[optind], O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0 || st.st_size <= 0) {
		perror(argv[optind]);
		return 2;
	}
	len = (size_t)st.st_size;
	run(fd, len, false, &bytes);		/* into the cache */
	for (size_t i = 0; i < runs; i++) {
		memory[i] = run(fd, len, false, &bytes);
		decode[i] = run(fd, len, true, &s);
	}
	qsort(decode, runs, sizeof *decode, compare);
	qsort(memory, runs, sizeof *memory, compare);
	printf("{\"events\":%llu,\"bytes\":%zu,\"runs\":%zu,\"best\":%.6f,\"median\":%.6f,"
	    "\"memory_best\":%.6f,\"sum\":\"%016llx\"}\n", (unsigned long long)s.events, len, runs,
	    decode[0], decode[runs / 2], memory[0],
	    (unsigned long long)(s.ts ^ s.seq ^ s.tid ^ s.size ^ bytes.size));
	close(fd);
	return 0;
}
