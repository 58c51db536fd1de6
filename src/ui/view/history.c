/*
 * The history: places to go back and forward to.
 *
 *	back  a b c | here | d e  forward
 */

#include "ui/view/history.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "ui/view/view.h"

#define PLACES_MAX	200

static void
place_release(struct position *p)
{
	mem_free(p->filter);
	p->filter = NULL;
}

static void
places_clear(struct positions *ps)
{
	for (size_t i = 0; i < ps->n; i++)
		place_release(&ps->v[i]);
	ps->n = 0;
}

static void
places_push(struct positions *ps, struct position p)
{
	if (ps->n == PLACES_MAX) {
		place_release(&ps->v[0]);
		memmove(ps->v, ps->v + 1, (ps->n - 1) * sizeof *ps->v);
		ps->n--;
	}
	ARRAY_ADD(ps->v, ps->n, ps->cap, p);
}

static struct position
place_here(const struct view *v)
{
	return (struct position){ .whole = v->window.whole, .from = v->window.from,
	    .to = v->window.to, .has_sel = v->sel.has, .ts = v->sel.ts, .off = v->sel.off,
	    .filter = v->filter.text != NULL ? mem_strdup(v->filter.text) : NULL };
}

/* Is the last of these places the current one? */
static bool
stands_there(const struct view *v, const struct positions *ps)
{
	const struct position	*top = ps->n > 0 ? &ps->v[ps->n - 1] : NULL;

	return top != NULL && top->whole == v->window.whole && top->from == v->window.from &&
	    top->to == v->window.to && top->ts == v->sel.ts && top->off == v->sel.off &&
	    text_same(v->filter.text, top->filter);
}

void
view_remember(struct view *v)
{
	places_clear(&v->history.forward);
	if (!stands_there(v, &v->history.back))
		places_push(&v->history.back, place_here(v));
}

bool
view_take_place(struct view *v, bool forward, struct position *out)
{
	struct positions	*from = forward ? &v->history.forward : &v->history.back;
	struct positions	*to = forward ? &v->history.back : &v->history.forward;

	while (stands_there(v, from))	/* a jump that did not move */
		place_release(&from->v[--from->n]);
	if (from->n == 0)
		return false;
	places_push(to, place_here(v));
	*out = from->v[--from->n];
	return true;
}

void
view_history_release(struct view_history *h)
{
	places_clear(&h->back);
	places_clear(&h->forward);
	mem_free(h->back.v);
	mem_free(h->forward.v);
}
