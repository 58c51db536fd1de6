/*
 * The kernel's names of threads.
 *
 *	sched_switch of thread 5	prev_comm "ls"			the name of thread 5
 *					next_comm "cat", next_pid 12	the name of the kernel's 12
 *
 * The thread of a switch event is the one that leaves the processor. The next one is given by its
 * kernel id only. This id is the thread id of the trace, except in different namespaces, such as a
 * container. There, the two ids of a leaving thread differ.
 *
 * A thread may be renamed, for example by exec. Its newest name is used.
 *
 * Invariant: for each key the newest entry is kept, or of the same time the last one in the file.
 * So the result does not depend on the number of workers.
 */
#include "analysis/roles/comms.h"

#include <string.h>

#include "analysis/facts/facts.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/field.h"
#include "tnav/model/value.h"

#define COMM_MOST	16u		/* size of the kernel's field in bytes */
#define COMMS_MOST	(1u << 20)	/* limit of entries */
#define NO_TID		UINT32_MAX	/* of threads that have ended: several may have it */
#define OF_KERNEL	(UINT64_C(1) << 32)	/* in a key: a kernel id instead of a thread */

/* Its payload is read as it is: it has places for the names, not fields. */
static const struct fact_def	defs[] = { COMMS_FACTS };

struct comm {
	uint64_t	key;
	int64_t		ts;
	uint8_t		len;
	uint8_t		text[COMM_MOST];
};

static uint64_t
kernel_key(uint32_t source, uint32_t pid)
{
	return OF_KERNEL | (uint64_t)source << 33 | pid;
}

static struct comm *
find(const struct comms *c, uint64_t key)
{
	uint32_t	i;

	return idmap_get(&c->at, key, 0, &i) ? &c->v[i] : NULL;
}

/* Entries arrive in the order of the file. */
static void
note(struct comms *c, const struct comm *newest)
{
	struct comm	*known = find(c, newest->key);

	if (known != NULL) {
		if (newest->ts >= known->ts)
			*known = *newest;
		return;
	}
	if (c->n == COMMS_MOST)
		return;
	idmap_set(&c->at, newest->key, 0, (uint32_t)c->n);
	ARRAY_ADD(c->v, c->n, c->cap, *newest);
}

static void
note_text(struct comms *c, uint64_t key, int64_t ts, struct span text)
{
	struct comm	newest = { .key = key, .ts = ts };

	if (text.len == 0 || text.len > COMM_MOST)
		return;
	newest.len = (uint8_t)text.len;
	memcpy(newest.text, text.p, text.len);
	note(c, &newest);
}

static void
add_fact(void *part, const struct fact *f)
{
	struct comms		*c = part;
	const struct event	*e = f->ev;
	const struct field_who	*who = f->who;
	struct builtin_switch	 s;

	if (!builtin_switch(trace_type(c->t, e->type), trace_payload(c->t, e), &s))
		return;
	/* Id 0 belongs to all idle threads, and to threads whose id the recorder cannot see. */
	if (s.next_pid != 0)
		note_text(c, kernel_key(event_source(e), s.next_pid), e->ts, s.next_comm);
	if (who == NULL || !who->has_tid || who->tid == 0 || who->tid == NO_TID)
		return;
	note_text(c, e->thread, e->ts, s.prev_comm);
	if (who->tid != s.prev_pid)
		c->foreign = true;
}

/* ---- the pass */

static void
part_begin(void *part, void *arg)
{
	((struct comms *)part)->t = ((const struct comms *)arg)->t;
}

static void
part_release(void *part)
{
	comms_release(part);
}

static void
part_merge(void *arg, void *part)
{
	struct comms		*all = arg;
	const struct comms	*c = part;

	for (size_t i = 0; i < c->n; i++)
		note(all, &c->v[i]);
	all->foreign |= c->foreign;
}

static const struct fact_parts	parts = {
	.def = defs, .size = sizeof(struct comms), .who = true, .begin = part_begin,
	.add = add_fact, .merge = part_merge, .release = part_release,
};

bool
roles_have_comms(struct trace *t)
{
	return facts_count(defs, t) > 0;
}

int
comms_read(struct trace *t, struct comms *out, const struct pass_options *o)
{
	*out = (struct comms){ .t = t };
	if (!roles_have_comms(t))
		return ERR_OK;
	return facts_parts(t, &parts, out, o);
}

void
comms_release(struct comms *c)
{
	mem_free(c->v);
	idmap_release(&c->at);
}

struct span
comms_of(const struct comms *c, const struct thread_stat *st)
{
	const struct comm	*k = find(c, st->thread);

	if (k == NULL && !c->foreign && st->has_tid && st->tid != 0 && st->tid < NO_TID)
		k = find(c, kernel_key(st->source, (uint32_t)st->tid));
	return k != NULL ? (struct span){ k->text, k->len } : (struct span){ NULL, 0 };
}
