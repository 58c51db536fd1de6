/*
 * The stacks that a worker knows. The same stacks occur again and again, and different stacks share
 * frames.
 *
 *	event -> number of its stack, process, time -> known? the stack
 *		 addresses -> address, process, time -> known? the frame
 *		 frames -> the stack that has the same ones
 *
 * Both caches are direct-mapped, and the tables are discarded when they have become large, so
 * memory depends on the number of different stacks. A number identifies a stack only within a
 * scope, see trace_stack_scope(); the name of a frame is valid for a process and a range of time.
 */
#include "analysis/calltree/private.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

#define NUMBERS		8192u		/* slots; powers of two */
#define ADDRESSES	16384u
#define BYTES_MOST	((size_t)16 << 20)

struct number_slot {
	uint32_t	number, scope, process, stack;
	int64_t		from, to;
};

struct address_slot {
	uint64_t	ip;
	uint32_t	process;
	uint32_t	frame;		/* + 1; 0: unused */
	int64_t		from, to;
};

struct stack {
	size_t		at;		/* first of its frames, outermost first */
	uint32_t	n;
	uint32_t	node;		/* in the tree, once it was merged */
	uint32_t	walked;		/* frames that had room in the tree */
};

#define NODE_UNKNOWN	UINT32_MAX

struct stacks {
	struct trace		*t;
	const struct stack_namer *namer;
	struct frames		 frames;
	uint32_t		*node_frame;	/* own frame -> frame of the tree, or FRAME_NONE */
	size_t			 nknown, known_cap;
	struct stack		*v;		/* v[0]: the empty stack */
	size_t			 n, cap;
	uint32_t		*pool;		/* frames of all stacks */
	size_t			 npool, pool_cap;
	struct hashtable	 by_frames;
	struct stack_scope	 scope;
	int64_t			 from, to;	/* time range in which the frames of the last
						   stack have these names */
	struct stack_reader	 reader;
	uint64_t		 ips[LIMIT_STACK_FRAMES];
	/* The last stack that was read: addresses and frames, outermost first. */
	uint64_t		 read[LIMIT_STACK_FRAMES];
	uint32_t		 frame[LIMIT_STACK_FRAMES];
	size_t			 nread;
	uint32_t		 read_process;
	int64_t			 read_from, read_to;	/* time range in which its frames have
							   these names */
	/* The last merged stack, and the nodes on the path to it. */
	uint32_t		 last;
	uint32_t		 way[LIMIT_STACK_FRAMES];
	struct number_slot	 number[NUMBERS];
	struct address_slot	 address[ADDRESSES];
};

static void
begin(struct stacks *s)
{
	s->v = mem_grow(s->v, &s->cap, 1, sizeof *s->v);
	s->v[0] = (struct stack){ .node = 0 };
	s->n = 1;
	s->npool = 0;
	s->nread = 0;
	s->last = 0;
}

struct stacks *
stacks_new(struct trace *t)
{
	struct stacks	*s = mem_cleared(sizeof *s);

	s->t = t;
	s->namer = trace_lent(t, DERIVED_SYMBOLS);
	begin(s);
	return s;
}

void
stacks_free(struct stacks *s)
{
	if (s == NULL)
		return;
	frames_release(&s->frames);
	hashtable_release(&s->by_frames);
	mem_free(s->node_frame);
	mem_free(s->v);
	mem_free(s->pool);
	mem_free(s);
}

void
stacks_trim(struct stacks *s)
{
	size_t	bytes = frames_bytes(&s->frames) + s->cap * sizeof *s->v +
		    s->pool_cap * sizeof *s->pool + hashtable_bytes(&s->by_frames);

	if (bytes < BYTES_MOST)
		return;
	frames_release(&s->frames);
	hashtable_release(&s->by_frames);
	mem_free(s->v);
	mem_free(s->pool);
	mem_free(s->node_frame);
	s->v = NULL;
	s->pool = s->node_frame = NULL;
	s->cap = s->pool_cap = s->nknown = s->known_cap = 0;
	for (unsigned i = 0; i < NUMBERS; i++)
		s->number[i].number = 0;
	for (unsigned i = 0; i < ADDRESSES; i++)
		s->address[i].frame = 0;
	begin(s);
}

static bool
holds(int64_t from, int64_t to, int64_t ts)
{
	return ts >= from && (ts < to || to == INT64_MAX);
}

/*
 * A frame is looked up by its return address, as other tools that fold stacks do, not by the byte
 * before it. This matters only for native functions that end in a call.
 */
static uint32_t
frame_of(struct stacks *s, const struct event *e, uint32_t process, uint64_t ip)
{
	struct address_slot	*a = &s->address[(ip ^ ip >> 14 ^ process * 97u) % ADDRESSES];
	struct frame_name	 name;
	uint32_t		 frame;

	if (a->frame == 0 || a->ip != ip || a->process != process ||
	    !holds(a->from, a->to, e->ts)) {
		(void)trace_name_frame(s->t, e, ip, 0, false, &name);
		frame = frames_find(&s->frames, &name, ip);
		if (frame == FRAME_NONE) {
			(void)trace_name_frame(s->t, e, ip, 0, true, &name);
			frame = frames_add(&s->frames, &name, ip);
		}
		*a = (struct address_slot){ .ip = ip, .process = process, .frame = frame + 1,
		    .from = name.from, .to = name.to };
	}
	time_narrow(&s->from, &s->to, a->from, a->to);
	return a->frame - 1;
}

/* The number of the stack with these frames, added if it is new. */
static uint32_t
intern(struct stacks *s, const uint32_t *frame, size_t n)
{
	uint64_t	hash = hash_bytes(frame, n * sizeof *frame);

	HASHTABLE_EACH(&s->by_frames, hash, i)
		if (s->v[*i].n == n &&
		    memcmp(s->pool + s->v[*i].at, frame, n * sizeof *frame) == 0)
			return *i;
	s->v = mem_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->pool = mem_grow(s->pool, &s->pool_cap, s->npool + n, sizeof *s->pool);
	memcpy(s->pool + s->npool, frame, n * sizeof *frame);
	s->v[s->n] = (struct stack){ .at = s->npool, .n = (uint32_t)n, .node = NODE_UNKNOWN };
	s->npool += n;
	hashtable_add(&s->by_frames, hash, (uint32_t)s->n);
	return (uint32_t)s->n++;
}

/* How many of the n addresses, outermost first, equal those of the last stack. */
static size_t
same_callers(const struct stacks *s, const struct event *e, uint32_t process, size_t n)
{
	size_t	most = n < s->nread ? n : s->nread, i = 0;

	if (s->read_process != process || !holds(s->read_from, s->read_to, e->ts))
		return 0;
	while (i < most && s->read[i] == s->ips[n - 1 - i])
		i++;
	return i;
}

static uint32_t
read_stack(struct stacks *s, const struct event *e, uint32_t process)
{
	size_t	n = trace_stack_next(s->t, &s->reader, e, s->ips, LIMIT_STACK_FRAMES);
	size_t	i = same_callers(s, e, process, n);

	s->from = i > 0 ? s->read_from : INT64_MIN;
	s->to = i > 0 ? s->read_to : INT64_MAX;
	for (; i < n; i++) {
		s->read[i] = s->ips[n - 1 - i];
		s->frame[i] = frame_of(s, e, process, s->read[i]);
	}
	s->nread = n;
	s->read_process = process;
	s->read_from = s->from;
	s->read_to = s->to;
	return n > 0 ? intern(s, s->frame, n) : 0;
}

const struct stack_scope *
stacks_scope(const struct stacks *s)
{
	return &s->scope;
}

uint32_t
stacks_of(struct stacks *s, const struct event *e)
{
	struct number_slot	*k = &s->number[stack_place(e) % NUMBERS];
	uint32_t		 process = 0, stack;

	if (e->stack == 0)
		return 0;
	if (s->namer != NULL)
		process = s->namer->process(s->namer->self, e);
	if (!trace_stack_scope(s->t, e, &s->scope))
		return read_stack(s, e, process);
	if (k->number == e->stack && k->scope == s->scope.now.number && k->process == process &&
	    holds(k->from, k->to, e->ts)) {
		s->from = k->from;
		s->to = k->to;
		return k->stack;
	}
	stack = read_stack(s, e, process);
	*k = (struct number_slot){ .number = e->stack, .scope = s->scope.now.number,
	    .process = process, .stack = stack, .from = s->from, .to = s->to };
	return stack;
}

void
stacks_times(const struct stacks *s, int64_t *from, int64_t *to)
{
	*from = s->from;
	*to = s->to;
}

/* ---- merging */

static uint32_t
tree_frame(struct stacks *s, uint32_t frame, struct calltree *c)
{
	static const char	others[] = "(other addresses)";
	struct call_frame	f;
	uint32_t		found;

	if (frame >= s->nknown) {
		s->node_frame = mem_grow(s->node_frame, &s->known_cap, s->frames.n,
		    sizeof *s->node_frame);
		while (s->nknown < s->frames.n)
			s->node_frame[s->nknown++] = FRAME_NONE;
	}
	if (s->node_frame[frame] != FRAME_NONE)
		return s->node_frame[frame];
	f = frames_at(&s->frames, frame);
	found = frames_find(&c->frames, &f.name, f.ip);
	if (found == FRAME_NONE && f.name.raw.p == NULL &&
	    c->frames.unnamed == LIMIT_CALL_ADDRESSES) {
		f.name = (struct frame_name){ .raw = span_of(others) };
		c->others = true;
		found = frames_find(&c->frames, &f.name, f.ip);
	}
	if (found == FRAME_NONE)
		found = frames_add(&c->frames, &f.name, f.ip);
	s->node_frame[frame] = found;
	return found;
}

uint32_t
stacks_node(struct stacks *s, uint32_t stack, struct calltree *c)
{
	struct stack		*x = &s->v[stack];
	const struct stack	*last = &s->v[s->last];
	uint32_t		 n = 0, node, next;

	if (x->node != NODE_UNKNOWN)
		return x->node;
	while (n < x->n && n < last->walked && s->pool[x->at + n] == s->pool[last->at + n])
		n++;
	node = n > 0 ? s->way[n - 1] : 0;
	for (; n < x->n; n++) {
		next = nodes_child(&c->nodes, node, tree_frame(s, s->pool[x->at + n], c));
		if (next == node)
			break;		/* the tree has no more room */
		s->way[n] = node = next;
	}
	x->walked = n;
	x->node = node;
	s->last = stack;
	return node;
}
