/*
 * What a trace's events say of code: methods, modules, mappings, native symbols.
 */
#ifndef ANALYSIS_SYMBOLS_COLLECT_H
#define ANALYSIS_SYMBOLS_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/symbols/names.h"
#include "tnav/base/idmap.h"
#include "tnav/engine/pass.h"

enum code_change {
	CODE_LOAD,		/* code became ready */
	CODE_RUNDOWN,		/* it is there */
	CODE_UNLOAD,		/* it is gone */
	CODE_MODULE_UNLOAD,	/* all code of the module is gone */
};

struct method_record {
	int64_t		ts;
	uint64_t	start, method, module;
	uint32_t	size, name, process;
	uint8_t		what;		/* enum code_change */
	bool		dynamic;
};

/* Where precompiled code begins. */
struct entry_record {
	int64_t		ts;
	uint64_t	start;
	uint32_t	name, process;
};

struct module_record {
	uint64_t	module;
	uint32_t	file, process;
};

struct mapping_record {
	int64_t		ts;
	uint64_t	id, start, last, offset, metadata;
	uint32_t	file, process;
};

struct symbol_record {
	uint64_t	mapping, start, last;
	uint32_t	name;
};

/* The identity of a mapped file. */
struct metadata_record {
	uint64_t	id;
	uint32_t	text;
};

/* In the order of the file. Names are those of sym_names; process: a number of processes. */
struct code_records {
	struct method_record	*method;
	struct entry_record	*entry;
	struct module_record	*module;
	struct mapping_record	*mapping;
	struct symbol_record	*symbol;
	struct metadata_record	*metadata;
	size_t			 nmethod, nentry, nmodule, nmapping, nsymbol, nmetadata;
	size_t			 method_cap, entry_cap, module_cap, mapping_cap, symbol_cap,
				 metadata_cap;
	bool			 rundown_ends;	/* the rundown is whole */
};

/* The processes of a trace: one, except in V6, and of joined traces. */
struct processes {
	struct trace		*t;
	uint32_t		*of_thread;	/* its number + 1; 0: not known yet */
	size_t			 nthread;
	uint64_t		*pid;
	size_t			 n, cap;
	struct idmap		 by_pid;	/* -> its number */
};

void	processes_init(struct processes *p, struct trace *t);
void	processes_release(struct processes *p);
/* The number of the process of a thread. One thread, which adds those that are new. */
uint32_t processes_of(struct processes *p, uint32_t thread);
/* Any thread, once nothing is added any more. NAME_NONE: nothing is known of it. */
uint32_t processes_known(const struct processes *p, uint32_t thread);

/* Go over the trace. 0, or ERR_CANCELED; what was collected is released by the caller anyway. */
int	collect(struct trace *t, struct sym_names *names, struct processes *p,
	    struct code_records *out, const struct pass_options *o);
void	code_records_release(struct code_records *c);

#endif
