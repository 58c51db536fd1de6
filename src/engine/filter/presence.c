/*
 * Does any event have a field? For fields whose presence only the events show.
 *
 *	label.tenant	events ... [tenant=x]	found
 *	cpu		events ...		note: no event has "cpu"
 *	htpp.url	spans ... {http.url}	error: unknown field "htpp.url" (near: http.url)
 *
 * Events are read in file order until each field was found, which usually takes one event. A name
 * that no event has is an error; a missing field of the header is a note.
 *
 * Invariant: at most NAMES_LOOKED events are decoded. An error applies to all events of the trace.
 */
#include "engine/filter/parse.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/near.h"
#include "tnav/engine/attributes.h"
#include "tnav/engine/label.h"
#include "tnav/model/path.h"

#define TERMS_MOST	64u
#define BATCH		256u
#define NAMES_LOOKED	250000u	/* events that are searched for a name */
#define HEADERS_LOOKED	100000u		/* ... for a field of the header */

struct wanted_field {
	const struct filter_term *term;
	struct filter_term	 has;		/* the term "has FIELD" */
	struct filter_node	 nodes[2];
	struct filter		 one;
	struct filter_eval	*e;
	bool			 name;		/* it is a label or an attribute */
	bool			 present;
};

struct presence {
	struct parser		*p;
	struct wanted_field		 v[TERMS_MOST];
	unsigned		 n;
	unsigned		 names, headers;	/* fields not found yet */
	struct attribute_names	*met;		/* names in the events, to find near ones */
	struct label_set	*labels;
	uint64_t		 looked;
	bool			 all;		/* all events were searched */
};

/* Do only the events show whether the payload field exists? */
static bool
is_attribute(struct trace *t, const char *path)
{
	uint32_t	n = trace_types(t);
	bool		any = false;

	for (uint32_t i = 0; i < n; i++) {
		const struct event_type	*type = trace_type(t, i);

		if (attributes_in(type))
			any = true;
		else if (path_in_type(path, type))
			return false;
	}
	return any;
}

static bool
is_wanted(struct trace *t, const struct filter_term *term, bool *name)
{
	const struct field_def	*d = term->ref.def;

	*name = d->kind != FIELD_HEADER;
	switch (d->kind) {
	case FIELD_HEADER:
		return d->of == OF_EVENT && (d->flags & FIELD_ZERO) == 0 &&
		    d->class != CLASS_FRAMES && field_in_trace(d, t) && !field_is_span(d, t) &&
		    (d->derived & NEEDS_ORDER) == 0;
	case FIELD_LABEL:
		return trace_has(t, HAS_LABELS);
	case FIELD_PAYLOAD:
		return is_attribute(t, term->ref.path);
	case FIELD_FRAME: case FIELD_ROW_TEXT:
		break;
	}
	return false;
}

static void
want(struct presence *x, const struct filter_term *term, bool name)
{
	struct wanted_field	*s = &x->v[x->n++];

	s->term = term;
	s->name = name;
	s->has = (struct filter_term){ .ref = term->ref, .op = FO_HAS };
	s->nodes[1].kind = NODE_TERM;
	s->one = (struct filter){ .nodes = s->nodes, .terms = &s->has, .root = 1, .nnodes = 2,
	    .nterms = 1 };
	s->e = filter_eval_new(&s->one, x->p->t);
	x->names += name;
	x->headers += !name;
}

/* ---- searching the events */

static void
meet_names(struct presence *x, const struct event *e)
{
	struct span	name;

	(void)attribute_names_add(x->met, e);
	if (e->labels == 0 || !trace_has(x->p->t, HAS_LABELS))
		return;
	labels_load(x->labels, x->p->t, e);
	for (size_t i = 0; i < x->labels->n; i++)
		if (label_name(&x->labels->v[i], &name))
			attribute_names_put(x->met, 0, name);
}

static void
look_at(struct presence *x, const struct event *e)
{
	for (unsigned i = 0; i < x->n; i++) {
		struct wanted_field	*s = &x->v[i];

		if (s->present || !filter_match(s->e, e))
			continue;
		s->present = true;
		x->names -= s->name;
		x->headers -= !s->name;
	}
	if (x->names > 0)
		meet_names(x, e);
	x->looked++;
}

static bool
goes_on(const struct presence *x)
{
	return (x->names > 0 && x->looked < NAMES_LOOKED) ||
	    (x->headers > 0 && x->looked < HEADERS_LOOKED);
}

static void
look(struct presence *x)
{
	struct event	*ev = mem_zalloc(BATCH, sizeof *ev);
	struct file_pos	 pos = { { 0 } };
	int		 got = 1;

	while (got != 0 && goes_on(x)) {
		got = trace_file_next(x->p->t, &pos, ev, BATCH);
		for (int i = 0; i < got; i++)
			look_at(x, &ev[i]);
	}
	x->all = got == 0;
	mem_free(ev);
}

/* ---- reporting */

static void
put_near(struct presence *x, struct buf *out, const char *path)
{
	struct near	 near;

	near_init(&near, path, 0);
	for (size_t i = 0; attribute_name(x->met, i) != NULL; i++)
		near_text(&near, attribute_name(x->met, i));
	near_put(&near, out);
}

static void
say(struct presence *x, const struct wanted_field *s)
{
	const struct filter_term	*term = s->term;
	struct buf			 b = { 0 };

	if (!x->all) {
		buf_counts(&b, "none of the first #", x->looked);
		buf_printf(&b, " events has \"%s\"",
		    s->name ? term->ref.path : term->ref.def->name);
	} else if (s->name) {
		buf_printf(&b, "unknown %s \"%s\"", term->ref.def->kind == FIELD_LABEL ? "label" :
		    "field", term->ref.path);
	} else {
		buf_printf(&b, "no event in this trace has \"%s\"", term->ref.def->name);
	}
	if (s->name)
		put_near(x, &b, term->ref.path);
	if (s->name && x->all) {
		(void)parse_complain(x->p, term->column, &b);
		return;
	}
	parse_note(x->p, term->column, "%s", buf_str(&b));
	buf_release(&b);
}

void
parse_presence(struct parser *p)
{
	struct presence	*x = mem_zalloc(1, sizeof *x);
	bool		 name;

	x->p = p;
	for (size_t i = 0; i < p->f->nterms && x->n < TERMS_MOST; i++)
		if (is_wanted(p->t, &p->f->terms[i], &name))
			want(x, &p->f->terms[i], name);
	x->met = attribute_names_new(p->t);
	x->labels = mem_zalloc(1, sizeof *x->labels);
	look(x);
	for (unsigned i = 0; i < x->n; i++) {
		if (!x->v[i].present && x->looked > 0)
			say(x, &x->v[i]);
		filter_eval_free(x->v[i].e);
	}
	attribute_names_free(x->met);
	mem_free(x->labels);
	mem_free(x);
}
