"""A store of PowerSync: rows as documents behind views, and an upload queue."""

from __future__ import annotations

import json
import sqlite3

from .sample import As, ExpectedOperation, Row
from .sibling import SiblingSample, SiblingTable, expected_token, insert

HOME, MILK, BREAD, GONE = (
    "0d1f7a2c-5b7e-4c61-9a1d-2f0f5a1b0001", "0d1f7a2c-5b7e-4c61-9a1d-2f0f5a1b0002",
    "0d1f7a2c-5b7e-4c61-9a1d-2f0f5a1b0003", "0d1f7a2c-5b7e-4c61-9a1d-2f0f5a1b0004",
)
BOOKKEEPING = (
    "CREATE TABLE ps_migration(id INTEGER PRIMARY KEY, down_migrations TEXT)",
    "CREATE TABLE ps_tx(id INTEGER PRIMARY KEY NOT NULL, current_tx INTEGER, next_tx INTEGER)",
    "CREATE TABLE ps_untyped(type TEXT NOT NULL, id TEXT NOT NULL, data TEXT, "
    "PRIMARY KEY (type, id))",
    "CREATE TABLE ps_crud (id INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT, tx_id INTEGER)",
    "CREATE TABLE ps_kv(key TEXT PRIMARY KEY NOT NULL, value BLOB)",
    "CREATE TABLE ps_buckets(id INTEGER PRIMARY KEY, name TEXT NOT NULL, last_applied_op INTEGER "
    "NOT NULL DEFAULT 0, last_op INTEGER NOT NULL DEFAULT 0, target_op INTEGER NOT NULL DEFAULT 0, "
    "add_checksum INTEGER NOT NULL DEFAULT 0, op_checksum INTEGER NOT NULL DEFAULT 0, "
    "pending_delete INTEGER NOT NULL DEFAULT 0, count_at_last INTEGER NOT NULL DEFAULT 0, "
    "count_since_last INTEGER NOT NULL DEFAULT 0) STRICT",
    "CREATE UNIQUE INDEX ps_buckets_name ON ps_buckets (name)",
    "CREATE TABLE ps_oplog(bucket INTEGER NOT NULL, op_id INTEGER NOT NULL, row_type TEXT, row_id "
    "TEXT, key TEXT, data TEXT, hash INTEGER NOT NULL) STRICT",
    "CREATE INDEX ps_oplog_row ON ps_oplog (row_type, row_id)",
    "CREATE TABLE ps_updated_rows(row_type TEXT, row_id TEXT, PRIMARY KEY(row_type, row_id)) "
    "STRICT, WITHOUT ROWID",
    "CREATE TABLE ps_sync_state(priority INTEGER NOT NULL PRIMARY KEY, last_synced_at TEXT NOT "
    "NULL) STRICT",
    "CREATE TABLE ps_stream_subscriptions(id INTEGER PRIMARY KEY, stream_name TEXT NOT NULL, "
    "active INTEGER NOT NULL DEFAULT FALSE, is_default INTEGER NOT NULL DEFAULT FALSE, "
    "local_priority INTEGER, local_params TEXT NOT NULL DEFAULT 'null', ttl INTEGER, "
    "expires_at INTEGER, last_synced_at INTEGER) STRICT",
)


def documents(name: str, columns: dict[str, str], prefix: str = "ps_data__") -> SiblingTable:
    """A table of documents with its view."""
    names = ", ".join(f'"{column}"' for column in ["id", *columns])
    casts = ", ".join(
        f"CAST(json_extract(data, '$.{column}') as {kind})" for column, kind in columns.items())
    return SiblingTable(
        name,
        (
            f'CREATE TABLE "{prefix}{name}"(id TEXT PRIMARY KEY NOT NULL, data TEXT)',
            f'CREATE VIEW "{name}"({names}) AS SELECT id, {casts} FROM "{prefix}{name}" '
            "-- powersync-auto-generated",
        ),
        {column: column for column in ["id", *columns]},
    )


LISTS = documents("lists", {"name": "TEXT", "created_at": "TEXT", "owner_id": "TEXT"})
TODOS = documents(
    "todos", {"list_id": "TEXT", "description": "TEXT", "completed": "INTEGER", "price": "REAL"})
DRAFTS = documents("drafts", {"text": "TEXT"}, "ps_data_local__")
# The service sends a key for which the app's schema has no column.
LISTS.columns["archived"] = "archived"

ROWS = [
    Row("lists", 1, {"id": HOME, "name": "Shopping, ½ price", "created_at":
                     "2024-05-01 10:20:30.123Z", "owner_id": "u1", "archived": False}),
    Row("todos", 1, {"id": MILK, "list_id": HOME, "description": "milk", "completed": 1,
                     "price": 1.5}),
    Row("todos", 2, {"id": BREAD, "list_id": HOME, "description": "line one\nline two",
                     "completed": 0, "price": As(3, 3.0)}),
    Row("drafts", 1, {"id": "d1", "text": "only here"}),
]


def stored(table: str, values: dict[str, object]) -> tuple[str, dict[str, object]]:
    """A row as a document."""
    prefix = "ps_data_local__" if table == "drafts" else "ps_data__"
    members = {key: value for key, value in values.items() if key != "id"}
    return prefix + table, {"id": values["id"], "data": compact(members)}


def compact(value: object) -> str:
    """JSON as the SDK writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


NEW = {"list_id": HOME, "description": "bread", "completed": 0}
CHANGED = {"description": "line one\nline two", "price": 3}
OLD = {"list_id": HOME, "description": "gone"}
ENTRIES = (
    (1, {"op": "PUT", "id": BREAD, "type": "todos", "data": NEW}),
    (1, {"op": "PATCH", "id": BREAD, "type": "todos", "data": CHANGED}),
    (2, {"op": "PATCH", "id": MILK, "type": "todos", "data": {"completed": 1},
         "old": {"completed": 0}}),
    (2, {"op": "DELETE", "id": GONE, "type": "todos", "old": OLD}),
)


def build(database: sqlite3.Connection) -> None:
    """Fills the bookkeeping tables."""
    for number in range(1, 12):
        insert(database, "ps_migration", {"id": number, "down_migrations": "[]"})
    insert(database, "ps_tx", {"id": 1, "current_tx": None, "next_tx": 3})
    insert(database, "ps_kv", {"key": "client_id", "value": "5b0c3e5e-8c1a-4c63-9f5e-3b1f0d2a7c11"})
    for transaction, entry in ENTRIES:
        insert(database, "ps_crud", {"data": compact(entry), "tx_id": transaction})
        database.execute(
            "INSERT OR IGNORE INTO ps_updated_rows VALUES (?, ?)", (entry["type"], entry["id"]))
    insert(database, "ps_buckets", {
        "name": "$local", "target_op": 9223372036854775807, "last_op": 0})
    insert(database, "ps_buckets", {
        "name": '1#lists|0["u1"]', "last_applied_op": 41, "last_op": 57})
    for number, kind, item, row in (
        (40, "lists", HOME, ROWS[0].values), (41, "todos", MILK, ROWS[1].values | {"completed": 0}),
        # Somebody else has changed the text, and that waits until the queue is empty.
        (57, "todos", MILK, ROWS[1].values | {"completed": 0, "description": "oat milk"}),
    ):
        insert(database, "ps_oplog", {
            "bucket": 2, "op_id": number, "row_type": kind, "row_id": item,
            "key": f"{kind}/{item}/null", "data": compact(row), "hash": 1})
    insert(database, "ps_sync_state", {
        "priority": 2147483647, "last_synced_at": "2025-09-01 08:15:00"})


SAMPLE = SiblingSample(
    folder="powersync-2025",
    layout="powersync",
    generation="11",
    store_name="todos.sqlite",
    tables=[LISTS, TODOS, DRAFTS],
    rows=ROWS,
    stored=stored,
    build=build,
    first=BOOKKEEPING,
    operations=[
        ExpectedOperation(1, "insert", "todos", BREAD, payload=NEW),
        ExpectedOperation(2, "update", "todos", BREAD, payload=CHANGED),
        ExpectedOperation(3, "update", "todos", MILK, payload={"completed": 1}),
        ExpectedOperation(4, "delete", "todos", GONE, payload=OLD),
    ],
    tokens=[expected_token(None, "complete", "2025-09-01T08:15:00.000Z")],
    newest_in_log=True,
)
