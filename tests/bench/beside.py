"""tnav beside the reference library (Microsoft.Diagnostics.Tracing.TraceEvent) doing the same.

Both run as whole processes on the same files, turn by turn, and have to find the same. The program
is built from tests/bench/reference; where dotnet is not there, or the package can't be had, that is
said and nothing is measured. No part of make check.
"""
import json
import os
import shutil
import statistics
import subprocess
import time

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference")
BUILD_LIMIT_S = 300
SLOW_S = 10         # a run that takes longer is not repeated


def build(scratch):
    """The program's path, or None and why there is none."""
    dotnet = shutil.which("dotnet")
    if dotnet is None:
        return None, "dotnet is not installed"
    out = os.path.join(scratch, "reference")
    try:
        done = subprocess.run([dotnet, "build", HERE, "-c", "Release", "-o", out, "--nologo", "-v", "q",
                               f"-p:BaseIntermediateOutputPath={out}-obj/"], timeout=BUILD_LIMIT_S,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except subprocess.TimeoutExpired:
        return None, "building it took too long"
    if done.returncode != 0:
        lines = [x for x in done.stdout.splitlines() if ": error" in x]
        return None, lines[0] if lines else "it can't be built"
    return [dotnet, os.path.join(out, "reference.dll")], None


def timed(args):
    start = time.monotonic()
    out = subprocess.run(args, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return time.monotonic() - start, out


def found_by_tnav(kind, out):
    """Collections, methods or samples: what the lines say."""
    lines = [json.loads(x) for x in out.splitlines()]
    if kind == "stacks":
        return sum(x["events"] for x in lines)
    return sum(x["count"] if kind == "jit" else x["pause"]["count"]
               for x in lines if x["kind"] == "summary")


TNAV_ARGS = {
    "gc": ["gc", "--format", "jsonl"],
    "jit": ["jit", "--format", "jsonl"],
    "stacks": ["stacks", "--fold", "--weight", "time", "--format", "jsonl"],
}


def compare(tnav, reference, kind, path, runs):
    """Medians of both in seconds, and whether both found the same."""
    ours, theirs, found = [], [], []
    for _ in range(runs):
        took, out = timed([tnav, *TNAV_ARGS[kind], "-j", "2", path])
        ours.append(took)
        took, said = timed([*reference, kind, path])
        theirs.append(took)
        found = [found_by_tnav(kind, out), json.loads(said)["found"]]
        if took > SLOW_S:
            break
    return statistics.median(ours), statistics.median(theirs), found
