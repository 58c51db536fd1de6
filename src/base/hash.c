/* Random seeds for the hash functions. */
#include "tnav/base/hash.h"

#include <unistd.h>

#include "tnav/base/job.h"

uint64_t
hash_seed(void)
{
	uint64_t	seed = 0;

	if (getentropy(&seed, sizeof seed) != 0)
		seed = (uint64_t)job_now_ns();
	return seed;
}
