/* The first numbers without a sign that a walk of a payload gives. */
#ifndef TESTS_NUMBERS_H
#define TESTS_NUMBERS_H

#include <stdint.h>

#include "tnav/model/value.h"

#define NUMBERS_MOST	5u

struct numbers {
	uint64_t	v[NUMBERS_MOST];
	unsigned	n;
};

/* For field_walk(), with a struct numbers. */
static inline int
numbers_add(void *arg, const struct value *v)
{
	struct numbers	*x = arg;

	if (v->kind != VK_UINT)
		return 0;
	x->v[x->n++] = v->u;
	return x->n == NUMBERS_MOST;
}

#endif
