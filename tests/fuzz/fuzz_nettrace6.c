/*
 * Fuzz target: a whole NetTrace V6 file. Corpus: tests/fuzz/corpus/nettrace6.
 */
#include "fuzz.h"
#include "fuzz_trace.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trace(data, size, "nettrace6");
}
