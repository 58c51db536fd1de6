/*
 * Files with the symbols of native modules.
 *
 *	mapping -> metadata -> build id -> symbol_file		one for each build id
 *	FOLDER/.build-id/ab/cdef..., and .debug behind it	tried by name
 *	any file below FOLDER that is called as a module, or with .debug behind: has it the id?
 *	symbol_file: segments of code (file offset -> address), symbols in spots
 *
 * Names of files come from the folder and are compared with what the trace says; the build id is
 * hex digits before a path is made of it.
 *
 * Invariant: SYMBOLS_MOST symbols and NAMES_MOST bytes of names are kept, whatever files say.
 */
#include "analysis/symbols/files.h"

#include <stdlib.h>
#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/base/text.h"
#include "tnav/io/folder.h"
#include "tnav/io/source.h"

#define FILES_MOST	16384u			/* build ids that are looked for */
#define SEGMENTS_MOST	16u
#define COPIES_MOST	4u			/* files of one build id that are read */
#define SYMBOLS_MOST	(UINT32_C(1) << 20)
#define NAMES_MOST	(UINT64_C(256) << 20)	/* bytes of all names that are looked at */
#define ID_LEAST	4u			/* hex digits of a build id */
#define PAGE		UINT64_C(4096)

struct symbol_file {
	char			 id[ELF_ID_MOST * 2 + 1];
	struct elf_segment	 segment[SEGMENTS_MOST];
	unsigned		 nsegments, copies;
};

struct search {
	struct symbol_files	*f;
	struct sym_names	*names;
	uint64_t		 seed;
	struct hashtable	 by_id;		/* -> f->v */
	struct hashtable	 by_name;	/* -> name */
	struct span		*name;		/* of modules */
	size_t			 nname, name_cap;
	struct spot		*spot;
	size_t			 nspot, spot_cap;
	uint64_t		 bytes;		/* of names */
	uint32_t		 at;		/* the file that is read */
	struct buf		 text;
};

/* ---- which are wanted */

/* The hex digits after "build_id": " in the metadata's JSON; false: there are none. */
static bool
read_id(struct span json, char *hex)
{
	static const char	key[] = "\"build_id\"";
	const uint8_t		*end = json.p + json.len, *p = NULL;
	size_t			 n = 0;

	for (size_t i = 0; i + sizeof key - 1 < json.len && p == NULL; i++)
		if (memcmp(json.p + i, key, sizeof key - 1) == 0)
			p = json.p + i + sizeof key - 1;
	if (p == NULL)
		return false;
	while (p < end && (*p == ' ' || *p == ':'))
		p++;
	if (p == end || *p++ != '"')
		return false;
	for (; p < end && n < ELF_ID_MOST * 2; n++, p++) {
		uint8_t	c = *p | 0x20;

		if ((*p < '0' || *p > '9') && (c < 'a' || c > 'f'))
			break;
		hex[n] = (char)(*p >= '0' && *p <= '9' ? *p : c);
	}
	hex[n] = '\0';
	return n >= ID_LEAST && n % 2 == 0 && p < end && *p == '"';
}

/* The number of the file with the id; NAME_NONE: no module of the trace has it. */
static uint32_t
find_id(const struct search *k, const char *id)
{
	uint64_t	hash = hash_bytes(k->seed, id, strlen(id));
	size_t		at = 0;

	for (uint32_t *i; (i = hashtable_next(&k->by_id, hash, &at)) != NULL; )
		if (strcmp(k->f->v[*i].id, id) == 0)
			return *i;
	return NAME_NONE;
}

static uint32_t
add_id(struct search *k, const char *id)
{
	struct symbol_files	*f = k->f;
	uint32_t		 i = find_id(k, id);

	if (i != NAME_NONE || f->n == FILES_MOST)
		return i;
	f->v = mem_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->v[f->n] = (struct symbol_file){ .nsegments = 0 };
	memcpy(f->v[f->n].id, id, strlen(id) + 1);
	hashtable_add(&k->by_id, hash_bytes(k->seed, id, strlen(id)), (uint32_t)f->n);
	return (uint32_t)f->n++;
}

static bool
has_name(const struct search *k, struct span name)
{
	size_t	at = 0;

	for (uint32_t *i; (i = hashtable_next(&k->by_name, hash_bytes(k->seed, name.p, name.len),
	    &at)) != NULL; )
		if (k->name[*i].len == name.len && memcmp(k->name[*i].p, name.p, name.len) == 0)
			return true;
	return false;
}

static int
by_metadata(const void *x, const void *y)
{
	const uint64_t	*a = x, *b = y;		/* the first member */

	return *a < *b ? -1 : *a > *b;
}

static void
want_files(struct search *k, const struct collected *c)
{
	struct symbol_files	*f = k->f;
	char			 id[ELF_ID_MOST * 2 + 1];

	f->of = mem_alloc((c->nmetadata + 1) * sizeof *f->of);
	for (size_t i = 0; i < c->nmetadata; i++) {
		uint32_t	file = NAME_NONE;

		if (read_id(sym_names_text(k->names, c->metadata[i].text), id))
			file = add_id(k, id);
		if (file == NAME_NONE)
			continue;
		f->of[f->nof].metadata = c->metadata[i].id;
		f->of[f->nof++].file = file;
	}
	sort_array(f->of, f->nof, sizeof *f->of, by_metadata);
	for (size_t i = 0; i < c->nmapping; i++) {
		struct span	name = sym_names_text(k->names, c->mapping[i].file);

		if (c->mapping[i].metadata == 0 || name.len == 0 || has_name(k, name))
			continue;
		k->name = mem_grow(k->name, &k->name_cap, k->nname + 1, sizeof *k->name);
		k->name[k->nname] = name;
		hashtable_add(&k->by_name, hash_bytes(k->seed, name.p, name.len),
		    (uint32_t)k->nname++);
	}
}

/* ---- reading */

static void
take_segment(void *arg, const struct elf_segment *s)
{
	struct search		*k = arg;
	struct symbol_file	*file = &k->f->v[k->at];

	if (file->nsegments < SEGMENTS_MOST)
		file->segment[file->nsegments++] = *s;
}

static bool
take_symbol(void *arg, uint64_t vaddr, uint64_t size, struct span name)
{
	struct search		*k = arg;
	struct name_text	 t = { .native = true };

	k->bytes += name.len;
	if (k->nspot == SYMBOLS_MOST || k->bytes > NAMES_MOST) {
		k->f->cut = true;
		return false;
	}
	if (size - 1 > UINT64_MAX - vaddr)
		return true;
	buf_clear(&k->text);
	text_from_utf8(&k->text, name);
	t.raw = span_of_buf(&k->text);
	k->spot = mem_grow(k->spot, &k->spot_cap, k->nspot + 1, sizeof *k->spot);
	k->spot[k->nspot++] = (struct spot){ .group = k->at, .start = vaddr,
	    .last = vaddr + (size - 1), .name = sym_names_add(k->names, &t) };
	return true;
}

/* A file that may have one of the ids. */
static bool
take_file(void *arg, const char *path)
{
	struct search			*k = arg;
	const struct elf_reader		 r = { take_segment, take_symbol, k };
	char				 id[ELF_ID_MOST * 2 + 1];
	struct source			*s;
	struct span			 bytes;
	struct buf			 why;

	if (!file_is_regular(path, ELF_BYTES_MOST))
		return true;
	buf_init(&why);
	if (source_open(&s, path, &why) == 0) {
		bytes = source_complete(s) ? source_span(s, 0, source_size(s)) :
		    (struct span){ NULL, 0 };	/* a compressed one is none */
		k->at = elf_build_id(bytes, id) ? find_id(k, id) : NAME_NONE;
		if (k->at != NAME_NONE && k->f->v[k->at].copies < COPIES_MOST &&
		    elf_read(bytes, &r))
			k->f->found += k->f->v[k->at].copies++ == 0;
		source_close(s);
	}
	buf_release(&why);
	return !k->f->cut;
}

static bool
is_wanted(void *arg, const char *name)
{
	static const char	debug[] = ".debug";
	const struct search	*k = arg;
	struct span		 s = { (const uint8_t *)name, strlen(name) };
	size_t			 n = sizeof debug - 1;

	if (has_name(k, s))
		return true;
	if (s.len <= n || memcmp(s.p + s.len - n, debug, n) != 0)
		return false;
	s.len -= n;
	return has_name(k, s);
}

/* FOLDER/.build-id/ab/cdef and FOLDER/.build-id/ab/cdef.debug */
static void
try_ids(struct search *k, const char *folder)
{
	static const char *const	behind[] = { "", ".debug" };
	struct buf			path;

	buf_init(&path);
	for (size_t i = 0; i < k->f->n; i++)
		for (unsigned b = 0; b < 2; b++) {
			const char	*id = k->f->v[i].id;

			buf_clear(&path);
			buf_printf(&path, "%s/.build-id/%.2s/%s%s", folder, id, id + 2, behind[b]);
			(void)take_file(k, buf_str(&path));
		}
	buf_release(&path);
}

void
symbol_files_init(struct symbol_files *f, const struct collected *c, struct sym_names *names,
    const char *const *folders, size_t nfolders, struct buf *why)
{
	struct search			k = { .f = f, .names = names, .seed = hash_seed() };
	const struct folder_walk	w = { is_wanted, take_file, &k };

	*f = (struct symbol_files){ .n = 0 };
	hashtable_init(&k.by_id);
	hashtable_init(&k.by_name);
	buf_init(&k.text);
	want_files(&k, c);
	for (size_t i = 0; i < nfolders; i++) {
		try_ids(&k, folders[i]);
		if (f->n == 0 || folder_walk(folders[i], &w) == ERR_OK)
			continue;
		buf_printf(why, "%s: the folder cannot be read\n", folders[i]);
	}
	spots_init(&f->spots, k.spot, k.nspot, sym_names_better, names);
	mem_free(k.spot);
	mem_free(k.name);
	buf_release(&k.text);
	hashtable_release(&k.by_id);
	hashtable_release(&k.by_name);
}

void
symbol_files_release(struct symbol_files *f)
{
	spots_release(&f->spots);
	mem_free(f->v);
	mem_free(f->of);
	*f = (struct symbol_files){ .n = 0 };
}

/* The file of the mapping; NULL: none is there. */
static const struct symbol_file *
file_of(const struct symbol_files *f, uint64_t metadata, uint32_t *number)
{
	size_t	lo = 0, hi = f->nof;

	while (lo < hi) {
		size_t	mid = lo + (hi - lo) / 2;

		if (f->of[mid].metadata < metadata)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == f->nof || f->of[lo].metadata != metadata)
		return NULL;
	*number = f->of[lo].file;
	return &f->v[*number];
}

static uint64_t
page_of(uint64_t v)
{
	return v & ~(PAGE - 1);
}

/*
 * Is the mapping this segment? Where the offset in the file is known, it says where the address
 * lies; else the mapping has to be of the segment's pages, all of them.
 */
static bool
place_in(const struct elf_segment *s, const struct mapping_said *m, uint64_t addr, uint64_t *vaddr)
{
	uint64_t	off = addr - m->start + m->offset, first = page_of(s->vaddr);

	if (s->size > 0) {
		*vaddr = off - s->off + s->vaddr;
		return off >= s->off && off - s->off < s->size;
	}
	*vaddr = addr - m->start + first;
	return page_of(s->vaddr + s->memory - 1) - first == page_of(m->last - 1) - m->start;
}

uint32_t
symbol_files_find(const struct symbol_files *f, const struct mapping_said *m, uint64_t addr)
{
	uint32_t			 number, name = SPOT_NONE;
	const struct symbol_file	*file = file_of(f, m->metadata, &number);
	uint64_t			 vaddr;

	for (unsigned i = 0; file != NULL && i < file->nsegments && name == SPOT_NONE; i++)
		if (place_in(&file->segment[i], m, addr, &vaddr))
			name = spots_find(&f->spots, number, vaddr);
	return name;
}
