#!/usr/bin/env python3
"""Who threads are and what processes are called is one value, wherever it is seen.

For traces of each format, a second implementation (tests/support/wholang.py) over the JSON lines:

    threads                 process, role, roleDerived of each thread
    dump -e, stats --by     process and thread.role of each event
    filter                  process = NAME, thread.role ~ NAME, has process
    viewer                  the columns, and what i takes from them
    truth                   the main thread is the one that the traced program says it was
"""
import collections
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import check  # noqa: E402
import wholang  # noqa: E402

TOOL = os.path.join(os.path.dirname(check.TNAV), "tests", "support", "rowcells")
FIELDS = ("process", "thread.role")
EVENTS_MOST = 150_000
ALWAYS = ("tour.nettrace.zst", "perf-on-off-cpu.nettrace", "net10-contention.nettrace",
          "net10-gc.nettrace")


def traces():
    yield os.path.join(check.DATA, "tour.nettrace.zst")
    yield os.path.join(check.DATA, "demo.nettrace")
    for base, _, files in os.walk(os.path.join(check.SHARED, "traces")):
        if os.path.basename(base) != "big":
            yield from (os.path.join(base, f) for f in files if f.endswith(check.ENDINGS))


def compare_threads(name, path, who):
    for t in check.jsonl("threads", path)[1]:
        # A V6 event says 0 where its thread names no process.
        pid, tid = t.get("pid"), t.get("tid")
        role, derived = who.role_of(pid, tid)
        where = f"{name} thread {pid}/{tid}"
        check.equal(f"{where}: process", t.get("process"), who.process_of(pid))
        check.equal(f"{where}: role", (t.get("role"), t.get("roleDerived")), (role, derived))


def rows_of(path, expression):
    return [e["row"] for e in check.jsonl("dump", "-e", "row", "-f", expression, path)[1]]


def compare_filters(name, path, events, values):
    for field in FIELDS:
        some = [v for v in dict.fromkeys(values[field]) if v is not None][:4]
        for v in some:
            want = [e["row"] for e, x in zip(events, values[field]) if x == v]
            check.equal(f"{name}: {field} = {v}", rows_of(path, f'{field} = {json.dumps(v)}'), want)
            check.equal(f"{name}: {field} ~ {v}",
                        rows_of(path, f'{field} ~ {json.dumps("^" + re.escape(v) + "$")}'), want)
        check.equal(f"{name}: has {field}", rows_of(path, f"has {field}"),
                    [e["row"] for e, x in zip(events, values[field]) if x is not None])


def compare_viewer(name, path, events, values):
    step = max(1, len(events) // 100)
    asked = [(e["row"], f, x) for f in FIELDS for e, x in list(zip(events, values[f]))[::step]]
    lines = "".join(f"{row}\t{field}\n" for row, field, _ in asked)
    done = subprocess.run([TOOL, path], input=lines.encode(), capture_output=True,
                          timeout=check.WATCHDOG_S)
    answers = [json.loads(x) for x in done.stdout.decode().splitlines()]
    check.equal(f"{name}: answers", len(answers), len(asked))
    for (row, field, want), a in zip(asked, answers):
        where = f"{name} row {row} {field}"
        check.equal(f"{where}: column", a.get("text"), want or "")
        check.true(f"{where}: {a.get('value')}", a["is"] is (True if want else None))
        check.equal(f"{where}: has", a["has"], want is not None)


def compare(path):
    name = os.path.basename(path)
    events = check.jsonl("dump", path)[1]
    if not events or "id" not in events[0] or len(events) > EVENTS_MOST:
        return 0
    who = wholang.Who(events)
    values = {"process": [who.process(e) for e in events],
              "thread.role": [who.role(e) for e in events]}
    compare_threads(name, path, who)
    got = check.jsonl("dump", "-e", "row," + ",".join(FIELDS), path)[1]
    for field in FIELDS:
        check.equal(f"{name}: dump -e {field}", [e.get(field) for e in got], values[field])
        counts = collections.Counter(values[field])
        check.equal(f"{name}: stats --by {field}",
                    {r.get(field): r["events"] for r in check.jsonl("stats", "--by", field, path)[1]},
                    dict(counts))
    compare_filters(name, path, events, values)
    compare_viewer(name, path, events, values)
    return sum(x is not None for f in FIELDS for x in values[f])


def compare_truth():
    base = os.path.join(check.SHARED, "traces", "v4")
    for f in sorted(os.listdir(base)) if os.path.isdir(base) else ():
        if not f.endswith(".truth.json"):
            continue
        with open(os.path.join(base, f), encoding="utf-8") as opened:
            main = (json.load(opened).get("workload") or {}).get("mainThread")
        path = os.path.join(base, f.replace(".truth.json", ".nettrace"))
        threads = check.jsonl("threads", path)[1]
        got = [t["tid"] for t in threads if t.get("role") == "main"]
        if main is not None and any(t["tid"] == main for t in threads):
            check.equal(f"{f}: main thread", got, [main])


def main():
    check.need_tnav()
    paths = sorted(set(traces()))
    chosen = set(check.check_traces(paths, 4, 2))
    known = 0
    for path in paths:
        if os.path.exists(path) and (path in chosen or os.path.basename(path) in ALWAYS):
            known += compare(path)
    compare_truth()
    print(f"{known} values")
    check.finish(least=20)


if __name__ == "__main__":
    main()
