#!/usr/bin/env python3
"""`tnav record` against a stand-in for a runtime: what it says before and after a recording, and what its
exit code is."""
import os
import subprocess
import sys
import tempfile

import live
from live import TRACE, PATIENCE, environment
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import check
from expect import Fake


def ended(folder, fake, *args):
    """A recording without a terminal that the stand-in ends: exit code, what was said."""
    r = subprocess.run([check.TNAV, "record", str(fake.pid), "-o", os.path.join(folder, "out.nettrace"), *args],
                       env=environment(folder), stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    return r.returncode, r.stderr.decode()


def check_yes(scratch):
    """Keywords that make the program collect its heap are confirmed on a terminal, or by --yes."""
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE, args=["--end", "close"]) as fake:
        for words in (["--clrevents", "gcheapcollect"], ["--providers", live.RUNTIME + ":800000"],
                      ["--providers", "*"]):
            code, said = ended(folder, fake, *words)
            check.equal(f"{words}: refused ({said!r})", code, 2)
            check.true(f"{words}: {said!r} names --yes", "garbage collection" in said and "--yes" in said)
            check.equal(f"{words}: not started", [r for r in fake.requests() if "asked" in r], [])
        code, said = ended(folder, fake, "--clrevents", "gcheapcollect", "--yes")
        check.equal(f"--yes: exit code ({said!r})", code, 0)
        asked = [r["asked"]["providers"] for r in fake.requests() if "asked" in r]
        check.equal("--yes: asked for", [p["keywords"] for p in asked[0]], [0x800000])
    began = os.path.join(folder, "began")
    code, said, _ = live.run_command(folder, "--clrevents", "gcheapcollect", "--", "touch", began)
    check.equal(f"a command: refused ({said!r}), not started", (code, os.path.exists(began)), (2, False))


def main():
    check.need_tnav()
    with tempfile.TemporaryDirectory() as scratch:
        check_yes(scratch)
    check.finish(5)


if __name__ == "__main__":
    main()
