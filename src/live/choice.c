/*
 * From words of the command line to providers.
 *
 *	profile, providers, clrevents, counters -> wish (by provider and kind) -> collect
 *
 * Invariant: a provider has at most one wish of a kind; the collect of a choice holds the wish of
 * the strongest kind for each provider, in the order in which they were named.
 */
#include "tnav/live/choice.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "live/tables.h"
#include "tnav/base/arena.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/near.h"
#include "tnav/model/keywords.h"

#define RUNTIME		"Microsoft-Windows-DotNETRuntime"
#define EVERY		"*"	/* all providers of the program; only with all keywords, verbose */
#define LEVEL_VERBOSE	5
#define BUFFER_MB	256
#define ALL_KEYWORDS	UINT64_MAX
#define RUNTIME_KEYWORDS UINT64_C(0x100003801d)
/* What the runtime gives to events of an EventSource that have no keywords: one of the bits is
   enough. */
#define NO_KEYWORDS	UINT64_C(0xf00000000000)
#define TASKS		"System.Threading.Tasks.TplEventSource"
#define TASK_IDS	UINT64_C(0x80)	/* activity ids follow tasks; no event has it */
#define HEAP_COLLECT	UINT64_C(0x800000)
#define IDS_MOST	1000u
#define PROFILE_HEAP	"heap"

/* What chooses the rundown, the strongest last. */
enum rundown_by { RUNDOWN_OF_PROVIDERS, RUNDOWN_OF_PROFILES, RUNDOWN_GIVEN };

/* What a wish comes from, the strongest first. */
enum wish_kind { KIND_PROVIDERS, KIND_COUNTERS, KIND_PROFILE, KIND_CLR };

struct wish {
	enum wish_kind		 kind;
	struct collect_provider	 p;
};

struct choice {
	struct arena		 arena;
	struct wish		*wish;
	size_t			 n, cap;
	struct collect_provider	*out;
	struct collect		 collect;
	struct buf		 notes;
	enum rundown_by		 rundown_by;	/* what has chosen collect.rundown */
	bool			 heap;		/* what the profile heap has, too */
};

/* ---- tables */

static const char *const	level_names[] = {
	"logalways", "critical", "error", "warning", "informational", "verbose",
};

#define COUNT_OF(a)	(sizeof(a) / sizeof *(a))

struct choice *
choice_new(void)
{
	struct choice	*c = mem_zalloc(1, sizeof *c);

	c->collect = (struct collect){ .buffer_mb = BUFFER_MB };
	return c;
}

void
choice_free(struct choice *c)
{
	if (c == NULL)
		return;
	arena_release(&c->arena);
	buf_release(&c->notes);
	mem_free(c->wish);
	mem_free(c->out);
	mem_free(c);
}

/* ---- wishes */

static uint32_t
higher_level(uint32_t a, uint32_t b)
{
	if (a == 0 || b == 0)
		return 0;		/* = all levels */
	return a > b ? a : b;
}

static struct wish *
find_wish(struct choice *c, const char *name, enum wish_kind kind)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->wish[i].kind == kind && strcmp(c->wish[i].p.name, name) == 0)
			return &c->wish[i];
	return NULL;
}

/* Copies the name and the arguments. */
static void
add_wish(struct choice *c, enum wish_kind kind, const struct collect_provider *p)
{
	struct wish	*w = find_wish(c, p->name, kind);

	if (w != NULL) {
		w->p.keywords |= p->keywords;
		w->p.level = higher_level(w->p.level, p->level);
		if (p->arguments != NULL)
			w->p.arguments = arena_strndup(&c->arena, p->arguments,
			    strlen(p->arguments));
		return;
	}
	c->wish = mem_grow(c->wish, &c->cap, c->n + 1, sizeof *c->wish);
	w = &c->wish[c->n++];
	w->kind = kind;
	w->p = *p;
	w->p.name = arena_strndup(&c->arena, p->name, strlen(p->name));
	if (p->arguments != NULL)
		w->p.arguments = arena_strndup(&c->arena, p->arguments,
		    strlen(p->arguments));
}

/* ---- words */

enum quotes { QUOTES_DROP, QUOTES_KEEP };

/* The text before a separator outside of quotes. Returns the rest of the text. */
static const char *
next_part(const char *p, char separator, enum quotes quotes, struct buf *part)
{
	bool	quoted = false;

	buf_clear(part);
	for (; *p != '\0' && (quoted || *p != separator); p++) {
		quoted = quoted != (*p == '"');
		if (*p != '"' || quotes == QUOTES_KEEP)
			buf_putc(part, *p);
	}
	(void)buf_str(part);
	return *p == separator ? p + 1 : p;
}

/*
 * The next item of a list, without surrounding blanks. *list becomes NULL after the last one. A
 * separator at the end does not begin an item.
 */
static bool
next_item(const char **list, char separator, enum quotes quotes, struct buf *item)
{
	const char	*rest;

	if (*list == NULL)
		return false;
	rest = next_part(*list + strspn(*list, " "), separator, quotes, item);
	while (item->len > 0 && item->p[item->len - 1] == ' ')
		item->len--;
	(void)buf_str(item);
	*list = *rest != '\0' ? rest : NULL;
	return true;
}

static bool
read_number(const char *s, int base, uint64_t most, uint64_t *n)
{
	char	*end;

	errno = 0;
	*n = strtoull(s, &end, base);
	return end != s && *end == '\0' && *s != '-' && *s != '+' && *s != ' ' && errno == 0 &&
	    *n <= most;
}

int
choice_level(const char *text, uint32_t *level, struct buf *why)
{
	uint64_t	n;

	for (uint32_t i = 0; i < COUNT_OF(level_names); i++)
		if (strcasecmp(text, level_names[i]) == 0 ||
		    (i == 4 && strcasecmp(text, "info") == 0)) {
			*level = i;
			return 0;
		}
	if (read_number(text, 10, 5, &n)) {
		*level = (uint32_t)n;
		return 0;
	}
	buf_printf(why, "not a level: '%s'; 0 to 5, or critical, error, warning, informational, "
	    "verbose", text);
	return ERR_USAGE;
}

static int
read_keywords(const char *provider, const char *s, uint64_t *keywords, struct buf *why)
{
	struct buf	word = { 0 };
	uint64_t	bits;
	int		rc = 0;

	if (read_number(s, 16, UINT64_MAX, keywords))
		return 0;
	*keywords = 0;
	while (rc == 0 && next_item(&s, '+', QUOTES_DROP, &word)) {
		if (keyword_bit(provider, span_of_buf(&word), &bits)) {
			*keywords |= bits;
		} else {
			buf_printf(why, "not a keyword of %s: '%s'", provider, word.p);
			rc = ERR_USAGE;
		}
	}
	buf_release(&word);
	return rc;
}

/* The strongest of those that choose decides. */
static void
want_rundown(struct choice *c, enum rundown_by by, uint64_t mask)
{
	if (by < c->rundown_by)
		return;
	c->collect.rundown = by > c->rundown_by ? mask : c->collect.rundown | mask;
	c->rundown_by = by;
}

/* Replace \" \\ \r \n \t in a provider's arguments, which shells leave in quoted words. */
static void
undo_escapes(const char *s, struct buf *out)
{
	static const char	signs[] = "\"\\rnt", meant[] = "\"\\\r\n\t";

	buf_clear(out);
	while (*s != '\0') {
		const char	*known = s[0] == '\\' && s[1] != '\0' ? strchr(signs, s[1]) : NULL;

		buf_putc(out, known != NULL ? meant[known - signs] : *s);
		s += known != NULL ? 2 : 1;
	}
	(void)buf_str(out);
}

static int
read_provider(struct choice *c, const char *item, struct buf *why)
{
	struct collect_provider	p = { .keywords = ALL_KEYWORDS, .level = CHOICE_LEVEL_DEFAULT };
	struct buf		name = { 0 }, word = { 0 };
	int			rc = 0;

	item = next_part(item, ':', QUOTES_DROP, &name);
	p.name = name.p;
	if (name.len == 0) {
		buf_puts(why, "a provider without a name");
		rc = ERR_USAGE;
	}
	/* All keywords of the runtime would cause a collection, and a dump of the whole heap. */
	if (strcmp(name.p, RUNTIME) == 0)
		p.keywords = RUNTIME_KEYWORDS;
	if (strcmp(name.p, EVERY) == 0)
		p.level = LEVEL_VERBOSE;
	item = next_part(item, ':', QUOTES_DROP, &word);
	if (rc == 0 && word.len > 0)
		rc = read_keywords(p.name, word.p, &p.keywords, why);
	item = next_part(item, ':', QUOTES_DROP, &word);
	if (rc == 0 && word.len > 0)
		rc = choice_level(word.p, &p.level, why);
	undo_escapes(item, &word);
	p.arguments = word.len > 0 ? word.p : NULL;
	if (rc == 0) {
		add_wish(c, KIND_PROVIDERS, &p);
		want_rundown(c, RUNDOWN_OF_PROVIDERS, RUNDOWN_DEFAULT);
	}
	buf_release(&name);
	buf_release(&word);
	return rc;
}

int
choice_providers(struct choice *c, const char *list, struct buf *why)
{
	struct buf	item = { 0 };
	int		rc = 0;

	while (rc == 0 && next_item(&list, ',', QUOTES_KEEP, &item))
		rc = read_provider(c, item.p, why);
	buf_release(&item);
	return rc;
}

/* ---- profiles, keywords and counters */

static int
add_profile(struct choice *c, const char *name, struct buf *why)
{
	struct near	near;
	bool		known = false;

	for (size_t i = 0; i < profile_nrows; i++) {
		const struct profile_row	*p = &profile_rows[i];

		if (strcasecmp(p->name, name) != 0)
			continue;
		known = true;
		add_wish(c, KIND_PROFILE, &(struct collect_provider){ .name = p->provider,
		    .keywords = p->keywords, .level = p->level, .arguments = p->arguments });
		want_rundown(c, RUNDOWN_OF_PROFILES, p->rundown);
	}
	if (known)
		return 0;
	buf_printf(why, "unknown profile '%s'", name);
	if (strcasecmp(name, "cpu-sampling") == 0 || strcasecmp(name, "thread-time") == 0) {
		buf_puts(why, ": it records kernel events, which a diagnostics socket cannot "
		    "provide; try dotnet-sampled-thread-time");
		return ERR_USAGE;
	}
	near_init(&near, name, 0);
	for (size_t i = 0; i < profile_nrows; i++)
		if (i == 0 || strcmp(profile_rows[i].name, profile_rows[i - 1].name) != 0)
			near_text(&near, profile_rows[i].name);
	near_put(&near, why);
	return ERR_USAGE;
}

int
choice_profile(struct choice *c, const char *list, struct buf *why)
{
	struct buf	item = { 0 };
	int		rc = 0;

	while (rc == 0 && next_item(&list, ',', QUOTES_DROP, &item))
		rc = add_profile(c, item.p, why);
	buf_release(&item);
	return rc;
}

static bool
clr_bit(const char *name, uint64_t *bits)
{
	for (size_t i = 0; i < runtime_ngroups; i++)
		if (strcasecmp(runtime_groups[i].name, name) == 0) {
			*bits |= runtime_groups[i].keywords;
			return true;
		}
	return false;
}

int
choice_clr_events(struct choice *c, const char *names, uint32_t level, struct buf *why)
{
	struct collect_provider	p = { .name = RUNTIME, .level = level };
	struct buf		word = { 0 };
	struct near		near;
	int			rc = 0;

	while (rc == 0 && next_item(&names, '+', QUOTES_DROP, &word)) {
		if (clr_bit(word.p, &p.keywords))
			continue;
		buf_printf(why, "not a group of runtime events: '%s'", word.p);
		near_init(&near, word.p, 0);
		for (size_t i = 0; i < runtime_ngroups; i++)
			near_text(&near, runtime_groups[i].name);
		near_put(&near, why);
		rc = ERR_USAGE;
	}
	buf_release(&word);
	if (rc == 0 && p.keywords == 0) {
		buf_puts(why, "no group of runtime events given");
		rc = ERR_USAGE;
	}
	if (rc != 0)
		return rc;
	add_wish(c, KIND_CLR, &p);
	want_rundown(c, RUNDOWN_OF_PROVIDERS, RUNDOWN_DEFAULT);
	return 0;
}

int
choice_counters(struct choice *c, const char *list, unsigned seconds, struct buf *why)
{
	struct buf	item = { 0 }, arguments = { 0 };

	if (seconds == 0) {
		buf_puts(why, "the counter interval is at least one second");
		return ERR_USAGE;
	}
	buf_printf(&arguments, "EventCounterIntervalSec=%u", seconds);
	if (list == NULL || *list == '\0')
		list = "System.Runtime";
	while (next_item(&list, ',', QUOTES_DROP, &item))
		if (item.len > 0)
			add_wish(c, KIND_COUNTERS, &(struct collect_provider){ .name = item.p,
			    .keywords = ALL_KEYWORDS, .level = CHOICE_LEVEL_DEFAULT,
			    .arguments = buf_str(&arguments) });
	buf_release(&item);
	buf_release(&arguments);
	return 0;
}

/* ---- event ids */

static struct wish *
strongest(struct choice *c, const char *name)
{
	struct wish	*best = NULL;

	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->wish[i].p.name, name) == 0 &&
		    (best == NULL || c->wish[i].kind < best->kind))
			best = &c->wish[i];
	return best;
}

static int
read_ids(struct choice *c, struct wish *w, const char *ids, struct buf *why)
{
	uint32_t	*v = arena_alloc(&c->arena, IDS_MOST * sizeof *v);
	struct buf	 word = { 0 };
	uint64_t	 n;
	int		 rc = 0;

	w->p.which = COLLECT_ONLY;
	w->p.ids = v;
	w->p.nids = 0;
	while (rc == 0 && next_item(&ids, '+', QUOTES_DROP, &word)) {
		if (w->p.nids == IDS_MOST || !read_number(word.p, 10, UINT32_MAX, &n)) {
			buf_printf(why, "not the id of an event: '%s'", word.p);
			rc = ERR_USAGE;
		} else {
			v[w->p.nids++] = (uint32_t)n;
		}
	}
	buf_release(&word);
	return rc;
}

int
choice_events(struct choice *c, const char *list, struct buf *why)
{
	struct buf	item = { 0 }, name = { 0 };
	int		rc = 0;

	while (rc == 0 && next_item(&list, ',', QUOTES_KEEP, &item)) {
		const char	*ids = next_part(item.p, ':', QUOTES_DROP, &name);
		struct wish	*w = strongest(c, name.p);

		if (w == NULL) {
			buf_printf(why, "events of '%s' are chosen, but the provider is not "
			    "collected",
			    name.p);
			rc = ERR_USAGE;
		} else {
			rc = read_ids(c, w, ids, why);
		}
	}
	buf_release(&item);
	buf_release(&name);
	return rc;
}

/* ---- other options */

int
choice_rundown(struct choice *c, const char *word, struct buf *why)
{
	uint64_t	mask;

	if (strcasecmp(word, "true") == 0)
		mask = RUNDOWN_DEFAULT;
	else if (strcasecmp(word, "false") == 0)
		mask = 0;
	else if (!read_number(word, 16, UINT64_MAX, &mask)) {
		buf_printf(why, "--rundown: not true, false or a mask of keywords: '%s'", word);
		return ERR_USAGE;
	}
	want_rundown(c, RUNDOWN_GIVEN, mask);
	return 0;
}

void
choice_stacks(struct choice *c, bool stacks)
{
	c->collect.no_stacks = !stacks;
}

void
choice_heap(struct choice *c, bool heap)
{
	c->heap = heap;
}

void
choice_buffer(struct choice *c, uint32_t mb)
{
	c->collect.buffer_mb = mb;
}

void
choice_block(struct choice *c, bool block)
{
	c->collect.block = block;
}

bool
choice_collects_heap(struct choice *c)
{
	const struct wish	*w = strongest(c, RUNTIME);

	return w != NULL && (w->p.keywords & HEAP_COLLECT) != 0;
}

/* Is it a name, of which events were asked for? */
static bool
names_events(const struct wish *w)
{
	if (w->kind > KIND_COUNTERS || strcmp(w->p.name, EVERY) == 0)
		return false;
	return w->p.keywords != TASK_IDS || strcmp(w->p.name, TASKS) != 0;
}

const char *
choice_named(const struct choice *c, size_t i)
{
	for (size_t k = 0; k < c->n; k++)
		if (names_events(&c->wish[k]) && i-- == 0)
			return c->wish[k].p.name;
	return NULL;
}

bool
choice_takes_every(const struct choice *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->wish[i].p.name, EVERY) == 0)
			return true;
	return false;
}

const char *
choice_notes(struct choice *c)
{
	return buf_str(&c->notes);
}

/* Providers of the runtime itself, whose events without keywords need none. */
static bool
is_native(const char *provider)
{
	static const char *const	begins[] = { RUNTIME, "Microsoft-DotNET" };

	for (size_t i = 0; i < COUNT_OF(begins); i++)
		if (strncmp(provider, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

/*
 * With a mask such as 0xffffffff events are lost that have no keywords, which nobody expects. With
 * keywords that the provider is known to have, that is what was asked for.
 */
static void
note_keywords(struct choice *c, const struct collect_provider *p)
{
	uint64_t	known = keyword_mask(p->name);

	if (strcmp(p->name, EVERY) == 0) {
		if (p->keywords != ALL_KEYWORDS || p->level != LEVEL_VERBOSE)
			buf_puts(&c->notes, "* selects nothing but with all keywords and level "
			    "verbose: --providers '*'\n");
		return;
	}
	if ((p->keywords & NO_KEYWORDS) != 0 || is_native(p->name) ||
	    (known != 0 && (p->keywords & ~known) == 0))
		return;
	buf_printf(&c->notes, "%s:0x%" PRIx64 " may leave out events without keywords, which need "
	    "0x%" PRIx64 "; 0x%" PRIx64 " takes all\n", p->name, p->keywords, NO_KEYWORDS,
	    ALL_KEYWORDS);
}

/* A walk of the heap besides: to what is chosen of its provider, or as one more. */
static size_t
add_heap(struct collect_provider *out, size_t n)
{
	for (size_t k = 0; k < profile_nrows; k++) {
		const struct profile_row	*row = &profile_rows[k];
		size_t				 i = 0;

		if (strcmp(row->name, PROFILE_HEAP) != 0)
			continue;
		while (i < n && strcmp(out[i].name, row->provider) != 0)
			i++;
		if (i == n)
			out[n++] = (struct collect_provider){ .name = row->provider,
			    .level = row->level };
		out[i].keywords |= row->keywords;
		out[i].level = higher_level(out[i].level, row->level);
		out[i].which = COLLECT_ALL;
	}
	return n;
}

const struct collect *
choice_collect(struct choice *c)
{
	size_t	n = 0;

	c->out = mem_realloc(c->out, c->n + profile_nrows, sizeof *c->out);
	buf_clear(&c->notes);
	for (size_t i = 0; i < c->n; i++) {
		const struct wish	*w = &c->wish[i], *best = strongest(c, w->p.name);

		if (best == w)
			c->out[n++] = w->p;
		if (best == w && w->kind == KIND_PROVIDERS)
			note_keywords(c, &w->p);
		if (best != w && w->kind == KIND_CLR)
			buf_puts(&c->notes, "--clrevents is ignored: another option names the "
			    "runtime provider\n");
	}
	c->collect.provider = c->out;
	c->collect.n = c->heap ? add_heap(c->out, n) : n;
	return &c->collect;
}
