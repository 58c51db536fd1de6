/*
 * Fuzz target: a command line. The first byte says whether standard output is a terminal; the rest
 * are the words, each ended by a NUL byte. A command line is either refused with one clean line, or
 * it is complete: a command is known, the options are ones that it takes, and its file is given.
 *
 * Corpus: tests/fuzz/corpus/options.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "app/command.h"
#include "tnav/base/text.h"

#define WORDS_MOST	64

/* What cleaning would change is not clean. */
static void
check_clean(const struct buf *why)
{
	struct buf	clean = { 0 };

	text_clean(&clean, (struct span){ (const uint8_t *)why->p, why->len }, TEXT_UTF8, SIZE_MAX);
	check(why->len > 0 && why->len == clean.len && memcmp(why->p, clean.p, why->len) == 0);
	buf_release(&clean);
}

static void
check_accepted(const struct options *o)
{
	check(o->command != NULL);
	/* With files it goes over each; without, if it may have none, it is another thing. */
	check((o->command->run != NULL && o->command->each != NULL) ?
	    o->command->operand == OPERAND_MAYBE_FILES :
	    o->command->run != NULL || o->command->each != NULL);
	for (size_t i = 0; i < option_ntable; i++) {
		const struct option_def	*d = &option_table[i];

		check(!o->given[d->id] || options_takes(o->command, d));
		check((o->text[d->id] != NULL) == (o->given[d->id] && d->kind != ARG_NONE));
	}
	if (o->command->operand == OPERAND_FILE || o->command->operand == OPERAND_FILES)
		check(o->nfiles > 0 || o->given[OPT_HELP] || o->given[OPT_VERSION]);
	for (size_t i = 0; i < o->nfiles; i++)
		check(strlen(o->files[i]) < SIZE_MAX);		/* each is readable */
}

/* The words of the text, which ends in a NUL byte, each in a heap block of exactly its size. */
static int
split(char **argv, const char *text, size_t size)
{
	int	n = 0;

	argv[n++] = strdup("tnav");
	for (size_t at = 0, len; at < size && n < WORDS_MOST; at += len + 1) {
		len = strnlen(text + at, size - at);
		argv[n++] = strndup(text + at, len);
	}
	argv[n] = NULL;
	return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char		*argv[WORDS_MOST + 1], *words[WORDS_MOST + 1];
	struct options	 o;
	struct buf	 why = { 0 };
	int		 argc;

	if (size == 0)
		return 0;
	argc = split(argv, (const char *)data + 1, size - 1);
	memcpy(words, argv, sizeof words);	/* parsing moves those of argv */
	if (options_parse(&o, command_defs, argc, argv, data[0] & 1, &why) == 0) {
		check(why.len == 0);
		check_accepted(&o);
	} else {
		check_clean(&why);
	}
	buf_release(&why);
	for (int i = 0; i < argc; i++)
		free(words[i]);
	return 0;
}
