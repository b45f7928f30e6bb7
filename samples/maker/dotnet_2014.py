"""A store of a Xamarin app on Mobile Services 1.3: system columns with underscores."""

from __future__ import annotations

import sqlite3

from .dotnet import (
    ATTEMPTED,
    DELETE,
    FAILED,
    INSERT,
    MOBILE_SERVICES_TABLES,
    PENDING,
    UPDATE,
    compact,
    indented,
)
from .sample import As, ExpectedOperation, Row
from .sibling import (
    SiblingSample,
    SiblingTable,
    expected_error,
    expected_token,
    insert,
)

MILK = "6f9619ff-8b86-d011-b42d-00c04fc964ff"
BIKE = "0c5a1d8e-77b2-4f6d-8f0a-2b6d1c9e4a01"
GONE = "b7d9c2f0-43f1-4a53-9a3e-0d6f5e0c7a11"
GATE = "1d3c5e7a-10f2-4b64-9c86-a7b8c9d0e101"

INSERTED = "7b0f7a52-0f8e-4b1e-8a56-2f2f3d0c1a01"
UPDATED = "7b0f7a52-0f8e-4b1e-8a56-2f2f3d0c1a02"
DELETED = "7b0f7a52-0f8e-4b1e-8a56-2f2f3d0c1a03"
REFUSED = "7b0f7a52-0f8e-4b1e-8a56-2f2f3d0c1a04"

SYSTEM_COLUMNS = {
    "__version": "version",
    "__createdAt": "createdAt",
    "__updatedAt": "updatedAt",
    "__deleted": "deleted",
}

TABLES = [
    SiblingTable(
        "TodoItem",
        (
            "CREATE TABLE [TodoItem] ([id] TEXT PRIMARY KEY, [text] TEXT, [complete] BOOLEAN,"
            " [due] DATETIME, [__version] TEXT, [__createdAt] DATETIME, [__updatedAt] DATETIME,"
            " [__deleted] BOOLEAN)",
        ),
        {"id": "id", "text": "text", "complete": "complete", "due": "due"} | SYSTEM_COLUMNS,
    ),
    SiblingTable(
        "Photo",
        (
            "CREATE TABLE [Photo] ([id] TEXT PRIMARY KEY, [image] BLOB, [place] JSON,"
            " [camera] GUID, [exposure] TIMESPAN, [source] URI, [size] INTEGER, [weight] FLOAT,"
            " [__version] TEXT)",
            "ALTER TABLE [Photo] ADD COLUMN [taken] DATETIME",
        ),
        {
            "id": "id", "image": "image", "place": "place", "camera": "camera",
            "exposure": "exposure", "source": "source", "size": "size", "weight": "weight",
            "__version": "version", "taken": "taken",
        },
    ),
]


def todo(
    pk: int, item_id: str, text: str | None, complete: bool | None, due: As | None,
    version: str | None = None, created: As | None = None, updated: As | None = None,
) -> Row:
    """A row of `TodoItem`."""
    values = {
        "id": item_id, "text": text, "complete": complete, "due": due, "__version": version,
        "__createdAt": created, "__updatedAt": updated,
        "__deleted": None if version is None else False,
    }
    return Row("TodoItem", pk, values)


CREATED = As(1_400_000_000, "2014-05-13T16:53:20.000Z")
MILLISECONDS = As(1_400_000_000.25, "2014-05-13T16:53:20.250Z")
MOON = As(-14_182_940, "1969-07-20T20:17:40.000Z")
NEVER = As(-62_135_596_800, "0001-01-01T00:00:00.000Z")
LATE = As(1_412_154_930.123, "2014-10-01T09:15:30.123Z")

ROWS = [
    todo(1, "3f1b0a52-90c4-4f0e-8a7b-6d2e5c4b3a01", "Water the plants 🌱", True, MOON,
         "AAAAAAAAB9E=", CREATED, MILLISECONDS),
    todo(2, BIKE, 'Repair the "old" bike', False, LATE, "AAAAAAAAB9Q=", CREATED, LATE),
    todo(4, MILK, "Milk", False, None),
    todo(5, GATE, "", None, NEVER, "AAAAAAAAB/8=", CREATED, CREATED),
    Row("Photo", 1, {
        "id": "p-1", "image": As("iVBORw0KGgo=", "iVBORw0KGgo="),
        "place": As(indented({"lat": 48.2, "lon": 16.37}), indented({"lat": 48.2, "lon": 16.37})),
        "camera": "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "exposure": "00:00:00.0080000",
        "source": "https://example.org/p/1?a=b&c=ü", "size": 12_345_678_901, "weight": 2.5,
        "__version": "AAAAAAAACBE=", "taken": LATE,
    }),
    Row("Photo", 2, {"id": "p-2", "image": "", "size": -1, "weight": As(3, 3.0)}),
]

DELETED_ITEM = {"id": GONE, "text": "Größe prüfen", "complete": True, "__version": "AAAAAAAA/9E="}
MINE = {"id": BIKE, "text": 'Repair the "old" bike', "complete": False, "__version": "AAAAAAAAB9Q="}
THEIRS = {
    "id": BIKE, "text": "Sell the bike", "complete": True, "__version": "AAAAAAAAB9U=",
    "__updatedAt": "2014-10-02T06:00:00.000Z",
}
EMPTY = {"id": GATE, "text": ""}


def operation(
    database: sqlite3.Connection, number: str, kind: int, state: int, item_id: str, sequence: int,
    item: str | None = None, version: int = 1,
) -> None:
    """A row of the queue."""
    insert(database, "__operations", {
        "id": number, "kind": kind, "state": state, "tableName": "TodoItem", "tableKind": 0,
        "itemId": item_id, "item": item, "sequence": sequence, "version": version,
    })


def build(database: sqlite3.Connection) -> None:
    """Fills the bookkeeping tables; the rows of the queue stand in another order than it has."""
    for statement in MOBILE_SERVICES_TABLES:
        database.execute(statement)
    operation(database, DELETED, DELETE, PENDING, GONE, 5, compact(DELETED_ITEM), 2)
    operation(database, UPDATED, UPDATE, FAILED, BIKE, 3, version=2)
    operation(database, INSERTED, INSERT, ATTEMPTED, MILK, 2)
    operation(database, REFUSED, UPDATE, FAILED, GATE, 4)
    insert(database, "__errors", {
        "id": UPDATED, "httpStatus": 412, "operationVersion": 2, "operationKind": UPDATE,
        "tableName": "TodoItem", "tableKind": 0, "item": compact(MINE),
        "rawResult": compact(THEIRS),
    })
    insert(database, "__errors", {
        "id": REFUSED, "httpStatus": 400, "operationVersion": 1, "operationKind": UPDATE,
        "tableName": "TodoItem", "tableKind": 0, "item": compact(EMPTY),
        "rawResult": '{"code":400,"error":"Text is required."}',
    })
    for key, value in (
        ("systemProperties|TodoItem", "15"),
        ("systemProperties|Photo", "4"),
        ("deltaToken|TodoItem|allItems", "2014-10-01T09:15:30.1230000+00:00"),
        ("deltaToken|Photo|mine", "2014-10-01T11:15:30.1234567+02:00"),
    ):
        insert(database, "__config", {"id": key, "value": value})


SAMPLE = SiblingSample(
    folder="dotnet-2014",
    layout="azure-mobile-dotnet",
    generation="a3",
    store_name="localstore.db",
    tables=TABLES,
    rows=ROWS,
    build=build,
    operations=[
        ExpectedOperation(INSERTED, "insert", "TodoItem", MILK, row=4, state="attempted"),
        ExpectedOperation(
            UPDATED, "update", "TodoItem", BIKE, "AAAAAAAAB9Q=", row=2, state="failed"),
        ExpectedOperation(
            REFUSED, "update", "TodoItem", GATE, "AAAAAAAAB/8=", row=5, state="failed"),
        ExpectedOperation(DELETED, "delete", "TodoItem", GONE, "AAAAAAAA/9E=",
                          payload=DELETED_ITEM),
    ],
    errors=[
        expected_error("TodoItem", BIKE, "update", 412, 2, item=MINE, serverItem=THEIRS),
        expected_error(
            "TodoItem", GATE, "update", 400, 3, item=EMPTY, message="Text is required."),
    ],
    tokens=[
        expected_token("TodoItem", "allItems", "2014-10-01T09:15:30.123Z"),
        expected_token("Photo", "mine", "2014-10-01T09:15:30.123456700Z"),
    ],
)
