/*
 * uthash with the memory of tnav/base/mem.h and the hash of tnav/base/hash.h: for tables of some
 * hundred entries that contain their keys. A table that may grow with a file is a struct hashtable,
 * which is seeded.
 */
#ifndef TNAV_BASE_UTHASH_H
#define TNAV_BASE_UTHASH_H

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"

#define UTHASH_SEED	1u	/* any: the tables are too small to be worth an attack */

#define uthash_malloc(len)	mem_alloc(len)
#define uthash_free(p, len)	mem_free(p)
#define uthash_fatal(why)	mem_exhausted()
#define HASH_FUNCTION(key, len, hash)	((hash) = (unsigned)hash_bytes(UTHASH_SEED, (key), (len)))
#include <uthash.h>

#endif
