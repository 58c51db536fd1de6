/*
 * The values of an event that a term compares, one after the other.
 *
 *	header	a number and its word; both names of a type; an activity's id and its path
 *	spans	each span that the event begins, or ends
 *	labels	each label with the key
 *
 * Invariant: a value is compared with the operand of the term; only the probe changes.
 */
#include "engine/filter/values.h"

#include <string.h>

#include "engine/field/span.h"
#include "tnav/base/mem.h"
#include "tnav/model/keywords.h"

void
values_init(struct filter_values *o, const struct filter *f, struct trace *t)
{
	*o = (struct filter_values){ .f = f, .t = t, .reader = field_reader_new(t, NULL) };
	o->env.match = regex_match_new();
}

void
values_release(struct filter_values *o)
{
	mem_free(o->labels);
	for (size_t i = 0; o->stacks != NULL && i < o->f->nterms; i++)
		stack_memo_free(o->stacks[i]);
	mem_free(o->stacks);
	field_reader_free(o->reader);
	regex_match_free(o->env.match);
	buf_release(&o->env.text);
	buf_release(&o->label);
	buf_release(&o->row);
}

/* ---- words of fields */

static void
probe_keywords(struct probe *p, const char *provider, uint64_t keywords)
{
	const struct filter_literal	*l;
	struct buf			 words = { 0 };
	uint64_t			 bits;

	if (p->term->op == FO_TEXT) {
		probe_address(p, keywords);
		keyword_words(&words, provider, keywords);
		probe_text(p, buf_str(&words));
		buf_release(&words);
		return;
	}
	if (p->term->op != FO_BITS) {
		probe_u64(p, keywords);
		return;
	}
	p->present = true;
	l = &p->term->lits[0];
	if (l->num.kind != NUM_NONE)
		p->hit = has_bits(keywords, l->num.u);
	else if (keyword_bit(provider, literal_text(l), &bits))
		p->hit = has_bits(keywords, bits);
}

/*
 * Numbers are compared with the opcode of the file. Words are compared with those of the built-in
 * table, which often has one if the file leaves the opcode out.
 */
static void
probe_opcode(struct probe *p, const struct cell *c)
{
	const struct filter_term	*term = p->term;

	if (c->kind != CELL_NONE)
		probe_u64(p, c->u);
	if (c->word.p == NULL)
		return;
	if (term->op == FO_TEXT || term->op == FO_HAS)
		probe_span(p, c->word);
	p->present |= term->op == FO_EQ;
	if (term->op == FO_EQ && !p->hit)
		p->hit = probe_folded(p, c->word);
}

/* ---- ids of activities */

static bool
same_path(const struct activity_path *a, const struct activity_path *b)
{
	return a->n == b->n && activity_path_under(a, b);
}

/* path: the path of the activity, or NULL. */
static bool
guid_fits(const struct filter_literal *l, enum filter_op op, const uint8_t *guid,
    const struct activity_path *path, const struct field_who *w)
{
	struct activity_path	top = l->path;

	if (l->has_guid) {
		if (memcmp(l->guid, guid, sizeof l->guid) == 0)
			return true;
		if (op != FO_UNDER || !activity_path_decode(&top, l->guid, w->has_pid, w->pid))
			return false;
	}
	if (path == NULL)
		return false;
	return op == FO_UNDER ? activity_path_under(path, &top) : same_path(path, &top);
}

static bool
guid_within(struct filter_values *o, const struct filter_literal *l, const uint8_t *guid,
    uint32_t source)
{
	const struct activity_source	*s = trace_lent(o->t, DERIVED_ACTIVITIES);

	if (s == NULL)
		return l->has_guid && memcmp(l->guid, guid, sizeof l->guid) == 0;
	return s->within(s->self, source, guid, l->has_guid ? l->guid : NULL, &l->path);
}

static void
probe_guid(struct filter_values *o, struct probe *p, const uint8_t *guid, const struct event *ev)
{
	static const struct field_who	 nobody = { .known = true };
	const struct filter_term	*term = p->term;
	const struct field_who		*w = field_who(o->reader, ev->thread);
	struct activity_path		 path;
	bool				 is_path;
	struct buf			 b = { 0 };

	if (w == NULL)
		w = &nobody;
	is_path = activity_path_decode(&path, guid, w->has_pid, w->pid);
	p->present = true;
	if (term->op == FO_HAS)
		p->hit = true;
	else if (term->set != NULL)
		p->hit = filter_set_guid(term->set, guid, &o->env.steps) ||
		    (is_path && filter_set_path(term->set, &path, &o->env.steps));
	else if (term->op == FO_WITHIN)
		p->hit = guid_within(o, &term->lits[0], guid, event_source(ev));
	else if (term->op != FO_TEXT)
		p->hit = guid_fits(term->lits, term->op, guid, is_path ? &path : NULL, w);
	if (term->op != FO_TEXT)
		return;
	guid_text(&b, guid);
	probe_text(p, buf_str(&b));
	buf_clear(&b);
	if (is_path) {
		activity_path_text(&b, &path);
		probe_text(p, buf_str(&b));
	}
	buf_release(&b);
}

/* ---- fields of the header */

static void
probe_stack(struct filter_values *o, struct probe *p, const struct event *ev)
{
	size_t	i = (size_t)(p->term - o->f->terms);

	if (o->stacks == NULL)
		o->stacks = mem_zalloc(o->f->nterms, sizeof *o->stacks);
	if (o->stacks[i] == NULL)
		o->stacks[i] = stack_memo_new(o->t, o->reader);
	stack_memo_probe(o->stacks[i], p, ev);
}

/* Probe a cell, a number or a text. */
static void
probe_cell(struct probe *p, const struct cell *c)
{
	switch (c->kind) {
	case CELL_U64: case CELL_BYTES:
		probe_u64(p, c->u);
		break;
	case CELL_I64: case CELL_TIME: case CELL_DUR:
		probe_i64(p, c->i);
		break;
	case CELL_TEXT: case CELL_RAW:
		probe_span(p, c->text);
		break;
	default:
		break;
	}
}

/* Probe the text of a cell with its prefix, PROVIDER/name, if the field has one. */
static void
probe_cell_qualified(struct filter_values *o, struct probe *p, const struct event *ev,
    const struct cell *c)
{
	if (p->term->ref.def->flags & FIELD_QUALIFIED && c->kind == CELL_TEXT)
		probe_qualified(p, trace_type(o->t, ev->type)->provider, c->text);
}

/* Probe the spans that the event begins, or ends. */
static void
probe_spans(struct filter_values *o, struct probe *p, const struct event *ev, uint64_t row)
{
	const struct field_def	*d = p->term->ref.def;
	struct span_info	 info[SPANS_AT_EVENT];
	unsigned		 n = span_infos(o->t, d, ev, row, info);

	for (unsigned i = 0; i < n && !p->hit; i++) {
		struct cell	c;

		buf_clear(&o->label);
		c = span_cell(o->t, d, &info[i], &o->label);
		probe_cell(p, &c);
	}
}

void
values_header(struct filter_values *o, struct probe *p, const struct event *ev, uint64_t row)
{
	const struct field_def	*d = p->term->ref.def;
	struct cell		 c;

	if (d->class == CLASS_STACK || d->class == CLASS_FRAMES || d->kind == FIELD_FRAME) {
		probe_stack(o, p, ev);
		return;
	}
	if (field_is_span(d, o->t)) {
		probe_spans(o, p, ev, row);
		return;
	}
	field_get_header(o->reader, d, false, ev, row, &c);
	if (c.kind == CELL_NONE && d->flags & FIELD_ZERO && p->term->op != FO_HAS)
		probe_u64(p, 0);
	switch (d->class) {
	case CLASS_OPCODE:
		probe_opcode(p, &c);
		break;
	case CLASS_KEYWORDS:
		if (c.kind != CELL_NONE)
			probe_keywords(p, trace_type(o->t, ev->type)->provider, c.u);
		break;
	case CLASS_GUID:
		if (c.kind != CELL_NONE)
			probe_guid(o, p, c.text.p, ev);
		break;
	case CLASS_LEVEL:
		probe_cell(p, &c);
		if (p->term->op == FO_TEXT && c.word.p != NULL)
			probe_span(p, c.word);
		break;
	default:
		probe_cell(p, &c);
		probe_cell_qualified(o, p, ev, &c);
	}
	if (d->also == NULL || p->hit)
		return;
	field_get_header(o->reader, d, true, ev, row, &c);
	probe_cell(p, &c);
	probe_cell_qualified(o, p, ev, &c);
}

/* ---- labels */

static void
probe_label(struct filter_values *o, struct probe *p, const struct label *l)
{
	struct cell	c;

	buf_clear(&o->label);
	c = label_cell(l, &o->label);
	if (c.kind == CELL_BLOB) {	/* hex digits: case does not matter */
		buf_clear(&o->row);
		cell_text(&o->row, &c, true);
		probe_hex(p, span_of_buf(&o->row));
		return;
	}
	probe_cell(p, &c);
	if (c.kind != CELL_I64 || p->term->op != FO_EQ)
		return;
	buf_clear(&o->row);
	buf_i64(&o->row, c.i);		/* a quoted value is compared as text */
	probe_text(p, buf_str(&o->row));
}

void
values_labels(struct filter_values *o, struct probe *p, const struct event *ev)
{
	const char	*key = p->term->ref.path;
	struct span	 name = { (const uint8_t *)key, strlen(key) };

	if (o->labels == NULL)
		o->labels = mem_zalloc(1, sizeof *o->labels);
	labels_load(o->labels, o->t, ev);
	for (size_t i = label_find(o->labels, 0, name); i < o->labels->n && !p->hit;
	    i = label_find(o->labels, i + 1, name))
		probe_label(o, p, &o->labels->v[i]);
}
