/*
 * The values of a payload by a second reader.
 */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include "tnav/model/value.h"

/* What payload_walk() has to give. */
int	reference_walk(const struct event_type *t, struct span payload, value_fn fn, void *arg,
	    struct payload_result *res);

#endif
