/* Providers that were requested by name and have sent no event. */
#ifndef APP_UNHEARD_H
#define APP_UNHEARD_H

#include <stdbool.h>
#include <stdint.h>

struct choice;
struct trace;

/* A message for each; pid: of the program, 0: unknown; so_far: the recording goes on. */
void	unheard_tell(struct choice *c, struct trace *t, uint64_t pid, bool so_far);

#endif
