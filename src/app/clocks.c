/*
 * What `tnav info A B` says of the clocks of several files. The files are read one after the other,
 * so what is known of the clock of each is kept.
 *
 *	together  3 files, 12.500 s
 *	          a.nettrace: from 0 ms to 10.200 s
 *	          b.nettrace: from 3.200 s to 12.100 s, by ticks: of one boot of one machine
 */
#include "app/clocks.h"

#include "app/joining.h"
#include "app/listing.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/units.h"

struct clock_file {
	char			*name;
	struct trace_info	 info;		/* without texts */
	struct clock_facts	 at;
	bool			 any;		/* it has events */
};

struct clock_files {
	struct clock_file	*v;
	size_t			 n, cap;
	enum trace_clock	 how;
	int64_t			*shift;		/* by file */
	int64_t			 first;		/* ticks of v[0] */
};

static void
files_free(void *kept)
{
	struct clock_files	*c = kept;

	for (size_t i = 0; i < c->n; i++)
		mem_free(c->v[i].name);
	mem_free(c->v);
	mem_free(c->shift);
	mem_free(c);
}

static struct clock_files *
files_of(struct run *s)
{
	struct clock_files	*c = s->kept;

	if (c == NULL) {
		c = mem_zalloc(1, sizeof *c);
		c->shift = mem_zalloc(s->opt->nfiles, sizeof *c->shift);
		(void)joining_align(s->opt, &c->how, c->shift, s->opt->nfiles);
		s->kept = c;
		s->kept_free = files_free;
	}
	return c;
}

/* ns from the first event of the first file. */
static int64_t
since_first(const struct clock_files *c, const struct clock_map *m, int64_t ts)
{
	struct clock_map	own = { .mul = m->mul, .div = c->v[0].info.freq };

	return units_ticks_ns(clock_to(m, ts), clock_to(&own, c->first), m->mul);
}

void
clocks_add(struct run *s, struct clock_facts *f)
{
	struct clock_files	*c = files_of(s);
	struct clock_of		 of = clock_of_trace(s->t);
	struct clock_file	*one;
	struct clock_map	 m;
	int64_t			 first, last;

	c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	one = &c->v[c->n++];
	*one = (struct clock_file){ .name = mem_strdup(run_base_name(s)), .info = *of.info,
	    .any = trace_range(s->t, &first, &last) };
	if (c->n == 1)
		c->first = of.first;
	if (one->any) {
		one->at.by = clocks_compare(&m, &(struct clock_of){ &c->v[0].info, c->first },
		    &of, c->how, c->shift[s->file_at],
		    c->v[0].info.freq > one->info.freq ? c->v[0].info.freq : one->info.freq);
		one->at.first = since_first(c, &m, first);
		one->at.last = since_first(c, &m, last);
	}
	if (c->n == 1)
		one->at.by = CLOCK_AUTO;
	*f = one->at;
}

const char *
clock_word(enum trace_clock by)
{
	static const char *const	words[] = { [CLOCK_TICKS] = "ticks", [CLOCK_UTC] = "utc",
					    [CLOCK_START] = "start" };

	return words[by];
}

/* By what its times are those of the first file, and how far that can be trusted. */
static void
put_reason(struct buf *b, const struct clock_files *c, const struct clock_file *f, bool ascii)
{
	const struct trace_info	*first = &c->v[0].info;
	bool			 dated = f->info.has_sync_utc && first->has_sync_utc;
	bool			 one_boot = joined_same_boot(first, &f->info);
	int64_t			 boots = sub_i64(clock_boot_utc(&f->info), clock_boot_utc(first));

	if (f->at.by == CLOCK_TICKS)
		buf_puts(b, one_boot ? ", by ticks: of one boot of one machine" :
		    ", by ticks, but not known to be of one boot of one machine: try --align utc");
	if (f->at.by == CLOCK_UTC && one_boot)
		buf_puts(b, ", by UTC, to 1 ms; of one boot of one machine: ticks are exact");
	if (f->at.by == CLOCK_UTC && !one_boot) {
		buf_puts(b, ", by UTC: of another machine or boot (");
		units_dur(b, boots < 0 ? sub_i64(0, boots) : boots, ascii);
		buf_puts(b, " apart), so as exact as their clocks");
	}
	if (f->at.by == CLOCK_START)
		buf_puts(b, dated ? ", by its first event" :
		    ", by its first event: UTC is not known");
}

/* The time that all have in common. */
static void
put_common(struct buf *b, int64_t from, int64_t to, bool ascii)
{
	if (from > to) {
		buf_puts(b, "no time is common to all: `--align start` compares from their starts");
		return;
	}
	buf_puts(b, "common to all: ");
	units_dur(b, sub_i64(to, from), ascii);
	buf_puts(b, " from ");
	units_dur(b, from, ascii);
}

static void
put_line(struct run *s, const char *title, struct buf *text)
{
	listing_fact(s, &s->tail, title, text);
}

void
clocks_tell(struct run *s)
{
	const struct clock_files	*c = files_of(s);
	bool				 ascii = s->st.mode == TEXT_ASCII;
	int64_t				 from = INT64_MIN, to = INT64_MAX, end = 0, begin = 0;
	struct buf			 b = { 0 };

	buf_clear(&s->tail);
	for (size_t i = 0; i < c->n; i++) {
		const struct clock_facts	*at = &c->v[i].at;

		if (!c->v[i].any)
			continue;
		begin = at->first < begin ? at->first : begin;
		end = at->last > end ? at->last : end;
		from = at->first > from ? at->first : from;
		to = at->last < to ? at->last : to;
	}
	if (c->n < 2 || from == INT64_MIN)
		return;
	buf_putc(&s->tail, '\n');
	buf_counts(&b, "# files, ", c->n);
	units_dur(&b, sub_i64(end, begin), ascii);
	put_line(s, "together", &b);
	for (size_t i = 0; i < c->n; i++) {
		const struct clock_file	*f = &c->v[i];

		buf_puts(&b, f->name);
		buf_puts(&b, f->any ? ": from " : ": no events");
		if (f->any) {
			units_dur(&b, f->at.first, ascii);
			buf_puts(&b, " to ");
			units_dur(&b, f->at.last, ascii);
			put_reason(&b, c, f, ascii);
		}
		put_line(s, "", &b);
	}
	put_common(&b, from, to, ascii);
	put_line(s, "", &b);
	buf_release(&b);
}
