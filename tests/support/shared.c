/*
 * Finds the folder of large test data.
 */
#include "shared.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define EXIT_SKIPPED	77

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

const char *
shared_need(void)
{
	const char	*dir = shared_dir();

	if (dir == NULL) {
		printf("SKIP: needs ../shared\n");
		exit(EXIT_SKIPPED);
	}
	return dir;
}
