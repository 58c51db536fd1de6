/*
 * Lives of code.
 *
 *	said	load A   unload A   load B		    rundown B, rundown C
 *	A	[--------)
 *	B			    [---------------------------------- to the end
 *	C	[------------------------------------------------------ unless other code was there
 *
 * Load events and rundown describe the same code: the same address, size and method at the same
 * time is one life. Code that only the rundown or an unload mentions was there before; its life
 * begins where the previous one at that address ended.
 *
 * Invariant: records are read once, in time order, each in a few steps; a module's end visits
 * each life of the module once.
 * Format: oracle/symbols of the shared data, "The rule that is right", 1 and 2.
 */
#include "analysis/symbols/lives.h"


#include "tnav/base/hash.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

struct order {
	int64_t		ts;
	uint32_t	i;
};

struct making {
	struct lives		*l;
	uint64_t		 seed;
	struct hashtable	 open;		/* (process, start, size, method) -> last life */
	struct hashtable	 place;		/* (process, start) -> the last that ended */
	struct hashtable	 module;	/* (process, module) -> its newest life */
};

static int
by_time(const void *x, const void *y)
{
	const struct order	*a = x, *b = y;

	if (a->ts != b->ts)
		return a->ts < b->ts ? -1 : 1;
	return a->i < b->i ? -1 : a->i > b->i;
}

static uint64_t
hash_code(const struct making *m, const struct method_said *s)
{
	uint64_t	h = hash_pair(m->seed, s->start, (uint64_t)s->process << 32 | s->size);

	return hash_pair(h, s->method, 0);
}

static uint64_t
hash_of(const struct making *m, uint32_t process, uint64_t v)
{
	return hash_pair(m->seed, v, process);
}

typedef bool (*same_fn)(const struct life *l, const struct method_said *s);

static bool
same_code(const struct life *l, const struct method_said *s)
{
	return l->r.start == s->start && l->size == s->size && l->method == s->method;
}

static bool
same_place(const struct life *l, const struct method_said *s)
{
	return l->r.start == s->start;
}

static bool
same_module(const struct life *l, const struct method_said *s)
{
	return l->module == s->module;
}

/* Where the table has the life that is the same in the process; NULL: there is none. */
static uint32_t *
find(const struct making *m, const struct hashtable *t, uint64_t hash, same_fn same,
    const struct method_said *s)
{
	size_t	at = 0;

	for (uint32_t *i; (i = hashtable_next(t, hash, &at)) != NULL; )
		if (m->l->v[*i].process == s->process && same(&m->l->v[*i], s))
			return i;
	return NULL;
}

/* The last life of the same code, whether or not it has ended. */
static uint32_t *
find_code(const struct making *m, const struct method_said *s)
{
	return find(m, &m->open, hash_code(m, s), same_code, s);
}

static uint32_t *
find_place(const struct making *m, uint32_t process, uint64_t start)
{
	const struct method_said	s = { .process = process, .start = start };

	return find(m, &m->place, hash_of(m, process, start), same_place, &s);
}

static uint32_t *
find_module(const struct making *m, uint32_t process, uint64_t module)
{
	const struct method_said	s = { .process = process, .module = module };

	return find(m, &m->module, hash_of(m, process, module), same_module, &s);
}

/* Since when code that nobody saw being loaded was there. */
static int64_t
place_free(struct making *m, const struct method_said *s)
{
	const uint32_t	*last = find_place(m, s->process, s->start);

	return last != NULL ? m->l->v[*last].r.to : TIME_FIRST;
}

static void
chain_module(struct making *m, uint32_t life)
{
	struct life	*l = &m->l->v[life];
	uint32_t	*head = find_module(m, l->process, l->module);

	l->next = NAME_NONE;
	if (head == NULL) {
		hashtable_add(&m->module, hash_of(m, l->process, l->module), life);
		return;
	}
	l->next = *head;
	*head = life;
}

static uint32_t
add_life(struct making *m, const struct method_said *s, int64_t from)
{
	struct lives	*l = m->l;
	uint32_t	*last = find_code(m, s), i = (uint32_t)l->n;
	uint64_t	 end = s->start + (s->size - 1);

	l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct life){
		.r = { .start = s->start, .last = end >= s->start ? end : UINT64_MAX,
		    .from = from, .to = TIME_LAST },
		.method = s->method, .module = s->module, .size = s->size, .flags = s->flags,
		.process = s->process, .name = s->name,
	};
	if (last != NULL)
		*last = i;
	else
		hashtable_add(&m->open, hash_code(m, s), i);
	chain_module(m, i);
	return i;
}

static void
end_life(struct making *m, uint32_t life, int64_t ts)
{
	struct life	*l = &m->l->v[life];
	uint32_t	*last = find_place(m, l->process, l->r.start);

	l->r.to = ts;
	if (last != NULL)
		*last = life;
	else
		hashtable_add(&m->place, hash_of(m, l->process, l->r.start), life);
}

static void
end_module(struct making *m, const struct method_said *s)
{
	uint32_t	*head = find_module(m, s->process, s->module), i;

	if (head == NULL)
		return;
	i = m->l->v[*head].next;
	if (m->l->v[*head].r.to == TIME_LAST)
		end_life(m, *head, s->ts);
	m->l->v[*head].next = NAME_NONE;
	while (i != NAME_NONE) {
		uint32_t	next = m->l->v[i].next;

		if (m->l->v[i].r.to == TIME_LAST)
			end_life(m, i, s->ts);
		m->l->v[i].next = NAME_NONE;
		i = next;
	}
}

static void
hear(struct making *m, const struct method_said *s)
{
	const uint32_t	*last;
	uint32_t	 life = NAME_NONE;

	if (s->what == SAID_MODULE_UNLOAD) {
		end_module(m, s);
		return;
	}
	last = find_code(m, s);
	if (last != NULL && m->l->v[*last].r.to == TIME_LAST)
		life = *last;
	if (life == NAME_NONE)
		life = add_life(m, s, s->what == SAID_LOAD ? s->ts : place_free(m, s));
	if (m->l->v[life].name == NAME_NONE)
		m->l->v[life].name = s->name;
	if (s->what == SAID_UNLOAD)
		end_life(m, life, s->ts);
}

static int
by_process(const void *x, const void *y)
{
	const struct life	*a = x, *b = y;

	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	if (a->r.from != b->r.from)
		return a->r.from < b->r.from ? -1 : 1;
	return a->next < b->next ? -1 : a->next > b->next;	/* the order of making */
}

void
lives_init(struct lives *l, struct method_said *said, size_t n)
{
	struct making	 m = { .l = l, .seed = hash_seed() };
	struct order	*order = mem_alloc((n + 1) * sizeof *order);
	size_t		 kept = 0;

	*l = (struct lives){ .n = 0 };
	hashtable_init(&m.open);
	hashtable_init(&m.place);
	hashtable_init(&m.module);
	for (size_t i = 0; i < n; i++)
		order[i] = (struct order){ .ts = said[i].ts, .i = (uint32_t)i };
	sort_array(order, n, sizeof *order, by_time);
	for (size_t i = 0; i < n; i++)
		hear(&m, &said[order[i].i]);
	mem_free(order);
	hashtable_release(&m.open);
	hashtable_release(&m.place);
	hashtable_release(&m.module);
	for (size_t i = 0; i < l->n; i++) {
		if (l->v[i].name == NAME_NONE || l->v[i].r.to <= l->v[i].r.from)
			continue;
		l->v[kept] = l->v[i];
		l->v[kept++].next = (uint32_t)i;
	}
	l->n = kept;
	sort_array(l->v, l->n, sizeof *l->v, by_process);
}

void
lives_release(struct lives *l)
{
	mem_free(l->v);
	*l = (struct lives){ .n = 0 };
}
