/*
 * A column of a row group to pages.
 *
 *	parts	[cells][cells][cells]			as they were made
 *	gather	has 1 1 0 1 ..   items a b a ..		values; of lists their elements
 *	codes	a 0, b 1: 0 1 0 ..			if a dictionary is worth it
 *	pages	[dictionary] [levels, items] [levels, items] ..	compressed, with bounds
 *
 * Items that were put again are at the same address: these are looked up by it, not by their bytes.
 *
 * Format: apache/parquet-format, README.md and parquet.thrift: data pages of version 1
 */
#include "out/parquet/chunk.h"

#include <string.h>
#include <zstd.h>

#include "out/parquet/encode.h"
#include "out/parquet/format.h"
#include "out/parquet/thrift.h"
#include "out/parquet/types.h"
#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/mem.h"

#define PAGE_BYTES	(1u << 20)
#define PAGE_ROWS	(32u << 10)	/* for small values: engines skip pages by their bounds */
#define LARGE_PAGE_BYTES (4u << 20)	/* where there are none */
#define DICTIONARY_BYTES (1u << 20)
#define TRIED		4096u		/* items after which a dictionary must be worth it */
/* Of zstd. Texts that differ: level 3 takes twice the time for 1 % fewer bytes. */
#define LEVEL		3
#define TEXT_LEVEL	1
#define TEXT_MATCH	7		/* shorter ones in texts are digits by chance */
#define INDEX_BYTE	256u		/* entries whose indexes are a byte */
#define PLACES		4096u		/* addresses that are remembered */

/* Where an item or a list was seen: its index in the dictionary, or of its first item. */
struct item_place {
	const uint8_t	*p;
	size_t		 len, at;
};

struct parquet_encoder {
	const struct parquet_column *column;
	size_t			 width;		/* of an item that is no text */
	bool			 texts;		/* items are texts */
	/* The column: */
	uint8_t			*has;		/* by row */
	uint32_t		*length;	/* lists: by row */
	size_t			 rows, rows_cap, lengths_cap;
	struct span		*item;		/* texts */
	struct buf		 fixed;		/* other items */
	size_t			 items, items_cap;
	/* The dictionary: */
	struct hashtable	 table;
	struct span		*entry;
	size_t			 entries, entries_cap, entry_bytes;
	uint32_t		*code;		/* by item */
	size_t			 codes, codes_cap;
	struct item_place		 place[PLACES];
	uint8_t			*seen;		/* by entry: it is on this page */
	size_t			 seen_cap;
	/* A page: */
	struct buf		 body, level, packed;
	ZSTD_CCtx		*zstd;
};

struct parquet_encoder *
parquet_encoder_new(void)
{
	struct parquet_encoder	*e = mem_zalloc(1, sizeof *e);

	e->zstd = ZSTD_createCCtx();
	if (e->zstd == NULL)
		mem_exhausted();
	return e;
}

void
parquet_encoder_free(struct parquet_encoder *e)
{
	if (e == NULL)
		return;
	ZSTD_freeCCtx(e->zstd);
	hashtable_release(&e->table);
	buf_release(&e->fixed);
	buf_release(&e->body);
	buf_release(&e->level);
	buf_release(&e->packed);
	mem_free(e->has);
	mem_free(e->length);
	mem_free(e->item);
	mem_free(e->entry);
	mem_free(e->code);
	mem_free(e->seen);
	mem_free(e);
}

void
parquet_chunk_release(struct parquet_chunk *c)
{
	buf_release(&c->bytes);
	mem_free(c->page);
	*c = (struct parquet_chunk){ .page = NULL };
}

/* ---- gathering */

static struct parquet_ref
ref_at(const struct buf *b, size_t i)
{
	const uint8_t	*p = (const uint8_t *)b->p + 8 * i;

	return (struct parquet_ref){ load_u32le(p), load_u32le(p + 4) };
}

static void
gather_has(struct parquet_encoder *e, const struct parquet_cells *c, uint32_t rows)
{
	uint8_t	*to;

	e->has = mem_grow(e->has, &e->rows_cap, e->rows + rows, sizeof *e->has);
	to = e->has + e->rows;
	if (c->has.len > 0)
		memcpy(to, c->has.p, c->n);
	else
		memset(to, c->values > 0, c->n);
	memset(to + c->n, 0, rows - c->n);
	e->rows += rows;
}

static void
add_text(struct parquet_encoder *e, const struct parquet_cells *c, struct parquet_ref ref)
{
	e->item[e->items++] = (struct span){ (const uint8_t *)c->text.p + ref.at, ref.len };
}

static void
gather_texts(struct parquet_encoder *e, const struct parquet_cells *c)
{
	e->item = mem_grow(e->item, &e->items_cap, e->items + c->values, sizeof *e->item);
	for (size_t i = 0; i < c->values; i++)
		add_text(e, c, ref_at(&c->value, i));
}

/* The items of lists, which were not gathered because a dictionary was tried first. */
static void
gather_elements(struct parquet_encoder *e, const struct parquet_cells *c)
{
	for (size_t i = 0; i < c->values; i++) {
		struct parquet_ref	list = ref_at(&c->value, i);

		if (!e->texts) {
			buf_add(&e->fixed, c->element.p + 8 * (size_t)list.at,
			    8 * (size_t)list.len);
			e->items += list.len;
			continue;
		}
		e->item = mem_grow(e->item, &e->items_cap, e->items + list.len, sizeof *e->item);
		for (uint32_t k = 0; k < list.len; k++)
			add_text(e, c, ref_at(&c->element, list.at + k));
	}
}

static void
gather_lengths(struct parquet_encoder *e, const struct parquet_cells *c, uint32_t rows)
{
	size_t	from = e->rows - rows, value = 0;

	e->length = mem_grow(e->length, &e->lengths_cap, e->rows, sizeof *e->length);
	for (size_t i = 0; i < rows; i++)
		e->length[from + i] = e->has[from + i] ? ref_at(&c->value, value++).len : 0;
}

static void
gather(struct parquet_encoder *e, struct parquet_rows *const *part, size_t n, size_t column)
{
	for (size_t i = 0; i < n; i++) {
		const struct parquet_cells	*c = &part[i]->cell[column];

		gather_has(e, c, part[i]->n);
		if (e->column->list)
			gather_lengths(e, c, part[i]->n);
		else if (e->texts)
			gather_texts(e, c);
		else
			buf_span(&e->fixed, span_of_buf(&c->value));
	}
	if (!e->column->list && !e->texts)
		e->items = e->fixed.len / e->width;
}

static struct span
item_at(const struct parquet_encoder *e, size_t i)
{
	if (e->texts)
		return e->item[i];
	return (struct span){ (const uint8_t *)e->fixed.p + i * e->width, e->width };
}

/* ---- the dictionary */

/* Is it still worth it? Items that are mostly different need none. */
static bool
is_worth(const struct parquet_encoder *e)
{
	return e->entry_bytes <= DICTIONARY_BYTES &&
	    (e->codes < TRIED || e->entries <= e->codes / 2);
}

static uint32_t
enter(struct parquet_encoder *e, struct span item)
{
	uint64_t	hash = hash_bytes(item.p, item.len);

	HASHTABLE_EACH(&e->table, hash, i)
		if (spans_equal(e->entry[*i], item))
			return *i;
	e->entry = mem_grow(e->entry, &e->entries_cap, e->entries + 1, sizeof *e->entry);
	e->entry[e->entries] = item;
	e->entry_bytes += item.len + (e->texts ? sizeof(uint32_t) : 0);
	hashtable_add(&e->table, hash, (uint32_t)e->entries);
	return (uint32_t)e->entries++;
}

static struct item_place *
place_of(struct parquet_encoder *e, const uint8_t *p)
{
	return &e->place[((uintptr_t)p ^ (uintptr_t)p >> 12) % PLACES];
}

static void
add_code(struct parquet_encoder *e, uint32_t code)
{
	e->code[e->codes++] = code;
}

static void
code_text(struct parquet_encoder *e, struct span item)
{
	struct item_place	*seen = place_of(e, item.p);

	if (seen->p != item.p || seen->len != item.len || item.len == 0)
		*seen = (struct item_place){ item.p, item.len, enter(e, item) };
	add_code(e, (uint32_t)seen->at);
}

static inline uint64_t
load_number(const uint8_t *p, size_t width)
{
	return width == 8 ? load_u64le(p) : load_u32le(p);
}

/* Whole numbers and floats: most are the one before, or one that was seen at its place. */
static bool
code_numbers(struct parquet_encoder *e)
{
	struct { uint64_t v; uint32_t code; bool used; }	seen[256] = { { .v = 0 } };

	for (size_t i = 0; i < e->items; i++) {
		uint64_t	v = load_number(item_at(e, i).p, e->width);
		size_t		at = (v ^ v >> 8 ^ v >> 32) % 256;

		if (!seen[at].used || seen[at].v != v) {
			seen[at].v = v;
			seen[at].code = enter(e, item_at(e, i));
			seen[at].used = true;
			if (!is_worth(e))
				return false;
		}
		add_code(e, seen[at].code);
	}
	return true;
}

/* False: not worth it. */
static bool
code_items(struct parquet_encoder *e)
{
	e->code = mem_grow(e->code, &e->codes_cap, e->items, sizeof *e->code);
	if (!e->texts && e->width <= sizeof(uint64_t))
		return code_numbers(e);
	for (size_t i = 0; i < e->items && is_worth(e); i++) {
		if (e->texts)
			code_text(e, e->item[i]);
		else
			add_code(e, enter(e, item_at(e, i)));
	}
	return e->codes == e->items && is_worth(e);
}

/* The items of one list. Many lists were put again: their codes are copied. */
static void
code_list(struct parquet_encoder *e, const struct parquet_cells *c, struct parquet_ref list)
{
	const uint8_t	*p = (const uint8_t *)c->element.p + 8 * (size_t)list.at;
	struct item_place	*seen = place_of(e, p);

	e->code = mem_grow(e->code, &e->codes_cap, e->codes + list.len, sizeof *e->code);
	if (seen->p == p && seen->len == list.len) {
		memcpy(e->code + e->codes, e->code + seen->at, list.len * sizeof *e->code);
		e->codes += list.len;
		return;
	}
	*seen = (struct item_place){ p, list.len, e->codes };
	for (uint32_t k = 0; k < list.len; k++) {
		struct parquet_ref	ref = ref_at(&c->element, list.at + k);
		struct span		item = { p + 8 * (size_t)k, 8 };

		if (e->texts)
			item = (struct span){ (const uint8_t *)c->text.p + ref.at, ref.len };
		add_code(e, enter(e, item));
	}
}

static bool
code_lists(struct parquet_encoder *e, struct parquet_rows *const *part, size_t n, size_t column)
{
	for (size_t i = 0; i < n; i++) {
		const struct parquet_cells	*c = &part[i]->cell[column];

		for (size_t k = 0; k < c->values; k++) {
			struct parquet_ref	list = ref_at(&c->value, k);

			if (!is_worth(e))
				return false;
			if (list.len > 0)
				code_list(e, c, list);
		}
	}
	return is_worth(e);
}

/* Parquet.Net reads no times that are deltas. */
static bool
may_be_deltas(const struct parquet_encoder *e)
{
	return !e->column->list && parquet_is_whole(e->column->type) &&
	    e->column->type != PARQUET_TIME;
}

/* Differences of whole numbers may be shorter than indexes; those of a byte compress better. */
static bool
is_shorter_as_deltas(struct parquet_encoder *e)
{
	size_t	codes, deltas;

	if (!may_be_deltas(e) || e->entries <= INDEX_BYTE)
		return false;
	buf_clear(&e->body);
	encode_codes(&e->body, e->code, e->items, e->entries);
	codes = e->body.len + e->entry_bytes;
	buf_clear(&e->body);
	encode_delta(&e->body, (const uint8_t *)e->fixed.p, e->items, e->width);
	deltas = e->body.len;
	buf_clear(&e->body);
	return deltas < codes;
}

/* ---- bounds */

/* What makes a whole number one without sign, in the order of its type. */
static uint64_t
sign_of(enum parquet_type type)
{
	const struct parquet_type_def	*d = &parquet_types[type];

	return d->is_signed ? UINT64_C(1) << (d->width * 8 - 1) : 0;
}

static double
real_of(enum parquet_type type, const uint8_t *p)
{
	double	v;
	float	f;

	if (type == PARQUET_F64) {
		memcpy(&v, p, sizeof v);
		return v;
	}
	memcpy(&f, p, sizeof f);
	return (double)f;
}

static int
compare(enum parquet_type type, struct span a, struct span b)
{
	if (parquet_is_whole(type)) {
		uint64_t	sign = sign_of(type), x = load_number(a.p, a.len) ^ sign;
		uint64_t	y = load_number(b.p, b.len) ^ sign;

		return (x > y) - (x < y);
	}
	if (type == PARQUET_F64 || type == PARQUET_F32) {
		double	x = real_of(type, a.p), y = real_of(type, b.p);

		return (x > y) - (x < y);
	}
	return spans_compare(a, b);
}

/* The least and the greatest of some items; both are empty at first. */
struct extremes {
	struct span	min, max;
	bool		any;
};

static void
extremes_add(struct extremes *x, enum parquet_type type, struct span item)
{
	if (!x->any || compare(type, item, x->min) < 0)
		x->min = item;
	if (!x->any || compare(type, item, x->max) > 0)
		x->max = item;
	x->any = true;
}

/* Zeroes have a sign that comparisons do not see: the bounds include both. */
static void
widen_zero(enum parquet_type type, struct parquet_bounds *b)
{
	size_t		width = parquet_width(type);
	struct span	zero = { (const uint8_t[8]){ 0 }, width };

	if (type != PARQUET_F32 && type != PARQUET_F64)
		return;
	if (compare(type, (struct span){ b->min, width }, zero) == 0) {
		memset(b->min, 0, width);
		b->min[width - 1] = 0x80;
	}
	if (compare(type, (struct span){ b->max, width }, zero) == 0)
		memset(b->max, 0, width);
}

static void
bounds_set(struct parquet_bounds *b, enum parquet_type type, const struct extremes *x)
{
	*b = (struct parquet_bounds){ .known = x->any && x->min.len <= sizeof b->min &&
	    x->max.len <= sizeof b->max };
	if (!b->known)
		return;
	b->min_len = (uint8_t)x->min.len;
	b->max_len = (uint8_t)x->max.len;
	if (b->min_len > 0)
		memcpy(b->min, x->min.p, x->min.len);
	if (b->max_len > 0)
		memcpy(b->max, x->max.p, x->max.len);
	widen_zero(type, b);
}

/* Whole numbers: the least and the greatest by index, without a call for each. */
static void
whole_extremes(const struct parquet_encoder *e, size_t from, size_t to, struct extremes *x)
{
	const uint8_t	*p = (const uint8_t *)e->fixed.p;
	uint64_t	 sign = sign_of(e->column->type), least, most;
	size_t		 min = from, max = from;

	if (from == to)
		return;
	least = most = load_number(p + from * e->width, e->width) ^ sign;
	for (size_t i = from; i < to; i++) {
		uint64_t	v = load_number(p + i * e->width, e->width) ^ sign;

		if (v < least) {
			least = v;
			min = i;
		} else if (v > most) {
			most = v;
			max = i;
		}
	}
	*x = (struct extremes){ item_at(e, min), item_at(e, max), true };
}

/* Lists and JSON have none. */
static bool
has_bounds(const struct parquet_column *c)
{
	return !c->list && c->type != PARQUET_JSON;
}

/* The bounds of items, by the dictionary's entries among them. */
static void
page_bounds(struct parquet_encoder *e, size_t from, size_t to, struct parquet_bounds *b)
{
	enum parquet_type	type = e->column->type;
	struct extremes		x = { .any = false };

	*b = (struct parquet_bounds){ .known = false };
	if (!has_bounds(e->column))
		return;
	if (e->entries > 0) {
		e->seen = mem_grow(e->seen, &e->seen_cap, e->entries, 1);
		memset(e->seen, 0, e->entries);
		for (size_t i = from; i < to; i++)
			e->seen[e->code[i]] = 1;
		for (size_t i = 0; i < e->entries; i++)
			if (e->seen[i])
				extremes_add(&x, type, e->entry[i]);
	} else if (parquet_is_whole(type)) {
		whole_extremes(e, from, to, &x);
	} else {
		for (size_t i = from; i < to; i++)
			extremes_add(&x, type, item_at(e, i));
	}
	bounds_set(b, type, &x);
}

/* Those of the chunk: unknown, if those of a page with values are. */
static void
chunk_bounds(struct parquet_chunk *c, enum parquet_type type)
{
	struct extremes	x = { .any = false };

	for (size_t i = 0; i < c->pages; i++) {
		const struct parquet_page	*p = &c->page[i];

		if (p->nulls == p->rows)
			continue;
		if (!p->bounds.known)
			return;
		extremes_add(&x, type, (struct span){ p->bounds.min, p->bounds.min_len });
		extremes_add(&x, type, (struct span){ p->bounds.max, p->bounds.max_len });
	}
	bounds_set(&c->bounds, type, &x);
}

/* ---- pages */

/* Of the pages of a chunk. */
static void
set_level(struct parquet_encoder *e, int encoding)
{
	bool	texts = encoding == ENCODING_DELTA_BYTE_ARRAY;

	(void)ZSTD_CCtx_setParameter(e->zstd, ZSTD_c_compressionLevel,
	    texts ? TEXT_LEVEL : LEVEL);
	(void)ZSTD_CCtx_setParameter(e->zstd, ZSTD_c_minMatch, texts ? TEXT_MATCH : 0);
}

static void
put_page(struct parquet_encoder *e, struct parquet_chunk *c, bool dictionary, size_t values,
    int encoding)
{
	size_t		room = ZSTD_compressBound(e->body.len), len;
	struct thrift	t;
	size_t		at = c->bytes.len;

	len = ZSTD_compress2(e->zstd, buf_room(&e->packed, room), room, buf_str(&e->body),
	    e->body.len);
	if (ZSTD_isError(len))
		mem_exhausted();	/* there is no other reason */
	thrift_begin(&t, &c->bytes);
	thrift_i32(&t, 1, dictionary ? PAGE_DICTIONARY : PAGE_DATA);
	thrift_i32(&t, 2, (int32_t)e->body.len);
	thrift_i32(&t, 3, (int32_t)len);
	thrift_open(&t, dictionary ? 7 : 5);
	thrift_i32(&t, 1, (int32_t)values);
	thrift_i32(&t, 2, encoding);
	if (!dictionary) {
		thrift_i32(&t, 3, ENCODING_RLE);
		thrift_i32(&t, 4, ENCODING_RLE);
	}
	thrift_close(&t);
	thrift_close(&t);
	c->raw += c->bytes.len - at + e->body.len;
	buf_add(&c->bytes, e->packed.p, len);
}

static void
put_plain(struct parquet_encoder *e, struct span item)
{
	if (e->texts)
		buf_le(&e->body, item.len, sizeof(uint32_t));
	buf_span(&e->body, item);
}

static void
put_dictionary(struct parquet_encoder *e, struct parquet_chunk *c)
{
	buf_clear(&e->body);
	for (size_t i = 0; i < e->entries; i++)
		put_plain(e, e->entry[i]);
	put_page(e, c, true, e->entries, ENCODING_PLAIN);
	c->data = c->bytes.len;
}

static void
put_items(struct parquet_encoder *e, int encoding, size_t from, size_t to)
{
	const uint8_t	*fixed = (const uint8_t *)e->fixed.p + (e->texts ? 0 : from * e->width);

	if (encoding == ENCODING_RLE_DICTIONARY)
		encode_codes(&e->body, e->code + from, to - from, e->entries);
	else if (encoding == ENCODING_DELTA_BINARY_PACKED)
		encode_delta(&e->body, fixed, to - from, e->width);
	else if (e->column->type == PARQUET_BOOL)
		encode_bools(&e->body, fixed, to - from);
	else if (encoding == ENCODING_DELTA_BYTE_ARRAY)
		encode_texts(&e->body, e->item + from, to - from, &e->level);
	else if (!e->texts)
		buf_add(&e->body, fixed, (to - from) * e->width);
	else
		for (size_t i = from; i < to; i++)
			put_plain(e, e->item[i]);
}

/* How many items these rows have. */
static size_t
count_items(const struct parquet_encoder *e, size_t from, size_t to)
{
	size_t	n = 0;

	for (size_t i = from; i < to; i++)
		n += e->column->list ? e->length[i] : e->has[i];
	return n;
}

/* The row after the page that begins with this row and item. */
static size_t
page_end(const struct parquet_encoder *e, size_t row, size_t item)
{
	bool	bounds = has_bounds(e->column), lists = e->column->list;
	bool	texts = e->texts && e->entries == 0;
	size_t	end = e->rows, bytes = 0;

	if (bounds && end - row > PAGE_ROWS)
		end = row + PAGE_ROWS;
	if (!lists && !texts)
		return end;
	for (; row < end && bytes < (bounds ? PAGE_BYTES : LARGE_PAGE_BYTES); row++) {
		size_t	n = lists ? e->length[row] : e->has[row];

		for (size_t i = 0; texts && i < n; i++)
			bytes += e->item[item + i].len + sizeof(uint32_t);
		bytes += texts ? 0 : n * (e->entries > 0 ? sizeof(uint16_t) : e->width);
		item += n;
	}
	return row;
}

/* A page of rows from `row` on, whose first item is *item. Returns the row after it. */
static size_t
put_rows(struct parquet_encoder *e, struct parquet_chunk *c, size_t row, size_t *item)
{
	size_t			 end = page_end(e, row, *item), from = *item, levels = end - row;
	struct parquet_page	*p;

	*item += count_items(e, row, end);
	buf_clear(&e->body);
	if (e->column->list)
		levels = encode_list_levels(&e->body, e->length + row, e->has + row, levels);
	else if (!e->column->required)
		encode_levels(&e->body, e->has + row, levels);
	put_items(e, c->encoding, from, *item);
	c->page = mem_grow(c->page, &c->cap, c->pages + 1, sizeof *c->page);
	p = &c->page[c->pages++];
	*p = (struct parquet_page){ .at = c->bytes.len, .first = (uint32_t)row,
	    .rows = (uint32_t)(end - row), .nulls = levels - (*item - from) };
	page_bounds(e, from, *item, &p->bounds);
	put_page(e, c, false, levels, c->encoding);
	p->len = c->bytes.len - p->at;
	c->levels += levels;
	c->nulls += p->nulls;
	return end;
}

/* ---- the whole */

static void
encoder_clear(struct parquet_encoder *e, const struct parquet_column *column)
{
	e->column = column;
	e->texts = parquet_is_text(column->type);
	e->width = column->list ? 8 : parquet_width(column->type);
	e->rows = e->items = e->entries = e->entry_bytes = e->codes = 0;
	buf_clear(&e->fixed);
	hashtable_clear(&e->table);
	memset(e->place, 0, sizeof e->place);
}

static int
plain_encoding(const struct parquet_encoder *e)
{
	if (e->items == 0)
		return ENCODING_PLAIN;
	if (e->texts && !e->column->list)
		return ENCODING_DELTA_BYTE_ARRAY;
	return may_be_deltas(e) ? ENCODING_DELTA_BINARY_PACKED : ENCODING_PLAIN;
}

/* Choose the encoding: make the dictionary, and give it up if it is not worth it. */
static int
choose(struct parquet_encoder *e, struct parquet_rows *const *part, size_t n, size_t column)
{
	bool	worth = e->column->list ? code_lists(e, part, n, column) :
		    e->column->type != PARQUET_BOOL && code_items(e);

	if (worth && e->entries > 0 && !is_shorter_as_deltas(e))
		return ENCODING_RLE_DICTIONARY;
	e->entries = 0;
	for (size_t i = 0; e->column->list && i < n; i++)
		gather_elements(e, &part[i]->cell[column]);
	return plain_encoding(e);
}

void
parquet_encode(struct parquet_encoder *e, struct parquet_rows *const *part, size_t n,
    size_t column, struct parquet_chunk *out)
{
	size_t	item = 0;

	encoder_clear(e, part[0]->cell[column].column);
	gather(e, part, n, column);
	out->encoding = choose(e, part, n, column);
	set_level(e, out->encoding);
	if (out->encoding == ENCODING_RLE_DICTIONARY)
		put_dictionary(e, out);
	for (size_t row = 0; row < e->rows; )
		row = put_rows(e, out, row, &item);
	chunk_bounds(out, e->column->type);
}
