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
#include "tnav/model/json.h"

#define NS_PER_S	1000000000
#define TICK_NS		(NS_PER_S / 4)
#define MS_NS		1000000

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

/* ---- lines */

static struct {
	bool		quiet, json;
	uint64_t	pid;			/* 0: none */
}	form;

void
message_begin(bool quiet, bool json)
{
	form.quiet = quiet;
	form.json = json;
}

void
message_about(uint64_t pid)
{
	form.pid = pid;
}

static void
json_begin(struct buf *line, const char *event)
{
	json_open(line, '{');
	json_key(line, "event");
	json_str(line, event);
	if (form.pid != 0)
		json_key_u64(line, "pid", form.pid);
}

static void
json_end(struct buf *line)
{
	json_close(line, '}');
	buf_putc(line, '\n');
	write_all(line->p, line->len);
}

static void __attribute__((format(printf, 2, 0)))
put(const char *event, const char *fmt, va_list ap)
{
	int		saved = errno;
	struct buf	raw = { 0 }, line = { 0 };

	buf_vprintf(&raw, fmt, ap);
	if (form.json) {
		json_begin(&line, event);
		json_key(&line, "text");
		json_str(&line, buf_str(&raw));
		json_end(&line);
	} else {
		buf_puts(&line, "tnav: ");
		text_clean(&line, span_of_buf(&raw), message_mode(isatty(STDERR_FILENO) == 1),
		    SIZE_MAX);
		buf_putc(&line, '\n');
		write_all(line.p, line.len);
	}
	buf_release(&raw);
	buf_release(&line);
	errno = saved;
}

void
message_vput(const char *fmt, va_list ap)
{
	put("problem", fmt, ap);
}

void
message_put(const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	message_vput(fmt, ap);
	va_end(ap);
}

void
message_lines(const char *whose, const char *colon, const char *lines)
{
	for (const char *end; *lines != '\0'; lines = end + 1) {
		end = strchr(lines, '\n');
		message_put("%s%s%.*s", whose, colon, (int)(end - lines), lines);
	}
}

void
message_note(const char *fmt, ...)
{
	va_list	ap;

	if (form.quiet)
		return;
	va_start(ap, fmt);
	put("note", fmt, ap);
	va_end(ap);
}

/* ---- progress */

void
progress_init(struct progress_line *p, bool wanted)
{
	p->wanted = wanted;
	p->tty = !form.json && !(form.quiet && !wanted) && isatty(STDERR_FILENO) == 1;
	p->shown = p->counted = false;
	p->work = NULL;
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

static void
json_progress(const struct progress_line *p, const char *what, uint64_t done, uint64_t total)
{
	struct buf	line = { 0 };

	json_begin(&line, "progress");
	json_key(&line, "work");
	json_str(&line, p->work != NULL ? p->work : what);
	json_key(&line, "seconds");
	json_f64(&line, (double)((job_now_ns() - p->begun) / MS_NS) / 1e3);
	if (p->steps > 1) {
		json_key_u64(&line, "step", p->step);
		json_key_u64(&line, "steps", p->steps);
	}
	json_key_u64(&line, total > 0 ? "done" : "bytes", done);
	if (total > 0)
		json_key_u64(&line, "total", total);
	if (p->counted) {
		json_key_u64(&line, "events", p->events);
		json_key_u64(&line, "lost", p->lost);
	}
	json_end(&line);
	buf_release(&line);
}

void
progress_last(struct progress_line *p, uint64_t done)
{
	if (form.json && p->wanted)
		json_progress(p, "", done, 0);
}

/* At most four times a second on a terminal, once a second elsewhere. */
void
progress_tick(struct progress_line *p, const char *what, uint64_t done, uint64_t total)
{
	int64_t		now;
	struct buf	line = { 0 };

	if (!p->wanted && !p->tty)
		return;
	now = job_now_ns();
	if (now - p->last < (p->tty ? TICK_NS : NS_PER_S) ||
	    (!p->wanted && now - p->begun < NS_PER_S))
		return;
	p->last = now;
	p->shown = true;
	if (form.json) {
		json_progress(p, what, done, total);
		return;
	}
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
	struct buf	line = { 0 };

	buf_putc(&line, '\r');
	blank_rest(p, &line, 0);
	buf_putc(&line, '\r');
	if (p->shown && p->tty)
		write_all(line.p, line.len);
	buf_release(&line);
	p->shown = false;
}
