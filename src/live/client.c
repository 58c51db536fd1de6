/*
 * The clients of a port.
 *
 *	v: | who, state, name | ...	the oldest first, each cookie once
 *
 * Invariant: name is set unless the client is REQUESTED.
 * Specification: "the diagnostics protocol of .NET", section 8.
 */
#include "live/client.h"

#include <string.h>

#include "tnav/base/mem.h"

#define CLIENTS_MOST	4096u
#define NEW_MOST	256u		/* that wait to be returned */

static const enum request	rounds[] = { REQUEST_INFO3, REQUEST_INFO2, REQUEST_INFO1 };

#define ROUNDS		(sizeof rounds / sizeof *rounds)

void
clients_release(struct clients *cs)
{
	for (size_t i = 0; i < cs->n; i++)
		mem_free(cs->v[i].name);
	mem_free(cs->v);
	*cs = (struct clients){ .v = NULL };
}

struct client *
client_find(struct clients *cs, const uint8_t cookie[16])
{
	for (size_t i = cs->n; i-- > 0; )
		if (memcmp(cs->v[i].who.cookie, cookie, 16) == 0)
			return &cs->v[i];
	return NULL;
}

static size_t
count_new(const struct clients *cs)
{
	size_t	n = 0;

	for (size_t i = 0; i < cs->n; i++)
		n += cs->v[i].state == CLIENT_NEW;
	return n;
}

struct client *
client_add(struct clients *cs, const struct advert *who)
{
	if (count_new(cs) >= NEW_MOST)
		return NULL;
	if (cs->v == NULL)
		cs->v = mem_zalloc(CLIENTS_MOST, sizeof *cs->v);
	if (cs->n == CLIENTS_MOST)
		client_remove(cs, &cs->v[0]);
	cs->v[cs->n] = (struct client){ .who = *who };
	return &cs->v[cs->n++];
}

void
client_remove(struct clients *cs, struct client *c)
{
	size_t	i = (size_t)(c - cs->v);

	mem_free(c->name);
	memmove(c, c + 1, (--cs->n - i) * sizeof *c);
}

struct client *
client_next(struct clients *cs)
{
	for (size_t i = 0; i < cs->n; i++) {
		if (cs->v[i].state != CLIENT_NEW)
			continue;
		cs->v[i].state = CLIENT_KNOWN;
		return &cs->v[i];
	}
	return NULL;
}

bool
client_is_pending(const struct client *c)
{
	return c->state == CLIENT_REQUESTED || c->resume;
}

bool
client_wants(const struct client *c, enum request *r)
{
	*r = c->state == CLIENT_REQUESTED ? rounds[c->round] : REQUEST_RESUME;
	return client_is_pending(c) && !c->busy;
}

/* info is empty if the runtime knows no request for it. */
static void
set_name(struct client *c, struct process_info *info)
{
	c->name = mem_strdup(buf_str(info->assembly.len > 0 ? &info->assembly :
	    &info->command_line));
	c->state = CLIENT_NEW;
}

static bool
take_info(struct client *c, const struct answer *a)
{
	struct process_info	info = { 0 };
	bool			good = true;

	if (a->kind == ANSWER_ERROR && a->error == ANSWER_UNKNOWN_COMMAND &&
	    c->round + 1 < ROUNDS) {
		c->round++;
		return true;
	}
	if (a->kind == ANSWER_OK)
		good = process_info_decode(&info, a->payload, rounds[c->round]) == 0;
	if (good)
		set_name(c, &info);
	process_info_release(&info);
	return good;
}

bool
client_answer(struct client *c, const struct exchange *x)
{
	struct answer	a;

	if (x->end != EXCHANGE_ANSWERED || answer_decode(span_of_buf(&x->answer), &a) != 0)
		return false;
	if (c->state == CLIENT_REQUESTED)
		return take_info(c, &a);
	c->resume = false;
	return true;
}
