/* The other side of a request: see remote.h. */
#include "analysis/reports/remote.h"

#include <string.h>

#include "tnav/base/buf.h"
#include "tnav/base/hash.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/model/value.h"

/* ---- ids: the arguments are an array of { Key, Value } */

struct ids_reader {
	struct request_ids	*out;
	struct buf		 key, value;
	unsigned		 present;		/* bits: see below */
};
#define PRESENT_TRACE	0x1u
#define PRESENT_SPAN	0x2u
#define PRESENT_KIND	0x4u
#define PRESENT_ALL	(PRESENT_TRACE | PRESENT_SPAN | PRESENT_KIND)

/* Ids have no upper-case digits, which hex_value() takes, too. */
static int
digit_of(uint8_t c)
{
	return c >= 'A' && c <= 'F' ? -1 : hex_value((char)c);
}

/* Exactly len bytes in lower-case hex, not all zero. */
static bool
read_id(struct span text, uint8_t *out, size_t len)
{
	uint8_t	any = 0;

	if (text.len != 2 * len)
		return false;
	for (size_t i = 0; i < len; i++) {
		int	high = digit_of(text.p[2 * i]), low = digit_of(text.p[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		out[i] = (uint8_t)(high << 4 | low);
		any |= out[i];
	}
	return any != 0;
}

static bool
is(const struct buf *b, const char *word)
{
	return spans_equal(span_of_buf(b), span_of(word));
}

static void
take_argument(struct ids_reader *r)
{
	struct span	value = span_of_buf(&r->value);

	if (is(&r->key, "TraceId") && read_id(value, r->out->trace, sizeof r->out->trace))
		r->present |= PRESENT_TRACE;
	else if (is(&r->key, "SpanId") && read_id(value, r->out->span, sizeof r->out->span))
		r->present |= PRESENT_SPAN;
	else if (is(&r->key, "ParentSpanId") &&
	    !read_id(value, r->out->parent, sizeof r->out->parent))
		memset(r->out->parent, 0, sizeof r->out->parent);
	else if (is(&r->key, "Kind") && (is(&r->value, "Client") || is(&r->value, "Server"))) {
		r->out->server = is(&r->value, "Server");
		r->present |= PRESENT_KIND;
	}
}

static int
take_value(void *arg, const struct value *v)
{
	struct ids_reader	*r = arg;

	if (v->depth == 0 || (v->kind != VK_TEXT16 && v->kind != VK_TEXT8))
		return 0;
	if (spans_equal(v->name, span_of("Key"))) {
		buf_clear(&r->key);
		value_text(&r->key, v);
	} else if (spans_equal(v->name, span_of("Value"))) {
		buf_clear(&r->value);
		value_text(&r->value, v);
		take_argument(r);
	}
	return 0;
}

bool
request_ids_read(struct trace *t, const struct event *e, struct request_ids *out)
{
	struct ids_reader	r = { .out = out };
	struct payload_result	res;

	*out = (struct request_ids){ .server = false };
	(void)payload_walk(trace_type(t, e->type), trace_payload(t, e), take_value, &r, &res);
	buf_release(&r.key);
	buf_release(&r.value);
	return r.present == PRESENT_ALL;
}

/* ---- spans that were sent */

void
sent_release(struct sent_spans *s)
{
	hashtable_release(&s->table);
	mem_free(s->v);
}

void
sent_add(struct sent_spans *s, const struct request_ids *ids, uint32_t source, uint32_t number)
{
	s->v = mem_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n] = (struct sent_span){ *ids, source, number };
	hashtable_add(&s->table, hash_bytes(ids->span, sizeof ids->span), (uint32_t)s->n++);
}

const struct sent_span *
sent_find(const struct sent_spans *s, const struct request_ids *received, uint32_t but)
{
	uint64_t	hash = hash_bytes(received->parent, sizeof received->parent);

	HASHTABLE_EACH(&s->table, hash, i) {
		const struct sent_span	*y = &s->v[*i];

		if (memcmp(y->ids.span, received->parent, sizeof y->ids.span) == 0 &&
		    memcmp(y->ids.trace, received->trace, sizeof y->ids.trace) == 0 &&
		    y->source != but)
			return y;
	}
	return NULL;
}

/* ---- clocks */

void
clock_bounds_add(struct clock_bounds *b, int64_t c0, int64_t c1, int64_t s0, int64_t s1,
    bool moves_server)
{
	const int64_t	end[2] = { s1, s0 };

	for (unsigned i = 0; i < 2; i++) {
		int64_t	lo = moves_server ? sub_i64(c0, s0) : sub_i64(end[i], c1);
		int64_t	hi = moves_server ? sub_i64(c1, end[i]) : sub_i64(s0, c0);

		if (b->n == 0 || lo > b->lo[i])
			b->lo[i] = lo;
		if (b->n == 0 || hi < b->hi[i])
			b->hi[i] = hi;
	}
	b->n++;
}

bool
clock_bounds_by_starts(const struct clock_bounds *b)
{
	return b->lo[0] > b->hi[0] && b->lo[1] <= b->hi[1];
}

int64_t
clock_bounds_shift(const struct clock_bounds *b)
{
	unsigned	i = clock_bounds_by_starts(b);

	return b->lo[i] / 2 + b->hi[i] / 2 + (b->lo[i] % 2 + b->hi[i] % 2) / 2;
}

int64_t
clock_bounds_error(const struct clock_bounds *b)
{
	unsigned	i = clock_bounds_by_starts(b);

	return b->hi[i] >= b->lo[i] ? sub_i64(b->hi[i], b->lo[i]) / 2 : -1;
}
