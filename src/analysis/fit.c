/*
 * Choosing columns for the room that there is.
 *
 *	all --what is the same in all rows, bars, by rank--> words cut --without rank--> names cut
 *
 * What is the same in all rows, and bars, go for names of up to NAMES_WIDE cells, others only for
 * what is needed to tell names apart.
 *
 * Each step ends as soon as the rest fits. Numbers are never cut.
 */
#include "tnav/analysis/fit.h"

#include <limits.h>
#include <stddef.h>

#define WORDS_NARROW	12	/* words are not cut below this while columns can be left out */
#define NAMES_WIDE	40	/* names get this before other words get more */
#define CUT_LEAST	4	/* nothing is cut below this */

struct fitting {
	struct fit_column	*c;
	unsigned		 n;
	int			 room, between;
	int			 words, names;	/* greatest widths */
	bool			 bare;		/* without bars */
	bool			 wide;		/* names in full, or NAMES_WIDE of them */
};

static int
width_of(const struct fitting *f, unsigned i)
{
	const struct fit_column	*c = &f->c[i];
	int			 most = c->flags & FIT_NAMES ? f->names : f->words;

	if (f->bare && c->bare > 0)
		return c->bare;
	if (f->wide && c->flags & FIT_NAMES && c->full > c->least)
		return c->full < NAMES_WIDE || c->least > NAMES_WIDE ? c->full : NAMES_WIDE;
	return c->flags & FIT_WORDS && c->least > most ? most : c->least;
}

static int
left(const struct fitting *f)
{
	int	room = f->room + f->between;

	for (unsigned i = 0; i < f->n; i++)
		if (f->c[i].in)
			room -= width_of(f, i) + f->between;
	return room;
}

static bool
may_go(const struct fit_column *c)
{
	return c->in && (c->flags & (FIT_NAMES | FIT_STAYS)) == 0;
}

/* The last one of the greatest rank, of those with this rank or more that have a flag (0: of all);
   f->n: none. */
static unsigned
of_greatest_rank(const struct fitting *f, unsigned flag, unsigned rank)
{
	unsigned	found = f->n;

	for (unsigned i = 0; i < f->n; i++)
		if (may_go(&f->c[i]) && (f->c[i].flags & flag) == flag && f->c[i].rank >= rank &&
		    (found == f->n || f->c[i].rank >= f->c[found].rank))
			found = i;
	return found;
}

/* The last one without a rank, but times before durations; f->n: none. */
static unsigned
last_unranked(const struct fitting *f)
{
	unsigned	found = f->n;

	for (unsigned i = f->n; i-- > 0; ) {
		if (!may_go(&f->c[i]))
			continue;
		if (found == f->n)
			found = i;
		if (f->c[found].flags & FIT_DUR && f->c[i].flags & FIT_TIME)
			return i;
	}
	return found;
}

static void
leave_out(struct fitting *f, unsigned flag, unsigned rank)
{
	for (unsigned i; left(f) < 0 && (i = of_greatest_rank(f, flag, rank)) < f->n; )
		f->c[i].in = false;
}

static void
cut(const struct fitting *f, int *most, int least)
{
	for (*most = f->room; *most > least && left(f) < 0; )
		(*most)--;
}

static void
choose(struct fitting *f)
{
	leave_out(f, FIT_EXTRA, 0);
	f->wide = true;
	leave_out(f, FIT_SAME, 0);
	f->wide = false;
	f->bare = left(f) < 0;
	leave_out(f, 0, 1);
	cut(f, &f->words, WORDS_NARROW);
	for (unsigned i; left(f) < 0 && (i = last_unranked(f)) < f->n; )
		f->c[i].in = false;
	cut(f, &f->words, CUT_LEAST);
	f->wide = true;
	f->bare |= left(f) < 0;
	leave_out(f, FIT_BARS, 0);
	f->wide = false;
	cut(f, &f->names, CUT_LEAST);
}

static bool
may_widen(const struct fit_column *c)
{
	return (c->flags & FIT_REST) == 0 || c->flags & FIT_NAMES;
}

/* The narrowest column that needs more width, names first; NULL: none. */
static struct fit_column *
narrowest(const struct fitting *f)
{
	struct fit_column	*least = NULL;
	int			 least_w = INT_MAX;

	for (unsigned i = 0; i < f->n; i++) {
		struct fit_column	*c = &f->c[i];
		bool			 first = c->flags & FIT_NAMES && c->w < NAMES_WIDE;
		int			 w = first ? c->w - f->room : c->w;

		if (c->in && c->w < c->full && c->bare == 0 && may_widen(c) &&
		    w < least_w) {
			least = c;
			least_w = w;
		}
	}
	return least;
}

int
fit_columns(struct fit_column *c, unsigned n, int room, int between)
{
	struct fitting		 f = { c, n, room, between, room, room, false, false };
	struct fit_column	*at;
	int			 more;

	choose(&f);
	more = left(&f);
	for (unsigned i = 0; i < n; i++)
		c[i].w = c[i].in ? width_of(&f, i) : 0;
	for (at = narrowest(&f); at != NULL && more > 0; at = narrowest(&f)) {
		at->w++;
		more--;
	}
	for (unsigned i = 0; i < n; i++) {
		if (!c[i].in || c[i].bare == 0 || c[i].full - c[i].w > more)
			continue;
		more -= c[i].full - c[i].w;
		c[i].w = c[i].full;
	}
	return more > 0 ? more : 0;
}
