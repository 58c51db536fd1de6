/*
 * The fields of the filter language: their names, the values that fit each, and what they cost.
 *
 *	level     fits  warning, 3        time  fits  2.1s, +5s, 2026-...     tid  fits  12, 0xc
 *
 * Invariant: a literal that fits has in num what the field's values are compared with; for payload
 * fields, whose type is known at the event only, it keeps all that it can mean.
 */
#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "engine/filter/parse.h"
#include "tnav/model/keywords.h"

/* ---- the tables */

enum field_class {
	FC_TEXT, FC_NUMBER, FC_SIZE, FC_LEVEL, FC_KEYWORDS, FC_OPCODE, FC_TIME, FC_DUR, FC_STACK,
	FC_GUID, FC_ANY,
};

static const struct filter_word	field_words[] = {
	[FF_PROVIDER] = { "provider", "The name of the event's provider." },
	[FF_NAME] = { "name", "Both names of the event: GC/Start and GCStart." },
	[FF_EVENT] = { "event", "The other name of the event: GCStart." },
	[FF_ID] = { "id", "The number of the event within its provider." },
	[FF_VERSION] = { "version", "The version of the event." },
	[FF_LEVEL] = { "level", "0 to 5, or critical error warning informational verbose." },
	[FF_KEYWORDS] = { "keywords", "Bits: keywords has GC, keywords = 0x1." },
	[FF_OPCODE] = { "opcode", "A number, or a word: Start, Stop." },
	[FF_TIME] = { "time", "Since the sync time (2.1s), UTC or local, or +5s -5s." },
	[FF_DUR] = { "dur", "Duration, where the format has one: dur > 5ms." },
	[FF_PID] = { "pid", "The process id." },
	[FF_TID] = { "tid", "The thread id of the system." },
	[FF_THREAD] = { "thread", "The thread's name, or its id as text." },
	[FF_CPU] = { "cpu", "The processor." },
	[FF_SEQ] = { "seq", "The number that the writing thread gave the event." },
	[FF_ROW] = { "row", "The position in time order, from 0." },
	[FF_SIZE] = { "size", "Bytes of payload: size > 10KB." },
	[FF_STACK] = { "stack", "The addresses of the stack, as 0x...: has stack." },
	[FF_ACTIVITY] = { "activity", "The activity id: a GUID, or a path (under //1/2)." },
	[FF_RELATED] = { "related", "The related activity id." },
	[FF_LOST] = { "lost", "Events that its thread lost just before it." },
	[FF_LABEL] = { "label.KEY", "A label: label.TraceId." },
	[FF_PAYLOAD] = { "payload.FIELD", "A field of the payload; any other name is one too." },
	{ NULL, NULL },
};

static const struct filter_word	operator_words[] = {
	{ "=", "Equal; text exactly so. Any of several elements." },
	{ "!=", "There, and not equal." },
	{ "<", "Less." },
	{ "<=", "At most." },
	{ ">", "More." },
	{ ">=", "At least." },
	{ "~", "Matches a regular expression (a capital makes it case-sensitive)." },
	{ "!~", "There, and does not match." },
	{ "in", "One of (a, b), or in the range a..b, b not included." },
	{ "has", "has FIELD: it is there. keywords has GC: these bits are set." },
	{ "under", "activity under //1/2: this activity or one below it." },
	{ "and", "Both." },
	{ "or", "One or both." },
	{ "not", "The opposite." },
	{ "( )", "Taken together." },
	{ "/regex/", "Matches the row's text." },
	{ NULL, NULL },
};

const struct filter_word *
filter_fields(void)
{
	return field_words;
}

const struct filter_word *
filter_operators(void)
{
	return operator_words;
}

static enum field_class
class_of(enum filter_field field)
{
	switch (field) {
	case FF_PROVIDER: case FF_NAME: case FF_EVENT: case FF_THREAD: case FF_ROWTEXT:
		return FC_TEXT;
	case FF_ID: case FF_VERSION: case FF_PID: case FF_TID: case FF_CPU: case FF_SEQ:
	case FF_ROW: case FF_LOST:
		return FC_NUMBER;
	case FF_SIZE:
		return FC_SIZE;
	case FF_LEVEL:
		return FC_LEVEL;
	case FF_KEYWORDS:
		return FC_KEYWORDS;
	case FF_OPCODE:
		return FC_OPCODE;
	case FF_TIME:
		return FC_TIME;
	case FF_DUR:
		return FC_DUR;
	case FF_STACK:
		return FC_STACK;
	case FF_ACTIVITY: case FF_RELATED:
		return FC_GUID;
	case FF_LABEL: case FF_PAYLOAD:
		break;
	}
	return FC_ANY;
}

uint8_t
field_cost(const struct filter_term *term)
{
	switch (term->field) {
	case FF_PROVIDER: case FF_NAME: case FF_EVENT: case FF_ID: case FF_VERSION:
	case FF_LEVEL: case FF_KEYWORDS: case FF_OPCODE:
		return 0;
	case FF_THREAD: case FF_PID: case FF_TID: case FF_LOST:
		return 2;
	case FF_ACTIVITY: case FF_RELATED: case FF_LABEL: case FF_ROW:
		return 3;
	case FF_STACK:
		return term->op == FO_HAS ? 1 : 5;
	case FF_PAYLOAD:
		return term->op == FO_RE ? COST_TEXT : 4;
	case FF_ROWTEXT:
		return COST_TEXT + 1;
	default:
		return 1;
	}
}

/* ---- the field of a term */

static bool
set_path(struct parser *p, struct filter_term *term, enum filter_field field, const char *path,
    const char *what)
{
	term->field = field;
	if (*path == '\0')
		return parse_fail(p, ERR_USAGE, term->column, "%s needs a name: %s.NAME", what,
		    what);
	term->path = mem_strdup(path);
	if (field == FF_PAYLOAD && p->t != NULL && !names_have(p->t, NAME_FIELD, path))
		return parse_unknown(p, term->column, NAME_FIELD, "field", path);
	return true;
}

bool
field_set(struct parser *p, struct filter_term *term, const char *name, bool quoted)
{
	for (unsigned i = 0; !quoted && i < FF_LABEL; i++) {
		if (strcmp(name, field_words[i].name) == 0) {
			term->field = (enum filter_field)i;
			p->f->uses_row |= i == FF_ROW;
			return true;
		}
	}
	if (!quoted && strncmp(name, "label", 5) == 0 && (name[5] == '.' || name[5] == '\0'))
		return set_path(p, term, FF_LABEL, name[5] == '.' ? name + 6 : "", "label");
	if (!quoted && strncmp(name, "payload", 7) == 0 && (name[7] == '.' || name[7] == '\0'))
		return set_path(p, term, FF_PAYLOAD, name[7] == '.' ? name + 8 : "", "payload");
	return set_path(p, term, FF_PAYLOAD, name, "payload");
}

/* ---- values, by what the field is */

static bool
need_number(struct parser *p, const struct filter_term *term, const struct filter_literal *l)
{
	if (l->num.kind == NUM_NONE || l->unit != UNIT_NONE)
		return parse_fail(p, ERR_USAGE, l->column, "%s needs a number",
		    field_words[term->field].name);
	return true;
}

static bool
fit_level(struct parser *p, struct filter_literal *l)
{
	int		level = level_of(l->text, l->len);
	struct buf	near;

	if (level >= 0)
		l->num = (struct filter_num){ .kind = NUM_U, .u = (unsigned)level };
	if (l->num.kind != NUM_NONE)
		return true;
	buf_init(&near);
	names_near(&near, NULL, NAME_LEVEL, l->text);
	(void)parse_fail(p, ERR_USAGE, l->column, "no level \"%s\"%s", l->text, buf_str(&near));
	buf_release(&near);
	return false;
}

static bool
fit_keyword(struct parser *p, const struct filter_term *term, struct filter_literal *l)
{
	uint64_t	bits;
	struct buf	near;

	if (l->num.kind == NUM_U && l->unit == UNIT_NONE)
		return true;
	if (term->op != FO_BITS)
		return parse_fail(p, ERR_USAGE, l->column, "keywords needs a number (or: has %s)",
		    l->text);
	if (keyword_bit(NULL, literal_text(l), &bits))
		return true;
	buf_init(&near);
	names_near(&near, NULL, NAME_KEYWORD, l->text);
	(void)parse_fail(p, ERR_USAGE, l->column, "no keyword \"%s\"%s", l->text, buf_str(&near));
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
		    "this is not a time: 2.1s 1500ms +5s 14:03:22 2026-11-21T14:03:22Z");
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
		    "this is neither a GUID nor a path like //1/2");
	return true;
}

static bool
fit_text(struct parser *p, const struct filter_term *term, struct filter_literal *l)
{
	static const struct { enum filter_field field; enum name_kind kind; const char *what; }
	kinds[] = {
		{ FF_PROVIDER, NAME_PROVIDER, "provider" }, { FF_NAME, NAME_NAME, "event" },
		{ FF_EVENT, NAME_EVENT, "event" },
	};

	if (term->op != FO_EQ)
		return true;		/* texts have no order: that is what will be said */
	for (unsigned i = 0; p->t != NULL && i < sizeof kinds / sizeof kinds[0]; i++)
		if (kinds[i].field == term->field && !names_have(p->t, kinds[i].kind, l->text))
			return parse_unknown(p, l->column, kinds[i].kind, kinds[i].what, l->text);
	return true;
}

bool
field_fit(struct parser *p, const struct filter_term *term, struct filter_literal *l)
{
	if (l->open)
		return true;
	/* A payload's quoted value is meant as a text, but not where only numbers make sense. */
	if (l->quoted && class_of(term->field) == FC_ANY &&
	    (term->op == FO_EQ || term->op == FO_BITS)) {
		l->num.kind = NUM_NONE;
		return true;
	}
	if (l->overflow && class_of(term->field) != FC_TEXT && term->field != FF_LABEL)
		return parse_fail(p, ERR_USAGE, l->column, "this number is too large");
	switch (class_of(term->field)) {
	case FC_TEXT:
		return fit_text(p, term, l);
	case FC_NUMBER: case FC_STACK:
		return need_number(p, term, l);
	case FC_SIZE:
		return l->unit == UNIT_BYTES || (l->num.kind != NUM_NONE && l->unit == UNIT_NONE) ||
		    parse_fail(p, ERR_USAGE, l->column, "size needs bytes: 4096 10KB 4KiB");
	case FC_LEVEL:
		return fit_level(p, l);
	case FC_KEYWORDS:
		return fit_keyword(p, term, l);
	case FC_TIME:
		return fit_time(p, l);
	case FC_DUR:
		return fit_dur(p, l);
	case FC_GUID:
		return fit_guid(p, l);
	case FC_OPCODE: case FC_ANY:
		break;
	}
	return true;
}

/* Can values of the field be ordered with the literal? */
static bool
has_order(const struct filter_term *term, const struct filter_literal *l)
{
	switch (class_of(term->field)) {
	case FC_TEXT: case FC_GUID: case FC_STACK: case FC_KEYWORDS:
		return false;
	case FC_ANY: case FC_OPCODE:
		return l->num.kind != NUM_NONE || l->has_utc;
	default:
		return true;
	}
}

bool
field_need_order(struct parser *p, const struct filter_term *term, const char *op)
{
	for (size_t i = 0; i < term->nlits; i++)
		if (!term->lits[i].open && !has_order(term, &term->lits[i]))
			return parse_fail(p, ERR_USAGE, term->lits[i].column,
			    "%s needs a number%s", op,
			    class_of(term->field) == FC_TEXT ? ", and this field is a text" : "");
	return true;
}

bool
field_need_path(struct parser *p, const struct filter_term *term)
{
	return class_of(term->field) == FC_GUID || parse_fail(p, ERR_USAGE, term->column,
	    "only activity and related are under a path");
}

bool
field_need_bits(struct parser *p, const struct filter_term *term)
{
	return term->field == FF_KEYWORDS || term->field == FF_PAYLOAD ||
	    parse_fail(p, ERR_USAGE, term->column,
	    "only keywords and payload fields have bits; has FIELD asks if it is there");
}
