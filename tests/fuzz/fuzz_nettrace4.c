/*
 * Fuzz target: a whole NetTrace V4 or V5 file. Corpus: tests/fuzz/corpus/nettrace4.
 */
#include "fuzz_trace.h"

FUZZ_FORMAT("nettrace4")
