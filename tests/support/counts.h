/*
 * Counting events one by one.
 */
#ifndef TNAV_TESTS_COUNTS_H
#define TNAV_TESTS_COUNTS_H

#include <stdint.h>

#include "tnav/engine/count.h"

/* Add the rows [from, to). */
void	counts_add_rows(struct counter *c, struct trace *t, uint64_t from, uint64_t to);

#endif
