/*
 * Activity ids of .NET's EventSources that are paths: //1/30/2 is the second activity that was
 * started within the thirtieth of the first.
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
	uint32_t	overflow;	/* bit i: step i is a number of its own kind, written $ */
};

/*
 * Decode a GUID (bytes as in the file). False if it is no path: its last four bytes are a sum of
 * the others mixed with the process id; with has_pid that must be this process, else any small id.
 */
bool	activity_path_decode(struct activity_path *out, const uint8_t guid[16], bool has_pid,
	    uint64_t pid);
/* "//1/30/2" (a slash at the end is fine). False if the text is not one. */
bool	activity_path_parse(struct activity_path *out, const char *s, size_t len);
void	activity_path_text(struct buf *out, const struct activity_path *p);
/* Is p the path top or one below it? */
bool	activity_path_under(const struct activity_path *p, const struct activity_path *top);
/* A hash of the first n steps: of the path that they are. */
uint64_t activity_path_hash(const struct activity_path *p, unsigned n, uint64_t seed);

/* 8-4-4-4-12 hex digits, with or without dashes and braces, to the bytes as in the file. */
bool	guid_parse(uint8_t guid[16], const char *s, size_t len);

#endif
