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

#include "tier.h"
#include "tnav/base/mem.h"

#define MAX_RULES	100
#define WATCHDOG_S	900

static struct CMUnitTest	tests[MAX_RULES];
static void			(*rules[MAX_RULES])(void);
static int			(*group_begin)(void), (*group_end)(void);
static size_t			n;

/* What is to be done at the end of the current rule, the newest first. */
struct later {
	void		(*fn)(void *arg);
	void		*arg;
	struct later	*next;
};

static _Atomic(struct later *)	laters;

void
test_later(void (*fn)(void *arg), void *arg)
{
	struct later	*l = mem_alloc(sizeof *l);

	*l = (struct later){ .fn = fn, .arg = arg, .next = atomic_load(&laters) };
	while (!atomic_compare_exchange_weak(&laters, &l->next, l))
		;
}

static void
do_it(struct later *l)
{
	void	(*fn)(void *arg) = l->fn;

	l->fn = NULL;
	fn(l->arg);
}

void
test_now(void *arg)
{
	struct later	*l = atomic_load(&laters);

	while (l != NULL && (l->arg != arg || l->fn == NULL))
		l = l->next;
	if (l != NULL)
		do_it(l);
}

static void
do_all(void)
{
	struct later	*l = atomic_exchange(&laters, NULL), *next;

	for (; l != NULL; l = next) {
		next = l->next;
		if (l->fn != NULL)
			do_it(l);
		mem_free(l);
	}
}

static void
free_buf(void *arg)
{
	struct buf	*b = arg;

	buf_release(b);
	mem_free(b);
}

struct buf *
test_buf(void)
{
	struct buf	*b = mem_zalloc(1, sizeof *b);

	test_later(free_buf, b);
	return b;
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

/* The line that begins there, or most of a long one. */
static int
line_len(const struct buf *b, size_t at)
{
	const char	*p = b->p + at;
	size_t		 most = b->len - at < 400 ? b->len - at : 400;
	const char	*end = most > 0 ? memchr(p, '\n', most) : NULL;

	return (int)(end != NULL ? (size_t)(end - p) : most);
}

void
test_same_text(const char *of, uint64_t at, const struct buf *is, const struct buf *want)
{
	size_t	i = 0, line = 0;

	while (i < is->len && i < want->len && is->p[i] == want->p[i])
		if (is->p[i++] == '\n')
			line = i;
	if (i == is->len && i == want->len)
		return;
	fail_msg("%s at byte %llu (TNAV_SEED=%llu):\nis   %.*s\nwant %.*s", of,
	    (unsigned long long)at, (unsigned long long)check_seed(),
	    line_len(is, line), is->p + line, line_len(want, line), want->p + line);
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

/* After a rule that failed nothing is closed: it may have stopped anywhere. */
static int
forget(void **state)
{
	(void)state;
	atomic_store(&laters, NULL);
	return 0;
}

static void
run_rule(void **state)
{
	void	(**fn)(void) = *state;

	(*fn)();
	do_all();
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
	    .teardown_func = forget, .initial_state = &rules[n] };
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
