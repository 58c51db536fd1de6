/*
 * The names of attributes (Heph). No type declares them, so they are collected from the events.
 */
#ifndef TNAV_ENGINE_ATTRIBUTES_H
#define TNAV_ENGINE_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/trace.h"

struct attribute_names;

/* Do the type's events have attributes? */
bool	attributes_in(const struct event_type *type);
struct attribute_names	*attribute_names_new(struct trace *t);
void	attribute_names_free(struct attribute_names *n);
/* Add the names in the event. False: there are more names than are kept. */
bool	attribute_names_add(struct attribute_names *n, const struct event *e);
/* Add a name. */
void	attribute_names_put(struct attribute_names *n, uint32_t type, struct span name);
/* Add the names in all events. */
void	attribute_names_add_all(struct attribute_names *n);
/* The i-th name; or the next name of a type, *at being 0 at first, with *f the field of its first
   value. NULL at the end. Names are UTF-8, as in the path of a field. */
const char	*attribute_name(const struct attribute_names *n, size_t i);
const char	*attribute_name_of(const struct attribute_names *n, uint32_t type, uint32_t *at,
		    const struct field **f);

#endif
