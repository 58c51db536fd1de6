/*
 * Lists of cases: see the header.
 */
#define OWN_MAIN
#include "cases.h"

#include "tnav/base/err.h"

#define MAX_FUNCTIONS	32
#define ARGUMENTS	(DATA_COLUMNS - 2)

static struct {
	const char	*name;
	void		(*fn)(struct buf *out, const struct span *arg);
	size_t		 n;		/* its cases so far */
}		functions[MAX_FUNCTIONS];
static size_t	nfunctions, failed;

void
case_add(const char *function, void (*fn)(struct buf *out, const struct span *arg))
{
	if (nfunctions == MAX_FUNCTIONS)
		abort();
	functions[nfunctions].name = function;
	functions[nfunctions++].fn = fn;
}

/* What a column stands for. */
static struct span
bytes_of(const char *column)
{
	struct buf	*b = test_buf();
	unsigned	 byte;

	for (const char *s = column; *s != '\0'; s++) {
		if (*s != '\\') {
			buf_putc(b, *s);
		} else if (*++s == 'x') {
			assert_int_equal(sscanf(s + 1, "%2x", &byte), 1);
			buf_putc(b, (char)byte);
			s += 2;
		} else {
			assert_non_null(strchr("nt\\", *s));
			buf_putc(b, "\n\t\\"[strcspn("nt\\", (char[]){ *s, '\0' })]);
		}
	}
	return test_exact(b->p, b->len);
}

static void
try_case(const char *const *column)
{
	struct span	 want = bytes_of(column[1]), arg[ARGUMENTS + 1];
	struct buf	*out = test_buf();
	size_t		 i = 0;

	for (size_t k = 0; k <= ARGUMENTS; k++)
		arg[k] = bytes_of(k < ARGUMENTS ? column[2 + k] : "");
	while (i < nfunctions && strcmp(functions[i].name, column[0]) != 0)
		i++;
	if (i == nfunctions)
		fail_msg("%s: no such function", column[0]);
	functions[i].fn(out, arg);
	functions[i].n++;
	if (spans_equal(span_of_buf(out), want))
		return;
	print_error("%s %s %s %s: \"%s\", not \"%s\"\n", column[0], column[2], column[3],
	    column[4], buf_str(out), column[1]);
	failed++;
}

void
case_try(const char *list, size_t least)
{
	assert_true(data_list(list, try_case) >= least);
	for (size_t i = 0; i < nfunctions; i++)
		if (functions[i].n == 0)
			fail_msg("%s: no case", functions[i].name);
	assert_int_equal(failed, 0);
}

const char *
case_text(struct span arg)
{
	struct buf	*b = test_buf();

	buf_add(b, arg.p, arg.len);
	return buf_str(b);
}

int64_t
case_i64(struct span arg)
{
	return strtoll(case_text(arg), NULL, 0);
}

uint64_t
case_u64(struct span arg)
{
	return strtoull(case_text(arg), NULL, 0);
}

double
case_f64(struct span arg)
{
	return strtod(case_text(arg), NULL);
}

bool
case_good(struct buf *out, int err)
{
	if (err < 0)
		buf_puts(out, err_text(err));
	return err >= 0;
}
