/*
 * The payloads of some Linux tracepoints, by the kernel's layout.
 *
 *	declared	common_type common_flags common_preempt_count common_pid  prev_comm:char
 *	sched_switch	|  8 bytes                                      | comm:16 pid prio state:8
 *			| comm:16 pid prio |				= 64 bytes, padded to 68
 *
 * The recorder declares the fields only up to the first byte of the first text. A payload has the
 * layout if it has the kernel's length and begins with the id of its own event.
 *
 * Invariant: the declared fields stay as they are.
 * Format: Linux, include/trace/events/sched.h, trace_events.h; perf pads a record to 8 bytes with
 * its size.
 */
#include <string.h>

#include "tnav/model/value.h"

#define COMM_BYTES	16u	/* bytes of a thread's name */
#define LAYOUT_SWITCH	0	/* index of sched_switch in layouts */
#define COMMON		8u	/* bytes of the fields that all tracepoints have */
#define COMMON_FLAGS	2u	/* offset of one of them */
#define IN_INTERRUPT	0x18u	/* its bits for hard and soft interrupts */
#define NOT_RUNNABLE	0xffu	/* bits of prev_state */

#define SKIP(n)		{ .name = "", .kind = FK_PAD, .count = (n), .slot = FIELD_NO_SLOT }
#define COMM(called)	{ .name = (called), .kind = FK_CHAR8, .array = AK_FIXED, \
			    .count = COMM_BYTES, .flags = FIELD_TEXT, .slot = FIELD_NO_SLOT }
#define NUMBER(called, of)	{ .name = (called), .kind = (of), .slot = FIELD_NO_SLOT }

static const struct field	fields_switch[] = {
	SKIP(COMMON), COMM("prev_comm"), NUMBER("prev_pid", FK_I32), NUMBER("prev_prio", FK_I32),
	NUMBER("prev_state", FK_I64), COMM("next_comm"), NUMBER("next_pid", FK_I32),
	NUMBER("next_prio", FK_I32),
};

static const struct field	fields_wakeup[] = {
	SKIP(COMMON), COMM("comm"), NUMBER("pid", FK_I32), NUMBER("prio", FK_I32),
	NUMBER("target_cpu", FK_I32),
};

static const struct builtin {
	const char	*name;
	struct field	 object;
	uint32_t	 size;
} layouts[] = {
	{ "sched_switch", { .name = "builtin", .kind = FK_OBJECT, .flags = FIELD_BESIDE,
	    .slot = FIELD_NO_SLOT, .fields = fields_switch, .nfields = 8 }, 64 },
	{ "sched_wakeup", { .name = "builtin", .kind = FK_OBJECT, .flags = FIELD_BESIDE,
	    .slot = FIELD_NO_SLOT, .fields = fields_wakeup, .nfields = 5 }, 36 },
	{ "sched_wakeup_new", { .name = "builtin", .kind = FK_OBJECT, .flags = FIELD_BESIDE,
	    .slot = FIELD_NO_SLOT, .fields = fields_wakeup, .nfields = 5 }, 36 },
	{ "sched_waking", { .name = "builtin", .kind = FK_OBJECT, .flags = FIELD_BESIDE,
	    .slot = FIELD_NO_SLOT, .fields = fields_wakeup, .nfields = 5 }, 36 },
};

const struct builtin *
builtin_find(const struct event_type *t)
{
	static const char *const	common[] = {
		"common_type", "common_flags", "common_preempt_count", "common_pid",
	};

	if (strcmp(t->provider, "sched") != 0 || t->nfields < 4)
		return NULL;
	for (unsigned i = 0; i < 4; i++)
		if (strcmp(t->fields[i].name, common[i]) != 0)
			return NULL;
	for (unsigned i = 0; i < sizeof layouts / sizeof *layouts; i++)
		if (strcmp(layouts[i].name, t->name) == 0)
			return &layouts[i];
	return NULL;
}

const struct field *
builtin_object(const struct event_type *t)
{
	return t->builtin != NULL ? &t->builtin->object : NULL;
}

/* perf adds a size field of four bytes, and pads the sum with zeroes to a multiple of eight. */
static bool
is_padded(struct span payload, uint32_t size)
{
	uint32_t	padded = ((size + 4 + 7) & ~UINT32_C(7)) - 4;

	if (payload.len != size && payload.len != padded)
		return false;
	for (size_t i = size; i < payload.len; i++)
		if (payload.p[i] != 0)
			return false;
	return true;
}

bool
builtin_fits(const struct builtin *b, uint32_t id, struct span *payload)
{
	if (!is_padded(*payload, b->size) || load_u16le(payload->p) != id)
		return false;
	payload->len = b->size;
	return true;
}

/* The name at this offset, up to its first NUL. */
static struct span
comm_at(struct span payload, size_t at)
{
	const uint8_t	*p = payload.p + at, *end = memchr(p, '\0', COMM_BYTES);

	return (struct span){ p, end != NULL ? (size_t)(end - p) : COMM_BYTES };
}

bool
builtin_switch(const struct event_type *t, struct span payload, struct builtin_switch *out)
{
	const size_t	prev = COMMON, next = prev + COMM_BYTES + 4 + 4 + 8;

	if (t->builtin != &layouts[LAYOUT_SWITCH] || t->pointer_size == 4 ||
	    !builtin_fits(t->builtin, t->id, &payload))
		return false;
	out->prev_comm = comm_at(payload, prev);
	out->prev_pid = load_u32le(payload.p + prev + COMM_BYTES);
	out->prev_runnable = (load_u64le(payload.p + prev + COMM_BYTES + 8) & NOT_RUNNABLE) == 0;
	out->next_comm = comm_at(payload, next);
	out->next_pid = load_u32le(payload.p + next + COMM_BYTES);
	return true;
}

bool
builtin_wakeup(const struct event_type *t, struct span payload, struct builtin_wakeup *out)
{
	if (t->builtin == NULL || t->builtin->object.fields != fields_wakeup ||
	    t->pointer_size == 4 || !builtin_fits(t->builtin, t->id, &payload))
		return false;
	out->in_interrupt = (payload.p[COMMON_FLAGS] & IN_INTERRUPT) != 0;
	out->pid = load_u32le(payload.p + COMMON + COMM_BYTES);
	return true;
}
