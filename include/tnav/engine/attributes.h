/*
 * The names of attributes (Heph), which no type declares: gathered from the events.
 */
#ifndef TNAV_ENGINE_ATTRIBUTES_H
#define TNAV_ENGINE_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/trace.h"

struct attribute_names;

/* Has the type attributes? */
bool	attributes_in(const struct event_type *type);
struct attribute_names	*attribute_names_new(struct trace *t);
void	attribute_names_free(struct attribute_names *n);
/* Gather those of the event. False: there are more names than are kept. */
bool	attribute_names_add(struct attribute_names *n, const struct event *e);
/* Gather a name. */
void	attribute_names_put(struct attribute_names *n, uint32_t type, struct span name);
/* Gather those of all events. */
void	attribute_names_add_all(struct attribute_names *n);
/* The i-th that was met; a type's next one, *at being 0 at first, and what its first value was read
   by. NULL at the end. UTF-8, as the path of a field has it. */
const char	*attribute_name(const struct attribute_names *n, size_t i);
const char	*attribute_name_of(const struct attribute_names *n, uint32_t type, uint32_t *at,
		    const struct field **f);

#endif
