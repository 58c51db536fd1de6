/* Locks: which orders of taking them are right. Processors. */
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/test.h"
#include "tnav/base/job.h"

/* Does a process that takes these two, the first one first, end as it should? */
static bool
may_follow(enum lock_level first, enum lock_level second)
{
	pid_t	pid = fork();
	int	status;

	assert_true(pid >= 0);
	if (pid == 0) {
		(void)close(STDERR_FILENO);	/* what the assertion prints */
		(void)signal(SIGABRT, SIG_DFL);
		lock_take(lock_new(first));
		lock_take(lock_new(second));
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(locks_are_taken_in_the_order_of_their_levels)
{
	for (unsigned a = 0; a < LOCK_LEVELS; a++)
		for (unsigned b = a + 1; b < LOCK_LEVELS; b++)
			assert_true(may_follow((enum lock_level)a, (enum lock_level)b));
	assert_true(may_follow(LOCK_HOLD, LOCK_HOLD));
}

/* Only a build that checks the order can tell. */
TEST(a_check_finds_locks_taken_against_the_order)
{
#ifdef LOCK_CHECK
	for (unsigned a = 0; a < LOCK_LEVELS; a++)
		for (unsigned b = 0; b < a; b++)
			assert_false(may_follow((enum lock_level)a, (enum lock_level)b));
	assert_false(may_follow(LOCK_TRACE, LOCK_TRACE));
#endif
}

TEST(a_dropped_lock_does_not_count)
{
	struct lock	*leaf = lock_new(LOCK_LEAF), *trace = lock_new(LOCK_TRACE);

	lock_take(leaf);
	lock_drop(leaf);
	lock_take(trace);
	lock_take(leaf);
	lock_drop(trace);
	lock_drop(leaf);
	lock_free(leaf);
	lock_free(trace);
}

TEST(there_are_as_many_processors_as_the_program_may_use)
{
	cpu_set_t	all, one;
	unsigned	n = 0;
	size_t		last = 0;

	assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
	for (size_t i = 0; i < CPU_SETSIZE; i++) {
		n += CPU_ISSET(i, &all) != 0;
		last = CPU_ISSET(i, &all) ? i : last;
	}
	assert_int_equal(job_cpus(), n);
	CPU_ZERO(&one);
	CPU_SET(last, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
	assert_int_equal(job_cpus(), 1);
	assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}
