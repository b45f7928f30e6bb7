"""Makes random stores of Couchbase Lite 1.x, and files that only look like them."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import random
import sqlite3
from pathlib import Path

from wild_files import write_schemas

KEYS = (
    "title", "complete", "price", "count", "tags", "owner", "grüße", "version", "Title", "_pk",
    "deep", "mixed", "nothing", "type_name", "",
)
TYPES = ("task", "Task", "list", "rehome_x", "documents", "żółć", "local_documents", "tâche")
DOCS = "CREATE TABLE docs (doc_id INTEGER PRIMARY KEY, docid TEXT UNIQUE NOT NULL{})"
REVS = (
    "CREATE TABLE revs (sequence INTEGER PRIMARY KEY AUTOINCREMENT, doc_id INTEGER NOT NULL "
    "REFERENCES docs(doc_id) ON DELETE CASCADE, revid TEXT NOT NULL COLLATE REVID, parent INTEGER "
    "REFERENCES revs(sequence) ON DELETE SET NULL, current BOOLEAN, deleted BOOLEAN DEFAULT 0, "
    "json BLOB, no_attachments BOOLEAN{})")
SCHEMA = (
    "CREATE INDEX revs_current ON revs(doc_id, current DESC, deleted, revid DESC)",
    "CREATE INDEX revs_parent ON revs(parent)",
    "CREATE TABLE localdocs (docid TEXT UNIQUE NOT NULL, revid TEXT NOT NULL COLLATE REVID, "
    "json BLOB)",
    "CREATE TABLE views (view_id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, version TEXT, "
    "lastsequence INTEGER DEFAULT 0, total_docs INTEGER DEFAULT -1)",
    "CREATE TABLE info (key TEXT PRIMARY KEY, value TEXT)",
)
OLD = (
    "CREATE TABLE attachments (sequence INTEGER NOT NULL REFERENCES revs(sequence) ON DELETE "
    "CASCADE, filename TEXT NOT NULL, key BLOB NOT NULL, type TEXT, length INTEGER NOT NULL, "
    "revpos INTEGER DEFAULT 0, encoding INTEGER DEFAULT 0, encoded_length INTEGER)",
    "CREATE INDEX attachments_by_sequence ON attachments(sequence, filename)",
    "CREATE TABLE replicators (remote TEXT NOT NULL, push BOOLEAN, last_sequence TEXT, "
    "UNIQUE (remote, push))",
    "CREATE TABLE maps (view_id INTEGER NOT NULL REFERENCES views(view_id) ON DELETE CASCADE, "
    "sequence INTEGER NOT NULL REFERENCES revs(sequence) ON DELETE CASCADE, key TEXT NOT NULL "
    "COLLATE JSON, value TEXT)",
    "CREATE INDEX maps_keys ON maps(view_id, key COLLATE JSON_RAW)",
)
ODD_BODIES = (b"[1]", b"{\"a\":1,\"a\":2}", b"nothing", b"{\"a\":\"\xff\"}", b"{", b"7")


def compared(left: str, right: str) -> int:
    """An order that is as good as any."""
    return (left > right) - (left < right)


class WildCouchbase:
    """One random store."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.generation = rng.choice(("1.0", "1.1", "1.3", "1.3"))
        self.is_java = rng.random() < 0.4
        self.is_odd = rng.random() < 0.5
        self.is_folder = self.generation != "1.0" and rng.random() < 0.5
        self.blobs: dict[str, bytes] = {}

    def write(self, path: Path) -> Path:
        """Writes the store; returns where its database is."""
        if self.is_folder:
            folder = path.with_name(path.stem + ".cblite2")
            folder.mkdir()
            path, blobs = folder / "db.sqlite3", folder / "attachments"
            if self.is_odd and self.rng.random() < 0.3:
                (folder.parent / (folder.stem + ".cblite")).write_bytes(b"")
        elif self.is_java:
            blobs = path.parent / path.stem / "attachments"
        else:
            blobs = path.parent / f"{path.stem} attachments"
        database = sqlite3.connect(path)
        for name in ("REVID", "JSON", "JSON_RAW", "JSON_ASCII"):
            database.create_collation(name, compared)
        self.make_tables(database)
        self.add_documents(database)
        self.add_local(database)
        self.add_checkpoints(database)
        database.commit()
        database.close()
        self.write_blobs(blobs)
        return path

    def make_tables(self, database: sqlite3.Connection) -> None:
        """Makes the tables as a version of the SDK has them."""
        more = ", expiry_timestamp INTEGER" if self.generation == "1.3" else ""
        database.execute(DOCS.format(more))
        of_type = "" if self.generation == "1.0" else ", doc_type TEXT"
        unique = "" if self.is_java else ", UNIQUE (doc_id, revid)"
        database.execute(REVS.format(of_type + unique))
        mixture = self.generation == "1.1" and self.is_odd
        for sql in SCHEMA + (OLD if self.generation == "1.0" else OLD[2:] if mixture else ()):
            database.execute(sql)
        self.has_replicators = self.generation == "1.0" or mixture
        if self.is_java:
            database.execute("CREATE TABLE android_metadata (locale TEXT)")
        if self.generation == "1.0" and not self.is_java:
            database.execute("CREATE VIRTUAL TABLE bboxes USING rtree(rowid, x0, x1, y0, y1)")
        numbers = {"1.0": (3, 10, 16), "1.1": (18, 101), "1.3": (102,)}[self.generation]
        database.execute(f"PRAGMA user_version = {self.rng.choice(numbers)}")

    def add_documents(self, database: sqlite3.Connection) -> None:
        """Adds documents with their trees."""
        count, keys = self.rng.choice((0, 1, 5, 20, 60)), []
        for number in range(1, count + 1):
            name = self.rng.choice(("doc-", "Doc-", "_design/", "ö/")) + str(number // 2 * 2)
            key = number * self.rng.choice((1, 1000)) + 7 * number
            row: tuple[object, ...] = (key, f"{name}.{number % 2}")
            if self.generation == "1.3":
                row += (self.rng.choice((None, None, None, 1, 99999999999)),)
            database.execute(f"INSERT INTO docs VALUES ({', '.join('?' * len(row))})", row)
            keys.append(key)
        self.rng.shuffle(keys)
        for key in keys:
            if self.rng.random() < 0.95:
                self.add_tree(database, key)
        if self.is_odd and count:
            database.execute("DELETE FROM revs WHERE sequence % 13 = 0 AND NOT current")

    def add_tree(self, database: sqlite3.Connection, key: int) -> None:
        """Adds the revisions of a document."""
        generation = self.rng.choice((1, 1, 1, 8, 9, 99))
        parent = None
        kind = self.rng.choice((None, "task", "task", *TYPES))
        pulled = self.rng.random() < 0.4
        for step in range(self.rng.choice((1, 1, 2, 3, 5))):
            if parent is not None:
                database.execute("UPDATE revs SET current = 0 WHERE sequence = ?", (parent,))
            body = None if pulled and self.rng.random() < 0.5 else self.body(kind, generation)
            parent = self.add(database, key, generation, parent, body)
            generation += 1
        (body,) = database.execute(
            "SELECT json FROM revs WHERE sequence = ?", (parent,)).fetchone()
        if body is None and self.rng.random() < 0.9:
            database.execute("UPDATE revs SET json = ? WHERE sequence = ?",
                             (self.body(kind, generation), parent))
        if self.rng.random() < 0.2:
            database.execute("UPDATE revs SET deleted = 1, json = ? WHERE sequence = ?",
                             (self.rng.choice((b"{}", b"", None, b'{"why":"gone"}')), parent))
        elif self.rng.random() < 0.05:
            database.execute("UPDATE revs SET json = ? WHERE sequence = ?",
                             (b'{"_removed":true}', parent))
        if self.rng.random() < 0.2:
            (before,) = database.execute(
                "SELECT parent FROM revs WHERE sequence = ?", (parent,)).fetchone()
            for _ in range(self.rng.choice((1, 1, 2))):
                other = self.rng.choice((kind, kind, "task"))
                sequence = self.add(
                    database, key, generation - 1, before, self.body(other, generation))
                database.execute("UPDATE revs SET deleted = ? WHERE sequence = ?",
                                 (self.rng.random() < 0.3, sequence))

    def add(self, database: sqlite3.Connection, key: int, generation: int, parent: int | None,
            body: bytes | None) -> int:
        """Adds a leaf."""
        suffix = f"{self.rng.getrandbits(128):032x}"
        name = f"{generation}-{suffix}"
        if self.is_odd and self.rng.random() < 0.05:
            name = self.rng.choice(("x", f"{generation}-Z", "123456789-a", "-5", f"07-{suffix}",
                                    f"{generation}-ö")) + f"{self.rng.getrandbits(32)}"
        values: list[object] = [key, name, parent, 1, 0, body, None]
        if self.generation != "1.0":
            values.append(None)
        marks = ", ".join("?" * len(values))
        if self.rng.random() < 0.2:
            database.execute("UPDATE sqlite_sequence SET seq = seq + 2 WHERE name = 'revs'")
        sequence = database.execute(f"INSERT INTO revs VALUES (NULL, {marks})", values).lastrowid
        if self.generation == "1.0" and self.rng.random() < 0.3:
            for name in self.rng.sample(("b.txt", "a.jpg", "ü"), self.rng.choice((1, 2))):
                self.attach(database, sequence, name)
        return sequence

    def attach(self, database: sqlite3.Connection, sequence: int, name: str) -> None:
        """Attaches a file to a revision of an old store."""
        content, key = self.blob()
        encoding = int(content[:2] == b"\x1f\x8b")
        database.execute(
            "INSERT INTO attachments VALUES (?, ?, ?, ?, ?, 1, ?, ?)",
            (sequence, name, bytes.fromhex(key), self.rng.choice(("text/plain", None)),
             9, encoding, len(content) if encoding else None))

    def blob(self) -> tuple[bytes, str]:
        """Makes the content of an attachment."""
        content = self.rng.choice((b"one", b"two", gzip.compress(b"three " * 9, mtime=0)))
        key = hashlib.sha1(content).hexdigest()
        self.blobs[key] = content
        return content, key

    def body(self, kind: str | None, generation: int) -> bytes:
        """A body as an app would make it."""
        if self.is_odd and self.rng.random() < 0.05:
            return self.rng.choice(ODD_BODIES)
        if self.rng.random() < 0.05:
            return self.rng.choice((b"{}", b""))
        members: dict[str, object] = {} if kind is None else {"type": kind}
        if kind is None and self.rng.random() < 0.3:
            members["type"] = self.rng.choice((7, "", None))
        for key in KEYS:
            if self.rng.random() < 0.4:
                members[key] = self.value(key)
        if self.generation != "1.0" and self.rng.random() < 0.3:
            members["_attachments"] = {}
            for name in self.rng.sample(("b.txt", "a.jpg", "ü"), self.rng.choice((1, 2))):
                content, key = self.blob()
                digest = "sha1-" + base64.b64encode(bytes.fromhex(key)).decode()
                members["_attachments"][name] = {
                    "content_type": "x", "digest": digest, "length": 5, "revpos": generation,
                    "stub": True}
        text = json.dumps(members, ensure_ascii=False, separators=(",", ":"),
                          sort_keys=not self.is_java)
        return text.replace('"BIG"', "18446744073709551616").encode()

    def value(self, key: str) -> object:
        """A value of a key."""
        if self.rng.random() < 0.1:
            return None
        match key:
            case "title" | "grüße" | "version":
                return self.rng.choice(("", "a \"word\"\n", "2016-01-15T23:08:40.803Z", "ü/é"))
            case "complete":
                return self.rng.random() < 0.5
            case "price":
                return self.rng.choice((3, 2.5, -0.1, 3.0, 1e20))
            case "count":
                numbers = (0, -7, 2**53 + 1) if self.is_odd else (0, 5)
                return self.rng.choice(numbers + (2**63 - 1,))
            case "tags":
                return self.rng.choice(([], ["a", {"b": None}], [1.0, "x"]))
            case "nothing":
                return None
            case "mixed":
                return self.rng.choice((1, "one", True, 1.5, "BIG"))
            case "deep":
                return {"a": {"b": [1, 2, {"c": "ü"}]}, "_rev": "no"}
        return self.rng.choice(("x", 1))

    def add_local(self, database: sqlite3.Connection) -> None:
        """Adds local documents of the SDK and of the app."""
        for name, body in (
            ("_local/CBL_LocalCheckpoint", b'{"localUUID":"x"}'),
            ("_local/PersistentCookieStore", b'{"cookie":"never-shown"}'),
            ("_local/cbl_cookie_storage_x", b'{"cookie":"never-shown"}'),
            ("_local/" + "0a" * 20, b'{"lastSequence":"5"}'),
            ("_local/remotecheckpoint/1", b"{}"), ("_local/settings", b'{"dark":true}'),
            ("_local/CBLIS_metadata", b'{"type_key":"type"}'), ("_local/other", None),
        ):
            if self.rng.random() < 0.3:
                database.execute("INSERT INTO localdocs VALUES (?, ?, ?)",
                                 (name, f"{self.rng.randint(1, 30)}-local", body))

    def add_checkpoints(self, database: sqlite3.Connection) -> None:
        """Adds what a push or pull keeps."""
        (last,) = database.execute("SELECT coalesce(max(sequence), 0) FROM revs").fetchone()
        for key, value in (("privateUUID", "-FEYHnujdYBN52mBgHiFzy4"), ("pruned", "true"),
                           ("cookies", "never-shown")):
            if self.rng.random() < 0.5:
                database.execute("INSERT INTO info VALUES (?, ?)", (key, value))
        for _ in range(self.rng.choice((0, 1, 1, 2, 3))):
            value = self.rng.choice((
                str(last // 2), str(last // 2), str(last), str(last + 5), "0", "58-g1AAA",
                "12::34", None, "99999999999999999999", "", "-3", "12.5"))
            name = f"{self.rng.getrandbits(160):040x}"
            if self.has_replicators and self.rng.random() < 0.6:
                push = self.rng.choice((0, 1, 1)) if self.is_java else -1
                database.execute("INSERT INTO replicators VALUES (?, ?, ?)", (name, push, value))
            else:
                database.execute("INSERT INTO info VALUES (?, ?)", (f"checkpoint/{name}", value))

    def write_blobs(self, folder: Path) -> None:
        """Writes the contents of attachments, but not always all of them."""
        if not self.blobs or self.rng.random() < 0.1:
            return
        folder.mkdir(parents=True)
        for key, content in self.blobs.items():
            name = (key if self.is_java else key.upper()) + ".blob"
            if not self.is_odd or self.rng.random() < 0.8:
                is_wrong = self.is_odd and self.rng.random() < 0.2
                (folder / name).write_bytes(b"wrong" if is_wrong else content)


def write_look_alikes(folder: Path) -> list[Path]:
    """Files that must be plain SQLite."""
    revs, docs = REVS.format("").replace(" COLLATE REVID", ""), DOCS.format("")
    rest = [sql.replace(" COLLATE REVID", "") for sql in SCHEMA[2:]]
    return write_schemas(folder, (
        (docs, revs), (docs, revs, rest[0]), (docs, revs, rest[1]),
        (docs, revs, *rest, "CREATE TABLE kv_default (key TEXT)"),
        (docs, revs, *rest, "CREATE TABLE kvmeta (key TEXT)"),
        (docs.replace("docid", "name"), revs, *rest),
        (docs, revs.replace("current", "is_current"), *rest),
        ("CREATE TABLE docs (id, body)", "CREATE TABLE revs (id, doc)",
         "CREATE TABLE info (key, value)", "CREATE TABLE views (id, name)"),
    ))
