/*
 * The small traces of tests/data.
 */
#ifndef TNAV_TESTS_DATA_H
#define TNAV_TESTS_DATA_H

#include <stdint.h>

struct trace;

/* Open tests/data/NAME and wait for its index. The test fails where it can't be read. */
struct trace	*data_open(const char *name);
struct trace	*data_open_with(const char *name, unsigned workers);
/* Events that were decoded for views of it so far. */
uint64_t	 data_decoded(struct trace *t);

#endif
