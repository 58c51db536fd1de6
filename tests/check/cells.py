#!/usr/bin/env python3
"""One field is one cell, wherever it is seen.

For every trace, rows spread over it, every field of the table and of the payload and labels of
these rows:

    dump                    the JSON line, which equals the reference readers' elsewhere
    dump -e FIELD...        the same value
    stats --by row,FIELD... the same value, or each element of an array
    viewer                  its column shows the same (numbers grouped, in hex, with their words),
                            and i takes a value from it for which FIELD = value is true
    filter                  has FIELD is true if the JSON has the key, and only then

What people see is read back here, not by the program: 1,204 is 1204, "2 Induced" is 2.
"""
import collections
import json
import os
import re
import subprocess
import sys

import check
import filterlang

ROWS = 200
BY_AT_ONCE = 50
PAIRS = 9000            # of row and field in one trace
SMALL, LARGE = 12, 2    # traces that make check looks at
TOOL = os.path.join(os.path.dirname(check.TNAV), "tests", "support", "rowcells")

# Keys of the JSON that no filter asks for, and why: the table says it.
OUTPUT_ONLY = ("crc", "raw", "payload", "builtin")
# Traces with what columns, dump and filter once told differently: threads without a process, labels
# that override the opcode.
ALWAYS = ("v6-threads.nettrace", "v6-labels-all-kinds.nettrace", "perf-tracepoints-labels.nettrace")
PLAIN = re.compile(r'[^\x00-\x20=!<>~(),"\'/$\x7f-\uffff\\]+')


def traces():
    for folder in (os.path.join(check.DATA, "features"), os.path.join(check.DATA, "traces"), check.DATA,
                   os.path.join(check.SHARED, "traces")):
        for base, _, files in os.walk(folder):
            if folder == check.DATA and base != folder:
                continue
            yield from (os.path.join(base, f) for f in files if f.endswith(check.ENDINGS))


SPANS = (*filterlang.SPANS, "delta")


def columns_of_the_table():
    """The names of all fields of the header, as the JSON has them."""
    text = check.tnav("help", "dump").out.decode()
    return re.search(r"\nFields:(.*?)\n\s+and the fields", text, re.S)[1].split()


def quoted(name):
    if PLAIN.fullmatch(name) and not name.endswith("."):
        return name
    return '$"' + "".join(f"\\x{b:02x}" for b in name.encode("utf-8", "surrogatepass")) + '"'


def title(field):
    """What a field is called where it is printed: without quotes."""
    front, quote, text = field.partition('$"')
    if not quote:
        return field
    return front + bytes.fromhex(text[:-1].replace("\\x", "")).decode("utf-8", "surrogatepass")


def leaves(payload, path=()):
    """(names, value) of the fields that a path leads to without passing an array."""
    for name, v in payload.items():
        if name == "" and isinstance(v, dict):
            yield from leaves(v, path)
            continue
        yield (*path, name), v
        if isinstance(v, dict):
            yield from leaves(v, (*path, name))


def fields_of(e):
    """{name: value}: the fields of one event, as -e and the filter name them."""
    out, seen = {}, {}
    for names, v in leaves(e.get("payload") or {}):
        path = ".".join(names)
        if all(names) and "\x00" not in path and "\ufffd" not in path:
            seen.setdefault(path, []).append(v)
    for path, values in seen.items():
        prefixes = [p for p in seen if path.startswith(p + ".") and not isinstance(seen[p][0], dict)]
        if len(values) == 1 and not prefixes:   # else the path means several
            out["payload." + quoted(path)] = values[0]
    for key, v in (e.get("builtin") or {}).items():
        out["builtin." + key] = v
    for key, v in (e.get("labels") or {}).items():
        if key and "\x00" not in key and "\ufffd" not in key:
            out["label." + quoted(key)] = v
    return out


# ---- what people see, read back

def number(text, want):
    """The number that a text begins with: 1,204 or 0x4b4 or 2 Induced or 0.25."""
    first = text.split(" ")[0]
    if first.startswith("0x"):
        n = int(first, 16)
        return n if n == want or not isinstance(want, int) or want >= 0 else n - 2**64 if \
            n >> 63 else n - (1 << (4 * (len(first) - 2)))
    try:
        return json.loads(first.replace(",", ""))
    except ValueError:
        return text


def path_of(guid, pid):
    path = filterlang.path_of(filterlang.guid_bytes(guid), pid)
    return None if path is None else filterlang.path_text(path)


def nearly(text, ns):
    """Does a duration as people read it, of a few digits, mean these ns?"""
    m = re.fullmatch(r"([\d., ]+) (\S+)", text)
    if not m or m[2] not in filterlang.NS:
        return False
    digits = m[1].replace(" ", "").replace(",", "")
    got = float(digits) * filterlang.NS[m[2]]
    step = filterlang.NS[m[2]] * 10.0 ** -len(digits.partition(".")[2])
    return abs(got - ns) <= max(step, 1)


def seen_alike(name, text, want, e):
    """Does the text of a column mean the JSON's value?"""
    if want is None:
        return text in ("", "null") or name in ("opcode", "tid")     # what only a word is known of
    if name == "t":
        return text == str(e["t"] if "stream" in e else e["ticks"])     # Heph: without its epoch
    if name == "name":                  # a provider may stand in front of it
        return text == (want or "(no name)") or text.endswith("/" + (want or "(no name)"))
    if name == "dur":
        return nearly(text, want)
    if name == "level":
        words = filterlang.LEVEL_NAMES
        return text == (words[want] if want < len(words) else str(want))
    if name in ("activity", "related"):
        return text in (want, path_of(want, e.get("pid") or None))
    if name == "keywords":
        return text.split(" ")[0] == want
    if isinstance(want, bool):
        return text == ("true" if want else "false")
    if isinstance(want, str):
        return text == want
    if isinstance(want, (dict, list)):
        if text.endswith("\u2026"):
            whole = json.dumps(want, ensure_ascii=False, separators=(",", ":"))
            return whole[:40] == text[:40]
        try:
            return json.loads(text) == want
        except ValueError:
            return False
    return number(text, want) == want


def elements(v):
    """What an array holds, arrays in it unfolded."""
    return [x for e in v for x in elements(e)] if isinstance(v, list) else [v]


def counted_by(fields, extra):
    """{field: {row: [keys]}}, of a table of so many columns as there may be, and another ..."""
    out = {f: collections.defaultdict(list) for f in fields}
    for i in range(0, len(fields), BY_AT_ONCE):
        some = fields[i:i + BY_AT_ONCE]
        for line in check.jsonl("stats", "--by", ",".join(["row", *some]), *extra)[1]:
            for f in some:
                out[f][line["row"]].append(line[title(f)])
    return out


def counted_alike(field, keys, want):
    """Do the keys of an event stand for the value: each element of an array, else all of them?"""
    if not isinstance(want, list) or field == "stack":
        return all(k == want for k in keys)
    some = {json.dumps(x, sort_keys=True) for x in elements(want) if x is not None}
    return {json.dumps(k, sort_keys=True) for k in keys if k is not None} == some


# ---- one trace

def compare(path, columns):
    name = os.path.basename(path)
    _, info = check.jsonl("info", path)
    total = (info[0].get("events") or 0) if info else 0
    if total == 0:
        return 0
    rows = sorted({i * (total - 1) // (ROWS - 1) for i in range(ROWS)})
    which = "row in (" + ", ".join(map(str, rows)) + ")"
    got, events = check.jsonl("dump", "--crc", "--raw", "-f", which, path)
    if got.code not in (0, 1) or not events:
        return 0
    events = {e["row"]: e for e in events}
    # Of spans that somebody has to find first: tests/check/spans.py.
    columns = [c for c in columns if c not in SPANS or c == "dur" and path.endswith(".heph")]
    payload = sorted({f for e in events.values() for f in fields_of(e)})[:400]
    names = columns + payload
    extra = ["-f", which, path]
    _, chosen = check.jsonl("dump", "--crc", "--raw", "-e", ",".join(names), *extra)
    by = [n for n in names if n not in ("row", *OUTPUT_ONLY)]
    chosen = {c["row"]: c for c in chosen}
    keys = counted_by(by, extra)
    check.equal(f"{name}: rows of dump -e", sorted(chosen), sorted(events))
    for field in by:
        check.equal(f"{name}: rows of stats by {field}", sorted(keys[field]), sorted(events))

    asked = []
    for row, e in events.items():
        fields = fields_of(e)
        for field in names:
            want = e.get(field) if field in columns else fields.get(field)
            if field not in columns and field not in fields:
                continue
            where = f"{name} row {row} {field}"
            check.equal(f"{where}: dump -e", chosen.get(row, {}).get(title(field)), want)
            if field not in OUTPUT_ONLY:
                long = isinstance(want, str) and len(want.encode()) > 4096
                check.true(f"{where}: stats", long or field == "row" or
                           counted_alike(field, keys[field].get(row, []), want))
                asked.append((row, field, want, e))
    asked = asked[::max(1, len(asked) // PAIRS)]
    compare_viewer(path, asked)
    return len(asked)


def compare_viewer(path, asked):
    lines = "".join(f"{row}\t{'time' if field == 't' else field}\n" for row, field, *_ in asked)
    done = subprocess.run([TOOL, path], input=lines.encode("utf-8", "surrogatepass"),
                          capture_output=True, timeout=check.WATCHDOG_S)
    answers = [json.loads(x) for x in done.stdout.decode().splitlines()]
    check.equal(f"{path}: answers", len(answers), len(asked))
    for (row, field, want, e), a in zip(asked, answers):
        where = f"{os.path.basename(path)} row {row} {field}"
        if "error" in a:
            check.fail(f"{where}: {a['error']}")
            continue
        if not seen_alike(field, a["text"], want, e):
            check.fail(f"{where}: the column shows {a['text']!r}, dump has {want!r}"[:600])
        check.true(f"{where}: {a['value'][:200]} is true", a["is"] in (True, None))
        if a["is"] is None:
            # What the language can't say: nothing, containers, times before the beginning, no
            # bytes and more than a thousand of them.
            check.true(f"{where}: there is a value", want is None or want == "" or
                       isinstance(want, (dict, list)) or (field == "t" and want < 0) or
                       (isinstance(want, str) and re.fullmatch("[0-9a-f]{2050,}", want)))
        if field in ("thread", "opcode") and want is None:
            continue                    # also called by the thread's id; by a word of the tables
        check.equal(f"{where}: has", a["has"], want is not None)


def main():
    check.need_tnav()
    if not os.access(TOOL, os.X_OK):
        sys.exit(f"no program at {TOOL}")
    # Names of frames, threads, processes and files are no keys of the JSON: tests/check/symbols.py,
    # threads.py, files.py and joined.py compare them.
    columns = [c for c in columns_of_the_table()
               if not c.startswith(("stack.", "stack[")) and c not in ("process", "thread.role", "file", "source")]
    pairs = 0
    paths = sorted(set(traces()))
    chosen = set(check.check_traces(paths, SMALL, LARGE))
    for path in paths:
        if path in chosen or os.path.basename(path) in ALWAYS:
            pairs += compare(path, columns)
    print(f"{pairs} cells of the viewer")
    check.finish(least=1000)


if __name__ == "__main__":
    main()
