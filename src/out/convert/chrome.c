/*
 * A timeline as Chromium's trace event format:
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 *
 *	M	names of processes and threads		X	slices that nest on their thread
 *	b, e	other slices, by category and id	i	instants
 *	s, f	from a cause to what it caused		C	counters
 *
 * Times are in microseconds with three decimals, so nothing is rounded.
 */
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/model/value.h"
#include "tnav/out/convert.h"

struct chrome_track {
	uint64_t	pid, tid;
};

struct chrome {
	struct encoder_to	 to;
	struct chrome_track	*track;
	size_t			 ntracks;
	uint64_t		 flows;
	bool			 any;
};

static void
chrome_release(void *self)
{
	struct chrome	*x = self;

	mem_free(x->track);
}

static int
chrome_begin(void *self)
{
	struct chrome	*x = self;
	struct buf	*out = output_buf(x->to.o);

	buf_puts(out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"exporter\":\"tnav\","
	    "\"trace\":");
	json_text8(out, span_of(x->to.name));
	buf_puts(out, "},\"traceEvents\":[");
	return ERR_OK;
}

/* Begin an event; its object stays open. */
static struct buf *
put_event(struct chrome *x, char ph, struct span name, uint32_t track)
{
	struct buf	*out = output_buf(x->to.o);

	buf_puts(out, x->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	x->any = true;
	buf_putc(out, ph);
	buf_puts(out, "\",\"pid\":");
	buf_u64(out, x->track[track].pid);
	buf_puts(out, ",\"tid\":");
	buf_u64(out, x->track[track].tid);
	buf_puts(out, ",\"name\":");
	json_text8(out, name);
	return out;
}

/* ,"ts":1234.567 */
static void
put_time(struct buf *out, const char *key, uint64_t ns)
{
	buf_printf(out, ",\"%s\":", key);
	buf_u64(out, ns / 1000);
	buf_printf(out, ".%03u", (unsigned)(ns % 1000));
}

static void
put_category(struct buf *out, struct span category)
{
	buf_puts(out, ",\"cat\":");
	json_text8(out, category);
}

static int
end_event(struct chrome *x, struct span args)
{
	struct buf	*out = output_buf(x->to.o);

	if (args.len > 0) {
		buf_puts(out, ",\"args\":");
		buf_span(out, args);
	}
	buf_putc(out, '}');
	return output_step(x->to.o);
}

static int
put_name(struct chrome *x, const char *of, uint32_t track, struct span name)
{
	struct buf	*out = put_event(x, 'M', span_of(of), track);

	buf_puts(out, ",\"args\":{\"name\":");
	json_text8(out, name);
	buf_putc(out, '}');
	return end_event(x, (struct span){ .len = 0 });
}

static int
chrome_track(void *self, const struct timeline_track *t)
{
	struct chrome	*x = self;

	x->track = array_reach(x->track, &x->ntracks, t->track, sizeof *x->track);
	x->track[t->track] = (struct chrome_track){ t->pid, t->tid };
	if (t->first && t->process.len > 0)
		(void)put_name(x, "process_name", t->track, t->process);
	if (t->name.len > 0)
		(void)put_name(x, "thread_name", t->track, t->name);
	buf_printf(put_event(x, 'M', span_of("thread_sort_index"), t->track),
	    ",\"args\":{\"sort_index\":%u}", t->track);
	return end_event(x, (struct span){ .len = 0 });
}

static void
put_flow_end(struct chrome *x, char ph, uint32_t track, uint64_t ns)
{
	struct buf	*out = put_event(x, ph, span_of("caused"), track);

	put_category(out, span_of("cause"));
	put_time(out, "ts", ns);
	buf_puts(out, ",\"id\":");
	buf_u64(out, x->flows);
	if (ph == 'f')
		buf_puts(out, ",\"bp\":\"e\"");
	(void)end_event(x, (struct span){ .len = 0 });
}

static struct buf *
put_async(struct chrome *x, char ph, const struct timeline_slice *s, uint64_t ns)
{
	struct buf	*out = put_event(x, ph, s->name, s->track);

	put_category(out, s->category);
	put_time(out, "ts", ns);
	buf_puts(out, ",\"id\":\"0x");
	buf_hex(out, s->id, 1);
	buf_putc(out, '"');
	return out;
}

static int
chrome_slice(void *self, struct timeline_slice *s)
{
	struct chrome	*x = self;
	struct buf	*out;

	if (s->nests) {
		out = put_event(x, 'X', s->name, s->track);
		put_category(out, s->category);
		put_time(out, "ts", s->ns);
		put_time(out, "dur", s->end - s->ns);
	} else {
		(void)put_async(x, 'b', s, s->ns);
	}
	(void)end_event(x, s->args);
	if (s->cause.flow != 0) {
		x->flows++;
		put_flow_end(x, 's', s->cause.track, s->cause.ns);
		put_flow_end(x, 'f', s->track, s->ns);
	}
	return output_step(x->to.o);
}

static int
chrome_slice_end(void *self, struct timeline_slice *s)
{
	struct chrome	*x = self;

	if (s->nests)
		return ERR_OK;
	(void)put_async(x, 'e', s, s->end);
	return end_event(x, (struct span){ .len = 0 });
}

static int
chrome_instant(void *self, const struct timeline_instant *i)
{
	struct chrome	*x = self;
	struct buf	*out = put_event(x, 'i', i->name, i->track);

	put_category(out, i->category);
	put_time(out, "ts", i->ns);
	buf_puts(out, ",\"s\":\"t\"");
	return end_event(x, i->args);
}

static int
chrome_counter(void *self, uint32_t track, uint64_t ns, struct span name, double value)
{
	struct chrome	*x = self;
	struct buf	*out = put_event(x, 'C', name, track);

	put_time(out, "ts", ns);
	buf_puts(out, ",\"args\":{\"value\":");
	buf_f64(out, value);
	buf_putc(out, '}');
	return end_event(x, (struct span){ .len = 0 });
}

static int
chrome_end(void *self)
{
	struct chrome	*x = self;

	buf_puts(output_buf(x->to.o), "\n]}\n");
	return output_step(x->to.o);
}

const struct timeline_encoder	convert_chrome = {
	.ops = { .begin = chrome_begin, .track = chrome_track, .slice = chrome_slice,
	    .slice_end = chrome_slice_end, .instant = chrome_instant, .counter = chrome_counter,
	    .end = chrome_end },
	.state = { sizeof(struct chrome), chrome_release },
};
