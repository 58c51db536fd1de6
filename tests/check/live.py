#!/usr/bin/env python3
"""`tnav ps` and `tnav record` against a stand-in for a runtime (tests/support/live): what it is asked,
what is kept of what it sends, what is said of each of its faults, and that it is stopped once.
No test waits for a time: the stand-in's log says when something has happened."""
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

import check
from expect import Fake, Lines
from stage import BIG, PATIENCE, STREAM, TRACE, end, environment, recording, run, said_until, start

FAKE = os.path.join(check.TOP, "tests", "support", "live", "fake_runtime.py")


def ps_row(folder, pid, state=None):
    """What ps says of the process. On a machine that is busy a program may answer late, which makes it a
    silent one: then it is asked again."""
    for _ in range(20):
        rows = ps_once(folder, pid)
        if state in (None, "silent") or [row["state"] for row in rows] != ["silent"]:
            break
    return rows


def ps_once(folder, pid):
    r = run(folder, "ps", "-a", "--format", "jsonl")
    check.equal("ps: exit code", r.returncode, 0)
    rows = [json.loads(line) for line in r.stdout.splitlines()]
    return [row for row in rows if row["pid"] == pid]


# Arguments of the stand-in, the state that ps gives, a part of why.
PS = (
    ([], "ready", None),
    (["--fault", "info:unknown@1"], "ready", None),
    (["--runtime", "5"], "ready", None),
    (["--runtime", "3"], "ready", "too old"),
    (["--fault", "info:silent"], "silent", "does not answer"),
    (["--fault", "connect:deaf"], "silent", "does not answer"),
    (["--fault", "info:close"], "silent", "closed the connection"),
    (["--fault", "info:short=20"], "silent", "closed the connection"),
    (["--fault", "connect:close"], "silent", "closed the connection"),
    (["--fault", "connect:refuse"], "stale", "nothing listens"),
    (["--fault", "info:strings"], "refused", "cut short"),
    (["--fault", "info:garbage=28"], "refused", "not belong to a .NET"),
    (["--fault", "info:magic"], "refused", "not belong to a .NET"),
    (["--fault", "info:error=0x80131386"], "refused", "another version"),
)


def check_ps(scratch):
    for args, state, why in PS:
        folder = tempfile.mkdtemp(dir=scratch)
        with Fake(folder, trace=TRACE, args=args) as fake:
            rows = ps_row(folder, fake.pid, state)
            check.equal(f"ps {args}: one row", len(rows), 1)
            check.equal(f"ps {args}: state", rows[0]["state"], state)
            said = rows[0]["why"] or ""
            check.true(f"ps {args}: {said!r} says {why}", why in said if why else said == "")


def check_ps_beside(folder):
    """One that does not answer takes none of the time of another, which has to be asked for less."""
    with Fake(folder, trace=TRACE, args=["--fault", "info:silent"]) as silent, \
         Fake(folder, trace=TRACE, args=["--runtime", "5"]) as old:
        rows = ps_row(folder, old.pid, "ready")
        check.equal("ps beside a silent one: state", [row["state"] for row in rows], ["ready"])
        check.equal("ps: the silent one", [row["state"] for row in ps_row(folder, silent.pid)], ["silent"])


def check_stopped(folder):
    """A stopped process takes connections and answers none; when it goes on, it can be asked again."""
    with Fake(folder, trace=TRACE) as fake:
        fake.freeze()
        try:
            rows = ps_row(folder, fake.pid)
            check.equal("stopped: ps", [row["state"] for row in rows], ["silent"])
            code, said, kept = record(folder, fake, interrupt=False)
            check.equal(f"stopped: record ({said!r})", (code, kept), (2, None))
            check.true(f"stopped: {said!r}", "does not answer" in said)
        finally:
            os.kill(fake.pid, signal.SIGCONT)
        check.equal("stopped: ps when it goes on",
                    [row["state"] for row in ps_row(folder, fake.pid, "ready")], ["ready"])


def check_long_folder(scratch):
    """A socket whose path is longer than an address holds is reached all the same."""
    long = os.path.join(tempfile.mkdtemp(dir=scratch), "x" * 100)
    os.mkdir(long)
    short = os.path.join(scratch, "short")
    os.symlink(long, short)
    with Fake(short, trace=TRACE, env={"TMPDIR": long}) as fake:
        rows = ps_row(short, fake.pid, "ready")
        check.equal("a long folder: state", [row["state"] for row in rows], ["ready"])
        check.true("a long folder: path", len(rows[0]["socket"]) > 107)
        code, said, kept = record(long, fake)
        check.equal(f"a long folder: recorded ({said!r})", (code, kept is not None), (0, True))


def child_of(pid):
    """The only child of a process, by its id out here."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", encoding="utf-8") as f:
            if int(f.read().rpartition(")")[2].split()[1]) == pid:
                return int(name)
    return None


def check_container(scratch):
    """A program with process ids and a folder of its own is found and recorded by its id out here."""
    apart = ["unshare", "--mount", "--pid", "--fork", "--mount-proc"]
    if subprocess.run([*apart, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("a container: no namespaces here: left out")
        return
    folder, out = tempfile.mkdtemp(dir=scratch), tempfile.mkdtemp(dir=scratch)
    inside = 'mount -t tmpfs none "$1" && exec "$2" "$3" --tmpdir "$1" --trace "$4"'
    with Lines([*apart, "sh", "-c", inside, "sh", folder, sys.executable, FAKE, TRACE], {"TMPDIR": folder}) as fake:
        ready = fake.next(PATIENCE)
        check.equal("a container: ready", ready["what"], "ready")
        check.equal("a container: its folder is not seen out here", os.listdir(folder), [])
        fake.pid = child_of(fake.pid)
        check.true(f"a container: another id inside ({ready})", f"-{fake.pid}-" not in ready["socket"])
        check.equal("a container: ps", [row["state"] for row in ps_row(out, fake.pid, "ready")], ["ready"])
        code, said, kept = record(out, fake)
        check.equal(f"a container: recorded ({said!r})", (code, kept), (0, check.read(TRACE)))


def record(folder, fake, *args, interrupt=True):
    """Exit code, stderr, what the file holds or None."""
    path = os.path.join(folder, "out.nettrace")
    child = start(folder, "record", str(fake.pid), "-o", path, *args, stdout=subprocess.PIPE)
    said = b""
    if interrupt:       # it says that it records when it does
        said = said_until(child, b"recording process", may_end=True)
        child.send_signal(signal.SIGINT)
    said += child.communicate(timeout=PATIENCE)[1]
    kept = None
    if os.path.exists(path):
        check.equal("record: mode of the file", os.stat(path).st_mode & 0o777, 0o600)
        kept = check.read(path)
    return child.returncode, said.decode(), kept


# A fault, the exit code, a part of what is said, how much is kept (None: no file; -1: all).
FAULTS = (
    (None, 0, "out.nettrace", -1),
    ("start:split", 0, "out.nettrace", -1),
    ("start:extra=5", 1, "incomplete", 0),     # its stand-in closes after the answer
    ("info:extra=5", 0, "out.nettrace", -1),
    ("0205:unknown", 0, "out.nettrace", -1),
    ("0204:unknown", 0, "cannot leave out stacks", -1),
    ("stop:late=2", 0, "out.nettrace", -1),
    ("stop:close", 0, "out.nettrace", -1),
    ("stop:silent", 0, "out.nettrace", -1),
    ("stop:error=0x80131384", 0, "out.nettrace", -1),
    ("stream:stall=300:1", 0, "out.nettrace", -1),
    ("stream:cut=300", 1, "incomplete", 300),
    ("stream:cut=3", 1, "incomplete", 3),
    ("stream:cut=0", 1, "incomplete", 0),
    ("stream:die=300", 1, "incomplete", 300),
    ("start:unknown", 2, "does not support event", None),
    ("start:error=0x80004005", 2, "64 sessions", None),
    ("start:magic", 2, "not belong to a .NET", None),
    ("start:size=19", 2, "not belong to a .NET", None),
    ("start:size=65535", 2, "closed the connection", None),
    ("start:empty", 2, "not that of a .NET runtime", None),
    ("start:garbage=28", 2, "not belong to a .NET", None),
    ("start:close", 2, "closed the connection", None),
)


def check_faults(scratch):
    for fault, code, text, kept in check.check_sample(FAULTS, 9):
        folder = tempfile.mkdtemp(dir=scratch)
        args = ["--fault", fault] if fault else []
        with Fake(folder, trace=TRACE, args=args) as fake:
            got = record(folder, fake, "--no-stacks")
            want = None if kept is None else STREAM if kept < 0 else STREAM[:kept]
            check.equal(f"{fault}: exit code ({got[1]!r})", got[0], code)
            check.true(f"{fault}: {got[1]!r} says {text}", text in got[1])
            check.true(f"{fault}: what is kept is what was sent", got[2] == want)
            check.true(f"{fault}: at most one stop", len(fake.stops()) <= 1)
            check.equal(f"{fault}: nothing else is left",
                        [n for n in os.listdir(folder) if n.startswith(".tnav")], [])


def check_second_signal(folder):
    """A stop that is never answered, of a stream that goes on: the second signal ends at once."""
    with Fake(folder, trace=TRACE, args=["--fault", "stop:keep"]) as fake:
        path = os.path.join(folder, "out.nettrace")
        child = recording(folder, fake, "-o", path)
        child.send_signal(signal.SIGTERM)
        while not fake.stops():
            fake.await_what("request")
        child.send_signal(signal.SIGTERM)
        said = child.communicate(timeout=PATIENCE)[1].decode()
        check.equal("second signal: exit code", child.returncode, 1)
        check.true(f"second signal: {said!r}", "stopped at once" in said)
        check.equal("second signal: one stop", len(fake.stops()), 1)


def check_silent_after_stop(folder):
    """A program that sends nothing more once it is to stop is given up, and what came is kept."""
    path = os.path.join(folder, "out.nettrace")
    with Fake(folder, trace=TRACE, args=["--fault", "stream:stall=300"]) as fake:
        child = recording(folder, fake, "-o", path)
        said = end(child, "silent after the stop", 1, signal.SIGTERM)
        check.true(f"silent after the stop: {said!r}", "sent nothing for 10 s" in said)
        check.equal("silent after the stop: one stop", len(fake.stops()), 1)
        check.true("silent after the stop: what came", check.read(path) == STREAM[:300])


def check_slow_after_stop(folder):
    """A program that goes on sending, each time before the ten seconds are over, is waited for."""
    path = os.path.join(folder, "out.nettrace")
    with Fake(folder, trace=TRACE, args=["--fault", "stream:stall=300:6", "--fault", "stream:stall=600:6"]) as fake:
        child = recording(folder, fake, "-o", path)
        said = end(child, "slow after the stop", 0, signal.SIGTERM)
        check.equal("slow after the stop: one stop", len(fake.stops()), 1)
        check.true("slow after the stop: all came", check.read(path) == STREAM)


def check_killed(scratch):
    """SIGKILL leaves in the file what came; a closed terminal stops it in order."""
    for sig, code, least in ((signal.SIGKILL, -signal.SIGKILL, 300), (signal.SIGHUP, 0, len(STREAM))):
        folder = tempfile.mkdtemp(dir=scratch)
        path = os.path.join(folder, "out.nettrace")
        with Fake(folder, trace=TRACE) as fake:
            child = recording(folder, fake, "-o", path)
            while not os.path.exists(path) or os.path.getsize(path) < 300:
                time.sleep(0.01)
            child.send_signal(sig)
            child.communicate(timeout=PATIENCE)
            check.equal(f"{sig.name}: exit code", child.returncode, code)
            kept = check.read(path)
            check.true(f"{sig.name}: what came is kept", len(kept) >= least and STREAM.startswith(kept))
            check.true(f"{sig.name}: it opens", check.tnav("info", path).code <= 1)


def check_full(folder):
    """What can't be written any more: said, stopped once, the file has what could be. A limit on the size
    of files stands for a full disk."""
    stream = check.read(BIG)
    path = os.path.join(folder, "out.nettrace")
    with Fake(folder, trace=BIG) as fake:
        r = subprocess.run(["/bin/sh", "-c", 'ulimit -f 4 && exec "$0" "$@"', check.TNAV, "record",
                            str(fake.pid), "-o", path], env=environment(folder), capture_output=True,
                           timeout=PATIENCE)
        check.equal(f"full: exit code ({r.stderr!r})", r.returncode, 3)
        check.true(f"full: {r.stderr!r} says why", b"File too large" in r.stderr)
        check.true("full: at most one stop", len(fake.stops()) <= 1)
    kept = check.read(path)
    check.true("full: what could be written", 0 < len(kept) <= 4096 and stream.startswith(kept))


def check_old_file(scratch):
    """What has the name stays where the session is refused, and is replaced where it isn't."""
    for fault, stays in (("start:close", True), (None, False)):
        folder = tempfile.mkdtemp(dir=scratch)
        path = os.path.join(folder, "out.nettrace")
        with open(path, "w", encoding="utf-8") as f:
            f.write("old")
        os.chmod(path, 0o600)
        with Fake(folder, trace=TRACE, args=["--fault", fault] if fault else []) as fake:
            _, said, kept = record(folder, fake)
            check.equal(f"an old file stays: {stays}", kept == b"old", stays)
            check.equal(f"an old file is replaced: {said!r}", "replaces the old file" in said,
                        not stays)


def check_no_file(folder):
    """A named pipe is written into, and never replaced; its reader may leave."""
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    for reads, code, text in ((True, 0, "pipe: "), (False, 3, "Broken pipe")):
        with Fake(folder, trace=TRACE, args=["--manual", "--rest", "send"]) as fake:
            child = start(folder, "record", str(fake.pid), "-o", pipe)
            with open(pipe, "rb") as f:
                said_until(child, b"recording process")
                if reads:
                    child.send_signal(signal.SIGINT)
                    check.true("a named pipe: the stream", f.read() == STREAM)
            while child.poll() is None:     # a stream that is not there yet takes nothing
                fake.send("send all")
                time.sleep(0.05)
            said = end(child, f"a named pipe, {reads}", code, None)
            check.true(f"a named pipe, {reads}: {said!r} says {text}", text in said)
            check.true(f"a named pipe, {reads}: it stays", not os.path.isfile(pipe))


def check_no_name(folder):
    """A program that calls itself nothing is recorded into a file that has a name all the same."""
    with Fake(folder, trace=TRACE, args=["--name", "", "--entry", ""]) as fake:
        r = run(folder, "record", str(fake.pid), "--max-size", "1", cwd=folder)
        names = [n for n in os.listdir(folder) if n.endswith(".nettrace")]
        check.equal(f"no name: exit code ({r.stderr.decode()!r})", r.returncode, 0)
        check.true(f"no name: {names}", len(names) == 1 and names[0].startswith("__2"))


def check_refused(scratch):
    with Fake(tempfile.mkdtemp(dir=scratch), trace=TRACE) as fake:
        for args, text in (
                (["--providers", "A:xyz"], "not a keyword of A"),
                (["--providers", "A::9"], "not a level"),
                (["--providers", ":1"], "without a name"),
                (["--profile", "gc-verbos"], "near: gc-verbose"),
                (["--profile", "cpu-sampling"], "kernel"),
                (["--clrevents", "exeption"], "near: exception"),
                (["--clreventlevel", "5"], "needs --clrevents"),
                (["--rundown", "perhaps"], "true, false"),
                (["--duration", "soon"], "not a time"),
                (["--max-size", "much"], "not a size"),
                (["--buffersize", "0"], "megabytes"),
                (["--events", "B:1"], "the provider is not"),
                (["--until", "n ="], "--until"),
                (["--until", "row = 3"], "a whole trace"),
                (["--refresh-interval", "2"], "needs --counters"),
                (["--duration", "1:30"], "not a time"),
                (["--duration", "1:+2:3"], "not a time"),
                (["--duration", "213503:23:34:40"], "too long"),
                (["--format", "NetTrace"], "is a NetTrace file"),
                (["--buffering-mode", "wait"], "drop block"),
                (["--stopping-event-event-name", "E"], "--until"),
                (["--dsrouter", "ios"], "--diagnostic-port"),
                (["--dport", "/there/is/no"], "either a port"),
                (["--listen", ""], "either a port"),
                (["--resume-runtime", "perhaps"], "true false"),
                (["--clrevents", "gcheapcollect"], "full garbage collection")):
            r = run(os.path.dirname(fake.socket), "record", str(fake.pid), *args)
            check.equal(f"{args}: exit code", r.returncode, 2)
            check.true(f"{args}: {r.stderr.decode()!r} says {text}", text in r.stderr.decode())
        check.equal("nothing was asked for", [r for r in fake.requests()
                                              if "ollect" in json.dumps(r)], [])


RUNTIME = "Microsoft-Windows-DotNETRuntime"
SAMPLER = ("Microsoft-DotNETCore-SampleProfiler", 0xF00000000000, 4, "")
RUNDOWN = 0x80020139

# Words, and what dotnet-trace 10 asks a program for when it is given the same: MB, rundown, providers.
WORDS = (
    ([], 256, RUNDOWN, {(RUNTIME, 0x100003801D, 4, ""), SAMPLER}),
    (["--profile", "dotnet-common"], 256, RUNDOWN, {(RUNTIME, 0x100003801D, 4, "")}),
    (["--profile", "dotnet-sampled-thread-time"], 256, RUNDOWN, {SAMPLER}),
    (["--profile:GC-Verbose"], 256, RUNDOWN, {(RUNTIME, 0x8003, 5, "")}),
    (["--profile=gc-collect"], 256, 1, {(RUNTIME, 1, 4, ""), (RUNTIME + "Private", 1, 4, "")}),
    (["--profile", "heap", "--yes"], 256, 0, {(RUNTIME, 0x1D80001, 5, "")}),
    (["--profile", "gc-collect", "--rundown", "true"], 256, RUNDOWN,
     {(RUNTIME, 1, 4, ""), (RUNTIME + "Private", 1, 4, "")}),
    (["--profile", "gc-collect", "--providers", "Foo:1", "--rundown", "false"], 256, 0,
     {(RUNTIME, 1, 4, ""), (RUNTIME + "Private", 1, 4, ""), ("Foo", 1, 4, "")}),
    (["--providers", "Foo:1", "--profile", "gc-collect"], 256, 1,
     {("Foo", 1, 4, ""), (RUNTIME, 1, 4, ""), (RUNTIME + "Private", 1, 4, "")}),
    (["--clrevents", "GC+Exception", "--clreventlevel", "verbose"], 256, RUNDOWN,
     {(RUNTIME, 0x8001, 5, "")}),
    (["--clrevents", "managedheadcollect+fusion+waithandle", "--clreventlevel", "1", "--providers",
      RUNTIME + ":10"], 256, RUNDOWN, {(RUNTIME, 0x10, 4, "")}),
    (["--providers", " Foo:0X1F:Verbose, Bar:2", "--buffersize", "64"], 64, RUNDOWN,
     {("Foo", 0x1F, 5, ""), ("Bar", 2, 4, "")}),
    (["--providers", "Foo:1:1,Foo:2:0"], 256, RUNDOWN, {("Foo", 3, 0, "")}),
    (["--providers", "Foo:FFFFFFFFFFFFFFFF:logalways"], 256, RUNDOWN, {("Foo", 2**64 - 1, 0, "")}),
    (["--providers", 'Foo:1:4:a="b;c=d";e=f:g,Bar:1'], 256, RUNDOWN,
     {("Foo", 1, 4, 'a="b;c=d";e=f:g'), ("Bar", 1, 4, "")}),
    (["--providers", r'Foo:1:4:a=\"b;c=d\"'], 256, RUNDOWN, {("Foo", 1, 4, 'a="b;c=d"')}),
    (["--resume-runtime:false", "--providers", "Foo:1"], 256, RUNDOWN, {("Foo", 1, 4, "")}),
)


def check_words(scratch):
    for words, mb, rundown, providers in WORDS:
        folder = tempfile.mkdtemp(dir=scratch)
        with Fake(folder, trace=TRACE, args=["--end", "close"]) as fake:
            code, said, _ = record(folder, fake, *words, interrupt=False)
            check.equal(f"{words}: exit code ({said!r})", code, 0)
            fake.await_what("stream")       # its log is read until there
            asked = [r["asked"] for r in fake.starts()]
            got = {(p["name"], p["keywords"], p["level"], p["args"]) for p in asked[0]["providers"]}
            check.equal(f"{words}: what is asked for", (asked[0]["mb"], asked[0]["rundown"], got),
                        (mb, rundown, providers))



def command(folder, extra="", end=""):
    """A command that becomes a stand-in which connects to the port that it is told of, suspended."""
    script = (f'exec "$0" "$1" --tmpdir "$2" --trace "$3" --no-listen --suspend '
              f'--connect "${{DOTNET_DiagnosticPorts%%,*}}" {extra}')
    if end:
        script = script.replace("exec ", "") + f"; {end}"
    return ["--", "sh", "-c", script, sys.executable, FAKE, folder, TRACE]


def run_command(folder, *args, env=None):
    path = os.path.join(folder, "out.nettrace")
    child = start(folder, "record", "-o", path, *args, env=env or environment(folder), stdin=subprocess.PIPE,
                  stdout=subprocess.DEVNULL)
    said = said_until(child, b"out.nettrace: ", may_end=True)      # the stand-in ends with its input
    said += child.communicate(timeout=PATIENCE)[1]
    kept = check.read(path) if os.path.exists(path) else None
    return child.returncode, said.decode(), kept


def check_command(scratch):
    """A command: traced from its begin, resumed, its exit code; nothing is left of the port."""
    for args, tail, code in (
            ("--end close", "", 0),
            ("--end close", "exit 7", 7),
            ("--end close", "kill -9 $$", 128 + 9),
            ("--end close --fault advertise:split", "", 0)):
        folder = tempfile.mkdtemp(dir=scratch)
        got = run_command(folder, "--show-child-io", *command(folder, args, tail))
        check.equal(f"command {args} {tail}: exit code ({got[1]!r})", got[0], code)
        check.true(f"command {args} {tail}: the stream", got[2] == STREAM)
        check.equal(f"command {args} {tail}: nothing is left",
                    [n for n in os.listdir(folder) if n.startswith("tnav-")], [])
    folder = tempfile.mkdtemp(dir=scratch)
    for words, text in ((["sh", "-c", "exit 3"], "before a .NET program connected"),
                        (["/there/is/no/such"], "cannot be started")):
        got = run_command(folder, "--", *words)
        check.equal(f"{words}: exit code", got[0], 2)
        check.true(f"{words}: {got[1]!r} says {text}", text in got[1])
        check.equal(f"{words}: no file", got[2], None)
    got = run_command(folder, "17", "--", "sh")
    check.equal("two programs: exit code", got[0], 2)
    check.true("two programs: said", "either a port or a command" in got[1])


def check_unreachable(scratch):
    """Who can't be asked is not recorded: why, no file, no start."""
    for fault, text in check.check_sample((
            ("connect:refuse", "not a .NET program"), ("connect:deaf", "does not answer"),
            ("connect:close", "closed the connection"), ("info:silent", "does not answer"),
            ("info:garbage=28", "not belong to a .NET"), ("info:strings", "cut short"),
            ("info:short=20", "closed the connection"), ("info:error=0x80131386", "another version")), 4):
        folder = tempfile.mkdtemp(dir=scratch)
        with Fake(folder, trace=TRACE, args=["--fault", fault]) as fake:
            got = record(folder, fake, interrupt=False)
            check.equal(f"{fault}: exit code ({got[1]!r})", got[0], 2)
            check.true(f"{fault}: {got[1]!r} says {text}", text in got[1])
            check.equal(f"{fault}: no file", got[2], None)
            check.true(f"{fault}: no start", "ollect" not in json.dumps(fake.requests()))


def check_garbled(scratch):
    """What comes is what is kept, damaged as it is; reading it ends."""
    for fault in check.check_sample(("stream:flip=400", "stream:garbage=400", "stream:flip=10",
                                     "stream:garbage=0"), 2):
        folder = tempfile.mkdtemp(dir=scratch)
        at = int(fault.split("=")[1])
        with Fake(folder, trace=TRACE, args=["--fault", fault]) as fake:
            code, said, kept = record(folder, fake)
            check.equal(f"{fault}: exit code ({said!r})", code, 1 if at < 32 else 0)
            check.true(f"{fault}: before it", kept[:at] == STREAM[:at])
            more = len(kept) - len(STREAM)
            check.equal(f"{fault}: bytes", more, 64 if "garbage" in fault else 0)
            check.true(f"{fault}: after it", kept[at + more + 1:] == STREAM[at + 1:])
            check.true(f"{fault}: it is read to its end",
                       check.tnav("check", os.path.join(folder, "out.nettrace")).code <= 2)


def check_runtimes(scratch):
    """Older runtimes, which know less: what is asked for in the end, and what is said to be missing."""
    for version, command, text in (("3", "0202", "leave out stacks"), ("5", "0203", "leave out stacks"),
                                   ("8", "0204", ""), ("9", "0205", "")):
        folder = tempfile.mkdtemp(dir=scratch)
        with Fake(folder, trace=TRACE, args=["--runtime", version]) as fake:
            code, said, kept = record(folder, fake, "--no-stacks", "--rundown", "38")
            check.equal(f"runtime {version}: exit code ({said!r})", code, 0)
            check.true(f"runtime {version}: the stream", kept == STREAM)
            fake.await_what("stream")
            asked = [r["command"] for r in fake.requests() if "ollect" in r["name"]]
            check.equal(f"runtime {version}: the last start", asked[-1], command)
            check.true(f"runtime {version}: {said!r} says {text}", text in said)


def check_blocking(scratch):
    """A full buffer holds the program up only where that is asked for, and where its runtime can do that;
    nobody who asks for it is given a session that drops events."""
    for version, args, command in (("11", ["--buffering-mode", "Block"], "0207"),
                                   ("10", ["--buffering-mode", "block"], None),
                                   ("11", ["--buffering-mode", "Drop"], "0203"), ("11", [], "0203")):
        folder = tempfile.mkdtemp(dir=scratch)
        with Fake(folder, trace=TRACE, args=["--runtime", version]) as fake:
            code, said, _ = record(folder, fake, *args)
            asked = [r["command"] for r in fake.requests() if "ollect" in r["name"]]
            check.equal(f"{version} {args}: exit code ({said!r})", code, 0 if command else 2)
            check.equal(f"{version} {args}: starts", asked, [command or "0207"])
            modes = [r["asked"]["mode"] for r in fake.starts()]
            check.equal(f"{version} {args}: mode", modes, [int(command == "0207")] if command else [])
            check.equal(f"{version} {args}: {said!r}", "needs .NET 11" in said, command is None)


def check_half_an_answer(scratch):
    """An answer that stops halfway, and one that never comes: the start is given up. Both at once,
    since the limit of ten seconds is the program's."""
    with contextlib.ExitStack() as all_of_them:
        runs = []
        for fault in ("start:hold=7", "start:silent"):
            folder = tempfile.mkdtemp(dir=scratch)
            fake = all_of_them.enter_context(Fake(folder, trace=TRACE, args=["--fault", fault]))
            path = os.path.join(folder, "out.nettrace")
            runs.append((fault, folder, fake, start(folder, "record", str(fake.pid), "-o", path)))
        for fault, folder, fake, child in runs:
            said = end(child, fault, 2, None)
            check.true(f"{fault}: {said!r}", "cannot be recorded: it does not answer" in said)
            check.equal(f"{fault}: no file", os.path.exists(os.path.join(folder, "out.nettrace")),
                        False)
            check.equal(f"{fault}: no stop", fake.stops(), [])


def check_no_permission(folder):
    """A socket that only another user may use: who is told."""
    with Fake(folder, trace=TRACE, args=["--fault", "connect:mode=000"]) as fake:
        code, said, kept = record(folder, fake)
        if os.geteuid() == 0:       # it may all the same
            check.equal(f"mode 000, as root: exit code ({said!r})", code, 0)
            return
        check.equal(f"mode 000: exit code ({said!r})", code, 2)
        check.true(f"mode 000: {said!r}", "user" in said)
        check.equal("mode 000: no file", kept, None)


def check_adverts(scratch):
    """Who connects to a port and is no runtime costs nothing: the next connection is the session's."""
    for fault in ("advertise:magic@3", "advertise:short=20@3", "advertise:split"):
        folder = tempfile.mkdtemp(dir=scratch)
        code, said, kept = run_command(folder, "--show-child-io",
                                       *command(folder, f"--end close --fault {fault}"))
        check.equal(f"{fault}: exit code ({said!r})", code, 0)
        check.true(f"{fault}: the stream", kept == STREAM)
    # One that says nothing holds nobody else up; the signal ends the waiting for it.
    folder = tempfile.mkdtemp(dir=scratch)
    port, path = os.path.join(folder, "port"), os.path.join(folder, "out.nettrace")
    child = start(folder, "record", "--listen", port, "-o", path)
    child.stderr.readline()
    args = ["--no-listen", "--suspend", "--end", "close", "--connect", port]
    with Fake(folder, trace=TRACE, args=[*args, "--fault", "advertise:silent"]) as deaf:
        deaf.await_what("advertised")
        with Fake(folder, trace=TRACE, args=args):
            said_until(child, b"to start again")
            said = end(child, "advertise:silent", 0)
        check.equal("advertise:silent: it was asked nothing", deaf.requests(), [])
    check.true("advertise:silent: the stream", check.read(path) == STREAM)


def check_fall_back(folder):
    """Event ids that an older runtime can't choose: all events are asked for, and that is said."""
    with Fake(folder, trace=TRACE, args=["--fault", "0206:unknown"]) as fake:
        code, said, _ = record(folder, fake, "--providers", "T", "--events", "T:1+2")
        check.equal(f"0206: exit code ({said!r})", code, 0)
        asked = [r for r in fake.requests() if "ollect" in json.dumps(r)]
        check.equal("0206: two starts", len(asked), 2)
        check.true(f"0206: {said!r}", "its runtime" in said)


def check_until(scratch):
    """An event stops it, and one that never comes doesn't."""
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE) as fake:
        got = record(folder, fake, "--until", "n = 3", interrupt=False)
        check.equal(f"until: exit code ({got[1]!r})", got[0], 0)
        check.true("until: the stream", got[2] == STREAM)
        check.true(f"until: no incident for which files are kept ({got[1]!r})", "--when" not in str(got[1]))
        fake.await_what("stream")       # its log is read until there
        check.equal("until: one stop", len(fake.stops()), 1)
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE, args=["--end", "close"]) as fake:
        got = record(folder, fake, "--until", "n = 300", interrupt=False)
        check.equal(f"until never: exit code ({got[1]!r})", got[0], 0)
        check.equal("until never: no stop", len(fake.stops()), 0)


def check_listen(folder):
    """A port: who connects first is traced, resumed; one of another name runs on; modes; left over."""
    port, path = os.path.join(folder, "port"), os.path.join(folder, "out.nettrace")
    left = socket.socket(socket.AF_UNIX)
    left.bind(port)         # nobody listens on it: it is replaced
    left.close()
    child = start(folder, "record", "--listen", port, "-n", "second", "-o", path)
    said = child.stderr.readline()
    check.true(f"listen: {said!r}", b"DOTNET_DiagnosticPorts=" in said)
    check.equal("listen: mode", os.stat(port).st_mode & 0o777, 0o600)
    args = ["--no-listen", "--suspend", "--end", "close", "--connect", port]
    with Fake(folder, trace=TRACE, args=[*args, "--entry", "first"]) as first:
        while "esume" not in json.dumps(first.await_what("request")):
            pass                # it runs on, untraced
        with Fake(folder, trace=TRACE, args=[*args, "--entry", "second"]) as second:
            said_until(child, b"to start again")
            said = end(child, "listen", 0)
            asked = json.dumps(second.requests())
            check.true("listen: it was resumed", "esume" in asked)
        check.true("listen: the first was not traced",
                   "ollect" not in json.dumps(first.requests()))
    check.true("listen: the stream", check.read(path) == STREAM)
    check.true("listen: the port is gone", not os.path.exists(port))


def check_again(folder):
    """A port: each run of the program that ends and starts again is a file of its own, from its begin;
    one that can't be recorded runs on, and is told; a file that is there is not replaced."""
    port = os.path.join(folder, "port")
    paths = [os.path.join(folder, name) for name in
             ("out.nettrace", "out_2.nettrace", "out_3.nettrace", "out_4.nettrace")]
    with open(paths[1], "wb") as f:
        f.write(b"old")
    child = start(folder, "record", "--listen", port, "-n", "served", "-o", paths[0])
    args = ["--no-listen", "--suspend", "--connect", port, "--entry"]

    def program(*more, entry="served"):
        return Fake(folder, trace=TRACE, args=[*args, entry, *more])

    said_until(child, b"waiting for a program")
    with program("--fault", "stream:cut=600"):
        check.true("again: the first has ended", b"waiting for the program" in
                   said_until(child, b"to start again"))
    with program(entry="other") as other:
        while "esume" not in json.dumps(other.await_what("request")):
            pass                # it runs on, untraced
        check.true("again: another one is not traced", "ollect" not in json.dumps(other.requests()))
    with program("--fault", "start:error=0x80004005") as refuses:
        said = said_until(child, b"cannot be recorded")
        check.true(f"again: {said!r} says why", b"64 sessions" in said)
        while "esume" not in json.dumps(refuses.requests()):
            refuses.await_what("request")
    with program("--end", "close"):
        said = said_until(child, b"to start again")
        check.true(f"again: {said!r} names the file", b"out_3.nettrace" in said)
    with program() as last:
        said_until(child, b"recording process")
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=PATIENCE)[1]
        check.equal("again: one stop", len(last.stops()), 1)
    check.equal(f"again: exit code ({said!r})", child.returncode, 1)      # of the first
    kept = [open(path, "rb").read() for path in paths]
    check.true("again: a file for each", kept == [STREAM[:600], b"old", STREAM, STREAM])
    check.equal("again: nothing else is left", sorted(os.listdir(folder)),
                sorted(os.path.basename(path) for path in paths))


def check_one_run(scratch):
    """--diagnostic-port is one run of a program, as in dotnet-trace, and so is standard output."""
    for option, args in (("--diagnostic-port", []), ("--listen", ["-o", "-"])):
        folder = tempfile.mkdtemp(dir=scratch)
        port = os.path.join(folder, "port")
        args = args or ["-o", os.path.join(folder, "out.nettrace")]
        child = start(folder, "record", option, port, *args, stdout=subprocess.PIPE)
        said_until(child, b"waiting for a program")
        with Fake(folder, trace=TRACE, args=["--no-listen", "--suspend", "--connect", port, "--end",
                                             "close"]):
            out, said = child.communicate(timeout=PATIENCE)
        check.equal(f"{option}: exit code ({said!r})", child.returncode, 0)
        if "-" not in args:
            out = check.read(args[1])
        check.true(f"{option}: the stream", out == STREAM)


def check_connect(scratch):
    """--diagnostic-port PATH,connect: the program behind a socket, which is let run; or why it can't be
    recorded."""
    for fault, code, text, resumed in (
            (None, 0, "(fake) to ", True), ("info:silent", 2, "does not answer", False),
            ("start:error=0x80004005", 2, "64 sessions", True)):
        folder = tempfile.mkdtemp(dir=scratch)
        path = os.path.join(folder, "out.nettrace")
        with Fake(folder, trace=TRACE, args=["--end", "close", *(["--fault", fault] if fault else [])]) as fake:
            r = run(folder, "record", "--dport", fake.socket + ",connect", "-o", path)
            said = r.stderr.decode()
            check.equal(f"connect, {fault}: exit code ({said!r})", r.returncode, code)
            check.true(f"connect, {fault}: {said!r} says {text}", text in said)
            check.equal(f"connect, {fault}: a file", os.path.exists(path), code == 0)
            while resumed and "esume" not in json.dumps(fake.requests()):
                fake.await_what("request")
            check.true(f"connect, {fault}: it was let run", resumed or "esume" not in
                       json.dumps(fake.requests()))
    for path, text in ((os.path.join(scratch, "no"), "no: cannot be recorded"), (TRACE, "cannot be recorded")):
        r = subprocess.run([check.TNAV, "record", "--dport", path + ",connect"], cwd=scratch,
                           capture_output=True, timeout=PATIENCE)
        check.equal(f"connect to {path}: exit code", r.returncode, 2)
        check.true(f"connect to {path}: {r.stderr!r}", text in r.stderr.decode())
    for word in ("--listen=", "--dport=", "--dport=,connect", "--dport=,listen"):
        r = subprocess.run([check.TNAV, "record", word], capture_output=True, timeout=PATIENCE)
        check.true(f"{word}: {r.stderr!r}", b"needs a path" in r.stderr and r.returncode == 2)
    r = subprocess.run([check.TNAV, "record", "--listen", TRACE], capture_output=True, timeout=PATIENCE)
    check.true(f"listen at a file: {r.stderr!r}", b"is not a socket" in r.stderr and r.returncode == 3)


def check_progress(folder):
    """--progress reads what comes: how many events there are, and how many were lost."""
    path = os.path.join(check.DATA, "features", "v4-dropped-events.nettrace")
    info = json.loads(check.tnav("info", "--format", "jsonl", path).out)
    with Fake(folder, trace=path) as fake:
        code, said, _ = record(folder, fake, "--progress")
        check.equal(f"progress: exit code ({said!r})", code, 0)
        check.true(f"progress: {said!r}", f"{info['events']:,} events, {info['lost']:,} lost" in said)


def objects(what, said):
    """What was said, each line an object of a known kind with known keys."""
    known = {"progress": {"work", "seconds"}, "note": {"text"}, "problem": {"text"}}
    made = [json.loads(line) for line in said.splitlines()]
    for x in made:
        check.true(f"{what}: {x}", known[x["event"]] <= set(x) and list(x)[0] == "event")
    return made


def check_json(folder):
    """--progress=json: all lines are objects; the last of progress has what the file has."""
    path = os.path.join(check.DATA, "features", "v4-dropped-events.nettrace")
    info = json.loads(check.tnav("info", "--format", "jsonl", path).out)
    with Fake(folder, trace=path) as fake:
        code, said, kept = record(folder, fake, "--progress=json")
        check.equal(f"json: exit code ({said!r})", code, 0)
        made = objects("json", said)
        last = [x for x in made if x["event"] == "progress"][-1]
        check.equal("json: at the end", {k: last[k] for k in ("work", "bytes", "events", "lost")},
                    {"work": "ended", "bytes": len(kept), "events": info["events"], "lost": info["lost"]})
        check.true("json: what it says is a note", any("recording process" in x.get("text", "") for x in made))
    with Fake(folder, trace=TRACE, args=["--fault", "stream:cut=200"]) as fake:
        code, said, _ = record(folder, fake, "--progress=json", "--quiet", interrupt=False)
        check.equal(f"json, cut: exit code ({said!r})", code, 1)
        made = objects("json, cut", said)
        check.true("json, cut: a problem, and no notes", any("incomplete" in x.get("text", "") for x in made) and
                   not any(x["event"] == "note" for x in made))
    out = os.path.join(folder, "cut.nettrace")
    r = check.tnav("cut", TRACE, "-o", out, "--progress=json")
    check.true(f"json: cut ({r.err!r})", [x["event"] for x in objects("cut", r.err.decode())][-1] == "note")
    r = check.tnav("gc", "/nowhere/x.nettrace", "--progress=json")
    check.equal("json: what fails is a problem", [x["event"] for x in objects("gc", r.err.decode())], ["problem"])
    r = check.tnav("cut", TRACE, "-o", out, "--progress=xml")
    check.true(f"json: no other form ({r.err!r})", r.code == 2 and b"is not json" in r.err)


def check_says_nothing(folder):
    """--quiet: nothing on standard error, but for what goes wrong."""
    with Fake(folder, trace=TRACE) as fake:
        child = start(folder, "record", str(fake.pid), "-o", os.path.join(folder, "q.nettrace"), "-q")
        fake.await_what("request")
        while not (os.path.exists(os.path.join(folder, "q.nettrace")) and
                   os.stat(os.path.join(folder, "q.nettrace")).st_size > 100):
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        check.equal("quiet: what it says", child.communicate(timeout=PATIENCE)[1], b"")
        check.equal("quiet: exit code", child.returncode, 0)
    with Fake(folder, trace=TRACE, args=["--fault", "stream:cut=200"]) as fake:
        code, said, _ = record(folder, fake, "--quiet", interrupt=False)
        check.true(f"quiet, cut: {said!r}", code == 1 and said.count("\n") == 1 and "incomplete" in said)
    out = os.path.join(folder, "cut.nettrace")
    for args in (("cut", TRACE, "-o", out), ("repair", TRACE, "-o", out), ("dump", TRACE, "-f", "id = 99999"),
                 ("convert", TRACE, "--to", "perfetto", "-o", out)):
        r = check.tnav(*args, "--quiet")
        check.equal(f"quiet: {args}", (r.code, r.err), (0, b""))
        check.true(f"quiet: without it {args} says something", check.tnav(*args).err != b"")
    r = check.tnav("gc", "/nowhere/x.nettrace", "-q")
    check.true(f"quiet: an error is said ({r.err!r})", b"/nowhere" in r.err and r.code != 0)


def wake_ups(pid):
    """How often the threads of a process have been woken up so far."""
    total = 0
    for tid in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{tid}/status", encoding="ascii", errors="replace") as f:
            total += next(int(line.split()[1]) for line in f if line.startswith("voluntary"))
    return total


def stays_quiet(what, pid):
    """No busy loop: few wake-ups a second, counted over whatever time has gone by."""
    time.sleep(0.5)         # what has just begun may still be at work
    before, begun = wake_ups(pid), time.monotonic()
    time.sleep(2)
    count, s = wake_ups(pid) - before, time.monotonic() - begun
    check.true(f"{what}: {count} wake-ups in {s:.1f} s", count <= 40 * s + 20)


def check_quiet(folder):
    """A session without events, and a port that nobody connects to: nothing is done, and no time is up."""
    path, port = os.path.join(folder, "out.nettrace"), os.path.join(folder, "port")
    for args in ([], ["--progress"]):
        with Fake(folder, trace=TRACE, args=["--manual", "--rest", "send"]) as fake:
            child = recording(folder, fake, "-o", path, *args)
            stays_quiet(f"a quiet session {args}", child.pid)
            said = end(child, f"a quiet session {args}", 0)
            check.true(f"a quiet session {args}: the stream", check.read(path) == STREAM)
    child = start(folder, "record", "--listen", port, "-o", path)
    said_until(child, b"waiting for a program")
    deaf = socket.socket(socket.AF_UNIX)
    deaf.connect(port)      # who says nothing is waited for, too
    stays_quiet("a port", child.pid)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=PATIENCE)
    deaf.close()
    check.equal("a port: exit code", child.returncode, 2)


AT_ONCE = 8             # they wait for programs and for time limits; the longest first
CHECKS = (
    check_slow_after_stop, check_silent_after_stop, check_half_an_answer, check_ps, check_quiet,
    check_ps_beside, check_stopped, check_long_folder, check_container, check_faults, check_second_signal,
    check_killed, check_full, check_old_file, check_no_file, check_no_name, check_refused, check_words,
    check_command, check_unreachable, check_garbled, check_runtimes, check_blocking, check_no_permission,
    check_adverts, check_fall_back, check_until, check_listen, check_again, check_connect, check_progress,
    check_json, check_says_nothing,
    check_one_run,
)
LEAST = check.tier(350, 480)    # comparisons of all of them


def main():
    check.need_tnav()
    made = check.apart_by_name(CHECKS, AT_ONCE)
    check.finish(LEAST if made == len(CHECKS) else made)


if __name__ == "__main__":
    main()
