#!/usr/bin/env python3
"""What the traced programs counted themselves (.truth.json) against what tnav reads.

The rest of the real traces opens, decodes and ends clean, but for those that were cut.
"""
import collections
import json
import os

import check
from check import equal, true

SAMPLE = 6              # traces
CUT = {"net10-killed", "net10-killed-boundary", "net9-cut-short"}
LOST = {"net10-storm-drops": 1471490, "net10-eventsource-types": 1}
READ = {"net10-storm-drops": 128512, "net9-cut-short": 302}


def names(event):
    """Demo-Spans/Order/Start and OrderStart are one event: compare without the slashes."""
    return {event[k].replace("/", "") for k in ("name", "event") if k in event}


def counts_by_event(name, events, want, thread=None):
    got = collections.Counter()
    for e in events:
        if thread is not None and e["tid"] != thread:
            continue
        for n in names(e):
            got[e["provider"], n] += 1
    for key, number in want.items():
        provider, _, event = key.partition("/")
        equal(f"{name}: {key}" + (f" on thread {thread}" if thread else ""),
              got[provider, event.replace("/", "")], number)


def storm(name, path, events, work):
    """Read and lost add up to written, thread by thread; also by the numbers inside the payload."""
    _, threads = check.jsonl("threads", path)
    have = {t["tid"]: (t["events"], t["lost"]) for t in threads}
    for tid, written in work["eventsWrittenByThread"].items():
        read, lost = have.get(int(tid), (0, 0))
        equal(f"{name}: thread {tid}: read + lost", read + lost, sum(written.values()))
    equal(f"{name}: read", len(events), 128512)
    equal(f"{name}: lost", sum(lost for _, lost in have.values()), 1471490)
    # Drop(thread, number) counts from 0: the row's `lost` is the jump of that number.
    last, wrong = {}, 0
    for e in events:
        if e["name"] != "Drop":
            continue
        number, tid = e["payload"]["number"], e["tid"]
        wrong += e.get("lost", 0) != number - last.get(tid, -1) - 1
        last[tid] = number
    equal(f"{name}: rows whose lost is not the jump of their number", wrong, 0)


def exceptions(name, events, thrown):
    got = collections.Counter(e["payload"]["ExceptionType"] for e in events
                              if e["provider"] == "Microsoft-Windows-DotNETRuntime" and e["id"] == 80)
    want = {k: v for k, v in thrown.items() if "`" not in k}
    equal(f"{name}: exceptions by type", {k: v for k, v in got.items() if "`" not in k}, want)
    equal(f"{name}: generic exceptions", [v for k, v in got.items() if "`" in k],
          [v for k, v in thrown.items() if "`" in k])
    true(f"{name}: the generic one as the runtime spells it",
         any(k.startswith("DemoException`1[System.Collections.Generic.List`1[System.Int32]]")
             for k in got))


def one(path):
    name = os.path.basename(path).removesuffix(".nettrace")
    cut = name in CUT
    r, events = check.jsonl("dump", path)
    equal(f"{name}: exit code", r.code, int(cut))
    if not cut:
        equal(f"{name}: stderr", r.err[:300], b"")
    if name in READ:
        equal(f"{name}: events", len(events), READ[name])
    equal(f"{name}: payloads that stopped",
          [(e["row"], e["error"]) for e in events if e.get("error")][:3], [])
    found, lines = check.jsonl("check", path)
    equal(f"{name}: exit code of check", found.code, int(cut))
    if cut:
        size = os.path.getsize(path)
        true(f"{name}: a finding says where it is cut: {lines}",
             any(f["kind"] in ("cut", "not-closed") and f["offset"] <= size for f in lines))
    else:
        equal(f"{name}: damage", [f for f in lines if f["severity"] != "note"], [])
    _, info = check.jsonl("info", path)
    equal(f"{name}: lost", info[0]["lost"], LOST.get(name, 0))
    equal(f"{name}: events in info", info[0]["events"], len(events))
    equal(f"{name}: clean", info[0]["clean"], not cut)
    equal(f"{name}: cut", info[0]["cut"] is not None, cut)
    against_truth(name, path, events)


def against_truth(name, path, events):
    truth = path.removesuffix(".nettrace") + ".truth.json"
    if not os.path.exists(truth):
        return
    with open(truth, encoding="utf-8") as f:
        work = json.load(f)["workload"] or {}
    if name == "net10-storm-drops":
        storm(name, path, events, work)
        return
    counts_by_event(name, events, work.get("eventsWritten", {}))
    for tid, want in work.get("eventsWrittenByThread", {}).items():
        counts_by_event(name, events, want, int(tid))
    if "thrownByType" in work:
        exceptions(name, events, work["thrownByType"])
    if "lives" in work and isinstance(work["lives"], list):
        lives = collections.Counter(tid for _, tid, _ in work["lives"])
        _, threads = check.jsonl("threads", path)
        got = {t["tid"]: t["lives"] for t in threads}
        equal(f"{name}: thread ids with lives that differ",
              {t: (got.get(t), n) for t, n in lives.items() if (got.get(t) or 0) != n}, {})


def main():
    check.need_tnav()
    own = os.path.join(check.DATA, "traces")
    paths = [os.path.join(own, f) for f in sorted(os.listdir(own)) if f.endswith(".nettrace")]
    have = {os.path.basename(p) for p in paths}
    shared = [p for p in check.shared_traces(features=False) if os.path.basename(p) not in have]
    if not shared:
        print("the traces of ../shared are absent: only those of tests/data")
    sample = check.check_sample(paths + shared, SAMPLE)
    for path in sample:
        one(path)
    check.finish(least=5 * len(sample))


if __name__ == "__main__":
    main()
