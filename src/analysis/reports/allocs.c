/*
 * Allocated memory, by type.
 *
 *	tick	 ... 100 KB ... | ... 100 KB ... |	one event each, counted for the type of
 *							the last object
 *	sampled	 x    x  x        x			each byte has the same chance
 *
 * A sampled object represents several: an object of s bytes is sampled with the probability
 * q = 1 - (1 - p)^s, so it counts 1/q times.
 */
#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "analysis/reports/texts.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"

#define SAMPLE_BYTES	102400.0	/* 1/p */
#define KINDS		4u		/* kinds of allocations with own counts, and others */

enum {
	AL_KIND, AL_SOURCE, AL_TYPE, AL_COUNT, AL_BYTES, AL_SHARE, AL_RATE, AL_EST_COUNT,
	AL_EST_BYTES, AL_MEAN, AL_LARGE, AL_PINNED, AL_OBJECT_MAX, AL_THREADS, AL_FIRST, AL_LAST,
	AL_TID, AL_TYPES, AL_BY_KIND, AL_LOST, AL_GAPS, AL_COLUMNS
};

static const struct table_column	columns[AL_COLUMNS] = {
	[AL_KIND] = { .name = "kind", .kind = CELL_TEXT },
	[AL_SOURCE] = { .name = "source", .kind = CELL_TEXT, .rank = 6 },
	[AL_TYPE] = { .name = "type", .kind = CELL_TEXT, .tone = TONE_EVENT, .width = 24,
	    .most = 60 },
	[AL_COUNT] = { .name = "count", .title = "events", .kind = CELL_U64 },
	[AL_BYTES] = { .name = "bytes", .kind = CELL_BYTES },
	[AL_SHARE] = { .name = "share", .kind = CELL_SHARE, .rank = 1 },
	[AL_RATE] = { .name = "rate", .title = "bytes/s", .printed = "bytes/s",
	    .unit = "B/s", .kind = CELL_BYTES, .rank = 4 },
	[AL_EST_COUNT] = { .name = "estCount", .title = "objects (est.)", .kind = CELL_F64,
	    .rank = 5 },
	[AL_EST_BYTES] = { .name = "estBytes", .title = "bytes (est.)", .kind = CELL_F64,
	    .rank = 5 },
	[AL_MEAN] = { .name = "meanObject", .kind = CELL_BYTES, .flags = COLUMN_ASKED },
	[AL_LARGE] = { .name = "large", .kind = CELL_U64, .rank = 3 },
	[AL_PINNED] = { .name = "pinned", .kind = CELL_U64, .rank = 4 },
	[AL_OBJECT_MAX] = { .name = "objectMax", .title = "largest", .kind = CELL_BYTES,
	    .rank = 3 },
	[AL_THREADS] = { .name = "threads", .kind = CELL_U64, .rank = 2 },
	[AL_FIRST] = { .name = "first", .kind = CELL_TIME, .tone = TONE_TIME, .rank = 7,
	    .flags = COLUMN_FIRST_UP },
	[AL_LAST] = { .name = "last", .kind = CELL_TIME, .tone = TONE_TIME, .rank = 8,
	    .flags = COLUMN_FIRST_UP },
	[AL_TID] = { .name = "tid", .title = "thread", .kind = CELL_U64, .tone = TONE_THREAD,
	    .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[AL_TYPES] = { .name = "types", .kind = CELL_U64 },
	[AL_BY_KIND] = { .name = "byKind", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	REPORT_LOSS_COLUMNS(AL),
};

static const unsigned	type_columns[] = {
	AL_TYPE, AL_SOURCE, AL_BYTES, AL_SHARE, AL_RATE, AL_COUNT, AL_EST_BYTES, AL_EST_COUNT,
	AL_LARGE, AL_PINNED, AL_OBJECT_MAX, AL_THREADS, AL_FIRST, AL_LAST, REPORT_END,
};
static const unsigned	thread_columns[] = {
	AL_TID, AL_SOURCE, AL_BYTES, AL_SHARE, AL_RATE, AL_COUNT, AL_TYPES, AL_FIRST, AL_LAST,
	REPORT_END,
};
static const struct report_part	parts[] = {
	{ "type", "Types", type_columns, AL_SHARE },
	{ "byTid", "Threads", thread_columns, AL_SHARE },
	{ .kind = NULL },
};

enum source { TICK, SAMPLED, SOURCES };
enum { F_TYPE_NAME, F_TYPE_ID, F_KIND, F_OBJECT_SIZE, F_AMOUNT64, F_AMOUNT };

static const struct fact_def	facts[] = {
	{ TICK, RUNTIME, 10, "GCAllocationTick", { "TypeName", "TypeID", "AllocationKind",
	    "ObjectSize", "AllocationAmount64", "AllocationAmount" }, 0 },
	{ SAMPLED, RUNTIME, 303, "AllocationSampled", { "TypeName", "TypeID", "AllocationKind",
	    "ObjectSize" }, 0 },
	{ .provider = NULL },
};

static const struct report_need	need[] = {
	{ .provider = RUNTIME, .keywords = "0x1", .level = 5, .events = "GCAllocationTick" },
	{ .provider = RUNTIME, .keywords = "0x80000000000", .level = 4,
	    .events = "AllocationSampled" },
	{ .provider = NULL },
};

static const char *const	source_name[SOURCES] = { "tick", "sampled" };

/* The allocations of a type, or of a thread. */
struct handed {
	uint64_t	count, bytes, large, pinned, object_max, others;
	double		est_count, est_bytes;
	int64_t		first, last;		/* ns */
	uint32_t	newest;			/* number of the thread or type of the latest
						   pair, + 1 */
	bool		has_object;
};

struct source_sums {
	struct groups	*type, *thread;		/* by text; by thread */
	struct groups	*pair;			/* (type, thread) pairs that occurred */
	struct handed	 all, others;	/* others: types beyond the limit */
	uint64_t	 count[KINDS + 1], bytes[KINDS + 1];
};

struct allocs {
	const struct report_run	*run;
	struct texts		*texts;
	struct buf		 name;
	struct source_sums	 source[SOURCES];
};

static void *
allocs_begin(const struct report_run *run)
{
	struct allocs	*a = mem_zalloc(1, sizeof *a);

	a->run = run;
	a->texts = texts_new();
	buf_init(&a->name);
	for (unsigned s = 0; s < SOURCES; s++) {
		a->source[s].type = groups_new(sizeof(struct handed), LIMIT_REPORT_GROUPS);
		a->source[s].thread = groups_new(sizeof(struct handed), LIMIT_REPORT_GROUPS);
		a->source[s].pair = groups_new(sizeof(bool), LIMIT_REPORT_GROUPS);
	}
	return a;
}

static void
allocs_free(void *self)
{
	struct allocs	*a = self;

	for (unsigned s = 0; s < SOURCES; s++) {
		groups_free(a->source[s].type);
		groups_free(a->source[s].thread);
		groups_free(a->source[s].pair);
	}
	texts_free(a->texts);
	buf_release(&a->name);
	mem_free(a);
}

/* ---- adding */

struct handing {
	uint64_t	bytes, object;
	uint64_t	kind;
	int64_t		ns;
	double		weight;			/* sampled: number of objects that it represents */
	bool		has_object;
};

static void
handed_add(struct handed *h, const struct handing *g)
{
	if (h->count == 0)
		h->first = g->ns;
	h->last = g->ns;
	h->count++;
	h->bytes += g->bytes;
	h->large += g->kind == 1;
	h->pinned += g->kind == 2;
	h->est_count += g->weight;
	h->est_bytes += g->weight * (double)g->bytes;
	if (g->has_object && g->object >= h->object_max)
		h->object_max = g->object;
	h->has_object |= g->has_object;
}

/* Count the different threads of a type and the different types of a thread. */
static void
pair_add(struct source_sums *s, struct handed *type, struct handed *thread, uint32_t t,
    uint32_t thread_index)
{
	bool	*seen;

	if (type->newest == thread_index + 1 && thread->newest == t + 1)
		return;
	type->newest = thread_index + 1;
	thread->newest = t + 1;
	seen = groups_get(s->pair, t, thread_index);
	if (seen == NULL || *seen)
		return;
	*seen = true;
	type->others++;
	thread->others++;
}

/* The type's name, or TypeID 0x7f... */
static uint32_t
type_of(struct allocs *a, const struct fact *f)
{
	struct span	name = fact_text(f, F_TYPE_NAME);

	if (name.len == 0) {
		buf_clear(&a->name);
		buf_puts(&a->name, "TypeID 0x");
		buf_hex(&a->name, fact_u64(f, F_TYPE_ID), 1);
		name = span_of_buf(&a->name);
	}
	return texts_add(a->texts, name);
}

/* How many objects of this size a sampled one represents. */
static double
weight_of(uint64_t bytes)
{
	double	missed = 1, by = 1 - 1 / SAMPLE_BYTES;

	for (uint64_t n = bytes; n > 0; n >>= 1) {
		if ((n & 1) != 0)
			missed *= by;
		by *= by;
	}
	return bytes > 0 ? 1 / (1 - missed) : 0;
}

static void
allocs_add(void *self, const struct fact *f)
{
	struct allocs		*a = self;
	struct source_sums	*s = &a->source[f->kind];
	uint32_t		 text = type_of(a, f);
	struct handed		*type = NULL, *thread;
	struct handing		 g = {
		.object = fact_u64(f, F_OBJECT_SIZE), .has_object = fact_has(f, F_OBJECT_SIZE),
		.kind = fact_u64(f, F_KIND), .ns = f->ns,
	};
	unsigned		 kind = g.kind < KINDS ? (unsigned)g.kind : KINDS;

	g.bytes = fact_u64(f, f->kind == TICK ? F_AMOUNT64 : F_OBJECT_SIZE);
	if (f->kind == TICK && g.bytes == 0)
		g.bytes = fact_u64(f, F_AMOUNT);
	if (f->kind == SAMPLED)
		g.weight = weight_of(g.bytes);
	if (text != TEXT_NONE)
		type = groups_get(s->type, text, 0);
	thread = groups_get(s->thread, f->ev->thread, 0);
	handed_add(&s->all, &g);
	handed_add(type != NULL ? type : &s->others, &g);
	if (thread != NULL)
		handed_add(thread, &g);
	if (type != NULL && thread != NULL)
		pair_add(s, type, thread, text, f->ev->thread);
	s->count[kind]++;
	s->bytes[kind] += g.bytes;
}

/* ---- rows */

/* What its events stand for: a sample stands for more than its object. */
static double
memory_of(const struct handed *h)
{
	return h->est_bytes > 0 ? h->est_bytes : (double)h->bytes;
}

static int
by_memory(const void *a, const void *b)
{
	double	x = memory_of(a), y = memory_of(b);

	return x > y ? -1 : x < y;
}

static struct cell
estimate(double v)
{
	return cell_f64(v < 1e15 ? (double)(int64_t)(v * 1000 + 0.5) / 1000 : v);
}

static void
put_handed(struct allocs *a, struct rows *r, enum source source, const struct handed *h)
{
	const struct handed	*all = &a->source[source].all;
	double			 seconds = ((double)all->last - (double)all->first) / 1e9;

	row_str(r, AL_SOURCE, source_name[source]);
	row_put(r, AL_COUNT, cell_u64(h->count));
	row_bytes(r, AL_BYTES, true, h->bytes);
	row_share(r, AL_SHARE, memory_of(h), memory_of(all));
	if (seconds > 0)
		row_bytes(r, AL_RATE, true, u64_of(memory_of(h) / seconds));
	if (source == SAMPLED) {
		row_put(r, AL_EST_COUNT, estimate(h->est_count));
		row_put(r, AL_EST_BYTES, estimate(h->est_bytes));
	}
}

static void
put_type(struct allocs *a, struct rows *r, enum source source, uint64_t text,
    const struct handed *h)
{
	struct span	name = text != TEXT_NONE ? texts_at(a->texts, (uint32_t)text) :
			    span_of("(others)");
	struct buf	filter;

	row_begin(r, "type");
	row_text(r, AL_TYPE, name);
	put_handed(a, r, source, h);
	row_put(r, AL_LARGE, cell_u64(h->large));
	row_put(r, AL_PINNED, cell_u64(h->pinned));
	row_bytes(r, AL_OBJECT_MAX, h->has_object, h->object_max);
	row_put(r, AL_THREADS, cell_u64(h->others));
	row_time(r, AL_FIRST, true, h->first);
	row_time(r, AL_LAST, true, h->last);
	if (text == TEXT_NONE)
		return;
	buf_init(&filter);
	buf_printf(&filter, "name = %s and TypeName = ", facts[source].event);
	if (filter_quote(&filter, (const char *)name.p, name.len))
		row_filter(r, buf_str(&filter));
	buf_release(&filter);
}

static void
put_thread(struct allocs *a, struct rows *r, enum source source, uint64_t thread,
    const struct handed *h)
{
	static const char *const	expr[SOURCES] = {
		"name = GCAllocationTick", "name = AllocationSampled",
	};

	row_begin(r, "byTid");
	row_put(r, AL_TID, report_tid(a->run, (uint32_t)thread));
	put_handed(a, r, source, h);
	row_put(r, AL_TYPES, cell_u64(h->others));
	row_time(r, AL_FIRST, true, h->first);
	row_time(r, AL_LAST, true, h->last);
	row_filter_tid(r, a->run, (uint32_t)thread, expr[source]);
}

static void
put_kinds(struct rows *r, const struct source_sums *s)
{
	struct buf	*b = row_json(r, AL_BY_KIND);
	bool		 some = false;

	buf_putc(b, '{');
	for (unsigned k = 0; k <= KINDS; k++) {
		if (s->count[k] == 0)
			continue;
		buf_puts(b, some ? ",\"" : "\"");
		if (k < KINDS)
			map_word(b, "GCAllocationKind", k);
		else
			buf_puts(b, "(others)");
		buf_puts(b, "\":{\"count\":");
		buf_u64(b, s->count[k]);
		buf_puts(b, ",\"bytes\":");
		buf_u64(b, s->bytes[k]);
		buf_putc(b, '}');
		some = true;
	}
	buf_putc(b, '}');
}

static void
put_source(struct allocs *a, struct rows *r, enum source source)
{
	const struct source_sums	*s = &a->source[source];
	uint32_t			*order = groups_order(s->type, by_memory);

	for (size_t i = 0; i < groups_n(s->type); i++)
		put_type(a, r, source, groups_key(s->type, order[i]).a,
		    groups_at(s->type, order[i]));
	mem_free(order);
	if (s->others.count > 0)
		put_type(a, r, source, TEXT_NONE, &s->others);
	order = groups_order(s->thread, by_memory);
	for (size_t i = 0; i < groups_n(s->thread); i++)
		put_thread(a, r, source, groups_key(s->thread, order[i]).a,
		    groups_at(s->thread, order[i]));
	mem_free(order);
}

static void
allocs_rows(void *self, struct rows *r)
{
	struct allocs	*a = self;

	for (unsigned s = 0; s < SOURCES; s++) {
		put_source(a, r, s);
		rows_remark(r, a->source[s].others.count, "events of types beyond the limit are "
		    "counted together");
		rows_remark(r, groups_beyond(a->source[s].pair), "events may belong to more "
		    "threads than are counted for a type");
	}
	for (unsigned s = 0; s < SOURCES; s++) {
		if (a->source[s].all.count == 0)
			continue;
		row_begin(r, "summary");
		put_handed(a, r, s, &a->source[s].all);
		row_put(r, AL_TYPES, cell_u64(groups_n(a->source[s].type)));
		put_kinds(r, &a->source[s]);
	}
}

/* "117.2 MB in 1,032 ticks of 13 types on 2 threads" */
static void
allocs_totals(void *self, struct buf *out)
{
	struct allocs	*a = self;

	for (unsigned i = 0; i < SOURCES; i++) {
		const struct source_sums	*s = &a->source[i];

		if (s->all.count == 0)
			continue;
		put_bytes(out, i == TICK ? s->all.bytes : u64_of(s->all.est_bytes));
		buf_puts(out, i == TICK ? " in " : " estimated from ");
		put_count(out, s->all.count, i == TICK ? "tick, " : "sampled object, ",
		    i == TICK ? "ticks, " : "sampled objects, ");
		put_count(out, groups_n(s->type), "type, ", "types, ");
		put_count(out, groups_n(s->thread), "thread\n", "threads\n");
	}
}

const struct report	report_allocs = {
	.name = "allocs",
	.title = "Allocations by type",
	.text = "For source tick, bytes is AllocationAmount: all memory allocated since the "
	    "previous tick, attributed to the type that was being allocated at that moment. So the "
	    "total is right, but the split by type is coarse: a tick represents about 100 KB. For "
	    "source sampled (.NET 10), bytes is the size of the sampled objects. Each byte is "
	    "sampled with a probability of 1/102,400, so an object of s bytes is sampled with a "
	    "probability of q = 1 - (1 - 1/102,400)^s and stands for 1/q objects: estCount and "
	    "estBytes, to which share and rate refer then. large and pinned count the events whose "
	    "object was allocated on the large or the pinned object heap. rate is measured between "
	    "the first and the last event of the source.",
	.need = need, .fact = facts, .column = columns, .ncolumns = AL_COLUMNS, .part = parts,
	.begin = allocs_begin, .add = allocs_add, .rows = allocs_rows, .totals = allocs_totals,
	.free = allocs_free,
};
