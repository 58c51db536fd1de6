/*
 * Payload fields on the command line: unknown ones are refused, those that no event has are
 * reported.
 */
#include "app/payload.h"

#include "app/exit.h"
#include "tnav/base/err.h"
#include "tnav/engine/filter.h"
#include "tnav/out/message.h"

int
run_check_fields(struct run *s, const struct field_list *l, const char *option)
{
	struct filter_error	e;
	int			err;

	filter_error_init(&e);
	err = filter_check_fields(s->t, l, true, &e);
	if (e.text.len > 0)
		message_put("%s%s: %s", buf_str(&s->where), option, buf_str(&e.text));
	else if (err < 0)
		message_put("%s%s: %s", buf_str(&s->where), option, err_text(err));
	filter_error_release(&e);
	if (err >= 0)
		(void)run_need(s, field_list_needs(l, s->t));
	return err < 0 ? EXIT_USAGE : 0;
}
