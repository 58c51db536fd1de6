/*
 * tnav info: the properties, contents and damage of a trace, on one page.
 */
#include <inttypes.h>
#include <string.h>

#include "app/clocks.h"
#include "app/columns.h"
#include "app/command.h"
#include "app/listing.h"
#include "app/run.h"
#include "tnav/analysis/origin.h"
#include "tnav/analysis/tables.h"
#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "tnav/model/value.h"

#define FINDINGS_SHOWN	5u
#define PROVIDERS_SHOWN	5u
#define NS_PER_MS	1000000

struct trace_facts {
	struct loss	 loss;
	bool		 any;			/* there are events */
	int64_t		 duration;		/* ns, from the first to the last event */
	struct provider_count *provider;
	size_t		 providers;
	struct origin	 origin;
	struct finding	*findings;
	size_t		 nfindings;
	struct clock_facts clock;		/* of several files */
	bool		 is_cut;
	uint64_t	 cut;
};

static void
gather(struct trace_facts *f, struct run *s)
{
	int64_t	first, last;

	memset(f, 0, sizeof *f);
	trace_loss(s->t, &f->loss);
	f->any = trace_range(s->t, &first, &last);
	if (f->any)
		f->duration = trace_dur(s->t, first, last);
	f->providers = provider_counts(s->t, &f->provider);
	origin_read(&f->origin, s->t);
	f->nfindings = diag_list(trace_diag(s->t), &f->findings);
	f->is_cut = trace_cut(s->t, &f->cut);
	if (s->many)
		clocks_add(s, &f->clock);
}

static void
put_sync_time(struct buf *out, const struct trace_info *info)
{
	units_utc(out, info->sync_utc, info->sync_utc % NS_PER_MS == 0 ? 3 : 9);
}

/* The number of findings to show. */
static size_t
findings_shown(const struct run *s, const struct trace_facts *f)
{
	if (s->opt->given[OPT_VERBOSE] || f->nfindings < FINDINGS_SHOWN)
		return f->nfindings;
	return FINDINGS_SHOWN;
}

/* ---- one row */

/* [{"severity":"warning","offset":21,"text":"...","count":1}] */
static void
findings_json(struct buf *out, const struct trace_facts *f, size_t n)
{
	buf_putc(out, '[');
	for (size_t i = 0; i < n; i++) {
		const struct finding	*d = &f->findings[i];

		buf_printf(out, "%s{\"severity\":\"%s\",\"offset\":%" PRIu64 ",\"text\":",
		    i > 0 ? "," : "", severity_name(d->severity), d->off);
		json_text8(out, span_of(d->text));
		buf_printf(out, ",\"count\":%" PRIu64 "}", d->count);
	}
	buf_putc(out, ']');
}

/* [{"provider":"System.Runtime","events":7}] */
static void
providers_json(struct buf *out, const struct trace_facts *f)
{
	buf_putc(out, '[');
	for (size_t i = 0; i < f->providers; i++) {
		buf_puts(out, i > 0 ? ",{\"provider\":" : "{\"provider\":");
		json_text8(out, span_of(f->provider[i].name));
		buf_puts(out, ",\"events\":");
		buf_u64(out, f->provider[i].events);
		buf_putc(out, '}');
	}
	buf_putc(out, ']');
}

/* An unknown text is null. */
static struct cell
text_cell(struct buf *b)
{
	return cell_str(b->len > 0 ? buf_str(b) : NULL);
}

static void
origin_cells(struct cell *c, struct trace_facts *f)
{
	c[INFO_COMMAND_LINE] = text_cell(&f->origin.command);
	c[INFO_OS] = text_cell(&f->origin.os);
	c[INFO_ARCHITECTURE] = text_cell(&f->origin.arch);
	c[INFO_RUNTIME] = text_cell(&f->origin.runtime);
	c[INFO_RUNTIME_PATH] = text_cell(&f->origin.library);
}

static void
row_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	(void)row;
	*out = ((const struct cell *)src)[col];
}

static int
print_row(struct run *s, struct trace_facts *f)
{
	const struct trace_info	*info = trace_info(s->t);
	const struct cell	 null = { .kind = CELL_NULL };
	struct cell		 c[INFO_COLUMNS];
	const bool		 numbered = trace_has(s->t, HAS_NUMBERS);
	struct buf		 sync = { 0 }, kv = { 0 }, first = { 0 }, providers = { 0 };
	int			 code;

	put_sync_time(&sync, info);
	key_values_json(&kv, info->kv, info->nkv);
	providers_json(&providers, f);
	findings_json(&first, f, findings_shown(s, f));
	c[INFO_FILE] = cell_str(s->file);
	c[INFO_SIZE] = cell_u64(trace_size(s->t));
	c[INFO_FORMAT] = cell_str(info->format);
	c[INFO_VERSION] = cell_u64(info->version);
	c[INFO_POINTER_SIZE] = trace_has(s->t, HAS_POINTERS) ? cell_u64(info->pointer_size) : null;
	c[INFO_SYNC_TIME] = info->has_sync_utc ? cell_str(buf_str(&sync)) : null;
	c[INFO_TICK_FREQUENCY] = cell_i64(info->freq);
	c[INFO_DURATION] = f->any ? cell_dur(f->duration) : null;
	c[INFO_EVENTS] = cell_u64(trace_rows(s->t));
	c[INFO_TYPES] = cell_u64(trace_types(s->t));
	c[INFO_PROVIDERS] = cell_u64(f->providers);
	c[INFO_THREADS] = cell_u64(trace_threads(s->t));
	c[INFO_PROCESSES] = cell_u64(f->origin.processes);
	c[INFO_LOST] = numbered ? cell_u64(f->loss.lost) : null;
	c[INFO_GAPS] = numbered ? cell_u64(f->loss.gaps) : null;
	c[INFO_CLEAN] = cell_bool(trace_clean(s->t));
	c[INFO_FINDINGS] = cell_u64(f->nfindings);
	c[INFO_CUT] = f->is_cut ? cell_u64(f->cut) : null;
	c[INFO_KEY_VALUES] = cell_raw(kv.p, kv.len);
	c[INFO_HOST] = cell_str(info_host(info));
	c[INFO_PID] = info->has_pid ? cell_u64(info->pid) : null;
	c[INFO_PROCESSORS] = info->has_pid && info->processors > 0 ?
	    cell_u64(info->processors) : null;
	c[INFO_FIRST_FINDINGS] = cell_raw(first.p, first.len);
	c[INFO_MEMORY] = s->opt->given[OPT_VERBOSE] ? cell_u64(trace_memory(s->t)) : null;
	origin_cells(c, f);
	c[INFO_EVENTS_BY_PROVIDER] = cell_raw(providers.p, providers.len);
	c[INFO_CLOCK] = cell_str(clock_word(f->clock.by));
	c[INFO_BEGINS] = f->clock.by != CLOCK_AUTO ? cell_dur(f->clock.first) : null;
	code = listing_check(s, info_columns, INFO_COLUMNS);
	if (code == 0)
		(void)listing_print(s, &(struct table){ .column = info_columns,
		    .ncolumns = INFO_COLUMNS, .nrows = 1, .src = c, .cell = row_cell });
	buf_release(&sync);
	buf_release(&kv);
	buf_release(&first);
	buf_release(&providers);
	return code;
}

/* ---- a page */

static void
page_line(struct run *s, const char *title, struct buf *text)
{
	listing_fact(s, output_buf(s->o), title, text);
}

static void
page_origin(struct run *s, struct buf *b)
{
	const struct trace_info	*info = trace_info(s->t);

	buf_printf(b, "%s  ", run_name(s));
	units_bytes(b, trace_size(s->t));
	page_line(s, "file", b);
	buf_puts(b, info->format);
	if (trace_has(s->t, HAS_POINTERS))
		buf_printf(b, ", %u-byte pointers", info->pointer_size);
	page_line(s, "format", b);
	if (info->has_pid) {
		buf_u64(b, info->pid);
		if (info->processors > 0)
			buf_printf(b, " on %u processors", info->processors);
		page_line(s, "process", b);
	}
	if (info->has_sync_utc) {
		put_sync_time(b, info);
		page_line(s, "started", b);
	}
	buf_counts(b, "# ticks a second", (uint64_t)info->freq);
	page_line(s, "clock", b);
	for (size_t i = 0; i < info->nkv; i++) {
		buf_printf(b, "%s = %s", info->kv[i].key, info->kv[i].value);
		page_line(s, i == 0 ? "keys" : "", b);
	}
}

static void
page_texts(struct run *s, const char *title, const struct buf *text, const struct buf *more,
    struct buf *b)
{
	buf_add(b, text->p, text->len);
	if (text->len > 0 && more->len > 0)
		buf_puts(b, ", ");
	buf_add(b, more->p, more->len);
	if (b->len > 0)
		page_line(s, title, b);
}

/* What the events say about the process. */
static void
page_process(struct run *s, const struct trace_facts *f, struct buf *b)
{
	static const struct buf	nothing;

	page_texts(s, "command", &f->origin.command, &nothing, b);
	page_texts(s, "system", &f->origin.os, &f->origin.arch, b);
	page_texts(s, "runtime", &f->origin.runtime, &f->origin.library, b);
}

static void
page_providers(struct run *s, const struct trace_facts *f, struct buf *b)
{
	size_t	shown = f->providers;

	if (!s->opt->given[OPT_VERBOSE] && shown > PROVIDERS_SHOWN)
		shown = PROVIDERS_SHOWN;
	for (size_t i = 0; i < shown; i++) {
		const char	*name = f->provider[i].name;

		buf_puts(b, name[0] != '\0' ? name : "(no name)");
		buf_counts(b, "  #", f->provider[i].events);
		page_line(s, i == 0 ? "providers" : "", b);
	}
	if (f->providers > shown) {
		buf_printf(b, "and %zu more; `tnav info -v` lists them", f->providers - shown);
		page_line(s, "", b);
	}
}

static void
page_counts(struct run *s, const struct trace_facts *f, struct buf *b)
{
	buf_grouped(b, trace_rows(s->t));
	if (f->any) {
		buf_puts(b, " in ");
		units_dur(b, f->duration, s->st.mode == TEXT_ASCII);
	}
	page_line(s, "events", b);
	buf_counts(b, "# of # provider{s}", trace_types(s->t), f->providers);
	page_line(s, "types", b);
	page_providers(s, f, b);
	buf_grouped(b, trace_threads(s->t));
	if (f->origin.processes > 0)
		buf_counts(b, " of # process{es}", f->origin.processes);
	page_line(s, "threads", b);
	if (!trace_has(s->t, HAS_NUMBERS)) {
		buf_puts(b, "unknown: the format has no sequence numbers");
	} else if (f->loss.gaps == 0) {
		buf_puts(b, "no lost events detected");
	} else {
		buf_counts(b, "# event{s} in # gap{s}", f->loss.lost, f->loss.gaps);
	}
	page_line(s, "lost", b);
}

static void
page_health(struct run *s, const struct trace_facts *f, struct buf *b)
{
	size_t	shown = findings_shown(s, f);

	if (f->is_cut) {
		buf_puts(b, "cut at offset ");
		buf_u64(b, f->cut);
	} else {
		buf_puts(b, trace_clean(s->t) ? "closed, no damage found" : "damaged");
	}
	page_line(s, "state", b);
	for (size_t i = 0; i < shown; i++) {
		const struct finding	*d = &f->findings[i];

		buf_printf(b, "%s, offset ", severity_name(d->severity));
		buf_u64(b, d->off);
		buf_printf(b, ": %s", d->text);
		if (d->count > 1)
			buf_counts(b, ", # times", d->count);
		page_line(s, i == 0 ? "findings" : "", b);
	}
	if (f->nfindings > shown) {
		buf_printf(b, "and %zu more; `tnav check` lists them", f->nfindings - shown);
		page_line(s, "", b);
	}
	if (s->opt->given[OPT_VERBOSE]) {
		units_bytes(b, trace_memory(s->t));
		page_line(s, "memory", b);
	}
}

static void
print_page(struct run *s, const struct trace_facts *f)
{
	struct buf	b = { 0 };

	if (s->printed)
		buf_putc(output_buf(s->o), '\n');
	page_origin(s, &b);
	page_process(s, f, &b);
	page_counts(s, f, &b);
	page_health(s, f, &b);
	buf_release(&b);
	if (s->many)
		clocks_tell(s);
}

int
info_each(struct run *s)
{
	struct trace_facts	f;
	int			code = 0;

	gather(&f, s);
	s->quiet = s->st.format == OUT_TEXT;
	if (s->st.format == OUT_TEXT)
		print_page(s, &f);
	else
		code = print_row(s, &f);
	mem_free(f.findings);
	mem_free(f.provider);
	origin_release(&f.origin);
	return code;
}
