/*
 * Exceptions: who threw what, who caught it, and how long that took.
 *
 *	ExceptionThrown ------ ExceptionCatchStart ------ ExceptionThrownStop
 *	[ in flight ........... caught .......................... ]
 *	                       [ catch block ... ExceptionCatchStop ]
 *
 * Each thread has a stack of exceptions in flight, and one of blocks. A block ends with the next
 * stop of its kind; blocks above it were left without one.
 *
 * An exception is a pair of its throw and the end of its flight.
 */
#include <string.h>

#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"
#include "tnav/engine/naming.h"
#include "tnav/model/json.h"

enum { EX_KINDS, EX_FIELDS };

/* Methods of the runtime that throw on behalf of others. */
#define MACHINERY \
	"System.Runtime.EH.", "System.Runtime.ExceptionServices.InternalCalls", \
	"System.Runtime.InternalCalls", "System.ThrowHelper.", \
	"Internal.Runtime.CompilerHelpers.ThrowHelpers.", \
	"System.Runtime.CompilerServices.CastHelpers."
static const char *const	machinery[] = { MACHINERY, NULL };

/* Methods that throw an exception again that was thrown elsewhere, and those that have it done so:
   an exception passes a frame of async code by being thrown once more. */
static const char *const	again[] = {
	"System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw", NULL,
};
static const char *const	plumbing[] = {
	MACHINERY, "System.Runtime.ExceptionServices.ExceptionDispatchInfo.",
	"System.Runtime.CompilerServices.TaskAwaiter",
	"System.Runtime.CompilerServices.ValueTaskAwaiter",
	"System.Runtime.CompilerServices.ConfiguredTaskAwaitable",
	"System.Runtime.CompilerServices.ConfiguredValueTaskAwaitable",
	"System.Threading.Tasks.Task.ThrowIfExceptional", "System.Threading.Tasks.Task.Wait",
	"System.Threading.Tasks.Task`1.GetResultCore", "System.Threading.Tasks.Task`1.get_Result",
	"System.Threading.Tasks.TaskExceptionHolder", "System.Threading.Tasks.ValueTask", NULL,
};

static const struct {
	unsigned	 bit;
	const char	*word;
} flag_words[] = {
	{ 1, "HasInnerException" }, { 2, "Nested" }, { 4, "ReThrown" }, { 8, "CorruptedState" },
	{ 16, "CLSCompliant" },
};
#define FLAG_NESTED	2u
#define FLAG_RETHROWN	4u

enum clause_kind { CATCH, FINALLY, FILTER, BLOCKS };
#define BLOCKS_NEST	BLOCKS		/* the space after those by kind */

static const char *const	block_name[BLOCKS] = { "catch", "finally", "filter" };

/* Text is numbers of texts. */
struct thrown {
	struct pair	p;			/* until the flight ends */
	int64_t		caught;
	uint64_t	eip, frame, thrower_frame;
	uint32_t	type, message, top, caught_by, hresult, frames;
	struct method_text thrower, source;	/* source: the program's method; if it has none
						   there, what is below the plumbing */
	uint16_t	flags;
	bool		again;			/* it was thrown before */
	bool		is_caught, has_flags;
};

struct clause {
	struct pair	p;
	uint64_t	entry;
	uint32_t	method;
	uint8_t		kind;
};

/* ---- the throw */

static void
thrown_frames(struct report_state *s, const struct fact *f, struct thrown *t)
{
	struct frame_name	name;

	t->frames = (uint32_t)f->nips;
	t->top = TEXT_NONE;
	t->thrower = t->source = NO_METHOD;
	t->again = (t->flags & FLAG_RETHROWN) != 0;
	if (f->nips == 0)
		return;
	t->frame = f->ips[0];
	for (size_t i = 0; i < f->nips && t->thrower.raw == TEXT_NONE; i++) {
		if (!fact_frame(s->run, f, i, &name))
			continue;
		if (i == 0)
			t->top = texts_add(s->texts, name.raw);
		if (begins_with_any(name.raw, machinery))
			continue;
		t->thrower = method_text(s->texts, &name);
		t->thrower_frame = f->ips[i];
		t->again |= begins_with_any(name.raw, again);
	}
	t->source = fact_source(s, f, plumbing);
}

static uint32_t
text_or_none(struct report_state *s, const struct fact *f, unsigned i)
{
	return fact_has(f, i) ? texts_add(s->texts, fact_text(f, i)) : TEXT_NONE;
}

static void
add_thrown(struct report_state *s, const struct fact *f)
{
	struct thrown	*t = pairs_start(s->pairs, f);

	t->caught_by = TEXT_NONE;
	t->eip = fact_u64(f, F_EIP);
	t->hresult = (uint32_t)fact_u64(f, F_HRESULT);
	t->flags = (uint16_t)fact_u64(f, F_FLAGS);
	t->has_flags = fact_has(f, F_FLAGS);
	t->type = text_or_none(s, f, F_TYPE);
	t->message = text_or_none(s, f, F_MESSAGE);
	thrown_frames(s, f, t);
	pairs_enter(s->pairs, 0, pair_key(f->ev->thread, 0), t, true);
}

static void
end_flight(struct report_state *s, const struct fact *f)
{
	struct thrown	*t = pairs_take(s->pairs, 0, pair_key(f->ev->thread, 0));

	if (t != NULL)
		(void)pairs_stop(s->pairs, f, t);
}

/* ---- blocks */

static void
begin_block(struct report_state *s, const struct fact *f)
{
	enum clause_kind	 kind = f->kind - FACT_CATCH;
	struct clause		*b = pairs_start(s->more, f);
	struct thrown		*t = pairs_latest(s->pairs, 0, pair_key(f->ev->thread, 0));

	b->kind = (uint8_t)kind;
	b->entry = fact_u64(f, F_ENTRY);
	b->method = text_or_none(s, f, F_METHOD);
	pairs_enter(s->more, kind, pair_key(f->ev->thread, 0), b, true);
	pairs_nest(s->more, BLOCKS_NEST, f->ev->thread, b);
	if (kind != CATCH || t == NULL || t->is_caught)
		return;
	t->is_caught = true;
	t->caught = f->ns;
	t->caught_by = b->method;
}

static void
end_block(struct report_state *s, const struct fact *f)
{
	enum clause_kind	 kind = f->kind - FACT_CATCH_STOP;
	struct clause		*b = pairs_stop(s->more, f, pairs_take(s->more, kind,
				    pair_key(f->ev->thread, 0)));

	if (b->p.has_start) {
		pairs_unnest(s->more, BLOCKS_NEST, f->ev->thread, b, ABOVE_IS_LEFT);
		return;
	}
	b->kind = (uint8_t)kind;
	b->method = TEXT_NONE;
}

/* ---- rows: one by one */

static void
row_il_method(struct report_state *s, struct rows *r, unsigned col, uint32_t name)
{
	if (name == TEXT_NONE) {
		row_null(r, col);
		return;
	}
	buf_clear(&s->text);
	il_method_words(&s->text, texts_at(s->texts, name));
	row_name(r, col, texts_at(s->texts, name), span_of_buf(&s->text));
}

static void
put_flags(struct report_state *s, struct rows *r, unsigned flags)
{
	struct buf	json = { 0 };

	buf_clear(&s->text);
	json_open(&json, '[');
	for (size_t i = 0; i < sizeof flag_words / sizeof *flag_words; i++) {
		if ((flags & flag_words[i].bit) == 0)
			continue;
		json_str(&json, flag_words[i].word);
		buf_printf(&s->text, "%s%s", s->text.len > 0 ? " " : "", flag_words[i].word);
	}
	json_close(&json, ']');
	row_json_words(r, EX_FLAG_WORDS, span_of_buf(&json), span_of_buf(&s->text));
	buf_release(&json);
}

/* For groups: the method, else the address of the innermost frame. Returns the key. */
static uint32_t
put_by(struct report_state *s, struct rows *r, unsigned name, unsigned key, const struct thrown *t,
    struct method_text method)
{
	if (method.raw == TEXT_NONE)
		method.raw = frame_address(s, t->frames > 0, t->frame, "null");
	row_put(r, key, cell_u64(method.raw));
	if (method.raw == TEXT_NONE)
		row_str(r, name, "(others)");
	else
		row_words(r, name, s->texts, method);
	return method.raw;
}

static void
put_thrown(struct report_state *s, struct rows *r, const void *record)
{
	const struct thrown	*t = record;
	uint32_t		 source;

	row_begin(r, "exception");
	row_pair(r, s->run, &exceptions_thrown, &t->p);
	row_word(r, EX_TYPE, s->texts, t->type);
	row_word(r, EX_MESSAGE, s->texts, t->message);
	row_known(r, EX_HRESULT, t->has_flags, cell_hex(t->hresult));
	row_known(r, EX_FLAGS, t->has_flags, cell_u64(t->flags));
	put_flags(s, r, t->flags);
	row_known(r, EX_EIP, t->has_flags, cell_hex(t->eip));
	row_known(r, EX_FRAME, t->frames > 0, cell_address(t->frame));
	row_put(r, EX_FRAMES, cell_u64(t->frames));
	row_word(r, EX_TOP, s->texts, t->top);
	row_words(r, EX_THROWER, s->texts, t->thrower);
	row_words(r, EX_SOURCE, s->texts, t->source);
	row_known(r, EX_THROWER_FRAME, t->thrower.raw != TEXT_NONE, cell_address(t->thrower_frame));
	row_known(r, EX_CAUGHT, t->is_caught, cell_time(t->caught));
	row_il_method(s, r, EX_CAUGHT_BY, t->caught_by);
	row_known(r, EX_CATCHER_KEY, t->caught_by != TEXT_NONE, cell_u64(t->caught_by));
	row_put(r, EX_IS_FAULT, cell_bool(!t->again));
	row_put(r, EX_IS_RETHROWN, cell_bool((t->flags & FLAG_RETHROWN) != 0));
	row_put(r, EX_IS_NESTED, cell_bool((t->flags & FLAG_NESTED) != 0));
	row_put(r, EX_THREAD_KEY, cell_u64(t->p.thread));
	row_put(r, EX_TYPE_KEY, cell_u64(t->type));
	(void)put_by(s, r, EX_THROWER_NAME, EX_THROWER_KEY, t, t->thrower);
	source = put_by(s, r, EX_SOURCE_NAME, EX_SOURCE_KEY, t, t->source);
	if (!t->again && t->frames > 0)
		row_put(r, EX_FAULT_SOURCE_KEY, cell_u64(source));
}

static void
put_block(struct report_state *s, struct rows *r, const void *record)
{
	const struct clause	*b = record;

	row_begin(r, block_name[b->kind]);
	row_pair(r, s->run, &exceptions_block, &b->p);
	row_il_method(s, r, EX_METHOD, b->method);
	row_known(r, EX_ENTRY, b->p.has_start, cell_hex(b->entry));
}

/* ---- rows by type, by throwing method */

#define STATES	4u

/* {"catch":{"left":2,"paired":7}}: the states of the blocks of each kind. */
static void
put_blocks(const struct report_state *s, struct rows *r)
{
	static const char *const	state[STATES] = { "left", "open", "orphan", "paired" };
	uint64_t			 n[BLOCKS][STATES] = { { 0 } }, all[BLOCKS] = { 0 };
	const struct clause		*c;
	struct buf			*b = row_json(r, EX_BLOCKS);

	for (uint32_t i = 0; (c = pairs_next(s->more, &i)) != NULL; all[c->kind]++)
		for (unsigned k = 0; k < STATES; k++)
			n[c->kind][k] += strcmp(pair_state(&c->p), state[k]) == 0;
	json_open(b, '{');
	for (unsigned kind = 0; kind < BLOCKS; kind++) {
		if (all[kind] == 0)
			continue;
		json_key(b, block_name[kind]);
		json_open(b, '{');
		for (unsigned k = 0; k < STATES; k++) {
			if (n[kind][k] == 0)
				continue;
			json_key_u64(b, state[k], n[kind][k]);
		}
		json_close(b, '}');
	}
	json_close(b, '}');
}

static void
put_summary(struct report_state *s, struct rows *r)
{
	uint64_t	blocks = 0;

	for (unsigned kind = FACT_CATCH; kind <= FACT_FILTER_STOP; kind++)
		blocks += s->n[kind];
	put_blocks(s, r);
	if (blocks > 0)
		row_put(r, EX_HAS_BLOCKS, cell_bool(true));
	if (row_get(r, EX_FAULTS).u < row_get(r, EX_COUNT).u)
		row_put(r, EX_AGAIN, cell_bool(true));
}

const struct report	report_exceptions = {
	.title = "Exceptions",
	TABLES_OF(exceptions, EX),
	.needs = NEEDS_SYMBOLS, .pairs = true,
	.records = { { sizeof(struct thrown), 1, put_thrown },
	    { sizeof(struct clause), BLOCKS + 1, put_block } },
	.summed = put_summary,
};
