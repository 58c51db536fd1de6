/*
 * Fuzz target: a native module as libelf reads it, whatever its bytes are: the build id, segments,
 * functions. Corpus: tests/fuzz/corpus/elf.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/symbols/elf.h"

#define SYMBOLS		4096u

struct seen {
	struct span	file;
	unsigned	symbols;
	uint64_t	bytes;
};

static void
see_segment(void *arg, const struct elf_segment *s)
{
	(void)arg;
	if (s->memory == 0)
		abort();
}

static bool
see_symbol(void *arg, uint64_t vaddr, uint64_t size, struct span name)
{
	struct seen	*s = arg;

	(void)vaddr;
	if (size == 0 || name.len == 0 || memchr(name.p, '\0', name.len) != NULL)
		abort();
	for (size_t i = 0; i < name.len; i++)
		s->bytes += name.p[i];
	return ++s->symbols < SYMBOLS;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen			s = { .file = { data, size } };
	const struct elf_reader		r = { see_segment, see_symbol, &s };
	char				id[ELF_ID_MOST * 2 + 1];

	if (elf_build_id(s.file, id) && (strlen(id) > ELF_ID_MOST * 2 ||
	    strspn(id, "0123456789abcdef") != strlen(id)))
		abort();
	(void)elf_read(s.file, &r);
	if (s.symbols > SYMBOLS)
		abort();
	return 0;
}
