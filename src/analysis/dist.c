/*
 * Exact percentiles by nearest rank: all numbers are kept, 8 bytes each, which is less than the
 * size of the events that they come from.
 */
#include "analysis/dist.h"

#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"
#include "tnav/model/json.h"

void
dist_add(struct dist *d, int64_t v)
{
	ARRAY_ADD(d->v, d->n, d->cap, v);
}

void
dist_release(struct dist *d)
{
	mem_free(d->v);
	*d = (struct dist){ .n = 0 };
}

/* The smallest value that is not less than p thousandths of all values. */
static int64_t
nearest(const struct dist *d, unsigned p)
{
	return d->v[nearest_rank(d->n, p, 1000) - 1];
}

void
dist_figures(struct dist *d, struct dist_figures *out)
{
	__int128	total = 0;

	*out = (struct dist_figures){ .n = d->n };
	if (d->n == 0)
		return;
	if (d->sorted != d->n)
		sort_array(d->v, d->n, sizeof *d->v, compare_i64);
	d->sorted = d->n;
	for (size_t i = 0; i < d->n; i++)
		total += d->v[i];
	out->total = total > INT64_MAX ? INT64_MAX : (int64_t)total;
	if (total < INT64_MIN)
		out->total = INT64_MIN;
	out->mean = (int64_t)(total / (__int128)d->n);
	out->min = d->v[0];
	out->max = d->v[d->n - 1];
	out->p50 = nearest(d, 500);
	out->p90 = nearest(d, 900);
	out->p99 = nearest(d, 990);
	out->p999 = nearest(d, 999);
}

void
dist_figures_json(const struct dist_figures *f, struct buf *out)
{
	const struct {
		const char	*name;
		int64_t		 v;
	} key[] = {
		{ "min", f->min }, { "mean", f->mean }, { "p50", f->p50 }, { "p90", f->p90 },
		{ "p99", f->p99 }, { "p999", f->p999 }, { "max", f->max },
	};

	json_open(out, '{');
	json_key_u64(out, "count", f->n);
	json_key_i64(out, "total", f->total);
	for (size_t i = 0; f->n > 0 && i < sizeof key / sizeof *key; i++)
		json_key_i64(out, key[i].name, key[i].v);
	json_close(out, '}');
}

void
dist_json(struct dist *d, struct buf *out)
{
	struct dist_figures	f;

	dist_figures(d, &f);
	dist_figures_json(&f, out);
}
