/*
 * What events mean. The table is asked for one event at a time, by a person: it is read as it
 * stands.
 *
 *	Microsoft-Windows-DotNETRuntime TAB 1 TAB GCStart TAB A garbage collection begins. ...
 */
#include "tnav/model/docs.h"

#include <string.h>

#include "model/clr_data.h"

static struct span
take_cell(const char **p)
{
	struct span	cell = { (const uint8_t *)*p, strcspn(*p, "\t\n") };

	*p += cell.len;
	if (**p == '\t')
		++*p;
	return cell;
}

static uint32_t
id_cell(struct span s)
{
	uint32_t	v = 0;

	if (s.len == 0 || s.p[0] == '*')
		return DOC_ANY;
	for (size_t i = 0; i < s.len; i++)
		v = v * 10 + (s.p[i] - '0');
	return v;
}

bool
doc_next(const char **at, struct event_doc *d)
{
	if (*at == NULL)
		*at = clr_docs_tsv;
	while (**at == '#')
		*at += strcspn(*at, "\n") + 1;
	if (**at == '\0')
		return false;
	d->provider = take_cell(at);
	d->id = id_cell(take_cell(at));
	d->name = take_cell(at);
	d->text = take_cell(at);
	if (**at == '\n')
		++*at;
	return true;
}

static bool
is(struct span s, const char *text)
{
	return text != NULL && strlen(text) == s.len && memcmp(text, s.p, s.len) == 0;
}

bool
doc_find(const struct event_type *type, struct event_doc *d)
{
	const char	*at = NULL;

	while (doc_next(&at, d)) {
		if (!is(d->provider, type->provider))
			continue;
		if (d->id == DOC_ANY ? is(d->name, type->name) || is(d->name, type->event) :
		    d->id == type->id)
			return true;
	}
	return false;
}
