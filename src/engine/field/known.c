/*
 * What a reader of fields looks up once: types, programs of paths, threads, and the labels and
 * payload of the current event.
 *
 *	event -> type -> reader_type()		cached by index, like the programs of its fields
 *	      -> thread -> field_who()		read again when the trace may have changed
 *
 * Invariant: data of an event is dropped when the reader goes on to the next one (get.c).
 */
#include <stdio.h>
#include <string.h>

#include "engine/field/reader.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/engine/thread_names.h"

#define PATHS_MOST	64u	/* paths whose programs are cached */

const struct event_type *
reader_type(struct field_reader *r, uint32_t type)
{
	r->type = array_reach(r->type, &r->ntype, type, sizeof *r->type);
	if (r->type[type] == NULL)
		r->type[type] = trace_type(r->t, type);
	return r->type[type];
}

/* The programs of the path; mostly these are the last ones of the slot. */
static struct field_programs *
find_programs(struct field_reader *r, struct field_slot *s, const char *path)
{
	if (s->programs < r->nprograms && strcmp(r->programs[s->programs].path, path) == 0)
		return &r->programs[s->programs];
	for (s->programs = 0; s->programs < r->nprograms; s->programs++)
		if (strcmp(r->programs[s->programs].path, path) == 0)
			return &r->programs[s->programs];
	if (r->nprograms == PATHS_MOST) {	/* drop all: earlier users had other paths */
		for (size_t i = 0; i < r->nprograms; i++)
			field_programs_release(&r->programs[i]);
		r->nprograms = s->programs = 0;
	}
	r->programs = mem_grow(r->programs, &r->programs_cap, r->nprograms + 1,
	    sizeof *r->programs);
	field_programs_init(&r->programs[r->nprograms], path);
	return &r->programs[r->nprograms++];
}

const struct program *
reader_program(struct field_reader *r, struct field_slot *s, const char *path,
    const struct event_type *type)
{
	return field_program(find_programs(r, s, path), type);
}

static void
who_learn(struct field_reader *r, uint32_t thread, struct field_who *w)
{
	struct thread_stat	 st;
	struct thread_names	 words;

	memset(&st, 0, sizeof st);
	trace_thread(r->t, thread, &st);
	trace_thread_names(r->t, thread, &words);
	w->known = true;
	w->has_tid = st.has_tid;
	w->tid = st.tid;
	w->has_pid = st.has_pid;
	w->pid = st.has_pid ? st.pid : 0;
	w->name = st.name != NULL && st.name[0] != '\0' ? st.name : words.name;
	w->source = st.source;
	w->role = words.role;
	w->process = words.process;
	(void)snprintf(w->number, sizeof w->number, "#%llu",
	    (unsigned long long)(st.has_index ? st.thread_index : thread));
}

const struct field_who *
field_who(struct field_reader *r, uint32_t thread)
{
	uint64_t	now = trace_generation(r->t);

	if (now != r->who_at) {		/* names may have changed */
		r->who_at = now;
		array_clear(r->who, r->nwho, sizeof *r->who);
	}
	if (thread < r->nwho && r->who[thread].known)
		return &r->who[thread];
	if (thread >= trace_threads(r->t))
		return NULL;
	r->who = array_reach(r->who, &r->nwho, thread, sizeof *r->who);
	who_learn(r, thread, &r->who[thread]);
	return &r->who[thread];
}

const struct label_set *
reader_labels(struct field_reader *r, const struct event *e)
{
	if (r->labels == NULL)
		r->labels = mem_zalloc(1, sizeof *r->labels);
	if (!r->has_labels)
		labels_load(r->labels, r->t, e);
	r->has_labels = true;
	return r->labels;
}

const struct label_set *
field_labels(struct field_reader *r, const struct event *e)
{
	r->has_labels = false;		/* the loaded ones may belong to another event */
	return reader_labels(r, e);
}

const struct event_extra *
reader_extra(struct field_reader *r, const struct event *e)
{
	if (r->extra == EXTRA_UNKNOWN)
		r->extra = trace_event_extra(r->t, e, &r->event_extra) ? EXTRA_SOME : EXTRA_NONE;
	return r->extra == EXTRA_SOME ? &r->event_extra : NULL;
}

const struct payload_result *
reader_decode(struct field_reader *r, const struct event *e)
{
	if (r->has_decoded)
		return &r->result;
	buf_clear(&r->decoded);
	memset(&r->result, 0, sizeof r->result);
	payload_json(&r->decoded, reader_type(r, e->type), trace_payload(r->t, e),
	    r->opt.words == WORDS_INSTEAD, &r->result);
	r->has_decoded = true;
	return &r->result;
}
