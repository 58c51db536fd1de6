/*
 * Cells of columns, as they are before they are encoded.
 *
 *	cells	7    null  9	has 1 0 1    value 7 9
 *	texts	"ab" "c"   "ab"	value (0,2) (2,1) (0,2)   text abc
 *	lists	[5,6]      null	value (0,2)  element 5 6
 *
 * Most columns have a value in each row, or in none: these need no bytes in `has`. Rows after the
 * last one with a value are noted when the next value comes, if ever.
 */
#include "out/parquet/parquet.h"
#include "out/parquet/types.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"

struct parquet_rows *
parquet_rows_new(const struct parquet_column *columns, size_t n)
{
	struct parquet_rows	*r = mem_zalloc(1, sizeof *r + n * sizeof r->cell[0]);

	r->columns = n;
	for (size_t i = 0; i < n; i++) {
		r->cell[i].column = &columns[i];
		r->cell[i].width = (uint8_t)parquet_width(columns[i].type);
	}
	return r;
}

void
parquet_rows_free(struct parquet_rows *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->columns; i++) {
		buf_release(&r->cell[i].has);
		buf_release(&r->cell[i].value);
		buf_release(&r->cell[i].element);
		buf_release(&r->cell[i].text);
	}
	mem_free(r);
}

void
parquet_rows_clear(struct parquet_rows *r)
{
	r->n = 0;
	for (size_t i = 0; i < r->columns; i++) {
		struct parquet_cells	*c = &r->cell[i];

		c->n = c->values = 0;
		c->has.len = c->value.len = c->element.len = c->text.len = 0;
	}
}

size_t
parquet_rows_bytes(const struct parquet_rows *r)
{
	size_t	bytes = sizeof *r + r->columns * sizeof r->cell[0];

	for (size_t i = 0; i < r->columns; i++) {
		const struct parquet_cells	*c = &r->cell[i];

		bytes += c->has.len + c->value.len + c->element.len + c->text.len;
	}
	return bytes;
}

/* Cells without a value, up to this row. */
static void
mark_nulls(struct parquet_cells *c, uint32_t row)
{
	if (c->values > 0 && c->has.len == 0)
		buf_fill(&c->has, 1, c->n);	/* until now all had one */
	if (c->values > 0)
		buf_fill(&c->has, 0, row - c->n);
	c->n = row;
}

/* Note the cell of a row with a value. */
static inline void
mark_value(struct parquet_cells *c, uint32_t row)
{
	if (c->n < row)
		mark_nulls(c, row);
	if (c->has.len > 0 || c->values < c->n) {
		if (c->has.len == 0)
			buf_fill(&c->has, 0, c->n);	/* until now none had one */
		buf_putc(&c->has, 1);
	}
	c->values++;
	c->n++;
}

static inline void
put_value(struct parquet_cells *c, uint32_t row, uint64_t v)
{
	store_u64le(buf_room(&c->value, sizeof v), v);	/* its low bytes come first */
	c->value.len += c->width;
	mark_value(c, row);
}

void
parquet_u64(struct parquet_rows *r, size_t column, uint64_t v)
{
	put_value(&r->cell[column], r->n, v);
}

/* mark_value() for n rows from one on. */
static void
mark_values(struct parquet_cells *c, uint32_t row, uint32_t n)
{
	mark_value(c, row);
	if (c->has.len > 0)
		buf_fill(&c->has, 1, n - 1);
	c->values += n - 1;
	c->n += n - 1;
}

void
parquet_run(struct parquet_rows *r, size_t column, const uint64_t *v, const bool *has, uint32_t n)
{
	struct parquet_cells	*c = &r->cell[column];
	size_t			 width = c->width;
	uint32_t		 row = r->n - n;
	char			*to;

	for (uint32_t i = 0; has != NULL && i < n; i++)
		if (has[i])
			put_value(c, row + i, v[i]);
	if (has != NULL || n == 0)
		return;
	to = buf_room(&c->value, (n + 1) * sizeof *v);
	for (uint32_t i = 0; i < n; i++)
		store_u64le(to + i * width, v[i]);
	c->value.len += n * width;
	mark_values(c, row, n);
}

void
parquet_uuid(struct parquet_rows *r, size_t column, const uint8_t bytes[16])
{
	struct parquet_cells	*c = &r->cell[column];

	buf_add(&c->value, bytes, 16);
	mark_value(c, r->n);
}

void
parquet_again(struct parquet_rows *r, size_t column, struct parquet_ref ref)
{
	parquet_u64(r, column, parquet_ref_value(ref));
}

struct parquet_ref
parquet_keep_from(struct parquet_rows *r, size_t column, size_t from)
{
	return (struct parquet_ref){ (uint32_t)from, (uint32_t)(r->cell[column].text.len - from) };
}

struct parquet_ref
parquet_keep(struct parquet_rows *r, size_t column, struct span text)
{
	struct parquet_cells	*c = &r->cell[column];
	size_t			 from = c->text.len;

	if (c->column->type == PARQUET_BYTES ||
	    text_skip_ascii(text.p, text.p + text.len) == text.p + text.len)
		buf_span(&c->text, text);
	else
		text_from_utf8(&c->text, text);
	return parquet_keep_from(r, column, from);
}

void
parquet_text_from(struct parquet_rows *r, size_t column, size_t from)
{
	parquet_again(r, column, parquet_keep_from(r, column, from));
}

void
parquet_text(struct parquet_rows *r, size_t column, struct span text)
{
	parquet_again(r, column, parquet_keep(r, column, text));
}

void
parquet_element_u64(struct parquet_rows *r, size_t column, uint64_t v)
{
	buf_le(&r->cell[column].element, v, sizeof v);
}

void
parquet_element_text(struct parquet_rows *r, size_t column, struct span text)
{
	parquet_element_u64(r, column, parquet_ref_value(parquet_keep(r, column, text)));
}

struct parquet_ref
parquet_list(struct parquet_rows *r, size_t column, uint32_t elements)
{
	struct parquet_cells	*c = &r->cell[column];
	struct parquet_ref	 ref = { (uint32_t)(c->element.len / sizeof(uint64_t)) - elements,
				    elements };

	parquet_again(r, column, ref);
	return ref;
}

void
parquet_rows_cut(struct parquet_rows *r, uint32_t n)
{
	r->n = n;
	for (size_t i = 0; i < r->columns; i++) {
		struct parquet_cells	*c = &r->cell[i];
		uint32_t		 values = 0;

		if (c->n <= n)
			continue;
		for (uint32_t k = 0; k < n && c->has.len > 0; k++)
			values += c->has.p[k] != 0;
		c->has.len = c->has.len > 0 ? n : 0;
		if (c->has.len == 0)
			values = c->values > 0 ? n : 0;
		c->value.len = c->value.len / c->values * values;
		c->values = values;
		c->n = n;
	}
}
