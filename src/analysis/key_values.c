/*
 * The key/values of a V6 trace and of its threads, as one JSON object.
 */
#include <string.h>

#include "tnav/analysis/tables.h"
#include "tnav/model/json.h"

/* The first of the entries from .. to - 1 with that key; `to` if there is none. */
static size_t
key_find(const struct key_value *kv, size_t from, size_t to, const char *key)
{
	while (from < to && strcmp(kv[from].key, key) != 0)
		from++;
	return from;
}

void
key_values_json(struct buf *b, const struct key_value *kv, size_t n)
{
	json_open(b, '{');
	for (size_t i = 0; i < n; i++) {
		const char	*key = kv[i].key;
		size_t		 next = key_find(kv, i + 1, n, key);
		bool		 several = next < n;

		if (key_find(kv, 0, i, key) < i)
			continue;
		json_key_text(b, span_of(key));
		if (several)
			json_open(b, '[');
		json_str(b, kv[i].value);
		for (; next < n; next = key_find(kv, next + 1, n, key))
			json_str(b, kv[next].value);
		if (several)
			json_close(b, ']');
	}
	json_close(b, '}');
}
