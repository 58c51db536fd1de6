/*
 * The rules of a test program. They are in the order in which constructors run: that of the file.
 */
#define OWN_MAIN
#include "test.h"

#include <errno.h>
#include <ftw.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "tnav/base/mem.h"

#define MAX_RULES	100
#define WATCHDOG_S	900

static struct CMUnitTest	tests[MAX_RULES];
static void			(*rules[MAX_RULES])(void);
static int			(*group_begin)(void), (*group_end)(void);
static size_t			n;

struct lent {
	struct buf	 buf;
	struct lent	*next;
};

static _Atomic(struct lent *)	bufs;		/* of the current rule, the newest first */

struct buf *
test_buf(void)
{
	struct lent	*b = mem_alloc(sizeof *b);

	buf_init(&b->buf);
	b->next = atomic_load(&bufs);
	while (!atomic_compare_exchange_weak(&bufs, &b->next, b))
		;
	return &b->buf;
}

struct span
test_exact(const void *p, size_t len)
{
	struct buf	*b = test_buf();

	b->p = mem_alloc(len);
	b->len = b->cap = len;
	if (len > 0)
		memcpy(b->p, p, len);
	return (struct span){ (const uint8_t *)b->p, len };
}

static int
remove_one(const char *path, const struct stat *st, int flag, struct FTW *f)
{
	(void)st, (void)flag, (void)f;
	return remove(path) == 0 || errno == ENOENT ? 0 : -1;
}

int
test_remove(const char *folder)
{
	return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT ? 0 : -1;
}

static int
release_bufs(void **state)
{
	struct lent	*b = atomic_exchange(&bufs, NULL), *next;

	(void)state;
	for (; b != NULL; b = next) {
		next = b->next;
		buf_release(&b->buf);
		mem_free(b);
	}
	return 0;
}

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
	    .teardown_func = release_bufs, .initial_state = &rules[n] };
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
