/*
 * Running scripts of a monkey.
 *
 *	seed -> script -> a process, in a folder of its own -> its end
 *	breaks twice? without half of the steps, a quarter, ... a single one: -> what it takes, printed
 */
#define OWN_MAIN
#include "monkey_run.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "asserts.h"
#include "hostile.h"
#include "shared.h"
#include "test.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"

#define MAX_LONG	(1 << 22)	/* bytes of a trace when there is time */
#define MANY		8		/* the first traces, in which there is more */
#define HANG_S		120

/* ---- scripts */

static void
script_add(struct script *s, const char *line)
{
	ARRAY_ADD(s->line, s->n, s->cap, mem_strdup(line));
}

static void
script_release(struct script *s)
{
	for (size_t i = 0; i < s->n; i++)
		mem_free(s->line[i]);
	mem_free(s->line);
	*s = (struct script){ 0 };
}

static void
script_print(const struct script *s)
{
	for (size_t i = 0; i < s->n; i++)
		fprintf(stderr, "%s\n", s->line[i]);
}

/* ---- traces */

static void
full_path(const char *name, struct buf *out)
{
	const char	*srcdir = getenv("srcdir");

	if (name[0] != '/')
		buf_printf(out, "%s/", srcdir != NULL ? srcdir : ".");
	buf_puts(out, name);
}

static void
read_trace(const char *name, struct buf *out)
{
	struct buf	path = { 0 };
	FILE		*f;
	size_t		 n;

	if (strcmp(name, "hostile-v4") == 0) {
		hostile_v4(out);
		return;
	}
	if (strcmp(name, "hostile-v6") == 0) {
		hostile_v6(out);
		return;
	}
	full_path(name, &path);
	f = fopen(buf_str(&path), "r");
	assert_non_null(f);
	do {
		n = fread(buf_room(out, 65536), 1, 65536, f);
		out->len += n;
	} while (n > 0);
	fclose(f);
	buf_release(&path);
}

static void
add_folder(struct script *out, const char *dir, off_t max)
{
	struct dirent	**v;
	struct buf	 path = { 0 };
	int		  n;

	full_path(dir, &path);
	n = scandir(buf_str(&path), &v, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		struct buf	name = { 0 }, file = { 0 };
		struct stat	st;

		buf_printf(&name, "%s/%s", dir, v[i]->d_name);
		full_path(buf_str(&name), &file);
		if (strstr(v[i]->d_name, ".json") == NULL && stat(buf_str(&file), &st) == 0 &&
		    S_ISREG(st.st_mode) && st.st_size <= max)
			script_add(out, buf_str(&name));
		buf_release(&name);
		buf_release(&file);
		free(v[i]);
	}
	if (n >= 0)
		free(v);
	buf_release(&path);
}

/* The names of traces, as lines. */
static void
add_traces(struct script *out, off_t max, bool deep)
{
	static const char *const	folders[] = { "v3", "v4", "v5", "v6", "heph" };
	const char			*only = getenv("TNAV_MONKEY_TRACE"), *shared = shared_dir();
	struct buf			 dir = { 0 };

	if (only != NULL) {
		script_add(out, only);
		return;
	}
	script_add(out, "hostile-v4");
	script_add(out, "hostile-v6");
	add_folder(out, "tests/data/traces", max);
	add_folder(out, "tests/data", max);
	add_folder(out, "tests/data/features", max);
	for (size_t i = 0; deep && shared != NULL && i < sizeof folders / sizeof *folders; i++) {
		buf_printf(&dir, "%s/traces/%s", shared, folders[i]);
		add_folder(out, buf_str(&dir), MAX_LONG);
		buf_release(&dir);
	}
}

/* ---- processes */

static void
play(const struct monkey_test *test, const struct script *s, const char *dir)
{
	struct buf	path = { 0 }, whole = { 0 };
	char		name[1024], what[32];
	unsigned	percent = 100;

	if (s->n < MONKEY_FIRST || sscanf(s->line[0], "trace %1023s %u", name, &percent) < 1)
		fail_msg("no such script");
	read_trace(name, &whole);
	assert_int_equal(chdir(dir), 0);
	buf_printf(&path, "%s/a trace", dir);
	snprintf(what, sizeof what, "new %u", percent);
	monkey_file(buf_str(&path), &whole, what);
	test->play(s, buf_str(&path), &whole);
	buf_release(&path);
	buf_release(&whole);
}

/* Play it in a process of its own; true: it came to its end. */
static bool
survives(const struct monkey_test *test, struct script *s, bool quiet)
{
	char	dir[] = "/tmp/tnav-monkey-XXXXXX";
	pid_t	pid;
	int	status;

	assert_non_null(mkdtemp(dir));
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		int	fd = quiet ? open("/dev/null", O_WRONLY) : -1;

		if (fd >= 0)
			(void)(dup2(fd, 1) + dup2(fd, 2));
		alarm(quiet ? HANG_S / 4 : HANG_S);
		play(test, s, dir);
		script_release(s);
		exit(0);
	}
	while (waitpid(pid, &status, 0) < 0)
		;
	(void)test_remove(dir);
	if (!quiet && WIFSIGNALED(status))
		fprintf(stderr, "ended by signal %d%s\n", WTERMSIG(status),
		    WTERMSIG(status) == SIGALRM ? ": it hangs" : "");
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Leave out what it breaks without: halves, quarters, ... single steps. */
static void
minimise(const struct monkey_test *test, struct script *s)
{
	for (size_t len = s->n; len > 0; len /= 2) {
		for (size_t at = MONKEY_FIRST; at < s->n; ) {
			struct script	less = { 0 };

			for (size_t i = 0; i < s->n; i++)
				if (i < at || i >= at + len)
					script_add(&less, s->line[i]);
			if (!survives(test, &less, true)) {
				script_release(s);
				*s = less;
			} else {
				script_release(&less);
				at += len;
			}
		}
	}
}

/* True: it holds. Else what is left of it is printed. */
static bool
run_seed(const struct monkey_test *test, const struct script *traces, uint64_t seed, size_t steps)
{
	struct script	s = { 0 };
	struct monkey	m;
	struct buf	line = { 0 };
	bool		good;

	monkey_init(&m, seed);
	buf_printf(&line, "trace %s", traces->line[monkey_below(&m, monkey_below(&m, 3) == 0 &&
	    traces->n > MANY ? MANY : traces->n)]);
	if (monkey_below(&m, 4) == 0)
		buf_printf(&line, " %u", (unsigned)monkey_below(&m, 100));
	script_add(&s, buf_str(&line));
	buf_clear(&line);
	buf_puts(&line, "screen ");
	test->screen(&m, &line);
	script_add(&s, buf_str(&line));
	while (s.n < MONKEY_FIRST + steps) {
		buf_clear(&line);
		monkey_step(&m, &line);
		script_add(&s, buf_str(&line));
	}
	buf_release(&line);
	good = survives(test, &s, false);
	if (!good) {
		bool	again = !survives(test, &s, false);

		if (again)
			minimise(test, &s);
		fprintf(stderr, "==== TNAV_MONKEY_SEED=%llu breaks%s:\n",
		    (unsigned long long)seed, again ? "; what it takes" : " once, not again; all steps");
		script_print(&s);
		fprintf(stderr, "----\n");
		if (again && survives(test, &s, false))
			fprintf(stderr, "... which now it did not\n");
	}
	script_release(&s);
	return good;
}

static bool
run_file(const struct monkey_test *test, const char *path)
{
	struct script	 s = { 0 };
	FILE		*f = fopen(path, "r");
	char		 line[8192];
	bool		 good;

	assert_non_null(f);
	while (fgets(line, sizeof line, f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		script_add(&s, line);
	}
	fclose(f);
	good = survives(test, &s, false);
	script_release(&s);
	return good;
}

static uint64_t
number_of(const char *name, uint64_t otherwise)
{
	const char	*s = getenv(name);

	return s != NULL ? strtoull(s, NULL, 10) : otherwise;
}

/* The scripts run elsewhere. */
static void
make_absolute(const char *name, const char *otherwise)
{
	const char	*s = getenv(name);
	char		*full = realpath(s != NULL ? s : otherwise, NULL);

	if (full != NULL)
		setenv(name, full, 1);
	free(full);
}

int
monkey_main(const struct monkey_test *test)
{
	uint64_t	seconds = number_of("TNAV_MONKEY_S", 0);
	uint64_t	first = number_of("TNAV_MONKEY_SEED", 1);
	uint64_t	steps = number_of("TNAV_MONKEY_STEPS", test->steps), seed = first;
	const char	*file = getenv("TNAV_MONKEY_SCRIPT");
	int64_t		end = job_now_ns() + (int64_t)seconds * 1000000000;
	struct script	traces = { 0 };
	unsigned	bad = 0;

	make_absolute("srcdir", ".");
	make_absolute("TNAV", "./tnav");
	make_absolute("TNAV_MONKEY_TRACE", "");
	if (file != NULL)
		return !run_file(test, file);
	add_traces(&traces, test->max, seconds > 0);
	for (; seconds > 0 ? job_now_ns() < end : seed < first + test->seeds; seed++)
		bad += !run_seed(test, &traces, seed, steps);
	script_release(&traces);
	printf("seeds %llu to %llu, %u broke\n", (unsigned long long)first,
	    (unsigned long long)seed - 1, bad);
	return bad > 0;
}
