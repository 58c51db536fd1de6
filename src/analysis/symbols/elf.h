/*
 * Native binaries as libelf reads them: which one it is, where its code lies, what it is called.
 */
#ifndef ANALYSIS_SYMBOLS_ELF_H
#define ANALYSIS_SYMBOLS_ELF_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/cursor.h"

#define ELF_BYTES_MOST	(UINT64_C(4) << 30)	/* of a file */
#define ELF_ID_MOST	64u			/* bytes of a build id */

/* Bytes [off, off + size) of the file are at vaddr in memory. A file of symbols alone has no code,
   but may have other bytes of the segment: size is less than memory then, and off may be another
   than in the file with the code. */
struct elf_segment {
	uint64_t	off, size, vaddr, memory;	/* memory: bytes there */
};

struct elf_reader {
	void	(*segment)(void *arg, const struct elf_segment *s);	/* of code */
	/* A function's code. False: that is enough. */
	bool	(*symbol)(void *arg, uint64_t vaddr, uint64_t size, struct span name);
	void	*arg;
};

/* The build id of a file in memory, as hex digits; false: it is no ELF file, or has none. */
bool	elf_build_id(struct span file, char hex[ELF_ID_MOST * 2 + 1]);
/* Its segments and the functions of .symtab and .dynsym. False: it is no ELF file. */
bool	elf_read(struct span file, const struct elf_reader *r);

#endif
