"""The viewer in a pseudo-terminal, for the scripts: keys in, cells out.

    with Screen([check.TNAV, path], 24, 80) as s:
        s.wait("row 0")
        s.send("f")
        s.wait("filter:")

The terminal behind it is libvterm, through the program `cells` (tests/support/cells.c; $CELLS, else
beside the program in the build tree), to which all that was printed so far is given anew. Nothing
sleeps: what is waited for is text on the screen, or its end. The slave stays open here, so that what
a program printed last isn't lost when it ends.
"""
import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time

TNAV = os.path.abspath(os.environ.get("TNAV") or "tnav")
CELLS = os.environ.get("CELLS") or os.path.join(os.path.dirname(TNAV), "tests", "support", "cells")
WATCHDOG_S = 60
END = b"\0"  # What is written behind a program's last byte


def available():
    return os.access(CELLS, os.X_OK)


class Screen:
    def __init__(self, args, rows=24, cols=80, env=None):
        self.rows, self.cols, self.bytes, self.status = rows, cols, bytearray(), None
        self.fd, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self.fd)
                os.setsid()
                fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
                for fd in range(3):
                    os.dup2(self.slave, fd)
                own = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TNAV_NO_STATE": "1",
                       "XDG_CONFIG_HOME": "/dev/null/none", **(env or {})}
                drop = ("NO_COLOR", "LINES", "COLUMNS", "TMUX")
                os.execve(args[0], args, {k: v for k, v in os.environ.items() if k not in drop} | own)
            finally:
                os._exit(127)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def take(self, timeout):
        """Read what comes within so many seconds; False: nothing did."""
        if not select.select([self.fd], [], [], timeout)[0]:
            return False
        try:
            chunk = os.read(self.fd, 65536)
        except OSError:
            chunk = b""
        self.bytes += chunk
        return bool(chunk)

    def send(self, keys):
        data = keys.encode()
        while data:
            data = data[os.write(self.fd, data):]

    def runs(self):
        """One list a line: [column, text, foreground, background, looks]."""
        done = subprocess.run([CELLS, str(self.rows), str(self.cols)], input=bytes(self.bytes),
                              stdout=subprocess.PIPE, check=True)
        return [json.loads(line) for line in done.stdout.decode().splitlines()]

    def lines(self):
        return ["".join(run[1] for run in line).rstrip() for line in self.runs()]

    def text(self):
        return "\n".join(self.lines())

    def settle(self, quiet=0.1):
        """Until nothing comes for a moment; a screen that never rests is looked at all the same."""
        until = time.monotonic() + 1
        while self.take(quiet) and time.monotonic() < until:
            pass

    def wait_for(self, good, gone=(), what="what is waited for"):
        """Until the text of the screen is good and has none of `gone`; that text."""
        until = time.monotonic() + WATCHDOG_S
        while True:
            self.settle(0.02)
            text = self.text()
            if good(text) and not any(t in text for t in gone):
                return text
            if not self.take(0.5) and self.ended():
                raise AssertionError(f"it ended before {what} came:\n{text}")
            if time.monotonic() > until:
                raise AssertionError(f"{what} never came:\n{text}")

    def wait(self, *texts, gone=()):
        """Until all the texts are on the screen and those of `gone` are not; the screen's text."""
        return self.wait_for(lambda text: all(t in text for t in texts), gone, repr(texts))

    def ask(self, keys, *texts, gone=()):
        """Send the keys, and wait for what they bring."""
        self.send(keys)
        return self.wait(*texts, gone=gone)

    def ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = status
        return self.status is not None

    def finish(self):
        """Until the program ends of itself; its exit status as the shell has it."""
        until = time.monotonic() + WATCHDOG_S
        while not self.ended():
            self.take(0.05)
            if time.monotonic() > until:
                raise AssertionError(f"it does not end:\n{self.text()}")
        os.write(self.slave, END)
        while not self.bytes.endswith(END):
            if not self.take(WATCHDOG_S):
                raise AssertionError(f"the terminal keeps what it was given:\n{self.text()}")
        del self.bytes[-len(END):]
        return os.waitstatus_to_exitcode(self.status)

    def close(self):
        if not self.ended():
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.status = 0
        os.close(self.fd)
        os.close(self.slave)
