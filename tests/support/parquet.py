"""A small reader of Parquet, which shares nothing with the writer: read(path) gives a File.

Every page is read, and what the file says of itself is checked against the values: sizes, counts,
nulls, bounds of chunks and pages, places of pages, the order of sorted columns. It knows data pages
of version 1, zstd, PLAIN, RLE_DICTIONARY, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY, and lists of three
levels. Python's library and the program zstd are all it needs.
"""
import struct
import subprocess
import uuid

BOOLEAN, INT32, INT64, FLOAT, DOUBLE, BYTES, FIXED = 0, 1, 2, 4, 5, 6, 7
PLAIN, RLE, DELTA, DELTA_TEXTS, RLE_DICTIONARY = 0, 3, 5, 7, 8
LOGICAL = {1: 'STRING', 3: 'LIST', 8: 'TIMESTAMP', 10: 'INTEGER', 12: 'JSON', 14: 'UUID'}


class Bad(Exception):
    """The file is not what it says."""


def need(what, *why):
    if not what:
        raise Bad(' '.join(str(w) for w in why))


class Thrift:
    """The compact protocol: struct() gives {id: value}."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = shift = 0
        while True:
            b = self.byte()
            value |= (b & 0x7f) << shift
            shift += 7
            if b < 0x80:
                return value

    def zigzag(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def binary(self):
        n = self.varint()
        need(self.at + n <= len(self.data), 'thrift: a text is cut')
        self.at += n
        return bytes(self.data[self.at - n:self.at])

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return struct.unpack('b', bytes([self.byte()]))[0]
        if kind in (4, 5, 6):
            return self.zigzag()
        if kind == 8:
            return self.binary()
        if kind == 9:
            return self.list()
        need(kind == 12, 'thrift: kind', kind)
        return self.struct()

    def list(self):
        head = self.byte()
        n = head >> 4
        if n == 15:
            n = self.varint()
        kind = head & 15
        if kind in (1, 2):
            return [self.byte() == 1 for _ in range(n)]
        return [self.value(kind) for _ in range(n)]

    def struct(self):
        out, last = {}, 0
        while True:
            head = self.byte()
            if head == 0:
                return out
            last = last + (head >> 4) if head >> 4 else self.zigzag()
            need(last not in out, 'thrift: a field twice')
            out[last] = self.value(head & 15)


class Column:
    def __init__(self, name, leaf, is_list):
        self.name = name
        self.physical = leaf[1]
        self.width = leaf.get(2)
        self.required = leaf[3] == 0 and not is_list
        self.list = is_list
        self.logical, self.detail = None, {}
        for key, detail in leaf.get(10, {}).items():
            self.logical, self.detail = LOGICAL[key], detail
        self.values = []                # of all rows: Python values, None for null

    @property
    def type(self):
        """Such as UINT_64, STRING, DOUBLE, LIST<UINT_64>."""
        name = self.logical
        if name == 'INTEGER':
            name = '%s_%d' % ('INT' if self.detail[2] else 'UINT', self.detail[1])
        elif name is None:
            name = {BOOLEAN: 'BOOLEAN', FLOAT: 'FLOAT', DOUBLE: 'DOUBLE', BYTES: 'BYTES'}[self.physical]
        return 'LIST<%s>' % name if self.list else name

    @property
    def unsigned(self):
        return self.logical == 'INTEGER' and not self.detail[2]

    def convert(self, raw):
        """A value of the file as one of Python."""
        if self.logical in ('STRING', 'JSON'):
            return raw.decode('utf-8')
        if self.logical == 'UUID':
            return str(uuid.UUID(bytes=raw))
        if self.unsigned:
            bits = self.detail[1]
            value = raw & ((1 << (32 if self.physical == INT32 else 64)) - 1)
            need(value < 1 << bits, self.name, 'has', value, 'in', bits, 'bits')
            return value
        return raw

    def plain(self, data, at, n):
        """n values of PLAIN, and where they end."""
        forms = {INT32: ('i', 4), INT64: ('q', 8), FLOAT: ('f', 4), DOUBLE: ('d', 8)}
        if self.physical in forms:
            form, width = forms[self.physical]
            return list(struct.unpack_from('<%d%s' % (n, form), data, at)), at + n * width
        if self.physical == BOOLEAN:
            return [bool(data[at + i // 8] >> i % 8 & 1) for i in range(n)], at + (n + 7) // 8
        out = []
        for _ in range(n):
            if self.physical == FIXED:
                length = self.width
            else:
                length, = struct.unpack_from('<I', data, at)
                at += 4
            need(at + length <= len(data), self.name, 'a value is cut')
            out.append(bytes(data[at:at + length]))
            at += length
        return out, at


def hybrid(data, at, end, width, n):
    """n numbers of runs and packed groups."""
    out = []
    while len(out) < n:
        need(at < end, 'levels are cut')
        t = Thrift(data, at)
        head = t.varint()
        at = t.at
        if head & 1:
            size = (head >> 1) * width
            bits = int.from_bytes(data[at:at + size], 'little')
            need(at + size <= end, 'packed levels are cut')
            mask = (1 << width) - 1
            if width in (8, 16):
                out.extend(struct.unpack_from('<%d%s' % ((head >> 1) * 8, 'B' if width == 8 else 'H'),
                                              data, at))
            else:
                for group in range(head >> 1):
                    part = int.from_bytes(data[at + group * width:at + (group + 1) * width], 'little')
                    out.extend(part >> width * i & mask for i in range(8))
            at += size
        else:
            size = (width + 7) // 8
            out.extend([int.from_bytes(data[at:at + size], 'little')] * (head >> 1))
            at += size
    return out[:n], at


def levels(data, at, most, n):
    size, = struct.unpack_from('<I', data, at)
    out, end = hybrid(data, at + 4, at + 4 + size, most.bit_length(), n)
    need(end == at + 4 + size, 'levels have', size, 'bytes, not', end - at - 4)
    need(all(v <= most for v in out), 'a level is too large')
    return out, end


def delta(data, at, n, bits):
    t = Thrift(data, at)
    block, minis, total, value = t.varint(), t.varint(), t.varint(), t.zigzag()
    need(total == n, 'deltas:', total, 'values, not', n)
    mask = (1 << bits) - 1
    out = [value & mask] if n else []
    while len(out) < n:
        least = t.zigzag()
        widths = [t.byte() for _ in range(minis)]
        for width in widths:
            if len(out) >= n:
                break
            need(width <= bits, 'deltas: width', width)
            size = block // minis * width // 8
            packed = int.from_bytes(t.data[t.at:t.at + size], 'little')
            need(t.at + size <= len(t.data), 'deltas are cut')
            t.at += size
            for i in range(min(block // minis, n - len(out))):
                step = least + (packed >> width * i & (1 << width) - 1)
                out.append(out[-1] + step & mask)
    sign = 1 << bits - 1
    return [v - (v & sign) * 2 for v in out], t.at


def delta_texts(data, at, n):
    """Texts, of which each has so many bytes of the one before it."""
    common, at = delta(data, at, n, 32)
    rest, at = delta(data, at, n, 32)
    out, before = [], b''
    for have, more in zip(common, rest):
        need(0 <= have <= len(before) and 0 <= more <= len(data) - at, 'a text is cut')
        before = before[:have] + bytes(data[at:at + more])
        out.append(before)
        at += more
    return out, at


def unpack(frames, sizes):
    """Frames of zstd, of these sizes: one process for all of them."""
    if not frames:
        return []
    done = subprocess.run(['zstd', '-dcq'], input=b''.join(frames), stdout=subprocess.PIPE, check=True)
    need(len(done.stdout) == sum(sizes), 'pages have', len(done.stdout), 'bytes, not', sum(sizes))
    out, at = [], 0
    for size in sizes:
        out.append(done.stdout[at:at + size])
        at += size
    return out


class File:
    def __init__(self, path):
        with open(path, 'rb') as f:
            self.data = f.read()
        data = self.data
        need(len(data) >= 12 and data[:4] == data[-4:] == b'PAR1', 'no Parquet')
        size, = struct.unpack_from('<I', data, len(data) - 8)
        t = Thrift(data, len(data) - 8 - size)
        self.meta = t.struct()
        need(t.at == len(data) - 8, 'the footer has', size, 'bytes')
        self.rows = self.meta[3]
        self.keys = {k[1].decode(): k[2].decode() for k in self.meta.get(5, [])}
        self.created_by = self.meta[6].decode()
        self.read_schema()
        need(len(self.meta[7]) == len(self.columns), 'orders of columns')
        self.pages = [page for group in self.meta[4] for chunk in group[1] for page in self.chunk_pages(chunk)]
        bodies = unpack([p['packed'] for p in self.pages], [p['size'] for p in self.pages])
        for page, body in zip(self.pages, bodies):
            page['body'] = body
        at = iter(self.pages)
        count = 0
        for group in self.meta[4]:
            count += group[3]
            self.read_group(group, at)
        need(count == self.rows, count, 'rows in groups, not', self.rows)
        for column in self.columns:
            need(len(column.values) == self.rows, column.name, 'has', len(column.values), 'rows')

    def read_schema(self):
        schema = self.meta[2]
        self.columns, at = [], 1
        for _ in range(schema[0][5]):
            leaf, is_list = schema[at], 5 in schema[at]
            name = leaf[4].decode('utf-8')
            if is_list:
                need(leaf[6] == 3 and leaf[3] == 1 and schema[at + 1][3] == 2, name, 'is no list')
                need(schema[at + 1][4] == b'list' and schema[at + 2][4] == b'element', name)
                leaf, at = schema[at + 2], at + 2
            self.columns.append(Column(name, leaf, is_list))
            at += 1
        need(at == len(schema), 'elements of the schema are left')
        names = [c.name for c in self.columns]
        need(len(set(names)) == len(names), 'a name twice')

    def __getitem__(self, name):
        return next(c for c in self.columns if c.name == name)

    def names(self):
        return [c.name for c in self.columns]

    def table(self):
        """The rows as {name: value}."""
        return [dict(zip(self.names(), row)) for row in zip(*(c.values for c in self.columns))]

    def chunk_pages(self, chunk):
        meta = chunk[3]
        start = meta.get(11, meta[9])
        at, end, raw = start, start + meta[7], 0
        pages = []
        while at < end:
            t = Thrift(self.data, at)
            head = t.struct()
            pages.append({'head': head, 'at': at, 'size': head[2], 'packed': self.data[t.at:t.at + head[3]]})
            raw += t.at - at + head[2]
            at = t.at + head[3]
            pages[-1]['len'] = at - pages[-1]['at']
        need(at == end, 'a chunk has', meta[7], 'bytes')
        need(raw == meta[6], 'a chunk has', meta[6], 'bytes unpacked, not', raw)
        need(meta[4] == 6, 'not zstd')
        return pages

    def read_group(self, group, pages):
        need(len(group[1]) == len(self.columns), 'chunks')
        raw = packed = 0
        for column, chunk in zip(self.columns, group[1]):
            n = self.read_chunk(column, chunk, pages)
            need(n == group[3], column.name, 'has', n, 'rows in a group of', group[3])
            raw += chunk[3][6]
            packed += chunk[3][7]
        need(raw == group[2] and packed == group[6], 'sizes of a group')
        for order in group.get(4, []):
            values = self.columns[order[1]].values[-group[3]:]
            need(not order[2] and all(a <= b for a, b in zip(values, values[1:])), 'not sorted')

    def read_chunk(self, column, chunk, pages):
        meta = chunk[3]
        path = [p.decode('utf-8') for p in meta[3]]
        need(path == [column.name] + (['list', 'element'] if column.list else []), path)
        need(meta[1] == column.physical, column.name, 'type')
        dictionary, rows, slots, nulls, bounds, places, used = None, 0, 0, 0, [], [], set()
        while slots < meta[5]:
            page = next(pages)
            head, body = page['head'], page['body']
            if head[1] == 2:
                need(dictionary is None and slots == 0 and page['at'] == meta[11], 'a second dictionary')
                values, end = column.plain(body, 0, head[7][1])
                need(end == len(body), column.name, 'the dictionary has bytes left')
                dictionary = [column.convert(v) for v in values]
                continue
            need(head[1] == 0 and (slots > 0 or page['at'] == meta[9]), 'the first data page')
            got, n, missing = self.read_page(column, head[5], body, dictionary, used)
            places.append((page['at'], page['len'], rows))
            flat = [v for v in got if v is not None]
            bounds.append((flat, missing, len(got)))
            column.values.extend(got)
            rows += len(got)
            slots += n
            nulls += missing
        need(slots == meta[5], column.name, 'has', slots, 'values, not', meta[5])
        need(used == set(meta[2]) - ({PLAIN} if dictionary is not None and PLAIN not in used else set()),
             column.name, 'encodings', meta[2], used)
        self.check_bounds(column, meta[12], [v for flat, _, _ in bounds for v in flat], nulls)
        self.check_index(column, chunk, bounds, places)
        return rows

    def read_page(self, column, head, body, dictionary, used):
        n, at = head[1], 0
        repeat, defined = [0] * n, [1] * n
        if column.list:
            repeat, at = levels(body, at, 1, n)
            defined, at = levels(body, at, 2, n)
            used.add(RLE)
        elif not column.required:
            defined, at = levels(body, at, 1, n)
        used.add(RLE)
        most = 2 if column.list else 1
        have = sum(d == most for d in defined)
        used.add(head[2])
        if head[2] == RLE_DICTIONARY:
            codes, at = hybrid(body, at + 1, len(body), body[at], have) if have else ([], len(body))
            values = [dictionary[c] for c in codes]
        elif head[2] == DELTA:
            values, at = delta(body, at, have, 32 if column.physical == INT32 else 64)
            values = [column.convert(v) for v in values]
        elif head[2] == DELTA_TEXTS:
            need(column.physical == BYTES, 'texts in a column of type', column.physical)
            values, at = delta_texts(body, at, have)
            values = [column.convert(v) for v in values]
        else:
            need(head[2] == PLAIN, 'encoding', head[2])
            values, at = column.plain(body, at, have)
            values = [column.convert(v) for v in values]
        need(at == len(body), column.name, len(body) - at, 'bytes of a page are left')
        out, value = [], iter(values)
        if not column.list:
            return [next(value) if d else None for d in defined], n, n - have
        for r, d in zip(repeat, defined):
            if r == 0:
                out.append(None if d == 0 else [])
            else:
                need(d == 2, 'an empty element')
            if d == 2:
                out[-1].append(next(value))
        return out, n, n - have

    def bound(self, column, raw):
        value = raw
        if column.physical not in (BYTES, FIXED):
            value = column.plain(raw, 0, 1)[0][0]
        return column.convert(value)

    def order(self, column, value):
        return value.encode() if isinstance(value, str) else value

    def check_least(self, column, least, greatest, values):
        keys = [self.order(column, v) for v in values]
        least, greatest = (self.order(column, self.bound(column, v)) for v in (least, greatest))
        need(least == min(keys) and greatest == max(keys), column.name, 'bounds', least, greatest,
             'of', min(keys), max(keys))

    def check_bounds(self, column, stats, values, nulls):
        need(stats[3] == nulls, column.name, 'has', nulls, 'nulls, not', stats[3])
        if 5 in stats:
            self.check_least(column, stats[6], stats[5], values)
        elif values and not column.list and column.logical != 'JSON':
            long = column.physical == BYTES and max(len(v) for v in values) > 64 // 4
            need(long, column.name, 'has no bounds')

    def check_index(self, column, chunk, bounds, places):
        t = Thrift(self.data, chunk[4])
        found = [(p[1], p[2], p[3]) for p in t.struct()[1]]
        need(t.at == chunk[4] + chunk[5] and found == places, column.name, 'places of pages')
        if 6 not in chunk:
            return
        t = Thrift(self.data, chunk[6])
        index = t.struct()
        need(t.at == chunk[6] + chunk[7], 'length of an index')
        need(index[5] == [missing for _, missing, _ in bounds], column.name, 'nulls of pages')
        for empty, least, greatest, (values, _, _) in zip(index[1], index[2], index[3], bounds):
            need(empty == (not values), column.name, 'null pages')
            if values:
                self.check_least(column, least, greatest, values)
        if index[4] == 1:
            least = [self.bound(column, v) for v in index[2]]
            need(least == sorted(least), column.name, 'pages are not in order')


def read(path):
    return File(path)
