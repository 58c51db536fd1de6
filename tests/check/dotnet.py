#!/usr/bin/env python3
"""`tnav record` and `tnav attach` on real .NET programs: what the live app (../shared/tools/live) says that it
has written is in the file, by thread, or told as lost; the reader of tests/support/live counts the same.
Needs .NET and ../shared."""
import collections
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import check
import screen
import ipc
from expect import App

PATIENCE = 300
SECONDS = 60 if check.check_all() else 3


class Record:
    """A recording of a program, until end()."""

    def __init__(self, folder, name, *args, pid=None):
        self.path = os.path.join(folder, name + ".nettrace")
        who = [str(pid)] if pid else []
        self.child = subprocess.Popen([check.TNAV, "record", *who, "-o", self.path, *args],
                                      stderr=subprocess.PIPE, bufsize=0)
        self.said = b""

    def wait(self, text=b"recording process"):
        while text not in self.said:
            line = self.child.stderr.readline()
            self.said += line
            if not line:
                break
        return self

    def end(self, sig=signal.SIGINT):
        if sig:
            self.child.send_signal(sig)
        self.said += self.child.communicate(timeout=PATIENCE)[1]
        return self.child.returncode


def rows(path, filter, fields):
    out = check.tnav("dump", "-f", filter, "-e", fields, "--format", "tsv", path).out.decode()
    return [line.split("\t") for line in out.splitlines()[1:]]


def lost_by_thread(path):
    out = check.tnav("threads", "--format", "jsonl", path).out.decode()
    return {r["tid"]: r["lost"] or 0 for r in map(json.loads, out.splitlines())}


def agrees(what, path):
    """Clean, and what the other reader counts."""
    check.equal(f"{what}: clean", check.tnav("check", path).code, 0)
    with open(path, "rb") as f:
        counts, lost = ipc.account(f.read())
    info = json.loads(check.tnav("info", "--format", "jsonl", path).out)
    check.equal(f"{what}: events", info["events"], sum(counts.values()))
    check.equal(f"{what}: lost", info["lost"] or 0, lost)
    mine = {p["provider"]: p["events"] for p in info["eventsByProvider"]}
    other = collections.Counter()
    for (provider, *_), n in counts.items():
        other[provider] += n
    check.equal(f"{what}: events by provider", mine, dict(other))


def ticks_are_told(what, path, written, complete=True):
    """written: {tid: (first, last)}. Each event is read, or its thread's loss tells of it."""
    read = collections.defaultdict(list)
    for tid, number in rows(path, 'name = "Tick"', "tid,number"):
        read[int(tid)].append(int(number))
    lost = lost_by_thread(path)
    for tid, (first, last) in written.items():
        got = read.get(tid, [])
        check.true(f"{what}: {tid}: once and in order", got == sorted(set(got)))
        check.true(f"{what}: {tid}: none that was not written",
                   not got or (got[0] >= first and got[-1] <= last))
        missing = last - first + 1 - len(got)
        check.equal(f"{what}: {tid}: what is missing is told", lost.get(tid, 0), missing)
        if complete:
            check.equal(f"{what}: {tid}: none is missing", missing, 0)


def by_thread(*answers):
    return {t["tid"]: (t["first"], t["last"]) for a in answers for t in a["byThread"]}


def check_work(dll, folder):
    with App(dll) as app:
        r = Record(folder, "work", "--providers", "Live-App", "--clrevents", "gc+exception",
                   pid=app.pid).wait()
        app.do("await on")
        ticks = [app.do("threads 6 2000"), app.do("events 5000 30")]
        spans, thrown, gcs = app.do("span 40 1"), app.do("throw 25"), app.do("gc 4")
        check.equal("work: exit code", r.end(), 0)
    agrees("work", r.path)
    ticks_are_told("work", r.path, by_thread(*ticks))
    check.equal("work: spans", len(rows(r.path, 'name = "Work/Start" or name = "Work/Stop"', "tid")),
                2 * spans["spans"])
    check.equal("work: exceptions", len(rows(r.path, 'event = "ExceptionThrown"', "tid")),
                thrown["thrown"])
    check.true("work: collections", len(rows(r.path, 'event ~ "^GCStart"', "tid")) >= gcs["induced"])


def check_storm(dll, folder):
    """As fast as can be, into the least buffer: what is lost is told."""
    with App(dll) as app:
        r = Record(folder, "storm", "--providers", "Live-App", "--no-stacks", "--rundown", "false",
                   "--buffersize", "1", pid=app.pid).wait()
        app.do("await on")
        done = app.do("storm 1 4 100")
        check.equal("storm: exit code", r.end(), 0)
    agrees("storm", r.path)
    events, lost = re.search(r", ([\d,]+) events, ([\d,]+) lost", r.said.decode()).groups()
    count = int(events.replace(",", "")) + int(lost.replace(",", ""))
    last = len(rows(r.path, "name = ProcessInfo", "name"))      # lost on a thread without a buffer: not told
    check.equal(f"storm: {r.said!r} is what was written, and ProcessInfo", count, done["written"] + last)
    ticks_are_told("storm", r.path, by_thread(done), complete=False)


def check_rate(dll, folder):
    with App(dll) as app:
        r = Record(folder, "rate", "--providers", "Live-App", "--no-stacks", "--rundown", "false",
                   pid=app.pid).wait()
        app.do("await on")
        done = app.do(f"rate 100000 {SECONDS}", timeout=PATIENCE)
        check.equal("rate: exit code", r.end(), 0)
    check.equal("rate: clean", check.tnav("check", r.path).code, 0)
    ticks_are_told("rate", r.path, by_thread(done))


def check_ends(dll, folder):
    """A program that ends in its own way while it is recorded."""
    for command, code in (("exit 3", 0), ("abort", 1), ("kill", 1)):
        with App(dll) as app:
            r = Record(folder, command.split()[0], "--providers", "Live-App", pid=app.pid).wait()
            app.do("await on")
            app.do("events 1000")
            app.send(command)
            check.equal(f"{command}: exit code ({r.said!r})", r.end(None), code)
        check.true(f"{command}: the file opens", check.tnav("info", r.path).code <= 1)


def check_rundown(dll, folder):
    # Dynamic methods are listed until they are collected: without a collection all of them are.
    with App(dll, env={"DOTNET_GCgen0size": "0x10000000"}) as app:
        app.do("jit 20000", timeout=PATIENCE)
        r = Record(folder, "rundown", "--providers", "Live-App", pid=app.pid).wait()
        app.do("await on")
        check.equal("rundown: exit code", r.end(), 0)
    agrees("rundown", r.path)
    names = rows(r.path, 'name ~ "DCStop" and MethodName ~ "^live_"', "MethodName")
    check.true(f"rundown: {len(names)} names", len(names) >= 20000)


def check_two(dll, folder):
    with App(dll) as app:
        a = Record(folder, "two-a", "--providers", "Live-App", pid=app.pid).wait()
        b = Record(folder, "two-b", "--providers", "Live-App:1", "--no-stacks", pid=app.pid).wait()
        app.do("await on")
        done, spans = app.do("events 3000"), app.do("span 20 1")
        check.equal("two: exit codes", (a.end(), b.end()), (0, 0))
    for r in (a, b):
        agrees("two", r.path)
        check.equal("two: spans", len(rows(r.path, 'name = "Work/Start"', "tid")), spans["spans"])
    ticks_are_told("two", a.path, by_thread(done))


# What a session makes the runtime do: a thread of its own, a measurement when it begins.
OF_SESSIONS = ("AppDomainResourceManagement/ThreadCreated", "YieldProcessorMeasurement")


def counts(path):
    """Events by provider and name, of what the program and its runtime did."""
    out = check.tnav("stats", "--by", "provider,name", "--format", "jsonl", path).out.decode()
    rows = map(json.loads, out.splitlines())
    return {(r["provider"], r["name"]): r["events"] for r in rows
            if r["provider"] in ("Live-App", "Microsoft-Windows-DotNETRuntime")
            and r["name"] not in OF_SESSIONS}


def check_beside(dll, folder):
    """dotnet-trace, where it is, records the same at the same time: the same events by provider and
    name, read by the same reader."""
    other = os.environ.get("DOTNET_TRACE") or shutil.which("dotnet-trace")
    if other is None:
        print("dotnet-trace is not there (DOTNET_TRACE): not recorded beside it")
        return
    path = os.path.join(folder, "other.nettrace")
    words = ["--providers", "Live-App:FFFFFFFFFFFFFFFF,Microsoft-Windows-DotNETRuntime:1C001:4"]
    with App(dll) as app:
        beside = subprocess.Popen([other, "collect", "-p", str(app.pid), "-o", path, *words],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        while beside.poll() is None and not os.path.exists(path):
            time.sleep(0.05)            # it makes its file when it collects
        r = Record(folder, "beside", *words, pid=app.pid).wait()
        app.do("await on")
        for work in ("threads 6 2000", "events 3000 50", "span 40 1", "throw 25", "gc 4", "lock 3 20"):
            app.do(work)
        check.equal("beside: exit code", r.end(), 0)
        beside.send_signal(signal.SIGINT)
        check.equal("beside: its exit code", beside.wait(PATIENCE), 0)
    agrees("beside", r.path)
    mine, others = counts(r.path), counts(path)
    check.true("beside: events of both providers", len({provider for provider, _ in mine}) == 2)
    check.equal("beside: what only one of them has or has more of",
                set(mine.items()) ^ set(others.items()), set())


def check_command(dll, folder):
    """Suspended at its start: its first event is there."""
    path = os.path.join(folder, "command.nettrace")
    r = subprocess.run([check.TNAV, "record", "-o", path, "--show-child-io", "--providers", "Live-App",
                        "--", "dotnet", dll], input=b"events 500\nexit 5\n", capture_output=True,
                       timeout=PATIENCE)
    check.equal(f"command: exit code ({r.stderr!r})", r.returncode, 5)
    agrees("command", path)
    answers = [json.loads(line) for line in r.stdout.splitlines()]
    done = [a for a in answers if a.get("command") == "events 500"]
    ticks_are_told("command", path, by_thread(*done))


def check_build(folder):
    """A build starts runtimes of its own, all suspended: each of them is let run."""
    project = os.path.join(folder, "project")
    env = {**os.environ, "DOTNET_NOLOGO": "1", "DOTNET_CLI_TELEMETRY_OPTOUT": "1"}
    made = subprocess.run(["dotnet", "new", "console", "-o", project], env=env, capture_output=True,
                          timeout=PATIENCE)
    if made.returncode != 0:
        return
    port = os.path.join(folder, "port")
    r = Record(folder, "build", "--listen", port).wait(b"waiting for")
    built = subprocess.run(["dotnet", "build", "--disable-build-servers", project], timeout=PATIENCE,
                           env={**env, "DOTNET_DiagnosticPorts": port}, capture_output=True)
    check.equal(f"build: it succeeds ({built.stdout[-500:]!r})", built.returncode, 0)
    r.wait(b"to start again")
    check.equal(f"build: exit code ({r.said!r})", r.end(), 0)
    agrees("build", r.path)


def check_attach(dll, folder):
    """Events appear, a filter works while it runs; a program that is killed, a viewer that is."""
    state = {"XDG_STATE_HOME": os.path.join(folder, "state")}
    with App(dll) as app, screen.Screen([check.TNAV, "attach", str(app.pid), "--providers", "Live-App"],
                                        24, 110, state) as s:
        s.wait_for(lambda text: "[live" in text or "waiting" in text)
        app.do("await on")
        app.do("events 2000")
        s.wait("[live", "number=2000")
        s.ask("f", "filter")
        s.ask("number = 17\r", "number=17", gone=("number=2000",))
        app.send("kill")
        s.wait("the end of the trace is missing")
        s.send("Q")
        check.equal("attach: exit code", s.finish(), 1)
    with App(dll) as app:
        with screen.Screen([check.TNAV, "attach", str(app.pid), "--providers", "Live-App"], 24, 110,
                           state) as s:
            app.do("await on")
            app.do("events 2000")
            s.wait("number=2000")
            os.kill(s.pid, signal.SIGKILL)
            s.finish()
        flood = app.send("rate 1000 2")     # the session ends when it can't be written to
        app.await_line(flood)
        check.equal("attach: the session has ended", app.do("await off 20")["enabled"], False)
    live = os.path.join(state["XDG_STATE_HOME"], "tnav", "live")
    for name in os.listdir(live):
        if name.startswith("."):        # the list of those that may be pruned
            continue
        check.true(f"attach: {name} opens", check.tnav("info", os.path.join(live, name)).code <= 1)


def check_attach_several(dll, folder):
    """Two programs as one list: each event that either has written is there, in the order of time, which is one
    clock's; one is killed, the other goes on."""
    state, path = {"XDG_STATE_HOME": os.path.join(folder, "several")}, os.path.join(folder, "several.jsonl")
    with App(dll) as first, App(dll) as second, screen.Screen(
            [check.TNAV, "attach", str(first.pid), str(second.pid), "--providers", "Live-App", "-f", "name = Tick"],
            24, 110, state) as s:
        s.wait("[live")
        for app in (first, second):
            app.do("await on")
        written = [(0, first.do("threads 3 700")), (1, second.do("threads 2 400")), (0, first.do("events 100")),
                   (1, second.do("events 300"))]
        so_far = sum(done["written"] for _, done in written)
        s.wait(f" {so_far:,} of ")      # all that the one that is killed has written
        second.send("kill")
        s.wait(f"process {second.pid} (live-app) ended or hung up", "[live 1 of 2")
        written.append((0, first.do("events 500")))
        s.wait(f" {so_far + 500:,} of ")
        s.ask("q", "s stop, decide later")
        s.ask("s", f"all sessions ended; incomplete: process {second.pid}", gone=("[stopping",))
        s.ask(f":export {path}\r", "written")
        s.send("Q")
        check.equal("several: exit code", s.finish(), 1)
    with open(path, encoding="utf-8") as f:
        ticks = [json.loads(line) for line in f]
    got, want = collections.defaultdict(list), collections.defaultdict(list)
    for tick in ticks:
        got[tick["source"], tick["tid"]].append(tick["payload"]["number"])
    for source, done in written:
        for thread in done["byThread"]:
            want[source, thread["tid"]] += range(thread["first"], thread["last"] + 1)
    check.true("several: what each thread of each has written", got == want)
    check.true("several: in the order of time", ticks == sorted(ticks, key=lambda tick: tick["t"]))
    # A program takes `now` right before it writes the event: from one moment on, in both the same distance.
    apart = {source: min(tick["t"] - tick["payload"]["now"] for tick in ticks if tick["source"] == source)
             for source in (0, 1)}
    check.true(f"several: one clock: {apart}", abs(apart[0] - apart[1]) < 10**6)


def check_names(dll, folder):
    """Samples of methods that were compiled before have names at once, without a stop; so have those of
    methods that are compiled while it is watched, for a filter too."""
    state = {"XDG_STATE_HOME": os.path.join(folder, "names")}
    for what, args, seen in (
            ("before", ["-f", "Type = 2"], "Thread/Sample"), ("since", ["-f", "Type = 2"], "LiveApp.Work."),
            ("filter", ["-f", 'stack ~ "LiveApp.Work.Spin"'], "Thread/Sample")):
        with App(dll) as app:
            if what == "before":
                app.do("busy 1")
                app.send("&busy 60")
            with screen.Screen([check.TNAV, "attach", str(app.pid), "--profile",
                                "dotnet-sampled-thread-time", *args], 34, 110, state) as s:
                s.wait("[live")
                s.send("\x1b4")
                if what != "before":
                    app.send("&busy 60")
                    s.send("G")         # the newest sample: the first may be of the thread that reads
                s.wait("stack  innermost first", "LiveApp.Work.Spin", "live-app.dll", seen, "[live")
                s.send("Q")
                check.equal(f"names {what}: exit code", s.finish(), 0)
            app.send("kill")
    busy = f"(echo busy 20; sleep 20) | exec dotnet {dll}"
    with screen.Screen([check.TNAV, "attach", "--profile", "dotnet-sampled-thread-time", "--", "sh", "-c", busy],
                       34, 110, state) as s:
        s.wait("[live")
        s.send("\x1b4")
        s.ask("f", "filter")
        s.ask('stack ~ "LiveApp.Work.Spin"\r', "stack  innermost first", "live-app.dll", "Thread/Sample", "[live")
        s.send("Q")
        s.finish()


def main():
    check.need_tnav()
    if not App.available():
        print("skipped: needs .NET")
        sys.exit(check.SKIP)
    check.need_shared()
    build = os.path.join(check.SHARED, "tools", "live", "build.sh")
    with tempfile.TemporaryDirectory() as folder:
        dll = subprocess.run(["bash", build, os.path.join(folder, "app")], check=True,
                             stdout=subprocess.PIPE, text=True).stdout.strip().splitlines()[-1]
        check_work(dll, folder)
        check_storm(dll, folder)
        check_rate(dll, folder)
        check_ends(dll, folder)
        check_rundown(dll, folder)
        check_two(dll, folder)
        check_beside(dll, folder)
        check_command(dll, folder)
        check_attach(dll, folder)
        check_attach_several(dll, folder)
        check_names(dll, folder)
        if check.check_all():
            check_build(folder)
    check.finish(60)


if __name__ == "__main__":
    main()
