/*
 * Parts of an event besides its payload's fields: bytes, ids, overriding labels, thread indexes.
 *
 *	file    ... | header | payload | ...	struct event has the payload's offset, the header's
 *	             ^ head   ^ off		length, and how far before the payload its ids are
 *
 * Invariant: spans of the file may be shorter than the event says, if the file shrank.
 */
#include <string.h>

#include "engine/joined/joined.h"
#include "tnav/base/limits.h"
#include "tnav/engine/label.h"

struct span
trace_payload(struct trace *t, const struct event *e)
{
	struct event	own;

	t = event_home(t, &e, &own);
	return source_span(t->source, e->off, e->size);
}

struct span
trace_header_bytes(struct trace *t, const struct event *e)
{
	struct event	own;

	t = event_home(t, &e, &own);
	return source_span(t->source, e->off - e->head, e->head);
}

static const uint8_t	no_guid[16];	/* all zero: none */

static bool
guid_at(struct trace *t, const struct event *e, uint32_t back, uint8_t guid[16])
{
	struct span	b = { NULL, 0 };

	if (back <= e->off)
		b = source_span(t->source, e->off - back, 16);
	if (b.len < 16 || memcmp(b.p, no_guid, 16) == 0)
		return false;
	memcpy(guid, b.p, 16);
	return true;
}

/* Of its own, because most events have no labels, and room for all of them costs. */
static __attribute__((noinline)) bool
guid_of_label(struct trace *t, const struct event *e, enum label_kind kind, uint8_t guid[16])
{
	struct label	l[LIMIT_LABELS];

	return label_guid(l, trace_labels(t, e, l, LIMIT_LABELS), kind, guid);
}

/* An activity id: from its label (V6), or from so many bytes before the event. */
static bool
guid_of(struct trace *t, const struct event *e, enum label_kind kind, uint32_t back,
    uint8_t guid[16])
{
	struct event	own;

	t = event_home(t, &e, &own);
	if (t->format.ops->labels != NULL)
		return e->labels != 0 && guid_of_label(t, e, kind, guid);
	return back != 0 && trace_has(t, HAS_ACTIVITIES) && guid_at(t, e, back, guid);
}

bool
trace_activity(struct trace *t, const struct event *e, uint8_t guid[16])
{
	return guid_of(t, e, LABEL_ACTIVITY, e->activity_back, guid);
}

bool
trace_related(struct trace *t, const struct event *e, uint8_t guid[16])
{
	return guid_of(t, e, LABEL_RELATED, e->related_back, guid);
}

void
trace_event_meta(struct trace *t, const struct event *e, struct event_meta *out)
{
	const struct event_type	*type = trace_type(t, e->type);
	struct label		 l[LIMIT_LABELS];
	struct event		 own;
	size_t			 n;

	t = event_home(t, &e, &own);
	*out = (struct event_meta){ .version = type->version, .level = type->level,
	    .opcode = type->opcode, .has_opcode = type->has_opcode, .keywords = type->keywords };
	if (t->format.ops->labels == NULL || e->labels == 0)
		return;
	n = trace_labels(t, e, l, LIMIT_LABELS);
	for (size_t i = 0; i < n; i++) {
		if (l[i].kind == LABEL_OPCODE) {
			out->opcode = (uint8_t)l[i].number;
			out->has_opcode = true;
		} else if (l[i].kind == LABEL_KEYWORDS) {
			out->keywords = l[i].number;
		} else if (l[i].kind == LABEL_LEVEL) {
			out->level = (uint8_t)l[i].number;
		} else if (l[i].kind == LABEL_VERSION) {
			out->version = (uint32_t)l[i].number;
		}
	}
}

bool
trace_thread_indexes(struct trace *t, const struct event *e, uint64_t *thread, uint64_t *capture)
{
	struct event	own;

	t = event_home(t, &e, &own);
	if (!t->format.declares)
		return false;
	/* An event has a declaration once it is complete; its index stays. */
	*thread = ((struct decl_rec *)segvec_known(&t->names.decls, e->thread_decl))->index;
	*capture = ((struct decl_rec *)segvec_known(&t->names.decls, e->capture_decl))->index;
	return true;
}

bool
trace_event_extra(struct trace *t, const struct event *e, struct event_extra *out)
{
	struct event	own;

	t = event_home(t, &e, &own);
	if (t->format.ops->extra == NULL)
		return false;
	t->format.ops->extra(&t->format, e, out);
	return true;
}

uint64_t
trace_event_lost(struct trace *t, const struct event *e)
{
	struct event	own;
	uint64_t	at, lost = 0;

	if ((e->flags & EVENT_LOST) == 0)
		return 0;
	t = event_home(t, &e, &own);
	lock_take(t->lock);
	at = loss_mark_at(t, e->off);
	if (at < t->loss.marks.n) {
		const struct lost_mark	*m = segvec_at(&t->loss.marks, at);

		lost = m->off == e->off ? m->lost : 0;
	}
	lock_drop(t->lock);
	return lost;
}
