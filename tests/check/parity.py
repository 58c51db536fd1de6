#!/usr/bin/env python3
"""What the viewer counts is what the subcommands print.

For each trace and filter: the count in the title of the events, the rows of `tnav dump -f` and the
total of `tnav stats -f` are one number; the row that the viewer stands on after `last` is the last
of the dump. The filters fit every trace: those that name a thread or an event take it from the trace.
"""
import os
import re
import sys

import check
import screen

SIZE = (24, 120)
SAMPLE = 15             # pairs of a trace and a filter
SHARED = ("v4/net10-storm-drops.nettrace", "v4/net10-gc.nettrace", "v4/net10-activities-http.nettrace",
          "v6/perf-on-off-cpu.nettrace", "v6/perf-tracepoints-labels.nettrace",
          "heph/attributes-2workers.heph", "v3/netcore21-linux-x64.netperf")
FILTERS = (
    "size >= 0", "size in 10..1KiB", "not has stack", "has stack", "has activity", "has related",
    "lost > 0", "level <= warning", "level = informational or size = 0", "keywords has 0x1",
    "version = 0", "version != 0 and id in 1..100", "id in (1, 2, 3)", "row in 3..7", "row >= 5",
    "time >= 0s", "time < 2ms", "time in 1ms..100ms", "cpu = 0", "seq > 1", "opcode = 1", "dur > 1us",
    "provider ~ microsoft", "name ~ Start", "name ~ ^g", "not name ~ s", "thread ~ 1", "tid != 5",
    "activity under //1", "/=1/", "/(start|stop)$/ or size < 8",
)


def of_the_trace(path):
    """Filters of values that the trace has."""
    _, types = check.jsonl("types", path)
    _, threads = check.jsonl("threads", path)
    for t in sorted(types, key=lambda t: -t["events"])[:2]:
        name = t["name"].replace("\\", "\\\\").replace('"', '\\"')
        yield f'name = "{name}"'
    for t in sorted(threads, key=lambda t: -t["events"])[:1]:
        if t.get("tid") is not None:
            yield f"tid = {t['tid']}"
            yield f"tid != {t['tid']} and not lost > 0"


def rows_of(path, expression):
    """The rows of the dump, or None where the filter is refused."""
    r = check.tnav("dump", "--format", "tsv", "-e", "row", "-f", expression, path)
    if r.code not in (0, 1):
        return None
    return [int(x) for x in r.out.split() if x.isdigit()]


def number(text):
    return int(text.replace(",", ""))


def in_the_viewer(path, expression, last, scratch):
    """(count, total) in the title; the cursor comes to the row `last` or this fails."""
    script = os.path.join(scratch, "script")
    with open(script, "w", encoding="utf-8") as f:
        f.write(f"filter {expression}\nlast\n")
    env = {"XDG_STATE_HOME": "/dev/null/none", "XDG_CONFIG_HOME": "/dev/null/none"}
    title = re.compile(r"events  f: .* ([\d,]+) of ([\d,]+)(?: \([a-z ]+\))?$", re.M)
    with screen.Screen([check.TNAV, "-x", script, path], *SIZE, env=env) as s:
        text = s.wait_for(title.search, gone=("indexing", "counting"), what="the count")
        if last is not None:
            text = s.wait(f" row {last:,} ", gone=("searched",))
        shown = title.search(text)
        s.send("Q")
        check.equal(f"{path}: exit", s.finish(), 0)
    return number(shown[1]), number(shown[2])


def compare(path, expression, scratch):
    what = f"{os.path.basename(path)}: {expression}"
    rows = rows_of(path, expression)
    if rows is None:
        return
    _, stats = check.jsonl("stats", "--by", "provider", "-f", expression, path)
    check.equal(f"{what}: stats", sum(x["events"] for x in stats), len(rows))
    try:
        count, total = in_the_viewer(path, expression, rows[-1] if rows else None, scratch)
    except AssertionError as why:
        check.fail(f"{what}: {why}")
        return
    check.equal(f"{what}: viewer", count, len(rows))
    check.equal(f"{what}: all", total, len(rows_of(path, "size >= 0")))


def main():
    check.need_tnav()
    if not screen.available():
        print("skipped: needs libvterm")
        sys.exit(check.SKIP)
    scratch = check.temp_dir()
    data = [os.path.join(check.DATA, "features", f)
            for f in ("v4-dropped-events.nettrace", "v6-labels-all-kinds.nettrace")]
    data = [p for p in data if os.path.exists(p)] + [os.path.join(check.DATA, "demo.nettrace")]
    pairs = [(path, e) for path in data for e in (*FILTERS, *of_the_trace(path))]
    for name in SHARED:
        path = os.path.join(check.SHARED, "traces", name)
        if os.path.exists(path):
            pairs += [(path, e) for e in (*FILTERS[::5], *of_the_trace(path))]
    for path, expression in check.check_sample(pairs, SAMPLE):
        compare(path, expression, scratch)
    check.finish(least=SAMPLE)


if __name__ == "__main__":
    main()
