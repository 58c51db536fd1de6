/*
 * Past messages of the bottom line.
 *
 *	v[0] the oldest  v[1]  ...  v[n - 1] the newest, times 3
 *
 * Invariant: at most MESSAGES_MAX messages; neighbours differ.
 */
#include "ui/view/messages.h"

#include <string.h>

#include "tnav/base/mem.h"

#define MESSAGES_MAX	500u

void
messages_add(struct messages *m, const char *text)
{
	if (text[0] == '\0' || m->mute)
		return;
	m->stamp++;
	if (m->n > 0 && strcmp(m->v[m->n - 1].text, text) == 0) {
		m->v[m->n - 1].times++;
		return;
	}
	if (m->n == MESSAGES_MAX) {
		mem_free(m->v[0].text);
		memmove(m->v, m->v + 1, --m->n * sizeof *m->v);
	}
	ARRAY_ADD(m->v, m->n, m->cap, (struct message){ .text = mem_strdup(text), .times = 1 });
}

void
messages_release(struct messages *m)
{
	for (size_t i = 0; i < m->n; i++)
		mem_free(m->v[i].text);
	mem_free(m->v);
	*m = (struct messages){ .n = 0 };
}
