/*
 * Fuzz target: a whole NetPerf V1 or V2 file. Corpus: tests/fuzz/corpus/netperf2.
 */
#include "fuzz_trace.h"

FUZZ_FORMAT("netperf2")
