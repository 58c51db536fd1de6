/*
 * The fields with texts, as redaction sees them.
 *
 *	events of pieces -> (type, field, kind): how many, the first	any thread
 *	all of them	 -> a row each, by event and field
 *
 * Invariant: the example is the text of the first event in the file, so it does not depend on how
 * the events were cut into pieces.
 */
#include "tnav/analysis/redactable.h"

#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/base/text.h"
#include "tnav/engine/redact.h"
#include "tnav/model/value.h"

#define EXAMPLE_BYTES	80u

struct redactable {
	const struct event_type	*type;
	char			*field;
	size_t			 len;
	unsigned		 kind;
	uint64_t		 n, off;	/* texts; of the event with the example */
	struct buf		 example, title;
};

struct redactables {
	struct table		 table;
	struct trace		*t;
	struct hashtable	 known;
	struct redactable	*v;
	size_t			 n, cap;
	/* While a payload is read: */
	const struct event_type	*type;
	uint64_t		 off;
	struct buf		 utf8;
};

static void
redactables_release(void *src)
{
	struct redactables	*x = src;

	for (size_t i = 0; i < x->n; i++) {
		mem_free(x->v[i].field);
		buf_release(&x->v[i].example);
		buf_release(&x->v[i].title);
	}
	hashtable_release(&x->known);
	buf_release(&x->utf8);
	mem_free(x->v);
	mem_free(x);
}

static struct redactable *
find(struct redactables *x, const struct event_type *type, struct span field, unsigned kind)
{
	uint64_t		hash = hash_more(hash_pair(type->index, kind), field.p,
				    field.len);
	struct redactable	*r;

	HASHTABLE_EACH(&x->known, hash, i) {
		r = &x->v[*i];
		if (r->type == type && r->kind == kind && r->len == field.len &&
		    memcmp(r->field, field.p, field.len) == 0)
			return r;
	}
	hashtable_add(&x->known, hash, (uint32_t)x->n);
	x->v = mem_grow(x->v, &x->cap, x->n + 1, sizeof *x->v);
	r = &x->v[x->n++];
	*r = (struct redactable){ .type = type, .len = field.len, .kind = kind, .off = UINT64_MAX };
	r->field = mem_strndup((const char *)field.p, field.len);
	return r;
}

static void
count(struct redactables *x, const struct event_type *type, struct span field, unsigned kind,
    uint64_t n, uint64_t off, struct span text)
{
	struct redactable	*r = find(x, type, field, kind);

	r->n += n;
	if (off >= r->off)
		return;
	r->off = off;
	buf_clear(&r->example);
	text.len = text.len < EXAMPLE_BYTES ? text.len : EXAMPLE_BYTES;
	text_from_utf8(&r->example, text);
}

static int
count_value(void *arg, const struct value *v)
{
	struct redactables	*x = arg;
	struct span		 text = v->bytes;

	if ((v->kind != VK_TEXT16 && v->kind != VK_TEXT8) || v->bytes.len == 0)
		return 0;
	buf_clear(&x->utf8);
	if (v->kind == VK_TEXT16) {
		text_from_utf16(&x->utf8, v->bytes);
		text = span_of_buf(&x->utf8);
	}
	count(x, x->type, v->name, redact_kind(v->name, text), 1, x->off, text);
	return 0;
}

/* ---- the pass */

static void *
piece_begin(void *arg)
{
	struct redactables	*x = mem_zalloc(1, sizeof *x);

	x->t = ((struct redactables *)arg)->t;
	return x;
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct redactables	*x = state;
	struct payload_result	 res;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct event	*e = &b->ev[b->at[i]];

		x->type = trace_type(x->t, e->type);
		x->off = e->off;
		(void)payload_walk(x->type, trace_payload(x->t, e), count_value, x, &res);
	}
}

static int
piece_merge(void *arg, void *state)
{
	struct redactables	*all = arg, *x = state;

	for (size_t i = 0; i < x->n; i++) {
		const struct redactable	*r = &x->v[i];

		count(all, r->type, (struct span){ (const uint8_t *)r->field, r->len },
		    r->kind, r->n, r->off, span_of_buf(&r->example));
	}
	return ERR_OK;
}

static const struct pass_ops	count_ops = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .free = redactables_release,
	.stays = true,
};

/* ---- the table */

static const char *
kind_word(unsigned kind)
{
	return kind == REDACT_PATHS ? "paths" : kind == REDACT_ARGS ? "args" :
	    kind == REDACT_NAMES ? "names" : "text";
}

static void
redactable_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct redactable	*r = &((struct redactables *)src)->v[row];

	if (col == REDACTABLE_KIND)
		*out = cell_str(kind_word(r->kind));
	else if (col == REDACTABLE_FIELD)
		*out = cell_str(buf_str(&r->title));
	else if (col == REDACTABLE_TEXTS)
		*out = cell_u64(r->n);
	else
		*out = cell_str(buf_str(&r->example));
}

static int
by_title(const void *pa, const void *pb)
{
	const struct redactable	*a = pa, *b = pb;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return spans_compare(span_of_buf(&a->title), span_of_buf(&b->title));
}

struct table *
redactable_table(struct trace *t, const struct pass_options *o)
{
	struct redactables	*x = mem_zalloc(1, sizeof *x);
	struct pass_options	 any = *o;
	struct pass_result	 result;

	x->t = t;
	any.order = PASS_ANY;
	if (pass_run(t, &any, &count_ops, x, &result) != ERR_OK) {
		redactables_release(x);
		return NULL;
	}
	for (size_t i = 0; i < x->n; i++)
		buf_printf(&x->v[i].title, "%s/%s.%s", x->v[i].type->provider,
		    x->v[i].type->name, x->v[i].field);
	sort_array(x->v, x->n, sizeof *x->v, by_title);
	x->table = (struct table){ .column = redactable_columns, .ncolumns = REDACTABLE_COLUMNS,
	    .nrows = x->n, .src = x, .cell = redactable_cell, .release = redactables_release };
	return &x->table;
}
