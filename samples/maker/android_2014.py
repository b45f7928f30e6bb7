"""A store of the first Android client: `__version`, and deleted items in a table of backups."""

from __future__ import annotations

import sqlite3

from .android import (
    BACKUPS,
    DELETE,
    ERRORS,
    INSERT,
    OPEN_HELPER,
    OPERATIONS,
    PENDING,
    TOKENS,
    UPDATE,
    table,
)
from .dotnet import compact
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
INSERTED = "5e0b2c70-3b6e-4c39-a2dd-97a0f4b4a101"
UPDATED = "5e0b2c70-3b6e-4c39-a2dd-97a0f4b4a102"
DELETED = "5e0b2c70-3b6e-4c39-a2dd-97a0f4b4a103"
SESSION = "2014-11-20T07:30:00.000Z"

COLUMNS = {
    "complete": "INTEGER", "__updatedat": "TEXT", "weight": "REAL", "text": "TEXT",
    "__version": "TEXT", "tags": "TEXT", "duedate": "TEXT", "__deleted": "INTEGER",
}
TABLES = [
    SiblingTable(
        "todoitem",
        table("todoitem", COLUMNS),
        {
            "id": "id", "complete": "complete", "__updatedat": "updatedAt", "weight": "weight",
            "text": "text", "__version": "version", "tags": "tags", "duedate": "duedate",
            "__deleted": "deleted",
        },
    )
]

ROWS = [
    Row("todoitem", 1, {
        "id": BIKE, "complete": 1, "__updatedat": "2014-11-19T21:45:10.042Z", "weight": 12.5,
        "text": "Fahrrad flicken 🚲", "__version": "AAAAAAAAB9Q=", "tags": '["home","urgent"]',
        "duedate": "2014-12-24T17:00:00.000Z", "__deleted": As(0, False),
    }),
    Row("todoitem", 3, {"id": MILK, "complete": 0, "weight": As(2, 2.0), "text": "Milk"}),
    Row("todoitem", 4, {
        "id": "0c5a1d8e-77b2-4f6d-8f0a-2b6d1c9e4a04", "text": "5.0",
        "__updatedat": As("2014-11-18T10:00:00Z", "2014-11-18T10:00:00.000Z"),
        "__version": "AAAAAAAAB/8=", "__deleted": As(1, True),
    }),
]

DELETED_ITEM = {
    "id": GONE, "text": "Größe prüfen", "complete": True, "__version": "AAAAAAAA/9E=",
    "__updatedAt": "2014-11-01T08:00:00.000Z",
}
SENT = {"id": MILK, "text": "Milk", "complete": False, "weight": 2.0}


def operation(
    database: sqlite3.Connection, number: str, kind: float, item_id: str, sequence: float,
    state: float | None,
) -> None:
    """A row of the queue."""
    insert(database, "__operations", {
        "id": number, "kind": kind, "tablename": "todoitem", "itemid": item_id,
        "__createdat": "2014-11-20T07:41:12.345Z", "__queueloadedat": SESSION,
        "sequence": sequence, "state": state,
    })


def build(database: sqlite3.Connection) -> None:
    """Fills the bookkeeping tables."""
    tables = {
        "__operations": OPERATIONS | {"__createdat": "TEXT"},
        "__errors": ERRORS | {"__createdat": "TEXT"},
        "__itembackups": BACKUPS,
        "__incrementalpulldata": TOKENS,
    }
    for name, columns in tables.items():
        for statement in table(name, columns):
            database.execute(statement)
    operation(database, DELETED, DELETE, GONE, 2.0, PENDING)
    operation(database, INSERTED, INSERT, MILK, 0.0, None)
    operation(database, UPDATED, UPDATE, BIKE, 1.0, PENDING)
    insert(database, "__itembackups", {
        "id": f"todoitem/{GONE}", "tablename": "todoitem", "itemid": GONE,
        "clientitem": compact(DELETED_ITEM),
    })
    insert(database, "__errors", {
        "id": "d2719b4c-2c70-4b0f-8f4e-0a2d5f9be301", "operationid": INSERTED,
        "operationkind": 0.0, "tablename": "todoitem", "itemid": MILK,
        "clientitem": compact(SENT), "errormessage": "An item with that id already exists.",
        "statuscode": 409.0, "serverresponse": '{"code":409,"error":"Conflict"}',
        "__createdat": "2014-11-20T07:42:00.000Z",
    })
    insert(database, "__incrementalpulldata", {
        "id": "todoitem_allItems", "maxupdateddate": "2014-11-19T21:45:10.042Z",
    })
    insert(database, "__incrementalpulldata", {
        "id": "todoitem_my_items", "maxupdateddate": "2014-11-18T10:00:00Z",
    })


SAMPLE = SiblingSample(
    folder="android-2014",
    layout="azure-mobile-android",
    generation="d1",
    store_name="ToDoItem",
    tables=TABLES,
    rows=ROWS,
    build=build,
    operations=[
        ExpectedOperation(INSERTED, "insert", "todoitem", MILK, row=3),
        ExpectedOperation(UPDATED, "update", "todoitem", BIKE, "AAAAAAAAB9Q=", row=1),
        ExpectedOperation(DELETED, "delete", "todoitem", GONE, "AAAAAAAA/9E=",
                          payload=DELETED_ITEM),
    ],
    errors=[
        expected_error("todoitem", MILK, "insert", 409, 1, item=SENT,
                       message="An item with that id already exists."),
    ],
    tokens=[
        expected_token("todoitem", "allItems", "2014-11-19T21:45:10.042Z"),
        expected_token("todoitem", "my_items", "2014-11-18T10:00:00.000Z"),
    ],
    first=OPEN_HELPER,
)
