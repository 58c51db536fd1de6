/*
 * textsearch: filters decided with and without what is searched first, for
 * tests/check/textsearch.py.
 *
 *	textsearch TRACE <"FILTER" LINES >JSON LINES
 *
 *	{"events":97,"hits":12,"skipped":3,"sifted":70,"raw":60,"costly":0,"segments":8,
 *	 "wrong":null}
 *
 * For each line every event is decided twice, by itself and with every text formatted, and the
 * sieve is asked about every segment. hits: those that match; skipped: segments of which the sieve
 * says that none does; sifted: events of the others of which it does; raw: those of them that it
 * needs no type for. wrong: the first event of which two answers differ. {"error":...}: the filter
 * is refused.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/filter/eval.h"
#include "engine/filter/sieve.h"
#include "engine/view/resolve.h"
#include "tnav/base/mem.h"
#include "tnav/model/value.h"

struct tally {
	uint64_t	events, hits, skipped, sifted, raw;
	const char	*wrong;
	uint64_t	wrong_off;
};

struct sides {
	struct filter_eval	*fast, *plain;
	struct sieve		*sieve;
	struct resolver		*resolver;
};

static void
wrong(struct tally *y, const char *what, const struct event *e)
{
	if (y->wrong != NULL)
		return;
	y->wrong = what;
	y->wrong_off = e->off;
}

/* Of the events as they were decoded, keep those that may match; tell which hit is not kept. */
static void
check_raw(struct sieve *s, struct event *raw, const struct event *ev, const bool *hit, uint32_t n,
    struct tally *y)
{
	uint32_t	kept = sieve_raw(s, raw, n), k = 0;

	y->raw += n - kept;
	for (uint32_t i = 0; i < n; i++) {
		bool	here = k < kept && raw[k].off == ev[i].off && raw[k].ts == ev[i].ts;

		k += here;
		if (hit[i] && !here)
			wrong(y, "raw", &ev[i]);
	}
	if (k != kept)
		wrong(y, "order", &ev[0]);
}

static void
one_segment(struct trace *t, const struct segment *g, const struct sides *s, struct tally *y)
{
	struct event	*ev = mem_zalloc(g->n + 1, sizeof *ev);
	struct event	*raw = mem_zalloc(g->n + 1, sizeof *raw);
	uint32_t	*at = mem_zalloc(g->n + 1, sizeof *at), n, kept = 0;
	bool		*hit = mem_zalloc(g->n + 1, sizeof *hit), may;
	struct decoded	 d = { 0 };

	n = (uint32_t)segment_events(t, g, ev, &d);
	memcpy(raw, ev, n * sizeof *raw);
	may = sieve_segment(s->sieve, g);
	resolver_events(s->resolver, g, ev, n, &d);
	y->skipped += !may;
	y->events += n;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t	costly = filter_costly(s->plain), fast = filter_costly(s->fast);

		at[i] = i;
		hit[i] = filter_match(s->plain, &ev[i]);
		costly = filter_costly(s->plain) - costly;
		if (costly == 0 && filter_match(s->fast, &ev[i]) != hit[i])
			wrong(y, "event", &ev[i]);
		if (costly == 0 && filter_costly(s->fast) != fast)
			wrong(y, "costly", &ev[i]);
		y->hits += hit[i];
		if (hit[i] && !may)
			wrong(y, "segment", &ev[i]);
	}
	if (may) {
		check_raw(s->sieve, raw, ev, hit, n, y);
		kept = sieve_events(s->sieve, ev, at, n);
	}
	y->sifted += may ? n - kept : 0;
	for (uint32_t i = 0; i < kept; i++)
		hit[at[i]] = false;
	for (uint32_t i = 0; i < n; i++)
		if (hit[i])
			wrong(y, "sieve", &ev[i]);
	decoded_release(&d);
	mem_free(hit);
	mem_free(at);
	mem_free(raw);
	mem_free(ev);
}

static void
one_filter(struct trace *t, const char *text)
{
	struct filter_error	 err = { 0 };
	struct filter		*f;
	struct sides		 s;
	struct tally		 y = { 0 };
	struct buf		 line = { 0 };

	if (filter_new(&f, text, strlen(text), t, false, 0, &err) != 0) {
		buf_puts(&line, "{\"error\":");
		json_text8(&line, (struct span){ (const uint8_t *)err.text.p, err.text.len });
		printf("%s}\n", buf_str(&line));
	} else {
		s.fast = filter_eval_new(f, t);
		s.plain = filter_eval_new(f, t);
		filter_eval_plain(s.plain);
		s.sieve = sieve_new(f, s.fast, t);
		s.resolver = resolver_new(t);
		for (uint64_t i = 0; i < t->index.segments.n; i++)
			one_segment(t, segvec_at(&t->index.segments, i), &s, &y);
		printf("{\"events\":%" PRIu64 ",\"hits\":%" PRIu64 ",\"skipped\":%" PRIu64
		    ",\"sifted\":%" PRIu64 ",\"raw\":%" PRIu64 ",\"costly\":%" PRIu64 ",\"segments\":%" PRIu64,
		    y.events, y.hits, y.skipped, y.sifted, y.raw, filter_costly(s.plain),
		    t->index.segments.n);
		if (y.wrong == NULL)
			printf(",\"wrong\":null}\n");
		else
			printf(",\"wrong\":\"%s at %" PRIu64 "\"}\n", y.wrong, y.wrong_off);
		resolver_free(s.resolver);
		sieve_free(s.sieve);
		filter_eval_free(s.fast);
		filter_eval_free(s.plain);
		filter_free(f);
	}
	filter_error_release(&err);
	buf_release(&line);
}

int
main(int argc, char **argv)
{
	const struct trace_options	 opt = { .workers = 1 };
	struct trace			*t;
	struct buf			 why = { 0 };
	char				*line = NULL;
	size_t				 cap = 0;
	ssize_t				 n;

	if (argc != 2 || trace_open(&t, argv[1], &opt, &why) != 0) {
		fprintf(stderr, "usage: textsearch TRACE <LINES %s\n", buf_str(&why));
		return 2;
	}
	trace_index_start(t);
	(void)trace_index_wait(t, -1);
	for (n = getline(&line, &cap, stdin); n > 0; n = getline(&line, &cap, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		one_filter(t, line);
	}
	free(line);
	trace_close(t);
	buf_release(&why);
	return 0;
}
