/*
 * record PID1 PID2, record -n NAME --all: a process of tnav and a file for each program.
 */
#ifndef APP_RECORDING_SEVERAL_H
#define APP_RECORDING_SEVERAL_H

#include "app/options.h"

/* Are several programs asked for? */
bool	several_asked(const struct options *o);
/* Record each by one(), in a process of its own. Returns the worst exit code. */
int	several_record(const struct options *o, int (*one)(const struct options *o));

#endif
