/* The functions of the command table. The comments say what call->n means. */
#ifndef UI_COMMAND_COMMANDS_H
#define UI_COMMAND_COMMANDS_H

#include "ui/command/command.h"
#include "ui/shell.h"

/* The value of "on" or "off". False: another word. */
bool	switch_word(const char *word, bool *on);
/* The value that "on", "off", or no word (the opposite of `is`) requests of the named command.
   False: another word, which is refused. */
bool	command_switch(struct ui *ui, const struct command_call *call, const char *name, bool is,
	    bool *want);
/* Ask for an argument in a prompt with this text. False: there is one already. */
bool	command_asks(struct ui *ui, const struct command_call *call, enum prompt_kind kind,
	    const char *text);

/* leave */
void	cmd_close(struct ui *ui, const struct command_call *call);
void	cmd_quit(struct ui *ui, const struct command_call *call);
void	cmd_cancel(struct ui *ui, const struct command_call *call);
void	cmd_suspend(struct ui *ui, const struct command_call *call);
void	cmd_redraw(struct ui *ui, const struct command_call *call);
void	cmd_reread(struct ui *ui, const struct command_call *call);
void	cmd_edit(struct ui *ui, const struct command_call *call);
void	cmd_record_stacks(struct ui *ui, const struct command_call *call);
void	cmd_record_heap(struct ui *ui, const struct command_call *call);
void	cmd_follow(struct ui *ui, const struct command_call *call);
/* panes */
void	cmd_labels(struct ui *ui, const struct command_call *call);
void	cmd_pane_of_spans(struct ui *ui, const struct command_call *call);
void	cmd_pane(struct ui *ui, const struct command_call *call);	/* n: number of the pane;
									   -1: by name */
void	cmd_help(struct ui *ui, const struct command_call *call);
void	cmd_choose(struct ui *ui, const struct command_call *call);
void	cmd_cycle(struct ui *ui, const struct command_call *call);	/* n: direction */
void	cmd_maximise(struct ui *ui, const struct command_call *call);
void	cmd_layout(struct ui *ui, const struct command_call *call);
void	cmd_enter(struct ui *ui, const struct command_call *call);
/* calls */
void	cmd_flame(struct ui *ui, const struct command_call *call);
void	cmd_calls(struct ui *ui, const struct command_call *call);
void	cmd_calls_act(struct ui *ui, const struct command_call *call);	/* n: an action of the
									   pane */
void	cmd_weight(struct ui *ui, const struct command_call *call);
void	cmd_fold(struct ui *ui, const struct command_call *call);
void	cmd_unfold(struct ui *ui, const struct command_call *call);
void	cmd_fold_switch(struct ui *ui, const struct command_call *call);	/* n: rule */
void	cmd_changes(struct ui *ui, const struct command_call *call);
void	cmd_changes_kind(struct ui *ui, const struct command_call *call);
void	cmd_compare_range(struct ui *ui, const struct command_call *call);
/* move; n: direction */
void	cmd_lines(struct ui *ui, const struct command_call *call);
void	cmd_side(struct ui *ui, const struct command_call *call);
void	cmd_halves(struct ui *ui, const struct command_call *call);
void	cmd_pages(struct ui *ui, const struct command_call *call);
void	cmd_first(struct ui *ui, const struct command_call *call);
void	cmd_last(struct ui *ui, const struct command_call *call);
void	cmd_row(struct ui *ui, const struct command_call *call);
void	cmd_activity(struct ui *ui, const struct command_call *call);
void	cmd_part(struct ui *ui, const struct command_call *call);
void	cmd_time(struct ui *ui, const struct command_call *call);
void	cmd_gap(struct ui *ui, const struct command_call *call);
void	cmd_history(struct ui *ui, const struct command_call *call);
/* copy and export */
void	cmd_copy(struct ui *ui, const struct command_call *call);	/* n: y j f t s c */
void	cmd_write(struct ui *ui, const struct command_call *call);
void	cmd_export(struct ui *ui, const struct command_call *call);
void	cmd_cut(struct ui *ui, const struct command_call *call);
void	cmd_redact(struct ui *ui, const struct command_call *call);
void	cmd_pipe(struct ui *ui, const struct command_call *call);
/* settings and scripts */
void	cmd_bind(struct ui *ui, const struct command_call *call);	/* n: 0 unbinds */
void	cmd_set(struct ui *ui, const struct command_call *call);
void	cmd_theme(struct ui *ui, const struct command_call *call);
void	cmd_color_threads(struct ui *ui, const struct command_call *call);
void	cmd_save_session(struct ui *ui, const struct command_call *call);
void	cmd_at(struct ui *ui, const struct command_call *call);
void	cmd_window_ticks(struct ui *ui, const struct command_call *call);
void	cmd_mark_at(struct ui *ui, const struct command_call *call);
/* time window */
void	cmd_zoom(struct ui *ui, const struct command_call *call);	/* n: factor, < 0: out */
void	cmd_pan(struct ui *ui, const struct command_call *call);	/* n: quarters */
void	cmd_all(struct ui *ui, const struct command_call *call);
void	cmd_time_format(struct ui *ui, const struct command_call *call);
/* find */
void	cmd_search(struct ui *ui, const struct command_call *call);
void	cmd_hit(struct ui *ui, const struct command_call *call);	/* n: direction */
void	cmd_no_hits(struct ui *ui, const struct command_call *call);
void	cmd_filter(struct ui *ui, const struct command_call *call);
void	cmd_drop_filter(struct ui *ui, const struct command_call *call);
void	cmd_filter_add(struct ui *ui, const struct command_call *call);	/* n: 1 on, 0 off */
void	cmd_filter_toggle(struct ui *ui, const struct command_call *call);
void	cmd_filter_delete(struct ui *ui, const struct command_call *call);
void	cmd_filter_name(struct ui *ui, const struct command_call *call);
void	cmd_filters_toggle(struct ui *ui, const struct command_call *call);
void	cmd_tour(struct ui *ui, const struct command_call *call);	/* tour.c */
/* events */
void	cmd_zero(struct ui *ui, const struct command_call *call);
void	cmd_columns(struct ui *ui, const struct command_call *call);
void	cmd_act(struct ui *ui, const struct command_call *call);	/* n: an action of the
									   pane */
void	cmd_column_add(struct ui *ui, const struct command_call *call);
void	cmd_term(struct ui *ui, const struct command_call *call);	/* n: -1 excludes */
void	cmd_stats(struct ui *ui, const struct command_call *call);
void	cmd_back(struct ui *ui, const struct command_call *call);
void	cmd_report(struct ui *ui, const struct command_call *call);	/* n: its number, or rows */
void	cmd_top(struct ui *ui, const struct command_call *call);
void	cmd_tally(struct ui *ui, const struct command_call *call);
void	cmd_histogram(struct ui *ui, const struct command_call *call);
void	cmd_raw(struct ui *ui, const struct command_call *call);
/* n: direction */
void	cmd_step_thread(struct ui *ui, const struct command_call *call);
void	cmd_step_type(struct ui *ui, const struct command_call *call);
void	cmd_step_activity(struct ui *ui, const struct command_call *call);
void	cmd_step_error(struct ui *ui, const struct command_call *call);
void	cmd_past(struct ui *ui, const struct command_call *call);
void	cmd_collapse(struct ui *ui, const struct command_call *call);
void	cmd_blocks(struct ui *ui, const struct command_call *call);
void	cmd_color(struct ui *ui, const struct command_call *call);
void	cmd_prompt(struct ui *ui, const struct command_call *call);
/* marks, range, lanes (mark.c) */
void	cmd_mark(struct ui *ui, const struct command_call *call);
void	cmd_note(struct ui *ui, const struct command_call *call);
void	cmd_go_mark(struct ui *ui, const struct command_call *call);
void	cmd_next_mark(struct ui *ui, const struct command_call *call);	/* n: direction */
void	cmd_last_jump(struct ui *ui, const struct command_call *call);
void	cmd_diff(struct ui *ui, const struct command_call *call);
void	cmd_erase(struct ui *ui, const struct command_call *call);
void	cmd_range(struct ui *ui, const struct command_call *call);
void	cmd_span(struct ui *ui, const struct command_call *call);
void	cmd_sort(struct ui *ui, const struct command_call *call);
void	cmd_sort_invert(struct ui *ui, const struct command_call *call);
void	cmd_pin(struct ui *ui, const struct command_call *call);
void	cmd_hide_empty(struct ui *ui, const struct command_call *call);
void	cmd_spans_by(struct ui *ui, const struct command_call *call);
void	cmd_spans_in_lanes(struct ui *ui, const struct command_call *call);
void	cmd_mouse(struct ui *ui, const struct command_call *call);	/* mouse.c */

#endif
