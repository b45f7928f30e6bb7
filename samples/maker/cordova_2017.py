"""A store of a Cordova app: several operations on one item, and columns added later."""

from __future__ import annotations

import sqlite3

from .sample import As, ExpectedOperation, Row
from .sibling import SiblingSample, SiblingTable, expected_token, insert

SHOP, PARK, GONE, LATE = "a1", "0E984725-C51C-4BF4-9960-E1C80E27ABA0", "b2", "c3"

COLUMNS = {
    "id": "id", "text": "text", "complete": "complete", "due": "due", "price": "price",
    "meta": "meta", "seenAt": "seenAt", "version": "version", "createdAt": "createdAt",
    "updatedAt": "updatedAt", "deleted": "deleted",
    # Added by a later version of the app.
    "code": "code", "remindAt": "remindAt", "urgent": "urgent", "tags": "tags", "amount": "amount",
}
TABLES = [
    SiblingTable(
        "TodoItem",
        (
            "CREATE TABLE [TodoItem] ([id] TEXT PRIMARY KEY,[text] TEXT,[complete] INTEGER,"
            "[due] INTEGER,[price] REAL,[meta] TEXT,[seenAt] TEXT,[version] TEXT,"
            "[createdAt] TEXT,[updatedAt] INTEGER,[deleted] INTEGER)",
            "ALTER TABLE TodoItem ADD COLUMN code string",
            "ALTER TABLE TodoItem ADD COLUMN remindAt date",
            "ALTER TABLE TodoItem ADD COLUMN urgent boolean",
            "ALTER TABLE TodoItem ADD COLUMN tags array",
            "ALTER TABLE TodoItem ADD COLUMN amount float",
        ),
        COLUMNS,
    )
]

UPDATED = As(1_494_757_230_123, "2017-05-14T10:20:30.123Z")
REMIND = As(1_494_757_200_000, "2017-05-14T10:20:00.000Z")
QUOTED_DATE = '"2017-05-14T10:20:30.123Z"'

ROWS = [
    Row("TodoItem", 1, {
        "id": SHOP, "text": "Shop: eggs, ½ l milk", "complete": 1, "due": 1_494_757_230_500,
        "price": 12.5, "meta": '{"k":[1,2]}', "seenAt": QUOTED_DATE, "version": "AAAAAAAAB9E=",
        "createdAt": As('"2017-05-01T08:00:00.000Z"', "2017-05-01T08:00:00.000Z"),
        "updatedAt": UPDATED, "deleted": As(0, False), "code": "A-17", "remindAt": REMIND,
        "urgent": True, "tags": '["home",7]', "amount": 0.1,
    }),
    # SQLite made a number of the text "00123" in a column declared `string`.
    Row("TodoItem", 2, {
        "id": PARK, "text": "Park", "complete": 0, "price": As(3, 3.0), "updatedAt": UPDATED,
        "version": "AAAAAAAAB9I=", "code": As("00123", None), "urgent": False,
        "remindAt": As(-3_600_000, "1969-12-31T23:00:00.000Z"),
    }),
    Row("TodoItem", 5, {"id": LATE, "text": "", "tags": "[]"}),
]


def build(database: sqlite3.Connection) -> None:
    """Fills the bookkeeping tables."""
    database.execute(
        "CREATE TABLE [__operations] ([id] INTEGER PRIMARY KEY,[tableName] TEXT,[action] TEXT,"
        "[itemId] TEXT,[metadata] TEXT)")
    database.execute(
        "CREATE TABLE [__pulltime] ([id] TEXT PRIMARY KEY,[tableName] TEXT,[value] INTEGER)")
    for number, action, item_id, metadata in (
        (3, "insert", LATE, "{}"),
        (4, "update", SHOP, '{"version":"AAAAAAAAB9D="}'),
        (6, "update", SHOP, '{"version":"AAAAAAAAB9E="}'),
        (7, "update", PARK.lower(), '{"version":null}'),
        (9, "update", GONE, '{"version":"AAAAAAAAB9M="}'),
        (10, "delete", GONE, '{"version":"AAAAAAAAB9M="}'),
    ):
        insert(database, "__operations", {
            "id": number, "tableName": "TodoItem", "action": action, "itemId": item_id,
            "metadata": metadata,
        })
    for query, value in (("allItems", 1_494_757_230_123), ("first", -90_000_000)):
        insert(database, "__pulltime", {"id": query, "tableName": "TodoItem", "value": value})


SAMPLE = SiblingSample(
    folder="cordova-2017",
    layout="azure-mobile-cordova",
    generation=None,
    store_name="mobileapps.db",
    tables=TABLES,
    rows=ROWS,
    build=build,
    operations=[
        ExpectedOperation(3, "insert", "TodoItem", LATE, row=5),
        ExpectedOperation(4, "update", "TodoItem", SHOP, "AAAAAAAAB9E=", row=1),
        ExpectedOperation(6, "update", "TodoItem", SHOP, "AAAAAAAAB9E=", row=1),
        ExpectedOperation(7, "update", "TodoItem", PARK.lower(), "AAAAAAAAB9I=", row=2),
        ExpectedOperation(9, "update", "TodoItem", GONE),
        ExpectedOperation(10, "delete", "TodoItem", GONE, "AAAAAAAAB9M="),
    ],
    tokens=[
        expected_token("TodoItem", "allItems", "2017-05-14T10:20:30.123Z"),
        expected_token("TodoItem", "first", "1969-12-30T23:00:00.000Z"),
    ],
)
