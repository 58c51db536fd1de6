/*
 * Colour rules: their texts and colours. They are evaluated only for rows on the screen, between
 * keys: glance.c has their filters, in the same order. When something is found that a rule depends
 * on, such as spans, the trace has another generation, and glance.c evaluates the rows again.
 */
#include "ui/view/rules.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/engine/filter.h"
#include "ui/view/view.h"

struct color_rule {
	char			*expr;
	size_t			 color;		/* index in colors[] */
};

static const struct { const char *name; enum style st; } colors[] = {
	{ "red", ST_RED }, { "green", ST_GREEN }, { "yellow", ST_YELLOW }, { "blue", ST_BLUE },
	{ "magenta", ST_MAGENTA }, { "cyan", ST_CYAN }, { "bold", ST_STRONG }, { "dim", ST_DIM },
};

#define COLORS	(sizeof colors / sizeof *colors)

void
rules_release(struct rules *r)
{
	for (size_t i = 0; i < r->n; i++)
		mem_free(r->v[i].expr);
	glance_free(r->glance);
	mem_free(r->v);
	*r = (struct rules){ .v = NULL };
}

/* The beginning of the line's last word. */
static size_t
last_word(const char *line, size_t len)
{
	while (len > 0 && line[len - 1] != ' ')
		len--;
	return len;
}

bool
rules_add(struct rules *r, struct view *v, const char *line, struct buf *why)
{
	size_t			len = strlen(line), at, color = 0;
	struct filter_error	err = { 0 };
	struct filter		*f;
	bool			 ok;

	while (len > 0 && line[len - 1] == ' ')
		len--;
	at = last_word(line, len);
	while (color < COLORS && (strlen(colors[color].name) != len - at ||
	    memcmp(colors[color].name, line + at, len - at) != 0))
		color++;
	if (color == COLORS || at == 0) {
		buf_puts(why, "expected an expression and one of red green yellow blue magenta "
		    "cyan bold dim");
		return false;
	}
	ok = filter_new(&f, line, at, v->t, false, view_now_ns(v), &err) == 0;
	if (!ok)
		buf_printf(why, "column %zu: %s", filter_error_column(&err, line),
		    buf_str(&err.text));
	filter_error_release(&err);
	if (!ok)
		return false;
	while (at > 0 && line[at - 1] == ' ')
		at--;
	ARRAY_ADD(r->v, r->n, r->cap, (struct color_rule){
	    .expr = mem_strndup(line, at), .color = color });
	if (r->glance == NULL)
		r->glance = glance_new(v->t);
	deriving_need(&v->deriving, filter_needs(f, v->t));
	glance_add_rule(r->glance, f);
	return true;
}

bool
rules_style(struct rules *r, uint64_t row, enum style *st)
{
	int	rule = r->glance != NULL ? glance_rule(r->glance, row) : -1;

	if (rule < 0)
		return false;
	*st = colors[r->v[rule].color].st;
	return true;
}

void
rules_text(const struct rules *r, size_t i, struct buf *out)
{
	buf_printf(out, "%s %s", r->v[i].expr, colors[r->v[i].color].name);
}
