/*
 * The rules of a test program. They are in the order in which constructors run: that of the file.
 */
#define OWN_MAIN
#include "test.h"

#include <unistd.h>

#define MAX_RULES	100
#define WATCHDOG_S	900

static struct CMUnitTest	tests[MAX_RULES];
static void			(*rules[MAX_RULES])(void);
static int			(*group_begin)(void), (*group_end)(void);
static size_t			n;

static void
run_rule(void **state)
{
	void	(**fn)(void) = *state;

	(*fn)();
}

static int
run_begin(void **state)
{
	(void)state;
	return group_begin != NULL ? group_begin() : 0;
}

static int
run_end(void **state)
{
	(void)state;
	return group_end != NULL ? group_end() : 0;
}

void
test_add(const char *rule, void (*fn)(void))
{
	if (n == MAX_RULES)
		abort();
	rules[n] = fn;
	tests[n] = (struct CMUnitTest){ .name = rule, .test_func = run_rule,
	    .initial_state = &rules[n] };
	n++;
}

void
test_group(int (*begin)(void), int (*end)(void))
{
	group_begin = begin;
	group_end = end;
}

int
test_run(const char *name)
{
	/* make check has its own watchdog. */
	alarm(WATCHDOG_S);
	return _cmocka_run_group_tests(name, tests, n, run_begin, run_end);
}
