/* Messages and progress on stderr, one write per line. */
#include "tnav/out/message.h"

#include <errno.h>
#include <langinfo.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "tnav/base/buf.h"
#include "tnav/base/job.h"
#include "tnav/base/units.h"

#define NS_PER_S	1000000000
#define TICK_NS		(NS_PER_S / 4)

enum text_mode
message_mode(bool tty)
{
	if (!tty || strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
		return TEXT_UTF8;
	return TEXT_ASCII;
}

/* A failure cannot be reported. */
static void
write_all(const char *p, size_t len)
{
	while (len > 0) {
		ssize_t	n = write(STDERR_FILENO, p, len);

		if (n < 0 && errno != EINTR)
			return;
		if (n > 0) {
			p += n;
			len -= (size_t)n;
		}
	}
}

void
message_put(const char *fmt, ...)
{
	int		saved = errno;
	struct buf	raw, line;
	va_list		ap;

	buf_init(&raw);
	buf_init(&line);
	va_start(ap, fmt);
	buf_vprintf(&raw, fmt, ap);
	va_end(ap);
	buf_puts(&line, "tnav: ");
	text_clean(&line, span_of_buf(&raw),
	    message_mode(isatty(STDERR_FILENO) == 1), SIZE_MAX);
	buf_putc(&line, '\n');
	write_all(line.p, line.len);
	buf_release(&raw);
	buf_release(&line);
	errno = saved;
}

void
progress_init(struct progress_line *p, bool wanted)
{
	p->wanted = wanted;
	p->tty = isatty(STDERR_FILENO) == 1;
	p->shown = false;
	p->step = p->steps = 1;
	p->cells = 0;
	p->begun = p->last = job_now_ns();
}

/* Overwrite the rest of a longer line with blanks. */
static void
blank_rest(struct progress_line *p, struct buf *line, size_t cells)
{
	for (size_t i = cells; i < p->cells; i++)
		buf_putc(line, ' ');
	p->cells = cells;
}

/* At most four times a second on a terminal, once a second elsewhere. */
void
progress_tick(struct progress_line *p, const char *what, uint64_t done, uint64_t total)
{
	int64_t		now;
	struct buf	line;

	if (!p->wanted && !p->tty)
		return;
	now = job_now_ns();
	if (now - p->last < (p->tty ? TICK_NS : NS_PER_S) ||
	    (!p->wanted && now - p->begun < NS_PER_S))
		return;
	p->last = now;
	p->shown = true;
	buf_init(&line);
	buf_printf(&line, "%stnav: ", p->tty ? "\r" : "");
	if (p->steps > 1)
		buf_printf(&line, "%zu/%zu ", p->step, p->steps);
	buf_printf(&line, "%s ", what);
	if (total > 0)
		buf_printf(&line, "%u %%", (unsigned)((double)done * 100 / (double)total));
	else
		units_bytes(&line, done);
	if (p->tty)
		blank_rest(p, &line, line.len - 1);	/* without the carriage return */
	else
		buf_putc(&line, '\n');
	write_all(line.p, line.len);
	buf_release(&line);
}

void
progress_end(struct progress_line *p)
{
	struct buf	line;

	buf_init(&line);
	buf_putc(&line, '\r');
	blank_rest(p, &line, 0);
	buf_putc(&line, '\r');
	if (p->shown && p->tty)
		write_all(line.p, line.len);
	buf_release(&line);
	p->shown = false;
}
