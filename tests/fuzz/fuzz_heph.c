/*
 * Fuzz target: a whole Heph file. Corpus: tests/fuzz/corpus/heph.
 */
#include "fuzz_trace.h"

FUZZ_FORMAT("heph")
