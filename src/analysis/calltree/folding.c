/*
 * Fold rules.
 *
 *	rule	"plumbing"		patterns of its own, all folded away
 *		"^Json as serializer"	one pattern, and a name
 *
 * Invariant: the first rule that matches decides; a frame without a name matches my-code only.
 */
#include "tnav/analysis/folding.h"

#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/regex.h"

#define RULES_MOST	64u
#define MY_CODE		"my-code"
#define PLUMBING	"plumbing"
#define IDLE		"idle"

/* Code that is not the user's own: by module, and by name where the module is unknown. */
#define LIBRARY_MODULES \
	"^(System\\.|Microsoft\\.|mscorlib|netstandard|WindowsBase|Presentation(Core|Framework)|" \
	"System(\\.dll)?$|dotnet|testhost)"
#define LIBRARY_NAMES \
	"^((System|Microsoft|Internal|Interop|FxResources)([.+]|$)|Interop[+.]" \
	"|dynamicClass\\.IL_STUB)"

/* Code that throws and catches, awaits and schedules, starts threads, or waits. */
#define PLUMBING_NAMES \
	"^(System\\.Runtime\\.EH\\b|System\\.ThrowHelper\\." \
	"|System\\.Runtime\\.ExceptionServices\\." \
	"|System\\.Runtime\\.CompilerServices\\.(Async|.*TaskMethodBuilder|TaskAwaiter" \
	"|ConfiguredTaskAwaitable|ConfiguredValueTaskAwaitable|ValueTaskAwaiter|YieldAwaitable" \
	"|StaticsHelpers|InitHelpers|CastHelpers|GenericsHelpers|VirtualDispatchHelpers)" \
	"|System\\.Threading\\.Tasks\\." \
	"(Task(`\\d)?([.+[]|$)|TaskScheduler|ThreadPoolTaskScheduler|AwaitTaskContinuation" \
	"|TaskContinuation|ContinueWith|ContinuationTask|ContinuationResultTask|TaskFactory" \
	"|TaskCompletionSource|TaskReplicator|Parallel(`\\d)?([.+[]|$)|StandardTaskContinuation" \
	"|UnwrapPromise|Sources\\.)" \
	"|System\\.Threading\\." \
	"(ExecutionContext|ThreadPoolWorkQueue|PortableThreadPool|ThreadPool([.+]|$)" \
	"|QueueUserWorkItemCallback|_ThreadPoolWaitCallback|_IOCompletionCallback|UnmanagedThread" \
	"|Thread\\.(Start(Core|Callback|Helper)?|PollGC|<PollGC>|Join|Sleep|Yield)|StartHelper" \
	"|Thread\\+StartHelper" \
	"|WaitHandle|EventWaitHandle|Monitor|ManualResetEventSlim|SemaphoreSlim|SpinWait|SpinLock" \
	"|LowLevel(Lifo|Lock|Monitor|Spin)|CountdownEvent|Barrier|ReaderWriterLock(Slim)?|Lock" \
	"|Condition|TimerQueue)[.+(<]" \
	"|System\\.Threading\\.(ThreadHelper|Condition|Lock)\\." \
	"|(IL_Throw|IL_Rethrow|JIT_Throw|RhpThrowEx)\\b)"

struct rule {
	char		*text;		/* as given */
	struct regex	*names;		/* NULL: matches no frame */
	struct regex	*modules;	/* or NULL */
	char		*as;		/* or NULL: fold into the caller */
	bool		 native;	/* also fold native frames and frames without a name */
};

struct folding {
	struct rule		*v;
	size_t			 n, cap;
	struct regex_match	*match;
};

struct folding *
folding_new(void)
{
	struct folding	*f = mem_zalloc(1, sizeof *f);

	f->match = regex_match_new();
	return f;
}

static void
rule_release(struct rule *r)
{
	regex_free(r->names);
	regex_free(r->modules);
	mem_free(r->text);
	mem_free(r->as);
}

void
folding_free(struct folding *f)
{
	if (f == NULL)
		return;
	for (size_t i = 0; i < f->n; i++)
		rule_release(&f->v[i]);
	regex_match_free(f->match);
	mem_free(f->v);
	mem_free(f);
}

static int
compile(struct regex **out, const char *pattern, size_t len, struct buf *why)
{
	size_t	at;

	return regex_new(out, pattern, len, REGEX_EXACT, why, &at);
}

/* Where " as NAME" begins, or the whole length. */
static size_t
pattern_len(const char *rule)
{
	size_t	len = strlen(rule);

	for (size_t i = len; i > 0; i--)
		if (strncmp(rule + i - 1, " as ", 4) == 0 && rule[i + 3] != '\0')
			return i - 1;
	return len;
}

static int
read_pattern(struct rule *r, const char *rule, struct buf *why)
{
	size_t	len = pattern_len(rule);
	int	err;

	if (len == 0) {
		buf_puts(why, "a fold rule is idle, my-code, plumbing, REGEX or REGEX as NAME");
		return ERR_USAGE;
	}
	err = compile(&r->names, rule, len, why);
	if (err == ERR_OK && rule[len] != '\0')
		r->as = mem_strdup(rule + len + 4);
	return err;
}

int
folding_add(struct folding *f, const char *rule, struct buf *why)
{
	struct rule	r = { .text = NULL };
	int		err = ERR_OK;

	if (folding_has(f, rule, NULL))
		return ERR_OK;
	if (f->n >= RULES_MOST) {
		buf_printf(why, "no more than %u fold rules can be set", RULES_MOST);
		return ERR_USAGE;
	}
	if (strcmp(rule, MY_CODE) == 0) {
		err = compile(&r.names, LIBRARY_NAMES, strlen(LIBRARY_NAMES), why);
		if (err == ERR_OK)
			err = compile(&r.modules, LIBRARY_MODULES, strlen(LIBRARY_MODULES), why);
		r.native = true;
	} else if (strcmp(rule, PLUMBING) == 0) {
		err = compile(&r.names, PLUMBING_NAMES, strlen(PLUMBING_NAMES), why);
	} else if (strcmp(rule, IDLE) != 0) {
		err = read_pattern(&r, rule, why);
	}
	if (err < 0) {
		rule_release(&r);
		return err;
	}
	r.text = mem_strdup(rule);
	ARRAY_ADD(f->v, f->n, f->cap, r);
	return ERR_OK;
}

struct folding *
folding_copy(const struct folding *f)
{
	struct folding	*c = folding_new();
	struct buf	 why = { 0 };

	for (size_t i = 0; i < f->n; i++)
		(void)folding_add(c, f->v[i].text, &why);
	buf_release(&why);
	return c;
}

size_t
folding_rules(const struct folding *f)
{
	return f->n;
}

const char *
folding_rule(const struct folding *f, size_t i)
{
	return f->v[i].text;
}

void
folding_remove(struct folding *f, size_t i)
{
	rule_release(&f->v[i]);
	memmove(&f->v[i], &f->v[i + 1], (f->n - i - 1) * sizeof *f->v);
	f->n--;
}

bool
folding_has(const struct folding *f, const char *rule, size_t *at)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->v[i].text, rule) == 0) {
			if (at != NULL)
				*at = i;
			return true;
		}
	return false;
}

bool
folding_hides_idle(const struct folding *f)
{
	return folding_has(f, IDLE, NULL);
}

bool
folding_folds(const struct folding *f)
{
	return f->n > (folding_hides_idle(f) ? 1 : 0);
}

static bool
finds(const struct folding *f, const struct regex *re, struct span text)
{
	return text.p != NULL && re != NULL && regex_find(re, f->match, text, 0, NULL, NULL) == 1;
}

static bool
fits(const struct folding *f, const struct rule *r, const struct folding_frame *frame)
{
	if (r->native)
		return !frame->method || (frame->module.len > 0 ?
		    finds(f, r->modules, frame->module) : finds(f, r->names, frame->raw));
	return finds(f, r->names, frame->raw) ||
	    (frame->clean.p != frame->raw.p && finds(f, r->names, frame->clean));
}

enum folding_what
folding_ask(const struct folding *f, const struct folding_frame *frame, struct span *name)
{
	regex_match_begin(f->match);
	for (size_t i = 0; i < f->n; i++) {
		if (!fits(f, &f->v[i], frame))
			continue;
		if (f->v[i].as == NULL)
			return FOLD_AWAY;
		*name = span_of(f->v[i].as);
		return FOLD_AS;
	}
	return FOLD_KEEP;
}
