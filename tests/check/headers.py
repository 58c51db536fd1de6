#!/usr/bin/env python3
"""Every header of every event against the second reader (tests/support/nt4.py), in both orders:
time order with ties in file order and rows numbered without holes, and the order of the file.
"""
import os
import uuid

import check
import nt4

KEYS = ("row", "t", "ticks", "pid", "tid", "captureTid", "cpu", "seq", "activity", "related", "stack",
        "size", "crc")

SMALL, LARGE = 6, 1     # traces of a sample


def expected(trace):
    """The header of each event in file order, as the dump is to show it."""
    rows, stacks = trace.rows(), trace.stacks()
    for e in trace.events():
        want = {"row": rows[e.order], "t": trace.ns(e.ts), "ticks": e.ts, "pid": trace.pid,
                "tid": e.tid, "seq": e.seq, "size": e.size, "crc": nt4.crc(trace.data, e)}
        if e.cpu < 1 << 31:     # -1: not known
            want["cpu"] = e.cpu
        if e.capture != e.tid:
            want["captureTid"] = e.capture
        for key, guid in (("activity", e.activity), ("related", e.related)):
            if any(guid):
                want[key] = str(uuid.UUID(bytes_le=guid))
        if stacks.get(e.order):
            want["stack"] = [f"0x{ip:x}" for ip in stacks[e.order]]
        yield want


def compare(path):
    name = os.path.basename(path)
    trace = nt4.read(path)
    if trace.error and not trace.items:
        return
    want = list(expected(trace))
    orders = {"time": sorted(want, key=lambda e: e["row"]), "file": want}
    for order, events in orders.items():
        _, lines = check.jsonl("dump", "--crc", "--order", order, path)
        what = f"{name}, {order} order"
        check.equal(f"{what}: events", len(lines), len(events))
        for n, (got, e) in enumerate(zip(lines, events)):
            keys = [k for k in KEYS if got.get(k) != e.get(k)]
            # A file is listed in its own order before rows are known.
            if order == "file" and "row" not in got:
                keys = [k for k in keys if k != "row"]
            if keys:
                check.fail(f"{what}: line {n}: " + ", ".join(
                    f"{k} {got.get(k)!r}, expected {e.get(k)!r}" for k in keys))
                break


def main():
    check.need_tnav()
    paths = check.data_traces(check.temp_dir()) + check.shared_traces()
    for path in check.check_traces(paths, SMALL, LARGE):
        compare(path)
    check.finish(least=LARGE)


if __name__ == "__main__":
    main()
