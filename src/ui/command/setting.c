/*
 * The names that :set takes: commands with a lasting value, and a few that are not commands.
 */
#include "ui/command/setting.h"

#include <string.h>

static const struct setting	settings[] = {
	{ "time-format", NULL }, { "columns", NULL }, { "blocks", NULL }, { "mouse", NULL },
	{ "theme", NULL }, { "color-threads", NULL }, { "ascii", "on|off" },
	{ "header", "on|off" }, { "esc-delay", "MILLISECONDS" },
};

const struct setting *
setting_at(size_t i)
{
	return i < sizeof settings / sizeof *settings ? &settings[i] : NULL;
}

const struct setting *
setting_by_name(const char *name, size_t len)
{
	const struct setting	*k;

	for (size_t i = 0; (k = setting_at(i)) != NULL; i++)
		if (strlen(k->name) == len && memcmp(k->name, name, len) == 0)
			return k;
	return NULL;
}
