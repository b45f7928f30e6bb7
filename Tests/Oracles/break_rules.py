#!/usr/bin/env python3
"""Makes inputs of every layout that would break a rule of the canonical store.

    break_rules.py FOLDER CANONICAL CORE_DATA

CANONICAL is a sound canonical store, from which stores are made that lack its rules: each column of
its bookkeeping empty, of another type, at the ends of the numbers or twice the same; rows and names likewise. CORE_DATA is a
store with a table ZTODOITEM.
"""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

Change = Callable[[sqlite3.Connection], None]


def quoted(name: str) -> str:
    """A name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'


def free(database: sqlite3.Connection, table: str) -> None:
    """Takes its rules from a table: no types, no keys, nothing required."""
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({quoted(table)})")]
    names = ", ".join(map(quoted, columns))
    database.execute(f"CREATE TABLE free ({names})")
    database.execute(f"INSERT INTO free SELECT {names} FROM {quoted(table)}")
    database.execute(f"DROP TABLE {quoted(table)}")
    database.execute(f"ALTER TABLE free RENAME TO {quoted(table)}")


def setting(table: str, column: str, value: str, where: str = "") -> Change:
    """Gives all rows, or some, a value."""
    def change(database: sqlite3.Connection) -> None:
        free(database, table)
        database.execute(f"UPDATE {quoted(table)} SET {quoted(column)} = {value} {where}")
    return change


def doubling(table: str) -> Change:
    """Has every row twice."""
    def change(database: sqlite3.Connection) -> None:
        free(database, table)
        database.execute(f"INSERT INTO {quoted(table)} SELECT * FROM {quoted(table)}")
    return change


def calling(name: str, column: str = "") -> Change:
    """Has a table, or a column of one, called so as well."""
    def change(database: sqlite3.Connection) -> None:
        if not column:
            database.execute(
                "INSERT INTO rehome_table SELECT ?, 9, sourceName, sourceTable, 0, 0, 0, 0 "
                "FROM rehome_table LIMIT 1", (name,))
            return
        database.execute(
            'INSERT INTO rehome_column SELECT "table", 99, ?, sourceName, sourceColumn, type, '
            "role, nullable, target FROM rehome_column LIMIT 1", (column,))
    return change


def canonical_changes(path: Path) -> dict[str, Change]:
    """Every change of a canonical store, by name."""
    changes: dict[str, Change] = {}
    database = sqlite3.connect(path)
    tables = [row[0] for row in database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
    for table in tables:
        changes[f"{table}-twice"] = doubling(table)
        for row in database.execute(f"PRAGMA table_info({quoted(table)})").fetchall():
            for what, value in (("null", "NULL"), ("text", "'x' || rowid"), ("one", "1"),
                                ("least", str(-2**63)), ("most", str(2**63 - 1))):
                changes[f"{table}-{row[1]}-{what}"] = setting(table, row[1], value)
    database.close()
    for name in ("TODOITEM", "rehome_meta", "sqlite_x", "", "a\0b"):
        changes[f"named-{name.encode().hex()}"] = calling(name)
    for name in ("ID", "_pk", "_PK", "", "a\0b"):
        changes[f"column-{name.encode().hex()}"] = calling("", name)
    return changes


CORE_DATA: dict[str, Change] = {
    "key-text": setting("ZTODOITEM", "Z_PK", "'k' || Z_PK"),
    "key-null": setting("ZTODOITEM", "Z_PK", "NULL"),
    "key-same": setting("ZTODOITEM", "Z_PK", "1"),
    "key-digits": setting("ZTODOITEM", "Z_PK", "CAST(Z_PK AS TEXT)"),
    "key-real": setting("ZTODOITEM", "Z_PK", "Z_PK + 0.5"),
    "key-least": setting("ZTODOITEM", "Z_PK", str(-2**63), "WHERE Z_PK = 1"),
    "entities-twice": doubling("Z_PRIMARYKEY"),
    "metadata-twice": doubling("Z_METADATA"),
    "metadata-null": setting("Z_METADATA", "Z_PLIST", "NULL"),
    "entity-null": setting("Z_PRIMARYKEY", "Z_NAME", "NULL"),
    "entity-same": setting("Z_PRIMARYKEY", "Z_NAME", "'Same'"),
    "operations-twice": doubling("ZMS_TABLEOPERATIONS"),
    "operations-null": setting("ZMS_TABLEOPERATIONS", "ZID", "NULL"),
}

PLAIN = {
    "names": 'CREATE TABLE rehome_meta (_pk, _PK_, "rehome_x"); INSERT INTO rehome_meta VALUES (1,2,3)',
    "keys": "CREATE TABLE t (rowid TEXT, _rowid_ TEXT, oid TEXT); INSERT INTO t VALUES (1, 1, 1)",
    "wide": "CREATE TABLE t (" + ", ".join(f"c{number}" for number in range(2000)) + ")",
    "widest": "CREATE TABLE t (" + ", ".join(f"c{number}" for number in range(1999)) + ")",
    "extremes": f"CREATE TABLE t (a); INSERT INTO t (rowid, a) VALUES ({-2**63}, 1), ({2**63 - 1}, 2)",
    "collation": "CREATE TABLE t (a TEXT PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO t VALUES ('a', 1)",
}

ROWS = [
    [{"a\0b": 1, "a_b": 2}], [{"id": 1, "ID": 2, "Id": 3}], [{"_pk": 1}, {"_pk": 1}],
    [{"_pk": None}, {"_pk": "x"}], [{"_pk": 2**63 - 1}, {"_pk": 2**64}], [{"": 1}],
    [{"rehome_x": 1, "sqlite_y": 2, "_source": 3, "rowid": 4, "oid": 5}],
    [{f"c{number}": number for number in range(2500)}], [{"a": "\0"}], [{"\ud7ff\uffff": 1}],
]


def main() -> None:
    """Writes the inputs."""
    folder, canonical, core_data = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    folder.mkdir(parents=True)
    changes = [("canonical", canonical, canonical_changes(canonical)),
               ("core-data", core_data, CORE_DATA)]
    for kind, original, all_changes in changes:
        for number, (name, change) in enumerate(all_changes.items()):
            path = folder / f"{kind}-{number}-{name}.store"
            shutil.copyfile(original, path)
            database = sqlite3.connect(path, isolation_level=None)
            database.execute("PRAGMA synchronous = OFF")
            database.execute("PRAGMA journal_mode = DELETE")
            try:
                change(database)
            except sqlite3.Error as error:
                # A generated name that this version of the engine does not take is no case.
                print(path.name, error, file=sys.stderr)
            database.close()
    for name, sql in PLAIN.items():
        database = sqlite3.connect(folder / f"plain-{name}.store")
        database.executescript(sql)
        database.close()
    for number, rows in enumerate(ROWS):
        (folder / f"rows-{number}.json").write_text(json.dumps(rows))
        (folder / f"rows-{number}.ndjson").write_text("\n".join(map(json.dumps, rows)) + "\n")
        with open(folder / f"rows-{number}.csv", "w", newline="") as file:
            writer = csv.writer(file)
            keys = [key.replace("\0", "") for key in rows[0]]
            writer.writerows([keys, *([str(value).replace("\0", "") for value in row.values()]
                                      for row in rows)])


if __name__ == "__main__":
    main()
