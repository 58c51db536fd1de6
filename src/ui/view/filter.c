/*
 * The filter as a list of terms that can be switched and named.
 *
 *	on   slow      dur > 5ms		filter = "dur > 5ms and tid = 25"
 *	off            name ~ GC/
 *	on             tid = 25
 *
 * Invariant: view.filter is what compose() makes from the list. An expression that was typed as a
 * whole is split at each "and" of its top level.
 */
#include "ui/view/filter.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "ui/view/view.h"

#define TERM_CELLS	44u	/* width of a term in messages */

static void
item_release(struct filter_item *it)
{
	mem_free(it->name);
	mem_free(it->text);
}

void
view_filter_release(struct view_filter *f)
{
	query_free(f->q);
	mem_free(f->text);
	mem_free(f->around);
	mem_free(f->taken.text);
	for (size_t i = 0; i < f->n; i++)
		item_release(&f->item[i]);
	mem_free(f->item);
}

static void
item_remove(struct view_filter *f, size_t i)
{
	item_release(&f->item[i]);
	memmove(&f->item[i], &f->item[i + 1],
	    (f->n - i - 1) * sizeof f->item[i]);
	f->n--;
	if (f->at >= f->n && f->at > 0)
		f->at--;
}

/* Is it an expression? activity: does it only ask for an activity? */
static bool
compiles(const char *text, size_t len, bool *activity)
{
	struct filter_error	 err = { 0 };
	struct filter		*f;
	bool			 good;

	good = filter_new(&f, text, len, NULL, false, 0, &err) == 0;
	*activity = good && filter_is_activity(f);
	filter_free(f);
	filter_error_release(&err);
	return good;
}

static void
item_add(struct view_filter *f, const char *text, size_t len, bool on)
{
	if (f->n == FILTERS_MAX)
		item_remove(f, 0);
	f->item = mem_grow(f->item, &f->cap, f->n + 1, sizeof *f->item);
	f->item[f->n] = (struct filter_item){ .on = on, .text = mem_strndup(text, len) };
	(void)compiles(text, len, &f->item[f->n].activity);
	f->at = f->n++;
}

/* ---- splitting an expression */

static void
trim(const char **s, size_t *len)
{
	while (*len > 0 && strchr(" \t", **s) != NULL) {
		(*s)++;
		(*len)--;
	}
	while (*len > 0 && strchr(" \t", (*s)[*len - 1]) != NULL)
		(*len)--;
}

typedef void	(*part_fn)(struct view_filter *f, const char *s, size_t len);

/* Calls fn for each term of the top level; for the whole if there are too many. */
static void
each_part(struct view_filter *f, const char *s, part_fn fn)
{
	struct filter_terms	t;
	size_t			len = strlen(s);

	if (!filter_terms(&t, s, len) || t.n > FILTERS_MAX) {
		trim(&s, &len);
		fn(f, s, len);
	} else {
		for (size_t i = 0; i < t.n; i++)
			fn(f, s + t.v[i].begin, t.v[i].end - t.v[i].begin);
	}
	filter_terms_release(&t);
}

/* ---- the list and the expression */

/* Join the terms that are on, with or without those that ask for an activity. Returns the number
   of the latter. */
static size_t
join(const struct view_filter *f, bool activities, struct buf *out)
{
	const char	**on = mem_zalloc(f->n + 1, sizeof *on);
	size_t		  n = 0, left_out = 0;

	for (size_t i = 0; i < f->n && !f->off; i++) {
		if (!f->item[i].on)
			continue;
		left_out += f->item[i].activity;
		if (activities || !f->item[i].activity)
			on[n++] = f->item[i].text;
	}
	filter_join(out, on, n);
	mem_free(on);
	return left_out;
}

/* An empty result means no filter. */
static void
compose(const struct view_filter *f, struct buf *out)
{
	(void)join(f, true, out);
}

static void
around_make(struct view_filter *f)
{
	struct buf	b = { 0 };
	size_t		left_out;

	left_out = join(f, false, &b);
	mem_free(f->around);
	f->around = left_out > 0 ? mem_strdup(buf_str(&b)) : NULL;
	buf_release(&b);
}

/* The term with this text, of which there is at most one; or NULL. */
static struct filter_item *
item_find(struct view_filter *f, const char *s, size_t len)
{
	for (size_t i = 0; i < f->n; i++)
		if (strlen(f->item[i].text) == len && memcmp(f->item[i].text, s, len) == 0)
			return &f->item[i];
	return NULL;
}

/* Switch the term on. If it is not in the list yet, add it. */
static void
switch_on(struct view_filter *f, const char *s, size_t len)
{
	struct filter_item	*it = item_find(f, s, len);

	if (it != NULL)
		it->on = true;
	else
		item_add(f, s, len, true);
}

void
view_filter_sync(struct view_filter *f)
{
	struct buf	b = { 0 };
	bool		same;

	compose(f, &b);
	same = strcmp(buf_str(&b), f->text != NULL ? f->text : "") == 0;
	buf_release(&b);
	if (same) {
		around_make(f);
		return;
	}
	f->off = false;
	for (size_t i = 0; i < f->n; i++) {
		f->item[i].was_on = f->item[i].on;
		f->item[i].on = false;
	}
	if (f->text != NULL)
		each_part(f, f->text, switch_on);
	/* A term with a name, or one that the user switched off, stays in the list. */
	for (size_t i = f->n; i-- > 0;)
		if (!f->item[i].on && f->item[i].was_on && f->item[i].name == NULL)
			item_remove(f, i);
	around_make(f);
}

bool
view_filter_again(const struct view *v, struct filter **out)
{
	*out = NULL;
	if (v->filter.text == NULL)
		return true;
	*out = view_compile(v, span_of(v->filter.text), v->filter.now_ns, NULL);
	return *out != NULL;
}

bool
view_set_filter(struct view *v, const char *text)
{
	struct filter_error	 err = { 0 };
	struct filter		*f = NULL;
	bool			 none = text == NULL || text[strspn(text, " \t")] == '\0';
	int			 r;

	r = none ? 0 : filter_new(&f, text, strlen(text), v->t, v->complete, view_now_ns(v), &err);
	filter_free(f);
	if (r < 0)
		view_refuse(v, "filter, column %zu: %s", filter_error_column(&err, text),
		    buf_str(&err.text));
	else if (!none && err.text.len > 0)
		view_say(v, "%s", buf_str(&err.text));
	filter_error_release(&err);
	if (r < 0)
		return false;
	view_remember(v);
	mem_free(v->filter.text);
	v->filter.text = none ? NULL : mem_strdup(text);
	v->filter.now_ns = view_now_ns(v);
	view_filter_sync(&v->filter);
	view_list_changed(v, ASK_ANEW);
	return true;
}

/* The list has changed: change the filter. */
static bool
apply(struct view *v)
{
	struct buf	b = { 0 };
	bool		good;

	compose(&v->filter, &b);
	good = view_set_filter(v, buf_str(&b));
	buf_release(&b);
	return good;
}

bool
view_filter_add(struct view *v, const char *term)
{
	struct filter_item	*it;
	struct buf		 b = { 0 };
	bool			 good, was_on;
	size_t			 len = strlen(term);

	trim(&term, &len);
	if (!compiles(term, len, &good)) {
		buf_add(&b, term, len);
		(void)view_set_filter(v, len > 0 ? buf_str(&b) : "=");	/* a message says why not */
		buf_release(&b);
		return false;
	}
	v->filter.off = false;
	it = item_find(&v->filter, term, len);
	was_on = it != NULL && it->on;
	switch_on(&v->filter, term, len);
	good = apply(v);
	if (!good && it != NULL)
		it->on = was_on;
	else if (!good)
		item_remove(&v->filter, v->filter.n - 1);
	return good;
}

/* The number of events in the list, if it is known. */
static bool
count_shown(const struct view *v, uint64_t *n)
{
	*n = v->window.row1 - v->window.row0;
	if (v->filter.q != NULL)
		*n = query_hits(v->filter.q);
	return v->complete && (v->filter.q == NULL || query_done(v->filter.q));
}

void
view_filter_tell(struct view *v)
{
	struct filter_taken	*t = &v->filter.taken;
	uint64_t		 n;
	bool			 stands = t->text != NULL && strcmp(t->text,
				    buf_str(&v->message)) == 0;

	if (stands && !v->stopped && !count_shown(v, &n))
		return;
	if (stands && count_shown(v, &n)) {
		if (t->before > 0)
			n = t->before - n;
		buf_counts(&v->message, ", # event{s}", n);
	}
	mem_free(t->text);
	t->text = NULL;
}

/* A long term is cut, so that the number after it is visible. */
static void
say_term(struct view *v, const char *term, bool exclude)
{
	view_say(v, exclude ? "excluded " : "included ");
	(void)text_clean(&v->message, span_of(term), TEXT_UTF8, TERM_CELLS);
}

void
view_filter_take(struct view *v, const char *term, bool exclude)
{
	struct buf	expr = { 0 };
	uint64_t	before;
	bool		known = count_shown(v, &before), good;

	if (exclude)
		filter_negate(&expr, term);
	else
		buf_puts(&expr, term);
	good = view_filter_add(v, buf_str(&expr));
	buf_release(&expr);
	if (!good || v->message.len > 0)	/* there was a message already */
		return;
	say_term(v, term, exclude);
	mem_free(v->filter.taken.text);
	v->filter.taken.text = NULL;
	if (exclude && !known)
		return;
	v->filter.taken = (struct filter_taken){ .text = mem_strdup(buf_str(&v->message)),
	    .before = exclude ? before : 0 };
	view_filter_tell(v);
}

bool
view_filter_add_off(struct view *v, const char *term)
{
	struct filter_item	*it;
	size_t			 len = strlen(term);
	bool			 activity;

	trim(&term, &len);
	if (!compiles(term, len, &activity))
		return false;
	it = item_find(&v->filter, term, len);
	if (it == NULL)
		item_add(&v->filter, term, len, false);
	else
		v->filter.at = (size_t)(it - v->filter.item);
	return true;
}

/* A copy of which terms are on, to restore it. Free it with mem_free(). */
static bool *
switches(const struct view_filter *f)
{
	bool	*on = mem_alloc(f->n + 1);

	for (size_t i = 0; i < f->n; i++)
		on[i] = f->item[i].on;
	on[f->n] = f->off;
	return on;
}

/* Apply the terms that are on. If that fails, restore `before`. Frees it. */
static bool
apply_or(struct view *v, bool *before)
{
	struct view_filter	*f = &v->filter;
	bool			 good = apply(v);

	if (!good) {
		for (size_t i = 0; i < f->n; i++)
			f->item[i].on = before[i];
		f->off = before[f->n];
	}
	mem_free(before);
	return good;
}

bool
view_filter_toggle(struct view *v, size_t i)
{
	bool	*before = switches(&v->filter);

	if (v->filter.off) {		/* the first term that is switched on again is the only
					   one */
		for (size_t k = 0; k < v->filter.n; k++)
			v->filter.item[k].on = false;
		v->filter.off = false;
	}
	v->filter.item[i].on = !v->filter.item[i].on;
	return apply_or(v, before);
}

bool
view_filter_delete(struct view *v, size_t i)
{
	item_remove(&v->filter, i);
	return apply(v);
}

bool
view_filter_drop(struct view *v)
{
	for (size_t i = v->filter.n; i-- > 0;)
		if (v->filter.item[i].on)
			return view_filter_delete(v, i);
	return false;
}

bool
view_filters_toggle_all(struct view *v)
{
	bool	any = false, *before;

	for (size_t i = 0; i < v->filter.n; i++)
		any |= v->filter.item[i].on;
	if (v->filter.n == 0)
		return false;
	before = switches(&v->filter);
	if (!any)			/* if none is on by itself: all */
		for (size_t i = 0; i < v->filter.n; i++)
			v->filter.item[i].on = true;
	v->filter.off = any && !v->filter.off;
	return apply_or(v, before);
}

void
view_filter_name(struct view_filter *f, size_t i, const char *name)
{
	mem_free(f->item[i].name);
	f->item[i].name = name[0] != '\0' ? mem_strdup(name) : NULL;
}
