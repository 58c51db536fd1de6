#!/usr/bin/env python3
"""--sort and --top of every list and report, against the rows without them, sorted here."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import check  # noqa: E402

TOUR = os.path.join(check.DATA, "tour.nettrace.zst")
REPORTS = ("gc", "allocs", "exceptions", "contention", "jit", "loader", "threadpool", "requests", "tasks",
           "counters", "samples")
LISTS = ("types", "threads", "gaps", "stacks")
TOP = 3


def number(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def ordered(rows, col, up):
    """Stable; rows without a value last."""
    has = sorted((r for r in rows if number(r.get(col))), key=lambda r: r[col] if up else -r[col])
    return has + [r for r in rows if not number(r.get(col))]


def compare(command, kind):
    _, rows = check.jsonl(command, TOUR)
    of = [r for r in rows if r.get("kind", kind) == kind]
    rest = [r for r in rows if r.get("kind") == "summary"]
    # The columns of stacks are named part and partShare on the command line.
    columns = [c for c in of[0] if any(number(r.get(c)) for r in of) and not
               (command == "stacks" and c.startswith("external"))]
    check.true(f"{command}: it has numbers", columns)
    for col in check.check_sample(columns, 3):
        for way, up in ((":asc", True), (":desc", False)):
            _, got = check.jsonl(command, "--sort", col + way, "--top", str(TOP), TOUR)
            want = [r.get(col) for r in ordered(of, col, up)[:TOP]]
            check.equal(f"{command} by {col}{way}", [r.get(col) for r in got[:len(want)]], want)
            check.equal(f"{command} by {col}{way}: the summary stays last",
                        [r["kind"] for r in got[len(want):]], [r["kind"] for r in rest])
    _, got = check.jsonl(command, "--top", str(TOP), TOUR)
    check.equal(f"{command} --top {TOP}", got, of[:TOP] + rest)


def first_kind(command):
    """What a report shows first, by the message that lists its kinds."""
    if command in LISTS:
        return None
    err = check.tnav(command, "--by", "nosuch", TOUR).err.decode()
    return re.search(r"of kind (\w+)", err)[1]


def mistakes():
    for args, says in ((("requests", "--sort", "nosuch"), b'unknown column "nosuch" (kind, '),
                       (("stacks", "--fold", "--top", "3"), b"do not apply to --fold"),
                       (("types", "--sort", "event:up"), b'unknown column "event:up"')):
        r = check.tnav(*args, TOUR)
        check.equal(f"{args}: exit code", r.code, 2)
        check.true(f"{args}: {r.err}", says in r.err)


def parts_by_their_usual_names():
    for command, name, kind in (("contention", "lock", "byLock"), ("contention", "owner", "byOwner"),
                                ("contention", "thread", "byTid"), ("tasks", "thread", "byTid")):
        one, two = (check.tnav(command, "--by", x, TOUR).out for x in (name, kind))
        check.true(f"{command} --by {name}", one == two and len(one.splitlines()) > 1)


def main():
    check.need_tnav()
    for command in REPORTS + LISTS:
        compare(command, first_kind(command))
    mistakes()
    parts_by_their_usual_names()
    check.finish(100)


main()
