/*
 * The different stacks of events: a stack is the numbers of its frames, a frame its key.
 *
 *	events	stack 7		stacks	7: 3 1		frames	3: method module address
 *
 * Each part keeps those that it met. What of them is in the rows of the file gets a number there.
 */
#include "out/parquet/stacks.h"

#include "out/parquet/types.h"
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/interned.h"
#include "tnav/base/mem.h"

#define NUMBER		sizeof(uint32_t)	/* bytes of a frame in the text of a stack */

struct stack_book {
	struct interned	frames;		/* address, 1 + length of module (or 0), module, method */
	struct interned	stacks;		/* numbers of frames, 4 bytes each */
};

struct stack_part {
	struct stack_book *book;
	struct stack_book own;
	struct buf	 frame, stack;	/* being made */
	/* Numbers in the book, by number in the part; 0: none yet, else 1 + it. */
	uint32_t	*to_frame, *to_stack;
	size_t		 nframes, nstacks;
};

/* ---- parts */

static void
book_release(struct stack_book *b)
{
	interned_release(&b->frames);
	interned_release(&b->stacks);
}

struct stack_book *
stack_book_new(void)
{
	return mem_zalloc(1, sizeof(struct stack_book));
}

void
stack_book_free(struct stack_book *b)
{
	if (b != NULL)
		book_release(b);
	mem_free(b);
}

struct stack_part *
stack_part_new(struct stack_book *b)
{
	struct stack_part	*p = mem_zalloc(1, sizeof *p);

	p->book = b;
	return p;
}

void
stack_part_free(struct stack_part *p)
{
	if (p == NULL)
		return;
	book_release(&p->own);
	buf_release(&p->frame);
	buf_release(&p->stack);
	mem_free(p->to_frame);
	mem_free(p->to_stack);
	mem_free(p);
}

void
stack_part_frame(struct stack_part *p, struct span method, struct span module, uint64_t address)
{
	buf_clear(&p->frame);
	buf_le(&p->frame, address, sizeof address);
	buf_le(&p->frame, module.p != NULL ? module.len + 1 : 0, sizeof(uint64_t));
	buf_span(&p->frame, module);
	buf_span(&p->frame, method);
	buf_le(&p->stack, interned_add(&p->own.frames, span_of_buf(&p->frame)), NUMBER);
}

uint32_t
stack_part_end(struct stack_part *p)
{
	uint32_t	number = interned_add(&p->own.stacks, span_of_buf(&p->stack));

	buf_clear(&p->stack);
	return number;
}

static uint32_t
frame_in_book(struct stack_part *p, uint32_t frame)
{
	p->to_frame = array_reach(p->to_frame, &p->nframes, frame, sizeof *p->to_frame);
	if (p->to_frame[frame] == 0)
		p->to_frame[frame] = 1 + interned_add(&p->book->frames, p->own.frames.v[frame]);
	return p->to_frame[frame] - 1;
}

static uint32_t
stack_in_book(struct stack_part *p, uint32_t stack)
{
	struct span	frames = p->own.stacks.v[stack];

	p->to_stack = array_reach(p->to_stack, &p->nstacks, stack, sizeof *p->to_stack);
	if (p->to_stack[stack] != 0)
		return p->to_stack[stack] - 1;
	buf_clear(&p->stack);
	for (size_t at = 0; at < frames.len; at += NUMBER)
		buf_le(&p->stack, frame_in_book(p, load_u32le(frames.p + at)), NUMBER);
	p->to_stack[stack] = 1 + interned_add(&p->book->stacks, span_of_buf(&p->stack));
	buf_clear(&p->stack);
	return p->to_stack[stack] - 1;
}

void
stack_part_map(struct stack_part *p, struct parquet_cells *c)
{
	uint8_t	*v = (uint8_t *)c->value.p;

	for (uint32_t i = 0; i < c->values; i++, v += sizeof(uint64_t))
		store_u64le(v, stack_in_book(p, (uint32_t)load_u64le(v)));
}

/* ---- tables */

enum { OF_TRACE, OF_STARTED, OF_ID, OF_FRAMES, OF_METHOD = OF_FRAMES, OF_MODULE, OF_ADDRESS,
    COLUMNS };

static const struct parquet_column	stacks_column[] = {
	[OF_TRACE] = { .name = "trace", .type = PARQUET_TEXT },
	[OF_STARTED] = { .name = "started", .type = PARQUET_TIME },
	[OF_ID] = { .name = "id", .type = PARQUET_U64 },
	[OF_FRAMES] = { .name = "frames", .type = PARQUET_U64, .list = true },
};
static const struct parquet_column	frames_column[COLUMNS] = {
	[OF_TRACE] = { .name = "trace", .type = PARQUET_TEXT },
	[OF_STARTED] = { .name = "started", .type = PARQUET_TIME },
	[OF_ID] = { .name = "id", .type = PARQUET_U64 },
	[OF_METHOD] = { .name = "method", .type = PARQUET_TEXT },
	[OF_MODULE] = { .name = "module", .type = PARQUET_TEXT },
	[OF_ADDRESS] = { .name = "address", .type = PARQUET_U64 },
};

static void
put_stack(struct parquet_rows *r, struct span frames)
{
	for (size_t at = 0; at < frames.len; at += NUMBER)
		parquet_element_u64(r, OF_FRAMES, load_u32le(frames.p + at));
	(void)parquet_list(r, OF_FRAMES, (uint32_t)(frames.len / NUMBER));
}

static void
put_frame(struct parquet_rows *r, struct span key)
{
	const uint8_t	*p = key.p + 2 * sizeof(uint64_t), *end = key.p + key.len;
	uint64_t	 module = load_u64le(key.p + sizeof(uint64_t));

	parquet_u64(r, OF_ADDRESS, load_u64le(key.p));
	if (module > 0) {
		parquet_text(r, OF_MODULE, (struct span){ p, module - 1 });
		p += module - 1;
	}
	parquet_text(r, OF_METHOD, (struct span){ p, (size_t)(end - p) });
}

/* The texts of one of the tables. */
struct book_table {
	const struct interned	*of;
	const struct place_facts *facts;
	const char		*trace;		/* or NULL */
	void			(*put)(struct parquet_rows *r, struct span text);
};

static void
put_row(void *arg, size_t row, struct parquet_rows *r)
{
	const struct book_table	*t = arg;

	if (t->trace != NULL)
		parquet_text(r, OF_TRACE, span_of(t->trace));
	if (t->facts->has_started)
		parquet_u64(r, OF_STARTED, (uint64_t)t->facts->started);
	parquet_u64(r, OF_ID, row);
	t->put(r, t->of->v[row]);
}

int
stack_book_write(const struct stack_book *b, struct parquet_place *p,
    const struct place_facts *facts)
{
	struct book_table	stacks = { &b->stacks, facts, p->trace, put_stack };
	struct book_table	frames = { &b->frames, facts, p->trace, put_frame };
	const struct place_table table[] = {
		{ "stacks", NULL, stacks_column, sizeof stacks_column / sizeof *stacks_column,
		    b->stacks.n, put_row, &stacks },
		{ "frames", NULL, frames_column, COLUMNS, b->frames.n, put_row, &frames },
	};
	int			err = place_write(p, facts, &table[0]);

	return err < 0 ? err : place_write(p, facts, &table[1]);
}
