/* Random seeds, and the keys of this process. */
#include "tnav/base/hash.h"

#include <unistd.h>

#include "tnav/base/job.h"

struct hash_keys	hash_own;

uint64_t
hash_seed(void)
{
	uint64_t	seed = 0;

	if (getentropy(&seed, sizeof seed) != 0)
		seed = (uint64_t)job_now_ns();
	return seed;
}

__attribute__((constructor)) static void
make_own(void)
{
	hash_own = hash_keys(hash_seed());
}
