/*
 * Traces as the tests of damage see them: see the header.
 */
#include "sample.h"

#include <glob.h>

#include "asserts.h"
#include "nt4_writer.h"
#include "tnav/base/buf.h"
#include "tnav/base/mem.h"
#include "tnav/engine/trace.h"
#include "tnav/model/value.h"

#define MAX_PLACES	65536u
#define MEMORY_LEAST	((size_t)64 << 20)	/* that an index may take of any file */
#define V3_HEADER	94u		/* bytes of stream header and Trace object */
#define V6_HEADER	20u
#define V6_METADATA	3u		/* kinds of blocks */
#define V6_THREADS	6u
#define HEPH_HEADER	8u

/* ---- what the engine makes of bytes */

static int
count_value(void *arg, const struct value *v)
{
	uint64_t	*sum = arg;

	*sum += v->off + v->len + (uint64_t)v->kind;
	if (v->kind == VK_TEXT8 || v->kind == VK_TEXT16 || v->kind == VK_BYTES)
		for (size_t i = 0; i < v->bytes.len; i++)
			*sum += v->bytes.p[i];
	return 0;
}

/* Everything that can be asked of one event. */
static void
ask_event(struct trace *t, const struct event *e, uint64_t *sum)
{
	const struct event_type	*type = trace_type(t, e->type);
	struct payload_result	 res;
	struct span		 payload = trace_payload(t, e);
	struct event_extra	 extra;
	struct event_meta	 meta;
	struct label		 labels[16];
	uint64_t		 ips[64];
	uint8_t			 guid[16];
	size_t			 n;

	assert_non_null(type);
	assert_true(e->thread < trace_threads(t) && e->capture < trace_threads(t));
	assert_true(payload.len <= e->size);
	for (size_t i = 0; i < payload.len; i++)
		*sum += payload.p[i];
	payload_walk(type, payload, count_value, sum, &res);
	n = trace_stack(t, e, ips, 64);
	for (size_t i = 0; i < n && i < 64; i++)
		*sum += ips[i];
	n = trace_labels(t, e, labels, 16);
	for (size_t i = 0; i < n && i < 16; i++)
		for (size_t j = 0; j < labels[i].text.len; j++)
			*sum += labels[i].text.p[j];
	trace_event_meta(t, e, &meta);
	trace_event_extra(t, e, &extra);
	*sum += trace_activity(t, e, guid) + trace_related(t, e, guid);
	*sum += trace_header_bytes(t, e).len + trace_event_lost(t, e);
}

/* The rows tile the views, and agree with the statistics. */
static uint64_t
walk_rows(struct trace *t, enum depth depth, uint64_t *sum)
{
	uint64_t		 rows = trace_rows(t), by_type = 0, by_thread = 0;
	uint64_t		 row = depth == LOOK_FILE ? rows : 0;
	struct type_stat	*types;
	struct thread_stat	*threads;
	size_t			 n;

	while (row < rows) {
		const struct slice_view	*v;

		assert_int_equal(trace_view_get(t, row, &v), 1);
		assert_true(v->row0 <= row && row - v->row0 < v->n);
		assert_true(v->final);
		for (uint32_t i = 0; i < v->n && depth == LOOK_ALL; i++)
			ask_event(t, &v->ev[i], sum);
		row = v->row0 + v->n;
		trace_view_put(t, v);
	}
	assert_true(row == rows);
	n = trace_type_stats(t, &types);
	for (size_t i = 0; i < n; i++)
		by_type += types[i].c.events;
	mem_free(types);
	n = trace_thread_stats(t, &threads);
	for (size_t i = 0; i < n; i++)
		by_thread += threads[i].c.events;
	mem_free(threads);
	assert_true(by_type == rows && by_thread == rows);
	return rows;
}

/* What tells the type apart; Heph has no ids of its own, and ours differ from run to run. */
static uint64_t
type_of(enum kind kind, const struct event_type *type)
{
	uint64_t	sum = 0;

	if (kind != KIND_HEPH)
		return type->metadata_id;
	for (const char *s = type->name; *s != '\0'; s++)
		sum = sum * 31 + (unsigned char)*s;
	return sum;
}

/*
 * Where the event ends in the file: in V3 a stack is behind the payload, and up to three bytes of
 * padding belong to the events of V3 and to the uncompressed ones of V4.
 */
static struct seen
see(struct trace *t, enum kind kind, const struct event *e, uint64_t tid)
{
	struct seen	s = { .off = e->off, .tid = tid, .ts = e->ts, .size = e->size,
			    .mid = type_of(kind, trace_type(t, e->type)), .seq = e->seq };

	s.most = e->off + e->size + (kind == KIND_V3 ? 4 + e->stack : 0);
	s.least = s.most + (kind == KIND_V3 || kind == KIND_V4 ? 3 : 0);
	return s;
}

static size_t
walk_file(struct trace *t, enum kind kind, struct seen **out)
{
	struct file_pos	 pos = { { 0 } };
	struct event	 ev[256];
	struct seen	*seen = NULL;
	struct thread_stat of = { .thread = UINT32_MAX };
	size_t		 n = 0, cap = 0;
	int		 got;

	for (got = trace_file_next(t, &pos, ev, 256); got > 0;
	    got = trace_file_next(t, &pos, ev, 256)) {
		seen = mem_grow(seen, &cap, n + (size_t)got, sizeof *seen);
		for (int i = 0; i < got; i++) {
			if (ev[i].thread != of.thread)
				trace_thread(t, ev[i].thread, &of);
			seen[n++] = see(t, kind, &ev[i], of.tid);
		}
	}
	*out = seen;
	return n;
}

void
result_release(struct result *r)
{
	mem_free(r->seen);
	memset(r, 0, sizeof *r);
}

void
look(struct result *r, enum kind kind, const uint8_t *p, size_t len, enum depth depth)
{
	struct trace_options	 opt = { .workers = 1 };
	uint8_t			*bytes = malloc(len ? len : 1);
	struct trace		*t;
	struct finding		*f;
	struct buf		 why = { 0 };
	uint64_t		 sum = 0, rows;
	size_t			 n;

	memset(r, 0, sizeof *r);
	assert_non_null(bytes);
	memcpy(bytes, p, len);
	r->err = trace_open_memory(&t, (struct span){ bytes, len }, &opt, &why);
	if (r->err < 0) {
		assert_null(t);
		assert_true(why.len > 0);
		assert_null(strchr(buf_str(&why), '\n'));
		buf_release(&why);
		free(bytes);
		return;
	}
	buf_release(&why);
	assert_true(trace_index_wait(t, -1));
	rows = walk_rows(t, depth, &sum);
	r->n = walk_file(t, kind, &r->seen);
	assert_true(r->n == rows);
	assert_true(trace_memory(t) <= MEMORY_LEAST + 4 * len);
	r->clean = trace_clean(t);
	r->cut = trace_cut(t, &r->cut_off);
	n = diag_list(trace_diag(t), &f);
	for (size_t i = 0; i < n; i++) {
		assert_true(f[i].text && f[i].text[0] && !strchr(f[i].text, '\n'));
		assert_true(f[i].off <= len);
		if (f[i].severity != SEV_NOTE && r->ndamage < MAX_FINDINGS)
			r->damage[r->ndamage++] = f[i].off;
	}
	mem_free(f);
	assert_int_equal(r->clean, r->ndamage == 0);
	trace_close(t);
	free(bytes);
}

bool
seen_equal(const struct seen *a, const struct seen *b, bool types)
{
	return a->off == b->off && a->ts == b->ts && a->size == b->size && a->seq == b->seq &&
	    (!types || (a->tid == b->tid && a->mid == b->mid));
}

/* ---- the blocks of each format, found without the engine */

static size_t
load_be(const uint8_t *p, unsigned n)
{
	size_t	v = 0;

	while (n-- > 0)
		v = v << 8 | *p++;
	return v;
}

static size_t
load_le(const uint8_t *p, unsigned n)
{
	size_t	v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

/* Blocks of a header with a size in it, up to the first that does not fit. */
static size_t
places_chain(const struct sample *s, size_t at, size_t head)
{
	size_t	n = 0;

	while (n < MAX_PLACES && s->len - at >= head) {
		bool	heph = s->kind == KIND_HEPH;
		size_t	size = heph ? load_be(s->p + at + 4, 4) : load_le(s->p + at, 3) + head;

		if (size < head || size > s->len - at)
			break;
		s->places[n++] = (struct place){ at, at + size, !heph &&
		    (s->p[at + 3] == V6_METADATA || s->p[at + 3] == V6_THREADS) };
		at += size;
	}
	return n;
}

static size_t
places_objects(const struct sample *s)
{
	struct nt4_place	*o = calloc(MAX_PLACES, sizeof *o);
	size_t			 n;

	assert_non_null(o);
	n = nt4_places(s->p, s->len, o, MAX_PLACES);
	for (size_t i = 0; i < n; i++)
		s->places[i] = (struct place){ (size_t)o[i].start, (size_t)o[i].end,
		    strcmp(o[i].name, "MetadataBlock") == 0 };
	free(o);
	return n;
}

static void
sample_places(struct sample *s)
{
	switch (s->kind) {
	case KIND_V6:
		s->nplaces = places_chain(s, V6_HEADER, 4);
		s->header = s->nplaces > 0 ? s->places[0].end : V6_HEADER;
		break;
	case KIND_HEPH:
		s->nplaces = places_chain(s, 0, 8);
		s->header = HEPH_HEADER;
		break;
	case KIND_V3: case KIND_V4:
		s->nplaces = places_objects(s);
		s->header = s->kind == KIND_V3 ? V3_HEADER : NT4_HEADER_LEN;
		break;
	}
}

static enum kind
sample_kind(const struct sample *s)
{
	if (s->len >= 12 && memcmp(s->p, "Nettrace", 8) == 0)
		return load_le(s->p + 8, 4) == 0 ? KIND_V6 : KIND_V4;
	return s->len > 0 && s->p[0] == 20 ? KIND_V3 : KIND_HEPH;
}

void
sample_init(struct sample *s, const char *name, uint8_t *p, size_t len)
{
	struct result	r;

	memset(s, 0, sizeof *s);
	snprintf(s->name, sizeof s->name, "%.60s", name);
	s->p = p;
	s->len = len;
	s->kind = sample_kind(s);
	look(&r, s->kind, s->p, s->len, LOOK_ALL);
	s->refused = r.err < 0;
	s->seen = r.seen;
	s->n = r.n;
	s->places = calloc(MAX_PLACES, sizeof *s->places);
	assert_non_null(s->places);
	sample_places(s);
}

static void
sample_load(struct sample *s, const char *path)
{
	FILE		*f = fopen(path, "rb");
	const char	*base = strrchr(path, '/');
	uint8_t		*p;
	long		 len;

	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	len = ftell(f);
	rewind(f);
	assert_true(len >= 0);
	p = malloc(len ? (size_t)len : 1);
	assert_non_null(p);
	assert_int_equal(fread(p, 1, (size_t)len, f), len);
	fclose(f);
	sample_init(s, base ? base + 1 : path, p, (size_t)len);
}

void
sample_release(struct sample *s)
{
	free(s->p);
	free(s->places);
	mem_free(s->seen);
}

/* ---- traces of a folder */

size_t
each_trace(const char *dir, const char *files, size_t least, size_t most,
    void (*fn)(struct sample *s))
{
	char	pattern[8192];
	glob_t	g;
	size_t	n = 0;

	snprintf(pattern, sizeof pattern, "%s/%s", dir, files);
	if (glob(pattern, 0, NULL, &g) != 0)
		return 0;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct sample	s;

		sample_load(&s, g.gl_pathv[i]);
		if (!s.refused && s.len >= least && s.len <= most) {
			fn(&s);
			n++;
		}
		sample_release(&s);
	}
	globfree(&g);
	return n;
}

