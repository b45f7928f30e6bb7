#!/usr/bin/env python3
"""Reads an Azure Mobile iOS store by the format's description and prints it as one JSON document.

It shares no code with the tool it tests. `--ndjson TABLE` prints one table as plain rows instead.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from app_tables import AppTables  # noqa: E402
from store_copy import opened  # noqa: E402
from sync_queue import OPERATIONS, SyncQueue  # noqa: E402


def read_store(store: Path) -> dict[str, object]:
    """Everything a store holds, in canonical form."""
    with opened(store) as database:
        tables = AppTables(database, store)
        synced = OPERATIONS in tables.all_tables
        queue = SyncQueue(database, tables) if synced else None
    return {
        "layout": "azure-mobile-ios" if synced else "core-data",
        "generation": queue.generation if queue else None,
        "tables": shown_tables(tables),
        "operations": queue.operations if queue else [],
        "errors": queue.errors if queue else [],
        "tokens": queue.tokens if queue else [],
        "rejects": tables.rejects,
    }


def shown_tables(tables: AppTables) -> dict[str, object]:
    """The tables with their columns and rows; join tables are marked."""
    shown: dict[str, object] = {}
    for table in tables.tables:
        columns = [
            {"name": use.name, "sourceName": use.source, "type": use.kind}
            for use in table.columns
        ]
        shown[table.name] = {"columns": columns, "rows": table.rows}
    for join in tables.joins:
        columns = [
            {"name": name, "sourceName": source, "type": kind}
            for name, kind, source in join.columns
        ]
        shown[join.name] = {"columns": columns, "rows": join.rows, "join": True}
    return shown


def table_lines(document: dict[str, object], table: str) -> str:
    """One table as newline-delimited JSON."""
    columns = document["tables"][table]["columns"]
    names = ["_pk"] + [column["name"] for column in columns]
    rows = (dict(zip(names, row)) for row in document["tables"][table]["rows"])
    return "".join(
        json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)


def main() -> int:
    """Prints what the arguments ask for."""
    parser = argparse.ArgumentParser(description="Print an Azure Mobile iOS store as JSON.")
    parser.add_argument("store", type=Path)
    parser.add_argument("--ndjson", metavar="TABLE")
    options = parser.parse_args()
    document = read_store(options.store)
    if options.ndjson:
        output = table_lines(document, options.ndjson)
    else:
        output = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    sys.stdout.buffer.write(output.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
