/* The states of encoders. */
#include "tnav/base/mem.h"
#include "tnav/out/convert.h"

void *
encoder_new(const struct encoder *e, struct output *o, const char *name)
{
	struct encoder_to	*self = mem_zalloc(1, e->size);

	*self = (struct encoder_to){ o, name };
	return self;
}

void
encoder_free(const struct encoder *e, void *self)
{
	e->release(self);
	mem_free(self);
}
