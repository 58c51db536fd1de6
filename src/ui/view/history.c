/*
 * Where one was: places to go back and forward to.
 *
 *	back  a b c | here | d e  forward
 */
#include "ui/view/view.h"

#include <string.h>

#include "tnav/base/mem.h"

#define PLACES_MAX	200

static void
place_release(struct place *p)
{
	mem_free(p->filter);
	p->filter = NULL;
}

static void
places_clear(struct places *ps)
{
	for (size_t i = 0; i < ps->n; i++)
		place_release(&ps->v[i]);
	ps->n = 0;
}

static void
places_push(struct places *ps, struct place p)
{
	if (ps->n == PLACES_MAX) {
		place_release(&ps->v[0]);
		memmove(ps->v, ps->v + 1, (ps->n - 1) * sizeof *ps->v);
		ps->n--;
	}
	ps->v = mem_grow(ps->v, &ps->cap, ps->n + 1, sizeof *ps->v);
	ps->v[ps->n++] = p;
}

static struct place
place_here(const struct view *v)
{
	return (struct place){ .whole = v->whole, .from = v->from, .to = v->to,
	    .has_sel = v->has_sel, .ts = v->sel_ts, .off = v->sel_off,
	    .filter = v->filter != NULL ? mem_strdup(v->filter) : NULL };
}

/* Is the last of the places where one is already? */
static bool
stands_there(const struct view *v, const struct places *ps)
{
	const struct place	*top = ps->n > 0 ? &ps->v[ps->n - 1] : NULL;

	return top != NULL && top->whole == v->whole && top->from == v->from &&
	    top->to == v->to && top->ts == v->sel_ts && top->off == v->sel_off &&
	    (top->filter == NULL) == (v->filter == NULL) &&
	    (v->filter == NULL || strcmp(v->filter, top->filter) == 0);
}

void
view_remember(struct view *v)
{
	places_clear(&v->forward);
	if (!stands_there(v, &v->back))
		places_push(&v->back, place_here(v));
}

bool
view_take_place(struct view *v, bool forward, struct place *out)
{
	struct places	*from = forward ? &v->forward : &v->back;
	struct places	*to = forward ? &v->back : &v->forward;

	while (stands_there(v, from))	/* a jump that led nowhere */
		place_release(&from->v[--from->n]);
	if (from->n == 0)
		return false;
	places_push(to, place_here(v));
	*out = from->v[--from->n];
	return true;
}

void
view_history_release(struct view *v)
{
	places_clear(&v->back);
	places_clear(&v->forward);
	mem_free(v->back.v);
	mem_free(v->forward.v);
}
