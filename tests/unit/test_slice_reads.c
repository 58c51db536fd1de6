/*
 * A slice of time is loaded from the blocks that touch it and from nothing else: all other pages
 * of the mapped file are made unreadable, and the slice must come out the same.
 */
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/test.h"
#include "../support/written.h"
#include "tnav/base/mem.h"
#include "tnav/engine/trace.h"

#define EVENTS		400000u
#define THREADS		6u
#define BATCH		1200u		/* events in which the threads overlap */
#define MAX_PLACES	4096u
#define MAX_PIECES	64u
#define HEAD_LEN	26u		/* bytes of the next object that may be read */

struct fixture {
	struct written	*file;
	struct nt4_place places[MAX_PLACES];
	size_t		 nplaces;
};

/* Batches of one run a thread, each over the same time; with sequence points or without. */
static void
write_trace(struct nt4_writer *w, unsigned sp_events)
{
	static const struct nt4_field	fields[] = { { NT4_U32, "n" } };
	uint64_t			tids[THREADS];
	uint32_t			seqs[THREADS] = { 0 };

	nt4_begin(w, NULL, "Slice", "Number", fields, 1);
	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < EVENTS; i++) {
		uint32_t		k = i % BATCH / (BATCH / THREADS), in = i % (BATCH / THREADS);
		uint8_t			payload[4] = { (uint8_t)i, (uint8_t)(i >> 8),
					    (uint8_t)(i >> 16), 0 };
		struct nt4_event	e = { .mid = 1, .tid = 10 + k, .capture = 10 + k,
					    .seq = ++seqs[k], .sorted = i % BATCH == 0,
					    .payload = payload, .size = 4 };

		tids[k] = 10 + k;
		e.ts = (int64_t)(i / BATCH * BATCH + in * THREADS + k) + 1;
		nt4_event(w, &e);
		if (w->nblock > 60000) {
			nt4_block_end(w);
			nt4_block(w, "EventBlock", NT4_COMPRESSED);
		}
		if (sp_events && (i + 1) % sp_events == 0) {
			nt4_block_end(w);
			nt4_sequence_point(w, i + 2, THREADS, tids, seqs);
			nt4_block(w, "EventBlock", NT4_COMPRESSED);
		}
	}
	nt4_block_end(w);
	nt4_end(w);
}

static void
write_with_points(struct nt4_writer *w)
{
	write_trace(w, 48000);
}

static void
write_without_points(struct nt4_writer *w)
{
	write_trace(w, 0);
}

/* The object of the file that the offset lies in. */
static const struct nt4_place *
place_of(const struct fixture *f, uint64_t off)
{
	for (size_t i = 0; i < f->nplaces; i++)
		if (off >= f->places[i].start && off < f->places[i].end)
			return &f->places[i];
	fail_msg("offset %llu lies in no object", (unsigned long long)off);
	return NULL;
}

/* Where the file is mapped: address, length and file offset of each piece. */
struct piece {
	uintptr_t	from, to;
	uint64_t	off;
};

static size_t
find_mappings(const struct fixture *f, struct piece *out)
{
	FILE		*maps = fopen("/proc/self/maps", "r");
	const char	*base = strrchr(f->file->path, '/');
	char		 line[1024];
	size_t		 n = 0;

	assert_non_null(maps);
	while (n < MAX_PIECES && fgets(line, sizeof line, maps)) {
		unsigned long	from, to, off;

		if (strstr(line, base) &&
		    sscanf(line, "%lx-%lx %*s %lx", &from, &to, &off) == 3)
			out[n++] = (struct piece){ from, to, off };
	}
	fclose(maps);
	return n;
}

/*
 * Protect (or unprotect) every page of the mapping without bytes of the needed objects. Returns how
 * many pages.
 */
static size_t
protect_others(const struct fixture *f, const bool *needed, int prot)
{
	struct piece	pieces[MAX_PIECES];
	size_t		n = find_mappings(f, pieces), page = (size_t)sysconf(_SC_PAGESIZE), done = 0;

	for (size_t i = 0; i < n; i++)
		for (uintptr_t at = pieces[i].from; at < pieces[i].to; at += page) {
			uint64_t	off = pieces[i].off + (at - pieces[i].from);
			bool		keep = false;

			for (size_t k = 0; k < f->nplaces && !keep; k++)
				keep = needed[k] && off < f->places[k].end + HEAD_LEN &&
				    off + page > f->places[k].start;
			if (keep)
				continue;
			assert_int_equal(mprotect((void *)at, page, prot), 0);
			done++;
		}
	return done;
}

/*
 * Overwrite all other objects with zeroes, for a reader that does not use the mapping. Their heads
 * stay: framing a block may check whether another one follows.
 */
static void
overwrite_others(const struct fixture *f, const bool *needed)
{
	FILE	*file = fopen(f->file->path, "r+b");
	uint8_t	*zeroes = calloc(1, f->file->w.len);

	assert_non_null(file);
	assert_non_null(zeroes);
	for (size_t k = 0; k < f->nplaces; k++) {
		size_t	len = (size_t)(f->places[k].end - f->places[k].body) - 1;

		if (needed[k])
			continue;
		assert_int_equal(fseek(file, (long)f->places[k].body, SEEK_SET), 0);
		assert_int_equal(fwrite(zeroes, 1, len, file), len);
	}
	assert_int_equal(fclose(file), 0);
	free(zeroes);
}

static void
one_slice_alone(void (*write)(struct nt4_writer *w))
{
	const struct trace_options	 opt = { .workers = 1, .cache_bytes = 1 };
	static struct fixture		 f;
	static bool			 needed[MAX_PLACES];
	const struct slice_view		*v;
	struct trace			*t;
	struct event			*copy;
	uint64_t			 row0;
	uint32_t			 n;
	size_t				 touched = 0;

	f.file = written_open(write, &opt);
	t = f.file->t;
	assert_true(trace_rows(t) == EVENTS);
	f.nplaces = nt4_places(f.file->w.p, f.file->w.len, f.places, MAX_PLACES);
	memset(needed, 0, sizeof needed);
	assert_int_equal(trace_view_get(t, EVENTS / 2, &v), 1);
	row0 = v->row0;
	n = v->n;
	assert_true(n < EVENTS / 2);
	copy = malloc(n * sizeof *copy);
	assert_non_null(copy);
	memcpy(copy, v->ev, n * sizeof *copy);
	for (uint32_t i = 0; i < n; i++)
		needed[place_of(&f, v->ev[i].off) - f.places] = true;
	trace_view_put(t, v);
	for (size_t k = 0; k < f.nplaces; k++)
		touched += needed[k];
	assert_true(touched > 0 && touched < f.nplaces / 2);

	/* With a cache of one byte, reading another slice evicts this one. */
	assert_int_equal(trace_view_get(t, 0, &v), 1);
	trace_view_put(t, v);
	assert_int_equal(trace_view_get(t, EVENTS - 1, &v), 1);
	trace_view_put(t, v);

	overwrite_others(&f, needed);
	protect_others(&f, needed, PROT_NONE);
	assert_int_equal(trace_view_get(t, EVENTS / 2, &v), 1);
	assert_true(v->row0 == row0 && v->n == n);
	assert_memory_equal(v->ev, copy, n * sizeof *copy);
	trace_view_put(t, v);
	protect_others(&f, needed, PROT_READ);
	free(copy);
}

TEST(a_slice_reads_only_the_blocks_that_touch_it)
{
	one_slice_alone(write_with_points);
}

TEST(a_slice_reads_only_its_blocks_without_sequence_points)
{
	one_slice_alone(write_without_points);
}
