/*
 * Activity ids of .NET's EventSources that are paths: //1/30/2 is the second activity started
 * within the thirtieth activity that was started within the first.
 */
#ifndef TNAV_MODEL_ACTIVITY_H
#define TNAV_MODEL_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"

#define ACTIVITY_STEPS	24u	/* nibbles of the twelve bytes that hold the path */

struct activity_path {
	unsigned	n;
	uint32_t	step[ACTIVITY_STEPS];
	uint32_t	overflow;	/* bit i: step i is an overflow id, written $5, not /5 */
};

/*
 * Decode a GUID (bytes as in the file). False if it is no path. The last four bytes of a path are
 * a checksum XOR the process id: pid if has_pid, else any small id.
 */
bool	activity_path_decode(struct activity_path *out, const uint8_t guid[16], bool has_pid,
	    uint64_t pid);
/* "//1/30/2" (a slash at the end is fine). False if the text is not one. */
bool	activity_path_parse(struct activity_path *out, const char *s, size_t len);
void	activity_path_text(struct buf *out, const struct activity_path *p);
/* Is p the path top or one below it? */
bool	activity_path_under(const struct activity_path *p, const struct activity_path *top);
/* A hash of the path of the first n steps. */
uint64_t activity_path_hash(const struct activity_path *p, unsigned n);

/* 8-4-4-4-12 hex digits, with or without dashes and braces, to the bytes as in the file. */
bool	guid_parse(uint8_t guid[16], const char *s, size_t len);

#endif
