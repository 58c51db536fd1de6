/*
 * Fuzz target: a whole Heph file. Corpus: tests/fuzz/corpus/heph.
 */
#include "fuzz.h"
#include "fuzz_trace.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trace(data, size, "heph");
}
