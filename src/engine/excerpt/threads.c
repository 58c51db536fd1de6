/*
 * The terms of a filter that are about threads: what was lost on other threads is none of its.
 *
 * Other terms exclude no loss, since nobody knows what was lost.
 */
#include <ctype.h>
#include <string.h>

#include "tnav/engine/excerpt.h"

/* Does the term begin with a field of threads? */
static bool
is_about_threads(const char *term, size_t len)
{
	static const char *const	fields[] = { "tid", "pid", "thread", "captureTid" };
	size_t				n = 0;

	while (n < len && isalnum((unsigned char)term[n]))
		n++;
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (strlen(fields[i]) == n && memcmp(fields[i], term, n) == 0)
			return true;
	return false;
}

struct filter *
excerpt_threads(struct trace *t, const char *text, int64_t now_ns)
{
	struct filter_terms	 terms;
	struct filter_error	 why = { 0 };
	struct filter		*f = NULL;
	struct buf		 chosen = { 0 };

	if (!filter_terms(&terms, text, strlen(text)))
		return NULL;
	for (size_t i = 0; i < terms.n; i++) {
		const struct filter_place	*p = &terms.v[i];

		if (!is_about_threads(text + p->begin, p->end - p->begin))
			continue;
		buf_puts(&chosen, chosen.len > 0 ? " and " : "");
		buf_add(&chosen, text + p->begin, p->end - p->begin);
	}
	if (chosen.len > 0 && !terms.alternatives)
		(void)filter_new(&f, buf_str(&chosen), chosen.len, t, false, now_ns, &why);
	filter_error_release(&why);
	filter_terms_release(&terms);
	buf_release(&chosen);
	return f;
}
