/*
 * Traces for tests: the small ones of tests/data, and bytes that a test made. All are indexed, and
 * closed at the end of the rule, if not before. The test fails where they can't be read.
 */
#ifndef TNAV_TESTS_DATA_H
#define TNAV_TESTS_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct filter;
struct nt4_writer;
struct nt6_writer;
struct trace;
struct trace_options;

/* tests/data/NAME */
struct trace	*data_open(const char *name);
struct trace	*data_open_with(const char *name, unsigned workers);
/* A file. opt: NULL for none. */
struct trace	*data_open_path(const char *path, const struct trace_options *opt);
/* The same, before its index is made. */
struct trace	*data_unindexed(const char *path, const struct trace_options *opt);
/* A copy of these bytes, in an exact heap block. */
struct trace	*data_memory(const void *p, size_t len, const struct trace_options *opt);
/* What was written, ended here; the writer is released. */
struct trace	*data_nt4(struct nt4_writer *w, const struct trace_options *opt);
struct trace	*data_nt6(struct nt6_writer *w, const struct trace_options *opt);
void		 data_close(struct trace *t);
/* A filter of its events, until the end of the rule; it must be right, and if strict, know its names.
   text: NULL gives NULL. */
struct filter	*data_filter(struct trace *t, const char *text, bool strict);
/* $srcdir/NAME, until the end of the rule. */
const char	*data_path(const char *name);
/*
 * Take each line of tests/golden/lists/NAME, but for empty ones and remarks behind a #: its
 * columns, which tabs part; those that it lacks are "". Returns how many lines there were.
 */
#define DATA_COLUMNS	9
size_t		 data_list(const char *name, void (*take)(const char *const *column));
/* Events that were decoded for views of it so far. */
uint64_t	 data_decoded(struct trace *t);

#endif
