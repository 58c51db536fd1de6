#!/usr/bin/env python3
"""What doc/filter.md, the manual page and `tnav help filter` say of filters is true.

Every example is run on a trace that has its names, and finds what the second implementation of the
language finds there. The values are taken where the page says that they fit, what it says is
refused is refused, and no field or operator is missing from the page.
"""
import json
import os
import re
import shlex

import check
import filterlang

PAGE = os.path.join(check.TOP, "doc", "filter.md")
MANUAL = os.path.join(os.path.dirname(check.TNAV), "doc", "tnav.1")     # made beside the program
STANDS_FOR = re.compile(r"FIELD|VALUE|REGEX|NAME|EXPR|[A-C]\.\.|\u2026")
REFUSED = {"time > 2": "a time needs a unit", "Depth = deep": 'Depth has no value "deep"'}
FIT = {"number": "row > {}", "bytes": "size > {}", "duration": "dur > {}",
       "time since the start": "time > {}", "time from the selection": "time > {}",
       "time of the clock": "time > {}", "activity path": "activity under {}"}
# Asked in this order, until rows are found; the other traces only for names that these have not.
PREFERRED = ("demo.nettrace", "net10-eventsource-types.nettrace", "v5-metadata-tags.nettrace",
             "v4-dropped-events.nettrace", "net10-exceptions.nettrace", "net10-contention.nettrace",
             "net10-activities-http.nettrace", "net10-jit-rundown.nettrace", "net9-perf.nettrace",
             "actors-1worker.heph", "requests-2workers.heph")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def is_expression(text):
    try:
        filterlang.parse(text)
    except filterlang.FilterError:
        return False
    return not STANDS_FOR.search(text)


def examples_of_page(page):
    """The lines of the code blocks, but for the one that shows a mistake; and what stands in the
    text and is a whole expression."""
    blocks = re.findall(r"```\n(.*?)```", page, re.S)
    out = [re.sub(r"\s{3,}.*", "", line) for b in blocks if "\n^" not in b
           for line in b.splitlines()]
    text = re.sub(r"```.*?```", "", page, flags=re.S)
    return out + [x for x in re.findall(r"`([^`\n]+)`", text)
                  if is_expression(x) and x not in REFUSED]


def examples_elsewhere():
    """In the help, and after -f in the manual page and the README."""
    text = check.tnav("help", "filter").out.decode()
    out = [x.strip() for x in re.findall(r"\n  (\S.*)", text.split("Fields:")[0])]
    for path in (os.path.join(check.TOP, "README.md"), MANUAL):
        text = read(path).replace("\\-", "-").replace("\\(aq", "'")
        out += [shlex.split(x)[0] for x in re.findall(r"-f ('[^'\n]+')", text)]
    return out


class Traces:
    """The traces, opened as they are needed."""

    def __init__(self):
        self.tables, self.open = filterlang.Tables(), {}
        some = [os.path.join(check.DATA, "demo.nettrace"),
                *check.all_data_traces(check.temp_dir()), *check.all_shared_traces()]
        names = [os.path.basename(p) for p in some]
        self.paths = [some[names.index(n)] for n in PREFERRED if n in names]
        self.others = [p for p in some if p not in self.paths]

    def get(self, path):
        if path not in self.open:
            lines = check.tnav("dump", "--format", "jsonl", path).out.splitlines()
            events = [json.loads(x, parse_float=filterlang.Float) for x in lines]
            info = json.loads(check.tnav("info", "--format", "jsonl", path).out)
            self.open[path] = filterlang.Trace(events, info, self.tables)
        return self.open[path]

    def run(self, text):
        """The first trace where rows are found, or else that has the names; and the rows."""
        first = None, None
        for path in self.paths + self.others:
            if first[0] and path not in self.paths:
                break
            r = check.tnav("dump", "--format", "tsv", "-e", "row", "-f", text, path)
            if r.code in (0, 1):
                rows = {int(x) for x in r.out.split() if x.isdigit()}
                if rows:
                    return path, rows
                first = first if first[0] else (path, rows)
            elif re.search(rb'column \d+: unknown (field|event|provider) "', r.err) is None and \
                    b"column" in r.err:
                check.fail(f"{text}: {r.err.decode()}")
                break
        return first


def test_examples(page, traces):
    examples = list(dict.fromkeys(examples_of_page(page) + examples_elsewhere()))
    check.true(f"the page has its examples ({len(examples)})", len(examples) >= 30)
    for text in check.check_sample(examples, len(examples)):
        path, got = traces.run(text)
        if path is None:
            check.true(f"{text}: some trace has these names", not os.path.isdir(check.SHARED))
            continue
        trace = traces.get(path)
        check.equal(f"{os.path.basename(path)}: {text}", got,
                    trace.rows(trace.decide(filterlang.parse(text))))


def test_what_is_refused(traces):
    for text, says in REFUSED.items():
        r = check.tnav("dump", "-f", text, traces.paths[0])
        check.equal(f"{text}: exit code", r.code, 2)
        check.true(f"{text}: why", says in r.err.decode())


def test_values(page, traces):
    seen = set()
    for kind, cell in re.findall(r"^\| ([^|]+) \| (.*) \|$", page, re.M):
        for value in re.findall("`([^`]+)`", cell) if kind in FIT else ():
            if value in ("Z", "$"):
                continue
            seen.add(kind)
            r = check.tnav("dump", "-f", FIT[kind].format(value), traces.paths[0])
            check.equal(f"{FIT[kind].format(value)}: {r.err}", r.code, 0)
    check.equal("kinds of values with examples", seen, set(FIT))


def test_the_mistake(page, traces):
    """The block that shows one: the expression, and below it a mark at its column."""
    text, mark = re.search(r"```\n(.*)\n( *\^.*)\n```", page).groups()
    r = check.tnav("dump", "-f", text, traces.paths[0])
    says = f"column {mark.index('^') + 1}: {mark.lstrip(' ^')}"
    check.true(f"{says!r} in {r.err!r}", says in r.err.decode())


def test_nothing_is_missing(page):
    text = check.tnav("help", "filter").out.decode()
    manual = read(MANUAL).replace("\\-", "-")
    fields, operators = text.split("Fields:")[1].split("Operators:")
    rows = "".join(re.findall(r"^\| `.*", page, re.M))
    for name in re.findall(r"^  (\S+)", fields, re.M):
        check.true(f"the page has a row for {name}", f"`{name}`" in rows)
        check.true(f"the manual page has {name}", f".B {name}\n" in manual)
    for name in filterlang.HEADER:
        check.true(f"the help has {name}", re.search(rf"^  {name}\s", fields, re.M))
    for name in re.findall(r"^  (\S+|\( \))  ", operators, re.M):
        if name not in ("( )", "/regex/"):
            check.true(f"the page has the operator {name}",
                       re.search(rf"`[^`]*(?<!\S){re.escape(name)}(?!\S)[^`]*`", page))


def main():
    check.need_tnav()
    page, traces = read(PAGE), Traces()
    test_examples(page, traces)
    test_what_is_refused(traces)
    test_values(page, traces)
    test_the_mistake(page, traces)
    test_nothing_is_missing(page)
    check.finish()


if __name__ == "__main__":
    main()
