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

static const char *const	names[PHASES] = {
	[PHASE_QUEUE] = "queue", [PHASE_DNS] = "dns", [PHASE_CONNECT] = "connect",
	[PHASE_TLS] = "tls", [PHASE_HEADERS] = "headers", [PHASE_BODY] = "body",
	[PHASE_WAIT] = "wait", [PHASE_RESPONSE] = "response",
};

const char *
phase_name(enum phase phase)
{
	return names[phase];
}

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

static enum phase
connection_phase(enum phase_event what)
{
	if (what == DNS_START || what == DNS_STOP)
		return PHASE_DNS;
	return what == TLS_START || what == TLS_STOP ? PHASE_TLS : PHASE_CONNECT;
}

void
phase_add(struct phase_times *t, enum phase_event what, const struct fact *f)
{
	double	ms;

	switch (what) {
	case LEFT_QUEUE:
		ms = fact_f64(f, 0);
		if (ms >= 0 && ms < QUEUE_MOST_MS)
			took(t, PHASE_QUEUE, (int64_t)(ms * 1e6));
		break;
	case HEADERS_START:
		begin(t, PHASE_HEADERS, f);
		break;
	case BODY_START:
		begin(t, PHASE_BODY, f);
		break;
	case RESPONSE_START:
		begin(t, PHASE_RESPONSE, f);
		break;
	case DNS_START: case CONNECT_START: case TLS_START:
		begin(t, connection_phase(what), f);
		break;
	case DNS_STOP: case CONNECT_STOP: case TLS_STOP:
		end(t, connection_phase(what), f);
		break;
	case HEADERS_STOP: case BODY_STOP:
		end(t, what == BODY_STOP ? PHASE_BODY : PHASE_HEADERS, f);
		t->sent = f->ns;
		t->is_sent = true;
		break;
	case ANSWERED:
		if (t->is_sent)
			took(t, PHASE_WAIT, sub_i64(f->ns, t->sent));
		t->is_sent = false;
		break;
	case RESPONSE_STOP:
		end(t, PHASE_RESPONSE, f);
		break;
	default:
		break;
	}
}
