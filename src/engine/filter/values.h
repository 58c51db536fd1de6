/*
 * The values of an event that a term compares, one after the other. Private to the filter.
 */
#ifndef ENGINE_FILTER_VALUES_H
#define ENGINE_FILTER_VALUES_H

#include "engine/filter/probe.h"
#include "engine/filter/stacks.h"
#include "tnav/engine/label.h"

/* The data for reading values in one thread. */
struct filter_values {
	const struct filter	*f;
	struct trace		*t;
	struct field_reader	*reader;
	struct probe_env	 env;
	struct label_set	*labels;	/* if needed */
	struct stack_memo	**stacks;	/* by term; NULL until needed */
	struct buf		 label, row;	/* scratch: a label, its text */
};

void	values_init(struct filter_values *o, const struct filter *f, struct trace *t);
void	values_release(struct filter_values *o);

/* Probe the values of a field of the header, or of the labels with the term's key. */
void	values_header(struct filter_values *o, struct probe *p, const struct event *ev,
	    uint64_t row);
void	values_labels(struct filter_values *o, struct probe *p, const struct event *ev);

#endif
