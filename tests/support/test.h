/*
 * A test program: its rules, which register themselves, and its main(), which tries them in the
 * order of the file.
 *
 *	GROUP(make_folder, remove_folder)	before the first and after the last one; NULL: nothing;
 *						they return 0, or another number if they fail
 *
 *	TEST(every_prefix_of_a_varint_fails_cleanly)
 *	{
 *		assert_...
 *	}
 *
 * The program is one file. A main() of its own follows "#define OWN_MAIN" and calls test_run().
 * buf.h and cursor.h come with this header.
 */
#ifndef TNAV_TESTS_TEST_H
#define TNAV_TESTS_TEST_H

#include "asserts.h"
#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

#define TEST(rule)							\
	static void	test_##rule(void);				\
	__attribute__((constructor)) static void			\
	add_##rule(void)						\
	{								\
		test_add(#rule, test_##rule);				\
	}								\
	static void							\
	test_##rule(void)

#define GROUP(begin, end)						\
	__attribute__((constructor)) static void			\
	add_group(void)							\
	{								\
		test_group(begin, end);					\
	}

void	test_add(const char *rule, void (*fn)(void));
void	test_group(int (*begin)(void), int (*end)(void));
/* Call fn(arg) at the end of the rule, the latest one first. Any thread may ask. */
void	test_later(void (*fn)(void *arg), void *arg);
/* Call it now instead, if it has not been called: before much of its kind is open. */
void	test_now(void *arg);
/* An empty buffer, which is released at the end of the rule. Any thread may ask. */
struct buf	*test_buf(void);
/* These bytes in a heap block of just their size, likewise: ASan sees a read one byte too far. */
struct span	 test_exact(const void *p, size_t len);
/* The first line in which they differ is told: what of, and at which byte of it they were made. */
void	test_same_text(const char *of, uint64_t at, const struct buf *is, const struct buf *want);
/* Remove a folder with all that is in it; 0, also where there is none, or -1. */
int	test_remove(const char *folder);
/* Try all rules under this name; how many failed. */
int	test_run(const char *name);

#ifndef OWN_MAIN
int
main(void)
{
	return test_run("tests");
}
#endif

#endif
