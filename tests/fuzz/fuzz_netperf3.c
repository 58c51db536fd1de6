/*
 * Fuzz target: a whole NetPerf V3 file. Corpus: tests/fuzz/corpus/netperf3.
 */
#include "fuzz_trace.h"

FUZZ_FORMAT("netperf3")
