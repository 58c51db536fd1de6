/*
 * Descriptions of events. A user looks up one event at a time, so the table is kept as text and
 * searched.
 *
 *	Microsoft-Windows-DotNETRuntime TAB 1 TAB GCStart TAB A garbage collection begins. ...
 */
#include "tnav/model/docs.h"

#include <string.h>

#include "model/clr_data.h"
#include "model/tsv.h"

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
	if (!tsv_row(at))
		return false;
	d->provider = tsv_cell(at);
	d->id = id_cell(tsv_cell(at));
	d->name = tsv_cell(at);
	d->text = tsv_cell(at);
	tsv_row_end(at);
	return true;
}

bool
doc_find(const struct event_type *type, struct event_doc *d)
{
	const char	*at = NULL;

	while (doc_next(&at, d)) {
		if (!span_is(d->provider, type->provider))
			continue;
		if (d->id == DOC_ANY ?
		    span_is(d->name, type->name) || span_is(d->name, type->event) :
		    d->id == type->id)
			return true;
	}
	return false;
}
