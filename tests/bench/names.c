/*
 * names: how long names of code take, inside one process, and what they need.
 *
 *	names [-n RUNS] [-j WORKERS] FILE
 *	names -m METHODS FILE			make FILE: a trace with so many methods
 *
 * Each run opens the file anew: index, then names, then a name for each frame of stacks that are
 * spread over the trace. Prints JSON: median seconds of the index and of the reading of names, of
 * the threads, seconds and number of stacks and frames, methods, bytes of memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../support/methods.h"
#include "tnav/analysis/roles.h"
#include "tnav/analysis/symbols.h"
#include "tnav/base/buf.h"
#include "tnav/base/job.h"
#include "tnav/base/sort.h"
#include "tnav/engine/naming.h"
#include "tnav/engine/trace.h"

#define MAX_RUNS	101u
#define ROWS		200000u		/* that are looked at for stacks */
#define FRAMES		1024u

struct figures {
	double		index, names, roles, naming;	/* seconds */
	uint64_t	stacks, frames, named;
	struct symbols_counts counts;
};

static double
since(int64_t start)
{
	return (double)(job_now_ns() - start) / 1e9;
}

/* The time of naming alone: events and addresses are fetched before. */
static void
name_stacks(struct trace *t, struct figures *f)
{
	static uint64_t	ips[FRAMES];
	uint64_t	rows = trace_rows(t), step = rows / ROWS + 1;
	struct event	e;

	for (uint64_t row = 0; row < rows; row += step) {
		size_t	n;
		int64_t	start;

		if (trace_event(t, row, &e) != 1)
			continue;
		n = trace_stack(t, &e, ips, FRAMES);
		if (n == 0)
			continue;
		start = job_now_ns();
		for (size_t i = 0; i < n; i++) {
			struct frame_name	name;

			f->named += trace_name_frame(t, &e, ips[i], (unsigned)i, true, &name);
		}
		f->naming += since(start);
		f->stacks++;
		f->frames += n;
	}
}

static int
run(const char *path, unsigned workers, struct figures *f)
{
	const struct trace_options	to = { .workers = workers };
	const struct derive_options	so = { .why = NULL };
	const struct pass_options	ro = { .tick = NULL };
	struct symbols			*s;
	struct roles			*r;
	struct trace			*t;
	struct buf			 why = { 0 };
	int64_t				 start = job_now_ns();

	*f = (struct figures){ .index = 0 };
	if (trace_open(&t, path, &to, &why) < 0) {
		fprintf(stderr, "names: %s: %s\n", path, buf_str(&why));
		return 2;
	}
	trace_index_start(t);
	trace_index_wait(t, -1);
	f->index = since(start);
	start = job_now_ns();
	s = symbols_new(t, &so);
	f->names = since(start);
	start = job_now_ns();
	r = roles_new(t, &ro, false);
	f->roles = since(start);
	trace_lend(t, DERIVED_SYMBOLS, s);
	symbols_counts(s, &f->counts);
	name_stacks(t, f);
	trace_lend(t, DERIVED_SYMBOLS, NULL);
	symbols_free(s);
	roles_free(r);
	trace_close(t);
	buf_release(&why);
	return 0;
}

/* Methods next to each other, each loaded once, with names as long as real ones; a stack for each
   thousandth of them. */
static int
make(uint64_t methods, const char *path)
{
	static uint64_t		 stack[64];
	struct methods_writer	 m;
	FILE			*f = fopen(path, "wb");

	if (f == NULL)
		return 2;
	for (unsigned i = 0; i < 64; i++)
		stack[i] = 0x100000 + i * (methods / 64) * 0x100 + 0x10;
	methods_begin(&m, f, stack, 1, 64);
	for (uint64_t i = 0; i < methods; i++) {
		char	type[96], name[48];

		snprintf(type, sizeof type, "Company.Product.Area%u.Part%u+Inner`1[System.__Canon]",
		    (unsigned)(i / 1000), (unsigned)(i / 20));
		snprintf(name, sizeof name, "MethodThatDoesThings%u", (unsigned)i);
		methods_say(&m, METHODS_LOAD, (int64_t)i + 1, 0x100000 + i * 0x100, 0xe0, i + 1,
		    type, name, "instance void  (class System.String,int32)");
		if (i % 1000 == 999)
			methods_plain(&m, (int64_t)i + 1, 1);
		if (i % 200 == 199)
			methods_block(&m);
	}
	methods_end(&m);
	nt4_release(&m.w);
	return fclose(f) == 0 ? 0 : 2;
}

int
main(int argc, char **argv)
{
	static double	 index[MAX_RUNS], names[MAX_RUNS], roles[MAX_RUNS], naming[MAX_RUNS];
	struct figures	 f = { .index = 0 };
	unsigned	 workers = 1;
	size_t		 runs = 5;
	uint64_t	 methods = 0;
	int		 err = 0;

	for (int c = getopt(argc, argv, "n:j:m:"); c != -1; c = getopt(argc, argv, "n:j:m:")) {
		unsigned long long	v = optarg != NULL ? strtoull(optarg, NULL, 10) : 0;

		if (c == 'n')
			runs = (size_t)v;
		else if (c == 'j')
			workers = (unsigned)v;
		else if (c == 'm')
			methods = v;
	}
	if (optind + 1 != argc || runs == 0 || runs > MAX_RUNS) {
		fprintf(stderr, "usage: names [-n RUNS] [-j WORKERS] [-m METHODS] FILE\n");
		return 2;
	}
	if (methods > 0)
		return make(methods, argv[optind]);
	for (size_t i = 0; i < runs && err == 0; i++) {
		err = run(argv[optind], workers, &f);
		index[i] = f.index;
		names[i] = f.names;
		roles[i] = f.roles;
		naming[i] = f.naming;
	}
	if (err != 0)
		return err;
	qsort(index, runs, sizeof *index, compare_f64);
	qsort(names, runs, sizeof *names, compare_f64);
	qsort(roles, runs, sizeof *roles, compare_f64);
	qsort(naming, runs, sizeof *naming, compare_f64);
	printf("{\"index\":%.6f,\"names\":%.6f,\"roles\":%.6f,\"naming\":%.6f,\"stacks\":%llu,"
	    "\"frames\":%llu,\"named\":%llu,\"methods\":%llu,\"symbols\":%llu,\"bytes\":%llu}\n",
	    index[runs / 2], names[runs / 2], roles[runs / 2], naming[runs / 2],
	    (unsigned long long)f.stacks, (unsigned long long)f.frames, (unsigned long long)f.named,
	    (unsigned long long)f.counts.methods, (unsigned long long)f.counts.symbols,
	    (unsigned long long)f.counts.bytes);
	return 0;
}
