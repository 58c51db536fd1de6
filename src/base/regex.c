/*
 * Regular expressions over bytes of a trace. Patterns come from a user or a script.
 *
 *	pattern --no metacharacter, no letter that folds--> memmem()
 *	        \--no metacharacter, the text is ASCII--> needle_next(), within the bound below
 *	        \--else--> a bound of the steps, as a polynomial of the subject's length
 *	                     |--within the rest of the budget--> PCRE2 with JIT
 *	                     \--beyond, or no bound known--> PCRE2's interpreter, counting steps
 *
 * No limit of PCRE2 bounds the time: the match limit restarts at each position, and JIT's does not
 * count back-references and repeats. So a second compilation has a callout before each item. It
 * charges for the work since the last callout and for what the item may do without a callout.
 *
 * Invariant: whether a pattern was too costly follows from pattern and subject alone, never from
 * the clock or from JIT: bounds are computed, and steps are counted in the interpreter only.
 * A struct regex never changes once made.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "tnav/base/regex.h"

#include "base/regex_read.h"

#include <pcre2.h>
#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/needle.h"
#include "tnav/base/num.h"
#include "tnav/base/text.h"

#define PARENS_MAX	64u
#define RUN_LEAST	2u		/* shorter runs are too common to help */
#define HEAP_KIB	20480u
#define FRAME_MAX	160u		/* bytes a level: JIT's stack fills before the heap limit */
#define CALL_STEPS	4u		/* cost of a callout in steps of about ten nanoseconds */
#define JIT_STACK_MIN	(32u * 1024)
#define JIT_STACK_MAX	(1024u * 1024)

struct regex {
	pcre2_code		*code;		/* NULL: literal */
	pcre2_code		*counted;	/* the same, with callouts */
	char			*text;		/* the pattern */
	size_t			 len;
	bool			 jit, anchored, caseless;
	bool			 folded;	/* on an ASCII subject it equals needle[0] */
	int			 first;		/* the byte that each match begins with, or -1 */
	struct regex_cost	 cost;		/* of one start, of code */
	struct regex_literals	 literals;
	struct regex_run	 run;
	struct needle		 needle[REGEX_LITERALS_MOST];	/* of these */

	/* What a callout charges. */
	uint32_t		 call, byte;	/* per callout, and per byte passed */
	uint32_t		 behind;	/* characters that a lookbehind goes back */
	bool			 refers;	/* has back-references */
	bool			 unseen;	/* passes much of the subject without a callout */
	bool			 clusters;	/* has \X */
};

struct regex_match {
	pcre2_match_context	*context;
	pcre2_match_data	*data;
	pcre2_jit_stack		*stack;
	uint64_t		 bounded;	/* steps left for runs with a known bound, */
	uint64_t		 left, given;	/* ... and for counted runs */
	bool			 plain;		/* don't look for literals first */

	/* The counted run. */
	const struct regex	*re;
	size_t			 pos;		/* at the last callout */
	uint64_t		 every;		/* what each callout costs on this subject */
};

/* ---- PCRE2's memory comes from mem.h, which never fails */

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
 * Skip the escape at p[i] == '\\', including the braces of \x{..}, \p{..} and the like: letters
 * inside them are not letters of the text.
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

/* Does the pattern contain a capital letter outside of escapes? */
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

/* Is the pattern without metacharacters? *folds: it has characters with more than one case. */
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
			return false;	/* PCRE2 reports the error */
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
 * Refuse what PCRE2 accepts but a filter may not use: leading verbs, which change how the pattern
 * is read and which limits apply, and callouts. "(?C" is refused everywhere, even where escapes
 * make it literal, so that the escapes need not be parsed here.
 */
static int
check_pattern(const char *p, size_t len, struct buf *why, size_t *at)
{
	if (len > LIMIT_PATTERN)
		return refuse(why, at, LIMIT_PATTERN, ERR_LIMIT, "the pattern is too long");
	if (len >= 3 && memcmp(p, "(*", 2) == 0 && p[2] >= 'A' && p[2] <= 'Z')
		return refuse(why, at, 0, ERR_USAGE, "a pattern cannot begin with a (*VERB)");
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

static pcre2_code *
compile_as(const struct regex *re, uint32_t options, int *err, PCRE2_SIZE *offset)
{
	pcre2_general_context	*g = pcre2_general_context_create(re_alloc, re_free, NULL);
	pcre2_compile_context	*c = pcre2_compile_context_create(g);
	pcre2_code		*code;

	(void)pcre2_set_parens_nest_limit(c, PARENS_MAX);
#ifdef PCRE2_EXTRA_NEVER_CALLOUT
	(void)pcre2_set_compile_extra_options(c, PCRE2_EXTRA_NEVER_CALLOUT);
#endif
	/* Without UCP, JIT before 10.43 finds no letter beyond ASCII for \W, \D and \S. */
	options |= PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;
	code = pcre2_compile((PCRE2_SPTR)re->text, re->len, options, err, offset, c);
	pcre2_compile_context_free(c);
	pcre2_general_context_free(g);
	return code;
}

static bool
has_text(const struct regex *re, const char *part)
{
	return memmem(re->text, re->len, part, strlen(part)) != NULL;
}

/* Is a repeat lazy? A lazy back-reference compares again and again between two callouts. */
static bool
has_lazy(const struct regex *re)
{
	return has_text(re, "*?") || has_text(re, "+?") || has_text(re, "??") ||
	    has_text(re, "}?");
}

/*
 * Turn off PCRE2's optimizations where they are wrong: after (?=a) it requires a second "a", and it
 * treats the item before a possessive group as possessive too.
 */
static uint32_t
without_faults(const struct regex *re)
{
	uint32_t	options = 0;

	if (has_text(re, "(?=") || has_text(re, "(*p") || has_text(re, "(*n"))
		options |= PCRE2_NO_START_OPTIMIZE;
	if (has_text(re, ")?+") || has_text(re, ")*+") || has_text(re, ")++") ||
	    has_text(re, "}+") || has_text(re, "(?>") || has_text(re, "(*atomic"))
		options |= PCRE2_NO_AUTO_POSSESS;
	return options;
}

/* Set what a callout of the counted run charges. */
static void
weigh(struct regex *re)
{
	size_t		size = 0, frame = 0;
	uint32_t	refs = 0;

	(void)pcre2_pattern_info(re->counted, PCRE2_INFO_SIZE, &size);
	(void)pcre2_pattern_info(re->counted, PCRE2_INFO_FRAMESIZE, &frame);
	(void)pcre2_pattern_info(re->counted, PCRE2_INFO_BACKREFMAX, &refs);
	(void)pcre2_pattern_info(re->counted, PCRE2_INFO_MAXLOOKBEHIND, &re->behind);
	re->refers = refs > 0 || has_text(re, "\\k") || has_text(re, "(?P=");
	/* The text of a script run is scanned again each time its end is reached. */
	re->unseen = (re->refers && has_lazy(re)) || has_text(re, "(*s") || has_text(re, "(*a");
	re->clusters = has_text(re, "\\X");
	re->call = CALL_STEPS + (uint32_t)(frame / 128);	/* a level copies its frame */
	if (size > 64 * re->len + 1024)
		re->call += (uint32_t)(size / 256);	/* a repeated group that was unrolled */
	re->byte = 1;
	if (memchr(re->text, '[', re->len) != NULL && size > 1024)
		re->byte += (uint32_t)(size - 1024) / 64;	/* a class may be a long list */
}

/* Find out where a match can begin, and whether the cost of a start is bounded. */
static void
bound(struct regex *re)
{
	uint32_t	options = 0, type = 0, first = 0;
	size_t		frame = 0;

	(void)pcre2_pattern_info(re->code, PCRE2_INFO_ALLOPTIONS, &options);
	(void)pcre2_pattern_info(re->code, PCRE2_INFO_FIRSTCODETYPE, &type);
	(void)pcre2_pattern_info(re->code, PCRE2_INFO_FIRSTCODEUNIT, &first);
	(void)pcre2_pattern_info(re->code, PCRE2_INFO_FRAMESIZE, &frame);
	re->anchored = (options & PCRE2_ANCHORED) != 0;
	re->first = type == 1 && first < 0x80 ? (int)first : -1;
	if (re->cost.nests && frame > FRAME_MAX)
		re->cost.known = false;		/* the interpreter might lack the memory for it */
}

static int
compile(struct regex *re, struct buf *why, size_t *at)
{
	uint32_t	options = re->caseless ? PCRE2_CASELESS : 0;
	int		err = 0;
	PCRE2_SIZE	offset = 0;

	options |= without_faults(re);
	re->code = compile_as(re, options, &err, &offset);
	if (re->code != NULL)
		re->counted = compile_as(re, options | PCRE2_AUTO_CALLOUT, &err, &offset);
	if (re->counted == NULL)
		return report(err, offset, why, at);
	re->jit = pcre2_jit_compile(re->code, PCRE2_JIT_COMPLETE) == 0;
	weigh(re);
	return ERR_OK;
}

static void
read_pattern(struct regex *re)
{
	struct regex_reading	reading;

	regex_read(re->text, re->len, re->caseless, &reading);
	re->cost = reading.cost;
	re->literals = reading.literals;
	re->run = reading.run;
	if (re->code != NULL)
		bound(re);
	for (unsigned i = 0; i < re->literals.n; i++) {
		const struct regex_literal	*l = &re->literals.v[i];

		if (!needle_init(&re->needle[i], l->text, l->len, re->caseless, false))
			re->literals.n = 0;
	}
	re->folded = re->folded && re->literals.n == 1 && re->literals.v[0].len == re->len;
}

int
regex_new(struct regex **out, const char *pattern, size_t len, enum regex_case mode,
    struct buf *why, size_t *at)
{
	struct regex	*re;
	bool		 folds;
	int		 err;

	*out = NULL;
	*at = 0;
	err = check_pattern(pattern, len, why, at);
	if (err != ERR_OK)
		return err;
	re = mem_zalloc(1, sizeof *re);
	re->caseless = mode == REGEX_FOLD || (mode == REGEX_SMART && !has_capital(pattern, len));
	re->text = mem_strndup(pattern, len);
	re->len = len;
	re->folded = is_plain(pattern, len, &folds) && re->caseless && folds;
	if (re->folded || !is_plain(pattern, len, &folds))
		err = compile(re, why, at);
	if (err != ERR_OK) {
		regex_free(re);
		return err;
	}
	read_pattern(re);
	*out = re;
	return ERR_OK;
}

void
regex_free(struct regex *re)
{
	if (re == NULL)
		return;
	pcre2_code_free(re->code);
	pcre2_code_free(re->counted);
	mem_free(re->text);
	mem_free(re);
}

bool
regex_is_literal(const struct regex *re)
{
	return re->code == NULL;
}

const struct regex_literals *
regex_literals(const struct regex *re)
{
	return &re->literals;
}

bool
regex_caseless(const struct regex *re)
{
	return re->caseless;
}

void
regex_match_plain(struct regex_match *m)
{
	m->plain = true;
}

/* Does none of the literals occur, one of which every match contains? */
static bool
lacks_literals(const struct regex *re, struct span subject)
{
	for (unsigned i = 0; i < re->literals.n; i++)
		if (needle_in(&re->needle[i], subject))
			return false;
	return re->literals.n > 0;
}

/* Does the ASCII text have no run of r->n characters of the class? */
static bool
lacks_run(const struct regex_run *r, struct span text)
{
	const size_t	 step = r->n;
	const bool	*has = r->has;
	const uint8_t	*p = text.p;
	size_t		 last = step - 1, n;	/* last: end of the next possible run */

	if (r->n < RUN_LEAST)
		return false;
	while (last < text.len) {
		/* Four at a time: mostly none of them is a character of the class. */
		while (last + 3 * step < text.len && !(has[p[last]] | has[p[last + step]] |
		    has[p[last + 2 * step]] | has[p[last + 3 * step]]))
			last += 4 * step;
		if (last >= text.len)
			break;
		for (n = 0; n < step && has[p[last - n]]; )
			n++;
		if (n == step)
			return false;
		last += step - n;
	}
	return true;
}

/* ---- counted steps */

static size_t
longest_group(const pcre2_callout_block *b)
{
	size_t	longest = 0;

	for (uint32_t i = 1; i < b->capture_top; i++) {
		size_t	from = b->offset_vector[2 * i], to = b->offset_vector[2 * i + 1];

		if (from != PCRE2_UNSET && to != PCRE2_UNSET && to > from && to - from > longest)
			longest = to - from;
	}
	return longest;
}

/* The least number of repeats of an item like \d{500}; 0: it has no braces. */
static uint64_t
repeat_of(struct span item)
{
	const uint8_t	*brace = item.len > 0 ? memrchr(item.p, '{', item.len) : NULL;
	uint64_t	 n = 0;

	if (brace == NULL)
		return 0;
	for (brace++; brace < item.p + item.len && *brace >= '0' && *brace <= '9'; brace++)
		n = min_u64(n * 10 + (*brace - '0'), UINT32_MAX);
	return n;
}

/* The steps that the item after this callout may take without another callout. */
static uint64_t
unseen_steps(const struct regex *re, const pcre2_callout_block *b)
{
	size_t		at = b->pattern_position < re->len ? b->pattern_position : re->len;
	struct span	item = { (const uint8_t *)re->text + at, b->next_item_length };
	uint64_t	rest = b->subject_length - b->current_position, steps;
	bool		group;

	/* For some items PCRE2 gives a length beyond the pattern's end. */
	item.len = min_u64(item.len, re->len - at);
	if (item.len == 0)
		return 0;
	group = item.p[0] == '(';
	steps = group ? 0 : min_u64(repeat_of(item), rest) * re->byte;
	if (group && re->behind > 0)
		steps += min_u64(re->behind, b->current_position);
	if (re->refers && (group || item.p[0] == '\\'))
		steps += strchr("*+?}", item.p[item.len - 1]) != NULL ? rest : longest_group(b);
	return steps;
}

static int
on_callout(pcre2_callout_block *b, void *arg)
{
	struct regex_match	*m = arg;
	uint64_t		 steps = m->every + unseen_steps(m->re, b);

	if (b->current_position > m->pos)
		steps += (uint64_t)(b->current_position - m->pos) * m->re->byte;
	m->pos = b->current_position;
	if (steps > m->left) {
		m->left = 0;
		return PCRE2_ERROR_CALLOUT;
	}
	m->left -= steps;
	return 0;
}

/* A flag is a pair of regional indicators, and each \X counts those that precede it. */
static uint64_t
flag_steps(struct span subject)
{
	const uint8_t	*end = subject.p + subject.len, *p = subject.p;
	uint64_t	 n = 0;

	for (; p < end; p += 3, n++) {
		p = memmem(p, (size_t)(end - p), "\xf0\x9f\x87", 3);
		if (p == NULL)
			break;
	}
	return n * n;
}

/* ---- matching */

struct regex_match *
regex_match_new(void)
{
	struct regex_match	*m = mem_zalloc(1, sizeof *m);
	pcre2_general_context	*g = pcre2_general_context_create(re_alloc, re_free, NULL);

	m->context = pcre2_match_context_create(g);
	(void)pcre2_set_match_limit(m->context, UINT32_MAX);
	(void)pcre2_set_depth_limit(m->context, UINT32_MAX);
	(void)pcre2_set_heap_limit(m->context, HEAP_KIB);
	(void)pcre2_set_callout(m->context, on_callout, m);
	m->data = pcre2_match_data_create(1, g);
	/* If it is NULL, PCRE2 uses 32 KiB of the machine stack. */
	m->stack = pcre2_jit_stack_create(JIT_STACK_MIN, JIT_STACK_MAX, g);
	if (m->stack != NULL)
		pcre2_jit_stack_assign(m->context, NULL, m->stack);
	pcre2_general_context_free(g);
	regex_match_begin(m);
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

void
regex_match_begin(struct regex_match *m)
{
	m->bounded = LIMIT_REGEX_BOUND;
	m->left = m->given = LIMIT_REGEX_STEPS;
}

uint64_t
regex_match_steps(const struct regex_match *m)
{
	return m->given - m->left;
}

uint64_t
regex_match_bound(const struct regex_match *m)
{
	return m->bounded;
}

bool
regex_match_charge(struct regex_match *m, uint64_t bound)
{
	if (bound > m->bounded)
		return false;
	m->bounded -= bound;
	return true;
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
	hit = memmem(subject.p + start, subject.len - start, re->text, re->len);
	if (hit == NULL)
		return 0;
	at = (size_t)(hit - subject.p);
	return found(at, at + re->len, from, to);
}

/* An upper bound of the places where a match may begin, by its first byte. */
static uint64_t
starts(const struct regex *re, struct span subject, size_t start)
{
	uint8_t		fold, first;
	uint64_t	n = 1;

	fold = (re->first | 0x20) >= 'a' && (re->first | 0x20) <= 'z' ? 0x20 : 0;
	first = (uint8_t)re->first | fold;
	for (size_t i = start; i < subject.len; i++)
		n += (subject.p[i] | fold) == first;
	return n;
}

static bool
is_ascii(struct span s)
{
	return text_skip_ascii(s.p, s.p + s.len) == s.p + s.len;
}

/* Find the text without case in an ASCII subject, where no character beyond ASCII folds to it. */
static int
find_folded(const struct regex *re, struct span subject, size_t start, size_t *from, size_t *to)
{
	const struct needle	*n = &re->needle[0];
	struct needle_scan	 s;
	const uint8_t		*hit;
	size_t			 at;

	needle_begin(&s, n, (struct span){ subject.p + start, subject.len - start });
	hit = needle_next(&s);
	if (hit == NULL)
		return 0;
	at = (size_t)(hit - subject.p) - n->at;
	return found(at, at + re->len, from, to);
}

/* Is the bound of this match within the rest of the budget? If so, charge it. */
static bool
within_bound(const struct regex *re, struct regex_match *m, struct span subject, size_t start)
{
	double	len = (double)(subject.len - start), each, steps;

	if (!re->cost.known)
		return false;
	each = regex_cost_at(&re->cost, len + 1);
	steps = len + (re->anchored ? 1 : len + 1) * each;
	if (steps > (double)m->bounded && re->first >= 0)
		steps = len + (double)starts(re, subject, start) * each;
	if (steps > (double)m->bounded)
		return false;
	m->bounded -= (uint64_t)steps;
	return true;
}

static bool
is_utf8(struct span s)
{
	const uint8_t	*end = s.p + s.len, *p = text_skip_ascii(s.p, end);
	int32_t		 cp;

	while (p < end) {
		p += text_decode(p, end, &cp);
		if (cp < 0)
			return false;
		p = text_skip_ascii(p, end);
	}
	return true;
}

/*
 * Run with JIT, or with the interpreter if JIT's stack is too small. sound: the number of leading
 * bytes that are known to be UTF-8.
 */
static int
run_plain(const struct regex *re, struct regex_match *m, struct span subject, size_t start,
    size_t sound)
{
	int	n = PCRE2_ERROR_JIT_STACKLIMIT;

	/* On invalid UTF-8 the two differ: only the interpreter restarts after the bad bytes. */
	if (re->jit && is_utf8((struct span){ subject.p + sound, subject.len - sound }))
		n = pcre2_jit_match(re->code, subject.p, subject.len, start, 0, m->data,
		    m->context);
	if (n == PCRE2_ERROR_JIT_STACKLIMIT)
		n = pcre2_match(re->code, subject.p, subject.len, start, PCRE2_NO_JIT, m->data,
		    m->context);
	return n;
}

static int
run_counted(const struct regex *re, struct regex_match *m, struct span subject, size_t start)
{
	uint64_t	len = subject.len - start;

	if (m->left == 0)
		return PCRE2_ERROR_CALLOUT;
	m->given += len * LIMIT_REGEX_BYTE;
	m->left += len * (LIMIT_REGEX_BYTE - 1);	/* one step: PCRE2 checks each byte */
	m->re = re;
	m->pos = start;
	m->every = re->call;
	if (re->unseen)
		m->every += subject.len;
	if (re->clusters)
		m->every += flag_steps(subject);
	return pcre2_match(re->counted, subject.p, subject.len, start, PCRE2_NO_JIT, m->data,
	    m->context);
}

/* Find a match. The caller knows that none begins before front, and [start, front) is UTF-8. */
static int
find_from(const struct regex *re, struct regex_match *m, struct span subject, size_t start,
    size_t front, size_t *from, size_t *to)
{
	struct span		 rest = { subject.p + front, subject.len - front };
	size_t			 sound = front - start;
	bool			 ascii = is_ascii(rest);
	const PCRE2_SIZE	*v;
	int			 n;

	if (!m->plain && ((start == 0 && lacks_literals(re, subject)) ||
	    (ascii && lacks_run(&re->run, rest))))
		return 0;
	if (ascii && sound == front)
		sound = subject.len;
	if (!within_bound(re, m, subject, start))
		n = run_counted(re, m, subject, start);
	else if (re->folded && !m->plain && ascii)
		return find_folded(re, subject, front, from, to);
	else
		n = run_plain(re, m, subject, front, sound);
	if (n == PCRE2_ERROR_NOMATCH)
		return 0;
	if (n < 0)
		return ERR_LIMIT;	/* steps or memory; there is no other error */
	v = pcre2_get_ovector_pointer(m->data);
	return found(v[0] < v[1] ? v[0] : v[1], v[1], from, to);
}

int
regex_find(const struct regex *re, struct regex_match *m, struct span subject, size_t start,
    size_t *from, size_t *to)
{
	if (subject.p == NULL)
		subject = (struct span){ (const uint8_t *)"", 0 };
	if (start > subject.len)
		return 0;
	if (re->code == NULL)
		return find_literal(re, subject, start, from, to);
	return find_from(re, m, subject, start, start, from, to);
}

int
regex_find_after(const struct regex *re, struct regex_match *m, struct span subject, size_t front)
{
	if (re->code == NULL)
		return find_literal(re, subject, 0, NULL, NULL);
	return find_from(re, m, subject, 0, m->plain ? 0 : front, NULL, NULL);
}

/*
 * A partial match tells where a match may begin: PCRE2 tries each start in turn, and stops at the
 * first one whose match reaches the end of the front and so depends on what follows.
 */
size_t
regex_front(const struct regex *re, struct regex_match *m, struct span front)
{
	uint64_t	bounded = m->bounded;
	bool		sure;
	int		n;

	if (re->code == NULL || front.len == 0 || !is_utf8(front))
		return 0;
	m->bounded = LIMIT_REGEX_BOUND;
	sure = within_bound(re, m, front, 0);
	m->bounded = bounded;
	if (!sure)
		return 0;
	n = pcre2_match(re->code, front.p, front.len, 0, PCRE2_NO_JIT | PCRE2_PARTIAL_HARD,
	    m->data, m->context);
	if (n == PCRE2_ERROR_NOMATCH)
		return front.len;
	return n >= 0 || n == PCRE2_ERROR_PARTIAL ? pcre2_get_ovector_pointer(m->data)[0] : 0;
}
