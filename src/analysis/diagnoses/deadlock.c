/*
 * A circle of waits that never ends.
 *
 *	thread 7 waits for a lock of thread 8, which waits for a lock of thread 7
 *
 * The waits are open at the end, and each owner waits, too. Where no events tell of waits, threads
 * that never did anything else than wait for a lock may be in one.
 */
#include "analysis/diagnoses/exam.h"

#include <string.h>

#include "tnav/base/mem.h"

#define WAITS_MOST	65536u
#define LONG_S		0.5		/* a circle may pass that is younger */
#define ROUNDS		200.0		/* samples that show that nothing moves */
#define STUCK		0.998

struct open_wait {
	uint64_t	tid, owner;
	double		start;		/* ns */
	struct span	site;
	size_t		next;		/* the owner's wait; NO_WAIT: it does not wait */
	size_t		seen;		/* number of the search that came here; 0: none */
};
#define NO_WAIT		SIZE_MAX

static size_t
read_waits(const struct table *t, struct open_wait *v)
{
	unsigned	state = exam_column(t, "state"), tid = exam_column(t, "tid");
	unsigned	owner = exam_column(t, "owner"), start = exam_column(t, "start");
	unsigned	site = exam_column(t, "site");
	size_t		n = 0;

	for (size_t i = 0; t != NULL && i < t->nrows && n < WAITS_MOST; i++) {
		if (!spans_equal(exam_text_at(t, i, state), span_of("open")))
			continue;
		v[n] = (struct open_wait){ .tid = (uint64_t)exam_number_at(t, i, tid),
		    .owner = (uint64_t)exam_number_at(t, i, owner),
		    .start = exam_number_at(t, i, start), .site = exam_text_at(t, i, site) };
		n += v[n].tid != 0 && v[n].owner != 0;
	}
	return n;
}

/* Each wait leads to the last one of its owner. */
static void
link_waits(struct open_wait *v, size_t n)
{
	struct groups	*last = groups_new(sizeof(size_t), WAITS_MOST);
	size_t		*at;

	for (size_t i = 0; i < n; i++)
		if ((at = groups_get(last, v[i].tid, 0)) != NULL)
			*at = i + 1;
	for (size_t i = 0; i < n; i++) {
		at = groups_find(last, v[i].owner, 0);
		v[i].next = at != NULL ? *at - 1 : NO_WAIT;
	}
	groups_free(last);
}

/* A wait in a circle, or NO_WAIT. Each wait is passed once. */
static size_t
find_circle(struct open_wait *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t	at = i;

		while (at != NO_WAIT && v[at].seen == 0) {
			v[at].seen = i + 1;
			at = v[at].next;
		}
		if (at != NO_WAIT && v[at].seen == i + 1)
			return at;
	}
	return NO_WAIT;
}

static void
put_wait(struct diagnosis *d, const struct open_wait *w, uint64_t number)
{
	struct buf	where = { 0 };

	buf_printf(&where, "hread %llu", (unsigned long long)w->tid);
	buf_printf(&d->cause, "%st", number > 0 ? "; " : "");
	buf_span(&d->cause, span_of_buf(&where));
	buf_puts(&d->cause, w->site.len > 0 ? " in " : "");
	buf_span(&d->cause, w->site);
	buf_printf(&d->text, "%sT", number > 0 ? " " : "");
	buf_span(&d->text, span_of_buf(&where));
	buf_puts(&d->text, w->site.len > 0 ? " waits in " : " waits");
	buf_span(&d->text, w->site);
	buf_printf(&d->text, " for a lock that thread %llu holds.", (unsigned long long)w->owner);
	buf_release(&where);
}

#define NAMED_MOST	8u

/* Returns the number of waits in the circle. */
static uint64_t
put_circle(struct diagnosis *d, const struct open_wait *v, size_t from)
{
	size_t		at = from;
	uint64_t	n = 0;

	do {
		if (n < NAMED_MOST)
			put_wait(d, &v[at], n);
		if (v[at].start > (double)d->since)
			d->since = (int64_t)v[at].start;
		n++;
		at = v[at].next;
	} while (at != from);
	if (n > NAMED_MOST)
		say(d, " {count} more wait likewise.", (double)(n - NAMED_MOST));
	return n;
}

/* Append the name of a method, once. One name may be a part of another. */
static void
put_method(const struct exam *e, uint32_t label, struct buf *names)
{
	struct buf	name = { 0 }, list = { 0 }, item = { 0 };

	wall_name(&e->wall, label, false, &name);
	buf_printf(&list, "; %s; ", buf_str(names));
	buf_printf(&item, "; %s; ", buf_str(&name));
	if (strstr(buf_str(&list), buf_str(&item)) == NULL) {
		buf_puts(names, names->len > 0 ? "; " : "");
		buf_span(names, span_of_buf(&name));
	}
	buf_release(&name);
	buf_release(&list);
	buf_release(&item);
}

/* Threads that wait for locks in all samples. */
static bool
examine_samples(const struct exam *e, struct diagnosis *d)
{
	uint64_t	stuck = 0;

	for (size_t i = 0; i < e->wall.nthreads; i++) {
		const struct wall_thread	*x = &e->wall.thread[i];

		if (x->all < ROUNDS || x->doing[DOING_LOCK] < STUCK * x->all)
			continue;
		if (x->lock_own != LABEL_NONE)
			put_method(e, x->lock_own, &d->cause);
		stuck++;
	}
	if (stuck < 2)
		return false;
	d->certainty = POSSIBLE;
	d->value = (double)stuck;
	say(d, "{count} threads waited for a lock in every sample", d->value);
	say(d, d->cause.len > 0 ? ", in {cause}" : "");
	say(d, ". They waited before the recording began, so that it doesn't tell which threads "
	    "own the locks.");
	evidence_report(d, "samples", NULL);
	return true;
}

bool
examine_deadlock(const struct exam *e, struct diagnosis *d)
{
	struct table		*t = exam_rows(e, "contention", "contention");
	struct open_wait	*v = mem_zalloc(WAITS_MOST, sizeof *v);
	size_t			 n = read_waits(t, v), at;
	bool			 ill = false;

	d->share = 1;
	link_waits(v, n);
	at = find_circle(v, n);
	if (at != NO_WAIT) {
		d->value = (double)put_circle(d, v, at);
		ill = (double)e->last - (double)d->since >= LONG_S * 1e9;
	}
	mem_free(v);
	table_free(t);
	return at != NO_WAIT ? ill : n == 0 && examine_samples(e, d);
}
