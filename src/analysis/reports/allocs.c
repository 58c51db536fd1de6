/*
 * Allocated memory, by type, by the program's method, by thread.
 *
 *	tick	 ... 100 KB ... | ... 100 KB ... |	one event each, counted for the type of
 *							the last object
 *	sampled	 x    x  x        x			each byte has the same chance
 *
 * A sampled object represents several: it counts 1 / q times, where q is the chance of its size
 * (allocation_chance()).
 */
#include <string.h>

#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"
#include "tnav/analysis/calltree.h"
#include "tnav/base/num.h"
#include "tnav/io/scratch.h"

#define KINDS		4u		/* kinds of allocations with own counts, and others */

enum { AL_KINDS, SOURCES, AL_FIELDS };

static const char *const	source_name[SOURCES] = { "tick", "sampled" };

/* An event. */
struct alloc {
	uint64_t	bytes, object, off;
	int64_t		ts;
	uint32_t	type, thread;		/* type: number of its text, or TEXT_NONE */
	struct method_text method;		/* the program's, or an address */
	uint8_t		source, kind;		/* kind: KINDS: another one */
	bool		has_object;
};

/* The events of a source. */
struct of_source {
	int64_t		first, last;		/* ns */
	uint64_t	n;
	bool		is_sampled;
};

struct allocs {
	struct scratch		*events;
	struct of_source	 source[SOURCES];
	uint64_t		 dropped;
};

static void
allocs_begin(struct report_state *s)
{
	struct allocs	*a = s->own;

	a->events = scratch_new(sizeof(struct alloc));
}

static void
allocs_release(struct report_state *s)
{
	struct allocs	*a = s->own;

	scratch_free(a->events);
}

/* The type's name, or TypeID 0x7f... */
static uint32_t
type_of(struct report_state *s, const struct fact *f)
{
	struct span	name = fact_text(f, F_TYPE_NAME);

	if (name.len == 0) {
		buf_clear(&s->text);
		buf_puts(&s->text, "TypeID 0x");
		buf_hex(&s->text, fact_u64(f, F_TYPE_ID), 1);
		name = span_of_buf(&s->text);
	}
	return texts_add(s->texts, name);
}

static uint64_t
bytes_of(const struct fact *f)
{
	uint64_t	bytes = fact_u64(f, f->kind == TICK ? F_AMOUNT64 : F_OBJECT_SIZE);

	return f->kind == TICK && bytes == 0 ? fact_u64(f, F_AMOUNT) : bytes;
}

/* The method whose code allocates; without names, the address of the innermost frame. */
static struct method_text
method_of(struct report_state *s, const struct fact *f)
{
	struct method_text	m = fact_source(s, f, collector_methods);

	if (m.raw == TEXT_NONE)
		m.raw = frame_address(s, f->nips > 0, f->nips > 0 ? f->ips[0] : 0, "(no stack)");
	return m;
}

static void
add_alloc(struct report_state *s, const struct fact *f)
{
	struct allocs		*a = s->own;
	struct of_source	*source = &a->source[f->kind];
	struct alloc		*x = scratch_add(a->events);
	uint64_t		 kind = min_u64(fact_u64(f, F_KIND), KINDS);

	if (x == NULL) {
		a->dropped++;
		return;
	}
	*x = (struct alloc){ .bytes = bytes_of(f), .object = fact_u64(f, F_OBJECT_SIZE),
	    .has_object = fact_has(f, F_OBJECT_SIZE), .ts = f->ev->ts, .off = f->ev->off,
	    .type = type_of(s, f), .thread = f->ev->thread, .method = method_of(s, f),
	    .source = (uint8_t)f->kind, .kind = (uint8_t)kind };
	source->is_sampled = f->kind == SAMPLED;
	if (source->n++ == 0)
		source->first = f->ns;
	source->last = f->ns;
}

/* ---- rows */

/* How many objects of its size it represents. */
static double
weight_of(const struct alloc *x)
{
	if (x->source == TICK)
		return 1;
	return x->bytes > 0 ? 1 / allocation_chance(x->bytes) : 0;
}

/* Events are only shown as sums. */
static void
put_event(const struct report_state *s, struct rows *r, const struct alloc *x)
{
	double	weight = weight_of(x);

	row_begin(r, source_name[x->source]);
	row_hide(r);
	row_event(r, x->ts, x->off);
	row_str(r, AL_SOURCE, source_name[x->source]);
	row_word(r, AL_TYPE, s->texts, x->type);
	row_known(r, AL_TYPE_KEY, x->type != TEXT_NONE, cell_u64(x->type));
	row_words(r, AL_METHOD, s->texts, x->method);
	row_known(r, AL_METHOD_KEY, x->method.raw != TEXT_NONE, cell_u64(x->method.raw));
	row_put(r, AL_TID, report_tid(s->run, x->thread));
	row_put(r, AL_THREAD_KEY, cell_u64(x->thread));
	row_put(r, AL_BYTES, cell_bytes(x->bytes));
	row_put(r, AL_OBJECTS, cell_f64(weight));
	row_put(r, AL_MEMORY, cell_f64(weight * (double)x->bytes));
	row_put(r, AL_LARGE, cell_bool(x->kind == 1));
	row_put(r, AL_PINNED, cell_bool(x->kind == 2));
	row_map_key(r, AL_KIND_KEY, AL_KIND_NAME, "GCAllocationKind", x->kind, KINDS);
	row_known(r, AL_OBJECT_MAX, x->has_object, cell_bytes(x->object));
	row_put(r, AL_FIRST, cell_time(trace_ns(s->run->t, x->ts)));
}

static void
allocs_rows(struct report_state *s, struct rows *r)
{
	struct allocs	*a = s->own;

	for (uint64_t i = 0; i < scratch_n(a->events); i++)
		put_event(s, r, scratch_at(a->events, i));
	rows_remark(r, a->dropped, EVENTS_DROPPED);
}

static const struct of_source *
source_of(const struct report_state *s, const struct rows *r)
{
	const struct allocs	*a = s->own;
	struct cell		 name = row_get(r, AL_SOURCE);

	return &a->source[name.text.len == strlen(source_name[TICK]) ? TICK : SAMPLED];
}

static struct cell
estimate(double v)
{
	return cell_f64(v < 1e15 ? (double)(int64_t)(v * 1000 + 0.5) / 1000 : v);
}

/* What follows from the sums of a group: the rate, and estimates of samples. */
static void
put_rate(struct report_state *s, struct rows *r)
{
	const struct of_source	*source = source_of(s, r);
	double			 seconds = ((double)source->last - (double)source->first) / 1e9;
	struct cell		 memory = row_get(r, AL_MEMORY), objects = row_get(r, AL_OBJECTS);

	if (seconds > 0)
		row_put(r, AL_RATE, cell_bytes(u64_of(memory.f / seconds)));
	if (source->is_sampled) {
		row_put(r, AL_EST_COUNT, estimate(objects.f));
		row_put(r, AL_EST_BYTES, estimate(memory.f));
		row_put(r, AL_ESTIMATED, cell_bytes(u64_of(memory.f)));
	}
}

const struct report	report_allocs = {
	.title = "Allocations",
	TABLES_OF(allocs, AL), .needs = NEEDS_SYMBOLS,
	.own = sizeof(struct allocs), .begin = allocs_begin, .release = allocs_release,
	.rows = allocs_rows, .grouped = put_rate, .summed = put_rate,
};
