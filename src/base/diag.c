/*
 * Findings, merged by (kind, text).
 *
 *   key  | kind | text ... |   -> struct diag_entry, a table of at most LIMIT_FINDINGS of them
 *
 * When the table is full, further findings are only counted; the last finding of diag_list() says
 * so. Invariant: texts are in the arena until diag_free(), so returned lists stay valid.
 */
#include "tnav/base/diag.h"

#include <stdarg.h>
#include <string.h>

#include "tnav/base/arena.h"
#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/base/text.h"
#include "tnav/base/uthash.h"

struct diag_entry {
	struct finding	 f;
	UT_hash_handle	 hh;		/* by kind, then text; the order in which they came */
};

struct diag {
	struct lock		*lock;
	struct diag_entry	*table;	/* the entries lie in the arena */
	struct arena		 arena;
	struct buf		 raw, key;	/* scratch under the lock */
	struct finding		 more;	/* the sum of those beyond the limit; count 0: none */
	uint64_t		 more_shown;	/* the count that more.text shows */
	uint64_t		 total;
	bool			 damaged;
	struct before		*before;	/* the mark, or NULL */
};

/* The findings as they were at the mark. */
struct before {
	struct finding	*f, more;
	size_t		 n;
	uint64_t	 total;
};

struct diag *
diag_new(void)
{
	struct diag	*d = mem_zalloc(1, sizeof *d);

	d->lock = lock_new(LOCK_LEAF);
	return d;
}

static void
before_free(struct diag *d)
{
	if (d->before != NULL)
		mem_free(d->before->f);
	mem_free(d->before);
	d->before = NULL;
}

void
diag_free(struct diag *d)
{
	if (d == NULL)
		return;
	before_free(d);
	HASH_CLEAR(hh, d->table);
	buf_release(&d->raw);
	buf_release(&d->key);
	arena_release(&d->arena);
	lock_free(d->lock);
	mem_free(d);
}

/* Count more into f: the worst severity, the first offset, the sum of the bytes. */
static void
finding_merge(struct finding *f, enum severity sev, uint64_t off, uint64_t bytes, uint64_t times)
{
	if (f->count == 0 || off < f->off)
		f->off = off;
	if (f->count == 0 || sev > f->severity)
		f->severity = sev;
	if (__builtin_add_overflow(f->bytes, bytes, &f->bytes))
		f->bytes = UINT64_MAX;
	f->count += times;
}

/* The finding with the kind and text of d->key: found, added, or, beyond the limit, d->more. */
static struct finding *
diag_find(struct diag *d, enum finding_kind kind)
{
	struct diag_entry	*e;
	char			*key;

	HASH_FIND(hh, d->table, d->key.p, d->key.len, e);
	if (e != NULL)
		return &e->f;
	if (HASH_COUNT(d->table) >= LIMIT_FINDINGS)
		return &d->more;
	key = arena_strndup(&d->arena, d->key.p, d->key.len);
	e = arena_alloc(&d->arena, sizeof *e);
	e->f = (struct finding){ .kind = kind, .text = key + 1 };
	HASH_ADD_KEYPTR(hh, d->table, key, d->key.len, e);
	return &e->f;
}

static void __attribute__((format(printf, 7, 0)))
diag_vadd(struct diag *d, enum severity sev, enum finding_kind kind, uint64_t off, uint64_t bytes,
    uint64_t times, const char *fmt, va_list ap)
{
	struct span	text;

	lock_take(d->lock);
	buf_clear(&d->raw);
	buf_vprintf(&d->raw, fmt, ap);
	text = span_of_buf(&d->raw);
	buf_clear(&d->key);
	buf_putc(&d->key, (char)kind);
	text_clean(&d->key, text, TEXT_UTF8, LIMIT_TEXT_SHOWN);
	finding_merge(diag_find(d, kind), sev, off, bytes, times);
	d->total += times;
	d->damaged |= sev > SEV_NOTE;
	lock_drop(d->lock);
}

int
diag_add(struct diag *d, enum severity sev, enum finding_kind kind, uint64_t off, uint64_t bytes,
    const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	diag_vadd(d, sev, kind, off, bytes, 1, fmt, ap);
	va_end(ap);
	return ERR_FORMAT;
}

int
diag_add_times(struct diag *d, enum severity sev, enum finding_kind kind, uint64_t off,
    uint64_t bytes, uint64_t times, const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	diag_vadd(d, sev, kind, off, bytes, times, fmt, ap);
	va_end(ap);
	return ERR_FORMAT;
}

void
diag_judge(struct diag *d)
{
	struct before	*b = mem_zalloc(1, sizeof *b);

	lock_take(d->lock);
	before_free(d);
	b->f = mem_alloc((HASH_COUNT(d->table) + (size_t)1) * sizeof *b->f);
	for (const struct diag_entry *e = d->table; e != NULL; e = e->hh.next)
		b->f[b->n++] = e->f;
	b->more = d->more;
	b->total = d->total;
	d->before = b;
	lock_drop(d->lock);
}

static struct finding *
find_again(struct finding *f, size_t n, enum finding_kind kind, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (f[i].kind == kind && strcmp(f[i].text, text) == 0)
			return &f[i];
	return NULL;
}

static bool
any_damage(const struct diag *d)
{
	for (const struct diag_entry *e = d->table; e != NULL; e = e->hh.next)
		if (e->f.count > 0 && e->f.severity > SEV_NOTE)
			return true;
	return d->more.count > 0 && d->more.severity > SEV_NOTE;
}

/* A finding whose count becomes 0 stays in the table: the mark counts on the order of entries. */
void
diag_take_back(struct diag *d, enum finding_kind kind, const char *text)
{
	struct before		*b;
	struct finding		*was;
	struct diag_entry	*e;

	lock_take(d->lock);
	buf_clear(&d->key);
	buf_putc(&d->key, (char)kind);
	buf_puts(&d->key, text);
	HASH_FIND(hh, d->table, d->key.p, d->key.len, e);
	if (e != NULL && e->f.count > 0) {
		d->total--;
		if (--e->f.count == 0)
			d->damaged = any_damage(d);
	}
	b = d->before;
	was = b != NULL ? find_again(b->f, b->n, kind, text) : NULL;
	if (was != NULL && was->count > 0) {
		was->count--;
		b->total--;
	}
	lock_drop(d->lock);
}

/* Drop the findings added since the mark, and restore the others as they were. */
static void
restore(struct diag *d, const struct before *b)
{
	struct diag_entry	*e, *next;
	size_t			 i = 0;

	HASH_ITER(hh, d->table, e, next) {
		if (i < b->n)
			e->f = b->f[i++];
		else
			HASH_DEL(d->table, e);
	}
	d->more = b->more;
	d->more_shown = 0;
	d->total = b->total;
	d->damaged = any_damage(d);
}

void
diag_unjudge(struct diag *d)
{
	lock_take(d->lock);
	if (d->before != NULL)
		restore(d, d->before);
	before_free(d);
	lock_drop(d->lock);
}

SORT_ORDER(finding_compare, struct finding, RISING(off) RISING(kind) COMPARED(strcmp, text))

/* Write how many were not kept. Earlier lists use the old text, so a new count gets a new text. */
static void
diag_say_more(struct diag *d)
{
	if (d->more_shown == d->more.count)
		return;
	buf_clear(&d->raw);
	buf_counts(&d->raw, "and # more finding{s}", d->more.count);
	d->more.kind = FIND_LIMIT;
	d->more.text = arena_strndup(&d->arena, d->raw.p, d->raw.len);
	d->more_shown = d->more.count;
}

size_t
diag_list(struct diag *d, struct finding **out)
{
	struct finding	*list;
	size_t		 n = 0;

	lock_take(d->lock);
	list = mem_zalloc(HASH_COUNT(d->table) + (size_t)1, sizeof *list);
	for (const struct diag_entry *e = d->table; e != NULL; e = e->hh.next)
		if (e->f.count > 0)
			list[n++] = e->f;
	sort_array(list, n, sizeof *list, finding_compare);
	if (d->more.count > 0) {
		diag_say_more(d);
		list[n++] = d->more;
	}
	lock_drop(d->lock);
	*out = list;
	return n;
}

uint64_t
diag_total(struct diag *d)
{
	uint64_t	n;

	lock_take(d->lock);
	n = d->total;
	lock_drop(d->lock);
	return n;
}

bool
diag_damaged(struct diag *d)
{
	bool	damaged;

	lock_take(d->lock);
	damaged = d->damaged;
	lock_drop(d->lock);
	return damaged;
}

const char *
finding_kind_name(enum finding_kind k)
{
	static const char *const	names[FIND_KINDS] = {
		[FIND_CUT] = "cut",
		[FIND_NOT_CLOSED] = "not-closed",
		[FIND_TRAILING] = "trailing",
		[FIND_SKIPPED] = "skipped",
		[FIND_BAD_BLOCK] = "bad-block",
		[FIND_BAD_HEADER] = "bad-header",
		[FIND_UNKNOWN_KIND] = "unknown-kind",
		[FIND_TOO_NEW] = "too-new",
		[FIND_METADATA] = "metadata",
		[FIND_STACK] = "stack",
		[FIND_ORDER] = "order",
		[FIND_SEQUENCE] = "sequence",
		[FIND_THREAD] = "thread",
		[FIND_LABEL] = "label",
		[FIND_TIME] = "time",
		[FIND_SHRUNK] = "shrunk",
		[FIND_UNREADABLE] = "unreadable",
		[FIND_LIMIT] = "limit",
	};

	return (unsigned)k < FIND_KINDS && names[k] != NULL ? names[k] : "unknown";
}

const char *
severity_name(enum severity s)
{
	switch (s) {
	case SEV_NOTE:
		return "note";
	case SEV_WARN:
		return "warning";
	case SEV_ERROR:
		return "error";
	}
	return "unknown";
}
