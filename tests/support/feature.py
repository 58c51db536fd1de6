"""What the tests of the small traces share: a trace by its name, and what a command says of it."""
import collections
import check
from check import equal, true

A = "00112233-4455-6677-8899-aabbccddeeff"
D = "deadbeef-0102-0304-0506-0708090a0b0c"
SCRATCH = check.temp_dir()


def path_of(name):
    return check.trace(name if name.endswith(check.ENDINGS) else name + ".nettrace", SCRATCH)


def dump(name, code, events, *options):
    """The events of a trace, their number and the exit code checked."""
    r, lines = check.jsonl("dump", "--crc", *options, path_of(name))
    equal(f"{name}: exit code of dump", r.code, code)
    equal(f"{name}: events", len(lines), events)
    if code == 0:
        equal(f"{name}: nothing on stderr", r.err, b"")
    return lines


def findings(name, code):
    r, lines = check.jsonl("check", path_of(name))
    equal(f"{name}: exit code of check", r.code, code)
    return lines


def found(name, code, kinds, where=None):
    """Findings of these kinds there are, at the place if one is named."""
    lines = [f for f in findings(name, code) if f["kind"] in kinds]
    true(f"{name}: a finding of {kinds}", lines)
    if where is not None:
        true(f"{name}: where: {lines}", any(f["offset"] == where for f in lines))
    return lines


def info(name, code=0):
    r, lines = check.jsonl("info", path_of(name))
    equal(f"{name}: exit code of info", r.code, code)
    equal(f"{name}: one object of info", len(lines), 1)
    return lines[0] if lines else collections.defaultdict(lambda: None)


def refused(name, *words):
    """One clear line, exit code 2, nothing else."""
    path = path_of(name)
    for command in ("dump", "info", "check", "gaps", "types", "threads"):
        r = check.tnav(command, path)
        text = r.err.decode()
        equal(f"{name}: exit code of {command}", r.code, 2)
        equal(f"{name}: stdout of {command}", r.out, b"")
        equal(f"{name}: lines on stderr of {command}: {text!r}", len(text.splitlines()), 1)
        for word in words:
            true(f"{name}: {command} says {word!r}: {text!r}", word.lower() in text.lower())


def gaps(name):
    """(thread id, lost, why) of each gap."""
    _, lines = check.jsonl("gaps", path_of(name))
    return sorted((g["tid"], g["gap"], g["why"]) for g in lines)


def lost(name, want, code=0):
    """The gaps, their sum in info, and their sums by thread in threads."""
    equal(f"{name}: gaps", gaps(name), sorted(want))
    facts = info(name, code)
    equal(f"{name}: lost in info", (facts["lost"], facts["gaps"]),
          (sum(g[1] for g in want), len(want)))
    sums = collections.Counter()
    for tid, n, _ in want:
        sums[tid] += n
    _, threads = check.jsonl("threads", path_of(name))
    equal(f"{name}: lost by thread", {t["tid"]: t["lost"] for t in threads if t["lost"]},
          dict(sums))


def nothing_lost(name):
    r, lines = check.jsonl("gaps", path_of(name))
    equal(f"{name}: gaps", (r.code in (0, 1), lines), (True, []))
    equal(f"{name}: lost", info(name, r.code)["lost"], 0)


def run_all(names):
    """Run what is called test_...; an event that is not there fails its own test alone."""
    check.need_tnav()
    for name, test in list(names.items()):
        if name.startswith("test_"):
            try:
                test()
            except (LookupError, TypeError, AttributeError) as why:
                check.fail(f"{name}: {type(why).__name__}: {why}")
    check.finish()
