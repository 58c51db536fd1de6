/*
 * JSON and key=value text as members.
 *
 *	{"a":[1,2],"b":"x"}	->	0 a (opens)  1 1  1 2  0 b x
 *	user=7;path=/x		->	0 user 7  0 path /x
 *
 * A text is walked twice: first to check that all of it is well-formed, then to pass on its
 * members. So nobody gets half a tree. Depth and number of members are limited.
 */
#include "ui/pane/text_tree.h"

#include <string.h>

#define DEPTH_MAX	16u
#define MEMBERS_MAX	500u
#define TEXT_MAX	65536u

struct text_walk {
	const uint8_t	*p, *end;
	text_tree_fn	 fn;		/* NULL: only check */
	void		*arg;
	unsigned	 members;
};

static const struct span	nothing = { (const uint8_t *)"", 0 };

static void
give(struct text_walk *w, unsigned depth, struct span key, struct span value, bool opens)
{
	if (w->members++ < MEMBERS_MAX && w->fn != NULL)
		w->fn(w->arg, depth, key, value, opens);
}

static void
skip_blanks(struct text_walk *w)
{
	while (w->p < w->end && (*w->p == ' ' || *w->p == '\t' || *w->p == '\n' || *w->p == '\r'))
		w->p++;
}

static bool
take(struct text_walk *w, char c)
{
	skip_blanks(w);
	if (w->p == w->end || *w->p != (uint8_t)c)
		return false;
	w->p++;
	return true;
}

/* The text between the quotes, with its escapes. */
static bool
json_string(struct text_walk *w, struct span *out)
{
	const uint8_t	*from;

	if (!take(w, '"'))
		return false;
	for (from = w->p; w->p < w->end && *w->p != '"'; w->p++) {
		if (*w->p < ' ')
			return false;
		if (*w->p == '\\' && ++w->p == w->end)
			return false;
	}
	*out = (struct span){ from, (size_t)(w->p - from) };
	return take(w, '"');
}

static bool
json_word(struct text_walk *w, struct span *out)
{
	const uint8_t	*from = w->p;

	while (w->p < w->end && *w->p != '\0' && strchr("+-.0123456789eEtrufalsn", *w->p) != NULL)
		w->p++;
	*out = (struct span){ from, (size_t)(w->p - from) };
	return out->len > 0;
}

static bool	json_members(struct text_walk *w, unsigned depth, char close);

static bool
json_value(struct text_walk *w, unsigned depth, struct span key)
{
	struct span	s;
	char		c;

	skip_blanks(w);
	if (w->p == w->end || depth >= DEPTH_MAX)
		return false;
	c = (char)*w->p;
	if (c == '{' || c == '[') {
		w->p++;
		give(w, depth, key, nothing, true);
		return json_members(w, depth + 1, c == '{' ? '}' : ']');
	}
	if (c == '"' ? !json_string(w, &s) : !json_word(w, &s))
		return false;
	give(w, depth, key, s, false);
	return true;
}

static bool
json_members(struct text_walk *w, unsigned depth, char close)
{
	struct span	key = nothing;

	if (take(w, close))
		return true;
	do {
		if (close == '}' && (!json_string(w, &key) || !take(w, ':')))
			return false;
		if (!json_value(w, depth, key))
			return false;
	} while (take(w, ','));
	return take(w, close);
}

static bool
json(struct text_walk *w)
{
	skip_blanks(w);
	if (take(w, '{')) {
		if (!json_members(w, 0, '}'))
			return false;
	} else if (!take(w, '[') || !json_members(w, 0, ']')) {
		return false;
	}
	skip_blanks(w);
	return w->p == w->end;
}

/* ---- key=value */

static bool
is_key(struct span s)
{
	for (size_t i = 0; i < s.len; i++) {
		uint8_t	c = s.p[i];

		if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    c == '_' || c == '-' || c == '.'))
			return false;
	}
	return s.len > 0 && s.len <= 64;
}

/* Are all parts between these separators pairs, and at least two? */
static bool
pairs(struct text_walk *w, char sep)
{
	unsigned	n = 0;

	while (w->p < w->end) {
		const uint8_t	*to = memchr(w->p, sep, (size_t)(w->end - w->p)), *eq;
		struct span	 key;

		to = to != NULL ? to : w->end;
		while (w->p < to && *w->p == ' ')
			w->p++;
		eq = w->p < to ? memchr(w->p, '=', (size_t)(to - w->p)) : NULL;
		if (eq == NULL && w->p < to)
			return false;
		if (eq != NULL) {
			key = (struct span){ w->p, (size_t)(eq - w->p) };
			if (!is_key(key))
				return false;
			give(w, 0, key, (struct span){ eq + 1, (size_t)(to - eq - 1) }, false);
			n++;
		}
		w->p = to < w->end ? to + 1 : to;
	}
	return n >= 2;
}

bool
text_tree(struct span text, text_tree_fn fn, void *arg)
{
	static const char	seps[] = ";&\n, ";
	struct text_walk	w = { .p = text.p, .end = text.p + text.len };

	if (text.len < 2 || text.len > TEXT_MAX)
		return false;
	if (json(&w)) {
		w = (struct text_walk){ .p = text.p, .end = text.p + text.len, .fn = fn,
		    .arg = arg };
		return json(&w) && w.members > 0;
	}
	for (const char *sep = seps; *sep != '\0'; sep++) {
		w = (struct text_walk){ .p = text.p, .end = text.p + text.len };
		if (!pairs(&w, *sep))
			continue;
		w = (struct text_walk){ .p = text.p, .end = text.p + text.len, .fn = fn,
		    .arg = arg };
		return pairs(&w, *sep);
	}
	return false;
}
