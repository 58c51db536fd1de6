/*
 * The activities of label lists (V6). There are few lists, and many events share each.
 *
 *	event -> number of its list -> known in this scope? its ids
 *		 labels -> ids
 *
 * The memory is direct-mapped. A number means the same list within a scope only, see
 * trace_label_scope().
 */
#include <string.h>

#include "analysis/activities/private.h"
#include "tnav/base/mem.h"
#include "tnav/engine/label.h"

#define LISTS		256u		/* slots; a power of two */
#define SPAN_AT		16u		/* of a SpanId in an id */

struct list_slot {
	uint32_t	number, scope;	/* 0: nothing is known */
	struct list_ids	ids;
};

struct id_lists {
	struct label_set	set;
	uint64_t		after, to;	/* payload offsets of the scope */
	uint32_t		scope;		/* its number, from 1 on */
	struct list_slot	slot[LISTS];
};

struct id_lists *
id_lists_new(void)
{
	return mem_zalloc(1, sizeof(struct id_lists));
}

void
id_lists_free(struct id_lists *l)
{
	mem_free(l);
}

/* Does the event lie in the scope, or in a new one? False: numbers say nothing. */
static bool
scope_holds(struct id_lists *l, struct trace *t, const struct event *e)
{
	if (e->off > l->after && e->off <= l->to)
		return true;
	l->after = l->to = 0;
	if (!trace_label_scope(t, e, &l->after, &l->to))
		return false;
	l->scope++;
	return e->off > l->after && e->off <= l->to;
}

static void
read_list(struct id_lists *l, struct trace *t, const struct event *e, struct list_ids *out)
{
	const struct label_set	*s = &l->set;

	labels_load(&l->set, t, e);
	*out = (struct list_ids){ .opcode = 0 };
	out->own = labels_guid(s, LABEL_ACTIVITY, out->own_id);
	out->related = labels_guid(s, LABEL_RELATED, out->related_id);
	for (size_t i = 0; i < s->n; i++) {
		if (s->v[i].kind == LABEL_TRACE && s->v[i].text.len == SPAN_AT) {
			memcpy(out->span_id, s->v[i].text.p, SPAN_AT);
			out->trace = true;
		} else if (s->v[i].kind == LABEL_SPAN) {
			for (unsigned b = 0; b < 8; b++)
				out->span_id[SPAN_AT + b] =
				    (uint8_t)(s->v[i].number >> (56 - 8 * b));
			out->span = true;
		} else if (s->v[i].kind == LABEL_OPCODE) {
			out->opcode = (uint8_t)s->v[i].number;
			out->has_opcode = true;
		}
	}
}

const struct list_ids *
id_lists_get(struct id_lists *l, struct trace *t, const struct event *e)
{
	struct list_slot	*k = &l->slot[e->labels % LISTS];
	bool			 holds = scope_holds(l, t, e);

	if (holds && k->number == e->labels && k->scope == l->scope)
		return &k->ids;
	read_list(l, t, e, &k->ids);
	k->number = holds ? e->labels : 0;
	k->scope = l->scope;
	return &k->ids;
}
