/*
 * The tests of regular expressions once more, as on a machine that allows no JIT.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#undef pcre2_jit_compile
#define pcre2_jit_compile(code, options)	((void)(code), PCRE2_ERROR_JIT_BADOPTION)

#include "../../src/base/regex.c"
#include "test_regex.c"
