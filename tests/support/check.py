"""What the checks in tests/check share: running tnav, finding traces, counting failures.

The environment says where things are: TNAV the program, srcdir the source tree, TNAV_SHARED a
folder of more traces and reference dumps (else ../shared beside the source tree, if it is there).
"""
import atexit
import functools
import gc
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
DATA = os.path.join(TOP, "tests", "data")
GOLDEN = os.path.join(TOP, "tests", "golden")
TNAV = os.path.abspath(os.environ.get("TNAV") or "tnav")
SHARED = os.path.abspath(os.environ.get("TNAV_SHARED") or os.path.join(TOP, "..", "shared"))
WATCHDOG_S = 300
LARGE = 1 << 16         # bytes: traces that take long
ENDINGS = (".nettrace", ".netperf", ".heph")

SKIP = 77
gc.disable()            # what was read from JSON has no circles, and looking for some takes long
_failures = []
_seen = 0


def whole_shared():
    """Is ../shared there, and not only the part of it in tests/data?"""
    return os.path.isdir(os.path.join(SHARED, "traces", "big"))


def need_shared():
    """Where ../shared is absent, SHARED becomes a folder with the same places for a part of its files."""
    global SHARED
    if not whole_shared():
        SHARED = os.path.join(temp_dir(), "shared")
        _put_part(os.path.join(DATA, "shared"), SHARED)
        print("without ../shared: only what tests/data/shared has of it")


# Traces of tests/data that lie elsewhere in ../shared, or stand for a longer one there.
_PLACES = {"demo.nettrace": "v4/net10-gc.nettrace", "spans/cut-http.nettrace": "v4/cut-http.nettrace",
           "spans/cut-exceptions.nettrace": "v4/cut-exceptions.nettrace"}


def _put_part(part, to):
    """Unpack the traces and tables of the part, and put the other traces of tests/data beside them."""
    for folder, _, names in os.walk(part):
        place = os.path.join(to, os.path.relpath(folder, part))
        os.makedirs(place, exist_ok=True)
        for name in names:
            path, plain = os.path.join(folder, name), name.removesuffix(".zst")
            if plain == name or not plain.endswith((".nettrace", ".txt", ".tar")):
                shutil.copy(path, place)
                continue
            subprocess.run(["zstd", "-dq", path, "-o", os.path.join(place, plain)], check=True)
    shutil.unpack_archive(os.path.join(to, "oracle", "features.tar"),
                          os.path.join(to, "oracle", "features"))
    places = dict(_PLACES)
    for folder in ("features", "traces"):
        for name in os.listdir(os.path.join(DATA, folder)):
            if name.endswith(ENDINGS):
                places[f"{folder}/{name}"] = _place_of(folder, name)
    for name, place in places.items():
        path = os.path.join(to, "traces", place)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.symlink(os.path.join(DATA, name), path)


def _place_of(folder, name):
    if folder == "features":
        return f"features/{name}"
    return {".heph": "heph/", ".netperf": "v3/"}.get(os.path.splitext(name)[1], "v4/") + name


def first_shared(*names):
    """The first of these traces that is there: one of ../shared, else what stands for it here."""
    paths = [os.path.join(SHARED, "traces", name) for name in names]
    return next(p for p in paths if os.path.exists(p))


def need_tnav():
    if not os.access(TNAV, os.X_OK):
        sys.exit(f"no program at {TNAV}: set TNAV")


def check_all():
    """Is everything to be checked (make check-all), not only a sample?"""
    return os.environ.get("TNAV_CHECK_ALL", "") not in ("", "0")


def tier(some, everything):
    """A number for a sample, and one for make check-all."""
    return everything if check_all() else some


@functools.cache
def check_seed():
    """TNAV_SEED, else a random number. It is printed, so that a failure can be repeated."""
    seed = int(os.environ.get("TNAV_SEED") or random.SystemRandom().getrandbits(32))
    print(f"sample: TNAV_SEED={seed}", flush=True)
    return seed


def check_part(n):
    """The part of n that is left where TNAV_CHECK_PART says how many times less is to be checked: in a
    build with sanitizers, which looks for crashes, not for wrong numbers."""
    return max(1, n // int(os.environ.get("TNAV_CHECK_PART") or 1))


def find_leaks():
    """Programs of this script that are built with a sanitizer look for leaks when they end."""
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=1:malloc_context_size=30"


def check_sample(items, n):
    """n of the items, in their order, chosen by the seed; all of them in make check-all."""
    items = list(items)
    assert items and n > 0, "a sample of nothing"
    n = check_part(n)
    if check_all() or len(items) <= n:
        return items
    rng = random.Random(f"{check_seed()} {len(items)}")
    chosen = [items[i] for i in sorted(rng.sample(range(len(items)), n))]
    assert len(chosen) == n
    return chosen


def _groups(paths, small, large):
    """Small traces and large ones, each with how many of them are wanted."""
    for n, group in ((small, [p for p in paths if os.path.getsize(p) <= LARGE]),
                     (large, [p for p in paths if os.path.getsize(p) > LARGE])):
        if group:
            yield group, n


def check_traces(paths, small, large):
    """A sample of traces that has so many small and so many large ones."""
    paths = list(paths)
    chosen = {p for group, n in _groups(paths, small, large) for p in check_sample(group, n)}
    return [p for p in paths if p in chosen]


def check_useful(one, paths, small, large):
    """What one(path) says of so many small and so many large traces, in a random order. Where it says
    0 the trace is of no use, and the next one stands in for it. All traces in make check-all."""
    out = []
    for group, n in _groups(list(paths), small, large):
        n = len(group) if check_all() else check_part(n)
        random.Random(f"{check_seed()} {len(group)}").shuffle(group)
        out += itertools.islice(filter(None, map(one, group)), n)
    return out


class Result:
    def __init__(self, args, done):
        self.args, self.code = args, done.returncode
        self.out, self.err = done.stdout, done.stderr

    def lines(self):
        """The objects of --format jsonl; a line that is not JSON is a failure of its own."""
        lines = self.out.decode("utf-8").splitlines()
        try:
            # All at once is quicker, and keeps a key that all have once.
            out = json.loads("[" + ",".join(lines) + "]")
            if len(out) == len(lines):
                return out
        except ValueError:
            pass
        out = []
        for n, line in enumerate(lines, 1):
            try:
                out.append(json.loads(line))
            except ValueError as why:
                fail(f"{' '.join(self.args)}: line {n} is not JSON: {why}")
        return out


def within(limit):
    """What stands before a command that is to have no more memory than so many bytes; None: no limit."""
    return ["sh", "-c", 'ulimit -d "$0" && exec "$@"', str(limit >> 10)] if limit else []


def tnav(*args, stdin=subprocess.DEVNULL, limit=None):
    done = subprocess.run([*within(limit), TNAV, *args], stdin=stdin, capture_output=True, timeout=WATCHDOG_S)
    return Result(args, done)


def jsonl(command, *args):
    """Run `tnav COMMAND --format jsonl`: the Result, and its objects."""
    r = tnav(command, "--format", "jsonl", *args)
    return r, r.lines()


def fail(text):
    _failures.append(text)
    if len(_failures) <= 40:
        print("FAIL", text)


def equal(what, got, want):
    global _seen
    _seen += 1
    if got != want:
        fail(f"{what}: got {got!r}, expected {want!r}"[:800])


def true(what, condition):
    equal(what, bool(condition), True)


def finish(least=1):
    """End the program; fewer checks than `least` are a failure too."""
    print(f"{_seen} checks, {len(_failures)} failures")
    least = check_part(least)
    if _seen < least:
        sys.exit(f"at least {least} checks were to be made")
    sys.exit(1 if _failures else 0)


def _do_apart(job, out):
    """In a process of its own: do it, then tell how much was checked and how often in vain."""
    global _seen
    _seen = 0
    _failures.clear()
    try:
        job()
    except BaseException:       # also one that wants to end the program
        fail(traceback.format_exc())
    with os.fdopen(out, "w") as f:
        json.dump([_seen, len(_failures)], f)
    sys.stdout.flush()
    os._exit(0)


def _end_one(running):
    global _seen
    pid, status = os.wait()
    with os.fdopen(running.pop(pid)) as f:
        told = f.read()
    if status or not told:
        fail(f"a process of this check ended with status {status}")
        return
    seen, failed = json.loads(told)
    _seen += seen
    _failures.extend(["said above"] * failed)


def apart(jobs, at_once):
    """Do what mostly waits, so many at once, each in a process of its own."""
    running = {}
    for job in jobs:
        if len(running) == at_once:
            _end_one(running)
        told, out = os.pipe()
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            os.close(told)
            _do_apart(job, out)
        os.close(out)
        running[pid] = told
    while running:
        _end_one(running)


def apart_by_name(checks, at_once):
    """The same for checks that take a folder, by the names given as arguments, else all of them."""
    chosen = [c for c in checks if not sys.argv[1:] or c.__name__ in sys.argv[1:]]

    def one(c):
        with tempfile.TemporaryDirectory() as scratch:
            c(scratch)
    apart([functools.partial(one, c) for c in chosen], at_once)
    return len(chosen)


def read(path):
    """All bytes of a file."""
    with open(path, "rb") as f:
        return f.read()


def received(state):
    """What attach has received: by its name each file in the state folder, but not the list of sessions."""
    live = os.path.join(state, "tnav", "live")
    return {name: read(os.path.join(live, name)) for name in sorted(os.listdir(live)) if name[0] != "."}


def temp_dir():
    path = tempfile.mkdtemp(prefix="tnav-check-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def trace(name, scratch=None):
    """A trace of tests/data by its name without folder; a compressed one is unpacked."""
    for folder in ("features", "traces"):
        path = os.path.join(DATA, folder, name)
        if os.path.exists(path):
            return path
        if os.path.exists(path + ".zst") and scratch:
            out = os.path.join(scratch, name)
            subprocess.run(["zstd", "-dqf", path + ".zst", "-o", out], check=True)
            return out
    raise FileNotFoundError(name)


@functools.cache
def tour():
    """The largest trace of tests/data, unpacked: reading it takes half as long."""
    path = os.path.join(temp_dir(), "tour.nettrace")
    subprocess.run(["zstd", "-dqf", os.path.join(DATA, "tour.nettrace.zst"), "-o", path], check=True)
    return path


def stem(path):
    """The name of a trace without folder and ending."""
    return os.path.splitext(os.path.basename(path))[0]


def all_data_traces(scratch):
    """All traces of tests/data, of every format, also those that are to be refused."""
    names = {f.removesuffix(".zst") for folder in ("features", "traces")
             for f in os.listdir(os.path.join(DATA, folder))}
    return [trace(f, scratch) for f in sorted(names) if f.endswith(ENDINGS)]


def all_shared_traces():
    """All traces of ../shared but the big ones, of every format; none where it is absent."""
    out = []
    for folder in ("v3", "v4", "v5", "v6", "heph", "features"):
        path = os.path.join(SHARED, "traces", folder)
        if os.path.isdir(path):
            out += [os.path.join(path, f) for f in sorted(os.listdir(path)) if f.endswith(ENDINGS)]
    return out


def data_traces(scratch):
    """All V4 and V5 traces of tests/data."""
    names = set()
    for folder in ("features", "traces"):
        for f in os.listdir(os.path.join(DATA, folder)):
            f = f.removesuffix(".zst")
            if f.endswith(".nettrace") and f[:3] in ("v4-", "v5-", "net"):
                names.add(f)
    return [trace(f, scratch) for f in sorted(names)]


def shared_traces(features=True):
    """All V4 and V5 traces of ../shared; none where it is absent."""
    out = []
    for folder in ("v4", "v5", "features"):
        path = os.path.join(SHARED, "traces", folder)
        if not os.path.isdir(path) or (folder == "features" and not features):
            continue
        out += [os.path.join(path, f) for f in sorted(os.listdir(path))
                if f.endswith(".nettrace") and (folder != "features" or f[:3] in ("v4-", "v5-"))]
    return out
