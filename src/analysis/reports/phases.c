/*
 * Phases of requests.
 *
 *	//1/3		RequestStart -------------------------------------- RequestStop
 *	//1/3/1/1	      RequestLeftQueue: its time in the queue
 *	//1/3/1/1/1	      dns [=] connect [===] tls [==]	of a connection that it waits for
 *	//1/3/1/1/1			      headers [===]
 *	//1/3/1/1/2					   ...wait...] response headers
 *	//1/3/2							       body [====]
 *
 * Events of a phase have activities below that of their request.
 */
#include "analysis/reports/phases.h"

#include "tnav/base/num.h"

#define QUEUE_MOST_MS	1e9	/* a longer time in the queue is invalid */

const char *const	phase_name[PHASES] = {
	[PHASE_QUEUE] = "queue", [PHASE_DNS] = "dns", [PHASE_CONNECT] = "connect",
	[PHASE_TLS] = "tls", [PHASE_HEADERS] = "headers", [PHASE_BODY] = "body",
	[PHASE_WAIT] = "wait", [PHASE_RESPONSE] = "response",
};

static void
took(struct phase_times *t, enum phase phase, int64_t ns)
{
	t->ns[phase] = add_i64(t->ns[phase], ns > 0 ? ns : 0);
	t->has |= (uint8_t)(1u << phase);
}

static void
begin(struct phase_times *t, enum phase phase, const struct fact *f)
{
	t->from[phase] = f->ns;
	t->begun |= (uint8_t)(1u << phase);
}

static void
end(struct phase_times *t, enum phase phase, const struct fact *f)
{
	if ((t->begun >> phase & 1) != 0)
		took(t, phase, sub_i64(f->ns, t->from[phase]));
	t->begun &= (uint8_t)~(1u << phase);
}

static const struct {
	enum phase	phase;
	bool		ends;
} of_event[PHASE_EVENTS] = {
	[HEADERS_START] = { PHASE_HEADERS, false }, [HEADERS_STOP] = { PHASE_HEADERS, true },
	[BODY_START] = { PHASE_BODY, false }, [BODY_STOP] = { PHASE_BODY, true },
	[RESPONSE_START] = { PHASE_RESPONSE, false }, [RESPONSE_STOP] = { PHASE_RESPONSE, true },
	[DNS_START] = { PHASE_DNS, false }, [DNS_STOP] = { PHASE_DNS, true },
	[CONNECT_START] = { PHASE_CONNECT, false }, [CONNECT_STOP] = { PHASE_CONNECT, true },
	[TLS_START] = { PHASE_TLS, false }, [TLS_STOP] = { PHASE_TLS, true },
};

void
phase_add(struct phase_times *t, enum phase_event what, const struct fact *f)
{
	double	ms = fact_f64(f, 0);

	if (what == LEFT_QUEUE) {
		if (ms >= 0 && ms < QUEUE_MOST_MS)
			took(t, PHASE_QUEUE, (int64_t)(ms * 1e6));
	} else if (what == ANSWERED) {
		if (t->is_sent)
			took(t, PHASE_WAIT, sub_i64(f->ns, t->sent));
		t->is_sent = false;
	} else if (of_event[what].ends) {
		end(t, of_event[what].phase, f);
	} else {
		begin(t, of_event[what].phase, f);
	}
	if (what == HEADERS_STOP || what == BODY_STOP) {
		t->sent = f->ns;
		t->is_sent = true;
	}
}
