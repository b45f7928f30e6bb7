"""A store of Couchbase Lite 1.1 on iOS: documents as trees of revisions, and no queue."""

from __future__ import annotations

import sqlite3

from .sample import ExpectedOperation, Row
from .sibling import SiblingSample, SiblingTable, expected_token, insert

SECRET = "session=never-shown"
CHECKPOINT = "186d759209bd052a599035c85fc42a156dae0119"
UPDATED = [
    "1-3ea70da40edcda2d6046e43789848866", "2-8ac23e6f3d569be314360b7493968c27",
    "3-2f15814329905f9d5547f495c480a4a4",
]
DELETED = ["1-4b934a04b2c4dbf679b2239411b040de", "2-a239e07360762717794b33139aedf503"]
NEW = "1-9f17c412d3006854d46dc761170d920d"
MINE, THEIRS = "2-0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f", "2-a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"
NOTE = "1-77777777777777777777777777777777"

OWN = {"_id": "_id", "_rev": "version"}
TASKS = SiblingTable("task", (), OWN | {
    name: name for name in ("complete", "price", "tags", "task", "type", "_attachments")})
NOTES = SiblingTable("documents", (), OWN | {"text": "text", "_attachments": "_attachments"})
LOCALS = SiblingTable("local_documents", (), OWN | {"json": "json"})
ROWS = [
    Row("task", 2, {
        "_id": "task-u", "_rev": UPDATED[2], "complete": True, "price": 4.0, "type": "task",
        "task": "updated twice"}),
    Row("task", 4, {
        "_id": "task-n", "_rev": NEW, "complete": False, "price": 0.1, "type": "task",
        "task": 'new "item"\nsecond line', "tags": '["a",{"b":1.50}]'}),
    Row("task", 5, {
        "_id": "task-c", "_rev": THEIRS, "complete": True, "type": "task", "task": "theirs"}),
    Row("documents", 6, {"_id": "note/ü", "_rev": NOTE, "text": "no type"}),
    Row("local_documents", 2, {
        "_id": "settings", "_rev": "4-local", "json": '{"sort":"price"}'}),
]
BODIES = (
    (2, 2, UPDATED[0], None, 0, 0,
     '{"complete":false,"price":2.5,"task":"update me","type":"task"}'),
    (3, 3, DELETED[0], None, 0, 0,
     '{"complete":true,"price":3.0,"task":"delete me","type":"task"}'),
    (5, 5, "1-c0", None, 0, 0, None),
    (7, 5, THEIRS, 5, 1, 0, '{"complete":true,"task":"theirs","type":"task"}'),
    (8, 6, NOTE, None, 1, 0, '{"text":"no type"}'),
    (10, 4, NEW, None, 1, 0,
     '{"complete":false,"price":0.1,"tags":["a",{"b":1.50}],"task":"new \\"item\\"\\nsecond line",'
     '"type":"task"}'),
    (11, 2, UPDATED[1], 2, 0, 0, '{"complete":true,"price":2.5,"task":"updated","type":"task"}'),
    (12, 2, UPDATED[2], 11, 1, 0,
     '{"complete":true,"price":4.0,"task":"updated twice","type":"task"}'),
    (13, 3, DELETED[1], 3, 1, 1, "{}"),
    (14, 5, MINE, 5, 1, 0, '{"complete":false,"task":"mine","type":"task"}'),
)
SCHEMA = (
    "CREATE TABLE docs (doc_id INTEGER PRIMARY KEY, docid TEXT UNIQUE NOT NULL)",
    "CREATE TABLE revs (sequence INTEGER PRIMARY KEY AUTOINCREMENT, doc_id INTEGER NOT NULL "
    "REFERENCES docs(doc_id) ON DELETE CASCADE, revid TEXT NOT NULL COLLATE REVID, parent INTEGER "
    "REFERENCES revs(sequence) ON DELETE SET NULL, current BOOLEAN, deleted BOOLEAN DEFAULT 0, "
    "json BLOB, no_attachments BOOLEAN, doc_type TEXT, UNIQUE (doc_id, revid))",
    "CREATE INDEX revs_parent ON revs(parent)",
    "CREATE TABLE localdocs (docid TEXT UNIQUE NOT NULL, revid TEXT NOT NULL COLLATE REVID, "
    "json BLOB)",
    "CREATE TABLE views (view_id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, version TEXT, "
    "lastsequence INTEGER DEFAULT 0, total_docs INTEGER DEFAULT -1)",
    "CREATE TABLE info (key TEXT PRIMARY KEY, value TEXT)",
    "PRAGMA user_version = 101",
)


def build(database: sqlite3.Connection) -> None:
    """Fills all tables."""
    for statement in SCHEMA:
        database.execute(statement)
    for number, docid in ((2, "task-u"), (3, "task-d"), (4, "task-n"), (5, "task-c"),
                          (6, "note/ü")):
        insert(database, "docs", {"doc_id": number, "docid": docid})
    for sequence, document, name, parent, current, deleted, body in BODIES:
        insert(database, "revs", {
            "sequence": sequence, "doc_id": document, "revid": name, "parent": parent,
            "current": current, "deleted": deleted, "json": body and body.encode(),
            "no_attachments": 1})
    for name, revision, body in (
        ("PersistentCookieStore", "1-local", f'{{"cookies":"{SECRET}"}}'),
        ("settings", "4-local", '{"sort":"price"}'),
    ):
        insert(database, "localdocs", {
            "docid": f"_local/{name}", "revid": revision, "json": body.encode()})
    for key, value in (("privateUUID", "-FEYHnujdYBN52mBgHiFzy4"), ("pruned", "true"),
                       (f"checkpoint/{CHECKPOINT}", "9"), ("cookies", SECRET)):
        insert(database, "info", {"key": key, "value": value})


SAMPLE = SiblingSample(
    folder="couchbase-ios-2015",
    layout="couchbase-lite-1",
    generation="1.1",
    store_name="notes.cblite",
    tables=[TASKS, NOTES, LOCALS],
    rows=ROWS,
    build=build,
    operations=[
        ExpectedOperation(10, "insert", "task", "task-n", row=4),
        ExpectedOperation(12, "update", "task", "task-u", UPDATED[0], row=2),
        ExpectedOperation(13, "delete", "task", "task-d", DELETED[0], payload={
            "complete": True, "price": 3.0, "task": "delete me", "type": "task"}),
        ExpectedOperation(14, "update", "task", "task-c", "1-c0", payload={
            "_pk": 5, "_id": "task-c", "version": MINE, "complete": False, "price": None,
            "tags": None, "task": "mine", "type": "task", "_attachments": None}),
    ],
    tokens=[expected_token(None, CHECKPOINT, None)],
    newest_in_log=True,
)
