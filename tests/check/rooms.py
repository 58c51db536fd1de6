#!/usr/bin/env python3
"""tnav and other namespaces: a program in mount and pid namespaces of its own, found and recorded through
/proc/PID/root; a root with nothing but tnav; a full disk. The namespaces are those of a
user without rights: where the machine allows none, that is said, and nothing is tested."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import check
import screen
from expect import Fake, Lines, PATIENCE_S

TRACE = os.path.join(check.DATA, "features", "v4-activity-ids.nettrace")
DEMO = os.path.join(check.DATA, "demo.nettrace")
PATIENCE = 120
OWN = ["unshare", "--user", "--map-root-user", "--mount"]
STATIC = os.path.join(os.path.dirname(check.TNAV), f"tnav-linux-{os.uname().machine}")


class Apart(Fake):
    """The stand-in for a runtime as process 1 of its own pid namespace, with a folder for its socket that only it
    sees."""

    def __init__(self, folder, *args):      # pylint: disable=super-init-not-called
        inside = f'mount -t tmpfs none "{folder}" && exec "$@"'
        Lines.__init__(self, [*OWN, "--pid", "--fork", "--kill-child", "sh", "-c", inside, "sh", sys.executable, "-S",
                              "-c", "import fake_runtime; fake_runtime.main()", "--tmpdir", folder, "--trace", TRACE,
                              *args], {"TMPDIR": folder})
        self.log = []
        self.await_what("ready", PATIENCE_S)


def environment(folder, **more):
    return os.environ | {"TMPDIR": folder, "XDG_STATE_HOME": folder, "LC_ALL": "C.UTF-8"} | more


def check_program_apart(scratch):
    """ps names both its ids; record, diagnose and attach take the outer id, and the name."""
    folder, here = tempfile.mkdtemp(dir=scratch), tempfile.mkdtemp(dir=scratch)
    env = environment(here)
    with Apart(folder, "--entry", "apart-app") as fake:
        check.equal("apart: no socket here", os.listdir(folder), [])
        r = subprocess.run([check.TNAV, "ps", "--format", "jsonl"], env=env, capture_output=True, timeout=PATIENCE)
        rows = [x for x in map(json.loads, r.stdout.splitlines()) if x["name"] == "apart-app"]
        check.equal(f"apart: one row ({r.stdout!r})", len(rows), 1)
        pid = rows[0]["pid"]
        check.equal("apart: ids, state", (rows[0]["innerPid"], pid != 1, rows[0]["state"]), (1, True, "ready"))
        check.true("apart: its socket", rows[0]["socket"].startswith(f"/proc/{pid}/root{folder}/"))
        for i, what in enumerate((str(pid), "apart-app")):
            out = os.path.join(here, f"{i}.nettrace")
            r = subprocess.run([check.TNAV, "record", "--duration", "1s", "-o", out, what], env=env,
                               capture_output=True, timeout=PATIENCE)
            check.equal(f"apart: record {what} ({r.stderr!r})", r.returncode, 0)
            check.true(f"apart: record {what}: the stream", check.read(out) == check.read(TRACE))
        r = subprocess.run([check.TNAV, "diagnose", "--duration", "1s", "apart-app"], env=env, cwd=here,
                           capture_output=True, timeout=PATIENCE)
        check.equal(f"apart: diagnose ({r.stderr!r})", r.returncode, 0)
        if screen.available():
            with screen.Screen([check.TNAV, "attach", "apart-app"], 24, 100, env) as s:
                s.wait("[live")
                s.send("Q")
                check.equal("apart: attach", s.finish(), 0)
        check.equal("apart: stops", len(fake.stops()), 4 if screen.available() else 3)


def check_closed_root(scratch):
    """Root that may not look into other users' processes, as in a container, is told what it lacks."""
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        return
    library = os.path.join(tempfile.mkdtemp(dir=scratch), "libcoreclr.so")
    with open(library, "wb") as f:
        f.write(bytes(4096))
    run = ("import mmap, os, sys; f = open(sys.argv[1], 'rb'); m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ);"
           "os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534); print(flush=True); sys.stdin.read()")
    with subprocess.Popen([sys.executable, "-S", "-c", run, library], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as p:
        p.stdout.readline()
        for lacks, why in (("-sys_ptrace", "with CAP_SYS_PTRACE"), ("-sys_ptrace,-perfmon", "with CAP_SYS_PTRACE"),
                           ("-syslog", "no diagnostics socket")):
            r = subprocess.run(["setpriv", "--bounding-set", lacks, "--inh-caps", lacks, check.TNAV, "ps", "--format",
                                "jsonl"], capture_output=True, timeout=PATIENCE)
            rows = [x for x in map(json.loads, r.stdout.splitlines()) if x["pid"] == p.pid]
            check.true(f"closed root: {lacks}: {rows} {r.stderr}", all(why in x["why"] for x in rows)
                       and (rows or "perfmon" in lacks))
        p.stdin.close()


def empty_root(scratch):
    """A root with tnav, the libraries that it needs (the static file has none), and a trace."""
    root = tempfile.mkdtemp(dir=scratch)
    program = STATIC if os.access(STATIC, os.X_OK) else check.TNAV
    shutil.copy(program, os.path.join(root, "tnav"))
    shutil.copy(DEMO, os.path.join(root, "demo.nettrace"))
    r = subprocess.run(["ldd", program], capture_output=True, check=False)
    for word in r.stdout.decode().split():
        if word.startswith("/"):
            os.makedirs(root + os.path.dirname(word), exist_ok=True)
            shutil.copy(word, root + word)
    return root, program == STATIC


def check_empty_root(scratch):
    """info and diagnose say what they say elsewhere; the static file has a viewer, too, with lines and bars."""
    if b"__asan_init" in check.read(check.TNAV):    # what looks for leaks needs /proc
        return
    root, static = empty_root(scratch)
    inside = ["unshare", "--user", "--map-root-user", "--root", root, "/tnav"]
    env = {k: v for k, v in os.environ.items() if k not in ("TMPDIR", "HOME")}
    for words in (["info"], ["diagnose"]):
        r = subprocess.run([*inside, *words, "demo.nettrace"], env=env, capture_output=True, timeout=PATIENCE)
        there = subprocess.run([check.TNAV, *words, "demo.nettrace"], env=env, cwd=root, capture_output=True,
                               timeout=PATIENCE)
        check.equal(f"empty root: {words} ({r.stderr!r})", r.returncode, 0)
        if words == ["diagnose"]:
            check.true(f"empty root: {words}", r.stdout == there.stdout)
        else:
            check.true(f"empty root: {words}", b"10,854" in r.stdout)
    if not static or not screen.available():
        print(f"{STATIC} is not there (make static): no viewer in an empty root")
        return
    for term, glyphs in (("xterm-256color", "─▂"), ("vt100", "─▂"), ("screen-256color", "─▂")):
        with screen.Screen([shutil.which("unshare"), *inside[1:], "demo.nettrace"], 24, 80,
                           {"TERM": term, "LC_ALL": "C.UTF-8"}) as s:
            s.wait("10,854 ev", gone=("[indexing",))
            text = s.text()
            check.true(f"empty root: {term}: {text}", all(g in text for g in glyphs))
            s.send("Q")
            check.equal(f"empty root: {term}: exit code", s.finish(), 0)
    check.equal("empty root: nothing is left", sorted(os.listdir(root)), ["demo.nettrace", "tnav"])


def check_full_disk(scratch):
    """A file on a small disk: what fits is kept, the program is stopped once, and the message says why."""
    folder, disk = tempfile.mkdtemp(dir=scratch), tempfile.mkdtemp(dir=scratch)
    big = os.path.join(check.DATA, "demo.nettrace")
    with Fake(folder, trace=big) as fake:
        inside = (f'mount -t tmpfs -o size=256k none "{disk}" && "$@"; code=$?; wc -c <"{disk}/x.nettrace"; exit $code')
        r = subprocess.run([*OWN, "sh", "-c", inside, "sh", check.TNAV, "record", "-o", f"{disk}/x.nettrace",
                            str(fake.pid)], env=environment(folder), capture_output=True, timeout=PATIENCE)
        check.equal(f"full disk: exit code ({r.stderr!r})", r.returncode, 3)
        check.true(f"full disk: {r.stderr!r}", b"No space left" in r.stderr)
        check.true(f"full disk: what fits is kept ({r.stdout!r})", 200000 < int(r.stdout) <= 256 << 10)
        check.equal("full disk: stops", len(fake.stops()), 1)


def main():
    check.need_tnav()
    r = subprocess.run([*OWN, "--pid", "--fork", "true"], capture_output=True, check=False)
    if r.returncode != 0:
        print(f"no namespaces here: {r.stderr.decode().strip()}")
        check.true("no namespaces", True)
        check.finish(1)
        return
    with tempfile.TemporaryDirectory() as scratch:
        for f in (check_program_apart, check_closed_root, check_empty_root, check_full_disk):
            f(scratch)
    check.finish(12)


if __name__ == "__main__":
    main()
