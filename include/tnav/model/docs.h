/*
 * Descriptions of .NET's events, a line each, from src/model/clr/docs.tsv.
 */
#ifndef TNAV_MODEL_DOCS_H
#define TNAV_MODEL_DOCS_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/cursor.h"
#include "tnav/model/type.h"

#define DOC_ANY		UINT32_MAX	/* looked up by name */

struct event_doc {
	struct span	provider, name, text;
	uint32_t	id;		/* or DOC_ANY */
};

/* All of them: *at is NULL before the first. False: there are no more. */
bool	doc_next(const char **at, struct event_doc *d);
/* That of the type's events; false: nothing is known of them. */
bool	doc_find(const struct event_type *type, struct event_doc *d);

#endif
