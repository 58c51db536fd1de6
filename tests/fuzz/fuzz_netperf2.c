/*
 * Fuzz target: a whole NetPerf V1 or V2 file. Corpus: tests/fuzz/corpus/netperf2.
 */
#include "fuzz.h"
#include "fuzz_trace.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trace(data, size, "netperf2");
}
