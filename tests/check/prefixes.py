#!/usr/bin/env python3
"""Files that end too early, on the command line: what is printed, what is said, the exit code.

Every prefix is walked in one process by tests/unit/test_sweep.c; here the places that matter.
"""
import os
import random

import check
import nt4

SEEDED = 6
MAX_EDGES = 12
SAMPLE = 4              # traces


def places(trace, size):
    edges = {x for o in trace.objects for x in (o.start, o.body, o.end)}
    picked = random.sample(sorted(edges), min(len(edges), MAX_EDGES))
    cuts = {x + d for x in picked for d in (-1, 0, 1)} | {1, 8, 32, 101, 102}
    cuts |= {random.randrange(size) for _ in range(SEEDED)}
    return sorted(x for x in cuts if 0 < x < size)


def complete(trace, cut):
    """How many events end before the cut: at the least, and at the most (padding cut off)."""
    least = sum(1 for e in trace.events() if e.end <= cut)
    most = sum(1 for e in trace.events() if e.off + e.size <= cut)
    return least, most


def one(path, scratch):
    name = os.path.basename(path)
    trace = nt4.read(path)
    if trace.error or not trace.header_end:
        return 0
    _, full = check.jsonl("dump", "--crc", "--order", "file", path)
    cut_path = os.path.join(scratch, name)
    for cut in places(trace, len(trace.data)):
        with open(cut_path, "wb") as f:
            f.write(trace.data[:cut])
        r, lines = check.jsonl("dump", "--crc", "--order", "file", cut_path)
        what = f"{name} cut at {cut}"
        check.equal(f"{what}: exit code", r.code, 1 if cut >= trace.header_end else 2)
        check.true(f"{what}: says something on stderr", r.err.strip())
        least, most = complete(trace, cut)
        check.true(f"{what}: {len(lines)} events, {least} to {most} are complete",
                   least <= len(lines) <= most)
        for got, want in zip(lines, full):
            # Lost events and rows depend on what comes later; a thread's name and the rest do not.
            got.pop("row", None)
            want = {k: v for k, v in want.items() if k != "row"}
            if got != want:
                check.fail(f"{what}: {got} is not {want}")
                break
        if r.code != 1:
            continue
        r, found = check.jsonl("check", cut_path)
        check.equal(f"{what}: exit code of check", r.code, 1)
        check.true(f"{what}: a finding says where: {found}",
                   any(f["kind"] in ("cut", "not-closed") and 0 < f["offset"] <= cut for f in found))
    return 1


def main():
    check.need_tnav()
    random.seed(check.check_seed())
    scratch = check.temp_dir()
    paths = [p for p in check.data_traces(scratch)
             if os.path.getsize(p) <= 4096 or "cut-short" in p]
    check.check_useful(lambda path: one(path, scratch), paths, SAMPLE, 0)
    check.finish(least=SAMPLE)


if __name__ == "__main__":
    main()
