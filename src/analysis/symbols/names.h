/*
 * Names of methods and native symbols, each kept once.
 */
#ifndef ANALYSIS_SYMBOLS_NAMES_H
#define ANALYSIS_SYMBOLS_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/arena.h"
#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/segvec.h"

struct lock;

#define NAME_NONE	UINT32_MAX

/* A name as it lies in a piece: one text, and where its parts end. */
struct name_text {
	struct span	raw;		/* Namespace.Type.Method(args), or a symbol */
	uint32_t	type_len;	/* the namespace and type, without the dot after it */
	uint32_t	args_at;	/* where the parameter list begins */
	bool		native;		/* a symbol: it has no parts */
	bool		is_bool;	/* the method gives a boolean: MoveNext of an iterator */
};

struct sym_names {
	uint64_t	 seed;
	struct arena	 arena;
	char		*room;		/* of the arena, for the next texts */
	size_t		 nroom;
	uint32_t	 type, args;	/* of the method added last; or NAME_NONE */
	struct segvec	 v;		/* of struct sym_name */
	struct hashtable by_text;
	struct lock	*lock;		/* of the forms that are made when asked for */
};

void	sym_names_init(struct sym_names *n);
void	sym_names_release(struct sym_names *n);
/* The number of the name. One thread. */
uint32_t sym_names_add(struct sym_names *n, const struct name_text *t);
/* Any thread, once all are added. */
struct span sym_names_raw(struct sym_names *n, uint32_t i);
/* Of a name that is no method's. */
struct span sym_names_text(const struct sym_names *n, uint32_t i);
struct span sym_names_clean(struct sym_names *n, uint32_t i);
/* Is it a method's? Then the bytes of its type, and where its parameter list begins. */
bool	sym_names_parts(const struct sym_names *n, uint32_t i, uint32_t *type_len,
	    uint32_t *args_at);
size_t	sym_names_bytes(const struct sym_names *n);
/* Of two symbols of the same bytes, is a better than b: shorter without a leading underscore, then
   byte order. */
bool	sym_names_better(void *names, uint32_t a, uint32_t b);

/*
 * Append the raw name of a method to text, and say where its parts are: its namespace and type, its
 * name and its signature as the event has them, UTF-8.
 */
void	name_of_method(struct buf *text, struct span type, struct span name, struct span signature,
	    struct name_text *out);

#endif
