/*
 * What was loaded: assemblies, modules, types.
 *
 *	AssemblyLoad, ModuleLoad	loaded at that moment, until an unload of the same id
 *	AssemblyLoadStart -- AssemblyLoadStop	binding: looking for an assembly
 *	TypeLoadStart ------ TypeLoadStop	a type; they lie within each other
 *	... rundown			loaded when the trace ended; the time is unknown
 *					unless the load was seen
 *
 * The open loads of a thread are a stack. A stop ends the load with its number; the loads above it
 * stay open, because their stops are missing.
 *
 * Invariant: the cost of an event does not depend on the number of open loads; each is popped once.
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
	LO_KIND, LO_T, LO_WHAT, LO_NAME, LO_DUR, LO_SELF, LO_TID, LO_STATE, LO_UNLOADED, LO_LEVEL,
	LO_RESULT, LO_PATH, LO_ID, LO_ROW, LO_GAP, LO_COUNT, LO_SHARE, LO_TOTAL, LO_SELF_TOTAL,
	LO_MEAN, LO_P50, LO_P90, LO_P99, LO_MAX, LO_OPEN, LO_ASSEMBLIES, LO_MODULES, LO_TYPES,
	LO_BINDINGS, LO_RUNDOWN, LO_LOST, LO_GAPS, LO_COLUMNS
};

static const struct table_column	columns[LO_COLUMNS] = {
	[LO_KIND] = { .name = "kind", .kind = CELL_TEXT },
	[LO_T] = { .name = "t", .title = "time", .kind = CELL_TIME, .tone = TONE_TIME,
	    .flags = COLUMN_FIRST_UP },
	[LO_WHAT] = { .name = "what", .kind = CELL_TEXT, .tone = TONE_KEY },
	[LO_NAME] = { .name = "name", .kind = CELL_TEXT, .tone = TONE_EVENT, .width = 24,
	    .most = 80 },
	[LO_DUR] = { .name = "dur", .kind = CELL_DUR },
	[LO_SELF] = { .name = "self", .kind = CELL_DUR, .rank = 3 },
	[LO_TID] = { .name = "tid", .title = "thread", .kind = CELL_U64, .tone = TONE_THREAD,
	    .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[LO_STATE] = { .name = "state", .kind = CELL_TEXT, .rank = 2 },
	[LO_UNLOADED] = { .name = "unloaded", .kind = CELL_TIME, .rank = 6,
	    .flags = COLUMN_FIRST_UP },
	[LO_LEVEL] = { .name = "level", .kind = CELL_TEXT, .rank = 4 },
	[LO_RESULT] = { .name = "result", .kind = CELL_TEXT, .rank = 5 },
	[LO_PATH] = { .name = "path", .kind = CELL_TEXT, .width = 16, .most = 70, .rank = 7,
	    .flags = COLUMN_MIDDLE },
	[LO_ID] = { .name = "id", .kind = CELL_U64, .flags = COLUMN_ASKED | COLUMN_ID },
	[LO_ROW] = { .name = "row", .kind = CELL_U64, .flags = COLUMN_ASKED | COLUMN_FIRST_UP },
	[LO_GAP] = { .name = "gap", .kind = CELL_RAW, .tone = TONE_LOSS,
	    .flags = COLUMN_ASKED | COLUMN_NO_SORT },
	[LO_COUNT] = { .name = "count", .kind = CELL_U64 },
	[LO_SHARE] = { .name = "share", .kind = CELL_SHARE, .rank = 3 },
	[LO_TOTAL] = { .name = "total", .kind = CELL_DUR },
	[LO_SELF_TOTAL] = { .name = "selfTotal", .title = "self", .kind = CELL_DUR },
	[LO_MEAN] = { .name = "mean", .kind = CELL_DUR, .rank = 2 },
	[LO_P50] = { .name = "p50", .kind = CELL_DUR, .rank = 4 },
	[LO_P90] = { .name = "p90", .kind = CELL_DUR, .rank = 5 },
	[LO_P99] = { .name = "p99", .kind = CELL_DUR, .rank = 4 },
	[LO_MAX] = { .name = "max", .kind = CELL_DUR },
	[LO_OPEN] = { .name = "open", .kind = CELL_U64, .rank = 3 },
	[LO_ASSEMBLIES] = { .name = "assemblies", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[LO_MODULES] = { .name = "modules", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[LO_TYPES] = { .name = "types", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[LO_BINDINGS] = { .name = "bindings", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[LO_RUNDOWN] = { .name = "rundown", .kind = CELL_U64, .flags = COLUMN_ASKED },
	REPORT_LOSS_COLUMNS(LO),
};

static const struct figure_columns	figures = {
	.total = LO_TOTAL, .mean = LO_MEAN, .p50 = LO_P50, .p90 = LO_P90, .p99 = LO_P99,
	.max = LO_MAX,
};

static const unsigned	load_columns[] = {
	LO_T, LO_WHAT, LO_NAME, LO_DUR, LO_SELF, LO_TID, LO_STATE, LO_LEVEL, LO_RESULT, LO_UNLOADED,
	LO_PATH, REPORT_END,
};
static const unsigned	what_columns[] = {
	LO_WHAT, LO_COUNT, LO_TOTAL, LO_SELF_TOTAL, LO_MEAN, LO_P50, LO_P90, LO_P99, LO_MAX,
	LO_OPEN, REPORT_END,
};
static const unsigned	type_columns[] = {
	LO_NAME, LO_COUNT, LO_TOTAL, LO_SELF_TOTAL, LO_SHARE, LO_MEAN, LO_MAX, REPORT_END,
};
static const unsigned	thread_columns[] = {
	LO_TID, LO_COUNT, LO_TOTAL, LO_SELF_TOTAL, LO_SHARE, LO_MEAN, LO_MAX, REPORT_END,
};
static const struct report_part	parts[] = {
	{ "load", "Loads", load_columns, LO_T },
	{ "what", "Kinds", what_columns, TABLE_UNSORTED },
	{ "type", "Types", type_columns, LO_SELF_TOTAL },
	{ "byTid", "Threads", thread_columns, LO_SELF_TOTAL },
	{ .kind = NULL },
};

enum what { ASSEMBLY, MODULE, BINDING, TYPE, WHATS };

static const char *const	what_name[WHATS] = { "assembly", "module", "binding", "type" };

enum {
	FACT_LOAD, FACT_UNLOAD = FACT_LOAD + 2, FACT_THERE = FACT_UNLOAD + 2,
	FACT_BIND = FACT_THERE + 2, FACT_BOUND, FACT_TYPE, FACT_TYPE_STOP
};
enum { F_ID, F_NAME, F_PATH };			/* of loads and unloads */
enum { B_NAME, B_PATH, B_SUCCESS, B_CACHED };	/* of bindings */
enum { T_START, T_LEVEL, T_NAME };		/* of types */

#define ASSEMBLY_FIELDS	{ "AssemblyID", "FullyQualifiedAssemblyName" }
#define MODULE_FIELDS	{ "ModuleID", "ModuleILPath", "ModuleNativePath" }

static const struct fact_def	facts[] = {
	{ FACT_TYPE, RUNTIME, 73, "TypeLoadStart", { "TypeLoadStartID" }, 0 },
	{ FACT_TYPE_STOP, RUNTIME, 74, "TypeLoadStop", { "TypeLoadStartID", "LoadLevel",
	    "TypeName" }, 0 },
	{ FACT_LOAD + MODULE, RUNTIME, 152, "ModuleLoad", MODULE_FIELDS, 0 },
	{ FACT_UNLOAD + MODULE, RUNTIME, 153, "ModuleUnload", MODULE_FIELDS, 0 },
	{ FACT_LOAD + ASSEMBLY, RUNTIME, 154, "AssemblyLoad", ASSEMBLY_FIELDS, 0 },
	{ FACT_UNLOAD + ASSEMBLY, RUNTIME, 155, "AssemblyUnload", ASSEMBLY_FIELDS, 0 },
	{ FACT_BIND, RUNTIME, 290, "AssemblyLoadStart", { "AssemblyName", "AssemblyPath" },
	    FACT_ACTIVITY },
	{ FACT_BOUND, RUNTIME, 291, "AssemblyLoadStop", { "AssemblyName", "ResultAssemblyPath",
	    "Success", "Cached" }, FACT_ACTIVITY },
	{ FACT_THERE + MODULE, RUNDOWN, 153, "ModuleDCStart", MODULE_FIELDS, 0 },
	{ FACT_THERE + MODULE, RUNDOWN, 154, "ModuleDCEnd", MODULE_FIELDS, 0 },
	{ FACT_THERE + ASSEMBLY, RUNDOWN, 155, "AssemblyDCStart", ASSEMBLY_FIELDS, 0 },
	{ FACT_THERE + ASSEMBLY, RUNDOWN, 156, "AssemblyDCEnd", ASSEMBLY_FIELDS, 0 },
	{ .provider = NULL },
};

static const struct report_need	need[] = {
	{ .provider = RUNTIME, .keywords = "0x800000000c", .level = 4,
	    .events = "assemblies, modules, types" },
	{ .provider = NULL },
};

#define HAS_START	0x01u
#define HAS_STOP	0x02u
#define IS_UNLOADED	0x04u
#define IS_THERE	0x08u		/* known from the rundown only */
#define HAS_RESULT	0x10u
#define IS_SUCCESS	0x20u
#define IS_CACHED	0x40u
#define IS_CHOSEN	0x80u
#define IS_STACKED	0x100u		/* on the stack of its thread */

struct load {
	int64_t		start, stop, nested, ts;	/* ns; ts: ticks of its first event */
	uint64_t	row, off, id;
	uint64_t	below;			/* next below on its thread's stack, + 1 */
	uint32_t	thread, name, path, level;
	uint16_t	has;
	uint8_t		what;
};

struct loader {
	const struct report_run	*run;
	struct texts		*texts;
	struct scratch		*load;
	struct groups		*loaded[2];	/* by id: number of the latest load, + 1 */
	struct groups		*binding;	/* by activity: number, + 1 */
	struct groups		*type;		/* (thread, number of the start): number, + 1 */
	struct groups		*top[2];	/* by thread: bindings, types: number, + 1 */
	uint64_t		 dropped;
};

static void *
loader_begin(const struct report_run *run)
{
	struct loader	*l = mem_zalloc(1, sizeof *l);

	l->run = run;
	l->texts = texts_new();
	l->load = scratch_new(sizeof(struct load));
	l->binding = groups_new(sizeof(uint64_t), LIMIT_SPANS_OPEN);
	l->type = groups_new(sizeof(uint64_t), LIMIT_SPANS_OPEN);
	for (unsigned i = 0; i < 2; i++) {
		l->loaded[i] = groups_new(sizeof(uint64_t), LIMIT_REPORT_GROUPS);
		l->top[i] = groups_new(sizeof(uint64_t), LIMIT_THREADS);
	}
	return l;
}

static void
loader_free(void *self)
{
	struct loader	*l = self;

	texts_free(l->texts);
	scratch_free(l->load);
	groups_free(l->binding);
	groups_free(l->type);
	for (unsigned i = 0; i < 2; i++) {
		groups_free(l->loaded[i]);
		groups_free(l->top[i]);
	}
	mem_free(l);
}

/* ---- loads without a duration */

static struct load *
load_new(struct loader *l, const struct fact *f, enum what what)
{
	struct load	*x = scratch_add(l->load);

	if (x == NULL) {
		l->dropped++;
		return NULL;
	}
	*x = (struct load){ .what = (uint8_t)what, .ts = f->ev->ts, .row = f->row,
	    .off = f->ev->off, .thread = f->ev->thread, .name = TEXT_NONE, .path = TEXT_NONE,
	    .has = f->chosen ? IS_CHOSEN : 0 };
	return x;
}

static struct load *
load_at(const struct loader *l, uint64_t number)
{
	return number > 0 ? scratch_at(l->load, number - 1) : NULL;
}

static uint32_t
text_of(struct loader *l, const struct fact *f, unsigned i)
{
	struct span	s = fact_text(f, i);

	return s.len > 0 ? texts_add(l->texts, s) : TEXT_NONE;
}

/* A module's name is the last part of its path. */
static void
name_load(struct loader *l, const struct fact *f, struct load *x)
{
	struct span	path = fact_text(f, F_NAME);

	x->id = fact_u64(f, F_ID);
	if (x->what == ASSEMBLY) {
		x->name = text_of(l, f, F_NAME);
		return;
	}
	if (path.len == 0)
		path = fact_text(f, F_PATH);
	if (path.len == 0)
		return;
	x->path = texts_add(l->texts, path);
	for (size_t i = path.len; i > 0; i--)
		if (path.p[i - 1] == '/' || path.p[i - 1] == '\\') {
			path.p += i;
			path.len -= i;
			break;
		}
	x->name = texts_add(l->texts, path);
}

static void
add_load(struct loader *l, const struct fact *f, enum what what)
{
	struct load	*x = load_new(l, f, what);
	uint64_t	*latest = groups_get(l->loaded[what], fact_u64(f, F_ID), 0);

	if (x == NULL)
		return;
	name_load(l, f, x);
	x->start = f->ns;
	x->has |= HAS_START;
	if (latest != NULL)
		*latest = scratch_n(l->load);
}

/* If it was loaded before the trace, only the unload is known. */
static void
add_unload(struct loader *l, const struct fact *f, enum what what)
{
	uint64_t	*latest = groups_get(l->loaded[what], fact_u64(f, F_ID), 0);
	struct load	*x = latest != NULL ? load_at(l, *latest) : NULL;

	if (x == NULL || (x->has & IS_UNLOADED) != 0) {
		x = load_new(l, f, what);
		if (x == NULL)
			return;
		name_load(l, f, x);
		if (latest != NULL)
			*latest = scratch_n(l->load);
	}
	x->stop = f->ns;
	x->has |= IS_UNLOADED;
}

/* Is it what that load loaded? The id of what is unloaded may be given to another. */
static bool
is_of(struct loader *l, const struct fact *f, const struct load *x)
{
	struct load	other = { .what = x->what, .name = TEXT_NONE, .path = TEXT_NONE };

	name_load(l, f, &other);
	return other.name == x->name && other.path == x->path;
}

/* The rundown lists everything that is loaded, also loads that were seen, and at the end of a
   program what it has just unloaded. */
static void
add_there(struct loader *l, const struct fact *f, enum what what)
{
	uint64_t	*latest = groups_get(l->loaded[what], fact_u64(f, F_ID), 0);
	struct load	*x = latest != NULL ? load_at(l, *latest) : NULL;

	if (x != NULL && ((x->has & IS_UNLOADED) == 0 || is_of(l, f, x)))
		return;
	x = load_new(l, f, what);
	if (x == NULL)
		return;
	name_load(l, f, x);
	x->has |= IS_THERE;
	if (latest != NULL)
		*latest = scratch_n(l->load);
}

/* ---- loads with a duration */

static bool
is_open(const void *entry)
{
	return *(const uint64_t *)entry != 0;
}

/* Push it on the stack of its thread, and enter it under its key. */
static void
load_open(struct loader *l, struct load *x, struct groups *top, uint64_t *key)
{
	uint64_t	*t = groups_get(top, x->thread, 0);
	uint64_t	 number = scratch_n(l->load);

	if (t != NULL) {
		x->below = *t;
		x->has |= IS_STACKED;
		*t = number;
	}
	if (key != NULL)
		*key = number;
}

/* Pop it from the stack with all above it. Its time is no self time of the one below. */
static void
load_close(struct loader *l, struct load *x, struct groups *top)
{
	uint64_t	*t = groups_find(top, x->thread, 0);
	struct load	*y = NULL;

	if ((x->has & IS_STACKED) == 0)
		return;
	while (t != NULL && *t > 0 && y != x) {
		y = load_at(l, *t);
		y->has &= (uint16_t)~IS_STACKED;
		*t = y->below;
	}
	y = t != NULL ? load_at(l, *t) : NULL;
	if (y != NULL)
		y->nested = add_i64(y->nested, sub_i64(x->stop, x->start));
}

static uint64_t *
type_key(struct loader *l, const struct fact *f)
{
	return groups_get_live(l->type, f->ev->thread, fact_u64(f, T_START), is_open);
}

static void
add_type(struct loader *l, const struct fact *f)
{
	struct load	*x = load_new(l, f, TYPE);

	if (x == NULL)
		return;
	x->start = f->ns;
	x->has |= HAS_START;
	x->id = fact_u64(f, T_START);
	load_open(l, x, l->top[1], type_key(l, f));
}

static void
add_type_stop(struct loader *l, const struct fact *f)
{
	uint64_t	*key = type_key(l, f);
	bool		 paired = key != NULL && *key > 0;
	struct load	*x = paired ? load_at(l, *key) : load_new(l, f, TYPE);

	if (x == NULL)
		return;
	x->stop = f->ns;
	x->name = text_of(l, f, T_NAME);
	x->level = (uint32_t)fact_u64(f, T_LEVEL);
	x->has |= HAS_STOP | HAS_RESULT;
	if (!paired)
		return;
	*key = 0;
	load_close(l, x, l->top[1]);
}

/* A binding has an activity of its own. Without activities, it is the latest of its thread. */
static uint64_t *
binding_key(struct loader *l, const struct fact *f)
{
	if (f->activity == NULL)
		return groups_get(l->top[0], f->ev->thread, 0);
	return groups_get_live(l->binding, load_u64le(f->activity), load_u64le(f->activity + 8),
	    is_open);
}

static void
add_binding(struct loader *l, const struct fact *f)
{
	struct load	*x = load_new(l, f, BINDING);
	uint64_t	*key = binding_key(l, f);

	if (x == NULL)
		return;
	x->start = f->ns;
	x->has |= HAS_START;
	x->name = text_of(l, f, B_NAME);
	x->path = text_of(l, f, B_PATH);
	load_open(l, x, l->top[0], f->activity != NULL ? key : NULL);
}

static void
add_bound(struct loader *l, const struct fact *f)
{
	uint64_t	*key = binding_key(l, f);
	bool		 paired = key != NULL && *key > 0;
	struct load	*x = paired ? load_at(l, *key) : load_new(l, f, BINDING);

	if (x == NULL)
		return;
	x->stop = f->ns;
	if (!paired)
		x->name = text_of(l, f, B_NAME);
	if (fact_text(f, B_PATH).len > 0)
		x->path = text_of(l, f, B_PATH);
	x->has |= (uint16_t)(HAS_STOP | HAS_RESULT |
	    (fact_u64(f, B_SUCCESS) != 0 ? IS_SUCCESS : 0u) |
	    (fact_u64(f, B_CACHED) != 0 ? IS_CACHED : 0u));
	if (!paired)
		return;
	if (f->activity != NULL)
		*key = 0;
	load_close(l, x, l->top[0]);
}

static void
loader_add(void *self, const struct fact *f)
{
	switch (f->kind) {
	case FACT_LOAD: case FACT_LOAD + 1:
		add_load(self, f, f->kind - FACT_LOAD);
		break;
	case FACT_UNLOAD: case FACT_UNLOAD + 1:
		add_unload(self, f, f->kind - FACT_UNLOAD);
		break;
	case FACT_THERE: case FACT_THERE + 1:
		add_there(self, f, f->kind - FACT_THERE);
		break;
	case FACT_BIND:
		add_binding(self, f);
		break;
	case FACT_BOUND:
		add_bound(self, f);
		break;
	case FACT_TYPE:
		add_type(self, f);
		break;
	default:
		add_type_stop(self, f);
		break;
	}
}

/* ---- one load */

static bool
lasts(const struct load *x)
{
	return x->what == BINDING || x->what == TYPE;
}

static bool
is_paired(const struct load *x)
{
	return lasts(x) && (x->has & (HAS_START | HAS_STOP)) == (HAS_START | HAS_STOP);
}

static int64_t
dur_of(const struct load *x)
{
	return is_paired(x) ? sub_i64(x->stop, x->start) : 0;
}

static int64_t
self_of(const struct load *x)
{
	return is_paired(x) ? sub_i64(sub_i64(x->stop, x->start), x->nested) : 0;
}

static const char *
state_of(const struct load *x)
{
	if (is_paired(x))
		return "paired";
	if (lasts(x))
		return (x->has & HAS_START) != 0 ? "open" : "orphan";
	if ((x->has & IS_UNLOADED) != 0)
		return "unloaded";
	return (x->has & IS_THERE) != 0 ? "there" : "loaded";
}

/* ---- sums */

struct load_sum {
	uint64_t	count, open;
	int64_t		total, self;
	struct dist	dur;
	struct best	longest;
};

struct load_sums {
	struct load_sum	 what[WHATS];
	struct groups	*type, *thread;
	int64_t		 self;			/* of loads with a duration */
	uint64_t	 there;
};

static void
sum_add(struct load_sum *s, const struct load *x)
{
	if (s == NULL)
		return;
	s->count++;
	s->open += lasts(x) && !is_paired(x);
	s->total = add_i64(s->total, dur_of(x));
	s->self = add_i64(s->self, self_of(x));
	best_offer(&s->longest, dur_of(x), x->ts, x->off);
	if (is_paired(x))
		dist_add(&s->dur, dur_of(x));
}

static void
sums_begin(const struct loader *l, struct load_sums *s)
{
	*s = (struct load_sums){
		.type = groups_new(sizeof(struct load_sum), LIMIT_REPORT_GROUPS),
		.thread = groups_new(sizeof(struct load_sum), LIMIT_REPORT_GROUPS),
	};
	for (uint64_t i = 0; i < scratch_n(l->load); i++) {
		const struct load	*x = scratch_at(l->load, i);

		if ((x->has & IS_CHOSEN) == 0)
			continue;
		s->there += (x->has & IS_THERE) != 0;
		sum_add(&s->what[x->what], x);
		s->self = add_i64(s->self, self_of(x));
		if (x->what == TYPE && x->name != TEXT_NONE)
			sum_add(groups_get(s->type, x->name, 0), x);
		if (lasts(x))
			sum_add(groups_get(s->thread, x->thread, 0), x);
	}
}

static void
sums_free_groups(struct groups *g)
{
	for (size_t i = 0; i < groups_n(g); i++)
		dist_release(&((struct load_sum *)groups_at(g, i))->dur);
	groups_free(g);
}

static void
sums_release(struct load_sums *s)
{
	for (unsigned i = 0; i < WHATS; i++)
		dist_release(&s->what[i].dur);
	sums_free_groups(s->type);
	sums_free_groups(s->thread);
}

static int
by_self(const void *a, const void *b)
{
	const struct load_sum	*x = a, *y = b;

	return x->self > y->self ? -1 : x->self < y->self;
}

/* ---- rows */

static void
put_result(struct rows *r, const struct load *x)
{
	if ((x->has & HAS_RESULT) == 0)
		return;
	if (x->what == TYPE)
		row_map(r, LO_LEVEL, "TypeLoadLevel", x->level);
	else if ((x->has & IS_SUCCESS) == 0)
		row_str(r, LO_RESULT, "not found");
	else
		row_str(r, LO_RESULT, (x->has & IS_CACHED) != 0 ? "cached" : "found");
}

static void
put_load(const struct loader *l, struct rows *r, const struct load *x)
{
	bool			started = (x->has & HAS_START) != 0;
	struct loss_asked	a = { .thread = x->thread, .has_from = started, .from = x->start,
				    .has_to = !started, .to = x->stop, .last = !started };

	row_begin(r, "load");
	row_time(r, LO_T, started, x->start);
	row_str(r, LO_WHAT, what_name[x->what]);
	row_word(r, LO_NAME, l->texts, x->name);
	row_word(r, LO_PATH, l->texts, x->path);
	if (lasts(x)) {
		row_dur(r, LO_DUR, is_paired(x), dur_of(x));
		row_dur(r, LO_SELF, is_paired(x), self_of(x));
	} else {
		row_time(r, LO_UNLOADED, (x->has & IS_UNLOADED) != 0, x->stop);
		row_address(r, LO_ID, true, x->id);
	}
	row_put(r, LO_TID, report_tid(l->run, x->thread));
	put_result(r, x);
	row_str(r, LO_STATE, state_of(x));
	row_put(r, LO_ROW, cell_u64(x->row));
	if (lasts(x) && !is_paired(x))
		(void)report_gap(l->run, r, LO_GAP, &a);
	row_event(r, x->ts, x->off);
}

static void
put_sum(struct rows *r, struct load_sum *x)
{
	row_put(r, LO_COUNT, cell_u64(x->count));
	row_put(r, LO_OPEN, cell_u64(x->open));
	row_best(r, &x->longest);
	if (x->dur.n == 0)
		return;
	row_dist(r, LO_DUR, &figures, &x->dur);
	row_dur(r, LO_SELF_TOTAL, true, x->self);
}

static void
put_groups(const struct loader *l, struct rows *r, const struct load_sums *s, bool types)
{
	struct groups	*g = types ? s->type : s->thread;
	uint32_t	*order = groups_order(g, by_self);

	for (size_t i = 0; i < groups_n(g); i++) {
		struct load_sum	*x = groups_at(g, order[i]);
		uint32_t	 key = (uint32_t)groups_key(g, order[i]).a;

		row_begin(r, types ? "type" : "byTid");
		if (types)
			row_word(r, LO_NAME, l->texts, key);
		else
			row_put(r, LO_TID, report_tid(l->run, key));
		put_sum(r, x);
		row_share(r, LO_SHARE, (double)x->self, (double)s->self);
	}
	mem_free(order);
}

static void
put_summary(struct rows *r, const struct load_sums *s)
{
	uint64_t	all = 0;

	for (unsigned i = 0; i < WHATS; i++)
		all += s->what[i].count;
	row_begin(r, "summary");
	row_put(r, LO_COUNT, cell_u64(all));
	row_put(r, LO_ASSEMBLIES, cell_u64(s->what[ASSEMBLY].count));
	row_put(r, LO_MODULES, cell_u64(s->what[MODULE].count));
	row_put(r, LO_TYPES, cell_u64(s->what[TYPE].count));
	row_put(r, LO_BINDINGS, cell_u64(s->what[BINDING].count));
	row_put(r, LO_RUNDOWN, cell_u64(s->there));
	row_dur(r, LO_SELF_TOTAL, true, s->self);
}

static void
loader_rows(void *self, struct rows *r)
{
	struct loader		*l = self;
	struct load_sums	 s;

	sums_begin(l, &s);
	for (unsigned i = 0; i < WHATS; i++) {
		if (s.what[i].count == 0)
			continue;
		row_begin(r, "what");
		row_str(r, LO_WHAT, what_name[i]);
		put_sum(r, &s.what[i]);
	}
	put_groups(l, r, &s, true);
	put_groups(l, r, &s, false);
	for (uint64_t i = 0; i < scratch_n(l->load); i++) {
		const struct load	*x = scratch_at(l->load, i);

		if ((x->has & IS_CHOSEN) != 0)
			put_load(l, r, x);
	}
	if (rows_n(r) > 0)
		put_summary(r, &s);
	rows_remark(r, l->dropped, EVENTS_DROPPED);
	rows_remark(r, groups_beyond(s.type), "loads of types beyond the limit are counted "
	    "together");
	rows_remark(r, groups_beyond(l->loaded[ASSEMBLY]) + groups_beyond(l->loaded[MODULE]),
	    "events of assemblies and modules beyond the limit are counted together");
	sums_release(&s);
}

/* "16 assemblies, 16 modules, 2,394 loads of types took 66 ms" */
static void
loader_totals(void *self, struct buf *out)
{
	struct loader		*l = self;
	struct load_sums	 s;

	sums_begin(l, &s);
	put_count(out, s.what[ASSEMBLY].count, "assembly, ", "assemblies, ");
	put_count(out, s.what[MODULE].count, "module", "modules");
	if (s.there > 0) {
		buf_puts(out, "; load time unknown: ");
		buf_grouped(out, s.there);
	}
	buf_putc(out, '\n');
	if (s.what[TYPE].count > 0) {
		put_count(out, s.what[TYPE].count, "type load took ", "type loads took ");
		put_dur(out, s.what[TYPE].self);
		buf_putc(out, '\n');
	}
	if (s.what[BINDING].count > 0) {
		put_count(out, s.what[BINDING].count, "assembly search took ",
		    "assembly searches took ");
		put_dur(out, s.what[BINDING].self);
		buf_putc(out, '\n');
	}
	sums_release(&s);
}

const struct report	report_loader = {
	.name = "loader",
	.title = "Loaded assemblies, modules and types",
	.text = "The column what is assembly or module, with the time of the load (t) and of the "
	    "unload, if known; binding, the search for an assembly from AssemblyLoadStart to "
	    "AssemblyLoadStop, paired by activity or else by thread; or type, from TypeLoadStart "
	    "to the TypeLoadStop with the same number. A type is loaded in steps: level is the "
	    "step reached, and a type may be listed several times. dur of a type includes the "
	    "types that were loaded on its thread meanwhile, self excludes them. state is loaded; "
	    "unloaded; there, if only the rundown mentions it, so that the load time is unknown; "
	    "paired; open, a start without a stop; or orphan, a stop without a start. gap is a "
	    "loss on the thread that may explain it.",
	.need = need, .fact = facts, .column = columns, .ncolumns = LO_COLUMNS, .part = parts,
	.pairs = true,
	.begin = loader_begin, .add = loader_add, .rows = loader_rows, .totals = loader_totals,
	.free = loader_free,
};
