#!/usr/bin/env python3
"""What README says is so: its command lines are run on the sample trace, its numbers are counted, its
links lead somewhere. Its keys are walked by tests/ui/test_readme. The command lines of doc/filter.md
print what stands below them there, byte by byte; --update writes it anew.

A command line of README without an entry in SHOWS, and an entry without a line, fail.
"""
import json
import os
import re
import shlex
import subprocess
import sys

import check

TRACE = "tour.nettrace.zst"
TRACE_MAX = 2 << 20     # bytes of the sample

# What the sample must have besides the lost events: filters, each of some event.
EVENTS = ("name = GC/Start", "name = GC/AllocationTick", "name = Exception/Start and has stack",
          "name = Contention/Start", "name = Thread/Sample and has stack", "name = EventCounters",
          "name = Method/JittingStarted", "name = Method/LoadVerbose", "name = Step/Start",
          "provider ~ Rundown$ and name = Method/DCStopVerbose",
          "provider = System.Threading.Tasks.TplEventSource and has activity",
          "provider = System.Net.Http and name = Request/Start",
          "provider ~ Kestrel$ and name = Request/Start")

# What each command must print, by the beginning of its line: patterns that all are found.
SHOWS = {
    "info": [r"NetTrace V5", r"(?m)^lost +15,791 events in 9 gaps$", r"closed, no damage found"],
    "stats --top 5": [r"Shop-Audit +Line +18616 ", r"(?m)\A(.*\n){6}\Z"],
    "dump -f": [r"(?m)\A(.*ExceptionType=Shop\.OutOfStockException .*out of stock.*\n){18}\Z"],
    "dump --format jsonl --symbols": [r'"row":99,', r'"stack":\["[A-Za-z]'],
    "stats -f": [r"System\.Byte\[\] +257 .* 32445656\b"],
    "threads": [r"(?m)^ *40 .* 9421 "],
    "gaps": [r"(?m)^ *7430 +40 "],
    "spans": [r"HTTP request +RequestStart +90 ", r"JIT +MethodJittingStarted +1469 "],
    "activities": [r"//1/3/1 .*Activity/Start"],
    "stacks": [r"(?m)^ *2324 +0\.1677 +2324 +0\.1677 +2324  System\.Threading\.Monitor\.Wait"],
    "check": [r"no damage found; 56,443 events readable, 15,791 lost in 9 gaps"],
    "stats --by name": [r"(?m)^Polling for OS events +8 .* 0\.094958014"],
    "help dump": [r"usage: tnav dump", r"--format FORMAT"],
}


def command_lines(page):
    """The shell's words of each line that begins with tnav."""
    return [shlex.split(line, comments=True)[1:]
            for line in re.findall(r"^    (tnav .*)$", page, re.M)]


def test_commands(page):
    left = dict(SHOWS)
    for words in command_lines(page):
        line = " ".join(words)
        key = max((k for k in left if line.startswith(k)), key=len, default=None)
        if key is None:
            check.fail(f"no entry here for: tnav {line}")
            continue
        r = check.tnav(*words)
        check.equal(f"{line}: exit code", r.code, 0)
        for pattern in left.pop(key):
            check.true(f"tnav {line}: {pattern}", re.search(pattern, r.out.decode()))
    check.equal("entries here without a line of README", sorted(left), [])


def test_numbers(page):
    """What README says of the sample, counted from the events."""
    info = json.loads(check.tnav("info", "--format", "jsonl", TRACE).out)
    gaps = check.tnav("gaps", "--format", "jsonl", TRACE).lines()
    lost = sum(g["gap"] for g in gaps)
    check.true(f"{lost:,} lost events", f"and {lost:,} lost events." in page)
    # The program counted the lines that it wrote; a few other events were lost among them.
    lines = check.tnav("dump", "--format", "jsonl", "-f", "provider = Shop-Audit", TRACE).lines()
    written = [e["payload"]["lines"] for e in lines if e["name"] == "Closed"]
    missing = written[0] - sum(e["name"] == "Line" for e in lines)
    check.true(f"{missing:,} lines of {written[0]:,} are missing, {lost:,} events were lost",
               0 <= lost - missing <= 10)
    check.true("its length", f"{info['duration'] / 1e9:.1f} seconds" in page)
    for what in EVENTS:
        some = check.tnav("dump", "--format", "jsonl", "-f", what, "-n", "1", TRACE).lines()
        check.equal(f"the sample has an event of {what}", len(some), 1)
    check.true("the sample is small", os.path.getsize(TRACE) <= TRACE_MAX)


def test_links(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page):
        check.true(f"{target} is there", os.path.exists(os.path.join(check.TOP, target)))
    for target in re.findall(r"`((?:doc|tests)/[^`]+|man doc/[^`]+)`", page):
        path = target.removeprefix("man ")
        check.true(f"{path} is there", os.path.exists(os.path.join(check.TOP, path)))


def test_setup(page):
    """The two commands are those of ./bootstrap, which opens the trace that README speaks of."""
    with open(os.path.join(check.TOP, "bootstrap"), encoding="utf-8") as f:
        script = f.read()
    said = re.findall(r"^    \./bootstrap (\S+)", page, re.M)
    check.equal("set-up commands", said, re.findall(r"^1:(\w+)\)", script, re.M))
    check.true("the sample of README is the one that is opened",
               re.search(r"trace=(\S+)", script).group(1) in page)
    # What that begins with is in tests/ui/test_tour.
    check.true("it is opened with the offer of a tour",
               re.search(r"echo 'tour 0' >(\S+)\n\s*exec build/tnav -x \1 \"\$trace\"", script))


EXAMPLE = re.compile(r"^    \$ ((?:.*[\\|]\n)*.*)\n((?:    .*\n)*)", re.M)


def printed(command, folder):
    """What the shell prints for a command of the page, indented as it is there."""
    done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True,
                          env=dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"),
                          timeout=check.WATCHDOG_S)
    return "".join(f"    {line}\n" for line in done.stdout.splitlines())


def test_examples_of_filters():
    path, folder = os.path.join(check.TOP, "doc", "filter.md"), check.temp_dir()
    os.symlink(check.TNAV, os.path.join(folder, "tnav"))
    for name in (TRACE, os.path.join("traces", "actors-1worker.heph")):
        os.symlink(os.path.join(check.DATA, name), os.path.join(folder, os.path.basename(name)))
    with open(path, encoding="utf-8") as f:
        page = f.read()
    for command, shown in EXAMPLE.findall(page):
        now = printed(command, folder)
        if "--update" in sys.argv:
            page = page.replace(command + "\n" + shown, command + "\n" + now)
        else:
            check.equal(command, now, shown)
    check.true("the page has its examples", len(EXAMPLE.findall(page)) >= 4)
    if "--update" in sys.argv:
        with open(path, "w", encoding="utf-8") as f:
            f.write(page)


def main():
    check.need_tnav()
    with open(os.path.join(check.TOP, "README.md"), encoding="utf-8") as f:
        page = f.read()
    os.chdir(check.DATA)
    test_commands(page)
    test_numbers(page)
    test_links(page)
    test_setup(page)
    test_examples_of_filters()
    check.finish(40)


if __name__ == "__main__":
    main()
