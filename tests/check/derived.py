#!/usr/bin/env python3
"""Every consumer of a filter knows every derived field: a filter that asks for one holds of the
events whose column shows it, wherever it is given.

    events with the field   by their column (dump -e)
                          = by a filter (dump, dump --follow, stats, stacks, spans, a report)
                          = by the groups of stats --by

A field that the table of the source marks as derived and that is not tried here fails, too."""
import os

import check
import filterlang

DEMO = os.path.join(check.DATA, "demo.nettrace")
HTTP = os.path.join(check.DATA, "spans", "cut-http.nettrace")
STACKS = os.path.join(check.DATA, "reports", "faults.nettrace.zst")
# Filters by derived facts: the trace, the filter, and the column that shows the fact.
ONE = ["delta", "thread.role", "process"]       # one value an event
HAS = [*filterlang.SPANS, *ONE]
CASES = [(DEMO, f"has {name}", name) for name in HAS] + [
    (STACKS, "has stack.method", "stack.method"),
    (STACKS, "stack ~ System", None),
    (HTTP, "activity within //1/1", None),
]


def lines(*args):
    """What a command prints as JSON lines."""
    return check.jsonl(*args)[1]


def rows_of(trace, *args):
    """The rows that a dump prints."""
    return [r["row"] for r in lines("dump", *args, "-e", "row", trace)]


def spans_of(trace, *args):
    """The rows that begin the spans; in the demo all have ends. A row may begin several."""
    return [s["row"] for s in lines("spans", "--list", *args, trace) if s["kind"] == "span"]


def check_fields():
    """Is every field that the source marks as derived tried?"""
    table = os.path.join(check.TOP, "src", "engine", "field", "fields.tsv")
    with open(table, encoding="utf-8") as f:
        names = [line.split("\t")[0] for line in f if ".derived = " in line]
    check.equal("derived fields", sorted(names), sorted(HAS))


def check_case(trace, expr, field):
    """All consumers of the filter agree with the events that dump prints."""
    rows = rows_of(trace, "-f", expr)
    check.true(f"{expr}: some events", rows)
    if field:
        shown = [r["row"] for r in lines("dump", "-e", f"row,{field}", trace)
                 if r.get(field) not in (None, [])]
        check.equal(f"{expr}: by the column", rows, shown)
    if field and field != "stack.method":
        groups = lines("stats", "--by", field, trace)
        check.equal(f"{expr}: by the groups", sum(g["events"] for g in groups if g[field] is not None),
                    len(rows) if field in ONE else len(spans_of(trace)))
    check.equal(f"{expr}: stats", len(rows),
                sum(g["events"] for g in lines("stats", "-f", expr, trace)))
    for jobs in ("-j1", "-j2"):
        check.equal(f"{expr}: {jobs}", rows, rows_of(trace, "-f", expr, jobs))
    chosen = set(rows)
    check.equal(f"{expr}: spans", spans_of(trace, "-f", expr),
                [row for row in spans_of(trace) if row in chosen])
    check.equal(f"{expr}: stacks", len([r for r in rows_of(trace, "-f", "has stack") if r in chosen]),
                sum(r["exclusive"] for r in
                    lines("stacks", "--weight", "count", "-f", expr, trace)
                    if r["name"] != "(no frames)"))
    typed = [r["row"] for r in lines("dump", "-e", "row", "-f", 'name = "GC/AllocationTick"',
                                           trace)]
    check.equal(f"{expr}: allocs", len([r for r in typed if r in chosen]),
                sum(r["count"] for r in lines("allocs", "-f", expr, trace)
                    if r["kind"] == "type"))


def check_follow(expr):
    """Of a complete file all is known at once; what a growing one leaves out is remarked."""
    rows = rows_of(DEMO, "-f", expr)
    r = check.tnav("dump", "--follow", "-f", expr, "-e", "row", "--format", "jsonl", DEMO)
    check.equal(f"{expr}: --follow", [line["row"] for line in r.lines()], rows)
    check.true(f"{expr}: --follow remarks", b"events that are in the file now" in r.err)


def check_until(expr):
    """What needs a whole trace cannot end a recording."""
    r = check.tnav("record", "-p", "1", "--until", expr)
    check.equal(f"{expr}: --until", (r.code, b"is known only for a whole trace" in r.err), (2, True))


def main():
    check_fields()
    for case in check.check_sample(CASES, len(CASES)):
        check_case(*case)
        check_until(case[1])
    for name in HAS:
        check_follow(f"has {name}")
    check.finish(100)


main()
