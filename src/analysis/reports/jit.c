/*
 * Methods that were compiled while the trace was taken.
 *
 *	thread 7	MethodJittingStarted A ------------------------ MethodLoad A
 *						Started B --- Load B	nested: no self time of A
 *
 * A load ends the latest start of its method on its thread. The open compilations of a thread are a
 * nest.
 */
#include <string.h>

#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "tnav/base/limits.h"
#include "tnav/model/json.h"

/* A module's path comes from the first of its kinds, which are the first ones, that has it. */
enum { JI_KINDS, JI_FIELDS };

#define TIERS		8u
#define TIER_OSR	5u
#define METHOD_DYNAMIC	1u
#define METHOD_GENERIC	2u
#define METHOD_JITTED	8u

#define HAS_MEMORY	0x01u
#define WAS_BACK	0x02u		/* its thread was compiling in the background */
#define IS_DYNAMIC	0x04u
#define IS_GENERIC	0x08u

struct compiled {
	struct pair	p;
	uint64_t	method_id, module, address, rejit;
	uint64_t	hot, ro, code, code_flags;
	uint32_t	inlined, not_inlined;	/* number of calls */
	uint32_t	method, il, native;
	uint32_t	type_len, args_at;	/* of the method's name */
	uint8_t		tier, has;
};

struct module {
	uint32_t	path, rank;		/* rank: of the event that it comes from, + 1 */
};

enum { OPEN, NEST, SPACES };		/* by thread and method; by thread */

/* bool by thread: is it compiling in the background? struct module by id. */
enum { IN_BACK, MODULES };

struct jit {
	uint64_t		 rundown_jitted;
	struct text_counts	 why_not;
};

static void
jit_release(struct report_state *s)
{
	struct jit	*j = s->own;

	text_counts_release(&j->why_not);
}

/* ---- the events */

/* Type.Method(arguments). The return type before them is left out. */
static void
name_it(struct report_state *s, const struct fact *f, struct compiled *c)
{
	struct span	 sig = fact_text(f, M_SIGNATURE);
	const uint8_t	*args = sig.len > 0 ? memchr(sig.p, '(', sig.len) : NULL;
	struct span	 part;

	buf_clear(&s->text);
	part = fact_text(f, M_NAMESPACE);
	buf_add(&s->text, part.p, part.len);
	c->type_len = (uint32_t)s->text.len;
	buf_putc(&s->text, '.');
	part = fact_text(f, M_NAME);
	buf_add(&s->text, part.p, part.len);
	c->args_at = (uint32_t)s->text.len;
	if (args != NULL)
		buf_add(&s->text, args, sig.len - (size_t)(args - sig.p));
	c->method = texts_add(s->texts, span_of_buf(&s->text));
}

static struct group_key
method_key(const struct fact *f)
{
	return pair_key(f->ev->thread, fact_u64(f, M_METHOD));
}

/* What its first event says of it. */
static void
compiled_init(struct report_state *s, const struct fact *f, struct compiled *c)
{
	c->method_id = fact_u64(f, M_METHOD);
	c->module = fact_u64(f, M_MODULE);
	name_it(s, f, c);
}

/* WAS_BACK if the thread is compiling in the background. */
static uint8_t
back_of(const struct report_state *s, const struct fact *f)
{
	const bool	*back = groups_find(s->keyed[IN_BACK], f->ev->thread, 0);

	return back != NULL && *back ? WAS_BACK : 0;
}

static void
add_started(struct report_state *s, const struct fact *f)
{
	struct compiled	*c = pairs_start(s->pairs, f);

	compiled_init(s, f, c);
	c->il = (uint32_t)fact_u64(f, M_IL);
	c->has = back_of(s, f);
	pairs_nest(s->pairs, NEST, f->ev->thread, c);
	pairs_enter(s->pairs, OPEN, method_key(f), c, true);
}

static void
add_load(struct report_state *s, const struct fact *f)
{
	uint64_t	 flags = fact_u64(f, M_FLAGS);
	struct compiled	*c;

	if ((flags & METHOD_JITTED) == 0)
		return;
	c = pairs_stop(s->pairs, f, pairs_take(s->pairs, OPEN, method_key(f)));
	if (!c->p.has_start)
		compiled_init(s, f, c);
	else if (fact_has(f, M_NAME))
		name_it(s, f, c);
	c->module = fact_u64(f, M_MODULE);
	c->native = (uint32_t)fact_u64(f, M_SIZE);
	c->address = fact_u64(f, M_ADDRESS);
	c->rejit = fact_u64(f, M_REJIT);
	c->tier = (uint8_t)(flags >> 7 & (TIERS - 1));
	c->has |= (uint8_t)(back_of(s, f) | ((flags & METHOD_DYNAMIC) != 0 ? IS_DYNAMIC : 0u) |
	    ((flags & METHOD_GENERIC) != 0 ? IS_GENERIC : 0u));
	pairs_unnest(s->pairs, NEST, f->ev->thread, c, ABOVE_STAYS);
}

static void
add_memory(struct report_state *s, const struct fact *f)
{
	struct compiled	*c = pairs_latest(s->pairs, OPEN,
			    pair_key(f->ev->thread, fact_u64(f, C_METHOD)));

	if (c == NULL)
		return;
	c->hot = fact_u64(f, C_HOT);
	c->ro = fact_u64(f, C_RO);
	c->code = fact_u64(f, C_CODE);
	c->code_flags = fact_u64(f, C_FLAGS);
	c->has |= HAS_MEMORY;
}

/* Count an inlined call, or a failed attempt, for the current compilation of its thread. */
static void
add_inlining(struct report_state *s, const struct fact *f)
{
	struct jit	*j = s->own;
	struct compiled	*c = pairs_top(s->pairs, NEST, f->ev->thread);
	bool		 inlined = f->kind == FACT_INLINED;

	if (c != NULL) {
		c->inlined += inlined;
		c->not_inlined += !inlined;
	}
	if (f->chosen && !inlined)
		text_counts_add(&j->why_not, fact_text(f, 0), 1);
}

static void
add_back(struct report_state *s, const struct fact *f)
{
	bool	*back = groups_get(s->keyed[IN_BACK], f->ev->thread, 0);

	if (back != NULL)
		*back = f->kind == FACT_BACK_START;
}

static void
add_rundown(struct report_state *s, const struct fact *f)
{
	struct jit	*j = s->own;

	j->rundown_jitted += f->chosen && (fact_u64(f, 0) & METHOD_JITTED) != 0;
}

static void
add_module(struct report_state *s, const struct fact *f)
{
	struct span	 path = fact_text(f, MODULE_PATH);
	struct module	*m;

	if (path.len == 0 || !fact_has(f, MODULE_ID))
		return;
	m = groups_get(s->keyed[MODULES], fact_u64(f, MODULE_ID), 0);
	if (m == NULL || (m->rank > 0 && m->rank <= f->kind + 1))
		return;
	m->rank = f->kind + 1;
	m->path = texts_add(s->texts, path);
}

/* ---- rows */

/* Runtimes before 5 do not report background compilation. There, a body that replaces another
   one was compiled in the background, unless the method was replaced while it ran. */
static bool
in_background(const struct report_state *s, const struct compiled *c)
{
	if (s->n[FACT_BACK_START] + s->n[FACT_BACK_STOP] > 0 || !c->p.has_stop)
		return (c->has & WAS_BACK) != 0;
	return c->rejit != 0 && c->tier != TIER_OSR;
}

static uint32_t
path_of(const struct report_state *s, const struct compiled *c)
{
	const struct module	*m = groups_find(s->keyed[MODULES], c->module, 0);

	return m != NULL ? m->path : TEXT_NONE;
}

static bool
has_inlining(const struct report_state *s)
{
	return s->n[FACT_INLINED] + s->n[FACT_NOT_INLINED] > 0;
}

static void
put_code(const struct report_state *s, struct rows *r, const struct compiled *c)
{
	bool	ended = c->p.has_stop;

	row_known(r, JI_IL, c->p.has_start, cell_bytes(c->il));
	row_known(r, JI_NATIVE, ended, cell_bytes(c->native));
	row_map(r, JI_TIER, ended, "OptimizationTier", c->tier);
	row_put(r, JI_BACKGROUND, cell_bool(in_background(s, c)));
	row_known(r, JI_REJIT, ended, cell_u64(c->rejit));
	row_put(r, JI_METHOD_ID, cell_hex(c->method_id));
	row_known(r, JI_ADDRESS, ended, cell_hex(c->address));
	row_known(r, JI_DYNAMIC, ended, cell_bool((c->has & IS_DYNAMIC) != 0));
	row_known(r, JI_GENERIC, ended, cell_bool((c->has & IS_GENERIC) != 0));
	if (!c->p.has_start || (c->has & HAS_MEMORY) == 0)
		return;
	row_put(r, JI_HOT, cell_bytes(c->hot));
	row_put(r, JI_RO, cell_bytes(c->ro));
	row_put(r, JI_CODE, cell_bytes(c->code));
	row_put(r, JI_CODE_FLAGS, cell_u64(c->code_flags));
}

static void
put_method(struct report_state *s, struct rows *r, const struct compiled *c)
{
	struct span	raw;

	if (c->method == TEXT_NONE) {
		row_null(r, JI_METHOD);
		return;
	}
	raw = texts_at(s->texts, c->method);
	buf_clear(&s->text);
	method_words(&s->text, raw, c->type_len, c->args_at);
	row_name(r, JI_METHOD, raw, span_of_buf(&s->text));
}

/* Only compilations that have ended are in groups. */
static void
put_keys(const struct report_state *s, struct rows *r, const struct compiled *c)
{
	bool	back = in_background(s, c);

	row_put(r, JI_METHOD_KEY, cell_u64(c->method));
	if (!c->p.has_stop)
		return;
	row_put(r, JI_TIER_KEY, cell_u64(c->tier));
	row_put(r, JI_BACK_KEY, cell_bool(back));
	row_put(r, JI_MODULE_KEY, cell_u64(path_of(s, c)));
	row_put(r, JI_THREAD_KEY, cell_u64(c->p.thread));
	row_put(r, JI_ENDED_IL, cell_bytes(c->il));
	row_known(r, JI_BACK_SELF, back, cell_dur(pair_self(&c->p)));
}

static void
put_compiled(struct report_state *s, struct rows *r, const void *record)
{
	const struct compiled	*c = record;

	row_begin(r, "jit");
	row_pair(r, s->run, &jit_pair, &c->p);
	put_method(s, r, c);
	row_word(r, JI_MODULE, s->texts, path_of(s, c));
	row_known(r, JI_END, c->p.has_stop, cell_time(c->p.stop));
	put_code(s, r, c);
	if (has_inlining(s) && c->p.has_start) {
		row_put(r, JI_INLINED, cell_u64(c->inlined));
		row_put(r, JI_NOT_INLINED, cell_u64(c->not_inlined));
	}
	row_str(r, JI_STATE, c->p.has_start ? pair_state(&c->p) : "noStart");
	put_keys(s, r, c);
}

static void
put_remark(struct report_state *s, struct rows *r)
{
	rows_remark(r, pairs_beyond(s->pairs, OPEN), "# start{s} beyond the limit of open "
	    "compilations {was|were} not paired, and {counts|count} as open");
}

static void
put_rundown(const struct report_state *s, struct rows *r)
{
	const struct jit	*j = s->own;
	struct buf		*b;

	if (s->chosen[FACT_RUNDOWN] == 0) {
		row_null(r, JI_RUNDOWN);
		return;
	}
	b = row_json(r, JI_RUNDOWN);
	json_open(b, '{');
	json_key_u64(b, "total", s->chosen[FACT_RUNDOWN]);
	json_key_u64(b, "jitted", j->rundown_jitted);
	json_close(b, '}');
}

static void
put_summary(struct report_state *s, struct rows *r)
{
	const struct jit	*j = s->own;

	row_put(r, JI_R2R, cell_u64(s->chosen[FACT_ENTRY_POINT]));
	row_put(r, JI_UNLOADED, cell_u64(s->chosen[FACT_UNLOAD]));
	put_rundown(s, r);
	if (!has_inlining(s))
		return;
	row_put(r, JI_INLINED, cell_u64(s->chosen[FACT_INLINED]));
	row_put(r, JI_NOT_INLINED, cell_u64(s->chosen[FACT_NOT_INLINED]));
	text_counts_json(&j->why_not, row_json(r, JI_WHY_NOT));
}

const struct report	report_jit = {
	.title = "Compiled methods",
	TABLES_OF(jit, JI),
	.pairs = true,
	.own = sizeof(struct jit),
	.keyed = { { sizeof(bool), LIMIT_THREADS },
	    { sizeof(struct module), LIMIT_REPORT_GROUPS } },
	.records = { { sizeof(struct compiled), SPACES, put_compiled } },
	.release = jit_release, .rows = put_remark, .figures = FIGURES(JI),
	.summed = put_summary,
};
