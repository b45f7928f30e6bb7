"""Makes random stores of PowerSync, and files that only look like them."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path

from offline_values import quoted
from wild_files import write_schemas

GENERATIONS = (2, 3, 5, 7, 9, 10, 11, 12, 13, 14, 15)
TYPES = ("TEXT", "INTEGER", "REAL", "text", "integer", "real")
COLUMNS = ("name", "done", "price", "createdAt", "select", "größe", "version", "meta")
FOREVER = 9223372036854775807
OLD = (
    "CREATE TABLE ps_oplog(bucket TEXT, op_id INTEGER, op INTEGER, row_type TEXT, row_id TEXT, "
    "key TEXT, data TEXT, hash INTEGER, superseded INTEGER)",
    "CREATE TABLE ps_buckets(name TEXT PRIMARY KEY, last_applied_op INTEGER NOT NULL DEFAULT 0, "
    "last_op INTEGER NOT NULL DEFAULT 0, target_op INTEGER NOT NULL DEFAULT 0, add_checksum "
    "INTEGER NOT NULL DEFAULT 0, pending_delete INTEGER NOT NULL DEFAULT 0)",
)
NEW = (
    "CREATE TABLE ps_buckets(id INTEGER PRIMARY KEY, name TEXT NOT NULL, last_applied_op INTEGER "
    "NOT NULL DEFAULT 0, last_op INTEGER NOT NULL DEFAULT 0, target_op INTEGER NOT NULL DEFAULT 0, "
    "add_checksum INTEGER NOT NULL DEFAULT 0, op_checksum INTEGER NOT NULL DEFAULT 0, "
    "pending_delete INTEGER NOT NULL DEFAULT 0) STRICT",
    "CREATE TABLE ps_oplog(bucket INTEGER NOT NULL, op_id INTEGER NOT NULL, row_type TEXT, row_id "
    "TEXT, key TEXT, data TEXT, hash INTEGER NOT NULL) STRICT",
    "CREATE TABLE ps_updated_rows(row_type TEXT, row_id TEXT, PRIMARY KEY(row_type, row_id)) "
    "STRICT, WITHOUT ROWID",
)


class WildPowerSync:
    """One random store."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.generation = rng.choice(GENERATIONS)
        self.is_odd = rng.random() < 0.5
        self.tables: dict[str, list[tuple[str, str]]] = {}
        self.rows: dict[str, dict[str, dict[str, object]]] = {}

    def write(self, path: Path) -> None:
        """Writes the store."""
        database = sqlite3.connect(path)
        self.add_bookkeeping(database)
        for number in range(self.rng.randint(1, 3)):
            name = self.rng.choice(("lists", "order", "Todos")) + str(number)
            self.add_table(database, name, "ps_data__")
        if self.rng.random() < 0.4:
            self.add_table(database, "drafts", "ps_data_local__")
        if self.rng.random() < 0.3:
            self.add_attachments(database)
        if self.rng.random() < 0.3:
            for identity in ("u1", "u2"):
                database.execute("INSERT INTO ps_untyped VALUES ('ghosts', ?, ?)",
                                 (identity, json.dumps({"a": self.rng.choice((1, "x", None))})))
        if self.is_odd:
            database.execute("CREATE TABLE own (a TEXT, b TEXT)")
            database.execute("INSERT INTO own VALUES ('x', NULL)")
        if self.rng.random() < 0.8:
            self.add_queue(database)
        self.add_downloads(database)
        database.commit()
        database.close()

    def add_bookkeeping(self, database: sqlite3.Connection) -> None:
        """The SDK's own tables."""
        database.execute("CREATE TABLE ps_migration(id INTEGER PRIMARY KEY, down_migrations TEXT)")
        for number in range(1, self.generation + 1):
            database.execute("INSERT INTO ps_migration VALUES (?, '[]')", (number,))
        database.execute("CREATE TABLE ps_untyped(type TEXT NOT NULL, id TEXT NOT NULL, data TEXT, "
                         "PRIMARY KEY (type, id))")
        database.execute("CREATE TABLE ps_crud (id INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT)")
        database.execute("ALTER TABLE ps_crud ADD COLUMN tx_id INTEGER")
        database.execute("CREATE TABLE ps_tx(id INTEGER PRIMARY KEY NOT NULL, current_tx INTEGER, "
                         "next_tx INTEGER)")
        for statement in OLD if self.generation < 5 else NEW:
            database.execute(statement)
        if self.generation >= 3:
            database.execute("CREATE TABLE ps_kv(key TEXT PRIMARY KEY NOT NULL, value BLOB)")
            database.execute("INSERT INTO ps_kv VALUES ('client_id', 'c0ffee')")
        self.add_times(database)
        self.add_gate(database)

    def add_times(self, database: sqlite3.Connection) -> None:
        """How far downloads had come."""
        if 3 <= self.generation <= 6 and self.rng.random() < 0.7:
            database.execute("INSERT INTO ps_kv VALUES ('last_synced_at', '2024-05-01 10:20:30')")
        if self.generation >= 7:
            kind = "TEXT" if self.generation < 13 else "INTEGER"
            database.execute("CREATE TABLE ps_sync_state(priority INTEGER NOT NULL PRIMARY KEY, "
                             f"last_synced_at {kind} NOT NULL) STRICT")
            for priority in self.rng.sample((0, 1, 3, 2147483647), self.rng.randint(0, 3)):
                time: object = self.rng.choice(("2024-05-01 10:20:30", "soon"))
                if kind == "INTEGER":
                    time = self.rng.choice((1714558830123000, 1714558830123456, -1))
                database.execute("INSERT INTO ps_sync_state VALUES (?, ?)", (priority, time))
        if self.generation >= 11:
            database.execute(
                "CREATE TABLE ps_stream_subscriptions(id INTEGER PRIMARY KEY, stream_name TEXT NOT "
                "NULL, active INTEGER, is_default INTEGER, local_priority INTEGER, local_params "
                "TEXT NOT NULL, ttl INTEGER, expires_at INTEGER, last_synced_at INTEGER) STRICT")
            factor = 1_000_000 if self.generation >= 13 else 1
            for stream, parameters in (("all", "null"), ("one", '{"id":1}'))[: self.rng.randint(0, 2)]:
                time = self.rng.choice((None, 1714558830 * factor))
                database.execute(
                    "INSERT INTO ps_stream_subscriptions (stream_name, local_params, last_synced_at)"
                    " VALUES (?, ?, ?)", (stream, parameters, time))

    def add_gate(self, database: sqlite3.Connection) -> None:
        """Whether local writes wait to be confirmed."""
        target, seen = self.rng.choice(((None, None), (FOREVER, None), (7, 3), (7, 7)))
        if self.generation >= 14:
            for key, value in (("target", target), ("last_seen", seen)):
                if value is not None:
                    database.execute("INSERT INTO ps_kv VALUES (?, ?)",
                                     (key + "_checkpoint_request_id", value))
        elif target is not None:
            database.execute("INSERT INTO ps_buckets (name, target_op, last_op) VALUES "
                             "('$local', ?, ?)", (target, seen or 0))

    def add_table(self, database: sqlite3.Connection, name: str, prefix: str) -> None:
        """A table of documents with its view and rows."""
        columns = [(each, self.rng.choice(TYPES)) for each in COLUMNS if self.rng.random() < 0.6]
        table = prefix + name
        database.execute(f"CREATE TABLE {quoted(table)}(id TEXT PRIMARY KEY NOT NULL, data TEXT)")
        if self.rng.random() < 0.9:
            self.add_view(database, name, table, columns)
        self.rows[name] = {}
        for number in range(self.rng.choice((0, 1, 4, 20))):
            identity = f"{name}-{number}"
            document = {column: self.value(kind.upper()) for column, kind in columns
                        if self.rng.random() < 0.9}
            if self.rng.random() < 0.2:
                document |= {"hidden": self.rng.choice((1, 2.5, "x", True, None, [1])), "z z": "1"}
            text: object = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
            if self.is_odd and self.rng.random() < 0.06:
                text = self.rng.choice((None, "", "[1]", "{", '{"a":1,"a":2}', "nonsense"))
                document = {}
            else:
                self.rows[name][identity] = document
            database.execute(f"INSERT INTO {quoted(table)} VALUES (?, ?)", (identity, text))
        if prefix == "ps_data__":
            self.tables[name] = columns

    def add_view(
        self, database: sqlite3.Connection, name: str, table: str, columns: list[tuple[str, str]]
    ) -> None:
        """The view by which the app sees a table."""
        view = name if self.rng.random() < 0.8 else name + "_view"
        names = ", ".join(quoted(each) for each in ["id"] + [column for column, _ in columns])
        casts = "".join(
            f", CAST(json_extract(data, '$.{column}') as {kind})" for column, kind in columns)
        if self.rng.random() < 0.2:
            names += ', "_metadata", "_deleted"'
            casts += ", NULL, NULL"
        database.execute(
            f"CREATE VIEW {quoted(view)}({names}) AS SELECT id{casts} FROM {quoted(table)} "
            "-- powersync-auto-generated")

    def value(self, kind: str) -> object:
        """A value of a column, seldom an odd one."""
        odd = ("7", "-0", "007", "1e3", 2**70, 1.0, 1.5, True, {"a": [1, None]}, [], 10**17, "é")
        if self.is_odd and self.rng.random() < 0.15:
            return self.rng.choice(odd)
        if self.rng.random() < 0.1:
            return None
        match kind:
            case "INTEGER":
                return self.rng.choice((0, 1, -5, 2**53 + 1))
            case "REAL":
                return self.rng.choice((0.1, 3.0, 7, -2.5e-7))
        return self.rng.choice(("", "x", "żółć", "2024-05-01T10:20:30Z", 'quote " and \n'))

    def add_attachments(self, database: sqlite3.Connection) -> None:
        """The table of an attachment helper."""
        database.execute('CREATE TABLE "ps_data_local__attachments"(id TEXT PRIMARY KEY NOT NULL, '
                         "data TEXT)")
        document = {"filename": "a.jpg", "local_uri": self.rng.choice((None, "attachments/a.jpg")),
                    "state": self.rng.randint(0, 4)}
        if self.rng.random() < 0.3:
            document["has_synced"] = self.rng.randint(0, 1)
        database.execute('INSERT INTO "ps_data_local__attachments" VALUES (?, ?)',
                         ("f1", json.dumps(document)))
        self.rows["attachments"] = {"f1": document}

    def add_queue(self, database: sqlite3.Connection) -> None:
        """Entries of the upload queue."""
        for number in range(self.rng.choice((0, 1, 5, 15))):
            name = self.rng.choice(list(self.tables))
            known = list(self.rows[name]) or [f"{name}-0"]
            identity = self.rng.choice(known + ["gone"])
            data = {column: self.value(kind.upper())
                    for column, kind in self.tables[name] if self.rng.random() < 0.5}
            entry: dict[str, object] = {
                "op": self.rng.choice(("PUT", "PATCH", "PATCH", "DELETE")), "type": name,
                "id": identity}
            if entry["op"] != "DELETE":
                entry["data"] = data
            if entry["op"] != "PUT" and self.rng.random() < 0.3:
                entry |= {"old": data, "metadata": self.rng.choice((None, "why"))}
            text = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
            if self.is_odd and self.rng.random() < 0.15:
                text = self.odd_entry(entry)
            transaction = None if self.rng.random() < 0.3 else number // 3
            database.execute("INSERT INTO ps_crud (data, tx_id) VALUES (?, ?)", (text, transaction))
            if self.generation >= 5:
                database.execute("INSERT OR IGNORE INTO ps_updated_rows VALUES (?, ?)",
                                 (name, identity))

    def odd_entry(self, entry: dict[str, object]) -> str:
        """An entry that no SDK writes."""
        change = self.rng.choice((
            {"op": "MERGE"}, {"op": 3}, {"id": 5}, {"id": None}, {"type": "nowhere"}, {"data": [1]},
            {"type": 1}, {}))
        return json.dumps(entry | change) if change else self.rng.choice(("{", "7", ""))

    def add_downloads(self, database: sqlite3.Connection) -> None:
        """Copies of rows as the service sent them."""
        is_old = self.generation < 5
        database.execute("INSERT INTO ps_buckets (name, last_applied_op, last_op) VALUES "
                         "('b[]', 50, 90)")
        bucket = "b[]" if is_old else database.execute(
            "SELECT id FROM ps_buckets WHERE name = 'b[]'").fetchone()[0]
        number = 30
        for name, columns in self.tables.items():
            for identity, document in self.rows[name].items():
                number += self.rng.randint(1, 5)
                copy = dict(document)
                if self.rng.random() < 0.2 and columns:
                    copy[columns[0][0]] = "changed"
                if self.rng.random() < 0.8:
                    self.add_copy(database, bucket, number, name, identity, copy, is_old)
                if self.rng.random() < 0.15:
                    if is_old:
                        self.add_copy(database, "$local", 1, name, identity, None, is_old)
                    else:
                        database.execute("INSERT OR IGNORE INTO ps_updated_rows VALUES (?, ?)",
                                         (name, identity))

    @staticmethod
    def add_copy(
        database: sqlite3.Connection, bucket: object, number: int, name: str, identity: str,
        copy: dict[str, object] | None, is_old: bool,
    ) -> None:
        """One entry of the log."""
        data = None if copy is None else json.dumps(copy)
        key = f"{name}/{identity}/null"
        if is_old:
            database.execute(
                "INSERT INTO ps_oplog VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0)",
                (bucket, number, "REMOVE" if copy is None else 3, name, identity, key, data))
        else:
            database.execute(
                "INSERT INTO ps_oplog VALUES (?, ?, ?, ?, ?, ?, 0)",
                (bucket, number, name, identity, key, data))


def write_look_alikes(folder: Path) -> list[Path]:
    """Files that must be plain SQLite."""
    parts = (
        "CREATE TABLE ps_migration(id INTEGER PRIMARY KEY, down_migrations TEXT)",
        "CREATE TABLE ps_crud (id INTEGER PRIMARY KEY, data TEXT)",
        "CREATE TABLE ps_oplog(bucket, op_id, row_type, row_id, key, data, hash)",
        "CREATE TABLE ps_buckets(id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE ps_untyped(type TEXT, id TEXT, data TEXT)",
    )
    schemas = [[part for part in parts if part != left_out] for left_out in parts]
    other_migration = ["CREATE TABLE ps_migration(id, down_migrations, more)", *parts[1:]]
    rows_alone = ['CREATE TABLE "ps_data__lists"(id TEXT, data TEXT)', "CREATE TABLE ps_kv(key)"]
    return write_schemas(folder, [*schemas, other_migration, rows_alone])
