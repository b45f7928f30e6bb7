"""A store of a MAUI app on Datasync 6: milliseconds, other codes, lower-case table names."""

from __future__ import annotations

import sqlite3

from .dotnet import DATASYNC_TABLES, compact
from .sample import As, ExpectedOperation, Row
from .sibling import (
    SiblingSample,
    SiblingTable,
    expected_error,
    expected_token,
    insert,
)

DELETE, INSERT, UPDATE = 1, 2, 3
PENDING, ATTEMPTED, COMPLETED, FAILED = 0, 1, 2, 3

MILK, TEA, GONE, DONE = "a1", "c0ffee00c0ffee00c0ffee00c0ffee01", "b2", "a4"
INSERTED = "0d7c1f0e5b1a4f0e9a513c0b6d5f9e01"
UPDATED = "0d7c1f0e5b1a4f0e9a513c0b6d5f9e02"
DELETED = "0d7c1f0e5b1a4f0e9a513c0b6d5f9e03"
COMPLETE = "0d7c1f0e5b1a4f0e9a513c0b6d5f9e04"

COLUMNS = ("id", "title", "isComplete", "due", "photo", "place", "deleted", "updatedAt", "version")
TABLES = [
    SiblingTable(
        "todoitem",
        (
            "CREATE TABLE [todoitem] ([id] TEXT PRIMARY KEY, [title] TEXT, [isComplete] BOOLEAN,"
            " [due] DATETIME, [photo] BLOB, [place] JSON, [deleted] BOOLEAN, [updatedAt] DATETIME,"
            " [version] TEXT)",
        ),
        {name: name for name in COLUMNS},
    ),
    SiblingTable(
        "category",
        (
            "CREATE TABLE [category] ([id] TEXT PRIMARY KEY, [name] TEXT, [deleted] BOOLEAN,"
            " [updatedAt] DATETIME, [version] TEXT)",
        ),
        {name: name for name in ("id", "name", "deleted", "updatedAt", "version")},
    ),
]

MAY = As(1_684_060_830_123, "2023-05-14T10:40:30.123Z")
FINER = As(1_684_060_830_123.457, "2023-05-14T10:40:30.123457031Z")
NEVER = As(-62_135_596_800_000, "0001-01-01T00:00:00.000Z")

ROWS = [
    Row("todoitem", 1, {
        "id": MILK, "title": "Milk 🥛", "isComplete": True, "due": MAY, "deleted": False,
        "updatedAt": MAY, "version": "AAAAAAAAB9E=", "place": '{\r\n  "shelf": 3\r\n}',
    }),
    Row("todoitem", 2, {
        "id": TEA, "title": "Tea", "isComplete": False, "due": FINER,
        "photo": As("3q2+7w==", "3q2+7w=="), "deleted": False, "updatedAt": NEVER,
    }),
    Row("todoitem", 4, {
        "id": DONE, "title": None, "due": As(-1, "1969-12-31T23:59:59.999Z"), "deleted": True,
        "updatedAt": As(0, "1970-01-01T00:00:00.000Z"), "version": "AAAAAAAAB9Q=",
    }),
]

DELETED_ITEM = {
    "id": GONE, "title": "Größe", "isComplete": True, "due": 1_684_060_830_123,
    "deleted": False, "updatedAt": 1_684_060_830_000, "version": "AAAAAAAAB9I=",
}
MINE = {"id": MILK, "title": "Milk 🥛", "isComplete": True, "version": "AAAAAAAAB9E="}
THEIRS = {
    "id": MILK, "title": "Oat milk", "isComplete": False, "version": "AAAAAAAAB9F=",
    "updatedAt": "2023-05-15T06:00:00.250+00:00", "deleted": False,
}


def operation(
    database: sqlite3.Connection, number: str, kind: int, state: int, item_id: str, sequence: int,
    item: str | None = None,
) -> None:
    """A row of the queue."""
    insert(database, "__operations", {
        "id": number, "kind": kind, "state": state, "tableName": "todoitem", "itemId": item_id,
        "item": item, "sequence": sequence, "version": 1,
    })


def build(database: sqlite3.Connection) -> None:
    """Fills the bookkeeping tables."""
    for statement in DATASYNC_TABLES:
        database.execute(statement)
    operation(database, UPDATED, UPDATE, FAILED, MILK, 2)
    operation(database, INSERTED, INSERT, ATTEMPTED, TEA, 1)
    operation(database, DELETED, DELETE, PENDING, GONE, 3, compact(DELETED_ITEM))
    operation(database, COMPLETE, UPDATE, COMPLETED, DONE, 4)
    insert(database, "__errors", {
        "id": UPDATED, "status": 412, "version": 1, "kind": UPDATE, "tableName": "todoitem",
        "item": compact(MINE), "rawResult": compact(THEIRS),
    })
    insert(database, "__config", {"id": "dt.todoitem.allitems", "value": 1_684_060_830_123})
    insert(database, "__config", {
        "id": "dt.category.0cc175b9c0f1b6a831c399e269772661", "value": 0,
    })


SAMPLE = SiblingSample(
    folder="datasync-2023",
    layout="datasync-dotnet",
    generation=None,
    store_name="offline.db",
    tables=TABLES,
    rows=ROWS,
    build=build,
    operations=[
        ExpectedOperation(INSERTED, "insert", "todoitem", TEA, row=2, state="attempted"),
        ExpectedOperation(
            UPDATED, "update", "todoitem", MILK, "AAAAAAAAB9E=", row=1, state="failed"),
        ExpectedOperation(DELETED, "delete", "todoitem", GONE, "AAAAAAAAB9I=",
                          payload=DELETED_ITEM),
        ExpectedOperation(
            COMPLETE, "update", "todoitem", DONE, "AAAAAAAAB9Q=", row=4, state="completed"),
    ],
    errors=[expected_error("todoitem", MILK, "update", 412, 2, item=MINE, serverItem=THEIRS)],
    tokens=[
        expected_token("todoitem", "allitems", "2023-05-14T10:40:30.123Z"),
        expected_token(
            "category", "0cc175b9c0f1b6a831c399e269772661", "1970-01-01T00:00:00.000Z"),
    ],
)
