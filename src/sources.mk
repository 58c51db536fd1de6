# Every source file by library, one line a file. The libraries are linked downward only:
# app -> ui, out -> analysis -> engine -> format -> model -> io -> base.
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
	src/base/hash.c \
	src/base/hashtable.c \
	src/base/regex.c \
	src/base/regex_cost.c \
	src/base/regex_cost.h \
	src/base/job.c \
	src/base/near.c
IO_SOURCES = \
	src/io/source.c \
	src/io/spool.c \
	src/io/file.c \
	src/io/output.c \
	src/io/paths.c \
	src/io/spool.h
MODEL_SOURCES = \
	src/model/activity.c \
	src/model/attributes.c \
	src/model/cell.c \
	src/model/cell_text.c \
	src/model/keywords.c \
	src/model/path.c \
	src/model/schema.c \
	src/model/type.c \
	src/model/value.c \
	src/model/value_text.c \
	src/model/clr_data.h
FORMAT_SOURCES = \
	src/format/registry.c \
	src/format/scan.c \
	src/format/blob.h \
	src/format/common.c \
	src/format/common.h \
	src/format/fastser.c \
	src/format/fastser.h \
	src/format/netperf.h \
	src/format/netperf2.c \
	src/format/netperf3.c \
	src/format/heph.c \
	src/format/nettrace4.c \
	src/format/nettrace6.c \
	src/format/varint.h
ENGINE_SOURCES = \
	src/engine/event_lists.c \
	src/engine/trace.c \
	src/engine/field/get.c \
	src/engine/field/label.c \
	src/engine/field/path.c \
	src/engine/field/path.h \
	src/engine/field/reader.h \
	src/engine/field/ref.c \
	src/engine/field/table.c \
	src/engine/filter/ast.h \
	src/engine/filter/eval.c \
	src/engine/filter/fields.c \
	src/engine/filter/literal.c \
	src/engine/filter/names.c \
	src/engine/filter/parse.c \
	src/engine/filter/parse.h \
	src/engine/filter/probe.c \
	src/engine/filter/probe.h \
	src/engine/filter/quote.c \
	src/engine/filter/quote.h \
	src/engine/filter/terms.c \
	src/engine/index/block.c \
	src/engine/index/idmap.c \
	src/engine/index/idmap.h \
	src/engine/index/index.c \
	src/engine/index/index.h \
	src/engine/index/lists.c \
	src/engine/index/lists.h \
	src/engine/index/loss.c \
	src/engine/pass/count.c \
	src/engine/pass/decided.c \
	src/engine/pass/decided.h \
	src/engine/pass/query.c \
	src/engine/view/cache.c \
	src/engine/view/cache.h \
	src/engine/view/cut.c \
	src/engine/view/cut.h \
	src/engine/view/decode.c \
	src/engine/view/decode.h \
	src/engine/view/rows.c \
	src/engine/view/slice.c \
	src/engine/view/slice.h
ANALYSIS_SOURCES = \
	src/analysis/findings.c \
	src/analysis/gaps.c \
	src/analysis/key_values.c \
	src/analysis/stats.c \
	src/analysis/table.c \
	src/analysis/threads.c \
	src/analysis/types.c
OUT_SOURCES = \
	src/out/cell.c \
	src/out/event.c \
	src/out/event_private.h \
	src/out/message.c \
	src/out/rows.c \
	src/out/table.c
UI_SOURCES = \
	src/ui/layout.c \
	src/ui/shell.h \
	src/ui/ui.c \
	src/ui/command/command.c \
	src/ui/command/command.h \
	src/ui/command/commands.c \
	src/ui/command/commands.h \
	src/ui/command/copy.c \
	src/ui/command/events.c \
	src/ui/command/export.c \
	src/ui/command/export.h \
	src/ui/command/mark.c \
	src/ui/command/mouse.c \
	src/ui/command/palette.c \
	src/ui/command/palette.h \
	src/ui/command/prompt.c \
	src/ui/command/prompt.h \
	src/ui/command/session.c \
	src/ui/command/settings.c \
	src/ui/command/table.c \
	src/ui/command/ui_prompt.c \
	src/ui/command/write.c \
	src/ui/command/write.h \
	src/ui/draw/canvas.c \
	src/ui/draw/canvas.h \
	src/ui/draw/list.c \
	src/ui/draw/list.h \
	src/ui/pane/columns.c \
	src/ui/pane/density.c \
	src/ui/pane/density.h \
	src/ui/pane/details.c \
	src/ui/pane/details_tree.c \
	src/ui/pane/details_tree.h \
	src/ui/pane/events.c \
	src/ui/pane/events_row.c \
	src/ui/pane/events_row.h \
	src/ui/pane/explain.c \
	src/ui/pane/filters.c \
	src/ui/pane/gaps.c \
	src/ui/pane/help.c \
	src/ui/pane/labels.c \
	src/ui/pane/lanes.c \
	src/ui/pane/lanes.h \
	src/ui/pane/marks.c \
	src/ui/pane/pane.c \
	src/ui/pane/pane.h \
	src/ui/pane/problems.c \
	src/ui/pane/stack.c \
	src/ui/pane/stats.c \
	src/ui/pane/table.c \
	src/ui/pane/table.h \
	src/ui/pane/text_tree.c \
	src/ui/pane/text_tree.h \
	src/ui/pane/threads.c \
	src/ui/pane/timeline.c \
	src/ui/state/rc.c \
	src/ui/state/rc.h \
	src/ui/state/keep.c \
	src/ui/state/keep.h \
	src/ui/state/record.c \
	src/ui/state/record.h \
	src/ui/state/script.c \
	src/ui/state/script.h \
	src/ui/state/state.c \
	src/ui/state/state.h \
	src/ui/term/input.c \
	src/ui/term/input.h \
	src/ui/term/key.c \
	src/ui/term/key.h \
	src/ui/term/restore.c \
	src/ui/term/restore.h \
	src/ui/term/screen.h \
	src/ui/term/term.c \
	src/ui/term/term.h \
	src/ui/view/collapse.c \
	src/ui/view/collapse.h \
	src/ui/view/column.c \
	src/ui/view/column.h \
	src/ui/view/field.c \
	src/ui/view/field.h \
	src/ui/view/filter.c \
	src/ui/view/glance.c \
	src/ui/view/glance.h \
	src/ui/view/find.c \
	src/ui/view/marks.c \
	src/ui/view/marks.h \
	src/ui/view/rows.c \
	src/ui/view/rules.c \
	src/ui/view/rules.h \
	src/ui/view/tally.c \
	src/ui/view/view.c \
	src/ui/view/view.h \
	src/ui/view/walk.c
# All of app but main() is in the library too, so that tests can reach it.
APP_SOURCES = \
	src/app/export.c \
	src/app/options.c \
	src/app/run.c \
	src/app/selection.c \
	src/app/walk.c \
	src/app/listing.c \
	src/app/gaps.c \
	src/app/payload.c \
	src/app/exit.c \
	src/app/command.c \
	src/app/cmd_view.c \
	src/app/help.c \
	src/app/manual.c \
	src/app/complete.c \
	src/app/cmd_dump.c \
	src/app/cmd_info.c \
	src/app/cmd_lists.c \
	src/app/cmd_stats.c \
	src/app/command.h \
	src/app/export.h \
	src/app/help.h \
	src/app/options.h \
	src/app/run.h \
	src/app/selection.h \
	src/app/walk.h \
	src/app/listing.h \
	src/app/gaps.h \
	src/app/payload.h \
	src/app/exit.h
MAIN_SOURCES = \
	src/app/main.c
