/*
 * A V4 trace in which methods are loaded and unloaded, and events have stacks in them.
 */
#ifndef TNAV_TESTS_METHODS_H
#define TNAV_TESTS_METHODS_H

#include <stdint.h>
#include <stdio.h>

#include "nt4_writer.h"

enum methods_event {
	METHODS_PLAIN = 1, METHODS_LOAD, METHODS_UNLOAD, METHODS_RUNDOWN, METHODS_END,
};

struct methods_writer {
	struct nt4_writer	w;
	uint32_t		seq;
	uint32_t		flags;		/* of the methods that follow: jitted */
};

/* f NULL: into memory. Events follow, in ticks of a microsecond; stacks are numbered from 1. */
void	methods_begin(struct methods_writer *m, FILE *f, const uint64_t *stacks, uint32_t nstacks,
	    uint32_t nframes);
void	methods_say(struct methods_writer *m, enum methods_event what, int64_t ts, uint64_t start,
	    uint32_t size, uint64_t id, const char *type, const char *name, const char *signature);
void	methods_plain(struct methods_writer *m, int64_t ts, uint32_t stack);
/* What follows stands in a block of its own. */
void	methods_block(struct methods_writer *m);
void	methods_end(struct methods_writer *m);

#endif
