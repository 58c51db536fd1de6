/*
 * A file of Parquet.
 *
 *	"PAR1"  group 0: chunk chunk ..  group 1: ..  indexes of pages  footer  its length  "PAR1"
 *
 *	ring	[encoded by a job] .. [being filled] [written, for its memory] ..
 *
 *	rows -> the group that is being filled -> encoded -> written in order
 *
 * The footer has the places of all chunks. Kept of a written group are its places and its bounds,
 * not its bytes.
 *
 * Format: apache/parquet-format, parquet.thrift
 */
#include <string.h>

#include "out/parquet/chunk.h"
#include "out/parquet/format.h"
#include "out/parquet/thrift.h"
#include "out/parquet/types.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"

#ifndef PACKAGE_VERSION		/* normally set by the build */
#define PACKAGE_VERSION	"0"
#endif

#define MAGIC		"PAR1"
#define MAGIC_LEN	4u
#define GROUP_ROWS	(128u << 10)
#define GROUP_BYTES	(128u << 20)	/* ... if its rows are long */
#define FORMAT_VERSION	2		/* of the format: it has logical types */

/* A row group: its rows, then its chunks. What was written is empty again. */
struct row_group {
	const struct parquet_file *file;
	struct parquet_rows	**part;
	size_t			  parts, cap, bytes;
	uint64_t		  rows;
	struct parquet_chunk	 *chunk;	/* by column */
	struct parquet_encoder	 *encoder;	/* or NULL */
	struct job		 *job;
};

/* Where a chunk is in the file, with its index of pages. */
struct written_chunk {
	uint64_t		 at, bytes, column_index, offset_index;
	uint32_t		 column_index_len, offset_index_len;
	struct parquet_chunk	 chunk;		/* its bytes are gone */
};

struct written_group {
	uint64_t		 at, rows;
	struct written_chunk	*chunk;
};

struct parquet_file {
	struct output		*o;
	const struct parquet_column *column;
	size_t			 columns;
	struct parquet_options	 opt;
	uint64_t		 at;		/* bytes written */
	struct row_group	**ring;
	size_t			 busy, made;	/* being encoded, from the oldest on; all */
	size_t			 room;		/* for busy ones */
	struct parquet_rows	*spare;
	struct written_group	*group;
	size_t			 groups, cap;
};

/* ---- groups */

static void
group_free(struct row_group *g)
{
	if (g == NULL)
		return;
	job_join(g->job);
	for (size_t i = 0; i < g->parts; i++)
		parquet_rows_free(g->part[i]);
	for (size_t i = 0; i < g->file->columns; i++)
		parquet_chunk_release(&g->chunk[i]);
	parquet_encoder_free(g->encoder);
	mem_free(g->part);
	mem_free(g->chunk);
	mem_free(g);
}

/* The one that is being filled. */
static struct row_group *
filling_group(struct parquet_file *f)
{
	struct row_group	*g;

	if (f->busy == f->made) {
		g = f->ring[f->made++] = mem_zalloc(1, sizeof *g);
		g->file = f;
		g->chunk = mem_zalloc(f->columns, sizeof *g->chunk);
	}
	return f->ring[f->busy];
}

/* Encode all columns. Any thread. */
static void
group_encode(void *arg)
{
	struct row_group	*g = arg;

	if (g->encoder == NULL)
		g->encoder = parquet_encoder_new();
	for (size_t i = 0; i < g->file->columns; i++)
		parquet_encode(g->encoder, g->part, g->parts, i, &g->chunk[i]);
}

/* ---- memory for the next rows */

static void
spare_rows(struct parquet_file *f, struct parquet_rows *r)
{
	r->next = f->spare;
	f->spare = r;
}

struct parquet_rows *
parquet_file_rows(struct parquet_file *f)
{
	struct parquet_rows	*r = f->spare;

	if (r == NULL)
		return parquet_rows_new(f->column, f->columns);
	f->spare = r->next;
	parquet_rows_clear(r);
	return r;
}

static void
release_rows(struct parquet_file *f)
{
	while (f->spare != NULL) {
		struct parquet_rows	*r = f->spare;

		f->spare = r->next;
		parquet_rows_free(r);
	}
}

/* Its rows were written. */
static void
empty_group(struct parquet_file *f, struct row_group *g)
{
	while (g->parts > 0)
		spare_rows(f, g->part[--g->parts]);
	g->rows = g->bytes = 0;
	if (!f->opt.many)
		return;
	release_rows(f);
	parquet_encoder_free(g->encoder);
	g->encoder = NULL;
	for (size_t i = 0; i < f->columns; i++)
		buf_release(&g->chunk[i].bytes);
}

/* ---- writing groups */

static void
put(struct parquet_file *f, const void *p, size_t len)
{
	buf_add(output_buf(f->o), p, len);
	f->at += len;
}

static void
write_chunk(struct parquet_file *f, struct parquet_chunk *c, struct written_chunk *w)
{
	w->at = f->at;
	w->bytes = c->bytes.len;
	put(f, c->bytes.p, c->bytes.len);
	buf_clear(&c->bytes);
	w->chunk = *c;
	w->chunk.bytes = (struct buf){ 0 };
	*c = (struct parquet_chunk){ .bytes = c->bytes };
}

/* Write the oldest group when it is encoded. */
static int
write_oldest(struct parquet_file *f)
{
	struct row_group	*g = f->ring[0];
	struct written_group	*w;
	int			 err = ERR_OK;

	job_join(g->job);
	g->job = NULL;
	f->group = mem_grow(f->group, &f->cap, f->groups + 1, sizeof *f->group);
	w = &f->group[f->groups++];
	*w = (struct written_group){ .at = f->at, .rows = g->rows,
	    .chunk = mem_zalloc(f->columns, sizeof *w->chunk) };
	for (size_t i = 0; i < f->columns; i++) {
		write_chunk(f, &g->chunk[i], &w->chunk[i]);
		err = output_step(f->o);
	}
	f->busy--;
	memmove(f->ring, f->ring + 1, (f->made - 1) * sizeof *f->ring);
	f->ring[f->made - 1] = g;
	empty_group(f, g);
	return err;
}

/* Let a thread encode the group that was filled. */
static int
start_group(struct parquet_file *f)
{
	int			 err = f->busy == f->room ? write_oldest(f) : ERR_OK;
	struct row_group	*g = f->ring[f->busy++];

	g->job = job_start(group_encode, g);
	if (g->job == NULL)
		group_encode(g);
	return err;
}

struct parquet_file *
parquet_file_new(struct output *o, const struct parquet_column *columns, size_t n,
    const struct parquet_options *opt)
{
	struct parquet_file	*f = mem_zalloc(1, sizeof *f);

	f->o = o;
	f->column = columns;
	f->columns = n;
	f->opt = *opt;
	f->room = opt->workers > 0 ? opt->workers : 1;
	f->ring = mem_zalloc(f->room + 1, sizeof *f->ring);
	put(f, MAGIC, MAGIC_LEN);
	return f;
}

int
parquet_file_add(struct parquet_file *f, struct parquet_rows *r)
{
	struct row_group	*g;

	if (r->n == 0) {
		spare_rows(f, r);
		return ERR_OK;
	}
	g = filling_group(f);
	ARRAY_ADD(g->part, g->parts, g->cap, r);
	g->rows += r->n;
	g->bytes += parquet_rows_bytes(r);
	return g->rows < GROUP_ROWS && g->bytes < GROUP_BYTES ? ERR_OK : start_group(f);
}

size_t
parquet_file_bytes(const struct parquet_file *f)
{
	return f->busy < f->made ? f->ring[f->busy]->bytes : 0;
}

int
parquet_file_flush(struct parquet_file *f)
{
	bool	any = f->busy < f->made && f->ring[f->busy]->rows > 0;
	int	err = any ? start_group(f) : ERR_OK;

	while (f->busy > 0)
		err = write_oldest(f) < 0 ? ERR_IO : err;
	return err;
}

void
parquet_file_drop(struct parquet_file *f)
{
	if (f == NULL)
		return;
	release_rows(f);
	while (f->made > 0)
		group_free(f->ring[--f->made]);
	for (size_t i = 0; i < f->groups; i++) {
		for (size_t k = 0; k < f->columns; k++)
			parquet_chunk_release(&f->group[i].chunk[k].chunk);
		mem_free(f->group[i].chunk);
	}
	mem_free(f->group);
	mem_free(f->ring);
	mem_free(f);
}

/* ---- the indexes of pages */

/* Are the bounds of all pages known, or is there nothing to know? */
static bool
has_column_index(const struct parquet_chunk *c)
{
	for (size_t i = 0; i < c->pages; i++)
		if (!c->page[i].bounds.known && c->page[i].nulls < c->page[i].rows)
			return false;
	return true;
}

static void
put_column_index(struct buf *out, const struct parquet_chunk *c, bool ascending)
{
	struct thrift	t;

	thrift_begin(&t, out);
	thrift_list(&t, 1, THRIFT_TRUE, c->pages);
	for (size_t i = 0; i < c->pages; i++)
		thrift_put_bool(&t, !c->page[i].bounds.known);
	for (int id = 2; id <= 3; id++) {
		thrift_list(&t, id, THRIFT_BINARY, c->pages);
		for (size_t i = 0; i < c->pages; i++) {
			const struct parquet_bounds	*b = &c->page[i].bounds;

			thrift_put_binary(&t, id == 2 ? (struct span){ b->min, b->min_len } :
			    (struct span){ b->max, b->max_len });
		}
	}
	thrift_i32(&t, 4, ascending ? ORDER_ASCENDING : ORDER_UNORDERED);
	thrift_list(&t, 5, THRIFT_I64, c->pages);
	for (size_t i = 0; i < c->pages; i++)
		thrift_put_int(&t, (int64_t)c->page[i].nulls);
	thrift_close(&t);
}

static void
put_offset_index(struct buf *out, const struct written_chunk *w)
{
	struct thrift	t;

	thrift_begin(&t, out);
	thrift_list(&t, 1, THRIFT_STRUCT, w->chunk.pages);
	for (size_t i = 0; i < w->chunk.pages; i++) {
		const struct parquet_page	*p = &w->chunk.page[i];

		thrift_element(&t);
		thrift_i64(&t, 1, (int64_t)(w->at + p->at));
		thrift_i32(&t, 2, (int32_t)p->len);
		thrift_i64(&t, 3, p->first);
		thrift_close(&t);
	}
	thrift_close(&t);
}

static void
write_index(struct parquet_file *f, struct written_chunk *w, size_t column, bool offsets)
{
	struct buf	b = { 0 };

	if (offsets) {
		put_offset_index(&b, w);
		w->offset_index = f->at;
		w->offset_index_len = (uint32_t)b.len;
	} else if (has_column_index(&w->chunk)) {
		put_column_index(&b, &w->chunk, f->opt.sorted == (int)column);
		w->column_index = f->at;
		w->column_index_len = (uint32_t)b.len;
	}
	put(f, b.p, b.len);
	buf_release(&b);
}

/* All column indexes, then all offset indexes. */
static void
write_indexes(struct parquet_file *f)
{
	for (unsigned offsets = 0; offsets < 2; offsets++)
		for (size_t i = 0; i < f->groups; i++)
			for (size_t k = 0; k < f->columns; k++)
				write_index(f, &f->group[i].chunk[k], k, offsets == 1);
}

/* ---- the footer */

static void
put_logical(struct thrift *t, enum parquet_type type)
{
	const struct parquet_type_def	*d = &parquet_types[type];

	if (type == PARQUET_BOOL || type == PARQUET_F32 || type == PARQUET_F64 ||
	    type == PARQUET_BYTES)
		return;
	thrift_open(t, 10);
	if (d->bits > 0) {
		thrift_open(t, LOGICAL_INTEGER);
		thrift_byte(t, 1, (int8_t)d->bits);
		thrift_bool(t, 2, d->is_signed);
	} else if (type == PARQUET_TIME) {
		thrift_open(t, LOGICAL_TIMESTAMP);
		thrift_bool(t, 1, true);
		thrift_open(t, 2);
		thrift_open(t, UNIT_NANOS);
		thrift_close(t);
		thrift_close(t);
	} else {
		thrift_open(t, type == PARQUET_TEXT ? LOGICAL_STRING :
		    type == PARQUET_JSON ? LOGICAL_JSON : LOGICAL_UUID);
	}
	thrift_close(t);
	thrift_close(t);
}

static void
put_leaf(struct thrift *t, const char *name, enum parquet_type type, int repeat)
{
	const struct parquet_type_def	*d = &parquet_types[type];

	thrift_element(t);
	thrift_i32(t, 1, (int32_t)d->physical);
	if (d->physical == PHYSICAL_FIXED)
		thrift_i32(t, 2, d->width);
	thrift_i32(t, 3, repeat);
	thrift_binary(t, 4, span_of(name));
	if (d->converted >= 0)
		thrift_i32(t, 6, d->converted);
	put_logical(t, type);
	thrift_close(t);
}

/* optional group NAME (LIST) { repeated group list { required element } } */
static void
put_list_schema(struct thrift *t, const struct parquet_column *c)
{
	thrift_element(t);
	thrift_i32(t, 3, REPEAT_OPTIONAL);
	thrift_binary(t, 4, span_of(c->name));
	thrift_i32(t, 5, 1);
	thrift_i32(t, 6, CONVERTED_LIST);
	thrift_open(t, 10);
	thrift_open(t, LOGICAL_LIST);
	thrift_close(t);
	thrift_close(t);
	thrift_close(t);
	thrift_element(t);
	thrift_i32(t, 3, REPEAT_REPEATED);
	thrift_binary(t, 4, span_of("list"));
	thrift_i32(t, 5, 1);
	thrift_close(t);
	put_leaf(t, "element", c->type, REPEAT_REQUIRED);
}

static void
put_schema(struct thrift *t, const struct parquet_file *f)
{
	size_t	n = 1;

	for (size_t i = 0; i < f->columns; i++)
		n += f->column[i].list ? 3 : 1;
	thrift_list(t, 2, THRIFT_STRUCT, n);
	thrift_element(t);
	thrift_binary(t, 4, span_of("schema"));
	thrift_i32(t, 5, (int32_t)f->columns);
	thrift_close(t);
	for (size_t i = 0; i < f->columns; i++) {
		const struct parquet_column	*c = &f->column[i];

		if (c->list)
			put_list_schema(t, c);
		else
			put_leaf(t, c->name, c->type,
			    c->required ? REPEAT_REQUIRED : REPEAT_OPTIONAL);
	}
}

static void
put_statistics(struct thrift *t, const struct parquet_chunk *c)
{
	const struct parquet_bounds	*b = &c->bounds;

	thrift_open(t, 12);
	thrift_i64(t, 3, (int64_t)c->nulls);
	if (b->known) {
		thrift_binary(t, 5, (struct span){ b->max, b->max_len });
		thrift_binary(t, 6, (struct span){ b->min, b->min_len });
		thrift_bool(t, 7, true);
		thrift_bool(t, 8, true);
	}
	thrift_close(t);
}

static void
put_chunk_meta(struct thrift *t, const struct parquet_column *column,
    const struct written_chunk *w)
{
	const struct parquet_chunk	*c = &w->chunk;
	bool				 dictionary = c->data > 0;

	thrift_open(t, 3);
	thrift_i32(t, 1, (int32_t)parquet_types[column->type].physical);
	thrift_list(t, 2, THRIFT_I32, dictionary ? 3 : 2);
	if (dictionary)
		thrift_put_int(t, ENCODING_PLAIN);
	thrift_put_int(t, ENCODING_RLE);
	thrift_put_int(t, c->encoding);
	thrift_list(t, 3, THRIFT_BINARY, column->list ? 3 : 1);
	thrift_put_binary(t, span_of(column->name));
	if (column->list) {
		thrift_put_binary(t, span_of("list"));
		thrift_put_binary(t, span_of("element"));
	}
	thrift_i32(t, 4, CODEC_ZSTD);
	thrift_i64(t, 5, (int64_t)c->levels);
	thrift_i64(t, 6, (int64_t)c->raw);
	thrift_i64(t, 7, (int64_t)w->bytes);
	thrift_i64(t, 9, (int64_t)(w->at + c->data));
	if (dictionary)
		thrift_i64(t, 11, (int64_t)w->at);
	put_statistics(t, c);
	thrift_close(t);
}

static void
put_chunk(struct thrift *t, const struct parquet_column *column, const struct written_chunk *w)
{
	thrift_element(t);
	thrift_i64(t, 2, (int64_t)w->at);
	put_chunk_meta(t, column, w);
	thrift_i64(t, 4, (int64_t)w->offset_index);
	thrift_i32(t, 5, (int32_t)w->offset_index_len);
	if (w->column_index_len > 0) {
		thrift_i64(t, 6, (int64_t)w->column_index);
		thrift_i32(t, 7, (int32_t)w->column_index_len);
	}
	thrift_close(t);
}

/* The number of the leaf: a list is one leaf, too. */
static void
put_sorting(struct thrift *t, int column)
{
	thrift_list(t, 4, THRIFT_STRUCT, 1);
	thrift_element(t);
	thrift_i32(t, 1, column);
	thrift_bool(t, 2, false);
	thrift_bool(t, 3, false);
	thrift_close(t);
}

static void
put_group(struct thrift *t, const struct parquet_file *f, size_t group)
{
	const struct written_group	*g = &f->group[group];
	uint64_t			 raw = 0, bytes = 0;

	thrift_element(t);
	thrift_list(t, 1, THRIFT_STRUCT, f->columns);
	for (size_t i = 0; i < f->columns; i++) {
		put_chunk(t, &f->column[i], &g->chunk[i]);
		raw += g->chunk[i].chunk.raw;
		bytes += g->chunk[i].bytes;
	}
	thrift_i64(t, 2, (int64_t)raw);
	thrift_i64(t, 3, (int64_t)g->rows);
	if (f->opt.sorted >= 0)
		put_sorting(t, f->opt.sorted);
	thrift_i64(t, 5, (int64_t)g->at);
	thrift_i64(t, 6, (int64_t)bytes);
	thrift_close(t);
}

static void
put_keys(struct thrift *t, const struct parquet_options *opt)
{
	if (opt->nkeys == 0)
		return;
	thrift_list(t, 5, THRIFT_STRUCT, opt->nkeys);
	for (size_t i = 0; i < opt->nkeys; i++) {
		thrift_element(t);
		thrift_binary(t, 1, span_of(opt->key[i].name));
		thrift_binary(t, 2, span_of(opt->key[i].value));
		thrift_close(t);
	}
}

static void
put_footer(struct buf *out, const struct parquet_file *f)
{
	struct thrift	t;
	uint64_t	rows = 0;

	for (size_t i = 0; i < f->groups; i++)
		rows += f->group[i].rows;
	thrift_begin(&t, out);
	thrift_i32(&t, 1, FORMAT_VERSION);
	put_schema(&t, f);
	thrift_i64(&t, 3, (int64_t)rows);
	thrift_list(&t, 4, THRIFT_STRUCT, f->groups);
	for (size_t i = 0; i < f->groups; i++)
		put_group(&t, f, i);
	put_keys(&t, &f->opt);
	thrift_binary(&t, 6, span_of("tnav version " PACKAGE_VERSION));
	thrift_list(&t, 7, THRIFT_STRUCT, f->columns);
	for (size_t i = 0; i < f->columns; i++) {
		thrift_element(&t);
		thrift_open(&t, 1);	/* the order of the type */
		thrift_close(&t);
		thrift_close(&t);
	}
	thrift_close(&t);
}

int
parquet_file_end(struct parquet_file *f)
{
	struct buf	footer = { 0 };
	int		err = parquet_file_flush(f);

	write_indexes(f);
	put_footer(&footer, f);
	buf_le(&footer, footer.len, sizeof(uint32_t));
	put(f, footer.p, footer.len);
	put(f, MAGIC, MAGIC_LEN);
	buf_release(&footer);
	if (output_step(f->o) < 0)
		err = ERR_IO;
	parquet_file_drop(f);
	return err;
}
