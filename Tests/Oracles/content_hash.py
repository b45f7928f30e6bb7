#!/usr/bin/env python3
"""Computes the content hash of a canonical store: `content_hash.py STORE...`.

Written from the words of `rehome-export(5)`, section CONTENT HASH, and shares no code with the tool
it tests. Prints `<64 hex digits>  <name>` for each store; `--tables` also prints one line a table.
"""

from __future__ import annotations

import argparse
import hashlib
import sqlite3
import struct
import sys
from collections.abc import Iterable, Iterator

Row = tuple[int, list[object]]
Columns = list[tuple[str, str]]

QUEUE: dict[str, Columns] = {
    "operations": [
        ("table", "text"), ("itemId", "text"), ("kind", "text"), ("state", "text"),
        ("item", "json"), ("baseVersion", "text"), ("rowKey", "integer"), ("rowTable", "text"),
        ("originalId", "text"), ("originalCode", "text"), ("rawStorage", "text"),
        ("raw", "binary"),
    ],
    "errors": [
        ("table", "text"), ("itemId", "text"), ("kind", "text"), ("status", "integer"),
        ("code", "text"), ("message", "text"), ("item", "json"), ("serverItem", "json"),
        ("operation", "integer"), ("originalId", "text"), ("originalOperationId", "text"),
        ("rawStorage", "text"), ("raw", "binary"),
    ],
    "tokens": [
        ("table", "text"), ("query", "text"), ("updatedAt", "timestamp"), ("raw", "text"),
    ],
}


def counted(text: str) -> bytes:
    """A text with its size in front."""
    data = text.encode()
    return struct.pack(">I", len(data)) + data


def encoded(value: object) -> bytes:
    """A cell: a byte for its kind, then its number or its size and bytes."""
    if value is None:
        return b"\0"
    if isinstance(value, int):
        return b"\1" + struct.pack(">q", value)
    if isinstance(value, float):
        return b"\2" + struct.pack(">d", value if value else 0.0)
    if isinstance(value, str):
        return b"\3" + counted(value)
    return b"\4" + struct.pack(">I", len(value)) + bytes(value)


def table_hash(name: str, columns: Columns, rows: Iterable[Row]) -> bytes:
    """The hash of one table, whatever the order of its rows."""
    total = count = 0
    for key, cells in rows:
        data = struct.pack(">q", key) + b"".join(encoded(cell) for cell in cells)
        total += int.from_bytes(hashlib.sha256(data).digest(), "big")
        count += 1
    head = counted("rehome table 1") + counted(name) + struct.pack(">I", len(columns))
    head += b"".join(counted(column) + counted(kind) for column, kind in columns)
    head += struct.pack(">Q", count) + (total % 2**256).to_bytes(32, "big")
    return hashlib.sha256(head).digest()


def quoted(name: str) -> str:
    """A name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'


def app_rows(database: sqlite3.Connection, table: str, columns: Columns) -> Iterator[Row]:
    """The rows of one of the app's tables."""
    names = ", ".join(quoted(name) for name in ["_pk"] + [name for name, _ in columns])
    for key, *cells in database.execute(f"SELECT {names} FROM {quoted(table)}"):
        yield key, cells


def queue_rows(database: sqlite3.Connection, part: str) -> Iterator[Row]:
    """The rows of one part of the queue; a raw value becomes its storage class and its bytes."""
    names = [name for name, _ in QUEUE[part] if name != "rawStorage"]
    key = "sequence" if part == "operations" else "id"
    table = "rehome_" + part[:-1]
    listed = ", ".join(quoted(name) for name in [key] + names)
    rows = database.execute(f"SELECT {listed} FROM {table} ORDER BY {key}")
    for place, (number, *cells) in enumerate(rows, start=1):
        if part != "tokens":
            cells[-1:] = raw(cells[-1])
        yield (number if part == "operations" else place), cells


def raw(value: object) -> list[object]:
    """The storage class and the bytes of a raw value."""
    if value is None:
        return [None, None]
    if isinstance(value, int):
        return ["integer", struct.pack(">q", value)]
    if isinstance(value, float):
        return ["real", struct.pack(">d", value if value else 0.0)]
    if isinstance(value, str):
        return ["text", value.encode()]
    return ["blob", value]


def store_hashes(path: str) -> dict[str, bytes]:
    """The hash of each table and part of the queue, and of the whole store under an empty name."""
    database = sqlite3.connect(path)
    hashes = {}
    for (table,) in database.execute("SELECT name FROM rehome_table ORDER BY position").fetchall():
        columns = database.execute(
            'SELECT name, type FROM rehome_column WHERE "table" = ? ORDER BY position', [table],
        ).fetchall()
        hashes[table] = table_hash(table, columns, app_rows(database, table, columns))
    data = counted("rehome store 1") + struct.pack(">I", len(hashes))
    data += b"".join(hashes[name] for name in sorted(hashes, key=str.encode))
    for part, columns in QUEUE.items():
        data += table_hash(part, columns, queue_rows(database, part))
    hashes[""] = hashlib.sha256(data).digest()
    return hashes


def main() -> int:
    """Prints the hashes."""
    parser = argparse.ArgumentParser(description="Print the content hash of canonical stores.")
    parser.add_argument("store", nargs="+")
    parser.add_argument("--tables", action="store_true")
    options = parser.parse_args()
    for store in options.store:
        hashes = store_hashes(store)
        if options.tables:
            for name in sorted(filter(None, hashes), key=str.encode):
                print(f"{hashes[name].hex()}  {store} {name}")
        print(f"{hashes[''].hex()}  {store}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
