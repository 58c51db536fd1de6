/*
 * Events as one file, or as a file for each type. Workers make the rows of pieces, which the merge
 * gives to the files.
 *
 *	types	0 GC/Start v1  1 Tick  2 GC/Start v2
 *	files	0: types 0, 2	header, Count Depth Reason ..	1: type 1	header, id number
 *
 * Invariant: at most a batch of files is open, since a trace may have more types than a process
 * files. The file of a type opens with its first event, so a type without a selected one has none.
 */
#include <string.h>
#include <strings.h>

#include "out/parquet/events.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"

#define BATCH		128u		/* files that are open at a time */
#define WAITING_MOST	(256u << 20)	/* bytes of rows that wait in all files */
#define NO_FILE		SIZE_MAX

struct type_file {
	char			*name;		/* type=PROVIDER%2FEVENT; NULL: the one file */
	struct field_list	 fields;
	struct event_file	*f;		/* NULL: written */
	bool			 looks;
	size_t			 bytes;		/* of the rows that wait */
};

struct event_files {
	struct parquet_place	*place;
	struct trace		*t;
	struct event_out_options opt;
	const struct field_list	*fields;	/* of the one file; borrowed, or NULL */
	struct type_file	*file;
	size_t			 n, cap;
	size_t			*of_type;	/* by type: its file, or NO_FILE; NULL: one file */
	uint32_t		 ntypes;
	size_t			 first, end;	/* the batch */
	size_t			 waiting;
	uint64_t		 left;		/* rows of the one file */
	bool			 any;
};

/* The events of a file in the batch that is being added. */
struct type_events {
	uint32_t		*at, *rank, n;
	size_t			 cap, rank_cap;
};

struct files_piece {
	struct event_files	*x;
	struct event_part	**part;		/* by file, or NULL */
	struct type_events	*events;	/* by file */
};

/* ---- the files */

static bool
is_taken(const struct field_list *l, const char *title)
{
	if (strcasecmp(title, "trace") == 0 || strcasecmp(title, "time") == 0 ||
	    strcasecmp(title, "type") == 0)
		return true;
	for (size_t i = 0; i < l->n; i++)
		if (strcasecmp(l->titles[i], title) == 0)
			return true;
	return false;
}

static bool
has_path(const struct field_list *l, const char *path)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].def->kind == FIELD_PAYLOAD && strcmp(l->v[i].path, path) == 0)
			return true;
	return false;
}

/* A column for a field of the payload. A name that another column has begins with "payload.". */
static void
add_payload(struct field_list *l, const char *path)
{
	struct buf	title = { 0 };

	if (path[0] == '\0' || has_path(l, path))
		return;
	buf_printf(&title, "%s%s", is_taken(l, path) ? "payload." : "", path);
	if (!is_taken(l, buf_str(&title))) {
		l->v = mem_realloc(l->v, l->n + 1, sizeof *l->v);
		l->titles = mem_realloc(l->titles, l->n + 1, sizeof *l->titles);
		l->names = mem_realloc(l->names, l->n + 1, sizeof *l->names);
		l->names[l->n] = path;
		field_ref_payload(&l->v[l->n], path);
		l->titles[l->n++] = mem_strdup(buf_str(&title));
	}
	buf_release(&title);
}

/* The file of a type: that of an earlier one with the same name, or a new one. */
static size_t
file_of(struct event_files *x, const struct event_type *type)
{
	struct buf	key = { 0 }, name = { 0 };
	size_t		i = 0;

	buf_printf(&key, "%s/%s", type->provider, type->name);
	buf_puts(&name, "type=");
	parquet_file_name(&name, span_of_buf(&key));
	while (i < x->n && strcmp(x->file[i].name, buf_str(&name)) != 0)
		i++;
	if (i == x->n) {
		ARRAY_ADD(x->file, x->n, x->cap, (struct type_file){
		    .name = mem_strdup(buf_str(&name)) });
		field_list_all(&x->file[i].fields, NULL, x->opt.rows, x->opt.crc, x->opt.raw);
	}
	buf_release(&key);
	buf_release(&name);
	return i;
}

/* A type whose payload has declared fields needs no JSON of it. */
static void
drop_payloads(struct event_files *x)
{
	for (size_t i = 0; i < x->n; i++) {
		struct field_list	*l = &x->file[i].fields;
		bool			 declared = false;

		for (size_t k = 0; k < l->n; k++)
			declared |= l->v[k].def->kind == FIELD_PAYLOAD;
		if (declared)
			field_list_drop(l, "payload");
	}
}

static void
make_files(struct event_files *x)
{
	for (size_t i = 0; i < x->n; i++) {
		struct type_file	*f = &x->file[i];

		f->f = event_file_new(x->place, f->name != NULL ? f->name : x->place->name, x->t,
		    &x->opt, f->name != NULL ? &f->fields : x->fields);
		f->looks = event_file_looks(f->f);
	}
}

struct event_files *
event_files_new(struct parquet_place *p, struct trace *t, const struct event_out_options *opt,
    const struct field_list *fields, uint64_t limit)
{
	struct event_files	*x = mem_zalloc(1, sizeof *x);

	*x = (struct event_files){ .place = p, .t = t, .opt = *opt, .fields = fields,
	    .left = limit };
	ARRAY_ADD(x->file, x->n, x->cap, (struct type_file){ .name = NULL });
	make_files(x);
	return x;
}

struct event_files *
event_files_by_type(struct parquet_place *p, struct trace *t, const struct event_out_options *opt)
{
	struct event_files	*x = mem_zalloc(1, sizeof *x);
	struct type_stat	*stat;
	size_t			 n = trace_type_stats(t, &stat);

	*x = (struct event_files){ .place = p, .t = t, .opt = *opt, .ntypes = (uint32_t)n,
	    .of_type = mem_zalloc(n, sizeof *x->of_type) };
	for (uint32_t i = 0; i < n; i++) {
		const struct event_type	*type = trace_type(t, i);

		x->of_type[i] = NO_FILE;
		if (stat[i].c.events == 0)
			continue;
		x->of_type[i] = file_of(x, type);
		for (uint32_t k = 0; k < type->nfields; k++)
			add_payload(&x->file[x->of_type[i]].fields, type->fields[k].name);
	}
	mem_free(stat);
	drop_payloads(x);
	make_files(x);
	return x;
}

void
event_files_free(struct event_files *x)
{
	for (size_t i = 0; i < x->n; i++) {
		if (x->file[i].f != NULL)
			(void)event_file_end(x->file[i].f, false);
		field_list_release(&x->file[i].fields);
		mem_free(x->file[i].name);
	}
	mem_free(x->file);
	mem_free(x->of_type);
	mem_free(x);
}

bool
event_files_look(const struct event_files *x)
{
	return x->of_type != NULL || x->file[0].looks;
}

bool
event_files_any(const struct event_files *x)
{
	return x->any;
}

int
event_files_next(struct event_files *x)
{
	int	err = ERR_OK;

	x->first = x->end;
	x->end = x->n - x->first < BATCH ? x->n : x->first + BATCH;
	if (x->first == x->end)
		return 0;
	if (x->of_type == NULL)
		err = event_file_open(x->file[0].f, false);
	return err == ERR_OK ? 1 : err;
}

int
event_files_close(struct event_files *x, bool keep)
{
	int	err = ERR_OK;

	for (size_t i = x->first; i < x->end; i++) {
		if (event_file_end(x->file[i].f, keep) < 0)
			err = ERR_IO;
		x->file[i].f = NULL;
	}
	x->waiting = 0;
	return err;
}

/* ---- pieces */

static void *
piece_begin(void *arg)
{
	struct event_files	*x = arg;
	struct files_piece	*p = mem_zalloc(1, sizeof *p);

	p->x = x;
	p->part = mem_zalloc(x->n, sizeof *p->part);
	p->events = mem_zalloc(x->n, sizeof *p->events);
	return p;
}

static void
piece_free(void *state)
{
	struct files_piece	*p = state;

	for (size_t i = 0; i < p->x->n; i++) {
		event_part_free(p->part[i]);
		mem_free(p->events[i].at);
		mem_free(p->events[i].rank);
	}
	mem_free(p->part);
	mem_free(p->events);
	mem_free(p);
}

static struct event_part *
part_of(struct files_piece *p, size_t file)
{
	if (p->part[file] == NULL)
		p->part[file] = event_part_new(p->x->file[file].f);
	return p->part[file];
}

/* The event's file, or NO_FILE. */
static size_t
file_of_event(const struct event_files *x, const struct event *e)
{
	if (x->of_type == NULL)
		return 0;
	return e->type < x->ntypes ? x->of_type[e->type] : NO_FILE;
}

/* ---- the types of columns that depend on the events */

static void
look_add(void *state, const struct pass_batch *b)
{
	struct files_piece	*p = state;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct event	*e = &b->ev[b->at[i]];
		size_t			 file = file_of_event(p->x, e);

		if (file != NO_FILE && p->x->file[file].looks)
			event_part_look(part_of(p, file), e);
	}
}

static int
look_merge(void *arg, void *state)
{
	struct event_files	*x = arg;
	struct files_piece	*p = state;

	for (size_t i = 0; i < x->n; i++)
		if (p->part[i] != NULL)
			event_file_looked(x->file[i].f, p->part[i]);
	return ERR_OK;
}

const struct pass_ops	event_look_pass = {
	.begin = piece_begin, .add = look_add, .merge = look_merge, .free = piece_free,
	.stays = true,
};

/* ---- rows */

static void
add_event(struct type_events *l, const struct pass_batch *b, uint32_t i)
{
	l->at = mem_grow(l->at, &l->cap, l->n + 1, sizeof *l->at);
	l->rank = mem_grow(l->rank, &l->rank_cap, l->n + 1, sizeof *l->rank);
	l->at[l->n] = b->at[i];
	l->rank[l->n++] = b->rank != NULL ? b->rank[i] : b->at[i];
}

/* Events of types that are not in the batch of files are left out. */
static void
add_by_type(struct files_piece *p, const struct pass_batch *b)
{
	const struct event_files	*x = p->x;

	for (uint32_t i = 0; i < b->n; i++) {
		size_t	file = file_of_event(x, &b->ev[b->at[i]]);

		if (file != NO_FILE && file >= x->first && file < x->end)
			add_event(&p->events[file], b, i);
	}
	for (size_t i = x->first; i < x->end; i++) {
		struct type_events	*l = &p->events[i];

		if (l->n > 0)
			event_part_add(part_of(p, i), &(struct pass_batch){ .ev = b->ev,
			    .at = l->at, .n = l->n, .row0 = b->row0, .rank = l->rank });
		l->n = 0;
	}
}

static void
rows_add(void *state, const struct pass_batch *b)
{
	struct files_piece	*p = state;

	if (p->x->of_type == NULL)
		event_part_add(part_of(p, 0), b);
	else
		add_by_type(p, b);
}

/* Too much waits: write the rows of the file that has most. */
static int
flush_largest(struct event_files *x)
{
	size_t	most = x->first;

	for (size_t i = x->first; i < x->end; i++)
		if (x->file[i].bytes > x->file[most].bytes)
			most = i;
	x->waiting -= x->file[most].bytes;
	x->file[most].bytes = 0;
	return event_file_flush(x->file[most].f);
}

static int
take_by_type(struct event_files *x, struct files_piece *p)
{
	int	err = ERR_OK;

	for (size_t i = x->first; i < x->end && err == ERR_OK; i++) {
		struct type_file	*f = &x->file[i];

		if (p->part[i] == NULL || event_part_rows(p->part[i]) == 0)
			continue;
		if (event_file_rows(f->f) == 0)
			err = event_file_open(f->f, true);
		if (err == ERR_OK)
			err = event_file_take(f->f, p->part[i], UINT64_MAX);
		if (err != ERR_OK)
			break;
		x->waiting -= f->bytes;
		f->bytes = event_file_bytes(f->f);
		x->waiting += f->bytes;
		if (x->waiting > WAITING_MOST)
			err = flush_largest(x);
	}
	return err;
}

static int
take_rows(struct event_files *x, struct event_part *part)
{
	uint32_t	rows = event_part_rows(part);
	int		err = event_file_take(x->file[0].f, part, x->left);

	x->left -= rows < x->left ? rows : x->left;
	return err == ERR_OK && x->left == 0 ? 1 : err;
}

static int
rows_merge(void *arg, void *state)
{
	struct event_files	*x = arg;
	struct files_piece	*p = state;

	x->any = true;
	return x->of_type == NULL ? take_rows(x, p->part[0]) : take_by_type(x, p);
}

/* Its rows were taken. */
static void
rows_clear(void *state)
{
	(void)state;
}

const struct pass_ops	event_rows_pass = {
	.begin = piece_begin, .add = rows_add, .merge = rows_merge, .clear = rows_clear,
	.free = piece_free,
};
