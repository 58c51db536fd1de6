#!/usr/bin/env python3
"""A trace that arrives through a pipe, as from `ssh HOST tnav record -o - NAME | tnav -`: the viewer follows it while
it arrives, `dump --follow -` prints rows once they are final, and a pipe that is cut keeps what came. No test waits
for a time."""
import os
import subprocess
import tempfile

import check
import screen
from follow import wait_for

TRACE = os.path.join(check.DATA, "demo.nettrace")


class Piped:
    """The viewer behind a pipe, whose other end is here."""

    def __init__(self, scratch, *args):
        fifo = os.path.join(tempfile.mkdtemp(dir=scratch), "fifo")
        os.mkfifo(fifo)
        self.screen = screen.Screen(["/bin/sh", "-c", 'cat "$1" | { shift; "$@"; }', "sh", fifo, check.TNAV, *args, "-"],
                                    24, 100, {"LC_ALL": "C.UTF-8"})
        self.pipe = open(fifo, "wb", 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pipe.close()
        self.screen.close()


def check_viewer(scratch):
    """F follows from now on, F pauses; the summary is there before the end; the end is said."""
    data = check.read(TRACE)
    with Piped(scratch) as p:
        p.pipe.write(data[:len(data) * 2 // 3])
        p.screen.wait("so far: F follows")
        p.screen.ask("F", "[following]")
        p.screen.ask("F", "[paused]")
        p.screen.ask("F", "[following]")
        p.screen.ask("\x1b0", "What happened")
        p.pipe.write(data[len(data) * 2 // 3:])
        p.pipe.close()
        p.screen.wait("no more events will come", gone=("[following]",))
        p.screen.send(":quit\r")
        check.equal("exit code", p.screen.finish(), 0)


def check_given(scratch):
    """With --follow it follows at once; a pipe that is cut keeps what came."""
    data = check.read(TRACE)
    with Piped(scratch, "--follow") as p:
        p.pipe.write(data[:len(data) * 2 // 3])
        p.screen.wait("[following]")
        p.pipe.close()
        p.screen.wait("the end of the trace is missing", "[cut off: !]")
        p.screen.send(":quit\r")
        check.equal("exit code", p.screen.finish(), 0)


def check_dump(scratch):
    """Rows come before the end of the pipe; all of them are those of the file."""
    path = check.trace("net9-cut-short.nettrace")       # it has sequence points, and no end mark
    data, lines = check.read(path), check.tnav("dump", "--format", "jsonl", path).out
    for part in (len(data), len(data) * 9 // 10):
        out = os.path.join(scratch, f"out{part}")
        with open(out, "wb") as f:
            p = subprocess.Popen([check.TNAV, "dump", "--follow", "--format", "jsonl", "-"], stdin=subprocess.PIPE,
                                 stdout=f, stderr=subprocess.PIPE)
        p.stdin.write(data[:part])
        p.stdin.flush()
        wait_for("rows before the end", lambda out=out: os.path.getsize(out) > 0)
        said = p.communicate()[1]
        got = check.read(out)
        check.equal(f"{part}: exit code ({said!r})", p.returncode, 1)
        check.true(f"{part}: rows are those of the file", lines.startswith(got) if part < len(data) else got == lines)


def main():
    check.need_tnav()
    with tempfile.TemporaryDirectory() as scratch:
        check_dump(scratch)
        if screen.available():
            check_viewer(scratch)
            check_given(scratch)
    check.finish(6)


if __name__ == "__main__":
    main()
