/*
 * The palette: candidates for the word at the cursor, in a box above the prompt.
 *
 *	 filter tid = 4|			:thr|
 *	┌ 4711   .NET TP Worker		┌ threads    Show the threads, most lost first. Alt-5
 *	└ 4712   .NET Finalizer		└ next-gap   Go to the next gap; in threads ...     }
 *
 * Commands match by letters of their names in order, and by words of their help. Names and values
 * of the filter language match by any part.
 */
#include "ui/command/palette.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "tnav/base/mem.h"
#include "tnav/base/near.h"
#include "tnav/base/sort.h"
#include "tnav/base/text.h"
#include "tnav/engine/filter.h"
#include "tnav/io/paths.h"
#include "ui/command/command.h"
#include "ui/command/setting.h"
#include "ui/pane/pane.h"

#define SHOWN_MAX	8
#define KEPT_MAX	500u
#define NOTES_LEAST	22	/* column of the notes, if the names are short */

void
palette_release(struct palette *p)
{
	palette_clear(p);
	mem_free(p->v);
	p->v = NULL;
	p->cap = 0;
}

void
palette_clear(struct palette *p)
{
	for (size_t i = 0; i < p->n; i++) {
		mem_free(p->v[i].text);
		mem_free(p->v[i].note);
	}
	p->n = p->at = 0;
	p->names = p->paths = p->walked = p->put = false;
}

/* ---- ranking */

#define RANK_SAME	1u	/* the word is the name, or there is none */
#define RANK_FRONT	2u	/* the name begins with the word */

/* Smaller is better; 0: no match. */
static unsigned
rank_name(const char *name, const char *word, size_t len)
{
	const char	*at = near_find(name, word, len);
	size_t		 i = 0, last = 0, spread = 0;

	if (len == 0 || (strlen(name) == len && at == name))
		return RANK_SAME;
	if (at == name)
		return RANK_FRONT;
	if (at != NULL)
		return at[-1] == '-' || at[-1] == '/' || at[-1] == '.' ? 3 : 4;
	for (size_t k = 0; name[k] != '\0' && i < len; k++) {
		if (tolower((unsigned char)name[k]) != tolower((unsigned char)word[i]))
			continue;
		spread += i > 0 ? k - last - 1 : 0;
		last = k;
		i++;
	}
	return i == len ? 5 + (unsigned)spread : 0;
}

static void
add(struct palette *p, const char *text, const char *note, const struct command *cmd,
    unsigned rank)
{
	if (p->n >= KEPT_MAX)
		return;
	ARRAY_ADD(p->v, p->n, p->cap, (struct candidate){ .text = mem_strdup(text),
	    .note = note != NULL ? mem_strdup(note) : NULL, .cmd = cmd, .rank = rank,
	    .order = p->n });
}

SORT_ORDER(by_rank, struct candidate, RISING(rank) RISING(order))

SORT_ORDER(by_text, struct candidate, COMPARED(strcmp, text))

/* ---- commands */

/* Those that are unlisted, and those of an overlay that is not shown, only if typed in full. */
static void
find_commands(struct palette *p, unsigned scope, const char *word, size_t len)
{
	for (size_t i = 0; i < command_ntable; i++) {
		const struct command	*cmd = &command_table[i];
		unsigned		 rank = rank_name(cmd->name, word, len);

		if ((cmd->unlisted || (cmd->scope & (SCOPE_TRACE | scope)) == 0) &&
		    (len == 0 || rank != RANK_SAME))
			continue;
		if (rank == 0 && len >= 3 && near_find(cmd->help, word, len) != NULL)
			rank = 100;
		if (rank > 0)
			add(p, cmd->name, cmd->help, cmd, rank);
	}
}

/* ---- the filter language */

/* Add a candidate, unless it is there already. */
static void
take_offer(void *arg, const char *text, const char *note, bool front)
{
	struct palette	*p = arg;

	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->v[i].text, text) == 0)
			return;
	add(p, text, note, NULL, front ? 1 : 2);
}

/* Add a word of a list, if it contains the typed text. */
static void
offer(struct palette *p, const char *text, const char *note, const char *word, size_t len)
{
	const char	*at = near_find(text, word, len);

	if (len == 0 || at != NULL)
		take_offer(p, text, note, len == 0 || at == text);
}

/* Add the words of "on|off". */
static void
offer_words(struct palette *p, const char *words, const char *word, size_t len)
{
	for (size_t n; *words != '\0'; words += n + (words[n] == '|')) {
		char	*one;

		n = strcspn(words, "|");
		one = mem_strndup(words, n);
		offer(p, one, NULL, word, len);
		mem_free(one);
	}
}

/*
 * Find candidates for the last word of "Name,Generation sum Size every 1s", where fields and names
 * of aggregates alternate. The time after `every` has none.
 */
static void
find_counted(struct palette *p, struct trace *t, const char *s, size_t len)
{
	static const char	what[] = "sum|avg|min|max|p50|p99|distinct|count|every";
	size_t			from = 0, before = 0;
	unsigned		words = 0;

	for (size_t i = 0; i < len; i++) {
		if (s[i] != ' ' || (i > 0 && (s[i - 1] == ',' || s[i - 1] == ' ')))
			continue;
		before = from;
		from = i + 1;
		words++;
	}
	while (from < len && s[from] == ' ')
		from++;
	if (words % 2 == 1) {
		offer_words(p, what, s + from, len - from);
	} else if (words == 0 || strncmp(s + before, "every ", 6) != 0) {
		for (size_t i = from; i < len; i++)
			if (s[i] == ',' || s[i] == ' ')
				from = i + 1;
		filter_complete_field(t, s + from, len - from, take_offer, p);
	}
	p->from = from;
}

/* ---- files */

struct path_typed {
	struct palette	*p;
	const char	*word;			/* the typed path */
	size_t		 folder, len;		/* bytes up to the last /, and in all */
};

/* Add a file whose name begins with the typed text. Names that cannot be displayed unchanged are
   left out. */
static void
offer_file(void *arg, const char *name, bool folder)
{
	const struct path_typed	*t = arg;
	size_t			 len = t->len - t->folder;
	struct buf		 path = { 0 };

	if (strncmp(name, t->word + t->folder, len) != 0 || (len == 0 && name[0] == '.') ||
	    !text_is_clean(name, strlen(name)))
		return;
	buf_add(&path, t->word, t->folder);
	buf_printf(&path, "%s%s", name, folder ? "/" : "");
	add(t->p, buf_str(&path), NULL, NULL, 1);
	buf_release(&path);
}

static void
find_files(struct palette *p, const char *word, size_t len)
{
	struct path_typed	t = { .p = p, .word = word, .folder = len, .len = len };
	struct buf		typed = { 0 }, dir = { 0 };

	while (t.folder > 0 && word[t.folder - 1] != '/')
		t.folder--;
	buf_add(&typed, word, t.folder);
	paths_expand(&dir, buf_str(&typed));
	p->paths = true;
	paths_list(dir.len > 0 ? buf_str(&dir) : ".", offer_file, &t);
	buf_release(&typed);
	buf_release(&dir);
}

/* Is this the command's first argument? */
static bool
takes(const struct command *cmd, const char *what)
{
	size_t	len = strlen(what);

	return cmd != NULL && cmd->args != NULL && strncmp(cmd->args, what, len) == 0 &&
	    (cmd->args[len] == '\0' || cmd->args[len] == ' ');
}

/* ---- columns to sort by */

struct sort_typed {
	struct palette	*p;
	const char	*word;			/* the typed part of a name */
	size_t		 len;
	bool		 exact;			/* it is a name */
};

static void
offer_sort(void *arg, const char *name, const char *note, bool is_current)
{
	struct sort_typed	*t = arg;
	size_t			 n = t->p->n;
	struct buf		 b = { 0 };

	if (note != NULL)
		buf_puts(&b, note);
	if (is_current)
		buf_puts(&b, note != NULL ? "; sorted by it now" : "sorted by it now");
	offer(t->p, name, b.len > 0 ? buf_str(&b) : NULL, t->word, t->len);
	buf_release(&b);
	if (t->len == 0 && is_current)
		t->p->at = n;
	t->exact |= strlen(name) == t->len && strncmp(name, t->word, t->len) == 0;
}

/* Enter takes the column that it is sorted by, or the first one that matches. */
static void
find_sorts(struct palette *p, struct view *v, const struct pane *of, const char *word, size_t len)
{
	struct sort_typed	t = { .p = p, .word = word, .len = len };

	if (of->ops->sorts == NULL)
		return;
	of->ops->sorts(of->self, v, offer_sort, &t);
	p->walked = p->n > 0 && !t.exact;
}

/* ---- used by the prompt */

static bool
counts_fields(const char *s)
{
	static const char *const	commands[] = { "stats ", "tally ", "histogram ", "top ",
		"column-add ", "columns " };

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strncmp(s, commands[i], strlen(commands[i])) == 0)
			return true;
	return false;
}

static void	find_setting(struct palette *p, struct view *v, const struct panes *panes,
		    const char *s, size_t at);

/* Find candidates for the argument of a command, which begins at byte `from`. */
static void
find_argument(struct palette *p, struct view *v, const struct panes *panes, const char *s,
    size_t from, size_t at)
{
	const struct command	*cmd = command_by_name(s, strcspn(s, " "));
	const char		*word = s + from;
	size_t			 len = at - from;

	if (takes(cmd, "FILE")) {
		find_files(p, word, len);
	} else if (takes(cmd, "EXPR")) {
		p->from = filter_complete(v->t, word, len, take_offer, p);
	} else if (counts_fields(s)) {
		find_counted(p, v->t, word, len);
	} else if (memchr(word, ' ', len) == NULL &&
	    (strncmp(s, "pane ", 5) == 0 || strncmp(s, "bind ", 5) == 0 ||
	    strncmp(s, "unbind ", 7) == 0)) {
		for (int i = 0; i < PANES; i++)
			offer(p, pane_names[i], NULL, word, len);
		if (*s != 'p')
			offer(p, "all", "all panes", word, len);
	} else if (cmd != NULL && strcmp(cmd->name, "set") == 0) {
		find_setting(p, v, panes, word, len);
	} else if (cmd != NULL && strcmp(cmd->name, "sort") == 0) {
		find_sorts(p, v, &panes->pane[panes->focus], word, len);
	} else if (cmd != NULL && cmd->args != NULL && strchr(cmd->args, '|') != NULL) {
		offer_words(p, cmd->args, word, len);
	}
	p->from += from;
}

/* A setting, then its value: "theme da" is completed like the command theme. */
static void
find_setting(struct palette *p, struct view *v, const struct panes *panes, const char *s,
    size_t at)
{
	size_t			 word = strcspn(s, " "), from = word + strspn(s + word, " ");
	const struct setting	*k = setting_by_name(s, word);

	if (word >= at) {
		for (size_t i = 0; (k = setting_at(i)) != NULL; i++)
			offer(p, k->name, NULL, s, at);
	} else if (k != NULL && at >= from && k->values == NULL) {
		find_argument(p, v, panes, s, from, at);
	} else if (k != NULL && at >= from && strchr(k->values, '|') != NULL) {
		offer_words(p, k->values, s + from, at - from);
		p->from = from;
	}
}

void
palette_find(struct palette *p, struct view *v, const struct panes *panes, enum prompt_kind kind,
    const char *s, size_t at)
{
	size_t	word = strcspn(s, " ");

	palette_clear(p);
	p->from = 0;
	if (kind == PROMPT_COMMAND && isdigit((unsigned char)s[0])) {
		return;		/* it is a place */
	} else if (kind == PROMPT_COMMAND && word >= at) {
		p->names = at > 0;
		find_commands(p, SCOPE(panes->focus), s, at);
	} else if (kind == PROMPT_COMMAND) {
		word += strspn(s + word, " ");
		if (at >= word)
			find_argument(p, v, panes, s, word, at);
	} else if (kind == PROMPT_FILTER) {
		p->from = filter_complete(v->t, s, at, take_offer, p);
	} else if (kind == PROMPT_EXPORT) {
		find_files(p, s, at);
	}
	sort_array(p->v, p->n, sizeof *p->v, p->paths ? by_text : by_rank);
}

/* A command that matches only by scattered letters is not run unless the user has selected it. */
static bool
stands_out(const struct palette *p)
{
	return p->n > 0 && (p->walked || (p->names && p->v[0].rank <= RANK_FRONT));
}

void
palette_step(struct palette *p, int dir)
{
	if (p->n == 0)
		return;
	if (stands_out(p))
		p->at = (p->at + p->n + (size_t)(dir > 0 ? 1 : p->n - 1)) % p->n;
	else
		p->at = dir > 0 ? 0 : p->n - 1;
	p->walked = true;
}

const struct candidate *
palette_chosen(const struct palette *p)
{
	return stands_out(p) ? &p->v[p->at] : NULL;
}

void
palette_count(const struct palette *p, struct buf *out)
{
	if (p->n == 0)
		return;
	if (stands_out(p))
		buf_printf(out, "%zu of ", p->at + 1);
	buf_printf(out, "%zu%s", p->n, p->n == KEPT_MAX ? " and more" : "");
}

/* Where the notes begin: after the longest of h names, if it leaves them room. */
static int
notes_at(const struct palette *p, const struct canvas *c, size_t top, int h)
{
	int	x = NOTES_LEAST;

	for (size_t i = top; i < top + (size_t)h; i++) {
		int	w = 3 + canvas_cells(c, p->v[i].text);

		x = w > x && w < c->cols / 2 ? w : x;
	}
	return x;
}

static void
draw_line(const struct palette *p, const struct keymap *keys, struct canvas *c, int y, size_t i,
    int notes)
{
	const struct candidate	*k = &p->v[i];
	struct rect		 r = { y, 0, 1, c->cols };
	struct buf		 b = { 0 };
	int			 x, room = c->cols - 2;

	canvas_blank(c, r, ST_NORMAL);
	if (k->cmd != NULL && keys != NULL)
		keymap_keys(keys, k->cmd, ~0u, 2, &b);
	if (b.len > 0) {
		canvas_right(c, y, 0, c->cols - 1, ST_KEY, buf_str(&b));
		room -= (int)b.len + 2;
	}
	buf_release(&b);
	x = 2 + canvas_puts(c, y, 2, room, ST_STRONG, k->text);
	x = x < notes ? notes : x + 1;
	if (k->note != NULL && x < room)
		(void)canvas_puts(c, y, x, room - x, ST_DIM, k->note);
	if (i == p->at && stands_out(p))
		canvas_mark(c, y, 0, c->cols, MARK_CURSOR);
}

void
palette_draw(const struct palette *p, const struct keymap *keys, struct canvas *c, int bottom,
    int room)
{
	int	h = room < SHOWN_MAX ? room : SHOWN_MAX;
	size_t	top = 0;
	int	notes;

	if (p->n < (size_t)(h > 0 ? h : 0))
		h = (int)p->n;
	if (h <= 0)
		return;
	if (p->at >= (size_t)h)
		top = p->at - (size_t)h + 1;
	notes = notes_at(p, c, top, h);
	for (int i = 0; i < h; i++)
		draw_line(p, keys, c, bottom - h + i, top + (size_t)i, notes);
}
