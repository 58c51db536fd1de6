#!/usr/bin/env python3
"""The field delta by a second implementation, over the JSON lines of whole traces.

The time of an event less that of the event before it of the same thread, in the order of rows. It
must be the same as a column, in a filter, as a key and in sums, with any number of workers, and in a
part of the rows as in all of them.
"""
import collections

import check

SMALL, LARGE = 6, 2         # traces of a sample
KNOWN_LEAST = 40            # differences of a trace that is of use
KEYS_MOST = 10000


def deltas(rows):
    """By row; None where a thread begins."""
    last, out = {}, []
    for e in rows:
        who = (e.get("pid"), e.get("tid"))
        out.append(e["t"] - last[who] if who in last else None)
        last[who] = e["t"]
    return out


def rows_of(path, *args):
    r = check.tnav("dump", "--format", "tsv", "-e", "row", *args, path)
    return [int(x) for x in r.out.split()[1:]]


def compare(path):
    name = check.stem(path)
    _, rows = check.jsonl("dump", "-e", "row,t,pid,tid,name,delta", path)
    want = deltas(rows)
    for e, d in zip(rows, want):
        check.equal(f"{name} row {e['row']}: delta", e.get("delta"), d)
    known = sorted(d for d in want if d is not None)
    if len(known) < KNOWN_LEAST:
        return 0
    cut = max(0, known[len(known) * 9 // 10])
    more = [e["row"] for e, d in zip(rows, want) if d is not None and d > cut]
    for workers in ("-j1", "-j2", "-j7"):
        check.equal(f"{name} {workers}: delta > {cut}",
                    rows_of(path, workers, "-f", f"delta > {cut}ns"), more)
    middle = len(rows) // 2
    check.equal(f"{name}: from a row on",
                rows_of(path, "-f", f"delta > {cut}ns and row >= {middle}"),
                [r for r in more if r >= middle])
    check.equal(f"{name}: not has", rows_of(path, "-f", "not has delta"),
                [e["row"] for e, d in zip(rows, want) if d is None])
    sums(path, rows, want)
    return 1


def sums(path, rows, want):
    name = check.stem(path)
    of = collections.defaultdict(list)
    for e, d in zip(rows, want):
        of[e.get("name")].append(d)
    for workers in ("-j1", "-j7"):
        _, got = check.jsonl("stats", workers, "--by", "name", "--max", "delta", "--min", "delta",
                             "--sum", "delta", path)
        check.equal(f"{name}: names", sorted(g["name"] for g in got), sorted(of))
        for g in got:
            some = [d for d in of[g["name"]] if d is not None]
            check.equal(f"{name} {g['name']}: max, min, sum",
                        (g.get("max.delta"), g.get("min.delta"), g.get("sum.delta")),
                        (max(some), min(some), sum(some)) if some else (None, None, None))
    _, got = check.jsonl("stats", "--by", "delta", "-f", "has delta", path)
    if len(got) < KEYS_MOST:
        check.equal(f"{name}: --by delta", {g["delta"]: g["events"] for g in got},
                    dict(collections.Counter(d for d in want if d is not None)))


def mistakes(path):
    for args in (["-e", "delta"], ["-f", "delta > 1ms"]):
        r = check.tnav("dump", "--order", "file", *args, path)
        check.equal(f"--order file {args[0]} delta: exit code", r.code, 2)
        check.true(f"--order file {args[0]} delta: it is said", b"needs time order" in r.err)


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    paths = check.all_data_traces(scratch) + check.all_shared_traces()
    compared = sum(check.check_useful(compare, paths, SMALL, LARGE))
    check.true(f"traces with threads: {compared}", compared >= check.check_part(SMALL) + 1)
    mistakes(check.trace("v6-threads.nettrace", scratch))
    check.finish(check.tier(300, 1000))


if __name__ == "__main__":
    main()
