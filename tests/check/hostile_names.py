#!/usr/bin/env python3
"""Names that a trace or a file of the person's own makes up stay harmless at every door.

A made trace has methods, modules, mappings, symbols, spans and activities with names full of
semicolons, tabs, line ends, escapes, marks of direction and 64 KiB of text; a perf map has some, too.
What is printed for people has no control and no mark of direction in it; JSON and CSV give the very
name; a folded stack has as many frames as the stack, and its weight last.
"""
import csv
import io
import json
import os
import re
import struct

import check
import nt6
import screen

EVIL = "a;b\tc\r\nd\x1b[31m\x1b]0;t\x07\u202ee\u2066f\x7f\x9bg"
LONG = "L;" * 20_000
RUNTIME, SYSTEM = "Microsoft-Windows-DotNETRuntime", "Universal.System"
# Anything that a terminal would take for more than a character.
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
STACK = (0x1010, 0x2010, 0x7F0000001010, 0x7F0000009010, 0x500010)
RAW = (EVIL + "." + EVIL + "(int32," + EVIL + ")", "Ns.Type." + LONG + "()", EVIL)


def utf16z(s):
    return s.encode("utf-16-le") + b"\0\0"


def text16(s):
    s = s.encode()
    return nt6.u16(len(s)) + s


def method(start, namespace, name, signature):
    return (struct.pack("<QQQIII", start, 5, start, 0x100, 0, 0) + utf16z(namespace) + utf16z(name) +
            utf16z(signature))


def described():
    u64, u32, text = nt6.type_(nt6.U64), nt6.type_(nt6.U32), nt6.type_(nt6.TEXT16)
    v, t = nt6.type_(nt6.VARU), nt6.type_(nt6.CHAR8)
    code = nt6.fields(("MethodID", u64), ("ModuleID", u64), ("MethodStartAddress", u64),
                      ("MethodSize", u32), ("MethodToken", u32), ("MethodFlags", u32),
                      ("MethodNamespace", text), ("MethodName", text), ("MethodSignature", text))
    return nt6.metadata(
        nt6.row(1, RUNTIME, 143, "MethodLoadVerbose", code),
        nt6.row(2, SYSTEM, 3, "ProcessMapping",
                nt6.fields(("Id", v), ("StartAddress", v), ("EndAddress", v), ("FileOffset", v),
                           ("FileName", t), ("MetadataId", v))),
        nt6.row(3, SYSTEM, 4, "ProcessSymbol",
                nt6.fields(("Id", v), ("MappingId", v), ("StartAddress", v), ("EndAddress", v),
                           ("Name", t))),
        nt6.row(4, EVIL, 7, EVIL + "Start", nt6.fields(("Url", text))),
        nt6.row(5, EVIL, 8, EVIL + "Stop"),
        nt6.row(6, RUNTIME, 9, "GCSuspendEEBegin", nt6.fields(("Reason", u32))),
        nt6.row(7, RUNTIME, 35, "GCTriggered", nt6.fields(("Reason", u32))),
        nt6.row(8, RUNTIME, 1, "GCStart",
                nt6.fields(("Count", u32), ("Depth", u32), ("Reason", u32), ("Type", u32))),
        nt6.row(9, RUNTIME, 3, "GCRestartEEEnd"),
        nt6.row(10, "Universal.Events", 0, "cpu"),
        nt6.row(11, RUNTIME, 10, "GCAllocationTick",
                nt6.fields(("AllocationAmount", u32), ("TypeName", text))))


def mapping(number, start, end, name):
    return b"".join(map(nt6.varu, (number, start, end, 0))) + text16(name) + nt6.varu(0)


COLLECTION = [
    nt6.event(6, 0, 1, 1, struct.pack("<I", 1)),
    nt6.event(7, 0, 1, 1, struct.pack("<I", 0), stack=1),
    nt6.event(8, 0, 1, 1, struct.pack("<4I", 1, 0, 0, 0)),
    nt6.event(10, 0, 1, 1, b"", stack=1),
    nt6.event(11, 0, 1, 1, struct.pack("<I", 1000) + utf16z(EVIL), stack=1),
    nt6.event(9, 0, 1, 1000, b"")]


def write(path, more=()):
    activity = bytes(range(0xf0, 0x100))
    blocks = [
        nt6.threads(nt6.thread(1, nt6.thread_name(EVIL), nt6.process_id(7), nt6.thread_id(7))),
        described(), nt6.stacks(1, list(STACK)),
        nt6.labels(1, [(1, activity), (5, nt6.text(EVIL) + nt6.text(EVIL))]),
        nt6.events([
            nt6.event(1, 0, 1, 1, method(0x1000, EVIL, EVIL, f"void  (int32,{EVIL})")),
            nt6.event(1, 0, 1, 1, method(0x2000, "Ns.Type", LONG, "void  ()")),
            nt6.event(2, 0, 1, 1, mapping(1, 0x7F0000001000, 0x7F0000001FFF, "/x/" + EVIL)),
            nt6.event(3, 0, 1, 1, b"".join(map(nt6.varu, (
                1, 1, 0x7F0000001000, 0x7F00000010FF))) + text16(EVIL)),
            nt6.event(2, 0, 1, 1, mapping(2, 0x7F0000009000, 0x7F0000009FFF, "/x/" + EVIL)),
            nt6.event(4, 0, 1, 1, utf16z(EVIL), stack=1, label=1),
            nt6.event(5, 0, 1, 1000, b"", stack=1, label=1), *more])]
    with open(path, "wb") as f:
        f.write(nt6.trace(blocks))


def check_text(what, *args):
    out = check.tnav(*args).out.decode()
    found = UNSAFE.search(out)
    check.equal(f"{what}: what a terminal would act on", found and found.group(), None)
    check.true(f"{what}: something is printed", out.strip())


def expected():
    """The frames of a stack, as dump --symbols has them: a mapped file by its base name."""
    return list(RAW) + [EVIL + "+0x10", "perf " + EVIL.split("\r\n", maxsplit=1)[0]]


def check_exact(path, perf):
    args = "--symbols", "--perf-map", perf, "-f", "has stack", path
    events = check.jsonl("dump", *args)[1]
    check.equal("JSON: events with a stack", len(events), 2)
    for e in events:
        check.equal("JSON: frames", len(e["stack"]), len(STACK))
        for got, want in zip(e["stack"], expected()):
            check.equal("JSON: a frame", got, want)
    out = check.tnav("dump", "--format", "csv", "-e", "row,stack.method", *args).out.decode()
    rows = list(csv.reader(io.StringIO(out, newline="")))
    check.equal("CSV: rows and columns", [len(r) for r in rows], [2] * 3)
    for name in RAW:
        check.true("CSV: the names", name in json.loads(rows[1][1]))
    spans = [s for s in check.jsonl("spans", "--list", path)[1] if s.get("provider") == EVIL]
    check.equal("spans", [(s["kind"], s["name"]) for s in spans],
                [("span", EVIL + "Start"), ("name", EVIL + "Start")])
    graph = json.loads(check.tnav("stacks", "--speedscope", "--weight", "count", "--perf-map", perf,
                                  path).out)
    names = [f["name"] for f in graph["shared"]["frames"]]
    for name in ("Ns.Type." + LONG, EVIL, expected()[3]):
        check.true("speedscope: the names, as folded", any(
            n == re.sub("[\0-\x08\n-\x1f\x7f-\x9f]", " ", name.replace(";", ":"))[:len(n)] for n in names if len(n) > 8))


def check_folded(path, perf):
    args = "stacks", "--fold", "--weight", "count", "-f", "has stack", "--perf-map", perf, path
    lines = check.tnav(*args).out.decode().split("\n")[:-1]
    check.equal("folded: stacks", len(lines), 1)
    for line in lines:
        stack, weight = line.rsplit(" ", 1)
        check.equal("folded: weight", weight, "2")
        check.equal("folded: frames", len(stack.split(";")), 1 + len(STACK))
    if screen.available():
        with screen.Screen([check.TNAV, *args], 50, 200) as s:
            s.wait("<U+202E>e")
            s.settle(0.3)
            check.equal("folded, on a terminal", UNSAFE.search(s.text().replace("\n", " ")), None)


def check_screen(path, perf):
    with screen.Screen([check.TNAV, "--perf-map", perf, path], 24, 80) as s:
        s.wait("row 0")
        s.ask("G\x1b4", "innermost first", "#4")
        shown = s.text()
        s.ask("ys", "copied")
        s.send("H")
        s.settle(0.3)
        shown += s.text()
        for keys in ("\x1b9", "q\x1ba", "q\x1b5", "q\x1bc", "q\x1bi"):
            s.send(keys)
            s.settle(0.3)
            shown += s.text()
        found = UNSAFE.search(shown.replace("\n", " "))
        check.equal("screen: what a terminal would act on", found and found.group(), None)
        s.send("Q")
        check.equal("screen: exit", s.finish(), 0)


def main():
    check.need_tnav()
    folder = check.temp_dir()
    path, perf = os.path.join(folder, "made.nettrace"), os.path.join(folder, "perf-7.map")
    write(path)
    with open(perf, "w", encoding="utf-8", newline="") as f:
        f.write(f"500000 1000 perf {EVIL}\n600000 1000 {LONG}\n")
    check.equal("the trace is whole", check.tnav("check", path).code, 0)
    check_text("dump", "dump", "--symbols", "--perf-map", perf, path)
    check_text("dump of frames", "dump", "-e", "row,name,stack,stack.method,stack.module",
               "--perf-map", perf, path)
    check_text("stats", "stats", "--by", "stack.method", "--perf-map", perf, path)
    check_text("stacks", "stacks", "--weight", "count", "--perf-map", perf, path)
    check_text("stacks --tree", "stacks", "--tree", "top-down", "--weight", "count", path)
    check_text("spans", "spans", path)
    check_text("spans --list", "spans", "--list", path)
    check_text("activities", "activities", path)
    collection = os.path.join(folder, "collection.nettrace")
    write(collection, COLLECTION)
    check_text("gc", "gc", collection)
    check_text("memory by method", "allocs", "--by", "method", collection)
    text = check.tnav("gc", collection).out.decode()
    check.true(f"a cause and what ran: {text}", ", caused by a;b" in text and "running then: a;b" in text)
    check_text("threads", "threads", path)
    check_text("types", "types", path)
    check_exact(path, perf)
    check_folded(path, perf)
    if screen.available():
        check_screen(path, perf)
    check.finish(least=40)


if __name__ == "__main__":
    main()
