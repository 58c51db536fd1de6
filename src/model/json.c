/* JSON text piece by piece. */
#include "tnav/model/json.h"

#include <string.h>

#include "tnav/model/value.h"

void
json_next(struct buf *b)
{
	char	last = b->len > 0 ? b->p[b->len - 1] : ',';

	if (last != '{' && last != '[' && last != ':' && last != ',')
		buf_putc(b, ',');
}

void
json_open(struct buf *b, char bracket)
{
	json_next(b);
	buf_putc(b, bracket);
}

void
json_close(struct buf *b, char bracket)
{
	buf_putc(b, bracket);
}

void
json_key(struct buf *b, const char *name)
{
	json_next(b);
	buf_printf(b, "\"%s\":", name);
}

void
json_key_text(struct buf *b, struct span name)
{
	json_next(b);
	json_name(b, name);
}

void
json_u64(struct buf *b, uint64_t v)
{
	json_next(b);
	buf_u64(b, v);
}

void
json_key_u64(struct buf *b, const char *name, uint64_t v)
{
	json_key(b, name);
	json_u64(b, v);
}

void
json_i64(struct buf *b, int64_t v)
{
	json_next(b);
	buf_i64(b, v);
}

void
json_key_i64(struct buf *b, const char *name, int64_t v)
{
	json_key(b, name);
	json_i64(b, v);
}

void
json_f64(struct buf *b, double v)
{
	json_next(b);
	buf_f64(b, v);
}

void
json_str(struct buf *b, const char *s)
{
	json_next(b);
	if (s != NULL)
		json_text8(b, span_of(s));
	else
		buf_puts(b, "null");
}
