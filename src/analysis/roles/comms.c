/*
 * What the kernel calls threads.
 *
 *	sched_switch of thread 5	prev_comm "ls"			the name of thread 5
 *					next_comm "cat", next_pid 12	the name of the kernel's 12
 *
 * The thread of a switch is the one that leaves the processor. The one that comes is told by the
 * kernel's id alone. That is the trace's id unless they count in different namespaces, as in a
 * container; then the two ids of those that leave differ.
 *
 * A thread may be renamed, as by exec: its newest name counts.
 *
 * Invariant: of each key the entry with the greatest time is kept, of the same time the last in the
 * file, so that they don't depend on the number of workers.
 */
#include "analysis/roles/comms.h"

#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/hash.h"
#include "tnav/base/mem.h"
#include "tnav/engine/field.h"
#include "tnav/engine/pass.h"
#include "tnav/model/value.h"

#define COMM_MOST	16u		/* bytes, of the kernel's field */
#define COMMS_MOST	(1u << 20)	/* that are kept */
#define NO_TID		UINT32_MAX	/* of threads that are gone: several may have it */
#define OF_KERNEL	(UINT64_C(1) << 32)	/* of a key: an id of the kernel, no thread */

static const char	interesting[] = "provider = \"sched\" and name = \"sched_switch\"";

struct comm {
	uint64_t	key;
	int64_t		ts;
	uint8_t		len;
	uint8_t		text[COMM_MOST];
};

struct reading {
	struct trace	*t;
	struct comms	*all;
	unsigned	 pointer_size;
};

/* A piece. */
struct part {
	struct reading		*r;
	struct field_reader	*reader;
	struct comms		 own;
};

static struct comm *
find(const struct comms *c, uint64_t key)
{
	size_t	at = 0;

	for (uint32_t *i; (i = hashtable_next(&c->at, hash_u64(c->seed, key), &at)) != NULL; )
		if (c->v[*i].key == key)
			return &c->v[*i];
	return NULL;
}

/* Entries come in the order of the file. */
static void
note(struct comms *c, const struct comm *said)
{
	struct comm	*known = find(c, said->key);

	if (known != NULL) {
		if (said->ts >= known->ts)
			*known = *said;
		return;
	}
	if (c->n == COMMS_MOST)
		return;
	c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	hashtable_add(&c->at, hash_u64(c->seed, said->key), (uint32_t)c->n);
	c->v[c->n++] = *said;
}

static void
note_text(struct comms *c, uint64_t key, int64_t ts, struct span text)
{
	struct comm	said = { .key = key, .ts = ts };

	if (text.len == 0 || text.len > COMM_MOST)
		return;
	said.len = (uint8_t)text.len;
	memcpy(said.text, text.p, text.len);
	note(c, &said);
}

static void
add_event(struct part *p, const struct event *e)
{
	const struct field_who	*who = field_who(p->reader, e->thread);
	struct builtin_switch	 s;

	if (!builtin_switch(trace_type(p->r->t, e->type), p->r->pointer_size,
	    trace_payload(p->r->t, e), &s))
		return;
	/* The idle threads are all called 0, and so is what the recorder sees no id of. */
	if (s.next_pid != 0)
		note_text(&p->own, OF_KERNEL | s.next_pid, e->ts, s.next_comm);
	if (who == NULL || !who->has_tid || who->tid == 0 || who->tid == NO_TID)
		return;
	note_text(&p->own, e->thread, e->ts, s.prev_comm);
	if (who->tid != s.prev_pid)
		p->own.foreign = true;
}

/* ---- the pass */

static void *
part_begin(void *arg)
{
	static const struct field_options	fo = { .words = WORDS_BARE, .no_rows = true };
	struct part				*p = mem_zalloc(1, sizeof *p);

	p->r = arg;
	p->reader = field_reader_new(p->r->t, &fo);
	p->own.seed = p->r->all->seed;
	return p;
}

static void
part_add(void *state, const struct pass_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		add_event(state, &b->ev[b->at[i]]);
}

static void
part_free(struct part *p)
{
	field_reader_free(p->reader);
	comms_release(&p->own);
	mem_free(p);
}

static void
part_drop(void *arg, void *state)
{
	(void)arg;
	part_free(state);
}

static int
part_merge(void *arg, void *state)
{
	struct reading	*r = arg;
	struct part	*p = state;

	for (size_t i = 0; i < p->own.n; i++)
		note(r->all, &p->own.v[i]);
	r->all->foreign |= p->own.foreign;
	part_free(p);
	return 0;
}

static const struct pass_ops	read_ops = {
	.begin = part_begin, .add = part_add, .merge = part_merge, .drop = part_drop,
};

bool
comms_told(struct trace *t)
{
	uint32_t	n = trace_types(t);

	for (uint32_t i = 0; i < n; i++)
		if (builtin_is_switch(trace_type(t, i)))
			return true;
	return false;
}

int
comms_read(struct trace *t, struct comms *out, const struct roles_options *o)
{
	struct reading		r = { .t = t, .all = out,
				    .pointer_size = trace_info(t)->pointer_size };
	struct pass_options	po = { .order = PASS_ANY, .tick = o->tick, .tick_arg = o->arg };
	struct pass_result	result;
	struct filter_error	why;
	struct filter		*f;
	int			 err;

	*out = (struct comms){ .seed = hash_seed() };
	if (!comms_told(t))
		return ERR_OK;
	filter_error_init(&why);
	err = filter_new(&f, interesting, sizeof interesting - 1, NULL, false, 0, &why);
	filter_error_release(&why);
	if (err < 0)
		return err;
	po.filter = f;
	err = pass_run(t, &po, &read_ops, &r, &result);
	filter_free(f);
	return err;
}

void
comms_release(struct comms *c)
{
	mem_free(c->v);
	hashtable_release(&c->at);
}

struct span
comms_of(const struct comms *c, uint32_t thread, uint64_t tid)
{
	const struct comm	*k = find(c, thread);

	if (k == NULL && !c->foreign && tid != 0 && tid < NO_TID)
		k = find(c, OF_KERNEL | tid);
	return k != NULL ? (struct span){ k->text, k->len } : (struct span){ NULL, 0 };
}
