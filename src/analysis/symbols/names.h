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

/* A name in a piece: one text, and where its parts end. */
struct name_text {
	struct span	raw;		/* Namespace.Type.Method(args), or a symbol */
	uint32_t	type_len;	/* type with namespace, without the dot after it */
	uint32_t	args_at;	/* where the parameter list begins */
	bool		native;		/* a symbol without parts */
	bool		is_bool;	/* the method returns a boolean: MoveNext of an iterator */
};

struct sym_names {
	struct arena	 arena;
	char		*room;		/* rest of the current block of the arena */
	size_t		 nroom;
	uint32_t	 type, args;	/* of the last added method; or NAME_NONE */
	struct segvec	 v;		/* of struct sym_name */
	struct hashtable by_text;
	struct lock	*lock;		/* protects forms that are made on first use */
};

void	sym_names_init(struct sym_names *n);
void	sym_names_release(struct sym_names *n);
/* Add a name; returns its number. One thread. */
uint32_t sym_names_add(struct sym_names *n, const struct name_text *t);
/* Any thread, after all were added. */
struct span sym_names_raw(struct sym_names *n, uint32_t i);
/* Only for a name that is not a method's. */
struct span sym_names_text(const struct sym_names *n, uint32_t i);
struct span sym_names_clean(struct sym_names *n, uint32_t i);
/* Is it a method's? If so, the length of its type, and the offset of its parameter list. */
bool	sym_names_parts(const struct sym_names *n, uint32_t i, uint32_t *type_len,
	    uint32_t *args_at);
size_t	sym_names_bytes(const struct sym_names *n);
/* Is symbol a a better name than b for the same bytes? Shorter without a leading underscore,
   then byte order. */
bool	sym_names_better(void *names, uint32_t a, uint32_t b);

/*
 * Append the raw name of a method to text, and set the positions of its parts. Type, name and
 * signature are UTF-8, as in the event.
 */
void	name_of_method(struct buf *text, struct span type, struct span name, struct span signature,
	    struct name_text *out);

#endif
