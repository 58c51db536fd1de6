/*
 * Call trees, compared with sums computed from the stacks that were written; the behaviour beyond
 * the limits; and the cost of drawing.
 */
#include "../support/data.h"
#include "../support/methods.h"
#include "../support/nt4_writer.h"
#include "../support/test.h"
#include "tnav/analysis/calltree.h"
#include "tnav/analysis/symbols.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/trace.h"
#include "tnav/io/output.h"
#include "tnav/out/convert.h"
#include "ui/pane/flame_bars.h"

#define BLOCKS		60u		/* blocks of stacks, all with the same numbers */
#define STACKS		50u
#define FRAMES		6u
#define ADDRESSES	12u
#define BASE		0x10000u

/* Events by innermost address, and by any address of their stacks: all, and those of the part. */
struct truth {
	uint64_t	own[2][ADDRESSES], with[2][ADDRESSES], events[2], none[2];
};

#define PART_FROM	3001		/* ticks */
#define PART_TO		9000

static uint32_t
next(uint32_t *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 8;
}

static struct calltree *
fill(struct trace *t, struct calltree_weight *weight, unsigned workers)
{
	const struct calltree_options	 o = { .weight = weight, .parted = true,
					     .part_from = PART_FROM, .part_to = PART_TO };
	struct pass_options		 po = { .workers = workers };
	struct pass_result		 result;
	struct calltree			*c;
	struct buf			*why = test_buf();

	assert_int_equal(calltree_weight_init(weight, "count", why), 0);
	c = calltree_new(t, &o);
	po.order = calltree_order(c);
	po.filter = calltree_filter(c);
	assert_int_equal(pass_run(t, &po, &calltree_ops, c, &result), 0);
	return c;
}

static void
add_truth(struct truth *truth, bool part, const uint64_t *ips)
{
	bool	seen[ADDRESSES] = { false };

	truth->events[part]++;
	if (ips == NULL) {
		truth->none[part]++;
		return;
	}
	truth->own[part][ips[0] - BASE]++;
	for (unsigned k = 0; k < FRAMES; k++) {
		truth->with[part][ips[k] - BASE] += !seen[ips[k] - BASE];
		seen[ips[k] - BASE] = true;
	}
}

static void
write_random(struct nt4_writer *w, struct truth *truth)
{
	uint32_t	seed = 4711, seq = 0;

	nt4_begin(w, NULL, "Stacks", "Number", NULL, 0);
	for (uint32_t b = 0; b < BLOCKS; b++) {
		uint64_t	ips[STACKS][FRAMES];

		for (uint32_t i = 0; i < STACKS; i++)
			for (uint32_t k = 0; k < FRAMES; k++)
				ips[i][k] = BASE + next(&seed) % ADDRESSES;
		nt4_stacks(w, 1, STACKS, ips[0], FRAMES);
		nt4_block(w, "EventBlock", NT4_COMPRESSED);
		for (uint32_t i = 0; i < 200; i++) {
			uint32_t		stack = next(&seed) % (STACKS + 1);
			uint64_t		tid = 1 + next(&seed) % 3;
			struct nt4_event	e = { .mid = 1, .tid = tid, .capture = 9,
						    .seq = seq + 1, .ts = seq + 1, .stack = stack };

			nt4_event(w, &e);
			seq++;
			for (int64_t part = 0; part <= (seq >= PART_FROM && seq < PART_TO); part++)
				add_truth(truth, part, stack > 0 ? ips[stack - 1] : NULL);
		}
		nt4_block_end(w);
	}
}

/* What a node has: in all and exclusive, and of these in the part. */
static void
need_sums(const struct calltree_shape *s, size_t i, const uint64_t *incl, const uint64_t *excl)
{
	const struct calltree_node	*n = &s->v[i];
	const struct calltree_part	 part = calltree_part(s, i);

	assert_int_equal(n->incl, incl[0]);
	assert_int_equal(part.incl, incl[1]);
	assert_int_equal(n->events, incl[0]);
	assert_int_equal(n->excl, excl[0]);
	assert_int_equal(part.excl, excl[1]);
}

static void
check_list(const struct calltree *c, const struct truth *truth)
{
	struct calltree_shape	*s = calltree_shape_new(c, &(struct calltree_shape_options){
				    .form = FORM_BY });

	assert_int_equal(s->n, 1 + ADDRESSES + 1);	/* all of it, addresses, no frames */
	assert_int_equal(s->total, truth->events[0]);
	assert_int_equal(s->total_part, truth->events[1]);
	for (uint32_t i = 1; i < s->n; i++) {
		const struct calltree_label	*l = &s->label[s->v[i].label];
		uint64_t			 own[2], with[2];

		for (unsigned part = 0; part < 2; part++) {
			bool	none = l->kind != LABEL_ADDRESS;

			own[part] = none ? truth->none[part] : truth->own[part][l->address - BASE];
			with[part] = none ? own[part] : truth->with[part][l->address - BASE];
		}
		need_sums(s, i, with, own);
	}
	calltree_shape_free(s);
}

/* In a tree the sums lie apart; those of one address are the same again: bottom up in a child of the
   root, top down wherever an event ends. A node has what it has alone and what its children have. */
static void
check_tree(const struct calltree *c, const struct truth *truth, enum calltree_form form)
{
	struct calltree_shape	*s = calltree_shape_new(c, &(struct calltree_shape_options){
				    .form = form });
	uint64_t		 own[2][ADDRESSES] = { { 0 }, { 0 } };

	need_sums(s, 0, truth->events,
	    form == FORM_TOP_DOWN ? truth->none : (const uint64_t[]){ 0, 0 });
	for (uint32_t i = s->n - 1; i > 0; i--) {
		const struct calltree_node	*n = &s->v[i];
		const struct calltree_part	 part = calltree_part(s, i);
		const struct calltree_label	*l = &s->label[n->label];
		bool				 up = form == FORM_BOTTOM_UP;

		if (l->kind == LABEL_ADDRESS && (!up || n->depth == 1)) {
			own[0][l->address - BASE] += (uint64_t)(up ? n->incl : n->excl);
			own[1][l->address - BASE] += (uint64_t)(up ? part.incl : part.excl);
		}
	}
	assert_memory_equal(own, truth->own, sizeof own);
	for (uint32_t i = s->n - 1; i > 0; i--) {
		s->v[s->v[i].parent].excl += s->v[i].incl;
		s->part[s->v[i].parent].excl += s->part[i].incl;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		assert_int_equal(s->v[i].incl, s->v[i].excl);
		assert_int_equal(s->part[i].incl, s->part[i].excl);
	}
	calltree_shape_free(s);
}

TEST(sums_by_address_are_those_of_the_stacks_that_were_written)
{
	struct calltree_weight	 weight;
	struct calltree_totals	 totals;
	struct nt4_writer	 w;
	struct truth		 truth = { .events = { 0 } };
	struct trace		*t;
	struct calltree		*c;

	write_random(&w, &truth);
	t = data_nt4(&w, &(struct trace_options){ .workers = 2 });
	c = fill(t, &weight, 2);
	calltree_totals(c, &totals);
	assert_int_equal(totals.events, truth.events[0]);
	assert_int_equal(totals.weight, truth.events[0]);
	assert_int_equal(totals.part, truth.events[1]);
	assert_int_equal(totals.stackless, truth.none[0]);
	assert_false(totals.cut);
	check_list(c, &truth);
	check_tree(c, &truth, FORM_TOP_DOWN);
	check_tree(c, &truth, FORM_BOTTOM_UP);
	calltree_free(c);
}

/* Chains of which each has other calls. apart: also other addresses; else they share most. */
static void
write_chains(struct nt4_writer *w, uint32_t chains, uint32_t frames, bool apart)
{
	uint64_t	*ips = mem_zalloc(frames, sizeof *ips);
	uint32_t	 seq = 0;

	nt4_begin(w, NULL, "Stacks", "Number", NULL, 0);
	for (uint32_t i = 0; i < chains; i++) {
		struct nt4_event	e = { .mid = 1, .tid = 5, .capture = 5, .stack = 1 };

		for (uint32_t k = 0; k < frames; k++)
			ips[k] = BASE + (k + (uint64_t)i * (apart ? frames : 1)) * 8;
		nt4_stacks(w, 1, 1, ips, frames);
		nt4_block(w, "EventBlock", NT4_COMPRESSED);
		for (uint32_t k = 0; k < 3; k++) {
			e.seq = ++seq;
			e.ts = seq;
			nt4_event(w, &e);
		}
		nt4_block_end(w);
	}
	nt4_end(w);
	mem_free(ips);
}

static int
add_weight(void *arg, const struct calltree_stack *s)
{
	*(double *)arg += s->weight;
	return 0;
}

/* More of something than is kept: the weights stay, and any number of workers gives the same. */
static void
check_beyond(uint32_t chains, uint32_t frames, bool apart, struct calltree_totals *out)
{
	struct calltree_weight	 weight;
	struct calltree_totals	 totals, first = { .events = 0 };
	struct nt4_writer	 w;

	write_chains(&w, chains, frames, apart);
	for (unsigned workers = 1; workers <= 3; workers += 2) {
		struct trace	*t = data_memory(w.p, w.len,
				    &(struct trace_options){ .workers = workers });
		struct calltree	*c = fill(t, &weight, workers);
		double		 sum = 0;

		calltree_totals(c, &totals);
		assert_non_null(calltree_remark(c));
		assert_int_equal(totals.events, chains * 3);
		assert_int_equal(calltree_stacks(c, NULL, add_weight, &sum), 0);
		assert_int_equal(sum, chains * 3);
		if (workers > 1)
			assert_memory_equal(&totals, &first, sizeof totals);
		first = totals;
		calltree_free(c);
	}
	nt4_release(&w);
	*out = totals;
}

TEST(beyond_the_limit_of_calls_no_weight_is_lost)
{
	const uint32_t		frames = LIMIT_STACK_FRAMES;
	struct calltree_totals	totals;

	check_beyond(LIMIT_CALL_NODES / frames + 3, frames, false, &totals);
	assert_true(totals.cut);
	assert_true(totals.stacks < LIMIT_CALL_NODES);
}

TEST(beyond_the_limit_of_addresses_the_rest_count_as_one)
{
	struct calltree_totals	totals;

	check_beyond(LIMIT_CALL_ADDRESSES / 64 + 3, 64, true, &totals);
	assert_false(totals.cut);
	assert_int_equal(totals.frames, LIMIT_CALL_ADDRESSES + 1);
}

/* One event on each of many threads. */
TEST(there_may_be_more_threads_and_stacks_than_are_told_apart)
{
	const uint32_t		 n = LIMIT_CALL_CELLS + 1000;
	struct calltree_weight	 weight;
	struct calltree_totals	 totals;
	struct nt4_writer	 w;
	struct trace		*t;
	struct calltree		*c;
	uint64_t		 ip = BASE;
	double			 sum = 0;

	nt4_begin(&w, NULL, "Stacks", "Number", NULL, 0);
	nt4_stacks(&w, 1, 1, &ip, 1);
	for (uint32_t i = 0; i < n; ) {
		nt4_block(&w, "EventBlock", NT4_COMPRESSED);
		for (uint32_t k = 0; k < 4000 && i < n; k++, i++) {
			struct nt4_event	e = { .mid = 1, .tid = i + 1, .capture = 5,
						    .seq = i + 1, .ts = i + 1, .stack = 1 };

			nt4_event(&w, &e);
		}
		nt4_block_end(&w);
	}
	t = data_nt4(&w, &(struct trace_options){ .workers = 2 });
	c = fill(t, &weight, 2);
	calltree_totals(c, &totals);
	assert_int_equal(totals.events, n);
	assert_true(calltree_cells(c) <= LIMIT_CALL_CELLS + 2);
	assert_int_equal(calltree_stacks(c, NULL, add_weight, &sum), 0);
	assert_int_equal(sum, n);
	calltree_free(c);
}

/* A tree of this shape: a chain of depth nodes, with width children below each of them. */
static struct calltree_shape
make_shape(uint32_t depth, uint32_t width)
{
	struct calltree_shape	s = { .n = 0 };
	uint32_t		parent = 0;

	s.v = mem_zalloc((size_t)depth * (width + 1) + 1, sizeof *s.v);
	s.v[s.n++] = (struct calltree_node){ .incl = 0 };
	for (uint32_t d = 0; d < depth; d++) {
		s.v[s.n] = (struct calltree_node){ .parent = parent, .depth = d + 1 };
		parent = s.n++;
	}
	for (uint32_t d = depth; d > 0; d--)
		for (uint32_t i = 0; i < width; i++)
			s.v[s.n++] = (struct calltree_node){ .parent = d - 1, .incl = 1,
			    .depth = d };
	for (uint32_t i = 0; i < s.n; i++)
		s.v[i].end = i + 1;
	for (uint32_t i = s.n - 1; i > 0; i--) {
		struct calltree_node	*up = &s.v[s.v[i].parent];

		up->incl += s.v[i].incl;
		if (up->end < s.v[i].end)
			up->end = s.v[i].end;
	}
	return s;
}

TEST(a_flame_graph_looks_at_no_more_than_the_screen_has_cells)
{
	static const struct { uint32_t depth, width; int lines, w; } trees[] = {
		{ 10, 10, 24, 80 }, { 200, 1000, 50, 200 }, { 2, 200000, 50, 200 },
		{ 1000, 3, 24, 80 },
	};

	for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
		struct calltree_shape	s = make_shape(trees[i].depth, trees[i].width);
		struct flame_bars	b = { .n = 0 };
		int			last = -1, x = 0;

		flame_bars_lay(&b, &s, NULL, 0, trees[i].lines, trees[i].w);
		assert_true(b.n > 1);
		assert_true(b.looked <= (uint64_t)trees[i].lines * (unsigned)trees[i].w * 2);
		for (size_t k = 0; k < b.n; k++) {
			if (b.v[k].y != last)
				x = 0;
			last = b.v[k].y;
			assert_true(b.v[k].y < trees[i].lines && b.v[k].w > 0);
			assert_true(b.v[k].x >= x && b.v[k].x + b.v[k].w <= trees[i].w);
			x = b.v[k].x + b.v[k].w;	/* none stands on another */
		}
		flame_bars_release(&b);
		mem_free(s.v);
	}
}

/* ---- folded text */

#define NAME_LONG	60000u

/* Names that would be other frames, other lines or other counts, and long ones. */
static void
write_hostile(struct methods_writer *m)
{
	static const char *const	names[] = { "a;b 3", "x\ny;Thread (9)", "\rz 77", " " };
	uint64_t			ips[2][40];
	char				*name = mem_zalloc(1, NAME_LONG + 1);

	for (unsigned i = 0; i < 40; i++) {
		ips[0][i] = 0x1000 + i % 4 * 0x100;
		ips[1][i] = 0x9000 + i * 0x100;
	}
	methods_begin(m, NULL, ips[0], 2, 40);
	for (unsigned i = 0; i < 4; i++)
		methods_say(m, METHODS_LOAD, 1, ips[0][i], 0x100, 1 + i, "T", names[i],
		    "void  ()");
	for (unsigned i = 0; i < 40; i++) {
		memset(name, 'A' + (int)i % 26, NAME_LONG);
		methods_say(m, METHODS_LOAD, 2, ips[1][i], 0x100, 100 + i, "L", name, "void  ()");
		methods_block(m);
	}
	methods_plain(m, 3, 1);
	methods_plain(m, 4, 2);
	nt4_block_end(&m->w);
	mem_free(name);
}

static size_t
count_char(struct span s, char c)
{
	size_t	n = 0;

	for (size_t i = 0; i < s.len; i++)
		n += s.p[i] == (uint8_t)c;
	return n;
}

TEST(no_name_forges_frames_and_no_line_is_longer_than_it_may_be)
{
	struct calltree_weight	 weight;
	struct methods_writer	 m;
	struct trace		*t;
	struct symbols		*symbols;
	struct folding		*rules = folding_new();
	struct calltree		*c;
	struct output		*o = output_on(-1);
	struct span		 text, line;
	void			*encoder = encoder_new(&convert_folded.state, o, "");
	struct buf		*why = test_buf();

	write_hostile(&m);
	t = data_nt4(&m.w, &(struct trace_options){ .workers = 1 });
	symbols = symbols_new(t, &(struct derive_options){ .why = NULL });
	trace_lend(t, DERIVED_SYMBOLS, symbols);
	c = fill(t, &weight, 1);
	assert_int_equal(folding_add(rules, "^T\\. \\( as one;two\nthree 4", why), 0);
	assert_int_equal(calltree_sums(c, rules, PROFILE_NUMBER, UINT64_MAX, &convert_folded.ops,
	    encoder), 0);
	text = span_of_buf(output_buf(o));
	assert_int_equal(convert_folded.cut(encoder), 1);
	encoder_free(&convert_folded.state, encoder);
	assert_int_equal(count_char(text, '\n'), 3);
	for (const uint8_t *p = text.p; p < text.p + text.len; p = line.p + line.len + 1) {
		line = (struct span){ p, (size_t)((const uint8_t *)memchr(p, '\n',
		    (size_t)(text.p + text.len - p)) - p) };
		assert_memory_equal(p, "Thread (5)", 10);
		assert_true(line.len < STACK_TEXT_MOST + 200);
		if (line.len < 20)
			assert_memory_equal(p, "Thread (5) 44", line.len);
		else if (line.len < NAME_LONG)
			assert_int_equal(count_char(line, ';'), 40);
	}
	assert_non_null(strstr(buf_str(output_buf(o)), ";T.a:b 3;"));
	assert_non_null(strstr(buf_str(output_buf(o)), ";T.x y:Thread (9);"));
	assert_non_null(strstr(buf_str(output_buf(o)), ";one:two three 4;"));
	assert_non_null(strstr(buf_str(output_buf(o)), ";(23 frames left out) 1\n"));
	assert_int_equal(output_close(o, false, NULL), 0);
	calltree_free(c);
	calltree_weight_release(&weight);
	folding_free(rules);
	symbols_free(symbols);
}
