#!/usr/bin/env python3
"""Memory that a file can ask for: 64 MiB and four times its size, whatever is in it. Each file here
is full of one thing that the index keeps something of; the system enforces the limit."""
import json
import os
import random
import re
import struct
import subprocess
import time

import check
from check import equal, tnav, true
from nt6 import (event, events, fields, labels, metadata, process_id, row, sequence_point,
                 stacks, thread, thread_id, threads, trace)

SIZE = 4_000_000
LARGE = 40_000_000      # of what costs little a block, so that what is free does not hide it
FREE = 64 << 20
SAMPLE = 2              # kinds of files
OTHERS = 2              # of the other checks within a limit
MAIN = threads(thread(1, process_id(1), thread_id(1)))
META = metadata(row(1, "P", 7, "E", fields()))


def full_of(make, rows=2000):
    """Blocks of so many rows, numbered, until the file is large enough."""
    blocks, size, at = [MAIN, META], 0, 0
    while size < SIZE:
        blocks.append(make(range(at, at + rows)))
        size += len(blocks[-1])
        at += rows
    return trace(blocks)


def tiny_blocks(block, number):
    """A block again and again, of one list each; number tells the i-th list's number of n."""
    head, first, tail = block[:4], struct.Struct("<I").pack, block[8:]
    n = LARGE // len(block)
    return trace([b"".join(head + first(number(i, n)) + tail for i in range(n))])


def heph(stream, name):
    out, at = bytearray(), 0
    while len(out) < SIZE:
        text = name(at)
        out += struct.pack(">IIIIQQQH", 0xC1FC1FB7, 42 + len(text), stream(at), 0, 0, at, at, len(text))
        out += text
        at += 1
    return bytes(out)


def v6(make, rows=2000):
    return lambda: full_of(make, rows)


FILES = {
    "threads": v6(lambda r: threads(*[thread(i + 2) for i in r])),
    "thread-ids": v6(lambda r: threads(*[thread(i + 2, thread_id(i)) for i in r])),
    "threads-again": v6(lambda r: threads(*[thread(1, thread_id(1 + i % 2)) for i in r])),
    "threads-unknown": v6(lambda r: events([event(1, 0, i + 2) for i in r])),
    "types": v6(lambda r: metadata(*[row(i + 2, "", 1, "", fields()) for i in r])),
    "types-unknown": v6(lambda r: events([event(i + 2, 0, 1) for i in r])),
    "losses": v6(lambda r: events([event(1, 2 * i, 1, i) for i in r])),
    "blocks": v6(lambda r: events([event(1, i + 1, 1, i) for i in r]), 1),
    "points": v6(lambda r: b"".join(map(sequence_point, r)), 1),
    "stacks-up": lambda: tiny_blocks(stacks(0, b""), lambda i, n: 1 + i),
    "stacks-down": lambda: tiny_blocks(stacks(0, b""), lambda i, n: n - i),
    "labels-up": lambda: tiny_blocks(labels(0, [(7, b"x")]), lambda i, n: 1 + i),
    "labels-down": lambda: tiny_blocks(labels(0, [(7, b"x")]), lambda i, n: n - i),
    "heph-names": lambda: heph(lambda i: 1, lambda i: b"%x" % i),
    "heph-streams": lambda: heph(lambda i: i, lambda i: b""),
}


def within_limits(scratch):
    for name, make in check.check_sample(FILES.items(), SAMPLE):
        path = os.path.join(scratch, name)
        with open(path, "wb") as f:
            size = f.write(make())
        for args in (["info"], ["threads", "--limit", "1"], ["dump", "--limit", "1"]):
            r = tnav(*args, "-j1", path, limit=FREE + 4 * size)
            true(f"{name}: {args[0]} in {FREE + 4 * size:,} bytes ({r.err.decode()[:60]!r})",
                 r.code in (0, 1))
        os.unlink(path)


def peak(*args):
    """The exit code, and the most anonymous memory that was seen: there may have been more."""
    most = 0
    with subprocess.Popen([check.TNAV, *args], stdout=subprocess.DEVNULL) as p:
        while p.poll() is None:
            try:
                with open(f"/proc/{p.pid}/smaps_rollup", encoding="ascii") as f:
                    most = max([most] + [int(x.split()[1]) << 10 for x in f
                                         if x.startswith("Anonymous:")])
            except OSError:
                pass
            time.sleep(0.002)
    return p.returncode, most


def rows_of_many_workers(scratch, copies=120, rows=4000):
    """Whoever writes rows holds those of some pieces and some views, however many workers there are."""
    path = os.path.join(scratch, "rows")
    block = events([event(1, 1, 1, 1, bytes(40), 1) for _ in range(rows)])
    with open(path, "wb") as f:
        size = f.write(trace([MAIN, META, stacks(1, [0x7f0012345678 + i for i in range(40)])] +
                             [block] * copies))
    for kind in ("jsonl", "csv", "text"):
        code, most = peak("dump", "--format", kind, "-j7", path)
        equal(f"{kind} of seven workers: exit code", code, 0)
        true(f"{kind} of seven workers: {most:,} bytes", 0 < most <= FREE + size // 100)
    os.unlink(path)


def many_spans(scratch, deep=150_000, flat=150_000):
    """So many spans, each within the one before and all open at once; then as many one after the
    other: what is kept in memory is what is open."""
    path = os.path.join(scratch, "spans")
    meta = metadata(row(1, "P", 7, "WorkStart", fields()), row(2, "P", 8, "WorkStop", fields()))
    kinds = [1] * deep + [2] * deep + [1, 2] * flat
    with open(path, "wb") as f:
        size = f.write(trace([MAIN, meta, events([event(k, 0, 1, 1) for k in kinds])]))
    bound = FREE + size // 100
    for command in ("spans", "activities"):
        r = tnav(command, "--format", "jsonl", "--limit", "1", "-j1", path, limit=bound)
        true(f"{command} of many spans in {bound:,} bytes ({r.err.decode()[:80]!r})",
             r.code in (0, 1))
    _, got = check.jsonl("spans", "--by-name", "-e", "name,states,max", path)
    equal(f"many spans ({size:,} bytes)", [(s["name"], s["states"]) for s in got],
          [("WorkStart", {"paired": deep + flat})])
    equal("the longest of many spans", got[0]["max"], 2 * deep - 1)
    os.unlink(path)


def distinct_stacks(scratch, made=10_000, frames=64):
    """Stacks of which no two are equal, of few addresses or of as many as there are frames: the list
    of methods takes at most ten times the file, and what any trace takes."""
    path = os.path.join(scratch, "stacks")
    for places, says in ((1000, b""), (1 << 40, b"(other addresses)")):
        draw = random.Random(7)
        blocks = [MAIN, META]
        for at in range(1, made, 100):
            blocks.append(stacks(at, *[[0x1000 + draw.randrange(places) for _ in range(frames)]
                                       for _ in range(100)]))
            blocks.append(events([event(1, 1, 1, 1, stack=at + i) for i in range(100)]))
        with open(path, "wb") as f:
            size = f.write(trace(blocks))
        r = tnav("stacks", "--weight", "count", "--format", "jsonl", "-j1", path, limit=(16 << 20) + 10 * size)
        equal(f"stacks of {places:,} places, {size:,} bytes: exit code ({r.err[:80]!r})",
              r.code, 0)
        true(f"stacks of {places:,} places: {r.err[:200]!r}", says in r.err)
        rows = list(map(json.loads, r.out.splitlines()))
        equal(f"stacks of {places:,} places: no frame is lost",
              sum(x["exclusive"] for x in rows), made)
    os.unlink(path)


def distinct_paths(scratch, made=10_000, frames=64):
    """As many nodes as there are frames, of few methods: a tree of all of them takes at most 10 times
    the file, and what any trace takes, from below no more than from above."""
    path = os.path.join(scratch, "paths")
    draw = random.Random(7)
    blocks = [MAIN, META]
    for at in range(1, made, 100):
        blocks.append(stacks(at, *[[0x1000 + draw.randrange(20) for _ in range(frames)]
                                   for _ in range(100)]))
        blocks.append(events([event(1, 1, 1, 1, stack=at + i) for i in range(100)]))
    with open(path, "wb") as f:
        size = f.write(trace(blocks))
    for form in ("--tree", "--tree=bottom-up"):
        r = tnav("stacks", form, "--weight", "count", "--format", "jsonl", "-j1", path, limit=(16 << 20) + 10 * size)
        equal(f"stacks {form}, {size:,} bytes: exit code ({r.err[:80]!r})", r.code, 0)
        alone = map(int, re.findall(rb'"exclusive":(\d+)', r.out))
        equal(f"stacks {form}: no event is lost", sum(alone), made)
    os.unlink(path)


def long_names_in_deep_stacks(scratch, frames=4096, made=60):
    """One stack of one method with a long name, which many small events have: each frame is told, behind
    a mebibyte of names as an address, and rows that are handed on are those that are written apart."""
    code = fields(("MethodStartAddress", b"\x0c"), ("MethodSize", b"\x0a"), ("MethodName", b"\x12"))
    name = "N" * 60000
    path = os.path.join(scratch, "names")
    blocks = [MAIN, metadata(row(1, "Microsoft-Windows-DotNETRuntime", 143, "MethodLoadVerbose", code),
                             row(2, "P", 7, "E", fields())), stacks(1, [0x1008] * frames),
              events([event(1, 1, 1, 1, struct.pack("<QI", 0x1000, 0x80) +
                            (name + "\0").encode("utf-16le"))] +
                     [event(2, 1, 1, 1, b"", 1) for _ in range(made)])]
    with open(path, "wb") as f:
        f.write(trace(blocks))
    rows = {}
    for kind in ("jsonl", "csv", "text"):
        r = tnav("dump", "--symbols", "--format", kind, "-j2", path, limit=256 << 20)
        equal(f"long names, {kind} ({r.err.decode()[:60]!r})", r.code, 0)
        rows[kind] = r.out.splitlines(keepends=True)
        for limit in check.check_sample((1, 7, 8, 9, 57), 2):
            cut = tnav("dump", "--symbols", "--format", kind, "--limit", str(limit), path, limit=256 << 20)
            head = rows[kind][:limit + (kind == "csv")]
            true(f"long names, {kind}, the first {limit}", cut.out == b"".join(head))
    equal("rows with long names", len(rows["jsonl"]), 1 + made)
    for line in rows["jsonl"][1:]:
        stack = check.json.loads(line)["stack"]
        named = sum(frame == name for frame in stack)
        true(f"{named} frames have the name", 1 << 20 <= named * len(name) <= (1 << 20) + 65536)
        true("the others are addresses", stack[named:] == ["0x1008"] * (frames - named))


def beyond_limits(scratch):
    """Nothing is told of an event that is not so."""
    path = os.path.join(scratch, "over")
    for name in check.check_sample(["types-unknown", "threads-unknown"], 1):
        with open(path, "wb") as f:
            f.write(FILES[name]())
        got = check.jsonl("dump", "-f", "row >= 100000", "--limit", "1", path)[1]
        equal(f"{name}: an event", len(got), 1)
        if name == "types-unknown":
            equal("a type beyond the limit", got[0]["name"], "types beyond the limit")
        else:
            equal("a thread beyond the limit", got[0]["thread"], "threads beyond the limit")
            true("its losses are not told", "lost" not in got[0])


def gaps_beyond_the_limit(scratch, events_n=200_000, kept=1 << 17):
    """Kept are the first gaps that the file tells, whoever counts; the others are in the sums."""
    path, rng = os.path.join(scratch, "gaps"), random.Random(3)
    number, last, gaps, blocks = [0, 0, 0], [None] * 3, [], []
    for row_0 in range(0, events_n, 2000):
        made, before = [], 0
        for at in range(row_0, row_0 + 2000):
            who = rng.randrange(3)
            lost = rng.choice((0, 1, 1, 1, 2))
            number[who] += 1 + lost
            if lost > 0:
                gaps.append((-1 if last[who] is None else last[who], who, lost))
            last[who] = at
            made.append(event(1, number[who] - before - 1 & 0xffffffff, who + 1,
                              at if at == row_0 else 1))
            before = number[who]
        blocks.append(events(made))
    with open(path, "wb") as f:
        f.write(trace([threads(*[thread(i + 1, process_id(1), thread_id(i)) for i in range(3)]),
                       META] + blocks))
    for workers in ("-j1", "-j3"):
        got = [(-1 if g["after"] is None else g["after"], g["tid"], g["gap"])
               for g in check.jsonl("gaps", workers, path)[1] if "gap" in g]
        equal(f"gaps kept {workers}", sorted(got) == sorted(gaps[:kept]), True)
    info = check.jsonl("info", path)[1][0]
    equal("lost in all", info["lost"], sum(g[2] for g in gaps))
    equal("gaps in all", info["gaps"], len(gaps))


def refused_inside_zstd(scratch):
    """An order by memory that zstd makes and does not get is no damage of the input."""
    path = os.path.join(scratch, "window.zst")
    with open(path, "wb") as f:     # a window of 128 MiB, the most that is given
        f.write(b"\x28\xb5\x2f\xfd\0" + bytes([17 << 3]) + b"\1\0\0")
    r = tnav("info", path, limit=64 << 20)
    equal(f"a window beyond the memory: exit code ({r.err!r})", r.code, 4)
    true(f"a window beyond the memory: {r.err!r}", b"out of memory" in r.err)
    r = check.tnav("info", path)
    equal("a window within the memory: exit code", r.code, 2)
    true(f"a window within the memory: {r.err}", b"is empty" in r.err)


def main():
    scratch = check.temp_dir()
    if tnav("--version", limit=FREE).code == 0:
        within_limits(scratch)
        refused_inside_zstd(scratch)
        for others in check.check_sample([rows_of_many_workers, many_spans, distinct_stacks, distinct_paths,
                                          long_names_in_deep_stacks], OTHERS):
            others(scratch)
    else:
        print("a sanitized program does not run within a limit")
    beyond_limits(scratch)
    gaps_beyond_the_limit(scratch)
    check.finish()


if __name__ == "__main__":
    main()
