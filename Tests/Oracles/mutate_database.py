"""Damages database files page by page, and fills sound ones with what no app would write."""

import sqlite3
import struct

from mutate_bytes import cut, flip, put

HEADER_FIELDS = [
    (16, 2), (18, 1), (19, 1), (20, 1), (21, 1), (24, 4), (28, 4), (32, 4), (36, 4), (40, 4),
    (44, 4), (48, 4), (52, 4), (56, 4), (60, 4), (64, 4), (68, 4), (92, 4), (96, 4)]
PAGE_FIELDS = [(0, 1), (1, 2), (3, 2), (5, 2), (7, 1), (8, 4), (8, 2), (10, 2), (12, 2)]
SERIAL_TYPES = list(range(16)) + [20, 127, 128, 129, 255]
WAL = bytes.fromhex("377f0682002de218")
JOURNAL = bytes.fromhex("d9d505f920a163d7")


def damage(files, others, source):
    """The files with one of them damaged, or with a side file that was never theirs."""
    files = dict(files)
    name = source.choice(sorted(files))
    if name == "store":
        files[name] = damage_pages(files[name], others, source)
    else:
        files[name] = flip(files[name], source) if source.random() < 0.7 else cut(
            files[name], source)
    if len(files) == 1 and source.random() < 0.1:
        ending, magic = source.choice([("-wal", WAL), ("-journal", JOURNAL)])
        files["store" + ending] = source.choice(
            [bytes(512), source.randbytes(600), magic + source.randbytes(5000)])
    return files


def damage_pages(content, others, source):
    content = bytearray(content)
    size = struct.unpack(">H", content[16:18])[0]
    size = size if size >= 512 else 4096
    count = max(1, len(content) // size)

    def page():
        return source.randrange(count) * size

    kind = source.randrange(12)
    if kind <= 1:
        return flip(bytes(content), source)
    if kind == 2:
        one, two = page(), page()
        content[one:one + size], content[two:two + size] = (
            content[two:two + size], content[one:one + size])
    elif kind == 3:
        return cut(bytes(content), source) if source.random() < 0.5 else bytes(content[:page()])
    elif kind == 4:
        other = source.choice(others)
        start = source.randrange(max(1, len(other) // size)) * size
        place = page()
        content[place:place + size] = (other[start:start + size] + bytes(size))[:size]
    elif kind == 5:
        place, width = source.choice(HEADER_FIELDS)
        numbers = [0, 1, 2, 3, 4, 255, 512, 0x7FFFFFFF, 0xFFFFFFFF, source.randrange(1 << 32)]
        put(content, place, source.choice(numbers), width)
    elif kind <= 7:
        damage_page_header(content, page(), size, count, source)
    elif kind <= 10:
        for _ in range(source.choice([1, 1, 3])):
            damage_record(content, page(), source)
    else:
        place = page()
        content[place:place + size] = source.choice(
            [bytes(size), b"\xff" * size, source.randbytes(size)])
    return bytes(content)


def damage_page_header(content, page, size, count, source):
    start = page + (100 if page == 0 else 0)
    place, width = source.choice(PAGE_FIELDS)
    numbers = [0, 1, 2, 5, 10, 13, size - 1, size, 0xFFFF, source.randrange(count + 2)]
    put(content, start + place, source.choice(numbers), width)


def damage_record(content, page, source):
    """Changes the type or length of a value, or the length or key of a whole cell."""
    start = page + (100 if page == 0 else 0)
    kind = content[start]
    count = struct.unpack(">H", content[start + 3:start + 5])[0]
    if kind not in (2, 5, 10, 13) or count == 0:
        return
    pointer = start + (12 if kind in (2, 5) else 8) + 2 * source.randrange(count)
    cell = page + struct.unpack(">H", (bytes(content[pointer:pointer + 2]) + b"\0\0")[:2])[0]
    place = cell + source.randrange(24)
    if place < len(content):
        content[place] = source.choice(SERIAL_TYPES)


TYPES = [
    "TEXT", "INTEGER", "BLOB", "TIMESTAMP", "PRIMARY KEY", "NOT NULL", "WITHOUT ROWID",
    "GENERATED ALWAYS AS (1)", "GENERATED ALWAYS AS (zeroblob(2000000))", "COLLATE NOCASE",
    "DEFAULT (hex(zeroblob(100000)))", "REFERENCES t", "UNIQUE", "CHECK (0)"]
COLUMNS = ["Z_PK", "Z_ENT", "_pk", "ZNEW", "version", "id", "x", "..", "a b", ""]
TABLES = [
    "ZX", "../x", "a/b", "", ".", "sqlite", "con", "x" * 300, "MS_TableOperations", "Z_METADATA",
    "rehome_meta", "\u202e", "a\nb"]
VALUES = [
    None, 0, 1, -1, 2**63 - 1, -2**63, 1e308, -1e308, float("inf"), 5e-324, 1e20, -63114076800.0,
    4e11, "", "x", "\0", "0001-01-01", "9999-12-31T23:59:59.999Z", "NaN", "1e999", "{}", "[]",
    "null", '{"id":1}', '{"id":null,"__version":{}}', "[" * 9, '{"a":' * 600, "\U0001F600",
    "../../etc/passwd", b"", b"\0", b"\xff\xfe", b"bplist00", "a" * 100_000, b"\1" * 5000]


def change_contents(path, source):
    """A sound file whose values and tables are not what a reader hopes for."""
    try:
        database = sqlite3.connect(path)
        database.text_factory = bytes
        database.execute("PRAGMA writable_schema=ON")
        database.execute("PRAGMA journal_mode=DELETE")
        for _ in range(source.choice([1, 1, 1, 2, 4, 10])):
            try:
                change(database, source)
            except (sqlite3.Error, OverflowError, UnicodeDecodeError):
                continue
        database.commit()
        database.close()
    except sqlite3.Error:
        # What the engine refuses to change is a good mutant as it stands.
        return


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def change(database, source):
    names = [row[0].decode() for row in database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    table = quoted(source.choice(names or ["none"]))
    columns = [row[1].decode() for row in database.execute(f"PRAGMA table_info({table})")]
    column = quoted(source.choice(columns or ["none"]))
    kind = source.randrange(13)
    if kind <= 6:
        change_value(database, table, column, source)
    elif kind == 7:
        database.execute(f"DROP TABLE {table}")
    elif kind == 8:
        database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    elif kind == 9:
        new = quoted(source.choice(COLUMNS) + source.choice(["", "2"]))
        database.execute(f"ALTER TABLE {table} ADD COLUMN {new} {source.choice(TYPES)}")
    elif kind == 10:
        new = quoted(source.choice(COLUMNS))
        database.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO {new}")
    elif kind == 11:
        database.execute(f"ALTER TABLE {table} RENAME TO {quoted(source.choice(TABLES))}")
    else:
        change_schema(database, source)


def change_value(database, table, column, source):
    keys = [row[0] for row in database.execute(f"SELECT rowid FROM {table} ORDER BY rowid")]
    if not keys:
        return
    key = source.choice(keys)
    old = database.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (key,)).fetchone()[0]
    value = source.choice(VALUES)
    if isinstance(old, bytes) and old and source.random() < 0.6:
        value = source.choice([flip(old, source), cut(old, source)])
        if source.random() < 0.5:
            value = value.decode("utf-8", "replace")
    place = "WHERE rowid = ?" if source.random() < 0.8 else "WHERE ? NOT NULL"
    database.execute(f"UPDATE {table} SET {column} = ? {place}", (value, key))


def change_schema(database, source):
    """One word of a stored statement replaced by another."""
    rows = list(database.execute(
        "SELECT rowid, sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY rowid"))
    key, statement = source.choice(rows)
    words = statement.decode().split(" ")
    words[source.randrange(len(words))] = source.choice(TYPES)
    database.execute("UPDATE sqlite_schema SET sql = ? WHERE rowid = ?", (" ".join(words), key))
