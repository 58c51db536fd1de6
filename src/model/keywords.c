/*
 * Keyword bits and their names. The table is small and used at most once per type, so it is kept as
 * text and searched.
 *
 *	Microsoft-Windows-DotNETRuntime TAB 0x1 TAB GC TAB Collections, pauses, ...
 */
#include "tnav/model/keywords.h"

#include <string.h>
#include <strings.h>

#include "model/clr_data.h"
#include "model/tsv.h"
#include "tnav/base/num.h"

static uint64_t
hex_cell(struct span s)
{
	uint64_t	v = 0;

	for (size_t i = 2; i < s.len; i++)
		v = v << 4 | (uint64_t)hex_value((char)s.p[i]);
	return v;
}

bool
keyword_next(const char **at, struct keyword *k)
{
	if (*at == NULL)
		*at = clr_keywords_tsv;
	if (!tsv_row(at))
		return false;
	k->provider = tsv_cell(at);
	k->bits = hex_cell(tsv_cell(at));
	k->name = tsv_cell(at);
	k->text = tsv_cell(at);
	tsv_row_end(at);
	return true;
}

bool
keyword_next_of(const char **at, const char *provider, uint64_t mask, struct keyword *k)
{
	while (mask != 0 && keyword_next(at, k))
		if ((mask & k->bits) == k->bits && k->text.len > 1 &&
		    span_is(k->provider, provider))
			return true;
	return false;
}

bool
keyword_bit(const char *provider, struct span name, uint64_t *bits)
{
	const char	*at = NULL;
	struct keyword	 k;

	while (keyword_next(&at, &k)) {
		if (k.name.len != name.len || strncasecmp((const char *)k.name.p,
		    (const char *)name.p, name.len) != 0)
			continue;
		if (provider == NULL || span_is(k.provider, provider)) {
			*bits = k.bits;
			return true;
		}
	}
	return false;
}

uint64_t
keyword_mask(const char *provider)
{
	const char	*at = NULL;
	struct keyword	 k;
	uint64_t	 mask = 0;

	while (keyword_next(&at, &k))
		if (span_is(k.provider, provider))
			mask |= k.bits;
	return mask;
}

void
keyword_words(struct buf *out, const char *provider, uint64_t mask)
{
	const char	*at = NULL;
	struct keyword	 k;

	while (mask != 0 && keyword_next(&at, &k)) {
		if ((mask & k.bits) != k.bits || !span_is(k.provider, provider))
			continue;
		buf_putc(out, ' ');
		buf_add(out, k.name.p, k.name.len);
	}
}
