#!/usr/bin/env python3
"""Requests that two programs know, recorded at once: tests/data/calls.

A client sent requests to a server (calls.cs); counts.txt is what both printed. The pairs, and the bounds of
the clocks that their times give, are found here from the events.
"""
import os
import re
import sys

import check

CALLS = os.path.join(check.DATA, "calls")
FILES = [os.path.join(CALLS, f) for f in ("client.nettrace.zst", "server.nettrace.zst")]
LATE = [os.path.join(CALLS, f) for f in ("late-client.nettrace.zst", "late-server.nettrace.zst")]


def printed():
    with open(os.path.join(CALLS, "counts.txt"), encoding="ascii") as f:
        return {k: int(v) for k, v in re.findall(r"(\w+) (\d+)", f.read())}


def sides(align):
    """By source: of each Activity/Start its ids, with start, stop and row of the request around it."""
    events = check.jsonl("dump", "--align", align, *FILES)[1]
    found = ([], [])
    for source in (0, 1):
        mine = [e for e in events if e["source"] == source]
        start = {e["activity"]: e for e in mine if e["name"] == "Request/Start"}
        stop = {e["activity"]: e for e in mine if e["name"] == "Request/Stop"}
        for e in mine:
            if e["name"] != "Activity/Start":
                continue
            ids = {a["Key"]: a["Value"] for a in e["payload"]["Arguments"]}
            a, b = start[e["related"]], stop[e["related"]]
            found[source].append((ids, a["t"], b["t"], a["row"]))
    return found


def check_clock(what, row, lo, hi):
    shift, error = row["shift"], row["error"]
    check.true(f"{what}: {shift} +- {error} is {lo} to {hi}", error is not None and
               abs(shift - (lo + hi) / 2) <= 1 and abs(error - (hi - lo) / 2) <= 1)


def compare(align):
    client, server = sides(align)
    sent = {(ids["TraceId"], ids["SpanId"]): (c0, c1, row) for ids, c0, c1, row in client}
    have = check.jsonl("requests", "--align", align, *FILES)[1]
    rows = {r["row"]: r for r in have if r["kind"] == "request"}
    low, high, pairs = [], [], 0
    for ids, s0, s1, row in server:
        c0, c1, other = sent[ids["TraceId"], ids["ParentSpanId"]]
        low.append(c0 - s0)
        high.append(c1 - s1)
        for mine, theirs, dur in ((row, other, c1 - c0), (other, row, s1 - s0)):
            r = rows[mine]
            check.equal(f"{align}: row {mine}", (r["otherRow"], r["otherDur"], r["between"], r["traceId"]),
                        (theirs, dur, c1 - c0 - (s1 - s0), ids["TraceId"]))
            check.equal(f"{align}: row {mine}: file", r["otherFile"], FILES[1 - r["source"]])
        pairs += 1
    lo, hi = max(low), min(high)
    clock = [r for r in have if r["kind"] == "clock"]
    check.equal(f"{align}: clocks", [(r["source"], r["otherFile"], r["count"]) for r in clock], [(1, FILES[0], pairs)])
    check_clock(align, clock[0], lo, hi)
    return pairs, clock[0]["shift"], clock[0]["error"], sum("otherRow" in r for r in have if r["kind"] == "request")


def late():
    """On a busy machine a server writes ends after the client had the answer: they bound no clock."""
    rows = check.jsonl("requests", *LATE)[1]
    by_row = {r["row"]: r for r in rows if r["kind"] == "request"}
    four, starts = [], []
    for s in by_row.values():
        c = by_row.get(s.get("otherRow"))
        if s["side"] == "server" and c and s["dur"] is not None and c["dur"] is not None:
            c1 = c["start"] + c["dur"]
            four.append((c["start"] - s["start"], c1 - s["start"] - s["dur"]))
            starts.append((c["start"] - s["start"], c1 - s["start"]))
    lo, hi = max(x[0] for x in four), min(x[1] for x in four)
    check.true("the ends contradict the starts", lo > hi and len(four) > 20)
    lo, hi = max(x[0] for x in starts), min(x[1] for x in starts)
    check.true("one clock is within the starts", lo <= 0 <= hi)
    for files, sign, first, last in ((LATE, 1, lo, hi), (LATE[::-1], -1, -hi, -lo)):
        got = [r for r in check.jsonl("requests", *files)[1] if r["kind"] == "clock"]
        check.equal(f"late ends, {sign}: pairs", [r["count"] for r in got], [len(four)])
        check_clock(f"late ends, {sign}", got[0], first, last)
        text = check.tnav("requests", *files).out.decode()
        check.true(f"late ends, {sign}: are told", "by their starts" in text and "contradict" not in text)


def tree(pairs):
    """Each request that was received lies below the one that was sent, in the tree of activities."""
    client, server = sides("ticks")
    events = check.jsonl("dump", *FILES)[1]
    own = {}	# by source and span: the activity of its Activity/Start, and the one around it
    for e in events:
        if e["name"] == "Activity/Start":
            ids = {a["Key"]: a["Value"] for a in e["payload"]["Arguments"]}
            own[e["source"], ids["SpanId"]] = (e["activity"], e["related"])
    listed = [r for r in check.jsonl("activities", *FILES)[1] if r["kind"] == "activity"]
    have = {(r["source"], r["activity"]): r for r in listed}
    below, above = 0, []
    for r in listed:	# each follows its parent, with only what is below that between
        while r["parent"] and above and above[-1] != r["parent"]:
            above.pop()
        check.true(f"place of {r['path']} of {r['source']}", above or not r["parent"])
        above = above + [r["activity"]] if r["parent"] else [r["activity"]]
    for ids, *_ in server:
        received = have[1, own[1, ids["SpanId"]][1]]
        check.equal("parent of a request", received["parent"], own[0, ids["ParentSpanId"]][0])
        check.equal("its span", have[1, own[1, ids["SpanId"]][0]]["parent"], received["activity"])
        below += 1
    check.equal("requests below others", below, pairs)
    # All under a request of the client: its own events, and those of the server's side.
    first = server[0][0]
    top = own[0, first["ParentSpanId"]][1]
    got = check.jsonl("dump", "-f", f"activity within {top}", *FILES)[1]
    ours = [e for e in got if e["source"] == 1]
    check.equal("the server's part", sorted(e["name"] for e in ours),
                ["Activity/Start", "Activity/Stop", "Request/Start", "Request/Stop"])
    check.equal("ids of the server's part", {e["activity"] for e in ours}, set(own[1, first["SpanId"]]))
    check.true("the client's part", len(got) > 8)


def main():
    check.need_tnav()
    counts = printed()
    pairs, shift, error, joined = compare("ticks")
    check.equal("requests that both know", (pairs, joined, joined),
                (counts["withTraceParent"], counts["answered"] + counts["served"], 2 * pairs))
    tree(pairs)
    check.true("one clock is within its bounds", abs(shift) <= error)
    # A clock that is wrong by 5 ms is found out.
    _, moved, same, _ = compare("ticks,+5ms")
    check.equal("a shift of 5 ms", (moved, same), (shift - 5000000, error))
    text = check.tnav("requests", *FILES).out.decode()
    check.true("the suggestion is printed", re.search(r"clock: [+-]\S+ .s ± \S+ .s by %d requests" % pairs, text))
    late()
    alone = check.tnav("requests", FILES[0]).out.decode()
    check.true("one side alone has no other", "other side" not in alone and "clock" not in alone)
    check.finish(400)


if __name__ == "__main__":
    sys.exit(main())
