/*
 * Durations by group.
 *
 *	as they came	[ 0: 5 ][ 2: 9 ][ 0: 7 ] ...	group and value
 *	by group	[ 5 7 ][ ][ 9 ]			once they are all there, for percentiles
 *
 * Beyond some 60,000 values lie in a file (io/scratch); memory follows the groups.
 */
#include "analysis/dists.h"

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"

struct dist_value {
	int64_t		v;
	uint32_t	group;
};

struct dists {
	struct dist	*dist;
	size_t		 n, cap;
	struct scratch	*value;
	bool		 no_room;
};

struct dists *
dists_new(void)
{
	struct dists	*d = mem_zalloc(1, sizeof *d);

	d->value = scratch_new(sizeof(struct dist_value));
	return d;
}

void
dists_free(struct dists *d)
{
	if (d == NULL)
		return;
	scratch_free(d->value);
	mem_free(d->dist);
	mem_free(d);
}

static void
add_saturated(int64_t *to, int64_t v)
{
	if (__builtin_add_overflow(*to, v, to))
		*to = v < 0 ? INT64_MIN : INT64_MAX;
}

void
dists_add(struct dists *d, uint32_t group, int64_t dur)
{
	struct dist_value	*v = scratch_add(d->value);
	struct dist		*m;

	if (group >= d->n) {
		d->dist = mem_grow(d->dist, &d->cap, (size_t)group + 1, sizeof *d->dist);
		while (d->n <= group)
			d->dist[d->n++] = (struct dist){ .n = 0 };
	}
	m = &d->dist[group];
	if (m->n == 0 || dur < m->min)
		m->min = dur;
	if (m->n == 0 || dur > m->max)
		m->max = dur;
	m->n++;
	add_saturated(&m->total, dur);
	if (v == NULL)
		d->no_room = true;
	else
		*v = (struct dist_value){ .v = dur, .group = group };
}

/* The values again, one group behind the other; NULL: there is no room for them. */
static struct scratch *
by_group(const struct dists *d)
{
	struct scratch	*s = scratch_new(sizeof(int64_t));
	uint64_t	*end = mem_zalloc(d->n + 1, sizeof *end);
	uint64_t	 n = scratch_n(d->value), all = 0;
	bool		 fits = true;

	for (size_t i = 0; i < d->n; i++) {
		end[i] = all;
		all += d->dist[i].n;
	}
	for (uint64_t i = 0; i < n && fits; i++)
		fits = scratch_add(s) != NULL;
	for (uint64_t i = 0; i < n && fits; i++) {
		const struct dist_value	*v = scratch_at(d->value, i);

		*(int64_t *)scratch_at(s, end[v->group]++) = v->v;
	}
	mem_free(end);
	if (!fits) {
		scratch_free(s);
		s = NULL;
	}
	return s;
}

void
dists_end(struct dists *d)
{
	struct scratch	*s = d->no_room ? NULL : by_group(d);
	uint64_t	 seed = hash_seed(), from = 0;

	d->no_room = s == NULL;
	for (size_t i = 0; i < d->n && s != NULL; i++) {
		if (d->dist[i].n > 0)
			ranks_find(s, seed, from, d->dist[i].n, &d->dist[i].rank);
		from += d->dist[i].n;
	}
	scratch_free(s);
	scratch_free(d->value);
	d->value = NULL;
}

const struct dist *
dists_at(const struct dists *d, uint32_t group)
{
	static const struct dist	none;

	return group < d->n ? &d->dist[group] : &none;
}

const char *
dists_error(const struct dists *d)
{
	return d->no_room ? "percentiles are missing: no room for a temporary file" : NULL;
}

int64_t
dist_mean(const struct dist *m)
{
	return m->n > 0 ? m->total / (int64_t)m->n : 0;
}

static void
put_figure(struct buf *b, const char *key, int64_t v)
{
	buf_printf(b, ",\"%s\":", key);
	buf_i64(b, v);
}

void
dist_json(struct buf *b, const struct dist *m)
{
	buf_puts(b, "{\"count\":");
	buf_u64(b, m->n);
	put_figure(b, "total", m->total);
	if (m->n > 0) {
		put_figure(b, "min", m->min);
		put_figure(b, "mean", dist_mean(m));
		put_figure(b, "p50", m->rank.p50);
		put_figure(b, "p90", m->rank.p90);
		put_figure(b, "p99", m->rank.p99);
		put_figure(b, "p999", m->rank.p999);
		put_figure(b, "max", m->max);
	}
	buf_putc(b, '}');
}
