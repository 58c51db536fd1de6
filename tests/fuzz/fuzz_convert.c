/*
 * Fuzz target: a trace of any format through every encoder of convert, and its events as Parquet.
 * What they write is read by strict readers, which share nothing with them: JSON, messages of
 * protocol buffers, pages of Parquet. Corpus: tests/fuzz/corpus/convert.
 */
#include "fuzz.h"
#include "fuzz_trace.h"

#include <string.h>
#include <zstd.h>

#include "tnav/analysis/calltree.h"
#include "tnav/analysis/symbols.h"
#include "tnav/base/err.h"
#include "tnav/base/num.h"
#include "out/parquet/events.h"
#include "tnav/out/convert.h"

#define NESTED_MOST	200u

struct in {
	const uint8_t	*p, *end;
	unsigned	 depth;
};

/* NULL has no bytes, and nothing may be added to it. */
static struct in
in_of(struct span s)
{
	const uint8_t	*p = s.len > 0 ? s.p : (const uint8_t *)"";

	return (struct in){ p, p + s.len, 0 };
}

static size_t
left(const struct in *in)
{
	return (size_t)(in->end - in->p);
}

static uint8_t
take(struct in *in)
{
	check(in->p < in->end);
	return *in->p++;
}

static struct in
part(struct in *in, uint64_t len)
{
	struct in	of = { in->p, in->p + len, in->depth + 1 };

	check(len <= left(in) && of.depth < NESTED_MOST);
	in->p += len;
	return of;
}

static uint64_t
varint(struct in *in)
{
	uint64_t	v = 0;

	for (unsigned shift = 0; shift < 70; shift += 7) {
		uint8_t	b = take(in);

		v |= shift < 64 ? (uint64_t)(b & 0x7f) << shift : 0;
		if (b < 0x80)
			return v;
	}
	abort();
}

/* ---- texts */

/* One character: no overlong form, no surrogate, nothing beyond U+10FFFF. */
static void
utf8_char(struct in *in)
{
	uint8_t		b = take(in);
	unsigned	more = b < 0x80 ? 0 : b < 0xe0 ? 1 : b < 0xf0 ? 2 : 3;
	uint32_t	c = more == 0 ? b : b & (0x3fu >> more), least[] = { 0, 0x80, 0x800, 0x10000 };

	check(b < 0x80 || (b >= 0xc2 && b <= 0xf4));
	for (unsigned i = 0; i < more; i++) {
		uint8_t	next = take(in);

		check((next & 0xc0) == 0x80);
		c = c << 6 | (next & 0x3f);
	}
	check(c >= least[more] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff));
}

static void
utf8(struct in in)
{
	while (in.p < in.end)
		utf8_char(&in);
}

/* ---- JSON */

static void	json_any(struct in *in);

static void
blanks(struct in *in)
{
	while (in->p < in->end && (*in->p == ' ' || *in->p == '\n'))
		in->p++;
}

static bool
accept(struct in *in, char c)
{
	blanks(in);
	if (in->p == in->end || *in->p != (uint8_t)c)
		return false;
	in->p++;
	return true;
}

static void
json_text(struct in *in)
{
	check(accept(in, '"'));
	while (in->p < in->end && *in->p != '"') {
		check(*in->p >= 0x20);
		if (*in->p != '\\') {
			utf8_char(in);
			continue;
		}
		in->p++;
		if (take(in) == 'u')
			for (unsigned i = 0; i < 4; i++)
				check(hex_value((char)take(in)) >= 0);
		else
			check(strchr("\"\\/bfnrt", in->p[-1]) != NULL);
	}
	check(take(in) == '"');
}

static void
json_number(struct in *in)
{
	char	text[64], *end;
	size_t	n = 0;

	while (in->p < in->end && strchr("+-.0123456789eE", *in->p) != NULL && *in->p != '\0') {
		check(n < sizeof text - 1);
		text[n++] = (char)*in->p++;
	}
	text[n] = '\0';
	check(n > 0 && strtod(text, &end) - strtod(text, &end) == 0 && *end == '\0');
	check(text[0] != '+' && text[0] != '.' && text[n - 1] != '.');
}

static void
json_members(struct in *in, char close, bool keys)
{
	check(++in->depth < NESTED_MOST);
	for (bool any = false; !accept(in, close); any = true) {
		check(!any || accept(in, ','));
		if (keys) {
			json_text(in);
			check(accept(in, ':'));
		}
		json_any(in);
	}
	in->depth--;
}

static void
json_any(struct in *in)
{
	static const char *const	words[] = { "true", "false", "null" };

	blanks(in);
	check(in->p < in->end);
	if (accept(in, '{')) {
		json_members(in, '}', true);
	} else if (accept(in, '[')) {
		json_members(in, ']', false);
	} else if (*in->p == '"') {
		json_text(in);
	} else {
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (left(in) >= strlen(words[i]) &&
			    memcmp(in->p, words[i], strlen(words[i])) == 0) {
				in->p += strlen(words[i]);
				return;
			}
		json_number(in);
	}
}

static void
read_json(struct span s)
{
	struct in	in = in_of(s);

	json_any(&in);
	blanks(&in);
	check(in.p == in.end);
}

/* ---- folded text */

static void
read_folded(struct span s)
{
	struct in	in = in_of(s);

	while (in.p < in.end) {
		const uint8_t	*nl = memchr(in.p, '\n', left(&in)), *at = nl;

		check(nl != NULL);
		while (at > in.p && is_digit((char)at[-1]))
			at--;
		check(at < nl && at > in.p && at[-1] == ' ');
		utf8((struct in){ in.p, nl, 0 });
		for (; in.p < nl; in.p++)
			check(*in.p >= 0x20);
		in.p++;
	}
}

/* ---- protocol buffers */

/* The fields of a message that are messages or texts, by the path to them. */
struct proto_field {
	unsigned			 field;
	const struct proto_field	*of;	/* NULL: a text */
};

static const struct proto_field	pprof_location[] = { { 4, (const struct proto_field[]){ { 0, NULL } } },
    { 0, NULL } };
static const struct proto_field	leaf[] = { { 0, NULL } };
static const struct proto_field	pprof_sample[] = { { 3, leaf }, { 0, NULL } };
static const struct proto_field	pprof[] = { { 1, leaf }, { 2, pprof_sample }, { 3, leaf },
    { 4, pprof_location }, { 5, leaf }, { 6, NULL }, { 11, leaf }, { 0, NULL } };
static const struct proto_field	named[] = { { 2, NULL }, { 0, NULL } };
static const struct proto_field	annotation[] = { { 9, NULL }, { 10, NULL }, { 0, NULL } };
static const struct proto_field	track_event[] = { { 4, annotation }, { 0, NULL } };
static const struct proto_field	data[] = { { 1, named }, { 2, named }, { 0, NULL } };
static const struct proto_field	process[] = { { 6, NULL }, { 0, NULL } };
static const struct proto_field	thread[] = { { 5, NULL }, { 0, NULL } };
static const struct proto_field	track[] = { { 2, NULL }, { 3, process }, { 4, thread }, { 0, NULL } };
static const struct proto_field	packet[] = { { 11, track_event }, { 12, data }, { 60, track },
    { 0, NULL } };
static const struct proto_field	perfetto[] = { { 1, packet }, { 0, NULL } };

static void
read_message(struct in in, const struct proto_field *f)
{
	while (in.p < in.end) {
		uint64_t			 key = varint(&in);
		const struct proto_field	*of = f;
		struct in			 inner;

		check(key >> 3 > 0);
		while (of->field != 0 && of->field != key >> 3)
			of++;
		switch (key & 7) {
		case 0:
			(void)varint(&in);
			break;
		case 1:
			(void)part(&in, 8);
			break;
		case 2:
			inner = part(&in, varint(&in));
			if (of->field != 0 && of->of != NULL)
				read_message(inner, of->of);
			else if (of->field != 0)
				utf8(inner);
			break;
		default:
			abort();
		}
	}
}

/* ---- Parquet */

static int64_t
zigzag(struct in *in)
{
	uint64_t	v = varint(in);

	return (int64_t)(v >> 1 ^ -(v & 1));
}

/* The next field of a struct of Thrift; 0: its end. *id is that of the last one. */
static unsigned
thrift_field(struct in *in, int64_t *id)
{
	uint8_t	b = take(in);

	if (b != 0)
		*id = b >> 4 > 0 ? *id + (b >> 4) : zigzag(in);
	return b & 15;
}

static size_t
thrift_list(struct in *in, unsigned *kind)
{
	uint8_t	b = take(in);

	*kind = b & 15;
	return b >> 4 < 15 ? b >> 4 : varint(in);
}

static void
thrift_skip(struct in *in, unsigned kind)
{
	unsigned	of;
	int64_t		id = 0;

	check(++in->depth < NESTED_MOST);
	switch (kind) {
	case 1: case 2:
		break;
	case 3:
		(void)take(in);
		break;
	case 5: case 6:
		(void)varint(in);
		break;
	case 8:
		(void)part(in, varint(in));
		break;
	case 9:
		for (size_t n = thrift_list(in, &of); n > 0; n--) {
			if (of <= 2)
				(void)take(in);
			else
				thrift_skip(in, of);
		}
		break;
	case 12:
		while ((of = thrift_field(in, &id)) != 0)
			thrift_skip(in, of);
		break;
	default:
		abort();
	}
	in->depth--;
}

/* The numbers among the fields of a struct, by id. The others are passed to `each`, or skipped. */
static void
thrift_numbers(struct in *in, int64_t *v, size_t most,
    bool (*each)(struct in *in, int64_t id, void *arg), void *arg)
{
	unsigned	kind;
	int64_t		id = 0;

	memset(v, 0, most * sizeof *v);
	while ((kind = thrift_field(in, &id)) != 0) {
		if ((kind == 5 || kind == 6) && id > 0 && (uint64_t)id < most)
			v[id] = zigzag(in);
		else if (each == NULL || !each(in, id, arg))
			thrift_skip(in, kind);
	}
}

struct parquet_in {
	struct in	file;
	uint64_t	rows;
	int64_t		values;			/* of the data page that was read last */
};

/* Its header has the number of values. */
static bool
data_page(struct in *in, int64_t id, void *arg)
{
	struct parquet_in	*f = arg;
	int64_t			 v[8];

	if (id != 5)
		return false;
	thrift_numbers(in, v, 8, NULL, NULL);
	f->values = v[1];
	return true;
}

static void
read_page(struct parquet_in *f, struct in *in)
{
	int64_t		v[8];
	struct in	packed;
	uint8_t		*to;

	f->values = 0;
	thrift_numbers(in, v, 8, data_page, f);
	check(v[2] >= 0 && v[3] > 0 && v[2] < 1 << 28);
	packed = part(in, (uint64_t)v[3]);
	to = mem_alloc((size_t)v[2] + 1);
	check(ZSTD_decompress(to, (size_t)v[2], packed.p, (size_t)v[3]) == (size_t)v[2]);
	mem_free(to);
}

/* The pages of a chunk: together they have its bytes and its values. */
static bool
read_chunk(struct in *in, int64_t id, void *arg)
{
	struct parquet_in	*f = arg;
	int64_t			 v[16], values = 0, at;
	struct in		 chunk = f->file;

	if (id != 3)
		return false;
	thrift_numbers(in, v, 16, NULL, NULL);
	at = v[11] > 0 ? v[11] : v[9];
	check(at > 0 && (uint64_t)at < left(&chunk) && v[7] > 0);
	chunk.p += at;
	chunk = part(&chunk, (uint64_t)v[7]);
	while (chunk.p < chunk.end) {
		read_page(f, &chunk);
		values += f->values;
	}
	check(values == v[5]);
	return true;
}

static bool
read_columns(struct in *in, int64_t id, void *arg)
{
	int64_t		v[16];
	unsigned	kind;

	if (id != 1)
		return false;
	for (size_t n = thrift_list(in, &kind); n > 0; n--)
		thrift_numbers(in, v, 16, read_chunk, arg);
	return true;
}

static bool
read_groups(struct in *in, int64_t id, void *arg)
{
	struct parquet_in	*f = arg;
	int64_t			 v[16];
	unsigned		 kind;

	if (id != 4)
		return false;
	for (size_t n = thrift_list(in, &kind); n > 0; n--) {
		thrift_numbers(in, v, 16, read_columns, f);
		f->rows += (uint64_t)v[3];
	}
	return true;
}

/* Returns the number of rows. */
static uint64_t
read_parquet(struct span s)
{
	struct parquet_in	f = { .file = { s.p, s.p + s.len, 0 } };
	struct in		footer;
	int64_t			v[16];
	uint32_t		len;

	check(s.len > 12 && memcmp(s.p, "PAR1", 4) == 0 && memcmp(s.p + s.len - 4, "PAR1", 4) == 0);
	len = load_u32le(s.p + s.len - 8);
	check(len <= s.len - 12);
	footer = (struct in){ s.p + s.len - 8 - len, s.p + s.len - 8, 0 };
	thrift_numbers(&footer, v, 16, read_groups, &f);
	check(footer.p == footer.end && (uint64_t)v[3] == f.rows);
	return f.rows;
}

/* ---- writing */

static struct span
written(struct output *o)
{
	return span_of_buf(output_buf(o));
}

static void
profiles(struct trace *t, const char *weight)
{
	static const struct profile_encoder *const	to[] = { &convert_folded,
	    &convert_speedscope, &convert_pprof };
	struct calltree_weight	 w;
	struct calltree_options	 o = { .weight = &w, .samples = true };
	struct pass_options	 po = { .workers = 1 };
	struct profile_totals	 totals;
	struct pass_result	 r;
	struct calltree		*c;
	struct buf		 why = { 0 };

	check(calltree_weight_init(&w, weight, &why) == 0);
	buf_release(&why);
	c = calltree_new(t, &o);
	po.order = calltree_order(c);
	po.filter = calltree_filter(c);
	(void)pass_run(t, &po, &calltree_ops, c, &r);
	calltree_settle(c);
	for (unsigned i = 0; i < 12; i++) {
		const struct profile_encoder	*x = to[i % 3];
		struct output			*out = output_on(-1);
		void				*self = encoder_new(&x->state, out, "\x80\"\n{");

		if (i < 6)
			check(calltree_profile(c, i < 3, &x->ops, self, &totals) == 0);
		else
			check(calltree_sums(c, NULL, i < 9 ? PROFILE_BYTES : PROFILE_NS,
			    i < 9 ? 3 : UINT64_MAX, &x->ops, self) == 0);
		if (x == &convert_folded)
			read_folded(written(out));
		else if (x == &convert_speedscope)
			read_json(written(out));
		else
			read_message((struct in){ written(out).p, written(out).p +
			    written(out).len, 0 }, pprof);
		encoder_free(&x->state, self);
		(void)output_close(out, false, NULL);
	}
	calltree_free(c);
	calltree_weight_release(&w);
}

static void
timelines(struct trace *t)
{
	static const struct timeline_encoder *const	to[] = { &convert_chrome,
	    &convert_perfetto };
	const struct pass_options	 o = { .filter = NULL };
	struct timeline_totals		 totals;

	for (unsigned i = 0; i < 2; i++) {
		struct output		*out = output_on(-1);
		void			*self = encoder_new(&to[i]->state, out, "\x80\"\n{");
		struct pass_result	 r = { .costly = 0 };

		check(timeline_give(t, &o, &to[i]->ops, self, &totals, &r) == ERR_OK);
		encoder_free(&to[i]->state, self);
		if (i == 0)
			read_json(written(out));
		else
			read_message((struct in){ written(out).p, written(out).p +
			    written(out).len, 0 }, perfetto);
		(void)output_close(out, false, NULL);
	}
}

/* Read the whole file, and remove it. */
static uint64_t
parquet_rows(const char *path)
{
	struct buf	b = { 0 };
	FILE		*f = fopen(path, "rb");
	size_t		 n;
	uint64_t	 rows;

	check(f != NULL);
	while ((n = fread(buf_room(&b, 1 << 16), 1, 1 << 16, f)) > 0)
		b.len += n;
	fclose(f);
	unlink(path);
	rows = read_parquet(span_of_buf(&b));
	buf_release(&b);
	return rows;
}

/* The events of a view before this row. */
static void
add_view(struct event_part *p, const struct slice_view *v, uint64_t rows)
{
	uint32_t	n = rows - v->row0 < v->n ? (uint32_t)(rows - v->row0) : v->n;
	uint32_t	*at = mem_zalloc(n + 1, sizeof *at);

	for (uint32_t i = 0; i < n; i++)
		at[i] = i;
	event_part_add(p, &(struct pass_batch){ .ev = v->ev, .at = at, .n = n, .row0 = v->row0 });
	mem_free(at);
}

static void
events(struct trace *t)
{
	char				 path[64];
	struct parquet_place		 place = { .path = path, .trace = "a \xff", .t = t,
					    .workers = 1 };
	const struct event_out_options	 opt = { .rows = true, .raw = true, .crc = true,
					    .symbols = true, .enums = true };
	struct event_file		*f;
	struct event_part		*p;
	uint64_t			 rows = trace_rows(t), row = 0;

	snprintf(path, sizeof path, "/tmp/tnav-fuzz-%ld.parquet", (long)getpid());
	f = event_file_new(&place, NULL, t, &opt, NULL);
	check(event_file_open(f, false) == ERR_OK);
	p = event_part_new(f);
	rows = rows < FUZZ_EVENTS ? rows : FUZZ_EVENTS;
	while (row < rows) {
		const struct slice_view	*v;

		check(trace_view_get(t, row, &v) == 1);
		add_view(p, v, rows);
		row = v->row0 + v->n;
		check(event_file_take(f, p, UINT64_MAX) == ERR_OK);
		trace_view_put(t, v);
	}
	event_part_free(p);
	check(event_file_end(f, true) == ERR_OK);
	check(parquet_rows(path) == rows);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const struct derive_options	 o = { .why = NULL };
	struct symbols			*s;
	struct trace			*t = fuzz_open((struct span){ bytes, size }, 1);

	if (t != NULL) {
		s = symbols_new(t, &o);
		trace_lend(t, DERIVED_SYMBOLS, s);
		profiles(t, "count");
		profiles(t, "samples");
		timelines(t);
		events(t);
		trace_lend(t, DERIVED_SYMBOLS, NULL);
		symbols_free(s);
		trace_close(t);
	}
	return 0;
}
