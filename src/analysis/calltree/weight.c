/*
 * The weights of events.
 *
 *	count		every event	1
 *	samples		the sampler's	1		Universal.Events/cpu in V6
 *	bytes		AllocationTick	AllocationAmount64
 *	payload.Size	every event	the field's numbers
 */
#include <string.h>

#include "analysis/calltree/private.h"
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"

#define SAMPLER		"Microsoft-DotNETCore-SampleProfiler"
#define RUNTIME		"Microsoft-Windows-DotNETRuntime"
#define SYSTEM_EVENTS	"Universal.Events"

#define ID_ALLOCATION_TICK	10u
#define ID_BULK_NODE		18u
#define ID_EXCEPTION_THROWN	80u
#define ID_ALLOCATION_SAMPLED	303u

#define SAMPLED_BYTES	102400.0	/* average number of bytes per sample */

static const struct {
	enum calltree_weighing	 kind;
	const char		*name;
} weights[] = {
	{ WEIGH_COUNT, "count" },		/* events of any kind */
	{ WEIGH_SAMPLES, "samples" },		/* of the sample profiler; in V6 the cpu events */
	{ WEIGH_TIME, "time" },			/* from each sample to the next of its thread */
	{ WEIGH_CPU, "cpu" },			/* samples, V6 */
	{ WEIGH_SWITCHES, "switches" },		/* of context, V6 */
	{ WEIGH_BYTES, "bytes" },		/* of allocation ticks, or else of samples */
	{ WEIGH_EXCEPTIONS, "exceptions" },	/* thrown */
	{ WEIGH_SELF, "self" },			/* the time of spans less the spans inside them */
	{ WEIGH_HEAP, "heap" },			/* bytes of objects; frames: types that hold them */
};
#define WEIGHTS	(sizeof weights / sizeof *weights)

const char *
calltree_weight_name(unsigned i)
{
	return i < WEIGHTS ? weights[i].name : NULL;
}

int
calltree_weight_init(struct calltree_weight *w, const char *text, struct buf *why)
{
	*w = (struct calltree_weight){ .kind = WEIGH_FIELD, .name = text };
	for (unsigned i = 0; i < WEIGHTS; i++)
		if (strcmp(weights[i].name, text) == 0)
			w->kind = weights[i].kind;
	if (w->kind != WEIGH_FIELD && w->kind != WEIGH_SELF)
		return ERR_OK;
	return field_ref_init(&w->field, text, strlen(text), why);
}

void
calltree_weight_release(struct calltree_weight *w)
{
	if (w->field.def != NULL)
		field_ref_release(&w->field);
	w->field.def = NULL;
}

static bool
is_system(const struct event_type *type, const char *name)
{
	return strcmp(type->provider, SYSTEM_EVENTS) == 0 && strcmp(type->name, name) == 0;
}

static bool
is_runtime(const struct event_type *type, uint32_t id)
{
	return type->id == id && strcmp(type->provider, RUNTIME) == 0;
}

static bool
is_dotnet_sample(const struct event_type *type)
{
	return type->id == 0 && strcmp(type->provider, SAMPLER) == 0;
}

static enum type_weighs
weight_of_type(enum calltree_weighing kind, bool by_ticks, const struct event_type *type)
{
	bool	is = true;

	switch (kind) {
	case WEIGH_SAMPLES:
	case WEIGH_TIME:
		if (is_dotnet_sample(type))
			return TYPE_SAMPLE;
		is = is_system(type, "cpu");
		break;
	case WEIGH_CPU:
		is = is_system(type, "cpu");
		break;
	case WEIGH_SWITCHES:
		is = is_system(type, "cswitch");
		break;
	case WEIGH_BYTES:
		is = is_runtime(type, by_ticks ? ID_ALLOCATION_TICK : ID_ALLOCATION_SAMPLED);
		break;
	case WEIGH_EXCEPTIONS:
		is = is_runtime(type, ID_EXCEPTION_THROWN);
		break;
	case WEIGH_HEAP:
		is = is_runtime(type, ID_BULK_NODE);
		break;
	default:
		break;
	}
	return is ? TYPE_WEIGHS : TYPE_NOT;
}

const char *
calltree_weight_events(const struct calltree_weight *w)
{
	switch (w->kind) {
	case WEIGH_SAMPLES:
	case WEIGH_TIME:
		return "(provider = \"" SAMPLER "\" and id = 0) or "
		    "(provider = \"" SYSTEM_EVENTS "\" and name = cpu)";
	case WEIGH_CPU:
		return "provider = \"" SYSTEM_EVENTS "\" and name = cpu";
	case WEIGH_SWITCHES:
		return "provider = \"" SYSTEM_EVENTS "\" and name = cswitch";
	case WEIGH_BYTES:
		return "provider = \"" RUNTIME "\" and (id = 10 or id = 303)";
	case WEIGH_EXCEPTIONS:
		return "provider = \"" RUNTIME "\" and id = 80";
	case WEIGH_HEAP:
		return "provider = \"" RUNTIME "\" and id = 18";
	default:
		return NULL;
	}
}

static uint64_t
count_types(struct trace *t, bool (*fits)(const struct event_type *type))
{
	struct type_stat	*v;
	size_t			 n = trace_type_stats(t, &v);
	uint64_t		 events = 0;

	for (size_t i = 0; i < n; i++)
		if (fits(trace_type(t, v[i].type)))
			events += v[i].c.events;
	mem_free(v);
	return events;
}

static bool
is_tick(const struct event_type *type)
{
	return is_runtime(type, ID_ALLOCATION_TICK);
}

bool
weight_has_events(struct trace *t, enum calltree_weighing kind, bool by_ticks)
{
	struct type_stat	*v;
	size_t			 n = trace_type_stats(t, &v);
	bool			 has = false;

	for (size_t i = 0; i < n && !has; i++)
		has = v[i].c.events > 0 &&
		    weight_of_type(kind, by_ticks, trace_type(t, v[i].type)) != TYPE_NOT;
	mem_free(v);
	return has;
}

bool
weight_has_ticks(struct trace *t)
{
	return count_types(t, is_tick) > 0;
}

bool
weight_has_types(struct trace *t)
{
	return count_types(t, is_dotnet_sample) > 0;
}

const char *
calltree_weight_usual(struct trace *t)
{
	return weight_has_events(t, WEIGH_SAMPLES, true) ? "samples" : "count";
}

/* ---- of an event */

static int
add_number(void *arg, const struct cell *c)
{
	struct weighed	*w = arg;
	long double	 n;

	if (!table_number(c, &n))
		return 0;
	w->value += (double)n;
	w->any = true;
	return 0;
}

double
allocation_chance(uint64_t bytes)
{
	double	missed = 1, by = 1 - 1 / SAMPLED_BYTES;

	for (; bytes > 0; bytes >>= 1) {
		if ((bytes & 1) != 0)
			missed *= by;
		by *= by;
	}
	return 1 - missed;
}

/* The bytes that a sampled object represents: its size / the probability that it is sampled. */
static double
sampled_bytes(double size)
{
	double	q;

	if (!(size > 0) || size > 9e15)
		return 0;
	q = allocation_chance((uint64_t)size);
	return q > 0 ? size / q : 0;
}

static void
weigh_bytes(struct weigher *w, const struct event *e, struct weighed *out)
{
	struct cell	c[BYTES_FIELDS];

	field_get(w->reader, w->bytes, BYTES_FIELDS, e, ROW_UNKNOWN, c);
	if (!w->by_ticks)
		out->value = sampled_bytes(table_number_or(&c[2], 0));
	else
		out->value = table_number_or(c[0].kind != CELL_NONE ? &c[0] : &c[1], 0);
	out->any = true;
}

/* The sampler's only field: 1 is External, 2 is Managed. */
static bool
is_external(struct trace *t, const struct event *e)
{
	struct cursor	c = cursor_init(trace_payload(t, e), 0);

	return cursor_u32le(&c) == 1 && cursor_ok(&c);
}

static enum type_weighs
weigher_type(struct weigher *w, uint32_t type)
{
	w->type = array_reach(w->type, &w->ntypes, type, sizeof *w->type);
	if (w->type[type] == TYPE_UNKNOWN)
		w->type[type] = (uint8_t)weight_of_type(w->weight->kind, w->by_ticks,
		    trace_type(w->t, type));
	return w->type[type];
}

void
weigher_init(struct weigher *w, struct trace *t, const struct calltree_weight *weight,
    bool by_ticks)
{
	static const char *const	names[BYTES_FIELDS] = {
		"AllocationAmount64", "AllocationAmount", "ObjectSize",
	};

	*w = (struct weigher){ .t = t, .weight = weight, .by_ticks = by_ticks };
	if (weight->kind < WEIGH_BYTES || weight->kind == WEIGH_EXCEPTIONS ||
	    weight->kind == WEIGH_HEAP)
		return;
	w->reader = field_reader_new(t, &(struct field_options){ .words = WORDS_BARE });
	for (unsigned i = 0; i < BYTES_FIELDS; i++)
		field_ref_payload(&w->bytes[i], names[i]);
}

void
weigher_release(struct weigher *w)
{
	for (unsigned i = 0; i < BYTES_FIELDS; i++)
		if (w->bytes[i].def != NULL)
			field_ref_release(&w->bytes[i]);
	field_reader_free(w->reader);
	mem_free(w->type);
	*w = (struct weigher){ .ntypes = 0 };
}

bool
weigher_ask(struct weigher *w, const struct event *e, uint64_t row, struct weighed *out)
{
	enum type_weighs	type = weigher_type(w, e->type);

	*out = (struct weighed){ .value = 1, .any = true };
	if (type == TYPE_NOT)
		return false;
	out->external = type == TYPE_SAMPLE && is_external(w->t, e);
	switch (w->weight->kind) {
	case WEIGH_TIME:
		out->value = 0;		/* computed when the thread's next sample arrives */
		break;
	case WEIGH_BYTES:
		weigh_bytes(w, e, out);
		break;
	case WEIGH_SELF:
	case WEIGH_FIELD:
		*out = (struct weighed){ .value = 0 };
		(void)field_each(w->reader, &w->weight->field, e, row, add_number, out);
		break;
	default:
		break;
	}
	return out->any;
}

static int64_t
saturated(double v)
{
	if (!(v > -9e18))
		return v != v ? 0 : INT64_MIN;
	return v < 9e18 ? (int64_t)v : INT64_MAX;
}

struct cell
calltree_weight_cell(const struct calltree_weight *w, double value)
{
	enum field_class	class = w->field.def != NULL ? w->field.def->class : CLASS_NUMBER;
	bool			whole = value >= 0 && value < 9e15 &&
				    (double)(uint64_t)value == value;

	if (w->kind == WEIGH_TIME || w->kind == WEIGH_SELF || class == CLASS_DUR)
		return cell_dur(saturated(value));
	if ((w->kind == WEIGH_BYTES || w->kind == WEIGH_HEAP) && whole)
		return cell_bytes((uint64_t)value);
	if (whole)
		return cell_u64((uint64_t)value);
	return cell_f64(value);
}
