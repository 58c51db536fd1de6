#!/usr/bin/env python3
"""`tnav providers`: the built-in tables (src/model/clr, read here by other means) row by row; of a file its
types with their counts and the keywords that they have."""
import collections
import json
import os

import check

CLR = os.path.join(check.TOP, "src", "model", "clr")


def table(name):
    with open(os.path.join(CLR, name), encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f if line[0] != "#"]


def listed(*args):
    r = check.tnav("providers", "--format", "jsonl", *args)
    check.true(f"{args}: exit code", r.code <= 1)
    return [json.loads(line) for line in r.out.decode().splitlines()]


def check_catalogue():
    rows = listed()
    keywords = {(r["provider"], int(r["keywords"], 16), r["name"]): r["text"]
                for r in rows if r["kind"] == "keyword"}
    given = {(p, int(b, 16), n): t if t != "-" else None for p, b, n, t in table("keywords.tsv")}
    check.equal("keywords", keywords, given)
    events = collections.defaultdict(set)
    for r in rows:
        if r["kind"] == "event":
            events[r["provider"]].add(r["id"] if r["id"] is not None else r["name"])
    for provider, number, name, *_ in table("events.tsv") + table("docs.tsv"):
        key = int(number) if number != "*" else name
        check.true(f"{provider} {key}: listed", key in events[provider])
    texts = {(r["provider"], r["name"]): r["text"] for r in rows if r["kind"] == "event"}
    for provider, _, name, text in table("docs.tsv"):
        check.equal(f"{provider} {name}: text", texts.get((provider, name)), text)
    order = [(r["provider"].encode(), r["kind"] == "event") for r in rows]
    check.true("each provider's rows stand together, keywords first", order == sorted(order))


def check_files():
    bits = collections.defaultdict(dict)
    for provider, bit, name, _ in table("keywords.tsv"):
        bits[provider][name] = int(bit, 16)
    for path in check.check_sample(check.all_data_traces(check.temp_dir()), 12):
        name = check.stem(path)
        if check.tnav("info", path).code > 1:
            continue
        rows = listed(path)
        types = [json.loads(line) for line in
                 check.tnav("types", "--format", "jsonl", path).out.decode().splitlines()]
        want = sorted((t["provider"], t.get("id") or 0, t["name"], t["events"])
                      for t in types if t["events"])
        got = sorted((r["provider"], r["id"] or 0, r["name"], r["events"])
                     for r in rows if r["kind"] == "event")
        check.equal(f"{name}: events", got, want)
        have = collections.defaultdict(int)
        for r in rows:
            if r["kind"] == "event":
                have[r["provider"]] |= int(r["keywords"], 16)
        want = sorted((p, k) for p, mask in have.items() for k, b in bits[p].items()
                      if b & mask and not b & ~mask)
        check.equal(f"{name}: keywords", sorted((r["provider"], r["name"]) for r in rows
                                                if r["kind"] == "keyword"), want)


def main():
    check.need_tnav()
    check_catalogue()
    check_files()
    check.finish(300)


if __name__ == "__main__":
    main()
