#!/usr/bin/env python3
"""`tnav record` against a stand-in for a runtime: what it says before and after a recording, and what its
exit code is."""
import contextlib
import json
import os
import re
import signal
import subprocess
import tempfile

import attach
import follower
import live
import check
import screen
from expect import Fake
from stage import PATIENCE, STREAM, TRACE, end, environment, recording, run, said_until, start


def ended(folder, fake, *args):
    """A recording without a terminal that the stand-in ends: exit code, what was said."""
    r = run(folder, "record", str(fake.pid), "-o", os.path.join(folder, "out.nettrace"), *args)
    return r.returncode, r.stderr.decode()


def check_yes(scratch):
    """Keywords that make the program collect its heap are confirmed on a terminal, or by --yes."""
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE, args=["--end", "close"]) as fake:
        for words in (["--clrevents", "gcheapcollect"], ["--providers", live.RUNTIME + ":800000"],
                      ["--providers", "*," + live.RUNTIME + ":ManagedHeapCollect"]):
            code, said = ended(folder, fake, *words)
            check.equal(f"{words}: refused ({said!r})", code, 2)
            check.true(f"{words}: {said!r} names --yes", "garbage collection" in said and "--yes" in said)
            check.equal(f"{words}: not started", fake.starts(), [])
        code, said = ended(folder, fake, "--clrevents", "gcheapcollect", "--yes")
        check.equal(f"--yes: exit code ({said!r})", code, 0)
        asked = [r["asked"]["providers"] for r in fake.starts()]
        check.equal("--yes: asked for", [p["keywords"] for p in asked[0]], [0x800000])
    began = os.path.join(folder, "began")
    code, said, _ = live.run_command(folder, "--clrevents", "gcheapcollect", "--", "touch", began)
    check.equal(f"a command: refused ({said!r}), not started", (code, os.path.exists(began)), (2, False))


def check_keywords(scratch):
    """A mask that leaves out an EventSource's events without keywords: told, unless it is one of keywords
    that the provider is known to have, as in tnav's own advice."""
    folder = tempfile.mkdtemp(dir=scratch)
    note = "may leave out events without keywords"
    with Fake(folder, trace=TRACE, args=["--end", "close"]) as fake:
        for words, told in (("My:0xffffffff", 1), ("My:1,Your:0", 2), ("System.Net.Http:ffffffff", 1),
                            ("My", 0), ("My:ffffffffffffffff", 0), ("My:100000000001", 0),
                            (live.RUNTIME + ":ffff", 0), ("Microsoft-DotNETCore-SampleProfiler:0", 0),
                            ("System.Threading.Tasks.TplEventSource:cb", 0)):
            code, said = ended(folder, fake, "--providers", words)
            check.equal(f"{words}: exit code", code, 0)
            check.equal(f"{words}: {said!r}", said.count(note), told)
            check.true(f"{words}: {said!r} names the mask", not told or "0xffffffffffffffff takes all" in said)
        for advice in advised():
            _, said = ended(folder, fake, "--providers", advice)
            check.true(f"{advice}: own advice, {said!r}", note not in said)
        _, said = ended(folder, fake, "--clrevents", "gc", "--providers", live.RUNTIME + ":10")
        check.true(f"--clrevents: {said!r}", "--clrevents is ignored" in said)


def check_every(scratch):
    """The runtime takes * for all providers with all keywords and level verbose only (.NET 10)."""
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE, args=["--end", "close"]) as fake:
        for words, told in (("*", False), ("*:ffffffffffffffff:5", False), ("*:ffffffffffffffff:4", True),
                            ("*:1", True)):
            _, said = ended(folder, fake, "--providers", words)
            check.equal(f"{words}: {said!r}", "selects nothing" in said, told)
            check.equal(f"{words}: it is no name: {said!r}", silent(said), [])
            check.true(f"{words}: {said!r}", "after its start" not in said)
        asked = [r["asked"]["providers"][0] for r in fake.starts()]
        check.equal("*: asked for", (asked[0]["name"], asked[0]["keywords"], asked[0]["level"]), ("*", 2**64 - 1, 5))
    for words, told in (("*", True), (SOURCE, False)):
        folder = tempfile.mkdtemp(dir=scratch)
        code, said, _ = live.run_command(folder, "--show-child-io", "--providers", words,
                                         *live.command(folder, "--end close"))
        check.equal(f"{words} of a command: {said!r}", (code, "makes after its start" in said), (0, told))


def advised():
    """What the reports advise where a trace has nothing for them."""
    found = set()
    for command in re.findall(r"^  tnav ([a-z]+) FILE\.\.\.", check.tnav("help").out.decode(), re.M):
        r = check.tnav(command, TRACE)
        found |= set(re.findall(r"--providers (\S+)", (r.out + r.err).decode()))
    check.true(f"advice: {found}", len(found) >= 8 and any("System.Net.Http" in a for a in found))
    return sorted(found)


def check_command(scratch):
    """A command that outlives its recording is waited for; how it ended is said."""
    for words, code, text in (
            (["sh", "-c", "exit 3"], 2, "sh ended with exit code 3 before a .NET program connected"),
            (["sh", "-c", "kill -SEGV $$"], 2, "sh was ended by signal 11 (Segmentation fault) before")):
        folder = tempfile.mkdtemp(dir=scratch)
        got = live.run_command(folder, "--", *words)
        check.equal(f"{words}: exit code ({got[1]!r})", got[0], code)
        check.true(f"{words}: {got[1]!r} says {text}", text in got[1])
    folder = tempfile.mkdtemp(dir=scratch)
    code, said, _ = live.run_command(folder, "--show-child-io", *live.command(folder, "--end close", "kill -ABRT $$"))
    check.equal(f"abort: exit code ({said!r})", code, 128 + signal.SIGABRT)
    check.true(f"abort: {said!r}", "sh was ended by signal 6 (Aborted)" in said)
    folder = tempfile.mkdtemp(dir=scratch)
    held = os.path.join(folder, "held")
    os.mkfifo(held)
    child = start(folder, "record", "-o", os.path.join(folder, "out.nettrace"), "--show-child-io",
                  *live.command(folder, "--end close", f"read x < {held}; exit 7"), stdin=subprocess.PIPE,
                  stdout=subprocess.DEVNULL)
    said_until(child, b"out.nettrace: ")
    said = said_until(child, b"waiting for sh to end")
    check.true(f"the command goes on: {said!r}", said != b"" and child.poll() is None)
    child.stdin.close()     # which ends the stand-in
    child.stdin = None
    with open(held, "w", encoding="ascii") as f:
        f.write("\n")
    said = end(child, "the command goes on", 7, None)


def check_no_process(scratch):
    with subprocess.Popen(["true"]) as gone:
        pass
    for args in ([str(gone.pid)], ["-p", str(gone.pid)], ["99999999999999"]):
        r = run(scratch, "record", *args)
        check.equal(f"{args}: exit code", r.returncode, 2)
        check.true(f"{args}: {r.stderr!r}", f"there is no process {args[-1]}".encode() in r.stderr)
    r = run(scratch, "record", str(os.getpid()))
    check.true(f"a process without .NET: {r.stderr!r}", b"is not a .NET program" in r.stderr)


def check_lost(scratch):
    """Without a terminal, too, it says how many events were lost, as `tnav info` does."""
    folder = tempfile.mkdtemp(dir=scratch)
    path = os.path.join(check.DATA, "features", "v4-dropped-events.nettrace")
    info = json.loads(check.tnav("info", "--format", "jsonl", path).out)
    counts = f"{info['events']:,} events, {info['lost']:,} "
    for args, code, text in ((["--end", "close"], 0, counts + "lost (a larger --buffersize"),
                             (["--end", "close", "--fault", f"stream:cut={os.path.getsize(path) - 1}"], 1,
                              counts + "known to be lost")):
        with Fake(folder, trace=path, args=args) as fake:
            got, said = ended(folder, fake)
            check.equal(f"lost, {args}: exit code ({said!r})", got, code)
            check.true(f"lost, {args}: {said!r} says {text}", text in said)
    with Fake(folder, trace=TRACE, args=["--end", "close"]) as fake:
        _, said = ended(folder, fake)
        check.true(f"none lost: {said!r}", " events, none lost" in said)
    with Fake(folder, trace=path, args=["--end", "close"]) as fake:
        command = ["record", str(fake.pid), "-o", "-"]
        r = run(folder, *command)
        unread = run(folder, *command, env={**environment(folder), "TMPDIR": os.path.join(folder, "none")})
        with open(os.path.join(folder, "stdout"), "wb") as f:
            to_file = subprocess.run(r.args, env=environment(folder), stdout=f, stderr=subprocess.PIPE,
                                     check=False, timeout=PATIENCE).stderr.decode()
        check.true(f"standard output, a file: {to_file!r}", counts + "lost" in to_file)
        check.equal(f"a stream: exit code ({r.stderr!r})", r.returncode, 0)
        check.true(f"a stream: {r.stderr!r}", (counts + "lost").encode() in r.stderr)
        check.equal("a stream: its bytes", r.stdout, check.read(path))
        check.equal(f"no folder for a copy: exit code ({unread.stderr!r})", unread.returncode, 0)
        check.true(f"no folder for a copy: {unread.stderr!r}", b"lost events are not counted" in unread.stderr and
                   unread.stdout == r.stdout)


SOURCE = "Feat.V4Act"       # in TRACE


def silent(said):
    """Providers that are told to be silent, with what is near."""
    return re.findall(r"no event of ([^ ;\n]+)(?: so far)?(?: \(near: ([^)]*)\))?(?:;|$)", said, re.M)


@contextlib.contextmanager
def silent_so_far(scratch, until, note):
    """After some seconds; the other checks are made meanwhile."""
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE) as fake:
        child = start(folder, "record", str(fake.pid), "-o", os.path.join(folder, "out.nettrace"), "--providers",
                      "Nope," + SOURCE, "--until", until)
        yield
        said = said_until(child, b"--until, so far").decode()
        check.true(f"--until so far: {said!r}", note in said)
        check.equal(f"silent so far: {said!r}", silent(said), [("Nope", "")])
        check.equal("silent so far: it goes on", child.poll(), None)
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=PATIENCE)[1].decode()
        check.equal(f"silent at the end: {said!r}", (child.returncode, silent(said)), (0, [("Nope", "")]))


def check_silent(scratch):
    """Providers that were asked for by name, and sent nothing, are told at the end; those of profiles are not."""
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE, args=["--end", "close"]) as fake:
        for words, want in (
                (["--providers", SOURCE], []),
                (["--providers", "Nope," + SOURCE], [("Nope", "")]),
                (["--providers", SOURCE.lower()], [(SOURCE.lower(), SOURCE)]),
                (["--providers", "System.Runtime"], [("System.Runtime", "")]),
                (["--providers", "system.runtime"], [("system.runtime", "System.Runtime")]),
                (["--counters=Nope,System.Runtim"], [("Nope", ""), ("System.Runtim", "System.Runtime")]),
                (["--profile", "gc-verbose", "--providers", SOURCE], []),
                (["--providers", "System.Threading.Tasks.TplEventSource:80"], []),      # it has no events
                (["--providers", "System.Threading.Tasks.TplEventSource:82"], [("System.Threading.Tasks.TplEventSource", "")]),
                (["--clrevents", "gc"], [])):
            code, said = ended(folder, fake, *words)
            check.equal(f"{words}: exit code", code, 0)
            check.equal(f"{words}: {said!r}", [(name, near.split(", ")[0]) for name, near in silent(said)], want)


def check_diagnose(scratch):
    """diagnose of a program records it as `record --profile diagnose` does, keeps the file, and says of it what
    diagnose says of the file."""
    folder = tempfile.mkdtemp(dir=scratch)
    out = os.path.join(folder, "out.nettrace")
    with Fake(folder, trace=TRACE, args=["--end", "close"]) as fake:
        _, said = ended(folder, fake, "--profile", "diagnose")
        want = check.read(out)
        r = run(folder, "diagnose", str(fake.pid), "-o", out)
        asked = [a["asked"] for a in fake.starts()]
        check.equal(f"diagnose: its recording ({said!r}, {r.stderr!r})", check.read(out), want)
        check.true(f"diagnose: what is asked for: {asked}", len(asked) == 2 and asked[0] == asked[1])
        shown = check.tnav("diagnose", out)
        check.equal("diagnose: what is said", (r.returncode, r.stdout), (shown.code, shown.out))
    with Fake(folder, trace=TRACE) as fake:
        r = run(folder, "diagnose", str(fake.pid), "--duration", "300ms", "-o", out)
        check.equal(f"diagnose --duration: ends by itself ({r.stderr!r})", r.returncode, 0)
    r = run(folder, "diagnose", "-o", out, out)
    check.true(f"diagnose FILE -o: {r.stderr!r}", r.returncode == 2 and b"is one already" in r.stderr)


def check_attached(scratch):
    """The viewer tells it when it has ended."""
    if not screen.available():
        return
    with attach.Attached(scratch, "--providers", "Nope," + SOURCE) as a:
        a.screen.wait("[live")
        a.screen.send("Q")
        check.equal("attach: exit code", a.screen.finish(), 0)
        said = a.screen.text()
        check.true(f"attach: {said!r}", "no event of Nope" in said and "no event of Feat" not in said)


def check_providers(scratch):
    """`tnav providers PID` lists what comes of a short session of all providers, and keeps nothing of it."""
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE, args=["--end", "close"]) as fake:
        r = run(folder, "providers", "--format", "jsonl", str(fake.pid), cwd=folder)
        check.equal(f"providers: exit code ({r.stderr!r})", r.returncode, 0)
        rows = [json.loads(line) for line in r.stdout.splitlines()]
        check.equal("providers: rows", {(row["provider"], row["name"], row["events"]) for row in rows},
                    {(SOURCE, "T", 8)})
        asked = fake.starts()[0]["asked"]
        one = asked["providers"][0]
        check.equal("providers: asked for", (asked["rundown"], asked["stacks"], len(asked["providers"]), one["name"],
                                             one["keywords"], one["level"]), (0, False, 1, "*", 2**64 - 1, 5))
    left = [n for _, _, names in os.walk(os.path.join(folder, "state")) for n in names]
    check.equal("providers: nothing is left", left, [])
    r = run(folder, "providers", "99999999999999")
    check.true(f"providers: {r.stderr!r}", r.returncode == 2 and
               r.stderr == b"tnav: there is no process 99999999999999\n")


def check_several(scratch):
    """Several programs, by id or by name: a file each; one that is killed is none of the other's concern."""
    folder, out = tempfile.mkdtemp(dir=scratch), tempfile.mkdtemp(dir=scratch)
    comm = f"sv{os.getpid()}"
    named = ["--entry", "several-of-them", "--name", comm]
    with Fake(folder, trace=TRACE, args=named) as one, Fake(folder, trace=TRACE, args=named) as two:
        for words, ids in (([str(one.pid), str(two.pid), str(one.pid)], (one.pid, two.pid)),
                           (["-n", "Several-Of-Them", "--all"], (one.pid, two.pid)),
                           (["-n", comm.upper(), "--all"], (one.pid, two.pid))):
            to = tempfile.mkdtemp(dir=out)
            child = start(folder, "record", *words, "-o", to)
            said_until(child, b"recording process")
            said_until(child, b"recording process")
            child.send_signal(signal.SIGINT)
            said = child.communicate(timeout=PATIENCE)[1].decode()
            check.equal(f"several {words}: {said!r}", child.returncode, 0)
            names = sorted(os.listdir(to))
            check.equal(f"several {words}: {names}", sorted(int(n.split("_")[1]) for n in names), sorted(ids))
            check.true(f"several {words}: each is whole", all(check.read(os.path.join(to, n)) == STREAM for n in names))
        to = os.path.join(out, "x.nettrace")
        child = start(folder, "record", str(one.pid), str(two.pid), "-o", to)
        said_until(child, b"recording process")
        said_until(child, b"recording process")
        one.send("die")
        said = said_until(child, b"incomplete")
        child.send_signal(signal.SIGTERM)
        said += child.communicate(timeout=PATIENCE)[1]
        check.equal(f"several, one dies: {said!r}", child.returncode, 1)
        check.equal("several, one dies: the other", check.read(os.path.join(out, f"x_{two.pid}.nettrace")), STREAM)
        for words, part in (([str(two.pid), "99999999"], "no process 99999999"), (["-n", "x", "--all"], "no program"),
                            (["--all", str(two.pid)], "--all needs -n"),
                            ([str(two.pid), "1", "-o", "-"], "several files")):
            r = run(folder, "record", *words)
            check.true(f"several {words}: {r.stderr!r}", r.returncode == 2 and part in r.stderr.decode())


def check_late_signals(scratch):
    """Signals that arrive after a recording has ended do not change its exit code."""
    folder = tempfile.mkdtemp(dir=scratch)
    for _ in range(5):
        with Fake(folder, trace=TRACE) as fake:
            child = recording(folder, fake, "-o", os.path.join(folder, "late.nettrace"))
            fake.send("die")
            said = said_until(child, b"incomplete")
            while child.poll() is None:
                child.send_signal(signal.SIGTERM)
            child.stderr.close()
            check.equal(f"late signals: {said!r}", child.returncode, 1)


def check_mark(scratch):
    """SIGUSR1, which keeps files with --rotate, does not end a recording without it."""
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE) as fake:
        child = recording(folder, fake, "-o", os.path.join(folder, "out.nettrace"))
        child.send_signal(signal.SIGUSR1)
        said = end(child, "SIGUSR1", 0)


def check_taken_away(scratch):
    """A file that another program removes while it is written is no recording; one that is renamed is."""
    for take, code in ((os.unlink, 3), (lambda out: os.rename(out, out + ".old"), 0)):
        folder = tempfile.mkdtemp(dir=scratch)
        out = os.path.join(folder, "taken.nettrace")
        with Fake(folder, trace=TRACE) as fake:
            child = recording(folder, fake, "-o", out)
            follower.wait_for("the file", lambda out=out: os.path.exists(out))
            take(out)
            said = end(child, "taken away", code)
            check.equal(f"taken away: {said!r}", "removed by another program" in said, code != 0)


def main():
    check.need_tnav()
    with tempfile.TemporaryDirectory() as scratch, \
            silent_so_far(scratch, "m = 3", 'unknown field "m"'), \
            silent_so_far(scratch, "pid = 999999", "matches no event: pid = 999999"):
        check_yes(scratch)
        check_keywords(scratch)
        check_every(scratch)
        check_command(scratch)
        check_several(scratch)
        check_late_signals(scratch)
        check_taken_away(scratch)
        check_mark(scratch)
        check_no_process(scratch)
        check_lost(scratch)
        check_silent(scratch)
        check_providers(scratch)
        check_diagnose(scratch)
        check_attached(scratch)
    check.finish(70)


if __name__ == "__main__":
    main()
