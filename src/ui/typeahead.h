/*
 * Keys that have arrived, but were not run yet. A key may take long in a large trace, and what
 * ends the waiting is looked for before each one.
 */
#ifndef UI_TYPEAHEAD_H
#define UI_TYPEAHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/term/screen.h"

#define TYPEAHEAD_MOST	100000u	/* in one turn: a paste may be long, but not endless */

struct typeahead {
	struct input	*v;
	size_t		 at, n, cap;
};

void	typeahead_release(struct typeahead *a);
bool	typeahead_any(const struct typeahead *a);
/*
 * Read the keys that have arrived. Ctrl-C discards those before it, as in a terminal. Returns the
 * first input that is not a key, which goes before all keys, or INPUT_NONE.
 */
enum input_kind	typeahead_read(struct typeahead *a, struct screen *s);
/* The next key, of pasted text or of the mouse too. False: there is none. */
bool	typeahead_next(struct typeahead *a, struct input *in);

#endif
