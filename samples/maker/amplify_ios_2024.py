"""A store of Amplify DataStore on iOS: whole models in the queue, versions beside the rows."""

from __future__ import annotations

import json
import sqlite3

from .sample import As, ExpectedOperation, Row
from .sibling import SiblingSample, SiblingTable, expected_token, insert

HOME = "5B3C2C0E-9B1F-4C55-8D0D-0F9E2E4C1A01"
MILK, TEA, GONE, NEW = (f"5B3C2C0E-9B1F-4C55-8D0D-0F9E2E4C1B0{number}" for number in range(1, 5))
EVENTS = [f"E4C1A000-0000-4000-8000-00000000000{number}" for number in range(1, 5)]

TABLES = [
    SiblingTable(
        "Blog",
        (
            'create table if not exists "Blog" (\n  "id" text primary key not null,\n'
            '  "createdAt" text,\n  "name" text not null,\n  "updatedAt" text\n)',
        ),
        {name: name for name in ("id", "createdAt", "name", "updatedAt", "version")},
        joined=("version",),
    ),
    SiblingTable(
        "Post",
        (
            'create table if not exists "Post" (\n  "id" text primary key not null,\n'
            '  "createdAt" text,\n  "done" integer,\n  "rating" real,\n  "tags" text,\n'
            '  "title" text not null,\n  "updatedAt" text,\n  "blogPostsId" text,\n'
            '  foreign key("blogPostsId") references "Blog"("id")\n    on delete cascade\n)',
        ),
        {name: name for name in (
            "id", "createdAt", "done", "rating", "tags", "title", "updatedAt", "blogPostsId",
            "version")},
        joined=("version",),
    ),
]
MADE, CHANGED = "2024-05-01T10:20:30.123Z", "2024-05-02T08:00:00.500Z"
ROWS = [
    Row("Blog", 1, {"id": HOME, "createdAt": MADE, "name": "Home", "updatedAt": CHANGED,
                    "version": "3"}),
    Row("Post", 1, {
        "id": MILK, "createdAt": MADE, "done": 1, "rating": 4.5, "tags": '["a","b"]',
        "title": "Shop: ½ l milk", "updatedAt": As("2024-05-02T10:00:00.500+02:00", CHANGED),
        "blogPostsId": HOME, "version": "5"}),
    Row("Post", 2, {"id": TEA, "createdAt": MADE, "done": 0, "title": "Tea", "updatedAt": MADE,
                    "blogPostsId": HOME, "version": "1"}),
    Row("Post", 4, {"id": NEW, "title": "Never sent", "blogPostsId": HOME}),
]


def model(identifier: str, title: str, **more: object) -> dict[str, object]:
    """A model as the SDK puts it into its queue."""
    return {"blog": {"id": HOME, "name": "Home"}, "id": identifier, "title": title} | more


PAYLOADS = [
    model(MILK, "Shop: milk", done=True, rating=4),
    model(MILK, "Shop: ½ l milk", done=True, rating=4.5, tags=["a", "b"]),
    model(NEW, "Never sent"),
    model(GONE, "Gone"),
]


def build(database: sqlite3.Connection) -> None:
    """Fills the bookkeeping tables."""
    database.execute(
        'create table if not exists "ModelSyncMetadata" (\n  "id" text primary key not null,\n'
        '  "lastSync" integer,\n  "syncPredicate" text\n)')
    database.execute(
        'create table if not exists "MutationEvent" (\n  "id" text primary key not null,\n'
        '  "createdAt" text not null,\n  "graphQLFilterJSON" text,\n'
        '  "inProcess" integer not null,\n  "json" text not null,\n  "modelId" text not null,\n'
        '  "modelName" text not null,\n  "mutationType" text not null,\n  "version" integer\n)')
    database.execute(
        'create table if not exists "MutationSyncMetadata" (\n'
        '  "id" text primary key not null,\n  "deleted" integer not null,\n'
        '  "lastChangedAt" integer not null,\n  "version" integer not null\n)')
    for name, deleted, version in (
        (f"Blog|{HOME}", 0, 3), (f"Post|{MILK}", 0, 5), (f"Post|{TEA}", 0, 1),
        (f"Post|{GONE}", 0, 2), ("Post|F00D", 1, 4),
    ):
        insert(database, "MutationSyncMetadata", {
            "id": name, "deleted": deleted, "lastChangedAt": 1_714_558_830_123,
            "version": version})
    facts = (
        ("update", MILK, None, 1, None), ("update", MILK, '{"rating":{"lt":5}}', 0, 4),
        ("create", NEW, None, 0, None), ("delete", GONE, "{}", 0, None),
    )
    for at, (kind, item, condition, in_process, version) in enumerate(facts):
        text = json.dumps(PAYLOADS[at], ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        insert(database, "MutationEvent", {
            "id": EVENTS[at], "createdAt": f"2024-05-02T09:00:0{at}.000Z",
            "graphQLFilterJSON": condition, "inProcess": in_process,
            "json": text.replace("/", "\\/"), "modelId": item, "modelName": "Post",
            "mutationType": kind, "version": version})
    for name, time in (("Blog", 1_714_636_800_000), ("Post", 1_714_636_801_250)):
        insert(database, "ModelSyncMetadata", {"id": name, "lastSync": time})


SAMPLE = SiblingSample(
    folder="amplify-ios-2024",
    layout="amplify-datastore",
    generation="ios-3",
    store_name="TodoApp.db",
    tables=TABLES,
    rows=ROWS,
    build=build,
    operations=[
        ExpectedOperation(
            EVENTS[0], "update", "Post", MILK, "5", payload=PAYLOADS[0], state="attempted"),
        ExpectedOperation(EVENTS[1], "update", "Post", MILK, "5", payload=PAYLOADS[1]),
        ExpectedOperation(EVENTS[2], "insert", "Post", NEW, payload=PAYLOADS[2]),
        ExpectedOperation(EVENTS[3], "delete", "Post", GONE, "2", payload=PAYLOADS[3]),
    ],
    tokens=[
        expected_token("Blog", None, "2024-05-02T08:00:00.000Z"),
        expected_token("Post", None, "2024-05-02T08:00:01.250Z"),
    ],
)
