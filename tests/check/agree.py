#!/usr/bin/env python3
"""The commands agree with each other, whatever the trace: sums of one are numbers of another, and
an event is the same line in time order and in the file's."""
import json
import math
import os

import check
from check import equal, true

LARGEST = 1 << 18
SMALL, LARGE = 8, 1     # traces of a sample
KEYS = ("row t ticks dur provider id version name event level keywords opcode pid tid "
        "threadIndex thread captureTid cpu seq stream substream activity related lost labels "
        "stack size crc raw payload undecoded error").split()


def no_constants(text):
    raise ValueError(f"{text} is no JSON")


def lines(path, command, *args):
    r = check.tnav(command, "--format", "jsonl", *args, path)
    return r.code, [json.loads(s, parse_constant=no_constants)
                    for s in r.out.decode("utf-8").split("\n") if s]


def total(rows, key):
    return sum(r[key] or 0 for r in rows)


def without_row(events):
    return sorted(json.dumps({k: v for k, v in e.items() if k != "row"}) for e in events)


def events_are_well_formed(name, events):
    equal(f"{name}: rows", [e["row"] for e in events], list(range(len(events))))
    for e in events:
        if list(e) != [k for k in KEYS if k in e]:
            check.fail(f"{name}: order of keys: {list(e)}")
        if e["size"] * 2 != len(e["raw"]):
            check.fail(f"{name}: row {e['row']}: size {e['size']}, {len(e['raw'])} hex digits")


def counts_agree(name, path, facts, events):
    tables = {c: lines(path, c)[1] for c in ("types", "threads", "gaps", "check")}
    stats = lines(path, "stats", "--by", "provider,id,name")[1]
    for what, rows in {**tables, "stats": stats}.items():
        if what in ("gaps", "check"):
            continue
        equal(f"{name}: events of {what}", total(rows, "events"), len(events))
        equal(f"{name}: bytes of {what}", total(rows, "bytes"), total(events, "size"))
    for what in ("types", "threads", "gaps"):
        if facts[what] is not None:
            equal(f"{name}: number of {what}", len(tables[what]), facts[what])
    equal(f"{name}: findings", len(tables["check"]), facts["findings"])
    for what, lost in (("gaps", total(tables["gaps"], "gap")),
                       ("threads", total(tables["threads"], "lost"))):
        equal(f"{name}: lost of {what}", lost, facts["lost"] or 0)
    unknown = {r[k] is None for r in tables["threads"] for k in ("lost", "gaps")}
    equal(f"{name}: losses are known", unknown or {facts["lost"] is None},
          {facts["lost"] is None})
    pids = {e.get("pid") for e in events}
    equal(f"{name}: processes", pids, {t["pid"] for t in tables["threads"] if t["events"] > 0}
          if tables["threads"] and "pid" in tables["threads"][0] else {None} & pids)
    if events:
        true(f"{name}: shares are one whole", math.isclose(total(stats, "share"), 1))
    told = [g for g in lines(path, "dump", "--gaps")[1] if "gap" in g]
    equal(f"{name}: gaps among the events", len(told), facts["gaps"] or 0)


def one(path):
    name = os.path.basename(path)
    code, facts = lines(path, "info")
    if code > 1:
        return
    facts = facts[0]
    with_bytes = ("--crc", "--raw")
    again, events = lines(path, "dump", *with_bytes)
    equal(f"{name}: exit code, clean", (again, facts["clean"]), (code, code == 0))
    equal(f"{name}: events", len(events), facts["events"])
    events_are_well_formed(name, events)
    counts_agree(name, path, facts, events)
    for args in ((), ("-f", "lost > 0"), ("-f", "size > 8 and not lost > 0")):
        by_time, by_file = (lines(path, "dump", *with_bytes, *args, "--order", order)[1]
                            for order in ("time", "file"))
        true(f"{name}: file order {args}", without_row(by_time) == without_row(by_file))


def main():
    check.need_tnav()
    own = check.all_data_traces(check.temp_dir())
    have = {check.stem(p) for p in own}
    more = [p for p in check.all_shared_traces() if check.stem(p) not in have]
    paths = own + [p for p in more if os.path.getsize(p) <= LARGEST]
    for path in check.check_traces(paths, SMALL, LARGE):
        one(path)
    check.finish(least=5 * SMALL)


if __name__ == "__main__":
    main()
