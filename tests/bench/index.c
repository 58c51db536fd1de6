/*
 * index: how long the full index of a trace takes, inside one process.
 *
 *	index [-n RUNS] [-j WORKERS] FILE
 *
 * Each run opens the file anew, so that it pays the page faults of a fresh mapping as floor does.
 * Prints JSON: events, bytes, workers, best and median seconds, best seconds of the sort by time
 * (they are part of those), bytes of the index structures.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tnav/base/buf.h"
#include "tnav/base/job.h"
#include "tnav/base/sort.h"
#include "tnav/engine/trace.h"

#define MAX_RUNS	101

int
main(int argc, char **argv)
{
	struct trace_options	 opt = { .workers = 1 };
	struct trace_progress	 progress = { 0 };
	static double		 took[MAX_RUNS];
	static double		 sort[MAX_RUNS];
	size_t			 runs = 5, memory = 0;
	int			 c;

	for (c = getopt(argc, argv, "n:j:"); c != -1; c = getopt(argc, argv, "n:j:")) {
		unsigned long	v = optarg ? strtoul(optarg, NULL, 10) : 0;

		if (c == 'n')
			runs = v;
		else if (c == 'j')
			opt.workers = (unsigned)v;
	}
	if (optind + 1 != argc || runs == 0 || runs > MAX_RUNS) {
		fprintf(stderr, "usage: index [-n RUNS] [-j WORKERS] FILE\n");
		return 2;
	}
	for (size_t i = 0; i < runs; i++) {
		int64_t		 start = job_now_ns();
		struct trace	*t;
		struct buf	 why = { 0 };

		if (trace_open(&t, argv[optind], &opt, &why) < 0) {
			fprintf(stderr, "index: %s: %s\n", argv[optind], buf_str(&why));
			return 2;
		}
		trace_index_start(t);
		trace_index_wait(t, -1);
		took[i] = (double)(job_now_ns() - start) / 1e9;
		trace_progress(t, &progress);
		sort[i] = (double)progress.sort_ns / 1e9;
		memory = trace_memory(t);
		trace_close(t);
		buf_release(&why);
	}
	qsort(took, runs, sizeof *took, compare_f64);
	qsort(sort, runs, sizeof *sort, compare_f64);
	printf("{\"events\":%llu,\"bytes\":%llu,\"workers\":%u,\"runs\":%zu,\"best\":%.6f,"
	    "\"median\":%.6f,\"sort\":%.6f,\"memory\":%zu}\n", (unsigned long long)progress.events,
	    (unsigned long long)progress.size, opt.workers, runs, took[0], took[runs / 2], sort[0],
	    memory);
	return 0;
}
