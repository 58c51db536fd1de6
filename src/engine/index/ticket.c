/*
 * Scanning a ticket's frames of events into a summary.
 *
 *	frames of events   [ f0 ][ f1 ][ f2 ][ f3 ]
 *	scan               ---------->| full: paused, committed, then continued from here
 *	hold                [ f0 ][ f1 ]  frames with events, to be added to the index
 *
 * Invariant: the result of a scan depends on the bytes of the frames alone, not on the thread or
 * the pauses. Frames without events are not held.
 */
#include "engine/index/ticket.h"

#include "tnav/base/mem.h"

static void
frames_add(struct frame_list *fs, const struct frame *fr)
{
	ARRAY_ADD(fs->f, fs->n, fs->cap, *fr);
}

void
ticket_init(struct ticket *k)
{
	if (k->scan.seg == NULL)
		scan_init(&k->scan);
}

void
ticket_release(struct ticket *k)
{
	scan_release(&k->scan);
	mem_free(k->data.f);
	mem_free(k->events.f);
	mem_free(k->hold);
}

void
ticket_clear(struct ticket *k)
{
	k->data.n = k->events.n = k->nhold = 0;
	k->has_barrier = k->has_record = k->in_frame = k->paused = k->lost = k->begun = false;
	k->frame = 0;
}

void
ticket_add(struct ticket *k, const struct frame *fr)
{
	k->end = fr->next;
	if (fr->kind == FRAME_EVENTS) {
		frames_add(&k->events, fr);
	} else if (fr->kind == FRAME_BARRIER) {
		k->barrier = *fr;
		k->has_barrier = true;
	} else {
		frames_add(&k->data, fr);
	}
}

void
ticket_resume(struct ticket *k, const struct frame *fr, const struct tail *at)
{
	ticket_add(k, fr);
	k->at = at->at;
	k->begin = at->begin;
	k->in_frame = k->begun = true;
	k->waits = false;
	k->scan.frame_min = at->least;
	k->scan.frame_max = at->greatest;
}

/* The number of events in the scan so far. */
static uint64_t
scan_events(const struct scan *s)
{
	return (uint64_t)s->nseg * SCAN_SEGMENT - s->seg_left;
}

/* Hold the scanned frame: it has events for views. The end of an open frame is known now. */
static void
ticket_hold(struct ticket *k, const struct frame *fr)
{
	k->waits = true;
	k->hold = mem_grow(k->hold, &k->hold_cap, k->nhold + 1, sizeof *k->hold);
	k->hold[k->nhold] = (struct waiting_frame){ .f = *fr, .begin = k->begin };
	if (fr->open) {
		k->hold[k->nhold].f.len = k->at.pos;
		k->hold[k->nhold].f.next = fr->body + k->at.pos;
	}
	k->nhold++;
}

void
ticket_scan(struct trace *t, struct ticket *k)
{
	const struct format_ops	*ops = t->format.ops;
	uint64_t		 lost = source_lost(t->source);
	const char		*text = NULL;

	k->paused = false;
	for (; k->frame < k->events.n; k->frame++) {
		const struct frame	*fr = &k->events.f[k->frame];
		struct span		 body = source_span(t->source, fr->body, fr->len);
		uint64_t		 events = scan_events(&k->scan);

		if (!k->in_frame) {
			k->begun = ops->begin(&t->format, fr, body, &k->at, &text) >= 0;
			if (!k->begun) {
				if (!fr->growing)
					scan_add_bad(&k->scan, fr->body, body.len, text);
				continue;
			}
			k->begin = k->at.pos;
			k->waits = false;
		}
		k->in_frame = true;
		k->paused = ops->scan(&t->format, fr, body, &k->at, &k->scan) == 0;
		if (!k->waits && scan_events(&k->scan) > events)
			ticket_hold(k, fr);
		if (k->paused)
			break;
		k->in_frame = false;
	}
	scan_close(&k->scan);
	k->lost |= source_lost(t->source) != lost || source_rewritten(t->source);
}
