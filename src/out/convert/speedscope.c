/*
 * A file for speedscope: https://www.speedscope.app/file-format-schema.json
 *
 *	{ "shared": { "frames": [...] }, "profiles": [
 *	  { "type": "sampled", "samples": [[0,1],[0,1,2]], "weights": [1,1] },	a thread
 *
 * Samples are those of the trace, in time order. Their weights come after them, so those of one
 * thread at a time are held back, in a scratch file.
 */
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/io/scratch.h"
#include "tnav/model/value.h"
#include "tnav/out/convert.h"

struct speedscope {
	struct encoder_to	 to;
	enum profile_unit	 unit;
	bool			 any_thread, any_sample;
	/* Of the current thread: */
	struct scratch		*weights;	/* double each */
	double			 start, total;
	uint32_t		*number;	/* of frames in the file, by id */
	uint32_t		 frames;
};

static void
speedscope_release(void *self)
{
	struct speedscope	*x = self;

	scratch_free(x->weights);
	mem_free(x->number);
}

static int
speedscope_begin(void *self, const struct profile_head *head)
{
	struct speedscope	*x = self;
	struct buf		*out = output_buf(x->to.o);

	x->unit = head->unit;
	x->number = mem_zalloc((size_t)head->frames + 1, sizeof *x->number);
	x->weights = scratch_new(sizeof(double));
	buf_puts(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
	    "\"exporter\":\"tnav\",\"name\":");
	json_text8(out, span_of(x->to.name));
	buf_puts(out, ",\"shared\":{\"frames\":[");
	return ERR_OK;
}

static void
speedscope_frame(void *self, uint32_t id, const struct profile_frame *f)
{
	struct speedscope	*x = self;
	struct buf		*out = output_buf(x->to.o);

	buf_puts(out, x->frames > 0 ? ",\n{\"name\":" : "\n{\"name\":");
	json_text8(out, f->name);
	if (f->module.len > 0) {
		buf_puts(out, ",\"file\":");
		json_text8(out, f->module);
	}
	buf_putc(out, '}');
	x->number[id] = x->frames++;
	(void)output_step(x->to.o);
}

static void
end_thread(struct speedscope *x)
{
	struct buf	*out = output_buf(x->to.o);

	if (!x->any_thread)
		return;
	buf_puts(out, "],\n\"weights\":[");
	for (uint64_t i = 0; i < scratch_n(x->weights); i++) {
		if (i > 0)
			buf_putc(out, ',');
		buf_f64(out, *(double *)scratch_at(x->weights, i));
		(void)output_step(x->to.o);
	}
	buf_puts(out, "],\"startValue\":");
	buf_f64(out, x->start);
	buf_puts(out, ",\"endValue\":");
	buf_f64(out, x->start + x->total);
	buf_putc(out, '}');
}

static int
speedscope_thread(void *self, const struct profile_thread *t)
{
	static const char *const	unit[] = { "none", "nanoseconds", "bytes" };
	struct speedscope		*x = self;
	struct buf			*out = output_buf(x->to.o);

	end_thread(x);
	buf_puts(out, x->any_thread ? ",\n" : "]},\"activeProfileIndex\":0,\"profiles\":[\n");
	buf_printf(out, "{\"type\":\"sampled\",\"unit\":\"%s\",\"name\":",
	    unit[x->unit]);
	json_text8(out, t->name);
	buf_puts(out, ",\"samples\":[");
	scratch_cut(x->weights, 0);
	x->start = x->unit == PROFILE_NS && t->start > 0 ? (double)t->start : 0;
	x->total = 0;
	x->any_thread = true;
	x->any_sample = false;
	return output_step(x->to.o);
}

static int
speedscope_sample(void *self, const uint32_t *frame, size_t n, double weight)
{
	struct speedscope	*x = self;
	struct buf		*out = output_buf(x->to.o);

	if (weight < 0)			/* it knows no such thing */
		return ERR_OK;
	buf_puts(out, x->any_sample ? ",[" : "[");
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buf_putc(out, ',');
		buf_u64(out, x->number[frame[i]]);
	}
	buf_putc(out, ']');
	if (scratch_append(x->weights, &weight, 1) == 0)
		return ERR_NOMEM;
	x->any_sample = true;
	x->total += weight;
	return output_step(x->to.o);
}

static int
speedscope_end(void *self)
{
	struct speedscope	*x = self;
	struct buf		*out = output_buf(x->to.o);

	end_thread(x);
	buf_puts(out, x->any_thread ? "\n]}\n" : "]},\"profiles\":[]}\n");
	return output_step(x->to.o);
}

const struct profile_encoder	convert_speedscope = {
	.ops = { .in_time = true, .begin = speedscope_begin, .frame = speedscope_frame,
	    .thread = speedscope_thread, .sample = speedscope_sample,
	    .end = speedscope_end },
	.state = { sizeof(struct speedscope), speedscope_release },
};
