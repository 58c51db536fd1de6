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

/* Enumerate: *at is NULL before the first. False: no more. */
bool	doc_next(const char **at, struct event_doc *d);
/* The description of the type's events; false: there is none. */
bool	doc_find(const struct event_type *type, struct event_doc *d);

#endif
