/*
 * The labels of spans.
 *
 *	GC #{Count} gen{Depth} {Reason}		of the table of pairs
 *	GC #7 Gen2 Induced			{Field} of its start, {stop.Field} of its stop
 *
 * A value that its events do not have is a question mark, also when the event is missing. Spans
 * that were found by names alone have the name without Start; spans of formats that have spans have
 * their own name.
 */
#include "analysis/spans/label.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analysis/spans/private.h"
#include "tnav/engine/field.h"
#include "tnav/engine/trace.h"

#define LABEL_MOST	1024u	/* bytes of a label */
#define NAME_MOST	64u	/* of a field in a template, which is our own */

static bool
has_name(const char *names, const char *name)
{
	size_t	len = strlen(name);

	for (const char *p = names; (p = strstr(p, name)) != NULL; p += len)
		if ((p == names || p[-1] == '|') && strchr("|[", p[len]) != NULL)
			return true;
	return false;
}

const struct span_pair *
pair_of(const struct span_name *n)
{
	for (unsigned i = 0; i < span_npairs; i++)
		if (strcmp(span_pairs[i].group, n->group) == 0 &&
		    strcmp(span_pairs[i].provider, n->provider) == 0 &&
		    (has_name(span_pairs[i].start, n->name) ||
		    has_name(span_pairs[i].stop, n->name)))
			return &span_pairs[i];
	return NULL;
}

/* The letters before a word go where it begins with them: "gen{Depth}" of Gen2 is "Gen2". */
static void
put_word(struct span word, struct buf *out)
{
	size_t	n = 0;

	while (n < out->len && isalpha((uint8_t)out->p[out->len - n - 1]))
		n++;
	if (n < word.len && strncasecmp(out->p + out->len - n, (const char *)word.p, n) == 0)
		out->len -= n;
	buf_add(out, word.p, word.len);
}

struct named_value {
	const char	*name;
	struct value	 v;
};

static int
take_named(void *arg, const struct value *v)
{
	struct named_value	*w = arg;

	if (v->depth > 0 || v->kind == VK_NULL || v->kind >= VK_OBJECT ||
	    !spans_equal(v->name, span_of(w->name)))
		return 0;
	w->v = *v;
	return 1;
}

/* e NULL: there is no such event. */
static void
put_field(struct trace *t, const struct event *e, const char *name, struct buf *out)
{
	struct named_value	w = { .name = name };
	struct payload_result	res;
	struct cell		c;
	struct buf		text = { 0 };

	if (e != NULL && payload_walk(trace_type(t, e->type), trace_payload(t, e), take_named, &w,
	    &res) != 0) {
		field_value_cell(&c, &w.v, WORDS_ALL, &text);
		if (c.word.p != NULL)
			put_word(c.word, out);
		else
			cell_text(out, &c, false);
	} else {
		buf_putc(out, '?');
	}
	buf_release(&text);
}

static void
put_template(struct trace *t, const char *label, const struct event *start,
    const struct event *stop, struct buf *out)
{
	static const char	stop_prefix[] = "stop.";
	char			name[NAME_MOST];

	for (const char *p = label; *p != '\0' && out->len < LABEL_MOST; ) {
		size_t	len = strcspn(p, p[0] == '{' ? "}" : "{");
		bool	of_stop = strncmp(p + 1, stop_prefix, sizeof stop_prefix - 1) == 0;
		size_t	skip = of_stop ? sizeof stop_prefix : 1;

		if (p[0] != '{') {
			buf_add(out, p, len);
			p += len;
			continue;
		}
		snprintf(name, sizeof name, "%.*s", (int)(len - skip), p + skip);
		put_field(t, of_stop ? stop : start, name, out);
		p += len + 1;
	}
}

/* The event of a row; NULL: there is none, or the file has changed. */
static const struct event *
event_of(struct trace *t, uint64_t row, struct event *e)
{
	return row != SPAN_NO_ROW && trace_event(t, row, e) == 1 ? e : NULL;
}

static void
put_name(const char *name, struct buf *out)
{
	size_t	len = strlen(name);

	if (len > 5 && strcmp(name + len - 5, "Start") == 0)
		len -= 5;
	buf_add(out, name, len);
}

/* Not within a character. */
static void
cut(struct buf *b)
{
	size_t	len = LABEL_MOST;

	if (b->len <= len)
		return;
	while (len > 0 && ((uint8_t)b->p[len] & 0xc0) == 0x80)
		len--;
	b->len = len;
}

void
spans_label(const struct spans *s, const struct span_record *r, struct buf *out)
{
	const struct span_name	*name = spans_name(s, r->name);
	const struct span_pair	*pair = pair_of(name);
	struct event		 start, stop;

	if ((r->flags & SPAN_NATIVE) != 0)
		buf_puts(out, name->name);
	else if (pair == NULL)
		put_name(name->name, out);
	else
		put_template(s->t, pair->label, event_of(s->t, r->row, &start),
		    strstr(pair->label, "{stop.") != NULL ? event_of(s->t, r->stop_row, &stop) :
		    NULL, out);
	cut(out);
}
