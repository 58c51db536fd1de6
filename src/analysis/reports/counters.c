/*
 * Counters: EventCounters of any EventSource, and the instruments of System.Diagnostics.Metrics.
 *
 *	event EventCounters { Name Mean ... }	series (provider, name, metadata)	point
 *	event GaugeValuePublished { ... }	series (session, meter, name, tags, id)	point
 *	Begin-, EndInstrumentReporting, ...	an instrument
 *	Message, Error, ...LimitReached		a notice
 *
 * A value describes the interval that ends at its event. Numbers of meters are texts, which may be
 * empty. An EventCounter that has Increment is a sum, any other one is a mean.
 *
 * Invariant: series are numbered in the order in which they came, as their keys are.
 */
#include <math.h>
#include <string.h>

#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sum.h"
#include "tnav/model/json.h"
#include "tnav/model/value.h"

#define SCALE_MOST_S	1e9		/* of a rate */
#define TICKS_S		10000000.0	/* of a FILETIME in a second */

enum { CT_KINDS, CT_FIELDS, NO_FIELD = FACT_FIELDS };

/* A value that is not a number is not known. */
struct point {
	int64_t		ns;
	double		value, rate, interval, stddev, min, max, sum;
	uint64_t	count;
	uint32_t	quantiles;		/* JSON, as a text's number */
};

/* The last two texts depend on the source. */
enum series_text { PROVIDER, NAME, TAGS, UNIT, TYPE, FIRST_OWN, LAST_OWN, SERIES_TEXTS };
enum series_source { OF_EVENTS, OF_METER };

static const struct {
	const char	*name;
	unsigned	 field[SERIES_TEXTS], column[SERIES_TEXTS];
} sources[] = {
	[OF_EVENTS] = { "EventCounter",
	    { NO_FIELD, C_NAME, C_METADATA, C_UNIT, C_TYPE, C_DISPLAY, C_SCALE },
	    { CT_PROVIDER, CT_NAME, CT_TAGS, CT_UNIT, CT_TYPE, CT_DISPLAY, CT_SCALE } },
	[OF_METER] = { "Meter",
	    { M_METER, M_NAME, M_TAGS, M_UNIT, NO_FIELD, M_VERSION, M_SESSION },
	    { CT_PROVIDER, CT_NAME, CT_TAGS, CT_UNIT, CT_TYPE, CT_VERSION, CT_SESSION } },
};

struct series {
	const struct texts	*texts;
	enum series_source	source;
	uint32_t		text[SERIES_TEXTS];	/* TEXT_NONE: null */
	struct cell		id;
	unsigned		kind;		/* of its events */
	bool			sum_of;		/* an EventCounter that has Increment */
	bool			base2;		/* a histogram without quantiles */
	struct point		*p;
	size_t			n, cap;
	double			per_second;	/* change in the last interval */
	double			rate_s;		/* seconds that the rate refers to */
};

/* The entries of the state are series, by the number of the key. */
struct counters {
	struct report_state	*state;
	struct texts		*keys;
	uint64_t		 points, without, beyond, dropped, errors;
	bool			 limited;
	double			 interval;	/* seconds, of the current session; 0: unknown */
};

static void
counters_begin(struct report_state *state)
{
	struct counters	*c = state->own;

	c->state = state;
	c->keys = texts_new();
}

static void
counters_release(struct report_state *state)
{
	struct counters	*c = state->own;

	for (size_t i = 0; i < groups_n(state->keyed[0]); i++)
		mem_free(((struct series *)groups_at(state->keyed[0], i))->p);
	texts_free(c->keys);
}

/* ---- values */

static double
fact_number(const struct fact *f, unsigned i)
{
	struct cell	c = fact_cell(f, i);

	return table_number_or(&c, NAN);
}

static double
number_in(struct span text)
{
	double	v;

	return text_number(text, &v) ? v : NAN;
}

/* Meters write numbers as texts; plain numbers are accepted, too. */
static double
meter_number(const struct fact *f, unsigned i)
{
	if (fact_has(f, i) && f->v[i].kind == FACT_TEXT)
		return number_in(fact_text(f, i));
	return fact_number(f, i);
}

/* A quotient may be too great. */
static double
divided(double v, double by)
{
	return isfinite(v / by) ? v / by : NAN;
}

static uint32_t
keep(struct counters *c, const struct fact *f, unsigned i)
{
	if (!fact_has(f, i) || f->v[i].kind != FACT_TEXT)
		return TEXT_NONE;
	return texts_add(c->state->texts, fact_text(f, i));
}

static void
json_number(struct buf *out, double v)
{
	if (isnan(v))
		json_str(out, NULL);
	else
		json_f64(out, v);
}

/* 0.5=24.5;0.95=45.5 as {"0.5":24.5,"0.95":45.5} */
static uint32_t
quantiles(struct counters *c, struct span s)
{
	const uint8_t	*at = s.p, *end = s.len > 0 ? s.p + s.len : s.p, *eq, *stop;

	buf_clear(&c->state->text);
	json_open(&c->state->text, '{');
	for (; at < end; at = stop < end ? stop + 1 : end) {
		stop = memchr(at, ';', (size_t)(end - at));
		stop = stop != NULL ? stop : end;
		eq = memchr(at, '=', (size_t)(stop - at));
		if (eq == NULL)
			continue;
		json_key_text(&c->state->text, (struct span){ at, (size_t)(eq - at) });
		json_number(&c->state->text, number_in((struct span){ eq + 1,
		    (size_t)(stop - eq - 1) }));
	}
	json_close(&c->state->text, '}');
	return texts_add(c->state->texts, span_of_buf(&c->state->text));
}

/* ---- series */

static void
key_put(struct buf *key, struct span s, bool has)
{
	uint32_t	len = has ? (uint32_t)s.len : UINT32_MAX;

	buf_add(key, &len, sizeof len);
	buf_add(key, s.p, has ? s.len : 0);
}

/* The series of the key in the state's text. *fresh: it was added. NULL: no room. */
static struct series *
series_find(struct counters *c, const struct fact *f, enum series_source source, bool *fresh)
{
	uint32_t	 i = texts_add(c->keys, span_of_buf(&c->state->text));
	struct series	*s;

	*fresh = i == groups_n(c->state->keyed[0]);
	if (i == TEXT_NONE) {
		c->without++;
		return NULL;
	}
	s = groups_get(c->state->keyed[0], i, 0);
	if (s == NULL || !*fresh)
		return s;
	*s = (struct series){ .texts = c->state->texts, .source = source, .id = cell_null(),
	    .per_second = NAN };
	for (unsigned k = 0; k < SERIES_TEXTS; k++)
		s->text[k] = keep(c, f, sources[source].field[k]);
	return s;
}

/* Add a point to the series. NULL: no room. */
static struct point *
point_add(struct counters *c, struct series *s, const struct fact *f)
{
	if (c->points >= LIMIT_REPORT_EVENTS) {
		c->beyond++;
		return NULL;
	}
	s->p = mem_grow(s->p, &s->cap, s->n + 1, sizeof *s->p);
	s->p[s->n] = (struct point){ .ns = f->ns, .quantiles = TEXT_NONE, .value = NAN,
	    .rate = NAN, .interval = NAN, .stddev = NAN, .min = NAN, .max = NAN, .sum = NAN };
	c->points++;
	return &s->p[s->n++];
}

/* The seconds of a TimeSpan, "1.00:00:10.5": what a rate refers to. 1: it is none, or is empty. */
static double
scale_of(struct span s)
{
	double		total = 0, v = 0, days = 0, fraction = 0;
	unsigned	colons = 0;

	for (size_t i = 0; i < s.len; i++) {
		if (s.p[i] >= '0' && s.p[i] <= '9') {
			v += fraction > 0 ? (s.p[i] - '0') * fraction : 9 * v + (s.p[i] - '0');
			fraction /= 10;
		} else if (s.p[i] == ':') {
			total = (total + v) * 60;
			v = 0;
			colons++;
		} else if (s.p[i] == '.' && colons == 0) {
			days = v;
			v = 0;
		} else if (s.p[i] == '.' && fraction <= 0) {
			fraction = 0.1;
		} else {
			return 1;
		}
	}
	total += v + days * 86400;
	return colons == 2 && total > 0 && total < SCALE_MOST_S ? total : 1;
}

/* "/ s", "/ min", "/ 10 s" */
static void
put_rate_unit(struct counters *c, struct rows *r, double seconds)
{
	static const struct {
		double		 seconds;
		const char	*text;
	} units[] = { { 1, "/ s" }, { 60, "/ min" }, { 3600, "/ h" }, { 86400, "/ d" } };
	struct buf	*b = &c->state->text;

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (seconds >= units[i].seconds && seconds <= units[i].seconds) {
			row_str(r, CT_RATE_UNIT, units[i].text);
			return;
		}
	buf_clear(b);
	buf_puts(b, "/ ");
	buf_f64(b, seconds);
	buf_puts(b, " s");
	row_text(r, CT_RATE_UNIT, span_of_buf(b));
}

static struct series *
event_counter_series(struct counters *c, const struct fact *f)
{
	const struct event_type	*type = trace_type(c->state->run->t, f->ev->type);
	struct series		*s;
	bool			 fresh;

	buf_clear(&c->state->text);
	buf_putc(&c->state->text, 'e');
	key_put(&c->state->text, span_of(type->provider), true);
	key_put(&c->state->text, fact_text(f, C_NAME), true);
	key_put(&c->state->text, fact_text(f, C_METADATA), fact_has(f, C_METADATA));
	s = series_find(c, f, OF_EVENTS, &fresh);
	if (s == NULL || !fresh)
		return s;
	s->kind = CE_EVENT_COUNTER;
	s->text[PROVIDER] = texts_add_str(c->state->texts, type->provider);
	s->text[TAGS] = texts_add(c->state->texts, fact_text(f, C_METADATA));
	if (fact_text(f, C_SCALE).len == 0)
		s->text[LAST_OWN] = TEXT_NONE;
	s->sum_of = fact_has(f, C_INCREMENT);
	return s;
}

static void
add_event_counter(struct report_state *state, const struct fact *f)
{
	struct counters	*c = state->own;
	struct series	*s;
	struct point	*p;

	if (fact_text(f, C_NAME).len == 0)
		return;
	s = event_counter_series(c, f);
	if (s == NULL)
		return;
	p = point_add(c, s, f);
	if (p == NULL)
		return;
	p->interval = fact_number(f, C_INTERVAL);
	if (fact_has(f, C_INCREMENT)) {
		p->value = fact_number(f, C_INCREMENT);
		s->per_second = NAN;
		if (isnan(p->value) || isnan(p->interval) || p->interval <= 0)
			return;
		s->rate_s = scale_of(fact_text(f, C_SCALE));
		s->per_second = divided(p->value, p->interval);
		p->rate = divided(s->per_second * s->rate_s, 1);
		return;
	}
	p->value = fact_number(f, C_MEAN);
	p->stddev = fact_number(f, C_STDDEV);
	p->count = fact_u64(f, C_COUNT);
	p->min = fact_number(f, C_MIN);
	p->max = fact_number(f, C_MAX);
}

static struct series *
meter_series(struct counters *c, const struct fact *f)
{
	static const char *const	type[] = { [CE_COUNTER] = "Counter",
		[CE_UP_DOWN] = "UpDownCounter", [CE_GAUGE] = "Gauge",
		[CE_HISTOGRAM] = "Histogram", [CE_BASE2] = "Histogram" };
	uint64_t			 id = fact_u64(f, M_ID);
	struct series			*s;
	bool				 fresh;

	buf_clear(&c->state->text);
	buf_putc(&c->state->text, 'm');
	key_put(&c->state->text, fact_text(f, M_SESSION), true);
	key_put(&c->state->text, fact_text(f, M_METER), true);
	key_put(&c->state->text, fact_text(f, M_NAME), true);
	key_put(&c->state->text, fact_text(f, M_TAGS), true);
	buf_putc(&c->state->text, fact_has(f, M_ID) ? 'i' : 'n');
	buf_add(&c->state->text, &id, sizeof id);
	s = series_find(c, f, OF_METER, &fresh);
	if (s == NULL || !fresh)
		return s;
	s->base2 = f->kind == CE_BASE2;
	s->kind = s->base2 ? CE_HISTOGRAM : f->kind;
	s->text[TYPE] = texts_add_str(c->state->texts, type[f->kind]);
	s->id = fact_cell(f, M_ID);
	return s;
}

static void
add_meter(struct report_state *state, const struct fact *f)
{
	struct counters	*c = state->own;
	struct series	*s = meter_series(c, f);
	struct point	*p;

	if (s == NULL)
		return;
	p = point_add(c, s, f);
	if (p == NULL)
		return;
	if (f->kind == CE_HISTOGRAM || f->kind == CE_BASE2) {
		if (f->kind == CE_HISTOGRAM)
			p->quantiles = quantiles(c, fact_text(f, M_QUANTILES));
		p->count = fact_u64(f, M_COUNT);
		p->sum = meter_number(f, M_SUM);
		if (f->kind == CE_BASE2 && p->count > 0) {
			p->min = meter_number(f, M_MIN);
			p->max = meter_number(f, M_MAX);
		}
		return;
	}
	if (f->kind == CE_GAUGE) {
		p->value = meter_number(f, M_RATE);
		return;
	}
	p->rate = meter_number(f, M_RATE);
	p->value = meter_number(f, M_VALUE);
	s->per_second = c->interval > 0 ? divided(p->rate, c->interval) : NAN;
	s->rate_s = 1;
}

/* ---- rows that are events */

/* Begin the row of an event. False: there are too many. */
static bool
single_begin(struct report_state *state, const struct fact *f, const char *kind)
{
	struct counters	*c = state->own;
	struct rows	*r = state->rows;

	if (rows_n(r) >= LIMIT_REPORT_ROWS) {
		c->dropped++;
		return false;
	}
	row_begin(r, kind);
	row_put(r, CT_T, cell_time(f->ns));
	row_put(r, CT_ROW, cell_u64(f->row));
	row_event(r, f->ev->ts, f->ev->off);
	return true;
}

static void
add_instrument(struct report_state *state, const struct fact *f)
{
	static const char *const	what[] = { [CE_BEGIN] = "begin", [CE_END] = "end",
		[CE_PUBLISHED] = "published" };
	static const unsigned		text[I_ID] = { CT_SESSION, CT_METER, CT_VERSION, CT_NAME,
		CT_TYPE, CT_UNIT, CT_DESCRIPTION };
	struct rows			*r = state->rows;

	if (!single_begin(state, f, "instrument"))
		return;
	row_str(r, CT_WHAT, what[f->kind]);
	for (unsigned i = 0; i < I_ID; i++)
		row_word(r, text[i], state->texts, keep(state->own, f, i));
	row_put(r, CT_INSTRUMENT, fact_cell(f, I_ID));
}

/* Error, ObservableInstrumentCallbackError, MultipleSessions...Error. */
static bool
is_error(uint32_t id)
{
	return id == 9 || id == 14 || id == 15 || id == 17;
}

static void
add_notice(struct report_state *state, const struct fact *f)
{
	struct counters			*c = state->own;
	struct trace			*t = state->run->t;
	const struct event_type		*type = trace_type(t, f->ev->type);
	struct payload_result		 result;

	c->limited |= type->id == 12 || type->id == 13;
	c->errors += is_error(type->id);
	if (!single_begin(state, f, "notice"))
		return;
	row_str(state->rows, CT_EVENT, type->name);
	payload_json(row_json(state->rows, CT_PAYLOAD), type, trace_payload(t, f->ev), false,
	    &result);
}

static void
add_collection(struct report_state *state, const struct fact *f)
{
	struct counters	*c = state->own;
	uint64_t	 from = fact_u64(f, 0), to = fact_u64(f, 1);

	c->interval = to > from ? (double)(to - from) / TICKS_S : 0;
}

/* ---- rows */

static void
json_value(struct buf *b, const char *name, double n)
{
	json_key(b, name);
	json_number(b, n);
}

static void
histogram_json(struct buf *b, const struct counters *c, const struct series *s,
    const struct point *p)
{
	struct span	q = texts_at(c->state->texts, p->quantiles);

	json_key_u64(b, "count", p->count);
	json_value(b, "sum", p->sum);
	if (s->base2) {
		json_value(b, "min", p->min);
		json_value(b, "max", p->max);
	}
	json_key(b, "quantiles");
	if (q.len > 0)
		buf_add(b, q.p, q.len);
	else
		json_str(b, NULL);
}

static void
point_json(struct buf *b, const struct series *s, const struct point *p)
{
	json_value(b, "value", p->value);
	if (s->kind == CE_COUNTER || s->kind == CE_UP_DOWN || s->sum_of) {
		json_value(b, "rate", p->rate);
	} else if (s->kind == CE_EVENT_COUNTER) {
		json_value(b, "stddev", p->stddev);
		json_key_u64(b, "count", p->count);
		json_value(b, "min", p->min);
		json_value(b, "max", p->max);
	}
	if (s->kind == CE_EVENT_COUNTER)
		json_value(b, "interval", p->interval);
}

static void
put_points(struct counters *c, struct rows *r, const struct series *s)
{
	struct buf	*b = row_json(r, CT_POINTS);

	json_open(b, '[');
	for (size_t i = 0; i < s->n; i++) {
		json_open(b, '{');
		json_key_i64(b, "t", s->p[i].ns);
		if (s->kind == CE_HISTOGRAM)
			histogram_json(b, c, s, &s->p[i]);
		else
			point_json(b, s, &s->p[i]);
		json_close(b, '}');
	}
	json_close(b, ']');
}

/* Whole numbers become integer cells, so that they are shown without decimals. */
static struct cell
measure(double v)
{
	const double	whole = 9007199254740992.0;

	if (v > -whole && v < whole && (double)(int64_t)v == v)
		return cell_i64((int64_t)v);
	return cell_f64(v);
}

static void
put_measure(struct rows *r, unsigned col, double v)
{
	if (!isnan(v))
		row_put(r, col, measure(v));
}

static void
put_sum(struct rows *r, struct sum *sum)
{
	double	total;

	if (sum_value(sum, &total))
		row_put(r, CT_SUM, measure(total));
	sum_release(sum);
}

/* Base-2 exponential histograms are totals, unless the session asked for the change in each
   interval, which no event tells: a total that falls shows it. */
static bool
is_total(const struct series *s)
{
	for (size_t i = 1; i < s->n; i++) {
		const struct point	*p = &s->p[i - 1], *q = &s->p[i];

		if (q->count < p->count || q->min > p->min || q->max < p->max)
			return false;
	}
	return s->base2;
}

struct figures {
	double		min, max, last;		/* NAN: none */
	uint64_t	count;
	struct sum	sum;
	uint32_t	quantiles;
};

/* Of values, or of what a histogram's events have: counts and sums of intervals are added up,
   quantiles are those of the last one with values. */
static void
figures_sum(const struct series *s, struct figures *f)
{
	bool	histogram = s->kind == CE_HISTOGRAM;
	size_t	first = is_total(s) ? s->n - 1 : 0;

	*f = (struct figures){ .min = NAN, .max = NAN, .last = NAN, .quantiles = TEXT_NONE };
	for (size_t i = 0; i < s->n; i++) {
		const struct point	*p = &s->p[i];
		double			 v = histogram ? p->sum : p->value;

		f->min = fmin(f->min, histogram ? p->min : v);
		f->max = fmax(f->max, histogram ? p->max : v);
		f->last = isnan(p->value) ? f->last : p->value;
		if (i < first)
			continue;
		if (!isnan(v))
			sum_add(&f->sum, v);
		f->count = add_u64(f->count, p->count);
		if (p->count > 0)
			f->quantiles = p->quantiles;
	}
}

static void
put_figures(struct counters *c, struct rows *r, const struct series *s)
{
	bool		histogram = s->kind == CE_HISTOGRAM;
	struct figures	f;

	figures_sum(s, &f);
	put_measure(r, CT_MIN, f.min);
	put_measure(r, CT_MAX, f.max);
	put_measure(r, CT_LAST, f.last);
	if (histogram)
		row_put(r, CT_COUNT, cell_u64(f.count));
	if (histogram || !isnan(f.last))
		put_sum(r, &f.sum);
	if (f.quantiles != TEXT_NONE)
		row_put(r, CT_QUANTILES, (struct cell){ .kind = CELL_RAW,
		    .text = texts_at(c->state->texts, f.quantiles) });
	if (isnan(s->per_second))
		return;
	row_put(r, CT_RATE, measure(s->per_second * s->rate_s));
	put_rate_unit(c, r, s->rate_s);
	row_put(r, CT_PER_SECOND, measure(s->per_second));
}

static void
term(struct buf *out, const char *field, struct span value)
{
	if (out->len > 0)
		buf_puts(out, " and ");
	buf_puts(out, field);
	buf_puts(out, " = ");
	if (!filter_quote(out, (const char *)value.p, value.len))
		buf_puts(out, "\"\"");
}

/* A filter for the events of the series. */
static void
put_evidence(struct counters *c, struct rows *r, const struct series *s)
{
	static const char *const	field[][TAGS + 1] = {
		[OF_EVENTS] = { "provider", "payload.Payload.Name" },
		[OF_METER] = { "payload.meterName", "payload.instrumentName", "payload.tags" },
	};
	struct buf			*out = &c->state->text;

	buf_clear(out);
	if (s->source == OF_EVENTS)
		buf_puts(out, "name = EventCounters");
	for (unsigned i = 0; i <= TAGS && field[s->source][i] != NULL; i++)
		term(out, field[s->source][i], texts_at(c->state->texts, s->text[i]));
	row_filter(r, buf_str(out));
}

static void
put_series(struct counters *c, struct rows *r, const struct series *s)
{
	row_begin(r, "series");
	row_str(r, CT_SOURCE, sources[s->source].name);
	for (unsigned i = 0; i < SERIES_TEXTS; i++)
		row_word(r, sources[s->source].column[i], c->state->texts, s->text[i]);
	if (s->source == OF_METER)
		row_put(r, CT_INSTRUMENT, s->id);
	row_put(r, CT_SAMPLES, cell_u64(s->n));
	put_figures(c, r, s);
	put_points(c, r, s);
	put_evidence(c, r, s);
	row_key(r, groups_number(c->state->keyed[0], s));
}

/* Sort by provider, name, tags; else in the order of appearance. */
static int
by_name(const void *a, const void *b)
{
	const struct series	*x = a, *y = b;
	int			 d = 0;

	for (unsigned i = PROVIDER; i <= TAGS && d == 0; i++)
		d = spans_compare(texts_at(x->texts, x->text[i]), texts_at(y->texts, y->text[i]));
	return d;
}

static void
put_all_series(struct counters *c, struct rows *r)
{
	const struct groups	*series = c->state->keyed[0];
	uint32_t		*order = groups_order(series, by_name);

	for (size_t i = 0; i < groups_n(series); i++)
		put_series(c, r, groups_at(series, order[i]));
	mem_free(order);
}

static void
counters_rows(struct report_state *state, struct rows *r)
{
	struct counters	*c = state->own;

	put_all_series(c, r);
	rows_remark(r, c->without, "# value{s} of series beyond the limit {is|are} left out");
	rows_remark(r, c->beyond, "# later value{s} {is|are} left out, also of the statistics");
	rows_remark(r, c->dropped, "# later {instrument or notice is|instruments and notices are} "
	    "left out");
	if (rows_n(r) == 0)
		return;
	row_begin(r, "summary");
	row_put(r, CT_SERIES, cell_u64(groups_n(state->keyed[0])));
	row_put(r, CT_POINTS, cell_u64(c->points));
	row_put(r, CT_COLLECTIONS, cell_u64(state->n[CE_COLLECTION]));
	row_put(r, CT_INSTRUMENTS, cell_u64(state->n[CE_BEGIN]));
}

static void
counters_totals(struct report_state *state, struct buf *out)
{
	const struct counters	*c = state->own;

	if (c->limited)
		buf_puts(out, "more series were not written: a limit of the session was reached "
		    "(--by notice)\n");
	if (c->errors > 0)
		buf_counts(out, "# error{ was|s were} reported (--by notice)\n",
		    c->errors);
}

/* The number to plot: values, rates of values that only grow, counts of histograms. total: as
   is_total() says. */
static double
plotted(const struct series *s, const struct point *p, bool total)
{
	if (s->kind == CE_HISTOGRAM)
		return (double)(p->count - (total && p > s->p ? p[-1].count : 0));
	if (s->kind == CE_COUNTER)
		return p->rate;
	if (s->kind == CE_EVENT_COUNTER && !s->sum_of && p->count == 0)
		return NAN;				/* nothing was recorded */
	return p->value;
}

static bool
counters_plot(struct report_state *state, uint64_t key, struct report_plot *out)
{
	struct counters		*c = state->own;
	const struct series	*s;
	struct span		 name, tags, unit;
	bool			 total;

	if (key >= groups_n(state->keyed[0]))
		return false;
	s = groups_at(state->keyed[0], key);
	total = is_total(s);
	name = texts_at(c->state->texts, s->text[NAME]);
	tags = texts_at(c->state->texts, s->text[TAGS]);
	unit = texts_at(c->state->texts, s->text[UNIT]);
	buf_add(&out->title, name.p, name.len);
	if (tags.len > 0) {
		buf_putc(&out->title, ' ');
		buf_add(&out->title, tags.p, tags.len);
	}
	if (s->kind == CE_HISTOGRAM)
		buf_puts(&out->title, ", values in each interval");
	else if (s->kind == CE_COUNTER || s->sum_of)
		buf_puts(&out->title, ", change in each interval");
	if (unit.len > 0) {
		buf_puts(&out->title, ", in ");
		buf_add(&out->title, unit.p, unit.len);
	}
	out->how = PLOT_HOLD;
	out->changes = s->kind == CE_HISTOGRAM || s->kind == CE_COUNTER || s->sum_of;
	out->layers = 1;
	for (size_t i = 0; i < s->n; i++) {
		double	v = plotted(s, &s->p[i], total);

		if (!isnan(v))
			report_plot_add(out, s->p[i].ns, &v);
	}
	return true;
}

const struct report	report_counters = {
	.title = "Counters",
	TABLES_OF(counters, CT),
	.own = sizeof(struct counters), .keyed = { { sizeof(struct series), LIMIT_REPORT_ROWS } },
	.begin = counters_begin,
	.release = counters_release,
	.rows = counters_rows,
	.totals = counters_totals,
	.plot_row = counters_plot,
};
