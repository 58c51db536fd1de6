/*
 * Sums of spans that nobody asks for one by one: each is nested and added as it comes, and then
 * forgotten.
 *
 *	spans of a piece that it knows all of (local.c) --------- sums by name
 *	the others, in the order of time -> nesting -> self  ---/
 *					 -> durations -------/
 *
 * Invariant: the sums are those that the records would have given.
 */
#include "analysis/spans/stream.h"

#include "analysis/spans/nesting.h"
#include "analysis/spans/sums.h"
#include "tnav/base/mem.h"

#define NOT_CHOSEN	UINT64_MAX

struct stream {
	struct spans	*s;
	struct nesting	*nesting;
	struct sums	*sums;
	uint64_t	 found;
};

static void
span_ended(void *arg, uint64_t name, int64_t self, size_t depth)
{
	struct stream	*x = arg;

	(void)depth;
	if (name != NOT_CHOSEN)
		sums_put_self(x->sums, (uint32_t)name, self);
}

struct stream *
stream_new(struct spans *s)
{
	struct stream	*x = mem_zalloc(1, sizeof *x);

	x->s = s;
	x->nesting = nesting_new(s->t, span_ended, x);
	x->sums = sums_begin();
	return x;
}

void
stream_free(struct stream *x)
{
	if (x == NULL)
		return;
	nesting_free(x->nesting);
	sums_free(x->sums);
	mem_free(x);
}

struct sums *
stream_part(const struct stream *x)
{
	return sums_part(x->sums);
}

void
stream_take(struct stream *x, struct sums *p, uint64_t found)
{
	x->found += found;
	sums_take(x->sums, p);
}

void
stream_pass(struct stream *x)
{
	x->found++;
}

void
stream_add(struct stream *x, const struct span_record *r, size_t n)
{
	x->found += n;
	for (size_t i = 0; i < n; i++, r++) {
		uint64_t	name = NOT_CHOSEN;
		int64_t		dur = 0;
		bool		has = spans_dur(x->s, r, &dur);

		if ((r->flags & SPAN_CHOSEN) != 0) {
			name = r->name;
			sums_put(x->sums, r, has, dur);
		}
		nesting_add(x->nesting, r, name, dur);
	}
}

void
stream_records(struct stream *x)
{
	uint64_t	count = scratch_n(x->s->record);
	size_t		run;

	for (uint64_t i = 0; i < count; i += run) {
		const struct span_record	*r = scratch_run(x->s->record, i, &run);

		stream_add(x, r, run);
	}
}

uint64_t
stream_found(const struct stream *x)
{
	return x->found;
}

struct sums *
stream_end(struct stream *x)
{
	struct sums	*sums = x->sums;

	nesting_end(x->nesting);
	sums_end(sums);
	x->sums = NULL;
	return sums;
}
