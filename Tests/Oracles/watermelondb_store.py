"""Reads a store of WatermelonDB by the formats' description; shares no code with the tool."""

from __future__ import annotations

import re
import sqlite3

from offline_values import Column, Store, exported, plain_table, quoted, shown_time

WORDS = ("created", "updated", "deleted")
HEADER = {"id", "_changed", "_status"}
MILLISECONDS = (10**11, 10**13)


def recognised(names: dict[str, list[str]]) -> bool:
    """Whether tables, with their columns, are those of a store."""
    keys = sorted(names.get("local_storage", []))
    return keys == ["key", "value"] and bool(sync_tables(names))


def sync_tables(names: dict[str, list[str]]) -> list[str]:
    """The tables with the three columns of every model."""
    return [table for table, columns in names.items() if HEADER <= set(columns)]


def generation(database: sqlite3.Connection, names: dict[str, list[str]]) -> str:
    """Which versions of the library made the file."""
    (sql,) = database.execute(
        "SELECT sql FROM sqlite_master WHERE name = 'local_storage'").fetchone()
    if '"local_storage"' in sql and '"key"' in sql:
        return "w4"
    columns = names[sync_tables(names)[0]]
    if columns[0] == "_changed":
        return "w1"
    after = columns[columns.index("_status") + 1 :][:1]
    return "w2" if after == ["last_modified"] else "w3"


def read(database: sqlite3.Connection, names: dict[str, list[str]]) -> Store:
    """Everything in a store."""
    store = Store("watermelondb", generation(database, names))
    synced = sync_tables(names)
    content = {
        table: database.execute(f"SELECT rowid, * FROM {quoted(table)} ORDER BY rowid").fetchall()
        for table in synced
    }
    numbers_are_reals = any(
        isinstance(value, float) and value.is_integer() and abs(value) < 2**53
        for table in synced for row in content[table]
        for name, value in zip(names[table], row[1:]) if name not in HEADER
    )
    implausible = False
    for table in names:
        if table not in synced:
            if table != "android_metadata":
                store.tables[table] = plain_table(database, table, names[table])
            continue
        columns = columns_of(names[table], content[table], numbers_are_reals)
        store.tables[table] = (columns, [])
        for row in content[table]:
            values = dict(zip(names[table], row[1:]))
            cells = [cell(column, values[column.source]) for column in columns]
            # Without an id no delete can be made of a row, which stays one.
            is_row = values["_status"] != "deleted" or not isinstance(values["id"], str)
            for column, value in zip(columns, cells):
                stored = values[column.source]
                if column.type == "timestamp" and isinstance(stored, (int, float)):
                    implausible |= stored != 0 and not in_range(stored)
                if stored is not None and value is None and is_row:
                    store.rejects.append((table, row[0], column.name))
            if is_row:
                store.tables[table][1].append([row[0]] + cells)
        add_operations(store, table, columns, names[table], content[table])
    add_token(store, database)
    store.findings.add("types-inferred")
    if implausible:
        store.findings.add("timestamp-implausible")
    version = setting(database, "__watermelon_last_pulled_schema_version")
    (own,) = database.execute("PRAGMA user_version").fetchone()
    if version is not None and version.isdigit() and int(version) < own:
        store.findings.add("migration-sync-pending")
    return store


def columns_of(names: list[str], rows: list[tuple], numbers_are_reals: bool) -> list[Column]:
    """The columns of a model with their inferred types."""
    columns = []
    for place, name in enumerate(names):
        if name in ("_changed", "_status"):
            continue
        values = [row[place + 1] for row in rows if row[place + 1] is not None]
        shown = {"created_at": "createdAt", "updated_at": "updatedAt"}.get(name, name)
        if shown != name and shown in names:
            shown = name
        role = {"id": "id", "created_at": "createdAt", "updated_at": "updatedAt"}.get(name, "value")
        kind = "text" if name == "id" else inferred(name, values, numbers_are_reals)
        columns.append(Column(shown, name, kind, role if role == "id" or shown != name else "value"))
    return columns


def inferred(name: str, values: list[object], numbers_are_reals: bool) -> str:
    """The first rule that fits."""
    if name in ("created_at", "updated_at"):
        return "timestamp"
    texts = sum(isinstance(value, str) for value in values)
    if not values or texts * 2 >= len(values):
        return "text"
    numbers = [value for value in values if isinstance(value, (int, float))]
    if not numbers:
        return "binary"
    if name == "last_modified":
        return "real" if any(isinstance(value, float) for value in numbers) else "integer"
    if name.endswith("_at") and any(numbers) and all(
        value == 0 or (value == int(value) and in_range(value)) for value in numbers
    ):
        return "timestamp"
    if name.startswith(("is_", "has_")) and all(value in (0, 1) for value in numbers):
        return "boolean"
    whole = all(isinstance(value, int) and value in (0, 1) for value in numbers)
    if whole and 1 in numbers and numbers_are_reals:
        return "boolean"
    return "real" if any(isinstance(value, float) for value in numbers) else "integer"


def in_range(value: float) -> bool:
    """Whether a number is a likely time in milliseconds."""
    return MILLISECONDS[0] <= value < MILLISECONDS[1]


def cell(column: Column, value: object) -> object:
    """A value as its column takes it; None where it does not."""
    if value is None:
        return None
    is_number = isinstance(value, (int, float))
    if column.type == "text":
        return value if isinstance(value, str) else None
    if column.type == "binary":
        return value if isinstance(value, bytes) else None
    if not is_number:
        return None
    if column.type == "timestamp":
        return shown_time(value)
    if column.type == "real":
        return float(value) if int(float(value)) == value or isinstance(value, float) else None
    return int(value)


def add_operations(
    store: Store, table: str, columns: list[Column], names: list[str], rows: list[tuple]
) -> None:
    """What waits in a table: created, updated, deleted, each in the order of the rows."""
    for word in WORDS:
        for row in rows:
            values = dict(zip(names, row[1:]))
            if values["_status"] != word or values["id"] is None:
                continue
            changed = [name for name in (values["_changed"] or "").split(",") if name]
            cells = {c.name: cell(c, values[c.source]) for c in columns}
            store.operations.append({
                "table": table, "itemId": values["id"], "state": "pending", "baseVersion": None,
                "kind": {"created": "insert", "updated": "update", "deleted": "delete"}[word],
                "originalId": f"{table}/{values['id']}", "changed": changed,
                "item": {"_pk": row[0]} | {c.name: exported(c, cells[c.name]) for c in columns},
            })
            if word == "updated" and not changed:
                store.findings.add("update-without-changes")
            if any(name not in names for name in changed):
                store.findings.add("changed-names-unknown-column")
            if word == "deleted":
                store.findings.add("tombstones")
    for row in rows:
        values = dict(zip(names, row[1:]))
        if values["_status"] not in WORDS:
            changed = [name for name in str(values["_changed"] or "").split(",") if name]
            if any(name not in names for name in changed):
                store.findings.add("changed-names-unknown-column")
        if values["_status"] not in WORDS + ("synced",):
            store.findings.add("unknown-sync-status")
        if values["_status"] == "synced" and values["_changed"]:
            store.findings.add("changed-without-status")


def setting(database: sqlite3.Connection, key: str) -> str | None:
    """A value that the library keeps."""
    row = database.execute("SELECT value FROM local_storage WHERE key = ?", (key,)).fetchone()
    return row and row[0]


def add_token(store: Store, database: sqlite3.Connection) -> None:
    """How far the last pull had come."""
    text = setting(database, "__watermelon_last_pulled_at")
    # A server may count in its own way, in JavaScript's numbers.
    number = float(text) if text is not None and re.fullmatch(r"-?\d+(\.\d+)?", text) else None
    if store.operations and not number:
        store.findings.add("never-synced")
    if text is None:
        return
    is_time = number is not None and 10**11 <= number < 253402300800000
    store.tokens.append({
        "table": None, "query": "last_pulled_at", "raw": text,
        "updatedAt": shown_time(int(number)) if is_time else None,
    })
    if not is_time:
        store.findings.add("token-unreadable")


# The findings that are compared.
FINDINGS = {
    "never-synced", "unknown-sync-status", "changed-without-status", "update-without-changes",
    "changed-names-unknown-column", "timestamp-implausible", "types-inferred",
    "migration-sync-pending", "tombstones", "token-unreadable",
}
