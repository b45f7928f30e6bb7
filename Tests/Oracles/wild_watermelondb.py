"""Makes random stores of WatermelonDB, and files that only look like them."""

from __future__ import annotations

import random
import sqlite3
import string
from pathlib import Path

from offline_values import quoted
from wild_files import write_schemas

NAMES = (
    "name", "is_done", "has_photo", "done", "remind_at", "position", "project_id", "values",
    "select", "grüße", "price", "seen_at", "note", "createdAt", "last_modified", "version",
    "deleted",
)
WRITERS = ("jsi", "classic", "node")
STATUSES = ("synced", "synced", "created", "updated", "deleted")
LOCAL_W4 = (
    'create table "local_storage" ("key" varchar(16) primary key not null, "value" text not null)',
    'create index "local_storage_key_index" on "local_storage" ("key")',
)
LOCAL_OLD = (
    "create table local_storage (\n        key varchar(16) primary key not null,\n"
    "        value text not null\n      )",
    "create index local_storage_key_index on local_storage (key)",
)


class WildWatermelon:
    """One random store."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.generation = rng.choice(("w1", "w2", "w3", "w4", "w4"))
        self.writer = rng.choice(WRITERS)
        self.is_odd = rng.random() < 0.5

    def write(self, path: Path) -> None:
        """Writes the store."""
        database = sqlite3.connect(path)
        for sql in LOCAL_W4 if self.generation == "w4" else ():
            database.execute(sql)
        for number in range(self.rng.randint(1, 4)):
            self.add_table(database, self.rng.choice(("tasks", "order", "Posts")) + str(number))
        for sql in LOCAL_OLD if self.generation != "w4" else ():
            database.execute(sql)
        if self.is_odd:
            database.execute("CREATE TABLE extra (a TEXT, b TEXT)")
            database.execute("INSERT INTO extra VALUES ('x', NULL)")
            database.execute("CREATE TABLE android_metadata (locale TEXT)")
        self.add_settings(database)
        database.execute(f"PRAGMA user_version = {self.rng.randint(1, 9)}")
        database.commit()
        database.close()

    def add_settings(self, database: sqlite3.Connection) -> None:
        """Fills `local_storage`."""
        pulled = self.rng.choice((None, "0", "1714558830123", "4711", "later", "1714558830123"))
        for key, value in (
            ("__watermelon_last_pulled_at", pulled),
            ("__watermelon_last_pulled_schema_version", self.rng.choice((None, "1", "5"))),
            ("theme", self.rng.choice((None, '"dark"'))),
        ):
            if value is not None:
                database.execute("INSERT INTO local_storage VALUES (?, ?)", (key, value))

    def add_table(self, database: sqlite3.Connection, table: str) -> None:
        """Makes a model with rows."""
        header = ["id", "_changed", "_status"]
        if self.generation == "w1":
            header = ["_changed", "_status", "id"]
        if self.generation in ("w1", "w2"):
            header.append("last_modified")
        own = [name for name in NAMES if self.rng.random() < 0.5 and name not in header]
        if self.generation == "w3" and own[:1] == ["last_modified"]:
            own = own[1:]
        if self.rng.random() < 0.6:
            own += ["created_at", "updated_at"]
        parts = [quoted(name) + (" primary key" if name == "id" else "") for name in header + own]
        database.execute(f"create table {quoted(table)} ({', '.join(parts)})")
        if self.rng.random() < 0.8:
            database.execute(
                f"create index {quoted(table + '__status')} on {quoted(table)} (\"_status\")")
        kinds = {name: self.kind(name) for name in header + own}
        for number in range(self.rng.choice((0, 1, 5, 30))):
            row = {name: self.value(kinds[name]) for name in own}
            if "last_modified" in header:
                row["last_modified"] = self.rng.choice((None, self.number(1714558830123)))
            row |= self.state(own)
            row["id"] = self.identity(number)
            database.execute(
                f"INSERT INTO {quoted(table)} ({', '.join(map(quoted, row))}) "
                f"VALUES ({', '.join('?' for _ in row)})", list(row.values()))

    def identity(self, number: int) -> str | None:
        """An item's id."""
        if self.is_odd and self.rng.random() < 0.03:
            return None
        letters = string.ascii_lowercase + string.digits
        return "".join(self.rng.choices(letters, k=15)) + str(number)

    def state(self, own: list[str]) -> dict[str, object]:
        """Status and changed columns."""
        status: str | None = self.rng.choice(STATUSES)
        changed = ""
        if status == "updated" or (status == "created" and self.rng.random() < 0.3):
            changed = ",".join(name for name in own if self.rng.random() < 0.4)
        if self.is_odd and self.rng.random() < 0.1:
            status = self.rng.choice((None, "Created", "disposable", "synced"))
            changed = self.rng.choice(("", "gone", "name"))
        return {"_status": status, "_changed": changed}

    def kind(self, name: str) -> str:
        """What an app would keep in a column."""
        if name.endswith("_at"):
            return self.rng.choice(("time", "time", "time", "seconds", "zero"))
        if name.startswith(("is_", "has_", "done", "deleted")):
            return "boolean"
        return self.rng.choice(("text", "text", "number", "fraction", "boolean", "null"))

    def value(self, kind: str) -> object:
        """A value as the writer binds it."""
        if self.rng.random() < 0.15:
            return None
        if self.is_odd and self.rng.random() < 0.04:
            return self.rng.choice(("text", 7, 2.5, 0, b"\x00\xff"))
        match kind:
            case "time":
                return self.number(self.rng.choice((0, 1714558830123, 10**11 + 5, 10**13 - 1)))
            case "seconds":
                return self.number(1714558830 + self.rng.randint(0, 9))
            case "zero":
                return self.number(0)
            case "boolean":
                truth = self.rng.randint(0, 1)
                return float(truth) if self.writer == "node" else truth
            case "number":
                return self.number(self.rng.choice((0, 3, -7, 2**40)))
            case "fraction":
                return self.rng.choice((0.5, 2.25, -0.1))
            case "text":
                return self.rng.choice(("", "x", "żółć", '{"a":1}', "line\nline", "NULL"))
        return None

    def number(self, value: int) -> object:
        """A whole number as the writer binds it."""
        return value if self.writer == "classic" else float(value)


def write_look_alikes(folder: Path) -> list[Path]:
    """Files that must be plain SQLite."""
    return write_schemas(folder, (
        ('create table "tasks" ("id" primary key, "_changed", "_status", "name")',),
        LOCAL_W4,
        LOCAL_W4 + ("create table notes (id, name)",),
        ('create table local_storage (key, value, extra)',
         'create table "tasks" ("id" primary key, "_changed", "_status", "name")'),
        LOCAL_W4 + ('create table "tasks" ("ID" primary key, "_Changed", "_status", "name")',),
    ))
