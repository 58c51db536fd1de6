/*
 * Attributes as a JSON object. The values of a name that occurs twice are put into an array.
 *
 *	payload  a=1  b="x"  a=2  a=[3,4]		each value is written once, in order:
 *	text     1 "x" 2 [3,4]				items a b a a
 *	groups   a: 0 -> 2 -> 3   b: 1			by sorting the items by name
 *	JSON     {"a":[1,2,[3,4]],"b":"x"}		in the order of first occurrence
 *
 * If the first value of a group is an array itself, the later values are appended to its elements.
 *
 * Invariant: the work is linear in the text, except for the sort.
 * Format: Heph, "Event Packet"; doc/tnav.1.in, "JSON LINES".
 */
#include "tnav/model/value.h"


#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

struct item {
	struct span	name;
	size_t		from, len;	/* its value in items.text */
	uint32_t	number;		/* its index in items.v */
	uint32_t	next;		/* index of the next item of this name, 0: none */
	bool		later;		/* not the first item of its name */
};

struct items {
	struct item	*v;
	size_t		 n, cap;
	struct buf	 text;
	bool		 comma;		/* write a comma before the next element */
};

static int
item_value(void *arg, const struct value *v)
{
	struct items	*x = arg;

	if (v->kind == VK_ARRAY_END) {
		buf_putc(&x->text, ']');
	} else if (v->element) {
		if (x->comma)
			buf_putc(&x->text, ',');
		x->comma = true;
		value_json(&x->text, v, false);
		return 0;		/* its array is still open */
	} else {
		x->v = mem_grow(x->v, &x->cap, x->n + 1, sizeof *x->v);
		x->v[x->n] = (struct item){ .name = v->name, .from = x->text.len,
		    .number = (uint32_t)x->n };
		x->n++;
		x->comma = false;
		if (v->kind == VK_ARRAY) {
			buf_putc(&x->text, '[');
			return 0;
		}
		value_json(&x->text, v, false);
	}
	x->v[x->n - 1].len = x->text.len - x->v[x->n - 1].from;
	return 0;
}

static int
names_compare(const struct item *a, const struct item *b)
{
	size_t	n = a->name.len < b->name.len ? a->name.len : b->name.len;
	int	c = memcmp(a->name.p, b->name.p, n);

	return c != 0 ? c : (a->name.len > b->name.len) - (a->name.len < b->name.len);
}

static int
item_compare(const void *pa, const void *pb)
{
	const struct item	*a = *(struct item *const *)pa, *b = *(struct item *const *)pb;
	int			 c = names_compare(a, b);

	return c != 0 ? c : (a->number > b->number) - (a->number < b->number);
}

static void
items_group(struct items *x)
{
	struct item	**by_name = mem_alloc((x->n + 1) * sizeof *by_name);

	for (size_t i = 0; i < x->n; i++)
		by_name[i] = &x->v[i];
	sort_array(by_name, x->n, sizeof *by_name, item_compare);
	for (size_t i = 1; i < x->n; i++) {
		if (names_compare(by_name[i - 1], by_name[i]) != 0)
			continue;
		by_name[i]->later = true;
		by_name[i - 1]->next = by_name[i]->number;
	}
	mem_free(by_name);
}

static void
group_json(struct buf *out, const struct items *x, const struct item *first)
{
	const char	*text = x->text.p + first->from;
	size_t		 len = first->len;

	if (first->next == 0) {
		buf_add(out, text, len);
		return;
	}
	buf_putc(out, '[');
	if (text[0] == '[') {
		text++;
		len -= 2;
	}
	buf_add(out, text, len);
	for (const struct item *i = first; i->next != 0; ) {
		if (i != first || len > 0)
			buf_putc(out, ',');
		i = &x->v[i->next];
		buf_add(out, x->text.p + i->from, i->len);
	}
	buf_putc(out, ']');
}

void
attributes_json(struct buf *out, const struct event_type *t, struct span payload,
    struct payload_result *res)
{
	struct items	x = { .v = NULL };
	bool		comma = false;

	payload_walk(t, payload, item_value, &x, res);
	items_group(&x);
	buf_putc(out, '{');
	for (size_t i = 0; i < x.n; i++) {
		if (x.v[i].later)
			continue;
		if (comma)
			buf_putc(out, ',');
		comma = true;
		json_text8(out, x.v[i].name);
		buf_putc(out, ':');
		group_json(out, &x, &x.v[i]);
	}
	buf_putc(out, '}');
	buf_release(&x.text);
	mem_free(x.v);
}
