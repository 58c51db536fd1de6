/*
 * The parts of a scan's summary that run rarely: when a run ends, a type or a thread changes, or a
 * segment begins. See tnav/format/scan.h for the picture.
 *
 * Invariant: after scan_close() the events of each table, of the runs and of the segments add up to
 * s->events.
 */
#include "tnav/format/scan.h"

#include <assert.h>
#include <string.h>

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"
#include "tnav/format/format.h"

_Static_assert(sizeof(struct decode_state) == SCAN_STATE * sizeof(uint64_t),
    "a state is kept whole");

static void
table_init(struct id_table *t)
{
	memset(t, 0, sizeof *t);
	t->recent = mem_zalloc(SCAN_RECENT, sizeof *t->recent);
}

static struct id_count *
table_hashed(struct id_table *t, uint64_t id, uint64_t off)
{
	uint64_t	hash = hash_u64(id);

	HASHTABLE_EACH(&t->table, hash, i)
		if (t->entry[*i].id == id)
			return &t->entry[*i];
	t->entry = mem_grow(t->entry, &t->cap, t->n + 1, sizeof *t->entry);
	t->entry[t->n] = (struct id_count){ .id = id, .first = INT64_MAX, .last = INT64_MIN,
	    .off = off };
	hashtable_add(&t->table, hash, (uint32_t)t->n++);
	return &t->entry[t->n - 1];
}

struct id_count *
scan_count_slow(struct id_table *t, uint64_t id, uint64_t off)
{
	struct id_count	*e = table_hashed(t, id, off);

	t->recent[id % SCAN_RECENT] = (uint32_t)(e - t->entry) + 1;
	return e;
}

static void
table_reset(struct id_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		t->recent[t->entry[i].id % SCAN_RECENT] = 0;
	hashtable_clear(&t->table);
	t->n = 0;
}

static void
table_release(struct id_table *t)
{
	mem_free(t->entry);
	mem_free(t->recent);
	hashtable_release(&t->table);
}

void
scan_init(struct scan *s)
{
	memset(s, 0, sizeof *s);
	s->seg = mem_alloc(SCAN_SEGMENTS * sizeof *s->seg);
	table_init(&s->types);
	table_init(&s->threads);
	scan_reset(s);
}

void
scan_release(struct scan *s)
{
	mem_free(s->run);
	mem_free(s->seg);
	mem_free(s->bad);
	mem_free(s->row);
	table_release(&s->types);
	table_release(&s->threads);
}

void
scan_reset(struct scan *s)
{
	assert(!s->open && !s->spans);
	s->events = s->bytes = 0;
	s->tmin = INT64_MAX;
	s->tmax = INT64_MIN;
	s->nrun = s->nseg = s->nbad = s->nrow = 0;
	s->seg_left = s->label_most = 0;
	table_reset(&s->types);
	table_reset(&s->threads);
}

void
scan_add_bad(struct scan *s, uint64_t off, uint64_t bytes, const char *text)
{
	ARRAY_ADD(s->bad, s->nbad, s->bad_cap, (struct scan_bad){ off, bytes, text });
}

void
scan_add_row(struct scan *s, uint64_t off)
{
	ARRAY_ADD(s->row, s->nrow, s->row_cap, off);
}

void
scan_end_type(struct scan *s)
{
	scan_count_add(scan_count(&s->types, s->type, s->type_off),
	    s->events - s->type_n0, s->bytes - s->type_b0, s->type_ts, s->cur.ts_last);
}

void
scan_end_thread(struct scan *s)
{
	scan_count_add(scan_count(&s->threads, s->thread, s->cur.off_first),
	    s->events - s->thread_n0, s->bytes - s->thread_b0, s->thread_ts, s->cur.ts_last);
}

/* Add times of events of the last segment. */
static void
times_add(struct scan *s, int64_t first, int64_t last)
{
	struct scan_segment	*g = &s->seg[s->nseg - 1];

	if (first < s->frame_min)
		s->frame_min = first;
	if (last > s->frame_max)
		s->frame_max = last;
	if (first < g->tmin)
		g->tmin = first;
	if (last > g->tmax)
		g->tmax = last;
	if (g->tmin < s->tmin)
		s->tmin = g->tmin;
	if (g->tmax > s->tmax)
		s->tmax = g->tmax;
}

void
scan_end_run(struct scan *s)
{
	if (!s->mixed) {
		scan_end_type(s);
		scan_end_thread(s);
	}
	times_add(s, s->cur.ts_first, s->cur.ts_last);
	s->run[s->nrun++] = s->cur;
	s->open = false;
}

void
scan_frame(struct scan *s)
{
	scan_close(s);
	s->frame_min = INT64_MAX;
	s->frame_max = INT64_MIN;
}

/* End the run of a lane. */
static void
lane_run(struct scan_lane *l)
{
	l->run->n = l->next - l->run->first;
	l->run->ts_last = l->ts_last;
	l->run->off_last = l->off_last;
	l->events += l->run->n;
}

static void
lane_end(struct scan *s, struct scan_lane *l)
{
	lane_run(l);
	scan_count_add(scan_count(&s->threads, l->thread, l->run->off_first), l->events,
	    l->bytes, l->min, l->max);
	times_add(s, l->min, l->max);
	s->events += l->events;
	s->bytes += l->bytes;
	l->run = NULL;
}

void
scan_end_lanes(struct scan *s)
{
	for (size_t i = 0; i < SCAN_LANES; i++)
		if (s->lane[i].run != NULL)
			lane_end(s, &s->lane[i]);
	s->spans = false;
}

void
scan_begin_lane(struct scan *s, struct scan_lane *l, const struct seq_run *run)
{
	if (l->run != NULL && l->thread == run->capture) {
		lane_run(l);
	} else {
		if (l->run != NULL)
			lane_end(s, l);
		*l = (struct scan_lane){ .thread = run->capture, .min = INT64_MAX,
		    .max = INT64_MIN };
	}
	l->run = &s->run[s->nrun++];
	*l->run = *run;
	l->next = run->first;
	s->spans = true;
}

/*
 * Room for the runs of one segment, then for all. Most segments have few, so most of the room is
 * never written: mem_grow() would copy all of it.
 */
static void
make_room(struct scan *s)
{
	struct seq_run	*run;

	if (s->nrun + SCAN_SEGMENT <= s->run_cap)
		return;
	s->run_cap = s->run_cap == 0 ? SCAN_SEGMENT : SCAN_RUNS + SCAN_SEGMENT;
	run = mem_alloc(s->run_cap * sizeof *run);
	if (s->nrun > 0)
		memcpy(run, s->run, s->nrun * sizeof *run);
	mem_free(s->run);
	s->run = run;
}

uint32_t
scan_room(struct scan *s, uint64_t frame_off, const void *state)
{
	struct scan_segment	*g;

	if (s->seg_left > 0)
		return s->seg_left;
	scan_close(s);
	if (s->nseg >= SCAN_SEGMENTS || s->nrun >= SCAN_RUNS || s->types.n >= SCAN_IDS ||
	    s->threads.n >= SCAN_IDS)
		return 0;
	make_room(s);
	g = &s->seg[s->nseg++];
	g->frame_off = frame_off;
	memcpy(g->state, state, sizeof g->state);
	g->tmin = INT64_MAX;
	g->tmax = INT64_MIN;
	g->n = 0;
	s->seg_left = SCAN_SEGMENT;
	return s->seg_left;
}

void
scan_took(struct scan *s, uint32_t n)
{
	s->seg[s->nseg - 1].n += n;
	s->seg_left -= n;
}
