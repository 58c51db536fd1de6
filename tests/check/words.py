#!/usr/bin/env python3
"""tnav help event says what the tables of .NET's events do: of each event a line, each keyword that it
has, the fields of its newest version and each value that has a word."""
import collections
import os
import re

import check

TABLES = os.path.join(check.TOP, "src", "model", "clr")
SOME = 40


def table(name):
    with open(os.path.join(TABLES, name), encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]


def field_names(fields):
    """name -> map of each field of the table's grammar that stands by itself."""
    found = {}
    for one in fields.split(";"):
        m = re.fullmatch(r"(\w+):\w+(?::(\w+))?", one)
        if m and m[1] != "Padding":     # filler is no field
            found[m[1]] = m[2]
    return found


def blocks(name):
    """What is printed of each event of the name: provider -> text."""
    r = check.tnav("help", "event", name)
    check.equal(f"{name}: exit code", r.code, 0)
    return {b.split("/", 1)[0]: b for b in r.out.decode().split("\n\n")}


def main():
    check.need_tnav()
    newest, maps = {}, collections.defaultdict(list)
    for row in table("events.tsv"):
        key = row[0], row[3]
        if key not in newest or row[2] == "*" or int(row[2]) >= int(newest[key][2]):
            newest[key] = row
    for name, _, value, word in table("maps.tsv"):
        maps[name].append((int(value, 0), word))
    keywords = [(p, int(bit, 16), n, text) for p, bit, n, text in table("keywords.tsv")]
    docs = table("docs.tsv")
    chosen = check.check_sample(docs, SOME)
    for provider, number, name, text in chosen + [d for d in docs if d[2] in ("GCStart", "GCMark")]:
        shown = blocks(name).get(provider, "")
        where = f"{provider}/{name}"
        check.true(f"{where}: its line", f"  {text}\n" in shown + "\n")
        row = newest.get((provider, name))
        if row is None:
            continue
        mask = int(row[8], 16) if row[8] not in ("-", "*") else 0
        for p, bits, word, says in keywords:
            has = bits != 0 and mask & bits == bits and len(says) > 1
            if p == provider:
                check.equal(f"{where}: keyword {word}",
                            f"  keyword {word}: {says}\n" in shown + "\n", has)
        for field, of in field_names(row[9]).items():
            check.true(f"{where}: field {field}", re.search(rf"(?m)^ +{field} +\S", shown))
            for value, word in maps.get(of, ()):
                check.true(f"{where}: {field} {value} {word}",
                           re.search(rf"(?m)^ +{value} {re.escape(word)}$", shown))
    check.finish(least=200)


if __name__ == "__main__":
    main()
