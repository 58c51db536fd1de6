/*
 * HTTP requests that the program sent, and those that it received.
 *
 *	client	System.Net.Http RequestStart ---- RequestStop	by activity, else by thread
 *	server	Hosting RequestStart ------------ RequestStop	by activity, else by thread
 *	kestrel	Kestrel RequestStart ------------ RequestStop	by the request's id
 *
 * The open requests of a key are a stack; a stop ends the latest. A route is a path without the
 * parts that differ between requests: /item/17?q=1 is /item/{n}.
 */
#include <string.h>

#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "analysis/reports/phases.h"
#include "analysis/reports/texts.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/cursor.h"
#include "tnav/base/num.h"
#include "tnav/io/scratch.h"

#define CLIENT_EVENTS	"System.Net.Http"
#define SERVER_EVENTS	"Microsoft.AspNetCore.Hosting"
#define KESTREL_EVENTS	"Microsoft-AspNetCore-Server-Kestrel"
#define TASK_EVENTS	"System.Threading.Tasks.TplEventSource"

enum {
	RQ_KIND, RQ_SIDE, RQ_START, RQ_DUR, RQ_STATUS, RQ_METHOD, RQ_URL, RQ_ROUTE, RQ_FAILED,
	RQ_COUNT, RQ_SHARE, RQ_TOTAL, RQ_MEAN, RQ_P50, RQ_P90, RQ_P99, RQ_MAX, RQ_TID, RQ_STOP_TID,
	RQ_STATE, RQ_ACTIVITY, RQ_PARENT, RQ_ROW, RQ_GAP, RQ_PAIRED, RQ_OPEN, RQ_BY_STATUS,
	RQ_CROSS, RQ_PHASE, RQ_QUEUE, RQ_DNS, RQ_CONNECT, RQ_TLS, RQ_HEADERS, RQ_BODY, RQ_WAIT,
	RQ_RESPONSE, RQ_LOST, RQ_GAPS,
	RQ_COLUMNS
};

static const struct table_column	columns[RQ_COLUMNS] = {
	[RQ_KIND] = { .name = "kind", .kind = CELL_TEXT },
	[RQ_SIDE] = { .name = "side", .kind = CELL_TEXT, .tone = TONE_KEY },
	[RQ_START] = { .name = "start", .kind = CELL_TIME, .tone = TONE_TIME,
	    .flags = COLUMN_FIRST_UP },
	[RQ_DUR] = { .name = "dur", .kind = CELL_DUR },
	[RQ_STATUS] = { .name = "status", .kind = CELL_I64, .flags = COLUMN_ID },
	[RQ_METHOD] = { .name = "method", .kind = CELL_TEXT, .rank = 1 },
	[RQ_URL] = { .name = "url", .kind = CELL_TEXT, .tone = TONE_EVENT, .width = 24,
	    .most = 70, .flags = COLUMN_MIDDLE },
	[RQ_ROUTE] = { .name = "route", .kind = CELL_TEXT, .tone = TONE_EVENT, .width = 24,
	    .most = 70, .flags = COLUMN_MIDDLE },
	[RQ_FAILED] = { .name = "failed", .kind = CELL_U64, .tone = TONE_WARN, .rank = 2 },
	[RQ_COUNT] = { .name = "count", .kind = CELL_U64 },
	[RQ_SHARE] = { .name = "share", .kind = CELL_SHARE, .rank = 4 },
	[RQ_TOTAL] = { .name = "total", .kind = CELL_DUR, .rank = 1 },
	[RQ_MEAN] = { .name = "mean", .kind = CELL_DUR, .rank = 2 },
	[RQ_P50] = { .name = "p50", .kind = CELL_DUR },
	[RQ_P90] = { .name = "p90", .kind = CELL_DUR, .rank = 3 },
	[RQ_P99] = { .name = "p99", .kind = CELL_DUR },
	[RQ_MAX] = { .name = "max", .kind = CELL_DUR },
	[RQ_TID] = { .name = "tid", .title = "thread", .kind = CELL_U64, .tone = TONE_THREAD,
	    .rank = 3, .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[RQ_STOP_TID] = { .name = "stopTid", .title = "ends on", .kind = CELL_U64,
	    .tone = TONE_THREAD, .rank = 4, .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[RQ_STATE] = { .name = "state", .kind = CELL_TEXT, .rank = 5 },
	[RQ_ACTIVITY] = { .name = "activity", .kind = CELL_GUID, .rank = 6 },
	[RQ_PARENT] = { .name = "parent", .kind = CELL_GUID, .flags = COLUMN_ASKED },
	[RQ_ROW] = { .name = "row", .kind = CELL_U64, .flags = COLUMN_ASKED | COLUMN_FIRST_UP },
	[RQ_GAP] = { .name = "gap", .kind = CELL_RAW, .tone = TONE_LOSS,
	    .flags = COLUMN_ASKED | COLUMN_NO_SORT },
	[RQ_PAIRED] = { .name = "paired", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[RQ_OPEN] = { .name = "open", .kind = CELL_U64, .rank = 5 },
	[RQ_BY_STATUS] = { .name = "byStatus", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[RQ_CROSS] = { .name = "crossThread", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[RQ_PHASE] = { .name = "phase", .kind = CELL_TEXT, .tone = TONE_EVENT },
	[RQ_QUEUE] = { .name = "queue", .kind = CELL_DUR, .rank = 7 },
	[RQ_DNS] = { .name = "dns", .kind = CELL_DUR, .rank = 8 },
	[RQ_CONNECT] = { .name = "connect", .kind = CELL_DUR, .rank = 8 },
	[RQ_TLS] = { .name = "tls", .kind = CELL_DUR, .rank = 8 },
	[RQ_HEADERS] = { .name = "headers", .kind = CELL_DUR, .rank = 9 },
	[RQ_BODY] = { .name = "body", .kind = CELL_DUR, .rank = 9 },
	[RQ_WAIT] = { .name = "wait", .kind = CELL_DUR, .rank = 7 },
	[RQ_RESPONSE] = { .name = "response", .kind = CELL_DUR, .rank = 8 },
	REPORT_LOSS_COLUMNS(RQ),
};

static const struct figure_columns	figures = {
	.total = RQ_TOTAL, .mean = RQ_MEAN, .p50 = RQ_P50, .p90 = RQ_P90, .p99 = RQ_P99,
	.max = RQ_MAX,
};

static const unsigned	request_columns[] = {
	RQ_START, RQ_DUR, RQ_SIDE, RQ_METHOD, RQ_URL, RQ_STATUS, RQ_FAILED, RQ_TID, RQ_STOP_TID,
	RQ_STATE, RQ_ACTIVITY, RQ_QUEUE, RQ_WAIT, REPORT_END,
};
static const unsigned	phase_columns[] = {
	RQ_PHASE, RQ_COUNT, RQ_TOTAL, RQ_SHARE, RQ_MEAN, RQ_P50, RQ_P90, RQ_P99, RQ_MAX, REPORT_END,
};
static const unsigned	route_columns[] = {
	RQ_SIDE, RQ_METHOD, RQ_ROUTE, RQ_COUNT, RQ_TOTAL, RQ_SHARE, RQ_MEAN, RQ_P50, RQ_P90,
	RQ_P99, RQ_MAX, RQ_FAILED, RQ_OPEN, REPORT_END,
};
static const unsigned	status_columns[] = {
	RQ_SIDE, RQ_STATUS, RQ_COUNT, RQ_TOTAL, RQ_MEAN, RQ_P50, RQ_P90, RQ_P99, RQ_MAX, REPORT_END,
};
static const struct report_part	parts[] = {
	{ "request", "Requests", request_columns, RQ_DUR },
	{ "route", "Routes", route_columns, RQ_TOTAL },
	{ "status", "Results", status_columns, RQ_COUNT },
	{ "phase", "Phases of the client's requests", phase_columns, TABLE_UNSORTED },
	{ .kind = NULL },
};

enum side { CLIENT, SERVER, KESTREL, SIDES };
enum { START, STOP, FAIL, EVENTS };	/* fact.kind: side * EVENTS + one of these */
enum { C_SCHEME, C_HOST, C_PORT, C_PATH };
enum { S_METHOD, S_PATH, S_REQUEST };

#define PHASE_FACTS	(SIDES * EVENTS)	/* kinds from there on: enum phase_event */
#define PHASE_FACT(event, id, name, ...) \
	{ PHASE_FACTS + (event), CLIENT_EVENTS, id, name, { __VA_ARGS__ }, FACT_ACTIVITY }

/* Connections have a Stop event after a Failed event, too. */
#define CONNECTION_FACTS(phase, provider, name) \
	{ PHASE_FACTS + phase ## _START, provider, 1, name "Start", { NULL }, FACT_ACTIVITY }, \
	{ PHASE_FACTS + phase ## _STOP, provider, 2, name "Stop", { NULL }, FACT_ACTIVITY }

static const struct fact_def	facts[] = {
	{ CLIENT * EVENTS + START, CLIENT_EVENTS, 1, "RequestStart", { "scheme", "host", "port",
	    "pathAndQuery" }, FACT_ACTIVITY },
	{ CLIENT * EVENTS + STOP, CLIENT_EVENTS, 2, "RequestStop", { "statusCode" },
	    FACT_ACTIVITY },
	{ CLIENT * EVENTS + FAIL, CLIENT_EVENTS, 3, "RequestFailed", { NULL }, FACT_ACTIVITY },
	{ SERVER * EVENTS + START, SERVER_EVENTS, 3, "RequestStart", { "method", "path" },
	    FACT_ACTIVITY },
	{ SERVER * EVENTS + STOP, SERVER_EVENTS, 4, "RequestStop", { NULL }, FACT_ACTIVITY },
	{ KESTREL * EVENTS + START, KESTREL_EVENTS, 3, "RequestStart", { "method", "path",
	    "requestId" }, FACT_ACTIVITY },
	{ KESTREL * EVENTS + STOP, KESTREL_EVENTS, 4, "RequestStop", { "method", "path",
	    "requestId" }, FACT_ACTIVITY },
	PHASE_FACT(LEFT_QUEUE, 6, "RequestLeftQueue", "timeOnQueueMilliseconds"),
	PHASE_FACT(HEADERS_START, 7, "RequestHeadersStart", NULL),
	PHASE_FACT(HEADERS_STOP, 8, "RequestHeadersStop", NULL),
	PHASE_FACT(BODY_START, 9, "RequestContentStart", NULL),
	PHASE_FACT(BODY_STOP, 10, "RequestContentStop", NULL),
	PHASE_FACT(ANSWERED, 12, "ResponseHeadersStop", NULL),
	PHASE_FACT(RESPONSE_START, 13, "ResponseContentStart", NULL),
	PHASE_FACT(RESPONSE_STOP, 14, "ResponseContentStop", NULL),
	CONNECTION_FACTS(DNS, "System.Net.NameResolution", "Resolution"),
	CONNECTION_FACTS(CONNECT, "System.Net.Sockets", "Connect"),
	CONNECTION_FACTS(TLS, "System.Net.Security", "Handshake"),
	{ .provider = NULL },
};

static const struct report_need	need[] = {
	{ .provider = CLIENT_EVENTS, .level = 4, .events = "requests sent" },
	{ .provider = SERVER_EVENTS, .level = 4, .events = "requests received" },
	{ .provider = KESTREL_EVENTS, .level = 4, .events = "requests of the web server" },
	{ .provider = "System.Net.NameResolution", .level = 4, .events = "DNS lookups" },
	{ .provider = "System.Net.Sockets", .level = 4, .events = "connections" },
	{ .provider = "System.Net.Security", .level = 4, .events = "TLS handshakes" },
	{ .provider = TASK_EVENTS, .keywords = "0x80", .level = 4,
	    .events = "activity ids" },
	{ .provider = NULL },
};

static const char *const	side_name[SIDES] = { "client", "server", "kestrel" };

#define HAS_START	0x01u
#define HAS_STOP	0x02u
#define HAS_STATUS	0x04u
#define HAS_ACTIVITY	0x08u
#define HAS_PARENT	0x10u
#define HAS_FAILED	0x20u
#define IS_CHOSEN	0x40u

struct request {
	int64_t		start, stop, ts;
	uint64_t	row, off;
	uint64_t	below;			/* next below under its key, + 1 */
	uint32_t	thread, stop_thread, url, route, method;
	int32_t		status;
	uint8_t		side, has;
	uint8_t		activity[16], parent[16];
	struct phase_times phases;		/* of a client's request */
};

struct requests {
	const struct report_run	*run;
	struct texts		*texts;
	struct scratch		*request;
	/* Numbers of open requests, + 1: by activity or id; by thread. */
	struct groups		*open[SIDES], *on_thread[SIDES];
	struct phases		*phases;
	struct buf		 text;
	uint64_t		 dropped;
};

static void *
requests_begin(const struct report_run *run)
{
	struct requests	*q = mem_zalloc(1, sizeof *q);

	q->run = run;
	q->texts = texts_new();
	q->request = scratch_new(sizeof(struct request));
	q->phases = phases_new(run);
	for (unsigned s = 0; s < SIDES; s++) {
		q->open[s] = groups_new(sizeof(uint64_t), LIMIT_SPANS_OPEN);
		q->on_thread[s] = groups_new(sizeof(uint64_t), LIMIT_THREADS);
	}
	buf_init(&q->text);
	return q;
}

static void
requests_free(void *self)
{
	struct requests	*q = self;

	texts_free(q->texts);
	scratch_free(q->request);
	phases_free(q->phases);
	for (unsigned s = 0; s < SIDES; s++) {
		groups_free(q->open[s]);
		groups_free(q->on_thread[s]);
	}
	buf_release(&q->text);
	mem_free(q);
}

/* ---- pairing */

static bool
is_open(const void *entry)
{
	return *(const uint64_t *)entry != 0;
}

/* The place of the latest open request with the event's key. NULL: no room. */
static uint64_t *
open_of(struct requests *q, const struct fact *f, enum side side)
{
	uint32_t	id;

	if (side == KESTREL) {
		id = texts_add(q->texts, fact_text(f, S_REQUEST));
		return id != TEXT_NONE ? groups_get_live(q->open[side], id, 0, is_open) : NULL;
	}
	if (f->activity == NULL)
		return groups_get(q->on_thread[side], f->ev->thread, 0);
	return groups_get_live(q->open[side], load_u64le(f->activity),
	    load_u64le(f->activity + 8), is_open);
}

static void
put_span(struct buf *b, struct span s)
{
	buf_add(b, s.p, s.len);
}

static uint32_t
url_of(struct requests *q, const struct fact *f, enum side side)
{
	if (side != CLIENT)
		return texts_add(q->texts, fact_text(f, S_PATH));
	buf_clear(&q->text);
	put_span(&q->text, fact_text(f, C_SCHEME));
	buf_puts(&q->text, "://");
	put_span(&q->text, fact_text(f, C_HOST));
	buf_putc(&q->text, ':');
	buf_u64(&q->text, fact_u64(f, C_PORT));
	put_span(&q->text, fact_text(f, C_PATH));
	return texts_add(q->texts, span_of_buf(&q->text));
}

/* Is the part of a path a decimal number, or a hexadecimal id? */
static bool
is_variable(struct span part)
{
	bool	digits = part.len > 0, hex = part.len >= 16;

	for (size_t i = 0; i < part.len; i++) {
		uint8_t	c = part.p[i];
		bool	digit = c >= '0' && c <= '9';
		bool	letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');

		digits &= digit;
		hex &= digit || letter || c == '-';
	}
	return digits || hex;
}

/* The path without its query, and with {n} for numbers and ids. Text before `from` is kept. */
static uint32_t
route_of(struct requests *q, struct span url, size_t from)
{
	const uint8_t	*end = memchr(url.p, '?', url.len);
	size_t		 len = end != NULL ? (size_t)(end - url.p) : url.len;

	buf_clear(&q->text);
	buf_add(&q->text, url.p, from < len ? from : len);
	while (from < len) {
		struct span	part = { url.p + from, 0 };

		while (from + part.len < len && part.p[part.len] != '/')
			part.len++;
		if (is_variable(part))
			buf_puts(&q->text, "{n}");
		else
			put_span(&q->text, part);
		from += part.len;
		if (from < len) {
			buf_putc(&q->text, '/');
			from++;
		}
	}
	return texts_add(q->texts, span_of_buf(&q->text));
}

static struct request *
request_new(struct requests *q, const struct fact *f, enum side side)
{
	struct request	*x = scratch_add(q->request);

	if (x == NULL) {
		q->dropped++;
		return NULL;
	}
	*x = (struct request){ .ts = f->ev->ts, .row = f->row, .off = f->ev->off,
	    .side = (uint8_t)side, .thread = EVENT_NONE, .stop_thread = EVENT_NONE,
	    .url = TEXT_NONE, .route = TEXT_NONE, .method = TEXT_NONE,
	    .has = f->chosen ? IS_CHOSEN : 0 };
	if (f->activity != NULL) {
		memcpy(x->activity, f->activity, sizeof x->activity);
		x->has |= HAS_ACTIVITY;
	}
	if (f->related != NULL) {
		memcpy(x->parent, f->related, sizeof x->parent);
		x->has |= HAS_PARENT;
	}
	return x;
}

static void
add_start(struct requests *q, const struct fact *f, enum side side)
{
	struct request	*x = request_new(q, f, side);
	uint64_t	*open = open_of(q, f, side);
	size_t		 host;

	if (x == NULL)
		return;
	x->start = f->ns;
	x->thread = f->ev->thread;
	x->has |= HAS_START;
	x->url = url_of(q, f, side);
	if (side != CLIENT && fact_has(f, S_METHOD))
		x->method = texts_add(q->texts, fact_text(f, S_METHOD));
	if (x->url != TEXT_NONE) {
		host = side == CLIENT ? q->text.len - fact_text(f, C_PATH).len : 0;
		x->route = route_of(q, texts_at(q->texts, x->url), host);
	}
	if (side == CLIENT)
		phases_open(q->phases, f, scratch_n(q->request));
	if (open == NULL)
		return;
	x->below = *open;
	*open = scratch_n(q->request);
}

/* End a request, or add an orphan. */
static void
add_end(struct requests *q, const struct fact *f, enum side side, bool failed)
{
	uint64_t	*open = open_of(q, f, side);
	bool		 paired = open != NULL && *open > 0;
	struct request	*x = paired ? scratch_at(q->request, *open - 1) : request_new(q, f, side);

	if (x == NULL)
		return;
	if (failed && paired) {
		x->has |= HAS_FAILED;
		return;
	}
	if (side == CLIENT)
		phases_close(q->phases, f);
	x->stop = f->ns;
	x->stop_thread = f->ev->thread;
	x->has |= HAS_STOP;
	if (!paired)
		return;
	*open = x->below;
	if (side != CLIENT || !fact_has(f, 0))
		return;
	x->status = f->v[0].kind == FACT_INT ? (int32_t)f->v[0].i : (int32_t)fact_u64(f, 0);
	x->has |= x->status != -1 ? HAS_STATUS : 0u;
}

static void
add_phase(struct requests *q, const struct fact *f)
{
	uint64_t	number = phases_find(q->phases, f);
	struct request	*x = number > 0 ? scratch_at(q->request, number - 1) : NULL;

	if (x != NULL)
		phase_add(&x->phases, (enum phase_event)(f->kind - PHASE_FACTS), f);
}

static void
requests_add(void *self, const struct fact *f)
{
	enum side	side = (enum side)(f->kind / EVENTS);

	if (f->kind >= PHASE_FACTS)
		add_phase(self, f);
	else if (f->kind % EVENTS == START)
		add_start(self, f, side);
	else
		add_end(self, f, side, f->kind % EVENTS == FAIL);
}

/* ---- rows: one by one */

static bool
is_paired(const struct request *x)
{
	return (x->has & (HAS_START | HAS_STOP)) == (HAS_START | HAS_STOP);
}

static const char *
state_of(const struct request *x)
{
	if (is_paired(x))
		return "paired";
	return (x->has & HAS_START) != 0 ? "open" : "orphan";
}

static void
put_phases(struct rows *r, const struct phase_times *t)
{
	static const unsigned	col[PHASES] = { RQ_QUEUE, RQ_DNS, RQ_CONNECT, RQ_TLS, RQ_HEADERS,
		RQ_BODY, RQ_WAIT, RQ_RESPONSE };

	for (unsigned i = 0; i < PHASES; i++)
		row_dur(r, col[i], (t->has >> i & 1) != 0, t->ns[i]);
}

static void
put_request(const struct requests *q, struct rows *r, const struct request *x)
{
	bool			started = (x->has & HAS_START) != 0;
	struct loss_asked	a = { .thread = EVENT_NONE, .has_from = started, .from = x->start,
				    .has_to = !started, .to = x->stop, .last = !started };

	row_begin(r, "request");
	row_str(r, RQ_SIDE, side_name[x->side]);
	row_time(r, RQ_START, started, x->start);
	row_dur(r, RQ_DUR, is_paired(x), sub_i64(x->stop, x->start));
	row_put(r, RQ_TID, report_tid(q->run, x->thread));
	row_put(r, RQ_STOP_TID, report_tid(q->run, x->stop_thread));
	row_word(r, RQ_METHOD, q->texts, x->method);
	row_word(r, RQ_URL, q->texts, x->url);
	row_word(r, RQ_ROUTE, q->texts, x->route);
	row_put(r, RQ_STATUS, (x->has & HAS_STATUS) != 0 ? cell_i64(x->status) :
	    (struct cell){ .kind = CELL_NULL });
	row_put(r, RQ_FAILED, cell_bool((x->has & HAS_FAILED) != 0));
	row_guid(r, RQ_ACTIVITY, (x->has & HAS_ACTIVITY) != 0 ? x->activity : NULL);
	row_guid(r, RQ_PARENT, (x->has & HAS_PARENT) != 0 ? x->parent : NULL);
	row_put(r, RQ_ROW, cell_u64(x->row));
	row_str(r, RQ_STATE, state_of(x));
	if (x->side == CLIENT)
		put_phases(r, &x->phases);
	if (!is_paired(x))
		(void)report_gap(q->run, r, RQ_GAP, &a);
	row_event(r, x->ts, x->off);
}

/* ---- rows: by route, by result, by side */

struct request_sum {
	uint64_t	count, paired, failed, cross, open;
	int64_t		total;
	struct dist	dur;
	struct best	longest;
	enum side	side;
	uint32_t	method, route;
};

struct result {
	uint64_t	count;
	struct dist	dur;
	struct best	longest;
	enum side	side;
	int32_t		status;
	bool		has_status;
};

struct phase_sum {
	struct dist	dur;
	int64_t		total;
	struct best	longest;
};

struct request_sums {
	struct request_sum	side[SIDES];
	struct phase_sum	phase[PHASES];
	struct groups		*route;		/* (side and method, route) */
	struct groups		*result;	/* (side, status) */
};

/* The key of a result. No status sorts first. */
static uint64_t
status_key(const struct request *x)
{
	return (x->has & HAS_STATUS) != 0 ? (uint64_t)(uint32_t)x->status + 1 : 0;
}

static void
sum_add(struct request_sum *s, const struct request *x)
{
	s->count++;
	s->failed += (x->has & HAS_FAILED) != 0;
	s->open += (x->has & HAS_STOP) == 0;
	best_offer(&s->longest, is_paired(x) ? sub_i64(x->stop, x->start) : -1, x->ts, x->off);
	if (!is_paired(x))
		return;
	s->paired++;
	s->cross += x->thread != x->stop_thread;
	s->total = add_i64(s->total, sub_i64(x->stop, x->start));
	dist_add(&s->dur, sub_i64(x->stop, x->start));
}

static void
phase_sum_add(struct phase_sum *s, const struct request *x, int64_t ns)
{
	dist_add(&s->dur, ns);
	s->total = add_i64(s->total, ns);
	best_offer(&s->longest, ns, x->ts, x->off);
}

static void
sums_add(struct request_sums *s, const struct request *x)
{
	struct result		*e = groups_get(s->result, x->side, status_key(x));
	struct request_sum	*route;

	sum_add(&s->side[x->side], x);
	for (unsigned i = 0; i < PHASES; i++)
		if ((x->phases.has >> i & 1) != 0)
			phase_sum_add(&s->phase[i], x, x->phases.ns[i]);
	if (e != NULL) {
		e->count++;
		e->side = (enum side)x->side;
		e->status = x->status;
		e->has_status = (x->has & HAS_STATUS) != 0;
		best_offer(&e->longest, is_paired(x) ? sub_i64(x->stop, x->start) : -1, x->ts,
		    x->off);
		if (is_paired(x))
			dist_add(&e->dur, sub_i64(x->stop, x->start));
	}
	if ((x->has & HAS_START) == 0)
		return;
	route = groups_get(s->route, (uint64_t)x->side << 32 | x->method, x->route);
	if (route == NULL)
		return;
	sum_add(route, x);
	route->side = (enum side)x->side;
	route->method = x->method;
	route->route = x->route;
}

static void
sums_begin(const struct requests *q, struct request_sums *s)
{
	*s = (struct request_sums){
		.route = groups_new(sizeof(struct request_sum), LIMIT_REPORT_GROUPS),
		.result = groups_new(sizeof(struct result), LIMIT_REPORT_GROUPS),
	};
	for (uint64_t i = 0; i < scratch_n(q->request); i++) {
		const struct request	*x = scratch_at(q->request, i);

		if ((x->has & IS_CHOSEN) != 0)
			sums_add(s, x);
	}
}

static void
sums_release(struct request_sums *s)
{
	for (size_t i = 0; i < groups_n(s->route); i++)
		dist_release(&((struct request_sum *)groups_at(s->route, i))->dur);
	for (size_t i = 0; i < groups_n(s->result); i++)
		dist_release(&((struct result *)groups_at(s->result, i))->dur);
	for (unsigned i = 0; i < SIDES; i++)
		dist_release(&s->side[i].dur);
	for (unsigned i = 0; i < PHASES; i++)
		dist_release(&s->phase[i].dur);
	groups_free(s->route);
	groups_free(s->result);
}

static int
by_total(const void *a, const void *b)
{
	const struct request_sum	*x = a, *y = b;

	return x->total > y->total ? -1 : x->total < y->total;
}

static int
by_side_and_count(const void *a, const void *b)
{
	const struct result	*x = a, *y = b;

	if (x->side != y->side)
		return x->side < y->side ? -1 : 1;
	return x->count > y->count ? -1 : x->count < y->count;
}

static void
put_sum(struct rows *r, struct request_sum *x)
{
	row_put(r, RQ_COUNT, cell_u64(x->count));
	row_put(r, RQ_PAIRED, cell_u64(x->paired));
	row_put(r, RQ_FAILED, cell_u64(x->failed));
	row_put(r, RQ_OPEN, cell_u64(x->open));
	row_put(r, RQ_CROSS, cell_u64(x->cross));
	row_dist(r, RQ_DUR, &figures, &x->dur);
}

static void
put_routes(const struct requests *q, struct rows *r, struct request_sums *s)
{
	uint32_t	*order = groups_order(s->route, by_total);

	for (size_t i = 0; i < groups_n(s->route); i++) {
		struct request_sum	*x = groups_at(s->route, order[i]);

		row_begin(r, "route");
		row_str(r, RQ_SIDE, side_name[x->side]);
		row_word(r, RQ_METHOD, q->texts, x->method);
		row_word(r, RQ_ROUTE, q->texts, x->route);
		put_sum(r, x);
		row_share(r, RQ_SHARE, (double)x->total, (double)s->side[x->side].total);
		row_best(r, &x->longest);
	}
	mem_free(order);
}

static void
put_results(struct rows *r, struct request_sums *s, const uint32_t *order)
{
	for (size_t i = 0; i < groups_n(s->result); i++) {
		struct result	*e = groups_at(s->result, order[i]);

		row_begin(r, "status");
		row_str(r, RQ_SIDE, side_name[e->side]);
		row_put(r, RQ_STATUS, e->has_status ? cell_i64(e->status) :
		    (struct cell){ .kind = CELL_NULL });
		row_put(r, RQ_COUNT, cell_u64(e->count));
		row_dist(r, RQ_DUR, &figures, &e->dur);
		row_best(r, &e->longest);
	}
}

/* Add the phases of all requests of the client. */
static void
put_phase_sums(struct rows *r, struct request_sums *s)
{
	for (unsigned i = 0; i < PHASES; i++) {
		struct phase_sum	*x = &s->phase[i];

		if (x->dur.n == 0)
			continue;
		row_begin(r, "phase");
		row_str(r, RQ_SIDE, side_name[CLIENT]);
		row_str(r, RQ_PHASE, phase_name((enum phase)i));
		row_put(r, RQ_COUNT, cell_u64(x->dur.n));
		row_dist(r, RQ_DUR, &figures, &x->dur);
		row_share(r, RQ_SHARE, (double)x->total, (double)s->side[CLIENT].total);
		row_best(r, &x->longest);
	}
}

static void
put_by_status(struct rows *r, const struct request_sums *s, const uint32_t *order,
    enum side side)
{
	struct buf	*b = row_json(r, RQ_BY_STATUS);

	buf_putc(b, '{');
	for (size_t i = 0; i < groups_n(s->result); i++) {
		const struct result	*e = groups_at(s->result, order[i]);

		if (e->side != side)
			continue;
		buf_puts(b, b->len > 1 ? ",\"" : "\"");
		if (e->has_status)
			buf_i64(b, e->status);
		else
			buf_puts(b, "null");
		buf_puts(b, "\":");
		buf_u64(b, e->count);
	}
	buf_putc(b, '}');
}

static void
requests_rows(void *self, struct rows *r)
{
	struct requests		*q = self;
	struct request_sums	 s;
	uint32_t		*order;

	sums_begin(q, &s);
	order = groups_order(s.result, by_side_and_count);
	put_routes(q, r, &s);
	put_results(r, &s, order);
	put_phase_sums(r, &s);
	for (uint64_t i = 0; i < scratch_n(q->request); i++) {
		const struct request	*x = scratch_at(q->request, i);

		if ((x->has & IS_CHOSEN) != 0)
			put_request(q, r, x);
	}
	for (unsigned side = 0; side < SIDES; side++) {
		if (s.side[side].count == 0)
			continue;
		row_begin(r, "summary");
		row_str(r, RQ_SIDE, side_name[side]);
		put_sum(r, &s.side[side]);
		put_by_status(r, &s, order, side);
	}
	rows_remark(r, q->dropped, EVENTS_DROPPED);
	rows_remark(r, groups_beyond(s.route), "requests for routes beyond the limit are counted "
	    "together");
	mem_free(order);
	sums_release(&s);
}

/* Are there incomplete requests for want of activity ids, by which they would be paired? */
static bool
needs_activities(const struct requests *q)
{
	bool	incomplete = false;

	for (uint64_t i = 0; i < scratch_n(q->request); i++) {
		const struct request	*x = scratch_at(q->request, i);

		if ((x->has & IS_CHOSEN) == 0 || x->side == KESTREL)
			continue;
		if ((x->has & HAS_ACTIVITY) != 0)
			return false;
		incomplete |= !is_paired(x);
	}
	return incomplete;
}

/* A line a side: "client: 60 requests, p50 7.1 ms, p99 102 ms" */
static void
requests_totals(void *self, struct buf *out)
{
	struct requests		*q = self;
	struct request_sums	 s;
	struct dist_figures	 f;

	sums_begin(q, &s);
	for (unsigned side = 0; side < SIDES; side++) {
		if (s.side[side].count == 0)
			continue;
		buf_printf(out, "%s: ", side_name[side]);
		put_count(out, s.side[side].count, "request", "requests");
		dist_figures(&s.side[side].dur, &f);
		if (f.n > 0) {
			buf_puts(out, ", p50 ");
			put_dur(out, f.p50);
			buf_puts(out, ", p99 ");
			put_dur(out, f.p99);
		}
		if (f.n < s.side[side].count) {
			buf_puts(out, ", incomplete: ");
			buf_grouped(out, s.side[side].count - f.n);
		}
		if (s.side[side].failed > 0) {
			buf_puts(out, ", failed: ");
			buf_grouped(out, s.side[side].failed);
		}
		buf_putc(out, '\n');
	}
	if (needs_activities(q))
		buf_puts(out, "paired by thread, so requests that change threads are incomplete or "
		    "wrong: collect activity ids (" TASK_EVENTS ":0x80:4)\n");
	sums_release(&s);
}

static const struct report_plot_def	plots[] = {
	{ "requests, the slowest", "request", RQ_START, PLOT_GREATEST, { RQ_DUR, REPORT_END } },
	{ .title = NULL },
};

const struct report	report_requests = {
	.name = "requests",
	.title = "HTTP requests",
	.text = "client lists the requests sent by System.Net.Http, server those answered by "
	    "ASP.NET Core hosting, and kestrel those seen by its web server; one request may be in "
	    "all three. A request lasts from RequestStart to the RequestStop of the same activity, "
	    "or else of the same thread; kestrel requests are paired by request id. status is that "
	    "of the client's RequestStop; ASP.NET Core writes none. failed means that "
	    "RequestFailed was written. parent is the activity under which the request began. "
	    "route is the path without the query; numbers and ids in it are replaced by {n}. queue "
	    "is the time that RequestLeftQueue tells, until the client had a connection; dns, "
	    "connect and tls are what opening one took that this request waited for; headers "
	    "and body are what sending them took; wait lasts from there until the headers of the "
	    "response were there; response is reading its body. These events have activities "
	    "below the request's: without paths as activity ids there are no phases. A "
	    "request without an end is open, an end without a start is an orphan; gap is the first "
	    "loss on any thread that may explain it.",
	.need = need, .fact = facts, .column = columns, .ncolumns = RQ_COLUMNS, .part = parts,
	.plot = plots,
	.pairs = true,
	.begin = requests_begin, .add = requests_add, .rows = requests_rows,
	.totals = requests_totals, .free = requests_free,
};
