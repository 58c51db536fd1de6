/*
 * Keys of two sides, joined.
 *
 *	trace A1  GC/Start in slices 0 0 3 ...	\
 *	trace A2  GC/Start in slices 1 0 0 ...	 > one row, with a part for each trace
 *	trace B1  GC/Start in slices 9 2 8 ...	/
 *
 * Names that differ from run to run are made equal: a name is joined by its clean form, without
 * ordinals of closures; of other texts, addresses, GUIDs and ports that the system chose are
 * replaced by a mark, also in what is shown.
 */
#include "analysis/diff/diff.h"

#include <string.h>

#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/engine/bins.h"
#include "tnav/model/activity.h"

#define ADDRESS_DIGITS	6u	/* from so many hexadecimal digits on, 0x... is an address */
#define GUID_LEN	36u
#define PORT_DIGITS	5u
#define PORT_CHOSEN	32768u	/* ports from here on are chosen by the system */

/* ---- the whole */

struct sides *
diff_new(const struct diff_options *o)
{
	struct sides	*d = mem_zalloc(1, sizeof *d);

	d->o = *o;
	for (unsigned i = 0; i < o->nkeys; i++)
		d->o.key[i] = arena_strndup(&d->arena, o->key[i], strlen(o->key[i]));
	d->ntraces = o->traces[0] + o->traces[1];
	d->trace = mem_zalloc(d->ntraces, sizeof *d->trace);
	d->random = 1;
	return d;
}

void
diff_free(struct sides *d)
{
	if (d == NULL)
		return;
	for (size_t i = 0; i < d->n; i++) {
		mem_free(d->row[i].numbers[0].v);
		mem_free(d->row[i].numbers[1].v);
	}
	mem_free(d->row);
	mem_free(d->trace);
	mem_free(d->judged);
	hashtable_release(&d->table);
	arena_release(&d->arena);
	buf_release(&d->text);
	buf_release(&d->name);
	mem_free(d);
}

uint64_t
diff_left_out(const struct sides *d)
{
	return d->left_out;
}

/* ---- traces */

static struct diff_provider *
provider_of(struct sides *d, struct diff_trace *tr, const char *name, size_t most)
{
	for (size_t i = 0; i < tr->nproviders; i++)
		if (strcmp(tr->provider[i].name, name) == 0)
			return &tr->provider[i];
	if (tr->nproviders == most)
		return NULL;
	tr->provider[tr->nproviders].name = arena_strndup(&d->arena, name, strlen(name));
	return &tr->provider[tr->nproviders++];
}

/* The providers of the whole trace: what was recorded does not depend on the window. */
static void
read_providers(struct sides *d, struct diff_trace *tr, struct trace *t)
{
	struct type_stat	*st;
	size_t			 n = trace_type_stats(t, &st);
	size_t			 most = n < LIMIT_DIFF_PROVIDERS ? n : LIMIT_DIFF_PROVIDERS;

	tr->provider = arena_alloc(&d->arena, (most + 1) * sizeof *tr->provider);
	for (size_t i = 0; i < n; i++) {
		const struct event_type	*ty = trace_type(t, st[i].type);
		struct diff_provider	*p = provider_of(d, tr, ty->provider, most);

		if (p == NULL || st[i].c.events == 0)
			continue;
		p->events += st[i].c.events;
		p->level = ty->level > p->level ? ty->level : p->level;
	}
	mem_free(st);
}

void
diff_begin(struct sides *d, struct trace *t, const struct diff_window *w)
{
	struct diff_trace	*tr = &d->trace[d->begun++];

	d->is_judged = false;
	tr->name = arena_strndup(&d->arena, w->name, strlen(w->name));
	tr->from = w->from;
	tr->to = w->to > w->from ? w->to : w->from;
	tr->from_ns = trace_ns(t, tr->from);
	tr->to_ns = trace_ns(t, tr->to);
	tr->seconds = ((double)tr->to_ns - (double)tr->from_ns) / 1e9;
	tr->lost = w->lost;
	tr->numbered = trace_has(t, HAS_NUMBERS);
	read_providers(d, tr, t);
}

unsigned
diff_slice(const struct sides *d, int64_t ts)
{
	const struct diff_trace	*tr = &d->trace[d->begun - 1];

	return time_bucket(ts, tr->from, tr->to, DIFF_SLICES);
}

unsigned
diff_slice_ns(const struct sides *d, int64_t ns)
{
	const struct diff_trace	*tr = &d->trace[d->begun - 1];

	return time_bucket(ns, tr->from_ns, tr->to_ns, DIFF_SLICES);
}

void
diff_whole(struct sides *d, unsigned slice, double n)
{
	d->trace[d->begun - 1].whole[slice] += n;
}

uint64_t
diff_lost(const struct sides *d, unsigned side)
{
	uint64_t	lost = 0;
	unsigned	end;

	for (unsigned i = diff_side_traces(d, side, &end); i < end; i++)
		lost = add_u64(lost, d->trace[i].lost);
	return lost;
}

bool
diff_recorded(const struct sides *d, unsigned side, const char *provider, uint8_t level)
{
	unsigned	end;

	for (unsigned i = diff_side_traces(d, side, &end); i < end; i++) {
		const struct diff_trace	*tr = &d->trace[i];

		for (size_t k = 0; k < tr->nproviders; k++)
			if (strcmp(tr->provider[k].name, provider) == 0 &&
			    tr->provider[k].events > 0 && tr->provider[k].level >= level)
				return true;
	}
	return false;
}

/* ---- keys */

static size_t
hex_len(struct span s, size_t i)
{
	size_t	k = i;

	while (k < s.len && hex_value((char)s.p[k]) >= 0)
		k++;
	return k - i;
}

/* 8-4-4-4-12 hexadecimal digits at i. */
static bool
is_guid(struct span s, size_t i)
{
	uint8_t	guid[16];

	return s.len - i >= GUID_LEN && guid_parse(guid, (const char *)s.p + i, GUID_LEN) &&
	    hex_len(s, i + GUID_LEN) == 0;
}

/* The length of a port that the system chose, as in ://127.0.0.1:43159/; 0: none is at i. */
static size_t
chosen_port_len(struct span s, size_t i)
{
	size_t	n = 0, port = 0;

	if (s.p[i] != ':')
		return 0;
	while (n < PORT_DIGITS && i + 1 + n < s.len && is_digit((char)s.p[i + 1 + n]))
		port = port * 10 + s.p[i + 1 + n++] - '0';
	return n == PORT_DIGITS && port >= PORT_CHOSEN && port <= UINT16_MAX &&
	    (i + 1 + n == s.len || s.p[i + 1 + n] == '/') ? n : 0;
}

/* Append a text without the addresses, GUIDs and chosen ports in it. */
static void
put_normal(struct buf *out, struct span s)
{
	for (size_t i = 0, hex; i < s.len; ) {
		bool	word = i > 0 && hex_value((char)s.p[i - 1]) >= 0;

		if (!word && is_guid(s, i)) {
			buf_puts(out, "{}");
			i += GUID_LEN;
			continue;
		}
		hex = s.p[i] == '0' && i + 1 < s.len && s.p[i + 1] == 'x' ? hex_len(s, i + 2) : 0;
		if (hex >= ADDRESS_DIGITS) {
			buf_puts(out, "0x*");
			i += 2 + hex;
			continue;
		}
		hex = chosen_port_len(s, i);
		buf_putc(out, (char)s.p[i++]);
		if (hex > 0)
			buf_putc(out, '*');
		i += hex;
	}
}

/* Is it joined by its clean form? That of a method is complete; a type of the heap has lost its
   namespace. */
static bool
joins_clean(const struct sides *d, const struct cell *c)
{
	return c->word.p != NULL && (c->show & SHOW_NAME) != 0 && d->o.judging != DIFF_BY_VALUE;
}

/* Append what is equal in all runs. */
static void
put_key(struct sides *d, const struct cell *c)
{
	struct buf	*out = &d->text;
	struct cell	 bare = *c;

	buf_putc(out, (char)(c->kind == CELL_NONE ? CELL_NULL : c->kind));
	if (joins_clean(d, c))
		put_normal(out, c->word);
	else if (c->kind == CELL_TEXT || c->kind == CELL_PLAIN)
		put_normal(out, c->text);
	else {
		bare.word.p = NULL;
		cell_json(out, &bare);
	}
	buf_putc(out, '\0');
}

static struct span
keep_normal(struct sides *d, struct span s)
{
	struct span	kept = { NULL, 0 };
	struct buf	b = { 0 };

	put_normal(&b, s);
	kept.len = b.len;
	kept.p = (const uint8_t *)arena_strndup(&d->arena, buf_str(&b), b.len);
	buf_release(&b);
	return kept;
}

static struct span
keep(struct sides *d, struct span s)
{
	if (s.p == NULL)
		return s;
	return (struct span){ (const uint8_t *)arena_strndup(&d->arena, (const char *)s.p, s.len),
	    s.len };
}

/* A key as the rows have it: of names the clean form, since that is what is joined. */
static struct cell
keep_cell(struct sides *d, const struct cell *c)
{
	struct cell	k = *c;

	if (joins_clean(d, c)) {
		k = cell_str("");
		k.text = keep_normal(d, c->word);
		return k;
	}
	k.word = keep(d, c->word);
	if (c->kind == CELL_TEXT || c->kind == CELL_PLAIN)
		k.text = keep_normal(d, c->text);
	else if (c->kind == CELL_GUID || c->kind == CELL_BLOB || c->kind == CELL_RAW)
		k.text = keep(d, c->text);
	if (c->kind == CELL_SPARK || c->kind == CELL_NONE)
		k = cell_null();
	return k;
}

struct stored_key {
	uint32_t	len;
	char		bytes[];
};

static void
set_source(struct sides *d, struct joined_row *r, const struct diff_source *s, bool fresh)
{
	if (s == NULL || s->provider == NULL) {
		r->several = true;
	} else if (fresh) {
		r->provider = arena_strndup(&d->arena, s->provider, strlen(s->provider));
		r->level = s->level;
	} else if (r->provider != NULL && strcmp(r->provider, s->provider) != 0) {
		r->several = true;
	}
	if (s != NULL && s->level < r->level)
		r->level = s->level;
}

/* The cells of a key are followed by its bytes, which are compared. */
static struct joined_row *
add_row(struct sides *d, const struct cell *key, uint64_t hash)
{
	size_t			 cells = d->o.nkeys * sizeof *key;
	struct stored_key	*s;
	struct joined_row		*r;

	d->row = mem_grow(d->row, &d->cap, d->n + 1, sizeof *d->row);
	r = &d->row[d->n];
	*r = (struct joined_row){ .key = arena_alloc(&d->arena, cells + sizeof *s + d->text.len) };
	for (unsigned i = 0; i < d->o.nkeys; i++)
		r->key[i] = keep_cell(d, &key[i]);
	s = (struct stored_key *)(void *)(r->key + d->o.nkeys);
	s->len = (uint32_t)d->text.len;
	memcpy(s->bytes, d->text.p, d->text.len);
	r->part = arena_alloc(&d->arena, d->ntraces * sizeof(struct diff_part *));
	hashtable_add(&d->table, hash, (uint32_t)d->n++);
	return r;
}

uint32_t
diff_row(struct sides *d, const struct cell *key, const struct diff_source *source)
{
	uint64_t	hash;

	d->is_judged = false;
	buf_clear(&d->text);
	for (unsigned k = 0; k < d->o.nkeys; k++)
		put_key(d, &key[k]);
	if (d->text.len > LIMIT_DIFF_KEY)
		d->text.len = LIMIT_DIFF_KEY;
	hash = hash_bytes(d->text.p, d->text.len);
	HASHTABLE_EACH(&d->table, hash, i) {
		struct joined_row			*r = &d->row[*i];
		const struct stored_key		*s = (const void *)(r->key + d->o.nkeys);

		if (s->len != d->text.len || memcmp(s->bytes, d->text.p, s->len) != 0)
			continue;
		set_source(d, r, source, false);
		return *i;
	}
	if (d->n == LIMIT_DIFF_ROWS) {
		d->left_out++;
		return EVENT_NONE;
	}
	set_source(d, add_row(d, key, hash), source, true);
	return (uint32_t)(d->n - 1);
}

/* ---- counts and numbers */

void
diff_count(struct sides *d, uint32_t row, unsigned slice, double weight, uint64_t events)
{
	struct diff_part	**p;

	if (row == EVENT_NONE)
		return;
	p = &d->row[row].part[d->begun - 1];
	if (*p == NULL)
		*p = arena_alloc(&d->arena, sizeof **p);
	(*p)->sum += weight;
	(*p)->n += events;
	(*p)->slice[slice] += (float)weight;
	(*p)->seen |= UINT32_C(1) << slice;
}

/* A number below n, from xorshift: which numbers are kept is the same in each run. */
static uint64_t
draw(struct sides *d, uint64_t n)
{
	d->random ^= d->random << 13;
	d->random ^= d->random >> 7;
	d->random ^= d->random << 17;
	return d->random % n;
}

/* Where a side has several recordings, these are its parts. */
static uint32_t
part_of(const struct sides *d, unsigned slice)
{
	unsigned	side = diff_side(d, d->begun - 1);

	if (d->o.windows)
		return (d->begun - 1) * DIFF_SLICES + slice;
	return d->o.traces[side] > 1 ? d->begun - 1 : slice;
}

void
diff_number(struct sides *d, uint32_t row, unsigned slice, double ns)
{
	struct diff_number	 v = { ns, part_of(d, slice) };
	struct diff_numbers	*s;
	uint64_t		 at;

	if (row == EVENT_NONE)
		return;
	s = &d->row[row].numbers[diff_side(d, d->begun - 1)];
	s->seen++;
	if (s->n < LIMIT_DIFF_NUMBERS && d->numbers < LIMIT_DIFF_ALL_NUMBERS) {
		ARRAY_ADD(s->v, s->n, s->cap, v);
		d->numbers++;
	} else {
		at = draw(d, s->seen);
		if (at < s->n)
			s->v[at] = v;
	}
}
