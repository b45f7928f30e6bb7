#!/usr/bin/env python3
"""Checks that a filled Core Data store has, row by row, what the app's own store had.

    check_core_data.py ORIGINAL FILLED TEMPLATE [places]

The files are read with sqlite3 alone. Not compared are Z_OPT, which begins anew, the keys of the
SDK's own rows, and the GUIDs of tokens. With `places` no rows are compared, and places in an order
need only be there and differ. The schema and what the store says about itself must be those of the
template.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from store_copy import opened, quoted  # noqa: E402

ABOUT = ("Z_METADATA", "Z_MODELCACHE")
SYSTEM = ("ZMS_TABLEOPERATIONS", "ZMS_TABLEOPERATIONERRORS", "ZMS_TABLECONFIG")


def schema(database: sqlite3.Connection) -> list[tuple[str, ...]]:
    """Everything that was declared."""
    return database.execute(
        "SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_schema ORDER BY 1, 2").fetchall()


def tables(database: sqlite3.Connection) -> list[str]:
    """The tables of objects and of pairs."""
    names = [row[1].decode() for row in schema(database) if row[0] == b"table"]
    return [name for name in names if name.startswith("Z") and name not in ABOUT
            and name != "Z_PRIMARYKEY" and not name.startswith("Z_RT_")]


def external(store: Path, value: object) -> object:
    """A value, or the bytes of the file beside the store that it names."""
    if isinstance(value, bytes) and len(value) == 38 and value[:1] == b"\x02":
        folder = store.parent / f".{store.stem}_SUPPORT" / "_EXTERNAL_DATA"
        return b"\x01" + (folder / value[1:37].decode()).read_bytes()
    return value


def rows(database: sqlite3.Connection, store: Path, table: str) -> list[tuple]:
    """The rows of a table, without what may differ."""
    left_out = {"Z_OPT"}
    if table in SYSTEM:
        left_out.add("Z_PK")
    if table == "ZMS_TABLECONFIG":
        left_out.add("ZID")
    columns = [c[1].decode() for c in database.execute(f"PRAGMA table_info({quoted(table)})")]
    names = ", ".join(quoted(c) for c in columns if c not in left_out)
    found = database.execute(f"SELECT {names} FROM {quoted(table)}").fetchall()
    if "REFLEXIVE" in columns:
        found = {tuple(sorted(row)) for row in found}
    return sorted((tuple(external(store, v) for v in row) for row in found), key=repr)


def places(database: sqlite3.Connection, table: str) -> list[str]:
    """Where rows that refer to another one have no place, or share it."""
    columns = [c[1].decode() for c in database.execute(f"PRAGMA table_info({quoted(table)})")]
    troubles = []
    for place in (c for c in columns if c.startswith("Z_FOK_")):
        # A join table has the key of the owner in the column that is no key of the ordered side.
        name = "Z" + place[len("Z_FOK_"):]
        keys = [name] if name in columns else [
            c for c in columns if "FOK" not in c and c != "Z_" + place[len("Z_FOK_"):]]
        if len(keys) != 1:
            continue
        missing = database.execute(
            f"SELECT count(*) FROM {table} WHERE {keys[0]} NOT NULL AND {place} IS NULL")
        shared = database.execute(
            f"SELECT count(*) - count(DISTINCT {keys[0]} || '/' || {place}) FROM {table} "
            f"WHERE {keys[0]} NOT NULL")
        if missing.fetchone()[0] or shared.fetchone()[0]:
            troubles.append(f"{table}.{place}: places are missing or shared")
    return troubles


def largest_keys(database: sqlite3.Connection) -> list[str]:
    """Where Z_MAX is below a key that is in use."""
    troubles = []
    for number, parent, largest in database.execute(
            "SELECT Z_ENT, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY").fetchall():
        if parent and largest:
            troubles.append(f"entity {number} has Z_MAX {largest}, and is no root")
    for table in tables(database):
        columns = [c[1] for c in database.execute(f"PRAGMA table_info({quoted(table)})")]
        if b"Z_PK" not in columns:
            continue
        for number, key in database.execute(
                f"SELECT Z_ENT, max(Z_PK) FROM {quoted(table)} GROUP BY Z_ENT").fetchall():
            known = {n: (s, m) for n, s, m in database.execute(
                "SELECT Z_ENT, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY")}
            while known[number][0]:
                number = known[number][0]
            if known[number][1] < key:
                troubles.append(f"{table}: Z_MAX {known[number][1]} is below {key}")
        odd = database.execute(
            f"SELECT count(*) FROM {quoted(table)} WHERE Z_OPT IS NOT 1").fetchone()[0]
        if odd:
            troubles.append(f"{table}: Z_OPT of {odd} rows does not begin with 1")
    return troubles


def main() -> int:
    """Compares the files that the arguments name."""
    original, filled, template = (Path(argument) for argument in sys.argv[1:4])
    troubles = []
    for ending in ("-wal", "-shm", "-journal"):
        if filled.with_name(filled.name + ending).exists():
            troubles.append(f"there is a {ending}")
    with opened(original) as old, opened(filled) as new, opened(template) as empty:
        if new.execute("PRAGMA integrity_check").fetchall() != [(b"ok",)]:
            troubles.append("integrity_check")
        if schema(new) != schema(empty):
            troubles.append("the schema is not that of the template")
        if filled.read_bytes()[18:20] != template.read_bytes()[18:20]:
            troubles.append("the journal mode is not that of the template")
        for table in (name for name in ABOUT if name in
                      [row[1].decode() for row in schema(empty)]):
            if list(new.execute(f"SELECT * FROM {table}")) != list(
                    empty.execute(f"SELECT * FROM {table}")):
                troubles.append(f"{table} is not that of the template")
        for table in tables(old):
            if "places" in sys.argv[4:]:
                troubles += places(new, table)
                continue
            before, after = rows(old, original, table), rows(new, filled, table)
            if before != after:
                lost = [row for row in before if row not in after]
                added = [row for row in after if row not in before]
                troubles.append(f"{table}: lost {lost[:3]}, added {added[:3]}")
        troubles += largest_keys(new)
    for trouble in troubles:
        print(trouble)
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
