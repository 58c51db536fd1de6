/* Parts of rows that several reports share. */
#include "analysis/reports/common.h"

#include <string.h>

#include "analysis/symbols/clean.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/units.h"
#include "tnav/engine/joined.h"
#include "tnav/model/schema.h"
#include "tnav/model/json.h"
#include "tnav/model/value.h"

const char *const	collector_methods[] = { "System.GC.", NULL };

static void
put_figure(struct rows *r, unsigned col, bool known, int64_t ns)
{
	if (col != 0)
		row_known(r, col, known, cell_dur(ns));
}

void
row_dist(struct rows *r, unsigned json, const struct figure_columns *c, struct dist *d)
{
	struct dist_figures	f;

	if (json != 0)
		dist_json(d, row_json(r, json));
	if (c == NULL || (d->n == 0 && !c->nulls))
		return;
	dist_figures(d, &f);
	put_figure(r, c->total, d->n > 0, f.total);
	put_figure(r, c->mean, d->n > 0, f.mean);
	put_figure(r, c->p50, d->n > 0, f.p50);
	put_figure(r, c->p90, d->n > 0, f.p90);
	put_figure(r, c->p99, d->n > 0, f.p99);
	put_figure(r, c->max, d->n > 0, f.max);
}

void
row_share(struct rows *r, unsigned col, double part, double whole)
{
	row_put(r, col, cell_share(part, whole));
}

void
map_word(struct buf *out, const char *map, uint64_t v)
{
	const struct value_map	*m = schema_map(map);

	if (m != NULL && m->bits && value_words(out, m, v))
		return;
	for (uint32_t i = 0; m != NULL && i < m->n; i++) {
		if (m->values[i].value != v)
			continue;
		buf_puts(out, m->values[i].name);
		return;
	}
	buf_u64(out, v);
}

void
row_map(struct rows *r, unsigned col, bool known, const char *map, uint64_t v)
{
	struct buf	b = { 0 };

	map_word(&b, map, v);
	row_known(r, col, known, (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(&b) });
	buf_release(&b);
}

void
json_map(struct buf *b, const char *map, uint64_t v)
{
	struct buf	name = { 0 };

	map_word(&name, map, v);
	json_str(b, buf_str(&name));
	buf_release(&name);
}

void
row_map_key(struct rows *r, unsigned key, unsigned name, const char *map, uint64_t v,
    uint64_t others)
{
	row_put(r, key, cell_u64(min_u64(v, others)));
	if (v < others)
		row_map(r, name, true, map, v);
	else
		row_str(r, name, "(others)");
}

void
row_word(struct rows *r, unsigned col, const struct texts *t, uint32_t text)
{
	if (text != TEXT_NONE)
		row_text(r, col, texts_at(t, text));
	else
		row_null(r, col);
}

void
row_words(struct rows *r, unsigned col, const struct texts *t, struct method_text m)
{
	if (m.raw == TEXT_NONE || m.words == TEXT_NONE)
		row_word(r, col, t, m.raw);
	else
		row_name(r, col, texts_at(t, m.raw), texts_at(t, m.words));
}

struct method_text
method_text(struct texts *t, const struct frame_name *name)
{
	struct method_text	m = { texts_add(t, name->raw), TEXT_NONE };

	m.words = texts_add(t, name->clean);
	return m;
}

/* Is it a method of the program, outside of .NET and its libraries? */
static bool
is_own_method(const struct frame_name *name)
{
	static const char *const	libraries[] = {
		"System.", "Microsoft.", "Internal.", "Interop.", "Interop+", "FxResources.",
		"dynamicClass.", NULL,
	};

	return name->method && !begins_with_any(name->raw, libraries);
}

/* The program's own method first, if one is wanted; else the first one that is not passed. */
static struct method_text
find_method(const struct report_run *run, struct texts *t, const struct fact *f,
    const char *const *passed, bool own)
{
	struct method_text	found = NO_METHOD;
	struct frame_name	name;

	for (size_t i = 0; i < f->nips && (own || found.raw == TEXT_NONE); i++) {
		if (!fact_frame(run, f, i, &name))
			continue;
		if (own && is_own_method(&name))
			return method_text(t, &name);
		if (passed != NULL && found.raw == TEXT_NONE &&
		    !begins_with_any(name.raw, passed))
			found = method_text(t, &name);
	}
	return found;
}

struct method_text
fact_source(struct report_state *s, const struct fact *f, const char *const *passed)
{
	return find_method(s->run, s->texts, f, passed, true);
}

struct method_text
fact_method(struct report_state *s, const struct fact *f, const char *const *passed)
{
	return find_method(s->run, s->texts, f, passed, false);
}

struct method_text
fact_own_method(const struct report_run *run, struct texts *t, const struct fact *f)
{
	return find_method(run, t, f, NULL, true);
}

uint32_t
frame_address(struct report_state *s, bool has, uint64_t ip, const char *word)
{
	buf_clear(&s->text);
	buf_puts(&s->text, has ? "0x" : word);
	if (has)
		buf_hex(&s->text, ip, 1);
	return texts_add(s->texts, span_of_buf(&s->text));
}

void
row_clean_name(struct rows *r, unsigned col, struct span clean, struct span raw)
{
	struct buf	json = { 0 };

	json_text8(&json, clean);
	row_json_names(r, col, span_of_buf(&json), clean, raw);
	buf_release(&json);
}

void
row_frame_name(struct rows *r, unsigned col, const struct frame_name *f, uint64_t ip)
{
	struct buf	clean = { 0 }, raw = { 0 };

	frame_text(&clean, f, ip, FRAME_CLEAN);
	frame_text(&raw, f, ip, FRAME_RAW);
	row_clean_name(r, col, span_of_buf(&clean), span_of_buf(&raw));
	buf_release(&clean);
	buf_release(&raw);
}

#define FRAME_SLOTS	4096u		/* a power of two */

struct cached_frame {
	uint64_t		ip;
	uint32_t		process;
	bool			used, innermost, has;	/* has: trace_name_frame()'s result */
	struct frame_name	name;
};

struct frame_cache {
	struct cached_frame	slot[FRAME_SLOTS];
};

struct frame_cache *
frame_cache_new(void)
{
	return mem_zalloc(1, sizeof(struct frame_cache));
}

void
frame_cache_free(struct frame_cache *c)
{
	mem_free(c);
}

static bool
name_frame(const struct report_run *run, const struct fact *f, size_t i, struct frame_name *name)
{
	const struct stack_namer	*n = trace_lent(run->t, DERIVED_SYMBOLS);
	struct cached_frame		*x;
	uint32_t			 process;

	if (run->frames == NULL || n == NULL)
		return trace_name_frame(run->t, f->ev, f->ips[i], (unsigned)i, true, name);
	x = &run->frames->slot[(f->ips[i] ^ f->ips[i] >> 12) % FRAME_SLOTS];
	process = n->process(n->self, f->ev);
	if (!x->used || x->ip != f->ips[i] || x->process != process ||
	    x->innermost != (i == 0) || f->ev->ts < x->name.from || f->ev->ts >= x->name.to) {
		*x = (struct cached_frame){ .ip = f->ips[i], .process = process,
		    .innermost = i == 0, .used = true };
		x->has = trace_name_frame(run->t, f->ev, x->ip, (unsigned)i, true, &x->name);
	}
	*name = x->name;
	return x->has;
}

bool
fact_frame(const struct report_run *run, const struct fact *f, size_t i, struct frame_name *name)
{
	return name_frame(run, f, i, name) && name->raw.len > 0 && name->why != NAME_ENTRY_POINT;
}

void
method_words(struct buf *out, struct span raw, size_t type_len, size_t args_at)
{
	size_t			name = type_len < args_at ? type_len + 1 : args_at;
	struct method_parts	m = {
		.type = { raw.p, type_len },
		.name = { raw.p + name, args_at - name },
		.args = { raw.p + args_at, raw.len - args_at },
	};

	clean_method(out, &m);
}

/* Does a bracket begin an assembly's name here, not an array? */
static bool
names_assembly(const struct buf *b, struct span name, size_t i)
{
	char	before = b->len > 0 ? b->p[b->len - 1] : ' ';

	return name.p[i] == '[' && i + 1 < name.len && name.p[i + 1] != ']' &&
	    (before == ' ' || before == '(' || before == ',' || before == '<');
}

/* The type begins after the last blank before "::". */
void
il_method_words(struct buf *out, struct span name)
{
	struct buf	raw = { 0 };
	size_t		type = 0, args = SIZE_MAX, dots = SIZE_MAX;

	for (size_t i = 0; i < name.len; i++) {
		if (names_assembly(&raw, name, i)) {
			while (i < name.len && name.p[i] != ']')
				i++;
			continue;
		}
		if (dots == SIZE_MAX && name.p[i] == ' ')
			type = raw.len + 1;
		if (dots == SIZE_MAX && name.p[i] == ':' && i + 1 < name.len &&
		    name.p[i + 1] == ':') {
			dots = raw.len;
			i++;
		}
		if (dots != SIZE_MAX && args == SIZE_MAX && name.p[i] == '(')
			args = raw.len;
		buf_putc(&raw, (char)name.p[i]);
	}
	if (dots == SIZE_MAX || args == SIZE_MAX || dots < type)
		buf_add(out, name.p, name.len);
	else
		method_words(out, (struct span){ (const uint8_t *)raw.p + type, raw.len - type },
		    dots - type, args - type);
	buf_release(&raw);
}

void
row_known(struct rows *r, unsigned col, bool known, struct cell c)
{
	row_put(r, col, known ? c : cell_null());
}

void
row_filter_tid(struct rows *r, const struct report_run *run, uint32_t thread, const char *expr)
{
	struct cell	tid = report_tid(run, thread);
	struct buf	b = { 0 };

	if (tid.kind != CELL_U64)
		return;
	buf_printf(&b, "%s and tid = ", expr);
	buf_u64(&b, tid.u);
	row_filter(r, buf_str(&b));
	buf_release(&b);
}

int64_t
fact_ns(const struct fact *f, unsigned i)
{
	double	v = fact_f64(f, i);

	if (v >= 9.2e18)
		return INT64_MAX;
	return v > 0 ? (int64_t)v : 0;
}

void
put_dur(struct buf *out, int64_t ns)
{
	units_dur(out, ns, false);
}

void
plain_units(struct buf *b)
{
	static const char	micro[] = "\xc2\xb5";
	size_t			len = 0;

	for (size_t i = 0; i < b->len; i++) {
		bool	is_micro = b->len - i >= 2 && memcmp(b->p + i, micro, 2) == 0;

		b->p[len++] = is_micro ? 'u' : b->p[i];
		i += is_micro;
	}
	b->len = len;
}

bool
begins_with_any(struct span text, const char *const *some)
{
	for (; *some != NULL; some++)
		if (span_begins(text, *some))
			return true;
	return false;
}

const struct field_who *
report_who(struct report_state *s, uint32_t thread)
{
	if (s->reader == NULL)
		s->reader = field_reader_new(s->run->t,
		    &(struct field_options){ .words = WORDS_BARE });
	return thread != EVENT_NONE ? field_who(s->reader, thread) : NULL;
}

void
row_who(struct rows *r, struct report_state *s, uint32_t thread, const struct who_columns *c)
{
	const struct field_who	*who = report_who(s, thread);

	if (who == NULL) {
		row_null(r, c->process);
		row_null(r, c->pid);
		return;
	}
	row_str(r, c->process, who->process);
	row_known(r, c->pid, who->has_pid, cell_u64(who->pid));
	row_str(r, c->thread, who->name);
}

struct cell
report_tid(const struct report_run *run, uint32_t thread)
{
	struct thread_stat	st = { .has_tid = false };

	if (thread != EVENT_NONE)
		trace_thread(run->t, thread, &st);
	return st.has_tid ? cell_u64(st.tid) : cell_null();
}

void
report_gap(const struct report_run *run, struct rows *rows, unsigned col,
    const struct loss_query *query)
{
	struct gap	g;
	uint64_t	candidates = losses_find(run->losses, query, &g);

	if (candidates > 0)
		gap_json(row_json(rows, col), run->t, &g, report_tid(run, g.thread), candidates);
}

uint64_t
run_row_at(const struct report_run *run, int64_t ts)
{
	return trace_row_at(run->home, trace_source_since(run->t, run->o.source, ts));
}

bool
report_times(const struct report_run *run, int64_t *first, int64_t *last)
{
	struct event	e;
	int64_t		from, to;
	uint64_t	row = run_row_at(run, run->o.pass.from);

	if (!trace_range(run->home, &from, &to))
		return false;
	if (run->o.pass.has_from) {
		if (trace_event(run->home, row, &e) != 1)
			return false;
		from = e.ts;
	}
	if (run->o.pass.has_to) {
		row = run_row_at(run, run->o.pass.to);
		if (row == 0 || trace_event(run->home, row - 1, &e) != 1)
			return false;
		to = e.ts;
	}
	*first = trace_ns(run->t, trace_source_ts(run->t, run->o.source, from));
	*last = trace_ns(run->t, trace_source_ts(run->t, run->o.source, to));
	return *last >= *first;
}
