/*
 * One pass over the events of the runtime and the system that describe code.
 *
 *	events of a piece	-> records, texts and names of its own	any thread
 *	pieces in their order	-> all records, names kept once		one thread
 *
 * Only these types are requested, so the pass skips the parts of the file without them.
 *
 * Invariant: a record is made only of a payload that has all the fields it needs.
 * Format: clr/symbols.md of the shared data, "Where ranges of code come from".
 */
#include "analysis/symbols/collect.h"

#include <string.h>

#include "analysis/parts.h"
#include "tnav/base/err.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/model/value.h"

#define RUNTIME		"Microsoft-Windows-DotNETRuntime"
#define RUNDOWN		"Microsoft-Windows-DotNETRuntimeRundown"
#define SYSTEM		"Universal.System"
#define TEXT_MOST	4096u	/* bytes of a path */
#define METHOD_DYNAMIC	0x1u	/* of MethodFlags */

static const char	interesting[] =
    "provider = \"" RUNTIME "\" and id in (136, 137, 138, 139, 140, 141, 142, 143, 144, 149, 150, "
    "151, 152, 153, 159) or provider = \"" RUNDOWN "\" and id in (141, 142, 143, 144, 146, 151, "
    "152, 153, 154) or provider = \"" SYSTEM "\"";

/* What an event is about. */
enum about {
	ABOUT_NOTHING, ABOUT_METHOD, ABOUT_ENTRY, ABOUT_MODULE, ABOUT_MODULE_UNLOAD, ABOUT_MAPPING,
	ABOUT_SYMBOL, ABOUT_METADATA, ABOUT_END,
};

static const struct about_id {
	const char	*provider;
	uint32_t	 id;
	enum about	 about;
	enum said	 said;
} ids[] = {
	{ RUNTIME, 136, ABOUT_END, SAID_RUNDOWN },
	{ RUNTIME, 137, ABOUT_METHOD, SAID_RUNDOWN },
	{ RUNTIME, 138, ABOUT_METHOD, SAID_RUNDOWN },
	{ RUNTIME, 139, ABOUT_METHOD, SAID_RUNDOWN },
	{ RUNTIME, 140, ABOUT_METHOD, SAID_RUNDOWN },
	{ RUNTIME, 141, ABOUT_METHOD, SAID_LOAD },
	{ RUNTIME, 142, ABOUT_METHOD, SAID_UNLOAD },
	{ RUNTIME, 143, ABOUT_METHOD, SAID_LOAD },
	{ RUNTIME, 144, ABOUT_METHOD, SAID_UNLOAD },
	{ RUNTIME, 149, ABOUT_MODULE, SAID_RUNDOWN },
	{ RUNTIME, 150, ABOUT_MODULE, SAID_RUNDOWN },
	{ RUNTIME, 151, ABOUT_MODULE, SAID_LOAD },
	{ RUNTIME, 152, ABOUT_MODULE, SAID_LOAD },
	{ RUNTIME, 153, ABOUT_MODULE_UNLOAD, SAID_MODULE_UNLOAD },
	{ RUNTIME, 159, ABOUT_ENTRY, SAID_LOAD },
	{ RUNDOWN, 141, ABOUT_METHOD, SAID_RUNDOWN },
	{ RUNDOWN, 142, ABOUT_METHOD, SAID_RUNDOWN },
	{ RUNDOWN, 143, ABOUT_METHOD, SAID_RUNDOWN },
	{ RUNDOWN, 144, ABOUT_METHOD, SAID_RUNDOWN },
	{ RUNDOWN, 146, ABOUT_END, SAID_RUNDOWN },
	{ RUNDOWN, 151, ABOUT_MODULE, SAID_RUNDOWN },
	{ RUNDOWN, 152, ABOUT_MODULE, SAID_RUNDOWN },
	{ RUNDOWN, 153, ABOUT_MODULE, SAID_RUNDOWN },
	{ RUNDOWN, 154, ABOUT_MODULE, SAID_RUNDOWN },
	{ NULL, 0, ABOUT_NOTHING, SAID_LOAD },
};

/* The values that are wanted of a payload. */
enum want {
	WANT_NOTHING, WANT_METHOD, WANT_MODULE, WANT_START, WANT_SIZE, WANT_FLAGS, WANT_TYPE,
	WANT_NAME, WANT_SIGNATURE, WANT_IL_PATH, WANT_NATIVE_PATH, WANT_ID, WANT_MAPPING,
	WANT_END, WANT_OFFSET, WANT_FILE, WANT_METADATA_ID, WANT_METADATA, WANTS
};

static const struct wanted {
	const char	*field;
	enum want	 want;
} wanted[] = {
	{ "MethodID", WANT_METHOD }, { "ModuleID", WANT_MODULE },
	{ "MethodStartAddress", WANT_START }, { "EntryPoint", WANT_START },
	{ "MethodSize", WANT_SIZE }, { "MethodFlags", WANT_FLAGS },
	{ "MethodNamespace", WANT_TYPE }, { "MethodName", WANT_NAME },
	{ "MethodSignature", WANT_SIGNATURE }, { "ModuleILPath", WANT_IL_PATH },
	{ "ModuleNativePath", WANT_NATIVE_PATH }, { "Id", WANT_ID },
	{ "MappingId", WANT_MAPPING }, { "StartAddress", WANT_START },
	{ "EndAddress", WANT_END }, { "FileOffset", WANT_OFFSET }, { "FileName", WANT_FILE },
	{ "Name", WANT_NAME }, { "MetadataId", WANT_METADATA_ID },
	{ "SymbolMetadata", WANT_METADATA },
	{ NULL, WANT_NOTHING },
};

/* What a type's events are about, and where its values are. */
struct type_plan {
	enum about	about;
	enum said	said;
	uint8_t		*want;		/* nwant fields; NULL: of no interest */
	uint32_t	 nwant;
};

/* The values of one payload. */
struct got {
	const struct event_type	*type;
	const struct type_plan	*plan;
	uint64_t		 n[WANTS];
	struct span		 text[WANTS];
	bool			 wide[WANTS];	/* the text is UTF-16 */
	bool			 has[WANTS];
};

/* A piece: records whose names are numbers of names, whose processes are threads. */
struct part {
	struct collecting	*c;
	struct collected	 said;
	struct buf		 text;		/* of all names */
	struct name_text	*name;		/* raw.p: NULL, they follow each other in text */
	size_t			 nname, name_cap;
	struct buf		 scratch[3];
};

struct collecting {
	struct trace		*t;
	struct sym_names	*names;
	struct processes	*p;
	struct collected	*all;
	struct type_plan	*plan;		/* by type */
	uint32_t		 ntypes;
	unsigned		 pointer_size;
	uint32_t		*map;		/* of a piece's names: what they are in all */
	size_t			 map_cap;
};

/* ---- types */

static enum about
about_system(const char *name, const char *event)
{
	static const struct { const char *name; enum about about; } table[] = {
		{ "ProcessMapping", ABOUT_MAPPING }, { "ProcessSymbol", ABOUT_SYMBOL },
		{ "ProcessMappingMetadata", ABOUT_METADATA },
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (strcmp(name, table[i].name) == 0 ||
		    (event != NULL && strcmp(event, table[i].name) == 0))
			return table[i].about;
	return ABOUT_NOTHING;
}

static void
plan_make(struct type_plan *p, const struct event_type *type)
{
	*p = (struct type_plan){ .about = ABOUT_NOTHING };
	if (strcmp(type->provider, SYSTEM) == 0)
		p->about = about_system(type->name, type->event);
	for (const struct about_id *i = ids; i->provider != NULL; i++) {
		if (i->id != type->id || strcmp(i->provider, type->provider) != 0)
			continue;
		p->about = i->about;
		p->said = i->said;
	}
	if (p->about == ABOUT_NOTHING)
		return;
	p->nwant = type->nfields;
	p->want = mem_zalloc((size_t)p->nwant + 1, sizeof *p->want);
	for (uint32_t k = 0; k < p->nwant; k++)
		for (const struct wanted *w = wanted; w->field != NULL; w++)
			if (strcmp(w->field, type->fields[k].name) == 0)
				p->want[k] = (uint8_t)w->want;
}

/* Once for all pieces. */
static void
plan_types(struct collecting *c)
{
	c->ntypes = trace_types(c->t);
	c->plan = mem_zalloc((size_t)c->ntypes + 1, sizeof *c->plan);
	for (uint32_t i = 0; i < c->ntypes; i++)
		plan_make(&c->plan[i], trace_type(c->t, i));
}

uint64_t
collect_events(struct trace *t)
{
	struct type_stat	*st;
	struct type_plan	 p;
	size_t			 n = trace_type_stats(t, &st);
	uint64_t		 told = 0;

	for (size_t i = 0; i < n; i++) {
		if (st[i].c.events == 0)
			continue;
		plan_make(&p, trace_type(t, st[i].type));
		if (p.about != ABOUT_NOTHING)
			told += st[i].c.events;
		mem_free(p.want);
	}
	mem_free(st);
	return told;
}

/* ---- payloads */

static int
take_value(void *arg, const struct value *v)
{
	struct got	*g = arg;
	size_t		 field;
	enum want	 want;

	if (v->depth > 0 || v->field < g->type->fields)
		return 0;
	field = (size_t)(v->field - g->type->fields);
	if (field >= g->plan->nwant)
		return 1;
	want = (enum want)g->plan->want[field];
	if (want == WANT_NOTHING || v->kind == VK_NULL)
		return 0;
	g->has[want] = true;
	if (v->kind == VK_UINT || v->kind == VK_INT)
		g->n[want] = v->u;
	else if (v->kind == VK_TEXT8 || v->kind == VK_TEXT16)
		g->text[want] = v->bytes;
	g->wide[want] = v->kind == VK_TEXT16;
	return 0;
}

/* The text as UTF-8, in a scratch buffer of the piece. */
static struct span
utf8(struct part *p, unsigned scratch, const struct got *g, enum want w)
{
	struct buf	*b = &p->scratch[scratch];

	buf_clear(b);
	if (g->wide[w])
		text_from_utf16(b, g->text[w]);
	else
		text_from_utf8(b, g->text[w]);
	return span_of_buf(b);
}

static uint32_t
add_name(struct part *p, const struct name_text *t)
{
	p->name = mem_grow(p->name, &p->name_cap, p->nname + 1, sizeof *p->name);
	p->name[p->nname++] = *t;
	return (uint32_t)(p->nname - 1);
}

static uint32_t
add_text(struct part *p, struct span s)
{
	struct name_text	t = { .native = true };
	size_t			n = s.len < LIMIT_NAME ? s.len : LIMIT_NAME;

	while (n > 0 && n < s.len && (s.p[n] & 0xc0) == 0x80)
		n--;
	buf_add(&p->text, s.p, n);
	t.raw.len = n;
	return add_name(p, &t);
}

static uint32_t
add_method_name(struct part *p, const struct got *g)
{
	struct name_text	t;

	if (!g->has[WANT_NAME])
		return NAME_NONE;
	name_of_method(&p->text, utf8(p, 0, g, WANT_TYPE), utf8(p, 1, g, WANT_NAME),
	    utf8(p, 2, g, WANT_SIGNATURE), &t);
	return add_name(p, &t);
}

/* The last part of a path of any system. */
static struct span
base_name(struct span path)
{
	for (size_t i = path.len; i > 0; i--)
		if (path.p[i - 1] == '/' || path.p[i - 1] == '\\')
			return (struct span){ path.p + i, path.len - i };
	return path;
}

static uint32_t
add_file(struct part *p, const struct got *g, enum want w)
{
	struct span	s = base_name(utf8(p, 0, g, w));

	if (s.len > TEXT_MOST)
		s.len = TEXT_MOST;
	return add_text(p, s);
}

/* ---- records */

static void
add_method(struct part *p, const struct event *e, const struct got *g)
{
	struct collected	*c = &p->said;
	bool			 whole = g->has[WANT_START] && g->has[WANT_SIZE];

	if (g->plan->said != SAID_MODULE_UNLOAD && (!whole || g->n[WANT_SIZE] == 0))
		return;
	c->method = mem_grow(c->method, &c->method_cap, c->nmethod + 1, sizeof *c->method);
	c->method[c->nmethod++] = (struct method_said){
		.ts = e->ts, .what = (uint8_t)g->plan->said, .process = e->thread,
		.start = g->n[WANT_START], .size = (uint32_t)g->n[WANT_SIZE],
		.method = g->n[WANT_METHOD], .module = g->n[WANT_MODULE],
		.dynamic = g->n[WANT_FLAGS] & METHOD_DYNAMIC, .name = add_method_name(p, g),
	};
}

static void
add_entry(struct part *p, const struct event *e, const struct got *g)
{
	struct collected	*c = &p->said;

	if (!g->has[WANT_START] || !g->has[WANT_NAME])
		return;
	c->entry = mem_grow(c->entry, &c->entry_cap, c->nentry + 1, sizeof *c->entry);
	c->entry[c->nentry++] = (struct entry_said){ .ts = e->ts, .start = g->n[WANT_START],
	    .name = add_method_name(p, g), .process = e->thread };
}

static void
add_module(struct part *p, const struct event *e, const struct got *g)
{
	struct collected	*c = &p->said;
	bool			 il = g->text[WANT_IL_PATH].len > 0;
	enum want		 w = il ? WANT_IL_PATH : WANT_NATIVE_PATH;

	if (!g->has[WANT_MODULE] || g->text[w].len == 0)
		return;
	c->module = mem_grow(c->module, &c->module_cap, c->nmodule + 1, sizeof *c->module);
	c->module[c->nmodule++] = (struct module_said){ .module = g->n[WANT_MODULE],
	    .file = add_file(p, g, w), .process = e->thread };
}

static void
add_mapping(struct part *p, const struct event *e, const struct got *g)
{
	struct collected	*c = &p->said;

	if (!g->has[WANT_START] || !g->has[WANT_END] || g->n[WANT_END] < g->n[WANT_START])
		return;
	c->mapping = mem_grow(c->mapping, &c->mapping_cap, c->nmapping + 1, sizeof *c->mapping);
	c->mapping[c->nmapping++] = (struct mapping_said){
		.ts = e->ts, .id = g->n[WANT_ID], .start = g->n[WANT_START],
		.last = g->n[WANT_END], .offset = g->n[WANT_OFFSET],
		.metadata = g->n[WANT_METADATA_ID],
		.file = add_file(p, g, WANT_FILE), .process = e->thread,
	};
}

static void
add_symbol(struct part *p, const struct got *g)
{
	struct collected	*c = &p->said;

	if (!g->has[WANT_START] || !g->has[WANT_END] || g->n[WANT_END] < g->n[WANT_START] ||
	    g->text[WANT_NAME].len == 0)
		return;
	c->symbol = mem_grow(c->symbol, &c->symbol_cap, c->nsymbol + 1, sizeof *c->symbol);
	c->symbol[c->nsymbol++] = (struct symbol_said){ .mapping = g->n[WANT_MAPPING],
	    .start = g->n[WANT_START], .last = g->n[WANT_END],
	    .name = add_text(p, utf8(p, 0, g, WANT_NAME)) };
}

static void
add_metadata(struct part *p, const struct got *g)
{
	struct collected	*c = &p->said;

	c->metadata = mem_grow(c->metadata, &c->metadata_cap, c->nmetadata + 1,
	    sizeof *c->metadata);
	c->metadata[c->nmetadata++] = (struct metadata_said){ .id = g->n[WANT_ID],
	    .text = add_text(p, utf8(p, 0, g, WANT_METADATA)) };
}

static void
add_event(void *part, const struct event *e)
{
	struct part		*p = part;
	const struct event_type	*type;
	const struct type_plan	*plan;
	struct got		 g;
	struct payload_result	 res;

	if (e->type >= p->c->ntypes)
		return;			/* it has come since */
	plan = &p->c->plan[e->type];
	if (plan->about == ABOUT_NOTHING)
		return;
	type = trace_type(p->c->t, e->type);
	memset(&g, 0, sizeof g);
	g.type = type;
	g.plan = plan;
	(void)payload_walk(type, trace_payload(p->c->t, e), p->c->pointer_size, take_value, &g,
	    &res);
	switch (plan->about) {
	case ABOUT_METHOD: case ABOUT_MODULE_UNLOAD:
		add_method(p, e, &g);
		break;
	case ABOUT_ENTRY:
		add_entry(p, e, &g);
		break;
	case ABOUT_MODULE:
		add_module(p, e, &g);
		break;
	case ABOUT_MAPPING:
		add_mapping(p, e, &g);
		break;
	case ABOUT_SYMBOL:
		add_symbol(p, &g);
		break;
	case ABOUT_METADATA:
		add_metadata(p, &g);
		break;
	case ABOUT_END:
		p->said.rundown_ends = true;
		break;
	case ABOUT_NOTHING:
		break;
	}
}

/* ---- the pass */

static void
part_begin(void *part, void *arg)
{
	struct part	*p = part;

	p->c = arg;
	buf_init(&p->text);
	for (unsigned i = 0; i < 3; i++)
		buf_init(&p->scratch[i]);
}

static void
part_release(void *part)
{
	struct part	*p = part;

	collected_release(&p->said);
	mem_free(p->name);
	buf_release(&p->text);
	for (unsigned i = 0; i < 3; i++)
		buf_release(&p->scratch[i]);
}

/* What the names of a piece are in all. */
static void
merge_names(struct collecting *c, const struct part *p)
{
	const uint8_t	*at = (const uint8_t *)p->text.p;

	c->map = mem_grow(c->map, &c->map_cap, p->nname + 1, sizeof *c->map);
	for (size_t i = 0; i < p->nname; i++) {
		struct name_text	t = p->name[i];

		t.raw.p = at;
		if (t.raw.len > 0)	/* else there may be no text at all */
			at += t.raw.len;
		c->map[i] = sym_names_add(c->names, &t);
	}
}

static uint32_t
merged_name(const struct collecting *c, uint32_t name)
{
	return name == NAME_NONE ? NAME_NONE : c->map[name];
}

/* What records of a piece name, as all name it. */

static void
own_method(struct collecting *c, struct method_said *m)
{
	m->name = merged_name(c, m->name);
	m->process = processes_of(c->p, m->process);
}

static void
own_entry(struct collecting *c, struct entry_said *m)
{
	m->name = merged_name(c, m->name);
	m->process = processes_of(c->p, m->process);
}

static void
own_module(struct collecting *c, struct module_said *m)
{
	m->file = merged_name(c, m->file);
	m->process = processes_of(c->p, m->process);
}

static void
own_mapping(struct collecting *c, struct mapping_said *m)
{
	m->file = merged_name(c, m->file);
	m->process = processes_of(c->p, m->process);
}

static void
own_symbol(struct collecting *c, struct symbol_said *m)
{
	m->name = merged_name(c, m->name);
}

static void
own_metadata(struct collecting *c, struct metadata_said *m)
{
	m->text = merged_name(c, m->text);
}

/* Add the records of one kind. */
#define MERGE(c, from, kind) do { \
	struct collected	*to = (c)->all; \
	to->kind = mem_grow(to->kind, &to->kind##_cap, to->n##kind + (from)->n##kind, \
	    sizeof *to->kind); \
	for (size_t i = 0; i < (from)->n##kind; i++) { \
		to->kind[to->n##kind] = (from)->kind[i]; \
		own_##kind((c), &to->kind[to->n##kind++]); \
	} \
} while (0)

static void
merge_records(struct collecting *c, const struct collected *from)
{
	MERGE(c, from, method);
	MERGE(c, from, entry);
	MERGE(c, from, module);
	MERGE(c, from, mapping);
	MERGE(c, from, symbol);
	MERGE(c, from, metadata);
}

static void
part_merge(void *arg, void *part)
{
	struct collecting	*c = arg;
	struct part		*p = part;

	if (p->nname > 0 || p->said.nmethod > 0) {
		merge_names(c, p);
		merge_records(c, &p->said);
	}
	c->all->rundown_ends |= p->said.rundown_ends;
}

static const struct part_ops	part_ops = {
	.size = sizeof(struct part), .begin = part_begin, .event = add_event,
	.merge = part_merge, .release = part_release,
};

int
collect(struct trace *t, struct sym_names *names, struct processes *p, struct collected *out,
    const struct collect_options *o)
{
	struct collecting	c = { .t = t, .names = names, .p = p, .all = out,
				    .pointer_size = trace_info(t)->pointer_size };
	int			err;

	plan_types(&c);
	err = parts_read(t, interesting, &part_ops, &c, o->tick, o->arg);
	for (uint32_t i = 0; i < c.ntypes; i++)
		mem_free(c.plan[i].want);
	mem_free(c.plan);
	mem_free(c.map);
	return err;
}

void
collected_release(struct collected *c)
{
	mem_free(c->method);
	mem_free(c->entry);
	mem_free(c->module);
	mem_free(c->mapping);
	mem_free(c->symbol);
	mem_free(c->metadata);
	*c = (struct collected){ .nmethod = 0 };
}

/* ---- processes */

void
processes_init(struct processes *p, struct trace *t)
{
	*p = (struct processes){ .t = t, .seed = hash_seed() };
	hashtable_init(&p->by_pid);
}

void
processes_release(struct processes *p)
{
	mem_free(p->of_thread);
	mem_free(p->pid);
	hashtable_release(&p->by_pid);
}

/* Its number by its id, NAME_NONE if it is new. */
static uint32_t
find_pid(const struct processes *p, uint64_t pid)
{
	size_t	at = 0;

	for (uint32_t *i; (i = hashtable_next(&p->by_pid, hash_u64(p->seed, pid), &at)) != NULL; )
		if (p->pid[*i] == pid)
			return *i;
	return NAME_NONE;
}

/* All threads of a trace of one process are one process. */
static uint64_t
pid_of(const struct processes *p, uint32_t thread)
{
	struct thread_stat	st;

	if (!trace_has(p->t, HAS_INDEXES))
		return 0;
	if (thread >= trace_threads(p->t))
		return UINT64_MAX;
	memset(&st, 0, sizeof st);
	trace_thread(p->t, thread, &st);
	return st.has_pid ? st.pid : UINT64_MAX;
}

uint32_t
processes_of(struct processes *p, uint32_t thread)
{
	uint64_t	pid;
	uint32_t	i;

	if (thread < p->nthread && p->of_thread[thread] != NAME_NONE)
		return p->of_thread[thread];
	pid = pid_of(p, thread);
	i = find_pid(p, pid);
	if (i == NAME_NONE) {
		i = (uint32_t)p->n;
		p->pid = mem_grow(p->pid, &p->cap, p->n + 1, sizeof *p->pid);
		p->pid[p->n++] = pid;
		hashtable_add(&p->by_pid, hash_u64(p->seed, pid), i);
	}
	if (thread >= trace_threads(p->t))
		return i;
	if (thread >= p->nthread) {
		p->of_thread = mem_grow(p->of_thread, &p->thread_cap, (size_t)thread + 1,
		    sizeof *p->of_thread);
		memset(p->of_thread + p->nthread, 0xff,
		    (thread + 1 - p->nthread) * sizeof *p->of_thread);
		p->nthread = (size_t)thread + 1;
	}
	p->of_thread[thread] = i;
	return i;
}

uint32_t
processes_known(const struct processes *p, uint32_t thread)
{
	if (thread < p->nthread && p->of_thread[thread] != NAME_NONE)
		return p->of_thread[thread];
	return find_pid(p, pid_of(p, thread));
}
