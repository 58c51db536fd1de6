/*
 * Lives of code: when it was at its address.
 *
 *	records	load A   unload A   load B		    rundown B, rundown C
 *	A	[--------)
 *	B			    [---------------------------------- to the end
 *	C	[------------------------------------------------------ unless other code was there
 *
 * Load events and rundown describe the same code: the same address, size and method at the same
 * time is one life. Code that only the rundown or an unload mentions was loaded before the trace.
 * Its life begins where the previous one at that address ended.
 *
 * A life has the number of the record that mentioned it first. This record says which method it is,
 * and where.
 *
 * Invariant: records are read once, in time order, each in a few steps; a module's end visits
 * each life of the module once.
 * Format: oracle/symbols of the shared data, "The rule that is right", 1 and 2.
 */
#include "analysis/symbols/lives.h"

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

/* The time of a life, by the number of its record. */
struct times {
	int64_t		from, to;	/* from == to: no life, or one without duration */
	uint32_t	next;		/* next life of the same module, or NAME_NONE */
};

struct record_order {
	int64_t		ts;
	uint32_t	process, place, i;	/* place: orders records of the same time */
};

struct lives_build {
	struct method_record	*records;
	struct times		*life;
	struct record_order	*order;		/* of records, by time; then of lives */
	size_t			 n;
	struct hashtable	 open;		/* (process, start, size, method) -> last life */
	struct idmap		 place;		/* (process, start) -> the last one that ended */
	struct idmap		 module;	/* (process, module) -> its newest life */
};

SORT_ORDER(by_time, struct record_order, RISING(ts) RISING(place))

SORT_ORDER(by_process, struct record_order, RISING(process) RISING(ts) RISING(place))

static uint64_t
hash_code(const struct method_record *s)
{
	uint64_t	h = hash_pair(s->start, (uint64_t)s->process << 32 | s->size);

	return hash_pair(h, s->method);
}

static bool
same_code(const struct method_record *life, const struct method_record *s)
{
	return life->start == s->start && life->size == s->size && life->method == s->method;
}

/* The last life of the same code, ended or not: the table's entry, or NULL. */
static uint32_t *
find_code(const struct lives_build *m, const struct method_record *s)
{
	HASHTABLE_EACH(&m->open, hash_code(s), i)
		if (m->records[*i].process == s->process && same_code(&m->records[*i], s))
			return i;
	return NULL;
}

static bool
is_open(const struct lives_build *m, uint32_t life)
{
	return m->life[life].to == TIME_LAST;
}

/* When code began that was loaded before the trace: the end of earlier code at its address. */
static int64_t
place_free(const struct lives_build *m, const struct method_record *s)
{
	uint32_t	last;

	return idmap_get(&m->place, s->start, s->process, &last) ? m->life[last].to : TIME_FIRST;
}

static void
chain_module(struct lives_build *m, uint32_t life)
{
	const struct method_record	*s = &m->records[life];

	if (!idmap_get(&m->module, s->module, s->process, &m->life[life].next))
		m->life[life].next = NAME_NONE;
	idmap_set(&m->module, s->module, s->process, life);
}

/* last: the table's entry for the same code, or NULL. */
static void
add_life(struct lives_build *m, uint32_t i, uint32_t *last, int64_t from)
{
	m->life[i].from = from;
	m->life[i].to = TIME_LAST;
	if (last != NULL)
		*last = i;
	else
		hashtable_add(&m->open, hash_code(&m->records[i]), i);
	chain_module(m, i);
}

static void
end_life(struct lives_build *m, uint32_t life, int64_t ts)
{
	m->life[life].to = ts;
	idmap_set(&m->place, m->records[life].start, m->records[life].process, life);
}

/* End all lives of a module. The newest one stays in its list, alone. */
static void
end_module(struct lives_build *m, const struct method_record *s)
{
	uint32_t	i;

	if (!idmap_get(&m->module, s->module, s->process, &i))
		return;
	while (i != NAME_NONE) {
		uint32_t	next = m->life[i].next;

		if (is_open(m, i))
			end_life(m, i, s->ts);
		m->life[i].next = NAME_NONE;
		i = next;
	}
}

static void
replay(struct lives_build *m, uint32_t i)
{
	const struct method_record	*s = &m->records[i];
	uint32_t			*last, life = i;

	if (s->what == CODE_MODULE_UNLOAD) {
		end_module(m, s);
		return;
	}
	last = find_code(m, s);
	if (last != NULL && is_open(m, *last))
		life = *last;
	else
		add_life(m, i, last, s->what == CODE_LOAD ? s->ts : place_free(m, s));
	if (m->records[life].name == NAME_NONE)
		m->records[life].name = s->name;
	if (s->what == CODE_UNLOAD)
		end_life(m, life, s->ts);
}

static void
replay_all(struct lives_build *m)
{
	for (uint32_t i = 0; i < m->n; i++)
		m->order[i] = (struct record_order){ .ts = m->records[i].ts, .place = i, .i = i };
	sort_array(m->order, m->n, sizeof *m->order, by_time);
	for (size_t k = 0; k < m->n; k++)
		replay(m, m->order[k].i);
}

static struct code_range
range_of(const struct method_record *s, const struct times *t)
{
	uint64_t	last = s->start + (s->size - 1);

	return (struct code_range){ .start = s->start, .last = last >= s->start ? last : UINT64_MAX,
	    .from = t->from, .to = t->to };
}

/* Order lives that have a name and a duration: by process, by time, then by number. */
static size_t
order_lives(struct lives_build *m)
{
	size_t	kept = 0;

	for (uint32_t k = 0; k < m->n; k++) {
		uint32_t	i = m->order[k].i;

		if (m->life[i].to > m->life[i].from && m->records[i].name != NAME_NONE)
			m->order[kept++] = (struct record_order){ .ts = m->life[i].from,
			    .process = m->records[i].process, .place = k, .i = i };
	}
	sort_array(m->order, kept, sizeof *m->order, by_process);
	return kept;
}

static void
take(const struct lives_build *m, struct lives *l)
{
	l->v = mem_alloc((l->n + 1) * sizeof *l->v);
	l->range = mem_alloc((l->n + 1) * sizeof *l->range);
	for (size_t k = 0; k < l->n; k++) {
		uint32_t			 i = m->order[k].i;
		const struct method_record	*s = &m->records[i];

		l->v[k] = (struct life){ .module = s->module, .name = s->name,
		    .process = s->process & INT32_MAX, .dynamic = s->dynamic };
		l->range[k] = range_of(s, &m->life[i]);
	}
}

void
lives_init(struct lives *l, struct method_record *records, size_t n)
{
	struct lives_build	m = { .records = records, .n = n };

	*l = (struct lives){ .n = 0 };
	m.life = mem_zalloc(n + 1, sizeof *m.life);
	m.order = mem_alloc((n + 1) * sizeof *m.order);
	replay_all(&m);
	hashtable_release(&m.open);
	idmap_release(&m.place);
	idmap_release(&m.module);
	l->n = order_lives(&m);
	take(&m, l);
	mem_free(m.life);
	mem_free(m.order);
}

void
lives_drop_ranges(struct lives *l)
{
	mem_free(l->range);
	l->range = NULL;
}

void
lives_release(struct lives *l)
{
	mem_free(l->v);
	mem_free(l->range);
	*l = (struct lives){ .n = 0 };
}
