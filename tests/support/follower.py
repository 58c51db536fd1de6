"""Files that grow, and a program that follows them."""
import subprocess
import sys
import time

import check

WAIT_S = 120


def wait_for(what, done):
    end = time.monotonic() + WAIT_S
    while not done():
        if time.monotonic() > end:
            sys.exit(f"{what}: not in {WAIT_S} s")
        time.sleep(0.01)


class Growing:
    """A file to which a trace is appended."""

    def __init__(self, path, data):
        self.path, self.data, self.at = path, data, 0
        self.file = open(path, "wb", 0)

    def left(self):
        return len(self.data) - self.at

    def append(self, n):
        self.file.write(self.data[self.at:self.at + n])
        self.at += n

    def to(self, share):
        self.append(int(len(self.data) * share) - self.at)

    def append_piece(self, rng, most):
        """From one byte to 1 MB, and at most so many."""
        self.append(min(most, 1 + rng.randrange(1 << rng.randrange(21))))


def pause(rng):
    """A short one, now and then."""
    if rng.randrange(8) == 0:
        time.sleep(rng.random() / 100)


class Follower:
    """tnav dump --follow, of one file or several as one list."""

    def __init__(self, files, args):
        self.files, self.args, self.path = files, args, files[0].path
        self.out, self.err = open(self.path + ".out", "wb"), open(self.path + ".err", "wb")
        self.p = subprocess.Popen([check.TNAV, "dump", "--follow", *args, *(f.path for f in files)],
                                  stdout=self.out, stderr=self.err)

    def printed(self):
        return check.read(self.path + ".out")

    def said(self):
        return check.read(self.path + ".err").decode()

    def handles(self, sig):
        """Does it handle the signal, so that it may be sent?"""
        if self.p.poll() is not None:
            return True         # damage in a file may end it
        with open(f"/proc/{self.p.pid}/status") as f:
            for line in f:
                if line.startswith("SigCgt:"):
                    return bool(int(line.split()[1], 16) >> (sig - 1) & 1)
        return False

    def signal(self, sig):
        wait_for("the signal is handled", lambda: self.handles(sig))
        self.p.send_signal(sig)

    def end(self):
        """The exit code, what it printed, its messages."""
        code = self.p.wait(WAIT_S)
        for f in (self.out, self.err, *(g.file for g in self.files)):
            f.close()
        return code, self.printed(), self.said()


def same_as_whole(what, f, code, out, path=None):
    """Is that what a dump of the whole files prints? path: where the only file lies now."""
    paths = [path] if path else [g.path for g in f.files]
    whole = subprocess.run([check.TNAV, "dump", *f.args, *paths], capture_output=True)
    # With its last line it ends, and the file may have no end mark yet.
    if "-n" not in f.args or code != 1:
        check.equal(f"{what}: exit code", code, whole.returncode)
    check.true(f"{what}: what a dump of the whole file prints", out == whole.stdout)


def is_closed(path):
    """Does following it end by itself? One without an end mark waits for more."""
    r = check.tnav("check", "--format", "jsonl", path)
    return r.code == 0 and b"trailing" not in r.out and not path.endswith(".heph")
