"""A store of a Mobile Apps 4.2 app: plain system columns, and a shop's catalogue."""

from __future__ import annotations

import sqlite3

from .dotnet import (
    DELETE,
    FAILED,
    INSERT,
    MOBILE_APPS_TABLES,
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

TEA = "5f7d1c0e-5b1a-4f0e-9a51-3c0b6d5f9e01"
SOLD = "5f7d1c0e-5b1a-4f0e-9a51-3c0b6d5f9e02"
LOST = "5f7d1c0e-5b1a-4f0e-9a51-3c0b6d5f9e03"
ORDER = "9a7d1c0e-5b1a-4f0e-9a51-3c0b6d5f9e04"

PRICE = "0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e01"
REMOVAL = "0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e02"
MISSING = "0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e03"
NEW_ORDER = "0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e04"

SYSTEM = ("version", "createdAt", "updatedAt", "deleted")
PRODUCT = ("id", "name", "price", "inStock", "photo", "details", "supplier", *SYSTEM)
ORDERS = ("id", "product", "quantity", "placedAt", "status", *SYSTEM)

TABLES = [
    SiblingTable(
        "Product",
        (
            "CREATE TABLE [Product] ([id] TEXT PRIMARY KEY, [name] TEXT, [price] FLOAT,"
            " [inStock] BOOLEAN, [photo] BLOB, [details] JSON, [supplier] GUID, [version] TEXT,"
            " [createdAt] DATETIME, [updatedAt] DATETIME, [deleted] BOOLEAN)",
        ),
        {name: name for name in PRODUCT},
    ),
    SiblingTable(
        "Order",
        (
            "CREATE TABLE [Order] ([id] TEXT PRIMARY KEY, [product] TEXT, [quantity] INTEGER,"
            " [placedAt] DATETIME, [status] TEXT, [version] TEXT, [createdAt] DATETIME,"
            " [updatedAt] DATETIME, [deleted] BOOLEAN)",
        ),
        {name: name for name in ORDERS},
    ),
]

DETAILS = indented({"tags": ["grün", "loose"], "origin": {"country": "JP", "year": 2018}})
JANUARY = As(1_548_064_800, "2019-01-21T10:00:00.000Z")
MAY = As(1_557_829_230.123, "2019-05-14T10:20:30.123Z")
BETWEEN = As(1_557_829_230.1234567, "2019-05-14T10:20:30.123456717Z")

ROWS = [
    Row("Product", 1, {
        "id": TEA, "name": "Sencha 煎茶", "price": 12.5, "inStock": True,
        "photo": As("AQID/w==", "AQID/w=="), "details": DETAILS,
        "supplier": "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "version": "AAAAAAAAB9E=",
        "createdAt": JANUARY, "updatedAt": MAY, "deleted": False,
    }),
    Row("Product", 2, {
        "id": "5f7d1c0e-5b1a-4f0e-9a51-3c0b6d5f9e09", "name": "=SUM(1,2)", "price": -0.5,
        "inStock": None, "details": "[]", "version": "AAAAAAAAB9I=", "createdAt": JANUARY,
        "updatedAt": JANUARY, "deleted": True,
    }),
    Row("Order", 7, {
        "id": ORDER, "product": TEA, "quantity": 9_223_372_036_854_775_807, "placedAt": BETWEEN,
        "status": "Open",
    }),
]

SOLD_ITEM = {"id": SOLD, "name": "Cup", "price": 7.0, "inStock": False, "version": "AAAAAAAAB9M="}


def operation(
    database: sqlite3.Connection, number: str, kind: int, table: str, item_id: str, sequence: int,
    state: int = PENDING, item: str | None = None,
) -> None:
    """A row of the queue."""
    insert(database, "__operations", {
        "id": number, "kind": kind, "state": state, "tableName": table, "tableKind": 0,
        "itemId": item_id, "item": item, "sequence": sequence, "version": 1,
    })


def build(database: sqlite3.Connection) -> None:
    """Fills the bookkeeping tables."""
    for statement in MOBILE_APPS_TABLES:
        database.execute(statement)
    operation(database, PRICE, UPDATE, "Product", TEA, 11)
    operation(database, REMOVAL, DELETE, "Product", SOLD, 12, item=compact(SOLD_ITEM))
    operation(database, NEW_ORDER, INSERT, "Order", ORDER, 14)
    operation(database, MISSING, UPDATE, "Product", LOST, 13, FAILED)
    insert(database, "__errors", {
        "id": MISSING, "operationVersion": 1, "operationKind": UPDATE, "tableName": "Product",
        "tableKind": 0, "item": compact({"id": LOST}),
    })
    for key, value in (
        ("systemProperties|Product", "15"),
        ("deltaToken|Product|allProducts", "2019-05-14T10:20:30.1230000+00:00"),
        ("deltaToken|Order|open_orders", "2019-05-01T00:00:00.0000000+00:00"),
    ):
        insert(database, "__config", {"id": key, "value": value})


SAMPLE = SiblingSample(
    folder="dotnet-2019",
    layout="azure-mobile-dotnet",
    generation="b",
    store_name="localstore.db",
    tables=TABLES,
    rows=ROWS,
    build=build,
    operations=[
        ExpectedOperation(PRICE, "update", "Product", TEA, "AAAAAAAAB9E=", row=1),
        ExpectedOperation(REMOVAL, "delete", "Product", SOLD, "AAAAAAAAB9M=", payload=SOLD_ITEM),
        ExpectedOperation(MISSING, "update", "Product", LOST, state="failed"),
        ExpectedOperation(NEW_ORDER, "insert", "Order", ORDER, row=7),
    ],
    errors=[expected_error("Product", LOST, "update", None, 3, item={"id": LOST})],
    tokens=[
        expected_token("Product", "allProducts", "2019-05-14T10:20:30.123Z"),
        expected_token("Order", "open_orders", "2019-05-01T00:00:00.000Z"),
    ],
)
