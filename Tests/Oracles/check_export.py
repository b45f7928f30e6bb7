#!/usr/bin/env python3
"""Compares exports with the canonical store they hold: `check_export.py STORE EXPORT...`.

Every value is read back by Python's own parsers and compared with what sqlite3 reads from the
store; counts, and the hashes of files, tables and the whole store, are computed anew. Prints what
differs; exits 0 when nothing does.
"""

from __future__ import annotations

import hashlib
import sqlite3
import struct
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from content_hash import (  # noqa: E402
    QUEUE, app_rows, counted, queue_rows, raw, store_hashes, table_hash,
)
from read_export import PARTS, columns_of, read_export, same  # noqa: E402


def expected_tables(database: sqlite3.Connection) -> dict[str, tuple[list, list]]:
    """Columns and rows of each of the app's tables."""
    tables = {}
    for (table,) in database.execute("SELECT name FROM rehome_table ORDER BY position").fetchall():
        columns = database.execute(
            'SELECT name, type FROM rehome_column WHERE "table" = ? ORDER BY position', [table],
        ).fetchall()
        rows = [[key] + cells for key, cells in app_rows(database, table, columns)]
        tables[table] = (columns, sorted(rows, key=lambda row: row[0]))
    return tables


def expected_rejects(database: sqlite3.Connection) -> list[list[object]]:
    """The rows of the rejects."""
    rows = database.execute(
        'SELECT "table", "row", "column", code, raw FROM rehome_reject ORDER BY id')
    return [[place, *row[:4], *raw(row[4])] for place, row in enumerate(rows, start=1)]


def check_rows(name: str, rows: list, wanted: list) -> list[str]:
    """What differs between two lists of rows."""
    if len(rows) != len(wanted):
        return [f"{name}: {len(rows)} rows, not {len(wanted)}"]
    return [
        f"{name}, row {right[0]}: {left!r} is not {right!r}"
        for left, right in zip(rows, wanted)
        if len(left) != len(right) or not all(map(same, left, right))
    ]


def check(store: str, path: str) -> list[str]:
    """What differs between one export and the store."""
    database = sqlite3.connect(store)
    export = read_export(Path(path))
    wanted = expected_tables(database)
    found = []
    if [table["name"] for table in export["tables"]] != list(wanted):
        return [f"the tables are {[table['name'] for table in export['tables']]}"]
    digests = []
    for table in export["tables"] + [export[part] for part in PARTS]:
        name, columns, rows = table["name"], columns_of(table), table["rows"]
        if name in wanted and table not in [export[part] for part in PARTS]:
            if columns != wanted[name][0]:
                found.append(f"{name}: the columns are {columns}")
            found += check_rows(name, rows, wanted[name][1])
        if table["count"] != len(rows):
            found.append(f"{name}: {table['count']} is not the number of rows")
        digest = table_hash(name, columns, ((row[0], row[1:]) for row in rows))
        if digest.hex() != table["hash"]:
            found.append(f"{name}: another hash")
        digests.append((name, digest))
    for part, columns in QUEUE.items():
        if columns_of(export[part]) != columns:
            found.append(f"{part}: the columns are {columns_of(export[part])}")
        rows = [[key] + cells for key, cells in queue_rows(database, part)]
        found += check_rows(part, export[part]["rows"], rows)
    found += check_rows("rejects", export["rejects"]["rows"], expected_rejects(database))
    tables = sorted(digests[:-4], key=lambda pair: pair[0].encode())
    data = counted("rehome store 1") + struct.pack(">I", len(tables))
    data += b"".join(digest for _, digest in tables + digests[-4:-1])
    if not hashlib.sha256(data).hexdigest() == export["hash"] == store_hashes(store)[""].hex():
        found.append("the store's hash is another one")
    return [f"{path}: {line}" for line in found]


def main() -> int:
    """Checks every export."""
    store, *exports = sys.argv[1:]
    found = [line for export in exports for line in check(store, export)]
    for line in found:
        print(line[:500])
    return 1 if found or not exports else 0


if __name__ == "__main__":
    sys.exit(main())
