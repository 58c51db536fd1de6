/* Threads queue for one lock. */
#include "analysis/diagnoses/exam.h"

#include "tnav/base/limits.h"

#define QUEUE		0.5		/* threads that wait for the lock, on average */
#define WAITS_A_SECOND	2.0
#define QUEUE_SAMPLED	1.0		/* the same, of locks that write no events */
#define ROUNDS		100.0

/* The threads that held this lock while others waited for it. */
static void
put_owners(const struct exam *e, double lock, struct buf *out)
{
	struct table	*t = exam_rows(e, "contention", "contention");
	unsigned	 of = exam_column(t, "lock"), owner = exam_column(t, "owner");
	struct groups	*owners = groups_new(sizeof(uint64_t), LIMIT_REPORT_GROUPS);
	size_t		 n;

	for (size_t i = 0; t != NULL && i < t->nrows; i++) {
		double	tid = exam_number_at(t, i, owner);

		if (tid > 0 && exam_number_at(t, i, of) == lock)
			(void)groups_get(owners, (uint64_t)tid, 0);
	}
	n = groups_n(owners);
	if (n == 1)
		buf_printf(out, " Thread %llu held it.",
		    (unsigned long long)groups_key(owners, 0).a);
	else if (n > 1)
		buf_counts(out, " # threads held it in turn.", n);
	groups_free(owners);
	table_free(t);
}

/* By samples: ReaderWriterLockSlim and SpinLock write no events. */
static bool
examine_samples(const struct exam *e, struct diagnosis *d)
{
	struct site	site;

	d->value = wall_threads(&e->wall, DOING_LOCK);
	if (e->wall.rounds < ROUNDS || d->value < QUEUE_SAMPLED ||
	    !wall_top(&e->wall, DOING_LOCK, &site))
		return false;
	d->share = d->value / (1 + d->value);
	d->certainty = LIKELY;
	wall_cause(&e->wall, &site, &d->cause);
	say(d, "{number} threads were waiting for locks at a time (mean, by samples), most of "
	    "them in {cause}.", d->value);
	evidence_site(d, e, &site);
	return true;
}

bool
examine_lock_convoy(const struct exam *e, struct diagnosis *d)
{
	struct table	*t = exam_rows(e, "contention", "byLock");
	size_t		 row;
	double		 waited, waits, threads, lock;
	struct site	 site;

	if (!exam_greatest(t, "total", &row)) {
		table_free(t);
		return examine_samples(e, d);
	}
	waited = exam_number(t, row, "total") / 1e9;
	waits = exam_number(t, row, "count");
	threads = exam_number(t, row, "threads");
	lock = exam_number(t, row, "lock");
	d->value = waited / e->seconds;
	if (d->value < QUEUE || waits < WAITS_A_SECOND * e->seconds) {
		table_free(t);
		return examine_samples(e, d);
	}
	d->share = d->value / (1 + d->value);
	say(d, "{number} threads were waiting for it at a time (mean): {count|wait|waits} of "
	    "{count|thread|threads} took {seconds} in total, the longest {seconds}.", d->value,
	    waits, threads, waited, exam_number(t, row, "max") / 1e9);
	table_free(t);
	if (wall_top(&e->wall, DOING_LOCK, &site)) {
		wall_cause(&e->wall, &site, &d->cause);
	} else {
		t = exam_rows(e, "contention", "bySite");
		if (exam_greatest(t, "total", &row))
			buf_span(&d->cause, exam_text(t, row, "site"));
		table_free(t);
	}
	if (d->cause.len > 0)
		say(d, " They wait in {cause}.");
	put_owners(e, lock, &d->text);
	return true;
}
