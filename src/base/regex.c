/*
 * Regular expressions over bytes of a trace, from patterns of a person or of a script.
 *
 *	pattern --no metacharacter, no letter that folds--> memmem()
 *	        \--else--> PCRE2 with JIT, or its interpreter over a shorter subject
 *
 * The match limit does not bound time, as it starts anew at each position; the length of the
 * subject does, but for a short pattern of plain characters, which takes no detours.
 * Invariant: a struct regex never changes once made.
 * Reliability, F and rules 24 to 26.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "tnav/base/regex.h"

#include <pcre2.h>
#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"

#define PARENS_MAX	64u
#define PLAIN_MAX	64u		/* bytes: a byte of the subject costs so many steps */
#define MATCH_LIMIT	100000u
#define DEPTH_LIMIT	10000u
#define HEAP_KIB	20000u
#define JIT_STACK_MIN	(32u * 1024)
#define JIT_STACK_MAX	(1024u * 1024)

struct regex {
	pcre2_code	*code;		/* NULL: literal */
	char		*literal;
	size_t		 len;
	bool		 jit, plain;	/* plain: never slow, whatever the subject's length */
};

struct regex_match {
	pcre2_match_context	*context;
	pcre2_match_data	*data;
	pcre2_jit_stack		*stack;
	bool			 cut;
};

/* ---- memory: PCRE2's goes through ours, which never says no */

static void *
re_alloc(size_t len, void *arg)
{
	(void)arg;
	return mem_alloc(len);
}

static void
re_free(void *p, void *arg)
{
	(void)arg;
	mem_free(p);
}

/* ---- patterns */

/*
 * Skip an escape at p[i] == '\\', with the braces of \x{..}, \p{..} and the like, none of which
 * holds letters to be found.
 */
static size_t
skip_escape(const char *p, size_t len, size_t i)
{
	const char	*close;

	i += 2;
	if (i >= len || p[i] != '{' || strchr("pPxoNgk", p[i - 1]) == NULL)
		return i < len ? i : len;
	close = memchr(p + i, '}', len - i);
	return close == NULL ? len : (size_t)(close - p) + 1;
}

/* Does the pattern hold a capital letter that is to be found as such? */
static bool
has_capital(const char *p, size_t len)
{
	size_t	i = 0;

	while (i < len) {
		int32_t	cp;

		if (p[i] == '\\') {
			i = skip_escape(p, len, i);
			continue;
		}
		i += text_decode((const uint8_t *)p + i, (const uint8_t *)p + len, &cp);
		if (cp >= 0 && utf8proc_category(cp) == UTF8PROC_CATEGORY_LU)
			return true;
	}
	return false;
}

/* Does the pattern stand for nothing but its own characters? */
static bool
is_plain(const char *p, size_t len, bool *folds)
{
	*folds = false;
	for (size_t i = 0; i < len; ) {
		int32_t	cp;

		if (p[i] == '\0' || strchr("\\^$.[|()?*+{", p[i]) != NULL)
			return false;
		i += text_decode((const uint8_t *)p + i, (const uint8_t *)p + len, &cp);
		if (cp < 0)
			return false;	/* PCRE2 words the error */
		*folds |= cp >= 0x80 || (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z');
	}
	return true;
}

static int
refuse(struct buf *why, size_t *at, size_t pos, int err, const char *text)
{
	buf_puts(why, text);
	*at = pos;
	return err;
}

/*
 * What PCRE2 would take but a filter may not say: verbs in front, which change how the pattern
 * is read and what limits hold, and callouts. "(?C" is refused wherever it stands, so that no
 * second reading of the pattern's escapes is needed.
 */
static int
check_pattern(const char *p, size_t len, struct buf *why, size_t *at)
{
	if (len > LIMIT_PATTERN)
		return refuse(why, at, LIMIT_PATTERN, ERR_LIMIT, "the pattern is too long");
	if (len >= 3 && memcmp(p, "(*", 2) == 0 && p[2] >= 'A' && p[2] <= 'Z')
		return refuse(why, at, 0, ERR_USAGE, "a pattern can't begin with a (*VERB)");
	for (size_t i = 0; i + 3 <= len; i++)
		if (memcmp(p + i, "(?C", 3) == 0)
			return refuse(why, at, i, ERR_USAGE, "callouts (?C) are not supported");
	return ERR_OK;
}

static int
report(int err, size_t offset, struct buf *why, size_t *at)
{
	PCRE2_UCHAR8	text[160] = { 0 };

	(void)pcre2_get_error_message(err, text, sizeof text);
	buf_puts(why, (const char *)text);
	*at = offset;
	switch (err) {
	case PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP:
	case PCRE2_ERROR_PATTERN_STRING_TOO_LONG:
	case PCRE2_ERROR_PATTERN_TOO_LARGE:
	case PCRE2_ERROR_PATTERN_TOO_COMPLICATED:
	case PCRE2_ERROR_PARENTHESES_STACK_CHECK:
	case PCRE2_ERROR_HEAP_FAILED:
		return ERR_LIMIT;
	default:
		return ERR_USAGE;
	}
}

static int
compile(struct regex *re, const char *p, size_t len, bool exact, struct buf *why, size_t *at)
{
	pcre2_general_context	*g = pcre2_general_context_create(re_alloc, re_free, NULL);
	pcre2_compile_context	*c = pcre2_compile_context_create(g);
	/* Without UCP, JIT before 10.43 finds no letter beyond ASCII for \W, \D and \S. */
	uint32_t		 options = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF |
				    PCRE2_NEVER_BACKSLASH_C | (exact ? 0 : PCRE2_CASELESS);
	int			 err = 0;
	PCRE2_SIZE		 offset = 0;

	(void)pcre2_set_max_pattern_length(c, LIMIT_PATTERN);
	(void)pcre2_set_parens_nest_limit(c, PARENS_MAX);
#ifdef PCRE2_EXTRA_NEVER_CALLOUT
	(void)pcre2_set_compile_extra_options(c, PCRE2_EXTRA_NEVER_CALLOUT);
#endif
	re->code = pcre2_compile((PCRE2_SPTR)p, len, options, &err, &offset, c);
	if (re->code != NULL)
		re->jit = pcre2_jit_compile(re->code, PCRE2_JIT_COMPLETE) == 0;
	pcre2_compile_context_free(c);
	pcre2_general_context_free(g);
	return re->code != NULL ? ERR_OK : report(err, offset, why, at);
}

int
regex_new(struct regex **out, const char *pattern, size_t len, enum regex_case mode,
    struct buf *why, size_t *at)
{
	struct regex	*re;
	bool		 exact, folds;
	int		 err;

	*out = NULL;
	*at = 0;
	err = check_pattern(pattern, len, why, at);
	if (err != ERR_OK)
		return err;
	exact = mode == REGEX_EXACT || has_capital(pattern, len);
	re = mem_zalloc(1, sizeof *re);
	re->plain = is_plain(pattern, len, &folds);
	if (re->plain && (exact || !folds)) {
		re->literal = mem_strndup(pattern, len);
		re->len = len;
	} else {
		re->plain &= len <= PLAIN_MAX;
		err = compile(re, pattern, len, exact, why, at);
	}
	if (err != ERR_OK) {
		regex_free(re);
		return err;
	}
	*out = re;
	return ERR_OK;
}

void
regex_free(struct regex *re)
{
	if (re == NULL)
		return;
	pcre2_code_free(re->code);
	mem_free(re->literal);
	mem_free(re);
}

bool
regex_is_literal(const struct regex *re)
{
	return re->code == NULL;
}

/* ---- matching */

struct regex_match *
regex_match_new(void)
{
	struct regex_match	*m = mem_zalloc(1, sizeof *m);
	pcre2_general_context	*g = pcre2_general_context_create(re_alloc, re_free, NULL);

	m->context = pcre2_match_context_create(g);
	(void)pcre2_set_match_limit(m->context, MATCH_LIMIT);
	(void)pcre2_set_depth_limit(m->context, DEPTH_LIMIT);
	(void)pcre2_set_heap_limit(m->context, HEAP_KIB);
	m->data = pcre2_match_data_create(1, g);
	/* Without one, a match has the 32 KiB of the machine stack that PCRE2 takes. */
	m->stack = pcre2_jit_stack_create(JIT_STACK_MIN, JIT_STACK_MAX, g);
	if (m->stack != NULL)
		pcre2_jit_stack_assign(m->context, NULL, m->stack);
	pcre2_general_context_free(g);
	return m;
}

void
regex_match_free(struct regex_match *m)
{
	if (m == NULL)
		return;
	pcre2_match_data_free(m->data);
	pcre2_match_context_free(m->context);
	pcre2_jit_stack_free(m->stack);
	mem_free(m);
}

bool
regex_match_cut(const struct regex_match *m)
{
	return m->cut;
}

static int
found(size_t a, size_t b, size_t *from, size_t *to)
{
	if (from != NULL)
		*from = a;
	if (to != NULL)
		*to = b;
	return 1;
}

static int
find_literal(const struct regex *re, struct span subject, size_t start, size_t *from, size_t *to)
{
	const uint8_t	*hit;
	size_t		 at;

	if (re->len == 0)
		return found(start, start, from, to);
	hit = memmem(subject.p + start, subject.len - start, re->literal, re->len);
	if (hit == NULL)
		return 0;
	at = (size_t)(hit - subject.p);
	return found(at, at + re->len, from, to);
}

int
regex_find(const struct regex *re, struct regex_match *m, struct span subject, size_t start,
    size_t *from, size_t *to)
{
	size_t			 cap = re->jit ? LIMIT_SUBJECT_JIT : LIMIT_SUBJECT;
	const PCRE2_SIZE	*v;
	int			 n;

	m->cut = false;
	if (subject.p == NULL)
		subject = (struct span){ (const uint8_t *)"", 0 };
	if (start > subject.len)
		return 0;
	if (re->code == NULL)
		return find_literal(re, subject, start, from, to);
	if (subject.len > cap && !re->plain) {
		m->cut = true;
		subject.len = cap;
		if (start > cap)
			return 0;
	}
	n = pcre2_match(re->code, subject.p, subject.len, start, 0, m->data, m->context);
	if (n == PCRE2_ERROR_NOMATCH)
		return 0;
	if (n < 0)
		return ERR_LIMIT;	/* the limits; nothing else is left that can go wrong */
	v = pcre2_get_ovector_pointer(m->data);
	return found(v[0] < v[1] ? v[0] : v[1], v[1], from, to);
}
