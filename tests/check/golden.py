#!/usr/bin/env python3
"""Dumps of the traces of tests/data byte for byte as tests/golden has them.

    golden.py            compare
    golden.py --update   write them anew (then read the difference before committing it)
"""
import difflib
import os
import sys

import check

LARGE = 150000      # bytes of a dump that is too large to keep


def main():
    check.need_tnav()
    for path in check.all_data_traces(check.temp_dir()):
        name = check.stem(path)
        r = check.tnav("dump", "--format", "jsonl", "--crc", "--gaps", path)
        if r.code == 2 or len(r.out) > LARGE:
            continue
        golden = os.path.join(check.GOLDEN, name + ".jsonl")
        if "--update" in sys.argv:
            with open(golden, "wb") as f:
                f.write(r.out)
        if not os.path.exists(golden):
            check.fail(f"{name}: no golden file")
            continue
        want = check.read(golden)
        check.true(name, True)
        if r.out != want:
            lines = difflib.unified_diff(want.decode().splitlines(), r.out.decode().splitlines(),
                                         "golden", "now", lineterm="", n=0)
            check.fail(f"{name}: " + "\n".join(x[:300] for x in list(lines)[:12]))
    check.finish()


if __name__ == "__main__":
    main()
