#!/usr/bin/env python3
"""Several files on one command line, one after the other (--each, where they would be one list: see
joined.py): what is printed is what each file alone gives, with the name of the file in front. The
comparison reads the outputs with Python's own csv and json."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

import check

tnav = os.path.abspath(os.environ.get('TNAV', './tnav'))
data = os.path.join(os.environ.get('srcdir', '.'), 'tests', 'data')
features = os.path.join(data, 'features')
# Formats that have different columns: V4, V6 with labels, a trace with losses.
FILES = [os.path.join(features, n) for n in (
    'v4-activity-ids.nettrace', 'v6-labels-all-kinds.nettrace', 'v4-dropped-events.nettrace')]
COMMANDS = [['info'], ['dump'], ['dump', '-e', 't,name,tid'], ['types'], ['types', '-e', 'name'],
            ['threads'], ['threads', '-f', 'tid > 0'], ['stats'], ['stats', '--by', 'tid,name'],
            ['stats', '--top', '1'], ['gaps'], ['check'], ['dump', '-n', '2'], ['types', '-n', '1'],
            ['dump', '--order', 'file']]
# What info says of several files beside what it says of each: see joined.py.
TOGETHER = ('clock', 'begins', 'begins (ns)')
LISTS = ('dump', 'types', 'threads', 'stats', 'gaps')
failed = 0


def complain(*what):
    global failed
    failed += 1
    print('FAIL', *what)


def run(*args, code=0):
    if args[0] in LISTS:
        args = (args[0], '--each', *args[1:])
    r = subprocess.run([tnav, *args], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    if code is not None and r.returncode != code:
        complain(args, 'exit code', r.returncode, 'not', code, r.stderr)
    return r


def objects(args, files):
    out = run(*args, '--format', 'jsonl', *files).stdout
    rows = [json.loads(line, object_pairs_hook=list) for line in out.splitlines()]
    return [[m for m in row if m[0] not in TOGETHER] for row in rows] if args == ['info'] else rows


def check_json(args):
    want = []
    for f in FILES:
        rows = [row if row and row[0][0] == 'file' else [('file', f)] + row
                for row in objects(args, [f])]
        want += rows
    got = objects(args, FILES)
    if got != want:
        complain('jsonl of several files', args, 'is not that of each file')
    return len(want)


def table(args, form, files):
    text = run(*args, '--format', form, *files).stdout.decode()
    if form == 'tsv':
        return [line.split('\t') for line in text.splitlines()]
    return list(csv.reader(io.StringIO(text, newline='')))


def check_table(args, form):
    """Each file's rows by column name; a column that a file alone hasn't is empty."""
    got = table(args, form, FILES)
    titles, at = got[0], 1
    if titles[0] != 'file' or titles.count('file') != 1:
        complain(form, args, 'titles', titles)
    for f in FILES:
        own = table(args, form, [f])
        for row in own[1:]:
            want = dict(zip(own[0], row), file=f)
            have = dict(zip(titles, got[at])) if at < len(got) else {}
            at += 1
            if args == ['info']:
                have = {k: v for k, v in have.items() if k not in TOGETHER}
                want = {k: v for k, v in want.items() if k not in TOGETHER}
            if any(have.pop(k, None) != v for k, v in want.items()) or any(have.values()):
                complain(form, args, 'a row of', f, 'differs', got[at - 1])
    if at != len(got):
        complain(form, args, len(got) - at, 'rows too many')


def check_text(args):
    """Each line begins with its file, but for titles and pages."""
    lines = run(*args, *FILES).stdout.decode().splitlines()
    alone = [run(*args, f).stdout.decode().splitlines() for f in FILES]
    if args[0] == 'info':
        pages = [line for line in lines if line]
        each = sum(alone, [])
        if pages[:len(each)] != each or not pages[len(each):][0].startswith('together '):
            complain('text', args, 'is not the pages of the files')
        return
    begins = [line.split()[0].rstrip(':') for line in lines]
    if any(b not in FILES and b != 'file' for b in begins) or begins.count('file') > 1:
        complain('text', args, 'begins with', begins)
    titles = sum(1 for a in alone if a) if 'file' in begins else 0
    if len(lines) != sum(map(len, alone)) - titles + ('file' in begins):
        complain('text', args, 'has', len(lines), 'lines')


def check_codes(tmp):
    good = FILES[0]
    cut = os.path.join(tmp, 'cut')
    with open(good, 'rb') as f:
        whole = f.read()
    with open(cut, 'wb') as f:
        f.write(whole[:-40])
    missing = os.path.join(tmp, 'missing')
    rows = {f: len(objects(['dump'], [f])) if f == good else None for f in (good,)}
    for files, code in (([good, good], 0), ([good, cut], 1), ([cut, good], 1),
                        ([good, missing, cut], 2), ([missing, missing], 2)):
        for command in ('info', 'dump', 'types', 'threads', 'stats', 'gaps', 'check'):
            r = run(command, '--format', 'jsonl', *files, code=code)
            if (missing.encode() in r.stderr) != (missing in files):
                complain(command, 'does not say which file is missing', r.stderr)
            if command == 'dump':
                n = sum(json.loads(x)['file'] == good for x in r.stdout.splitlines())
                if n != rows[good] * files.count(good):
                    complain('a file that is missing took others with it')
    # What was read stands in the file of -o, unless nothing was.
    out = os.path.join(tmp, 'out')
    run('types', '-o', out, good, missing, code=2)
    if not os.path.exists(out):
        complain('-o is missing after one bad file')
    os.remove(out)
    run('types', '-o', out, missing, missing, code=2)
    if os.path.exists(out):
        complain('-o was made of nothing')
    # No trace of the list is replaced.
    own = os.path.join(tmp, 'own')
    with open(own, 'wb') as f:
        f.write(whole)
    r = run('types', '-o', own, good, own, code=3)
    with open(own, 'rb') as f:
        if b'the trace that is being read' not in r.stderr or f.read() != whole:
            complain('the second trace was replaced by the output')


def check_messages():
    """What is wrong whatever the file is told once; what a file lacks, with its name."""
    for args, times in ((['dump', '-f', 'name = = 3'], 1), (['types', '-e', 'nosuch'], 1),
                        (['stats', '--by', 't,,name'], 1), (['dump', '-e', 't,,name'], 1)):
        r = run(*args, *FILES, code=2)
        if r.stdout or len(r.stderr.splitlines()) != times:
            complain(args, 'is told', len(r.stderr.splitlines()), 'times', r.stderr)
    for args in (['dump', '-e', 'nosuch'], ['stats', '--by', 'nosuch'],
                 ['stats', '--sum', 'nosuch'], ['spans', '--by', 'nosuch']):
        said = run(*args, *FILES, code=2).stderr.decode().splitlines()
        if [line for line in said if 'nosuch' in line] != [
                f'tnav: {args[1]}: unknown field "nosuch"']:
            complain(args, 'is not told once', said)
    for args in (['stats', '--sum', 'provider'],):
        said = run(*args, *FILES, code=None).stderr.decode().splitlines()
        for path in FILES:
            if sum(line.startswith(f'tnav: {path}: {args[1]}: ') for line in said) != 1:
                complain(args, 'is not told once of', path, said)


def check_sums():
    """The rows of the files add up to what their events are."""
    want, got = {}, {}
    for row in objects(['dump'], FILES):
        row = dict(row)
        n = want.setdefault((row['provider'], row['name']), [0, 0])
        n[0] += 1
        n[1] += row['size']
    for row in objects(['stats'], FILES):
        row = dict(row)
        n = got.setdefault((row['provider'], row['name']), [0, 0])
        n[0] += row['events']
        n[1] += row['bytes']
    if not want or got != want:
        complain('stats of several files do not add up', got, want)
    got = [(dict(row)['file'], dict(row)['events']) for row in objects(['stats', '--by', 'file'], FILES)]
    want = [(f, len(list(objects(['dump'], [f])))) for f in FILES]
    if got != [w for w in want if w[1]]:
        complain('stats --by file', got, want)
    if [dict(row)['file'] for row in objects(['dump', '-e', 'file', '-f', f'file = "{FILES[0]}"'], FILES)] != \
       [FILES[0]] * want[0][1]:
        complain('dump -e file of one file')


def check_names():
    """A name that one file lacks is false there; it is a mistake, told once, if no file has it."""
    data = os.path.join(os.environ.get('srcdir', '.'), 'tests', 'data', 'spans')
    gc, locks = os.path.join(data, 'cut-gc.nettrace'), os.path.join(data, 'cut-contention.nettrace')

    def lines(text, *files, code=0):
        r = run('dump', '--format', 'tsv', '-e', 'row', '-f', text, *files, code=code)
        return r.stdout.decode().splitlines(), r.stderr.decode()

    one, _ = lines('Depth = 2', gc)
    if len(one) < 2:
        complain('no event has Depth = 2')
    for files in ([gc, locks], [locks, gc]):
        rows, err = lines('Depth = 2', *files)
        if [x.split('\t')[-1] for x in rows] != one or err:
            complain('a field of one of two files', files, err)
    rows, err = lines('Depth = 2 or LockID > 0', gc, locks)
    if len(rows) <= len(one) or err:
        complain('fields of either file', err)
    rows, err = lines('Depht = 2', gc, locks, code=2)
    if err.count('unknown field "Depht"') != 1:
        complain('a field of no file', err)
    for files in ([gc, locks], [locks, gc]):
        for text in ('Depth = 2 and Nosuch = 1', 'Nosuch = 1 or Depth = 2'):
            rows, err = lines(text, *files, code=2)
            if err.count('unknown field "Nosuch"') != 1 or 'unknown field "Depth"' in err:
                complain('a field of no file beside one of a file', text, files, err)
        # The same for fields outside of filters.
        for args in (['dump', '-e', 'Depth,LockID'], ['stats', '--by', 'Depth', '--sum', 'LockID'],
                     ['spans', '--by', 'Depth']):
            r = run(*args, '--format', 'tsv', *files)
            if b'unknown' in r.stderr or args[0] != 'spans' and [f for f in files if f.encode() not in r.stdout]:
                complain('a field of one of two files', args, files, r.stderr)
        depths = [dict(r) for r in objects(['stats', '--by', 'Depth'], files)]
        want = [dict(r, file=gc) for r in map(dict, objects(['stats', '--by', 'Depth'], [gc]))]
        if [r for r in depths if r['file'] == gc] != want or \
           [r['Depth'] for r in depths if r['file'] == locks] != [None]:
            complain('stats --by Depth of two files', depths)
    if lines('Depth =', gc, locks, code=2)[1].count('missing value') != 1:
        complain('a mistake of the language')


rows = 0
commands = check.check_sample(COMMANDS, len(COMMANDS))
for command in commands:
    rows += check_json(command)
    check_table(command, 'csv')
    check_table(command, 'tsv')
    check_text(command)
if rows < (100 if commands == COMMANDS else 1):
    complain('only', rows, 'rows were compared')
with tempfile.TemporaryDirectory() as folder:
    check_codes(folder)
check_messages()
check_names()
check_sums()
print(rows, 'rows of', len(FILES), 'files')
sys.exit(1 if failed else 0)
