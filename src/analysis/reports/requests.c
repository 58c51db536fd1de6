/*
 * HTTP requests that the program sent, and those that it received.
 *
 *	client	System.Net.Http RequestStart ---- RequestStop	by activity, else by thread
 *	server	Hosting RequestStart ------------ RequestStop	by activity, else by thread
 *	kestrel	Kestrel RequestStart ------------ RequestStop	by the request's id
 *
 * The open requests of a key are a stack; a stop ends the latest. An event of a phase belongs to
 * the open request of the client with the longest path above its own; without paths as activities
 * (TplEventSource's keyword 0x80) there are no phases. A route is a path without the parts that
 * differ between requests: /item/17?q=1 is /item/{n}.
 */
#include <string.h>

#include "analysis/reports/common.h"
#include "analysis/reports/phases.h"
#include "tnav/base/hash.h"
#include "tnav/base/num.h"
#include "tnav/model/activity.h"

#define CLIENT_EVENTS	"System.Net.Http"
#define SERVER_EVENTS	"Microsoft.AspNetCore.Hosting"
#define KESTREL_EVENTS	"Microsoft-AspNetCore-Server-Kestrel"
#define TASK_EVENTS	"System.Threading.Tasks.TplEventSource"

#define COLUMNS(C) \
	C(RQ_KIND, COLUMN_KIND) \
	ORIGIN_COLUMNS(C, RQ, "source") \
	C(RQ_SIDE, COLUMN(TEXT, "side"), .tone = TONE_KEY) \
	C(RQ_START, COLUMN_START) \
	C(RQ_DUR, COLUMN(DUR, "dur")) \
	C(RQ_STATUS, COLUMN(I64, "status"), .flags = COLUMN_ID) \
	C(RQ_METHOD, COLUMN(TEXT, "method"), .rank = 1) \
	C(RQ_URL, COLUMN(TEXT, "url"), .tone = TONE_EVENT, .width = 24, .most = 70, \
	    .flags = COLUMN_NAMES | COLUMN_MIDDLE) \
	C(RQ_ROUTE, COLUMN(TEXT, "route"), .tone = TONE_EVENT, .width = 24, .most = 70, \
	    .flags = COLUMN_NAMES | COLUMN_MIDDLE) \
	C(RQ_FAILED, COLUMN(U64, "failed"), .tone = TONE_WARN, .rank = 2) \
	C(RQ_COUNT, COLUMN_COUNT("count")) \
	C(RQ_SHARE, COLUMN(SHARE, "share"), .rank = 4) \
	FIGURE_COLUMNS(C, RQ, 1, 2, 0, 3, 0) \
	C(RQ_TID, COLUMN_TID, .rank = 3) \
	C(RQ_STOP_TID, COLUMN_THREAD("stopTid", "ends on"), .rank = 4) \
	C(RQ_STATE, COLUMN(TEXT, "state"), .rank = 5) \
	C(RQ_ACTIVITY, COLUMN(GUID, "activity"), .rank = 6) \
	C(RQ_PARENT, COLUMN_FILE(GUID, "parent")) \
	C(RQ_ROW, COLUMN_ROW) \
	C(RQ_GAP, COLUMN_GAP) \
	C(RQ_PAIRED, COLUMN_EXTRA("paired")) \
	C(RQ_OPEN, COLUMN_COUNT("open"), .rank = 5) \
	C(RQ_BY_STATUS, COLUMN_JSON("byStatus")) \
	C(RQ_CROSS, COLUMN_EXTRA("crossThread")) \
	C(RQ_PHASE, COLUMN(TEXT, "phase"), .tone = TONE_EVENT) \
	C(RQ_QUEUE, COLUMN(DUR, "queue"), .rank = 7) \
	C(RQ_DNS, COLUMN(DUR, "dns"), .rank = 8) \
	C(RQ_CONNECT, COLUMN(DUR, "connect"), .rank = 8) \
	C(RQ_TLS, COLUMN(DUR, "tls"), .rank = 8) \
	C(RQ_HEADERS, COLUMN(DUR, "headers"), .rank = 9) \
	C(RQ_BODY, COLUMN(DUR, "body"), .rank = 9) \
	C(RQ_WAIT, COLUMN(DUR, "wait"), .rank = 7) \
	C(RQ_RESPONSE, COLUMN(DUR, "response"), .rank = 8) \
	LOSS_COLUMNS(C, RQ) \
	C(RQ_INCOMPLETE, COLUMN_COUNT("incomplete"))

REPORT_COLUMNS(RQ)
enum {
	RQ_SIDE_KEY = RQ_CELLS, RQ_SIDE_ORDER, RQ_METHOD_KEY, RQ_ROUTE_KEY, RQ_STATUS_KEY,
	RQ_PHASE_KEY, RQ_PHASE_DUR, RQ_CROSSES,
};

enum request_side { CLIENT, SERVER, KESTREL, SIDES };
enum { START, STOP, FAIL, EVENTS };	/* fact.kind: side * EVENTS + one of these */
enum { C_SCHEME, C_HOST, C_PORT, C_PATH };
enum { S_METHOD, S_PATH, S_REQUEST };

#define PHASE_FACTS	(SIDES * EVENTS)	/* kinds from there on: enum phase_event */
#define PHASE_FACT(event, id, name, ...) \
	{ PHASE_FACTS + (event), CLIENT_EVENTS, id, name, { __VA_ARGS__ }, FACT_ACTIVITY, \
	    add_phase }

/* Connections have a Stop event after a Failed event, too. */
#define CONNECTION_FACTS(phase, provider, name) \
	{ PHASE_FACTS + phase ## _START, provider, 1, name "Start", { NULL }, FACT_ACTIVITY, \
	    add_phase }, \
	{ PHASE_FACTS + phase ## _STOP, provider, 2, name "Stop", { NULL }, FACT_ACTIVITY, \
	    add_phase }

static const char *const	side_name[SIDES] = { "client", "server", "kestrel" };

#define HAS_STATUS	0x01u
#define HAS_ACTIVITY	0x02u
#define HAS_PARENT	0x04u
#define HAS_FAILED	0x08u

struct http_request {
	struct pair	p;
	uint32_t	url, route, method;
	int32_t		status;
	uint8_t		side, has;
	uint8_t		activity[16], parent[16];
	struct phase_times phases;		/* of a client's request */
};

/* Spaces: by the path of the activity, for clients; else by activity, thread, or id. */
enum { BY_PATH, BY_ACTIVITY, BY_THREAD = BY_ACTIVITY + 2, BY_ID = BY_THREAD + 2, SPACES };

struct requests {
	uint64_t	seed;			/* of the hashes of paths */
	int64_t		client_total;
	/* Of those that are paired by activity, or else by thread. */
	bool		has_activities, is_incomplete;
};

static void
requests_begin(struct report_state *s)
{
	struct requests	*q = s->own;

	q->seed = hash_seed();
}

/* ---- pairing */

static bool
path_of(const struct report_state *s, const struct fact *f, struct activity_path *out)
{
	const struct trace_info	*info = trace_info(s->run->home);

	return f->activity != NULL && activity_path_decode(out, f->activity, info->has_pid,
	    info->pid);
}

/* The key of the first n steps of a path. */
static struct group_key
path_key(const struct report_state *s, const struct activity_path *path, unsigned n)
{
	const struct requests	*q = s->own;

	return pair_key(activity_path_hash(path, n, q->seed), n);
}

/* The space and the key that the events of a request have in common. */
static unsigned
space_of(struct report_state *s, const struct fact *f, enum request_side side,
    struct group_key *key)
{
	struct activity_path	path;
	uint32_t		id;

	if (side == KESTREL) {
		id = texts_add(s->texts, fact_text(f, S_REQUEST));
		*key = pair_key(id, id != TEXT_NONE ? 0 : f->row);
		return BY_ID;
	}
	if (f->activity == NULL) {
		*key = pair_key(f->ev->thread, 0);
		return BY_THREAD + side;
	}
	if (side == CLIENT && path_of(s, f, &path)) {
		*key = path_key(s, &path, path.n);
		return BY_PATH;
	}
	*key = pair_key_guid(f->activity);
	return BY_ACTIVITY + side;
}

static uint32_t
url_of(struct report_state *s, const struct fact *f, enum request_side side)
{
	if (side != CLIENT)
		return texts_add(s->texts, fact_text(f, S_PATH));
	buf_clear(&s->text);
	buf_span(&s->text, fact_text(f, C_SCHEME));
	buf_puts(&s->text, "://");
	buf_span(&s->text, fact_text(f, C_HOST));
	buf_putc(&s->text, ':');
	buf_u64(&s->text, fact_u64(f, C_PORT));
	buf_span(&s->text, fact_text(f, C_PATH));
	return texts_add(s->texts, span_of_buf(&s->text));
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
route_of(struct report_state *s, struct span url, size_t from)
{
	const uint8_t	*end = memchr(url.p, '?', url.len);
	size_t		 len = end != NULL ? (size_t)(end - url.p) : url.len;

	buf_clear(&s->text);
	buf_add(&s->text, url.p, from < len ? from : len);
	while (from < len) {
		struct span	part = { url.p + from, 0 };

		while (from + part.len < len && part.p[part.len] != '/')
			part.len++;
		if (is_variable(part))
			buf_puts(&s->text, "{n}");
		else
			buf_span(&s->text, part);
		from += part.len;
		if (from < len) {
			buf_putc(&s->text, '/');
			from++;
		}
	}
	return texts_add(s->texts, span_of_buf(&s->text));
}

/* What its first event says of it. */
static void
request_init(struct http_request *x, const struct fact *f, enum request_side side)
{
	x->side = (uint8_t)side;
	x->url = x->route = x->method = TEXT_NONE;
	if (f->activity != NULL) {
		memcpy(x->activity, f->activity, sizeof x->activity);
		x->has |= HAS_ACTIVITY;
	}
	if (f->related != NULL) {
		memcpy(x->parent, f->related, sizeof x->parent);
		x->has |= HAS_PARENT;
	}
}

static enum request_side
side_of(const struct fact *f)
{
	return (enum request_side)(f->kind / EVENTS);
}

static void
add_start(struct report_state *s, const struct fact *f)
{
	enum request_side	 side = side_of(f);
	struct http_request	*x = pairs_start(s->pairs, f);
	size_t			 host;
	struct group_key	 key;
	unsigned		 space;

	if (x == NULL)
		return;
	request_init(x, f, side);
	x->url = url_of(s, f, side);
	if (side != CLIENT && fact_has(f, S_METHOD))
		x->method = texts_add(s->texts, fact_text(f, S_METHOD));
	if (x->url != TEXT_NONE) {
		host = side == CLIENT ? s->text.len - fact_text(f, C_PATH).len : 0;
		x->route = route_of(s, texts_at(s->texts, x->url), host);
	}
	space = space_of(s, f, side, &key);
	pairs_enter(s->pairs, space, key, x, true);
}

static void
set_status(struct http_request *x, const struct fact *f)
{
	if (x->side != CLIENT || !fact_has(f, 0))
		return;
	x->status = (int32_t)fact_bits(f, 0);
	x->has |= x->status != -1 ? HAS_STATUS : 0u;
}

/* End a request, or add an orphan. */
static void
add_end(struct report_state *s, const struct fact *f)
{
	enum request_side	 side = side_of(f);
	struct group_key	 key;
	unsigned		 space = space_of(s, f, side, &key);
	struct http_request	*x = pairs_stop(s->pairs, f,
				    pairs_take(s->pairs, space, key));

	if (x == NULL)
		return;
	if (x->p.has_start)
		set_status(x, f);
	else
		request_init(x, f, side);
}

/* A stop follows, if its start is known. */
static void
add_failed(struct report_state *s, const struct fact *f)
{
	struct group_key	 key;
	unsigned		 space = space_of(s, f, side_of(f), &key);
	struct http_request	*x = pairs_latest(s->pairs, space, key);

	if (x != NULL)
		x->has |= HAS_FAILED;
	else
		add_end(s, f);
}

static void
add_phase(struct report_state *s, const struct fact *f)
{
	struct activity_path	 path;
	struct http_request	*x = NULL;

	if (!path_of(s, f, &path))
		return;
	for (unsigned n = path.n; n > 0 && x == NULL; n--)
		x = pairs_latest(s->pairs, BY_PATH, path_key(s, &path, n));
	if (x != NULL)
		phase_add(&x->phases, (enum phase_event)(f->kind - PHASE_FACTS), f);
}

/* ---- rows */

/* The phases of a request in its row, and each as a row that only groups use. */
static void
put_phases(struct rows *r, const struct http_request *x)
{
	static const unsigned		 col[PHASES] = { RQ_QUEUE, RQ_DNS, RQ_CONNECT, RQ_TLS,
		RQ_HEADERS, RQ_BODY, RQ_WAIT, RQ_RESPONSE };
	const struct phase_times	*t = &x->phases;

	for (unsigned i = 0; i < PHASES; i++)
		row_known(r, col[i], (t->has >> i & 1) != 0, cell_dur(t->ns[i]));
	for (unsigned i = 0; i < PHASES; i++) {
		if ((t->has >> i & 1) == 0)
			continue;
		row_begin(r, "phases");
		row_hide(r);
		row_str(r, RQ_SIDE, side_name[x->side]);
		row_str(r, RQ_PHASE, phase_name[i]);
		row_put(r, RQ_PHASE_KEY, cell_u64(i));
		row_put(r, RQ_PHASE_DUR, cell_dur(t->ns[i]));
		row_event(r, x->p.ts, x->p.off);
	}
}

/* The key of a result. No status comes first. */
static uint64_t
status_key(const struct http_request *x)
{
	return (x->has & HAS_STATUS) != 0 ? (uint64_t)(uint32_t)x->status + 1 : 0;
}

/* Only requests with a start have a route. */
static void
put_keys(struct rows *r, const struct http_request *x)
{
	row_put(r, RQ_SIDE_KEY, cell_u64(x->side));
	row_put(r, RQ_SIDE_ORDER, cell_u64(SIDES - (uint64_t)x->side));
	row_put(r, RQ_STATUS_KEY, cell_u64(status_key(x)));
	row_put(r, RQ_INCOMPLETE, cell_bool(!pair_is_paired(&x->p)));
	row_put(r, RQ_CROSSES, cell_bool(pair_is_paired(&x->p) && x->p.thread != x->p.stop_thread));
	if (!x->p.has_start)
		return;
	row_put(r, RQ_METHOD_KEY, cell_u64((uint64_t)x->side << 32 | x->method));
	row_put(r, RQ_ROUTE_KEY, cell_u64(x->route));
}

static const struct pair_columns	pair_columns = {
	.start = RQ_START, .dur = RQ_DUR, .tid = RQ_TID, .stop_tid = RQ_STOP_TID, .row = RQ_ROW,
	.state = RQ_STATE, .gap = RQ_GAP, .any_thread = true,
};

static void
put_request(struct report_state *s, struct rows *r, const void *record)
{
	struct requests			*q = s->own;
	const struct http_request	*x = record;

	row_begin(r, "request");
	row_pair(r, s->run, &pair_columns, &x->p);
	row_str(r, RQ_SIDE, side_name[x->side]);
	row_word(r, RQ_METHOD, s->texts, x->method);
	row_word(r, RQ_URL, s->texts, x->url);
	row_word(r, RQ_ROUTE, s->texts, x->route);
	row_known(r, RQ_STATUS, (x->has & HAS_STATUS) != 0, cell_i64(x->status));
	row_put(r, RQ_FAILED, cell_bool((x->has & HAS_FAILED) != 0));
	row_known(r, RQ_ACTIVITY, (x->has & HAS_ACTIVITY) != 0, cell_guid(x->activity));
	row_known(r, RQ_PARENT, (x->has & HAS_PARENT) != 0, cell_guid(x->parent));
	put_keys(r, x);
	if (x->side == CLIENT) {
		put_phases(r, x);
		q->client_total = add_i64(q->client_total, pair_dur(&x->p));
	}
	if (x->side == KESTREL)
		return;
	q->has_activities |= (x->has & HAS_ACTIVITY) != 0;
	q->is_incomplete |= !pair_is_paired(&x->p);
}

/* The share of a phase is that of the time of the client's requests. */
static void
put_phase_share(struct report_state *s, struct rows *r)
{
	const struct requests	*q = s->own;
	struct cell		 total;

	if (row_get(r, RQ_TOTAL, &total))
		row_share(r, RQ_SHARE, (double)total.i, (double)q->client_total);
}

static void
requests_totals(struct report_state *s, struct buf *out)
{
	const struct requests	*q = s->own;

	if (q->is_incomplete && !q->has_activities)
		buf_puts(out, "paired by thread, so requests that change threads are incomplete or "
		    "wrong: collect activity ids (" TASK_EVENTS ":0x80:4)\n");
}

#define REQUEST_FIGURES \
	FIGURE_ROWS(RQ_COUNT), FIGURE(RQ_PAIRED, COUNT, RQ_DUR), \
	FIGURE(RQ_FAILED, COUNT, RQ_FAILED), FIGURE_WORD(RQ_OPEN, RQ_STATE, "open"), \
	FIGURE(RQ_CROSS, COUNT, RQ_CROSSES), FIGURE(RQ_DUR, STATISTICS, RQ_DUR)

enum request_group { BY_ROUTE, BY_STATUS, BY_PHASE, IN_STATUS };

static const struct grouping	groupings[] = {
	[BY_ROUTE] = { .kind = "route", .of = "request", .key = { RQ_METHOD_KEY, RQ_ROUTE_KEY },
	    .shown = { RQ_SIDE, RQ_METHOD, RQ_ROUTE }, .figure = { REQUEST_FIGURES,
	    FIGURE(RQ_SHARE, SHARE, RQ_DUR) }, .sort = RQ_DUR, .within = RQ_SIDE_KEY,
	    .best = RQ_DUR, .has_event = true,
	    .beyond = "requests for routes beyond the limit are counted together" },
	[BY_STATUS] = { .kind = "status", .of = "request", .key = { RQ_SIDE_KEY, RQ_STATUS_KEY },
	    .shown = { RQ_SIDE, RQ_STATUS }, .figure = { FIGURE_ROWS(RQ_COUNT),
	    FIGURE(RQ_DUR, STATISTICS, RQ_DUR), FIGURE(RQ_SIDE_ORDER, FIRST, RQ_SIDE_ORDER) },
	    .sort = RQ_SIDE_ORDER, .then = RQ_COUNT, .best = RQ_DUR, .has_event = true },
	[BY_PHASE] = { .kind = "phase", .of = "phases", .key = { RQ_PHASE_KEY },
	    .shown = { RQ_SIDE, RQ_PHASE }, .figure = { FIGURE_ROWS(RQ_COUNT),
	    FIGURE(RQ_DUR, STATISTICS, RQ_PHASE_DUR) }, .best = RQ_PHASE_DUR, .has_event = true,
	    .add = put_phase_share },
	[IN_STATUS] = { .kind = "", .of = "request", .key = { RQ_SIDE_KEY, RQ_STATUS_KEY },
	    .shown = { RQ_STATUS }, .figure = { FIGURE_ROWS(RQ_COUNT) }, .sort = RQ_COUNT },
	{ .kind = "summary", .of = "request", .key = { RQ_SIDE_KEY }, .shown = { RQ_SIDE },
	    .figure = { REQUEST_FIGURES, FIGURE(RQ_INCOMPLETE, COUNT, RQ_INCOMPLETE),
	    FIGURE(RQ_BY_STATUS, OBJECT, IN_STATUS) } },
	{ .kind = NULL },
};

static const struct fact_def	facts[] = {
	{ CLIENT * EVENTS + START, CLIENT_EVENTS, 1, "RequestStart", { "scheme", "host", "port",
	    "pathAndQuery" }, FACT_ACTIVITY, add_start },
	{ CLIENT * EVENTS + STOP, CLIENT_EVENTS, 2, "RequestStop", { "statusCode" }, FACT_ACTIVITY,
	    add_end },
	{ CLIENT * EVENTS + FAIL, CLIENT_EVENTS, 3, "RequestFailed", { NULL }, FACT_ACTIVITY,
	    add_failed },
	{ SERVER * EVENTS + START, SERVER_EVENTS, 3, "RequestStart", { "method", "path" },
	    FACT_ACTIVITY, add_start },
	{ SERVER * EVENTS + STOP, SERVER_EVENTS, 4, "RequestStop", { NULL }, FACT_ACTIVITY,
	    add_end },
	{ KESTREL * EVENTS + START, KESTREL_EVENTS, 3, "RequestStart", { "method", "path",
	    "requestId" }, FACT_ACTIVITY, add_start },
	{ KESTREL * EVENTS + STOP, KESTREL_EVENTS, 4, "RequestStop", { "method", "path",
	    "requestId" }, FACT_ACTIVITY, add_end },
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

const struct report	report_requests = {
	.name = "requests",
	.title = "HTTP requests",
	.part = {
		{ "request", "Requests", { RQ_START, RQ_DUR, RQ_SIDE, RQ_METHOD, RQ_URL, RQ_STATUS,
		    RQ_FAILED, RQ_TID, RQ_STOP_TID, RQ_STATE, RQ_ACTIVITY, RQ_QUEUE, RQ_WAIT,
		    REPORT_END }, RQ_DUR },
		{ "route", "Routes", { RQ_SIDE, RQ_METHOD, RQ_ROUTE, RQ_COUNT, RQ_TOTAL, RQ_SHARE,
		    FIGURES_FROM_MEAN(RQ), RQ_FAILED, RQ_OPEN, REPORT_END }, RQ_TOTAL },
		{ "status", "Results", { RQ_SIDE, RQ_STATUS, RQ_COUNT, RQ_TOTAL,
		    FIGURES_FROM_MEAN(RQ), REPORT_END }, RQ_COUNT },
		{ "phase", "Phases of the client's requests", { RQ_PHASE, RQ_COUNT, RQ_TOTAL,
		    RQ_SHARE, FIGURES_FROM_MEAN(RQ), REPORT_END }, TABLE_UNSORTED },
	},
	.plot = {
		{ "requests, the slowest", "request", RQ_START, PLOT_GREATEST,
		    { RQ_DUR, REPORT_END } },
	},
	.fact = facts, COLUMNS_OF(RQ),
	.pairs = true,
	.own = sizeof(struct requests),
	.records = { { sizeof(struct http_request), SPACES, put_request } },
	.begin = requests_begin,
	.group = groupings, .figures = FIGURES(RQ),
	.total = "{side}: {count|request|requests}[?p50 , p50 {p50}, p99 {p99}]"
	    "[, incomplete: {incomplete}][, failed: {failed}]\n",
	.totals = requests_totals,
};

