#!/usr/bin/env python3
"""Each frame that dump --symbols prints is called as a second implementation has it.

That is tests/support/namelang.py, over the JSON lines with addresses. Other readers have named the
frames of the traces beside the source tree (symbols.py); this check holds for any trace, so
NAMES_TRACES names more of them, newly recorded ones for example, as PATH:PATH.

In a trace of the symbols scenario each event of Demo-Where also says which method wrote it. Any name
that is wrong there has to be marked as unsure.
"""
import os

import check
import namelang

ALWAYS = ("tour.nettrace.zst", "net10-symbols.nettrace")
MOST = 32 << 20         # bytes: Python takes a minute for more


def traces():
    yield os.path.join(check.DATA, "tour.nettrace.zst")
    yield os.path.join(check.DATA, "demo.nettrace")
    for base, _, files in os.walk(os.path.join(check.SHARED, "traces")):
        if os.path.basename(base) != "big":
            yield from (os.path.join(base, f) for f in sorted(files) if f.endswith(check.ENDINGS))
    if os.path.isdir(check.SHARED):
        yield os.path.join(check.SHARED, "oracle", "symbols", "net10-symbols.nettrace")


def chosen():
    every = [p for p in traces() if os.path.getsize(p) <= MOST]
    always = [p for p in every if os.path.basename(p) in ALWAYS]
    rest = [p for p in every if p not in always]
    more = [p for p in os.environ.get("NAMES_TRACES", "").split(":") if p]
    return always + check.check_sample(rest, 2) + more


def compare(path):
    name = os.path.basename(path)
    plain = check.jsonl("dump", path)[1]
    named = check.jsonl("dump", "--symbols", path)[1]
    names = namelang.Names(plain)
    frames = wrong = 0
    check.equal(f"{name}: events", len(named), len(plain))
    for a, b in zip(plain, named):
        stack, got = a.get("stack", []), b.get("stack", [])
        check.equal(f"{name} row {a['row']}: frames", len(got), len(stack))
        for depth, (address, frame) in enumerate(zip(stack, got)):
            frames += 1
            want = names.frame(a.get("pid"), int(address, 16), depth, a["ticks"])
            if frame not in want:
                wrong += 1
                if wrong <= 5:
                    check.fail(f"{name} row {a['row']} #{depth} {address}: {frame!r}, not {want!r}")
    check.equal(f"{name}: {frames} frames, wrong ones", wrong, 0)
    truth(name, named)
    return frames


def truth(name, events):
    """After Demo.Here.Say comes the method that the event names, an address, or an unsure name."""
    where = (e for e in events if e["provider"] == "Demo-Where")
    for e, want, frame, right in namelang.writers(where):
        check.true(f"{name} row {e['row']}: {frame} wrote {want}",
                   right or frame.endswith(" ?") or frame.startswith("0x"))


def main():
    check.need_tnav()
    check.true("frames were compared", sum(map(compare, chosen())) > 1000)
    check.finish(least=100)


main()
