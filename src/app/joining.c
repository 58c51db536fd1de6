/*
 * Opening several files as one trace.
 *
 *	--align utc,+1.2ms,-3s	the clock, then what is added to the second file and those after it
 */
#include "app/joining.h"

#include <string.h>

#include "app/command.h"
#include "app/exit.h"
#include "tnav/analysis/report.h"
#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "tnav/out/cell.h"
#include "tnav/out/message.h"

static bool
word_is(const char *s, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(s, word, len) == 0;
}

static bool
read_clock(const char *s, size_t len, enum trace_clock *clock)
{
	static const struct {
		const char		*word;
		enum trace_clock	 clock;
	} words[] = { { "ticks", CLOCK_TICKS }, { "utc", CLOCK_UTC }, { "start", CLOCK_START } };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (!word_is(s, len, words[i].word))
			continue;
		*clock = words[i].clock;
		return true;
	}
	return false;
}

static bool
read_shift(const char *s, size_t len, int64_t *ns)
{
	if (len < 2 || (s[0] != '+' && s[0] != '-') ||
	    units_parse_dur(s + 1, len - 1, 0, ns) != 0)
		return false;
	if (s[0] == '-')
		*ns = -*ns;
	return true;
}

int
joining_align(const struct options *o, enum trace_clock *clock, int64_t *shift, size_t n)
{
	const char	*s = o->text[OPT_ALIGN];
	size_t		 at = 1;

	for (size_t len; s != NULL; s = s[len] == ',' ? s + len + 1 : NULL) {
		len = strcspn(s, ",");
		if (s == o->text[OPT_ALIGN] && read_clock(s, len, clock))
			continue;
		if (at < n && read_shift(s, len, &shift[at++]))
			continue;
		return exit_usage("--align: '%s' is not ticks, utc or start, nor times to add to "
		    "the files after the first one, such as +1.2ms,-3s", o->text[OPT_ALIGN]);
	}
	return 0;
}

bool
joining_wanted(const struct options *o)
{
	/* A report that compares two files has each by itself. */
	if (o->nfiles == 2 && o->command->report != NULL && o->command->report->compared != NULL)
		return false;
	return o->nfiles > 1 && o->command->lists && !o->given[OPT_SINGLY] &&
	    o->choice[OPT_FORMAT] != OUT_PARQUET && o->nfiles <= SOURCES_MOST;
}

int
joining_check(const struct options *o)
{
	int64_t			*shift = mem_zalloc(o->nfiles, sizeof *shift);
	enum trace_clock	 clock = CLOCK_AUTO;
	int			 code = joining_align(o, &clock, shift, o->nfiles);

	if (code == 0 && o->given[OPT_ALIGN] && !joining_wanted(o) &&
	    (o->command->lists || o->nfiles < 2))
		code = exit_usage("--align needs several files that are one list");
	mem_free(shift);
	return code;
}

int
joining_open(struct trace **t, const struct options *o, const struct joining *how, bool *apart)
{
	struct trace		**v = mem_zalloc(o->nfiles, sizeof *v);
	int64_t			 *shift = mem_zalloc(o->nfiles, sizeof *shift);
	struct trace_join	  join = { .shift = shift };
	struct buf		  why = { 0 };
	size_t			  n = 0;
	int			  worst = 0, err = 0;

	*t = NULL;
	*apart = false;
	(void)joining_align(o, &join.clock, shift, o->nfiles);
	for (size_t i = 0; i < o->nfiles; i++) {
		int	code = how->open(&v[n], o, o->files[i]);

		shift[n] = shift[i];
		n += code == 0;
		exit_worsen(&worst, code);
	}
	if (n == 1)
		*t = v[0];
	if (n > 1)
		err = trace_join(t, v, n, &join, &how->opt, &why);
	if (err < 0 && o->given[OPT_FOLLOW]) {
		worst = exit_usage("%s", buf_str(&why));
	} else if (err < 0) {
		message_note(o->command->each != NULL ?
		    "%s: the files are printed one after the other" : "%s", buf_str(&why));
		*apart = true;
	}
	buf_release(&why);
	mem_free(shift);
	mem_free(v);
	return worst;
}
