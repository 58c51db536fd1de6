/*
 * What the key-values of a trace mean.
 */
#include "tnav/model/info.h"

#include <strings.h>

const char *
info_host(const struct trace_info *info)
{
	static const char *const	names[] = { "HostName", "Host", "MachineName", "Machine" };

	for (size_t i = 0; i < info->nkv; i++)
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			if (info->kv[i].value[0] != '\0' &&
			    strcasecmp(info->kv[i].key, names[k]) == 0)
				return info->kv[i].value;
	return NULL;
}
