/*
 * Near names: see the header.
 *
 * The distance of two names is the number of insertions, deletions, changes and swaps of neighbours
 * that turn one into the other, ignoring the case of ASCII letters. A name is near if its distance
 * is at most a third of the length of the wanted name, or if it contains the wanted name.
 */
#include "tnav/base/near.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

#define PART_MIN	3u		/* a shorter wanted name is not looked for inside others */
#define LOOKS_MAX	200000u		/* names compared at most */

void
near_init(struct near *near, const char *name, size_t front)
{
	memset(near, 0, sizeof *near);
	near->front = name;
	near->nfront = front;
	near->name = name + front;
	near->limit = ((unsigned)strlen(near->name) + 2) / 3;
}

bool
near_is_full(const struct near *near)
{
	return near->looks > LOOKS_MAX;
}

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

/* Does the name contain part, ignoring case? */
static bool
contains(const char *name, size_t len, const char *part, size_t n)
{
	for (size_t i = 0; n >= PART_MIN && i + n <= len; i++)
		if (strncasecmp(name + i, part, n) == 0)
			return true;
	return false;
}

/* The distance of the name; UINT_MAX: it is not near. */
static unsigned
distance_of(const struct near *near, const char *path, size_t npath, const char *name, size_t len)
{
	size_t		want = strlen(near->name);
	size_t		apart = len > want ? len - want : want - len;
	unsigned	distance = near->limit + 1;

	if (apart <= near->limit)
		distance = edit_distance(near->name, want, name, len);
	if (distance > near->limit && !contains(name, len, near->name, want))
		return UINT_MAX;
	if (near->nfront > 0 &&
	    (npath != near->nfront || memcmp(path, near->front, npath) != 0))
		distance++;
	return distance;
}

/* Insert the name into the list of the nearest, which is sorted by distance. */
static void
keep(struct near *near, const char *whole, unsigned distance)
{
	unsigned	at;

	for (at = 0; at < near->n; at++)
		if (strcmp(near->nearest[at], whole) == 0)
			return;
	if (near->n == NEAR_MAX && near->distance[NEAR_MAX - 1] <= distance)
		return;
	at = near->n < NEAR_MAX ? near->n++ : NEAR_MAX - 1;
	for (; at > 0 && near->distance[at - 1] > distance; at--) {
		near->distance[at] = near->distance[at - 1];
		memcpy(near->nearest[at], near->nearest[at - 1], sizeof near->nearest[0]);
	}
	near->distance[at] = distance;
	memcpy(near->nearest[at], whole, strlen(whole) + 1);
}

void
near_consider(struct near *near, const char *path, size_t npath, const char *name, size_t len)
{
	size_t		want = strlen(near->name);
	char		whole[NEAR_LEN + 1];
	unsigned	distance;

	if (len == 0 || len > NEAR_LEN || npath > NEAR_LEN - len || want > NEAR_LEN)
		return;
	if (near_is_full(near))
		return;
	near->looks++;
	if (npath == 0 && near->nfront == 0 && len == want && memcmp(near->name, name, len) == 0)
		return;
	distance = distance_of(near, path, npath, name, len);
	if (distance == UINT_MAX)
		return;
	if (npath > 0)
		memcpy(whole, path, npath);
	memcpy(whole + npath, name, len);
	whole[npath + len] = '\0';
	keep(near, whole, distance);
}

void
near_text(struct near *near, const char *name)
{
	if (name != NULL)
		near_consider(near, NULL, 0, name, strlen(name));
}

const char *
near_find(const char *s, const char *part, size_t len)
{
	for (; *s != '\0'; s++)
		if (strncasecmp(s, part, len) == 0)
			return s;
	return NULL;
}

void
near_put(const struct near *near, struct buf *out)
{
	for (unsigned i = 0; i < near->n; i++) {
		buf_puts(out, i == 0 ? " (near: " : ", ");
		buf_puts(out, near->nearest[i]);
	}
	if (near->n > 0)
		buf_putc(out, ')');
}
