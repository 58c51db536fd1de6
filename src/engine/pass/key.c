/*
 * Keys as bytes.
 *
 *	cells	{ TEXT "GC/Start" } { I64 1 "Induced" }
 *	id	head "GC/Start"	    head 8 bytes		equal for equal values
 *	note	head		    head "Induced"		may differ: another type's word
 *
 * The id of a text that is too long has its first bytes, and a hash of the whole text.
 *
 * Invariant: an id contains its own length, so no two rows of cells have the same bytes.
 */
#include "engine/pass/key.h"

#include <string.h>

#include "tnav/base/hash.h"

struct id_head {
	uint32_t	kind, len;
	uint64_t	hash;		/* of a text that was cut; else 0 */
	bool		cut;
};

struct note_head {
	uint32_t	show, len;
	bool		word;
};

void
key_release(struct key_bytes *k)
{
	buf_release(&k->id);
	buf_release(&k->note);
}

void
key_clear(struct key_bytes *k)
{
	buf_clear(&k->id);
	buf_clear(&k->note);
}

static bool
has_text(uint32_t kind)
{
	return kind == CELL_TEXT || kind == CELL_RAW || kind == CELL_GUID || kind == CELL_BLOB ||
	    kind == CELL_PLAIN;
}

static bool
is_nothing(const struct cell *c)
{
	return c->kind == CELL_NONE || c->kind == CELL_NULL;
}

/* Signed and unsigned 7 are equal. If valued, null is the same as no value. */
static enum cell_kind
kind_of(const struct cell *c, bool valued)
{
	if (valued && is_nothing(c))
		return CELL_NONE;
	return c->kind == CELL_I64 && c->i >= 0 ? CELL_U64 : c->kind;
}

/* The bytes of the value. Without a value these are the bytes of the word, unless valued. */
static struct span
value_of(const struct cell *c, bool valued)
{
	if (is_nothing(c))
		return valued || c->word.p == NULL ? (struct span){ NULL, 0 } : c->word;
	if (has_text(c->kind))
		return c->text;
	return (struct span){ (const uint8_t *)&c->u, sizeof c->u };
}

/* Only texts and blobs are cut: a cut number, container or id would be a different one. */
static void
add_id(struct buf *id, const struct cell *c, const struct key_options *o)
{
	struct span	v = value_of(c, o->valued);
	struct id_head	h;

	memset(&h, 0, sizeof h);
	h.kind = kind_of(c, o->valued);
	h.cut = (c->kind == CELL_TEXT || c->kind == CELL_BLOB) && v.len > o->most;
	h.len = h.cut ? o->most : (uint32_t)v.len;
	h.hash = h.cut ? hash_bytes(v.p, v.len) : 0;
	buf_add(id, &h, sizeof h);
	if (h.len > 0)
		buf_add(id, v.p, h.len);
}

static void
add_note(struct buf *note, const struct cell *c, const struct key_options *o)
{
	struct note_head	h;

	memset(&h, 0, sizeof h);
	h.show = c->show;
	h.word = c->word.p != NULL && !(is_nothing(c) && o->valued);
	h.len = h.word ? (uint32_t)c->word.len : 0;
	buf_add(note, &h, sizeof h);
	if (h.len > 0)
		buf_add(note, c->word.p, h.len);
}

void
key_add(struct key_bytes *k, const struct cell *c, const struct key_options *o)
{
	add_id(&k->id, c, o);
	add_note(&k->note, c, o);
}

static const char *
take_note(const char *p, struct cell *c)
{
	struct note_head	h;

	memcpy(&h, p, sizeof h);
	p += sizeof h;
	c->show = h.show;
	if (h.word)
		c->word = (struct span){ (const uint8_t *)p, h.len };
	return p + h.len;
}

bool
key_cells(const char *id, const char *note, struct cell *cells, size_t n)
{
	bool	whole = true;

	for (size_t i = 0; i < n; i++) {
		struct cell	*c = &cells[i];
		struct id_head	 h;

		memcpy(&h, id, sizeof h);
		id += sizeof h;
		*c = (struct cell){ .kind = (enum cell_kind)h.kind };
		if (is_nothing(c) && h.len > 0)
			c->word = (struct span){ (const uint8_t *)id, h.len };
		else if (has_text(h.kind))
			c->text = (struct span){ (const uint8_t *)id, h.len };
		else if (h.len > 0)
			memcpy(&c->u, id, sizeof c->u);
		id += h.len;
		if (note != NULL)
			note = take_note(note, c);
		whole &= !h.cut;
	}
	return whole;
}

bool
key_hash(const struct cell *c, uint64_t *hash)
{
	struct span	v = value_of(c, true);

	if (is_nothing(c))
		return false;
	*hash = hash_more(kind_of(c, true), v.p, v.len);
	return true;
}
