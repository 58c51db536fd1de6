#!/usr/bin/env python3
"""Text search finds the same with and without what it looks for first.

For every trace, patterns are made of what its rows hold: pieces of the row's text, which cross the
borders of fields too, of names, numbers, GUIDs and texts, in both cases, with other characters,
classes, alternatives, repeats and anchors put in. tests/support/textsearch decides each of them
twice for every event, once with every text formatted, and asks the sieve about every segment. The
answers must be the same, and a piece as it stands must be found.

The seed is that of the run (TNAV_SEED).
"""
import os
import random
import re
import subprocess

import check
import filterlang

SEED = check.check_seed()
TOOL = os.path.join(os.path.dirname(check.TNAV), "tests", "support", "textsearch")
SMALL, LARGE = 8, 2         # traces that make check looks at
ROWS = 400                  # that pieces are taken of
WEIGHT = 1200000            # events x patterns of a trace, about
LEAST, MOST = 8, 60
ALWAYS = ("v6-labels-all-kinds.nettrace", "v6-payload-shorter-or-longer-than-fields.nettrace",
          "v6-strings-and-arrays.nettrace", "v6-non-ascii-names.nettrace", "v6-varints.nettrace",
          "v6-float-specials.nettrace", "v6-relloc-dataloc.nettrace", "demo.nettrace")
NUMBERS = re.compile(r"[-+.:0-9A-Fa-fxTZ]*[0-9][-+.:0-9A-Fa-fxTZ]*")
SAID = {"true", "false", "null", "NaN", "Infinity", "undecoded", "TraceId", "SpanId"}


def escaped(text):
    """The text as a pattern: PCRE takes a backslash before any sign as the sign."""
    return "".join("\\" + c if c.isascii() and not c.isalnum() and c != " " else c for c in text)


def as_value(pattern):
    return '$"' + "".join(f"\\x{b:02x}" for b in pattern.encode()) + '"'


def plain(text):
    """Can it stand in a line between slashes, and does it stand for itself?"""
    return text != "" and all(c.isprintable() and c != "\ufffd" for c in text)


class Maker:
    def __init__(self, rng, trace):
        self.rng, self.trace = rng, trace
        step = max(1, len(trace.events) // ROWS)
        self.events = [e for e in trace.events[::step] if "provider" in e]
        self.rows = [(e, trace.row_text(e)) for e in self.events]

    def piece(self, most=20):
        """A few characters of a row's text."""
        for _ in range(50):
            e, text = self.rng.choice(self.rows)
            n = self.rng.randint(2, most)
            words = text.split(" ")
            if self.rng.random() < 0.3:
                piece = self.rng.choice(words)[:n]
            elif self.rng.random() < 0.2:
                at = self.rng.randrange(len(words))
                piece = " ".join(words[at:at + 2])[-n:]
            else:
                at = self.rng.randrange(max(1, len(text) - n))
                piece = text[at:at + n]
            if plain(piece) and len(piece) > 1 and "\x7f" not in piece:
                return piece
        return "no such text"

    def number(self):
        """(digits, do they stand in a row?): of a number, an address, a GUID, a time, or none."""
        rng = self.rng
        if rng.random() < 0.25:
            of = rng.choice(["0123456789", "0123456789", "0123456789abcdef", "01.e-+"])
            return "".join(rng.choices(of, k=rng.randint(2, rng.choice([4, 8, 20])))), False
        for _ in range(20):
            runs = [r for r in NUMBERS.findall(rng.choice(self.rows)[1]) if len(r) > 1]
            if runs:
                run = rng.choice(runs)
                at = rng.randrange(len(run) - 1)
                return run[at:at + rng.randint(2, len(run))][:32], True
        return "00", False

    def changed(self, piece):
        """A pattern that the piece still matches, mostly."""
        rng, chars = self.rng, [escaped(c) for c in piece]
        at = rng.randrange(len(chars))
        how = rng.randrange(13)
        c = piece[at]
        if how == 0:
            chars[at] = "."
        elif how == 1:
            chars[at] = f"[{escaped(c)}xyz]"
        elif how == 2:
            chars[at] += rng.choice("+?*")
        elif how == 3:
            chars[at] = f"({chars[at]}|{escaped(self.piece(4))})"
        elif how == 4:
            chars[at:] = ["(" + "".join(chars[at:]) + ")" + rng.choice(["", "+", "{1,2}", "?"])]
        elif how == 5:
            chars.insert(at, rng.choice([".*", "\\b", "()", "(?:)", "\\w*", "(a|b)?"]))
        elif how == 6:
            chars[at] = rng.choice(["\\w", "\\S", "\\W", "[^q]", "\\d"])
        elif how == 7:
            return "^" + "".join(chars)
        elif how == 8:
            return "".join(chars) + "$"
        elif how == 9:
            chars[at] = "[[:alpha:]]"
        elif how == 10:
            return "(?i)" + "".join(chars)
        elif how == 11:
            chars[at] = f"\\x{{{ord(c):x}}}"
        else:
            chars[at] = rng.choice("kKsSqx")
        return "".join(chars)

    def other_case(self, piece):
        return self.rng.choice([str.lower, str.upper, str.swapcase, str.capitalize])(piece)

    def pattern(self):
        """(pattern, must it be found?)"""
        piece, how = self.piece(), self.rng.randrange(13)
        # The JSON has an attribute that is given twice as one array, the row's text has not.
        sure = not self.trace.merges or not set(piece) & set(" []")
        if how < 3:
            return escaped(piece), sure
        if how < 5:
            small = piece.lower()
            return escaped(small), sure and (small == piece or piece.isascii())
        if how == 5:
            return escaped(self.other_case(piece)), False
        if how == 6:
            of = [piece] + [self.piece(6) for _ in range(self.rng.randint(1, 4))]
            return "|".join(escaped(p) for p in of), sure
        if how == 7:
            return escaped(self.rng.choice(sorted(SAID)))[:self.rng.randint(2, 12)], False
        if how < 10:
            return self.changed(piece), False
        piece, here = self.number()
        if how == 12 and len(piece) > 2:        # as an alternative, or with a sign left open
            other = escaped(self.number()[0])
            return self.rng.choice([f"{escaped(piece)}|{other}", f"[0-9]{escaped(piece[1:])}",
                                    f"{escaped(piece)}[0-9]+", f"\\b{escaped(piece)}"]), False
        return escaped(piece), here and sure and piece == piece.lower()

    def of_field(self):
        e = self.rng.choice(self.events)
        fields = [(k, v) for k, v in (e.get("payload") or {}).items()
                  if k.isidentifier() and k.isascii() and not isinstance(v, (dict, list))]
        if not fields:
            return None
        key, v = self.rng.choice(fields)
        text = {None: "null", True: "true", False: "false"}.get(v, str(v)) \
            if not isinstance(v, str) else v
        at = self.rng.randrange(max(1, len(text) - 1))
        piece = text[at:at + self.rng.randint(2, 12)]
        if not plain(piece):
            return None
        pattern = escaped(piece) if self.rng.random() < 0.5 else self.changed(piece)
        return f"payload.{key} {self.rng.choice(['~', '~', '!~'])} {as_value(pattern)}"

    def filter(self):
        """(filter, must anything be found?)"""
        how = self.rng.randrange(10)
        if how < 6:
            pattern, must = self.pattern()
            return f"/{pattern}/", must
        if how < 8:
            term = self.of_field()
            return (term, False) if term else self.filter()
        name = as_value(self.rng.choice(self.events).get("name", ""))
        t = self.rng.choice(self.events)["t"]
        other = self.rng.choice([f"name = {name}", f"name != {name}", f"time < {t}ns",
                                 f"time >= {t}ns", f"time in {t}ns..{t + 10 ** 7}ns",
                                 f"time in ..{t}ns", f"/{self.pattern()[0]}/"])
        join = self.rng.choice(["and", "or", "and not", "or not"])
        return f"(not /{self.pattern()[0]}/) {join} {other}" if self.rng.random() < 0.3 else \
            f"/{self.pattern()[0]}/ {join} {other}", False


def one_trace(path):
    events = check.jsonl("dump", path)[1]
    if not any("provider" in e for e in events):
        return 0, 0, 0
    info = check.jsonl("info", path)[1]
    trace = filterlang.Trace(events, info[0] if info else {}, filterlang.Tables())
    trace.merges = path.endswith(".heph")
    rng = random.Random(f"{SEED} {os.path.basename(path)}")
    maker = Maker(rng, trace)
    n = max(LEAST, min(MOST, WEIGHT // len(events)))
    made = [maker.filter() for _ in range(n)]
    done = subprocess.run([TOOL, path], input="\n".join(f for f, _ in made).encode() + b"\n",
                          capture_output=True, timeout=check.WATCHDOG_S)
    check.equal(f"{path}: the tool ends", (done.returncode, done.stderr), (0, b""))
    lines = done.stdout.decode().splitlines()
    check.equal(f"{path}: answers", len(lines), n)
    skipped = hits = refused = 0
    for (text, must), line in zip(made, lines):
        got = check.json.loads(line)
        if "error" in got:
            refused += 1
            continue
        what = f"{os.path.basename(path)}: {text}"
        check.equal(f"{what}: without formatting", got["wrong"], None)
        if must:
            check.true(f"{what}: found", got["hits"] > 0)
        skipped += got["skipped"] + got["sifted"]
        hits += got["hits"] > 0
    check.true(f"{path}: {refused} of {n} filters are refused", refused <= n / 2)
    return n, hits, skipped


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    paths = check.all_data_traces(scratch) + check.all_shared_traces()
    paths.append(os.path.join(check.DATA, "demo.nettrace"))
    some = set(check.check_traces(paths, SMALL, LARGE))
    n = hits = skipped = 0
    for path in paths:
        if path not in some and os.path.basename(path) not in ALWAYS:
            continue
        if check.tnav("info", path).code in (1, 2):     # it can't be read
            continue
        got = one_trace(path)
        n, hits, skipped = n + got[0], hits + got[1], skipped + got[2]
    print(f"{n} filters, {hits} of them with hits; {skipped} segments and events not formatted")
    check.true("half of the filters find something", hits > n / 3)
    check.true("something is skipped", skipped > n)
    check.finish(n)


main()
