/*
 * ELF files by libelf, from memory: the one place that includes its headers.
 *
 *	PT_LOAD			-> segments	file offset -> address
 *	PT_NOTE, SHT_NOTE	-> the build id
 *	.symtab, .dynsym	-> functions that have a place, a length and a name
 *
 * Invariant: what the file says of counts and lengths is bounded before it is gone by; names are
 * looked for in the bytes of their table only. Tables and notes are read up to twice the length of
 * the file altogether: in a good file they do not overlap, in a bad one thousands may be the same
 * bytes, and libelf copies those of the other byte order for each.
 */
#include "analysis/symbols/elf.h"

#include <gelf.h>
#include <libelf.h>
#include <string.h>


#define SECTIONS_MOST	65536u
#define SEGMENTS_MOST	256u
#define NOTES_MOST	256u		/* of a segment or section */
#define NAME_MOST	4096u		/* bytes of a symbol's name */

/* libelf takes a pointer that may be written to, and only reads. */
static Elf *
elf_open(struct span file)
{
	union { const uint8_t *from; char *to; } p = { .from = file.p };
	Elf	*e;

	if (file.len < EI_NIDENT || file.len > ELF_BYTES_MOST ||
	    memcmp(file.p, ELFMAG, SELFMAG) != 0 || elf_version(EV_CURRENT) == EV_NONE)
		return NULL;
	e = elf_memory(p.to, file.len);
	if (e != NULL && elf_kind(e) == ELF_K_ELF)
		return e;
	(void)elf_end(e);
	return NULL;
}

static uint64_t
bytes_to_read(struct span file)
{
	return (uint64_t)file.len * 2;
}

/* Take size of the bytes that are left to read. */
static bool
afford(uint64_t *left, uint64_t size)
{
	if (size > *left)
		return false;
	*left -= size;
	return true;
}

/* ---- the build id */

static void
put_hex(char *out, const uint8_t *p, size_t n)
{
	static const char	digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		*out++ = digits[p[i] >> 4];
		*out++ = digits[p[i] & 15];
	}
	*out = '\0';
}

static bool
find_id(Elf_Data *d, char *hex)
{
	size_t	at = 0, next, name, desc;
	GElf_Nhdr	note;

	for (unsigned i = 0; d != NULL && d->d_buf != NULL && i < NOTES_MOST; i++, at = next) {
		const uint8_t	*p = d->d_buf;

		next = gelf_getnote(d, at, &note, &name, &desc);
		if (next <= at || next > d->d_size)
			return false;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof ELF_NOTE_GNU ||
		    memcmp(p + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) != 0 ||
		    note.n_descsz == 0 || note.n_descsz > ELF_ID_MOST)
			continue;
		put_hex(hex, p + desc, note.n_descsz);
		return true;
	}
	return false;
}

static bool
id_of_sections(Elf *e, uint64_t *left, char *hex)
{
	Elf_Scn		*s = NULL;
	GElf_Shdr	 h;

	for (unsigned i = 0; i < SECTIONS_MOST; i++) {
		s = elf_nextscn(e, s);
		if (s == NULL)
			return false;
		if (gelf_getshdr(s, &h) != NULL && h.sh_type == SHT_NOTE &&
		    afford(left, h.sh_size) && find_id(elf_getdata(s, NULL), hex))
			return true;
	}
	return false;
}

static size_t
segments_of(Elf *e)
{
	size_t	n;

	if (elf_getphdrnum(e, &n) != 0)
		return 0;
	return n < SEGMENTS_MOST ? n : SEGMENTS_MOST;
}

static bool
id_of_segments(Elf *e, uint64_t *left, char *hex)
{
	size_t		n = segments_of(e);
	GElf_Phdr	h;

	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(e, (int)i, &h) != NULL && h.p_type == PT_NOTE &&
		    h.p_offset <= INT64_MAX && afford(left, h.p_filesz) &&
		    find_id(elf_getdata_rawchunk(e, (int64_t)h.p_offset, h.p_filesz,
		    h.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR), hex))
			return true;
	return false;
}

bool
elf_build_id(struct span file, char hex[ELF_ID_MOST * 2 + 1])
{
	Elf		*e = elf_open(file);
	uint64_t	 left = bytes_to_read(file);
	bool		 has = e != NULL && (id_of_sections(e, &left, hex) ||
			     id_of_segments(e, &left, hex));

	(void)elf_end(e);
	return has;
}

/* ---- code */

static void
read_segments(Elf *e, const struct elf_reader *r)
{
	size_t		n = segments_of(e);
	GElf_Phdr	h;

	for (size_t i = 0; i < n; i++) {
		if (gelf_getphdr(e, (int)i, &h) == NULL || h.p_type != PT_LOAD ||
		    !(h.p_flags & PF_X) || h.p_memsz == 0)
			continue;
		r->segment(r->arg, &(struct elf_segment){ .off = h.p_offset, .size = h.p_filesz,
		    .vaddr = h.p_vaddr, .memory = h.p_memsz });
	}
}

/* The name at a place of the table of strings; len 0: none that ends in it. */
static struct span
name_at(const Elf_Data *strings, uint64_t at)
{
	struct span	s = { NULL, 0 };
	const uint8_t	*end;
	size_t		 most;

	if (strings->d_buf == NULL || at >= strings->d_size)
		return s;
	s.p = (const uint8_t *)strings->d_buf + at;
	most = strings->d_size - at < NAME_MOST ? strings->d_size - at : NAME_MOST;
	end = memchr(s.p, '\0', most);
	s.len = end != NULL ? (size_t)(end - s.p) : 0;
	return s;
}

static bool
is_function(const GElf_Sym *s)
{
	int	type = GELF_ST_TYPE(s->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && s->st_shndx != SHN_UNDEF &&
	    s->st_size > 0;
}

/* A table of strings, of which libelf makes no copy. */
static Elf_Data *
strings_at(Elf *e, uint32_t section)
{
	Elf_Scn		*scn = elf_getscn(e, section);
	GElf_Shdr	 h;

	if (scn == NULL || gelf_getshdr(scn, &h) == NULL || h.sh_type != SHT_STRTAB)
		return NULL;
	return elf_getdata(scn, NULL);
}

static bool
read_symbols(Elf *e, Elf_Scn *table, const GElf_Shdr *h, const struct elf_reader *r)
{
	Elf_Data	*symbols = elf_getdata(table, NULL);
	Elf_Data	*strings = strings_at(e, h->sh_link);
	size_t		 size = gelf_fsize(e, ELF_T_SYM, 1, EV_CURRENT), n;
	GElf_Sym	 s;

	if (symbols == NULL || strings == NULL || size == 0)
		return true;
	n = symbols->d_size / size;
	for (size_t i = 0; i < n && i < INT32_MAX; i++) {
		struct span	name;

		if (gelf_getsym(symbols, (int)i, &s) == NULL || !is_function(&s))
			continue;
		name = name_at(strings, s.st_name);
		if (name.len > 0 && !r->symbol(r->arg, s.st_value, s.st_size, name))
			return false;
	}
	return true;
}

bool
elf_read(struct span file, const struct elf_reader *r)
{
	Elf		*e = elf_open(file);
	Elf_Scn		*s = NULL;
	uint64_t	 left = bytes_to_read(file);
	bool		 more = true;
	GElf_Shdr	 h;

	if (e == NULL)
		return false;
	read_segments(e, r);
	for (unsigned i = 0; i < SECTIONS_MOST && more; i++) {
		s = elf_nextscn(e, s);
		if (s == NULL)
			break;
		if (gelf_getshdr(s, &h) != NULL &&
		    (h.sh_type == SHT_SYMTAB || h.sh_type == SHT_DYNSYM) &&
		    afford(&left, h.sh_size))
			more = read_symbols(e, s, &h, r);
	}
	(void)elf_end(e);
	return true;
}
