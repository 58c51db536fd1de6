/*
 * Facts: what a report counts is what was written, however texts repeat; and only what a report uses
 * is read for it.
 */
#include "../support/bytes.h"
#include "../support/data.h"
#include "../support/nt4_writer.h"
#include "../support/test.h"
#include "tnav/analysis/report.h"
#include "tnav/engine/derived.h"
#include "tnav/engine/trace.h"

#define RUNTIME	"Microsoft-Windows-DotNETRuntime"
#define NAMES	300u		/* more than are remembered */
#define EVENTS	20000u
#define ENDS	4u		/* different ends of names */

enum { ALLOCATION = 1, SAMPLE, CPU, POOL, TYPES };

static void
describe(struct nt4_writer *w)
{
	static const struct nt4_field	tick[] = {
		{ NT4_U32, "AllocationAmount" }, { NT4_U32, "AllocationKind" },
		{ NT4_U16, "ClrInstanceID" }, { NT4_U64, "AllocationAmount64" },
		{ NT4_U64, "TypeID" }, { NT4_STRING, "TypeName" }, { NT4_U32, "HeapIndex" },
	};
	static const struct nt4_field	sample[] = { { NT4_U32, "Type" } };

	nt4_trace(w, &(struct nt4_trace){ .freq = 10000000, .pointer_size = 8 });
	nt4_block(w, "MetadataBlock", NT4_UNCOMPRESSED);
	nt4_metadata(w, ALLOCATION, RUNTIME, 10, "GCAllocationTick", tick, 7);
	nt4_metadata(w, SAMPLE, "Microsoft-DotNETCore-SampleProfiler", 0, "ThreadSample", sample,
	    1);
	nt4_metadata(w, CPU, "Universal.Events", 0, "cpu", sample, 1);
	nt4_metadata(w, POOL, RUNTIME, 55, "ThreadPoolWorkerThreadAdjustmentAdjustment", sample, 1);
	nt4_block_end(w);
}

static void
write_event(struct nt4_writer *w, uint32_t mid, uint32_t i, const struct buf *payload)
{
	const struct nt4_event	e = { .mid = mid, .tid = 7 + i % 3, .capture = 7 + i % 3,
				    .seq = i + 1, .ts = i + 1, .payload = payload->p,
				    .size = (uint32_t)payload->len };

	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	nt4_event(w, &e);
	nt4_block_end(w);
}

/* The names have the same length and few ends, by which they are found. */
static void
put_name(struct buf *out, uint32_t name)
{
	buf_printf(out, "Type%03u.Name%u[]", name, name % ENDS);
}

static void
put_allocation(struct buf *out, uint32_t name, uint64_t bytes)
{
	struct buf	*text = test_buf();
	uint8_t		 le[8];

	put_name(text, name);
	buf_clear(out);
	buf_add(out, "\0\0\0\0" "\0\0\0\0" "\0\0", 10);
	buf_add(out, le, bytes_le(le, bytes, sizeof le));
	buf_add(out, "\0\0\0\0\0\0\0\0", 8);
	for (size_t i = 0; i <= text->len; i++) {
		buf_putc(out, buf_str(text)[i]);
		buf_putc(out, '\0');
	}
	buf_add(out, "\0\0\0\0", 4);
}

TEST(each_allocation_counts_for_the_type_it_names)
{
	static uint64_t			 want[NAMES];
	const struct report_options	 o = { .pass.workers = 2 };
	struct report_made		*m;
	struct pass_result		 result;
	struct nt4_writer		 w;
	struct trace			*t;
	struct table			*table;
	struct cell			 name = { .kind = CELL_NONE }, bytes = { .kind = CELL_NONE };
	struct buf			*b = test_buf();
	uint32_t			 seed = 1;
	unsigned			 part = report_part_find(&report_allocs, "type", 4);

	nt4_init(&w, NULL);
	describe(&w);
	for (uint32_t i = 0; i < EVENTS; i++) {
		uint32_t	n;

		seed = seed * 1103515245 + 12345;
		n = (seed >> 8) % ((i / 1000) % 2 == 0 ? 5 : NAMES);
		want[n] += i + 1;
		put_allocation(b, n, i + 1);
		write_event(&w, ALLOCATION, i, b);
	}
	t = data_nt4(&w, NULL);
	assert_int_equal(report_make(&m, &report_allocs, t, &o, &result), 0);
	table = report_table(m, part);
	assert_int_equal(table->nrows, NAMES);
	for (size_t i = 0; i < table->nrows; i++) {
		uint32_t	n;

		table->cell(table->src, i, table_find_column(table, "type", 4, NULL), &name);
		table->cell(table->src, i, table_find_column(table, "bytes", 5, NULL), &bytes);
		assert_int_equal(name.kind, CELL_TEXT);
		assert_true(name.text.len > 7);
		n = (uint32_t)strtoul((const char *)name.text.p + 4, NULL, 10);
		assert_true(n < NAMES);
		buf_clear(b);
		put_name(b, n);
		assert_true(spans_equal(name.text, span_of_buf(b)));
		assert_int_equal(bytes.u, want[n]);
		want[n] = 0;
	}
	table_free(table);
	report_free(m);
}

static void
check_uses(uint32_t mid, const struct report *of, bool symbols, bool who)
{
	struct nt4_writer	 w;
	struct trace		*t;
	struct buf		*b = test_buf();

	nt4_init(&w, NULL);
	describe(&w);
	put_allocation(b, 1, 1);
	write_event(&w, POOL, 0, b);
	write_event(&w, mid, 1, b);
	t = data_nt4(&w, NULL);
	assert_int_equal(report_needs(&report_summary, t), (symbols ? NEEDS_SYMBOLS : 0) |
	    (who ? NEEDS_WHO : 0));
	assert_int_equal(report_needs(of, t), symbols ? NEEDS_SYMBOLS : 0);
	assert_int_equal(report_needs(&report_exceptions, t), 0);
	assert_int_equal(report_needs(&report_threadpool, t), 0);
}

TEST(names_are_used_only_if_a_report_shows_some)
{
	check_uses(POOL, &report_threadpool, false, false);
	check_uses(ALLOCATION, &report_allocs, true, false);
	check_uses(SAMPLE, &report_samples, true, false);
	check_uses(CPU, &report_samples, true, true);
}
