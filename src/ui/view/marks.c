/*
 * The user's marks in a trace: events by letter, and one time range.
 *
 *	marks	a 1.604 s	b 1.605 s "before the loss"	c 2.1 s		by (ts, off)
 *	range	        [........)
 *
 * Invariant: a letter marks one event, and an event has one mark.
 */
#include "ui/view/marks.h"

#include <string.h>

#include "tnav/base/mem.h"

void
marks_release(struct marks *m)
{
	for (size_t i = 0; i < m->n; i++)
		mem_free(m->v[i].note);
	mem_free(m->v);
	*m = (struct marks){ .n = 0 };
}

static int
compare(const struct mark *a, int64_t ts, uint64_t off)
{
	if (a->ts != ts)
		return a->ts < ts ? -1 : 1;
	return (a->off > off) - (a->off < off);
}

/* The first mark at or after the event. */
static size_t
bound(const struct marks *m, int64_t ts, uint64_t off)
{
	size_t	i = 0;

	while (i < m->n && compare(&m->v[i], ts, off) < 0)
		i++;
	return i;
}

const struct mark *
marks_find(const struct marks *m, char letter)
{
	for (size_t i = 0; letter != '\0' && i < m->n; i++)
		if (m->v[i].letter == letter)
			return &m->v[i];
	return NULL;
}

void
marks_remove(struct marks *m, size_t i)
{
	m->stamp++;
	mem_free(m->v[i].note);
	memmove(&m->v[i], &m->v[i + 1], (m->n - i - 1) * sizeof *m->v);
	m->n--;
}

static char
free_letter(const struct marks *m)
{
	for (char c = 'a'; c <= 'z'; c++)
		if (marks_find(m, c) == NULL)
			return c;
	return '\0';
}

const struct mark *
marks_set(struct marks *m, char letter, int64_t ts, uint64_t off, const char *note)
{
	const struct mark	*other = marks_find(m, letter);
	size_t			 i;

	if (other != NULL && compare(other, ts, off) != 0)
		marks_remove(m, (size_t)(other - m->v));
	i = bound(m, ts, off);
	m->stamp++;
	if (i == m->n || compare(&m->v[i], ts, off) != 0) {
		if (m->n == MARKS_MAX)
			return NULL;
		if (letter == '\0')
			letter = free_letter(m);
		m->v = mem_grow(m->v, &m->cap, m->n + 1, sizeof *m->v);
		memmove(&m->v[i + 1], &m->v[i], (m->n - i) * sizeof *m->v);
		m->v[i] = (struct mark){ .ts = ts, .off = off };
		m->n++;
	}
	if (letter != '\0')
		m->v[i].letter = letter;
	if (note != NULL) {
		mem_free(m->v[i].note);
		m->v[i].note = note[0] != '\0' ? mem_strdup(note) : NULL;
	}
	return &m->v[i];
}

/* Restore a saved mark. It gets no new letter, and takes none from another mark. */
bool
marks_put(struct marks *m, char letter, int64_t ts, uint64_t off, const char *note)
{
	size_t	i = bound(m, ts, off);
	bool	there = i < m->n && compare(&m->v[i], ts, off) == 0;

	if (there || m->n == MARKS_MAX || marks_find(m, letter) != NULL)
		return marks_set(m, letter, ts, off, note) != NULL;
	m->v = mem_grow(m->v, &m->cap, m->n + 1, sizeof *m->v);
	memmove(&m->v[i + 1], &m->v[i], (m->n - i) * sizeof *m->v);
	m->v[i] = (struct mark){ .letter = letter, .ts = ts, .off = off,
	    .note = note != NULL && note[0] != '\0' ? mem_strdup(note) : NULL };
	m->n++;
	return true;
}

const struct mark *
marks_at(const struct marks *m, int64_t ts, uint64_t off)
{
	size_t	i = bound(m, ts, off);

	return i < m->n && compare(&m->v[i], ts, off) == 0 ? &m->v[i] : NULL;
}

const struct mark *
marks_next(const struct marks *m, int64_t ts, uint64_t off, int dir)
{
	size_t	i = bound(m, ts, off);

	if (dir < 0)
		return i > 0 ? &m->v[i - 1] : NULL;
	if (i < m->n && compare(&m->v[i], ts, off) == 0)
		i++;
	return i < m->n ? &m->v[i] : NULL;
}
