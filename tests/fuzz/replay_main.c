/*
 * Runs a fuzz target on files, without a fuzzer.
 *
 *	fuzz_x                  every file of $srcdir/tests/fuzz/corpus/x
 *	fuzz_x FILE|DIR ...     those
 *
 * Each input lies in an exact heap block, so that a sanitizer sees one byte too far. An input
 * that takes longer than WATCHDOG_S ends the program by SIGALRM.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

#define WATCHDOG_S	60
#define PATH_SIZE	4096

struct replay {
	unsigned	n, failed;
};

static void
replay_file(struct replay *r, const char *path, size_t len)
{
	FILE	*f = fopen(path, "rb");
	uint8_t	*p = malloc(len ? len : 1);

	if (f == NULL || p == NULL || fread(p, 1, len, f) != len) {
		perror(path);
		r->failed++;
	} else {
		/* Said beforehand, so that the log names the input that crashed. */
		printf("%s\n", path);
		fflush(stdout);
		alarm(WATCHDOG_S);
		LLVMFuzzerTestOneInput(p, len);
		alarm(0);
		r->n++;
	}
	free(p);
	if (f != NULL)
		fclose(f);
}

static void	replay_path(struct replay *r, const char *path);

static int
not_hidden(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static void
replay_dir(struct replay *r, const char *dir)
{
	struct dirent	**names;
	int		  n = scandir(dir, &names, not_hidden, alphasort);

	for (int i = 0; i < n; i++) {
		char	path[PATH_SIZE];
		int	len = snprintf(path, sizeof path, "%s/%s", dir, names[i]->d_name);

		if (len > 0 && (size_t)len < sizeof path)
			replay_path(r, path);
		else
			r->failed++;
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	else
		r->failed++;
}

static void
replay_path(struct replay *r, const char *path)
{
	struct stat	st;

	if (stat(path, &st) != 0) {
		perror(path);
		r->failed++;
	} else if (S_ISDIR(st.st_mode)) {
		replay_dir(r, path);
	} else {
		replay_file(r, path, (size_t)st.st_size);
	}
}

int
main(int argc, char **argv)
{
	const char	*src = getenv("srcdir"), *name = strstr(argv[0], "fuzz_");
	struct replay	 r = { 0 };
	char		 dir[PATH_SIZE];

	/* The empty input is in every corpus. */
	LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
	for (int i = 1; i < argc; i++)
		replay_path(&r, argv[i]);
	if (argc == 1 && name != NULL) {
		snprintf(dir, sizeof dir, "%s/tests/fuzz/corpus/%s", src != NULL ? src : ".",
		    name + strlen("fuzz_"));
		replay_path(&r, dir);
	}
	printf("%u inputs replayed, %u could not be read\n", r.n, r.failed);
	return r.failed > 0 || r.n == 0;
}
