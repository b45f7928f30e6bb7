#!/usr/bin/env python3
"""Stores for replays, and what a replay must make of them; shares no code with the tool.

    replay_stores.py make FOLDER COUNT     device.db (a store of the managed SDK), TodoItem.ndjson
                                           (the server's export), after/TodoItem.ndjson (what the
                                           server exports afterwards) and expected.json
    replay_stores.py compare FOLDER STORE  prints how many items of a canonical store are wrong
"""

import json
import sqlite3
import sys
from pathlib import Path

SCHEMA = """
CREATE TABLE [TodoItem] ([id] TEXT PRIMARY KEY, [text] TEXT, [complete] BOOLEAN, [due] DATETIME,
  [price] FLOAT, [version] TEXT, [createdAt] DATETIME, [updatedAt] DATETIME, [deleted] BOOLEAN);
CREATE TABLE [__operations] ([id] TEXT PRIMARY KEY, [kind] INTEGER, [state] INTEGER,
  [tableName] TEXT, [tableKind] INTEGER, [itemId] TEXT, [item] TEXT, [createdAt] DATETIME,
  [sequence] INTEGER, [version] INTEGER);
CREATE TABLE [__errors] ([id] TEXT PRIMARY KEY, [httpStatus] INTEGER, [operationVersion] INTEGER,
  [operationKind] INTEGER, [tableName] TEXT, [tableKind] INTEGER, [item] TEXT, [rawResult] TEXT);
CREATE TABLE [__config] ([id] TEXT PRIMARY KEY, [value] TEXT);
"""


def server_item(name: str, version: str) -> dict:
    return {
        "id": name, "text": "old", "complete": False, "due": "2024-05-01T10:20:30.500Z",
        "price": 1.5, "version": version, "createdAt": "2024-01-01T00:00:00.000Z",
        "updatedAt": "2024-01-01T00:00:00.000Z", "deleted": False,
    }


def later_item(name: str, number: int, text: str | None) -> dict:
    """The item after all operations, its members in another order, times and version new."""
    item = server_item(name, f"later {number}")
    item |= {"createdAt": "2030-01-01T00:00:00.000Z", "updatedAt": "2030-01-01T00:00:00.000Z"}
    if text is None:
        item["deleted"] = True
    else:
        item |= {"text": text, "complete": number % 2 == 1, "price": number / 4}
    return dict(sorted(item.items()))


def make(folder: Path, count: int) -> None:
    """Every third operation is an insert, an update, a delete; the server knows the latter two."""
    database = sqlite3.connect(folder / "device.db")
    database.executescript("PRAGMA synchronous = OFF;" + SCHEMA)
    expected, server, after = {}, [], []
    for number in range(count):
        name, kind, version = f"item-{number:06}", number % 3, f"AAAAAAA{number:05}="
        text, payload = f"text {number}", None
        if kind != 0:
            server.append(json.dumps(server_item(name, version)))
        if kind == 2:
            payload, text = json.dumps({"id": name, "text": "old", "version": version}), None
        else:
            database.execute(
                "INSERT INTO TodoItem VALUES (?, ?, ?, 1714558830.5, ?, ?, NULL, ?, 0)",
                (name, text, number % 2, number / 4, version if kind else None,
                 1704067200 if kind else None))
        expected[name] = text
        after.append(json.dumps(later_item(name, number, text)))
        database.execute(
            "INSERT INTO __operations VALUES (?, ?, 0, 'TodoItem', 0, ?, ?, NULL, ?, 1)",
            (f"operation-{number}", kind, name, payload, number + 1))
    database.commit()
    (folder / "TodoItem.ndjson").write_text("".join(line + "\n" for line in server))
    (folder / "after").mkdir()
    after_lines = "".join(line + "\n" for line in reversed(after))
    (folder / "after" / "TodoItem.ndjson").write_text(after_lines)
    (folder / "expected.json").write_text(json.dumps(expected))


def compare(folder: Path, store: str) -> None:
    expected = json.loads((folder / "expected.json").read_text())
    wrong, seen = 0, set()
    rows = sqlite3.connect(store).execute("SELECT id, text, deleted FROM TodoItem")
    for name, text, deleted in rows:
        wrong += name in seen or (None if deleted else text) != expected.get(name)
        seen.add(name)
    print(wrong + sum(text is not None for name, text in expected.items() if name not in seen))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        compare(Path(sys.argv[2]), sys.argv[3])
