"""The part `live` of make bench: `tnav record` beside `dotnet-trace collect` on the same program
(../shared/tools/live). Both record the same provider of a program that writes 100,000 events a
second; they take turns. dotnet-trace is $DOTNET_TRACE, or what the path has."""
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(TOP, "tests", "support", "live"))
from expect import App

RATE = 100000
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_s(pid):
    """Seconds of processor time so far."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def peak_bytes(pid):
    """The most that was resident."""
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as f:
        return next(int(line.split()[1]) * 1024 for line in f if line.startswith("VmHWM"))


def record(app, command, path, seconds):
    """Start-up, share of a core while the program writes, memory, the time that a stop takes, bytes."""
    begun = time.monotonic()
    child = subprocess.Popen([*command, "-p", str(app.pid), "-o", path, "--providers", "Live-App:FFFFFFFFFFFFFFFF"],
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    app.do("await on")
    start = time.monotonic() - begun
    before, at = cpu_s(child.pid), time.monotonic()
    app.do(f"rate {RATE} {seconds}")
    share = (cpu_s(child.pid) - before) / (time.monotonic() - at)
    peak = peak_bytes(child.pid)
    asked = time.monotonic()
    child.send_signal(signal.SIGINT)
    child.wait()
    stop = time.monotonic() - asked
    app.do("await off 20")
    return start, share, peak, stop, os.path.getsize(path)


def bench(row, note, tnav, shared, scratch, runs, seconds):
    other = os.environ.get("DOTNET_TRACE") or shutil.which("dotnet-trace")
    build = os.path.join(shared, "tools", "live", "build.sh")
    if other is None or not App.available() or not os.path.exists(build):
        note("live: skipped, needs .NET, dotnet-trace ($DOTNET_TRACE) and ../shared")
        return
    dll = subprocess.run(["bash", build, os.path.join(scratch, "live-app")], check=True,
                         stdout=subprocess.PIPE, text=True).stdout.strip().splitlines()[-1]
    ours, theirs = [], []
    path = os.path.join(scratch, "live.nettrace")
    with App(dll) as app:
        for _ in range(runs):
            ours.append(record(app, [tnav, "record"], path, seconds))
            theirs.append(record(app, [other, "collect"], path, seconds))
    ours, theirs = ([statistics.median(column) for column in zip(*x)] for x in (ours, theirs))
    for what, i, figure, goal in (
            ("startup, until events are received", 0, lambda x: f"{x * 1000:.0f} ms", "-"),
            (f"processor at {RATE:,} events a second", 1, lambda x: f"{x:.1%} of a core", "≤ 15 %"),
            ("peak resident memory", 2, lambda x: f"{x / (1 << 20):.1f} MiB", "-"),
            ("stop, until the end of the program", 3, lambda x: f"{x * 1000:.0f} ms", "-"),
            ("size of the file", 4, lambda x: f"{x / 1e6:.1f} MB", "-")):
        row(f"`tnav record`: {what}", figure(ours[i]), f"`dotnet-trace collect` {figure(theirs[i])}",
            f"{ours[i] / theirs[i]:.2f}", goal)
