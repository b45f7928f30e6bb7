#!/usr/bin/env python3
"""Makes the store with which an app starts from one that has data.

    empty_core_data.py STORE EMPTY [SQL]

The copy has the schema and the model, no rows and no keys given out; then SQL is run on it.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from store_copy import opened, quoted  # noqa: E402


def empty(database: sqlite3.Connection) -> None:
    """Takes all objects out; triggers, which call what only the framework has, stand by."""
    triggers = database.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        database.execute(f"DROP TRIGGER {quoted(name.decode())}")
    for name, in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        if name not in (b"Z_METADATA", b"Z_MODELCACHE", b"Z_PRIMARYKEY"):
            database.execute(f"DELETE FROM {quoted(name.decode())}")
    for _, sql in triggers:
        database.execute(sql.decode())
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
    database.commit()


def main() -> int:
    """Writes the store that the arguments name."""
    target = Path(sys.argv[2])
    with opened(Path(sys.argv[1])) as database:
        empty(database)
        with sqlite3.connect(target) as copy:
            database.backup(copy)
            copy.executescript(sys.argv[3] if len(sys.argv) > 3 else "")
        copy.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
