/* Checks the payload fields on the command line. */
#ifndef APP_PAYLOAD_H
#define APP_PAYLOAD_H

#include "app/run.h"
#include "tnav/engine/field.h"

/*
 * Does some event of the trace have each payload field of the list? Returns 0, or EXIT_USAGE after
 * a message that begins with the option and lists similar names. Of several files, it is an error
 * if no file has a field, which is told after all of them.
 */
int	run_check_fields(struct run *s, const struct field_list *l, const char *option);

#endif
