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
 * Invariant: the cost of an event does not depend on the number of open exceptions and blocks: a
 * block knows the one below it and the next one below of its own kind, and each is popped once.
 */
#include <string.h>

#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "analysis/reports/texts.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/engine/naming.h"
#include "tnav/io/scratch.h"

enum {
	EX_KIND, EX_T, EX_START, EX_DUR, EX_TID, EX_TYPE, EX_MESSAGE, EX_COUNT, EX_FAULTS, EX_SHARE,
	EX_CAUGHT, EX_THROWER, EX_SOURCE, EX_CAUGHT_BY, EX_FLIGHT, EX_METHOD, EX_FLAG_WORDS,
	EX_HRESULT, EX_FLAGS, EX_EIP, EX_FRAME, EX_FRAMES, EX_TOP, EX_THROWER_FRAME, EX_ENTRY,
	EX_ROW, EX_STATE, EX_GAP, EX_THREADS, EX_FIRST, EX_LAST, EX_THROWERS, EX_TYPES, EX_RETHROWN,
	EX_NESTED, EX_BLOCKS, EX_LOST, EX_GAPS, EX_COLUMNS
};

static const struct table_column	columns[EX_COLUMNS] = {
	[EX_KIND] = { .name = "kind", .kind = CELL_TEXT },
	[EX_T] = { .name = "t", .title = "time", .kind = CELL_TIME, .tone = TONE_TIME,
	    .flags = COLUMN_FIRST_UP },
	[EX_START] = { .name = "start", .kind = CELL_TIME, .tone = TONE_TIME,
	    .flags = COLUMN_FIRST_UP },
	[EX_DUR] = { .name = "dur", .kind = CELL_DUR },
	[EX_TID] = { .name = "tid", .title = "thread", .kind = CELL_U64, .tone = TONE_THREAD,
	    .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[EX_TYPE] = { .name = "type", .kind = CELL_TEXT, .tone = TONE_EVENT, .width = 24,
	    .most = 50 },
	[EX_MESSAGE] = { .name = "message", .kind = CELL_TEXT, .width = 12, .most = 60,
	    .rank = 1 },
	[EX_COUNT] = { .name = "count", .title = "thrown", .kind = CELL_U64 },
	[EX_FAULTS] = { .name = "faults", .kind = CELL_U64 },
	[EX_SHARE] = { .name = "share", .kind = CELL_SHARE, .rank = 2 },
	[EX_CAUGHT] = { .name = "caught", .kind = CELL_TIME, .rank = 1 },
	[EX_THROWER] = { .name = "thrower", .title = "thrown by", .kind = CELL_TEXT, .width = 16,
	    .most = 90, .rank = 2, .flags = COLUMN_MIDDLE },
	[EX_SOURCE] = { .name = "source", .title = "thrown by", .printed = "source",
	    .kind = CELL_TEXT, .width = 16, .most = 90, .rank = 2, .flags = COLUMN_MIDDLE },
	[EX_CAUGHT_BY] = { .name = "caughtBy", .title = "caught by", .kind = CELL_TEXT,
	    .width = 16, .most = 90, .rank = 4, .flags = COLUMN_MIDDLE },
	[EX_FLIGHT] = { .name = "flight", .kind = CELL_DUR, .rank = 3 },
	[EX_METHOD] = { .name = "method", .kind = CELL_TEXT, .width = 20, .most = 80,
	    .flags = COLUMN_MIDDLE },
	[EX_FLAG_WORDS] = { .name = "flagWords", .title = "flags", .kind = CELL_RAW, .rank = 6,
	    .flags = COLUMN_NO_SORT },
	[EX_HRESULT] = { .name = "hresult", .kind = CELL_U64, .rank = 7, .flags = COLUMN_ID },
	[EX_FLAGS] = { .name = "flags", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[EX_EIP] = { .name = "eip", .kind = CELL_U64, .flags = COLUMN_ASKED | COLUMN_ID },
	[EX_FRAME] = { .name = "frame", .kind = CELL_ADDRESS, .flags = COLUMN_ASKED },
	[EX_FRAMES] = { .name = "frames", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[EX_TOP] = { .name = "top", .kind = CELL_TEXT, .most = 60, .flags = COLUMN_ASKED },
	[EX_THROWER_FRAME] = { .name = "throwerFrame", .kind = CELL_ADDRESS,
	    .flags = COLUMN_ASKED },
	[EX_ENTRY] = { .name = "entry", .kind = CELL_U64, .flags = COLUMN_ASKED | COLUMN_ID },
	[EX_ROW] = { .name = "row", .kind = CELL_U64, .flags = COLUMN_ASKED | COLUMN_FIRST_UP },
	[EX_STATE] = { .name = "state", .kind = CELL_TEXT },
	[EX_GAP] = { .name = "gap", .kind = CELL_RAW, .tone = TONE_LOSS,
	    .flags = COLUMN_ASKED | COLUMN_NO_SORT },
	[EX_THREADS] = { .name = "threads", .kind = CELL_U64, .rank = 4 },
	[EX_FIRST] = { .name = "first", .kind = CELL_TIME, .tone = TONE_TIME, .rank = 5,
	    .flags = COLUMN_FIRST_UP },
	[EX_LAST] = { .name = "last", .kind = CELL_TIME, .tone = TONE_TIME, .rank = 6,
	    .flags = COLUMN_FIRST_UP },
	[EX_THROWERS] = { .name = "throwers", .title = "thrown by", .kind = CELL_RAW,
	    .width = 16, .most = 90, .rank = 3, .flags = COLUMN_NO_SORT },
	[EX_TYPES] = { .name = "types", .kind = CELL_U64 },
	[EX_RETHROWN] = { .name = "reThrown", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[EX_NESTED] = { .name = "nested", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[EX_BLOCKS] = { .name = "blocks", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	REPORT_LOSS_COLUMNS(EX),
};

static const unsigned	type_columns[] = {
	EX_TYPE, EX_FAULTS, EX_COUNT, EX_SHARE, EX_CAUGHT, EX_THREADS, EX_THROWERS, EX_FIRST,
	EX_LAST, REPORT_END,
};
static const unsigned	thrown_columns[] = {
	EX_T, EX_TID, EX_TYPE, EX_MESSAGE, EX_SOURCE, EX_CAUGHT_BY, EX_FLIGHT, EX_FLAG_WORDS,
	EX_HRESULT, REPORT_END,
};
static const unsigned	thrower_columns[] = {
	EX_METHOD, EX_FAULTS, EX_COUNT, EX_SHARE, EX_CAUGHT, EX_TYPES, EX_FIRST, EX_LAST,
	REPORT_END,
};
static const unsigned	block_columns[] = {
	EX_START, EX_DUR, EX_TID, EX_STATE, EX_METHOD, REPORT_END,
};
static const struct report_part	parts[] = {
	{ "type", "Types", type_columns, EX_COUNT },
	{ "exception", "Exceptions", thrown_columns, EX_T },
	{ "thrower", "Methods that throw", thrower_columns, EX_COUNT },
	{ "catch", "Catch blocks", block_columns, EX_START },
	{ "finally", "Finally blocks", block_columns, EX_START },
	{ "filter", "Filters", block_columns, EX_START },
	{ .kind = NULL },
};

enum {
	FACT_THROWN, FACT_THROWN_STOP, FACT_CATCH, FACT_FINALLY, FACT_FILTER, FACT_CATCH_STOP,
	FACT_FINALLY_STOP, FACT_FILTER_STOP
};
enum { F_TYPE, F_MESSAGE, F_EIP, F_HRESULT, F_FLAGS };
enum { F_ENTRY, F_METHOD };

static const struct fact_def	facts[] = {
	{ FACT_THROWN, RUNTIME, 80, "ExceptionThrown", { "ExceptionType", "ExceptionMessage",
	    "ExceptionEIP", "ExceptionHRESULT", "ExceptionFlags" }, FACT_STACK },
	{ FACT_CATCH, RUNTIME, 250, "ExceptionCatchStart", { "EntryEIP", "MethodName" }, 0 },
	{ FACT_CATCH_STOP, RUNTIME, 251, "ExceptionCatchStop", { NULL }, 0 },
	{ FACT_FINALLY, RUNTIME, 252, "ExceptionFinallyStart", { "EntryEIP", "MethodName" }, 0 },
	{ FACT_FINALLY_STOP, RUNTIME, 253, "ExceptionFinallyStop", { NULL }, 0 },
	{ FACT_FILTER, RUNTIME, 254, "ExceptionFilterStart", { "EntryEIP", "MethodName" }, 0 },
	{ FACT_FILTER_STOP, RUNTIME, 255, "ExceptionFilterStop", { NULL }, 0 },
	{ FACT_THROWN_STOP, RUNTIME, 256, "ExceptionThrownStop", { NULL }, 0 },
	{ .provider = NULL },
};

static const struct report_need	need[] = {
	{ .provider = RUNTIME, .keywords = "0x8000", .level = 4,
	    .events = "ExceptionThrown, ExceptionCatchStart, ExceptionCatchStop" },
	{ .provider = NULL },
};

/* Methods of the runtime that throw on behalf of others. */
static const char *const	machinery[] = {
	"System.Runtime.EH.", "System.Runtime.ExceptionServices.InternalCalls",
	"System.Runtime.InternalCalls", "System.ThrowHelper.",
	"Internal.Runtime.CompilerHelpers.ThrowHelpers.",
	"System.Runtime.CompilerServices.CastHelpers.", NULL,
};

/* Methods that throw an exception again that was thrown elsewhere, and those that have it done so:
   an exception passes a frame of async code by being thrown once more. */
static const char *const	again[] = {
	"System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw", NULL,
};
static const char *const	plumbing[] = {
	"System.Runtime.ExceptionServices.ExceptionDispatchInfo.",
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

enum block_kind { CATCH, FINALLY, FILTER, BLOCKS };
enum block_state { OPEN, PAIRED, LEFT, ORPHAN, STATES };

static const char *const	block_name[BLOCKS] = { "catch", "finally", "filter" };
static const char *const	state_name[STATES] = { "open", "paired", "left", "orphan" };

struct thrown {
	int64_t		ns, caught, flight;
	uint64_t	row, off, eip, frame, thrower_frame;
	uint64_t	below;			/* next below on its thread's stack, + 1 */
	int64_t		ts;
	uint32_t	thread, type, message, top, thrower, caught_by, hresult, frames;
	uint32_t	words;			/* clean name of the method that throws */
	uint32_t	source, source_words;	/* the same below the plumbing */
	uint16_t	flags;
	bool		again;			/* it was thrown before */
	bool		is_caught, has_flight, has_flags, chosen;
};

struct clause {
	int64_t		start, stop, ts;
	uint64_t	row, off, entry;
	uint64_t	below, same;		/* next below on the stack; next below of its
						   kind; + 1 */
	uint32_t	thread, method;
	uint8_t		kind, state;
	bool		chosen;
};

/* The tops of a thread's stacks: numbers, + 1. */
struct open {
	uint64_t	thrown, block, kind[BLOCKS];
};

struct exceptions {
	const struct report_run	*run;
	struct texts		*texts;
	struct scratch		*thrown, *block;
	struct groups		*open;		/* by thread */
	uint64_t		 dropped;
	struct buf		 text;
	struct exception_sums	*sums;		/* once they are needed */
};

static void	sums_free(struct exception_sums *s);

static void *
exceptions_begin(const struct report_run *run)
{
	struct exceptions	*x = mem_zalloc(1, sizeof *x);

	x->run = run;
	x->texts = texts_new();
	x->thrown = scratch_new(sizeof(struct thrown));
	x->block = scratch_new(sizeof(struct clause));
	x->open = groups_new(sizeof(struct open), LIMIT_THREADS);
	buf_init(&x->text);
	return x;
}

static void
exceptions_free(void *self)
{
	struct exceptions	*x = self;

	texts_free(x->texts);
	scratch_free(x->thrown);
	scratch_free(x->block);
	groups_free(x->open);
	sums_free(x->sums);
	buf_release(&x->text);
	mem_free(x);
}

/* ---- the throw */

static void
thrown_frames(struct exceptions *x, const struct fact *f, struct thrown *t)
{
	struct frame_name	name;

	t->frames = (uint32_t)f->nips;
	t->top = t->thrower = t->words = t->source = t->source_words = TEXT_NONE;
	t->again = (t->flags & FLAG_RETHROWN) != 0;
	if (f->nips == 0)
		return;
	t->frame = f->ips[0];
	for (size_t i = 0; i < f->nips; i++) {
		if (!fact_frame(x->run, f, i, &name))
			continue;
		if (i == 0)
			t->top = texts_add(x->texts, name.raw);
		if (begins_with_any(name.raw, machinery))
			continue;
		if (t->thrower == TEXT_NONE) {
			t->thrower = texts_add(x->texts, name.raw);
			t->words = texts_add(x->texts, name.clean);
			t->thrower_frame = f->ips[i];
			t->again |= begins_with_any(name.raw, again);
		}
		if (begins_with_any(name.raw, plumbing))
			continue;
		t->source = texts_add(x->texts, name.raw);
		t->source_words = texts_add(x->texts, name.clean);
		return;
	}
}

static uint32_t
text_or_none(struct exceptions *x, const struct fact *f, unsigned i)
{
	return fact_has(f, i) ? texts_add(x->texts, fact_text(f, i)) : TEXT_NONE;
}

static void
add_thrown(struct exceptions *x, const struct fact *f)
{
	struct thrown	*t = scratch_add(x->thrown);
	struct open	*o;

	if (t == NULL) {
		x->dropped++;
		return;
	}
	*t = (struct thrown){ .ns = f->ns, .row = f->row, .off = f->ev->off, .ts = f->ev->ts,
	    .thread = f->ev->thread, .chosen = f->chosen, .caught_by = TEXT_NONE,
	    .eip = fact_u64(f, F_EIP), .hresult = (uint32_t)fact_u64(f, F_HRESULT),
	    .flags = (uint16_t)fact_u64(f, F_FLAGS), .has_flags = fact_has(f, F_FLAGS) };
	t->type = text_or_none(x, f, F_TYPE);
	t->message = text_or_none(x, f, F_MESSAGE);
	thrown_frames(x, f, t);
	o = groups_get(x->open, f->ev->thread, 0);
	if (o == NULL)
		return;
	t->below = o->thrown;
	o->thrown = scratch_n(x->thrown);
}

static void
end_flight(struct exceptions *x, const struct fact *f)
{
	struct open	*o = groups_find(x->open, f->ev->thread, 0);
	struct thrown	*t;

	if (o == NULL || o->thrown == 0)
		return;
	t = scratch_at(x->thrown, o->thrown - 1);
	t->flight = sub_i64(f->ns, t->ns);
	t->has_flight = true;
	o->thrown = t->below;
}

/* ---- blocks */

static struct clause *
block_new(struct exceptions *x, const struct fact *f, enum block_kind kind)
{
	struct clause	*b = scratch_add(x->block);

	if (b == NULL) {
		x->dropped++;
		return NULL;
	}
	*b = (struct clause){ .ts = f->ev->ts, .row = f->row, .off = f->ev->off,
	    .thread = f->ev->thread, .chosen = f->chosen, .kind = (uint8_t)kind,
	    .method = TEXT_NONE };
	return b;
}

static void
begin_block(struct exceptions *x, const struct fact *f, enum block_kind kind)
{
	struct clause	*b = block_new(x, f, kind);
	struct open	*o = groups_get(x->open, f->ev->thread, 0);
	struct thrown	*t;

	if (b == NULL || o == NULL)
		return;
	b->start = f->ns;
	b->entry = fact_u64(f, F_ENTRY);
	b->method = text_or_none(x, f, F_METHOD);
	b->below = o->block;
	b->same = o->kind[kind];
	o->block = o->kind[kind] = scratch_n(x->block);
	if (kind != CATCH || o->thrown == 0)
		return;
	t = scratch_at(x->thrown, o->thrown - 1);
	if (t->is_caught)
		return;
	t->is_caught = true;
	t->caught = f->ns;
	t->caught_by = b->method;
}

static void
end_block(struct exceptions *x, const struct fact *f, enum block_kind kind)
{
	struct open	*o = groups_find(x->open, f->ev->thread, 0);
	struct clause	*b;

	if (o == NULL || o->kind[kind] == 0) {
		b = block_new(x, f, kind);
		if (b != NULL)
			b->state = ORPHAN;
		return;
	}
	do {
		b = scratch_at(x->block, o->block - 1);
		b->state = LEFT;
		o->block = b->below;
		o->kind[b->kind] = b->same;
	} while (b->kind != kind);
	b->state = PAIRED;
	b->stop = f->ns;
}

static void
exceptions_add(void *self, const struct fact *f)
{
	switch (f->kind) {
	case FACT_THROWN:
		add_thrown(self, f);
		break;
	case FACT_THROWN_STOP:
		end_flight(self, f);
		break;
	case FACT_CATCH: case FACT_FINALLY: case FACT_FILTER:
		begin_block(self, f, f->kind - FACT_CATCH);
		break;
	default:
		end_block(self, f, f->kind - FACT_CATCH_STOP);
		break;
	}
}

/* ---- rows: one by one */

static void
row_il_method(struct exceptions *x, struct rows *r, unsigned col, uint32_t name)
{
	if (name == TEXT_NONE) {
		row_null(r, col);
		return;
	}
	buf_clear(&x->text);
	il_method_words(&x->text, texts_at(x->texts, name));
	row_name(r, col, texts_at(x->texts, name), span_of_buf(&x->text));
}

static void
put_flags(struct exceptions *x, struct rows *r, unsigned flags)
{
	struct buf	json;

	buf_init(&json);
	buf_clear(&x->text);
	buf_putc(&json, '[');
	for (size_t i = 0; i < sizeof flag_words / sizeof *flag_words; i++) {
		if ((flags & flag_words[i].bit) == 0)
			continue;
		buf_printf(&json, "%s\"%s\"", json.len > 1 ? "," : "", flag_words[i].word);
		buf_printf(&x->text, "%s%s", x->text.len > 0 ? " " : "", flag_words[i].word);
	}
	buf_putc(&json, ']');
	row_json_words(r, EX_FLAG_WORDS, span_of_buf(&json), span_of_buf(&x->text));
	buf_release(&json);
}

static void
row_frame(struct rows *r, unsigned col, bool known, uint64_t ip)
{
	row_put(r, col, known ? (struct cell){ .kind = CELL_ADDRESS, .u = ip } :
	    (struct cell){ .kind = CELL_NULL });
}

/* If events were lost while it was in flight, or while the block ran, the pairing is doubtful. */
static void
put_gap(struct exceptions *x, struct rows *r, uint32_t thread, int64_t from, int64_t to,
    bool has_to)
{
	struct loss_asked	a = { .thread = thread, .has_from = true, .from = from,
				    .has_to = has_to, .to = to };

	(void)report_gap(x->run, r, EX_GAP, &a);
}

static void
put_thrown(struct exceptions *x, struct rows *r, const struct thrown *t)
{
	row_begin(r, "exception");
	row_time(r, EX_T, true, t->ns);
	row_put(r, EX_TID, report_tid(x->run, t->thread));
	row_word(r, EX_TYPE, x->texts, t->type);
	row_word(r, EX_MESSAGE, x->texts, t->message);
	row_address(r, EX_HRESULT, t->has_flags, t->hresult);
	row_number(r, EX_FLAGS, t->has_flags, t->flags);
	put_flags(x, r, t->flags);
	row_address(r, EX_EIP, t->has_flags, t->eip);
	row_frame(r, EX_FRAME, t->frames > 0, t->frame);
	row_put(r, EX_FRAMES, cell_u64(t->frames));
	row_word(r, EX_TOP, x->texts, t->top);
	row_words(r, EX_THROWER, x->texts, t->thrower, t->words);
	row_words(r, EX_SOURCE, x->texts, t->source, t->source_words);
	row_frame(r, EX_THROWER_FRAME, t->thrower != TEXT_NONE, t->thrower_frame);
	row_time(r, EX_CAUGHT, t->is_caught, t->caught);
	row_il_method(x, r, EX_CAUGHT_BY, t->caught_by);
	row_dur(r, EX_FLIGHT, t->has_flight, t->flight);
	row_put(r, EX_ROW, cell_u64(t->row));
	put_gap(x, r, t->thread, t->ns, t->ns + t->flight, t->has_flight);
	row_event(r, t->ts, t->off);
}

static void
put_block(struct exceptions *x, struct rows *r, const struct clause *b)
{
	bool	started = b->state != ORPHAN;

	row_begin(r, block_name[b->kind]);
	row_time(r, EX_START, started, b->start);
	row_dur(r, EX_DUR, b->state == PAIRED, b->stop - b->start);
	row_put(r, EX_TID, report_tid(x->run, b->thread));
	row_il_method(x, r, EX_METHOD, b->method);
	row_address(r, EX_ENTRY, started, b->entry);
	row_put(r, EX_ROW, cell_u64(b->row));
	row_str(r, EX_STATE, state_name[b->state]);
	if (started)
		put_gap(x, r, b->thread, b->start, b->stop, b->state == PAIRED);
	row_event(r, b->ts, b->off);
}

/* ---- rows: by type, by throwing method */

struct thrown_sum {
	uint64_t	count, faults, caught, others;	/* others: threads, or types */
	int64_t		first, last;
	struct best	evidence;		/* the first of them */
	uint32_t	words;			/* clean name, of a method */
};

/* Exceptions of one type that one method threw. */
struct thrown_pair {
	uint32_t	type, thrower, words;
	uint64_t	count, faults;
};

struct exception_sums {
	struct groups	*type, *thrower;	/* by text */
	struct groups	*threads, *methods;	/* pairs with a type that occurred */
	struct groups	*pair;			/* (type, thrower): struct thrown_pair */
	struct dist	 flight;
	uint64_t	 count, faults, caught, rethrown, nested;
	uint64_t	 blocks[BLOCKS][STATES];
};

static void
sum_add(struct thrown_sum *s, const struct thrown *t)
{
	if (s == NULL)
		return;
	if (s->count == 0)
		s->first = t->ns;
	s->last = t->ns;
	best_offer(&s->evidence, 0, t->ts, t->off);
	s->count++;
	s->faults += !t->again;
	s->caught += t->is_caught;
}

/* The method, else the address of the innermost frame. */
static uint32_t
method_of(struct exceptions *x, const struct thrown *t, uint32_t method)
{
	if (method != TEXT_NONE)
		return method;
	buf_clear(&x->text);
	if (t->frames > 0) {
		buf_puts(&x->text, "0x");
		buf_hex(&x->text, t->frame, 1);
	} else {
		buf_puts(&x->text, "null");
	}
	return texts_add(x->texts, span_of_buf(&x->text));
}

/* Is it the first exception of that type on the thread, or of that method? */
static bool
is_new(struct groups *seen, uint64_t type, uint64_t other)
{
	bool	*known = groups_get(seen, type, other), is = known != NULL && !*known;

	if (known != NULL)
		*known = true;
	return is;
}

static void
sums_add(struct exceptions *x, struct exception_sums *s, const struct thrown *t)
{
	uint32_t		 by = method_of(x, t, t->thrower);
	uint32_t		 source = method_of(x, t, t->source);
	struct thrown_sum	*type = groups_get(s->type, t->type, 0);
	struct thrown_sum	*method = groups_get(s->thrower, source, 0);
	struct thrown_pair	*pair = groups_get(s->pair, t->type, by);

	s->count++;
	s->faults += !t->again;
	s->caught += t->is_caught;
	s->rethrown += (t->flags & FLAG_RETHROWN) != 0;
	s->nested += (t->flags & FLAG_NESTED) != 0;
	if (t->has_flight)
		dist_add(&s->flight, t->flight);
	sum_add(type, t);
	sum_add(method, t);
	if (type != NULL)
		type->others += is_new(s->threads, t->type, t->thread);
	if (method != NULL) {
		method->words = t->source_words;
		method->others += is_new(s->methods, t->type, source);
	}
	if (pair != NULL)
		*pair = (struct thrown_pair){ t->type, by, t->words, pair->count + 1,
		    pair->faults + !t->again };
}

static struct exception_sums *
sums_of(struct exceptions *x)
{
	struct exception_sums	*s = x->sums;

	if (s != NULL)
		return s;
	x->sums = s = mem_alloc(sizeof *s);
	*s = (struct exception_sums){
		.type = groups_new(sizeof(struct thrown_sum), LIMIT_REPORT_GROUPS),
		.thrower = groups_new(sizeof(struct thrown_sum), LIMIT_REPORT_GROUPS),
		.threads = groups_new(sizeof(bool), LIMIT_REPORT_GROUPS),
		.methods = groups_new(sizeof(bool), LIMIT_REPORT_GROUPS),
		.pair = groups_new(sizeof(struct thrown_pair), LIMIT_REPORT_GROUPS),
	};
	for (uint64_t i = 0; i < scratch_n(x->thrown); i++) {
		const struct thrown	*t = scratch_at(x->thrown, i);

		if (t->chosen)
			sums_add(x, s, t);
	}
	for (uint64_t i = 0; i < scratch_n(x->block); i++) {
		const struct clause	*b = scratch_at(x->block, i);

		s->blocks[b->kind][b->state] += b->chosen;
	}
	return s;
}

static void
sums_free(struct exception_sums *s)
{
	if (s == NULL)
		return;
	groups_free(s->type);
	groups_free(s->thrower);
	groups_free(s->threads);
	groups_free(s->methods);
	groups_free(s->pair);
	dist_release(&s->flight);
	mem_free(s);
}

static int
by_count(const void *a, const void *b)
{
	const struct thrown_sum	*x = a, *y = b;

	return x->count > y->count ? -1 : x->count < y->count;
}

static int
by_type_and_count(const void *a, const void *b)
{
	const struct thrown_pair	*x = a, *y = b;

	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	if (x->faults != y->faults)
		return x->faults > y->faults ? -1 : 1;
	return x->count > y->count ? -1 : x->count < y->count;
}

/* The index in order, which is sorted by type, of the first pair of a type. */
static size_t
pairs_of(const struct exception_sums *s, const uint32_t *order, uint32_t type)
{
	size_t	lo = 0, hi = groups_n(s->pair);

	while (lo < hi) {
		size_t				 mid = lo + (hi - lo) / 2;
		const struct thrown_pair	*p = groups_at(s->pair, order[mid]);

		if (p->type < type)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

#define THROWERS_MOST	1000u	/* methods listed for one type */

static void
put_throwers(struct exceptions *x, struct rows *r, const struct exception_sums *s,
    const uint32_t *order, uint32_t type)
{
	size_t		first = pairs_of(s, order, type);
	struct buf	json;
	struct span	words = { NULL, 0 }, raw = { NULL, 0 };

	buf_init(&json);
	buf_putc(&json, '{');
	for (size_t i = first; i < groups_n(s->pair) && i < first + THROWERS_MOST; i++) {
		const struct thrown_pair	*p = groups_at(s->pair, order[i]);
		struct span			 name = span_of("(others)");

		if (p->type != type)
			break;
		if (p->thrower != TEXT_NONE)
			name = texts_at(x->texts, p->thrower);
		if (i > first)
			buf_putc(&json, ',');
		else
			raw = name;
		if (i == first)
			words = p->words != TEXT_NONE ? texts_at(x->texts, p->words) : name;
		json_name(&json, name);
		buf_u64(&json, p->count);
	}
	buf_putc(&json, '}');
	row_json_names(r, EX_THROWERS, span_of_buf(&json), words, raw);
	buf_release(&json);
}

static void
put_sum(struct rows *r, const struct exception_sums *s, const struct thrown_sum *t)
{
	row_put(r, EX_COUNT, cell_u64(t->count));
	row_put(r, EX_FAULTS, cell_u64(t->faults));
	row_share(r, EX_SHARE, (double)t->count, (double)s->count);
	row_put(r, EX_CAUGHT, cell_u64(t->caught));
	row_time(r, EX_FIRST, true, t->first);
	row_time(r, EX_LAST, true, t->last);
}

static void
put_filter(struct exceptions *x, struct rows *r, uint32_t type)
{
	struct span	name;
	struct buf	b;

	if (type == TEXT_NONE)
		return;
	name = texts_at(x->texts, type);
	buf_init(&b);
	buf_puts(&b, "name = ExceptionThrown and ExceptionType = ");
	if (filter_quote(&b, (const char *)name.p, name.len))
		row_filter(r, buf_str(&b));
	buf_release(&b);
}

static void
put_types(struct exceptions *x, struct rows *r, const struct exception_sums *s)
{
	uint32_t	*order = groups_order(s->type, by_count);
	uint32_t	*pairs = groups_order(s->pair, by_type_and_count);

	for (size_t i = 0; i < groups_n(s->type); i++) {
		const struct thrown_sum	*t = groups_at(s->type, order[i]);
		uint32_t		 type = (uint32_t)groups_key(s->type, order[i]).a;

		row_begin(r, "type");
		row_word(r, EX_TYPE, x->texts, type);
		put_sum(r, s, t);
		row_put(r, EX_THREADS, cell_u64(t->others));
		put_throwers(x, r, s, pairs, type);
		put_filter(x, r, type);
	}
	mem_free(order);
	mem_free(pairs);
}

static void
put_methods(struct exceptions *x, struct rows *r, const struct exception_sums *s)
{
	uint32_t	*order = groups_order(s->thrower, by_count);

	for (size_t i = 0; i < groups_n(s->thrower); i++) {
		const struct thrown_sum	*t = groups_at(s->thrower, order[i]);

		row_begin(r, "thrower");
		row_words(r, EX_METHOD, x->texts, (uint32_t)groups_key(s->thrower, order[i]).a,
		    t->words);
		put_sum(r, s, t);
		row_put(r, EX_TYPES, cell_u64(t->others));
		row_best(r, &t->evidence);
	}
	mem_free(order);
}

static void
put_blocks(struct rows *r, const struct exception_sums *s)
{
	static const enum block_state	order[STATES] = { LEFT, OPEN, ORPHAN, PAIRED };
	struct buf			*b = row_json(r, EX_BLOCKS);

	buf_putc(b, '{');
	for (unsigned k = 0; k < BLOCKS; k++) {
		size_t	at = b->len;

		for (unsigned i = 0; i < STATES; i++) {
			if (s->blocks[k][order[i]] == 0)
				continue;
			if (b->len == at)
				buf_printf(b, "%s\"%s\":{", b->len > 1 ? "," : "", block_name[k]);
			else
				buf_putc(b, ',');
			buf_printf(b, "\"%s\":", state_name[order[i]]);
			buf_u64(b, s->blocks[k][order[i]]);
		}
		if (b->len > at)
			buf_putc(b, '}');
	}
	buf_putc(b, '}');
}

static void
put_summary(struct rows *r, struct exception_sums *s)
{
	row_begin(r, "summary");
	row_put(r, EX_COUNT, cell_u64(s->count));
	row_put(r, EX_FAULTS, cell_u64(s->faults));
	row_put(r, EX_TYPES, cell_u64(groups_n(s->type)));
	row_put(r, EX_CAUGHT, cell_u64(s->caught));
	row_dist(r, EX_FLIGHT, NULL, &s->flight);
	row_put(r, EX_RETHROWN, cell_u64(s->rethrown));
	row_put(r, EX_NESTED, cell_u64(s->nested));
	put_blocks(r, s);
}

static void
exceptions_rows(void *self, struct rows *r)
{
	struct exceptions	*x = self;
	struct exception_sums	*s = sums_of(x);

	put_types(x, r, s);
	put_methods(x, r, s);
	for (uint64_t i = 0; i < scratch_n(x->thrown); i++) {
		const struct thrown	*t = scratch_at(x->thrown, i);

		if (t->chosen)
			put_thrown(x, r, t);
	}
	for (uint64_t i = 0; i < scratch_n(x->block); i++) {
		const struct clause	*b = scratch_at(x->block, i);

		if (b->chosen)
			put_block(x, r, b);
	}
	if (s->count > 0)
		put_summary(r, s);
	rows_remark(r, x->dropped, EVENTS_DROPPED);
	rows_remark(r, groups_beyond(s->type), "exceptions of types beyond the limit are counted "
	    "together");
	rows_remark(r, groups_beyond(s->pair), "exceptions of types and methods beyond the limit "
	    "are counted together");
}

/* "810 exceptions of 15 types; 810 caught, the longest flight 196 µs" */
static void
exceptions_totals(void *self, struct buf *out)
{
	struct exceptions	*x = self;
	struct exception_sums	*s = sums_of(x);
	struct dist_figures	 f;

	dist_figures(&s->flight, &f);
	if (s->count > 0) {
		put_count(out, s->count, "exception of ", "exceptions of ");
		put_count(out, groups_n(s->type), "type", "types");
		if (s->faults < s->count) {
			buf_puts(out, ", ");
			put_count(out, s->faults, "fault", "faults");
		}
		if (scratch_n(x->block) > 0) {
			buf_puts(out, ", ");
			buf_grouped(out, s->caught);
			buf_puts(out, " caught");
		} else {
			buf_puts(out, "; the trace has no catch blocks (" RUNTIME ":0x8000:4)");
		}
		if (s->rethrown > 0) {
			buf_puts(out, ", ");
			buf_grouped(out, s->rethrown);
			buf_puts(out, " rethrown");
		}
		if (f.n > 0) {
			buf_puts(out, "; in flight ");
			put_dur(out, f.p50);
			buf_puts(out, " (p50), at most ");
			put_dur(out, f.max);
		}
		buf_putc(out, '\n');
	}
}

static const struct report_plot_def	plots[] = {
	{ "exceptions", "exception", EX_T, PLOT_COUNT, { REPORT_END } },
	{ .title = NULL },
};

const struct report	report_exceptions = {
	.name = "exceptions",
	.title = "Exceptions",
	.text = "Each ExceptionThrown event is an exception; type is the runtime's name for it. "
	    "frame is the innermost address of its stack. thrower is the innermost frame that is "
	    "named by the method events of the trace and does not belong to the runtime's throw "
	    "helpers; since .NET 9, frame itself always belongs to them. An exception that passes "
	    "async code, or leaves a Wait, is thrown again: source is the innermost frame below "
	    "that, and faults are the exceptions that were thrown for the first time, as far as "
	    "stacks and flags tell. caught and caughtBy describe the first ExceptionCatchStart "
	    "that follows on the same thread; flight lasts until ExceptionThrownStop. Some "
	    "runtimes write no event when an exception is rethrown; it then only has one more "
	    "catch block. Blocks are paired; open, if nothing closed them (an exception left "
	    "them); left, if an enclosing block ended; or orphan, an end without a start. gap is "
	    "a loss on the thread in between, which makes the pairing doubtful.",
	.need = need, .fact = facts, .column = columns, .ncolumns = EX_COLUMNS, .part = parts,
	.plot = plots,
	.needs = NEEDS_SYMBOLS, .pairs = true,
	.begin = exceptions_begin, .add = exceptions_add, .rows = exceptions_rows,
	.totals = exceptions_totals, .free = exceptions_free,
};
