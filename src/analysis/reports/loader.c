/*
 * What was loaded: assemblies, modules, types.
 *
 *	AssemblyLoad, ModuleLoad	loaded at that moment, until an unload of the same id
 *	AssemblyLoadStart -- AssemblyLoadStop	binding: looking for an assembly
 *	TypeLoadStart ------ TypeLoadStop	a type; they lie within each other
 *	... rundown			loaded when the trace ended; the time is unknown
 *					unless the load was seen
 *
 * The open loads of a thread are a nest. A stop ends the load with its number; those above it stay
 * open, because their stops are missing.
 */
#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"

enum load_kind { ASSEMBLY, MODULE, BINDING, TYPE, WHATS };

static const char *const	what_name[WHATS] = { "assembly", "module", "binding", "type" };

enum { LO_KINDS, LO_FIELDS };

#define IS_THERE	0x01u		/* known from the rundown only */
#define HAS_RESULT	0x02u
#define IS_SUCCESS	0x04u
#define IS_CACHED	0x08u

/* An unload ends a load without a duration. */
struct load {
	struct pair	p;
	uint64_t	id;
	uint32_t	name, path, level;
	uint8_t		what, has;
};

/* Spaces: the latest load of an id; open ones by activity, or by thread and number; nests. */
enum { LOADED, BY_ACTIVITY = LOADED + 2, BY_NUMBER, NEST, SPACES = NEST + WHATS };

static uint32_t
text_of(struct report_state *s, const struct fact *f, unsigned i)
{
	struct span	text = fact_text(f, i);

	return text.len > 0 ? texts_add(s->texts, text) : TEXT_NONE;
}

/* ---- loads without a duration */

/* A module's name is the last part of its path. */
static void
name_load(struct report_state *s, const struct fact *f, struct load *x)
{
	struct span	path = fact_text(f, F_NAME);

	x->id = fact_u64(f, F_ID);
	if (x->what == ASSEMBLY) {
		x->name = text_of(s, f, F_NAME);
		return;
	}
	if (path.len == 0)
		path = fact_text(f, F_PATH);
	if (path.len == 0)
		return;
	x->path = texts_add(s->texts, path);
	for (size_t i = path.len; i > 0; i--)
		if (path.p[i - 1] == '/' || path.p[i - 1] == '\\') {
			path.p += i;
			path.len -= i;
			break;
		}
	x->name = texts_add(s->texts, path);
}

static void
load_init(struct load *x, enum load_kind what)
{
	x->what = (uint8_t)what;
	x->name = x->path = TEXT_NONE;
}

/* Enter what has just been added as the latest load of its id. */
static void
enter_load(struct report_state *s, const struct fact *f, enum load_kind what, struct load *x)
{
	load_init(x, what);
	name_load(s, f, x);
	pairs_enter(s->pairs, LOADED + what, pair_key(x->id, 0), x, false);
}

static struct load *
latest_load(struct report_state *s, const struct fact *f, enum load_kind what)
{
	return pairs_latest(s->pairs, LOADED + what, pair_key(fact_u64(f, F_ID), 0));
}

static void
add_load(struct report_state *s, const struct fact *f)
{
	enter_load(s, f, f->kind - LOAD_ASSEMBLY, pairs_start(s->pairs, f));
}

/* If it was loaded before the trace, only the unload is known. */
static void
add_unload(struct report_state *s, const struct fact *f)
{
	enum load_kind	 what = f->kind - UNLOAD_ASSEMBLY;
	struct load	*x = latest_load(s, f, what);

	if (x != NULL && !x->p.has_stop)
		(void)pairs_stop(s->pairs, f, x);
	else
		enter_load(s, f, what, pairs_stop(s->pairs, f, NULL));
}

/* Is it what that load loaded? The id of what is unloaded may be given to another. */
static bool
is_of(struct report_state *s, const struct fact *f, const struct load *x)
{
	struct load	other;

	load_init(&other, x->what);
	name_load(s, f, &other);
	return other.name == x->name && other.path == x->path;
}

/* The rundown lists everything that is loaded, also loads that were seen, and at the end of a
   program what it has just unloaded. */
static void
add_there(struct report_state *s, const struct fact *f)
{
	enum load_kind	 what = f->kind - THERE_ASSEMBLY;
	struct load	*x = latest_load(s, f, what);

	if (x != NULL && (!x->p.has_stop || is_of(s, f, x)))
		return;
	x = pairs_add(s->pairs, f);
	enter_load(s, f, what, x);
	x->has |= IS_THERE;
}

/* ---- loads with a duration */

static struct load *
long_start(struct report_state *s, const struct fact *f, enum load_kind what)
{
	struct load	*x = pairs_start(s->pairs, f);

	load_init(x, what);
	pairs_nest(s->pairs, NEST + what, f->ev->thread, x);
	return x;
}

/* End it, or an orphan where it is NULL. */
static struct load *
long_stop(struct report_state *s, const struct fact *f, enum load_kind what, struct load *x)
{
	bool	paired = x != NULL;

	x = pairs_stop(s->pairs, f, x);
	if (paired)
		pairs_unnest(s->pairs, NEST + what, x->p.thread, x, ABOVE_GOES);
	else
		load_init(x, what);
	x->has |= HAS_RESULT;
	return x;
}

static struct group_key
type_key(const struct fact *f)
{
	return pair_key(f->ev->thread, fact_u64(f, T_START));
}

static void
add_type(struct report_state *s, const struct fact *f)
{
	pairs_enter(s->pairs, BY_NUMBER, type_key(f), long_start(s, f, TYPE), false);
}

static void
add_type_stop(struct report_state *s, const struct fact *f)
{
	struct load	*x = long_stop(s, f, TYPE, pairs_take(s->pairs, BY_NUMBER, type_key(f)));

	x->name = text_of(s, f, T_NAME);
	x->level = (uint32_t)fact_u64(f, T_LEVEL);
}

static void
add_binding(struct report_state *s, const struct fact *f)
{
	struct load	*x = long_start(s, f, BINDING);

	x->name = text_of(s, f, B_NAME);
	x->path = text_of(s, f, B_PATH);
	if (f->activity != NULL)
		pairs_enter(s->pairs, BY_ACTIVITY, pair_key_guid(f->activity), x, false);
}

/* A binding has an activity of its own. Without activities, it is the latest of its thread. */
static void
add_bound(struct report_state *s, const struct fact *f)
{
	struct load	*x = f->activity != NULL ?
			    pairs_take(s->pairs, BY_ACTIVITY, pair_key_guid(f->activity)) :
			    pairs_top(s->pairs, NEST + BINDING, f->ev->thread);

	x = long_stop(s, f, BINDING, x);
	if (!x->p.has_start)
		x->name = text_of(s, f, B_NAME);
	if (fact_text(f, B_PATH).len > 0)
		x->path = text_of(s, f, B_PATH);
	x->has |= (uint8_t)((fact_u64(f, B_SUCCESS) != 0 ? IS_SUCCESS : 0u) |
	    (fact_u64(f, B_CACHED) != 0 ? IS_CACHED : 0u));
}

/* ---- rows */

static bool
lasts(const struct load *x)
{
	return x->what == BINDING || x->what == TYPE;
}

static const char *
state_of(const struct load *x)
{
	if (lasts(x))
		return pair_state(&x->p);
	if (x->p.has_stop)
		return "unloaded";
	return (x->has & IS_THERE) != 0 ? "there" : "loaded";
}

static void
put_result(struct rows *r, const struct load *x)
{
	if ((x->has & HAS_RESULT) == 0)
		return;
	if (x->what == TYPE)
		row_map(r, LO_LEVEL, true, "TypeLoadLevel", x->level);
	else if ((x->has & IS_SUCCESS) == 0)
		row_str(r, LO_RESULT, "not found");
	else
		row_str(r, LO_RESULT, (x->has & IS_CACHED) != 0 ? "cached" : "found");
}

static void
put_load(struct report_state *s, struct rows *r, const void *record)
{
	const struct load	*x = record;

	row_begin(r, "load");
	row_pair(r, s->run, lasts(x) ? &loader_long : &loader_short, &x->p);
	row_str(r, LO_WHAT, what_name[x->what]);
	row_put(r, LO_WHAT_KEY, cell_u64(x->what));
	row_word(r, LO_NAME, s->texts, x->name);
	row_word(r, LO_PATH, s->texts, x->path);
	put_result(r, x);
	row_str(r, LO_STATE, state_of(x));
	row_put(r, LO_THERE, cell_bool((x->has & IS_THERE) != 0));
	if (!lasts(x)) {
		row_known(r, LO_UNLOADED, x->p.has_stop, cell_time(x->p.stop));
		row_put(r, LO_ID, cell_hex(x->id));
		return;
	}
	row_put(r, LO_UNPAIRED, cell_bool(!pair_is_paired(&x->p)));
	row_put(r, LO_THREAD_KEY, cell_u64(x->p.thread));
	row_known(r, LO_TYPE_KEY, x->what == TYPE && x->name != TEXT_NONE, cell_u64(x->name));
	row_put(r, x->what == TYPE ? LO_TYPE_SELF : LO_BINDING_SELF, cell_dur(pair_self(&x->p)));
}

static void
put_remark(struct report_state *s, struct rows *r)
{
	rows_remark(r, pairs_beyond(s->pairs, LOADED + ASSEMBLY) +
	    pairs_beyond(s->pairs, LOADED + MODULE),
	    "# event{s} of assemblies and modules beyond the limit {is|are} counted together");
}

/* Only groups with durations have a sum of self times. */
static void
put_self(struct report_state *s, struct rows *r)
{
	(void)s;
	if (row_get(r, LO_TOTAL).kind != CELL_NONE)
		row_put(r, LO_SELF_TOTAL, row_get(r, LO_SELF_SUM));
}

const struct report	report_loader = {
	.title = "Loaded assemblies, modules and types",
	TABLES_OF(loader, LO),
	.pairs = true,
	.records = { { sizeof(struct load), SPACES, put_load } },
	.rows = put_remark, .figures = FIGURES(LO), .grouped = put_self,
};
