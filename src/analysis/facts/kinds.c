/* The types of events that become facts: which they are, as a filter, and how many events. */
#include "analysis/facts/facts.h"

#include <string.h>

#include "tnav/base/mem.h"

const struct fact_def *
facts_match(const struct fact_def *def, const struct event_type *type)
{
	for (; def->provider != NULL || def->event != NULL; def++) {
		if (def->provider != NULL && strcmp(def->provider, type->provider) != 0)
			continue;
		if (def->id != FACT_BY_NAME && def->id == type->id)
			return def;
		if (def->id == FACT_BY_NAME && (strcmp(def->event, type->name) == 0 ||
		    (type->event != NULL && strcmp(def->event, type->event) == 0)))
			return def;
	}
	return NULL;
}

uint64_t
facts_count(const struct fact_def *def, struct trace *t)
{
	const struct fact_def	*d;
	struct type_stat	*stat;
	size_t			 n = trace_type_stats(t, &stat);
	uint64_t		 events = 0;

	for (size_t i = 0; i < n; i++) {
		d = facts_match(def, trace_type(t, (uint32_t)i));
		if (d != NULL && (d->flags & FACT_EXTRA) == 0)
			events += stat[i].c.events;
	}
	mem_free(stat);
	return events;
}

const char *
facts_provider(const struct fact_def *def, struct trace *t, uint8_t *level)
{
	const char		*provider = NULL;
	struct type_stat	*stat;
	size_t			 n = trace_type_stats(t, &stat);
	bool			 several = false;

	for (size_t i = 0; i < n; i++) {
		const struct event_type	*type = trace_type(t, (uint32_t)i);
		const struct fact_def	*d = facts_match(def, type);

		if (d == NULL || (d->flags & FACT_EXTRA) != 0 || stat[i].c.events == 0)
			continue;
		several = several || (provider != NULL && strcmp(provider, type->provider) != 0);
		*level = provider == NULL || type->level < *level ? type->level : *level;
		provider = type->provider;
	}
	mem_free(stat);
	return several ? NULL : provider;
}

/* ---- as a filter */

static bool
same_provider(const struct fact_def *a, const struct fact_def *b)
{
	if (a->provider == NULL || b->provider == NULL)
		return a->provider == b->provider;
	return strcmp(a->provider, b->provider) == 0;
}

/* (provider = "P" and id in (1, 2)) or name = "N": matches all requested events, and few others. */
static void
put_term(struct buf *out, const struct fact_def *d)
{
	if (out->len > 0)
		buf_puts(out, " or ");
	if (d->id == FACT_BY_NAME) {
		buf_puts(out, "name = ");
		(void)filter_quote(out, d->event, strlen(d->event));
		return;
	}
	buf_puts(out, "(provider = ");
	(void)filter_quote(out, d->provider, strlen(d->provider));
	buf_puts(out, " and id in (");
	for (const struct fact_def *x = d; x->provider != NULL || x->event != NULL; x++) {
		if (x->id == FACT_BY_NAME || !same_provider(x, d))
			continue;
		if (x != d)
			buf_puts(out, ", ");
		buf_u64(out, x->id);
	}
	buf_puts(out, "))");
}

void
facts_terms(const struct fact_def *all, struct buf *out)
{
	for (const struct fact_def *d = all; d->provider != NULL || d->event != NULL; d++) {
		const struct fact_def	*first = all;

		while (first != d && (first->id == FACT_BY_NAME || !same_provider(first, d)))
			first++;
		if (first == d || d->id == FACT_BY_NAME)
			put_term(out, d);
	}
}
