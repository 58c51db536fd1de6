/*
 * Names of fields and values of cells: a list of names is taken or refused with a line that says
 * why; a path that was taken is found again from its quoted name; what a cell gives as a value is an
 * expression that compiles.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/field.h"
#include "tnav/engine/filter.h"

static void
one_ref(const struct field_ref *f)
{
	struct field_ref	again;
	struct buf		name = { 0 }, why = { 0 };

	check(f->def != NULL && (f->path != NULL) == (f->def->kind != FIELD_HEADER));
	if (f->path == NULL)
		return;
	filter_quote_name(&name, f->def->kind == FIELD_LABEL ? "label." : "payload.", f->path,
	    strlen(f->path));
	if (name.len < LIMIT_FILTER_LEN / 2) {
		check(field_ref_init(&again, name.p, name.len, &why) == 0);
		check(again.def == f->def && strcmp(again.path, f->path) == 0);
		field_ref_release(&again);
	}
	buf_release(&name);
	buf_release(&why);
}

static void
one_list(const char *text)
{
	struct field_list	l;
	struct buf		why = { 0 };

	check(field_name_len(text) <= strlen(text));
	if (field_list_init(&l, text, &why) == 0) {
		for (size_t i = 0; i < l.n; i++)
			one_ref(&l.v[i]);
		field_list_release(&l);
	} else {
		check(why.len > 0);
	}
	buf_release(&why);
}

/* Cells of the bytes, as a payload's field. */
static void
one_value(const uint8_t *data, size_t size)
{
	static const enum cell_kind	kinds[] = {
		CELL_NONE, CELL_NULL, CELL_U64, CELL_I64, CELL_TEXT, CELL_BLOB, CELL_BOOL,
		CELL_HEX, CELL_TIME, CELL_DUR, CELL_F64, CELL_BYTES,
	};
	const struct field_ref		ref = { .def = field_def_of(FIELD_PAYLOAD) };
	struct cell			c = { .kind = CELL_NONE };
	struct filter_error		err = { 0 };
	struct filter			*f;
	struct buf			b = { 0 };

	if (size < 9)
		return;
	c.kind = kinds[data[0] % (sizeof kinds / sizeof *kinds)];
	memcpy(&c.u, data + 1, sizeof c.u);
	if (c.kind == CELL_TEXT || c.kind == CELL_BLOB)
		c.text = (struct span){ data + 1, size - 1 };
	if (c.kind == CELL_BOOL)
		c.u = 1;
	buf_puts(&b, "x = ");
	if (field_value(&b, &ref, &c) && b.len <= LIMIT_FILTER_LEN) {
		check(filter_new(&f, b.p, b.len, NULL, true, 0, &err) == 0);
		filter_error_release(&err);
		filter_free(f);
	}
	buf_clear(&b);
	cell_text(&b, &c, true);
	cell_json(&b, &c);
	buf_release(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char	*text = mem_strndup((const char *)data, size);

	one_list(text);
	one_value(data, size);
	mem_free(text);
	return 0;
}
