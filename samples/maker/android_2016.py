"""A store of the last Android client: two sessions, each counting its operations from 0."""

from __future__ import annotations

import sqlite3

from .android import (
    ATTEMPTED,
    DELETE,
    ERRORS,
    FAILED,
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

FIRST_SESSION, SECOND_SESSION = "2016-10-01T07:30:00.000Z", "2016-10-02T19:05:44.120Z"
NOTES = [f"4a7c0d10-55aa-4e0b-9c1d-20161001e00{number}" for number in range(6)]
NUMBERS = [f"c3f6b1f4-0d0e-4f52-b1c5-20161002a00{number}" for number in range(6)]

NOTE_COLUMNS = {
    "body": "TEXT", "createdat": "TEXT", "pinned": "INTEGER", "version": "TEXT",
    "updatedat": "TEXT", "rating": "REAL", "deleted": "INTEGER",
}
BOOK_COLUMNS = {"title": "TEXT", "version": "TEXT"}
CANONICAL = {"createdat": "createdAt", "updatedat": "updatedAt"}


def app_table(name: str, columns: dict[str, str]) -> SiblingTable:
    """A table of the app with its canonical names."""
    names = {"id": "id"} | {column: CANONICAL.get(column, column) for column in columns}
    return SiblingTable(name, table(name, columns), names)


TABLES = [app_table("note", NOTE_COLUMNS), app_table("note_book", BOOK_COLUMNS)]

ROWS = [
    Row("note", 1, {
        "id": NOTES[0], "body": "First line\nsecond line", "pinned": 1, "rating": 4.5,
        "createdat": "2016-09-28T08:00:00.000Z", "version": "AAAAAAAAB8A=",
        "updatedat": As("2016-09-30T21:45:10.04Z", "2016-09-30T21:45:10.040Z"),
        "deleted": As(0, False),
    }),
    Row("note", 2, {
        "id": NOTES[1], "body": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \\ \"quotes\" 'too'", "pinned": 0,
        "createdat": "2016-09-28T08:00:01.000Z", "version": "AAAAAAAAB8E=",
        "updatedat": As("2016-09-30T23:45:10.5+02:00", "2016-09-30T21:45:10.500Z"),
    }),
    Row("note", 5, {"id": NOTES[2], "body": "", "pinned": None, "rating": As(-1, -1.0)}),
    Row("note", 6, {"id": NOTES[3], "body": "written last"}),
    Row("note_book", 1, {"id": "b-1", "title": "Travel", "version": "AAAAAAAAB9A="}),
]

DELETED_ITEM = {"id": NOTES[4], "body": "gone", "version": "AAAAAAAAB9M=", "pinned": True}
MINE = {"id": NOTES[1], "body": "mine", "version": "AAAAAAAAB8E="}
THEIRS = {"id": NOTES[1], "body": "theirs", "version": "AAAAAAAAB8F=", "deleted": False}

# What the queue holds: number, kind, table, item, session, sequence, state, payload.
QUEUE = (
    (NUMBERS[3], INSERT, "note", NOTES[3], SECOND_SESSION, 0.0, PENDING, None),
    (NUMBERS[0], INSERT, "note", NOTES[2], FIRST_SESSION, 0.0, ATTEMPTED, None),
    (NUMBERS[4], UPDATE, "note_book", "b-1", SECOND_SESSION, 1.0, PENDING, None),
    (NUMBERS[1], DELETE, "note", NOTES[4], FIRST_SESSION, 1.0, PENDING, compact(DELETED_ITEM)),
    (NUMBERS[2], UPDATE, "note", NOTES[1], FIRST_SESSION, 7.0, FAILED, None),
    (NUMBERS[5], UPDATE, "note", NOTES[5], SECOND_SESSION, 2.0, None, None),
)


def build(database: sqlite3.Connection) -> None:
    """Fills the bookkeeping tables."""
    tables = {
        "__operations": OPERATIONS | {"createdat": "TEXT", "item": "TEXT"},
        "__errors": ERRORS | {"createdat": "TEXT"},
        "__incrementalpulldata": TOKENS,
    }
    for name, columns in tables.items():
        for statement in table(name, columns):
            database.execute(statement)
    columns = (
        "id", "kind", "tablename", "itemid", "__queueloadedat", "sequence", "state", "item")
    for row in QUEUE:
        insert(database, "__operations", dict(zip(columns, row)) | {"createdat": row[4]})
    insert(database, "__errors", {
        "id": "d2719b4c-2c70-4b0f-8f4e-0a2d5f9be302", "operationid": NUMBERS[2],
        "operationkind": 1.0, "tablename": "note", "itemid": NOTES[1],
        "clientitem": compact(MINE), "errormessage": "Precondition failed",
        "serveritem": compact(THEIRS), "createdat": "2016-10-02T19:06:00.000Z",
    })
    for key, value in (
        ("note_allNotes", "2016-09-30T21:45:10.040Z"),
        ("note_book_mine", "2016-09-30T21:45:10.500+00:00"),
    ):
        insert(database, "__incrementalpulldata", {"id": key, "maxupdateddate": value})


SAMPLE = SiblingSample(
    folder="android-2016",
    layout="azure-mobile-android",
    generation="d3",
    store_name="OfflineStore",
    tables=TABLES,
    rows=ROWS,
    build=build,
    operations=[
        ExpectedOperation(NUMBERS[0], "insert", "note", NOTES[2], row=5, state="attempted"),
        ExpectedOperation(
            NUMBERS[1], "delete", "note", NOTES[4], "AAAAAAAAB9M=", payload=DELETED_ITEM),
        ExpectedOperation(
            NUMBERS[2], "update", "note", NOTES[1], "AAAAAAAAB8E=", row=2, state="failed"),
        ExpectedOperation(NUMBERS[3], "insert", "note", NOTES[3], row=6),
        ExpectedOperation(NUMBERS[4], "update", "note_book", "b-1", "AAAAAAAAB9A=", row=1),
        ExpectedOperation(NUMBERS[5], "update", "note", NOTES[5]),
    ],
    errors=[
        expected_error("note", NOTES[1], "update", None, 3, item=MINE, serverItem=THEIRS,
                       message="Precondition failed"),
    ],
    tokens=[
        expected_token("note", "allNotes", "2016-09-30T21:45:10.040Z"),
        expected_token("note_book", "mine", "2016-09-30T21:45:10.500Z"),
    ],
    first=OPEN_HELPER,
)
