/*
 * make-trace: a trace of any size and shape, for benches and checks, in constant memory.
 *
 *	make-trace --size 1G --threads 16 --out-of-order 0.75 --seed 1 -o big.nettrace
 *
 * It prints what is in it as one JSON object: events, lost, bytes, threads. The shape is that of
 * the .NET runtime's files: time goes in batches; a batch that is out of order holds one run for
 * each thread, and all runs cover the same stretch of time; other batches hold short runs in order.
 *
 *	batch 1 (in order)  A A B B C C | batch 2 (out of order)  A----- B----- C----- | ...
 *
 * The first event of a batch carries the IsSorted mark: no later event is earlier.
 */
#include "../support/nt4_writer.h"
#include "make_heph.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define BATCH		2048u		/* events */
#define BLOCK_MAX	99000u		/* bytes; the runtime ends a block before 100 KB */
#define STACKS		64u		/* different ones */
#define STEP_NS		500u		/* mean time between two events */
#define MAX_THREADS	4096u
#define MAX_TYPES	1024u
#define MAX_FRAMES	128u
#define MAX_DEPTH	8u		/* of spans */
#define PID		4242u

struct options {
	uint64_t	size, events, seed, sp_events;
	uint32_t	threads, types, frames;
	double		stacks, out_of_order, loss;
	bool		uncompressed, small;
	bool		spans;		/* nothing but starts and stops, nested on each thread */
	bool		heph;		/* ... as Heph writes them */
	uint32_t	activities;	/* so many different ids of them, or 0: without */
	const char	*path;
};

struct gen {
	struct nt4_writer	 w;
	struct options		 o;
	uint64_t		 rng;
	int64_t			 now;		/* no event to come is earlier */
	uint64_t		 events, lost, since_sp, next_sp;
	uint64_t		 tid[MAX_THREADS];
	uint32_t		 seq[MAX_THREADS];
	uint32_t		 type;
	uint32_t		 depth[MAX_THREADS], open[MAX_THREADS][MAX_DEPTH];
	int64_t			 began[MAX_THREADS][MAX_DEPTH];
	uint32_t		 activity[MAX_THREADS][MAX_DEPTH], activities;
	uint8_t			 text[4096];	/* UTF-16 letters to cut strings from */
};

static uint64_t
gen_random(struct gen *g)
{
	g->rng ^= g->rng << 13;
	g->rng ^= g->rng >> 7;
	g->rng ^= g->rng << 17;
	return g->rng;
}

static bool
gen_chance(struct gen *g, double share)
{
	return (double)(gen_random(g) >> 11) < share * 9007199254740992.0;
}

static const struct nt4_field	fields_tick[] = {
	{ NT4_U32, "number" }, { NT4_U8, "kind" }, { NT4_U16, "port" },
};
static const struct nt4_field	fields_request[] = {
	{ NT4_U64, "id" }, { NT4_I32, "status" }, { NT4_STRING, "path" },
};
static const struct nt4_field	fields_sample[] = {
	{ NT4_F64, "value" }, { NT4_U64, "address" }, { NT4_U32, "count" }, { NT4_BOOL, "last" },
};
static const struct nt4_field	fields_line[] = {
	{ NT4_U32, "number" }, { NT4_STRING, "text" },
};
static const struct nt4_field	fields_state[] = {
	{ NT4_GUID, "key" }, { NT4_I64, "ticks" }, { NT4_I32, "state" },
};

static const struct kind {
	const char		*name;
	const struct nt4_field	*fields;
	size_t			 n;
} kinds[] = {
	{ "Tick", fields_tick, 3 }, { "Request", fields_request, 3 }, { "Sample", fields_sample, 4 },
	{ "Line", fields_line, 2 }, { "State", fields_state, 3 },
};

static size_t
type_kind(const struct gen *g, uint32_t type)
{
	return g->o.small ? 0 : type % (sizeof kinds / sizeof *kinds);
}

/* A payload of the kind's fields; mean 40 bytes, at most 270. */
static uint32_t
gen_payload(struct gen *g, size_t kind, uint8_t *p)
{
	uint64_t	a = gen_random(g), chars = 4 + (a >> 8) % 24;
	uint32_t	n;

	memcpy(p, &a, 8);
	switch (kind) {
	case 0:
		return 7;
	case 1:
		n = 12;
		break;
	case 2:
		memcpy(p + 8, &a, 8);
		memset(p + 16, 0, 8);
		p[16] = (uint8_t)a;
		p[20] = a & 1;
		return 24;
	case 3:
		n = 4;
		if ((a & 15) == 0)
			chars = 60 + (a >> 8) % 72;
		break;
	default:
		memcpy(p + 8, &g->now, 8);
		memcpy(p + 16, &a, 8);
		memset(p + 24, 0, 4);
		return 28;
	}
	memset(p + 8, 0, 4);
	memcpy(p + n, g->text + (a >> 20) % 512 * 2, chars * 2);
	memset(p + n + chars * 2, 0, 2);
	return n + (uint32_t)chars * 2 + 2;
}

/* //1/NUMBER as the runtime writes it, with a check word that has the process id. */
static void
put_activity(uint8_t id[16], uint32_t number)
{
	uint32_t	w[3] = { 0x1e | number << 8, 0, 0 }, sum = (w[0] + 0x599d99adu) ^ PID;

	memcpy(id, w, sizeof w);
	memcpy(id + 12, &sum, sizeof sum);
}

/* What begins on the thread at this depth, within what is around it. */
static void
activity_begin(struct gen *g, struct nt4_event *e, uint32_t thread, uint32_t depth)
{
	uint32_t	*number = g->activity[thread];

	if (g->o.activities == 0)
		return;
	number[depth] = 1 + g->activities++ % g->o.activities;
	put_activity(e->activity, number[depth]);
	if (depth > 0)
		put_activity(e->related, number[depth - 1]);
}

/*
 * The type of the thread's next event: 2n begins what 2n + 1 ends. With activities one in four ends
 * what began on the thread beside it: its block is earlier in the file, but may have later times, and
 * nothing ends before it begins.
 */
static uint32_t
gen_span(struct gen *g, uint32_t thread, struct nt4_event *e)
{
	uint64_t	 chance = gen_random(g);
	uint32_t	*depth, beside = thread ^ 1;

	if (g->o.activities > 0 && (chance & 7) == 1 && beside < g->o.threads &&
	    g->depth[beside] > 0 && g->began[beside][g->depth[beside] - 1] < e->ts)
		thread = beside;
	depth = &g->depth[thread];
	if (*depth > 0 && (*depth == MAX_DEPTH || (chance & 1) != 0)) {
		--*depth;
		if (g->o.activities > 0)
			put_activity(e->activity, g->activity[thread][*depth]);
		return g->open[thread][*depth] + 1;
	}
	activity_begin(g, e, thread, *depth);
	g->began[thread][*depth] = e->ts;
	g->open[thread][*depth] = (uint32_t)(gen_random(g) % (g->o.types / 2)) * 2;
	return g->open[thread][(*depth)++];
}

static void
gen_block_begin(struct gen *g)
{
	nt4_block(&g->w, "EventBlock", g->o.uncompressed ? NT4_UNCOMPRESSED : NT4_COMPRESSED);
}

static void
gen_event(struct gen *g, uint32_t thread, int64_t ts, bool sorted)
{
	uint8_t			payload[512];
	struct nt4_event	e = { .tid = g->tid[thread], .capture = g->tid[thread], .ts = ts,
				    .cpu = thread & 7, .sorted = sorted, .payload = payload };

	if (g->o.loss > 0 && gen_chance(g, g->o.loss / 100)) {
		uint32_t	burst = 1 + (uint32_t)(gen_random(g) % 199);

		g->seq[thread] += burst;
		g->lost += burst;
	}
	if (g->o.spans)
		g->type = gen_span(g, thread, &e);
	else if (gen_random(g) & 1)
		g->type = (uint32_t)(gen_random(g) % g->o.types);
	e.mid = g->type + 1;
	e.seq = ++g->seq[thread];
	if (g->o.stacks > 0 && gen_chance(g, g->o.stacks))
		e.stack = 1 + (uint32_t)(gen_random(g) % STACKS);
	e.size = gen_payload(g, type_kind(g, g->type), payload);
	if (g->w.nblock > BLOCK_MAX) {
		nt4_block_end(&g->w);
		gen_block_begin(g);
	}
	nt4_event(&g->w, &e);
	g->events++;
}

/* n events; one run a thread over the same time, or runs of 16 one after another. */
static void
gen_batch(struct gen *g, uint64_t n)
{
	bool		overlap = gen_chance(g, g->o.out_of_order);
	uint32_t	k = g->o.threads;
	int64_t		start = g->now + 1, end = start, ts = start;

	for (uint64_t i = 0, left = 0, thread = gen_random(g) % k; i < n; i++, left--) {
		if (left == 0) {
			thread = (thread + 1) % k;
			left = overlap ? (n + k - 1) / k : 16;
			if (overlap)
				ts = start;
		}
		gen_event(g, (uint32_t)thread, ts, i == 0);
		if (ts > end)
			end = ts;
		ts += 1 + (int64_t)(gen_random(g) % (2 * STEP_NS * (overlap ? k : 1)));
	}
	g->now = end;
}

static void
gen_stacks(struct gen *g)
{
	static uint64_t	ips[STACKS * MAX_FRAMES];

	for (uint32_t i = 0; i < STACKS * g->o.frames; i++)
		ips[i] = 0x7f0000001000u + gen_random(g) % 5000 * 16;
	nt4_stacks(&g->w, 1, STACKS, ips, g->o.frames);
}

static void
gen_sequence_point(struct gen *g, bool more)
{
	nt4_block_end(&g->w);
	nt4_sequence_point(&g->w, ++g->now, g->o.threads, g->tid, g->seq);
	if (!more)
		return;
	if (g->o.stacks > 0)
		gen_stacks(g);
	gen_block_begin(g);
}

static void
gen_head(struct gen *g)
{
	nt4_trace(&g->w, &(struct nt4_trace){ .sync = 1000000, .freq = 1000000000,
	    .pointer_size = 8, .pid = PID, .processors = 8, .rate = 1000000 });
	g->now = 1000000;
	nt4_block(&g->w, "MetadataBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < g->o.types; i++) {
		const struct kind	*k = &kinds[type_kind(g, i)];
		char			 name[32];

		if (g->o.spans)
			snprintf(name, sizeof name, "Work%u%s", i / 2, i % 2 ? "Stop" : "Start");
		else
			snprintf(name, sizeof name, "%s%u", k->name, i);
		g->w.opcode = g->o.spans ? 1 + i % 2 : 0;
		nt4_metadata(&g->w, i + 1, "Bench", i + 1, name, k->fields, k->n);
	}
	nt4_block_end(&g->w);
	if (g->o.stacks > 0)
		gen_stacks(g);
	gen_block_begin(g);
}

static bool
gen_done(const struct gen *g)
{
	return g->o.events ? g->events >= g->o.events : g->w.off + g->w.nblock >= g->o.size;
}

static void
gen_run(struct gen *g)
{
	gen_head(g);
	g->next_sp = g->o.sp_events;
	while (!gen_done(g)) {
		uint64_t	n = BATCH;

		if (g->o.events && g->o.events - g->events < n)
			n = g->o.events - g->events;
		gen_batch(g, n);
		if (g->o.sp_events && g->events >= g->next_sp && !gen_done(g)) {
			gen_sequence_point(g, true);
			g->next_sp = g->events + g->o.sp_events;
		}
	}
	if (g->o.sp_events)
		gen_sequence_point(g, false);
	else
		nt4_block_end(&g->w);
	nt4_end(&g->w);
}

/* 10, 4K, 1G: powers of 1000. */
static uint64_t
parse_count(const char *s)
{
	char			*end;
	unsigned long long	 v = strtoull(s, &end, 10);
	static const char	 units[] = "KMG";

	for (const char *u = units; *u; u++) {
		v *= 1000;
		if (end[0] == *u && end[1] == '\0')
			return v;
	}
	if (end == s || *end != '\0') {
		fprintf(stderr, "make-trace: not a number: %s\n", s);
		exit(2);
	}
	return strtoull(s, NULL, 10);
}

static const char	usage[] =
    "usage: make-trace (--size BYTES | --events N) -o FILE [--format v4|heph]\n"
    "    [--threads K] [--types T] [--stacks SHARE/FRAMES] [--out-of-order SHARE] [--loss SHARE]\n"
    "    [--seed S] [--sp-events N] [--uncompressed] [--small-payloads] [--spans\n"
    "    [--activities N]]\n";

static void
parse_options(struct options *o, int argc, char **argv)
{
	static const struct option	longs[] = {
		{ "format", 1, NULL, 'F' }, { "size", 1, NULL, 's' }, { "events", 1, NULL, 'e' },
		{ "threads", 1, NULL, 't' }, { "types", 1, NULL, 'y' }, { "stacks", 1, NULL, 'k' },
		{ "out-of-order", 1, NULL, 'r' }, { "loss", 1, NULL, 'l' }, { "seed", 1, NULL, 'S' },
		{ "sp-events", 1, NULL, 'p' }, { "uncompressed", 0, NULL, 'u' },
		{ "small-payloads", 0, NULL, 'm' }, { "spans", 0, NULL, 'P' },
		{ "activities", 1, NULL, 'a' }, { NULL, 0, NULL, 0 },
	};
	int				c;
	char				*slash;

	for (c = getopt_long(argc, argv, "o:", longs, NULL); c != -1;
	    c = getopt_long(argc, argv, "o:", longs, NULL))
		switch (c) {
		case 'F':
			o->heph = strcmp(optarg, "heph") == 0;
			if (!o->heph && strcmp(optarg, "v4") != 0) {
				fprintf(stderr, "make-trace: no such format: %s\n", optarg);
				exit(2);
			}
			break;
		case 's': o->size = parse_count(optarg); break;
		case 'e': o->events = parse_count(optarg); break;
		case 't': o->threads = (uint32_t)parse_count(optarg); break;
		case 'y': o->types = (uint32_t)parse_count(optarg); break;
		case 'k':
			o->stacks = strtod(optarg, &slash);
			if (*slash == '/')
				o->frames = (uint32_t)parse_count(slash + 1);
			break;
		case 'r': o->out_of_order = strtod(optarg, NULL); break;
		case 'l': o->loss = strtod(optarg, NULL); break;
		case 'S': o->seed = parse_count(optarg); break;
		case 'p': o->sp_events = parse_count(optarg); break;
		case 'u': o->uncompressed = true; break;
		case 'm': o->small = true; break;
		case 'P': o->spans = o->small = true; break;
		case 'a': o->activities = (uint32_t)parse_count(optarg); break;
		case 'o': o->path = optarg; break;
		default:
			fputs(usage, stderr);
			exit(2);
		}
	o->types += o->spans && o->types % 2;
	if (!o->path || !o->size == !o->events || (o->heph && !o->events) ||
	    o->threads - 1 >= MAX_THREADS ||
	    o->types - 1 >= MAX_TYPES || o->frames > MAX_FRAMES) {
		fputs(usage, stderr);
		exit(2);
	}
}

static void
tell(uint64_t events, uint64_t lost, uint64_t bytes, uint32_t threads)
{
	printf("{\"events\":%llu,\"lost\":%llu,\"bytes\":%llu,\"threads\":%u}\n",
	    (unsigned long long)events, (unsigned long long)lost, (unsigned long long)bytes,
	    threads);
}

static int
make_spans_of_heph(const struct options *o, FILE *f)
{
	uint64_t	bytes = make_heph(f, &(struct heph_made){ .events = o->events,
				    .seed = o->seed, .threads = o->threads, .types = o->types });

	if (fclose(f) != 0 || bytes == 0) {
		perror(o->path);
		return 3;
	}
	tell(o->events, 0, bytes, o->threads);
	return 0;
}

int
main(int argc, char **argv)
{
	static struct gen	g = { .o = { .seed = 1, .threads = 8, .types = 20, .frames = 16,
				    .out_of_order = 0.75, .sp_events = 50000 } };
	FILE			*f;

	parse_options(&g.o, argc, argv);
	f = fopen(g.o.path, "wb");
	if (!f) {
		perror(g.o.path);
		return 3;
	}
	if (g.o.heph)
		return make_spans_of_heph(&g.o, f);
	nt4_init(&g.w, f);
	g.rng = g.o.seed * 0x9e3779b97f4a7c15u | 1;
	for (uint32_t i = 0; i < g.o.threads; i++)
		g.tid[i] = 1000 + (uint64_t)i * 3;
	for (size_t i = 0; i < sizeof g.text; i += 2)
		g.text[i] = (uint8_t)('a' + gen_random(&g) % 26);
	gen_run(&g);
	if (fclose(f) != 0 || g.w.failed) {
		perror(g.o.path);
		return 3;
	}
	tell(g.events, g.lost, g.w.off, g.o.threads);
	nt4_release(&g.w);
	return 0;
}
