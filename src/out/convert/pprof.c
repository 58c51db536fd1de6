/*
 * A profile for pprof: https://github.com/google/pprof/blob/main/proto/profile.proto
 *
 *	sample_type	samples/count or time/nanoseconds
 *	sample		locations, leaf first; value; label thread
 *	location	one for each name: its function, its module, its address if it has no name
 *
 * Fields of a message may come in any order, so each thing is written when it is known, compressed
 * with gzip. Text 0 is "".
 */
#include "out/convert/proto.h"
#include "tnav/base/err.h"
#include "tnav/base/interned.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/out/convert.h"

/* Fields of Profile. */
enum { P_SAMPLE_TYPE = 1, P_SAMPLE, P_MAPPING, P_LOCATION, P_FUNCTION, P_TEXT, P_TIME = 9,
    P_DURATION, P_PERIOD_TYPE, P_PERIOD, P_COMMENT };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES, SAMPLE_LABEL };
enum { TAG_KEY = 1, TAG_TEXT };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME };

#define PERIOD_NS	1000000		/* of the .NET sample profiler, nominal */

struct pprof {
	struct encoder_to	 to;
	uint64_t		 texts;		/* written so far */
	uint64_t		 key_thread, thread;	/* texts */
	struct buf		 message, inner;	/* scratch */
	struct interned		 modules;	/* their names */
};

static void
pprof_release(void *self)
{
	struct pprof	*x = self;

	interned_release(&x->modules);
	buf_release(&x->message);
	buf_release(&x->inner);
}

/* Write a text; its number. */
static uint64_t
put_text(struct pprof *x, struct span text)
{
	proto_text(output_buf(x->to.o), P_TEXT, text);
	return x->texts++;
}

static void
put_message(struct pprof *x, unsigned field)
{
	proto_message(output_buf(x->to.o), field, &x->message);
	buf_clear(&x->message);
}

static void
put_type(struct pprof *x, unsigned field, const char *type, const char *unit)
{
	proto_u64(&x->message, TYPE_TYPE, put_text(x, span_of(type)));
	proto_u64(&x->message, TYPE_UNIT, put_text(x, span_of(unit)));
	put_message(x, field);
}

static void
put_comment(struct pprof *x, const char *text)
{
	proto_u64(output_buf(x->to.o), P_COMMENT, put_text(x, span_of(text)));
}

static int
pprof_begin(void *self, const struct profile_head *h)
{
	static const char *const	type[] = { "samples", "time", "space" };
	static const char *const	unit[] = { "count", "nanoseconds", "bytes" };
	struct pprof			*x = self;
	struct buf			*out = output_buf(x->to.o);
	int64_t				 start;

	output_gzip(x->to.o);
	(void)put_text(x, span_of(""));
	x->key_thread = put_text(x, span_of("thread"));
	put_type(x, P_SAMPLE_TYPE, type[h->unit], unit[h->unit]);
	put_type(x, P_PERIOD_TYPE, "time", "nanoseconds");
	proto_u64(out, P_PERIOD, PERIOD_NS);
	if (h->has_utc && !__builtin_add_overflow(h->utc, h->first, &start))
		proto_u64(out, P_TIME, (uint64_t)start);
	if (h->last > h->first)
		proto_u64(out, P_DURATION, (uint64_t)h->last - (uint64_t)h->first);
	put_comment(x, x->to.name);
	put_comment(x, "Samples are of wall-clock time. Their period is a nominal one: the time "
	    "between two samples of a thread is often longer.");
	return output_step(x->to.o);
}

static uint64_t
module_id(struct pprof *x, struct span name)
{
	size_t		n = x->modules.n;
	uint64_t	id = interned_add(&x->modules, name) + UINT64_C(1);

	if (id <= n)
		return id;
	proto_u64(&x->message, MAPPING_ID, id);
	proto_u64(&x->message, MAPPING_FILE, put_text(x, name));
	proto_u64(&x->message, MAPPING_HAS_FUNCTIONS, 1);
	put_message(x, P_MAPPING);
	return id;
}

/* Frame n has function and location n + 1. */
static void
pprof_frame(void *self, uint32_t id, const struct profile_frame *f)
{
	struct pprof	*x = self;
	uint64_t	 module = f->module.len > 0 ? module_id(x, f->module) : 0;
	uint64_t	 number = (uint64_t)id + 1, name = put_text(x, f->name);

	proto_u64(&x->message, FUNCTION_ID, number);
	proto_u64(&x->message, FUNCTION_NAME, name);
	proto_u64(&x->message, FUNCTION_SYSTEM_NAME, name);
	put_message(x, P_FUNCTION);
	buf_clear(&x->inner);
	proto_u64(&x->inner, LINE_FUNCTION, number);
	proto_u64(&x->message, LOCATION_ID, number);
	if (module != 0)
		proto_u64(&x->message, LOCATION_MAPPING, module);
	if (f->address != 0)
		proto_u64(&x->message, LOCATION_ADDRESS, f->address);
	proto_message(&x->message, LOCATION_LINE, &x->inner);
	put_message(x, P_LOCATION);
	(void)output_step(x->to.o);
}

static int
pprof_thread(void *self, const struct profile_thread *t)
{
	struct pprof	*x = self;

	x->thread = put_text(x, t->name);
	return ERR_OK;
}

static int
pprof_sample(void *self, const uint32_t *frame, size_t n, double weight)
{
	struct pprof	*x = self;

	buf_clear(&x->inner);
	for (; n > 0; n--)
		buf_varint(&x->inner, (uint64_t)frame[n - 1] + 1);
	proto_message(&x->message, SAMPLE_LOCATIONS, &x->inner);
	buf_clear(&x->inner);
	buf_varint(&x->inner, (uint64_t)i64_of(weight));
	proto_message(&x->message, SAMPLE_VALUES, &x->inner);
	buf_clear(&x->inner);
	proto_u64(&x->inner, TAG_KEY, x->key_thread);
	proto_u64(&x->inner, TAG_TEXT, x->thread);
	proto_message(&x->message, SAMPLE_LABEL, &x->inner);
	put_message(x, P_SAMPLE);
	return output_step(x->to.o);
}

const struct profile_encoder	convert_pprof = {
	.ops = { .whole = true, .begin = pprof_begin, .frame = pprof_frame,
	    .thread = pprof_thread, .sample = pprof_sample },
	.state = { sizeof(struct pprof), pprof_release },
};
