"""What checks of recordings share: what stand-ins send, and tnav beside them, in a folder with their sockets, in
which it keeps its state, too."""
import os
import signal
import subprocess

import check

TRACE = os.path.join(check.DATA, "features", "v4-activity-ids.nettrace")
STREAM = check.read(TRACE)
BIG = os.path.join(check.DATA, "features", "v6-payload-over-64k.nettrace")
PATIENCE = 120


def environment(folder):
    return {**os.environ, "TMPDIR": folder, "XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": os.path.join(folder, "state")}


def run(folder, *args, **options):
    """tnav with these arguments, to its end."""
    return subprocess.run([check.TNAV, *args], capture_output=True, timeout=PATIENCE, check=False,
                          **{"env": environment(folder), "stdin": subprocess.DEVNULL, **options})


def start(folder, *args, **options):
    """The same, going on; what it says is read line by line."""
    return subprocess.Popen([check.TNAV, *args], stderr=subprocess.PIPE, bufsize=0,
                            **{"env": environment(folder), "stdin": subprocess.DEVNULL, **options})


def said_until(child, text, may_end=False):
    """What it says up to a line with this text; or all of it, if it may end before."""
    said, line = b"", b"-"
    while line and text not in said:
        line = child.stderr.readline()
        said += line
    assert line or may_end, f"it ended before {text!r}: {said!r}"
    return said


def recording(folder, fake, *args, **options):
    """A `tnav record` of this program that has begun."""
    child = start(folder, "record", str(fake.pid), *args, **options)
    said_until(child, b"recording process")
    return child


def end(child, what, code, stop=signal.SIGINT):
    """Stop it, or let it end; what else it says, and its exit code is this one."""
    if stop is not None:
        child.send_signal(stop)
    said = child.communicate(timeout=PATIENCE)[1].decode()
    check.equal(f"{what}: exit code ({said!r})", child.returncode, code)
    return said
