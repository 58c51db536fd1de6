/*
 * The built-in table of .NET's events (src/model/clr/events.tsv and maps.tsv): the descriptions
 * that the runtime's providers leave out of their traces. Parsed on first use, immutable
 * afterwards; any thread.
 */
#ifndef TNAV_MODEL_SCHEMA_H
#define TNAV_MODEL_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/model/type.h"

struct schema_row {
	const char		*provider, *name, *display;	/* display may be NULL */
	uint32_t		 id, version;			/* UINT32_MAX: any */
	const char		*task_word, *opcode_word;	/* or NULL */
	uint64_t		 keywords;
	const struct field	*fields;
	uint32_t		 nfields, nslots;
};

/*
 * The row for provider, id and version; failing that the highest version below (*exact false);
 * failing that by provider and name with any id. NULL if there is none. name may be "".
 */
const struct schema_row *schema_find(const char *provider, uint32_t id, uint32_t version,
    const char *name, bool *exact);

/*
 * Complete a type that a decoder has filled from the trace (provider, id, version, name as the
 * file's, fields, source SCHEMA_TRACE or SCHEMA_NONE if it gave no fields): sets name and event as
 * shown, and words. Takes the table's fields if the trace gives none, or if the trace's own are
 * known to be wrong or to stop before an array. Strings it sets live for ever or in the arena. Also
 * computes nslots and the odd_... marks.
 */
void	schema_complete(struct event_type *t, struct arena *a);

/* Enumerate all rows (for completion and the palette): i from 0, NULL at the end. */
const struct schema_row *schema_row_at(uint32_t i);
const struct value_map *schema_map(const char *name);	/* or NULL */

#endif
