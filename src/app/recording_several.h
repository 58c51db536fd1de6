/*
 * record PID1 PID2, record -n NAME --all: a process of tnav and a file for each program.
 */
#ifndef APP_RECORDING_SEVERAL_H
#define APP_RECORDING_SEVERAL_H

#include "app/options.h"
#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

/* Are several programs asked for? */
bool	several_requested(const struct options *o);
/* Is something asked for that several programs cannot have? A message says what. */
bool	several_is_refused(const struct options *o);
/*
 * Append the name of one program's file: FOLDER/NAME_PID, without a path NAME_PID, else FILE_PID. A
 * program of another host has pid 0: FOLDER/NAME or FILE_NAME. dated: in a folder, with the time.
 */
void	several_name_file(struct buf *out, const char *path, struct span name, uint64_t pid,
	    bool dated);
/* Record each by one(), in a process of its own. Returns the worst exit code. */
int	several_record(const struct options *o, int (*one)(const struct options *o));

#endif
