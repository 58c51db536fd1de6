/*
 * The events with the greatest values.
 *
 *	piece	events -> values -> the greatest of them
 *	merge	those of the piece -> those of all
 *
 * Invariant: no row that was left out is greater than one that is kept.
 */
#include "tnav/analysis/top.h"

#include "tnav/analysis/table.h"
#include "tnav/base/greatest.h"
#include "tnav/base/mem.h"

struct top {
	struct trace		*t;
	const struct field_ref	*f;
	struct greatest		 kept;
	uint64_t		 counted;
};

struct top_piece {
	const struct top	*whole;
	struct field_reader	*reader;
	struct greatest		 kept;
	uint64_t		 counted;
};

/* ---- order */

static bool
is_better(const void *x, const void *y)
{
	const struct top_row	*a = x, *b = y;

	if (a->value != b->value)
		return a->value > b->value;
	if (a->ts != b->ts)
		return a->ts < b->ts;
	return a->off < b->off;
}

/* ---- values of a field */

/* Of several values, the greatest counts. */
static int
take_value(void *arg, const struct cell *c)
{
	struct top_row	*r = arg;
	long double	 value;

	if (!table_number(c, &value) || (r->cell.kind != CELL_NONE && value <= r->value))
		return 0;
	r->value = value;
	r->cell = *c;
	r->cell.word = (struct span){ NULL, 0 };
	return 0;
}

static struct top_row
row_of(const struct event *e)
{
	return (struct top_row){ .ts = e->ts, .off = e->off, .thread = e->thread,
	    .type = e->type };
}

static void
add_field(struct top_piece *p, const struct event *e, uint64_t row)
{
	struct top_row	r = row_of(e);

	(void)field_each(p->reader, p->whole->f, e, row, take_value, &r);
	if (r.cell.kind == CELL_NONE)
		return;
	p->counted++;
	greatest_keep(&p->kept, &r);
}

/* ---- the pass */

static void *
piece_begin(void *arg)
{
	struct top		*top = arg;
	struct top_piece	*p = mem_zalloc(1, sizeof *p);

	p->whole = top;
	greatest_init(&p->kept, sizeof(struct top_row), top->kept.most, is_better);
	p->reader = field_reader_new(top->t, &(struct field_options){ .words = WORDS_BARE });
	return p;
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct top_piece	*p = state;

	for (uint32_t i = 0; i < b->n; i++)
		add_field(p, &b->ev[b->at[i]], pass_row(b, i));
}

static void
piece_free(void *state)
{
	struct top_piece	*p = state;

	field_reader_free(p->reader);
	greatest_release(&p->kept);
	mem_free(p);
}

static int
piece_merge(void *arg, void *state)
{
	struct top		*top = arg;
	struct top_piece	*p = state;

	for (size_t i = 0; i < p->kept.n; i++)
		greatest_keep(&top->kept, greatest_at(&p->kept, i));
	top->counted += p->counted;
	return 0;
}

const struct pass_ops	top_ops = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .free = piece_free,
};

/* ---- the public interface */

struct top *
top_new(struct trace *t, const struct field_ref *f, size_t most)
{
	struct top	*top = mem_zalloc(1, sizeof *top);

	top->t = t;
	top->f = f;
	greatest_init(&top->kept, sizeof(struct top_row), most, is_better);
	return top;
}

void
top_free(struct top *top)
{
	if (top == NULL)
		return;
	greatest_release(&top->kept);
	mem_free(top);
}

size_t
top_rows(const struct top *top)
{
	return top->kept.n;
}

const struct top_row *
top_row(const struct top *top, size_t i)
{
	return greatest_at(&top->kept, i);
}

void
top_sort(struct top *top)
{
	greatest_sort(&top->kept);
}

uint64_t
top_counted(const struct top *top)
{
	return top->counted;
}
