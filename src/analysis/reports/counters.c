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
 * Invariant: a series and its key have the same number.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/reports/common.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"
#include "tnav/base/sum.h"
#include "tnav/model/json.h"
#include "tnav/model/value.h"

#define METERS		"System.Diagnostics.Metrics"
#define SCALE_MOST_S	1e9		/* of a rate */
#define TICKS_S		10000000.0	/* of a FILETIME in a second */

enum counters_event {
	CE_EVENT_COUNTER, CE_COLLECTION, CE_COUNTER, CE_UP_DOWN, CE_GAUGE, CE_HISTOGRAM,
	CE_BASE2, CE_BEGIN, CE_END, CE_PUBLISHED, CE_NOTICE,
};

enum counters_column {
	CT_KIND, CT_SOURCE, CT_PROVIDER, CT_NAME, CT_TAGS, CT_UNIT, CT_TYPE, CT_SAMPLES, CT_LAST,
	CT_RATE, CT_RATE_UNIT, CT_PER_SECOND, CT_MIN, CT_MAX, CT_SUM, CT_COUNT, CT_QUANTILES,
	CT_DISPLAY,
	CT_SCALE, CT_VERSION, CT_INSTRUMENT,
	CT_SESSION, CT_POINTS, CT_WHAT, CT_T, CT_METER, CT_DESCRIPTION, CT_EVENT, CT_PAYLOAD,
	CT_ROW, CT_SERIES, CT_COLLECTIONS, CT_INSTRUMENTS, CT_LOST, CT_GAPS, CT_COLUMNS,
};

static const struct table_column	counters_column[CT_COLUMNS] = {
	[CT_KIND] = { .name = "kind", .kind = CELL_TEXT, .flags = COLUMN_ASKED },
	[CT_SOURCE] = { .name = "source", .kind = CELL_TEXT, .flags = COLUMN_ASKED },
	[CT_PROVIDER] = { .name = "provider", .kind = CELL_TEXT, .tone = TONE_DIM, .rank = 3,
	    .flags = COLUMN_MIDDLE },
	[CT_NAME] = { .name = "name", .kind = CELL_TEXT, .tone = TONE_EVENT, .width = 28 },
	[CT_TAGS] = { .name = "tags", .kind = CELL_TEXT, .tone = TONE_KEY, .width = 14,
	    .rank = 1 },
	[CT_UNIT] = { .name = "unit", .kind = CELL_TEXT, .rank = 2 },
	[CT_TYPE] = { .name = "type", .kind = CELL_TEXT, .rank = 5 },
	[CT_SAMPLES] = { .name = "samples", .title = "n", .kind = CELL_U64, .rank = 6 },
	[CT_LAST] = { .name = "last", .kind = CELL_F64, .tone = TONE_STRONG },
	[CT_RATE] = { .name = "rate", .kind = CELL_F64, .rank = 4 },
	[CT_RATE_UNIT] = { .name = "rateUnit", .title = "per", .kind = CELL_TEXT, .rank = 4 },
	[CT_PER_SECOND] = { .name = "perSecond", .kind = CELL_F64, .flags = COLUMN_ASKED },
	[CT_MIN] = { .name = "min", .kind = CELL_F64, .rank = 7 },
	[CT_MAX] = { .name = "max", .kind = CELL_F64 },
	[CT_SUM] = { .name = "sum", .kind = CELL_F64, .rank = 8 },
	[CT_COUNT] = { .name = "count", .kind = CELL_U64, .rank = 10 },
	[CT_QUANTILES] = { .name = "quantiles", .kind = CELL_RAW, .rank = 9 },
	[CT_DISPLAY] = { .name = "displayName", .kind = CELL_TEXT, .rank = 9, .width = 20 },
	[CT_SCALE] = { .name = "rateScale", .kind = CELL_TEXT, .flags = COLUMN_ASKED },
	[CT_VERSION] = { .name = "meterVersion", .kind = CELL_TEXT, .flags = COLUMN_ASKED },
	[CT_INSTRUMENT] = { .name = "instrumentId", .kind = CELL_U64,
	    .flags = COLUMN_ASKED | COLUMN_ID },
	[CT_SESSION] = { .name = "session", .kind = CELL_TEXT, .flags = COLUMN_ASKED },
	[CT_POINTS] = { .name = "points", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[CT_WHAT] = { .name = "what", .kind = CELL_TEXT },
	[CT_T] = COLUMN_T,
	[CT_METER] = { .name = "meter", .kind = CELL_TEXT, .tone = TONE_DIM },
	[CT_DESCRIPTION] = { .name = "description", .kind = CELL_TEXT, .width = 20, .most = -1 },
	[CT_EVENT] = { .name = "event", .kind = CELL_TEXT, .tone = TONE_EVENT },
	[CT_PAYLOAD] = { .name = "payload", .kind = CELL_RAW, .width = 20, .most = -1 },
	[CT_ROW] = { .name = "row", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[CT_SERIES] = COLUMN_EXTRA("series"),
	[CT_COLLECTIONS] = COLUMN_EXTRA("collections"),
	[CT_INSTRUMENTS] = COLUMN_EXTRA("instruments"),
	REPORT_LOSS_COLUMNS(CT),
};

static const unsigned	people_series[] = {
	CT_PROVIDER, CT_NAME, CT_TAGS, CT_UNIT, CT_LAST, CT_RATE, CT_RATE_UNIT, CT_MIN, CT_MAX,
	CT_SUM, CT_SAMPLES, CT_COUNT, CT_QUANTILES, CT_TYPE, CT_DISPLAY, REPORT_END,
};
static const unsigned	people_instruments[] = {
	CT_T, CT_WHAT, CT_METER, CT_NAME, CT_TYPE, CT_UNIT, CT_DESCRIPTION, REPORT_END,
};
static const unsigned	people_notices[] = { CT_T, CT_EVENT, CT_PAYLOAD, REPORT_END };

static const struct report_part	counters_parts[] = {
	{ "series", "Series", people_series, TABLE_UNSORTED },
	{ "instrument", "Instruments", people_instruments, TABLE_UNSORTED },
	{ "notice", "Notices", people_notices, TABLE_UNSORTED },
	{ .kind = NULL },
};

static const struct report_need	counters_need[] = {
	{ .provider = "System.Runtime", .keywords = "0x0", .level = 4,
	    .events = "EventCounters of each provider",
	    .arguments = "EventCounterIntervalSec=1" },
	{ .provider = METERS, .keywords = "0x2", .level = 5,
	    .events = "instruments of meters", .arguments = "Metrics=System.Runtime" },
	{ .provider = NULL },
};

/* Fields by their positions in counters_facts. */
enum { C_NAME, C_DISPLAY, C_UNIT, C_TYPE, C_METADATA, C_SCALE, C_INTERVAL, C_INCREMENT, C_MEAN,
    C_STDDEV, C_COUNT, C_MIN, C_MAX };
enum { M_SESSION, M_METER, M_VERSION, M_NAME, M_UNIT, M_TAGS, M_ID, M_RATE, M_VALUE,
    M_QUANTILES = M_RATE, M_COUNT, M_SUM, M_MIN, M_MAX };
enum { I_SESSION, I_METER, I_VERSION, I_NAME, I_TYPE, I_UNIT, I_DESCRIPTION, I_ID };

#define METER(kind, id, name, ...) \
	{ kind, METERS, id, name, { "sessionId", "meterName", "meterVersion", "instrumentName", \
	    "unit", "tags", "instrumentId", __VA_ARGS__ }, 0 }
#define INSTRUMENT(kind, id, name) \
	{ kind, METERS, id, name, { "sessionId", "meterName", "meterVersion", "instrumentName", \
	    "instrumentType", "unit", "description", "instrumentId" }, 0 }
#define NOTICE(id, name)	{ CE_NOTICE, METERS, id, name, { NULL }, 0 }

static const struct fact_def	counters_facts[] = {
	{ CE_EVENT_COUNTER, NULL, FACT_BY_NAME, "EventCounters", { "Payload.Name",
	    "Payload.DisplayName", "Payload.DisplayUnits", "Payload.CounterType",
	    "Payload.Metadata", "Payload.DisplayRateTimeScale", "Payload.IntervalSec",
	    "Payload.Increment", "Payload.Mean", "Payload.StandardDeviation", "Payload.Count",
	    "Payload.Min", "Payload.Max" }, 0 },
	{ CE_COLLECTION, METERS, 2, "CollectionStart", { "intervalStartTime", "intervalEndTime" },
	    0 },
	METER(CE_COUNTER, 4, "CounterRateValuePublished", "rate", "value"),
	METER(CE_GAUGE, 5, "GaugeValuePublished", "lastValue"),
	METER(CE_HISTOGRAM, 6, "HistogramValuePublished", "quantiles", "count", "sum"),
	METER(CE_BASE2, 19, "Base2ExponentialHistogramValuePublished", "scale", "count", "sum",
	    "minimum", "maximum"),
	METER(CE_UP_DOWN, 16, "UpDownCounterRateValuePublished", "rate", "value"),
	INSTRUMENT(CE_BEGIN, 7, "BeginInstrumentReporting"),
	INSTRUMENT(CE_END, 8, "EndInstrumentReporting"),
	INSTRUMENT(CE_PUBLISHED, 11, "InstrumentPublished"),
	NOTICE(1, "Message"), NOTICE(9, "Error"), NOTICE(12, "TimeSeriesLimitReached"),
	NOTICE(13, "HistogramLimitReached"), NOTICE(14, "ObservableInstrumentCallbackError"),
	NOTICE(15, "MultipleSessionsNotSupportedError"),
	NOTICE(17, "MultipleSessionsConfiguredIncorrectlyError"),
	{ .provider = NULL },
};

struct counter_value {
	bool	has;
	double	v;
};

struct point {
	int64_t			ns;
	struct counter_value	value, rate, interval, stddev, min, max, sum;
	uint64_t		count;
	uint32_t		quantiles;	/* JSON, as a text's number */
};

struct series {
	const char	*source, *type_name;
	/* Numbers of texts; TEXT_NONE: null. */
	uint32_t		provider, name, tags, unit, type, display, scale, version, session;
	struct cell		id;
	unsigned		kind;		/* of its events */
	bool			sum_of;		/* an EventCounter that has Increment */
	bool			base2;		/* a histogram without quantiles */
	struct point		*p;
	size_t			n, cap;
	struct counter_value	per_second;	/* change in the last interval */
	double			rate_s;		/* seconds that the rate refers to */
};

/* A row for one event. */
struct single {
	struct event	ev;
	uint64_t	row;
	int64_t		ns;
	unsigned	kind;
	uint32_t	text[I_ID];
	struct cell	id;
};

struct counters {
	struct report_state	*state;
	struct texts		*keys;
	struct series		*s;
	size_t			 ns, s_cap;
	struct single		*one;
	size_t			 n, cap;
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

	for (size_t i = 0; i < c->ns; i++)
		mem_free(c->s[i].p);
	mem_free(c->s);
	mem_free(c->one);
	texts_free(c->keys);
}

/* ---- values */

static struct counter_value
number(double v)
{
	return (struct counter_value){ .has = v - v == 0, .v = v };
}

static struct counter_value
fact_number(const struct fact *f, unsigned i)
{
	struct counter_value	none = { .has = false };

	if (!fact_has(f, i))
		return none;
	switch (f->v[i].kind) {
	case FACT_UINT:
		return number((double)f->v[i].u);
	case FACT_INT:
		return number((double)f->v[i].i);
	case FACT_FLOAT:
		return number(f->v[i].f);
	default:
		return none;
	}
}

/* A number as the invariant culture writes it. An empty or malformed text has no value. */
static struct counter_value
text_number(struct span s)
{
	char	digits[64], *end;
	double	v;

	if (s.len == 0 || s.len >= sizeof digits)
		return (struct counter_value){ .has = false };
	memcpy(digits, s.p, s.len);
	digits[s.len] = '\0';
	if (strspn(digits, "+-.0123456789eE") != s.len)
		return (struct counter_value){ .has = false };
	v = strtod(digits, &end);
	return *end == '\0' && end != digits ? number(v) : (struct counter_value){ .has = false };
}

/* Meters write numbers as texts; plain numbers are accepted, too. */
static struct counter_value
meter_number(const struct fact *f, unsigned i)
{
	if (fact_has(f, i) && f->v[i].kind == FACT_TEXT)
		return text_number(fact_text(f, i));
	return fact_number(f, i);
}

static uint32_t
keep(struct counters *c, const struct fact *f, unsigned i)
{
	if (!fact_has(f, i) || f->v[i].kind != FACT_TEXT)
		return TEXT_NONE;
	return texts_add(c->state->texts, fact_text(f, i));
}

static void
json_number(struct buf *out, struct counter_value n)
{
	if (n.has)
		json_f64(out, n.v);
	else
		json_str(out, NULL);
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
		json_number(&c->state->text, text_number((struct span){ eq + 1,
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

/* The series of the key in c->text. *fresh: it was added. NULL: no room. */
static struct series *
series_find(struct counters *c, bool *fresh)
{
	uint32_t	i = texts_add(c->keys, span_of_buf(&c->state->text));

	*fresh = i == c->ns;
	if (i == TEXT_NONE) {
		c->without++;
		return NULL;
	}
	if (!*fresh)
		return &c->s[i];
	c->s = mem_grow(c->s, &c->s_cap, c->ns + 1, sizeof *c->s);
	c->s[c->ns] = (struct series){ .tags = TEXT_NONE, .display = TEXT_NONE,
	    .scale = TEXT_NONE, .version = TEXT_NONE, .session = TEXT_NONE, .unit = TEXT_NONE,
	    .type = TEXT_NONE, .id = cell_null() };
	return &c->s[c->ns++];
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
	s->p[s->n] = (struct point){ .ns = f->ns, .quantiles = TEXT_NONE };
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
put_rate_unit(struct rows *r, double seconds)
{
	static const struct {
		double		 seconds;
		const char	*text;
	} units[] = { { 1, "/ s" }, { 60, "/ min" }, { 3600, "/ h" }, { 86400, "/ d" } };
	struct buf	b;

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (seconds >= units[i].seconds && seconds <= units[i].seconds) {
			row_str(r, CT_RATE_UNIT, units[i].text);
			return;
		}
	buf_init(&b);
	buf_puts(&b, "/ ");
	buf_f64(&b, seconds);
	buf_puts(&b, " s");
	row_text(r, CT_RATE_UNIT, span_of_buf(&b));
	buf_release(&b);
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
	s = series_find(c, &fresh);
	if (s == NULL || !fresh)
		return s;
	s->source = "EventCounter";
	s->kind = CE_EVENT_COUNTER;
	s->provider = texts_add_str(c->state->texts, type->provider);
	s->name = keep(c, f, C_NAME);
	s->display = keep(c, f, C_DISPLAY);
	s->unit = keep(c, f, C_UNIT);
	s->type = keep(c, f, C_TYPE);
	s->tags = texts_add(c->state->texts, fact_text(f, C_METADATA));
	if (fact_text(f, C_SCALE).len > 0)
		s->scale = keep(c, f, C_SCALE);
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
		s->per_second.has = false;
		if (!p->value.has || !p->interval.has || p->interval.v <= 0)
			return;
		s->rate_s = scale_of(fact_text(f, C_SCALE));
		s->per_second = number(p->value.v / p->interval.v);
		p->rate = number(s->per_second.v * s->rate_s);
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
	s = series_find(c, &fresh);
	if (s == NULL || !fresh)
		return s;
	s->source = "Meter";
	s->base2 = f->kind == CE_BASE2;
	s->kind = s->base2 ? CE_HISTOGRAM : f->kind;
	s->type = texts_add_str(c->state->texts, type[f->kind]);
	s->provider = keep(c, f, M_METER);
	s->name = keep(c, f, M_NAME);
	s->tags = keep(c, f, M_TAGS);
	s->unit = keep(c, f, M_UNIT);
	s->version = keep(c, f, M_VERSION);
	s->session = keep(c, f, M_SESSION);
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
	s->per_second.has = false;
	if (p->rate.has && c->interval > 0)
		s->per_second = number(p->rate.v / c->interval);
	s->rate_s = 1;
}

/* ---- rows that are events */

static void
add_single(struct report_state *state, const struct fact *f)
{
	struct counters	*c = state->own;
	struct single	*x;

	if (c->n >= LIMIT_REPORT_ROWS) {
		c->dropped++;
		return;
	}
	c->one = mem_grow(c->one, &c->cap, c->n + 1, sizeof *c->one);
	x = &c->one[c->n++];
	*x = (struct single){ .ev = *f->ev, .row = f->row, .ns = f->ns, .kind = f->kind };
	if (f->kind == CE_NOTICE)
		return;
	for (unsigned i = 0; i < I_ID; i++)
		x->text[i] = keep(c, f, i);
	x->id = fact_cell(f, I_ID);
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
	struct counters	*c = state->own;
	uint32_t	 id = trace_type(state->run->t, f->ev->type)->id;

	c->limited |= id == 12 || id == 13;
	c->errors += is_error(id);
	add_single(state, f);
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
put_instrument(struct counters *c, struct rows *r, const struct single *x)
{
	static const char *const	what[] = { [CE_BEGIN] = "begin", [CE_END] = "end",
		[CE_PUBLISHED] = "published" };
	static const unsigned		text[I_ID] = { CT_SESSION, CT_METER, CT_VERSION, CT_NAME,
		CT_TYPE, CT_UNIT, CT_DESCRIPTION };

	row_begin(r, "instrument");
	row_str(r, CT_WHAT, what[x->kind]);
	row_put(r, CT_T, cell_time(x->ns));
	for (unsigned i = 0; i < I_ID; i++)
		row_word(r, text[i], c->state->texts, x->text[i]);
	row_put(r, CT_INSTRUMENT, x->id);
	row_put(r, CT_ROW, cell_u64(x->row));
	row_event(r, x->ev.ts, x->ev.off);
}

static void
put_notice(struct counters *c, struct rows *r, const struct single *x)
{
	struct trace			*t = c->state->run->t;
	const struct event_type		*type = trace_type(t, x->ev.type);
	struct payload_result		 result;

	row_begin(r, "notice");
	row_put(r, CT_T, cell_time(x->ns));
	row_str(r, CT_EVENT, type->name);
	payload_json(row_json(r, CT_PAYLOAD), type, trace_payload(t, &x->ev), false, &result);
	row_put(r, CT_ROW, cell_u64(x->row));
	row_event(r, x->ev.ts, x->ev.off);
}

static void
json_member(struct buf *b, const char *name, struct counter_value n)
{
	json_key(b, name);
	json_number(b, n);
}

static void
histogram_json(struct buf *b, const struct counters *c, const struct series *s,
    const struct point *p)
{
	struct span	q = texts_at(c->state->texts, p->quantiles);

	json_key(b, "count");
	json_u64(b, p->count);
	json_member(b, "sum", p->sum);
	if (s->base2) {
		json_member(b, "min", p->min);
		json_member(b, "max", p->max);
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
	json_member(b, "value", p->value);
	if (s->kind == CE_COUNTER || s->kind == CE_UP_DOWN || s->sum_of) {
		json_member(b, "rate", p->rate);
	} else if (s->kind == CE_EVENT_COUNTER) {
		json_member(b, "stddev", p->stddev);
		json_key(b, "count");
		json_u64(b, p->count);
		json_member(b, "min", p->min);
		json_member(b, "max", p->max);
	}
	if (s->kind == CE_EVENT_COUNTER)
		json_member(b, "interval", p->interval);
}

static void
put_points(struct counters *c, struct rows *r, const struct series *s)
{
	struct buf	*b = row_json(r, CT_POINTS);

	json_open(b, '[');
	for (size_t i = 0; i < s->n; i++) {
		json_open(b, '{');
		json_key(b, "t");
		json_i64(b, s->p[i].ns);
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

static struct counter_value
least(struct counter_value a, struct counter_value b)
{
	return b.has && (!a.has || b.v < a.v) ? b : a;
}

static struct counter_value
greatest(struct counter_value a, struct counter_value b)
{
	return b.has && (!a.has || b.v > a.v) ? b : a;
}

static void
put_figures(struct rows *r, const struct series *s)
{
	struct counter_value	min = { .has = false }, max = min, last = min;
	struct sum		sum = { .n = 0 };
	double			total;

	for (size_t i = 0; i < s->n; i++) {
		struct counter_value	v = s->p[i].value;

		if (!v.has)
			continue;
		sum_add(&sum, v.v);
		min = least(min, v);
		max = greatest(max, v);
		last = v;
	}
	if (last.has) {
		row_put(r, CT_MIN, measure(min.v));
		row_put(r, CT_MAX, measure(max.v));
		if (sum_value(&sum, &total))
			row_put(r, CT_SUM, measure(total));
		row_put(r, CT_LAST, measure(last.v));
	}
	if (s->per_second.has) {
		row_put(r, CT_RATE, measure(s->per_second.v * s->rate_s));
		put_rate_unit(r, s->rate_s);
		row_put(r, CT_PER_SECOND, measure(s->per_second.v));
	}
	sum_release(&sum);
}

/* Base-2 exponential histograms are totals, unless the session asked for the change in each
   interval, which no event tells: a total that falls shows it. */
static bool
is_total(const struct series *s)
{
	for (size_t i = 1; i < s->n; i++) {
		const struct point	*p = &s->p[i - 1], *q = &s->p[i];

		if (q->count < p->count || (p->min.has && q->min.has && q->min.v > p->min.v) ||
		    (p->max.has && q->max.has && q->max.v < p->max.v))
			return false;
	}
	return s->base2;
}

/* The least and the greatest value of all intervals. */
static void
put_limits(struct rows *r, const struct series *s)
{
	struct counter_value	min = { .has = false }, max = min;

	for (size_t i = 0; i < s->n; i++) {
		min = least(min, s->p[i].min);
		max = greatest(max, s->p[i].max);
	}
	if (min.has)
		row_put(r, CT_MIN, measure(min.v));
	if (max.has)
		row_put(r, CT_MAX, measure(max.v));
}

/* Counts and sums of intervals are added up. Quantiles are those of the last one with values. */
static void
put_histogram(struct counters *c, struct rows *r, const struct series *s)
{
	uint64_t	count = 0;
	struct sum	sum = { .n = 0 };
	uint32_t	last = TEXT_NONE;
	struct span	q;
	double		total;

	put_limits(r, s);
	for (size_t i = is_total(s) ? s->n - 1 : 0; i < s->n; i++) {
		count = add_u64(count, s->p[i].count);
		if (s->p[i].sum.has)
			sum_add(&sum, s->p[i].sum.v);
		if (s->p[i].count > 0)
			last = s->p[i].quantiles;
	}
	row_put(r, CT_COUNT, cell_u64(count));
	if (sum_value(&sum, &total))
		row_put(r, CT_SUM, measure(total));
	if (last != TEXT_NONE) {
		q = texts_at(c->state->texts, last);
		row_put(r, CT_QUANTILES, cell_raw((const char *)q.p, q.len));
	}
	sum_release(&sum);
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
	buf_clear(&c->state->text);
	if (s->kind == CE_EVENT_COUNTER) {
		buf_puts(&c->state->text, "name = EventCounters");
		term(&c->state->text, "provider", texts_at(c->state->texts, s->provider));
		term(&c->state->text, "payload.Payload.Name", texts_at(c->state->texts, s->name));
	} else {
		term(&c->state->text, "payload.meterName", texts_at(c->state->texts, s->provider));
		term(&c->state->text, "payload.instrumentName", texts_at(c->state->texts, s->name));
		term(&c->state->text, "payload.tags", texts_at(c->state->texts, s->tags));
	}
	row_filter(r, buf_str(&c->state->text));
}

static void
put_series(struct counters *c, struct rows *r, const struct series *s)
{
	row_begin(r, "series");
	row_str(r, CT_SOURCE, s->source);
	row_word(r, CT_PROVIDER, c->state->texts, s->provider);
	row_word(r, CT_NAME, c->state->texts, s->name);
	row_word(r, CT_TAGS, c->state->texts, s->tags);
	row_word(r, CT_UNIT, c->state->texts, s->unit);
	row_word(r, CT_TYPE, c->state->texts, s->type);
	if (s->kind == CE_EVENT_COUNTER) {
		row_word(r, CT_DISPLAY, c->state->texts, s->display);
		row_word(r, CT_SCALE, c->state->texts, s->scale);
	} else {
		row_word(r, CT_VERSION, c->state->texts, s->version);
		row_put(r, CT_INSTRUMENT, s->id);
		row_word(r, CT_SESSION, c->state->texts, s->session);
	}
	row_put(r, CT_SAMPLES, cell_u64(s->n));
	if (s->kind == CE_HISTOGRAM)
		put_histogram(c, r, s);
	else
		put_figures(r, s);
	put_points(c, r, s);
	put_evidence(c, r, s);
	row_key(r, (uint64_t)(s - c->s));
}

/* Sort by provider, name, tags; else in the order of appearance. */
struct counter_order {
	const struct counters	*c;
	uint32_t		 i;
};

static int
compare_text(struct span a, struct span b)
{
	size_t	n = a.len < b.len ? a.len : b.len;
	int	d = n > 0 ? memcmp(a.p, b.p, n) : 0;

	return d != 0 ? d : (a.len > b.len) - (a.len < b.len);
}

static int
by_name(const void *a, const void *b)
{
	const struct counter_order	*x = a, *y = b;
	const struct series		*s = &x->c->s[x->i], *t = &y->c->s[y->i];
	const uint32_t			 of[2][3] = { { s->provider, s->name, s->tags },
				    { t->provider, t->name, t->tags } };

	for (unsigned i = 0; i < 3; i++) {
		int	d = compare_text(texts_at(x->c->state->texts, of[0][i]),
			    texts_at(y->c->state->texts, of[1][i]));

		if (d != 0)
			return d;
	}
	return x->i < y->i ? -1 : x->i > y->i;
}

static void
put_all_series(struct counters *c, struct rows *r)
{
	struct counter_order	*order = mem_zalloc(c->ns + 1, sizeof *order);

	for (size_t i = 0; i < c->ns; i++)
		order[i] = (struct counter_order){ .c = c, .i = (uint32_t)i };
	sort_array(order, c->ns, sizeof *order, by_name);
	for (size_t i = 0; i < c->ns; i++)
		put_series(c, r, &c->s[order[i].i]);
	mem_free(order);
}

static void
counters_rows(struct report_state *state, struct rows *r)
{
	struct counters	*c = state->own;

	for (size_t i = 0; i < c->n; i++) {
		if (c->one[i].kind == CE_NOTICE)
			put_notice(c, r, &c->one[i]);
		else
			put_instrument(c, r, &c->one[i]);
	}
	put_all_series(c, r);
	rows_remark(r, c->without, "values of series beyond the limit are left out");
	rows_remark(r, c->beyond, "later values are left out, also of the statistics");
	rows_remark(r, c->dropped, "later instruments and notices are left out");
	if (rows_n(r) == 0)
		return;
	row_begin(r, "summary");
	row_put(r, CT_SERIES, cell_u64(c->ns));
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
	if (c->errors > 0) {
		put_count(out, c->errors, "error was", "errors were");
		buf_puts(out, " reported instead of values (--by notice)\n");
	}
}

/* The number to plot: values, rates of values that only grow, counts of histograms. total: as
   is_total() says. */
static struct counter_value
plotted(const struct series *s, const struct point *p, bool total)
{
	if (s->kind == CE_HISTOGRAM)
		return number((double)(p->count - (total && p > s->p ? p[-1].count : 0)));
	if (s->kind == CE_COUNTER)
		return p->rate;
	if (s->kind == CE_EVENT_COUNTER && !s->sum_of && p->count == 0)
		return (struct counter_value){ .has = false };	/* nothing was recorded */
	return p->value;
}

static bool
counters_plot(struct report_state *state, uint64_t key, struct report_plot *out)
{
	struct counters		*c = state->own;
	const struct series	*s;
	struct span		 name, tags, unit;
	bool			 total;

	if (key >= c->ns)
		return false;
	s = &c->s[key];
	total = is_total(s);
	name = texts_at(c->state->texts, s->name);
	tags = texts_at(c->state->texts, s->tags);
	unit = texts_at(c->state->texts, s->unit);
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
	out->layers = 1;
	for (size_t i = 0; i < s->n; i++) {
		struct counter_value	v = plotted(s, &s->p[i], total);

		if (v.has)
			report_plot_add(out, s->p[i].ns, &v.v);
	}
	return true;
}

const struct report	report_counters = {
	.name = "counters",
	.title = "Counters",
	.text = "A series is an EventCounter, or an instrument of a Meter with its tags. A value "
	    "describes the interval that ends at its time. last, min, max and sum summarise the "
	    "values. The value of an incrementing EventCounter is the change in the interval; that "
	    "of a Meter's counter is the total since its start. rate is the change in the last "
	    "interval by the time that rateUnit says, per second or what an EventCounter's "
	    "DisplayRateTimeScale has; perSecond is always per second. Histograms "
	    "have the count and sum of all intervals and the quantiles of the last one; quantiles "
	    "of intervals (points in the JSON lines) cannot be merged. Base-2 exponential "
	    "histograms have no quantiles; their points are totals since the start or, if these "
	    "ever fall, of intervals. After a "
	    "TimeSeriesLimitReached or HistogramLimitReached notice, new series are missing.",
	.need = counters_need,
	.fact = counters_facts,
	.column = counters_column,
	.ncolumns = CT_COLUMNS,
	.part = counters_parts,
	.own = sizeof(struct counters),
	.begin = counters_begin,
	.release = counters_release,
	.add = { [CE_EVENT_COUNTER] = add_event_counter, [CE_COLLECTION] = add_collection,
	    [CE_COUNTER] = add_meter, [CE_UP_DOWN] = add_meter, [CE_GAUGE] = add_meter,
	    [CE_HISTOGRAM] = add_meter, [CE_BASE2] = add_meter, [CE_BEGIN] = add_single,
	    [CE_END] = add_single, [CE_PUBLISHED] = add_single, [CE_NOTICE] = add_notice },
	.rows = counters_rows,
	.total = "{series} series of {points} values\n",
	.totals = counters_totals,
	.plot_row = counters_plot,
};
