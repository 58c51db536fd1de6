/*
 * The names of the filter language: what a trace has, which are near a misspelt one, and the
 * words for levels and opcodes.
 *
 * Names of a trace are looked at afresh each time: types are added while it is indexed.
 */
#include <string.h>
#include <strings.h>

#include "tnav/base/limits.h"
#include "engine/filter/ast.h"
#include "tnav/model/keywords.h"
#include "tnav/model/path.h"

#define NEAR_MAX	3u
#define NEAR_LEN	64u		/* longer names are near nothing */
#define PART_MIN	3u		/* what a name must have in common to be near by that */
#define NEAR_LOOKS	200000u		/* names that are compared at the most */

/* ---- words */

int
level_of(const char *name, size_t len)
{
	for (unsigned i = 0; level_name(i) != NULL; i++)
		if (strlen(level_name(i)) == len && strncasecmp(level_name(i), name, len) == 0)
			return (int)i;
	return -1;
}

const char *
opcode_name(unsigned opcode)
{
	static const char *const	names[] = {
		"Info", "Start", "Stop", "DCStart", "DCStop", "Extension", "Reply", "Resume",
		"Suspend", "Send",
	};

	if (opcode == 240)
		return "Receive";
	return opcode < sizeof names / sizeof names[0] ? names[opcode] : NULL;
}

/* ---- names that a trace has */

static bool
is_name(const char *have, const char *name)
{
	return have != NULL && strcmp(have, name) == 0;
}

bool
names_have(struct trace *t, enum name_kind kind, const char *name)
{
	uint32_t	n = trace_types(t);

	for (uint32_t i = 0; i < n; i++) {
		const struct event_type	*type = trace_type(t, i);

		if ((kind == NAME_PROVIDER && is_name(type->provider, name)) ||
		    (kind == NAME_NAME && is_name(type->name, name)) ||
		    ((kind == NAME_NAME || kind == NAME_EVENT) && is_name(type->event, name)) ||
		    (kind == NAME_FIELD && path_in_fields(name, type->fields, type->nfields, 0)))
			return true;
	}
	return false;
}

/* ---- near names */

struct near {
	const char	*name;		/* what is looked for */
	struct span	 front;		/* the path in front of it, with its dot, or empty */
	unsigned	 limit, looks;
	unsigned	 n;
	unsigned	 distance[NEAR_MAX];
	char		 found[NEAR_MAX][NEAR_LEN + 1];
};

static unsigned
min3(unsigned a, unsigned b, unsigned c)
{
	unsigned	m = a < b ? a : b;

	return m < c ? m : c;
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Insertions, deletions, changes and swaps of neighbours, whatever the case of ASCII letters. */
static unsigned
edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned	row[3][NEAR_LEN + 1];

	for (size_t j = 0; j <= nb; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned	*now = row[i % 3], *before = row[(i - 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			char	x = lower(a[i - 1]), y = lower(b[j - 1]);

			now[j] = min3(before[j] + 1, now[j - 1] + 1, before[j - 1] + (x != y));
			if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y &&
			    row[(i - 2) % 3][j - 2] + 1 < now[j])
				now[j] = row[(i - 2) % 3][j - 2] + 1;
		}
	}
	return row[na % 3][nb];
}

/* Does the longer name hold the other one, whatever the case? */
static bool
holds(const char *name, size_t len, const char *part, size_t n)
{
	for (size_t i = 0; n >= PART_MIN && i + n <= len; i++)
		if (strncasecmp(name + i, part, n) == 0)
			return true;
	return false;
}

/* Weigh a name, and keep what people must type for it: it, behind the path that leads to it. */
static void
consider_in(struct near *near, const struct buf *path, const char *name, size_t len)
{
	size_t		want = strlen(near->name), front = path != NULL ? path->len : 0;
	char		whole[NEAR_LEN + 1];
	unsigned	distance = near->limit + 1, at;

	if (len == 0 || len > NEAR_LEN || front > NEAR_LEN - len || want > NEAR_LEN ||
	    near->looks++ > NEAR_LOOKS || (front == 0 && near->front.len == 0 && len == want &&
	    memcmp(near->name, name, len) == 0))
		return;
	if ((len > want ? len - want : want - len) <= near->limit)
		distance = edit_distance(near->name, want, name, len);
	if (distance > near->limit && !holds(name, len, near->name, want))
		return;
	if (near->front.len > 0)
		distance += front != near->front.len ||
		    memcmp(path->p, near->front.p, front) != 0;
	if (front > 0)
		memcpy(whole, path->p, front);
	memcpy(whole + front, name, len);
	whole[front + len] = '\0';
	for (at = 0; at < near->n; at++)
		if (strcmp(near->found[at], whole) == 0)
			return;
	if (near->n == NEAR_MAX && near->distance[NEAR_MAX - 1] <= distance)
		return;
	at = near->n < NEAR_MAX ? near->n++ : NEAR_MAX - 1;
	for (; at > 0 && near->distance[at - 1] > distance; at--) {
		near->distance[at] = near->distance[at - 1];
		memcpy(near->found[at], near->found[at - 1], sizeof near->found[0]);
	}
	near->distance[at] = distance;
	memcpy(near->found[at], whole, front + len + 1);
}

static void
consider(struct near *near, const char *name, size_t len)
{
	consider_in(near, NULL, name, len);
}

static void
consider_text(struct near *near, const char *name)
{
	if (name != NULL)
		consider(near, name, strlen(name));
}

static void
consider_fields(struct near *near, struct buf *path, const struct field *fields, uint32_t n,
    unsigned depth)
{
	for (uint32_t i = 0; i < n && depth <= LIMIT_NESTING && near->looks <= NEAR_LOOKS; i++) {
		const struct field	*f = &fields[i];
		size_t			 len = path->len;

		if (f->kind != FK_PAD)
			consider_in(near, path, f->name, strlen(f->name));
		if (f->fields == NULL)
			continue;
		buf_puts(path, f->name);
		if (f->name[0] != '\0')
			buf_putc(path, '.');
		consider_fields(near, path, f->fields, f->nfields, depth + 1);
		path->len = len;
	}
}

static void
consider_types(struct near *near, struct trace *t, enum name_kind kind)
{
	uint32_t	n = t != NULL ? trace_types(t) : 0;
	struct buf	path;

	buf_init(&path);
	for (uint32_t i = 0; i < n && near->looks <= NEAR_LOOKS; i++) {
		const struct event_type	*type = trace_type(t, i);

		if (kind == NAME_PROVIDER)
			consider_text(near, type->provider);
		if (kind == NAME_NAME)
			consider_text(near, type->name);
		if (kind == NAME_NAME || kind == NAME_EVENT)
			consider_text(near, type->event);
		if (kind == NAME_FIELD)
			consider_fields(near, &path, type->fields, type->nfields, 0);
	}
	buf_release(&path);
}

static void
consider_words(struct near *near, enum name_kind kind)
{
	const char	*p = NULL;
	struct keyword	 k;

	if (kind == NAME_FIELD || kind == NAME_HEADER)
		for (const struct filter_word *w = filter_fields(); w->name != NULL; w++)
			consider(near, w->name, strcspn(w->name, "."));
	if (kind == NAME_FIELD && strcasecmp(near->name, "not") == 0)
		consider_text(near, "not");
	if (kind == NAME_LEVEL)
		for (unsigned i = 0; level_name(i) != NULL; i++)
			consider_text(near, level_name(i));
	while (kind == NAME_KEYWORD && keyword_next(&p, &k))
		consider(near, (const char *)k.name.p, k.name.len);
}

void
names_near(struct buf *out, struct trace *t, enum name_kind kind, const char *name)
{
	const char	*dot = kind == NAME_FIELD ? strrchr(name, '.') : NULL;
	struct near	 near = { .name = dot != NULL ? dot + 1 : name };

	if (dot != NULL)
		near.front = (struct span){ (const uint8_t *)name, (size_t)(dot + 1 - name) };
	near.limit = ((unsigned)strlen(near.name) + 2) / 3;
	consider_words(&near, kind);
	consider_types(&near, t, kind);
	for (unsigned i = 0; i < near.n; i++) {
		buf_puts(out, i == 0 ? " (near: " : ", ");
		buf_puts(out, near.found[i]);
	}
	if (near.n > 0)
		buf_putc(out, ')');
}
