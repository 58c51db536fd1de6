#!/usr/bin/env python3
"""Several files as one list: what is printed is a merge, made here, of what each file alone gives.

Events are merged by their ticks on the common clock, then by file, then by their row there. Filters,
windows, counts, gaps and what is derived (spans, roles, names, deltas) must follow from that.
"""
import collections
import itertools
import json
import os
import re
import sys

import check

SPANS = [os.path.join(check.DATA, "spans", n) for n in (
    "cut-gc.nettrace", "cut-http.nettrace", "cut-exceptions.nettrace", "cut-contention.nettrace", "cut-jit.nettrace")]
FEATURES = [os.path.join(check.DATA, "features", n) for n in (
    "v3-stacks-and-activities.netperf", "v4-activity-ids.nettrace", "v4-dropped-events.nettrace",
    "v5-metadata-tags.nettrace", "v6-labels-all-kinds.nettrace", "v6-dropped-events.nettrace",
    "v6-equal-timestamps.nettrace", "v6-stacks-64bit.nettrace", "v6-out-of-order-threads.nettrace",
    "v6-labels-reused-after-sequence-point.nettrace", "v6-thread-index-reused.nettrace")]
MADE = "row,ticks,name,tid,dur,span.name,span.label,stop.dur,thread.role,process,delta,stack.method"
OWN = ("row", "t", "ticks", "file", "source")
PAIRS = 12
MOST = 256


def clock(path):
    r = check.jsonl("info", path)[1][0]
    return r["tickFrequency"]


def alone(path, *args):
    return check.jsonl("dump", *args, path)[1]


def merge(files, *args):
    """(ticks, source, row there, event) of all events, in the order of the list."""
    out = []
    for i, f in enumerate(files):
        out += [(e["ticks"], i, e["row"], e) for e in alone(f, *args)]
    return sorted(out, key=lambda x: x[:3])


def without(e):
    return {k: v for k, v in e.items() if k not in OWN}


def same_list(what, files, got, want):
    check.equal(f"{what}: events", len(got), len(want))
    for row, (e, (ticks, source, _, own)) in enumerate(zip(got, want)):
        check.equal(f"{what}: place of row {row}", (e["row"], e["ticks"], e["source"], e["file"]),
                    (row, ticks, source, files[source]))
        check.equal(f"{what}: row {row}", without(e), without(own))


def compare(files):
    """By ticks, with any number of workers, filters, windows, and counts."""
    what = " ".join(map(check.stem, files))
    want = merge(files)
    if not want or len({clock(f) for f in files}) > 1:
        return 0
    align = ("--align", "ticks")
    r, got = check.jsonl("dump", *align, *files)
    same_list(what, files, got, want)
    for workers in ("-j1", "-j5"):
        check.true(f"{what} {workers}", check.tnav("dump", *align, workers, "--format", "jsonl", *files).out == r.out)
    times = [e["t"] for e in got]
    for e, (_, source, _, own) in zip(got, want):
        if source == 0:
            check.equal(f"{what}: t of row {e['row']}", e["t"], own["t"])
    check.equal(f"{what}: times are in order", times, sorted(times))
    filtered(what, align, files, got)
    counted(what, align, files, got)
    gaps(what, align, files, got)
    return 1


def rows(*args):
    return [e["row"] for e in check.jsonl("dump", "-e", "row", *args)[1]]


def filtered(what, align, files, got):
    name = got[len(got) // 2]["name"]
    for text, chosen in (
            (f"name = {json.dumps(name)}", lambda e: e["name"] == name),
            ("source = 1", lambda e: e["source"] == 1),
            (f"file = {json.dumps(files[0])} and size > 20",
             lambda e: e["file"] == files[0] and e["size"] > 20),
            ("source > 0 or size < 10", lambda e: e["source"] > 0 or e["size"] < 10),
            ("/1/ and row >= 3", None)):
        have = rows("-f", text, *align, *files)
        if chosen:
            check.equal(f"{what}: {text}", have, [e["row"] for e in got if chosen(e)])
        check.equal(f"{what}: {text}: in any order", sum(
            r["events"] for r in check.jsonl("stats", "-f", text, *align, *files)[1]), len(have))
    start, end = got[len(got) // 4]["t"], got[len(got) * 3 // 4]["t"]
    if 0 <= start < end:
        check.equal(f"{what}: --from --to", rows("--from", f"{start}ns", "--to", f"{end}ns", *align, *files),
                    [e["row"] for e in got if start <= e["t"] < end])
    check.equal(f"{what}: -n", rows("-n", "5", *align, *files), [e["row"] for e in got[:5]])
    own = check.tnav("dump", "--format", "csv", "-e", "t", *align, *files).out.decode().splitlines()
    check.equal(f"{what}: -e", own[:2], ["file,source,t", ",".join(
        [files[got[0]["source"]], str(got[0]["source"]), str(got[0]["t"])])])
    table = check.tnav("dump", "--format", "tsv", *align, *files).out.decode("utf-8", "replace").split("\n")
    titles, first = table[0].split("\t"), table[1].split("\t")
    check.equal(f"{what}: columns of TSV", titles[:3], ["file", "source", "row"])
    check.equal(f"{what}: seq in TSV", first[titles.index("seq")] if "seq" in titles else "",
                str(got[0].get("seq", "")))


def counted(what, align, files, got):
    want = collections.Counter((e["source"], e["name"]) for e in got)
    have = {(r["source"], r["name"]): r["events"]
            for r in check.jsonl("stats", "--by", "source,name", *align, *files)[1]}
    check.equal(f"{what}: stats --by source,name", have, dict(want))
    for command, least in (("types", 1), ("threads", 1)):
        joined = [(r["file"], r["events"], r["bytes"]) for r in check.jsonl(command, *align, *files)[1]]
        each = [(r["file"], r["events"], r["bytes"]) for r in check.jsonl(command, "--each", *files)[1]]
        check.equal(f"{what}: {command}", sorted(joined), sorted(each))
        check.true(f"{what}: {command} are some", len(joined) >= least)


def gaps(what, align, files, got):
    key = lambda g: json.dumps([g["file"], g["gap"], g.get("tid"), g.get("threadIndex"), g["life"], g["why"],
                                g["to"] - g["from"]])
    joined = check.jsonl("gaps", *align, *files)[1]
    each = check.jsonl("gaps", "--each", *files)[1]
    check.equal(f"{what}: gaps", sorted(map(key, joined)), sorted(map(key, each)))
    check.equal(f"{what}: gaps are in order", [g["from"] for g in joined], sorted(g["from"] for g in joined))
    for g in joined:
        if g["after"] is not None:
            e = got[g["after"]]
            check.equal(f"{what}: the event before a gap", (e["source"], e.get("tid"), e["t"] <= g["from"]),
                        (g["source"], g.get("tid"), True))


def derived(files):
    """Spans, roles, names of code and deltas of each source are those that it has alone."""
    what = " ".join(map(check.stem, files))
    want = merge(files, "-e", MADE)
    got = check.jsonl("dump", "--align", "ticks", "-e", MADE, *files)[1]
    check.equal(f"{what}: rows", len(got), len(want))
    made = 0
    for e, (_, source, _, own) in zip(got, want):
        check.equal(f"{what}: derived of {source}", without(e), without(own))
        made += "dur" in own
    # The same trace twice: each has its own threads and activities, though all ids are equal.
    for text in ("dur > 1ms", "activity within //1/1", "has activity", "thread.role = main", "stack.method ~ o"):
        one = rows("-f", text, files[0])
        twice = [e for e in check.jsonl("dump", "-e", "row,file,source", "-f", text, files[0], files[0])[1]]
        check.equal(f"{check.stem(files[0])} twice: {text}", [e["row"] for e in twice],
                    sorted([2 * r for r in one] + [2 * r + 1 for r in one])
                    if all_different(files[0]) else [e["row"] for e in twice])
        check.equal(f"{check.stem(files[0])} twice: {text}: of each", len(twice), 2 * len(one))
    return made


def all_different(path):
    ticks = [e["ticks"] for e in alone(path)]
    return len(set(ticks)) == len(ticks)


REPORTS = ("summary", "gc", "allocs", "heap", "exceptions", "contention", "jit", "loader", "threadpool",
           "requests", "tasks", "counters", "samples", "cpu", "switches")
# What is a time in the rows of a kind; the same names are counts and values in others.
TIMES = collections.defaultdict(lambda: ("t", "start", "pauseStart", "scheduled", "pauses", "from", "to"), {
    "exception": ("t", "start", "caught", "from", "to"), "load": ("t", "unloaded", "from", "to"),
    "jit": ("t", "start", "end", "from", "to"), "diagnosis": ("since", "until"), "series": ("t",)})
SPAN = ("first", "last")	# of kinds that are groups, if their rows have times
ROWS = ("row", "stopRow", "startRow", "after")


def number_key(report):
    return "sourceNumber" if report in ("allocs", "exceptions", "counters") else "source"


def seconds(text):
    """The times in a text, and the text without them."""
    return [float(t) for t in re.findall(r"(-?[\d.]+) s\b", text)], re.sub(r"-?[\d.]+ s\b", "", text)


def moved(value, shift, rows, times, key=None):
    """A value of a trace alone, in the times and rows of the list."""
    if isinstance(value, dict):
        return {k: moved(v, shift, rows, times, k) for k, v in value.items()}
    if isinstance(value, list):
        return [moved(v, shift, rows, times, key) for v in value]
    if isinstance(value, int) and not isinstance(value, bool):
        if key in times:
            return value + shift
        if key in ROWS:
            return rows[value]
    return value


def in_order(lists):
    """The rows of several lists. Kinds follow each other; those that alternate are a group; in it, by time."""
    kinds, together = [], set()
    for rows_of in lists:
        last = -1
        for kind, _ in itertools.groupby(r["kind"] for r in rows_of):
            if kind not in kinds:
                kinds.insert(last + 1, kind)
                if last >= 0 and (kinds[last], kinds[last + 2] if last + 2 < len(kinds) else None) in together:
                    together |= {(kinds[last], kind), (kind, kinds[last + 2])}
                last += 1
                continue
            at = kinds.index(kind)
            together |= set(zip(kinds[at:last], kinds[at + 1:last + 1]))
            last = at
    group, of = 0, {}
    for i, kind in enumerate(kinds):
        group += i > 0 and (kinds[i - 1], kind) not in together
        of[kind] = group
    out = []
    for i, rows_of in enumerate(lists):
        least = {}
        for n, r in enumerate(rows_of):
            g, time = of[r["kind"]], r.get("start", r.get("t"))
            if isinstance(time, int):
                least[g] = max(least.get(g, time), time)
            out.append((g, least.get(g, -2 ** 63), i, n, r))
    return [(x[2], x[4]) for x in sorted(out, key=lambda x: x[:4])]


def places(files, got):
    """For each source: what is added to its times, and the row in the list of each of its rows."""
    out = []
    for i, f in enumerate(files):
        own = alone(f, "-e", "row,t")
        mine = [e for e in got if e["source"] == i]
        out.append((mine[0]["t"] - own[0]["t"] if own else 0, [e["row"] for e in mine]))
    return out


def reports(files, names=REPORTS):
    """Each source has the rows that it has alone, of some events too, and the rows of all are in order."""
    what = " ".join(map(check.stem, files))
    got = check.jsonl("dump", "--align", "ticks", "-e", "row,t,source", *files)[1]
    place, n = places(files, got), 0
    some = check.check_sample([(report, "-f", "size > 20") for report in names], 3)
    for report, *which in [(report,) for report in names] + some:
        lists = []
        if report == "heap" and len(files) == 2:
            continue	# the second is compared with the first
        for f, (shift, rows_of) in zip(files, place):
            spans = SPAN if report in ("allocs", "exceptions") else ()
            lists.append([moved(r, shift, rows_of, TIMES[r["kind"]] + spans)
                          for r in check.jsonl(report, *which, f)[1]])
        want = in_order(lists)
        have = check.jsonl(report, "--align", "ticks", *which, *files)[1]
        number, of = number_key(report), " ".join((report, *which))
        check.equal(f"{what}: {of}: sources", [(r[number], r["kind"]) for r in have],
                    [(source, r["kind"]) for source, r in want])
        for r, (source, own) in zip(have, want):
            check.equal(f"{what}: {of}: file", r["file"], files[source])
            own = {k: v for k, v in own.items() if k not in ("file", number)}
            r = {k: v for k, v in r.items() if k not in ("file", number)}
            if report == "summary":	# its evidence is a filter of the list, its window that of the list
                own.pop("evidence", None), r.pop("evidence", None)
            if r.get("what") == "window":	# in words: both times, rounded to ms
                joined_times, r["remark"] = seconds(r["remark"])
                own_times, own["remark"] = seconds(own["remark"])
                check.equal(f"{what}: {of}: times of a window", (len(joined_times), len(own_times)), (2, 2))
                check.true(f"{what}: {of}: window of {source}", all(
                    abs(a - b - place[source][0] / 1e9) < 0.0011 for a, b in zip(joined_times, own_times)))
            check.equal(f"{what}: {of}: a {own['kind']} of {source}", r, own)
        n += len(have)
    return n


def spans_and_activities(files):
    what = " ".join(map(check.stem, files))
    got = check.jsonl("dump", "--align", "ticks", "-e", "row,t,source", *files)[1]
    place = places(files, got)
    for command in (("spans", "--list"), ("spans", "--by-name"), ("activities",)):
        have = check.jsonl(command[0], *command[1:], "--align", "ticks", *files)[1]
        for i, f in enumerate(files):
            own = [moved(r, *place[i], TIMES[""] + SPAN) for r in check.jsonl(command[0], *command[1:], f)[1]
                   if r["kind"] != "summary"]
            mine = [{k: v for k, v in r.items() if k not in ("file", "source")} for r in have
                    if r.get("source") == i]
            key = lambda r: json.dumps(r, sort_keys=True)
            check.equal(f"{what}: {command} of {i}", sorted(mine, key=key),
                        sorted(({k: v for k, v in r.items() if k != "file"} for r in own), key=key))
        if command[-1] == "--list":
            starts = [r["start"] for r in have if r.get("start") is not None]
            check.equal(f"{what}: spans are in order", starts, sorted(starts))


def folded(files):
    """One profile: what both weigh, by the names of frames."""
    want = collections.Counter()
    for f in files:
        for line in check.tnav("stacks", "--fold", f).out.decode().splitlines():
            want[line.rpartition(" ")[0]] += int(line.rpartition(" ")[2])
    got = check.tnav("stacks", "--fold", *files).out.decode().splitlines()
    check.equal(f"stacks of {len(files)}", {x.rpartition(" ")[0]: int(x.rpartition(" ")[2]) for x in got}, dict(want))


def clocks(files):
    """Aligned otherwise, the ticks of a source differ by one number."""
    what = " ".join(map(check.stem, files))
    a, b = (check.jsonl("info", f)[1][0] for f in files)
    if a["tickFrequency"] != 10 ** 9 or b["tickFrequency"] != 10 ** 9:
        return
    rows_a, rows_b = alone(files[0]), alone(files[1])

    def shift(*align):
        got = check.jsonl("dump", *align, *files)[1]
        apart = {e["ticks"] - o["ticks"] for e, o in zip([e for e in got if e["source"] == 1], rows_b)}
        check.equal(f"{what} {align}: A stays", [e["ticks"] for e in got if e["source"] == 0],
                    [e["ticks"] for e in rows_a])
        check.equal(f"{what} {align}: one distance", len(apart), 1)
        check.equal(f"{what} {align}: in order", [e["t"] for e in got], sorted(e["t"] for e in got))
        return apart.pop()

    check.equal(f"{what}: ticks", shift("--align", "ticks"), 0)
    check.equal(f"{what}: start", shift("--align", "start"), rows_a[0]["ticks"] - rows_b[0]["ticks"])
    auto = shift()
    check.equal(f"{what}: a shift", shift("--align", "+1.5ms"), auto + 1500000)
    check.equal(f"{what}: ticks and a shift", shift("--align", "ticks,-2us"), -2000)
    utc = shift("--align", "utc")
    check.true(f"{what}: ticks of one boot, else UTC", auto == (0 if abs(utc) <= 20000000 else utc))


def told(files):
    """What info says of the clocks: where the second file begins in the list."""
    what = " ".join(map(check.stem, files))
    for align, word in (((), None), (("--align", "start,+2ms"), "start"), (("--align", "utc"), "utc"),
                        (("--align", "ticks"), "ticks")):
        first, second = (min(e["t"] for e in check.jsonl("dump", *align, *files)[1] if e["source"] == i) for i in (0, 1))
        one, two = check.jsonl("info", *align, *files)[1]
        check.equal(f"{what} {align}: the first file", (one["clock"], one["begins"]), (None, None))
        check.true(f"{what} {align}: begins", abs(two["begins"] - (second - first)) <= 1)
        check.true(f"{what} {align}: by {two['clock']}", two["clock"] == (word or two["clock"]) or word == "utc")
        page = check.tnav("info", *align, *files).out.decode()
        check.equal(f"{what} {align}: page", [w in page for w in ("by ticks", "by UTC", "by its first event")],
                    [two["clock"] == w for w in ("ticks", "utc", "start")])
    check.equal(f"{what}: one file", "together" in check.tnav("info", files[0]).out.decode(), False)


def refused(scratch):
    gc, http = SPANS[:2]
    for align in ("", "tick", "ticks,utc", "1ms", "+1ms,+2ms", "+"):
        r = check.tnav("dump", "--align", align, gc, http)
        check.equal(f"--align '{align}'", (r.code, r.out), (2, b""))
    check.equal("--align of one file", check.tnav("dump", "--align", "ticks", gc).code, 2)
    # What cannot be one list is printed one after the other.
    heph = next(p for p in check.all_data_traces(scratch) if p.endswith(".heph"))
    r = check.tnav("stats", "--format", "jsonl", gc, heph)
    check.equal("Heph and .NET", {x["file"] for x in r.lines()}, {gc, heph})
    check.true("a note says so", b"one after the other" in r.err)
    # A file that cannot be opened takes no other with it, and damage counts.
    missing = os.path.join(scratch, "missing.nettrace")
    r, got = check.jsonl("dump", gc, missing, http)
    check.equal("a missing file: exit code", r.code, 2)
    check.equal("a missing file: the others", {e["file"] for e in got}, {gc, http})
    cut = os.path.join(scratch, "cut.nettrace")
    with open(gc, "rb") as f, open(cut, "wb") as out:
        out.write(f.read()[:-40])
    r = check.tnav("dump", http, cut)
    check.equal("a damaged file: exit code", r.code, 1)
    check.true("... is named", b"cut.nettrace: offset" in r.err and b"cut-http.nettrace: offset" not in r.err)
    # As many as can be joined; more are printed one after the other.
    one = check.jsonl("stats", "--by", "source", FEATURES[1])[1][0]["events"]
    r, got = check.jsonl("stats", "--by", "source", "--top", "999", *[FEATURES[1]] * MOST)
    check.equal("the most files", (r.code, sorted((x["source"], x["events"]) for x in got)),
                (0, [(i, one) for i in range(MOST)]))
    r, got = check.jsonl("stats", "--by", "source", *[FEATURES[1]] * (MOST + 1))
    check.equal("one more", (r.code, [x["source"] for x in got]), (0, [0] * (MOST + 1)))
    r = check.tnav("dump", "-o", cut, http, cut)
    check.equal("a trace is not replaced", (r.code, os.path.getsize(cut) > 0), (3, True))
    r = check.tnav("dump", "-e", "nosuch", gc, http)
    check.equal("a field of no file", (r.code, r.err.count(b"nosuch")), (2, 1))
    check.equal("a field of one file", check.tnav("dump", "-f", "LockID > 0", gc, SPANS[3]).code, 0)


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    pairs = list(itertools.permutations(SPANS, 2)) + list(itertools.permutations(FEATURES, 2))
    n = sum(compare(list(p)) for p in check.check_sample(pairs, PAIRS))
    n += compare(SPANS) + compare(FEATURES[1:4]) + compare(SPANS[:1] * 3)
    made = derived(SPANS[:2]) + derived(SPANS[1::-1])
    check.true("spans were compared", made > 10)
    n_reports = sum(reports(list(p)) for p in check.check_sample(list(itertools.permutations(SPANS, 2)), 3))
    for p in (SPANS[:2], SPANS[1::-1], [SPANS[1], SPANS[1]], SPANS):
        spans_and_activities(p)
    folded(SPANS[:2])
    n_reports += reports(SPANS) + reports(SPANS[:1] * 2, ("gc", "summary"))
    check.true("rows of reports were compared", n_reports > 50)
    for p in (SPANS[:2], [SPANS[0], FEATURES[4]], [FEATURES[1], SPANS[2]]):
        clocks(p)
        told(p)
    refused(scratch)
    check.true("lists were compared", n >= 4)
    check.finish(200)


if __name__ == "__main__":
    sys.exit(main())
