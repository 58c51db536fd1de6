#!/usr/bin/env python3
"""Corners of NetTrace V6, written here block by block: what a later minor version may add, what
writers may do and none at hand does, and what the format forbids."""
import os
import subprocess

import check
import nt4_make
import nt6
from check import equal, true
from feature import run_all
from nt6 import (event, events, fields, i32, key_value, labels, metadata,
                 process_id, row, sequence_point, stacks, text, thread, thread_id, thread_name,
                 threads, type_, u16, u64)

SCRATCH = check.temp_dir()
MAIN = threads(thread(1, thread_name("main"), process_id(100), thread_id(101)))
NUMBER = fields(("n", type_(nt6.I32)))
META = metadata(row(1, "P", 1, "A", NUMBER))


def one(n=7, seq=0, ticks=5):
    return events([event(1, seq, 1, ticks, i32(n))])


def written(name, data):
    path = os.path.join(SCRATCH, name)
    with open(path, "wb") as f:
        f.write(data)
    return path


def dump(name, data, code, wants, *args):
    """The events and their keys that are given; alike with one thread and through a pipe."""
    path = written(name, data)
    r, got = check.jsonl("dump", *args, path)
    equal(f"{name}: exit code", r.code, code)
    equal(f"{name}: events", len(got), len(wants))
    for i, (e, want) in enumerate(zip(got, wants)):
        equal(f"{name}: event {i}", {k: e.get(k) for k in want}, want)
    equal(f"{name}: with one thread",
          check.tnav("dump", "--format", "jsonl", "-j1", *args, path).out, r.out)
    with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as p:
        equal(f"{name}: through a pipe",
              check.tnav("dump", "--format", "jsonl", *args, "-", stdin=p.stdout).out, r.out)
    _, facts = check.jsonl("info", path)
    return got, facts[0]


def kinds(name):
    _, lines = check.jsonl("check", os.path.join(SCRATCH, name))
    return [(f["severity"], f["kind"]) for f in lines]


def test_no_events():
    dump("nothing", nt6.trace([]), 0, [])
    dump("open", nt6.trace([], end=b""), 1, [])
    equal("open: findings", kinds("open"), [("warning", "not-closed")])


def test_what_a_later_version_may_add_is_stepped_over():
    dump("more", nt6.trace(
        [nt6.block(9, b""), MAIN, nt6.block(255, b"z" * 1000),
         metadata(row(1, "P", 1, "A", fields(("n", type_(nt6.I32)), more=b"\xaa" * 9),
                      more=b"junk"), head=b"h" * 77),
         events([event(1, 0, 1, 5, i32(7))], more=b"e" * 100)],
        more=b"\xff" * 50, end=nt6.block(0, b"more")), 0, [{"payload": {"n": 7}, "t": 5}])
    equal("more: findings", kinds("more"), [("note", "unknown-kind")] * 2)


def test_parts_of_unknown_kinds_are_no_damage():
    optional = b"\x08\1" + b"\xc8zz" + b"\x09\7"
    dump("parts", nt6.trace(
        [threads(thread(1, thread_id(101), b"\x09zz", thread_name("x"))),
         metadata(row(1, "P", 1, "A", NUMBER, optional)), one()]), 0,
        [{"tid": 101, "thread": None, "level": 1, "version": 0}])
    equal("parts: findings", sorted(kinds("parts")), [("note", "metadata"), ("note", "thread")])


def test_all_optional_parts():
    optional = (b"\1\x0b" + b"\3" + u64(0xabc) + b"\4" + text("{n}") + b"\5" + text("d") + b"\6" +
                text("k") + text("v") + b"\7" + bytes(16) + b"\x08\3" + b"\x09\7")
    dump("optional", nt6.trace([MAIN, metadata(row(1, "P", 1, "A", NUMBER, optional)), one()]), 0,
         [{"opcode": 11, "keywords": "0xabc", "level": 3, "version": 7}])


def test_blocks_without_content():
    """Rows there may be none of; of what has a header, the header is missing."""
    for kind in range(nt6.EVENT, nt6.LABEL + 1):
        code = 0 if kind in (nt6.THREAD, nt6.REMOVE) else 1
        dump(f"empty-{kind}", nt6.trace([MAIN, META, nt6.block(kind, b""), one()]), code,
             [{"payload": {"n": 7}, "tid": 101}])
    dump("empty-many", nt6.trace([MAIN, META] + [events([])] * 5000 + [one()]), 0, [{}])


def test_the_largest_block():
    data = b"x" * ((1 << 24) - 61)
    dump("large", nt6.trace(
        [MAIN, metadata(row(1, "P", 1, "A", fields(("b", type_(nt6.ARRAY, type_(nt6.U8)))))),
         events([event(1, 0, 1, 1, data)]), events([event(1, 1, 1, 2, u16(2) + b"\1\2")])]), 0,
        [{"size": len(data)}, {"payload": {"b": "0102"}}], "-e", "size,payload")


def test_labels_of_all_kinds():
    guid = bytes(range(16))
    lists = [[(1, guid), (2, bytes(16))], [(3, guid), (4, u64(0x1122))],
             [(5, text("k") + text("v")), (5, text("k") + text("w")),
              (6, text("i") + nt6.vari(-5))],
             [(7, b"\x09"), (8, u64(0xf0)), (9, b"\2"), (10, b"\5")],
             [(6, text("least") + nt6.vari(-1 << 63)), (5, text("") + text(""))]]
    data = nt6.trace([MAIN, META, labels(1, *lists),
                      events([event(1, 0, 1, 1, i32(n), label=n) for n in range(6)])])
    dump("labels", data, 0,
        [{"labels": None}, {"activity": "03020100-0504-0706-0809-0a0b0c0d0e0f", "related": None},
         {"labels": {"TraceId": guid.hex(), "SpanId": "0000000000001122"}},
         {"labels": {"k": ["v", "w"], "i": -5}},
         {"opcode": 9, "keywords": "0xf0", "level": 2, "version": 5},
         {"labels": {"least": -1 << 63, "": ""}}])
    # The id of a trace is as long as that of an activity, and none.
    dump("activity", data, 0, [{"activity": None}, {"activity": "03020100-0504-0706-0809-0a0b0c0d0e0f"}] +
         [{"activity": None}] * 4, "-e", "activity")


def test_many_lists_in_one_block_in_any_order():
    """Each is found wherever it stands, and none is counted from the first of its block."""
    n = 20000
    order = [i * 7919 % n for i in range(n)]
    path = written("lists", nt6.trace(
        [MAIN, META, stacks(1, *([i, i + 1] for i in range(n))),
         labels(1, *([(6, text("n") + nt6.vari(i))] for i in range(n))),
         events([event(1, 0, 1, 1, i32(i), i + 1, i + 1) for i in order])]))
    _, got = check.jsonl("dump", "-e", "n,stack,label.n", path)
    equal("lists: stacks", [[int(ip, 16) for ip in e["stack"]] for e in got],
          [[i, i + 1] for i in order])
    equal("lists: labels", [(e["n"], e["label.n"]) for e in got], [(i, i) for i in order])


def test_nested_types():
    point = type_(nt6.OBJECT, fields(
        ("s", type_(nt6.TEXT16)), ("f", type_(nt6.FIXED, type_(nt6.U8), u16(3)))))
    described = fields(
        ("o", type_(nt6.OBJECT, fields(
            ("x", type_(nt6.I32)), ("a", type_(nt6.ARRAY, point))))),
        ("aa", type_(nt6.ARRAY, type_(nt6.ARRAY, type_(nt6.I16)))),
        ("r", type_(nt6.RELLOC, type_(nt6.U8))),
        ("d", type_(nt6.DATALOC, type_(nt6.CHAR8))), ("end", type_(nt6.VARI)))
    front = (i32(5) + u16(2) + "\u00e9".encode("utf-16le") + b"\0\0\1\2\3" + b"\0\0\4\5\6" +
             u16(2) + u16(1) + u16(9) + u16(0))
    pay = (front + u16(4 + 1) + u16(2) + u16(len(front) + 9 + 2) + u16(3) + nt6.vari(-3) +
           b"\xde\xad" + b"abc")
    path = written("nested", nt6.trace(
        [MAIN, metadata(row(1, "P", 1, "A", described)), events([event(1, 0, 1, 1, pay)])]))
    _, got = check.jsonl("dump", path)
    equal("nested: payload", (got[0]["payload"], got[0].get("undecoded")),
          ({"o": {"x": 5, "a": [{"s": "\u00e9", "f": "010203"}, {"s": "", "f": "040506"}]},
            "aa": [[9], []], "r": "dead", "d": "abc", "end": -3}, None))
    _, got = check.jsonl("dump", "-e", "end,o.a.f,o.x,aa,o.a.s", path)
    equal("nested: by their paths", got[0],
          {"end": -3, "o.a.f": ["010203", "040506"], "o.x": 5, "aa": [[9], []],
           "o.a.s": ["\u00e9", ""]})
    # What stands deeper in a field that is passed is not taken for one beside it.
    _, got = check.jsonl("dump", "-e", "o.x,end", path)
    equal("nested: beside others", got[0], {"o.x": 5, "end": -3})


def test_objects_without_bytes():
    """An array of objects may go on at the end of the payload, if they have no bytes."""
    inner, filled = type_(nt6.OBJECT, fields()), type_(nt6.OBJECT, fields(("i", type_(nt6.I32))))
    kinds = [fields(("n", type_(nt6.I32)), ("v", type_(nt6.ARRAY, type_(nt6.OBJECT, fields(("o", o))))))
             for o in (inner, filled)]
    path = written("bare", nt6.trace(
        [MAIN, metadata(*(row(1 + i, "P", 1 + i, "A", f) for i, f in enumerate(kinds))),
         events([event(1, 0, 1, 1, i32(7) + u16(3)), event(2, 1, 1, 1, i32(8) + u16(3))])]))
    _, got = check.jsonl("dump", path)
    equal("bare: objects", got[0]["payload"], {"n": 7, "v": [{"o": {}}] * 3})
    equal("bare: bytes that are missing", (got[1]["payload"], "error" in got[1]), ({"n": 8, "v": []}, True))


def test_an_index_is_given_to_another_thread():
    two = threads(thread(1, thread_name("two"), process_id(100), thread_id(202)))
    again = threads(thread(1, thread_name("three"), thread_id(101), process_id(100)))
    _, facts = dump("reuse", nt6.trace(
        [MAIN, META, one(1), nt6.remove((1, 4)), two, one(2, ticks=10), nt6.remove((1, 1)), again,
         one(3, seq=3, ticks=20)]), 0,
        [{"tid": 101}, {"tid": 202, "thread": "two"}, {"tid": 101, "lost": 3}])
    equal("reuse: lost", facts["lost"], 3 + 3)


def test_a_sequence_point_that_flushes_all():
    """Losses in front of it count, numbers behind it begin anew, and so do all ids."""
    _, facts = dump("flush", nt6.trace(
        [MAIN, META, stacks(1, [1, 2]), events([event(1, 0, 1, 5, i32(1), stack=1)]),
         sequence_point(100, 3, [(1, 4)]), MAIN,
         metadata(row(1, "P", 2, "B", fields(("m", type_(nt6.I64))))), stacks(1, [9]),
         events([event(1, 900, 1, 110, u64(3), stack=1)]), sequence_point(200, 0xfffffff0)]), 0,
        [{"stack": ["0x1", "0x2"], "name": "A", "payload": {"n": 1}},
         {"stack": ["0x9"], "name": "B", "payload": {"m": 3}, "lost": None}])
    equal("flush: lost", facts["lost"], 3)


def test_keys_that_are_given_twice():
    mine = thread(1, key_value("a", "b"), key_value("a", "c"), key_value("d", "e"))
    data = nt6.trace([threads(mine), META, one()], keys=[("x", "1"), ("y", "2"), ("x", "3")])
    _, facts = dump("keys", data, 0, [{}])
    equal("keys: of the trace", facts["keyValues"], {"x": ["1", "3"], "y": "2"})
    r, rows = check.jsonl("threads", os.path.join(SCRATCH, "keys"))
    equal("keys: of a thread", rows[0]["keyValues"], {"a": ["b", "c"], "d": "e"})
    equal("keys: once each", r.out.count(b'"a":'), 1)


def test_times_at_the_ends():
    times = [-1, 0, -1 << 63, (1 << 63) - 1]
    path = written("times", nt6.trace(
        [MAIN, META, events([nt6.plain_event(1, i + 1, 1, t, i32(i)) for i, t in enumerate(times)],
                            compressed=False)], sync=(1 << 63) - 1, freq=1))
    r, got = check.jsonl("dump", path)
    equal("times: in order", (r.code, [e["ticks"] for e in got]), (0, sorted(times)))
    equal("times: saturated", [e["t"] for e in got], [-1 << 63] * 3 + [0])


def test_events_that_come_too_late():
    """Behind a later sequence point: a window of time has them as the filter has."""
    path = written("late", nt6.trace(
        [MAIN, META, events([event(1, 0, 1, 1000, i32(1)), event(1, 0, 1, -500, i32(2))]),
         sequence_point(2000), events([event(1, 2, 1, 50, i32(3)), event(1, 3, 1, 2000, i32(4))])]))
    r, got = check.jsonl("dump", path)
    equal("late: all", (r.code, [e["payload"]["n"] for e in got]), (0, [2, 1, 3, 4]))
    for begin, end, want in ((0, 60, [3]), (40, 501, [2, 3]), (60, 501, [2]), (900, 9000, [1, 4])):
        ends = [f"{begin}ns", f"{end}ns"]
        bounds = ["--from", ends[0], "--to", ends[1]]
        for how in (bounds, ["-f", "time in " + "..".join(ends)]):
            _, got = check.jsonl("dump", *how, path)
            equal(f"late: {how}", [e["payload"]["n"] for e in got], want)
        _, got = check.jsonl("stats", "--by", "tid", *bounds, path)
        equal(f"late: stats {bounds}", [s["events"] for s in got], [len(want)])
    _, got = check.jsonl("gaps", path)
    equal("late: the gap is behind the row of the event", [(g["gap"], g["after"]) for g in got],
          [(3, 2)])


def test_padded_events_and_long_numbers():
    dump("padded", nt6.trace(
        [MAIN, META, events([nt6.plain_event(1, 1, 1, 5, i32(1), bytes(13)),
                             nt6.plain_event(1, 2, 1, 6, i32(2))], compressed=False)]), 0,
        [{"payload": {"n": 1}}, {"payload": {"n": 2}}])
    # Numbers may be written with more bytes than they need, up to what their size allows.
    long = bytes([0xc5]) + b"\x81\x80\x80\x80\0" + b"\1" + b"\x85" + b"\x80" * 8 + b"\0" + b"\x84\0"
    dump("long", nt6.trace([threads(thread(0)), META, events([long + i32(8)])]), 1,
         [{"payload": {"n": 8}, "t": 5}])
    longer = b"\xc1\x81\x80\x80\x80\x80\0\5\4" + i32(8)
    dump("longer", nt6.trace([MAIN, META, events([longer]), one()]), 1, [{"payload": {"n": 7}}])


def test_a_second_trace_behind_the_first():
    data = nt6.trace([MAIN, META, one()])
    dump("two", data + data, 1, [{"payload": {"n": 7}}])
    equal("two: findings", kinds("two"), [("warning", "trailing")])


def test_from_the_first_to_the_last_time_that_there_is():
    """The length is more than 64 bits have: the most that they have, in each command."""
    path = written("ends.nettrace", nt4_make.trace([nt4_make.event(ts, 1, i) for i, ts in
                                                    enumerate((-2**63, -2**63 + 5, 2**63 - 1), 1)]))
    for command in "info", "summary":
        r = check.tnav(command, path)
        equal(f"{command} {r.err}", (r.code, b"3 events in 9,223,372,036.855 s" in r.out or
                                     b"3 in 9,223,372,036.855 s" in r.out), (0, True))


def found(name, blocks, *wants, head=None, **options):
    """What `check` lists: severity, kind, text, the block and where in it (-4: its header), bytes. Without a
    block, it is where in the file."""
    data = bytearray(nt6.trace(blocks, **options))
    for at, value in (head or {}).items():
        data[at:at + len(value)] = value
    _, lines = check.jsonl("check", written(name.replace(" ", "-") + ".nettrace", bytes(data)))
    starts = [len(nt6.trace(blocks[:i], end=b"")) + 4 for i in range(len(blocks))]
    equal(name, [(f["severity"], f["kind"], f["text"], f["offset"], f["bytes"]) for f in lines],
          [(severity, kind, said, at if where is None else starts[where] + at, n)
           for severity, kind, said, where, at, n in wants])


def too_long(block):
    """The block with a size that is 3 too great."""
    return (int.from_bytes(block[:4], "little") + 3).to_bytes(4, "little") + block[4:]


def test_what_is_wrong_is_said_with_its_place():
    found("month 13", [],
          ("warning", "bad-header", "the sync time is not a valid date; times are relative only", None, 24, 16),
          head={26: u16(13)})
    found("no ticks", [],
          ("warning", "bad-header", "the tick frequency is not positive; one tick is shown as one second", None, 48, 8),
          freq=0)
    found("pointers", [], ("warning", "bad-header", "the pointer size is neither 4 nor 8; 8 is assumed", None, 56, 4),
          head={56: u16(5)})
    found("points", [sequence_point(10), sequence_point(5)],
          ("note", "time", "a sequence point is earlier than the one before it", 1, -4, 0))
    found("late", [MAIN, META, sequence_point(100), one()],
          ("note", "order", "events are earlier than the sequence point before them", 3,
           20 + len(event(1, 0, 1, 5)), 0))
    found("again", [MAIN, META, metadata(row(1, "P", 2, "A"))],
          ("warning", "metadata", "a metadata id is defined twice with different content; the first is kept", 2, 4, 9))
    found("never declared", [nt6.remove((9, 0))],
          ("warning", "thread", "a thread is removed that was never declared", 0, 0, 0))
    found("no index", [threads(u16(0))], ("warning", "thread", "a thread entry is cut short", 0, 0, 0))
    found("no number", [MAIN, nt6.block(nt6.REMOVE, b"\1\0\1")],
          ("warning", "thread", "a list of removed threads is cut short", 1, 2, 1))
    found("half a label", [nt6.block(nt6.LABEL, nt6.u32(1) + nt6.u32(1) + b"\x81abcd")],
          ("warning", "label", "a label list is cut short", 0, 8, 0))
    found("list 0", [labels(0, [(1, bytes(16))])],
          ("warning", "label", "a label list has number 0, which means none", 0, 0, 0))
    found("99 lists", [nt6.block(nt6.LABEL, nt6.u32(1) + nt6.u32(99) + b"\x81" + bytes(16))],
          ("warning", "label", "a block of label lists claims more lists than fit in it", 0, 0, 25),
          ("warning", "label", "a label list is cut short", 0, 25, 0))
    found("kind 77", [nt6.block(77, b"abc")],
          ("note", "unknown-kind", "a block of unknown kind 77 is skipped", 0, -4, 7))
    odd = row(1, "P", 1, "A", NUMBER, optional=b"\x63\1\2")
    found("optional 99", [MAIN, metadata(odd)],
          ("note", "metadata", "an optional part of a metadata row is of unknown kind; the remaining parts are "
           "skipped", 1, 4, len(odd) - 2))
    found("many threads", [nt6.block(nt6.SEQUENCE, u64(5) + nt6.u32(0) + nt6.u32(1000))],
          ("warning", "bad-block", "a sequence point claims more threads than fit in it", 0, 0, 16))
    found("size", [MAIN, META, too_long(one()), one(8, 1, 6)],
          ("warning", "bad-block", "a block has a wrong size; it is read up to the next block", 2, -4, len(one())))
    found("noise", [MAIN, META, b"noise", one(), one(8, 1, 6)],
          ("warning", "skipped", "bytes that do not belong to the format are skipped", 2, -4, 5))


if __name__ == "__main__":
    run_all(globals())
