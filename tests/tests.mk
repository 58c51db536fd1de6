# Every test, one line each. A program NAME is made of NAME.c and linked with the library, the
# helpers of tests/support and cmocka; nothing else needs to be said.

# Programs with cmocka.
UNIT_TESTS = \
	tests/unit/test_activity \
	tests/unit/test_aggregate \
	tests/unit/test_arena \
	tests/unit/test_assemblies \
	tests/unit/test_bins \
	tests/unit/test_buf \
	tests/unit/test_cell \
	tests/unit/test_calltree \
	tests/unit/test_changes \
	tests/unit/test_program \
	tests/unit/test_costs \
	tests/unit/test_choice \
	tests/unit/test_cursor \
	tests/unit/test_cut \
	tests/unit/test_damage \
	tests/unit/test_diag \
	tests/unit/test_diff \
	tests/unit/test_groups \
	tests/unit/test_pairs \
	tests/unit/test_report_groups \
	tests/unit/test_report_tables \
	tests/unit/test_hashtable \
	tests/unit/test_head \
	tests/unit/test_heph \
	tests/unit/test_lists \
	tests/unit/test_redact \
	tests/unit/test_mem \
	tests/unit/test_message \
	tests/unit/test_needle \
	tests/unit/test_netperf3 \
	tests/unit/test_nettrace6 \
	tests/unit/test_entries \
	tests/unit/test_facts \
	tests/unit/test_field \
	tests/unit/test_follow \
	tests/unit/test_filter \
	tests/unit/test_filter_eval \
	tests/unit/test_filter_syntax \
	tests/unit/test_order \
	tests/unit/test_regex \
	tests/unit/test_regex_nojit \
	tests/unit/test_bars \
	tests/unit/test_file \
	tests/unit/test_greatest \
	tests/unit/test_scratch \
	tests/unit/test_pass \
	tests/unit/test_output \
	tests/unit/test_pace \
	tests/unit/test_input \
	tests/unit/test_job \
	tests/unit/test_joined \
	tests/unit/test_joined_grows \
	tests/unit/test_task \
	tests/unit/test_pass_grows \
	tests/unit/test_peer \
	tests/unit/test_reaper \
	tests/unit/test_receive \
	tests/unit/test_until \
	tests/unit/test_schema \
	tests/unit/test_script \
	tests/unit/test_array \
	tests/unit/test_segvec \
	tests/unit/test_slice_reads \
	tests/unit/test_source \
	tests/unit/test_stack_filter \
	tests/unit/test_sum \
	tests/unit/test_sweep \
	tests/unit/test_reasons \
	tests/unit/test_durs \
	tests/unit/test_span_sums \
	tests/unit/test_symbols \
	tests/unit/test_table \
	tests/unit/test_count \
	tests/unit/test_thread_counts \
	tests/unit/test_threads \
	tests/unit/test_top \
	tests/unit/test_trace \
	tests/unit/test_text \
	tests/unit/test_tier \
	tests/unit/test_units \
	tests/unit/test_value \
	tests/unit/test_writer

# Programs with cmocka that also need libvterm.
UI_TESTS = \
	tests/ui/test_hostile \
	tests/ui/test_keys \
	tests/ui/test_matrix \
	tests/ui/test_nomem \
	tests/ui/test_monkey \
	tests/ui/test_monkey_tty \
	tests/ui/test_bursts \
	tests/ui/test_calls \
	tests/ui/test_changes \
	tests/ui/test_commands \
	tests/ui/test_copy \
	tests/ui/test_counting \
	tests/ui/test_guest \
	tests/ui/test_jobs \
	tests/ui/test_pty \
	tests/ui/test_reflexes \
	tests/ui/test_readme \
	tests/ui/test_reports \
	tests/ui/test_screens \
	tests/ui/test_session \
	tests/ui/test_storm \
	tests/ui/test_spans \
	tests/ui/test_state \
	tests/ui/test_marks \
	tests/ui/test_manners \
	tests/ui/test_naming \
	tests/ui/test_narrow \
	tests/ui/test_timeline \
	tests/ui/test_events \
	tests/ui/test_derived \
	tests/ui/test_descriptors \
	tests/ui/test_details \
	tests/ui/test_follow \
	tests/ui/test_sizes \
	tests/ui/test_tables \
	tests/ui/test_theme \
	tests/ui/test_tour \
	tests/ui/test_ui

# Helpers of the tests: linked with all of them. Those that need libvterm stand apart.
SUPPORT_SOURCES = \
	tests/support/asserts.h \
	tests/support/bytes.c \
	tests/support/bytes.h \
	tests/support/cases.c \
	tests/support/cases.h \
	tests/support/counts.c \
	tests/support/counts.h \
	tests/support/data.c \
	tests/support/data.h \
	tests/support/desk.c \
	tests/support/desk.h \
	tests/support/feeder.c \
	tests/support/feeder.h \
	tests/support/frame_check.c \
	tests/support/frame_check.h \
	tests/support/hostile.c \
	tests/support/hostile.h \
	tests/support/memterm.c \
	tests/support/memterm.h \
	tests/support/methods.c \
	tests/support/methods.h \
	tests/support/monkey.c \
	tests/support/monkey.h \
	tests/support/monkey_run.c \
	tests/support/monkey_run.h \
	tests/support/noise.c \
	tests/support/noise.h \
	tests/support/reference.c \
	tests/support/reference.h \
	tests/support/rows.c \
	tests/support/rows.h \
	tests/support/sample.c \
	tests/support/sample.h \
	tests/support/shared.c \
	tests/support/shared.h \
	tests/support/test.c \
	tests/support/test.h \
	tests/support/tier.c \
	tests/support/tier.h \
	tests/support/types.c \
	tests/support/types.h \
	tests/support/nt4_writer.c \
	tests/support/nt4_writer.h \
	tests/support/nt6_writer.c \
	tests/support/nt6_writer.h \
	tests/support/written.c \
	tests/support/written.h
SUPPORT_VTERM_SOURCES = \
	tests/support/pty.c \
	tests/support/pty.h

# Scripts: .sh is run by the shell, .py by Python 3. They find the program in $TNAV, the source
# tree in $srcdir, the build tree in the working directory.
SCRIPT_TESTS = \
	tests/check/cli.sh \
	tests/check/made.sh \
	tests/check/jobs.sh \
	tests/check/calls.py \
	tests/check/joined.py \
	tests/check/rotated.py \
	tests/check/tier.sh
PYTHON_TESTS = \
	tests/check/activities.py \
	tests/check/aggregates.py \
	tests/check/agree.py \
	tests/check/cells.py \
	tests/check/convert.py \
	tests/check/cut.py \
	tests/check/commands.py \
	tests/check/complete.py \
	tests/check/corners.py \
	tests/check/deltas.py \
	tests/check/derived.py \
	tests/check/memory.py \
	tests/check/features.py \
	tests/check/features_v6.py \
	tests/check/files.py \
	tests/check/follow.py \
	tests/check/follow_joined.py \
	tests/check/pipes.py \
	tests/check/filter_docs.py \
	tests/check/filter_generated.py \
	tests/check/filter_oracle.py \
	tests/check/gaps.py \
	tests/check/golden.py \
	tests/check/headers.py \
	tests/check/diagnose.py \
	tests/check/diff.py \
	tests/check/heap.py \
	tests/check/heph.py \
	tests/check/hostile_names.py \
	tests/check/input.py \
	tests/check/attach.py \
	tests/check/attach_several.py \
	tests/check/connections.py \
	tests/check/dotnet.py \
	tests/check/live.py \
	tests/check/record.py \
	tests/check/remote.py \
	tests/check/rooms.py \
	tests/check/rotate.py \
	tests/check/providers.py \
	tests/check/netperf2.py \
	tests/check/oracle.py \
	tests/check/origin.py \
	tests/check/outputs.py \
	tests/check/parity.py \
	tests/check/parquet_files.py \
	tests/check/prefixes.py \
	tests/check/readme.py \
	tests/check/screens.py \
	tests/check/samples.py \
	tests/check/sched.py \
	tests/check/reports.py \
	tests/check/reports_cases.py \
	tests/check/reports_full.py \
	tests/check/reports_truth.py \
	tests/check/sorting.py \
	tests/check/spans.py \
	tests/check/stacks.py \
	tests/check/names.py \
	tests/check/symbolpath.py \
	tests/check/switches.py \
	tests/check/symbols.py \
	tests/check/threads.py \
	tests/check/textsearch.py \
	tests/check/truth.py \
	tests/check/words.py

# Rules of the source text and of the build. They don't run the program, so a build with sanitizers
# leaves them out.
SOURCE_SCRIPT_TESTS = \
	tests/check/columns.sh \
	tests/check/configure.sh \
	tests/check/globals.sh \
	tests/check/includes.sh \
	tests/check/layers.sh
SOURCE_PYTHON_TESTS = \
	tests/check/circles.py \
	tests/check/dist.py

# Each defines LLVMFuzzerTestOneInput(); fuzz_X replays tests/fuzz/corpus/X/ in make check.
FUZZ_TARGETS = \
	tests/fuzz/fuzz_field \
	tests/fuzz/fuzz_filter \
	tests/fuzz/fuzz_filter_eval \
	tests/fuzz/fuzz_options \
	tests/fuzz/fuzz_spool \
	tests/fuzz/fuzz_text \
	tests/fuzz/fuzz_convert \
	tests/fuzz/fuzz_cut \
	tests/fuzz/fuzz_keys \
	tests/fuzz/fuzz_message \
	tests/fuzz/fuzz_changes \
	tests/fuzz/fuzz_nettrace4 \
	tests/fuzz/fuzz_nettrace6 \
	tests/fuzz/fuzz_netperf2 \
	tests/fuzz/fuzz_netperf3 \
	tests/fuzz/fuzz_heph \
	tests/fuzz/fuzz_script \
	tests/fuzz/fuzz_state \
	tests/fuzz/fuzz_elf \
	tests/fuzz/fuzz_perfmap \
	tests/fuzz/fuzz_calltree \
	tests/fuzz/fuzz_symbols \
	tests/fuzz/fuzz_activity \
	tests/fuzz/fuzz_reports \
	tests/fuzz/fuzz_spans \
	tests/fuzz/fuzz_value
tests_fuzz_fuzz_value_SOURCES = tests/fuzz/fuzz_value.c tests/support/reference.c

# What the scripts that look at the screen run: it needs libvterm.
SCREEN_TOOLS = \
	tests/support/cells

# What the viewer makes of fields.
FIELD_TOOLS = \
	tests/support/rowcells

# Filters with and without what is searched first.
SEARCH_TOOLS = \
	tests/support/textsearch

# The program with a heap that refuses.
HEAP_TOOLS = \
	tests/support/nomem
tests_support_nomem_SOURCES = tests/support/nomem.c $(MAIN_SOURCES)
tests_support_nomem_LDADD = $(TNAV_LIBS)

# Programs of make bench.
BENCH_TOOLS = \
	tests/bench/floor \
	tests/bench/index \
	tests/bench/make-trace \
	tests/bench/names \
	tests/bench/repeat-trace \
	tests/bench/ui-bench
tests_bench_floor_SOURCES = tests/bench/floor.c tests/bench/bytes.h
tests_bench_floor_LDADD =
tests_bench_index_LDADD = $(TNAV_LIBS)
tests_bench_make_trace_SOURCES = tests/bench/make_trace.c tests/bench/make_heph.c \
	tests/bench/make_heph.h tests/support/nt4_writer.c \
	tests/support/nt4_writer.h
tests_bench_make_trace_LDADD =
tests_bench_names_SOURCES = tests/bench/names.c tests/support/methods.c \
	tests/support/methods.h tests/support/nt4_writer.c tests/support/nt4_writer.h
tests_bench_names_LDADD = $(TNAV_LIBS)
tests_bench_repeat_trace_SOURCES = tests/bench/repeat_trace.c tests/bench/bytes.h \
	tests/support/nt4_writer.c tests/support/nt4_writer.h
tests_bench_repeat_trace_LDADD =
tests_bench_ui_bench_SOURCES = tests/bench/ui_bench.c tests/support/memterm.c \
	tests/support/memterm.h
tests_bench_ui_bench_LDADD = $(TNAV_LIBS)

# What tests read besides: files and whole directories.
TEST_FILES = \
	tests/check \
	tests/data \
	tests/support \
	tests/golden \
	tests/mutate \
	tests/bench/run \
	tests/bench/bench.py \
	tests/bench/make_heap.py \
	tests/bench/live.py \
	tests/bench/beside.py \
	tests/bench/reference/Program.cs \
	tests/bench/reference/reference.csproj \
	tests/fuzz/corpus \
	tests/fuzz/fuzz.h \
	tests/fuzz/fuzz_trace.h
