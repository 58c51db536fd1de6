/*
 * Fields in the filter language: the literals that fit a field, and the cost of a term.
 *
 *	level     fits  warning, 3        time  fits  2.1s, +5s, 2026-...     tid  fits  12, 0xc
 *
 * Invariant: num of a literal that fits is the number to compare the field's values with. For
 * payload fields, whose type depends on the event, the literal keeps all its meanings.
 */
#include <string.h>

#include "tnav/base/err.h"
#include "engine/filter/parse.h"
#include "tnav/base/near.h"
#include "tnav/model/keywords.h"

static enum field_class
class_of(const struct filter_term *term)
{
	return term->ref.def->class;
}

uint8_t
field_cost(const struct filter_term *term)
{
	const struct field_def	*d = term->ref.def;
	uint8_t			 cost = d->cost;

	if (d->class == CLASS_STACK && term->op == FO_HAS)
		return 1;
	if (d->kind == FIELD_PAYLOAD && term->op == FO_TEXT)
		cost = COST_TEXT;
	/* Patterns without a literal cost more: the text must be formatted to search it. */
	if (cost >= COST_TEXT && term->re != NULL && regex_literals(term->re)->n == 0)
		cost++;
	return cost;
}

/* ---- the field of a term */

static bool
set_payload(struct parser *p, const struct filter_term *term)
{
	vocab_find(&p->vocab, p->t, term->ref.path);
	return names_have(p->t, NAME_FIELD, term->ref.path) ||
	    parse_unknown(p, term->column, NAME_FIELD, "field", term->ref.path);
}

bool
field_set(struct parser *p, struct filter_term *term, const char *name, bool quoted)
{
	struct buf	why = { 0 };
	bool		good = true;

	if (quoted) {
		field_ref_payload(&term->ref, name);
	} else {
		good = field_ref_bare(&term->ref, name, &why) == ERR_OK ||
		    parse_fail(p, ERR_USAGE, term->column, "%s", buf_str(&why));
		buf_release(&why);
	}
	if (good && (term->ref.def->flags & (FIELD_DUMP | FIELD_BUILTIN)) == FIELD_DUMP)
		return parse_fail(p, ERR_USAGE, term->column,
		    "%s is only printed: use /TEXT/ or payload.NAME",
		    name);
	if (!good || p->t == NULL)
		return good;
	/* builtin is an object beside the payload, its fields are found as the payload's are. */
	if (term->ref.def->flags & FIELD_BUILTIN && names_have(p->t, NAME_FIELD, name)) {
		field_ref_release(&term->ref);
		field_ref_payload(&term->ref, name);
	}
	if (term->ref.def->kind == FIELD_PAYLOAD)
		return set_payload(p, term);
	if (term->ref.def->kind == FIELD_LABEL && !trace_has(p->t, HAS_LABELS))
		parse_note(p, term->column, "no event in this trace has labels");
	else if ((!field_in_trace(term->ref.def, p->t) && term->ref.def->also == NULL) ||
	    term->ref.def->flags & FIELD_BUILTIN)
		parse_note(p, term->column, "no event in this trace has \"%s\"", name);
	return true;
}

/* ---- literals, by the class of the field */

static bool
need_number(struct parser *p, const struct filter_term *term, const struct filter_literal *l)
{
	if (l->num.kind == NUM_NONE || l->unit != UNIT_NONE)
		return parse_fail(p, ERR_USAGE, l->column, "%s needs a number",
		    term->ref.def->name);
	return true;
}

static bool
fit_level(struct parser *p, struct filter_literal *l)
{
	int		level = level_of(l->text, l->len);
	struct buf	near = { 0 };

	if (level >= 0)
		l->num = (struct filter_num){ .kind = NUM_U, .u = (unsigned)level };
	if (l->num.kind != NUM_NONE)
		return true;
	names_near(&near, NULL, NAME_LEVEL, l->text);
	(void)parse_fail(p, ERR_USAGE, l->column, "unknown level \"%s\"%s",
	    l->text, buf_str(&near));
	buf_release(&near);
	return false;
}

static bool
fit_keyword(struct parser *p, const struct filter_term *term, struct filter_literal *l)
{
	uint64_t	bits;
	struct buf	near = { 0 };

	if (l->num.kind == NUM_U && l->unit == UNIT_NONE)
		return true;
	if (term->op != FO_BITS)
		return parse_fail(p, ERR_USAGE, l->column, "keywords needs a number (or: has %s)",
		    l->text);
	if (keyword_bit(NULL, literal_text(l), &bits))
		return true;
	names_near(&near, NULL, NAME_KEYWORD, l->text);
	(void)parse_fail(p, ERR_USAGE, l->column, "unknown keyword \"%s\"%s",
	    l->text, buf_str(&near));
	buf_release(&near);
	return false;
}

static bool
fit_time(struct parser *p, struct filter_literal *l)
{
	int64_t	ns;

	if (filter_parse_time(p->t, l->text, l->len, p->now_ns, &ns) != ERR_OK)
		return parse_fail(p, ERR_USAGE, l->column,
		    l->num.kind != NUM_NONE && l->unit == UNIT_NONE ?
		    "a time needs a unit: 2.1s 1500ms" :
		    "not a time; write 2.1s 1500ms +5s 14:03:22 2026-11-21T14:03:22Z");
	l->num = (struct filter_num){ .kind = NUM_I, .i = ns };
	return true;
}

static bool
fit_dur(struct parser *p, struct filter_literal *l)
{
	bool	zero = l->num.kind == NUM_U && l->num.u == 0;

	if (!zero && l->unit != UNIT_TIME)
		return parse_fail(p, ERR_USAGE, l->column, "a duration needs a unit: 5ms 1.5s");
	return true;
}

static bool
fit_guid(struct parser *p, struct filter_literal *l)
{
	if (!l->has_guid && !l->has_path)
		return parse_fail(p, ERR_USAGE, l->column,
		    "not a GUID or an activity path such as //1/2");
	return true;
}

/* The field has a fixed set of values: is it one of these? As in a comparison, case counts. */
static bool
fit_word(struct parser *p, const struct filter_term *term, const struct filter_literal *l)
{
	const char *const	*word = term->ref.def->words;
	struct near		 near;
	struct buf		 b = { 0 };

	near_init(&near, l->text, 0);
	for (; *word != NULL; word++) {
		if (strlen(*word) == l->len && memcmp(*word, l->text, l->len) == 0)
			return true;
		near_text(&near, *word);
	}
	buf_printf(&b, "%s has no value \"%s\"", term->ref.def->name, l->text);
	near_put(&near, &b);
	return parse_complain(p, l->column, &b);
}

static bool
fit_text(struct parser *p, const struct filter_term *term, struct filter_literal *l)
{
	static const struct { const char *field; enum name_kind kind; const char *what; } kinds[] =
	{
		{ "provider", NAME_PROVIDER, "provider" }, { "name", NAME_NAME, "event" },
		{ "event", NAME_EVENT, "event" },
	};

	if (term->op != FO_EQ)
		return true;		/* texts have no order: reported later */
	if (term->ref.def->words != NULL)
		return fit_word(p, term, l);
	for (unsigned i = 0; p->t != NULL && i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcmp(kinds[i].field, term->ref.def->name) == 0 &&
		    !names_have(p->t, kinds[i].kind, l->text))
			return parse_unknown(p, l->column, kinds[i].kind, kinds[i].what, l->text);
	return true;
}

static bool
fit_opcode(struct parser *p, const struct filter_term *term, const struct filter_literal *l)
{
	if (term->op != FO_EQ || l->num.kind != NUM_NONE || p->t == NULL ||
	    names_have(p->t, NAME_OPCODE, l->text))
		return true;
	return parse_unknown(p, l->column, NAME_OPCODE, "opcode", l->text);
}

static bool
has_vocab(const struct parser *p, const struct filter_term *term)
{
	return p->t != NULL && term->ref.def->kind == FIELD_PAYLOAD;
}

/* A payload field of this name has an enumerated value, not a sum of bits, or is not a number. */
static bool
complain_bits(struct parser *p, const struct filter_term *term, const struct filter_literal *l)
{
	struct buf	b = { 0 };

	if (p->vocab.nmaps > 0)
		buf_printf(&b, "%s is an enumeration and has no flags; write %s = %s",
		    term->ref.path, term->ref.path, l->text);
	else
		buf_printf(&b, "%s has no flags; write has %s to test presence",
		    term->ref.path, term->ref.path);
	return parse_complain(p, term->column, &b);
}

static bool
complain_object(struct parser *p, size_t column, const struct filter_term *term)
{
	struct buf	b = { 0 };

	vocab_explain_object(&b, &p->vocab, term->ref.path);
	return parse_complain(p, column, &b);
}

/* No value of the payload's field can be compared with the literal. */
static bool
complain_value(struct parser *p, const struct filter_term *term, const struct filter_literal *l)
{
	struct buf	b = { 0 };

	if (p->vocab.kinds == VOCAB_OBJECT)
		return complain_object(p, l->column, term);
	buf_puts(&b, term->ref.path);
	vocab_explain(&b, &p->vocab, l);
	return parse_complain(p, l->column, &b);
}

/* Can the payload's field have this value at all? */
static bool
fit_vocab(struct parser *p, const struct filter_term *term, const struct filter_literal *l)
{
	bool	good = true;

	if (!has_vocab(p, term))
		return true;
	if (term->op == FO_BITS && !vocab_has_bits(&p->vocab))
		return complain_bits(p, term, l);
	if (term->op == FO_EQ)
		good = vocab_may_be(&p->vocab, l);
	else if (term->op == FO_BITS)
		good = l->num.kind != NUM_NONE || vocab_has_word(&p->vocab, l);
	return good || complain_value(p, term, l);
}

bool
field_need_text(struct parser *p, const struct filter_term *term)
{
	return !has_vocab(p, term) || p->vocab.kinds != VOCAB_OBJECT ||
	    complain_object(p, term->column, term);
}

static bool
fit_value(struct parser *p, const struct filter_term *term, struct filter_literal *l)
{
	/* For a payload field, a quoted value is a text, or a number if the field has numbers. */
	if (l->quoted && class_of(term) == CLASS_ANY &&
	    (term->op == FO_EQ || term->op == FO_BITS)) {
		if (term->op == FO_BITS || l->overflow || l->unit != UNIT_NONE)
			l->num.kind = NUM_NONE;
		return true;
	}
	if (l->overflow && class_of(term) != CLASS_TEXT && term->ref.def->kind != FIELD_LABEL)
		return parse_fail(p, ERR_USAGE, l->column, "the number is too large");
	switch (class_of(term)) {
	case CLASS_TEXT:
		return fit_text(p, term, l);
	case CLASS_STACK:		/* an address or a name */
		return term->op == FO_EQ || need_number(p, term, l);
	case CLASS_NUMBER:
		return need_number(p, term, l);
	case CLASS_BYTES:
		return l->unit == UNIT_BYTES || (l->num.kind != NUM_NONE && l->unit == UNIT_NONE) ||
		    parse_fail(p, ERR_USAGE, l->column, "size needs bytes: 4096 10KB 4KiB");
	case CLASS_LEVEL:
		return fit_level(p, l);
	case CLASS_KEYWORDS:
		return fit_keyword(p, term, l);
	case CLASS_TIME:
		return fit_time(p, l);
	case CLASS_DUR:
		return fit_dur(p, l);
	case CLASS_GUID:
		return fit_guid(p, l);
	case CLASS_OPCODE:
		return fit_opcode(p, term, l);
	case CLASS_ANY: case CLASS_FRAMES:
		break;
	}
	return true;
}

bool
field_fit(struct parser *p, const struct filter_term *term, struct filter_literal *l)
{
	return l->open || (fit_value(p, term, l) && fit_vocab(p, term, l));
}

/* Can values of the field be ordered with the literal? */
static bool
has_order(const struct filter_term *term, const struct filter_literal *l)
{
	switch (class_of(term)) {
	case CLASS_TEXT: case CLASS_GUID: case CLASS_STACK: case CLASS_FRAMES:
	case CLASS_KEYWORDS:
		return false;
	case CLASS_ANY: case CLASS_OPCODE:
		return l->num.kind != NUM_NONE || l->has_utc;
	default:
		return true;
	}
}

/* A payload field of this name is a text, a GUID or an object: it has no order. */
static bool
complain_order(struct parser *p, const struct filter_term *term, const char *op)
{
	struct buf	b = { 0 };

	if (p->vocab.kinds == VOCAB_OBJECT)
		return complain_object(p, term->column, term);
	buf_printf(&b, "%s needs a number, but %s is %s", op, term->ref.path,
	    p->vocab.kinds == VOCAB_GUID ? "a GUID" : "text");
	return parse_complain(p, term->column, &b);
}

bool
field_need_order(struct parser *p, const struct filter_term *term, const char *op)
{
	bool	date = has_vocab(p, term) && vocab_is_date(&p->vocab);

	for (size_t i = 0; date && i < term->nlits; i++)
		if (!term->lits[i].open && !term->lits[i].has_utc)
			return complain_value(p, term, &term->lits[i]);
	for (size_t i = 0; i < term->nlits; i++)
		if (!term->lits[i].open && !has_order(term, &term->lits[i]))
			return parse_fail(p, ERR_USAGE, term->lits[i].column,
			    "%s needs a number%s", op,
			    class_of(term) == CLASS_TEXT ? ", but this field is text" : "");
	return !has_vocab(p, term) || vocab_has_order(&p->vocab) || complain_order(p, term, op);
}

bool
field_need_path(struct parser *p, const struct filter_term *term)
{
	return class_of(term) == CLASS_GUID || parse_fail(p, ERR_USAGE, term->column,
	    "under and within work only with activity and related");
}

bool
field_need_bits(struct parser *p, const struct filter_term *term)
{
	return class_of(term) == CLASS_KEYWORDS || term->ref.def->kind == FIELD_PAYLOAD ||
	    parse_fail(p, ERR_USAGE, term->column,
	    "only keywords and payload fields have flags; write has FIELD to test presence");
}
