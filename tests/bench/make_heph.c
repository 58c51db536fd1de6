/*
 * A made Heph trace: threads take turns, and on each spans begin in spans and end.
 *
 *	thread 1	a begins   b begins   b ends   a ends
 *	file				      b	       a	each is written when it ends
 *
 * Format: spec/heph-trace-0.1.0.
 */
#include "make_heph.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH	8u
#define STEP_NS		400u		/* mean time between two begins or ends */
#define EVENT_MOST	96u		/* bytes of one */

struct open {
	uint64_t	start;
	uint32_t	type;
};

struct thread {
	struct open	open[MAX_DEPTH];
	uint32_t	depth, counter;
};

struct making {
	FILE		*f;
	uint64_t	 rng, now, bytes;
	struct thread	*thread;
};

static uint64_t
next_random(struct making *m)
{
	m->rng ^= m->rng << 13;
	m->rng ^= m->rng >> 7;
	m->rng ^= m->rng << 17;
	return m->rng;
}

static uint8_t *
put(uint8_t *p, uint64_t v, unsigned bytes)
{
	for (unsigned i = bytes; i-- > 0; )
		*p++ = (uint8_t)(v >> 8 * i);
	return p;
}

static uint8_t *
put_text(uint8_t *p, const char *s)
{
	p = put(p, strlen(s), 2);
	memcpy(p, s, strlen(s));
	return p + strlen(s);
}

static void
put_packet(struct making *m, const uint8_t *packet, const uint8_t *end)
{
	m->bytes += fwrite(packet, 1, (size_t)(end - packet), m->f);
}

static void
put_epoch(struct making *m)
{
	uint8_t	packet[64], *p = put(packet, 0x75D11D4D, 4);

	p = put(p, 10 + strlen("epoch") + 8, 4);
	p = put_text(p, "epoch");
	put_packet(m, packet, put(p, UINT64_C(1700000000000000000), 8));
}

/* With one attribute: a number. */
static void
put_event(struct making *m, uint32_t stream, uint32_t counter, const struct open *o)
{
	uint8_t	packet[EVENT_MOST], *p;
	char	name[24];

	snprintf(name, sizeof name, "work %u", o->type);
	p = put(packet, 0xC1FC1FB7, 4);
	p = put(p, 0, 4);
	p = put(p, stream, 4);
	p = put(p, counter, 4);
	p = put(p, 0, 8);
	p = put(p, o->start, 8);
	p = put(p, m->now, 8);
	p = put_text(p, name);
	p = put_text(p, "n");
	p = put(p, 1, 1);
	p = put(p, next_random(m) % 1000, 8);
	(void)put(packet + 4, (uint64_t)(p - packet), 4);
	put_packet(m, packet, p);
}

/* Begin or end a span on some thread; true: it was written. */
static bool
step(struct making *m, const struct heph_made *o)
{
	uint32_t	 i = (uint32_t)(next_random(m) % o->threads);
	struct thread	*t = &m->thread[i];

	m->now += 1 + next_random(m) % (2 * STEP_NS);
	if (t->depth > 0 && (t->depth == MAX_DEPTH || (next_random(m) & 1) != 0)) {
		put_event(m, i, t->counter++, &t->open[--t->depth]);
		return true;
	}
	t->open[t->depth++] = (struct open){ .start = m->now,
	    .type = (uint32_t)(next_random(m) % o->types) };
	return false;
}

uint64_t
make_heph(FILE *f, const struct heph_made *o)
{
	struct making	m = { .f = f, .rng = o->seed * 0x9e3779b97f4a7c15u | 1, .now = 1000000 };

	m.thread = calloc(o->threads, sizeof *m.thread);
	if (m.thread == NULL)
		return 0;
	put_epoch(&m);
	for (uint64_t n = 0; n < o->events; )
		n += step(&m, o);
	free(m.thread);
	return ferror(f) != 0 ? 0 : m.bytes;
}
