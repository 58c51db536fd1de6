/*
 * Rows and lines on the screen, matched in a thread.
 *
 *	caller		row 977 ?	"GC/Start 25" ?		later, later
 *	items		[row 977: wanted][line ...: wanted]	found by hash
 *	thread		row 977: rule 1		line: 0..2	known at the next frame
 *
 * Invariant: a known item never changes. All items are dropped when a rule, the pattern or the
 * trace changes, or when there are too many.
 */
#include "ui/view/glance.h"

#include <string.h>

#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/regex.h"

#define ITEMS_MAX	4096u
#define LINE_MAX	16384u		/* bytes of a line that are searched */
#define STEPS_LINE	64u		/* limit of matches per line */

struct item {
	uint64_t		 hash, row;
	char			*line;		/* NULL: the item is a row */
	size_t			 len;
	bool			 known;
	int			 rule;
	unsigned		 n;
	struct glance_span	 span[GLANCE_SPANS];
};

struct rule_eval {
	struct filter		*f;
	struct filter_eval	*eval;
};

struct glance {
	struct trace		*t;
	struct lock		*lock;
	struct job		*job;		/* NULL: not needed yet */
	bool			 alone;		/* no thread could be started */

	/* Protected by the lock: */
	bool			 stop, working;
	uint64_t		 seed, round, generation;	/* round: of the items */
	struct item		*item;
	size_t			 n, cap, done;	/* items below done are known */
	struct hashtable	 by_hash;
	char			*pattern;
	bool			 owed;		/* the caller was told "not yet" and must get an
						   answer */

	/* Used by the thread while it works, else by the caller. */
	struct rule_eval	*rule;
	size_t			 nrules, rules_cap;
	struct regex		*re;
	struct regex_match	*match;
};

struct glance *
glance_new(struct trace *t)
{
	struct glance	*g = mem_zalloc(1, sizeof *g);

	g->t = t;
	g->lock = lock_new();
	g->seed = hash_seed();
	g->generation = trace_generation(t);
	g->match = regex_match_new();
	hashtable_init(&g->by_hash);
	return g;
}

static void
forget(struct glance *g)
{
	for (size_t i = 0; i < g->n; i++)
		mem_free(g->item[i].line);
	g->n = g->done = 0;
	g->round++;
	hashtable_clear(&g->by_hash);
}

void
glance_free(struct glance *g)
{
	if (g == NULL)
		return;
	lock_take(g->lock);
	g->stop = true;
	lock_wake(g->lock);
	lock_drop(g->lock);
	job_join(g->job);
	lock_free(g->lock);
	forget(g);
	hashtable_release(&g->by_hash);
	for (size_t i = 0; i < g->nrules; i++) {
		filter_eval_free(g->rule[i].eval);
		filter_free(g->rule[i].f);
	}
	mem_free(g->rule);
	mem_free(g->item);
	mem_free(g->pattern);
	regex_free(g->re);
	regex_match_free(g->match);
	mem_free(g);
}

/* ---- the thread's work, without the lock */

static void
find_rule(struct glance *g, struct item *it)
{
	struct event	e;

	it->rule = -1;
	if (trace_event(g->t, it->row, &e) != 1)
		return;
	for (size_t i = 0; i < g->nrules && it->rule < 0; i++)
		if (filter_match_row(g->rule[i].eval, &e, it->row))
			it->rule = (int)i;
}

static void
find_spans(struct glance *g, struct item *it)
{
	struct span	line = { (const uint8_t *)it->line, it->len };
	size_t		at = 0, from, to;

	regex_match_begin(g->match);
	for (unsigned k = 0; k < STEPS_LINE && it->n < GLANCE_SPANS && at < line.len; k++) {
		if (g->re == NULL || regex_find(g->re, g->match, line, at, &from, &to) != 1)
			break;
		if (to > from)
			it->span[it->n++] = (struct glance_span){ (uint16_t)from, (uint16_t)to };
		at = to > at ? to : at + 1;
	}
}

/* Process the next item. False: there is none. The lock is held, except while matching. */
static bool
work(struct glance *g)
{
	struct item	it;
	uint64_t	round = g->round;
	size_t		at = g->done;

	if (at == g->n)
		return false;
	it = g->item[at];
	if (it.line != NULL)
		it.line = mem_strndup(it.line, it.len);
	g->working = true;
	lock_drop(g->lock);
	if (it.line != NULL)
		find_spans(g, &it);
	else
		find_rule(g, &it);
	mem_free(it.line);
	lock_take(g->lock);
	g->working = false;
	if (round == g->round) {
		it.line = g->item[at].line;
		it.known = true;
		g->item[at] = it;
		g->done++;
	}
	lock_wake(g->lock);
	return true;
}

static void
glance_main(void *arg)
{
	struct glance	*g = arg;

	lock_take(g->lock);
	while (!g->stop)
		if (!work(g))
			lock_wait(g->lock);
	lock_drop(g->lock);
}

/* ---- functions for the caller */

/* Wait until the thread does not use rules and pattern, take the lock, and drop all items. */
static void
begin_change(struct glance *g)
{
	lock_take(g->lock);
	forget(g);
	while (g->working)
		lock_wait(g->lock);
}

void
glance_add_rule(struct glance *g, struct filter *f)
{
	begin_change(g);
	g->rule = mem_grow(g->rule, &g->rules_cap, g->nrules + 1, sizeof *g->rule);
	g->rule[g->nrules++] = (struct rule_eval){ f, filter_eval_new(f, g->t) };
	lock_drop(g->lock);
}

void
glance_set_pattern(struct glance *g, const char *pattern)
{
	struct buf	why;
	size_t		at;

	if ((pattern == NULL) == (g->pattern == NULL) &&
	    (pattern == NULL || strcmp(pattern, g->pattern) == 0))
		return;
	begin_change(g);
	regex_free(g->re);
	mem_free(g->pattern);
	g->re = NULL;
	g->pattern = pattern != NULL ? mem_strdup(pattern) : NULL;
	buf_init(&why);
	if (pattern != NULL)
		(void)regex_new(&g->re, pattern, strlen(pattern), REGEX_SMART, &why, &at);
	buf_release(&why);
	lock_drop(g->lock);
}

static bool
is_item(const struct item *a, const struct item *b)
{
	if (a->hash != b->hash || (a->line == NULL) != (b->line == NULL))
		return false;
	if (a->line == NULL)
		return a->row == b->row;
	return a->len == b->len && memcmp(a->line, b->line, a->len) == 0;
}

/* The item if it is known; otherwise it is requested, and NULL returned. The lock is held. */
static const struct item *
look_up(struct glance *g, struct item *want)
{
	uint64_t	generation = trace_generation(g->t);
	size_t		at = 0;
	uint32_t	*i;
	bool		 was = g->owed;

	g->owed = true;
	if (generation != g->generation || (g->n >= ITEMS_MAX && g->done == g->n))
		forget(g);
	g->generation = generation;
	while ((i = hashtable_next(&g->by_hash, want->hash, &at)) != NULL)
		if (is_item(&g->item[*i], want)) {
			g->owed = was || !g->item[*i].known;
			return g->item[*i].known ? &g->item[*i] : NULL;
		}
	hashtable_add(&g->by_hash, want->hash, (uint32_t)g->n);
	g->item = mem_grow(g->item, &g->cap, g->n + 1, sizeof *g->item);
	if (want->line != NULL)
		want->line = mem_strndup(want->line, want->len);
	g->item[g->n++] = *want;
	if (g->job == NULL && !g->alone) {
		g->job = job_start(glance_main, g);
		g->alone = g->job == NULL;
	}
	lock_wake(g->lock);
	return NULL;
}

int
glance_rule(struct glance *g, uint64_t row)
{
	struct item		 want = { .hash = hash_u64(g->seed, row), .row = row };
	const struct item	*it;
	int			 rule;

	if (g->nrules == 0)
		return -1;
	lock_take(g->lock);
	it = look_up(g, &want);
	rule = it != NULL ? it->rule : -1;
	lock_drop(g->lock);
	return rule;
}

int
glance_find(struct glance *g, struct span line, struct glance_span out[GLANCE_SPANS])
{
	struct item		 want = { .len = line.len < LINE_MAX ? line.len : LINE_MAX };
	const struct item	*it;
	int			 n = -1;

	if (line.len == 0)
		return 0;
	want.hash = hash_bytes(g->seed, line.p, want.len);
	want.line = (char *)(uintptr_t)line.p;
	lock_take(g->lock);
	it = look_up(g, &want);
	if (it != NULL) {
		n = (int)it->n;
		memcpy(out, it->span, it->n * sizeof *out);
	}
	lock_drop(g->lock);
	return n;
}

bool
glance_pending(const struct glance *g)
{
	bool	pending;

	if (g == NULL)
		return false;
	lock_take(g->lock);
	pending = g->owed;
	lock_drop(g->lock);
	return pending;
}

void
glance_wait(struct glance *g, int64_t budget_ns)
{
	int64_t	now = job_now_ns(), end = budget_ns > INT64_MAX - now ? INT64_MAX : now + budget_ns;

	if (g == NULL)
		return;
	lock_take(g->lock);
	while (g->done < g->n && job_now_ns() < end) {
		if (g->alone)
			(void)work(g);
		else
			(void)lock_wait_until(g->lock, end);
	}
	g->owed &= g->done < g->n;
	lock_drop(g->lock);
}
