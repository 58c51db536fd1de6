/*
 * Counts by value.
 *
 *	rows	row0 ... at | ... row1		counted | to come
 *	field	"name" -> line 0 GC/Start 17   line 1 GC/Stop 17   ...
 *
 * A field that is the same for all events of a type or thread is looked up once for each of them.
 *
 * Invariant: events + without + beyond are the shown rows in [row0, at).
 */
#include "ui/view/census.h"

#include <string.h>
#include <sys/random.h>

#include "tnav/base/job.h"
#include "tnav/base/mem.h"

#define SLOTS_FIRST	256u
#define TEXT_MAX	512u	/* bytes of a value that are kept */
#define NONE_YET	0u
#define WITHOUT		UINT32_MAX

void
census_release(struct census *c)
{
	mem_free(c->filter);
	mem_free(c->line);
	mem_free(c->slot);
	mem_free(c->known);
	if (c->field != NULL)
		arena_release(&c->arena);
	mem_free(c->field);
	*c = (struct census){ .field = NULL };
}

void
census_start(struct census *c, struct view *v, const char *field)
{
	char			*name = mem_strdup(field);
	struct field_ref	 ref;
	struct buf		 why;

	census_release(c);
	c->field = name;
	arena_init(&c->arena);
	if (getrandom(&c->seed, sizeof c->seed, GRND_NONBLOCK) != (ssize_t)sizeof c->seed)
		c->seed = (uint64_t)(uintptr_t)c;
	c->row0 = c->at = v->row0;
	c->row1 = v->row1;
	c->from = v->from;
	c->to = v->to;
	c->filter = v->filter != NULL ? mem_strdup(v->filter) : NULL;
	c->slots = SLOTS_FIRST;
	c->slot = mem_zalloc(c->slots, sizeof *c->slot);
	buf_init(&why);
	if (field_ref_init(&ref, name, strlen(name), &why) == 0) {
		c->by_type = field_ref_of(&ref, v->t) == OF_TYPE;
		c->by_thread = field_ref_of(&ref, v->t) == OF_THREAD;
	}
	field_ref_release(&ref);
	buf_release(&why);
	if (c->by_type || c->by_thread) {
		c->nknown = c->by_type ? trace_types(v->t) : trace_threads(v->t);
		c->known = mem_zalloc(c->nknown + 1, sizeof *c->known);
	}
}

bool
census_same_filter(const struct census *c, const struct view *v)
{
	if (c->filter == NULL || v->filter == NULL)
		return c->filter == v->filter;
	return strcmp(c->filter, v->filter) == 0;
}

bool
census_is_current(const struct census *c, const struct view *v)
{
	return c->field != NULL && c->row0 == v->row0 && c->row1 == v->row1 &&
	    c->from == v->from && c->to == v->to && census_same_filter(c, v);
}

/* ---- lines */

static uint64_t
hash_text(const char *p, size_t len, uint64_t seed)
{
	uint64_t	h = seed ^ UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (uint8_t)p[i]) * UINT64_C(0x100000001b3);
	return (h ^ h >> 29) * UINT64_C(0x9e3779b97f4a7c15);
}

static void
slots_grow(struct census *c)
{
	mem_free(c->slot);
	c->slots *= 2;
	c->slot = mem_zalloc(c->slots, sizeof *c->slot);
	for (size_t i = 0; i < c->n; i++) {
		size_t	at = (size_t)c->line[i].hash & (c->slots - 1);

		while (c->slot[at] != 0)
			at = (at + 1) & (c->slots - 1);
		c->slot[at] = (uint32_t)i + 1;
	}
}

/* The line of a value, as index + 1; NONE_YET when there are too many. */
static uint32_t
line_of(struct census *c, struct field_at *f)
{
	size_t		len = f->text.len < TEXT_MAX ? f->text.len : TEXT_MAX, at;
	const char	*text = buf_str(&f->text);
	uint64_t	hash = hash_text(text, len, c->seed);

	for (at = (size_t)hash & (c->slots - 1); c->slot[at] != 0; at = (at + 1) & (c->slots - 1)) {
		const struct census_line	*l = &c->line[c->slot[at] - 1];

		if (l->hash == hash && l->len == len && memcmp(l->text, text, len) == 0)
			return c->slot[at];
	}
	if (c->n == CENSUS_MAX)
		return NONE_YET;
	c->line = mem_grow(c->line, &c->cap, c->n + 1, sizeof *c->line);
	c->line[c->n] = (struct census_line){ .hash = hash, .first = INT64_MAX, .last = INT64_MIN,
	    .text = arena_strndup(&c->arena, text, len), .len = len,
	    .value = arena_strndup(&c->arena, f->value.p, len < f->text.len ? 0 : f->value.len) };
	c->slot[at] = (uint32_t)++c->n;
	if (c->n * 2 > c->slots)
		slots_grow(c);
	return (uint32_t)c->n;
}

static void
count(struct census *c, uint32_t line, const struct event *e)
{
	double			 share;
	size_t			 bin;
	struct census_line	*l;

	if (line == WITHOUT) {
		c->without++;
		return;
	}
	c->events++;
	c->bytes += e->size;
	if (line == NONE_YET) {
		c->beyond++;
		return;
	}
	l = &c->line[line - 1];
	share = ((double)e->ts - (double)c->from) / ((double)c->to - (double)c->from);
	bin = share <= 0 ? 0 : share >= 1 ? CENSUS_BINS - 1 : (size_t)(share * CENSUS_BINS);
	l->events++;
	l->bytes += e->size;
	l->bins[bin]++;
	if (e->ts < l->first)
		l->first = e->ts;
	if (e->ts > l->last)
		l->last = e->ts;
}

static void
count_event(struct census *c, struct view *v, const struct event *e, uint64_t row,
    struct field_at *f)
{
	uint32_t	 key = c->by_type ? e->type : e->thread, line;
	uint32_t	*known = c->known != NULL && key < c->nknown ? &c->known[key] : NULL;

	if (known != NULL && *known != NONE_YET) {
		count(c, *known, e);
		return;
	}
	field_at_clear(f);
	line = field_at_name(f, v, c->field, e, row) ? line_of(c, f) : WITHOUT;
	if (known != NULL)
		*known = line;
	count(c, line, e);
}

bool
census_step(struct census *c, struct view *v, int64_t budget_ns)
{
	int64_t		until = job_now_ns() + budget_ns;
	struct field_at	f;

	field_at_init(&f);
	while (!c->done && budget_ns > 0 && job_now_ns() < until) {
		const struct slice_view	*s;
		uint64_t		 end, shown;
		unsigned		 n;
		int			 got = 0;

		if (c->at < c->row1)
			got = trace_view_walk(v->t, &c->at, &s);
		c->done = got == 0;
		if (got <= 0)
			continue;
		n = query_hits_at(v->q, c->at, &shown);
		end = s->row0 + s->n < c->row1 ? s->row0 + s->n : c->row1;
		end = end - c->at > n ? c->at + n : end;
		for (; c->at < end; c->at++, shown >>= 1) {
			const struct event	*e = &s->ev[c->at - s->row0];

			if (shown & 1)
				count_event(c, v, e, c->at, &f);
		}
		trace_view_put(v->t, s);
		if (n == 0)
			query_wait(v->q, until - job_now_ns());
	}
	field_at_release(&f);
	return !c->done;
}
