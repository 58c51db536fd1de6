/*
 * Fuzz target: a part of a trace, redacted, and all that can be read of it, written as a trace, and
 * that read back: the same events, with the same bytes, in the same order. Corpus:
 * tests/fuzz/corpus/cut.
 */
#include "fuzz.h"
#include "fuzz_trace.h"

#include <string.h>

#include "tnav/analysis/context.h"
#include "tnav/base/err.h"
#include "tnav/engine/excerpt.h"

/* Are the rows of b those of a from row0 on, n of them? */
static void
compare_rows(struct trace *a, uint64_t row0, struct trace *b, uint64_t n)
{
	for (uint64_t i = 0; i < n && i < FUZZ_EVENTS; i++) {
		struct event	x, y;

		check(trace_event(a, row0 + i, &x) == 1 && trace_event(b, i, &y) == 1);
		check(x.ts == y.ts && x.size == y.size && x.cpu == y.cpu);
		check(spans_equal(trace_payload(a, &x), trace_payload(b, &y)));
	}
}

/* Write what the options choose, and read it back. */
static void
write_and_read(struct trace *t, const struct excerpt_options *o, bool whole)
{
	struct output		*out = output_on(-1);
	struct excerpt_result	 r;
	struct trace		*again;
	struct buf		*b = output_buf(out);
	int			 err = excerpt_write(t, out, o, &r);

	/* The bytes of a text may also be in a number. */
	check(err == ERR_OK || (err == ERR_FORMAT && o->redact != NULL));
	check(r.bytes == b->len && r.context <= o->ncontext);
	again = fuzz_open(span_of_buf(b), 1);
	check(again != NULL && trace_rows(again) == r.events + r.context);
	if (whole && trace_ordered(t) && trace_ordered(again)) {
		check(r.events == trace_rows(t));
		compare_rows(t, 0, again, r.events);
	}
	fuzz_rows(again);
	trace_close(again);
	(void)output_close(out, false, NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace		*t = fuzz_open((struct span){ data, size },
				    fuzz_workers(data, size));
	struct excerpt_options	 whole = { .note = NULL }, part = { .note = "x" };
	struct event		*context = NULL;
	int64_t			 first, last;

	if (t != NULL && excerpt_refusal(t) == NULL) {
		write_and_read(t, &whole, true);
		if (trace_range(t, &first, &last)) {
			part.pass = (struct pass_options){ .has_from = data[size - 1] % 4 > 0,
			    .from = first / 4 * 3 + last / 4, .has_to = true,
			    .to = first / 2 + last / 2 };
			check(context_choose(t, &part.pass, size % 2 == 0, &context,
			    &part.ncontext) == ERR_OK);
			part.context = context;
			part.redact = redact_new(1 + data[0] % REDACT_ALL, "key");
			write_and_read(t, &part, false);
			redact_free(part.redact);
			mem_free(context);
		}
	}
	trace_close(t);
	return 0;
}
