/*
 * Fuzz target: names of code of a whole trace of any format: what it says of methods, modules,
 * mappings, symbols, threads and processes, and each frame of its stacks by that. Corpus:
 * tests/fuzz/corpus/symbols.
 */
#include "fuzz_trace.h"

#include <stdlib.h>

#include "tnav/analysis/roles.h"
#include "tnav/base/buf.h"
#include "tnav/engine/trace.h"

#define FRAMES		256u
#define EVENTS		2048u

static void
name_stack(struct trace *t, const struct event *e, struct buf *out)
{
	uint64_t	 ips[FRAMES];
	size_t		 n = trace_stack(t, e, ips, FRAMES);

	for (size_t i = 0; i < n; i++) {
		struct frame_name	f;
		bool			named = trace_name_frame(t, e, ips[i], (unsigned)i, true,
					    &f);

		if (named != (f.raw.p != NULL) || f.from > e->ts || (f.to <= e->ts &&
		    f.to != INT64_MAX))
			abort();	/* it holds at the time that it was asked for */
		buf_clear(out);
		frame_text(out, &f, ips[i], FRAME_CLEAN);
		frame_text(out, &f, ips[i], FRAME_RAW);
		(void)name_why_text(f.why);
	}
}

static void
name_threads(struct trace *t)
{
	uint32_t	n = trace_threads(t);

	for (uint32_t i = 0; i < n; i++) {
		struct thread_names	w;

		trace_thread_names(t, i, &w);
		if ((w.role == NULL) != (w.label == NULL))
			abort();
	}
}

static void
look(struct trace *t)
{
	const struct pass_options	 ro = { .workers = 0 };
	struct roles			*r = roles_new(t, &ro, true);
	struct event			 e;
	struct buf			 out = { 0 };

	trace_lend(t, DERIVED_THREAD_NAMES, r);
	name_threads(t);
	for (uint64_t row = 0; row < EVENTS && trace_event(t, row, &e) == 1; row++)
		name_stack(t, &e, &out);
	trace_lend(t, DERIVED_THREAD_NAMES, NULL);
	roles_free(r);
	buf_release(&out);
}

FUZZ_NAMED(look)
