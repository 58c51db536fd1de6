/*
 * The assemblies of a running program, as far as they are files: which names do they have in them?
 */
#ifndef TNAV_LIVE_ASSEMBLIES_H
#define TNAV_LIVE_ASSEMBLIES_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"

/*
 * Append the name as an assembly of the process spells it, if that is in other case, and none has
 * it as it is. False: none does, or the process can't be read. It reads the files, some
 * milliseconds each.
 */
bool	assemblies_spelling(uint64_t pid, const char *name, struct buf *out);

#endif
