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
 *
 * The Activity/Start of a DiagnosticSource within a request, which names the request as its related
 * id, tells its TraceId and span (W3C Trace Context): by these a request that was received is found
 * among those that were sent, in the same trace or another one.
 */
#include <string.h>

#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"
#include "analysis/reports/phases.h"
#include "analysis/reports/remote.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/text.h"
#include "tnav/engine/joined.h"
#include "tnav/model/activity.h"

#define TASK_EVENTS	"System.Threading.Tasks.TplEventSource"

enum request_side { CLIENT, SERVER, KESTREL, SIDES };
enum { START, STOP, FAIL, EVENTS };	/* fact.kind: side * EVENTS + one of these */
#define PHASE_FACTS	(SIDES * EVENTS)	/* kinds from there on: enum phase_event */
#define SPAN_FACT	(PHASE_FACTS + PHASE_EVENTS)
enum { RQ_FIELDS };

static const char *const	side_name[SIDES] = { "client", "server", "kestrel" };

#define HAS_STATUS	0x01u
#define HAS_ACTIVITY	0x02u
#define HAS_PARENT	0x04u
#define HAS_FAILED	0x08u
#define HAS_IDS_OF_SPAN	0x10u
#define HAS_OTHER	0x20u

struct http_request {
	struct pair	p;
	uint32_t	url, route, method;
	int32_t		status;
	uint8_t		side, has;
	uint8_t		activity[16], parent[16];
	struct phase_times phases;		/* of a client's request */
	struct request_ids ids;			/* HAS_IDS_OF_SPAN */
	/* HAS_OTHER: the other side's duration (-1: unknown), row, and source */
	int64_t		other_dur;
	uint64_t	other_row;
	uint32_t	other_source;
};

/* Spaces: by the path of the activity, for clients; else by activity, thread, or id. */
enum { BY_PATH, BY_ACTIVITY, BY_THREAD = BY_ACTIVITY + 2, BY_ID = BY_THREAD + 2, SPACES };

struct requests {
	int64_t		client_total;
	/* Of those that are paired by activity, or else by thread. */
	bool		has_activities, is_incomplete;
	struct clock_bounds *clock;		/* by source before this one, nclocks of them */
	uint32_t	nclocks;
};

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
path_key(const struct activity_path *path, unsigned n)
{
	return pair_key(activity_path_hash(path, n), n);
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
		*key = path_key(&path, path.n);
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

		digits &= digit;
		hex &= hex_value((char)c) >= 0 || c == '-';
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

	if (x->p.has_start)
		set_status(x, f);
	else
		request_init(x, f, side);
}

/* A stop follows: always to a server's request, to a client's if its start is known. */
static void
add_failed(struct report_state *s, const struct fact *f)
{
	struct group_key	 key;
	unsigned		 space = space_of(s, f, side_of(f), &key);
	struct http_request	*x = pairs_latest(s->pairs, space, key);

	if (x != NULL)
		x->has |= HAS_FAILED;
	else if (side_of(f) == CLIENT)
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
		x = pairs_latest(s->pairs, BY_PATH, path_key(&path, n));
	if (x != NULL)
		phase_add(&x->phases, (enum phase_event)(f->kind - PHASE_FACTS), f);
}

/* ---- both sides */

/* The request around it has these ids. */
static void
add_span(struct report_state *s, const struct fact *f)
{
	struct fact		 around = *f;
	struct request_ids	 ids;
	struct http_request	*x;
	struct group_key	 key;
	unsigned		 space;

	around.activity = f->related;
	if (f->related == NULL || !request_ids_read(s->run->t, f->ev, &ids))
		return;
	space = space_of(s, &around, ids.server ? SERVER : CLIENT, &key);
	x = pairs_latest(s->pairs, space, key);
	if (x == NULL || (x->has & HAS_IDS_OF_SPAN) != 0)
		return;
	x->ids = ids;
	x->has |= HAS_IDS_OF_SPAN;
}

/* A request that was sent: its source, and its number there. */
static void
list_sent(struct sent_spans *sent, const struct report_state *s, uint32_t source)
{
	for (uint32_t i = 1; i <= pairs_n(s->pairs); i++) {
		const struct http_request	*x = pairs_at(s->pairs, i);

		if ((x->has & HAS_IDS_OF_SPAN) != 0 && !x->ids.server)
			sent_add(sent, &x->ids, source, i);
	}
}

static void
set_other(struct http_request *x, const struct http_request *other, uint32_t source)
{
	x->has |= HAS_OTHER;
	x->other_dur = pair_is_paired(&other->p) ? pair_dur(&other->p) : -1;
	x->other_row = other->p.row;
	x->other_source = source;
}

/* What the times of both sides say about the clock of the later source. */
static void
bound_clock(struct report_state *const *s, uint32_t client, const struct pair *c, uint32_t server,
    const struct pair *x)
{
	uint32_t	 of = server > client ? server : client;
	struct requests	*q = s[of]->own;

	if (client == server || !pair_is_paired(c) || !pair_is_paired(x))
		return;
	if (q->clock == NULL) {
		q->clock = mem_zalloc(of, sizeof *q->clock);
		q->nclocks = of;
	}
	clock_bounds_add(&q->clock[of == server ? client : server], c->start, c->stop, x->start,
	    x->stop, of == server);
}

static void
link_received(const struct sent_spans *sent, struct report_state *const *s, uint32_t source)
{
	const struct pairs	*p = s[source]->pairs;

	for (uint32_t i = 1; i <= pairs_n(p); i++) {
		struct http_request	*x = pairs_at(p, i), *y;
		const struct sent_span	*by = NULL;

		if ((x->has & HAS_IDS_OF_SPAN) != 0 && x->ids.server)
			by = sent_find(sent, &x->ids, ANY_SOURCE);
		if (by == NULL)
			continue;
		y = pairs_at(s[by->source]->pairs, by->number);
		set_other(x, y, by->source);
		set_other(y, x, source);
		bound_clock(s, by->source, &y->p, source, &x->p);
	}
}

static void
requests_relate(struct report_state *const *s, uint32_t n)
{
	struct sent_spans	sent = { .n = 0 };

	for (uint32_t i = 0; i < n; i++)
		list_sent(&sent, s[i], i);
	for (uint32_t i = 0; i < n && sent.n > 0; i++)
		link_received(&sent, s, i);
	sent_release(&sent);
}

static void
requests_release(struct report_state *s)
{
	mem_free(((struct requests *)s->own)->clock);
}

/* ---- rows */

static void
put_hex(struct report_state *s, struct rows *r, unsigned col, const uint8_t *id, size_t len)
{
	buf_clear(&s->text);
	buf_bytes_hex(&s->text, id, len);
	row_text(r, col, span_of_buf(&s->text));
}

static void
put_other_file(struct report_state *s, struct rows *r, uint32_t source)
{
	if (trace_sources(s->run->t) > 1)
		row_put(r, RQ_OTHER_FILE, source_cell(s->run->t, source, true));
}

/* Its other side; the time between is that of the network and of queues. */
static void
put_sides(struct report_state *s, struct rows *r, const struct http_request *x)
{
	int64_t	between = sub_i64(pair_dur(&x->p), x->other_dur);

	if ((x->has & HAS_IDS_OF_SPAN) != 0) {
		put_hex(s, r, RQ_TRACE, x->ids.trace, sizeof x->ids.trace);
		put_hex(s, r, RQ_SPAN, x->ids.span, sizeof x->ids.span);
	}
	if ((x->has & HAS_OTHER) == 0)
		return;
	row_known(r, RQ_OTHER, x->other_dur >= 0, cell_dur(x->other_dur));
	row_known(r, RQ_BETWEEN, x->other_dur >= 0 && pair_is_paired(&x->p),
	    cell_dur(x->side == CLIENT ? between : sub_i64(0, between)));
	row_put(r, RQ_OTHER_ROW, cell_u64(x->other_row));
	put_other_file(s, r, x->other_source);
}

/* What the requests say about the clock of this source, by each of those before it. */
static void
requests_rows(struct report_state *s, struct rows *r)
{
	const struct requests	*q = s->own;

	for (uint32_t i = 0; i < q->nclocks; i++) {
		const struct clock_bounds	*b = &q->clock[i];

		if (b->n == 0)
			continue;
		row_begin(r, "clock");
		put_other_file(s, r, i);
		row_put(r, RQ_COUNT, cell_u64(b->n));
		row_put(r, RQ_SHIFT, cell_dur(clock_bounds_shift(b)));
		row_known(r, RQ_ERROR, clock_bounds_error(b) >= 0, cell_dur(clock_bounds_error(b)));
	}
}

/* The phases of a request in its row, and each as a row that only groups use. */
static void
put_phases(struct rows *r, const struct http_request *x)
{
	const struct phase_times	*t = &x->phases;

	for (unsigned i = 0; i < PHASES; i++)
		row_known(r, RQ_QUEUE + i, (t->has >> i & 1) != 0, cell_dur(t->ns[i]));
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

static void
put_request(struct report_state *s, struct rows *r, const void *record)
{
	struct requests			*q = s->own;
	const struct http_request	*x = record;

	row_begin(r, "request");
	row_pair(r, s->run, &requests_pair, &x->p);
	row_str(r, RQ_SIDE, side_name[x->side]);
	row_word(r, RQ_METHOD, s->texts, x->method);
	row_word(r, RQ_URL, s->texts, x->url);
	row_word(r, RQ_ROUTE, s->texts, x->route);
	row_known(r, RQ_STATUS, (x->has & HAS_STATUS) != 0, cell_i64(x->status));
	row_put(r, RQ_FAILED, cell_bool((x->has & HAS_FAILED) != 0));
	row_known(r, RQ_ACTIVITY, (x->has & HAS_ACTIVITY) != 0, cell_guid(x->activity));
	row_known(r, RQ_PARENT, (x->has & HAS_PARENT) != 0, cell_guid(x->parent));
	put_keys(r, x);
	put_sides(s, r, x);
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
	struct cell		 total = row_get(r, RQ_TOTAL);

	if (row_get(r, RQ_PHASE).kind != CELL_NONE && total.kind != CELL_NONE)
		row_share(r, RQ_SHARE, (double)total.i, (double)q->client_total);
}

/* "clock: +1.2 ms ± 0.3 ms by 120 requests of client.nettrace" */
static void
put_clock(struct report_state *s, uint32_t source, struct buf *out)
{
	const struct clock_bounds	*b = &((struct requests *)s->own)->clock[source];
	int64_t				 shift = clock_bounds_shift(b);
	int64_t				 error = clock_bounds_error(b);

	if (b->n == 0)
		return;
	buf_puts(out, shift < 0 ? "clock: -" : "clock: +");
	put_dur(out, shift < 0 ? sub_i64(0, shift) : shift);
	if (error >= 0) {
		buf_puts(out, s->run->o.ascii ? " +- " : " \xc2\xb1 ");
		put_dur(out, error);
	}
	buf_counts(out, " by # request{s}", b->n);
	buf_printf(out, " that %s has, too", text_base_name(trace_path(trace_source(s->run->t,
	    source))));
	if (clock_bounds_by_starts(b))
		buf_puts(out, ", by their starts: ends were written after the answer was there");
	buf_puts(out, error >= 0 ? "\n" : ", whose bounds contradict each other\n");
}

static void
requests_totals(struct report_state *s, struct buf *out)
{
	const struct requests	*q = s->own;

	for (uint32_t i = 0; i < q->nclocks; i++)
		put_clock(s, i, out);

	if (q->is_incomplete && !q->has_activities)
		buf_puts(out, "paired by thread, so requests that change threads are incomplete or "
		    "wrong: collect activity ids (" TASK_EVENTS ":0x80:4)\n");
}

const struct report	report_requests = {
	.title = "HTTP requests",
	TABLES_OF(requests, RQ),
	.pairs = true,
	.own = sizeof(struct requests),
	.records = { { sizeof(struct http_request), SPACES, put_request } },
	.release = requests_release,
	.relate = requests_relate, .rows = requests_rows,
	.figures = FIGURES(RQ), .grouped = put_phase_share,
	.totals = requests_totals,
};
