/*
 * Tracks: threads by process and thread id. An id that several threads had in turn is one track.
 */
#include "analysis/timeline/private.h"

#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

SORT_ORDER(by_ids, struct track, RISING(pid) RISING(tid) RISING(thread))

static struct track
track_of_thread(struct trace *t, uint32_t thread)
{
	const struct trace_info	*info = trace_info(t);
	struct thread_stat	 s;
	struct track		 k = { .thread = thread };

	trace_thread(t, thread, &s);
	k.pid = s.has_pid ? s.pid : info->has_pid ? info->pid : 0;
	k.tid = s.has_tid ? s.tid : thread;
	return k;
}

void
tracks_init(struct tracks *x, struct trace *t)
{
	uint32_t	 threads = trace_threads(t);
	struct track	*all = mem_zalloc((size_t)threads + 1, sizeof *all);

	*x = (struct tracks){ .v = all, .threads = threads };
	x->of = mem_zalloc((size_t)threads + 1, sizeof *x->of);
	for (uint32_t i = 0; i < threads; i++)
		all[i] = track_of_thread(t, i);
	sort_array(all, threads, sizeof *all, by_ids);
	for (uint32_t i = 0; i < threads; i++) {
		uint32_t	last = x->n > 0 ? x->n - 1 : 0;

		x->of[all[i].thread] = last;
		if (x->n > 0 && all[last].pid == all[i].pid && all[last].tid == all[i].tid)
			continue;
		all[x->n] = all[i];
		all[x->n].process = x->n > 0 && all[last].pid == all[i].pid ?
		    all[last].process : x->n;
		x->of[all[i].thread] = x->n++;
	}
	if (x->n == 0)
		x->n = 1;		/* for events of no thread */
}

void
tracks_release(struct tracks *x)
{
	for (uint32_t i = 0; i < x->n; i++)
		mem_free(x->v[i].end);
	mem_free(x->v);
	mem_free(x->of);
}

uint32_t
tracks_of(const struct tracks *x, uint32_t thread)
{
	return thread < x->threads ? x->of[thread] : 0;
}

bool
track_nest(struct track *k, int64_t from, int64_t to)
{
	while (k->n > 0 && k->end[k->n - 1] <= from)
		k->n--;
	if (k->n > 0 && k->end[k->n - 1] < to)
		return false;
	ARRAY_ADD(k->end, k->n, k->cap, to);
	return true;
}
