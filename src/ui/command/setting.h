/* The names for :set. */
#ifndef UI_COMMAND_SETTING_H
#define UI_COMMAND_SETTING_H

#include <stddef.h>

struct setting {
	const char	*name;
	const char	*values;	/* "on|off"; NULL: set by the command of that name, which
					   checks the value */
};

/* NULL: no more. */
const struct setting	*setting_at(size_t i);
const struct setting	*setting_by_name(const char *name, size_t len);

#endif
