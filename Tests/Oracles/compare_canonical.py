#!/usr/bin/env python3
"""Compares a source store with the canonical store made of it: every table, column and row.

Exits 0 when all is equal, else prints the first differences and exits 1. Columns must stand in
the source's order with the type of the design; join tables are compared without regard to `_pk`.
"""

from __future__ import annotations

import argparse
import base64
import json
import sqlite3
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from any_store import read_store  # noqa: E402
from store_copy import opened  # noqa: E402

APPLICATION_ID = 0x52484D31
FORMAT = 1
MOST_SHOWN = 20
DECLARED = {
    "text": "TEXT", "integer": "INTEGER", "real": "REAL", "boolean": "INTEGER",
    "timestamp": "TEXT", "decimal": "TEXT", "uuid": "TEXT", "uri": "TEXT", "binary": "BLOB",
    "reference": "INTEGER", "json": "TEXT",
}
INFINITIES = {"Infinity": float("inf"), "-Infinity": float("-inf")}


def stored(kind: str, value: object) -> object:
    """What a canonical store keeps for a JSON value."""
    if value is None:
        return None
    if kind == "boolean":
        return int(value)
    if kind == "binary":
        return base64.b64decode(value)
    if kind == "real":
        return INFINITIES.get(value, value)
    return value


def differences(source: Path, canonical: Path) -> list[str]:
    """What differs between a source and its canonical store."""
    document = read_store(source)
    with opened(canonical) as database:
        database.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        found = header_differences(database)
        rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        there = {
            name for (name,) in rows if not name.startswith(("rehome_", "sqlite_"))
        }
        wanted = document["tables"]
        found += [f"{name}: no such table" for name in wanted if name not in there]
        found += [f"{name}: not a table of the source" for name in sorted(there - set(wanted))]
        for name, table in wanted.items():
            if name in there:
                found += table_differences(database, name, table)
        return found


def header_differences(database: sqlite3.Connection) -> list[str]:
    """What is wrong with the numbers in the header."""
    found = []
    for pragma, wanted in (("application_id", APPLICATION_ID), ("user_version", FORMAT)):
        value = database.execute(f"PRAGMA {pragma}").fetchone()[0]
        if value != wanted:
            found.append(f"{pragma} is {value}, not {wanted}")
    return found


def table_differences(
    database: sqlite3.Connection, name: str, table: dict[str, object]
) -> list[str]:
    """What differs in one table."""
    quoted = '"' + name.replace('"', '""') + '"'
    columns = [
        (row[1], row[2]) for row in database.execute(f"PRAGMA table_info({quoted})")
    ]
    kinds = [column["type"] for column in table["columns"]]
    wanted = [("_pk", "INTEGER")]
    wanted += [(column["name"], DECLARED[column["type"]]) for column in table["columns"]]
    is_join = table.get("join", False)
    if columns != wanted and not (is_join and sorted(columns) == sorted(wanted)):
        return [f"{name}: columns are {columns}, not {wanted}"]
    chosen = ", ".join('"' + column.replace('"', '""') + '"' for column, _ in wanted)
    left = [
        [row[0]] + [stored(kind, value) for kind, value in zip(kinds, row[1:])]
        for row in table["rows"]
    ]
    query = f"SELECT {chosen} FROM {quoted} ORDER BY _pk"
    right = [list(row) for row in database.execute(query)]
    if is_join:
        left, right = (numbered(rows) for rows in (left, right))
    return row_differences(name, [column for column, _ in wanted], left, right)


def numbered(rows: list[list[object]]) -> list[list[object]]:
    """Join rows in one order, with fresh keys."""
    ordered = sorted((row[1:] for row in rows), key=repr)
    return [[at, *row] for at, row in enumerate(ordered, start=1)]


def row_differences(
    name: str, columns: list[str], left: list[list[object]], right: list[list[object]]
) -> list[str]:
    """Which rows and cells differ."""
    found = []
    rows = {row[0]: row for row in right}
    for row in left:
        other = rows.pop(row[0], None)
        if other is None:
            found.append(f"{name} {row[0]}: row is missing")
            continue
        for column, wanted, value in zip(columns, row, other):
            if type(wanted) is not type(value) or wanted != value:
                found.append(f"{name} {row[0]}.{column}: {value!r}, not {wanted!r}")
    found += [f"{name} {pk}: row is not in the source" for pk in rows]
    return found


def main() -> int:
    """Prints the differences."""
    parser = argparse.ArgumentParser(description="Compare a source with its canonical store.")
    parser.add_argument("source", type=Path)
    parser.add_argument("canonical", type=Path)
    parser.add_argument("--json", action="store_true", help="print the differences as JSON")
    options = parser.parse_args()
    found = differences(options.source, options.canonical)
    if options.json:
        print(json.dumps(found, ensure_ascii=False))
    else:
        for line in found[:MOST_SHOWN]:
            print(line)
        if len(found) > MOST_SHOWN:
            print(f"… and {len(found) - MOST_SHOWN} more")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
