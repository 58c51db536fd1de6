#!/usr/bin/env python3
"""One test for each small trace of V6 in tests/data/features: what a reader must show of it."""
import csv
import io
import math
import os
import struct
import sys

import check
from check import equal, true
from feature import (A, D, dump, findings, found, gaps, info, lost, nothing_lost,
                     path_of, refused, run_all)

G3 = "a1a2a3a4-b1b2-c1c2-d1d2-e1e2e3e4e5e6"
G4 = "12345678-9abc-def0-0fed-cba987654321"
MS = 1000000


def payloads(name, want, code=0, *options):
    """The decoded payloads are these, with nothing left over and no error unless named."""
    events = dump(name, code, len(want), *options)
    equal(f"{name}: payloads", [e["payload"] for e in events], want)
    equal(f"{name}: all decoded", [e for e in events if "error" in e or "undecoded" in e], [])
    return events


def clean(name):
    equal(f"{name}: findings", findings(name, 0), [])
    equal(f"{name}: clean", info(name)["clean"], True)


# ---- the stream

def test_what_is_refused():
    refused("v6-header-with-major-5", "version 5")
    refused("v6-header-without-trace-block", "cut")


def test_headers_only():
    dump("v6-headers-only", 0, 0)
    clean("v6-headers-only")


def test_a_newer_minor_version_is_read():
    dump("v6-minor-version-7", 0, 1)


def test_extra_space_is_stepped_over():
    payloads("v6-extra-space-in-headers", [{"n": 1, "s": "ok"}, {"n": 2, "s": "ok2"}])
    clean("v6-extra-space-in-headers")


def test_unknown_blocks_are_stepped_over_and_said():
    name = "v6-unknown-block-kinds"
    payloads(name, [{"n": 1}, {"n": 2}])
    lines = found(name, 0, ("unknown-kind",))
    equal(f"{name}: how many", sum(f["count"] for f in lines), 3)
    for kind in ("9", "200", "127"):
        true(f"{name}: kind {kind}", any(f" {kind} " in f["text"] + " " for f in lines))


def test_event_blocks_without_events():
    payloads("v6-event-block-without-events", [{"n": 1}])


def test_key_values_of_the_trace():
    name = "v6-trace-key-values"
    dump(name, 0, 0)
    facts = info(name)
    equal(f"{name}: format", (facts["format"], facts["version"]), ("NetTrace V6", 6))
    kv = facts["keyValues"]
    equal(f"{name}: those with a meaning", [kv.get(k) for k in (
        "HardwareThreadCount", "ProcessId", "ExpectedCPUSamplingRate", "SystemPageSize")],
        ["12", "4321", "997", "16384"])
    true(f"{name}: others too", len(kv) > 4)
    text = check.tnav("info", path_of(name)).out.decode()
    for word in ("12 processors", "4321", "997", "16384"):
        true(f"{name}: the page says {word}", word in text)


# ---- damage: no crash, no endless loop, a remark that says where; what is whole is shown

def test_cut_in_a_block_header():
    dump("v6-cut-in-block-header", 1, 0)
    found("v6-cut-in-block-header", 1, ("cut",))


def test_cut_in_a_block():
    name = "v6-cut-in-block"
    events = dump(name, 1, 2)
    equal(f"{name}: first block", [e["payload"] for e in events[:2]], [{"n": 1}, {"n": 2}])
    found(name, 1, ("cut",), 318)
    equal(f"{name}: cut", info(name, 1)["cut"], 318)


def test_no_end_block():
    name = "v6-no-end-block"
    payloads(name, [{"n": 1}, {"n": 2}], 1)
    found(name, 1, ("not-closed",), 250)


def test_bad_references_and_sizes():
    for name, least, kinds in (
            ("v6-bad-label-kind", 0, ("label",)), ("v6-bad-label-list", 1, ("label",)),
            ("v6-bad-metadata-id", 1, ("metadata",)), ("v6-bad-payload-size", 1, ("bad-block",)),
            ("v6-bad-string-length", 0, ("metadata",)), ("v6-bad-thread-index", 1, ("thread",))):
        r, events = check.jsonl("dump", path_of(name))
        equal(f"{name}: exit code", r.code, 1)
        true(f"{name}: {len(events)} events", len(events) >= least)
        if least:
            equal(f"{name}: the good event", events[0]["payload"], {"n": 1})
        lines = found(name, 1, kinds)
        size = os.path.getsize(path_of(name))
        true(f"{name}: says where: {lines}", all(68 <= f["offset"] <= size for f in lines))


# ---- values

def test_every_scalar_exactly():
    name = "v6-all-scalars"
    f32 = struct.unpack("<f", bytes.fromhex("ffff7f7f"))[0]
    values = [
        ("b32", False, True), ("b8", False, True), ("c16", "A", "\u20ac"), ("c8", "A", "z"),
        ("i8", -128, 127), ("u8", 0, 255), ("i16", -32768, 32767), ("u16", 0, 65535),
        ("i32", -2**31, 2**31 - 1), ("u32", 0, 2**32 - 1), ("i64", -2**63, 2**63 - 1),
        ("u64", 0, 2**64 - 1), ("f32", -1.5, f32), ("f64", 0.1, sys.float_info.max),
        ("guid", A, D), ("vi", -1, 2**63 - 1), ("vu", 0, 2**64 - 1), ("sz", "short", ""),
    ]
    events = dump(name, 0, 38)
    for e in events:                # a float is the shortest text that reads back as 32 bits
        for key in ("value", "f32"):
            if e["payload"].get(key) == 3.4028235e+38:
                e["payload"][key] = f32
    got = [e["payload"] for e in events]
    equal(f"{name}: one by one", got[:36],
          [{"value": v} for _, low, high in values for v in (low, high)])
    equal(f"{name}: all in a row", got[36:],
          [{k: low for k, low, _ in values}, {k: high for k, _, high in values}])
    equal(f"{name}: names", [e["name"] for e in events[:36:2]], [f"Ev_{k}" for k, _, _ in values])


def test_booleans_are_true_for_any_bit():
    payloads("v6-booleans-odd-values",
             [{"b32": n > 0, "b8": n > 0} for n in range(5)])


def test_variable_length_integers():
    edges = [0, 1, -1, 63, -64, 64, -65, 2**31, -2**31, 2**63 - 1, -2**63]
    payloads("v6-varints", [{"s": v, "u": v % 2**64, "end": n} for n, v in enumerate(edges)] +
             [{"s": -1, "u": 127, "end": 99}])


def test_special_floats():
    name = "v6-float-specials"
    events = dump(name, 0, 7)
    a, b = ([e["payload"][k] for e in events] for k in "ab")
    equal(f"{name}: no numbers", (a[:3], b[:3]), (["NaN", "Infinity", "-Infinity"],) * 2)
    out = check.tnav("dump", "--format", "csv", "-e", "a,b", path_of(name)).out.decode()
    equal(f"{name}: no numbers in csv", out.splitlines()[1:4],
          ["NaN,NaN", "Infinity,Infinity", "-Infinity,-Infinity"])
    for key, v in (("float", a), ("double", b)):
        true(f"{name}: {key}: minus zero", math.copysign(1, float(v[3])) == -1 and v[3] == 0)
        equal(f"{name}: {key}: 0.1", v[5], 0.1)
    as_float = lambda v: struct.unpack("<I", struct.pack("<f", v))[0]  # noqa: E731
    equal(f"{name}: smallest floats", [as_float(v) for v in (a[4], a[6])], [1, 0x800000])
    equal(f"{name}: smallest doubles", [b[4], b[6]], [5e-324, sys.float_info.min])


def test_dates_of_eight_bytes():
    payloads("v6-datetime-filetime", [
        {"when": "2026-03-04T05:06:07.1234567Z", "after": 7},
        {"when": "1601-01-01T00:00:00.0000000Z", "after": 8}])


def test_strings_and_arrays():
    payloads("v6-strings-and-arrays", [
        {"z1": "plain", "a16": "counted", "a8": "utf8", "f16": "abc", "f8": "abcd",
         "ai": [1, -2, 3], "ab": "00ff10", "fi": [-1, 0, 1], "as": ["x", "", "yz"], "ag": [A, D],
         "end": 0xfeedface},
        {"z1": "", "a16": "", "a8": "", "f16": "", "f8": "", "ai": [], "ab": "", "fi": [0, 0, 0],
         "as": [], "ag": [], "end": 1},
        {"z1": "\u017elu\u0165ou\u010dk\u00fd \u20ac", "a16": "\u65e5\u672c\u8a9e",
         "a8": "\u043d\u0430\u0438\u0432\u043d\u044b\u0439 caf\u00e9", "f16": "\U0001f600ab",
         "f8": "\u00e9\u00e9\u00e9", "ai": [2**31 - 1], "ab": "01", "fi": [7, 8, 9],
         "as": ["\U0001f600", "\u03a9"], "ag": [G3], "end": 2}])


def test_counted_strings_keep_their_nul():
    payloads("v6-counted-strings-with-nul", [{"a16": "ab\0cd", "a8": "ef\0gh", "end": 42}])


def test_an_array_of_more_than_32767():
    name = "v6-array-over-32767"
    events = dump(name, 0, 1)
    array = next(v for v in events[0]["payload"].values() if isinstance(v, str))
    equal(f"{name}: bytes", len(bytes.fromhex(array)), 40000)
    equal(f"{name}: end", events[0]["payload"]["end"], 99)


def test_arrays_in_arrays():
    payloads("v6-nested-arrays", [{"m": [[10, 20], [30]], "end": 7},
                                  {"m": ["010203", "040506"], "end": 7}])


def test_structs_in_structs():
    payloads("v6-nested-structs", [
        {"head": 5, "o": {"a": -7, "deep": {"s": "deep", "v": -300, "g": G3}},
         "list": [{"id": 300, "name": "one"}, {"id": 1099511627776, "name": ""}],
         "two": [{"p": 1, "q": -1}, {"p": 2, "q": -2}], "tail": 77},
        {"head": 6, "o": {"a": 8, "deep": {"s": "", "v": 0, "g": G4}}, "list": [],
         "two": [{"p": 3, "q": 3}, {"p": 4, "q": 4}], "tail": 78}])


def test_locations():
    payloads("v6-relloc-dataloc", [
        {"rel16": "h\u00e9llo", "dat8": "w\u00f6rld", "reli": [-1, 2, 3], "datb": "090807",
         "x": 43981},
        {"rel16": "", "dat8": "", "reli": [], "datb": "", "x": 5}])


def test_locations_that_lie_outside():
    name = "v6-relloc-dataloc-out-of-bounds"
    events = dump(name, 0, 4)
    equal(f"{name}: which are bad", ["error" in e for e in events], [True, True, True, False])
    for n, fields in ((0, ["a"]), (1, ["a", "b"]), (2, ["b"])):
        equal(f"{name}: event {n + 1}", [k for k, v in events[n]["payload"].items() if v is None],
              fields)
    equal(f"{name}: what is not a location", [e["payload"]["x"] for e in events], [1, 2, 3, 4])
    equal(f"{name}: the good one", events[3]["payload"]["b"], [4])


def test_payloads_that_are_too_short_or_too_long():
    name = "v6-payload-shorter-or-longer-than-fields"
    events = dump(name, 0, 6)
    whole = {"a": 1, "b": 2, "s": "ok", "c": 3}
    missing = [[], ["c"], ["s", "c"], ["b", "s", "c"], ["a", "b", "s", "c"], []]
    for n, keys in enumerate(missing):
        equal(f"{name}: event {n + 1}", events[n]["payload"],
              {k: None if k in keys else v for k, v in whole.items()})
        equal(f"{name}: event {n + 1}: says so", "error" in events[n], keys != [])
    true(f"{name}: bytes left over", events[5].get("undecoded", 0) > 0)


def test_payloads_of_no_bytes():
    name = "v6-zero-length-payload"
    events = dump(name, 0, 7)
    equal(f"{name}: sizes", [e["size"] for e in events], [0, 0, 0, 0, 0, 12, 0])
    equal(f"{name}: a type with fields", [e["payload"] for e in (events[1], events[5])],
          [{"n": None, "s": None}, {"n": 6, "s": "six"}])
    equal(f"{name}: errors", [n for n, e in enumerate(events) if "error" in e], [1])


def test_a_payload_of_more_than_64_k():
    name = "v6-payload-over-64k"
    equal(f"{name}: sizes", [e["size"] for e in dump(name, 0, 2)], [70000, 4])


def test_strings_as_the_writer_of_universal_system_makes_them():
    name = "v6-universal-system-strings"
    events = dump(name, 0, 2)
    equal(f"{name}: process", [events[0]["payload"].get(k) for k in ("Name", "NamespaceName")],
          ["d\u00e9mo", ""])
    equal(f"{name}: mapping", [events[1]["payload"].get(k) for k in ("FileName", "MetadataId")],
          ["/usr/bin/d\u00e9mo", 2])


# ---- names and metadata

def test_names_that_need_escaping():
    name = "v6-names-that-need-escaping"
    e = dump(name, 0, 1)[0]
    equal(f"{name}: names", (e["provider"], e["name"], list(e["payload"])),
          ('Feat"Quote\\\n\t\1', "<b>&amp;", ['a"b']))
    equal(f"{name}: value", e["payload"]['a"b'], 'tab\tquote"nl\n\2\ufffdend')
    out = check.tnav("dump", path_of(name)).out
    true(f"{name}: no control byte in text", not any(b < 32 and b != 10 for b in out))
    out = check.tnav("dump", "--format", "csv", "-e", "provider", path_of(name)).out
    equal(f"{name}: the name in csv", list(csv.reader(io.StringIO(out.decode(), newline="")))[1],
          ['Feat"Quote\\\n\t\1'])
    out = check.tnav("dump", "--format", "tsv", "-e", "provider", path_of(name)).out
    equal(f"{name}: the name in tsv", out.split(b"\n")[1], b'Feat"Quote\\\\\\n\\t\1')


def test_names_outside_ascii():
    name = "v6-non-ascii-names"
    e = dump(name, 0, 1)[0]
    equal(f"{name}: names", (e["provider"], e["name"], e["payload"]), (
        "\u017dlu\u0165ou\u010dk\u00fd-\u041f\u0440\u043e\u0432\u0430\u0439\u0434\u0435\u0440-"
        "\u63d0\u4f9b\u8005", "\u0441\u043e\u0431\u044b\u0442\u0438\u0435-\U0001f600",
        {"gr\u00f6\u00dfe": 1, "\u540d\u524d": "\u5024"}))


def test_very_long_names():
    name = "v6-very-long-names"
    e = dump(name, 0, 1)[0]
    equal(f"{name}: lengths", (len(e["provider"]), len(e["name"]), [len(k) for k in e["payload"]]),
          (4800, 2850, [3000]))


def test_optional_metadata():
    name = "v6-optional-metadata"
    events = dump(name, 0, 5)
    equal(f"{name}: everything",
          [events[0].get(k) for k in ("level", "version", "keywords", "opcode")],
          [2, 5, "0x8000000000000001", 10])
    # The file's own names and opcodes: nothing is derived from the way a name ends.
    equal(f"{name}: names", [e["name"] for e in events],
          ["Everything", "Nothing", "RequestStart", "Request/Stop", "#5"])
    equal(f"{name}: opcodes", [e.get("opcode") for e in events], [10, None, None, 2, None])


def test_one_id_with_two_layouts():
    name = "v6-same-id-two-layouts"
    events = payloads(name, [{"a": 9}, {"s": "two", "b": 5}, {"a": 10}])
    equal(f"{name}: versions", [e["version"] for e in events], [1, 2, 1])


def test_event_ids_that_are_zero_or_large():
    name = "v6-event-id-zero-and-over-65535"
    events = dump(name, 0, 3)
    equal(f"{name}: names", [(e["name"], e["id"]) for e in events],
          [("Alpha", 0), ("Beta", 0), ("BigId", 70000)])


# ---- times and order

def test_times():
    equal("v6-big-ticks", [e["t"] for e in dump("v6-big-ticks", 0, 2)], [5, 4611686018427387903])
    equal("v6-events-before-sync-time", [e["t"] for e in dump("v6-events-before-sync-time", 0, 6)],
          [-3333333334, -333333334, 0, 333333333, 666666666, 1000000000])


def test_equal_times_keep_the_order_of_the_file():
    name = "v6-equal-timestamps"
    events = dump(name, 0, 6)
    equal(f"{name}: times", [e["t"] // MS for e in events], [10, 10, 10, 10, 20, 20])
    for tid in (11, 12):
        equal(f"{name}: numbers of {tid}", [e["seq"] for e in events if e["tid"] == tid], [1, 2, 3])


def test_order_of_time():
    name = "v6-sorted-flag-starts-each-run"
    equal(f"{name}: times", [e["t"] // MS for e in dump(name, 0, 9)],
          [1, 10, 15, 20, 25, 30, 40, 50, 60])
    nothing_lost(name)
    times = {}
    for name in ("v6-out-of-order-blocks", "v6-out-of-order-threads"):
        times[name] = [e["t"] // MS for e in dump(name, 0, 24)]
        equal(f"{name}: in order", times[name], sorted(times[name]))
        nothing_lost(name)
    equal(f"{name}: begin", times[name][:8], [5, 10, 12, 13, 14, 15, 16, 20])
    equal(f"{name}: the same events", times[name], times["v6-out-of-order-blocks"])


# ---- threads

def test_threads():
    name = "v6-threads"
    events = dump(name, 0, 6)
    equal(f"{name}: threads",
          [(e.get("pid"), e.get("tid"), e["threadIndex"], e.get("thread")) for e in events],
          [(1000, 1001, 1, "Main thread"), (1000, 1002, 2, None),
           (0, None, 3, "vl\u00e1kno-\u03b2"), (8589934597, 1099511627785, 7, None),
           (2000, 2001, 1 << 35, "far index"), (1000, 1002, 2, None)])
    equal(f"{name}: written by", [e.get("captureTid") for e in events], [None] * 5 + [1001])
    equal(f"{name}: processor", events[5]["cpu"], 300)
    _, threads = check.jsonl("threads", path_of(name))
    equal(f"{name}: by process", [(t["pid"], t["tid"]) for t in threads],
          [(1000, 1001), (1000, 1002), (2000, 2001), (8589934597, 1099511627785), (0, None)])
    equal(f"{name}: key/values", [t.get("keyValues") for t in threads],
          [{"role": "ui", "prio": "high"}, None, None, None, None])
    equal(f"{name}: processes", info(name)["processes"], 3)


def test_a_thread_index_is_used_again():
    for name, code in (("v6-thread-index-reused", 0), ("v6-sequence-point-flush-threads", 0)):
        events = dump(name, code, 2)
        equal(f"{name}: threads", [(e["pid"], e["tid"], e["threadIndex"]) for e in events],
              [(10, 11, 1), (20, 21, 1)])
        nothing_lost(name)


# ---- sequence points

def test_sequence_points():
    dump("v6-sequence-point-plain", 0, 2)
    nothing_lost("v6-sequence-point-plain")
    name = "v6-sequence-point-flush-metadata"
    events = payloads(name, [{"n": 1}, {"s": "new", "k": 9}])
    equal(f"{name}: types", [(e["provider"], e["name"]) for e in events],
          [("Feat.SPMeta", "Before"), ("Feat.SPMeta2", "After")])
    name = "v6-sequence-point-flush-both"
    events = payloads(name, [{"n": 1}, {"n": -2}])
    equal(f"{name}: stacks", [len(e["stack"]) for e in events], [2, 3])


def test_dropped_events():
    dump("v6-dropped-events", 0, 6)
    lost("v6-dropped-events",
         [(11, 2, "gap"), (12, 2, "start"), (12, 7, "barrier"), (12, 1, "gap")])
    dump("v6-remove-thread", 0, 3)
    lost("v6-remove-thread", [(12, 3, "remove")])
    name = "v6-sequence-number-wraps"
    dump(name, 0, 6)
    lost(name, [(11, 2147483631, "barrier"), (11, 2147483407, "barrier"), (11, 253, "barrier")])
    equal(f"{name}: in all", sum(g[1] for g in gaps(name)), 4294967291)
    _, lines = check.jsonl("gaps", path_of("v6-dropped-events"))
    equal("v6-dropped-events: thread indexes", {(g["tid"], g["threadIndex"]) for g in lines},
          {(11, 1), (12, 2)})


# ---- stacks

def test_stacks():
    name = "v6-stacks-32bit"
    equal(f"{name}: stacks", [e.get("stack") for e in dump(name, 0, 3)],
          [["0x10001000", "0x20002000", "0xf0003000"], ["0xffffffff"], None])
    name = "v6-stacks-64bit"
    stacks = [e.get("stack", []) for e in dump(name, 0, 11)]
    equal(f"{name}: frames", [len(s) for s in stacks], [3, 0, 1, 0, 1, 1, 1, 3, 0, 1, 1])
    equal(f"{name}: innermost of the first, all of the last", (stacks[0][0], stacks[10]),
          ("0x7fff00001000", ["0xabc"]))
    name = "v6-unknown-stack-id"
    equal(f"{name}: stacks", ["stack" in e for e in dump(name, 0, 2)], [False, True])


# ---- labels

# Of list i: what it gives the header, and the labels that have a name.
LISTS = [
    ({}, None), ({"activity": A}, None), ({"related": D}, None),
    ({}, {"TraceId": "0102030405060708090a0b0c0d0e0f10"}), ({}, {"SpanId": "1122334455667788"}),
    ({}, {"tenant": "\u03a9mega"}), ({}, {"retry": -5}), ({"opcode": 42}, None),
    ({"keywords": "0xf0"}, None), ({"level": 1}, None), ({"version": 7}, None),
    ({"activity": G3, "related": G4, "opcode": 2, "keywords": "0x8000000000000000", "level": 5,
      "version": 255},
     {"TraceId": "100f0e0d0c0b0a090807060504030201", "SpanId": "0000000000000001",
      "a": ["", "again"], "n": 1099511627776}),
]
PLAIN = {"activity": None, "related": None, "opcode": 11, "keywords": "0x1", "level": 4,
         "version": 2}


def test_labels_of_every_kind():
    name = "v6-labels-all-kinds"
    events = dump(name, 0, 24)
    order = list(range(12)) + [0, 5, 10, 3, 8, 1, 6, 11, 4, 9, 2, 7]
    for e, i in zip(events, order):
        header, labels = LISTS[i]
        equal(f"{name}: row {e['row']}, list {i}: header", {k: e.get(k) for k in PLAIN},
              {**PLAIN, **header})
        equal(f"{name}: row {e['row']}, list {i}: labels", e.get("labels"), labels)
    # Chosen fields are the same values.
    _, lines = check.jsonl("dump", "-e", "level,opcode,labels,label.a,label.SpanId,label.retry",
                           path_of(name))
    equal(f"{name}: chosen", [lines[6], lines[11]], [
        {"level": 4, "opcode": 11, "labels": {"retry": -5}, "label.retry": -5},
        {"level": 5, "opcode": 2, "labels": LISTS[11][1], "label.a": ["", "again"],
         "label.SpanId": "0000000000000001"}])
    _, lines = check.jsonl("stats", "--by", "level", path_of(name))
    equal(f"{name}: by level", {x["level"]: x["events"] for x in lines}, {4: 20, 1: 2, 5: 2})
    _, lines = check.jsonl("stats", "--by", "label.tenant", path_of(name))
    equal(f"{name}: by label", {x.get("label.tenant"): x["events"] for x in lines},
          {None: 22, "\u03a9mega": 2})
    text = check.tnav("dump", path_of(name)).out.decode()
    true(f"{name}: in text", "[SpanId=1122334455667788]" in text and "[retry=-5]" in text)


def test_label_lists_are_defined_anew():
    name = "v6-labels-reused-after-sequence-point"
    equal(f"{name}: labels", [e.get("labels") for e in dump(name, 0, 2)],
          [{"phase": "one"}, {"phase": "two"}])


if __name__ == "__main__":
    run_all(globals())
