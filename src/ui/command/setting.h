/*
 * The names of what :set sets.
 */
#ifndef UI_COMMAND_SETTING_H
#define UI_COMMAND_SETTING_H

#include <stddef.h>

struct setting {
	const char	*name;
	const char	*values;	/* "on|off"; NULL: the command of that name sets it, and
					   knows what it takes */
};

/* NULL: there are no more. */
const struct setting	*setting_at(size_t i);
const struct setting	*setting_by_name(const char *name, size_t len);

#endif
