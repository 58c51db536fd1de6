/* Names in the assemblies of a process: this one, which has mapped a file that ends in .dll. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../support/test.h"
#include "tnav/live/assemblies.h"

/* What the assembly of these bytes spells the name like; "" if it doesn't have it. */
static void
need_spelling(const char *bytes, size_t len, const char *name, const char *want)
{
	char		path[] = "/tmp/tnav-assembly-XXXXXX.dll";
	int		fd = mkstemps(path, 4);
	struct buf	out = { 0 };
	void		*p;

	assert_true(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	p = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
	assert_ptr_not_equal(p, MAP_FAILED);
	assert_int_equal(assemblies_spelling((uint64_t)getpid(), name, &out), *want != '\0');
	assert_string_equal(buf_str(&out), want);
	buf_release(&out);
	munmap(p, len);
	close(fd);
	unlink(path);
}

#define NEED(bytes, name, want)	need_spelling(bytes, sizeof bytes - 1, name, want)
#define NAME_IS			"\x04Name"

TEST(a_name_is_found_as_the_assembly_spells_it)
{
	NEED("ab" NAME_IS "\x0a" "Demo-Spans" "cd", "demo-spans", "Demo-Spans");
	NEED("\x07" "D\0e\0m\0", "dEM", "Dem");
}

TEST(a_name_of_another_length_or_in_the_same_case_is_none)
{
	NEED(NAME_IS "\x0c" "MyDemo-Spans", "demo-spans", "");
	NEED(NAME_IS "\x0b" "Demo-Spans2", "demo-spans", "");
	NEED(NAME_IS "\x0a" "demo-spans", "demo-spans", "");
	NEED("\x08" "D\0e\0m\0", "dem", "");
	NEED(NAME_IS "\x03" "Dem" NAME_IS "\x03" "dem", "dem", "");	/* in both */
	NEED(NAME_IS "\x03" "Dem\x07" "d\0e\0m\0", "dem", "");
}

TEST(a_text_that_is_no_name_of_an_attribute_is_none)
{
	NEED("\x01\0\x0a" "Demo-Spans", "demo-spans", "");
	NEED("Name\x0a" "Demo-Spans", "demo-spans", "");
}

TEST(a_name_at_the_ends_of_the_file_is_read_within_it)
{
	NEED("Demo-Spans", "demo-spans", "");		/* no length before it */
	NEED(NAME_IS "\x0a" "Demo-Span", "demo-spans", "");
	NEED("\x07" "D\0e\0m", "dem", "");
	NEED(NAME_IS "\x0a" "Demo-Spans", "demo-spans", "Demo-Spans");
}

TEST(a_process_that_is_gone_has_no_names)
{
	struct buf	out = { 0 };

	assert_false(assemblies_spelling(UINT64_MAX, "demo-spans", &out));
	assert_int_equal(out.len, 0);
	buf_release(&out);
}
