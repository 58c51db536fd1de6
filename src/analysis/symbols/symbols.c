/*
 * Names of stack addresses.
 *
 *	process -> methods	[start, last] x [loaded, unloaded)	ranges.c
 *		-> entry points of precompiled code, which have no end
 *		-> mappings	[start, last] x [mapped, ...)		ranges.c
 *	mapping -> symbols, the innermost				spots.c
 *	kernel	-> symbols of all its mappings
 *
 * A return address is looked up at the byte before it: this byte belongs to the call.
 *
 * Invariant: nothing changes after symbols_new(), except clean names, which are made under a lock.
 * Format: oracle/symbols of the shared data, "The rule that is right".
 */
#include "tnav/analysis/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/symbols/files.h"
#include "analysis/symbols/lives.h"
#include "analysis/symbols/perfmap.h"
#include "analysis/symbols/spots.h"
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/io/source.h"

#define ENTRY_REACH	4096u	/* bytes after an entry point that may belong to its method */
#define ENTRY_TRIES	64u	/* names that are tried for one entry point */
#define KERNEL_FIRST	0xffff800000000000u
#define KERNEL_FILE	"vmlinux"
#define KERNEL		(UINT32_MAX - 1)	/* the group of the kernel's symbols */

struct process_code {
	struct ranges	 methods, mappings;
	size_t		 life0;		/* index of its first in lives */
	size_t		 mapping0;
	size_t		 entry0, nentries;
	bool		 has_loads, has_rundown;
	bool		 sure_dynamic;	/* loads were recorded: times of dynamic code are known */
};

struct symbols {
	struct stack_namer	 namer;		/* the first: it is lent */
	struct trace		*t;
	struct sym_names	 names;
	struct processes	 processes;
	struct code_records	 records;
	struct lives		 lives;
	struct process_code	*process;	/* by number */
	struct spots		 spots;		/* the group is the index of the mapping id */
	struct perf_map		 perf_lines;
	struct spots		 perf;		/* of the perf map, one group */
	struct symbol_files	 files;
	uint64_t		*mapping_id;	/* ascending: its index is the group */
	size_t			 nmapping_ids;
	struct idmap		 modules;	/* (process, id) -> records.module */
	size_t			 own_modules;	/* how many are of the trace itself */
	bool			 lossy;		/* events were lost */
	bool			 system;	/* a trace of the whole machine (V6) */
};

/* ---- construction */

SORT_ORDER(entry_order, struct entry_record, RISING(process) RISING(start) RISING(ts))

SORT_ORDER(mapping_order, struct mapping_record, RISING(process) RISING(ts))

static void
make_methods(struct symbols *s)
{
	struct lives	*l = &s->lives;
	size_t		 end;

	for (size_t i = 0; i < l->n; i = end) {
		struct process_code	*p = &s->process[l->v[i].process];

		for (end = i; end < l->n && l->v[end].process == l->v[i].process; end++)
			;
		p->life0 = i;
		ranges_init(&p->methods, l->range + i, (uint32_t)(end - i));
	}
	lives_drop_ranges(l);
}

static void
make_entries(struct symbols *s)
{
	struct code_records	*c = &s->records;
	size_t			 kept = 0;

	sort_array(c->entry, c->nentry, sizeof *c->entry, entry_order);
	for (size_t i = 0; i < c->nentry; i++) {
		struct entry_record	*last = kept > 0 ? &c->entry[kept - 1] : NULL;
		struct process_code	*p = &s->process[c->entry[i].process];

		if (last != NULL && last->process == c->entry[i].process &&
		    last->start == c->entry[i].start && last->name == c->entry[i].name)
			continue;		/* a duplicate */
		if (p->nentries++ == 0)
			p->entry0 = kept;
		c->entry[kept++] = c->entry[i];
	}
	c->nentry = kept;
}

static void
make_mappings(struct symbols *s)
{
	struct code_records	*c = &s->records;
	struct code_range	*v = mem_alloc((c->nmapping + 1) * sizeof *v);
	size_t			 end;

	sort_array(c->mapping, c->nmapping, sizeof *c->mapping, mapping_order);
	for (size_t i = 0; i < c->nmapping; i++)
		v[i] = (struct code_range){ .start = c->mapping[i].start,
		    .last = c->mapping[i].last, .from = c->mapping[i].ts, .to = TIME_LAST };
	for (size_t i = 0; i < c->nmapping; i = end) {
		struct process_code	*p = &s->process[c->mapping[i].process];

		for (end = i; end < c->nmapping &&
		    c->mapping[end].process == c->mapping[i].process; end++)
			;
		p->mapping0 = i;
		ranges_init(&p->mappings, v + i, (uint32_t)(end - i));
	}
	mem_free(v);
}

/* The group of each mapping id: its index, or KERNEL for those of the kernel. */
static void
make_groups(struct symbols *s, uint32_t **kernel)
{
	struct code_records	*c = &s->records;
	size_t			 n = 0;

	s->mapping_id = mem_alloc((c->nmapping + 1) * sizeof *s->mapping_id);
	for (size_t i = 0; i < c->nmapping; i++)
		s->mapping_id[i] = c->mapping[i].id;
	sort_array(s->mapping_id, c->nmapping, sizeof *s->mapping_id, compare_u64);
	for (size_t i = 0; i < c->nmapping; i++)
		if (n == 0 || s->mapping_id[n - 1] != s->mapping_id[i])
			s->mapping_id[n++] = s->mapping_id[i];
	s->nmapping_ids = n;
	*kernel = mem_zalloc(n + 1, sizeof **kernel);
}

/* The index of a mapping id; NAME_NONE: there is none. */
static uint32_t
group_of(const struct symbols *s, uint64_t id)
{
	const uint64_t	*at = s->nmapping_ids == 0 ? NULL : bsearch(&id, s->mapping_id,
			    s->nmapping_ids, sizeof id, compare_u64);

	return at != NULL ? (uint32_t)(at - s->mapping_id) : NAME_NONE;
}

static bool
is_kernel(const struct symbols *s, uint32_t file)
{
	struct span	name = sym_names_text(&s->names, file);

	return span_is(name, KERNEL_FILE);
}

static void
make_spots(struct symbols *s)
{
	struct code_records	*c = &s->records;
	struct spot		*v = mem_alloc((c->nsymbol + 1) * sizeof *v);
	uint32_t		*kernel;
	size_t			 n = 0;

	make_groups(s, &kernel);
	for (size_t i = 0; i < c->nmapping; i++)
		if (is_kernel(s, c->mapping[i].file))
			kernel[group_of(s, c->mapping[i].id)] = 1;
	for (size_t i = 0; i < c->nsymbol; i++) {
		uint32_t	group = group_of(s, c->symbol[i].mapping);

		if (group == NAME_NONE)
			continue;
		v[n++] = (struct spot){ .group = kernel[group] ? KERNEL : group,
		    .name = c->symbol[i].name, .start = c->symbol[i].start,
		    .last = c->symbol[i].last };
	}
	spots_init(&s->spots, v, n, sym_names_better, &s->names);
	mem_free(v);
	mem_free(kernel);
}

static void
add_modules(struct symbols *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const struct module_record	*m = &s->records.module[i];

		idmap_set(&s->modules, m->module, m->process, (uint32_t)i);
	}
}

/* Modules that are added later take precedence: those of the trace itself. */
static void
make_modules(struct symbols *s)
{
	add_modules(s, s->own_modules, s->records.nmodule);
	add_modules(s, 0, s->own_modules);
}

static void
note_sources(struct symbols *s)
{
	for (size_t i = 0; i < s->records.nmethod; i++) {
		const struct method_record	*m = &s->records.method[i];
		struct process_code		*p = &s->process[m->process];

		p->has_loads |= m->what == CODE_LOAD;
		p->has_rundown |= m->what == CODE_RUNDOWN;
		p->sure_dynamic |= m->what == CODE_LOAD || m->what == CODE_UNLOAD;
	}
}

static void
make(struct symbols *s)
{
	struct loss	loss;

	for (uint32_t i = 0; i < trace_threads(s->t); i++)
		(void)processes_of(&s->processes, i);
	s->process = mem_zalloc(s->processes.n + 1, sizeof *s->process);
	note_sources(s);
	lives_init(&s->lives, s->records.method, s->records.nmethod);
	mem_free(s->records.method);
	s->records.method = NULL;
	make_methods(s);
	make_entries(s);
	make_mappings(s);
	make_spots(s);
	mem_free(s->records.symbol);
	s->records.symbol = NULL;
	make_modules(s);
	trace_loss(s->t, &loss);
	s->lossy = loss.lost > 0;
	s->system = trace_has(s->t, HAS_INDEXES);
}

/* ---- lookup */

static void
put_name(struct symbols *s, uint32_t name, bool clean, struct frame_name *out)
{
	out->raw = sym_names_raw(&s->names, name);
	out->method = sym_names_parts(&s->names, name, &out->type_len, &out->args_at);
	if (clean)
		out->clean = sym_names_clean(&s->names, name);
}

static void
put_module(const struct symbols *s, uint32_t process, uint64_t module, struct frame_name *out)
{
	uint32_t	i;

	if (idmap_get(&s->modules, module, process, &i))
		out->module = sym_names_text(&s->names, s->records.module[i].file);
}

/* The method at the address and time; else an earlier or a later one at this address. */
static bool
find_method(struct symbols *s, uint32_t process, uint64_t addr, int64_t ts, bool clean,
    struct frame_name *out)
{
	const struct process_code	*p = &s->process[process];
	const struct life		*l;
	struct range_hit		 hit;
	uint32_t			 item;

	ranges_find(&p->methods, addr, ts, &hit);
	time_narrow(&out->from, &out->to, hit.from, hit.to);
	item = hit.item;
	if (item == RANGE_NONE)
		item = hit.before != RANGE_NONE ? hit.before : hit.after;
	if (item == RANGE_NONE)
		return false;
	if (hit.item == RANGE_NONE) {
		out->why = hit.before != RANGE_NONE ? NAME_UNLOADED : NAME_LATER;
		out->unsure = true;
	}
	l = &s->lives.v[p->life0 + item];
	if (!out->unsure && l->dynamic && !p->sure_dynamic) {
		out->unsure = true;
		out->why = NAME_DYNAMIC;
	}
	put_name(s, l->name, clean, out);
	put_module(s, process, l->module, out);
	return true;
}

/* Does a method begin or end after `start`, up to the address? */
static bool
is_between(const struct process_code *p, uint64_t start, uint64_t addr)
{
	uint64_t	bound;

	return ranges_bound(&p->methods, addr, &bound) && bound > start;
}

/* The nearest entry point below, unless a method lies between. */
static bool
find_entry(struct symbols *s, uint32_t process, uint64_t addr, int64_t ts, bool clean,
    struct frame_name *out)
{
	const struct process_code	*p = &s->process[process];
	const struct entry_record		*v;
	size_t				 after = 0, least;
	uint64_t			 start;

	if (p->nentries == 0)
		return false;
	v = s->records.entry + p->entry0;
	BISECT(after, p->nentries, i, v[i].start <= addr);
	start = after > 0 ? v[after - 1].start : 0;
	if (after == 0 || addr - start >= ENTRY_REACH || is_between(p, start, addr))
		return false;
	least = after > ENTRY_TRIES ? after - ENTRY_TRIES : 0;
	for (; after > least && v[after - 1].start == start; after--) {
		if (v[after - 1].ts >= ts) {
			time_narrow(&out->from, &out->to, TIME_FIRST, v[after - 1].ts + 1);
			continue;
		}
		time_narrow(&out->from, &out->to, v[after - 1].ts + 1, TIME_LAST);
		put_name(s, v[after - 1].name, clean, out);
		out->unsure = true;
		out->why = NAME_ENTRY_POINT;
		return true;
	}
	return false;
}

static bool
put_symbol(const struct symbols *s, uint32_t name, struct frame_name *out)
{
	if (name == SPOT_NONE)
		return false;
	out->raw = out->clean = sym_names_text(&s->names, name);
	return true;
}

static bool
find_symbol(struct symbols *s, uint32_t group, uint64_t addr, struct frame_name *out)
{
	return group != NAME_NONE && put_symbol(s, spots_find(&s->spots, group, addr), out);
}

/* From a file of the user with the build id of the mapped file. */
static bool
find_in_file(const struct symbols *s, const struct mapping_record *m, uint64_t addr,
    struct frame_name *out)
{
	return put_symbol(s, symbol_files_find(&s->files, m, addr), out);
}

/* The mapping at this time, or else the next one, since mappings are recorded late. */
static const struct mapping_record *
find_mapping(struct symbols *s, uint32_t process, uint64_t addr, int64_t ts,
    struct frame_name *out)
{
	const struct process_code	*p = &s->process[process];
	struct range_hit		 hit;
	uint32_t			 item;

	ranges_find(&p->mappings, addr, ts, &hit);
	time_narrow(&out->from, &out->to, hit.from, hit.to);
	item = hit.item != RANGE_NONE ? hit.item : hit.after;
	return item != RANGE_NONE ? &s->records.mapping[p->mapping0 + item] : NULL;
}

static bool
find_native(struct symbols *s, uint32_t process, uint64_t addr, uint64_t ip, int64_t ts,
    struct frame_name *out)
{
	const struct mapping_record	*m = NULL;
	uint32_t			 group = NAME_NONE;

	if (process != NAME_NONE)
		m = find_mapping(s, process, addr, ts, out);
	if (m == NULL && process != NAME_NONE)
		m = find_mapping(s, process, ip, ts, out);
	if (addr >= KERNEL_FIRST)
		group = KERNEL;
	else if (m != NULL)
		group = group_of(s, m->id);
	if (m != NULL)
		out->module = sym_names_text(&s->names, m->file);
	if (find_symbol(s, group, addr, out) || (m != NULL && find_in_file(s, m, addr, out)))
		return true;
	out->why = m != NULL ? NAME_NATIVE : NAME_UNMAPPED;
	if (m == NULL || out->module.len == 0)
		return false;
	out->has_offset = true;
	out->offset = ip - m->start + m->offset;
	return false;
}

/* Why an address in a trace of one process has no name. */
static enum name_why
why_unnamed(const struct symbols *s, uint32_t process)
{
	const struct process_code	*p = process != NAME_NONE ? &s->process[process] : NULL;

	if (p == NULL || (!p->has_loads && !p->has_rundown && p->nentries == 0))
		return s->lossy ? NAME_LOST : NAME_NO_METHODS;
	if (s->lossy)
		return NAME_LOST;
	return p->has_rundown || s->records.rundown_ends ? NAME_STUB : NAME_NO_RUNDOWN;
}

static bool
symbols_frame(void *self, const struct event *e, uint64_t ip, unsigned depth, bool clean,
    struct frame_name *out)
{
	struct symbols	*s = self;
	uint32_t	 process = processes_known(&s->processes, e->thread);
	uint64_t	 addr = ip - (depth > 0 && ip > 0);

	*out = (struct frame_name){ .from = TIME_FIRST, .to = TIME_LAST };
	if (process != NAME_NONE && process < s->processes.n) {
		if (find_method(s, process, addr, e->ts, clean, out) ||
		    find_entry(s, process, addr, e->ts, clean, out))
			return true;
	}
	if (put_symbol(s, spots_find(&s->perf, 0, addr), out))
		return true;
	if (s->system)
		return find_native(s, process, addr, ip, e->ts, out);
	out->why = why_unnamed(s, process);
	return false;
}

static uint32_t
symbols_process(void *self, const struct event *e)
{
	return processes_known(&((struct symbols *)self)->processes, e->thread);
}

/* ---- the public interface */

/* Read the user's perf map. If it cannot be read, that is reported, and it gives no names. */
static void
read_perf_map(struct symbols *s, const struct derive_options *o)
{
	struct source	*file;
	struct buf	 why = { 0 };

	if (source_open(&file, o->files.perf_map, &why) == 0) {
		while (!source_complete(file))
			source_wait(file, source_size(file), INT64_MAX);
		perf_map_read(&s->perf_lines, source_span(file, 0, source_size(file)), &s->names);
		spots_init(&s->perf, s->perf_lines.v, s->perf_lines.n, sym_names_better, &s->names);
		source_close(file);
		if (s->perf_lines.n == 0)
			buf_puts(&why, "not a perf map: no line has START SIZE NAME");
	} else if (why.len == 0) {
		buf_puts(&why, "it cannot be read");
	}
	if (o->why != NULL && why.len > 0)
		buf_printf(o->why, "--perf-map: %s: %s\n", o->files.perf_map, buf_str(&why));
	buf_release(&why);
}

/* Read the user's folders in the same way. */
static void
read_folders(struct symbols *s, const struct derive_options *o)
{
	struct buf	why = { 0 };

	symbol_files_init(&s->files, &s->records, &s->names, o->files.folders, o->files.nfolders,
	    &why);
	if (s->files.cut)
		buf_puts(&why, "too many symbols: those beyond the limit have no names\n");
	if (s->files.n == 0)
		buf_puts(&why, "the trace has no native module with a build id\n");
	else if (s->files.used == 0)
		buf_printf(&why, "no file matches the build id of any of the trace's %zu native "
		    "modules\n", s->files.n);
	for (const char *p = buf_str(&why), *end; o->why != NULL && *p != '\0'; p = end + 1) {
		end = strchr(p, '\n');
		buf_printf(o->why, "--symbol-path: %.*s\n", (int)(end - p), p);
	}
	buf_release(&why);
}

static bool
has_rundown(const struct code_records *c)
{
	for (size_t i = 0; c->rundown_ends && i < c->nmethod; i++)
		if (c->method[i].what == CODE_RUNDOWN)
			return true;
	return false;
}

/* Is the other trace of the same single process, with the same clock? */
static bool
is_alike(const struct symbols *s, struct trace *other)
{
	return other != NULL && !trace_has(s->t, HAS_INDEXES) && !trace_has(other, HAS_INDEXES) &&
	    trace_info(s->t)->freq == trace_info(other)->freq;
}

/*
 * Collect the records of the trace and of the other traces. Records of the others count at the time
 * of their events. The rundown of another trace is used until this one has its own.
 */
static int
collect_all(struct symbols *s, const struct derive_options *o)
{
	const struct symbols_files	*f = &o->files;
	int				 err;

	err = collect(s->t, &s->names, &s->processes, &s->records, &o->pass);
	s->own_modules = s->records.nmodule;
	if (err == 0 && is_alike(s, f->earlier) && !has_rundown(&s->records))
		err = collect(f->earlier, &s->names, &s->processes, &s->records, &o->pass);
	if (err == 0 && is_alike(s, f->loads))
		err = collect(f->loads, &s->names, &s->processes, &s->records, &o->pass);
	return err;
}

struct symbols *
symbols_new(struct trace *t, const struct derive_options *o)
{
	struct symbols	*s = mem_zalloc(1, sizeof *s);

	s->t = t;
	s->namer = (struct stack_namer){ .self = s, .frame = symbols_frame,
	    .process = symbols_process };
	sym_names_init(&s->names);
	processes_init(&s->processes, t);
	if (collect_all(s, o) < 0) {
		symbols_free(s);
		return NULL;
	}
	if (o->files.perf_map != NULL)
		read_perf_map(s, o);
	if (o->files.nfolders > 0)
		read_folders(s, o);
	make(s);
	return s;
}

void
symbols_free(struct symbols *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; s->process != NULL && i < s->processes.n; i++) {
		ranges_release(&s->process[i].methods);
		ranges_release(&s->process[i].mappings);
	}
	mem_free(s->process);
	spots_release(&s->spots);
	spots_release(&s->perf);
	symbol_files_release(&s->files);
	perf_map_release(&s->perf_lines);
	lives_release(&s->lives);
	code_records_release(&s->records);
	processes_release(&s->processes);
	idmap_release(&s->modules);
	sym_names_release(&s->names);
	mem_free(s->mapping_id);
	mem_free(s);
}

void
symbols_counts(const struct symbols *s, struct symbols_counts *out)
{
	*out = (struct symbols_counts){ .methods = s->lives.n, .entries = s->records.nentry,
	    .mappings = s->records.nmapping, .symbols = s->spots.n, .names = s->names.v.n,
	    .perf = s->perf_lines.n };
	out->bytes = sym_names_bytes(&s->names) + s->lives.n * sizeof *s->lives.v +
	    (s->spots.n + s->perf.n + s->files.spots.n) * sizeof(struct spot) +
	    s->records.mapping_cap * sizeof *s->records.mapping;
	for (size_t i = 0; i < s->processes.n; i++)
		out->bytes += ranges_bytes(&s->process[i].methods) +
		    ranges_bytes(&s->process[i].mappings);
}
