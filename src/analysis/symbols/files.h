/*
 * Symbols of native modules from the user's files, which are found by build id in the folders that
 * the user names. A path that the trace names is never opened.
 */
#ifndef ANALYSIS_SYMBOLS_FILES_H
#define ANALYSIS_SYMBOLS_FILES_H

#include "analysis/symbols/collect.h"
#include "analysis/symbols/elf.h"
#include "analysis/symbols/spots.h"

struct symbol_file;

struct symbol_files {
	struct symbol_file	*v;		/* one for each build id of the trace */
	size_t			 n, cap, used;
	struct { uint64_t metadata; uint32_t file; } *of;	/* ascending by metadata */
	size_t			 nof;
	struct spots		 spots;		/* by file, with addresses as in the file */
	bool			 cut;		/* symbols were left out */
};

/* Problems with a folder are appended to why, a line each. */
void	symbol_files_init(struct symbol_files *f, const struct code_records *c,
	    struct sym_names *names, const char *const *folders, size_t nfolders, struct buf *why);
void	symbol_files_release(struct symbol_files *f);
/* The name of the code at an address of the mapping, or SPOT_NONE. */
uint32_t symbol_files_find(const struct symbol_files *f, const struct mapping_record *m,
	    uint64_t addr);

#endif
