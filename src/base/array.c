/* Arrays that grow: see tnav/base/array.h. The elements behind those in use are zeroes, too. */
#include "tnav/base/array.h"

#include <string.h>

#include "tnav/base/mem.h"

void *
array_extend(void *v, size_t *n, size_t need, size_t size)
{
	size_t	had = *n;

	v = mem_grow(v, n, need, size);
	memset((char *)v + had * size, 0, (*n - had) * size);
	return v;
}
