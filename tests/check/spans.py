#!/usr/bin/env python3
"""Spans by a second implementation, and by the reports of ../shared where they are.

tests/support/spanlang.py pairs the events of `dump --gaps` by the same rules and another table file.
Each span must be the same in every key, and so must the sums by name. The traces of tests/data/spans
have lost events on purpose: what is unmatched must name its gap.
"""
import collections
import os
import subprocess
import sys

import check
import nt6
import spanlang

KEYS = ("group", "provider", "name", "start", "dur", "tid", "stopTid", "activity", "state", "row",
        "stopRow", "self", "gap", "pid")
CUT = os.path.join(check.DATA, "spans")


def picked(s, keys=KEYS):
    return {k: s.get(k) for k in keys}


def compare(path):
    name = check.stem(path)
    _, lines = check.jsonl("dump", "--gaps", path)
    r, got = check.jsonl("spans", path)
    if not lines:
        check.equal(f"{name}: no spans of no events", got, [])
        return got
    if path.endswith(".heph"):
        want, keys = spanlang.native(lines), KEYS[:7] + KEYS[8:11]
    else:
        want, keys = spanlang.spans(lines), KEYS
    spans = [s for s in got if s["kind"] == "span"]
    check.equal(f"{name}: spans", len(spans), len(want))
    for ours, theirs in zip(spans, want):
        check.equal(f"{name}: span", picked(ours, keys), picked(theirs, keys))
    if not path.endswith(".heph"):
        sums = {(s["group"], s["provider"], s["name"]):
                {k: s[k] for k in ("states", "dur", "selfTotal")} for s in got if s["kind"] == "name"}
        check.equal(f"{name}: sums", sums, spanlang.names(want))
    # Where no span is asked for, sums are made as events are read.
    for jobs in ("-j1", "-j3"):
        _, alone = check.jsonl("spans", "--by-name", jobs, path)
        check.equal(f"{name}: sums alone {jobs}", alone, [s for s in got if s["kind"] == "name"])
    return spans


def nested(path):
    """An activity within one of its name: the runtime writes the outer stop without its id. The
    program gave each pair a number, which its start and its stop have in their payloads."""
    spans = compare(path)
    unsure(path, spans)
    threads(path)
    _, events = check.jsonl("dump", path)
    number = {e["row"]: e["payload"].get("id") for e in events}
    by_thread = [s for s in spans if s["matched"] == "startThread"]
    check.equal("numbers of the spans by thread", [number[s["row"]] for s in by_thread],
                [number[s["stopRow"]] for s in by_thread])
    check.equal("which are by thread", [number[s["row"]] for s in by_thread],
                [1000, 60] + 4 * [7])
    check.equal("others are by id", {s["matched"] for s in spans if s["dur"] and s not in by_thread},
                {"activity"})
    check.equal("stops that several starts fit, or starts of other threads",
                [number[s["stopRow"]] for s in spans if s["state"] == "orphanWithoutId"],
                [20, 10, 70, 100, 110, 120])
    check.equal("stops that began before the trace", [s for s in spans if s["state"] == "orphan"], [])
    check.equal("starts without a stop", [number[s["row"]] for s in spans if s["state"] == "open"],
                [10, 20, 80, 81, 90, 100, 110, 120])


def nested_thrice(path):
    """Three activities within each other, of one name: two starts fit two stops. The ones that come
    later on the thread are not doubtful for that. Starts and stops have the same number here, too."""
    spans = compare(path)
    threads(path)
    _, events = check.jsonl("dump", "-f", "provider = Num-Act", path)
    number = {e["row"]: e["payload"]["n"] for e in events}
    pairs = [s for s in spans if s["row"] in number and s["state"] == "paired"]
    check.equal("numbers of pairs", [number[s["row"]] for s in pairs],
                [number[s["stopRow"]] for s in pairs])
    check.equal("how many are by thread", sum(s["matched"] == "startThread" for s in pairs), 47)
    thrice = [3000, 3001] + [10000 * t + 2000 + 10 * k + i
                             for t in range(1, 5) for k in range(5) for i in (0, 1)]
    threads_change = [8000] + list(range(90000, 90060, 10))
    check.equal("starts without a stop",
                sorted(number[s["row"]] for s in spans if s["state"] == "open"),
                sorted(thrice + threads_change))


def threads(path):
    """The same bytes with any number of threads, and of the lines and the rows of text."""
    name = check.stem(path)
    one, two = (check.tnav("spans", "--format", "jsonl", "-j", j, path).out for j in "14")
    check.equal(f"{name}: -j 1 and -j 4", one == two, True)
    text = check.tnav("spans", "--list", path).out.decode().splitlines()
    lines = one.decode().splitlines()
    check.equal(f"{name}: rows of --list", len(text) - 1,
                sum('"kind":"span"' in s[:16] for s in lines))


def narrowed(path):
    """A filter and a window choose spans by the event that begins them."""
    name = check.stem(path)
    _, all_ = check.jsonl("spans", path)
    spans = [s for s in all_ if s["kind"] == "span"]
    for tid in sorted({s["tid"] for s in spans if s["tid"]})[:3]:
        _, got = check.jsonl("spans", "-f", f"tid = {tid}", path)
        want = [s for s in spans if (s["stopTid"] if s["row"] is None else s["tid"]) == tid]
        check.equal(f"{name}: -f tid = {tid}", [s for s in got if s["kind"] == "span"], want)
    _, got = check.jsonl("spans", "--by-name", "--by", "tid", path)
    check.equal(f"{name}: --by tid counts all", sum(sum(s["states"].values()) for s in got),
                len(spans))


def unsure(path, spans):
    """The message counts what has no sure duration, by the reason."""
    states = collections.Counter(s["state"] for s in spans)
    told = check.tnav("spans", path).err.decode()
    for n, words in ((states["open"], " whose end is not found"),
                     (states["replaced"], " followed by another start"),
                     (states["orphan"], " that began before the trace"),
                     (states["orphanWithoutId"], " stops without an activity id of their own"),
                     (sum(s["matched"] == "startThread" for s in spans), " paired by thread"),
                     (states["lostInGap"] + states["orphanAfterGap"], " whose other end may be"),
                     (sum(s["state"] == "paired" and "gap" in s for s in spans), " doubtful")):
        check.true(f"{path}: {n:,}{words}: {told}",
                   f" {n:,}{words}" in told if n else words not in told)


def grown(path):
    """Of a file that is still being written: each time the spans of what it holds."""
    whole = check.read(path)
    part = os.path.join(check.temp_dir(), "part" + os.path.splitext(path)[1])
    for share in (0.2, 0.5, 0.9):
        with open(part, "wb") as f:
            f.write(whole[:int(len(whole) * share)])
        compare(part)


def bucket(ns):
    """Of 0, 1, 2, 5, 10, 20, 50 ... ns."""
    ends = [d * 10 ** e for e in range(14) for d in (1, 2, 5)]
    return sum(ns >= e for e in ends)


def sorted_and_cut(path):
    """--sort and --top of both tables, and the histogram, from the list of spans."""
    name = check.stem(path)
    _, all_ = check.jsonl("spans", path)
    spans = [s for s in all_ if s["kind"] == "span"]
    longest = sorted((s for s in spans if s["dur"] is not None), key=lambda s: -s["dur"])
    _, got = check.jsonl("spans", "--list", "--top", "5", path)
    want = [s["dur"] for s in longest[:5]] + [None] * len(spans)
    check.equal(f"{name}: the longest", [s["dur"] for s in got], want[:min(5, len(spans))])
    _, got = check.jsonl("spans", "--list", "--sort", "dur:asc", path)
    check.equal(f"{name}: by dur", [s["dur"] for s in got if s["dur"] is not None],
                [s["dur"] for s in reversed(longest)])
    names = {(s["group"], s["provider"], s["name"]) for s in spans}
    _, got = check.jsonl("spans", "--by-name", "--sort", "count", "--top", "3", "-e",
                         "group,provider,name,count,histogram", path)
    counts = [sum((s["group"], s["provider"], s["name"]) == n for s in spans) for n in names]
    check.equal(f"{name}: counts", [n["count"] for n in got], sorted(counts, reverse=True)[:3])
    if not longest:
        return
    low, high = bucket(longest[-1]["dur"]), bucket(longest[0]["dur"])
    for n in got:
        want = [0] * (high - low + 1)
        for s in longest:
            if all(s[k] == n[k] for k in ("group", "provider", "name")):
                want[bucket(s["dur"]) - low] += 1
        check.equal(f"{name}: histogram of {n['name']}", n["histogram"],
                    want if any(want) else None)


def a_span_of_each_range():
    """The ranges of a histogram begin at 1, 2 and 5 times each power of ten, the last at 10,000 s."""
    kinds = [nt6.row(n, "Microsoft-Windows-DotNETRuntime", n, name, nt6.fields(("Count", nt6.type_(nt6.U32))))
             for n, name in ((1, "GCStart"), (2, "GCEnd"))]
    begins = [n * 10**k for k in range(13) for n in (1, 2, 5)] + [10**13]
    durations = begins + [n - 1 for n in begins[1:]]
    of = [nt6.event(kind, seq, 1, ticks, nt6.u32(n)) for n, dur in enumerate(durations)
          for kind, seq, ticks in ((1, 1 if n else 0, 1), (2, 1, dur))]
    path = os.path.join(check.temp_dir(), "ranges.nettrace")
    with open(path, "wb") as f:
        f.write(nt6.trace([nt6.threads(nt6.thread(1, nt6.thread_id(7))), nt6.metadata(*kinds), nt6.events(of)]))
    r = check.tnav("spans", "--format", "tsv", "-e", "count,histogram", path)
    check.equal("a span of each range", r.out.decode().split()[2:],
                [str(len(durations)), str([2] * 39 + [1]).replace(" ", "")])


def fields(path):
    """dur and the like of events: the same in filters, printed, and counted."""
    name = check.stem(path)
    _, lines = check.jsonl("dump", "--gaps", path)
    first, ends = {}, {}
    for s in spanlang.spans(lines):
        if s["row"] is not None:
            first.setdefault(s["row"], []).append(s)
            ends.setdefault(s["stopRow"], []).append(s)
    durs = sorted(s["dur"] for of in first.values() for s in of if s["dur"] is not None)
    for bound in {durs[len(durs) * n // 10] for n in (0, 5, 9)} if durs else ():
        want = {r for r, of in first.items() if any((s["dur"] or -1) > bound for s in of)}
        for order in ("time", "file"):
            _, got = check.jsonl("dump", "-f", f"dur > {bound}ns", "--order", order, "-e",
                                 "row,seq,t", path)
            check.equal(f"{name}: dur > {bound}ns by {order}", len(got), len(want))
            if order == "time":
                check.equal(f"{name}: rows of dur > {bound}ns", {e["row"] for e in got}, want)
        _, got = check.jsonl("stats", "-f", f"dur > {bound}ns", path)
        check.equal(f"{name}: stats of dur > {bound}ns", sum(s["events"] for s in got), len(want))
    _, got = check.jsonl("dump", "-e", "row,dur,self,span.name,span.state,span.depth,stop.dur", path)
    for e in got:
        of = sorted(first.get(e["row"], ()), key=lambda s: (s["dur"] is None, -(s["dur"] or 0)))
        if of and (len(of) == 1 or of[0]["dur"] != of[1]["dur"]):
            check.equal(f"{name} row {e['row']}", [e.get(k) for k in (
                "dur", "self", "span.name", "span.state", "span.depth")],
                [of[0][k] for k in ("dur", "self", "group", "state", "depth")])
        longest = max((s["dur"] for s in ends.get(e["row"], ())), default=None)
        check.equal(f"{name} row {e['row']}: stop.dur", e.get("stop.dur"), longest)


def labels(path):
    """span.label, and the label of tnav spans, from the templates and the payloads."""
    name = check.stem(path)
    _, got = check.jsonl("spans", "--list", "-e", "kind,group,provider,name,row,stopRow,label", path)
    got = [s for s in got if s["kind"] == "span"]
    _, events = check.jsonl("dump", "--enums", path)
    longest = {}
    for s, want in zip(got, spanlang.labels(got, events)):
        if len(want) < 1000:
            check.equal(f"{name} row {s.get('row')}: label", s["label"], want)
        longest.setdefault(s.get("row"), set()).add(s["label"])
    _, dumped = check.jsonl("dump", "-e", "row,span.label", path)
    for e in dumped:
        label = e.get("span.label")
        check.true(f"{name} row {e['row']}: span.label {label!r}",
                   label in longest[e["row"]] if e["row"] in longest else label is None)
    some = sorted({s["label"] for s in got if s.get("row") is not None and s["label"].isascii()})
    for label in check.check_sample(some, 3) if some else ():
        quoted = "'" + label.replace("'", "") + "'"
        if "'" in label or "\\" in label:
            continue
        _, hits = check.jsonl("dump", "-e", "row", "-f", f"span.label = {quoted}", path)
        check.equal(f"{name}: {quoted}", {e["row"] for e in hits},
                    {s.get("row") for s in got if s["label"] == label and s.get("row") is not None})
    return len(got)


def reports():
    tool = os.path.join(check.SHARED, "tools", "compare_report.py")
    folder = os.path.join(check.SHARED, "oracle", "reports", "spans")
    if not os.path.exists(tool) or not os.path.isdir(folder):
        print("no ../shared: its reports are left out")
        return
    where = {os.path.basename(p): p for p in check.all_shared_traces()}
    where.update({f: os.path.join(CUT, f) for f in os.listdir(CUT)})
    scratch = check.temp_dir()
    for report in check.check_sample(sorted(os.listdir(folder)), 4):
        trace = where[report.removesuffix(".zst").removesuffix(".jsonl")]
        ours = os.path.join(scratch, "ours.jsonl")
        with open(ours, "wb") as f:
            f.write(check.tnav("spans", "--format", "jsonl", trace).out)
        done = subprocess.run([sys.executable, tool, "spans", ours, os.path.join(folder, report)],
                              capture_output=True, timeout=check.WATCHDOG_S)
        check.equal(f"{report}: {done.stdout.decode()}", done.returncode, 0)


def main():
    check.need_tnav()
    demo = os.path.join(check.DATA, "demo.nettrace")
    cut = [os.path.join(CUT, f) for f in sorted(os.listdir(CUT)) if f.endswith(".nettrace")]
    for path in cut:
        spans = compare(path)
        unmatched = [s for s in spans if s["state"] != "paired"]
        lost = [s for s in unmatched if s["state"] in ("lostInGap", "orphanAfterGap")]
        check.true(f"{path}: each that was lost names its gap", all("gap" in s for s in lost))
        check.true(f"{path}: something was lost", lost or any("gap" in s for s in spans))
        unsure(path, spans)
        threads(path)
    nested(os.path.join(CUT, "nested.nettrace.zst"))
    nested_thrice(os.path.join(CUT, "nested-thrice.nettrace.zst"))
    others = [demo] + check.all_data_traces(check.temp_dir()) + check.all_shared_traces()
    for path in check.check_traces(others, 5, 2):
        compare(path)
    for path in cut + check.check_sample([p for p in others if not p.endswith(".heph")], 3):
        fields(path)
    for path in cut + [demo] + check.check_sample([p for p in others if not p.endswith(".heph")], 2):
        labels(path)
    for path in cut + [demo] + check.check_sample(others, 2):
        sorted_and_cut(path)
    for path in (demo, cut[0], cut[3]):
        grown(path)
    narrowed(cut[0])
    narrowed(demo)
    threads(demo)
    reports()
    a_span_of_each_range()
    check.finish(500)


main()
