#!/usr/bin/env python3
"""Reads a sibling SDK's store, or any SQLite file, and prints it as one JSON document.

It follows the formats' description and shares no code with the tool it tests. `--ndjson TABLE`
prints one table as plain rows instead. Core Data stores are for `ios_store.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from ios_store import table_lines  # noqa: E402
from sibling_layout import NotASibling, recognised  # noqa: E402
from sibling_queues import QUEUES  # noqa: E402
from sibling_tables import SiblingTable, SiblingTables  # noqa: E402
from store_copy import opened  # noqa: E402


def read_store(store: Path) -> dict[str, object]:
    """Everything a store holds, in canonical form."""
    with opened(store) as database:
        layout = recognised(database)
        tables = SiblingTables(database, layout)
        queue = QUEUES[layout.family](database, tables, layout)
    return {
        "layout": layout.identifier,
        "generation": layout.generation if layout.family in "abd" else None,
        "tables": {table.name: shown(table) for table in tables.tables},
        "operations": queue.operations,
        "garbage": queue.garbage,
        "changed": queue.changed,
        "errors": queue.errors,
        "tokens": queue.tokens,
        "rejects": tables.rejects,
    }


def shown(table: SiblingTable) -> dict[str, object]:
    """A table with its columns and rows."""
    columns = [
        {"name": each.name, "sourceName": each.source, "type": each.kind, "role": each.role}
        for each in table.columns
    ]
    return {"columns": columns, "rows": table.rows}


def main() -> int:
    """Prints what the arguments ask for."""
    parser = argparse.ArgumentParser(description="Print a sibling SDK's store as JSON.")
    parser.add_argument("store", type=Path)
    parser.add_argument("--ndjson", metavar="TABLE")
    options = parser.parse_args()
    try:
        document = read_store(options.store)
    except NotASibling as other:
        parser.exit(65, f"{options.store}: {other}, which is for another reader\n")
    if options.ndjson:
        output = table_lines(document, options.ndjson)
    else:
        output = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    sys.stdout.buffer.write(output.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
