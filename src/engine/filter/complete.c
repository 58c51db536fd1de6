/*
 * Completion of an expression at the cursor: fields, the values of a field, operators, and words
 * that join conditions.
 *
 *	ti|		tid time thread ...	replaces the word
 *	tid |		= != in ...
 *	name = "GC/|	"GC/Start" ...		replaces from the quote on
 *
 * Invariant: what is offered is valid in the language.
 */
#include <string.h>
#include <strings.h>

#include "engine/filter/operators.h"
#include "engine/filter/quote.h"
#include "tnav/base/mem.h"
#include "tnav/base/near.h"
#include "tnav/model/value.h"

/* The word that is being typed, without its quote, and the receiver of completions. */
struct offers {
	filter_offer_fn	 fn;
	void		*arg;
	struct trace	*t;
	const char	*word;
	size_t		 len;
};

/* Does the text need quotes to be read as one word? */
static bool
needs_quotes(const char *text)
{
	if (strchr("=<>~!$/", text[0]) != NULL)
		return true;
	for (const unsigned char *s = (const unsigned char *)text; *s != '\0'; s++)
		if (*s <= ' ' || *s == 0x7f || strchr("(),\"'", *s) != NULL)
			return true;
	return false;
}

/* Offer the text if it contains the word. */
static void
offer(const struct offers *o, const char *text, const char *note)
{
	const char	*at = near_find(text, o->word, o->len);
	struct buf	 b = { 0 };
	bool		 good = true;

	if (text[0] == '\0' || (o->len > 0 && at == NULL))
		return;
	if (needs_quotes(text))
		good = filter_quote(&b, text, strlen(text));
	else
		buf_puts(&b, text);
	if (good)
		o->fn(o->arg, buf_str(&b), note, o->len == 0 || at == text);
	buf_release(&b);
}

/* Offer a name from the file. */
static void
offer_name(const struct offers *o, const char *name, const char *note)
{
	struct buf	b = { 0 };

	filter_quote_name(&b, "", name, strlen(name));
	if (name[0] != '\0')
		o->fn(o->arg, buf_str(&b), note, true);
	buf_release(&b);
}

static void
offer_some(const struct offers *o, const struct field *fields, uint32_t n, const char *note)
{
	for (uint32_t i = 0; i < n; i++)
		if (strncasecmp(fields[i].name, o->word, o->len) == 0)
			offer_name(o, fields[i].name, note);
}

static void
offer_fields(const struct offers *o)
{
	const struct field_def	*d;

	for (unsigned i = 0; (d = field_def(i)) != NULL; i++)
		if (!(d->flags & FIELD_DUMP) && o->len <= strlen(d->name) &&
		    strncasecmp(d->name, o->word, o->len) == 0)
			offer(o, d->name, d->help);
	for (uint32_t i = 0; i < trace_types(o->t); i++) {
		const struct event_type	*type = trace_type(o->t, i);

		offer_some(o, type->fields, type->nfields, type->name);
		if (type->builtin != NULL)
			offer_some(o, builtin_object(type)->fields, builtin_object(type)->nfields,
			    type->name);
	}
}

static void
offer_operators(const struct offers *o)
{
	for (const struct filter_operator *op = filter_operators(); op->name != NULL; op++)
		if (op->binds < BINDS_COMPARE && strncmp(op->name, o->word, o->len) == 0)
			offer(o, op->name, "joins conditions");
}

static void
offer_threads(const struct offers *o, bool by_name)
{
	struct thread_stat	*st;
	size_t			 n = trace_thread_stats(o->t, &st);

	for (size_t i = 0; i < n; i++) {
		struct buf	b = { 0 };

		if (st[i].has_tid)
			buf_u64(&b, st[i].tid);
		if (by_name && st[i].name != NULL)
			offer(o, st[i].name, buf_str(&b));
		else if (!by_name)
			offer(o, buf_str(&b), st[i].name);
		buf_release(&b);
	}
	mem_free(st);
}

/* Offer the names of a payload field's values. */
static void
offer_map(const struct offers *o, const char *field)
{
	if (strncmp(field, "payload.", 8) == 0)
		field += 8;
	for (uint32_t i = 0; i < trace_types(o->t); i++) {
		const struct event_type	*type = trace_type(o->t, i);

		for (uint32_t k = 0; k < type->nfields; k++) {
			const struct value_map	*map = type->fields[k].map;

			if (map == NULL || strcmp(type->fields[k].name, field) != 0)
				continue;
			for (uint32_t m = 0; m < map->n; m++)
				offer(o, map->values[m].name, map->name);
		}
	}
}

static void
offer_values(const struct offers *o, const char *field)
{
	if (strcmp(field, "tid") == 0 || strcmp(field, "thread") == 0) {
		offer_threads(o, field[1] == 'h');
	} else if (strcmp(field, "level") == 0) {
		for (unsigned i = 0; i < 256 && level_name(i) != NULL; i++)
			offer(o, level_name(i), NULL);
	} else if (strcmp(field, "provider") == 0 || strcmp(field, "name") == 0 ||
	    strcmp(field, "event") == 0 || strcmp(field, "opcode") == 0) {
		for (uint32_t i = 0; i < trace_types(o->t); i++) {
			const struct event_type	*type = trace_type(o->t, i);
			const char		*s = *field == 'p' ? type->provider :
			    *field == 'n' ? type->name : *field == 'e' ? type->event :
			    type->opcode_word;

			if (s != NULL)
				offer(o, s, *field == 'n' ? type->provider : NULL);
		}
	} else {
		offer_map(o, field);
	}
}

/* Is the word at from a value, as in "tid = |" and "tid in (1, |"? out: the name of its field. */
static bool
field_before(const char *s, size_t from, struct buf *out)
{
	size_t	at = from, end;

	while (at > 0 && s[at - 1] == ' ')
		at--;
	if (at > 0 && (s[at - 1] == ',' || s[at - 1] == '(')) {
		while (at > 0 && s[at - 1] != '(')
			at--;
		while (at > 0 && (s[at - 1] == '(' || s[at - 1] == ' '))
			at--;
		if (at < 3 || memcmp(s + at - 2, "in", 2) != 0 || s[at - 3] != ' ')
			return false;
		at -= 2;
	} else if (at >= 4 && memcmp(s + at - 4, " has", 4) == 0) {
		at -= 3;
	} else {
		end = at;
		while (at > 0 && strchr("=!<>~", s[at - 1]) != NULL)
			at--;
		if (at == end)
			return false;
	}
	while (at > 0 && s[at - 1] == ' ')
		at--;
	end = at;
	while (at > 0 && strchr(" (,", s[at - 1]) == NULL)
		at--;
	buf_add(out, s + at, end - at);
	return end > at;
}

/* The start of the word before at: after a separator, or at its quote. */
static size_t
word_begin(const char *s, size_t at)
{
	size_t		from = 0, i = 0, pos;
	enum quote_end	end;
	struct buf	b = { 0 };

	while (i < at) {
		if (i != from || quote_opens(s + i, at - i) == 0) {
			i++;
			if (strchr(" (,=!<>~", s[i - 1]) != NULL)
				from = i;
			continue;
		}
		pos = i;
		end = quote_read(s, at, &pos, &b, SIZE_MAX, NULL);
		buf_release(&b);
		if (end != QUOTE_CLOSED)
			break;
		i = from = pos;
	}
	return from;
}

size_t
filter_complete(struct trace *t, const char *s, size_t at, filter_offer_fn fn, void *arg)
{
	size_t		from = word_begin(s, at), pos = from;
	struct offers	o = { .fn = fn, .arg = arg, .t = t };
	struct buf	field = { 0 }, word = { 0 };

	if (quote_opens(s + from, at - from) > 0)
		(void)quote_read(s, at, &pos, &word, SIZE_MAX, NULL);
	else
		buf_add(&word, s + from, at - from);
	o.word = buf_str(&word);
	o.len = strlen(o.word);
	if (field_before(s, from, &field)) {
		offer_values(&o, buf_str(&field));
	} else if (at > from) {
		offer_fields(&o);
		offer_operators(&o);
	}
	buf_release(&field);
	buf_release(&word);
	return from;
}

void
filter_complete_field(struct trace *t, const char *word, size_t len, filter_offer_fn fn, void *arg)
{
	struct offers	o = { .fn = fn, .arg = arg, .t = t, .word = word, .len = len };

	offer_fields(&o);
}
