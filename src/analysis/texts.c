/* Texts, each kept once: together they have at most LIMIT_REPORT_TEXTS bytes. */
#include "analysis/texts.h"

#include "tnav/base/interned.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/model/json.h"

struct texts {
	struct interned	 all;
	size_t		 bytes;
};

struct texts *
texts_new(void)
{
	return mem_zalloc(1, sizeof(struct texts));
}

void
texts_free(struct texts *t)
{
	if (t == NULL)
		return;
	interned_release(&t->all);
	mem_free(t);
}

uint32_t
texts_add(struct texts *t, struct span text)
{
	size_t		n = t->all.n;
	uint32_t	i;

	if (t->bytes + text.len > LIMIT_REPORT_TEXTS || n >= LIMIT_REPORT_ROWS)
		return interned_find(&t->all, text, &i) ? i : TEXT_NONE;
	i = interned_add(&t->all, text);
	t->bytes += i == n ? text.len : 0;
	return i;
}

uint32_t
texts_add_str(struct texts *t, const char *text)
{
	return texts_add(t, span_of(text));
}

struct span
texts_at(const struct texts *t, uint32_t i)
{
	return i < t->all.n ? t->all.v[i] : (struct span){ NULL, 0 };
}

/* ---- counts */

void
text_counts_release(struct text_counts *c)
{
	texts_free(c->texts);
	mem_free(c->count);
	*c = (struct text_counts){ .n = 0 };
}

void
text_counts_add(struct text_counts *c, struct span text, uint64_t by)
{
	uint32_t	i;

	if (c->texts == NULL)
		c->texts = texts_new();
	i = texts_add(c->texts, text);
	if (i == TEXT_NONE)
		return;
	if (i >= c->n) {
		c->count = mem_grow(c->count, &c->cap, (size_t)i + 1, sizeof *c->count);
		c->count[c->n++] = 0;
	}
	c->count[i] += by;
}

void
text_counts_json(const struct text_counts *c, struct buf *out)
{
	json_open(out, '{');
	for (size_t i = 0; i < c->n; i++) {
		json_key_text(out, texts_at(c->texts, (uint32_t)i));
		json_u64(out, c->count[i]);
	}
	json_close(out, '}');
}
