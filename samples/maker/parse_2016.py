"""A Local Datastore of Parse on Android: objects as documents, with the changes that wait in them."""

from __future__ import annotations

import json
import sqlite3

from .sample import ExpectedOperation, Row
from .sibling import SiblingSample, SiblingTable, insert

MADE, CHANGED = "2016-05-01T10:20:30.123Z", "2016-05-02T08:00:00.500Z"
BEST, DRAFT, GONE, USER = "u1u1u1u1u1", None, "Zz9Zz9Zz9Z", "aB3aB3aB3a"
UUIDS = [f"5a0e0000-0000-4000-8000-00000000000{number}" for number in range(10)]
SECRET = "r:0123456789abcdef"

OWN = {name: name for name in ("objectId", "_uuid", "createdAt", "updatedAt", "deleted")}
TABLES = [
    SiblingTable("Game", (), OWN | {
        name: name for name in ("owner", "photo", "played", "score", "tags", "title")}),
    SiblingTable("_User", (), OWN | {"username": "username"}),
]
ROWS = [
    Row("Game", 1, {
        "objectId": BEST, "_uuid": UUIDS[1], "createdAt": MADE, "updatedAt": CHANGED,
        "deleted": False, "score": 15, "title": "Chess",
        "owner": '{"__type":"Pointer","className":"_User","objectId":"aB3aB3aB3a"}',
        "tags": '["a","b"]', "played": "2016-05-01T09:00:00.000Z", "photo": b"\x01\x02\x03",
    }),
    Row("Game", 2, {
        "_uuid": UUIDS[2], "deleted": False, "title": "Draft", "score": 0,
        "owner": f'{{"__type":"OfflineObject","uuid":"{UUIDS[4]}"}}',
    }),
    Row("Game", 3, {
        "objectId": GONE, "_uuid": UUIDS[3], "createdAt": MADE, "updatedAt": MADE,
        "deleted": True, "title": "Old",
    }),
    Row("_User", 4, {
        "objectId": USER, "_uuid": UUIDS[4], "createdAt": MADE, "updatedAt": MADE,
        "deleted": False, "username": "ada",
    }),
]


def date(iso: str) -> dict[str, str]:
    """A date as the SDK encodes it."""
    return {"__type": "Date", "iso": iso}


def pointer(class_name: str, object_id: str) -> dict[str, str]:
    """A pointer to an object that the server knows."""
    return {"__type": "Pointer", "className": class_name, "objectId": object_id}


def save(database: sqlite3.Connection, number: int, class_name: str, object_id: str | None,
         *sets: dict[str, object], deleting: int = 0, **fields: object) -> None:
    """Stores an object as the SDK does."""
    body: dict[str, object] = {"className": class_name}
    if object_id is not None:
        body["objectId"] = object_id
    body |= fields | {
        "__complete": True, "__isDeletingEventually": deleting, "__selectedKeys": [],
        "__operations": [*sets]}
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":")).replace("/", "\\/")
    insert(database, "ParseObjects", {
        "uuid": UUIDS[number], "className": class_name, "objectId": object_id, "json": text,
        "isDeletingEventually": deleting})


def command(database: sqlite3.Connection, number: int, time: str, kind: int,
            **more: object) -> None:
    """Queues a command as the SDK does."""
    save(database, number, "_EventuallyPin", None, {
        "uuid": f"e-{number}", "time": date(time), "type": kind, "sessionToken": SECRET,
        "__uuid": f"c-{number}"} | more)


def build(database: sqlite3.Connection) -> None:
    """Fills both tables."""
    database.execute("CREATE TABLE android_metadata (locale TEXT)")
    database.execute(
        "CREATE TABLE ParseObjects (uuid TEXT PRIMARY KEY, className TEXT NOT NULL, objectId TEXT,"
        " json TEXT, isDeletingEventually INTEGER DEFAULT 0, UNIQUE(className, objectId))")
    database.execute(
        "CREATE TABLE Dependencies (key TEXT NOT NULL, uuid TEXT NOT NULL, PRIMARY KEY(key, uuid))")
    save(database, 1, "Game", BEST,
         {"score": {"__op": "Increment", "amount": 5}, "__uuid": "s-1", "__isSaveEventually": True},
         {"tags": {"__op": "Add", "objects": ["b"]}, "__uuid": "s-2"},
         createdAt=MADE, updatedAt=CHANGED, score=10, title="Chess",
         owner=pointer("_User", USER), tags=["a"], played=date("2016-05-01T09:00:00.000Z"),
         photo={"__type": "Bytes", "base64": "AQID"})
    save(database, 2, "Game", None,
         {"title": "Draft", "score": 0, "owner": {"__type": "OfflineObject", "uuid": UUIDS[4]},
          "__uuid": "s-3", "__isSaveEventually": True},
         {"__uuid": "s-4"})
    save(database, 3, "Game", GONE, {"__uuid": "s-5"}, deleting=1,
         createdAt=MADE, updatedAt=MADE, title="Old")
    save(database, 4, "_User", USER, {"__uuid": "s-6"},
         createdAt=MADE, updatedAt=MADE, username="ada", sessionToken=SECRET,
         authData={"anonymous": {"id": SECRET}})
    command(database, 5, "2016-05-02T09:00:01.000Z", 1,
            object={"__type": "OfflineObject", "uuid": UUIDS[2]}, operationSetUUID="s-3")
    command(database, 6, "2016-05-02T09:00:00.000Z", 1,
            object=pointer("Game", BEST), operationSetUUID="s-1")
    command(database, 7, "2016-05-02T09:00:02.000Z", 2, object=pointer("Game", GONE))
    save(database, 8, "_Pin", None, {
        "_name": "_eventuallyPin", "_objects": [], "__uuid": "s-7"})
    for number in (1, 2, 3, 4, 5, 6, 7, 8):
        insert(database, "Dependencies", {"key": UUIDS[8], "uuid": UUIDS[number]})


SAMPLE = SiblingSample(
    folder="parse-android-2016",
    layout="parse-local-datastore",
    generation="android-2",
    store_name="ParseOfflineStore",
    tables=TABLES,
    rows=ROWS,
    build=build,
    operations=[
        ExpectedOperation("e-6", "update", "Game", BEST, row=1),
        ExpectedOperation("e-5", "insert", "Game", UUIDS[2], row=2),
        ExpectedOperation("e-7", "delete", "Game", GONE, row=3),
        ExpectedOperation("s-2", "update", "Game", BEST, row=1),
    ],
)
