/*
 * uthash with the memory of tnav/base/mem.h and the hash of tnav/base/hash.h: for tables of some
 * hundred entries that contain their keys. A table that may grow with a file is a struct hashtable.
 */
#ifndef TNAV_BASE_UTHASH_H
#define TNAV_BASE_UTHASH_H

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"

#define uthash_malloc(len)	mem_alloc(len)
#define uthash_free(p, len)	mem_free(p)
#define uthash_fatal(why)	mem_exhausted()
#define HASH_FUNCTION(key, len, hash)	((hash) = (unsigned)hash_bytes((key), (len)))
#include <uthash.h>

#endif
