/*
 * The histogram of one name of spans, as a table.
 *
 *	from	to	count	share
 *	1 ms	2 ms	   41	######
 *	2 ms	5 ms	    3	#
 *
 * Invariant: between the shortest and the longest span no bucket is missing, even an empty one.
 */
#include "analysis/spans/choice.h"
#include "tnav/base/mem.h"

struct buckets {
	struct table	table;
	uint64_t	count[SPAN_BUCKETS], all;
	unsigned	first;
};

static void
bucket_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	const struct buckets	*x = src;
	unsigned		 b = x->first + (unsigned)row;

	switch (col) {
	case BUCKETS_FROM:
		*out = cell_dur(span_bucket_from(b));
		break;
	case BUCKETS_TO:
		*out = b + 1 < SPAN_BUCKETS ? cell_dur(span_bucket_from(b + 1)) : cell_null();
		break;
	case BUCKETS_COUNT:
		*out = cell_u64(x->count[b]);
		out->show = SHOW_GROUPED;
		break;
	default:
		*out = (struct cell){ .kind = CELL_SHARE,
		    .f = (double)x->count[b] / (double)x->all };
	}
}

static void
buckets_release(void *src)
{
	mem_free(src);
}

unsigned
span_buckets_bucket(const struct table *t, size_t row)
{
	return ((const struct buckets *)t->src)->first + (unsigned)row;
}

static void
take_counts(struct buckets *x, const struct span_sum *m)
{
	unsigned	last = 0;

	x->first = SPAN_BUCKETS;
	for (unsigned b = 0; b < SPAN_BUCKETS; b++) {
		x->count[b] = m->bucket[b];
		x->all += m->bucket[b];
		if (m->bucket[b] == 0)
			continue;
		x->first = b < x->first ? b : x->first;
		last = b;
	}
	if (x->all > 0)
		x->table.nrows = last - x->first + 1;
}

struct table *
span_buckets_table(struct spans *s, const struct spans_table_of *of)
{
	struct buckets	*x = mem_zalloc(1, sizeof *x);
	const struct sums *sums = of->choice != NULL ? span_choice_sums(of->choice) : NULL;

	x->table = (struct table){ .column = span_buckets_columns, .ncolumns = BUCKETS_COLUMNS,
	    .src = x, .cell = bucket_cell, .release = buckets_release,
	    .empty = "no span of this name has both ends" };
	take_counts(x, sums != NULL ? sums_at(sums, of->name) : spans_sum(s, of->name));
	return &x->table;
}
