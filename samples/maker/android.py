"""What the Android client adds to a store: bookkeeping tables, columns one at a time."""

from __future__ import annotations

from .sibling import quoted

INSERT, UPDATE, DELETE = 0.0, 1.0, 2.0
PENDING, ATTEMPTED, FAILED = 0.0, 1.0, 2.0

# What SQLiteOpenHelper leaves in every file.
OPEN_HELPER = (
    "CREATE TABLE android_metadata (locale TEXT)",
    "INSERT INTO android_metadata VALUES ('de_AT')",
    "PRAGMA user_version = 1",
)
OPERATIONS = {
    "kind": "REAL", "tablename": "TEXT", "itemid": "TEXT", "__queueloadedat": "TEXT",
    "sequence": "REAL", "state": "REAL",
}
ERRORS = {
    "operationid": "TEXT", "operationkind": "TEXT", "tablename": "TEXT", "itemid": "TEXT",
    "clientitem": "TEXT", "errormessage": "TEXT", "statuscode": "REAL", "serverresponse": "TEXT",
    "serveritem": "TEXT",
}
BACKUPS = {"tablename": "TEXT", "itemid": "TEXT", "clientitem": "TEXT"}
TOKENS = {"maxupdateddate": "TEXT"}


def table(name: str, columns: dict[str, str]) -> tuple[str, ...]:
    """The SQL of a table: the id first, each other column by a statement of its own."""
    made = (f'CREATE TABLE {quoted(name)} ("id" TEXT PRIMARY KEY)',)
    return made + tuple(
        f"ALTER TABLE {quoted(name)} ADD COLUMN {quoted(column)} {declared}"
        for column, declared in columns.items()
    )
