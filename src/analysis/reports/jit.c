/*
 * Methods that were compiled while the trace was taken.
 *
 *	thread 7	MethodJittingStarted A ------------------------ MethodLoad A
 *						Started B --- Load B	nested: no self time of A
 *
 * A load ends the latest start of its method on its thread. The open compilations of a thread are a
 * list; each also knows the previous one of the same method.
 *
 * Invariant: the cost of an event does not depend on the number of open compilations.
 */
#include <string.h>

#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "analysis/reports/texts.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/io/scratch.h"

enum {
	JI_KIND, JI_START, JI_END, JI_DUR, JI_SELF, JI_TIER, JI_BACKGROUND, JI_COUNT, JI_TIME,
	JI_TOTAL, JI_SHARE, JI_SELF_TOTAL, JI_MEAN, JI_P50, JI_P90, JI_P99, JI_MAX, JI_IL,
	JI_NATIVE, JI_METHOD, JI_MODULE, JI_TID, JI_REJIT, JI_METHOD_ID, JI_ADDRESS, JI_DYNAMIC,
	JI_GENERIC, JI_ROW, JI_STATE, JI_HOT, JI_RO, JI_CODE,
	JI_CODE_FLAGS, JI_INLINED, JI_NOT_INLINED, JI_WHY_NOT, JI_GAP, JI_OPEN, JI_WITHOUT,
	JI_BY_TIER, JI_BY_BACKGROUND, JI_METHODS, JI_R2R, JI_RUNDOWN, JI_UNLOADED, JI_LOST,
	JI_GAPS, JI_COLUMNS
};

static const struct table_column	columns[JI_COLUMNS] = {
	[JI_KIND] = { .name = "kind", .kind = CELL_TEXT },
	[JI_START] = { .name = "start", .kind = CELL_TIME, .tone = TONE_TIME, .rank = 10,
	    .flags = COLUMN_FIRST_UP },
	[JI_END] = { .name = "end", .kind = CELL_TIME, .flags = COLUMN_ASKED | COLUMN_FIRST_UP },
	[JI_DUR] = { .name = "dur", .kind = CELL_DUR },
	[JI_SELF] = { .name = "self", .kind = CELL_DUR, .rank = 4 },
	[JI_TIER] = { .name = "tier", .kind = CELL_TEXT, .tone = TONE_KEY },
	[JI_BACKGROUND] = { .name = "background", .title = "bg", .kind = CELL_BOOL, .rank = 5 },
	[JI_COUNT] = { .name = "count", .kind = CELL_U64 },
	[JI_TIME] = { .name = "time", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[JI_TOTAL] = { .name = "total", .kind = CELL_DUR },
	[JI_SHARE] = { .name = "share", .kind = CELL_SHARE },
	[JI_SELF_TOTAL] = { .name = "selfTotal", .title = "self", .kind = CELL_DUR, .rank = 3 },
	[JI_MEAN] = { .name = "mean", .kind = CELL_DUR, .rank = 4 },
	[JI_P50] = { .name = "p50", .kind = CELL_DUR, .rank = 5 },
	[JI_P90] = { .name = "p90", .kind = CELL_DUR, .rank = 6 },
	[JI_P99] = { .name = "p99", .kind = CELL_DUR, .rank = 5 },
	[JI_MAX] = { .name = "max", .kind = CELL_DUR, .rank = 1 },
	[JI_IL] = { .name = "ilSize", .title = "IL", .kind = CELL_BYTES, .rank = 6 },
	[JI_NATIVE] = { .name = "nativeSize", .title = "native", .kind = CELL_BYTES, .rank = 2 },
	[JI_METHOD] = { .name = "method", .kind = CELL_TEXT, .tone = TONE_EVENT, .width = 24,
	    .most = 80 },
	[JI_MODULE] = { .name = "module", .kind = CELL_TEXT, .width = 16, .most = 60, .rank = 8,
	    .flags = COLUMN_MIDDLE },
	[JI_TID] = { .name = "tid", .title = "thread", .kind = CELL_U64, .tone = TONE_THREAD,
	    .rank = 7, .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[JI_REJIT] = { .name = "rejit", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[JI_METHOD_ID] = { .name = "methodId", .kind = CELL_U64,
	    .flags = COLUMN_ASKED | COLUMN_ID },
	[JI_ADDRESS] = { .name = "address", .kind = CELL_U64, .flags = COLUMN_ASKED | COLUMN_ID },
	[JI_DYNAMIC] = { .name = "dynamic", .kind = CELL_BOOL, .flags = COLUMN_ASKED },
	[JI_GENERIC] = { .name = "generic", .kind = CELL_BOOL, .flags = COLUMN_ASKED },
	[JI_ROW] = { .name = "row", .kind = CELL_U64, .flags = COLUMN_ASKED | COLUMN_FIRST_UP },
	[JI_STATE] = { .name = "state", .kind = CELL_TEXT, .rank = 9 },
	[JI_HOT] = { .name = "hotCode", .kind = CELL_BYTES, .flags = COLUMN_ASKED },
	[JI_RO] = { .name = "roData", .kind = CELL_BYTES, .flags = COLUMN_ASKED },
	[JI_CODE] = { .name = "codeMemory", .kind = CELL_BYTES, .flags = COLUMN_ASKED },
	[JI_CODE_FLAGS] = { .name = "codeFlags", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[JI_INLINED] = { .name = "inlined", .kind = CELL_U64, .rank = 11 },
	[JI_NOT_INLINED] = { .name = "notInlined", .kind = CELL_U64, .rank = 12 },
	[JI_WHY_NOT] = { .name = "notInlinedBy", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[JI_GAP] = { .name = "gap", .kind = CELL_RAW, .tone = TONE_LOSS,
	    .flags = COLUMN_ASKED | COLUMN_NO_SORT },
	[JI_OPEN] = { .name = "open", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[JI_WITHOUT] = { .name = "withoutStart", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[JI_BY_TIER] = { .name = "byTier", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[JI_BY_BACKGROUND] = { .name = "byBackground", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[JI_METHODS] = { .name = "methods", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[JI_R2R] = { .name = "r2rEntryPoints", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[JI_RUNDOWN] = { .name = "methodsRundown", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[JI_UNLOADED] = { .name = "unloaded", .kind = CELL_U64, .flags = COLUMN_ASKED },
	REPORT_LOSS_COLUMNS(JI),
};

static const struct figure_columns	figures = {
	.total = JI_TOTAL, .mean = JI_MEAN, .p50 = JI_P50, .p90 = JI_P90, .p99 = JI_P99,
	.max = JI_MAX,
};

static const unsigned	jit_columns[] = {
	JI_START, JI_DUR, JI_SELF, JI_METHOD, JI_TIER, JI_BACKGROUND, JI_IL, JI_NATIVE, JI_TID,
	JI_MODULE, JI_STATE, JI_INLINED, JI_NOT_INLINED, REPORT_END,
};
static const unsigned	tier_columns[] = {
	JI_TIER, JI_BACKGROUND, JI_COUNT, JI_TOTAL, JI_SHARE, JI_SELF_TOTAL, JI_MEAN, JI_P50,
	JI_P90, JI_P99, JI_MAX, JI_IL, JI_NATIVE, REPORT_END,
};
static const unsigned	module_columns[] = {
	JI_MODULE, JI_COUNT, JI_TOTAL, JI_SHARE, JI_SELF_TOTAL, JI_MEAN, JI_MAX, JI_IL, JI_NATIVE,
	REPORT_END,
};
static const unsigned	thread_columns[] = {
	JI_TID, JI_COUNT, JI_TOTAL, JI_SHARE, JI_SELF_TOTAL, JI_MEAN, JI_MAX, JI_IL, JI_NATIVE,
	REPORT_END,
};
static const struct report_part	parts[] = {
	{ "jit", "Methods", jit_columns, JI_DUR },
	{ "tier", "Tiers", tier_columns, JI_TOTAL },
	{ "module", "Modules", module_columns, JI_TOTAL },
	{ "byTid", "Threads", thread_columns, JI_TOTAL },
	{ .kind = NULL },
};

/* A module's path comes from the first of these kinds that has it. */
enum {
	FACT_MODULE_0, FACT_MODULE_7 = FACT_MODULE_0 + 7, FACT_STARTED, FACT_LOAD, FACT_MEMORY,
	FACT_BACK_START, FACT_BACK_STOP, FACT_ENTRY_POINT, FACT_UNLOAD, FACT_RUNDOWN,
	FACT_INLINED, FACT_NOT_INLINED
};
enum { M_METHOD, M_MODULE, M_NAMESPACE, M_NAME, M_SIGNATURE, M_FLAGS, M_SIZE, M_ADDRESS, M_REJIT };
#define M_IL	M_FLAGS		/* of a start */
enum { C_METHOD, C_HOT, C_RO, C_CODE, C_FLAGS };
enum { MODULE_ID, MODULE_PATH };

static const struct fact_def	facts[] = {
	{ FACT_STARTED, RUNTIME, 145, "MethodJittingStarted", { "MethodID", "ModuleID",
	    "MethodNamespace", "MethodName", "MethodSignature", "MethodILSize" }, 0 },
	{ FACT_LOAD, RUNTIME, 143, "MethodLoadVerbose", { "MethodID", "ModuleID",
	    "MethodNamespace", "MethodName", "MethodSignature", "MethodFlags", "MethodSize",
	    "MethodStartAddress", "ReJITID" }, 0 },
	{ FACT_LOAD, RUNTIME, 141, "MethodLoad", { "MethodID", "ModuleID", "MethodNamespace",
	    "MethodName", "MethodSignature", "MethodFlags", "MethodSize", "MethodStartAddress",
	    "ReJITID" }, 0 },
	{ FACT_MEMORY, RUNTIME, 146, "MethodJitMemoryAllocatedForCode", { "MethodID",
	    "JitHotCodeRequestSize", "JitRODataRequestSize", "AllocatedSizeForJitCode",
	    "JitAllocFlag" }, 0 },
	{ FACT_INLINED, RUNTIME, 185, "MethodJitInliningSucceeded", { NULL }, 0 },
	{ FACT_NOT_INLINED, RUNTIME, 192, "MethodJitInliningFailed", { "FailReason" }, 0 },
	{ FACT_BACK_START, RUNTIME, 283, "TieredCompilationBackgroundJitStart", { NULL }, 0 },
	{ FACT_BACK_STOP, RUNTIME, 284, "TieredCompilationBackgroundJitStop", { NULL }, 0 },
	{ FACT_ENTRY_POINT, RUNTIME, 159, "R2RGetEntryPoint", { NULL }, 0 },
	{ FACT_UNLOAD, RUNTIME, 144, "MethodUnloadVerbose", { NULL }, 0 },
	{ FACT_RUNDOWN, RUNDOWN, 144, "MethodDCEndVerbose", { "MethodFlags" }, 0 },
	{ FACT_MODULE_0, RUNTIME, 152, "ModuleLoad", { "ModuleID", "ModuleILPath" }, 0 },
	{ FACT_MODULE_0 + 1, RUNTIME, 149, "ModuleDCStart", { "ModuleID", "ModuleILPath" }, 0 },
	{ FACT_MODULE_0 + 2, RUNTIME, 151, "DomainModuleLoad", { "ModuleID", "ModuleILPath" },
	    0 },
	{ FACT_MODULE_0 + 3, RUNTIME, 153, "ModuleUnload", { "ModuleID", "ModuleILPath" }, 0 },
	{ FACT_MODULE_0 + 4, RUNDOWN, 152, "DomainModuleDCEnd", { "ModuleID", "ModuleILPath" },
	    0 },
	{ FACT_MODULE_0 + 5, RUNDOWN, 153, "ModuleDCStart", { "ModuleID", "ModuleILPath" }, 0 },
	{ FACT_MODULE_0 + 6, RUNDOWN, 154, "ModuleDCEnd", { "ModuleID", "ModuleILPath" }, 0 },
	{ FACT_MODULE_7, RUNDOWN, 151, "DomainModuleDCStart", { "ModuleID", "ModuleILPath" }, 0 },
	{ .provider = NULL },
};

static const struct report_need	need[] = {
	{ .provider = RUNTIME, .keywords = "0x18", .level = 5,
	    .events = "MethodJittingStarted, MethodLoadVerbose" },
	{ .provider = NULL },
};

#define TIERS		8u
#define TIER_OSR	5u
#define METHOD_DYNAMIC	1u
#define METHOD_GENERIC	2u
#define METHOD_JITTED	8u

#define HAS_START	0x01u
#define HAS_END		0x02u
#define HAS_MEMORY	0x04u
#define WAS_BACK	0x08u		/* its thread was compiling in the background */
#define IS_CHOSEN	0x10u
#define IS_DYNAMIC	0x20u
#define IS_GENERIC	0x40u

struct compiled {
	int64_t		start, end, nested, ts;		/* ns; ts: ticks of the first event */
	uint64_t	row, off, method_id, module, address, rejit;
	uint64_t	hot, ro, code, code_flags;
	uint32_t	inlined, not_inlined;	/* number of calls */
	uint64_t	below, above, same;	/* below, above: neighbours in the list of its
						   thread; same: previous one of the same method;
						   + 1 */
	uint32_t	thread, method, il, native;
	uint32_t	type_len, args_at;	/* of the method's name */
	uint8_t		tier, has;
};

struct jit_thread {
	uint64_t	top;			/* the latest open one, + 1 */
	bool		back;
};

struct module {
	uint32_t	path, rank;		/* rank: of the event that it comes from, + 1 */
};

struct jit {
	const struct report_run	*run;
	struct texts		*texts;
	struct scratch		*compiled;
	struct groups		*thread;	/* struct jit_thread */
	struct groups		*open;		/* (thread, method): number, + 1 */
	struct groups		*module;
	uint64_t		 dropped, entry_points, unloaded, rundown, rundown_jitted;
	bool			 has_background;	/* it has events for background
							   compilation */
	bool			 has_inlining;
	uint64_t		 inlined, not_inlined;
	struct text_counts	 why_not;
	struct buf		 name;
};

static void *
jit_begin(const struct report_run *run)
{
	struct jit	*j = mem_zalloc(1, sizeof *j);

	j->run = run;
	j->texts = texts_new();
	j->compiled = scratch_new(sizeof(struct compiled));
	j->thread = groups_new(sizeof(struct jit_thread), LIMIT_THREADS);
	j->open = groups_new(sizeof(uint64_t), LIMIT_SPANS_OPEN);
	j->module = groups_new(sizeof(struct module), LIMIT_REPORT_GROUPS);
	text_counts_init(&j->why_not);
	buf_init(&j->name);
	return j;
}

static void
jit_free(void *self)
{
	struct jit	*j = self;

	texts_free(j->texts);
	scratch_free(j->compiled);
	groups_free(j->thread);
	groups_free(j->open);
	groups_free(j->module);
	text_counts_release(&j->why_not);
	buf_release(&j->name);
	mem_free(j);
}

/* ---- the events */

static struct compiled *
compiled_at(const struct jit *j, uint64_t number)
{
	return number > 0 ? scratch_at(j->compiled, number - 1) : NULL;
}

/* Type.Method(arguments). The return type before them is left out. */
static void
name_it(struct jit *j, const struct fact *f, struct compiled *c)
{
	struct span	 sig = fact_text(f, M_SIGNATURE);
	const uint8_t	*args = sig.len > 0 ? memchr(sig.p, '(', sig.len) : NULL;
	struct span	 part;

	buf_clear(&j->name);
	part = fact_text(f, M_NAMESPACE);
	buf_add(&j->name, part.p, part.len);
	c->type_len = (uint32_t)j->name.len;
	buf_putc(&j->name, '.');
	part = fact_text(f, M_NAME);
	buf_add(&j->name, part.p, part.len);
	c->args_at = (uint32_t)j->name.len;
	if (args != NULL)
		buf_add(&j->name, args, sig.len - (size_t)(args - sig.p));
	c->method = texts_add(j->texts, span_of_buf(&j->name));
}

static struct compiled *
compiled_new(struct jit *j, const struct fact *f)
{
	struct compiled	*c = scratch_add(j->compiled);

	if (c == NULL) {
		j->dropped++;
		return NULL;
	}
	*c = (struct compiled){ .ts = f->ev->ts, .row = f->row, .off = f->ev->off,
	    .thread = f->ev->thread, .has = f->chosen ? IS_CHOSEN : 0,
	    .method_id = fact_u64(f, M_METHOD), .module = fact_u64(f, M_MODULE) };
	name_it(j, f, c);
	return c;
}

static void
add_started(struct jit *j, const struct fact *f)
{
	struct jit_thread	*t = groups_get(j->thread, f->ev->thread, 0);
	uint64_t		*open = groups_get(j->open, f->ev->thread, fact_u64(f, M_METHOD));
	struct compiled		*c = compiled_new(j, f), *below;

	if (c == NULL || t == NULL)
		return;
	c->start = f->ns;
	c->il = (uint32_t)fact_u64(f, M_IL);
	c->has |= (uint8_t)(HAS_START | (t->back ? WAS_BACK : 0u));
	c->below = t->top;
	t->top = scratch_n(j->compiled);
	below = compiled_at(j, c->below);
	if (below != NULL)
		below->above = t->top;
	if (open == NULL)
		return;
	c->same = *open;
	*open = t->top;
}

/* Remove it from the list. Its time is no self time of the enclosing compilation. */
static void
compiled_close(struct jit *j, struct jit_thread *t, struct compiled *c)
{
	struct compiled	*below = compiled_at(j, c->below), *above = compiled_at(j, c->above);

	if (above != NULL)
		above->below = c->below;
	else
		t->top = c->below;
	if (below == NULL)
		return;
	below->above = c->above;
	below->nested = add_i64(below->nested, sub_i64(c->end, c->start));
}

static void
add_load(struct jit *j, const struct fact *f)
{
	uint64_t		 flags = fact_u64(f, M_FLAGS);
	struct jit_thread	*t = groups_get(j->thread, f->ev->thread, 0);
	uint64_t		*open = groups_find(j->open, f->ev->thread, fact_u64(f, M_METHOD));
	bool			 paired = open != NULL && *open > 0;
	struct compiled		*c;

	if ((flags & METHOD_JITTED) == 0 || t == NULL)
		return;
	c = paired ? compiled_at(j, *open) : compiled_new(j, f);
	if (c == NULL)
		return;
	if (paired)
		*open = c->same;
	if (fact_has(f, M_NAME))
		name_it(j, f, c);
	c->module = fact_u64(f, M_MODULE);
	c->end = f->ns;
	c->native = (uint32_t)fact_u64(f, M_SIZE);
	c->address = fact_u64(f, M_ADDRESS);
	c->rejit = fact_u64(f, M_REJIT);
	c->tier = (uint8_t)(flags >> 7 & (TIERS - 1));
	c->has |= (uint8_t)(HAS_END | (t->back ? WAS_BACK : 0u) |
	    ((flags & METHOD_DYNAMIC) != 0 ? IS_DYNAMIC : 0u) |
	    ((flags & METHOD_GENERIC) != 0 ? IS_GENERIC : 0u));
	if (paired)
		compiled_close(j, t, c);
}

static void
add_memory(struct jit *j, const struct fact *f)
{
	const uint64_t	*open = groups_find(j->open, f->ev->thread, fact_u64(f, C_METHOD));
	struct compiled	*c = open != NULL ? compiled_at(j, *open) : NULL;

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
add_inlining(struct jit *j, const struct fact *f, bool inlined)
{
	const struct jit_thread	*t = groups_find(j->thread, f->ev->thread, 0);
	struct compiled		*c = t != NULL ? compiled_at(j, t->top) : NULL;

	j->has_inlining = true;
	if (c != NULL) {
		c->inlined += inlined;
		c->not_inlined += !inlined;
	}
	if (!f->chosen)
		return;
	j->inlined += inlined;
	j->not_inlined += !inlined;
	if (!inlined)
		text_counts_add(&j->why_not, fact_text(f, 0), 1);
}

static void
add_back(struct jit *j, const struct fact *f, bool back)
{
	struct jit_thread	*t = groups_get(j->thread, f->ev->thread, 0);

	j->has_background = true;
	if (t != NULL)
		t->back = back;
}

static void
add_module(struct jit *j, const struct fact *f)
{
	struct span	 path = fact_text(f, MODULE_PATH);
	struct module	*m;

	if (path.len == 0 || !fact_has(f, MODULE_ID))
		return;
	m = groups_get(j->module, fact_u64(f, MODULE_ID), 0);
	if (m == NULL || (m->rank > 0 && m->rank <= f->kind + 1))
		return;
	m->rank = f->kind + 1;
	m->path = texts_add(j->texts, path);
}

static void
jit_add(void *self, const struct fact *f)
{
	struct jit	*j = self;

	switch (f->kind) {
	case FACT_STARTED:
		add_started(j, f);
		break;
	case FACT_LOAD:
		add_load(j, f);
		break;
	case FACT_MEMORY:
		add_memory(j, f);
		break;
	case FACT_BACK_START: case FACT_BACK_STOP:
		add_back(j, f, f->kind == FACT_BACK_START);
		break;
	case FACT_INLINED: case FACT_NOT_INLINED:
		add_inlining(j, f, f->kind == FACT_INLINED);
		break;
	case FACT_ENTRY_POINT:
		j->entry_points += f->chosen;
		break;
	case FACT_UNLOAD:
		j->unloaded += f->chosen;
		break;
	case FACT_RUNDOWN:
		j->rundown += f->chosen;
		j->rundown_jitted += f->chosen && (fact_u64(f, 0) & METHOD_JITTED) != 0;
		break;
	default:
		add_module(j, f);
		break;
	}
}

/* ---- one compilation */

static bool
is_paired(const struct compiled *c)
{
	return (c->has & (HAS_START | HAS_END)) == (HAS_START | HAS_END);
}

static const char *
state_of(const struct compiled *c)
{
	if (is_paired(c))
		return "paired";
	return (c->has & HAS_START) != 0 ? "open" : "noStart";
}

static int64_t
dur_of(const struct compiled *c)
{
	return is_paired(c) ? sub_i64(c->end, c->start) : 0;
}

static int64_t
self_of(const struct compiled *c)
{
	return is_paired(c) ? sub_i64(sub_i64(c->end, c->start), c->nested) : 0;
}

/* Runtimes before 5 do not report background compilation. There, a body that replaces another
   one was compiled in the background, unless the method was replaced while it ran. */
static bool
in_background(const struct jit *j, const struct compiled *c)
{
	if (j->has_background || (c->has & HAS_END) == 0)
		return (c->has & WAS_BACK) != 0;
	return c->rejit != 0 && c->tier != TIER_OSR;
}

static uint32_t
path_of(const struct jit *j, const struct compiled *c)
{
	const struct module	*m = groups_find(j->module, c->module, 0);

	return m != NULL ? m->path : TEXT_NONE;
}

/* ---- rows */

static void
row_flag(struct rows *r, unsigned col, bool known, bool v)
{
	row_put(r, col, known ? cell_bool(v) : (struct cell){ .kind = CELL_NULL });
}

static void
put_code(const struct jit *j, struct rows *r, const struct compiled *c)
{
	bool	ended = (c->has & HAS_END) != 0;

	row_bytes(r, JI_IL, (c->has & HAS_START) != 0, c->il);
	row_bytes(r, JI_NATIVE, ended, c->native);
	if (ended)
		row_map(r, JI_TIER, "OptimizationTier", c->tier);
	else
		row_null(r, JI_TIER);
	row_put(r, JI_BACKGROUND, cell_bool(in_background(j, c)));
	row_number(r, JI_REJIT, ended, c->rejit);
	row_address(r, JI_METHOD_ID, true, c->method_id);
	row_address(r, JI_ADDRESS, ended, c->address);
	row_flag(r, JI_DYNAMIC, ended, (c->has & IS_DYNAMIC) != 0);
	row_flag(r, JI_GENERIC, ended, (c->has & IS_GENERIC) != 0);
	if ((c->has & HAS_START) == 0 || (c->has & HAS_MEMORY) == 0)
		return;
	row_bytes(r, JI_HOT, true, c->hot);
	row_bytes(r, JI_RO, true, c->ro);
	row_bytes(r, JI_CODE, true, c->code);
	row_number(r, JI_CODE_FLAGS, true, c->code_flags);
}

static void
put_method(struct jit *j, struct rows *r, const struct compiled *c)
{
	struct span	raw;

	if (c->method == TEXT_NONE) {
		row_null(r, JI_METHOD);
		return;
	}
	raw = texts_at(j->texts, c->method);
	buf_clear(&j->name);
	method_words(&j->name, raw, c->type_len, c->args_at);
	row_name(r, JI_METHOD, raw, span_of_buf(&j->name));
}

static void
put_compiled(struct jit *j, struct rows *r, const struct compiled *c)
{
	bool			started = (c->has & HAS_START) != 0;
	struct loss_asked	a = { .thread = c->thread, .has_from = started, .from = c->start,
				    .has_to = !started, .to = c->end, .last = !started };

	row_begin(r, "jit");
	put_method(j, r, c);
	row_word(r, JI_MODULE, j->texts, path_of(j, c));
	row_put(r, JI_TID, report_tid(j->run, c->thread));
	row_time(r, JI_START, started, c->start);
	row_time(r, JI_END, (c->has & HAS_END) != 0, c->end);
	row_dur(r, JI_DUR, is_paired(c), dur_of(c));
	row_dur(r, JI_SELF, is_paired(c), self_of(c));
	put_code(j, r, c);
	if (j->has_inlining && started) {
		row_put(r, JI_INLINED, cell_u64(c->inlined));
		row_put(r, JI_NOT_INLINED, cell_u64(c->not_inlined));
	}
	row_put(r, JI_ROW, cell_u64(c->row));
	row_str(r, JI_STATE, state_of(c));
	if (!is_paired(c))
		(void)report_gap(j->run, r, JI_GAP, &a);
	row_event(r, c->ts, c->off);
}

/* ---- sums */

struct jit_sum {
	uint64_t	count, il, native;
	int64_t		self, total;
	struct dist	time;
	struct best	longest;
};

struct jit_sums {
	struct jit_sum	 all, background[2];
	struct groups	*tier;		/* (tier, background) */
	struct groups	*module;	/* by text */
	struct groups	*thread;
	struct groups	*method;	/* names that occurred */
	struct jit_sum	 by_tier[TIERS];
	uint64_t	 open, without;
};

static void
sum_add(struct jit_sum *s, const struct compiled *c)
{
	if (s == NULL)
		return;
	s->count++;
	s->il += c->il;
	s->native += c->native;
	s->self = add_i64(s->self, self_of(c));
	s->total = add_i64(s->total, dur_of(c));
	best_offer(&s->longest, dur_of(c), c->ts, c->off);
	if (is_paired(c))
		dist_add(&s->time, dur_of(c));
}

static void
sums_add(const struct jit *j, struct jit_sums *s, const struct compiled *c)
{
	bool	back = in_background(j, c);

	(void)groups_get(s->method, c->method, 0);
	if ((c->has & HAS_END) == 0) {
		s->open++;
		return;
	}
	s->without += (c->has & HAS_START) == 0;
	sum_add(&s->all, c);
	sum_add(&s->background[back], c);
	sum_add(&s->by_tier[c->tier], c);
	sum_add(groups_get(s->tier, c->tier, back), c);
	sum_add(groups_get(s->module, path_of(j, c), 0), c);
	sum_add(groups_get(s->thread, c->thread, 0), c);
}

static void
sums_begin(const struct jit *j, struct jit_sums *s)
{
	*s = (struct jit_sums){
		.tier = groups_new(sizeof(struct jit_sum), 2 * TIERS),
		.module = groups_new(sizeof(struct jit_sum), LIMIT_REPORT_GROUPS),
		.thread = groups_new(sizeof(struct jit_sum), LIMIT_REPORT_GROUPS),
		.method = groups_new(1, LIMIT_REPORT_GROUPS),
	};
	for (uint64_t i = 0; i < scratch_n(j->compiled); i++) {
		const struct compiled	*c = scratch_at(j->compiled, i);

		if ((c->has & IS_CHOSEN) != 0)
			sums_add(j, s, c);
	}
}

static void
sums_free_groups(struct groups *g)
{
	for (size_t i = 0; i < groups_n(g); i++)
		dist_release(&((struct jit_sum *)groups_at(g, i))->time);
	groups_free(g);
}

static void
sums_release(struct jit_sums *s)
{
	sums_free_groups(s->tier);
	sums_free_groups(s->module);
	sums_free_groups(s->thread);
	groups_free(s->method);
	dist_release(&s->all.time);
	for (unsigned i = 0; i < 2; i++)
		dist_release(&s->background[i].time);
	for (unsigned i = 0; i < TIERS; i++)
		dist_release(&s->by_tier[i].time);
}

static int
by_total(const void *a, const void *b)
{
	const struct jit_sum	*x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->count > y->count ? -1 : x->count < y->count;
}

static void
put_sum(struct rows *r, const struct jit_sums *s, struct jit_sum *x)
{
	row_put(r, JI_COUNT, cell_u64(x->count));
	row_dist(r, JI_TIME, &figures, &x->time);
	row_share(r, JI_SHARE, (double)x->total, (double)s->all.total);
	row_dur(r, JI_SELF_TOTAL, true, x->self);
	row_bytes(r, JI_IL, true, x->il);
	row_bytes(r, JI_NATIVE, true, x->native);
}

enum by { BY_TIER, BY_MODULE, BY_THREAD };

static void
put_key(const struct jit *j, struct rows *r, enum by by, struct group_key key)
{
	switch (by) {
	case BY_TIER:
		row_map(r, JI_TIER, "OptimizationTier", key.a);
		row_put(r, JI_BACKGROUND, cell_bool(key.b != 0));
		break;
	case BY_MODULE:
		row_word(r, JI_MODULE, j->texts, (uint32_t)key.a);
		break;
	case BY_THREAD:
		row_put(r, JI_TID, report_tid(j->run, (uint32_t)key.a));
		break;
	}
}

static void
put_groups(const struct jit *j, struct rows *r, const struct jit_sums *s, enum by by)
{
	static const char *const	kind[] = { "tier", "module", "byTid" };
	struct groups			*g = by == BY_TIER ? s->tier :
					    (by == BY_MODULE ? s->module : s->thread);
	uint32_t			*order = groups_order(g, by_total);

	for (size_t i = 0; i < groups_n(g); i++) {
		row_begin(r, kind[by]);
		put_key(j, r, by, groups_key(g, order[i]));
		put_sum(r, s, groups_at(g, order[i]));
		row_best(r, &((struct jit_sum *)groups_at(g, order[i]))->longest);
	}
	mem_free(order);
}

static void
sum_json(struct buf *b, const struct jit_sum *s)
{
	buf_puts(b, "{\"count\":");
	buf_u64(b, s->count);
	buf_puts(b, ",\"time\":");
	buf_i64(b, s->total);
	buf_puts(b, ",\"self\":");
	buf_i64(b, s->self);
	buf_puts(b, ",\"ilSize\":");
	buf_u64(b, s->il);
	buf_puts(b, ",\"nativeSize\":");
	buf_u64(b, s->native);
	buf_putc(b, '}');
}

static void
put_by(struct rows *r, const struct jit_sums *s)
{
	struct buf	*b = row_json(r, JI_BY_TIER);

	buf_putc(b, '{');
	for (unsigned i = 0; i < TIERS; i++) {
		if (s->by_tier[i].count == 0)
			continue;
		buf_puts(b, b->len > 1 ? ",\"" : "\"");
		map_word(b, "OptimizationTier", i);
		buf_puts(b, "\":");
		sum_json(b, &s->by_tier[i]);
	}
	buf_putc(b, '}');
	b = row_json(r, JI_BY_BACKGROUND);
	buf_putc(b, '{');
	for (unsigned i = 0; i < 2; i++) {
		if (s->background[i].count == 0)
			continue;
		buf_printf(b, "%s\"%s\":", b->len > 1 ? "," : "", i == 1 ? "true" : "false");
		sum_json(b, &s->background[i]);
	}
	buf_putc(b, '}');
}

static void
put_summary(const struct jit *j, struct rows *r, struct jit_sums *s)
{
	struct buf	*b;

	row_begin(r, "summary");
	row_put(r, JI_COUNT, cell_u64(s->all.count));
	row_put(r, JI_OPEN, cell_u64(s->open));
	row_put(r, JI_WITHOUT, cell_u64(s->without));
	row_dist(r, JI_TIME, &figures, &s->all.time);
	row_dur(r, JI_SELF_TOTAL, true, s->all.self);
	row_bytes(r, JI_IL, true, s->all.il);
	row_bytes(r, JI_NATIVE, true, s->all.native);
	put_by(r, s);
	row_put(r, JI_METHODS, cell_u64(groups_n(s->method)));
	row_put(r, JI_R2R, cell_u64(j->entry_points));
	row_put(r, JI_UNLOADED, cell_u64(j->unloaded));
	if (j->has_inlining) {
		row_put(r, JI_INLINED, cell_u64(j->inlined));
		row_put(r, JI_NOT_INLINED, cell_u64(j->not_inlined));
		text_counts_json(&j->why_not, row_json(r, JI_WHY_NOT));
	}
	if (j->rundown == 0) {
		row_null(r, JI_RUNDOWN);
		return;
	}
	b = row_json(r, JI_RUNDOWN);
	buf_puts(b, "{\"total\":");
	buf_u64(b, j->rundown);
	buf_puts(b, ",\"jitted\":");
	buf_u64(b, j->rundown_jitted);
	buf_putc(b, '}');
}

static void
jit_rows(void *self, struct rows *r)
{
	struct jit	*j = self;
	struct jit_sums	 s;

	sums_begin(j, &s);
	put_groups(j, r, &s, BY_TIER);
	put_groups(j, r, &s, BY_MODULE);
	put_groups(j, r, &s, BY_THREAD);
	for (uint64_t i = 0; i < scratch_n(j->compiled); i++) {
		const struct compiled	*c = scratch_at(j->compiled, i);

		if ((c->has & IS_CHOSEN) != 0)
			put_compiled(j, r, c);
	}
	if (s.all.count + s.open > 0)
		put_summary(j, r, &s);
	rows_remark(r, j->dropped, EVENTS_DROPPED);
	rows_remark(r, groups_beyond(j->open), "starts beyond the limit of open compilations were "
	    "not paired: they count as open");
	rows_remark(r, groups_beyond(s.method), "compilations of methods beyond the limit are "
	    "counted together");
	sums_release(&s);
}

/* "294 compilations took 69.8 ms, 2.0 ms of it in the background; 12.1 KB of IL ..." */
static void
jit_totals(void *self, struct buf *out)
{
	struct jit	*j = self;
	struct jit_sums	 s;

	sums_begin(j, &s);
	if (s.all.count > 0) {
		put_count(out, s.all.count, "compilation", "compilations");
		if (s.all.time.n > 0) {
			buf_puts(out, " took ");
			put_dur(out, s.all.self);
			buf_puts(out, ", including ");
			put_dur(out, s.background[1].self);
			buf_puts(out, " in the background");
		} else {
			buf_puts(out, ", all without a start, which needs level 5");
		}
		buf_puts(out, "; ");
		put_bytes(out, s.all.native);
		buf_puts(out, " of code\n");
	}
	if (s.open > 0) {
		put_count(out, s.open, "compilation has", "compilations have");
		buf_puts(out, " no end\n");
	}
	sums_release(&s);
}

static const struct report_plot_def	plots[] = {
	{ "methods compiled", "jit", JI_START, PLOT_COUNT, { REPORT_END } },
	{ .title = NULL },
};

const struct report	report_jit = {
	.name = "jit",
	.title = "Compiled methods",
	.text = "A compilation (dur) lasts from MethodJittingStarted to the MethodLoad of the same "
	    "method on the same thread; the latest start is paired first. self excludes the "
	    "compilations that happened inside it. Precompiled (ReadyToRun) code is not listed. "
	    "state is paired; noStart, a load without a start event, which has no times (start "
	    "events need level 5); or open, a start without a load. tier is the optimisation level "
	    "of the code. background means that the thread compiled between "
	    "TieredCompilationBackgroundJitStart and Stop. Runtimes before .NET 5 do not write "
	    "these events; there, code that replaces earlier code counts as background, unless it "
	    "replaced code that was running. rejit 0 is the first code of a method. module is the "
	    "file named by loader events. inlined and notInlined count calls in the method that "
	    "were and were not replaced by the code of their callee (keyword JitTracing, 0x1000); "
	    "notInlinedBy has the reasons. Times are summed over threads; they are not elapsed "
	    "time.",
	.need = need, .fact = facts, .column = columns, .ncolumns = JI_COLUMNS, .part = parts,
	.plot = plots,
	.pairs = true,
	.begin = jit_begin, .add = jit_add, .rows = jit_rows, .totals = jit_totals,
	.free = jit_free,
};
