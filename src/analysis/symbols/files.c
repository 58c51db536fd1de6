/*
 * Files with the symbols of native modules.
 *
 *	mapping -> metadata -> build id -> symbol_file		one for each build id
 *	FOLDER/.build-id/ab/cdef..., and with .debug		tried by name
 *	any file below FOLDER with the name of a module or of its debug link, or that and .debug:
 *		has it the id?
 *	symbol_file: segments of code (file offset -> address), symbols in spots
 *
 * Names of files are read from the folder and compared with those in the trace. A build id is
 * checked to be hex digits before it becomes part of a path.
 *
 * Invariant: at most SYMBOLS_MOST symbols and NAMES_MOST bytes of names are kept.
 */
#include "analysis/symbols/files.h"

#include <stdlib.h>
#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/interned.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"
#include "tnav/base/text.h"
#include "tnav/io/folder.h"
#include "tnav/io/source.h"

#define FILES_MOST	16384u			/* build ids to look for */
#define SEGMENTS_MOST	16u
#define COPIES_MOST	4u			/* files read for one build id */
#define SYMBOLS_MOST	(UINT32_C(1) << 20)
#define NAMES_MOST	(UINT64_C(256) << 20)	/* bytes of names that are read, in all files */
#define ID_LEAST	4u			/* hex digits of a build id */
#define PAGE		UINT64_C(4096)

struct symbol_file {
	struct elf_segment	 segment[SEGMENTS_MOST];
	unsigned		 nsegments, copies;
};

struct file_search {
	struct symbol_files	*f;
	struct sym_names	*names;
	struct interned		 ids;		/* of f->v */
	struct interned		 wanted;	/* names of modules and their debug links */
	struct spot		*spot;
	size_t			 nspot, spot_cap;
	uint64_t		 bytes;		/* of names */
	uint32_t		 at;		/* the current file */
	struct buf		 text;
};

/* ---- which files are needed */

/* The text after "key": in the metadata's JSON, as it is written there; len 0: there is none. */
static struct span
read_value(struct span json, const char *key)
{
	size_t		 n = strlen(key);
	const uint8_t	*end = json.p + json.len, *p = NULL, *quote;

	for (size_t i = 0; i + n < json.len && p == NULL; i++)
		if (memcmp(json.p + i, key, n) == 0)
			p = json.p + i + n;
	while (p != NULL && p < end && (*p == ' ' || *p == ':'))
		p++;
	if (p == NULL || p == end || *p++ != '"')
		return (struct span){ NULL, 0 };
	quote = memchr(p, '"', (size_t)(end - p));
	return (struct span){ p, quote != NULL ? (size_t)(quote - p) : 0 };
}

/* The build id in hex digits. False: there is none. */
static bool
read_id(struct span json, char *hex)
{
	struct span	id = read_value(json, "\"build_id\"");

	if (id.len < ID_LEAST || id.len % 2 != 0 || id.len > ELF_ID_MOST * 2)
		return false;
	for (size_t i = 0; i < id.len; i++) {
		if (hex_value((char)id.p[i]) < 0)
			return false;
		hex[i] = (char)(id.p[i] | 0x20);	/* of a digit, the same */
	}
	hex[id.len] = '\0';
	return true;
}

/* The index of the file with the id; NAME_NONE: no module of the trace has it. */
static uint32_t
find_id(const struct file_search *k, const char *id)
{
	uint32_t	i;

	return interned_find(&k->ids, span_of(id), &i) ? i : NAME_NONE;
}

static uint32_t
add_id(struct file_search *k, const char *id)
{
	struct symbol_files	*f = k->f;
	uint32_t		 i;

	if (f->n == FILES_MOST)
		return find_id(k, id);
	i = interned_add(&k->ids, span_of(id));
	if (i == f->n)
		ARRAY_ADD(f->v, f->n, f->cap, (struct symbol_file){ .nsegments = 0 });
	return i;
}

/* Files of this name are read. */
static void
add_name(struct file_search *k, struct span name)
{
	if (name.len > 0)
		(void)interned_add(&k->wanted, name);
}

static void
want_files(struct file_search *k, const struct code_records *c)
{
	struct symbol_files	*f = k->f;
	char			 id[ELF_ID_MOST * 2 + 1];

	f->of = mem_alloc((c->nmetadata + 1) * sizeof *f->of);
	for (size_t i = 0; i < c->nmetadata; i++) {
		struct span	json = sym_names_text(k->names, c->metadata[i].text);
		uint32_t	file = read_id(json, id) ? add_id(k, id) : NAME_NONE;

		if (file == NAME_NONE)
			continue;
		add_name(k, read_value(json, "\"debug_link\""));
		f->of[f->nof].metadata = c->metadata[i].id;
		f->of[f->nof++].file = file;
	}
	sort_array(f->of, f->nof, sizeof *f->of, compare_u64);
	for (size_t i = 0; i < c->nmapping; i++)
		if (c->mapping[i].metadata != 0)
			add_name(k, sym_names_text(k->names, c->mapping[i].file));
}

/* ---- reading */

static void
take_segment(void *arg, const struct elf_segment *s)
{
	struct file_search	*k = arg;
	struct symbol_file	*file = &k->f->v[k->at];

	if (file->nsegments < SEGMENTS_MOST)
		file->segment[file->nsegments++] = *s;
}

static bool
take_symbol(void *arg, uint64_t vaddr, uint64_t size, struct span name)
{
	struct file_search	*k = arg;
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
	ARRAY_ADD(k->spot, k->nspot, k->spot_cap, (struct spot){ .group = k->at, .start = vaddr,
	    .last = vaddr + (size - 1), .name = sym_names_add(k->names, &t) });
	return true;
}

/* Read a file if it has one of the ids. */
static bool
take_file(void *arg, const char *path)
{
	struct file_search		*k = arg;
	const struct elf_reader		 r = { take_segment, take_symbol, k };
	char				 id[ELF_ID_MOST * 2 + 1];
	struct source			*s;
	struct span			 bytes;
	struct buf			 why = { 0 };

	if (!file_is_regular(path, ELF_BYTES_MOST))
		return true;
	if (source_open(&s, path, &why) == 0) {
		bytes = source_complete(s) ? source_span(s, 0, source_size(s)) :
		    (struct span){ NULL, 0 };	/* compressed data is skipped */
		k->at = elf_build_id(bytes, id) ? find_id(k, id) : NAME_NONE;
		if (k->at != NAME_NONE && k->f->v[k->at].copies < COPIES_MOST &&
		    elf_read(bytes, &r))
			k->f->used += k->f->v[k->at].copies++ == 0;
		source_close(s);
	}
	buf_release(&why);
	return !k->f->cut;
}

static bool
is_wanted(void *arg, const char *name)
{
	static const char		debug[] = ".debug";
	const struct file_search	*k = arg;
	struct span			 s = { (const uint8_t *)name, strlen(name) };
	size_t				 n = sizeof debug - 1;
	uint32_t			 any;

	if (interned_find(&k->wanted, s, &any))
		return true;
	if (s.len <= n || memcmp(s.p + s.len - n, debug, n) != 0)
		return false;
	s.len -= n;
	return interned_find(&k->wanted, s, &any);
}

/* FOLDER/.build-id/ab/cdef and FOLDER/.build-id/ab/cdef.debug */
static void
try_ids(struct file_search *k, const char *folder)
{
	static const char *const	behind[] = { "", ".debug" };
	struct buf			path = { 0 };

	for (size_t i = 0; i < k->f->n; i++)
		for (unsigned b = 0; b < 2; b++) {
			const char	*id = (const char *)k->ids.v[i].p;

			buf_clear(&path);
			buf_printf(&path, "%s/.build-id/%.2s/%s%s", folder, id, id + 2, behind[b]);
			(void)take_file(k, buf_str(&path));
		}
	buf_release(&path);
}

void
symbol_files_init(struct symbol_files *f, const struct code_records *c, struct sym_names *names,
    const char *const *folders, size_t nfolders, struct buf *why)
{
	struct file_search		k = { .f = f, .names = names };
	const struct folder_walk	w = { is_wanted, take_file, &k };

	*f = (struct symbol_files){ .n = 0 };
	want_files(&k, c);
	for (size_t i = 0; i < nfolders; i++) {
		try_ids(&k, folders[i]);
		if (f->n == 0 || folder_walk(folders[i], &w) == ERR_OK)
			continue;
		buf_printf(why, "%s: the folder cannot be read\n", folders[i]);
	}
	spots_init(&f->spots, k.spot, k.nspot, sym_names_better, names);
	mem_free(k.spot);
	buf_release(&k.text);
	interned_release(&k.ids);
	interned_release(&k.wanted);
}

void
symbol_files_release(struct symbol_files *f)
{
	spots_release(&f->spots);
	mem_free(f->v);
	mem_free(f->of);
	*f = (struct symbol_files){ .n = 0 };
}

/* The file of the mapping, or NULL. */
static const struct symbol_file *
file_of(const struct symbol_files *f, uint64_t metadata, uint32_t *number)
{
	size_t	at = 0;

	BISECT(at, f->nof, i, f->of[i].metadata < metadata);
	if (at == f->nof || f->of[at].metadata != metadata)
		return NULL;
	*number = f->of[at].file;
	return &f->v[*number];
}

static uint64_t
page_of(uint64_t v)
{
	return v & ~(PAGE - 1);
}

/*
 * Does the mapping map this segment? The file offset locates the address. A file of symbols alone
 * has other offsets than the file that was mapped, unless the segment begins with the header of the
 * file; there the mapping must consist of exactly the pages of the segment.
 */
static bool
place_in(const struct elf_segment *s, const struct mapping_record *m, uint64_t addr,
    uint64_t *vaddr)
{
	uint64_t	off = addr - m->start + m->offset, first = page_of(s->vaddr);
	bool		whole = s->size >= s->memory, header = s->off == 0 && s->size > 0;

	if (whole || header) {
		*vaddr = off - s->off + s->vaddr;
		return off >= s->off && off - s->off < s->memory;
	}
	*vaddr = addr - m->start + first;
	return page_of(s->vaddr + s->memory - 1) - first == page_of(m->last - 1) - m->start;
}

uint32_t
symbol_files_find(const struct symbol_files *f, const struct mapping_record *m, uint64_t addr)
{
	uint32_t			 number, name = SPOT_NONE;
	const struct symbol_file	*file = file_of(f, m->metadata, &number);
	uint64_t			 vaddr;

	for (unsigned i = 0; file != NULL && i < file->nsegments && name == SPOT_NONE; i++)
		if (place_in(&file->segment[i], m, addr, &vaddr))
			name = spots_find(&f->spots, number, vaddr);
	return name;
}
