#!/usr/bin/env python3
"""Several files as one list: what is printed is a merge, made here, of what each file alone gives.

Events are merged by their ticks on the common clock, then by file, then by their row there. Filters,
windows, counts, gaps and what is derived (spans, roles, names, deltas) must follow from that.
"""
import collections
import itertools
import json
import os
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
    for p in (SPANS[:2], [SPANS[0], FEATURES[4]], [FEATURES[1], SPANS[2]]):
        clocks(p)
    refused(scratch)
    check.true("lists were compared", n >= 4)
    check.finish(200)


if __name__ == "__main__":
    sys.exit(main())
