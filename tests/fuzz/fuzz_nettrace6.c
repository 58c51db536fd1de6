/*
 * Fuzz target: a whole NetTrace V6 file. Corpus: tests/fuzz/corpus/nettrace6.
 */
#include "fuzz_trace.h"

FUZZ_FORMAT("nettrace6")
