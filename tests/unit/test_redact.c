/*
 * Redaction: what is replaced, by what, and the search for what was replaced.
 */
#include "tnav/engine/redact.h"

#include <string.h>

#include "../support/test.h"
#include "tnav/base/limits.h"

/* The text after redaction; valid until the next call. */
static const char *
redacted(const struct redact *r, unsigned kind, const char *text, struct redact_texts *texts)
{
	static char	out[64];

	assert_true(strlen(text) < sizeof out);
	strcpy(out, text);
	redact_utf8(r, kind, out, strlen(text), texts);
	return out;
}

TEST(equal_texts_stay_equal_and_lengths_stay)
{
	struct redact	*r = redact_new(REDACT_ALL, "key"), *other = redact_new(REDACT_ALL, "k");
	char		 first[64];

	strcpy(first, redacted(r, REDACT_TEXT, "a password", NULL));
	assert_int_equal(strlen(first), 10);
	assert_string_not_equal(first, "a password");
	assert_string_equal(redacted(r, REDACT_PATHS, "a password", NULL), first);
	assert_string_not_equal(redacted(r, REDACT_TEXT, "a passwort", NULL), first);
	assert_string_not_equal(redacted(other, REDACT_TEXT, "a password", NULL), first);
	for (size_t i = 0; first[i] != '\0'; i++)
		assert_non_null(strchr(i % 2 == 0 ? "BCDFGHJKLMNPQRSTVWXZ" : "bcdfghjklmnpqrstvwxz",
		    first[i]));
	redact_free(r);
	redact_free(other);
}

TEST(only_chosen_kinds_are_replaced_but_for_texts_that_contain_one)
{
	struct redact		*r = redact_new(REDACT_PATHS, NULL);
	struct redact_texts	*texts = redact_texts_new(LIMIT_REDACT_TEXTS);

	assert_string_equal(redacted(r, REDACT_TEXT, "open /home/ann failed", texts),
	    "open /home/ann failed");
	assert_string_not_equal(redacted(r, REDACT_PATHS, "/home/ann", texts), "/home/ann");
	redact_texts_sort(texts);
	redact_seek(r, texts);
	assert_string_not_equal(redacted(r, REDACT_TEXT, "open /home/ann failed", NULL),
	    "open /home/ann failed");
	assert_string_equal(redacted(r, REDACT_TEXT, "open /home/eve failed", NULL),
	    "open /home/eve failed");
	redact_free(r);
	redact_texts_free(texts);
}

TEST(a_field_and_its_text_say_what_it_is)
{
	static const struct {
		const char	*field, *text;
		unsigned	 kind;
	}	cases[] = {
		{ "CommandLine", "/usr/bin/app -v", REDACT_ARGS },
		{ "ModuleILPath", "app.dll", REDACT_PATHS }, { "host", "localhost", REDACT_PATHS },
		{ "MethodNamespace", "Shop.Order", REDACT_NAMES },
		{ "ExceptionMessage", "it failed", REDACT_TEXT },
		{ "ExceptionMessage", "no /etc/app", REDACT_PATHS },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(redact_kind(span_of(cases[i].field), span_of(cases[i].text)),
		    cases[i].kind);
}

TEST(texts_are_found_in_both_encodings_wherever_they_stand)
{
	static const char	wide[] = "x\0s\0e\0c\0r\0e\0t\0y\0", narrow[] = "a secretive text";
	struct redact		*r = redact_new(REDACT_ALL, NULL);
	struct redact_texts	*texts = redact_texts_new(LIMIT_REDACT_TEXTS);
	struct span		 text;
	size_t			 at;

	(void)redacted(r, REDACT_TEXT, "secret", texts);	/* as UTF-8 too short to be sought */
	(void)redacted(r, REDACT_TEXT, "secretive", texts);
	(void)redacted(r, REDACT_TEXT, "secretive as well", texts);
	redact_texts_sort(texts);
	assert_int_equal(redact_texts_count(texts), 3);
	assert_true(redact_texts_find(texts, (struct span){ (const uint8_t *)wide, 16 }, &at,
	    &text));
	assert_int_equal(at, 2);
	assert_int_equal(text.len, 12);
	assert_true(redact_texts_find(texts, span_of(narrow), &at, &text));
	assert_int_equal(at, 2);
	assert_int_equal(text.len, 9);
	assert_false(redact_texts_find(texts, span_of("a secretiv"), &at, &text));
	assert_false(redact_texts_find(texts, span_of("secret"), &at, &text));
	redact_free(r);
	redact_texts_free(texts);
}

/* A text that is known takes no room. What is beyond the limit is said, in merged ones, too. */
TEST(texts_beyond_the_limit_are_not_kept_and_that_is_known)
{
	struct redact		*r = redact_new(REDACT_ALL, NULL);
	struct redact_texts	*texts = redact_texts_new(20), *all = redact_texts_new(1000);

	(void)redacted(r, REDACT_TEXT, "secretive", texts);
	(void)redacted(r, REDACT_TEXT, "secretive", texts);
	(void)redacted(r, REDACT_TEXT, "eleven more", texts);
	(void)redacted(r, REDACT_TEXT, "eleven more", texts);
	assert_int_equal(redact_texts_count(texts), 2);
	assert_false(redact_texts_beyond(texts));
	(void)redacted(r, REDACT_TEXT, "over", texts);
	assert_int_equal(redact_texts_count(texts), 2);
	assert_true(redact_texts_beyond(texts));
	redact_texts_add(all, texts);
	assert_int_equal(redact_texts_count(all), 2);
	assert_true(redact_texts_beyond(all));
	redact_free(r);
	redact_texts_free(texts);
	redact_texts_free(all);
}
