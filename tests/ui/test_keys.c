/*
 * No text is matched on the thread of the keys: PCRE2's matcher is replaced by one that counts who
 * calls it. What the viewer shows is the same as ever; that other tests say.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "../support/desk.h"
#include "../support/test.h"
#include "../support/tier.h"

/* They take seconds in PCRE2. */
#define SLOW_FILTER	"f `/(.+)\\1\\1$/` <Enter> <Esc> G"
#define SLOW_SEARCH	"/ `(.+)\\1` <Enter> n <Esc>"

static _Thread_local bool	of_keys;
static atomic_ulong		matched, on_keys;
static int			(*real)(const pcre2_code *, PCRE2_SPTR, PCRE2_SIZE, PCRE2_SIZE,
				    uint32_t, pcre2_match_data *, pcre2_match_context *);

__attribute__((constructor)) static void
find_real(void)
{
	*(void **)&real = dlsym(RTLD_NEXT, "pcre2_match_8");
}

int
pcre2_match(const pcre2_code *code, PCRE2_SPTR subject, PCRE2_SIZE length, PCRE2_SIZE start,
    uint32_t options, pcre2_match_data *data, pcre2_match_context *context)
{
	atomic_fetch_add(of_keys ? &on_keys : &matched, 1);
	return real(code, subject, length, start, options, data, context);
}

static void
assert_behind_the_keys(const char *script)
{
	struct desk	d = desk_open("tests/data/demo.nettrace", 30, 120, true, NULL);

	of_keys = true;
	matched = on_keys = 0;
	desk_do(&d, script);
	if (on_keys > 0 || matched == 0)
		fail_msg("%s: %lu matches on the thread of the keys, %lu behind", script, on_keys,
		    matched);
	desk_close(&d);
	of_keys = false;
}

TEST(filters_match_behind_the_keys)
{
	assert_behind_the_keys("f `/gc.*start/ or name ~ alloc` <Enter> j j G g <PgDn>");
	assert_behind_the_keys(": ` filter /induced.*|5/` <Enter> G k k w b t t");
	if (check_part() == 1)
		assert_behind_the_keys(SLOW_FILTER);
}

TEST(searches_match_behind_the_keys)
{
	assert_behind_the_keys("/ `gc.*start` <Enter> n n N <PgDn> G N");
	if (check_part() == 1)
		assert_behind_the_keys(SLOW_SEARCH);
	assert_behind_the_keys("f `name ~ gc` <Enter> / `in.*ed` <Enter> n N");
}

TEST(steps_match_behind_the_keys)
{
	assert_behind_the_keys("f `/a.*c/` <Enter> : `next-error` <Enter> : `next-gap` <Enter>");
}

TEST(colours_match_behind_the_keys)
{
	assert_behind_the_keys(": `color /gc.*start/ red` <Enter> j <PgDn> G");
}

TEST(files_match_behind_the_keys)
{
	assert_behind_the_keys("f `/gc.*start/` <Enter> t # <Tab> s y e");
}
