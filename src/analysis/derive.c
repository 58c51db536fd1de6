/*
 * The registry of derived facts: how each kind is made from a trace.
 *
 *	kind		from		words of progress
 *	symbols		events		reading names
 *	who		events		reading threads
 *	comms		events		reading threads		who, with the kernel's names
 *	spans		events		pairing
 *	activities	spans, events	pairing
 *	deltas		events		ordering
 *
 * Invariant: a kind is made from kinds before it in the table.
 */
#include "tnav/analysis/derive.h"

#include "tnav/analysis/activities.h"
#include "tnav/analysis/roles.h"
#include "tnav/analysis/spans.h"
#include "tnav/base/err.h"
#include "tnav/engine/deltas.h"

/* What a fact is made of. */
struct derive_task {
	enum derived			 kind;
	struct trace			*t;
	const struct derived_facts	*facts;		/* made before */
	const struct derive_options	*o;
	struct pass_result		*result;
};

struct derive_kind {
	const char	*doing;
	const char	*growing;	/* or NULL */
	unsigned	 from, gives;
	enum derived	 lent_as;
	bool		(*any)(struct trace *t, const struct symbols_files *f);	/* NULL: always */
	uint64_t	(*events)(struct trace *t);
	void		*(*make)(const struct derive_task *d);	/* NULL: canceled */
	const char	*(*remark)(void *made);			/* or NULL */
	uint64_t	(*bytes)(const void *made);
	void		(*free)(void *made);
};

static uint64_t
symbols_bytes(const struct symbols *s)
{
	struct symbols_counts	c;

	symbols_counts(s, &c);
	return c.bytes;
}

/* The functions that each fact has, for a pointer to any fact. */
#define FACT(name)							\
	static uint64_t							\
	name##_bytes_any(const void *made)				\
	{								\
		return name##_bytes(made);				\
	}								\
	static void							\
	name##_free_any(void *made)					\
	{								\
		name##_free(made);					\
	}
FACT(symbols)
FACT(roles)
FACT(spans)
FACT(activities)
FACT(deltas)

#define OF(name)	.bytes = name##_bytes_any, .free = name##_free_any

static bool
any_symbols(struct trace *t, const struct symbols_files *f)
{
	return trace_has(t, HAS_STACKS) && (symbols_events(t) > 0 || f->perf_map != NULL ||
	    f->nfolders > 0 || f->earlier != NULL || f->loads != NULL);
}

static bool
any_comms(struct trace *t, const struct symbols_files *f)
{
	(void)f;
	return roles_have_comms(t);
}

static void *
make_symbols(const struct derive_task *d)
{
	return symbols_new(d->t, d->o);
}

static void *
make_roles(const struct derive_task *d)
{
	return roles_new(d->t, &d->o->pass, d->kind == DERIVED_COMMS);
}

static void *
make_spans(const struct derive_task *d)
{
	const struct spans_options	so = { .pass = d->o->pass };
	struct spans			*s = spans_new(d->t);

	if (spans_build(s, &so, d->result) == ERR_OK) {
		spans_prepare(s);
		return s;
	}
	spans_free(s);
	return NULL;
}

static void *
make_activities(const struct derive_task *d)
{
	struct activities	*a;

	if (activities_new(&a, d->t, &d->o->pass, d->result) != ERR_OK)
		return NULL;
	activities_join(a, d->facts->of[DERIVED_SPANS]);
	activities_prepare(a);
	return a;
}

static void *
make_deltas(const struct derive_task *d)
{
	struct deltas	*deltas;

	return deltas_new(&deltas, d->t, &d->o->pass, d->result) == ERR_OK ? deltas : NULL;
}

#define WHO_GROWING	"process and thread.role come only from events that are in the file now"

static const char *
remark_on_spans(void *made)
{
	return spans_remark(made);
}

static const struct derive_kind	kinds[DERIVEDS] = {
	[DERIVED_SYMBOLS] = { .doing = "reading names", .gives = NEEDS_SYMBOLS,
	    .lent_as = DERIVED_SYMBOLS, .any = any_symbols, .events = symbols_events,
	    .make = make_symbols, OF(symbols) },
	[DERIVED_THREAD_NAMES] = { .doing = "reading threads", .growing = WHO_GROWING,
	    .gives = NEEDS_WHO, .lent_as = DERIVED_THREAD_NAMES, .events = roles_events,
	    .make = make_roles, OF(roles) },
	[DERIVED_COMMS] = { .doing = "reading threads", .growing = WHO_GROWING,
	    .gives = NEEDS_COMMS | NEEDS_WHO, .lent_as = DERIVED_THREAD_NAMES, .any = any_comms,
	    .events = roles_events, .make = make_roles, OF(roles) },
	[DERIVED_SPANS] = { .doing = "pairing", .gives = NEEDS_SPANS,
	    .growing = "spans are known only for events that are in the file now: later starts "
	    "have no dur", .lent_as = DERIVED_SPANS, .events = trace_rows, .make = make_spans,
	    .remark = remark_on_spans, OF(spans) },
	[DERIVED_ACTIVITIES] = { .doing = "pairing", .from = NEEDS_SPANS,
	    .gives = NEEDS_ACTIVITIES, .lent_as = DERIVED_ACTIVITIES, .events = trace_rows,
	    .make = make_activities, OF(activities) },
	[DERIVED_DELTAS] = { .doing = "ordering", .gives = NEEDS_DELTAS,
	    .growing = "delta is known only for events that are in the file now",
	    .lent_as = DERIVED_DELTAS, .events = trace_rows, .make = make_deltas, OF(deltas) },
};

const char *
derive_doing(enum derived kind)
{
	return kinds[kind].doing;
}

const char *
derive_growing(enum derived kind)
{
	return kinds[kind].growing;
}

unsigned
derive_with(unsigned needs)
{
	for (unsigned k = DERIVEDS; k-- > 0; )
		if ((needs & NEEDS(k)) != 0)
			needs |= kinds[k].from;
	return needs;
}

unsigned
derive_gives(enum derived kind)
{
	return kinds[kind].gives;
}

bool
derive_any(enum derived kind, struct trace *t, const struct symbols_files *f)
{
	return kinds[kind].any == NULL || kinds[kind].any(t, f);
}

uint64_t
derive_events(enum derived kind, struct trace *t)
{
	return kinds[kind].events(t);
}

int
derive_make(enum derived kind, void **made, const struct derived_facts *f, struct trace *t,
    const struct derive_options *o, struct pass_result *result)
{
	const struct derive_task	d = { kind, t, f, o, result };

	*result = (struct pass_result){ .lost = false };
	*made = kinds[kind].make(&d);
	return *made != NULL ? ERR_OK : ERR_CANCELED;
}

const char *
derive_remark(enum derived kind, void *made)
{
	return made != NULL && kinds[kind].remark != NULL ? kinds[kind].remark(made) : NULL;
}

void
derive_lend(enum derived kind, void *made, struct trace *t)
{
	trace_lend(t, kinds[kind].lent_as, made);
}

uint64_t
derive_bytes(enum derived kind, const void *made)
{
	return made != NULL ? kinds[kind].bytes(made) : 0;
}

void
derive_drop(struct derived_facts *f, struct trace *lent)
{
	for (unsigned k = DERIVEDS; k-- > 0; ) {
		if (lent != NULL && f->of[k] != NULL)
			derive_lend(k, NULL, lent);
		derive_free(k, f->of[k]);
		f->of[k] = NULL;
	}
}

void
derive_free(enum derived kind, void *made)
{
	kinds[kind].free(made);
}
