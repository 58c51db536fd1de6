#!/usr/bin/env python3
"""One test for each small trace of V3 to V5 in tests/data/features: what a reader must show of it.

Those of V6 are in features_v6.py.
"""
import collections

import check
import nt4
from check import equal, true
from feature import (A, D, SCRATCH, dump, findings, info, nothing_lost,
                     refused, run_all)


def test_files_that_are_no_traces():
    refused("empty-file", "empty")
    refused("magic-only", "cut")
    refused("not-a-trace", "not a trace")


def test_versions_that_are_too_new():
    refused("v4-trace-object-needs-reader-5", "version 5")
    refused("v7-major-version-too-new", "version 7")


def test_netperf_has_stacks_and_activities_in_its_events():
    name = "v3-stacks-and-activities.netperf"
    events = dump(name, 0, 3)
    equal(f"{name}: stacks", [e.get("stack") for e in events],
          [["0x1000", "0x2000"], None, ["0x3000"]])
    equal(f"{name}: activity", [e.get("activity") for e in events], [A, None, None])
    equal(f"{name}: related", [e.get("related") for e in events], [None, D, None])
    equal(f"{name}: no numbers", [e for e in events if "seq" in e or "cpu" in e], [])
    equal(f"{name}: payload", [e["payload"]["n"] for e in events], [1, 2, 3])
    equal(f"{name}: format", info(name)["format"], "NetPerf V3")
    equal(f"{name}: nobody knows what was lost", [info(name)[k] for k in ("lost", "gaps")], [None] * 2)


def test_activity_ids_are_kept_or_repeated():
    events = dump("v4-activity-ids", 0, 8)
    equal("v4-activity-ids: activity", [e.get("activity") for e in events],
          [A, A, None, None, A, A, D, None])
    equal("v4-activity-ids: related", [e.get("related") for e in events],
          [None, D, None, D, None, None, A, None])
    nothing_lost("v4-activity-ids")


def test_capture_threads():
    events = dump("v4-capture-threads", 0, 4)
    equal("v4-capture-threads: thread", [e["tid"] for e in events], [5, 5, 5, 1099511627777])
    equal("v4-capture-threads: captured by", [e.get("captureTid", e["tid"]) for e in events],
          [9, 5, 9, 9])
    true("v4-capture-threads: captureTid only where it differs", "captureTid" not in events[1])
    nothing_lost("v4-capture-threads")


def test_dropped_events():
    events = dump("v4-dropped-events", 0, 4)
    equal("v4-dropped-events: numbers", [(e["tid"], e["seq"]) for e in events],
          [(5, 1), (5, 5), (6, 5), (5, 9)])
    path = check.trace("v4-dropped-events.nettrace")
    _, gaps = check.jsonl("gaps", path)
    lost = collections.defaultdict(list)
    for g in gaps:
        lost[g["tid"]].append(g["gap"])
    equal("v4-dropped-events: lost of 5 and 6", {k: sorted(v) for k, v in lost.items()},
          {5: [3, 3], 6: [1, 3]})
    _, threads = check.jsonl("threads", path)
    equal("v4-dropped-events: threads", {t["tid"]: (t["lost"], t["gaps"]) for t in threads},
          {5: (6, 2), 6: (4, 2)})
    facts = info("v4-dropped-events")
    equal("v4-dropped-events: in all", (facts["lost"], facts["gaps"], facts["clean"]), (10, 4, True))


def test_a_block_for_a_newer_reader_is_refused_and_said():
    name = "v4-event-block-needs-reader-3"
    events = dump(name, 1, 1)
    equal(f"{name}: event", events[0]["payload"] if events else None, {"n": 1})
    found = [f for f in findings(name, 1) if f["kind"] == "too-new"]
    equal(f"{name}: findings", len(found), 1)
    true(f"{name}: names the version: {found}", found and "3" in found[0]["text"])
    if found:
        block = nt4.read(check.trace(name + ".nettrace")).objects[-1].end
        equal(f"{name}: where", found[0]["offset"], block)


def test_headers_only():
    dump("v4-headers-only", 0, 0)
    equal("v4-headers-only: findings", findings("v4-headers-only", 0), [])
    facts = info("v4-headers-only")
    equal("v4-headers-only: info", (facts["events"], facts["clean"], facts["cut"], facts["pointerSize"],
          facts["tickFrequency"], facts["syncTime"][:23]),
          (0, True, None, 8, 1000, "2026-02-01T03:04:05.678"))


def test_many_blocks_and_reused_stack_ids():
    name = "v4-many-blocks"
    events = dump(name, 0, 10000)
    trace = nt4.read(check.trace(name + ".nettrace", SCRATCH))
    stacks, rows = trace.stacks(), trace.rows()
    by_row = {rows[n]: [f"0x{ip:x}" for ip in ips] for n, ips in stacks.items()}
    for e in events:
        if e.get("stack") != by_row.get(e["row"]):
            check.fail(f"{name}: stack of row {e['row']}: {e.get('stack')}")
            break
    equal(f"{name}: threads", len({e["tid"] for e in events}), 5)
    nothing_lost(name)


def test_names_outside_ascii():
    events = dump("v4-non-ascii-names", 0, 1)
    path = check.trace("v4-non-ascii-names.nettrace")
    with open(path, "rb") as f:
        text = f.read().decode("utf-16-le", "replace") + f.name
    with open(path, "rb") as f:
        f.read(1)
        text += f.read().decode("utf-16-le", "replace")
    e = events[0]
    names = [e["provider"], e["name"], *e["payload"]]
    for name in names:
        true(f"v4-non-ascii-names: {name!r} stands in the file", name + "\0" in text)
    true("v4-non-ascii-names: outside ASCII", any(ord(c) > 0x7f for n in names for c in n))
    true("v4-non-ascii-names: outside the basic plane", any(ord(c) > 0xffff for n in names for c in n))


def test_a_newer_trace_object_that_an_older_reader_may_read():
    dump("v4-trace-object-version-5-reader-4", 0, 1)


def test_an_unknown_object_is_stepped_over():
    name = "v4-unknown-object"
    events = dump(name, 0, 2)
    equal(f"{name}: events", [e["payload"] for e in events], [{"n": 1}, {"n": 2}])
    found = [f for f in findings(name, 0) if f["kind"] == "unknown-kind"]
    equal(f"{name}: findings", len(found), 1)
    if found:
        true(f"{name}: names it: {found}", "NewBlock" in found[0]["text"])
        equal(f"{name}: where", found[0]["offset"], 0x1b5)
    nothing_lost(name)


def test_metadata_tags():
    name = "v5-metadata-tags"
    events = dump(name, 0, 6)
    by_id = {e["id"]: e for e in events}
    plain = by_id[1]
    equal(f"{name}: keywords, version, level", (plain["keywords"], plain["version"], plain["level"]),
          ("0x10", 3, 2))
    equal(f"{name}: opcode tag", by_id[2]["opcode"], 41)
    equal(f"{name}: arrays", by_id[3]["payload"], {"ai": [7, 8], "as": ["p", "q"], "n": 9})
    equal(f"{name}: structs", by_id[4]["payload"], {"o": {"x": -3, "l": "010203"}, "z": 4})
    equal(f"{name}: unknown tag", by_id[5]["payload"], {"a": 5})
    equal(f"{name}: format", info(name)["format"], "NetTrace V5")
    nothing_lost(name)


def test_a_file_that_is_cut_short():
    name = "net9-cut-short"
    dump(name, 1, 302)
    facts = info(name, 1)
    equal(f"{name}: clean", facts["clean"], False)
    found = [f for f in findings(name, 1) if f["kind"] in ("cut", "not-closed")]
    equal(f"{name}: findings", len(found) >= 1, True)


if __name__ == "__main__":
    run_all(globals())
