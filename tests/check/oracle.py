#!/usr/bin/env python3
"""Every trace of ../shared but Heph against what the reference reader says of it: 0 differences."""
import os
import subprocess
import sys

import check

# The reference reader refuses or stops where tnav is to go on: exit code of the dump.
CODES = {
    "net9-cut-short": 1, "net10-killed": 1, "net10-killed-boundary": 1,
    "v4-event-block-needs-reader-3": 1, "v4-trace-object-needs-reader-5": 2,
    "empty-file": 2, "magic-only": 2, "not-a-trace": 2, "v7-major-version-too-new": 2,
    "v6-header-with-major-5": 2, "v6-header-without-trace-block": 2,
    "v6-bad-label-kind": 1, "v6-bad-label-list": 1, "v6-bad-metadata-id": 1,
    "v6-bad-payload-size": 1, "v6-bad-string-length": 1, "v6-bad-thread-index": 1,
    "v6-cut-in-block": 1, "v6-cut-in-block-header": 1, "v6-no-end-block": 1,
}
SMALL, LARGE = 8, 2     # traces of a sample


def oracle_of(path):
    folder, name = os.path.split(path)
    base = os.path.join(check.SHARED, "oracle", os.path.basename(folder), name)
    for ending in (".flushed.jsonl.zst", ".flushed.jsonl", ".jsonl.zst", ".jsonl"):
        if os.path.exists(base + ending):
            return base + ending
    return None


def main():
    check.need_shared()
    check.need_tnav()
    compare = os.path.join(check.SHARED, "tools", "compare.py")
    out = os.path.join(check.temp_dir(), "dump.jsonl")
    traces = [p for p in check.all_shared_traces() if not p.endswith(".heph")]      # heph.py
    for path in check.check_traces(traces, SMALL, LARGE):
        name = check.stem(path)
        r = check.tnav("dump", "--format", "jsonl", "--crc", path)
        check.equal(f"{name}: exit code", r.code, CODES.get(name, 0))
        oracle = oracle_of(path)
        if not oracle:
            check.true(f"{name}: a reference dump", not check.whole_shared())
            continue
        with open(out, "wb") as f:
            f.write(r.out)
        done = subprocess.run([sys.executable, compare, oracle, out], capture_output=True, text=True)
        if done.returncode:
            check.fail(f"{name}: {done.stdout.strip()[-1500:]} {done.stderr.strip()[-300:]}")
        else:
            check.true(name, True)
    check.finish(least=2 * LARGE)


if __name__ == "__main__":
    main()
