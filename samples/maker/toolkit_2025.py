"""A store of a Community Toolkit app: EF Core's names and dates, snapshots in the queue."""

from __future__ import annotations

import sqlite3

from .dotnet import compact
from .sample import As, ExpectedOperation, Row
from .sibling import (
    SiblingSample,
    SiblingTable,
    expected_error,
    expected_token,
    insert,
)

ADD, DELETE, REPLACE = 0, 1, 2
PENDING, COMPLETED, FAILED = 0, 1, 2
TODO, CATEGORY = "MyApp.Data.TodoItem", "MyApp.Data.Category"

MILK, TEA, GONE, DONE, HOME = "a1", "a2", "b2", "a3", "c1"
NUMBERS = [f"0d7c1f0e5b1a4f0e9a513c0b6d5f9e0{number}" for number in range(1, 6)]

SYSTEM = {"UpdatedAt": "updatedAt", "Version": "version", "Deleted": "deleted"}
TABLES = [
    SiblingTable(
        "TodoItems",
        (
            'CREATE TABLE "TodoItems" ("Id" TEXT NOT NULL CONSTRAINT "PK_TodoItems" PRIMARY KEY,'
            ' "Title" TEXT NOT NULL, "IsComplete" INTEGER NOT NULL, "DueDate" TEXT NULL,'
            ' "Price" TEXT NULL, "Weight" REAL NULL, "Photo" BLOB NULL, "Owner" TEXT NULL,'
            ' "UpdatedAt" TEXT NULL, "Version" TEXT NULL, "Deleted" INTEGER NOT NULL)',
        ),
        {
            "Id": "Id", "Title": "Title", "IsComplete": "IsComplete", "DueDate": "DueDate",
            "Price": "Price", "Weight": "Weight", "Photo": "Photo", "Owner": "Owner",
        } | SYSTEM,
    ),
    SiblingTable(
        "Categories",
        (
            'CREATE TABLE "Categories" ('
            '"Id" TEXT NOT NULL CONSTRAINT "PK_Categories" PRIMARY KEY, "Name" TEXT NULL,'
            ' "UpdatedAt" TEXT NULL, "Version" BLOB NULL, "Deleted" INTEGER NOT NULL)',
        ),
        {"Id": "Id", "Name": "Name"} | SYSTEM,
    ),
    # The app does not synchronise this one, so its columns are its own affair.
    SiblingTable(
        "Settings",
        (
            'CREATE TABLE "Settings" ("Id" TEXT NOT NULL CONSTRAINT "PK_Settings" PRIMARY KEY,'
            ' "Value" TEXT NULL, "Version" INTEGER NOT NULL)',
        ),
        {"Id": "Id", "Value": "Value", "Version": "Version"},
    ),
]

ROWS = [
    Row("TodoItems", 1, {
        "Id": MILK, "Title": "Milk 🥛", "IsComplete": 1, "DueDate": "2025-05-01 10:20:30",
        "Price": "12.5", "Weight": 0.25, "Photo": b"\x89PNG\r\n", "Version": "AAAAAAAAB9E=",
        "Owner": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "Deleted": As(0, False),
        "UpdatedAt": As("2025-05-01 10:20:30.123+00:00", "2025-05-01T10:20:30.123Z"),
    }),
    Row("TodoItems", 2, {
        "Id": TEA, "Title": "", "IsComplete": 0, "Photo": b"", "Deleted": As(0, False),
    }),
    Row("TodoItems", 4, {
        "Id": DONE, "Title": "Done", "IsComplete": 1, "Deleted": As(1, True),
        "UpdatedAt": As("2025-05-01 12:20:30.1234567+02:00", "2025-05-01T10:20:30.123456700Z"),
        "Version": "AAAAAAAAB9Q=",
    }),
    Row("Categories", 1, {
        "Id": HOME, "Name": "Zuhause", "Deleted": As(0, False),
        "UpdatedAt": As("2025-04-30 00:00:00+00:00", "2025-04-30T00:00:00.000Z"),
        "Version": b"\0\0\0\0\0\0\x07\xd1",
    }),
    Row("Settings", 1, {"Id": "theme", "Value": "dark", "Version": 3}),
]

MILK_ITEM = {
    "id": MILK, "updatedAt": "2025-05-01T10:20:30.123Z", "version": "AAAAAAAAB9E=",
    "title": "Milk 🥛", "isComplete": True, "price": 12.5,
}
TEA_ITEM = {"id": TEA, "title": ""}
GONE_ITEM = {"id": GONE, "version": "AAAAAAAAB9I=", "title": "Größe prüfen"}
DONE_ITEM = {"id": DONE, "version": "AAAAAAAAB9Q=", "title": "Done", "isComplete": True}
HOME_ITEM = {"id": HOME, "version": "AAAAAAAAB9E=", "name": "Zuhause"}

# Kind, state, last attempt, status, type, item, version, snapshot.
QUEUE = (
    (REPLACE, FAILED, "2025-05-02 06:00:00.5+00:00", 412, TODO, MILK, "AAAAAAAAB9E=", MILK_ITEM),
    (ADD, PENDING, None, None, TODO, TEA, "", TEA_ITEM),
    (DELETE, PENDING, None, None, TODO, GONE, "AAAAAAAAB9I=", GONE_ITEM),
    (REPLACE, COMPLETED, "2025-05-02 06:00:00.75+00:00", None, TODO, DONE, "AAAAAAAAB9P=",
     DONE_ITEM),
    (REPLACE, PENDING, None, None, CATEGORY, HOME, "AAAAAAAAB9E=", HOME_ITEM),
)

BOOKKEEPING = (
    'CREATE TABLE "__EFMigrationsHistory" ("MigrationId" TEXT NOT NULL'
    ' CONSTRAINT "PK___EFMigrationsHistory" PRIMARY KEY, "ProductVersion" TEXT NOT NULL)',
    "INSERT INTO \"__EFMigrationsHistory\" VALUES ('20250101120000_Initial', '9.0.4')",
    'CREATE TABLE "DatasyncDeltaTokens" ("Id" TEXT NOT NULL'
    ' CONSTRAINT "PK_DatasyncDeltaTokens" PRIMARY KEY, "Value" INTEGER NOT NULL)',
    'CREATE TABLE "DatasyncOperationsQueue" ("Id" TEXT NOT NULL'
    ' CONSTRAINT "PK_DatasyncOperationsQueue" PRIMARY KEY, "Kind" INTEGER NOT NULL,'
    ' "State" INTEGER NOT NULL, "LastAttempt" TEXT NULL, "HttpStatusCode" INTEGER NULL,'
    ' "EntityType" TEXT NOT NULL, "ItemId" TEXT NOT NULL, "EntityVersion" TEXT NOT NULL,'
    ' "Item" TEXT NOT NULL, "Sequence" INTEGER NOT NULL, "Version" INTEGER NOT NULL)',
    'CREATE INDEX "IX_DatasyncOperationsQueue_ItemId_EntityType" ON "DatasyncOperationsQueue"'
    ' ("ItemId", "EntityType")',
)


def build(database: sqlite3.Connection) -> None:
    """Fills the queue and the tokens."""
    columns = (
        "Kind", "State", "LastAttempt", "HttpStatusCode", "EntityType", "ItemId", "EntityVersion")
    for at, row in enumerate(QUEUE):
        values = {"Id": NUMBERS[at]} | dict(zip(columns, row))
        values |= {"Item": compact(row[-1]), "Sequence": at + 1, "Version": 0}
        insert(database, "DatasyncOperationsQueue", values)
    for key, value in (
        (TODO, 1_746_094_830_123),
        (f"q-{CATEGORY}-home", 1_745_971_200_000),
        (f"q-{TODO}-5d41402abc4b2a76b9719d911017c592", 0),
    ):
        insert(database, "DatasyncDeltaTokens", {"Id": key, "Value": value})


SAMPLE = SiblingSample(
    folder="toolkit-2025",
    layout="datasync-toolkit",
    generation=None,
    store_name="todo.sqlite",
    tables=TABLES,
    rows=ROWS,
    build=build,
    operations=[
        ExpectedOperation(NUMBERS[0], "update", "TodoItems", MILK, "AAAAAAAAB9E=",
                          payload=MILK_ITEM, state="failed"),
        ExpectedOperation(NUMBERS[1], "insert", "TodoItems", TEA, payload=TEA_ITEM),
        ExpectedOperation(
            NUMBERS[2], "delete", "TodoItems", GONE, "AAAAAAAAB9I=", payload=GONE_ITEM),
        ExpectedOperation(NUMBERS[3], "update", "TodoItems", DONE, "AAAAAAAAB9P=",
                          payload=DONE_ITEM, state="completed"),
        ExpectedOperation(
            NUMBERS[4], "update", "Categories", HOME, "AAAAAAAAB9E=", payload=HOME_ITEM),
    ],
    errors=[expected_error("TodoItems", MILK, "update", 412, 1, item=MILK_ITEM)],
    tokens=[
        expected_token("TodoItems", None, "2025-05-01T10:20:30.123Z"),
        expected_token("Categories", "home", "2025-04-30T00:00:00.000Z"),
        expected_token(
            "TodoItems", "5d41402abc4b2a76b9719d911017c592", "1970-01-01T00:00:00.000Z"),
    ],
    newest_in_log=True,
    first=BOOKKEEPING,
)
