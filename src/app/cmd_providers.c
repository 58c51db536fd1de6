/*
 * tnav providers: what can be collected, or what a file or a running program has.
 *
 *	keywords and texts of the model		-> rows		without a file
 *	types of the trace, their keywords	-> rows		with one
 *	process -> tnav record -> file		-> rows
 *
 * Invariant: the rows of a provider are consecutive: its keywords by bits, then its events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/columns.h"
#include "app/command.h"
#include "app/exit.h"
#include "app/listing.h"
#include "app/run.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/live/process.h"
#include "tnav/model/docs.h"
#include "tnav/model/keywords.h"
#include "tnav/out/message.h"

#define ANY_ID		UINT32_MAX
#define TIME		"3s"		/* that a running program is listened to */

/* The options of record that list the providers of a running program. */
static const enum option_id	needed[] = {
	OPT_STREAM, OPT_PROVIDERS, OPT_DURATION, OPT_RUNDOWN, OPT_NO_STACKS,
};

/* Without a file there are no levels and counts. With a file most events have no text. */
static const unsigned	of_catalogue[] = { PR_PROVIDER, PR_KIND, PR_BITS, PR_ID, PR_NAME, PR_TEXT };
static const unsigned	of_file[] = {
	PR_PROVIDER, PR_KIND, PR_BITS, PR_ID, PR_NAME, PR_LEVEL, PR_EVENTS,
};

struct provider_row {
	struct span	 provider, name, text;
	bool		 is_event, has_bits, has_count;
	uint64_t	 bits, events;
	uint32_t	 id;
	const char	*level;			/* or NULL */
	size_t		 place;			/* order of discovery within its kind */
};

struct providers {
	struct provider_row	*v;
	size_t			 n, cap;
	struct buf		 bits;
	bool			 brief;		/* print only the first sentence of each text */
};

static void
add(struct providers *p, struct provider_row r)
{
	r.place = p->n;
	ARRAY_ADD(p->v, p->n, p->cap, r);
}

static int
in_order(const void *a, const void *b)
{
	const struct provider_row	*x = a, *y = b;
	int				 c = spans_compare(x->provider, y->provider);

	if (c != 0)
		return c;
	if (x->is_event != y->is_event)
		return x->is_event - y->is_event;
	if (!x->is_event && x->bits != y->bits)
		return x->bits < y->bits ? -1 : 1;
	if (x->is_event && x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* ---- the catalogue */

/* Each event of the tables has a line of text. */
static void
add_catalogue(struct providers *p)
{
	struct event_doc	 d;
	struct keyword		 k;
	const char		*at = NULL;

	while (keyword_next(&at, &k))
		add(p, (struct provider_row){ .provider = k.provider, .name = k.name,
		    .text = k.text, .bits = k.bits, .has_bits = true });
	at = NULL;
	while (doc_next(&at, &d))
		add(p, (struct provider_row){ .provider = d.provider, .name = d.name,
		    .text = d.text, .is_event = true, .id = d.id });
}

/* ---- a file */

/* Add the keywords that the provider's events have. */
static void
add_keywords(struct providers *p, const char *provider, uint64_t mask)
{
	struct keyword	 k;
	const char	*at = NULL;

	while (mask != 0 && keyword_next(&at, &k))
		if (spans_compare(k.provider, span_of(provider)) == 0 && (k.bits & mask) != 0 &&
		    (k.bits & ~mask) == 0)
			add(p, (struct provider_row){ .provider = k.provider, .name = k.name,
			    .text = k.text, .bits = k.bits, .has_bits = true });
}

static int
by_provider(const void *a, const void *b)
{
	return strcmp((*(const struct event_type *const *)a)->provider,
	    (*(const struct event_type *const *)b)->provider);
}

static void
add_all_keywords(struct providers *p, const struct event_type **type, size_t n)
{
	uint64_t	mask = 0;

	sort_array(type, n, sizeof *type, by_provider);
	for (size_t i = 0; i < n; i++) {
		mask |= type[i]->keywords;
		if (i + 1 < n && strcmp(type[i]->provider, type[i + 1]->provider) == 0)
			continue;
		add_keywords(p, type[i]->provider, mask);
		mask = 0;
	}
}

static void
add_types(struct providers *p, struct trace *t)
{
	struct type_stat	 *st;
	size_t			 n = trace_type_stats(t, &st), m = 0;
	const struct event_type	**type = mem_zalloc(n + 1, sizeof *type);
	struct event_doc	 d;

	for (size_t i = 0; i < n; i++) {
		const struct event_type	*y = trace_type(t, st[i].type);
		bool			 has_doc;

		if (st[i].c.events == 0)
			continue;
		has_doc = doc_find(y, &d);
		type[m++] = y;
		add(p, (struct provider_row){ .provider = span_of(y->provider),
		    .name = span_of(y->name), .text = has_doc ? d.text : (struct span){ .len = 0 },
		    .is_event = true,
		    .id = trace_has(t, HAS_IDS) ? y->id : ANY_ID, .has_bits = true,
		    .bits = y->keywords, .level = level_name(y->level),
		    .has_count = true, .events = st[i].c.events });
	}
	add_all_keywords(p, type, m);
	mem_free(type);
	mem_free(st);
}

/* ---- printing */

static struct span
first_sentence(struct span text)
{
	for (size_t i = 0; i + 1 < text.len; i++)
		if (text.p[i] == '.' && text.p[i + 1] == ' ')
			return (struct span){ text.p, i };
	return text;
}

static void
providers_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct providers		*p = src;
	const struct provider_row	*r = &p->v[row];

	*out = cell_null();
	if (col == PR_PROVIDER)
		*out = (struct cell){ .kind = CELL_TEXT, .text = r->provider };
	if (col == PR_KIND)
		*out = cell_str(r->is_event ? "event" : "keyword");
	if (col == PR_BITS && r->has_bits) {
		buf_clear(&p->bits);
		buf_printf(&p->bits, "0x%" PRIx64, r->bits);
		*out = cell_str(buf_str(&p->bits));
	}
	if (col == PR_ID && r->is_event && r->id != ANY_ID)
		*out = cell_u64(r->id);
	if (col == PR_NAME)
		*out = (struct cell){ .kind = CELL_TEXT, .text = r->name };
	if (col == PR_LEVEL && r->is_event)
		*out = cell_str(r->level);
	if (col == PR_EVENTS && r->has_count)
		*out = cell_u64(r->events);
	if (col == PR_TEXT && r->text.len > 0 && !(r->text.len == 1 && r->text.p[0] == '-'))
		*out = (struct cell){ .kind = CELL_TEXT,
		    .text = p->brief ? first_sentence(r->text) : r->text };
}

/* Of the trace, or without one all that are known. */
int
providers_each(struct run *s)
{
	struct trace		*t = s->t;
	const unsigned		*cols = t != NULL ? of_file : of_catalogue;
	size_t			 ncols = t != NULL ? sizeof of_file / sizeof *of_file :
				    sizeof of_catalogue / sizeof *of_catalogue;
	struct providers	 p = { .n = 0 };
	struct table		 out = { .column = providers_columns,
				    .ncolumns = PR_COLUMNS, .src = &p,
				    .cell = providers_cell };
	int			 code = listing_check(s, providers_columns, PR_COLUMNS);

	if (code != 0)
		return code;
	p.brief = s->st.format == OUT_TEXT;
	if (t != NULL)
		add_types(&p, t);
	else
		add_catalogue(&p);
	sort_array(p.v, p.n, sizeof *p.v, in_order);
	out.nrows = p.n;
	if (s->npick == 0 && s->st.format == OUT_TEXT)
		for (size_t i = 0; i < ncols; i++)
			listing_pick(s, cols[i]);
	code = exit_of_reading(listing_print(s, &out));
	mem_free(p.v);
	buf_release(&p.bits);
	return code;
}

/* ---- a running program */

/* A runtime does not say which providers a program has: those that write are seen. */
static int
print_running(const struct options *o)
{
	struct options	recorded = *o;

	recorded.text[OPT_PROVIDERS] = "*";
	recorded.text[OPT_DURATION] = TIME;
	recorded.text[OPT_RUNDOWN] = "false";
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		recorded.given[needed[i]] = true;
	return record_and_show(&recorded, o, NULL,
	    "providers that wrote events meanwhile are listed, no others");
}

/* Is it the id or the socket of a process, not a file? */
static bool
is_process(const struct options *o)
{
	if (o->nfiles != 1)
		return false;
	return process_is_socket(o->files[0]) || (access(o->files[0], F_OK) != 0 &&
	    strspn(o->files[0], "0123456789") == strlen(o->files[0]));
}

int
subcommand_providers(const struct options *o)
{
	if (is_process(o))
		return print_running(o);
	return o->nfiles > 0 ? run_files(o) : run_alone(o, providers_each);
}
