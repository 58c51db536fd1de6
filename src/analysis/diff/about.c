/*
 * What was recorded: shown before what changed, since a provider that one side did not record says
 * nothing about the program.
 *
 *	A  6.7 s  92,165 events		DotNETRuntime: verbose		SampleProfiler
 *	B  6.5 s  50,003 events		DotNETRuntime: informational	-
 */
#include "analysis/diff/about.h"

#include <math.h>
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/units.h"

#define NOTES_SHOWN	10u	/* to people */

static const char *const	per_text[] = {
	"Rates are per second.",
	"Rates are shares of all that was counted.",
	NULL,
	"Counts are those of the windows, whatever their length.",
};

static struct diff_note *
add(struct diff_notes *out, const char *subject, const char *figure, double a, double b)
{
	struct diff_note	*n;

	out->v = mem_grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
	n = &out->v[out->n++];
	*n = (struct diff_note){ subject, figure, a, b, NULL };
	return n;
}

void
diff_notes_release(struct diff_notes *n)
{
	for (size_t i = 0; i < n->n; i++)
		mem_free(n->v[i].text);
	mem_free(n->v);
}

/* ---- sums of a side */

static double
seconds_of(const struct sides *d, unsigned side)
{
	double		s = 0;
	unsigned	end;

	for (unsigned i = diff_side_traces(d, side, &end); i < end; i++)
		s += d->trace[i].seconds;
	return s;
}

static double
events_of(const struct sides *d, unsigned side)
{
	double		n = 0;
	unsigned	end;

	for (unsigned i = diff_side_traces(d, side, &end); i < end; i++)
		for (size_t k = 0; k < d->trace[i].nproviders; k++)
			n += (double)d->trace[i].provider[k].events;
	return n;
}

static bool
numbered(const struct sides *d, unsigned side)
{
	unsigned	end;

	for (unsigned i = diff_side_traces(d, side, &end); i < end; i++)
		if (!d->trace[i].numbered)
			return false;
	return true;
}

/* Events of a provider on a side, and the greatest level of them. */
static double
provider_on(const struct sides *d, unsigned side, const char *name, uint8_t *level)
{
	double		n = 0;
	unsigned	end;

	*level = 0;
	for (unsigned i = diff_side_traces(d, side, &end); i < end; i++)
		for (size_t k = 0; k < d->trace[i].nproviders; k++) {
			const struct diff_provider	*p = &d->trace[i].provider[k];

			if (strcmp(p->name, name) != 0)
				continue;
			n += (double)p->events;
			*level = p->level > *level ? p->level : *level;
		}
	return n;
}

/* ---- notes */

static bool
is_noted(const struct diff_notes *out, const char *name)
{
	for (size_t i = 0; i < out->n; i++)
		if (out->v[i].subject != NULL && strcmp(out->v[i].subject, name) == 0)
			return true;
	return false;
}

static void
note_provider(struct diff_notes *out, const struct sides *d, const char *name)
{
	uint8_t			 level_a, level_b;
	double			 a = provider_on(d, 0, name, &level_a);
	double			 b = provider_on(d, 1, name, &level_b);
	struct diff_note	*n;
	struct buf		 text = { 0 };

	if (is_noted(out, name) || a + b == 0)
		return;
	if (a == 0 || b == 0) {
		n = add(out, name, "events", a > 0 ? a : NAN, b > 0 ? b : NAN);
		buf_printf(&text, "Only %c has events of %s (", a > 0 ? 'A' : 'B',
		    name[0] != '\0' ? name : "no provider");
		buf_grouped(&text, u64_of(a + b));
		buf_puts(&text, "); they are not compared.");
		n->text = mem_strdup(buf_str(&text));
	} else if (level_a != level_b) {
		n = add(out, name, "level", level_a, level_b);
		buf_printf(&text, "%s: A has events up to level %u, B up to level %u; those of "
		    "greater levels are not compared.", name, level_a, level_b);
		n->text = mem_strdup(buf_str(&text));
	}
	buf_release(&text);
}

static void
note_loss(struct diff_notes *out, const struct sides *d)
{
	double			 a = numbered(d, 0) ? (double)diff_lost(d, 0) : NAN;
	double			 b = numbered(d, 1) ? (double)diff_lost(d, 1) : NAN;
	struct diff_note	*n = add(out, NULL, "lost", a, b);
	struct buf		 text = { 0 };

	if (!(a > 0) && !(b > 0))
		return;
	buf_puts(&text, "Events were lost (A ");
	buf_grouped(&text, u64_of(a));
	buf_puts(&text, ", B ");
	buf_grouped(&text, u64_of(b));
	buf_puts(&text, "): counts are at least these, and a change that the lost ones could "
	    "explain is not one (?).");
	n->text = mem_strdup(buf_str(&text));
	buf_release(&text);
}

/* Shares of nothing are none: a side without samples says nothing of methods. */
static void
note_nothing(struct diff_notes *out, const struct sides *d)
{
	double			 a = diff_exposure(d, 0), b = diff_exposure(d, 1);
	struct diff_note	*n;
	struct buf		 text = { 0 };

	if (d->o.per != DIFF_PER_EVENT || (a > 0) == (b > 0))
		return;
	n = add(out, NULL, "counted", a > 0 ? a : NAN, b > 0 ? b : NAN);
	buf_printf(&text, "Only %c has any of what is counted: nothing is compared.",
	    a > 0 ? 'A' : 'B');
	n->text = mem_strdup(buf_str(&text));
	buf_release(&text);
}

void
diff_notes_make(struct diff_notes *out, struct sides *d)
{
	diff_judge(d);
	if (d->ntraces > 2)
		add(out, NULL, "recordings", d->o.traces[0], d->o.traces[1]);
	add(out, NULL, "seconds", seconds_of(d, 0), seconds_of(d, 1));
	add(out, NULL, "events", events_of(d, 0), events_of(d, 1));
	note_loss(out, d);
	note_nothing(out, d);
	for (unsigned i = 0; i < d->ntraces; i++)
		for (size_t k = 0; k < d->trace[i].nproviders; k++)
			note_provider(out, d, d->trace[i].provider[k].name);
}

/* ---- for people */

static void
describe_trace(const struct sides *d, unsigned i, struct buf *out)
{
	const struct diff_trace	*tr = &d->trace[i];
	uint64_t		 events = 0;

	for (size_t k = 0; k < tr->nproviders; k++)
		events = add_u64(events, tr->provider[k].events);
	buf_printf(out, "%c  %s: ", diff_side(d, i) == 0 ? 'A' : 'B', tr->name);
	units_dur_short(out, i64_of(tr->seconds * 1e9), true);
	buf_puts(out, ", of a trace with ");
	buf_grouped(out, events);
	buf_puts(out, " events");
}

void
diff_about(struct sides *d, struct page *out)
{
	struct diff_notes	notes = { .n = 0 };
	size_t			count = 0;

	for (unsigned i = 0; i < d->ntraces; i++) {
		page_paragraph(out, TABLE_NO_ROW);
		describe_trace(d, i, &out->text);
	}
	diff_notes_make(&notes, d);
	for (size_t i = 0; i < notes.n; i++) {
		if (notes.v[i].text == NULL || count++ >= NOTES_SHOWN)
			continue;
		page_paragraph(out, TABLE_NO_ROW);
		buf_puts(&out->text, notes.v[i].text);
	}
	diff_notes_release(&notes);
	if (count > NOTES_SHOWN) {
		page_paragraph(out, TABLE_NO_ROW);
		buf_counts(&out->text, "And # more such difference{s}: --format jsonl has all.",
		    count - NOTES_SHOWN);
	}
	if (d->o.judging != DIFF_BY_NOISE)
		return;
	if (d->o.means) {
		page_paragraph(out, TABLE_NO_ROW);
		buf_puts(&out->text, "Values are the means of those in 20 parts of each window.");
		return;
	}
	page_paragraph(out, TABLE_NO_ROW);
	if (d->o.per == DIFF_PER_SPAN)
		buf_printf(&out->text, "Rates are per span %s.", d->o.span);
	else
		buf_puts(&out->text, per_text[d->o.per]);
	if (d->o.traces[0] > 1 && d->o.traces[1] > 1)
		buf_puts(&out->text, " Changes are beyond the noise between the recordings of a "
		    "side.");
	else
		buf_puts(&out->text, " Changes are beyond the noise within each recording; two "
		    "recordings of one program may differ by more.");
}
