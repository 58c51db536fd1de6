#!/usr/bin/env python3
"""The completion of bash: its function is run on command lines as the shell would, and its words are
held against what the program itself takes."""
import os
import shutil
import subprocess
import sys

import check
from check import equal, true
from feature import path_of

FILE = os.path.join(os.path.dirname(os.environ.get("TNAV", "./tnav")), "doc", "tnav.bash")
SCRIPT = """compopt() { :; }
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
cd "$FOLDER"
_tnav tnav "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
FOLDER = check.temp_dir()
TRACE = path_of("v4-activity-ids")


def offers(*words):
    """What is offered for the last word."""
    r = subprocess.run(["bash", "-c", SCRIPT, "bash", os.path.abspath(FILE), "tnav", *words],
                       capture_output=True, text=True, env={**os.environ, "FOLDER": FOLDER})
    equal(f"{words}: no complaint", r.stderr, "")
    return sorted(filter(None, r.stdout.split("\n")))


def main():
    for name in ("a.nettrace", "-odd"):
        with open(os.path.join(FOLDER, name), "w") as f:
            f.write("")
    formats = ["csv", "jsonl", "markdown", "parquet", "text", "tsv"]
    equal("--format", offers("dump", "--format", ""), formats)
    equal("--format=", offers("dump", "--format", "="), formats)
    equal("--format=c", offers("dump", "--format", "=", "c"), ["csv"])
    equal("a number has no words", offers("dump", "-n", ""), [])
    equal("a command", offers("st"), ["stacks", "stats"])
    equal("help on a command", offers("help", "gap"), ["gaps"])
    true("a file", "a.nettrace" in offers("dump", ""))
    true("another file", "a.nettrace" in offers("dump", "a.nettrace", ""))
    # After "--" there are files alone, whatever they begin with.
    equal("after --", offers("dump", "--", "-"), ["-odd"])
    equal("after -- no option's argument", offers("dump", "--", "--format", ""),
          ["-odd", "a.nettrace"])
    true("before it the options", "--format" in offers("dump", "--"))

    # Each field that is offered is taken, each column that there is offered.
    for command in ("types", "threads", "stats", "gaps", "check"):
        fields = offers(command, "-e", "")
        titles = check.tnav(command, "--format", "tsv", TRACE).out.decode().split("\n")[0]
        true(f"{command}: {fields}", set(titles.split("\t")) <= set(fields))
        if command == "stats":
            continue            # of the fields of events it takes those that it counts by
        r = check.tnav(command, "-e", ",".join(fields), TRACE)
        equal(f"{command} takes what is offered", (r.code, r.err), (0, b""))
    fields = offers("dump", "-e", "")
    equal("dump takes what is offered", check.tnav("dump", "-e", ",".join(fields), TRACE).code, 0)
    equal("the second field of a list", offers("types", "-e", "events,by"), ["events,bytes"])
    equal("with =", offers("types", "--fields", "=", "events,by"), ["events,bytes"])
    true("--by has fields of events", "tid" in offers("stats", "--by", ""))
    # What --by and --sort are offered, they take.
    for command in ("gc", "exceptions", "counters", "stacks"):
        groups = offers(command, "--by", "")
        true(f"{command}: {groups}", groups)
        for group in groups:
            equal(f"{command} --by {group}", check.tnav(command, "--by", group, TRACE).code, 0)
    equal("--by method", offers("stacks", "--by", "m"), ["method", "module"])
    equal("columns of stacks", offers("stacks", "-e", "ti"), [])
    equal("--sort", offers("stats", "--sort", "ev"), ["event", "events"])
    for column in offers("spans", "--sort", "m"):
        equal(f"spans --sort {column}", check.tnav("spans", "--sort", column, TRACE).code, 0)
    # The options are the command's own.
    for command in ("info", "dump", "types", "threads", "stats", "gaps", "check"):
        for option in offers(command, "--"):
            true(f"{command} {option}", option in check.tnav("help", command).out.decode())
    check.finish()


if shutil.which("bash") is None:
    print("no bash")
    sys.exit(99)
main()
