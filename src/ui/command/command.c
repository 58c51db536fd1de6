/*
 * Looking up commands by name and by key, listing them with their keys, and completing their names.
 *
 *	user's bindings, the last first | the table's, in its order
 */
#include "ui/command/command.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/ui/ui.h"
#include "ui/pane/pane.h"
#include "ui/term/key.h"

const struct command *
command_by_name(const char *name, size_t len)
{
	for (size_t i = 0; i < command_ntable; i++) {
		const struct command	*cmd = &command_table[i];

		if (strlen(cmd->name) == len && memcmp(cmd->name, name, len) == 0)
			return cmd;
	}
	return NULL;
}

/* ---- keys */

static void
add(struct keymap *m, struct binding b)
{
	ARRAY_ADD(m->v, m->n, m->cap, b);
}

void
keymap_init(struct keymap *m)
{
	*m = (struct keymap){ .n = 0 };
	for (size_t i = 0; i < command_ntable; i++) {
		const struct command	*cmd = &command_table[i];
		const char		*p = cmd->keys;
		struct key_pair		 k;

		for (k = key_pair_next(&p); k.key != TK_NONE; k = key_pair_next(&p))
			add(m, (struct binding){ .key = k, .scope = cmd->scope, .cmd = cmd });
	}
}

void
keymap_release(struct keymap *m)
{
	for (size_t i = 0; i < m->n; i++)
		mem_free(m->v[i].arg);
	mem_free(m->v);
	*m = (struct keymap){ 0 };
}

void
keymap_bind(struct keymap *m, struct key_pair key, unsigned scope, const struct command *cmd,
    const char *arg)
{
	add(m, (struct binding){ 0 });
	memmove(m->v + 1, m->v, (m->n - 1) * sizeof *m->v);
	m->v[0] = (struct binding){ .key = key, .scope = scope, .cmd = cmd,
	    .arg = arg != NULL && arg[0] != '\0' ? mem_strdup(arg) : NULL };
}

static bool
is_char(int32_t key)
{
	return key > TK_SPACE && key < TK_BASE && key != 127;
}

/* 2: exactly this key; 1: any character, and it is one; 0: no match. */
static int
fits(const struct binding *b, int32_t key, int32_t then, unsigned scope)
{
	if (b->key.key != key || (b->scope & scope) == 0)
		return 0;
	if (b->key.then == then)
		return 2;
	return b->key.then == TK_ANY && is_char(then);
}

const struct binding *
keymap_find(const struct keymap *m, int32_t key, int32_t then, unsigned scope)
{
	for (int least = 2; least > 0; least--)
		for (size_t i = 0; i < m->n; i++)
			if (fits(&m->v[i], key, then, scope) >= least)
				return m->v[i].cmd != NULL ? &m->v[i] : NULL;
	return NULL;
}

/* A binding of the key alone takes precedence over all pairs that begin with it. */
bool
keymap_prefix(const struct keymap *m, int32_t key, unsigned scope)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].key.key == key && (m->v[i].scope & scope) != 0)
			return m->v[i].key.then != TK_NONE && m->v[i].cmd != NULL;
	return false;
}

unsigned
keymap_scope(const struct keymap *m, int32_t key)
{
	unsigned	scope = 0;

	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].key.key == key && m->v[i].cmd != NULL)
			scope |= m->v[i].scope;
	return scope;
}

/* Does the key run the command in one of these panes? It may be bound to another command there,
   or unbound by the user. */
static bool
is_key_of(const struct keymap *m, const struct binding *b, const struct command *cmd,
    unsigned scope)
{
	unsigned	where = b->scope & scope;

	return b->cmd == cmd && where != 0 &&
	    keymap_find(m, b->key.key, b->key.then, where & -where) == b;
}

bool
keymap_key(const struct keymap *m, const struct command *cmd, unsigned scope,
    struct key_pair *out)
{
	for (size_t i = 0; i < m->n; i++) {
		if (!is_key_of(m, &m->v[i], cmd, scope))
			continue;
		*out = m->v[i].key;
		return true;
	}
	return false;
}

void
keymap_keys(const struct keymap *m, const struct command *cmd, unsigned scope, size_t max,
    struct buf *out)
{
	size_t	shown = 0;

	for (size_t i = 0; i < m->n && shown < max; i++) {
		const struct binding	*b = &m->v[i];

		if (!is_key_of(m, b, cmd, scope))
			continue;
		if (shown++ > 0)
			buf_putc(out, ' ');
		key_pair_write(out, b->key);
	}
}

void
ui_keys(struct buf *out)
{
	struct keymap	map;

	keymap_init(&map);
	for (size_t i = 0; i < command_ntable; i++) {
		const struct command	*cmd = &command_table[i];

		buf_printf(out, "viewer\t%s\t", cmd->group);
		keymap_keys(&map, cmd, SCOPE_ANY, SIZE_MAX, out);
		buf_printf(out, "\t%s\t%s\t%s\n", cmd->name, cmd->args != NULL ? cmd->args : "",
		    cmd->help);
	}
	keymap_release(&map);
}

/* ---- completion */

size_t
command_complete(const char *prefix, size_t len, struct buf *out)
{
	size_t	n = 0;

	for (size_t i = 0; i < command_ntable; i++) {
		const struct command	*cmd = &command_table[i];
		size_t			 same = 0;

		if (strncmp(cmd->name, prefix, len) != 0)
			continue;
		if (n++ == 0) {
			buf_clear(out);
			buf_puts(out, cmd->name);
		}
		while (same < out->len && cmd->name[same] == out->p[same])
			same++;
		out->len = same;
	}
	return n;
}
