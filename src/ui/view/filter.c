/*
 * The filter as a list of terms that can be switched and named.
 *
 *	on   slow      dur > 5ms		filter = "dur > 5ms and tid = 25"
 *	off            name ~ GC/
 *	on             tid = 25
 *
 * Invariant: view.filter is what compose() makes of the list, whoever changed which of the two: an
 * expression typed as a whole is parted where its top level has "and".
 */
#include <string.h>

#include "tnav/base/mem.h"
#include "ui/view/view.h"


static void
item_release(struct filter_item *it)
{
	mem_free(it->name);
	mem_free(it->text);
}

void
view_filters_release(struct view *v)
{
	for (size_t i = 0; i < v->nfilters; i++)
		item_release(&v->filters[i]);
	mem_free(v->filters);
}

static void
item_remove(struct view *v, size_t i)
{
	item_release(&v->filters[i]);
	memmove(&v->filters[i], &v->filters[i + 1],
	    (v->nfilters - i - 1) * sizeof v->filters[i]);
	v->nfilters--;
	if (v->filter_at >= v->nfilters && v->filter_at > 0)
		v->filter_at--;
}

static void
item_add(struct view *v, const char *text, size_t len, bool on)
{
	if (v->nfilters == FILTERS_MAX)
		item_remove(v, 0);
	v->filters = mem_grow(v->filters, &v->filters_cap, v->nfilters + 1, sizeof *v->filters);
	v->filters[v->nfilters] = (struct filter_item){ .on = on, .text = mem_strndup(text, len) };
	v->filter_at = v->nfilters++;
}

/* ---- parting an expression */

static bool
compiles(const char *text, size_t len)
{
	struct filter_error	 err;
	struct filter		*f;
	bool			 good;

	filter_error_init(&err);
	good = filter_new(&f, text, len, NULL, false, 0, &err) == 0;
	filter_free(f);
	filter_error_release(&err);
	return good;
}

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

typedef void	(*part_fn)(struct view *v, const char *s, size_t len);

/* Each term of the top level; the whole if these would be too many for a list. */
static void
each_part(struct view *v, const char *s, part_fn fn)
{
	struct filter_terms	t;
	size_t			len = strlen(s);

	if (!filter_terms(&t, s, len) || t.n > FILTERS_MAX) {
		trim(&s, &len);
		fn(v, s, len);
	} else {
		for (size_t i = 0; i < t.n; i++)
			fn(v, s + t.v[i].begin, t.v[i].end - t.v[i].begin);
	}
	filter_terms_release(&t);
}

/* ---- the list and the expression */

/* What all that is on says together; nothing in out: no filter. */
static void
compose(const struct view *v, struct buf *out)
{
	const char	**on = mem_zalloc(v->nfilters + 1, sizeof *on);
	size_t		  n = 0;

	for (size_t i = 0; i < v->nfilters && !v->filters_off; i++)
		if (v->filters[i].on)
			on[n++] = v->filters[i].text;
	filter_join(out, on, n);
	mem_free(on);
}

/* The term of that text, which the list has once; NULL: it has none. */
static struct filter_item *
find_item(struct view *v, const char *s, size_t len)
{
	for (size_t i = 0; i < v->nfilters; i++) {
		if (strlen(v->filters[i].text) == len && memcmp(v->filters[i].text, s, len) == 0) {
			v->filter_at = i;
			return &v->filters[i];
		}
	}
	return NULL;
}

/* The term in the list; NULL: it is not there. */
static struct filter_item *
item_find(struct view *v, const char *s, size_t len)
{
	for (size_t i = 0; i < v->nfilters; i++)
		if (strlen(v->filters[i].text) == len && memcmp(v->filters[i].text, s, len) == 0)
			return &v->filters[i];
	return NULL;
}

/* Is the term in the list? Then on it goes. */
static void
switch_on(struct view *v, const char *s, size_t len)
{
	struct filter_item	*it = item_find(v, s, len);

	if (it != NULL)
		it->on = true;
	else
		item_add(v, s, len, true);
}

void
view_filters_sync(struct view *v)
{
	struct buf	b;
	bool		same;

	buf_init(&b);
	compose(v, &b);
	same = strcmp(buf_str(&b), v->filter != NULL ? v->filter : "") == 0;
	buf_release(&b);
	if (same)
		return;
	v->filters_off = false;
	for (size_t i = 0; i < v->nfilters; i++)
		v->filters[i].was_on = v->filters[i].on, v->filters[i].on = false;
	if (v->filter != NULL)
		each_part(v, v->filter, switch_on);
	/* A term that has a name, or was switched off by hand, is kept for later. */
	for (size_t i = v->nfilters; i-- > 0;)
		if (!v->filters[i].on && v->filters[i].was_on && v->filters[i].name == NULL)
			item_remove(v, i);
}

bool
view_set_filter(struct view *v, const char *text)
{
	struct filter_error	 err;
	struct filter		*f = NULL;
	bool			 none = text == NULL || text[strspn(text, " \t")] == '\0';
	int			 r;

	filter_error_init(&err);
	r = none ? 0 : filter_new(&f, text, strlen(text), v->t, v->complete, view_now_ns(v), &err);
	filter_free(f);
	if (r < 0)
		view_say(v, "filter, column %zu: %s", filter_error_column(&err, text),
		    buf_str(&err.text));
	else if (!none && err.text.len > 0)
		view_say(v, "%s", buf_str(&err.text));
	filter_error_release(&err);
	if (r < 0)
		return false;
	view_remember(v);
	mem_free(v->filter);
	v->filter = none ? NULL : mem_strdup(text);
	view_filters_sync(v);
	view_window_changed(v);
	return true;
}

/* The list has changed: so does the filter. */
static bool
apply(struct view *v)
{
	struct buf	b;
	bool		good;

	buf_init(&b);
	compose(v, &b);
	good = view_set_filter(v, buf_str(&b));
	buf_release(&b);
	return good;
}

bool
view_filter_add(struct view *v, const char *term)
{
	struct filter_item	*it;
	struct buf		 b;
	bool			 good, was_on;
	size_t			 len = strlen(term);

	trim(&term, &len);
	if (!compiles(term, len)) {
		buf_init(&b);
		buf_add(&b, term, len);
		(void)view_set_filter(v, len > 0 ? buf_str(&b) : "=");	/* it says why not */
		buf_release(&b);
		return false;
	}
	v->filters_off = false;
	it = item_find(v, term, len);
	was_on = it != NULL && it->on;
	switch_on(v, term, len);
	good = apply(v);
	if (!good && it != NULL)
		it->on = was_on;
	else if (!good)
		item_remove(v, v->nfilters - 1);
	return good;
}

bool
view_filter_add_off(struct view *v, const char *term)
{
	size_t	len = strlen(term);

	trim(&term, &len);
	if (!compiles(term, len))
		return false;
	if (find_item(v, term, len) == NULL)
		item_add(v, term, len, false);
	return true;
}

bool
view_filter_toggle(struct view *v, size_t i)
{
	if (i >= v->nfilters)
		return false;
	if (v->filters_off) {		/* the first that is wanted again is the only one */
		for (size_t k = 0; k < v->nfilters; k++)
			v->filters[k].on = false;
		v->filters_off = false;
	}
	v->filters[i].on = !v->filters[i].on;
	return apply(v);
}

bool
view_filter_delete(struct view *v, size_t i)
{
	if (i >= v->nfilters)
		return false;
	item_remove(v, i);
	return apply(v);
}

bool
view_filter_drop(struct view *v)
{
	for (size_t i = v->nfilters; i-- > 0;)
		if (v->filters[i].on)
			return view_filter_delete(v, i);
	return false;
}

bool
view_filters_toggle_all(struct view *v)
{
	bool	any = false;

	for (size_t i = 0; i < v->nfilters; i++)
		any |= v->filters[i].on;
	if (v->nfilters == 0)
		return false;
	if (!any)			/* none is on by itself: all */
		for (size_t i = 0; i < v->nfilters; i++)
			v->filters[i].on = true;
	v->filters_off = any && !v->filters_off;
	return apply(v);
}

void
view_filter_name(struct view *v, size_t i, const char *name)
{
	mem_free(v->filters[i].name);
	v->filters[i].name = name[0] != '\0' ? mem_strdup(name) : NULL;
}
