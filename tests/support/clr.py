"""What is known of .NET's events, read from the tables once more: which fields have named values,
which are shown in hexadecimal, what opcodes and keywords are called. ../shared/clr/README.md and
the heads of the tables say what they mean.
"""
import os
import re

import check

ANY = "*"
SUSPENSIONS = "GCSuspendEECount"        # the map of a field that has none in ../shared


def rows(name):
    """The cells of a table's rows, from ../shared where it is there."""
    path = os.path.join(check.SHARED, "clr", name)
    if not os.path.exists(path):
        path = os.path.join(check.TOP, "src", "model", "clr", name)
    with open(path, encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]


class Field:
    """One field of a row: hexadecimal or not, its map's name, the fields within it, the greatest number."""

    def __init__(self, name):
        self.name, self.hex, self.map, self.fields, self.greatest = name, False, None, None, None


def fields_of(cell):
    """The grammar of the column `fields`: name:type[N]:map;..., a type may be {fields}."""
    text, at = cell, 0

    def word(ends):
        nonlocal at
        start = at
        while at < len(text) and text[at] not in ends:
            at += 1
        return text[start:at]

    def one():
        nonlocal at
        f = Field(word(":").lstrip("?"))
        at += 1
        if text[at] == "{":
            at += 1
            f.fields = many("}")
            at += 1
            kind = word(":;}")
        else:
            kind = word(":;}")
        base = kind.split("[")[0]
        bits = re.fullmatch(r"u(8|16|32|64)x?", base)
        f.greatest = 2 ** int(bits[1]) - 1 if bits else None
        # The tables have the address of a handler as a plain number; it is shown as others are.
        f.hex = base in ("u32x", "u64x", "varux", "ptr") or f.name == "EntryEIP"
        if at < len(text) and text[at] == ":":
            at += 1
            f.map = word(";}")
        return None if base == "padptr" or f.name == "Padding" else f    # they are not shown

    def many(end):
        nonlocal at
        out = []
        while at < len(text) and text[at] != end:
            out.append(one())
            if at < len(text) and text[at] == ";":
                at += 1
        return [f for f in out if f is not None]

    return [] if cell == "-" else many("")


class Row:
    def __init__(self, cells):
        self.version, self.name = cells[2], cells[3]
        number, _, word = cells[6].partition(":")
        self.opcode = None if word in ("", "-") or cells[6] == "0:Info" else word
        self.fields = fields_of(cells[9])
        for f in self.fields:
            if (self.name, f.name) == ("GCSuspendEEBegin", "Count"):
                f.map = SUSPENSIONS


class Tables:
    def __init__(self):
        self.events, self.maps, self.keywords, self.keyword_list = {}, {}, {}, []
        for c in rows("events.tsv"):
            self.events.setdefault((c[0], c[1]), []).append(Row(c))
        for name, kind, value, word in rows("maps.tsv"):
            m = self.maps.setdefault(name, (kind == "bits", []))
            m[1].append((int(value, 0), word))
        self.maps.setdefault(SUSPENSIONS, (False, [(0xffffffff, "NotKnown")]))
        for provider, bits, name, *_ in rows("keywords.tsv"):
            self.keywords.setdefault((provider, name.lower()), int(bits, 16))
            self.keyword_list.append((provider, int(bits, 16), name))

    def row(self, e):
        """The row for an event: of its version, or the highest below, or by name."""
        names = (e.get("name"), e.get("event"))
        some = self.events.get((e["provider"], str(e.get("id"))), [])
        best = None
        for r in some:
            if r.version == ANY or int(r.version) <= e["version"]:
                best = r
        if best is not None:
            return best if best.name in names else None
        some = self.events.get((e["provider"], ANY), [])
        return next((r for want in (names, ANY) for r in some if r.name in want), None)

    def words(self, name, v):
        """The names of a number in a map, or None."""
        bits, values = self.maps[name]
        for value, word in values:
            if value == v:
                return word
        if not bits:
            return None
        parts = [(value, word) for value, word in values if value and v & value == value]
        left = v & 0xffffffffffffffff
        for value, _ in parts:
            left &= ~value
        return "|".join([w for _, w in parts] + [f"0x{left:x}"] * (left != 0)) if parts else None
