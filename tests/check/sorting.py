#!/usr/bin/env python3
"""--sort and --top of every list and report, against the rows without them, sorted here."""
import re

import check

TOUR = check.tour()
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
                       (("spans", "--sort", "tottal"), b'unknown column "tottal" (near: total)'),
                       (("ps", "--sort", "uptim"), b'unknown column "uptim" (near: uptime)'),
                       (("summary", "--by", "nosuch"), b"of kind diagnosis, remark, time"),
                       (("types", "--sort", "event:up"), b'unknown column "event:up"')):
        if args[0] == "ps":
            r = check.tnav(*args)
            check.true(f"{args}: {r.err}", r.code == 2 and says in r.err)
            continue
        r = check.tnav(*args, TOUR)
        check.equal(f"{args}: exit code", r.code, 2)
        check.true(f"{args}: {r.err}", says in r.err)


def lists_without_a_trace():
    """providers and ps: their rows, sorted here."""
    for args in (("providers", TOUR), ("providers",)):
        _, rows = check.jsonl(*args)
        columns = [c for c in rows[0] if any(number(r.get(c)) for r in rows)] + ["provider"]
        for col in columns:
            key = str.lower if col == "provider" else lambda v: v
            want = sorted((r[col] for r in rows if r.get(col) is not None), key=key, reverse=True)
            _, got = check.jsonl(*args[:1], "--sort", col + ":desc", "--top", "5", *args[1:])
            check.equal(f"{args} by {col}", [r[col] for r in got], want[:5])
    for col in ("pid", "uptime"):
        _, rows = check.jsonl("ps", "--sort", col + ":asc")
        values = [r[col] for r in rows if r.get(col) is not None]
        check.equal(f"ps by {col}", values, sorted(values))


def spans_as_text_has_them():
    """With --sort and --top, JSON lines of spans are the names that text shows, in its order."""
    _, both = check.jsonl("spans", TOUR)
    names = [r for r in both if r["kind"] == "name"]
    for args, key in ((("--sort", "dur"), "total"), (("--sort", "max"), "max"), ((), "total")):
        _, got = check.jsonl("spans", *args, "--top", "3", TOUR)
        want = sorted((r["dur"].get(key) or 0 for r in names), reverse=True)[:3]
        check.equal(f"spans {args}", [r["dur"][key] for r in got], want)


def units():
    """Titles of CSV have units where cells are rates, too."""
    for args, title in ((("stats",), "rate (/s)"), (("allocs",), "rate (B/s)"),
                        (("gc",), "allocRate (B/s)"), (("threadpool",), "throughput (/s)")):
        head = check.tnav(*args, "--format", "csv", TOUR).out.decode().splitlines()[0]
        check.true(f"{args}: {head}", title in head.split(","))
    head = check.tnav("ps", "--format", "csv").out.decode().splitlines()[0]
    check.true(f"ps: {head}", "uptime (ns)" in head.split(","))


def parts_by_their_usual_names():
    for command, name, kind in (("contention", "lock", "byLock"), ("contention", "owner", "byOwner"),
                                ("contention", "thread", "byTid"), ("tasks", "thread", "byTid")):
        one, two = (check.tnav(command, "--by", x, TOUR).out for x in (name, kind))
        check.true(f"{command} --by {name}", one == two and len(one.splitlines()) > 1)


def main():
    check.need_tnav()
    for command in REPORTS + LISTS:
        compare(command, first_kind(command))
    lists_without_a_trace()
    spans_as_text_has_them()
    units()
    mistakes()
    parts_by_their_usual_names()
    check.finish(100)


main()
