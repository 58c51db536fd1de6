/*
 * The fields of payloads that the command line names.
 */
#ifndef APP_PAYLOAD_H
#define APP_PAYLOAD_H

#include "app/run.h"
#include "tnav/engine/field.h"

/*
 * Does some event of the trace have each payload field of the list? 0, or EXIT_USAGE after a
 * message that begins with the option and tells near names.
 */
int	run_check_fields(struct run *s, const struct field_list *l, const char *option);

#endif
