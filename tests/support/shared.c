/*
 * Finds the folder of large test data.
 */
#include "shared.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

const char *
shared_dir(void)
{
	static char	path[4096];
	const char	*given = getenv("TNAV_SHARED"), *src = getenv("srcdir");
	struct stat	st;

	if (given != NULL)
		snprintf(path, sizeof path, "%s", given);
	else
		snprintf(path, sizeof path, "%s/../shared", src != NULL ? src : ".");
	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return NULL;
	return path;
}
