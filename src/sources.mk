# Every source file by library, one line a file. The libraries are linked downward only:
# app -> ui, out -> engine -> format -> model -> io -> base.
BASE_SOURCES = \
	src/base/err.c \
	src/base/mem.c \
	src/base/cursor.c \
	src/base/arena.c \
	src/base/segvec.c \
	src/base/buf.c \
	src/base/text.c \
	src/base/units.c \
	src/base/diag.c \
	src/base/regex.c \
	src/base/job.c
IO_SOURCES = \
	src/io/source.c \
	src/io/spool.c \
	src/io/output.c
MODEL_SOURCES = \
	src/model/activity.c \
	src/model/attributes.c \
	src/model/keywords.c \
	src/model/path.c \
	src/model/schema.c \
	src/model/type.c \
	src/model/value.c \
	src/model/value_text.c
FORMAT_SOURCES = \
	src/format/registry.c \
	src/format/scan.c \
	src/format/blob.h \
	src/format/common.c \
	src/format/common.h \
	src/format/fastser.c \
	src/format/fastser.h \
	src/format/netperf3.c \
	src/format/heph.c \
	src/format/nettrace4.c \
	src/format/nettrace6.c
ENGINE_SOURCES = \
	src/engine/block.c \
	src/engine/idmap.c \
	src/engine/index.c \
	src/engine/loss.c \
	src/engine/slice.c \
	src/engine/trace.c \
	src/engine/filter_field.c \
	src/engine/filter_literal.c \
	src/engine/filter_names.c \
	src/engine/filter_parse.c \
	src/engine/filter_probe.c \
	src/engine/filter_eval.c \
	src/engine/query.c
OUT_SOURCES = \
	src/out/cell.c \
	src/out/event.c \
	src/out/event_private.h \
	src/out/fields.c \
	src/out/labels.c \
	src/out/message.c \
	src/out/writer.c
UI_SOURCES = \
	src/ui/canvas.c \
	src/ui/key.c \
	src/ui/list.c \
	src/ui/field.c \
	src/ui/column.c \
	src/ui/rules.c \
	src/ui/collapse.c \
	src/ui/collapse.h \
	src/ui/events_row.c \
	src/ui/events_row.h \
	src/ui/copy.c \
	src/ui/export.c \
	src/ui/palette.c \
	src/ui/rc.c \
	src/ui/session.c \
	src/ui/prompt.c \
	src/ui/view.c \
	src/ui/view_filter.c \
	src/ui/view_find.c \
	src/ui/view_tally.c \
	src/ui/marks.c \
	src/ui/mouse.c \
	src/ui/commands_mark.c \
	src/ui/pane_marks.c \
	src/ui/pane.c \
	src/ui/pane_timeline.c \
	src/ui/timeline.h \
	src/ui/density.c \
	src/ui/timeline_lanes.c \
	src/ui/pane_events.c \
	src/ui/pane_details.c \
	src/ui/details_tree.c \
	src/ui/details_tree.h \
	src/ui/text_tree.c \
	src/ui/text_tree.h \
	src/ui/pane_columns.c \
	src/ui/pane_stack.c \
	src/ui/pane_labels.c \
	src/ui/pane_stats.c \
	src/ui/census.c \
	src/ui/census.h \
	src/ui/view_walk.c \
	src/ui/view_rows.c \
	src/ui/pane_threads.c \
	src/ui/pane_problems.c \
	src/ui/pane_help.c \
	src/ui/pane_filters.c \
	src/ui/pane_explain.c \
	src/ui/layout.c \
	src/ui/command.c \
	src/ui/command_table.c \
	src/ui/commands.c \
	src/ui/commands_events.c \
	src/ui/commands.h \
	src/ui/term.c \
	src/ui/ui.c \
	src/ui/ui_prompt.c
# All of app but main() is in the library too, so that tests can reach it.
APP_SOURCES = \
	src/app/export.c \
	src/app/options.c \
	src/app/session.c \
	src/app/help.c \
	src/app/manual.c \
	src/app/complete.c \
	src/app/tally.c \
	src/app/cmd_dump.c \
	src/app/cmd_info.c \
	src/app/cmd_lists.c \
	src/app/cmd_stats.c
MAIN_SOURCES = \
	src/app/main.c
