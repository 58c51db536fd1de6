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

#include "analysis/facts/facts.h"
#include "tnav/analysis/symbols.h"
#include "tnav/base/array.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/joined.h"

#define TEXT_MOST	4096u	/* bytes of a path */
#define METHOD_DYNAMIC	0x1u	/* of MethodFlags */

/* What an event is about: a method, by enum code_change, or ... */
enum symbol_event {
	ABOUT_ENTRY = CODE_MODULE_UNLOAD + 1, ABOUT_MODULE, ABOUT_MAPPING, ABOUT_SYMBOL,
	ABOUT_METADATA, ABOUT_END,
};

enum { CODE_FIELDS };
static const struct fact_def	defs[] = { CODE_FACTS };

/* A piece: records whose names are numbers of names, whose processes are threads. */
struct collect_piece {
	struct code_records	 records;
	struct buf		 text;		/* of all names */
	struct name_text	*name;		/* raw.p: NULL, they follow each other in text */
	size_t			 nname, name_cap;
};

struct collecting {
	struct sym_names	*names;
	struct processes	*p;
	struct code_records	*all;
	uint32_t		*map;		/* of a piece's names: what they are in all */
	size_t			 map_cap;
};

uint64_t
symbols_events(struct trace *t)
{
	return facts_count(defs, t);
}

/* ---- names */

static uint32_t
add_name(struct collect_piece *p, const struct name_text *t)
{
	ARRAY_ADD(p->name, p->nname, p->name_cap, *t);
	return (uint32_t)(p->nname - 1);
}

static uint32_t
add_text(struct collect_piece *p, struct span s)
{
	struct name_text	t = { .native = true };
	size_t			n = s.len < LIMIT_NAME ? s.len : LIMIT_NAME;

	while (n > 0 && n < s.len && (s.p[n] & 0xc0) == 0x80)
		n--;
	buf_add(&p->text, s.p, n);
	t.raw.len = n;
	return add_name(p, &t);
}

/* Of a method: type, name and signature are three fields. */
static uint32_t
add_method_name(struct collect_piece *p, const struct fact *f, unsigned field)
{
	struct name_text	t;

	if (!fact_has(f, field + 1))
		return NAME_NONE;
	name_of_method(&p->text, fact_text(f, field), fact_text(f, field + 1),
	    fact_text(f, field + 2), &t);
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
add_file(struct collect_piece *p, const struct fact *f, unsigned field)
{
	struct span	s = base_name(fact_text(f, field));

	if (s.len > TEXT_MOST)
		s.len = TEXT_MOST;
	return add_text(p, s);
}

/* ---- records */

static void
add_method(struct collect_piece *p, const struct fact *f)
{
	struct code_records	*c = &p->records;
	bool			 whole = fact_has(f, METHOD_START) && fact_has(f, METHOD_SIZE);

	if (f->kind != CODE_MODULE_UNLOAD && (!whole || fact_bits(f, METHOD_SIZE) == 0))
		return;
	ARRAY_ADD(c->method, c->nmethod, c->method_cap, (struct method_record){
		.ts = f->ev->ts, .what = (uint8_t)f->kind, .process = f->ev->thread,
		.start = fact_bits(f, METHOD_START), .size = (uint32_t)fact_bits(f, METHOD_SIZE),
		.method = fact_bits(f, METHOD_ID), .module = fact_bits(f, METHOD_MODULE),
		.dynamic = fact_bits(f, METHOD_FLAGS) & METHOD_DYNAMIC,
		.name = add_method_name(p, f, METHOD_NAMES),
	});
}

static void
add_entry(struct collect_piece *p, const struct fact *f)
{
	struct code_records	*c = &p->records;

	if (!fact_has(f, ENTRY_START) || !fact_has(f, ENTRY_NAMES + 1))
		return;
	ARRAY_ADD(c->entry, c->nentry, c->entry_cap, (struct entry_record){ .ts = f->ev->ts,
	    .start = fact_bits(f, ENTRY_START), .name = add_method_name(p, f, ENTRY_NAMES),
	    .process = f->ev->thread });
}

static void
add_module(struct collect_piece *p, const struct fact *f)
{
	struct code_records	*c = &p->records;
	unsigned		 path = MODULE_IL;

	if (fact_text(f, path).len == 0)
		path = MODULE_NATIVE;
	if (!fact_has(f, MODULE_ID) || fact_text(f, path).len == 0)
		return;
	ARRAY_ADD(c->module, c->nmodule, c->module_cap, (struct module_record){
	    .module = fact_bits(f, MODULE_ID),
	    .file = add_file(p, f, path), .process = f->ev->thread });
}

static bool
has_range(const struct fact *f)
{
	return fact_has(f, RANGE_START) && fact_has(f, RANGE_LAST) &&
	    fact_bits(f, RANGE_LAST) >= fact_bits(f, RANGE_START);
}

static void
add_mapping(struct collect_piece *p, const struct fact *f)
{
	struct code_records	*c = &p->records;

	if (!has_range(f))
		return;
	ARRAY_ADD(c->mapping, c->nmapping, c->mapping_cap, (struct mapping_record){
		.ts = f->ev->ts, .id = fact_bits(f, RANGE_ID), .start = fact_bits(f, RANGE_START),
		.last = fact_bits(f, RANGE_LAST), .offset = fact_bits(f, MAPPING_OFFSET),
		.metadata = fact_bits(f, MAPPING_METADATA),
		.file = add_file(p, f, RANGE_TEXT), .process = f->ev->thread,
	});
}

static void
add_symbol(struct collect_piece *p, const struct fact *f)
{
	struct code_records	*c = &p->records;

	if (!has_range(f) || fact_text(f, RANGE_TEXT).len == 0)
		return;
	ARRAY_ADD(c->symbol, c->nsymbol, c->symbol_cap, (struct symbol_record){
	    .mapping = fact_bits(f, RANGE_ID),
	    .start = fact_bits(f, RANGE_START), .last = fact_bits(f, RANGE_LAST),
	    .name = add_text(p, fact_text(f, RANGE_TEXT)) });
}

static void
add_metadata(struct collect_piece *p, const struct fact *f)
{
	struct code_records	*c = &p->records;

	ARRAY_ADD(c->metadata, c->nmetadata, c->metadata_cap, (struct metadata_record){
	    .id = fact_bits(f, METADATA_ID), .text = add_text(p, fact_text(f, METADATA_TEXT)) });
}

static void
add_fact(void *part, const struct fact *f)
{
	struct collect_piece	*p = part;

	switch (f->kind) {
	case ABOUT_ENTRY:
		add_entry(p, f);
		break;
	case ABOUT_MODULE:
		add_module(p, f);
		break;
	case ABOUT_MAPPING:
		add_mapping(p, f);
		break;
	case ABOUT_SYMBOL:
		add_symbol(p, f);
		break;
	case ABOUT_METADATA:
		add_metadata(p, f);
		break;
	case ABOUT_END:
		p->records.rundown_ends = true;
		break;
	default:
		add_method(p, f);
		break;
	}
}

/* ---- the pass */

static void
part_release(void *part)
{
	struct collect_piece	*p = part;

	code_records_release(&p->records);
	mem_free(p->name);
	buf_release(&p->text);
}

/* What the names of a piece are in all. */
static void
merge_names(struct collecting *c, const struct collect_piece *p)
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

/* Add the records of one kind, whose text becomes what all name it. */
#define MERGE(c, from, kind, text) do { \
	struct code_records	*to = (c)->all; \
	to->kind = mem_grow(to->kind, &to->kind##_cap, to->n##kind + (from)->n##kind, \
	    sizeof *to->kind); \
	for (size_t i = 0; i < (from)->n##kind; i++) { \
		to->kind[to->n##kind] = (from)->kind[i]; \
		to->kind[to->n##kind++].text = merged_name((c), (from)->kind[i].text); \
	} \
} while (0)

/* The same of records that are of a process. */
#define MERGE_OWN(c, from, kind, text) do { \
	size_t	first = (c)->all->n##kind; \
	MERGE(c, from, kind, text); \
	for (size_t i = 0; i < (from)->n##kind; i++) \
		(c)->all->kind[first + i].process = \
		    processes_of((c)->p, (from)->kind[i].process); \
} while (0)

static void
merge_records(struct collecting *c, const struct code_records *from)
{
	MERGE_OWN(c, from, method, name);
	MERGE_OWN(c, from, entry, name);
	MERGE_OWN(c, from, module, file);
	MERGE_OWN(c, from, mapping, file);
	MERGE(c, from, symbol, name);
	MERGE(c, from, metadata, text);
}

static void
part_merge(void *arg, void *part)
{
	struct collecting	*c = arg;
	struct collect_piece	*p = part;

	if (p->nname > 0 || p->records.nmethod > 0) {
		merge_names(c, p);
		merge_records(c, &p->records);
	}
	c->all->rundown_ends |= p->records.rundown_ends;
}

static const struct fact_parts	parts = {
	.def = defs, .size = sizeof(struct collect_piece), .add = add_fact,
	.merge = part_merge, .release = part_release,
};

int
collect(struct trace *t, struct sym_names *names, struct processes *p, struct code_records *out,
    const struct pass_options *o)
{
	struct collecting	c = { .names = names, .p = p, .all = out };
	int			err = facts_parts(t, &parts, &c, o);

	mem_free(c.map);
	return err;
}

void
code_records_release(struct code_records *c)
{
	mem_free(c->method);
	mem_free(c->entry);
	mem_free(c->module);
	mem_free(c->mapping);
	mem_free(c->symbol);
	mem_free(c->metadata);
	*c = (struct code_records){ .nmethod = 0 };
}

/* ---- processes */

void
processes_init(struct processes *p, struct trace *t)
{
	*p = (struct processes){ .t = t };
}

void
processes_release(struct processes *p)
{
	mem_free(p->of_thread);
	mem_free(p->pid);
	idmap_release(&p->by_pid);
}

/* All threads of a trace of one process are one process. */
static uint64_t
pid_of(const struct processes *p, uint32_t thread, uint32_t *source)
{
	struct thread_stat	st;

	*source = 0;
	if (thread >= trace_threads(p->t))
		return trace_has(p->t, HAS_INDEXES) ? UINT64_MAX : 0;
	memset(&st, 0, sizeof st);
	trace_thread(p->t, thread, &st);
	*source = st.source;
	if (!trace_has(trace_source(p->t, st.source), HAS_INDEXES))
		return 0;
	return st.has_pid ? st.pid : UINT64_MAX;
}

uint32_t
processes_of(struct processes *p, uint32_t thread)
{
	uint64_t	pid;
	uint32_t	i, source;

	if (thread < p->nthread && p->of_thread[thread] != 0)
		return p->of_thread[thread] - 1;
	pid = pid_of(p, thread, &source);
	if (!idmap_get(&p->by_pid, pid, source, &i)) {
		i = (uint32_t)p->n;
		ARRAY_ADD(p->pid, p->n, p->cap, pid);
		idmap_set(&p->by_pid, pid, source, i);
	}
	if (thread >= trace_threads(p->t))
		return i;
	p->of_thread = array_reach(p->of_thread, &p->nthread, thread, sizeof *p->of_thread);
	p->of_thread[thread] = i + 1;
	return i;
}

uint32_t
processes_known(const struct processes *p, uint32_t thread)
{
	uint32_t	i, source;
	uint64_t	pid;

	if (thread < p->nthread && p->of_thread[thread] != 0)
		return p->of_thread[thread] - 1;
	pid = pid_of(p, thread, &source);
	return idmap_get(&p->by_pid, pid, source, &i) ? i : NAME_NONE;
}
