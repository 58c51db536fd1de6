/*
 * What the fuzz targets of traces share.
 *
 *	FUZZ_FORMAT("heph")	a whole file, opened as the given format, indexed by one thread or
 *				several, every row walked, its payload decoded, its stack, labels
 *				and ids asked for
 *	FUZZ_TRACE(look)	a trace of any format, which look() gets
 *	FUZZ_NAMED(look)	the same, with names of its code
 *
 * Bounded: the walk stops after FUZZ_EVENTS, the payloads after FUZZ_BYTES.
 */
#ifndef TESTS_FUZZ_TRACE_H
#define TESTS_FUZZ_TRACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "tnav/analysis/symbols.h"
#include "tnav/base/buf.h"
#include "tnav/base/mem.h"
#include "tnav/engine/trace.h"
#include "tnav/model/value.h"

#define FUZZ_EVENTS	4096u
#define FUZZ_BYTES	(1u << 20)

static inline void
fuzz_event(struct trace *t, const struct event *e, struct buf *out)
{
	const struct event_type	*type = trace_type(t, e->type);
	struct payload_result	res;
	struct span		payload = trace_payload(t, e);
	struct event_extra	extra;
	struct label		labels[8];
	uint64_t		ips[32];
	uint8_t			guid[16];

	buf_clear(out);
	payload_json(out, type, payload, false, &res);
	buf_clear(out);
	payload_line(out, type, payload, &res);
	trace_stack(t, e, ips, 32);
	trace_activity(t, e, guid);
	trace_related(t, e, guid);
	trace_event_lost(t, e);
	trace_labels(t, e, labels, 8);
	trace_event_extra(t, e, &extra);
	trace_header_bytes(t, e);
}

static inline void
fuzz_rows(struct trace *t)
{
	uint64_t	 rows = trace_rows(t), row = 0, bytes = 0;
	struct buf	 out = { 0 };
	struct gap	*gaps;
	struct finding	*findings;

	while (row < rows && row < FUZZ_EVENTS && bytes < FUZZ_BYTES) {
		const struct slice_view	*v;

		if (trace_view_get(t, row, &v) != 1)
			abort();	/* every row below trace_rows() has a view */
		for (uint32_t i = 0; i < v->n && i < FUZZ_EVENTS && bytes < FUZZ_BYTES; i++) {
			fuzz_event(t, &v->ev[i], &out);
			bytes += v->ev[i].size;
		}
		row = v->row0 + v->n;
		trace_view_put(t, v);
	}
	trace_gaps(t, &gaps);
	mem_free(gaps);
	diag_list(trace_diag(t), &findings);
	mem_free(findings);
	buf_release(&out);
}

/* The trace in these bytes, with its whole index; NULL: they are none. */
static inline struct trace *
fuzz_open(struct span bytes, unsigned workers)
{
	struct trace_options	 opt = { .workers = workers };
	struct trace		*t = NULL;
	struct buf		 why = { 0 };

	if (trace_open_memory(&t, bytes, &opt, &why) == 0) {
		trace_index_start(t);
		trace_index_wait(t, -1);
	}
	buf_release(&why);
	return t;
}

/* One worker or several, the same for the same input: the index must not depend on it. */
static inline unsigned
fuzz_workers(const uint8_t *data, size_t size)
{
	return size > 0 ? 1 + data[size - 1] % 3u : 1;
}

static inline int
fuzz_trace(const uint8_t *data, size_t size, const char *format)
{
	struct trace_options	 opt = { .workers = fuzz_workers(data, size),
				    .input_format = format };
	struct trace		*t;
	struct buf		 why = { 0 };
	char			 path[64];
	int			 fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (trace_open(&t, path, &opt, &why) == 0) {
		trace_index_start(t);
		trace_index_wait(t, -1);
		fuzz_rows(t);
		trace_close(t);
	}
	buf_release(&why);
	close(fd);
	return 0;
}

static inline int
fuzz_look(const uint8_t *data, size_t size, bool named, void (*look)(struct trace *t))
{
	const struct derive_options	 o = { .why = NULL };
	struct trace			*t = fuzz_open((struct span){ data, size }, 1);
	struct symbols			*s = t != NULL && named ? symbols_new(t, &o) : NULL;

	if (t != NULL) {
		check(!named || s != NULL);
		trace_lend(t, DERIVED_SYMBOLS, s);
		look(t);
		trace_lend(t, DERIVED_SYMBOLS, NULL);
		symbols_free(s);
		trace_close(t);
	}
	return 0;
}

#define FUZZ_TARGET(run)						\
	int								\
	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)	\
	{								\
		return run;						\
	}
#define FUZZ_FORMAT(format)	FUZZ_TARGET(fuzz_trace(data, size, format))
#define FUZZ_TRACE(look)	FUZZ_TARGET(fuzz_look(data, size, false, look))
#define FUZZ_NAMED(look)	FUZZ_TARGET(fuzz_look(data, size, true, look))

#endif
