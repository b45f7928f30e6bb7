"""Makes a store of Parse's Local Datastore with one object of each class, each with a queued save.

    parse_device.py FILE TAG CLASS=ID…

The field `name` of an object is TAG and its class, and the save sets it to `new` and the same. No two
stores have local ids in common.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import uuid
from pathlib import Path

SCHEMA = """
PRAGMA user_version = 4;
CREATE TABLE ParseObjects (uuid TEXT PRIMARY KEY, className TEXT NOT NULL, objectId TEXT, json TEXT,
    isDeletingEventually INTEGER DEFAULT 0, UNIQUE(className, objectId));
CREATE TABLE Dependencies (key TEXT NOT NULL, uuid TEXT NOT NULL, PRIMARY KEY(key, uuid));
"""


def main(path: Path, tag: str, objects: list[str]) -> None:
    """Makes the store at a path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path)
    database.executescript(SCHEMA)

    def insert(local: str, name: str, object_id: str | None, body: dict) -> None:
        database.execute("INSERT INTO ParseObjects VALUES (?, ?, ?, ?, 0)", (
            local, name, object_id, json.dumps({"className": name, "__complete": True, **body})))

    kept = []
    for number, told in enumerate(objects):
        name, object_id = told.split("=")
        own, pin, save = (str(uuid.uuid4()) for _ in range(3))
        insert(own, name, object_id, {
            "objectId": object_id, "name": tag + name, "__isDeletingEventually": 0,
            "createdAt": "2024-01-01T00:00:00.000Z", "updatedAt": "2024-01-02T00:00:00.000Z",
            "__selectedKeys": [], "__operations": [
                {"name": "new" + tag + name, "__uuid": save, "__isSaveEventually": True},
                {"__uuid": own + "-edits"}]})
        insert(pin, "_EventuallyPin", None, {"__operations": [{
            "uuid": pin + "-command", "type": 1, "operationSetUUID": save, "__uuid": pin + "-set",
            "time": {"__type": "Date", "iso": f"2024-02-01T00:00:{number:02}.000Z"},
            "object": {"__type": "Pointer", "className": name, "objectId": object_id}}]})
        kept += [own, pin]
    queue = str(uuid.uuid4())
    insert(queue, "_Pin", None, {"__operations": [{
        "_name": "_eventuallyPin", "__uuid": queue + "-set",
        "_objects": [{"__type": "OfflineObject", "uuid": local} for local in kept[1::2]]}]})
    database.executemany(
        "INSERT INTO Dependencies VALUES (?, ?)", [(queue, local) for local in [queue, *kept]])
    database.commit()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
