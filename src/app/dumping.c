/*
 * Rows of events in pieces.
 *
 *	row 7	{"row":7,...}
 *		{"gap":1482,...,"after":7,...}		with gaps
 *	row 8	{"row":8,...}
 *
 * tnav/out/rows.h describes the format of a row. Workers write the rows of a piece into memory, and
 * the merge takes them over. Where rows cannot be written separately, workers pass on the events.
 * They do the same with the rest of a piece whose rows have become long: many events may have the
 * same long stack.
 */
#include "app/dumping.h"

#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"

#define PIECE_MOST	(2u << 20)	/* bytes of rows that a piece writes before its merge */

/* An event of a piece. */
struct dumped {
	struct event	e;
	uint64_t	row;
	size_t		end;		/* its end in the output of the piece, with gaps */
	size_t		gap;		/* the next one after it */
};

/* The rows of a piece: in w, or as events. */
struct dump_piece {
	struct dumping		*of;
	struct row_writer	*w;		/* NULL: only events are kept */
	struct dumped		*v;		/* see dumped_at() */
	uint64_t		 n, written;	/* number of events; of the first ones, how many
						   are in w */
	size_t			 cap, gap0;	/* gap0: number of gaps before the first event */
};

void
dumping_init(struct dumping *d, const uint64_t *limit)
{
	*d = (struct dumping){ .limited = limit != NULL };
	d->limit = d->left = limit != NULL ? *limit : UINT64_MAX;
}

/* ---- gaps */

/* The number of gaps before the row. */
static size_t
gaps_before(const struct dumping *d, uint64_t row)
{
	size_t	at = 0;

	BISECT(at, d->unplaced ? 0 : d->ngaps, i, d->placed[i].row <= row);
	return at;
}

int
dumping_gaps(struct dumping *d, size_t to)
{
	int	err = ERR_OK;

	for (; d->gap < to && d->left > 0 && err == ERR_OK; d->left--)
		err = row_writer_gap(d->w, &d->placed[d->gap++]);
	return err;
}

/* ---- pieces: any thread */

static void *
piece_begin(void *arg)
{
	struct dumping		*d = arg;
	struct dump_piece	*p = mem_zalloc(1, sizeof *p);

	p->of = d;
	if (row_writer_splits(d->w))
		p->w = row_writer_part(d->w);
	return p;
}

/* The index in v of event i. Of written events only the last one is kept, unless the limit may
   cut the piece. */
static size_t
dumped_at(const struct dump_piece *p, uint64_t i)
{
	if (p->w == NULL || p->of->limited)
		return (size_t)i;
	return i < p->written ? 0 : (size_t)(i - p->written) + 1;
}

/* Write the gaps before the event, except before the first one, and the event. */
static void
piece_write(struct dump_piece *p, struct dumped *x)
{
	const struct dumping	*d = p->of;
	size_t			 gap = p->n > 0 ? x->gap : 0;

	x->gap = d->ngaps > 0 ? gaps_before(d, x->row) : 0;
	if (p->n == 0)
		p->gap0 = gap = x->gap;
	if (p->n >= p->written)
		return;
	while (gap < x->gap)
		(void)row_writer_gap(p->w, &d->placed[gap++]);	/* to memory: cannot fail */
	(void)row_writer_event(p->w, &x->e, x->row);
	x->end = row_writer_bytes(p->w);
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct dump_piece	*p = state;

	for (uint32_t i = 0; i < b->n && p->n < p->of->limit; i++) {
		size_t		 gap = p->n > 0 ? p->v[dumped_at(p, p->n - 1)].gap : 0, at;
		struct dumped	*x;

		if (p->w != NULL && p->written == p->n && row_writer_bytes(p->w) < PIECE_MOST)
			p->written++;
		at = dumped_at(p, p->n);
		p->v = mem_grow(p->v, &p->cap, at + 1, sizeof *p->v);
		x = &p->v[at];
		*x = (struct dumped){ .e = b->ev[b->at[i]], .gap = gap };
		if (b->row0 != ROW_UNKNOWN)
			x->row = pass_row(b, i);
		piece_write(p, x);
		p->n++;
	}
}

static void
piece_free(void *state)
{
	struct dump_piece	*p = state;

	if (p->w != NULL)
		(void)row_writer_end(p->w);
	mem_free(p->v);
	mem_free(p);
}

/* ---- merging: one thread */

/* The number of lines for the first n events of the piece, with the gaps before them. If n is
   not the number of all events, v must have each event. */
static uint64_t
piece_lines(const struct dumping *d, const struct dump_piece *p, uint64_t n)
{
	return n + (p->v[dumped_at(p, n - 1)].gap - d->gap);
}

/* The number of events of the piece that are within the limit. */
static uint64_t
piece_fits(const struct dumping *d, const struct dump_piece *p)
{
	uint64_t	n = 0;

	if (!d->limited)
		return p->n;
	BISECT(n, p->n, i, piece_lines(d, p, i + 1) <= d->left);
	return n;
}

/* Print the first n events of the piece, which are within the limit. */
static int
piece_print(struct dumping *d, struct dump_piece *p, uint64_t n)
{
	uint64_t	left = d->left - piece_lines(d, p, n);
	uint64_t	written = n < p->written ? n : p->written;
	int		err = dumping_gaps(d, p->gap0);

	if (written > 0 && err == ERR_OK) {
		const struct dumped	*last = &p->v[dumped_at(p, written - 1)];

		err = row_writer_take(d->w, p->w, last->end);
		d->gap = last->gap;
	}
	for (uint64_t i = written; i < n && err == ERR_OK; i++) {
		const struct dumped	*x = &p->v[dumped_at(p, i)];

		err = dumping_gaps(d, x->gap);
		if (err == ERR_OK)
			err = row_writer_event(d->w, &x->e, x->row);
	}
	d->left = left;
	return err;
}

static int
piece_merge(void *arg, void *state)
{
	struct dumping		*d = arg;
	struct dump_piece	*p = state;
	uint64_t		 n = piece_fits(d, p);
	int			 err = n > 0 ? piece_print(d, p, n) : ERR_OK;

	d->n += p->n;
	/* The next event is beyond the limit, but there is room for gaps before it. */
	if (n < p->n && err == ERR_OK)
		err = dumping_gaps(d, p->v[dumped_at(p, n)].gap);
	return err == ERR_OK && d->left == 0 ? 1 : err;
}

/* Its rows were taken over. */
static void
piece_clear(void *state)
{
	struct dump_piece	*p = state;

	p->n = p->written = 0;
}

const struct pass_ops	dumping_pass = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .clear = piece_clear,
	.free = piece_free,
};
