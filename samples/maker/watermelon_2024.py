"""A store of WatermelonDB, written through JSI: states in the rows, numbers as reals."""

from __future__ import annotations

import sqlite3

from .sample import As, ExpectedOperation, Row
from .sibling import SiblingSample, SiblingTable, expected_token, insert

HOME, WORK, NEW, EDITED, GONE = (
    "7h2k9qvz1m0x4r8t", "p0c3w6y9n2b5f8j1", "Qe4Tz7Ux0Rm3Ks6V", "a1s2d3f4g5h6j7k8",
    "z9x8c7v6b5n4m3l2",
)
CREATED = As(1_714_558_830_123.0, "2024-05-01T10:20:30.123Z")
LATER = As(1_714_645_230_000.0, "2024-05-02T10:20:30.000Z")

SETTINGS = SiblingTable(
    "local_storage",
    (
        'create table "local_storage" ("key" varchar(16) primary key not null, '
        '"value" text not null)',
        'create index "local_storage_key_index" on "local_storage" ("key")',
    ),
    {"key": "key", "value": "value"},
)
PROJECTS = SiblingTable(
    "projects",
    (
        'create table "projects" ("id" primary key, "_changed", "_status", "name", "created_at")',
        'create index if not exists "projects__status" on "projects" ("_status")',
    ),
    {"id": "id", "name": "name", "created_at": "createdAt"},
)
TASKS = SiblingTable(
    "tasks",
    (
        'create table "tasks" ("id" primary key, "_changed", "_status", "name", "project_id", '
        '"is_completed", "position", "remind_at", "created_at", "updated_at")',
        'create index if not exists "tasks_project_id" on "tasks" ("project_id")',
        'create index if not exists "tasks__status" on "tasks" ("_status")',
    ),
    {
        "id": "id", "name": "name", "project_id": "project_id", "is_completed": "is_completed",
        "position": "position", "remind_at": "remind_at", "created_at": "createdAt",
        "updated_at": "updatedAt",
    },
)
NO, YES = As(0, False), As(1, True)


def state(status: str, changed: str = "") -> dict[str, object]:
    """The two columns that tell the state of a row."""
    return {"_status": status, "_changed": changed}


ROWS = [
    Row("local_storage", 1, {"key": "__watermelon_last_pulled_at", "value": "1714558831000"}),
    Row("local_storage", 2, {"key": "__watermelon_last_pulled_schema_version", "value": "3"}),
    Row("projects", 1, {"id": HOME, "name": "Home", "created_at": CREATED} | state("synced")),
    Row("projects", 2, {"id": WORK, "name": "", "created_at": CREATED} | state("created", "name")),
    Row("tasks", 1, {
        "id": EDITED, "name": "Eggs, ½ l milk", "project_id": HOME, "is_completed": YES,
        "position": 1.0, "remind_at": As(0.0, "1970-01-01T00:00:00.000Z"), "created_at": CREATED,
        "updated_at": LATER,
    } | state("updated", "is_completed,updated_at")),
    Row("tasks", 3, {
        "id": NEW, "name": "line one\nline two", "project_id": WORK, "is_completed": NO,
        "position": 2.5, "remind_at": LATER, "created_at": LATER, "updated_at": LATER,
    } | state("created")),
    Row("tasks", 4, {
        "id": "t-0004-from-server", "name": "Żółć", "project_id": None, "is_completed": NO,
        "position": None, "remind_at": None, "created_at": CREATED, "updated_at": CREATED,
    } | state("synced")),
]
TOMBSTONE = {
    "id": GONE, "name": "gone", "project_id": HOME, "is_completed": 0, "position": 3.0,
    "remind_at": None, "created_at": CREATED.stored, "updated_at": CREATED.stored,
}


def build(database: sqlite3.Connection) -> None:
    """Adds the tombstone, which is no row any more."""
    insert(database, "tasks", {"rowid": 2} | TOMBSTONE | state("deleted", "name"))


SAMPLE = SiblingSample(
    folder="watermelon-2024",
    layout="watermelondb",
    generation="w4",
    store_name="watermelon.db",
    tables=[SETTINGS, PROJECTS, TASKS],
    rows=ROWS,
    build=build,
    first=("PRAGMA user_version = 4",),
    operations=[
        ExpectedOperation(f"projects/{WORK}", "insert", "projects", WORK, row=2),
        ExpectedOperation(f"tasks/{NEW}", "insert", "tasks", NEW, row=3),
        ExpectedOperation(f"tasks/{EDITED}", "update", "tasks", EDITED, row=1),
        ExpectedOperation(f"tasks/{GONE}", "delete", "tasks", GONE, payload={
            "_pk": 2, "id": GONE, "name": "gone", "project_id": HOME, "is_completed": False,
            "position": 3.0, "remind_at": None, "createdAt": CREATED.shown,
            "updatedAt": CREATED.shown,
        }),
    ],
    tokens=[expected_token(None, "last_pulled_at", "2024-05-01T10:20:31.000Z")],
    newest_in_log=True,
)
