/*
 * A few rows and lines, matched in a task.
 *
 *	caller		row 977 ?	"GC/Start 25" ?		later, later
 *	items		[row 977: wanted][line ...: wanted]	found by hash
 *	task		row 977: rule 1		line: 0..2	known at the next frame
 *
 * The task gets a copy of the wanted items, which lends it their lines.
 *
 * Invariant: a known item never changes. All items are dropped when a rule, the pattern or the
 * trace changes, or when there are too many; before that the task is halted.
 */
#include "tnav/engine/glance.h"

#include <string.h>

#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/regex.h"
#include "tnav/base/task.h"
#include "tnav/base/text.h"

#define ITEMS_MAX	4096u
#define LINE_MAX	16384u		/* bytes of a line that are searched */
#define STEPS_LINE	64u		/* limit of matches per line */

struct glance_item {
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
	uint64_t		 generation;	/* generation: of the items */
	struct glance_item	*item;
	size_t			 n, cap, done;	/* items below done are known */
	struct hashtable	 by_hash;
	char			*pattern;
	bool			 owed;		/* the caller was told "not yet" and must get an
						   answer */

	/* Used by the task while it runs, else by the caller. */
	struct task		 task;
	struct glance_item	*wanted;	/* a copy of nwanted items from done on */
	size_t			 nwanted, wanted_cap;
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
	g->generation = trace_generation(t);
	g->match = regex_match_new();
	return g;
}

static void
forget(struct glance *g)
{
	task_halt(&g->task);
	for (size_t i = 0; i < g->n; i++)
		mem_free(g->item[i].line);
	g->n = g->done = 0;
	hashtable_clear(&g->by_hash);
}

void
glance_free(struct glance *g)
{
	if (g == NULL)
		return;
	forget(g);
	task_release(&g->task);
	hashtable_release(&g->by_hash);
	for (size_t i = 0; i < g->nrules; i++) {
		filter_eval_free(g->rule[i].eval);
		filter_free(g->rule[i].f);
	}
	mem_free(g->rule);
	mem_free(g->item);
	mem_free(g->wanted);
	mem_free(g->pattern);
	regex_free(g->re);
	regex_match_free(g->match);
	mem_free(g);
}

/* ---- the task */

static void
find_rule(struct glance *g, struct glance_item *it)
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
find_spans(struct glance *g, struct glance_item *it)
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

static void
match(void *arg)
{
	struct glance	*g = arg;

	for (size_t i = 0; i < g->nwanted && !task_tick(&g->task, 0, 0); i++) {
		if (g->wanted[i].line != NULL)
			find_spans(g, &g->wanted[i]);
		else
			find_rule(g, &g->wanted[i]);
		g->wanted[i].known = true;
	}
}

/* Take over what is known, and begin with what else is wanted. */
static void
go_on(struct glance *g)
{
	if (task_take(&g->task)) {
		memcpy(&g->item[g->done], g->wanted, g->nwanted * sizeof *g->wanted);
		g->done += g->nwanted;
	}
	if (g->task.runs || g->done == g->n)
		return;
	g->nwanted = g->n - g->done;
	g->wanted = mem_grow(g->wanted, &g->wanted_cap, g->nwanted, sizeof *g->wanted);
	memcpy(g->wanted, &g->item[g->done], g->nwanted * sizeof *g->wanted);
	task_start(&g->task, TASK_APART, match, g);
}

/* ---- functions for the caller */

void
glance_add_rule(struct glance *g, struct filter *f)
{
	forget(g);
	ARRAY_ADD(g->rule, g->nrules, g->rules_cap, (struct rule_eval){
	    f, filter_eval_new(f, g->t) });
}

void
glance_set_pattern(struct glance *g, const char *pattern)
{
	struct buf	why = { 0 };
	size_t		at;

	if (text_same(pattern, g->pattern))
		return;
	forget(g);
	regex_free(g->re);
	mem_free(g->pattern);
	g->re = NULL;
	g->pattern = pattern != NULL ? mem_strdup(pattern) : NULL;
	if (pattern != NULL)
		(void)regex_new(&g->re, pattern, strlen(pattern), REGEX_SMART, &why, &at);
	buf_release(&why);
}

static bool
is_item(const struct glance_item *a, const struct glance_item *b)
{
	if (a->hash != b->hash || (a->line == NULL) != (b->line == NULL))
		return false;
	if (a->line == NULL)
		return a->row == b->row;
	return a->len == b->len && memcmp(a->line, b->line, a->len) == 0;
}

/* The item if it is known; otherwise it is requested, and NULL returned. */
static const struct glance_item *
look_up(struct glance *g, struct glance_item *want)
{
	uint64_t	generation = trace_generation(g->t);
	bool		 was = g->owed;

	g->owed = true;
	if (generation != g->generation || (g->n >= ITEMS_MAX && g->done == g->n))
		forget(g);
	g->generation = generation;
	HASHTABLE_EACH(&g->by_hash, want->hash, i)
		if (is_item(&g->item[*i], want)) {
			g->owed = was || !g->item[*i].known;
			return g->item[*i].known ? &g->item[*i] : NULL;
		}
	hashtable_add(&g->by_hash, want->hash, (uint32_t)g->n);
	g->item = mem_grow(g->item, &g->cap, g->n + 1, sizeof *g->item);
	if (want->line != NULL)
		want->line = mem_strndup(want->line, want->len);
	g->item[g->n++] = *want;
	return NULL;
}

int
glance_rule(struct glance *g, uint64_t row)
{
	struct glance_item		 want = { .hash = hash_u64(row), .row = row };
	const struct glance_item	*it = g->nrules > 0 ? look_up(g, &want) : NULL;

	return it != NULL ? it->rule : -1;
}

int
glance_find(struct glance *g, struct span line, struct glance_span out[GLANCE_SPANS])
{
	struct glance_item	 want = { .len = line.len < LINE_MAX ? line.len : LINE_MAX };
	const struct glance_item *it;

	if (line.len == 0)
		return 0;
	want.hash = hash_bytes(line.p, want.len);
	want.line = (char *)(uintptr_t)line.p;
	it = look_up(g, &want);
	if (it == NULL)
		return -1;
	memcpy(out, it->span, it->n * sizeof *out);
	return (int)it->n;
}

bool
glance_pending(const struct glance *g)
{
	return g != NULL && g->owed;
}

void
glance_wait(struct glance *g, int64_t budget_ns)
{
	int64_t	until = job_now_ns() + budget_ns;

	do
		go_on(g);
	while (g->done < g->n && task_wait(&g->task, until - job_now_ns()));
	g->owed &= g->done < g->n;
}
