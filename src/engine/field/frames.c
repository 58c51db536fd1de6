/*
 * Stacks: as JSON with addresses or names, the lists of their names or modules, single frames. The
 * same stacks occur again and again, so all of these are cached.
 *
 *	event -> number of its stack, process, time -> known? ["Demo.Here.Say(int32)","0x7f..."]
 *						    ... names: Demo.Here.Say(int32), Demo.Main()
 *						    ... frame 1: Demo.Main()
 *	address, process, time -> known? Demo.Main()
 *
 * The caches are direct-mapped, and long texts and lists are not kept, so no file can make them
 * grow. A number identifies a stack only within a scope, see trace_stack_scope(); names are valid
 * for a process and a range of time. Of many more stacks than have their names here, the number of
 * the list is kept: who has kept what follows from a list needs no names.
 */
#include <string.h>

#include "engine/field/reader.h"
#include "tnav/base/digits.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/naming.h"

#define TEXTS		1024u	/* slots; a power of two */
#define SEEN		(LIMIT_STACK_FRAMES * 2)	/* slots for the names of a stack */
#define TEXT_MOST	16384u	/* longer texts are not cached */
#define NAMES_MOST	256u	/* nor are more names of a stack */
#define LISTS		16384u	/* slots for the numbers of lists; a power of two */
#define ADDRESSES	4096u	/* slots for addresses; a power of two */
#define STACKS_NEAR	16u	/* stacks whose numbers follow each other have one reader */

/* What is kept of a stack holds for one process, from one tick to another. */
struct frames_of {
	uint32_t	number, scope, process;
	int64_t		from, to;
};

struct frames_slot {
	struct frames_of of;
	stack_text_fn	write;		/* of addresses; NULL: names */
	struct buf	text;
};

/* The names of a stack, each once, or those of its modules. The namer owns them. */
struct names_slot {
	struct frames_of of;
	bool		modules, clean, many;	/* many: too many names to keep them */
	uint64_t	number;		/* of this list; 0: it isn't kept */
	struct { struct span text, clean; } *name;
	size_t		n, cap;
};

/* The number of a list, whether or not its names are kept. */
struct names_list_slot {
	struct frames_of of;
	uint32_t	thread;		/* the last one that had it, of the process */
	bool		modules, clean;
	uint64_t	number;		/* 0: none */
};

/* What the namer says of an address in a process. */
struct named_slot {
	uint64_t	generation;	/* of the namer, + 1; 0: unused */
	uint64_t	ip;
	uint32_t	process;
	bool		inner, clean;	/* inner: the stack's first frame */
	struct frame_name name;
};

/* A frame of a stack: its name, which is the namer's, or its address. */
struct frame_slot {
	struct frames_of of;
	unsigned	frame;
	struct cell	cell;
};

struct frame_texts {
	struct stack_scope	scope;
	uint64_t		generation;	/* of the namer */
	struct buf		one;		/* scratch: a frame */
	struct { const void *name; uint64_t round; }	seen[SEEN];
	uint64_t		round;		/* counts stacks: older entries of seen are free */
	struct frames_slot	slot[TEXTS];
	struct frame_slot	frame[TEXTS];
	struct names_slot	names[TEXTS];
	struct names_slot	unkept;		/* of a stack that can't be cached */
	uint64_t		lists;		/* lists of names so far */
	struct names_list_slot	list[LISTS];
	struct named_slot	address[ADDRESSES];
	struct frame_name	name;		/* scratch: of an address that isn't kept */
};

void
frame_texts_free(struct frame_texts *f)
{
	if (f == NULL)
		return;
	for (unsigned i = 0; i < TEXTS; i++) {
		buf_release(&f->slot[i].text);
		mem_free(f->names[i].name);
	}
	mem_free(f->unkept.name);
	buf_release(&f->one);
	mem_free(f);
}

/* Change the scope to that of the event. Another namer needs a new scope: the texts change. */
static bool
scope_enter(struct frame_texts *f, struct trace *t, const struct event *e)
{
	if (f->generation != trace_namer_generation(t)) {
		f->generation = trace_namer_generation(t);
		stack_scope_end(&f->scope);
	}
	return trace_stack_scope(t, e, &f->scope);
}

size_t
field_stack(struct field_reader *r, const struct event *e, const uint64_t **ips)
{
	/* In the order of time, events of several blocks alternate: a reader for each. */
	struct stack_reader	*s = &r->stacks[stack_place(e) / STACKS_NEAR % STACK_READERS];

	if (r->ips == NULL)
		r->ips = mem_zalloc(LIMIT_STACK_FRAMES, sizeof *r->ips);
	*ips = r->ips;
	return trace_stack_next(r->t, s, e, r->ips, LIMIT_STACK_FRAMES);
}

/* Append the array, and narrow [*from, *to) to the time in which all its names are valid. */
static void
put_frames(struct field_reader *r, struct buf *out, const struct event *e, int64_t *from,
    int64_t *to)
{
	enum frame_form	 form = r->opt.frames == FRAMES_CLEAN ? FRAME_CLEAN : FRAME_RAW;
	size_t		 begin = out->len;
	const uint64_t	*ips;
	size_t		 n = field_stack(r, e, &ips);

	buf_putc(out, '[');
	for (size_t i = 0; i < n; i++) {
		struct frame_name	f;

		(void)trace_name_bounded(r->t, e, ips[i], (unsigned)i, form == FRAME_CLEAN,
		    out->len - begin, &f);
		time_narrow(from, to, f.from, f.to);
		buf_clear(&r->texts->one);
		frame_text(&r->texts->one, &f, ips[i], form);
		if (i > 0)
			buf_putc(out, ',');
		json_text8(out, span_of_buf(&r->texts->one));
	}
	buf_putc(out, ']');
}

/* The process of the event's thread, as the namer has it. */
static uint32_t
process_of(const struct field_reader *r, const struct event *e)
{
	const struct stack_namer	*namer = trace_lent(r->t, DERIVED_SYMBOLS);

	return namer != NULL ? namer->process(namer->self, e) : 0;
}

/* Whose the event's stack is; false: its number says nothing. */
static bool
frames_enter(struct field_reader *r, const struct event *e, struct frames_of *of)
{
	if (r->texts == NULL)
		r->texts = mem_zalloc(1, sizeof *r->texts);
	if (e->stack == 0 || !scope_enter(r->texts, r->t, e))
		return false;
	*of = (struct frames_of){ .number = e->stack, .scope = r->texts->scope.now.number,
	    .process = process_of(r, e), .from = INT64_MIN, .to = INT64_MAX };
	return true;
}

/* Is what is kept true of the event's stack? */
static bool
frames_hold(const struct frames_of *kept, const struct frames_of *of, const struct event *e)
{
	return kept->number == of->number && kept->scope == of->scope &&
	    kept->process == of->process && e->ts >= kept->from &&
	    (e->ts < kept->to || kept->to == INT64_MAX);
}

/* Append the text of a slot, which is kept unless it is long. */
static void
slot_give(struct frames_slot *s, struct buf *out)
{
	buf_add(out, s->text.p, s->text.len);
	if (s->text.len > TEXT_MOST) {
		buf_release(&s->text);
		s->of.number = 0;
	}
}

static void
put_names(struct field_reader *r, struct buf *out, const struct event *e)
{
	struct frames_of	 of = { .from = INT64_MIN, .to = INT64_MAX };
	struct frames_slot	*s;

	if (!frames_enter(r, e, &of)) {
		put_frames(r, out, e, &of.from, &of.to);
		return;
	}
	s = &r->texts->slot[stack_place(e) % TEXTS];
	if (s->write != NULL || !frames_hold(&s->of, &of, e)) {
		buf_clear(&s->text);
		put_frames(r, &s->text, e, &of.from, &of.to);
		s->of = of;
		s->write = NULL;
	}
	slot_give(s, out);
}

static void
put_addresses(struct field_reader *r, struct buf *out, const struct event *e, stack_text_fn write)
{
	const uint64_t	*ips = NULL;
	size_t		 n = e->stack != 0 ? field_stack(r, e, &ips) : 0;
	char		*to = buf_room(out, n * STACK_TEXT_EACH + STACK_TEXT_ENDS);

	out->len = (size_t)(write(to, ips, n) - out->p);
}

void
field_stack_text(struct field_reader *r, struct buf *out, const struct event *e,
    stack_text_fn write)
{
	struct frames_slot	*s;

	if (r->texts == NULL)
		r->texts = mem_zalloc(1, sizeof *r->texts);
	if (e->stack == 0 || !trace_stack_scope(r->t, e, &r->texts->scope)) {
		put_addresses(r, out, e, write);
		return;
	}
	s = &r->texts->slot[stack_place(e) % TEXTS];
	if (s->write != write || s->of.number != e->stack ||
	    s->of.scope != r->texts->scope.now.number) {
		buf_clear(&s->text);
		put_addresses(r, &s->text, e, write);
		s->of = (struct frames_of){ .number = e->stack,
		    .scope = r->texts->scope.now.number };
		s->write = write;
	}
	slot_give(s, out);
}

/* Is this the first frame of the stack with this name? Names are interned: compare addresses. */
static bool
is_first(struct frame_texts *f, const void *name)
{
	size_t	at = ((uintptr_t)name >> 3) * 0x9e3779b1u % SEEN;

	for (; f->seen[at].round == f->round; at = (at + 1) % SEEN)
		if (f->seen[at].name == name)
			return false;
	f->seen[at].name = name;
	f->seen[at].round = f->round;
	return true;
}

/* The name of a frame, until the next call; of: whose stack it is, NULL: not known. */
static const struct frame_name *
name_find(struct field_reader *r, const struct event *e, const struct frames_of *of, uint64_t ip,
    unsigned depth, bool clean)
{
	uint64_t		 generation = r->texts->generation + 1;
	struct named_slot	*a;

	if (of == NULL) {
		(void)trace_name_frame(r->t, e, ip, depth, clean, &r->texts->name);
		return &r->texts->name;
	}
	a = &r->texts->address[(ip ^ ip >> 12 ^ of->process) % ADDRESSES];
	if (a->generation != generation || a->ip != ip || a->process != of->process ||
	    a->inner != (depth == 0) || a->clean != clean || e->ts < a->name.from ||
	    (e->ts >= a->name.to && a->name.to != INT64_MAX)) {
		*a = (struct named_slot){ .generation = generation, .ip = ip,
		    .process = of->process, .inner = depth == 0, .clean = clean };
		(void)trace_name_frame(r->t, e, ip, depth, clean, &a->name);
	}
	return &a->name;
}

static void
names_add(struct names_slot *s, struct span text, struct span clean)
{
	if (s->n == s->cap)
		s->name = mem_grow(s->name, &s->cap, s->n + 1, sizeof *s->name);
	s->name[s->n].text = text;
	s->name[s->n++].clean = clean;
}

/* Find the names of the event's stack, and narrow s->of to the time in which all are valid.
   entered: s->of says whose the stack is. */
static void
names_find(struct field_reader *r, const struct event *e, bool entered, struct names_slot *s)
{
	const struct frames_of	 whose = s->of;
	const uint64_t		*ips;
	size_t			 n = field_stack(r, e, &ips), given = 0;

	s->n = 0;
	r->texts->round++;
	/* What follows so many bytes of names are addresses, see trace_name_bounded(). */
	for (size_t i = 0; i < n && given < STACK_TEXT_MOST; i++) {
		const struct frame_name	*f = name_find(r, e, entered ? &whose : NULL, ips[i],
					    (unsigned)i, s->clean);
		struct span		 text = s->modules ? f->module : f->raw;

		time_narrow(&s->of.from, &s->of.to, f->from, f->to);
		if (text.p == NULL || text.len == 0 || !is_first(r->texts, text.p))
			continue;
		names_add(s, text, f->clean);
		given += text.len;
	}
}

/* Are these the names of the event's stack? */
static bool
names_hold(const struct names_slot *s, const struct frames_of *of, bool modules, bool clean,
    const struct event *e)
{
	return s->modules == modules && s->clean == clean && frames_hold(&s->of, of, e);
}

/* The names of the event's stack, as they are kept or found. kept: NULL if they can't be kept. */
static const struct names_slot *
names_of(struct field_reader *r, const struct event *e, bool modules, bool clean, bool kept)
{
	struct frames_of	 of = { .from = INT64_MIN, .to = INT64_MAX };
	bool			 entered = frames_enter(r, e, &of), keeps = entered;
	struct names_slot	*unkept = &r->texts->unkept;
	uint32_t		 at = stack_place(e) + modules * TEXTS / 2;
	struct names_slot	*s = &r->texts->names[at % TEXTS];

	if (keeps && names_hold(s, &of, modules, clean, e)) {
		if (!s->many)
			return s;
		keeps = false;
	}
	if (kept && !keeps)
		return NULL;
	s = keeps ? s : unkept;
	s->of = of;
	s->modules = modules;
	s->clean = clean;
	s->number = keeps ? ++r->texts->lists : 0;
	names_find(r, e, entered, s);
	s->many = keeps && s->n > NAMES_MOST;
	if (!s->many)
		return s;
	mem_free(unkept->name);
	*unkept = *s;
	unkept->number = 0;
	s->name = NULL;
	s->n = s->cap = 0;
	return unkept;
}

/* Set the word that is shown in place of the name. most: bytes of it, 0: all. */
static void
set_clean(struct cell *c, struct span clean, size_t most)
{
	c->word = clean;
	c->show = SHOW_WORD;
	if (most > 0 && c->word.len > most)
		c->word.len = most;
}

static struct names_list_slot *
list_at(struct frame_texts *f, const struct event *e, bool modules)
{
	return &f->list[(stack_place(e) + modules * LISTS / 2) % LISTS];
}

static bool
list_holds(const struct names_list_slot *l, const struct frames_of *of, bool modules, bool clean,
    const struct event *e)
{
	return l->number != 0 && l->modules == modules && l->clean == clean &&
	    frames_hold(&l->of, of, e);
}

uint64_t
reader_frame_list(struct field_reader *r, const struct event *e, bool modules)
{
	bool			 clean = !modules && r->opt.frames == FRAMES_CLEAN;
	const struct names_slot	*s;
	struct frames_of	 of = { .from = INT64_MIN, .to = INT64_MAX };
	struct frame_texts	*f = r->texts;
	struct names_list_slot	*l;

	if (f != NULL && e->stack != 0 && f->generation == trace_namer_generation(r->t) &&
	    stack_scope_has(&f->scope, e)) {
		l = list_at(f, e, modules);
		of = (struct frames_of){ .number = e->stack, .scope = f->scope.now.number,
		    .process = l->thread == e->thread ? l->of.process : process_of(r, e) };
		if (list_holds(l, &of, modules, clean, e)) {
			l->thread = e->thread;
			return l->number;
		}
	}
	if (!frames_enter(r, e, &of))
		return 0;
	l = list_at(r->texts, e, modules);
	if (list_holds(l, &of, modules, clean, e))
		return l->number;
	s = names_of(r, e, modules, clean, true);
	if (s == NULL)
		return 0;
	*l = (struct names_list_slot){ .of = s->of, .modules = modules, .clean = clean,
	    .thread = e->thread, .number = s->number };
	return s->number;
}

int
reader_frame_names(struct field_reader *r, const struct event *e, bool modules, field_cell_fn fn,
    void *arg)
{
	bool			 clean = !modules && r->opt.frames == FRAMES_CLEAN;
	const struct names_slot	*s = names_of(r, e, modules, clean, false);
	int			 err = 0;

	for (size_t i = 0; i < s->n && err == 0; i++) {
		struct cell	c = { .kind = CELL_TEXT, .text = s->name[i].text };

		if (clean)
			set_clean(&c, s->name[i].clean, r->opt.most);
		err = fn(arg, &c);
	}
	return err;
}

/* What the frame is called; *f says when. */
static void
frame_cell(struct field_reader *r, const struct event *e, unsigned frame, struct frame_name *f,
    struct cell *c)
{
	bool		 clean = r->opt.frames == FRAMES_CLEAN;
	const uint64_t	*ips;

	*f = (struct frame_name){ .from = INT64_MIN, .to = INT64_MAX };
	if (e->stack == 0 || field_stack(r, e, &ips) <= frame)
		return;
	(void)trace_name_frame(r->t, e, ips[frame], frame, clean, f);
	if (f->raw.p == NULL && !f->has_offset) {
		*c = cell_address(ips[frame]);
		return;
	}
	*c = (struct cell){ .kind = CELL_TEXT, .text = clean ? f->clean : f->raw };
	if (f->raw.p != NULL)
		return;
	frame_text(&r->at->text, f, ips[frame], FRAME_RAW);
	c->text = span_of_buf(&r->at->text);
}

void
reader_frame(struct field_reader *r, const struct event *e, unsigned frame, struct cell *c)
{
	struct frames_of	 of = { .number = 0 };
	struct frame_slot	*s = NULL;
	struct frame_name	 f;

	if (frames_enter(r, e, &of))
		s = &r->texts->frame[(stack_place(e) + frame * (TEXTS / 8 + 1)) % TEXTS];
	if (s != NULL && s->frame == frame && frames_hold(&s->of, &of, e)) {
		*c = s->cell;
		return;
	}
	frame_cell(r, e, frame, &f, c);
	/* module+0x12 is written for this event alone. */
	if (s == NULL || (c->kind == CELL_TEXT && f.raw.p == NULL))
		return;
	of.from = f.from;
	of.to = f.to;
	*s = (struct frame_slot){ .of = of, .frame = frame, .cell = *c };
}

void
field_reader_frames(struct field_reader *r, enum field_frames frames)
{
	r->opt.frames = frames;
	if (r->texts != NULL)
		stack_scope_end(&r->texts->scope);	/* drops the kept texts */
}

static char *
write_json(char *to, const uint64_t *ips, size_t n)
{
	*to++ = '[';
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			*to++ = ',';
		memcpy(to, "\"0x", 3);
		to = digits_hex(to + 3, ips[i]);
		*to++ = '"';
	}
	*to++ = ']';
	return to;
}

void
field_stack_json(struct field_reader *r, struct buf *out, const struct event *e)
{
	if (r->opt.frames != FRAMES_ADDRESSES)
		put_names(r, out, e);
	else
		field_stack_text(r, out, e, write_json);
}
